"""Search conventions of textbooks and assignments: named rules, and their parser.

Slidewise's own convention is the default, which the compiled searches follow. Under any other
convention a plain loop runs (`plain/best_first.py`).
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from itertools import permutations
from typing import Any

from slidewise.puzzle import PuzzleError
from slidewise.puzzle.board import quoted
from slidewise.text import message

ORDERS = tuple("".join(order) for order in permutations("udlr"))
"""The 24 orders in which successors can be generated, as directions of the blank."""


class InvalidConventionError(PuzzleError):
    """A contradictory convention, or text that does not parse as a convention."""


class Ties(StrEnum):
    """Tie-breaking rule among the nodes with the lowest f.

    If `HIGHER_G`, `LOWER_G` or `LOWER_H` leave a tie, the node generated first is taken. A queue
    that is not stable takes its front instead. `AS_QUEUED`: the front of the queue, as the heap
    operations left it.
    """

    FIRST_IN = "first-in"
    LAST_IN = "last-in"
    AS_QUEUED = "as-queued"
    HIGHER_G = "higher-g"
    LOWER_G = "lower-g"
    LOWER_H = "lower-h"


class Queue(StrEnum):
    """Implementation of the priority queue, which decides ties without an explicit rule.

    `COUNTER`: a binary heap whose entries have a sequence number. `BINARY_HEAP`: the textbooks'
    heap that compares f alone, as Java's PriorityQueue and Sedgewick's MinPQ do. `HEAPQ`:
    Python's heapq, also on f alone, which sifts differently. `BOARDS`: entries of f and the
    cells, so the smaller board wins a tie. `LIST`: a list, sorted or scanned for its first
    minimum.
    """

    COUNTER = "counter"
    BINARY_HEAP = "binary-heap"
    HEAPQ = "heapq"
    BOARDS = "boards"
    LIST = "list"

    @property
    def decides_ties(self) -> bool:
        """Return whether nodes of equal f leave the queue in another order than generated."""
        return self in (Queue.BINARY_HEAP, Queue.HEAPQ, Queue.BOARDS)


class GoalTest(StrEnum):
    """Time of the goal test: when a node is taken, or when it is generated."""

    TAKEN = "taken"
    MADE = "made"


class Against(StrEnum):
    """Set of states that a successor is compared with."""

    MADE = "made"
    EXPANDED = "expanded"
    PATH = "path"
    PARENT = "parent"
    NOTHING = "nothing"


class Duplicates(Enum):
    """Rule for a board that was reached before.

    `against` is the set it is compared with. `decreases_key`: a shorter path replaces the path of a
    board on the frontier. `reopens`: a shorter path also replaces the path of an expanded board.
    `passes_over`: a node made obsolete by a shorter path or an expansion is skipped.
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
    "shorter": message(
        "a board that was reached before is added again only if its new path is shorter"
    ),
    "shorter-stale": message(
        "a board that was reached before is added again only if its new path is shorter, "
        "and the older node is expanded too when its turn comes"
    ),
    "decrease-key": message(
        "a board on the frontier gets the shorter path, and an expanded board never comes back"
    ),
    "made": message("a board that was generated once is never added again, even by a shorter path"),
    "expanded": message(
        "a board that was expanded is never expanded again; until then it may be on the "
        "frontier more than once"
    ),
    "expanded-stale": message(
        "a board that was expanded is not added again, but one that is on the "
        "frontier twice is expanded twice"
    ),
    "expanded-reopened": message(
        "a board that was expanded comes back only by a shorter path; until then "
        "it may be on the frontier more than once"
    ),
    "path": message("only the boards on a node's own path are not visited again"),
    "parent": message("only the board that a node came from is not visited again"),
    "nothing": message("boards can be visited again without limit"),
}


class CountRule(StrEnum):
    """Nodes that a figure counts: `EXPANDED`, `TAKEN` or `MADE` (generated)."""

    EXPANDED = "expanded"
    TAKEN = "taken"
    MADE = "made"


@dataclass(frozen=True, slots=True)
class Convention:
    """Search rules that differ between textbooks, courses and programs.

    `order` is the order of the successors, as directions of the blank. `siblings` is the successor
    that depth-first search continues with: the last generated, or the first (pushed in reverse).
    `counts`: whether the goal, when taken, counts as expanded. `deepest`: whether the figure is the
    g of a generated node on the frontier, or of an expanded node.

    >>> Convention("mine", "My program", order="rlud").duplicates.words
    'a board that was reached before is added again only if its new path is shorter'

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
        """Return whether this is Slidewise's own convention, which the compiled searches follow."""
        return self.key == SLIDEWISE.key

    @property
    def counts_goal(self) -> bool:
        """Return whether the goal counts as expanded, possible only with the test at taking."""
        return self.counts is CountRule.TAKEN and self.goal_test is GoalTest.TAKEN

    @property
    def named_after(self) -> str:
        """Return the key of the named convention that this is or derives from."""
        return self.key.partition(",")[0]

    @property
    def keeps_shorter_paths(self) -> bool:
        """Return whether a shorter path replaces the old path of any board, also if expanded."""
        return self.duplicates.decreases_key and self.duplicates.reopens

    @property
    def tie_words(self) -> str:
        """Return the reason a node precedes others of its f, as the end of a sentence."""
        if self.ties is Ties.AS_QUEUED and self.queue is Queue.BOARDS:
            return message("its board, read as a list of numbers, is the lowest")
        return _TIES[self.ties]

    @property
    def first(self) -> str:
        """Name the node that comes first among nodes of equal f.

        >>> SLIDEWISE.first
        'the node generated first'
        """
        if self.ties is Ties.AS_QUEUED and self.queue is Queue.BOARDS:
            return message("the node whose board, read as a list of numbers, is the lowest")
        return _FIRST[self.ties]

    def doubt(self, *, admissible: bool, consistent: bool) -> str:
        """Return why A* can miss the shortest path under this convention, or "".

        `admissible` and `consistent` are the heuristic's. An early goal test does no harm. The
        parent of the goal has the lowest f, at most 1 below the length of this path. The shortest
        length has the same parity.
        """
        if not admissible:
            return message("the heuristic may be above the true distance")
        if not self.duplicates.decreases_key:
            return message(
                "a board on the frontier keeps its first path even if a shorter path is found"
            )
        if not self.duplicates.reopens and not consistent:
            return message(
                "an expanded board keeps its path, which need not be the shortest if the "
                "heuristic is not consistent"
            )
        return ""

    def __str__(self) -> str:
        """Format the convention for `find_convention`."""
        return self.key


_TIES = {
    Ties.FIRST_IN: message("it was generated first"),
    Ties.LAST_IN: message("it was generated last"),
    Ties.AS_QUEUED: message("it was at the front of the heap"),
    Ties.HIGHER_G: message("it has the highest g"),
    Ties.LOWER_G: message("it has the lowest g"),
    Ties.LOWER_H: message("it has the lowest h"),
}

_FIRST = {
    Ties.FIRST_IN: message("the node generated first"),
    Ties.LAST_IN: message("the node generated last"),
    Ties.AS_QUEUED: message("whichever is at the front of the heap"),
    Ties.HIGHER_G: message("the node with the highest g"),
    Ties.LOWER_G: message("the node with the lowest g"),
    Ties.LOWER_H: message("the node with the lowest h"),
}

DIRECTION_NAMES = {
    "u": message("up"),
    "d": message("down"),
    "l": message("left"),
    "r": message("right"),
}
"""Names of the blank's directions."""

SLIDEWISE = Convention("slidewise", "Slidewise")
"""The convention of the compiled searches."""


ALGORITHMS = ("bfs", "dfs", "ucs", "greedy", "astar")
"""The algorithms that run under any convention."""


@dataclass(frozen=True, slots=True)
class NamedConvention:
    """A named convention with per-algorithm overrides.

    `source` is the reference, `written_for` lists the algorithms it covers. It is empty for a
    program whose search supports no convention.
    """

    usual: Convention
    source: str
    own: Mapping[str, Convention] = field(default_factory=dict)
    written_for: tuple[str, ...] = ALGORITHMS

    def of(self, algorithm: str) -> Convention:
        """Return the convention for the algorithm with the key `algorithm`."""
        return self.own.get(algorithm, self.usual)


def _named(
    source: str,
    usual: Convention,
    written_for: tuple[str, ...] = ALGORITHMS,
    **own: dict[str, Any],
) -> NamedConvention:
    """Build a named convention; `own` maps algorithm keys to overrides."""
    changed = {key: replace(usual, **facts) for key, facts in own.items()}
    return NamedConvention(usual, source, changed, written_for)


_AIMA = "S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach"

_EARLY_TEST = {"goal_test": GoalTest.MADE, "duplicates": Duplicates.MADE}

_ALL = (
    _named("docs/conventions.md", SLIDEWISE, dfs={"duplicates": Duplicates.MADE}),
    _named(
        f"{_AIMA}, 3rd edition, 2010, figures 3.7, 3.11 and 3.14",
        Convention("aima3", message("AIMA, 3rd edition"), duplicates=Duplicates.DECREASE_KEY),
        bfs=_EARLY_TEST,
        dfs={"siblings": Ties.LAST_IN, "duplicates": Duplicates.MADE},
    ),
    _named(
        f"{_AIMA}, 4th edition, 2020, figures 3.7, 3.9 and 3.12",
        Convention("aima4", message("AIMA, 4th edition"), duplicates=Duplicates.SHORTER_STALE),
        bfs=_EARLY_TEST,
        dfs={"siblings": Ties.LAST_IN, "duplicates": Duplicates.PATH},
    ),
    _named(
        "aima-python, search.py: the program beside the book",
        Convention(
            "aima-python",
            message("aima-python"),
            duplicates=Duplicates.DECREASE_KEY,
            queue=Queue.BOARDS,
            ties=Ties.AS_QUEUED,
        ),
        bfs=_EARLY_TEST,
        dfs={"siblings": Ties.LAST_IN, "duplicates": Duplicates.MADE},
        greedy={"duplicates": Duplicates.MADE},
    ),
    _named(
        "ColumbiaX, CSMM.101x, project 1",
        Convention(
            "columbia", message("ColumbiaX"), duplicates=Duplicates.MADE, deepest=CountRule.MADE
        ),
    ),
    _named(
        "Princeton, COS 226, and Coursera, Algorithms: 8 Puzzle",
        Convention(
            "princeton",
            message("Princeton and Coursera"),
            duplicates=Duplicates.PARENT,
            queue=Queue.BINARY_HEAP,
            ties=Ties.AS_QUEUED,
            counts=CountRule.TAKEN,
        ),
    ),
    _named("42, n-puzzle", Convention("42", "42", counts=CountRule.TAKEN)),
    _named(
        "a notebook: breadth-first search with NumPy arrays",
        Convention("notebook-bfs", message("Notebook: breadth-first"), duplicates=Duplicates.MADE),
        ("bfs",),
    ),
    _named(
        "a program to play, which gives up by breadth-first search without a list of boards seen",
        Convention(
            "notebook-play", message("Notebook: play or give up"), duplicates=Duplicates.NOTHING
        ),
        ("bfs",),
    ),
    _named(
        "a notebook: A* on 2x3 with queue.PriorityQueue, whose entries are f and the board",
        Convention(
            "notebook-2x3",
            message("Notebook: A* on 2x3"),
            duplicates=Duplicates.SHORTER_STALE,
            queue=Queue.BOARDS,
            ties=Ties.AS_QUEUED,
        ),
    ),
    _named(
        "a notebook: recursive depth-first search to a limit, with a list of boards expanded",
        Convention(
            "notebook-iddfs",
            message("Notebook: iterative deepening"),
            order="ulrd",
            duplicates=Duplicates.EXPANDED_STALE,
            queue=Queue.LIST,
        ),
        (),
    ),
    _named(
        "a notebook: recursive best-first search, which sorts the successors in a list",
        Convention(
            "notebook-rbfs",
            message("Notebook: recursive best-first"),
            order="rdlu",
            duplicates=Duplicates.NOTHING,
            queue=Queue.LIST,
        ),
        (),
    ),
)

NAMED: Mapping[str, NamedConvention] = {named.usual.key: named for named in _ALL}
"""Named conventions by key."""


def conventions() -> Mapping[str, NamedConvention]:
    """Return the named conventions by key.

    >>> "columbia" in conventions()
    True
    """
    return NAMED


@functools.lru_cache(maxsize=64)
def find_convention(text: str, algorithm: str = "astar") -> Convention:
    """Parse a convention for the algorithm with the key `algorithm`.

    Overrides can follow the name: `order`, `ties`, `siblings`, `goal`, `duplicates`, `queue`,
    `counts` and `deepest`. The last of repeated overrides applies.

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
    base = NAMED[name].of(algorithm)
    # A dict keeps the last of repeated rules.
    changed = replace(base, **_compatible(base, dict(_read_rule(rule) for rule in rules)))
    return named(changed, base)


def named(changed: Convention, base: Convention) -> Convention:
    """Return a convention with a key and a title that name its differences from `base`."""
    overrides = _overrides(changed, base)
    if not overrides:
        return base
    title = message("%(title)s with %(rules)s", title=base.title, rules=", ".join(overrides))
    return replace(changed, key=",".join([base.key, *overrides]), title=title)


def convention_for(algorithm: str, text: str) -> str:
    """Return the key of the convention `text`, or Slidewise's if `algorithm` supports none.

    >>> convention_for("bfs", "columbia"), convention_for("idastar", "columbia")
    ('columbia', 'slidewise')

    Raises `InvalidConventionError`.
    """
    if algorithm in ALGORITHMS:
        return str(find_convention(text, algorithm))
    find_convention(text)  # still reject an invalid convention
    return SLIDEWISE.key


def _compatible(base: Convention, changes: dict[str, Any]) -> dict[str, Any]:
    """Complete the overrides so that the queue and the ties are compatible."""
    if "queue" in changes and "ties" not in changes:
        # Ties by g or h stay, as any queue can break them.
        if base.ties in (Ties.FIRST_IN, Ties.LAST_IN, Ties.AS_QUEUED):
            changes["ties"] = _ties_of(changes["queue"], base.ties)
    elif changes.get("ties") in (Ties.FIRST_IN, Ties.LAST_IN) and base.queue.decides_ties:
        # Explicit ties need a queue that keeps the order of insertion.
        changes.setdefault("queue", Queue.COUNTER)
    return changes


def _ties_of(queue: Queue, before: Ties) -> Ties:
    """Return the default tie-breaking of a queue."""
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
"""Rules that text can override: the field of `Convention`, and its values by name."""


def _read_rule(rule: str) -> tuple[str, object]:
    """Parse an override into a field of `Convention` and its value."""
    name, _, value = rule.partition("=")
    if name not in _RULES:
        raise InvalidConventionError(
            f"expected a rule such as order=rlud, found {quoted(rule)}; "
            f"the rules are {', '.join(_RULES)}"
        )
    field_name, values = _RULES[name]
    if value not in values:
        allowed = "u, d, l, r in any order, each once" if name == "order" else ", ".join(values)
        raise InvalidConventionError(f"{name} can be {allowed}; found {quoted(value)}")
    return field_name, values[value]


def _overrides(changed: Convention, base: Convention) -> list[str]:
    """Return the overrides from `base` to `changed`, in a fixed order."""
    written = []
    for name, (field_name, values) in _RULES.items():
        value = getattr(changed, field_name)
        if value != getattr(base, field_name):
            written.append(
                f"{name}={next(text for text, known in values.items() if known == value)}"
            )
    return written
