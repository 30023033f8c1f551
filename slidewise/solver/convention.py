"""Conventions: what textbooks and assignments differ in, as data.

Two programs can both be breadth-first search or A* and expand other boards in another order: they
make successors in another order, break ties in another way, look for the goal at another time or
forget a board at another time. A `Convention` says all of that. Slidewise's own is the default, and
the compiled searches follow it; under any other a plain loop runs (`engines/by_the_book.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from itertools import permutations
from typing import TYPE_CHECKING, Any

from slidewise.puzzle import PuzzleError
from slidewise.puzzle.errors import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

ORDERS = tuple("".join(order) for order in permutations("udlr"))
"""The 24 orders in which successors can be made, said of the blank."""

ALGORITHMS = ("bfs", "dfs", "ucs", "greedy", "astar")
"""The algorithms that run under any convention."""


class InvalidConventionError(PuzzleError):
    """A convention that contradicts itself, or text that names none."""


class Ties(StrEnum):
    """Which of the nodes with the lowest f is taken first; after the last two, the first made.

    `AS_QUEUED`: whichever the queue has at its front, which nobody chose.
    """

    FIRST_IN = "first-in"
    LAST_IN = "last-in"
    AS_QUEUED = "as-queued"
    HIGHER_G = "higher-g"
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


_DECIDED_BY_QUEUE = {Queue.BINARY_HEAP, Queue.HEAPQ, Queue.BOARDS}


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

    `against` what it is compared with; `decreases_key`: a shorter path to a board that waits is
    kept; `reopens`: and one to a board that was expanded; `passes_over`: a node that a shorter path
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
    "decrease-key": "a board that waits gets the shorter path, one that was expanded never comes "
    "back",
    "made": "a board that was made once is never made again, even by a shorter path",
    "expanded": "a board that was expanded is never expanded again; until then it may wait more "
    "than once",
    "expanded-stale": "a board that was expanded is not added again, but one that waits twice is "
    "expanded twice",
    "expanded-reopened": "a board that was expanded comes back only by a shorter path; until then "
    "it may wait more than once",
    "path": "only the boards on a node's own path are not visited again",
    "parent": "only the board that a node came from is not visited again",
    "nothing": "boards are visited again without limit",
}


@dataclass(frozen=True, slots=True)
class Convention:
    """How a textbook, a course or a program does a search where others do otherwise.

    `order` is that of the successors, as directions of the blank. `siblings` says which successor
    of a node depth-first search goes on with: the first made (those on the stack are pushed in
    reverse), or the last. `counts_goal`: the goal, when it is taken, counts as expanded.
    `depth_of_made`: `deepest` is that of a node made and kept, not of one expanded.

    >>> find_convention("columbia").order, find_convention("slidewise").ties.value
    ('udlr', 'first-in')

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
    counts_goal: bool = False
    depth_of_made: bool = False

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise InvalidConventionError(
                "an order has each of u, d, l, r once, the blank's directions, such as udlr; "
                f"found {quoted(self.order)}"
            )
        if self.siblings not in (Ties.FIRST_IN, Ties.LAST_IN):
            raise InvalidConventionError("siblings must be first-in or last-in")
        left_to_queue = self.ties is Ties.AS_QUEUED
        if self.ties in (Ties.FIRST_IN, Ties.LAST_IN, Ties.AS_QUEUED) and left_to_queue != (
            self.queue in _DECIDED_BY_QUEUE
        ):
            raise InvalidConventionError(
                f"with the queue {self.queue} ties cannot be {self.ties}: a queue with a counter "
                "and a list keep the order in which nodes were made, the others do not"
            )

    @property
    def is_own(self) -> bool:
        """Return whether it is Slidewise's own, which the compiled searches follow."""
        return self.key == SLIDEWISE.key

    def doubt(self, *, admissible: bool, consistent: bool) -> str:
        """Return why A* can miss the shortest path under it, "" where it cannot.

        `admissible` and `consistent` are the heuristic's.
        """
        rule = self.duplicates
        if not admissible:
            return "the heuristic may be above the true distance"
        if self.goal_test is GoalTest.MADE:
            return "the goal is taken when it is made, while a shorter path may still wait"
        if not rule.decreases_key:
            return "a board that waits keeps its first path even when a shorter one turns up"
        if not rule.reopens and not consistent:
            return (
                "a board that was expanded keeps its path, which need not be shortest "
                "where the heuristic is not consistent"
            )
        return ""

    def __str__(self) -> str:
        """Return the text that `find_convention` reads."""
        return self.key


SLIDEWISE = Convention("slidewise", "Slidewise")
"""The convention of the compiled searches."""


@dataclass(frozen=True, slots=True)
class Named:
    """A convention by the name of who has it, with what is otherwise in some algorithms.

    `source` says where it can be read.
    """

    usual: Convention
    source: str
    own: Mapping[str, Convention] = field(default_factory=dict)

    def of(self, algorithm: str) -> Convention:
        """Return the convention for the algorithm of that key."""
        return self.own.get(algorithm, self.usual)


def _named(source: str, usual: Convention, **own: dict[str, Any]) -> Named:
    return Named(usual, source, {key: replace(usual, **facts) for key, facts in own.items()})


_NAMED = {
    one.usual.key: one
    for one in (
        _named("docs/conventions.md", SLIDEWISE, dfs={"duplicates": Duplicates.MADE}),
        _named(
            "S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach, 3rd edition, "
            "2010, sections 3.3 and 3.4",
            Convention(
                "aima",
                "AIMA, 3rd edition",
                duplicates=Duplicates.DECREASE_KEY,
                queue=Queue.COUNTER,
            ),
            bfs={"goal_test": GoalTest.MADE, "duplicates": Duplicates.MADE},
            dfs={"siblings": Ties.LAST_IN, "duplicates": Duplicates.MADE},
        ),
        _named(
            "ColumbiaX CSMM.101x, project 1",
            Convention("columbia", "ColumbiaX", duplicates=Duplicates.MADE, depth_of_made=True),
        ),
        _named(
            "Princeton, COS 226, 8 Puzzle",
            Convention(
                "princeton",
                "Princeton and Coursera",
                duplicates=Duplicates.PARENT,
                queue=Queue.BINARY_HEAP,
                ties=Ties.AS_QUEUED,
                counts_goal=True,
            ),
        ),
        _named(
            "42, n-puzzle",
            Convention("42", "42", duplicates=Duplicates.EXPANDED_REOPENED, counts_goal=True),
        ),
    )
}


def conventions() -> Mapping[str, Named]:
    """Return the conventions that have a name, by their keys."""
    return _NAMED


def find_convention(text: str, algorithm: str = "astar") -> Convention:
    """Return the convention that `text` names for the algorithm of that key.

    After the name, rules that differ from it can follow: `order`, `ties`, `siblings`, `goal`,
    `duplicates` and `queue`.

    >>> find_convention("columbia,order=rlud,goal=made").goal_test.value
    'made'

    Raises `InvalidConventionError`.
    """
    name, *rules = str(text).replace(" ", "").split(",")
    if algorithm not in ALGORITHMS and (name, rules) != (SLIDEWISE.key, []):
        raise InvalidConventionError(
            f"{algorithm} has no other convention than Slidewise's; {', '.join(ALGORITHMS)} have"
        )
    if name not in _NAMED:
        raise InvalidConventionError(
            f"there is no convention {quoted(name)}; the conventions are {', '.join(_NAMED)}"
        )
    found = _NAMED[name].of(algorithm)
    if not rules:
        return found
    changes: dict[str, Any] = dict(_read_rule(rule) for rule in rules)
    if "queue" in changes and "ties" not in changes:
        decided = changes["queue"] in _DECIDED_BY_QUEUE
        changes["ties"] = Ties.AS_QUEUED if decided else Ties.FIRST_IN
    elif "ties" in changes and "queue" not in changes:
        changes["queue"] = Queue.COUNTER
    changed = replace(found, **changes)
    if changed == found:
        return found
    return replace(changed, key=",".join([name, *rules]), title=f"{found.title}, changed")


_RULES: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "order": ("order", {order: order for order in ORDERS}),
    "ties": ("ties", {rule.value: rule for rule in Ties}),
    "siblings": ("siblings", {rule.value: rule for rule in (Ties.FIRST_IN, Ties.LAST_IN)}),
    "goal": ("goal_test", {rule.value: rule for rule in GoalTest}),
    "duplicates": ("duplicates", {rule.key: rule for rule in Duplicates}),
    "queue": ("queue", {rule.value: rule for rule in Queue}),
}


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
        some = "each of u, d, l, r once" if name == "order" else ", ".join(values)
        raise InvalidConventionError(f"{name} can be {some}; found {quoted(value)}")
    return field_name, values[value]
