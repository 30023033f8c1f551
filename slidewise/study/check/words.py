"""What explains a program, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle.moves import opposite
from slidewise.solver.convention import Convention, Queue, Ties
from slidewise.study.check.space import differing
from slidewise.study.check.why import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slidewise.study.check.given import Given
    from slidewise.study.check.space import Fit

_TIES = {
    "first-in": "first in, first out",
    "last-in": "last in, first out",
    "higher-g": "the higher g first",
    "lower-g": "the lower g first",
    "lower-h": "the lower h first",
}
_QUEUES = {
    "binary-heap": "in the order of a binary heap without a counter (Java's PriorityQueue, MinPQ)",
    "heapq": "in the order of Python's heapq when only f is compared",
    "boards": "by comparing the boards, as when a heap holds pairs of f and board",
}


@dataclass(frozen=True)
class Diagnosis:
    """What explains what was given: a convention, a mistake, or how something was counted.

    `whole`: it explains all that was given, else the first `agreed` expansions. `convention` can be
    given to `find_convention`. `mend` says what to change, "" where nothing is wrong. `right`: a
    program with it breaks no rule of its algorithm.
    """

    kind: str
    key: str
    title: str
    text: str
    whole: bool
    agreed: int
    convention: str = ""
    mend: str = ""
    right: bool = False

    def as_json(self) -> dict[str, object]:
        """Return it as what JSON can hold."""
        return {
            "kind": self.kind,
            "key": self.key,
            "title": self.title,
            "text": self.text,
            "whole": self.whole,
            "agreed": self.agreed,
            "convention": self.convention,
            "mend": self.mend,
            "right": self.right,
        }


SURE_EXPANSIONS = 40
"""Where fewer are given, a program without the mistake that is named can do the same."""

_OTHERS = (
    "So little can fit other programs too: to be sure, give the boards in the order in which they "
    "are expanded, for a board that takes a hundred or more."
)


def explanation(
    fit: Fit, base: Convention, given: Given, at: int, doubt: str, algorithm: str
) -> Diagnosis:
    """Return in words what a fit says; the first difference is `at` an expansion, 0 for none.

    `algorithm` is the title of the search.
    """
    one, mistake = fit.candidate.convention, fit.candidate.mistake
    rules = rule_words(one, base, at)
    if fit.candidate.habit is not None:
        rules.append(fit.candidate.habit.words)
    own = bool(fit.candidate.follows)
    if own:
        rules.append(_OWN_ORDER)
    if fit.agreed < len(given.rows):
        return _near(fit, base, given, rules)
    if mistake is not None and mistake.is_right:
        text = f"{_all_of(given)} fit a program that does so. {_sentence([mistake.what, *rules])}"
        return Diagnosis(
            "convention", mistake.key, mistake.title, text, True, fit.agreed, right=True
        )
    if mistake is not None:
        more = f" And {'; '.join(rules)}." if rules else ""
        title, text = mistake.title, f"{_all_of(given)} fit a program with this mistake."
        if len(given.rows) < SURE_EXPANSIONS:
            title = f"A possible cause: {title[:1].lower()}{title[1:]}"
            text += f" {_OTHERS}"
        return Diagnosis(
            "mistake",
            mistake.key,
            title,
            f"{text} {mistake.what}{more}",
            fit.whole,
            fit.agreed,
            str(one),
            mistake.mend,
        )
    named = "," not in str(one) and one.key != base.key
    title = f"{_all_of(given)} fit {_short(one, base, named=named)}"
    if own:
        title = f"{_all_of(given)} keep to the rules of {algorithm}"
    text = _sentence(rules)
    if "order" in differing(one, base) and one.order == _turned(base.order):
        named_order = listed(base.order)
        turned = f"That is \u201c{named_order}\u201d applied to the tile instead of the blank."
        text = turned if len(rules) == 1 else f"{text} {turned}"
    mend = _ADVICE.get(one.duplicates.key, "") if "duplicates" in differing(one, base) else ""
    if doubt:
        text += f" With this A* can miss the shortest path: {doubt}."
        mend = "" if one.duplicates.decreases_key else _KEEP_THE_SHORTER_PATH
    key, text_of = ("own-order", "") if own else (_key(fit), str(one))
    return Diagnosis("convention", key, title, text, fit.whole, fit.agreed, text_of, mend, True)


def _sentence(rules: list[str]) -> str:
    """Return rules as one sentence."""
    text = "; ".join(rule.removesuffix(".") for rule in rules)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _key(fit: Fit) -> str:
    """Return the name of a convention with what it cannot say."""
    one, habit = fit.candidate.convention, fit.candidate.habit
    return f"{one},{habit.key}" if habit else str(one)


def _near(fit: Fit, base: Convention, given: Given, rules: list[str]) -> Diagnosis:
    """Return in words a fit of the first expansions only: where it ends, and nothing to mend."""
    one, mistake = fit.candidate.convention, fit.candidate.mistake
    named = "," not in str(one) and one.key != base.key
    what = mistake.title if mistake is not None else _short(one, base, named=named)
    told = mistake.what if mistake is not None else ""
    more = _sentence(rules)
    return Diagnosis(
        "convention" if mistake is None else "mistake",
        _key(fit) if mistake is None else mistake.key,
        f"\u201c{what[:1].upper()}{what[1:]}\u201d fits as far as expansion {fit.agreed:,}, "
        "not further",
        f"It does not explain expansion {fit.agreed + 1:,} of your {len(given.rows):,}, so it is "
        f"not the whole answer, or not the right one. {' '.join((told, more)).strip()}",
        False,
        fit.agreed,
        str(one),
    )


_OWN_ORDER = "where several boards may come next, you take them in an order of your own"

_VISITED = (
    "Boards are expanded more than once. Keep a set of the boards reached, and leave out "
    "successors that are in it."
)
_ADVICE = {
    "nothing": _VISITED,
    "parent": _VISITED,
    "expanded-stale": "A board that waits twice is expanded twice. A test such as `board in heap` "
    "never finds it in a heap of pairs (f, board): keep a set of the boards that wait.",
}
"""What makes a search faster that breaks no rule, by its rule for boards met again."""

_KEEP_THE_SHORTER_PATH = (
    "When you find a shorter path to a board on the frontier, keep that one: push the node again, "
    "or lower its key."
)


def _turned(order: str) -> str:
    return opposite(order.upper()).lower()


def _all_of(given: Given) -> str:
    """Return all that was given, as the subject of a sentence."""
    total = len(given.rows)
    if not total:
        return "Your path and counts" if given.moves is not None else "Your counts"
    return f"All {total:,}"


def _short(one: Convention, base: Convention, *, named: bool) -> str:
    rules = differing(one, base)
    if named:
        return f"the convention of {one.title}"
    if rules == ["order"]:
        return f"blank {listed(one.order)}"
    if not rules:
        return "another way to write the search"
    if rules == ["ties"]:
        return f"ties {tie_words(one)}"
    return "another convention"


def tie_words(one: Convention) -> str:
    """Return how ties are broken.

    >>> from slidewise import find_convention
    >>> tie_words(find_convention("slidewise,ties=last-in"))
    'last in, first out'
    """
    if one.ties is Ties.AS_QUEUED:
        return _QUEUES[one.queue.value]
    boards = ", then by comparing the boards" if one.queue is Queue.BOARDS else ""
    return f"{_TIES[one.ties.value]}{boards}"


def rule_words(one: Convention, base: Convention, at: int) -> list[str]:
    """Return each rule in which `one` differs from `base`, as it shows from expansion `at` on."""
    words = {
        "order": f"you generate successors in the order blank {listed(one.order)}",
        "siblings": f"of a node's successors you continue with the {_sibling(one)}",
        "goal_test": f"you look for the goal when a node is {one.goal_test.value}",
        "duplicates": f"your rule for boards met again: {one.duplicates.words}",
        "ties": f"{'from here on ' if at > 1 else ''}your ties are {tie_words(one)}",
    }
    return [words[rule] for rule in differing(one, base)]


def _sibling(one: Convention) -> str:
    return (
        "one made first"
        if one.siblings is Ties.FIRST_IN
        else "one made last (not pushed in reverse)"
    )


class Counting(NamedTuple):
    """A way to count: of the count `of` it gives the value `other`, such as `expanded+1`."""

    key: str
    of: str
    other: str
    title: str
    mend: str


def counting(name: str, yours: int, counts: Mapping[str, int]) -> Counting | None:
    """Return the way of counting in which a count alone differs, else None.

    >>> counting("expanded", 11, {"expanded": 10, "generated": 20}).title
    'You count the goal as expanded, as Princeton and 42 do'
    """
    if name not in counts:
        return None
    ways = (way for way in _COUNTINGS if way.of == name and _other(way.other, counts) == yours)
    return next(ways, None)


def _other(what: str, counts: Mapping[str, int]) -> int | None:
    """Return a count with what is added or taken away, such as `expanded+1`."""
    name, sign, number = what.partition("+") if "+" in what else what.partition("-")
    if name not in counts:
        return None
    by = int(number) if number.isdigit() else counts.get(number, 0)
    return counts[name] + (by if sign == "+" else -by)


_COUNTINGS = (
    Counting(
        "counts-goal",
        "expanded",
        "expanded+1",
        "You count the goal as expanded, as Princeton and 42 do",
        "Count a node when its successors are generated. The goal is never expanded.",
    ),
    Counting(
        "counts-generated",
        "expanded",
        "generated",
        "Your count of expanded nodes is that of the generated nodes",
        "Count each node once, when it is taken, not each successor.",
    ),
    Counting(
        "counts-reached",
        "expanded",
        "peak_stored",
        "Your count of expanded nodes is that of the boards reached",
        "Count each node when it is taken from the frontier.",
    ),
    Counting(
        "leaves-out-start",
        "expanded",
        "expanded-1",
        "Your count of expanded nodes is one short: it leaves out the start",
        "Count the start as well.",
    ),
    Counting(
        "leaves-out-start",
        "generated",
        "generated-1",
        "You do not count the start as generated",
        "Count the start once, as a generated node.",
    ),
    Counting(
        "counts-new-only",
        "generated",
        "peak_stored",
        "You count only successors that are new",
        "Count each successor when it is generated, before you check whether its board is known.",
    ),
    Counting(
        "counts-new-only",
        "generated",
        "peak_stored-1",
        "You count only successors that are new, and not the start",
        "Count the start, and each successor when it is generated.",
    ),
    Counting(
        "counts-expanded",
        "generated",
        "expanded",
        "Your count of generated nodes is that of the expanded nodes",
        "Count each successor that is generated.",
    ),
    Counting(
        "boards-not-moves",
        "length",
        "length+1",
        "You count the boards of the path, not its moves",
        "A path of n moves has n + 1 boards: subtract one.",
    ),
    Counting(
        "depth-off-by-one",
        "length",
        "length-1",
        "The length of your path is one short",
        "Count the last move too.",
    ),
    Counting(
        "depth-off-by-one",
        "deepest",
        "deepest+1",
        "Your depth is that of the nodes generated, as ColumbiaX has it",
        "Here the depth is that of the nodes expanded; the start has depth 0.",
    ),
    Counting(
        "depth-off-by-one",
        "deepest",
        "deepest-1",
        "Your depth is one short",
        "The start has depth 0, and the goal counts when it is reached.",
    ),
)
