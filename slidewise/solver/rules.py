"""The rules in which textbooks, courses and programs differ, and a `Convention` that holds them.

Two programs can both be breadth-first search or A* and expand other boards in another order: they
make successors in another order, break ties in another way, look for the goal at another time or
forget a board at another time. What each rule means in full is told in docs/conventions.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from itertools import permutations

from slidewise.puzzle import PuzzleError
from slidewise.puzzle.board import quoted

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


class Counted(StrEnum):
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
    counts: Counted = Counted.EXPANDED
    deepest: Counted = Counted.EXPANDED

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
        return self.counts is Counted.TAKEN and self.goal_test is GoalTest.TAKEN

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
