"""Reasons for the expected expansion, derived from the events of the search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle.moves import opposite
from slidewise.solver.convention import ALGORITHMS, Convention, Queue, Ties
from slidewise.solver.events import Expanded, Successor
from slidewise.study.check.candidates import differing, scale_of_f
from slidewise.study.check.divergence import reference

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slidewise.puzzle import Board
    from slidewise.study.check.candidates import Fit, ReferenceSearch
    from slidewise.study.check.divergence import Divergence
    from slidewise.study.check.submission import Submission


WAYS = {"u": "up", "d": "down", "l": "left", "r": "right"}


@dataclass(frozen=True)
class Making:
    """How a board was generated: its expansion, the blank's direction, and its fate."""

    order: int
    way: str
    made: Successor


@dataclass(frozen=True)
class Reason:
    """An explanation in a title and sentences. It also has, for each of the two boards, its origin
    in words and the moved tile."""

    title: str
    sentences: tuple[str, ...]
    yours_from: str = ""
    expected_from: str = ""
    yours_moved: int | None = None
    expected_moved: int | None = None


def listed(order: str) -> str:
    """Return an order of the blank's directions in words.

    >>> listed("udlr")
    'up, down, left, right'
    """
    return ", ".join(WAYS[way] for way in order)


class History:
    """Index of boards in the first expansions of a search."""

    def __init__(
        self, spec: ReferenceSearch, convention: str, boards: list[Board], expansions: int
    ) -> None:
        self.makings: dict[Board, list[Making]] = {board: [] for board in boards}
        self.expanded: dict[Board, int] = {}
        self.events: dict[int, Expanded] = {}
        for event in reference(spec, convention, expansions):
            if not isinstance(event, Expanded):
                break
            self._read(event)
            if event.order >= expansions:
                break

    def _read(self, event: Expanded) -> None:
        if event.board in self.makings:
            self.expanded.setdefault(event.board, event.order)
        for made in event.successors:
            if made.board in self.makings:
                way = way_of(event.board, made.board)
                self.makings[made.board].append(Making(event.order, way, made))
                self.events[event.order] = event

    def kept(self, board: Board) -> Making | None:
        """Return the last kept generation of a board on the frontier."""
        kept = [making for making in self.makings[board] if making.made.fate.is_kept]
        return kept[-1] if kept else None


def way_of(before: Board, after: Board) -> str:
    """Return the direction of the blank from one board to the next."""
    step = after.blank - before.blank
    return {-before.cols: "u", before.cols: "d", -1: "l", 1: "r"}.get(step, "")


def explain(spec: ReferenceSearch, convention: Convention, found: Divergence) -> Reason:
    """Return the reason that the search expands another board than the given one."""
    yours, expected = found.your_board, found.board
    assert yours is not None
    assert expected is not None
    history = History(spec, str(convention), [yours, expected], found.number - 1)
    ours, theirs = history.kept(expected), history.kept(yours)
    below = _from(theirs), _from(ours), _moved(theirs), _moved(ours)
    begun = _explain_start(spec, found.number, yours, expected)
    if begun is not None:
        return begun
    again = history.expanded.get(yours)
    if again is not None and spec.algorithm in _REMEMBERING:
        why = (
            f"You expand this board again: it was expanded before, at expansion {again:,}.",
            f"Here {convention.duplicates.words}.",
        )
        return Reason(f"Expansion {found.number:,}: a board that was expanded before", why, *below)
    if theirs is None:
        return Reason(
            f"Expansion {found.number:,}: a board that is not on the frontier",
            _not_waiting(spec, history, yours, convention),
            *below,
        )
    if ours is None:
        how = _HOW_IT_GOES_ON.get(spec.algorithm)
        return Reason(f"Expansion {found.number:,}", (how,) if how else (), *below)
    return _between(spec, convention, found.number, theirs, ours, below)


def _explain_start(
    spec: ReferenceSearch, number: int, yours: Board, expected: Board
) -> Reason | None:
    """Return the reason for a start board, None for any other."""
    start, goal = spec.puzzle.start, spec.puzzle.goal
    at = f"Expansion {number:,}"
    if spec.algorithm == "bidirectional" and goal in (yours, expected):
        how = _HOW_IT_GOES_ON[spec.algorithm]
        return Reason(f"{at}: the turn of the other end", (how,))
    if spec.algorithm not in ("iddfs", "idastar"):
        return None
    if yours == start:
        why = "You expand the start again, but there are still nodes within the limit."
        return Reason(f"{at}: the start is expanded again too early", (why,))
    if expected == start:
        why = (
            "No node within the limit is left, so the search begins again from the start with a "
            "higher limit."
        )
        return Reason(f"{at}: a new iteration begins", (why,))
    return None


def _from(making: Making | None) -> str:
    return f"from {making.order:,}, blank {WAYS[making.way]}" if making else ""


def _moved(making: Making | None) -> int | None:
    """Return the tile that moved into the blank."""
    if making is None:
        return None
    board = making.made.board
    step = {"u": -board.cols, "d": board.cols, "l": -1, "r": 1}[making.way]
    return board.cells[board.blank - step]


def _not_waiting(
    spec: ReferenceSearch, history: History, board: Board, convention: Convention
) -> tuple[str, ...]:
    dropped = history.makings[board]
    if dropped:
        last = dropped[-1]
        made = f"Expansion {last.order:,} generated it, and it was {last.made.fate.reason}."
        if spec.algorithm not in _REMEMBERING:
            return (made,)
        return made, f"Here {convention.duplicates.words}."
    return (
        "No expansion so far has generated this board: it is not one move away from any board "
        "expanded.",
        "Check how your program generates successors, especially at the border of the board.",
    )


def _between(
    spec: ReferenceSearch,
    convention: Convention,
    number: int,
    theirs: Making,
    ours: Making,
    below: tuple[str, str, int | None, int | None],
) -> Reason:
    """Return the reason that one of two frontier nodes comes first."""
    name = convention.title
    in_order = theirs.made.f == ours.made.f or spec.algorithm == "idastar"
    if theirs.order == ours.order and in_order:
        title = f"Expansion {number:,}: two successors of expansion {ours.order:,}, swapped"
        left_out = spec.algorithm in _HOW_IT_GOES_ON
        if left_out:
            title = f"Expansion {number:,}: another successor of {ours.order:,} comes first"
        mine, other = WAYS[ours.way], WAYS[theirs.way]
        why = [f"{name} generates successors in the order blank {listed(convention.order)}."]
        why.append(
            f"With equal f, {_tie(convention)}."
            if not _by_order(spec, convention)
            else f"You took {other} before {mine}{', or left it out' if left_out else ''}."
        )
        return Reason(title, tuple(why), *below)
    if spec.algorithm in ("greedy", "astar", "wastar", "ucs") and theirs.made.f != ours.made.f:
        value = {"greedy": "h", "ucs": "g"}.get(spec.algorithm, "f")
        why = [
            f"Yours has {_worked_out(spec, theirs)}, the expected one {_worked_out(spec, ours)}."
        ]
        why.append(f"The node with the lowest {value} comes first.")
        return Reason(
            f"Expansion {number:,}: a node with a lower {value} comes first", tuple(why), *below
        )
    title = f"Expansion {number:,}: another node on the frontier comes first"
    made = (
        f"Expansion {ours.order:,} generated the expected board, expansion {theirs.order:,} yours."
        if ours.order != theirs.order
        else f"Expansion {ours.order:,} generated both."
    )
    if spec.algorithm == "bfs":
        return Reason(title, ("The frontier is a queue: the oldest comes first.", made), *below)
    if spec.algorithm == "dfs":
        return Reason(title, ("The frontier is a stack: the newest comes first.", made), *below)
    if spec.algorithm in _HOW_IT_GOES_ON:
        return Reason(title, (_HOW_IT_GOES_ON[spec.algorithm], made), *below)
    tie = f"Both have {_worked_out(spec, ours)}; {_tie(convention)}."
    return Reason(f"Expansion {number:,}: a tie", (tie, made), *below)


_REMEMBERING = (*ALGORITHMS, "wastar")
"""Searches that have a rule for duplicate boards."""

_DEPTH_FIRST = (
    "The search goes depth first: a node is followed by its first successor within the limit and "
    "all that is below that one."
)
_HOW_IT_GOES_ON = {
    "iddfs": _DEPTH_FIRST,
    "idastar": _DEPTH_FIRST,
    "rbfs": "The successor with the lowest stored f comes first, as long as none further up has a "
    "lower one.",
    "bidirectional": "The smaller of the two outermost layers is expanded to its end, the "
    "start\u2019s if they are equal.",
}


def _by_order(spec: ReferenceSearch, convention: Convention) -> bool:
    return spec.algorithm in ("bfs", "dfs") or convention.ties.value == "first-in"


def _tie(convention: Convention) -> str:
    return {
        "first-in": "the one made first comes first",
        "last-in": "the one made last comes first",
        "higher-g": "the one with the higher g comes first",
        "lower-g": "the one with the lower g comes first",
        "lower-h": "the one with the lower h comes first",
        "as-queued": "whichever is at the front of the queue comes first",
    }[convention.ties.value]


def _worked_out(spec: ReferenceSearch, making: Making) -> str:
    made = making.made
    if spec.algorithm == "astar":
        return f"f = {made.g} + {made.h} = {made.f}"
    if spec.algorithm == "wastar":
        f = made.f / scale_of_f(spec)
        return f"f = {made.g} + {float(spec.weight):g} \u00d7 {made.h} = {f:g}"
    return f"{'h' if spec.algorithm == 'greedy' else 'g'} = {made.f}"


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
    """The explanation of a submission: a convention, a mistake, or a way of counting.

    `whole` is True if it explains everything, else it explains the first `agreed` expansions.
    `convention` is a name for `find_convention`. `mend` is the remedy, "" if nothing is wrong.
    `right` is True if a program with it breaks no rule of its algorithm.
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
        """Return the diagnosis as JSON values."""
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
"""Minimum expansions for naming a mistake; with fewer, a right program can give the same rows."""

_OTHERS = (
    "So little can fit other programs too: to be sure, give the boards in the order in which they "
    "are expanded, for a board that takes a hundred or more."
)


def explanation(
    fit: Fit, base: Convention, given: Submission, at: int, doubt: str, algorithm: str
) -> Diagnosis:
    """Describe a fit; the first difference is `at` an expansion, 0 for none.

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
    """Join rules to one sentence."""
    text = "; ".join(rule.removesuffix(".") for rule in rules)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _key(fit: Fit) -> str:
    """Return the name of a convention with the rules that the name omits."""
    one, habit = fit.candidate.convention, fit.candidate.habit
    return f"{one},{habit.key}" if habit else str(one)


def _near(fit: Fit, base: Convention, given: Submission, rules: list[str]) -> Diagnosis:
    """Describe a partial fit: the last matching expansion, and no remedy."""
    one, mistake = fit.candidate.convention, fit.candidate.mistake
    named = "," not in str(one) and one.key != base.key
    what = mistake.title if mistake is not None else _short(one, base, named=named)
    description = mistake.what if mistake is not None else ""
    more = _sentence(rules)
    return Diagnosis(
        "convention" if mistake is None else "mistake",
        _key(fit) if mistake is None else mistake.key,
        f"\u201c{what[:1].upper()}{what[1:]}\u201d fits as far as expansion {fit.agreed:,}, "
        "not further",
        f"It does not explain expansion {fit.agreed + 1:,} of your {len(given.rows):,}, so it is "
        f"not the whole answer, or not the right one. {' '.join((description, more)).strip()}",
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
"""Names of harmless shortcuts, by rule for duplicate boards."""

_KEEP_THE_SHORTER_PATH = (
    "When you find a shorter path to a board on the frontier, keep that one: push the node again, "
    "or lower its key."
)


def _turned(order: str) -> str:
    return opposite(order.upper()).lower()


def _all_of(given: Submission) -> str:
    """Name the given parts, as the subject of a sentence."""
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
    """Describe the tie-breaking rule.

    >>> from slidewise import find_convention
    >>> tie_words(find_convention("slidewise,ties=last-in"))
    'last in, first out'
    """
    if one.ties is Ties.AS_QUEUED:
        return _QUEUES[one.queue.value]
    boards = ", then by comparing the boards" if one.queue is Queue.BOARDS else ""
    return f"{_TIES[one.ties.value]}{boards}"


def rule_words(one: Convention, base: Convention, at: int) -> list[str]:
    """Describe each rule that differs from `base`, as visible from expansion `at`."""
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
    """A way of counting: the value `other` of the count `of`, for example `expanded+1`."""

    key: str
    of: str
    other: str
    title: str
    mend: str


def counting(name: str, yours: int, counts: Mapping[str, int]) -> Counting | None:
    """Return the way of counting that explains a single wrong count, or None.

    >>> counting("expanded", 11, {"expanded": 10, "generated": 20}).title
    'You count the goal as expanded, as Princeton and 42 do'
    """
    if name not in counts:
        return None
    ways = (way for way in _COUNTINGS if way.of == name and _other(way.other, counts) == yours)
    return next(ways, None)


def _other(what: str, counts: Mapping[str, int]) -> int | None:
    """Return a count with an offset, for example `expanded+1`."""
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
