"""What explains a program, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    given to `find_convention`. `mend` says what to change, "" where nothing is wrong.
    """

    kind: str
    key: str
    title: str
    text: str
    whole: bool
    agreed: int
    convention: str = ""
    mend: str = ""

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
        }


SURE_EXPANSIONS = 40
"""Where fewer are given, a program without the mistake that is named can do the same."""

_OTHERS = (
    "So little can fit other programs too: to be sure, give the boards in the order in which they "
    "are expanded, for a board that takes a hundred or more."
)


def explanation(fit: Fit, base: Convention, given: Given, at: int, doubt: str) -> Diagnosis:
    """Return in words what a fit says; the first difference is `at` an expansion, 0 for none."""
    one, mistake = fit.candidate.convention, fit.candidate.mistake
    rules = rule_words(one, base, at)
    if fit.candidate.habit is not None:
        rules.append(fit.candidate.habit.words)
    if fit.agreed < len(given.rows):
        return _near(fit, base, given, rules)
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
    text = f"{'; '.join(rules)[:1].upper()}{'; '.join(rules)[1:]}."
    if "order" in differing(one, base) and one.order == _turned(base.order):
        named_order = listed(base.order)
        turned = f"That is \u201c{named_order}\u201d applied to the tile instead of the blank."
        text = turned if len(rules) == 1 else f"{text} {turned}"
    mend = ""
    if doubt:
        text += f" With this A* can miss the shortest path: {doubt}."
        mend = "" if one.duplicates.decreases_key else _KEEP_THE_SHORTER_PATH
    key = _key(fit)
    return Diagnosis("convention", key, title, text, fit.whole, fit.agreed, str(one), mend)


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
    more = f"{'; '.join(rules)[:1].upper()}{'; '.join(rules)[1:]}." if rules else ""
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


def counting(name: str, yours: int, counts: Mapping[str, int]) -> tuple[str, str, str] | None:
    """Return (key, title, mend) where a count differs only by what is counted, else None.

    >>> counting("expanded", 11, {"expanded": 10, "generated": 20})[1]
    'You count the goal as expanded'
    """
    expected = counts.get(name)
    for key, of, other, title, mend in _COUNTINGS:
        value = _other(other, counts)
        if of == name and expected is not None and value is not None and yours == value:
            return key, title, mend
    return None


def _other(what: str, counts: Mapping[str, int]) -> int | None:
    """Return a count with what is added or taken away, such as `expanded+1`."""
    name, sign, number = what.partition("+") if "+" in what else what.partition("-")
    if name not in counts:
        return None
    by = int(number) if number.isdigit() else counts.get(number, 0)
    return counts[name] + (by if sign == "+" else -by)


_COUNTINGS = (
    (
        "counts-goal",
        "expanded",
        "expanded+1",
        "You count the goal as expanded",
        "Count a node when its successors are generated. The goal is never expanded.",
    ),
    (
        "counts-generated",
        "expanded",
        "generated",
        "Your count of expanded nodes is that of the generated nodes",
        "Count each node once, when it is taken, not each successor.",
    ),
    (
        "counts-reached",
        "expanded",
        "peak_stored",
        "Your count of expanded nodes is that of the boards reached",
        "Count each node when it is taken from the frontier.",
    ),
    (
        "leaves-out-start",
        "expanded",
        "expanded-1",
        "Your count of expanded nodes is one short: it leaves out the start",
        "Count the start as well.",
    ),
    (
        "leaves-out-start",
        "generated",
        "generated-1",
        "You do not count the start as generated",
        "Count the start once, as a generated node.",
    ),
    (
        "counts-new-only",
        "generated",
        "peak_stored",
        "You count only successors that are new",
        "Count each successor when it is generated, before you check whether its board is known.",
    ),
    (
        "counts-new-only",
        "generated",
        "peak_stored-1",
        "You count only successors that are new, and not the start",
        "Count the start, and each successor when it is generated.",
    ),
    (
        "counts-expanded",
        "generated",
        "expanded",
        "Your count of generated nodes is that of the expanded nodes",
        "Count each successor that is generated.",
    ),
    (
        "boards-not-moves",
        "length",
        "length+1",
        "You count the boards of the path, not its moves",
        "A path of n moves has n + 1 boards: subtract one.",
    ),
    (
        "depth-off-by-one",
        "length",
        "length-1",
        "The length of your path is one short",
        "Count the last move too.",
    ),
    (
        "depth-off-by-one",
        "deepest",
        "deepest+1",
        "Your depth is one too large",
        "The start has depth 0. Or perhaps you take the depth of the nodes generated, not of "
        "those expanded.",
    ),
    (
        "depth-off-by-one",
        "deepest",
        "deepest-1",
        "Your depth is one short",
        "The start has depth 0, and the goal counts when it is reached.",
    ),
)
