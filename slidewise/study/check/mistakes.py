"""Known mistakes in search programs, each as a change of the plain loop."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from slidewise.puzzle import blank_first_goal, standard_goal
from slidewise.solver.convention import find_convention

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from fractions import Fraction

    from slidewise.puzzle import Board
    from slidewise.solver.convention import Convention
    from slidewise.solver.engines.plain_best_first import PlainBestFirst, PlainNode
    from slidewise.study.check.submission import WorkRow

    Ways = list[list[int]]


@dataclass(frozen=True)
class Change:
    """Changes of a mistaken program to the plain one; None means unchanged.

    Functions: `h(cells, goal, cols)` is the estimate, and `g(parent, search)` the cost of a
    successor. `rank` is f, as weights of g and h or a function of the requested weight. `ways(rows,
    cols, ways, order)` are the blank's neighbour cells, from the correct ones. `queue` builds the
    frontier. Replacements: `algorithm` is the algorithm that really runs, `goal` the goal that it
    really has. Flags: with `forgets_start` the start is not marked as reached. With
    `parents_estimate` a successor has the h of its parent. `switches` are those of a `PlainSearch`,
    and three of any search. `copies` is `none` if all successors share one list. `entry` is `stale`
    if the queue entry of a node with a shorter path is not updated. `member` is `pairs` if
    duplicates are detected by f and board. `follows` are rows that decide between boards that may
    come next.
    """

    h: Callable[[bytes, bytes, int], Any] | None = None
    g: Callable[[PlainNode, PlainBestFirst], int] | None = None
    rank: tuple[int, int] | Callable[[Fraction], tuple[int, int]] | None = None
    ways: Callable[[int, int, Ways, str], Ways] | None = None
    algorithm: str | None = None
    goal: Callable[[int, int], Board] | None = None
    forgets_start: bool = False
    parents_estimate: bool = False
    queue: Callable[[], SortedTooEarly] | None = None
    switches: Mapping[str, str] = field(default_factory=dict)
    follows: Sequence[WorkRow] = ()

    def board_given(self, number: int) -> bytes | None:
        """Return the cells of row `number`, None after the last."""
        return self.follows[number].cells if number < len(self.follows) else None


class FreeTies:
    """A queue that prefers the given board among nodes with the lowest key.

    `wanted` returns the cells of that board.
    """

    def __init__(self, wanted: Callable[[], bytes]) -> None:
        self._wanted = wanted
        self._keys: list[float] = []
        self._nodes: dict[float, dict[bytes, list[PlainNode]]] = {}
        self._size = 0

    def __len__(self) -> int:
        """Return the number of entries."""
        return self._size

    def push(self, key: float, node: PlainNode) -> None:
        """Add a node."""
        if key not in self._nodes:
            heapq.heappush(self._keys, key)
            self._nodes[key] = {}
        self._nodes[key].setdefault(node.cells, []).append(node)
        self._size += 1

    def pop(self) -> PlainNode:
        """Take the given node, or any node if its key is not the lowest."""
        key = self._keys[0]
        boards = self._nodes[key]
        cells = self._wanted()
        if cells not in boards:
            cells = next(iter(boards))
        node = boards[cells].pop(0)
        self._size -= 1
        if not boards[cells]:
            del boards[cells]
        if not boards:
            del self._nodes[heapq.heappop(self._keys)]
        return node


class SortedTooEarly:
    """A list that is sorted before each node's successors are appended.

    With `from_end` it is sorted in descending order and popped at the end, else at the front.
    """

    def __init__(self, *, from_end: bool) -> None:
        self._entries: list[tuple[float, PlainNode]] = []
        self._from_end = from_end

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def push(self, key: tuple[float, ...], node: PlainNode) -> None:
        """Append a node."""
        self._entries.append((key[0], node))

    def pop(self) -> PlainNode:
        """Pop a node from the configured end."""
        return self._entries.pop(-1 if self._from_end else 0)[1]

    def sort(self) -> None:
        """Sort by f alone, as Python's `sort` does with a key."""
        self._entries.sort(key=lambda entry: entry[0], reverse=self._from_end)


PLAIN = Change()
"""No mistake."""


UNINFORMED = ("bfs", "dfs", "ucs")
INFORMED = ("greedy", "astar", "wastar")
ESTIMATING = (*INFORMED, "idastar", "rbfs")
ALL = UNINFORMED + INFORMED
EVERY = (*ALL, "iddfs", "idastar", "rbfs", "bidirectional")


@dataclass(frozen=True)
class Mistake:
    """A mistake: its name, description, remedy and searches.

    `heuristic` is the only heuristic with the mistake, "" for any. A choice that breaks no rule has
    an empty `mend`.
    """

    key: str
    title: str
    what: str
    mend: str
    algorithms: tuple[str, ...]
    change: Change
    heuristic: str = ""

    @property
    def is_right(self) -> bool:
        """Return whether it is a legitimate choice that breaks no rule of the algorithm."""
        return not self.mend

    def fits(self, algorithm: str, heuristic: str | None) -> bool:
        """Return whether a search can have the mistake."""
        return algorithm in self.algorithms and self.heuristic in ("", heuristic)


NEVER_ABOVE = "An estimate that can be above the true distance can make A* miss the shortest path."
"""Note on estimates that are not admissible."""


_STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


def _wraps(rows: int, cols: int, ways: Ways, order: str) -> Ways:
    """Let the blank wrap from the end of a row to the beginning of the next, and back."""
    steps = [_STEPS[way][0] * cols + _STEPS[way][1] for way in order]
    cells = range(rows * cols)
    return [[cell + step for step in steps if cell + step in cells] for cell in cells]


def _around(rows: int, cols: int, ways: Ways, order: str) -> Ways:
    """Let the blank wrap around to the opposite side."""
    steps = [_STEPS[way] for way in order]
    return [
        [
            (cell // cols + down) % rows * cols + (cell % cols + right) % cols
            for down, right in steps
        ]
        for cell in range(rows * cols)
    ]


def _without(step: int, along_row: bool) -> Any:
    def ways(rows: int, cols: int, ways: Ways, order: str) -> Ways:
        by = step if along_row else step * cols
        return [[to for to in cells if to - cell != by] for cell, cells in enumerate(ways)]

    return ways


def _short_of_border(rows: int, cols: int, ways: Ways, order: str) -> Ways:
    """Block the last row and column for the blank, unless it starts there."""
    for step, along_row in ((1, True), (1, False)):
        ways = _short_of(step, along_row)(rows, cols, ways, order)
    return ways


def _short_of(step: int, along_row: bool) -> Any:
    """Block the border row or column in the direction of these steps."""

    def ways(rows: int, cols: int, ways: Ways, order: str) -> Ways:
        by, last = (step, cols - 1) if along_row else (step * cols, rows - 1)
        border = last if step > 0 else 0
        return [
            [
                to
                for to in cells
                if to - cell != by or (to % cols if along_row else to // cols) != border
            ]
            for cell, cells in enumerate(ways)
        ]

    return ways


def _wraps_one_way(step: int) -> Any:
    """Let the blank cross one end of a row only."""

    def ways(rows: int, cols: int, ways: Ways, order: str) -> Ways:
        return [
            [to for to in wrapping if to - cell == step or to in right]
            for cell, (wrapping, right) in enumerate(
                zip(_wraps(rows, cols, ways, order), ways, strict=True)
            )
        ]

    return ways


def _one_border(which: str, way: str, step: int, along_row: bool) -> Mistake:
    return Mistake(
        f"short-of-{which.replace(' ', '-')}",
        f"The blank never moves {way} into the {which}",
        "The test for that border stops one too early.",
        f"Look at the test that guards the move {way}: it must refuse only what leaves the board.",
        EVERY,
        Change(ways=_short_of(step, along_row)),
    )


def _one_end(end: str, step: int, comes: str) -> Mistake:
    return Mistake(
        f"wraps-at-{end}-ends",
        f"Tiles wrap round at the {end} ends of rows",
        f"The blank goes {end} over the border and comes back {comes}, which is no move.",
        f"Test the column before you step {end}: cell numbers that differ by 1 can be in "
        "different rows.",
        EVERY,
        Change(ways=_wraps_one_way(step)),
    )


def _missing(way: str, step: int, along_row: bool) -> Mistake:
    return Mistake(
        f"never-{way}",
        f"The blank never moves {way}",
        f"No successor moves the blank {way}.",
        f"Generate that successor too: {way} is missing from the test for the border or from the "
        "loop over the directions.",
        EVERY,
        Change(ways=_without(step, along_row)),
    )


SUCCESSORS = (
    Mistake(
        "wraps-at-row-ends",
        "Tiles wrap round at the ends of rows",
        "The blank goes from the end of a row to the beginning of the next, which is no move.",
        "Test the column before you step left or right: cell numbers that differ by 1 can be in "
        "different rows.",
        EVERY,
        Change(ways=_wraps),
    ),
    Mistake(
        "around-the-board",
        "The blank leaves the board and comes back on the other side",
        "Negative indices, or a remainder, wrap around the board.",
        "Check that the row is from 0 to rows - 1 and the column from 0 to columns - 1.",
        EVERY,
        Change(ways=_around),
    ),
    Mistake(
        "short-of-border",
        "The blank never enters the last row and column",
        "The test for the border stops one too early.",
        "Compare with `<= n - 1`, or `< n`.",
        EVERY,
        Change(ways=_short_of_border),
    ),
    _one_border("last column", "right", 1, True),
    _one_border("last row", "down", 1, False),
    _one_border("first column", "left", -1, True),
    _one_border("first row", "up", -1, False),
    _one_end("right", 1, "in the row below"),
    _one_end("left", -1, "in the row above"),
    _missing("up", -1, False),
    _missing("down", 1, False),
    _missing("left", -1, True),
    _missing("right", 1, True),
)
"""Mistakes in successors, in the order of the trials."""


def places(goal: bytes, cols: int) -> dict[int, tuple[int, int]]:
    """Return the row and column of each tile in the goal."""
    return {tile: divmod(cell, cols) for cell, tile in enumerate(goal)}


def distances(cells: bytes, goal: bytes, cols: int) -> list[tuple[int, int, int]]:
    """Return (tile, rows, columns from home) of each cell, blank included."""
    homes = places(goal, cols)
    found = []
    for cell, tile in enumerate(cells):
        row, col = divmod(cell, cols)
        found.append((tile, abs(row - homes[tile][0]), abs(col - homes[tile][1])))
    return found


def with_blank(cells: bytes, goal: bytes, cols: int) -> int:
    """Count the blank too."""
    return sum(down + right for _, down, right in distances(cells, goal, cols))


def blank_by_formula(*, truncates: bool) -> Callable[[bytes, bytes, int], int]:
    """Compute homes by the quotient and remainder of tile - 1, for the blank too.

    Java and C truncate -1 / n to 0, with the remainder -1; Python gives -1 and n - 1.
    """

    def h(cells: bytes, goal: bytes, cols: int) -> int:
        total = 0
        for cell, tile in enumerate(cells):
            row, col = (0, -1) if truncates and tile == 0 else divmod(tile - 1, cols)
            total += abs(cell // cols - row) + abs(cell % cols - col)
        return total

    return h


def without_last(cells: bytes, goal: bytes, cols: int) -> int:
    """Forget the last tile."""
    last = len(cells) - 1
    return sum(d + r for tile, d, r in distances(cells, goal, cols) if 0 < tile < last)


def without_first(cells: bytes, goal: bytes, cols: int) -> int:
    """Forget tile 1."""
    return sum(d + r for tile, d, r in distances(cells, goal, cols) if tile > 1)


def mixed(cells: bytes, goal: bytes, cols: int) -> int:
    """Compare rows with columns."""
    homes = places(goal, cols)
    total = 0
    for cell, tile in enumerate(cells):
        if tile:
            row, col = divmod(cell, cols)
            total += abs(row - homes[tile][1]) + abs(col - homes[tile][0])
    return total


def rows_only(cells: bytes, goal: bytes, cols: int) -> int:
    """Count rows alone."""
    return sum(down for tile, down, _ in distances(cells, goal, cols) if tile)


def columns_only(cells: bytes, goal: bytes, cols: int) -> int:
    """Count columns alone."""
    return sum(right for tile, _, right in distances(cells, goal, cols) if tile)


def chebyshev(cells: bytes, goal: bytes, cols: int) -> int:
    """Take the maximum of rows and columns."""
    return sum(max(d, r) for tile, d, r in distances(cells, goal, cols) if tile)


def euclidean(cells: bytes, goal: bytes, cols: int) -> float:
    """Take the Euclidean distance."""
    return sum(math.hypot(d, r) for tile, d, r in distances(cells, goal, cols) if tile)


def squared(cells: bytes, goal: bytes, cols: int) -> int:
    """Add squared differences."""
    return sum(d * d + r * r for tile, d, r in distances(cells, goal, cols) if tile)


def signed(cells: bytes, goal: bytes, cols: int) -> int:
    """Take the absolute value too late."""
    homes = places(goal, cols)
    total = 0
    for cell, tile in enumerate(cells):
        if tile:
            total += abs(cell // cols - homes[tile][0] + cell % cols - homes[tile][1])
    return total


def by_index(cells: bytes, goal: bytes, cols: int) -> int:
    """Take differences of cell numbers."""
    return sum(abs(cell - goal.index(tile)) for cell, tile in enumerate(cells) if tile)


def misplaced(cells: bytes, goal: bytes, cols: int) -> int:
    """Count the misplaced tiles."""
    return sum(tile != home for tile, home in zip(cells, goal, strict=True) if tile)


def misplaced_with_blank(cells: bytes, goal: bytes, cols: int) -> int:
    """Count the misplaced tiles, blank included."""
    return sum(tile != home for tile, home in zip(cells, goal, strict=True))


def at_home(cells: bytes, goal: bytes, cols: int) -> int:
    """Count the cells equal to the goal's."""
    return sum(tile == home for tile, home in zip(cells, goal, strict=True))


def tiles_at_home(cells: bytes, goal: bytes, cols: int) -> int:
    """Count the tiles that are at home."""
    return sum(tile == home for tile, home in zip(cells, goal, strict=True) if tile)


def manhattan_of(goal_like: str) -> Any:
    """Return the estimate for the goal with the blank `first` or `last`."""

    def value(cells: bytes, goal: bytes, cols: int) -> int:
        tiles = list(range(len(cells)))
        other = bytes(tiles if goal_like == "first" else [*tiles[1:], 0])
        return sum(d + r for tile, d, r in distances(cells, other, cols) if tile)

    return value


def misplaced_of(goal_like: str) -> Any:
    """Return the estimate for the goal with the blank `first` or `last`."""

    def value(cells: bytes, goal: bytes, cols: int) -> int:
        tiles = list(range(len(cells)))
        return misplaced(cells, bytes(tiles if goal_like == "first" else [*tiles[1:], 0]), cols)

    return value


def inversions(cells: bytes, goal: bytes, cols: int) -> int:
    """Count the inversions."""
    order = [goal.index(tile) for tile in cells if tile]
    return sum(b < a for n, a in enumerate(order) for b in order[n + 1 :])


def manhattan(cells: bytes, goal: bytes, cols: int) -> int:
    """Add rows and columns."""
    return sum(d + r for tile, d, r in distances(cells, goal, cols) if tile)


def nothing(cells: bytes, goal: bytes, cols: int) -> int:
    """Return 0."""
    return 0


def _h_mistake(key: str, title: str, what: str, mend: str, h: Any, of: str = "") -> Mistake:
    return Mistake(key, title, what, mend, ESTIMATING, Change(h=h), of)


_SKIP_BLANK = "Skip the blank in the sum: `if tile != 0`."
_GOAL = "Take each tile's home from the goal that the search looks for."

ESTIMATES = (
    _h_mistake(
        "manhattan-with-blank",
        "Your Manhattan distance counts the blank",
        f"The blank adds its own distance from home. {NEVER_ABOVE}",
        _SKIP_BLANK,
        with_blank,
        "manhattan",
    ),
    *(
        _h_mistake(
            "manhattan-blank-by-formula",
            "Your Manhattan distance counts the blank, as a tile whose home is outside the board",
            "With homes worked out from tile - 1, the blank, 0, gets one beyond the border. "
            f"{NEVER_ABOVE}",
            _SKIP_BLANK,
            blank_by_formula(truncates=truncates),
            "manhattan",
        )
        for truncates in (False, True)
    ),
    _h_mistake(
        "misplaced-with-blank",
        "Your count of misplaced tiles counts the blank",
        f"The blank out of place adds 1. {NEVER_ABOVE}",
        _SKIP_BLANK,
        misplaced_with_blank,
        "misplaced",
    ),
    _h_mistake(
        "manhattan-without-last",
        "Your Manhattan distance forgets the last tile",
        "The tile with the highest number adds nothing. Paths are still shortest, but more nodes "
        "are expanded.",
        "Let the loop run to the last tile: `range(1, n)` ends at n - 1.",
        without_last,
        "manhattan",
    ),
    _h_mistake(
        "manhattan-without-first",
        "Your Manhattan distance forgets tile 1",
        "Tile 1 adds nothing.",
        "Begin the loop with tile 1; only the blank, 0, is left out.",
        without_first,
        "manhattan",
    ),
    _h_mistake(
        "manhattan-rows-columns",
        "Your Manhattan distance mixes rows and columns",
        "The row of a tile is compared with the column of its home.",
        "Compare row with row and column with column: `cell // columns` and `cell % columns`, and "
        "the same for the home.",
        mixed,
        "manhattan",
    ),
    _h_mistake(
        "manhattan-rows-only",
        "Your Manhattan distance counts rows only",
        "The columns add nothing.",
        "Add the difference of the columns too.",
        rows_only,
        "manhattan",
    ),
    _h_mistake(
        "manhattan-columns-only",
        "Your Manhattan distance counts columns only",
        "The rows add nothing.",
        "Add the difference of the rows too.",
        columns_only,
        "manhattan",
    ),
    _h_mistake(
        "manhattan-sign",
        "Your Manhattan distance takes the absolute value too late",
        "Rows and columns of opposite sign cancel out before the absolute value is taken.",
        "Take the absolute value of each difference, then add: `abs(rows) + abs(columns)`.",
        signed,
        "manhattan",
    ),
    _h_mistake(
        "chebyshev",
        "You take the larger of rows and columns, not their sum",
        "That is the Chebyshev distance, for kings that move diagonally.",
        "Add the two differences.",
        chebyshev,
        "manhattan",
    ),
    _h_mistake(
        "euclidean",
        "You use Euclidean distance",
        "It is never above the true distance, so paths stay shortest. Manhattan distance is never "
        "less, and expands fewer boards.",
        "",
        euclidean,
        "manhattan",
    ),
    _h_mistake(
        "squared",
        "You add the squares of the distances",
        f"Squares can be more than the moves that are needed. {NEVER_ABOVE}",
        "Add the differences of rows and columns themselves.",
        squared,
        "manhattan",
    ),
    _h_mistake(
        "index-distance",
        "You take differences of cell numbers",
        f"A tile one row below its home counts as many moves as the board has columns. "
        f"{NEVER_ABOVE}",
        "Divide cell numbers into rows and columns first.",
        by_index,
        "manhattan",
    ),
    _h_mistake(
        "counts-at-home",
        "You count the tiles that are at home, not those that are misplaced",
        "The estimate grows towards the goal, where it should be 0.",
        "Count the tiles that differ from the goal: `!=` in place of `==`.",
        tiles_at_home,
    ),
    _h_mistake(
        "counts-cells-at-home",
        "You count the cells that are as in the goal, not the tiles that are misplaced",
        "The estimate grows towards the goal, where it should be 0.",
        "Count the tiles, not the blank, that differ from the goal: `!=` in place of `==`.",
        at_home,
    ),
    _h_mistake(
        "misplaced-not-manhattan",
        "You count misplaced tiles where Manhattan distance was asked for",
        "Each tile adds 1 however far it is from home.",
        "Add the rows and columns that each tile is from home.",
        misplaced,
        "manhattan",
    ),
    _h_mistake(
        "manhattan-not-misplaced",
        "You use Manhattan distance where misplaced tiles were asked for",
        "Each tile adds its distance from home.",
        "Add 1 for each tile that is not at home.",
        manhattan,
        "misplaced",
    ),
    _h_mistake(
        "inversions",
        "Your estimate counts inversions",
        f"One move can remove several inversions. {NEVER_ABOVE}",
        "Add the rows and columns that each tile is from home.",
        inversions,
    ),
    _h_mistake(
        "manhattan-blank-last-goal",
        "Your Manhattan distance is to the goal with the blank last",
        "The search and the estimate have different goals.",
        _GOAL,
        manhattan_of("last"),
        "manhattan",
    ),
    _h_mistake(
        "manhattan-blank-first-goal",
        "Your Manhattan distance is to the goal with the blank first",
        "The search and the estimate have different goals.",
        _GOAL,
        manhattan_of("first"),
        "manhattan",
    ),
    _h_mistake(
        "misplaced-blank-last-goal",
        "Your misplaced tiles are counted against the goal with the blank last",
        "The search and the estimate have different goals.",
        _GOAL,
        misplaced_of("last"),
        "misplaced",
    ),
    _h_mistake(
        "misplaced-blank-first-goal",
        "Your misplaced tiles are counted against the goal with the blank first",
        "The search and the estimate have different goals.",
        _GOAL,
        misplaced_of("first"),
        "misplaced",
    ),
    _h_mistake(
        "h-is-zero",
        "Your estimate is always 0",
        "All boards look equally far from the goal.",
        "Return the sum, worked out for the successor.",
        nothing,
    ),
)
"""Mistakes in estimates, in the order of the trials."""


def _weighted(key: str, title: str, what: str, rank: Any) -> Mistake:
    mend = "Rank the queue by f = g + w * h, with the weight w that was asked for."
    return Mistake(key, title, what, mend, ("wastar",), Change(rank=rank))


def _mistake(
    key: str, algorithm: str, title: str, what: str, mend: str, **switches: str
) -> Mistake:
    named = {name.replace("_", "-"): value for name, value in switches.items()}
    return Mistake(key, title, what, mend, (algorithm,), Change(switches=named))


_LOWEST_CUT = "Keep the lowest f of all nodes that were above the limit. That is the next limit."

OF_OTHER_SEARCHES = (
    _weighted(
        "weight-on-g",
        "Your weight is on g instead of h",
        "f is w * g + h, so the search heads for the goal less boldly than A*.",
        lambda weight: (weight.numerator, weight.denominator),
    ),
    _weighted("weight-left-out", "Your weight is left out, which is A*", "f is g + h.", (1, 1)),
    *(
        _weighted(
            f"weight-{weight:g}",
            f"Your weight is {weight:g}",
            f"f is g + {weight:g}h, which is another weight than the one asked for.",
            (rank_of_g, round(rank_of_g * weight)),
        )
        for rank_of_g, weight in ((2, 1.5), (1, 2), (1, 3), (1, 5))
    ),
    _mistake(
        "limit-plus-one",
        "idastar",
        "Your next limit is the limit plus 1",
        "The path is still shortest, but where no node has that f, the same nodes are expanded "
        "again.",
        _LOWEST_CUT,
        limit="plus-one",
    ),
    _mistake(
        "limit-highest",
        "idastar",
        "Your next limit is the highest f that was cut off",
        "It can be above the length of a shortest path, so the first path found need not be "
        "shortest.",
        _LOWEST_CUT,
        limit="highest",
    ),
    _mistake(
        "limit-last",
        "idastar",
        "Your next limit is the last f that was cut off",
        "It can be above the lowest, so the first path found need not be shortest.",
        _LOWEST_CUT,
        limit="last",
    ),
    _mistake(
        "below-the-limit",
        "idastar",
        "You keep only nodes with f below the limit",
        "Nodes whose f is the limit itself wait for the next iteration.",
        "Cut off a node only where f > limit.",
        keeps="below",
    ),
    _mistake(
        "below-the-limit",
        "idastar",
        "You keep only nodes with f below the limit, and raise it by 1",
        "Nodes whose f is the limit itself wait for the next iteration, and limits that no node "
        "has are tried too.",
        f"Cut off a node only where f > limit. {_LOWEST_CUT}",
        keeps="below",
        limit="plus-one",
    ),
    *(
        _mistake(
            "one-visited-set",
            algorithm,
            "You visit no board twice in an iteration",
            "A board that was first met deep down is not searched again when a shorter path comes "
            "to it, so that solutions within the limit are missed.",
            "Compare with the boards of the current path only.",
            visited="yes",
        )
        for algorithm in ("iddfs", "idastar")
    ),
    *(
        _mistake(
            "visited-between-limits",
            "iddfs",
            "Your visited boards are not cleared when the limit rises",
            "Boards of earlier iterations hide those behind them, so that the search stops going "
            "deeper.",
            "Begin each iteration with an empty list, or compare with the current path only.",
            **switches,
        )
        for switches in (
            {"visited": "made"},
            {"visited": "made", "first": "one"},
            {"visited": "kept"},
            {"visited": "kept", "first": "one"},
        )
    ),
    _mistake(
        "depth-limit-off-by-one",
        "iddfs",
        "Your depth limit is off by one",
        "Boards at the depth limit are not compared with the goal, so it is found one iteration "
        "too late.",
        "Compare each board with the goal first, and only then with the limit.",
        late="yes",
    ),
    _mistake(
        "depth-limit-off-by-one",
        "iddfs",
        "Your depth limit is off by one, and begins with 1",
        "Boards at the depth limit are not compared with the goal, so it is found one iteration "
        "too late.",
        "Compare each board with the goal first, and only then with the limit.",
        late="yes",
        first="one",
    ),
    _mistake(
        "depth-limit-by-two",
        "iddfs",
        "Your depth limit rises by 2",
        "A path one move longer than the shortest can come first on other problems.",
        "Raise the limit by 1.",
        limit="plus-two",
    ),
    _mistake(
        "own-f-only",
        "rbfs",
        "Successors do not take over their parent\u2019s stored f",
        "A successor starts from g + h alone, so what was found out below its parent is lost, and "
        "nodes are expanded more often.",
        "Let the stored f of a successor be the greater of g + h and its parent\u2019s stored f.",
        stored="own",
    ),
    *(
        _mistake(
            "f-not-stored",
            "rbfs",
            "The f that comes back is not stored with the successor",
            "The same successor looks best again, so the search goes down to it for ever.",
            "Store it: `best.f` becomes the f that the call returns, then look for the best again.",
            **switches,
        )
        for switches in (
            {"returned": "lost"},
            {"returned": "lost", "stored": "own"},
            {"returned": "lost", "stored": "own", "root": "h"},
            {"returned": "lost", "stored": "own", "root": "h", "back": "none"},
        )
    ),
    _mistake(
        "alternative-ignored",
        "rbfs",
        "The second best successor is ignored",
        "The search does not come back where the second best looks better, as its f is not part "
        "of the f-limit handed down.",
        "Hand down the lower of the f-limit and the second lowest stored f.",
        bound="inherited",
    ),
    _mistake(
        "alternative-alone",
        "rbfs",
        "The f-limit handed down is that of the second best alone",
        "Nodes further up the path that look better are forgotten.",
        "Hand down the lower of the f-limit and the second lowest stored f.",
        bound="second",
    ),
    _mistake(
        "below-the-bound",
        "rbfs",
        "You go back where the lowest stored f equals the f-limit",
        "The path is still shortest, but nodes are expanded more often; two equal ones can take "
        "turns for ever.",
        "Go back only where the lowest stored f is above the f-limit.",
        goes_on="below",
    ),
    _mistake(
        "both-ends-stack",
        "bidirectional",
        "The frontiers of both ends are stacks",
        "The newest node comes first, so the first meeting can be far from halfway, although a "
        "shorter path exists.",
        "Take the oldest node: use a queue for each end.",
        stack="yes",
    ),
    _mistake(
        "both-ends-stack",
        "bidirectional",
        "The frontiers of both ends are stacks, in turn",
        "The newest node comes first, so the first meeting can be far from halfway, although a "
        "shorter path exists.",
        "Take the oldest node: use a queue for each end.",
        stack="yes",
        turn="nodes",
    ),
    _mistake(
        "one-end-only",
        "bidirectional",
        "Only the start\u2019s end is expanded",
        "Nothing is expanded from the goal, so this is breadth-first search.",
        "Expand the goal\u2019s end as well, layer by layer.",
        turn="start",
    ),
)
"""Mistakes of these searches, in the order of the trials."""


def _never_grows(parent: PlainNode, search: PlainBestFirst) -> int:
    return parent.g


def _always_one(parent: PlainNode, search: PlainBestFirst) -> int:
    return 1


def _adds_h(parent: PlainNode, search: PlainBestFirst) -> int:
    return parent.g + parent.h + 1


def _counts_expansions(parent: PlainNode, search: PlainBestFirst) -> int:
    return search.expanded


MISTAKES = (
    *OF_OTHER_SEARCHES,
    *ESTIMATES,
    Mistake(
        "parents-estimate",
        "A successor gets the estimate of the board it came from",
        "h is worked out before the tile is moved.",
        "Work out h for the successor's board.",
        INFORMED,
        Change(parents_estimate=True),
    ),
    Mistake(
        "h-as-f",
        "You rank by h alone, which is greedy best-first search",
        "The moves made so far do not count, so paths need not be shortest.",
        "Rank the queue by both: f = g + h, in weighted A* f = g + w * h.",
        ("astar", "wastar"),
        Change(rank=(0, 1)),
    ),
    Mistake(
        "g-as-f",
        "You rank by g alone, which is uniform-cost search",
        "The estimate does not count.",
        "Rank the queue by both: f = g + h, in weighted A* f = g + w * h.",
        ("astar", "wastar"),
        Change(rank=(1, 0)),
    ),
    Mistake(
        "double-h",
        "You count h twice",
        f"f is g + 2h, as in weighted A*. {NEVER_ABOVE}",
        "Rank the queue by f = g + h: look for a second place where h is added.",
        ("astar",),
        Change(rank=(1, 2)),
    ),
    Mistake(
        "greedy-adds-g",
        "You rank by g + h, which is A*",
        "Greedy best-first search ranks by the estimate alone.",
        "Rank the queue by h.",
        ("greedy",),
        Change(rank=(1, 1)),
    ),
    Mistake(
        "highest-first",
        "Your queue gives the highest f first",
        "The node that looks worst is taken first.",
        "Take the lowest f first: reverse the comparison.",
        INFORMED,
        Change(rank=(-1, -1)),
    ),
    Mistake(
        "g-not-updated",
        "g does not grow along the path",
        "A successor has the g of its parent.",
        "Give each successor g = its parent's g + 1.",
        ("astar", "wastar", "ucs"),
        Change(g=_never_grows),
    ),
    Mistake(
        "g-always-one",
        "g is 1 for every successor",
        "Each successor has g = 1, however deep it is.",
        "Give each successor g = its parent's g + 1.",
        ("astar", "wastar", "ucs"),
        Change(g=_always_one),
    ),
    Mistake(
        "g-adds-h",
        "g adds up estimates",
        "A successor's g is its parent's f + 1, so that each h on the way counts again.",
        "Keep g apart from f: g = its parent's g + 1.",
        ("astar",),
        Change(g=_adds_h),
    ),
    Mistake(
        "g-counts-expansions",
        "g counts expansions, not moves",
        "One counter for the whole search stands in for the moves on the node's own path.",
        "Keep g in each node: its parent's g + 1.",
        ("astar", "wastar", "ucs"),
        Change(g=_counts_expansions),
    ),
    *SUCCESSORS,
    Mistake(
        "start-not-reached",
        "The start is not marked as reached",
        "The start is generated again and expanded a second time.",
        "Put the start among the boards reached before the loop begins.",
        ALL,
        Change(forgets_start=True),
    ),
    Mistake(
        "swapped-in-place",
        "You swap tiles in the board itself, without a copy",
        "Each successor begins from the one before it, not from the board that is expanded.",
        "Copy the board before you swap: `new = state[:]` or `list(state)`, once per successor.",
        EVERY,
        Change(switches={"copies": "none"}),
    ),
    Mistake(
        "stale-entry",
        "A shorter path changes g, but its entry in the heap stays where it was",
        "The node waits as long as with its old f, so others come first that look worse.",
        "Push the node again with its new f, and pass over the old entry when it is taken.",
        ("astar", "wastar"),
        Change(switches={"entry": "stale"}),
    ),
    Mistake(
        "pairs-in-heap",
        "You look for a board among pairs of f and board",
        "A board that waits with another f is not found, so it waits again and is expanded again.",
        "Keep a set of the boards that wait, or skip a board that was expanded when it is taken.",
        INFORMED,
        Change(switches={"member": "pairs"}),
    ),
    Mistake(
        "other-goal-first",
        "Your search looks for the goal with the blank first",
        "It does not stop at the goal of this puzzle.",
        "Compare each board with the goal of this puzzle.",
        EVERY,
        Change(goal=blank_first_goal),
    ),
    Mistake(
        "other-goal-last",
        "Your search looks for the goal with the blank last",
        "It does not stop at the goal of this puzzle.",
        "Compare each board with the goal of this puzzle.",
        EVERY,
        Change(goal=standard_goal),
    ),
    Mistake(
        "stack-for-queue",
        "Your frontier is a stack, so this is depth-first search",
        "The newest node is taken first.",
        "Take the oldest: use a queue, such as `popleft` of a deque, instead of `pop`.",
        ("bfs",),
        Change(algorithm="dfs"),
    ),
    Mistake(
        "queue-for-stack",
        "Your frontier is a queue, so this is breadth-first search",
        "The oldest node is taken first.",
        "Take the newest: use `pop` instead of `pop(0)` or `popleft`.",
        ("dfs",),
        Change(algorithm="bfs"),
    ),
    Mistake(
        "not-sorted",
        "Your queue is not a priority queue, so this is breadth-first search",
        "Nodes are taken in the order in which they were generated.",
        "Take the lowest f: use a heap, or sort before each node is taken.",
        INFORMED,
        Change(algorithm="bfs"),
    ),
    Mistake(
        "sorted-too-early",
        "Your list is sorted before the successors are added, so the last one made is taken",
        "The new nodes stay unsorted at the end of the list, and the end is where the next node is "
        "taken. Only where a node has no new successors does the best of the others come next.",
        "Sort after the successors are added, just before the next node is taken; or use a heap.",
        INFORMED,
        Change(queue=partial(SortedTooEarly, from_end=True)),
    ),
    Mistake(
        "sorted-too-early-from-front",
        "Your list is sorted before the successors are added, so they wait one turn too long",
        "The new nodes stay unsorted at the end of the list while the next one is taken from the "
        "front.",
        "Sort after the successors are added, just before the next node is taken; or use a heap.",
        INFORMED,
        Change(queue=partial(SortedTooEarly, from_end=False)),
    ),
    Mistake(
        "a-stack",
        "Your frontier is a stack, so this is depth-first search",
        "The newest node is taken first, whatever its f.",
        "Take the lowest f: use a heap, or sort before each node is taken.",
        INFORMED,
        Change(algorithm="dfs"),
    ),
)
"""All mistakes, in the order of preference if several explain the same."""


def mistakes(algorithm: str, heuristic: str | None) -> list[Mistake]:
    """Return the mistakes possible in a search."""
    return [one for one in MISTAKES if one.fits(algorithm, heuristic)]


class Habit(NamedTuple):
    """A variant of a search: the switches of its `PlainSearch`, and its description."""

    key: str
    switches: Mapping[str, str]
    words: str


_ON_PATH = Habit(
    "back=path",
    {"back": "path"},
    "you leave out every board of the current path, not only the one you come from",
)
_GOES_BACK = Habit("back=none", {"back": "none"}, "you also take the last move straight back")

NOTEBOOKS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "notebook-iddfs": ("iddfs", {"visited": "made", "first": "one"}),
    "notebook-rbfs": (
        "rbfs",
        {"back": "none", "stored": "own", "returned": "lost", "root": "h"},
    ),
}
"""Notebooks' conventions with a search of their own: its algorithm and `PlainSearch` switches."""


def written_as(convention: Convention) -> Mapping[str, str]:
    """Return the switches of a notebook's convention."""
    return NOTEBOOKS[convention.named_after][1] if convention.named_after in NOTEBOOKS else {}


def find_rules(text: str, algorithm: str) -> Convention:
    """Return a program's convention by name, including those of `NOTEBOOKS`.

    >>> find_rules("notebook-iddfs", "iddfs").order
    'ulrd'

    Raises `InvalidConventionError`.
    """
    name = str(text).replace(" ", "").partition(",")[0]
    of_notebook = NOTEBOOKS.get(name, ("",))[0] == algorithm
    return find_convention(text) if of_notebook else find_convention(text, algorithm)


HABITS: Mapping[str, tuple[Habit, ...]] = {
    "iddfs": (
        _ON_PATH,
        _GOES_BACK,
        Habit("first=one", {"first": "one"}, "your first depth limit is 1"),
        Habit(
            "first=one,back=path",
            {"first": "one", "back": "path"},
            "your first depth limit is 1, and you leave out every board of the current path",
        ),
    ),
    "idastar": (_ON_PATH, _GOES_BACK),
    "rbfs": (
        _ON_PATH,
        _GOES_BACK,
        Habit(
            "ties=sorted",
            {"ties": "sorted"},
            "you sort the successors again and again, so of equal f the one searched last comes "
            "first",
        ),
        Habit(
            "stored=parents",
            {"stored": "parents"},
            "a successor\u2019s f is always at least that of its parent",
        ),
    ),
    "bidirectional": (
        Habit("turn=layers", {"turn": "layers"}, "the two ends take turns, a layer each"),
        Habit("turn=nodes", {"turn": "nodes"}, "the two ends take turns, a board each"),
        Habit(
            "turn=smaller", {"turn": "smaller"}, "each board comes from the end with fewer waiting"
        ),
        Habit(
            "meeting=taken",
            {"meeting": "taken"},
            "you look for the meeting when a board is taken from the frontier",
        ),
        Habit(
            "turn=nodes,meeting=taken",
            {"turn": "nodes", "meeting": "taken"},
            "the two ends take turns, a board each; you look for the meeting when a board is taken "
            "from the frontier",
        ),
    ),
}
"""Harmless habits by algorithm key. None of them loses the shortest path."""
