"""Conventions by name: what textbooks and assignments differ in, read from text.

Slidewise's own is the default, and the compiled searches follow it; under any other a plain loop
runs (`engines/by_the_book.py`).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from itertools import permutations
from typing import TYPE_CHECKING, Any

from slidewise.puzzle import PuzzleError
from slidewise.puzzle.board import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping


ORDERS = tuple("".join(order) for order in permutations("udlr"))
"""The 24 orders in which successors can be made, as directions of the blank."""


class InvalidConventionError(PuzzleError):
    """A convention that contradicts itself, or text that names none."""


class Ties(StrEnum):
    """Which of the nodes with the lowest f is taken first.

    `HIGHER_G`, `LOWER_G` and `LOWER_H` can leave some equal: of these the first made is taken, or
    whichever a queue without an order of its own has in front. `AS_QUEUED`: the one that the queue
    happens to have in front, which nobody chose.
    """

    FIRST_IN = "first-in"
    LAST_IN = "last-in"
    AS_QUEUED = "as-queued"
    HIGHER_G = "higher-g"
    LOWER_G = "lower-g"
    LOWER_H = "lower-h"


class Queue(StrEnum):
    """How a program holds its priority queue, which decides ties where it has no rule for them.

    `COUNTER`: a binary heap whose entries count up. `BINARY_HEAP`: the textbooks' heap that
    compares f alone, as Java's PriorityQueue and Sedgewick's MinPQ do. `HEAPQ`: Python's heapq,
    comparing f alone, which sifts otherwise. `BOARDS`: entries of f and the cells, so that of equal
    f the board that is less comes first. `LIST`: a list that is sorted, or searched for its first
    lowest.
    """

    COUNTER = "counter"
    BINARY_HEAP = "binary-heap"
    HEAPQ = "heapq"
    BOARDS = "boards"
    LIST = "list"

    @property
    def decides_ties(self) -> bool:
        """Return whether it takes nodes of equal f in another order than that of making."""
        return self in (Queue.BINARY_HEAP, Queue.HEAPQ, Queue.BOARDS)


class GoalTest(StrEnum):
    """When the goal is looked for: when a node is taken, or already when it is made."""

    TAKEN = "taken"
    MADE = "made"


class Against(StrEnum):
    """What a successor is compared with before it is kept."""

    MADE = "made"
    EXPANDED = "expanded"
    PATH = "path"
    PARENT = "parent"
    NOTHING = "nothing"


class Duplicates(Enum):
    """What happens to a board that was reached before.

    `against`: what it is compared with. `decreases_key`: a shorter path to a board that waits is
    kept; `reopens`: and one to a board that was expanded. `passes_over`: a node that a shorter path
    or an expansion has made useless is not expanded when its turn comes.
    """

    SHORTER = "shorter", Against.MADE, True, True, True
    SHORTER_STALE = "shorter-stale", Against.MADE, True, True, False
    DECREASE_KEY = "decrease-key", Against.MADE, True, False, True
    MADE = "made", Against.MADE, False, False, True
    EXPANDED = "expanded", Against.EXPANDED, True, False, True
    EXPANDED_STALE = "expanded-stale", Against.EXPANDED, True, False, False
    EXPANDED_REOPENED = "expanded-reopened", Against.EXPANDED, True, True, True
    PATH = "path", Against.PATH, True, True, False
    PARENT = "parent", Against.PARENT, True, True, False
    NOTHING = "nothing", Against.NOTHING, True, True, False

    def __init__(
        self, key: str, against: Against, decreases_key: bool, reopens: bool, passes_over: bool
    ) -> None:
        self.key = key
        self.against = against
        self.decreases_key = decreases_key
        self.reopens = reopens
        self.passes_over = passes_over

    @property
    def words(self) -> str:
        """Return the rule as a sentence without its full stop."""
        return _DUPLICATES[self.key]


_DUPLICATES = {
    "shorter": "a board that was reached before is kept only if its new path is shorter",
    "shorter-stale": "a board that was reached before is kept only if its new path is shorter, "
    "and the older node is expanded too when its turn comes",
    "decrease-key": "a board on the frontier gets the shorter path, and an expanded board never "
    "comes back",
    "made": "a board that was generated once is never added again, even by a shorter path",
    "expanded": "a board that was expanded is never expanded again; until then it may be on the "
    "frontier more than once",
    "expanded-stale": "a board that was expanded is not added again, but one that is on the "
    "frontier twice is expanded twice",
    "expanded-reopened": "a board that was expanded comes back only by a shorter path; until then "
    "it may be on the frontier more than once",
    "path": "only the boards on a node's own path are not visited again",
    "parent": "only the board that a node came from is not visited again",
    "nothing": "boards can be visited again without limit",
}


class CountRule(StrEnum):
    """What a figure counts: `EXPANDED` nodes alone, those `TAKEN`, or those `MADE`."""

    EXPANDED = "expanded"
    TAKEN = "taken"
    MADE = "made"


@dataclass(frozen=True, slots=True)
class Convention:
    """How a textbook, a course or a program does a search where others do otherwise.

    `order` is that of the successors, as directions of the blank. `siblings` says which successor
    of a node depth-first search goes on with: the first made (those on the stack are pushed in
    reverse), or the last. `counts`: whether the goal, when it is taken, counts as expanded.
    `deepest`: whether that is the g of a node made and kept, or of one expanded.

    >>> Convention("mine", "My program", order="rlud").duplicates.words
    'a board that was reached before is kept only if its new path is shorter'

    Raises `InvalidConventionError`.
    """

    key: str
    title: str
    order: str = "udlr"
    ties: Ties = Ties.FIRST_IN
    siblings: Ties = Ties.FIRST_IN
    goal_test: GoalTest = GoalTest.TAKEN
    duplicates: Duplicates = Duplicates.SHORTER
    queue: Queue = Queue.COUNTER
    counts: CountRule = CountRule.EXPANDED
    deepest: CountRule = CountRule.EXPANDED

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise InvalidConventionError(
                "an order has each of u, d, l, r once, the blank's directions, such as udlr; "
                f"found {quoted(self.order)}"
            )
        if self.siblings not in (Ties.FIRST_IN, Ties.LAST_IN):
            raise InvalidConventionError("siblings must be first-in or last-in")
        if self.ties is Ties.AS_QUEUED and not self.queue.decides_ties:
            raise InvalidConventionError(
                f"the queue {self.queue} keeps the order in which nodes were made, so ties must be "
                "first-in, last-in, higher-g, lower-g or lower-h; or name the queue heapq, "
                "binary-heap or boards"
            )
        if self.ties in (Ties.FIRST_IN, Ties.LAST_IN) and self.queue.decides_ties:
            raise InvalidConventionError(
                f"with the queue {self.queue} ties cannot be {self.ties}: leave them out, or name "
                "the queue counter or list"
            )

    @property
    def is_own(self) -> bool:
        """Return whether it is Slidewise's own, which the compiled searches follow."""
        return self.key == SLIDEWISE.key

    @property
    def counts_goal(self) -> bool:
        """Return whether the goal counts as expanded, which it can only where it is taken."""
        return self.counts is CountRule.TAKEN and self.goal_test is GoalTest.TAKEN

    @property
    def named_after(self) -> str:
        """Return the key of the named convention that it is, or from which it differs."""
        return self.key.partition(",")[0]

    @property
    def keeps_shorter_paths(self) -> bool:
        """Return whether a shorter path to any board is kept, expanded boards included."""
        return self.duplicates.decreases_key and self.duplicates.reopens

    @property
    def tie_words(self) -> str:
        """Return why a node was taken before others of its f, as the end of a sentence."""
        if self.ties is Ties.AS_QUEUED and self.queue is Queue.BOARDS:
            return "its board, read as a list of numbers, is the lowest"
        return _TIES[self.ties]

    @property
    def first(self) -> str:
        """Return which node of equal f comes first.

        >>> SLIDEWISE.first
        'the one made first'
        """
        if self.ties is Ties.AS_QUEUED and self.queue is Queue.BOARDS:
            return "the one whose board, read as a list of numbers, is the lowest"
        return _FIRST[self.ties]

    def doubt(self, *, admissible: bool, consistent: bool) -> str:
        """Return why A* can miss the shortest path under it, "" where it cannot.

        `admissible` and `consistent` are the heuristic's. To take the goal when it is made does no
        harm: the node that makes it has the lowest f and is one move away, so its f is at most one
        below the length of this path, and the length of a shortest one has the same parity.
        """
        if not admissible:
            return "the heuristic may be above the true distance"
        if not self.duplicates.decreases_key:
            return "a board on the frontier keeps its first path even when a shorter one turns up"
        if not self.duplicates.reopens and not consistent:
            return (
                "an expanded board keeps its path, which need not be the shortest if the "
                "heuristic is not consistent"
            )
        return ""

    def __str__(self) -> str:
        """Return the text that `find_convention` reads."""
        return self.key


_TIES = {
    Ties.FIRST_IN: "it was made first",
    Ties.LAST_IN: "it was made last",
    Ties.AS_QUEUED: "it was at the front of the heap",
    Ties.HIGHER_G: "it has the highest g",
    Ties.LOWER_G: "it has the lowest g",
    Ties.LOWER_H: "it has the lowest h",
}

_FIRST = {
    Ties.FIRST_IN: "the one made first",
    Ties.LAST_IN: "the one made last",
    Ties.AS_QUEUED: "whichever is at the front of the heap",
    Ties.HIGHER_G: "the one with the highest g",
    Ties.LOWER_G: "the one with the lowest g",
    Ties.LOWER_H: "the one with the lowest h",
}

SLIDEWISE = Convention("slidewise", "Slidewise")
"""The convention of the compiled searches."""


@dataclass(frozen=True, slots=True)
class NamedConvention:
    """A convention by the name of who has it, with what is otherwise in some algorithms.

    `source` says where it can be read, `written_for` in which algorithms.
    """

    usual: Convention
    source: str
    own: Mapping[str, Convention] = field(default_factory=dict)
    written_for: tuple[str, ...] = ("bfs", "dfs", "ucs", "greedy", "astar")

    def of(self, algorithm: str) -> Convention:
        """Return the convention for the algorithm of that key."""
        return self.own.get(algorithm, self.usual)


def _named(source: str, usual: Convention, **own: dict[str, Any]) -> NamedConvention:
    """Return a convention, and by the keys of algorithms what is otherwise there."""
    return NamedConvention(
        usual, source, {key: replace(usual, **facts) for key, facts in own.items()}
    )


_AIMA = "S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach"

_MADE_AT_ONCE = {"goal_test": GoalTest.MADE, "duplicates": Duplicates.MADE}

_ALL = (
    _named("docs/conventions.md", SLIDEWISE, dfs={"duplicates": Duplicates.MADE}),
    _named(
        f"{_AIMA}, 3rd edition, 2010, figures 3.7, 3.11 and 3.14",
        Convention("aima3", "AIMA, 3rd edition", duplicates=Duplicates.DECREASE_KEY),
        bfs=_MADE_AT_ONCE,
        dfs={"siblings": Ties.LAST_IN, "duplicates": Duplicates.MADE},
    ),
    _named(
        f"{_AIMA}, 4th edition, 2020, figures 3.7, 3.9 and 3.12",
        Convention("aima4", "AIMA, 4th edition", duplicates=Duplicates.SHORTER_STALE),
        bfs=_MADE_AT_ONCE,
        dfs={"siblings": Ties.LAST_IN, "duplicates": Duplicates.PATH},
    ),
    _named(
        "aima-python, search.py: the program beside the book",
        Convention(
            "aima-python",
            "aima-python",
            duplicates=Duplicates.DECREASE_KEY,
            queue=Queue.BOARDS,
            ties=Ties.AS_QUEUED,
        ),
        bfs=_MADE_AT_ONCE,
        dfs={"siblings": Ties.LAST_IN, "duplicates": Duplicates.MADE},
        greedy={"duplicates": Duplicates.MADE},
    ),
    _named(
        "ColumbiaX, CSMM.101x, project 1",
        Convention("columbia", "ColumbiaX", duplicates=Duplicates.MADE, deepest=CountRule.MADE),
    ),
    _named(
        "Princeton, COS 226, and Coursera, Algorithms: 8 Puzzle",
        Convention(
            "princeton",
            "Princeton and Coursera",
            duplicates=Duplicates.PARENT,
            queue=Queue.BINARY_HEAP,
            ties=Ties.AS_QUEUED,
            counts=CountRule.TAKEN,
        ),
    ),
    _named("42, n-puzzle", Convention("42", "42", counts=CountRule.TAKEN)),
    _named(
        "a notebook: breadth-first search with NumPy arrays",
        Convention("notebook-bfs", "Notebook: breadth-first", duplicates=Duplicates.MADE),
    ),
    _named(
        "a program to play, which gives up by breadth-first search without a list of boards seen",
        Convention("notebook-play", "Notebook: play or give up", duplicates=Duplicates.NOTHING),
    ),
    _named(
        "a notebook: A* on 2x3 with queue.PriorityQueue, whose entries are f and the board",
        Convention(
            "notebook-2x3",
            "Notebook: A* on 2x3",
            duplicates=Duplicates.SHORTER_STALE,
            queue=Queue.BOARDS,
            ties=Ties.AS_QUEUED,
        ),
    ),
    _named(
        "a notebook: recursive depth-first search to a limit, with a list of boards expanded",
        Convention(
            "notebook-iddfs",
            "Notebook: iterative deepening",
            order="ulrd",
            duplicates=Duplicates.EXPANDED_STALE,
            queue=Queue.LIST,
        ),
    ),
    _named(
        "a notebook: recursive best-first search, which sorts the successors in a list",
        Convention(
            "notebook-rbfs",
            "Notebook: recursive best-first",
            order="rdlu",
            duplicates=Duplicates.NOTHING,
            queue=Queue.LIST,
        ),
    ),
)

_WRITTEN_FOR = {
    "notebook-bfs": ("bfs",),
    "notebook-play": ("bfs",),
    "notebook-iddfs": (),
    "notebook-rbfs": (),
}
"""The algorithms of programs that have one search only; of the last two, none of those that run
under any convention."""

NAMED: Mapping[str, NamedConvention] = {
    key: replace(one, written_for=_WRITTEN_FOR.get(key, one.written_for))
    for key, one in ((one.usual.key, one) for one in _ALL)
}
"""The conventions that have a name, by their keys."""


__all__ = [
    "ALGORITHMS",
    "ORDERS",
    "SLIDEWISE",
    "Against",
    "Convention",
    "CountRule",
    "Duplicates",
    "GoalTest",
    "InvalidConventionError",
    "NamedConvention",
    "Queue",
    "Ties",
    "convention_for",
    "conventions",
    "find_convention",
]

ALGORITHMS = ("bfs", "dfs", "ucs", "greedy", "astar")
"""The algorithms that run under any convention."""


def conventions() -> Mapping[str, NamedConvention]:
    """Return the conventions that have a name, by their keys.

    >>> "columbia" in conventions()
    True
    """
    return NAMED


@functools.lru_cache(maxsize=64)
def find_convention(text: str, algorithm: str = "astar") -> Convention:
    """Return the convention that `text` names for the algorithm of that key.

    After the name, rules that differ from it can follow: `order`, `ties`, `siblings`, `goal`,
    `duplicates`, `queue`, `counts` and `deepest`. Of a rule that is given twice the last one holds.

    >>> find_convention("columbia").order, find_convention("slidewise").ties.value
    ('udlr', 'first-in')
    >>> str(find_convention("columbia, goal=made, order=rlud"))
    'columbia,order=rlud,goal=made'

    Raises `InvalidConventionError`.
    """
    name, *rules = str(text).replace(" ", "").split(",")
    if algorithm not in ALGORITHMS and (name, rules) != (SLIDEWISE.key, []):
        raise InvalidConventionError(
            f"{algorithm} runs only under Slidewise's convention; those that take another are "
            f"{', '.join(ALGORITHMS)}"
        )
    if name not in NAMED:
        raise InvalidConventionError(
            f"there is no convention {quoted(name)}; the conventions are {', '.join(NAMED)}"
        )
    found = NAMED[name].of(algorithm)
    changed = replace(found, **_fitting(found, dict(_read_rule(rule) for rule in rules)))
    if changed == found:
        return found
    differing = _rules_of(changed, found)
    title = f"{found.title} with {', '.join(differing)}"
    return replace(changed, key=",".join([name, *differing]), title=title)


def convention_for(algorithm: str, text: str) -> str:
    """Return the convention that `text` names where the algorithm has one, else Slidewise's.

    >>> convention_for("bfs", "columbia"), convention_for("idastar", "columbia")
    ('columbia', 'slidewise')

    Raises `InvalidConventionError`.
    """
    if algorithm in ALGORITHMS:
        return str(find_convention(text, algorithm))
    find_convention(text)  # a wrong name is told all the same
    return SLIDEWISE.key


def _fitting(found: Convention, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the changes, with the ties that a queue brings along or a queue that keeps ties."""
    if "queue" in changes and "ties" not in changes:
        if found.ties in (Ties.FIRST_IN, Ties.LAST_IN, Ties.AS_QUEUED):
            changes["ties"] = _ties_of(changes["queue"], found.ties)
    elif changes.get("ties") in (Ties.FIRST_IN, Ties.LAST_IN) and found.queue.decides_ties:
        changes.setdefault("queue", Queue.COUNTER)
    return changes


def _ties_of(queue: Queue, before: Ties) -> Ties:
    """Return how a queue breaks ties where no rule does."""
    if queue.decides_ties:
        return Ties.AS_QUEUED
    return Ties.FIRST_IN if before is Ties.AS_QUEUED else before


_RULES: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "order": ("order", {order: order for order in ORDERS}),
    "ties": ("ties", {rule.value: rule for rule in Ties}),
    "siblings": ("siblings", {rule.value: rule for rule in (Ties.FIRST_IN, Ties.LAST_IN)}),
    "goal": ("goal_test", {rule.value: rule for rule in GoalTest}),
    "duplicates": ("duplicates", {rule.key: rule for rule in Duplicates}),
    "queue": ("queue", {rule.value: rule for rule in Queue}),
    "counts": ("counts", {rule.value: rule for rule in (CountRule.EXPANDED, CountRule.TAKEN)}),
    "deepest": ("deepest", {rule.value: rule for rule in (CountRule.EXPANDED, CountRule.MADE)}),
}
"""The rules that text can change: the field of `Convention`, and its values by their names."""


def _read_rule(rule: str) -> tuple[str, object]:
    """Return the field of `Convention` that `rule` sets, and its value."""
    name, _, value = rule.partition("=")
    if name not in _RULES:
        raise InvalidConventionError(
            f"expected a rule such as order=rlud, found {quoted(rule)}; "
            f"the rules are {', '.join(_RULES)}"
        )
    field_name, values = _RULES[name]
    if value not in values:
        some = "u, d, l, r in any order, each once" if name == "order" else ", ".join(values)
        raise InvalidConventionError(f"{name} can be {some}; found {quoted(value)}")
    return field_name, values[value]


def _rules_of(changed: Convention, found: Convention) -> list[str]:
    """Return the rules by which a convention differs from another, in one order."""
    written = []
    for name, (field_name, values) in _RULES.items():
        value = getattr(changed, field_name)
        if value != getattr(found, field_name):
            written.append(f"{name}={next(text for text, one in values.items() if one == value)}")
    return written
