"""Known mistakes in search programs, each as a change of the plain loop.

`mistakes.toml` is the table of all mistakes. This module has the changes that need code.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from slidewise.course.judge.catalogue import Mistake, as_message, catalogue
from slidewise.course.judge.printed.submission import WorkRow
from slidewise.puzzle import Board, blank_first_goal, standard_goal
from slidewise.solver.convention import Convention, find_convention
from slidewise.solver.plain.best_first import BestFirst
from slidewise.solver.plain.search import STEPS
from slidewise.text import Message

Ways = list[list[int]]
Successors = Callable[[int, int, Ways, str], Ways]
Estimate = Callable[[bytes, bytes, int], Any]


@dataclass(frozen=True)
class Change:
    """Changes of a mistaken program to the plain search; None means unchanged.

    Functions: `h(cells, goal, cols)` is the estimate, and `g(search, parent)` the cost of a
    successor. `rank` is f, as weights of g and h or a function of the requested weight. `ways(rows,
    cols, ways, order)` changes the blank's correct neighbour cells. `queue` builds the frontier.
    Replacements: `algorithm` and `goal` are what the program in fact uses. Flags: with
    `forgets_start` the start is not marked as reached. With `parents_estimate` a successor has the
    h of its parent. `switches` are described at the searches in `switched.py`. `follows` are rows
    that break ties.
    """

    h: Estimate | None = None
    g: Callable[[BestFirst, int], int] | None = None
    rank: tuple[int, int] | Callable[[Fraction], tuple[int, int]] | None = None
    ways: Successors | None = None
    algorithm: str | None = None
    goal: Callable[[int, int], Board] | None = None
    forgets_start: bool = False
    parents_estimate: bool = False
    queue: Callable[[], SortedTooEarly] | None = None
    switches: Mapping[str, str] = field(default_factory=dict)
    follows: Sequence[WorkRow] = ()

    @property
    def changes_loop(self) -> bool:
        """Return whether the loop of the search changes, not only its estimate, f or moves."""
        changes = self.switches, self.follows, self.g, self.forgets_start, self.queue
        return any(changes)


class FreeTies:
    """A queue that prefers the given board among nodes with the lowest key.

    `wanted` returns the cells of that board. Keys are pairs of a number and the node's cells.
    """

    def __init__(self, wanted: Callable[[], bytes | None]) -> None:
        self._wanted = wanted
        self._keys: list[float] = []
        # By f and board, so that the given board is found without a search through all ties.
        self._nodes: dict[float, dict[bytes, list[int]]] = {}
        self._size = 0

    def __len__(self) -> int:
        """Return the number of entries."""
        return self._size

    def push(self, key: tuple[float, bytes], node: int) -> None:
        """Add a node."""
        f, cells = key
        if f not in self._nodes:
            heapq.heappush(self._keys, f)
            self._nodes[f] = {}
        self._nodes[f].setdefault(cells, []).append(node)
        self._size += 1

    def pop(self) -> int:
        """Take the given node, or any node if its key is not the lowest."""
        key = self._keys[0]
        boards = self._nodes[key]
        cells = self._wanted()
        if cells not in boards:
            # No tied board fits the rows, so the rows differ here anyway.
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

    With `from_end` it is sorted in descending order and popped at the end, otherwise at the front.
    """

    def __init__(self, *, from_end: bool) -> None:
        self._entries: list[tuple[float, int]] = []
        self._from_end = from_end

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def push(self, key: tuple[float, ...], node: int) -> None:
        """Append a node."""
        self._entries.append((key[0], node))

    def pop(self) -> int:
        """Pop a node from the configured end."""
        return self._entries.pop(-1 if self._from_end else 0)[1]

    def sort(self) -> None:
        """Sort by f alone, as Python's `sort` does with a key."""
        self._entries.sort(key=lambda entry: entry[0], reverse=self._from_end)


PLAIN = Change()
"""No mistake."""


INFORMED = ("greedy", "astar", "wastar")
BEST_FIRST = ("bfs", "dfs", "ucs", *INFORMED)
ESTIMATING = (*INFORMED, "idastar", "rbfs")
GROUPS: Mapping[str, tuple[str, ...]] = {
    "informed": INFORMED,
    "best-first": BEST_FIRST,
    "estimating": ESTIMATING,
    "every": (*BEST_FIRST, "iddfs", "idastar", "rbfs", "bidirectional"),
}
"""Groups of searches, by their names in the table."""


@dataclass(frozen=True)
class WrongSearch(Mistake):
    """A search with a known mistake.

    `heuristic` is the only heuristic with the mistake, "" for any. A `harmless` choice breaks no
    rule of the algorithm.
    """

    algorithms: tuple[str, ...] = ()
    change: Change = PLAIN
    heuristic: str = ""
    harmless: bool = False

    def fits(self, algorithm: str, heuristic: str | None) -> bool:
        """Return whether a search can have the mistake."""
        return algorithm in self.algorithms and self.heuristic in ("", heuristic)


def _wraps(*ends: int) -> Successors:
    """Let the blank cross the right end of a row to the next (1), the left end (-1), or both."""

    def ways(rows: int, cols: int, ways: Ways, order: str) -> Ways:
        steps, cells = [STEPS[way][0] * cols + STEPS[way][1] for way in order], range(rows * cols)
        return [
            [
                cell + step
                for step in steps
                if cell + step in right or (step in ends and cell + step in cells)
            ]
            for cell, right in enumerate(ways)
        ]

    return ways


def _around(rows: int, cols: int, ways: Ways, order: str) -> Ways:
    """Let the blank wrap around to the opposite side."""
    return [
        [
            (cell // cols + down) % rows * cols + (cell % cols + right) % cols
            for down, right in steps
        ]
        for cell in range(rows * cols)
        for steps in [[STEPS[way] for way in order]]
    ]


def _never(directions: str, *, into_border: bool = False) -> Successors:
    """Drop the moves in these directions, or only the moves that end at the border."""

    def ways(rows: int, cols: int, ways: Ways, order: str) -> Ways:
        steps = [STEPS[way][0] * cols + STEPS[way][1] for way in directions]
        return [
            [
                to
                for to in cells
                # `2 * to - cell` is the next cell in the same direction, which the border lacks.
                if to - cell not in steps or (into_border and 2 * to - cell in ways[to])
            ]
            for cell, cells in enumerate(ways)
        ]

    return ways


def _summed(term: Callable[[int, int, int, int], float], *, blank: bool = False) -> Estimate:
    """Return the sum over the tiles of a term in the rows and columns of the tile and its home."""

    def h(cells: bytes, goal: bytes, cols: int) -> float:
        return sum(
            term(*divmod(cell, cols), *divmod(goal.index(tile), cols))
            for cell, tile in enumerate(cells)
            if tile or blank
        )

    return h


def _steps(row: int, col: int, home_row: int, home_col: int) -> int:
    return abs(row - home_row) + abs(col - home_col)


def _is_misplaced(row: int, col: int, home_row: int, home_col: int) -> bool:
    return (row, col) != (home_row, home_col)


def _is_at_home(row: int, col: int, home_row: int, home_col: int) -> bool:
    return (row, col) == (home_row, home_col)


def _without_tile(number: int) -> Estimate:
    """Return Manhattan distance without a tile, which is counted from the end if negative."""

    def h(cells: bytes, goal: bytes, cols: int) -> Any:
        # A second 0 in the cells: the estimate skips it like the blank.
        return MANHATTAN(cells.replace(bytes([number % len(cells)]), b"\0"), goal, cols)

    return h


def _to_goal(estimate: Estimate, *, blank_first: bool) -> Estimate:
    """Return the estimate for the goal with the blank first or last."""

    def h(cells: bytes, goal: bytes, cols: int) -> Any:
        tiles = range(1, len(cells))
        return estimate(cells, bytes([0, *tiles] if blank_first else [*tiles, 0]), cols)

    return h


def _blank_by_formula(*, truncates: bool) -> Estimate:
    """Compute homes by the quotient and remainder of tile - 1, for the blank too.

    Java and C truncate -1 / n to 0, with the remainder -1; Python gives -1 and n - 1.
    """
    of_tiles = _to_goal(MANHATTAN, blank_first=False)

    def h(cells: bytes, goal: bytes, cols: int) -> Any:
        home = (0, -1) if truncates else divmod(-1, cols)
        return of_tiles(cells, goal, cols) + _steps(*divmod(cells.index(0), cols), *home)

    return h


def _index_distance(cells: bytes, goal: bytes, cols: int) -> int:
    """Take differences of cell numbers."""
    return sum(abs(cell - goal.index(tile)) for cell, tile in enumerate(cells) if tile)


def _inversions(cells: bytes, goal: bytes, cols: int) -> int:
    """Count the inversions."""
    order = [goal.index(tile) for tile in cells if tile]
    return sum(b < a for n, a in enumerate(order) for b in order[n + 1 :])


MANHATTAN, MISPLACED = _summed(_steps), _summed(_is_misplaced)

ESTIMATES: Mapping[str, Estimate] = {
    "manhattan-with-blank": _summed(_steps, blank=True),
    "blank-by-formula-python": _blank_by_formula(truncates=False),
    "blank-by-formula-c": _blank_by_formula(truncates=True),
    "misplaced-with-blank": _summed(_is_misplaced, blank=True),
    "manhattan-without-last": _without_tile(-1),
    "manhattan-without-first": _without_tile(1),
    "manhattan-rows-columns": _summed(lambda r, c, to_r, to_c: abs(r - to_c) + abs(c - to_r)),
    "rows-only": _summed(lambda r, c, to_r, to_c: abs(r - to_r)),
    "columns-only": _summed(lambda r, c, to_r, to_c: abs(c - to_c)),
    "manhattan-sign": _summed(lambda r, c, to_r, to_c: abs(r - to_r + c - to_c)),
    "chebyshev": _summed(lambda r, c, to_r, to_c: max(abs(r - to_r), abs(c - to_c))),
    "euclidean": _summed(lambda r, c, to_r, to_c: math.hypot(r - to_r, c - to_c)),
    "squared": _summed(lambda r, c, to_r, to_c: (r - to_r) ** 2 + (c - to_c) ** 2),
    "index-distance": _index_distance,
    "counts-at-home": _summed(_is_at_home),
    "counts-cells-at-home": _summed(_is_at_home, blank=True),
    "misplaced-not-manhattan": MISPLACED,
    "manhattan-not-misplaced": MANHATTAN,
    "inversions": _inversions,
    "manhattan-blank-last-goal": _to_goal(MANHATTAN, blank_first=False),
    "manhattan-blank-first-goal": _to_goal(MANHATTAN, blank_first=True),
    "misplaced-blank-last-goal": _to_goal(MISPLACED, blank_first=False),
    "misplaced-blank-first-goal": _to_goal(MISPLACED, blank_first=True),
    "h-is-zero": lambda cells, goal, cols: 0,
}
"""Mistaken estimates, by the key of the mistake or its `code` in the table."""

SUCCESSORS: Mapping[str, Successors] = {
    "wraps-at-row-ends": _wraps(1, -1),
    "around-the-board": _around,
    "short-of-border": _never("rd", into_border=True),
    "short-of-last-column": _never("r", into_border=True),
    "short-of-last-row": _never("d", into_border=True),
    "short-of-first-column": _never("l", into_border=True),
    "short-of-first-row": _never("u", into_border=True),
    "wraps-at-right-ends": _wraps(1),
    "wraps-at-left-ends": _wraps(-1),
    "never-up": _never("u"),
    "never-down": _never("d"),
    "never-left": _never("l"),
    "never-right": _never("r"),
}
"""Mistaken neighbour cells, by the key of the mistake."""

CODE: Mapping[str, Mapping[str, Any]] = {
    **{key: {"h": estimate} for key, estimate in ESTIMATES.items()},
    **{key: {"ways": ways} for key, ways in SUCCESSORS.items()},
    "weight-on-g": {"rank": lambda weight: (weight.numerator, weight.denominator)},
    "g-not-updated": {"g": lambda search, parent: search.g[parent]},
    "g-always-one": {"g": lambda search, parent: 1},
    "g-adds-h": {"g": lambda search, parent: search.g[parent] + search.h[parent] + 1},
    "g-counts-expansions": {"g": lambda search, parent: search.expanded},
    "other-goal-first": {"goal": blank_first_goal},
    "other-goal-last": {"goal": standard_goal},
    "sorted-too-early": {"queue": partial(SortedTooEarly, from_end=True)},
    "sorted-too-early-from-front": {"queue": partial(SortedTooEarly, from_end=False)},
}
"""Fields of `Change` that the table cannot hold, by the key of the mistake."""


class Habit(NamedTuple):
    """A harmless variant of a search: its switches and a description."""

    switches: Mapping[str, str]
    words: Message

    @property
    def key(self) -> str:
        """Return its name, for example `turn=nodes,meeting=taken`."""
        return ",".join(f"{name}={value}" for name, value in self.switches.items())


class Counting(NamedTuple):
    """A way of counting: the value `other` of the count `of`, for example `expanded+1`.

    With `beside` as `goal` it applies only if the convention counts the goal as expanded, with
    `no goal` only if it does not.
    """

    key: str
    of: str
    other: str
    beside: str = ""


@cache
def table() -> dict[str, Any]:
    """Return `mistakes.toml`."""
    import tomllib  # imported here, as only a check with a difference needs it

    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


@cache
def wrong_searches() -> tuple[WrongSearch, ...]:
    """Return all mistakes, in the order of preference for equal explanations."""
    return tuple(
        _wrong_search(key, {**row, **way})
        for key, row in table()["mistake"].items()
        for way in row.get("each", [{}])
    )


def _wrong_search(key: str, row: Mapping[str, Any]) -> WrongSearch:
    code = row.get("code", key)
    searches = row.get("searches", "estimating" if code in ESTIMATES else "every")
    change = {each.name: row[each.name] for each in fields(Change) if each.name in row}
    if "rank" in change:
        change["rank"] = tuple(change["rank"])
    return WrongSearch(
        **vars(catalogue()[key]),
        algorithms=GROUPS[searches] if isinstance(searches, str) else tuple(searches),
        change=Change(**change, **CODE.get(code, {})),
        heuristic=row.get("heuristic", ""),
        harmless=row.get("harmless", False),
    )


def mistakes(algorithm: str, heuristic: str | None) -> list[WrongSearch]:
    """Return the mistakes possible in a search."""
    return [one for one in wrong_searches() if one.fits(algorithm, heuristic)]


@cache
def habits(algorithm: str) -> tuple[Habit, ...]:
    """Return the harmless habits of a search that is not best-first.

    No habit loses the shortest path.
    """
    return tuple(
        Habit(one["switches"], as_message(" ".join(one["words"].split())))
        for row in table()["habits"]
        if algorithm in row["searches"]
        for one in row["each"]
    )


def counting(
    name: str, yours: int, counts: Mapping[str, int], *, counts_goal: bool = False
) -> Counting | None:
    """Return the way of counting that explains a single wrong count, or None.

    `counts_goal` is True if `counts` has the goal among the expanded nodes.

    >>> counting("expanded", 11, {"expanded": 10, "generated": 20}).key
    'counts-goal'
    """
    if name not in counts:
        return None
    ways = (Counting(**row) for row in table()["counting"] if row["of"] == name)
    beside = ("", "goal" if counts_goal else "no goal")
    fitting = (way for way in ways if way.beside in beside)
    return next((way for way in fitting if _other(way.other, counts) == yours), None)


def _other(text: str, counts: Mapping[str, int]) -> int | None:
    """Return a count with an offset, for example `expanded+1`."""
    name, sign, number = text.partition("+") if "+" in text else text.partition("-")
    return counts[name] + int(f"{sign}{number or 0}") if name in counts else None


class WrongPath(NamedTuple):
    """A mistake in a path: `letters` stand for U, D, L and R, or it `lacks` a move."""

    key: str
    letters: tuple[str, ...] = ()
    reversed: bool = False
    lacks: str = ""

    def repaired(self, moves: str) -> Iterator[str]:
        """Yield the possible paths without the mistake."""
        for letters in self.letters:
            path = moves.translate(str.maketrans("UDLR", letters))
            yield path[::-1] if self.reversed else path
        if self.lacks:
            yield from (way + moves if self.lacks == "first" else moves + way for way in "UDLR")


def wrong_paths() -> list[WrongPath]:
    """Return the mistakes in paths."""
    return [WrongPath(**row) for row in table()["path"]]


NOTEBOOKS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "notebook-iddfs": ("iddfs", {"visited": "made", "first": "one"}),
    "notebook-rbfs": (
        "rbfs",
        {"back": "none", "stored": "own", "returned": "lost", "root": "h"},
    ),
}
"""Algorithm and switches of the notebooks' conventions that have their own search."""


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
