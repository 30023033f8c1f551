"""Is a heuristic admissible, is it consistent? All boards of a size are looked at, up to 10 cells.

Importing this module loads neither numpy nor numba; the first check does.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from slidewise.solver.find import find_fitting_heuristic
from slidewise.solver.own.heuristic import MARK, is_own
from slidewise.solver.tables.exact import UNREACHABLE, exact_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle import Board

KEPT = 32
"""So many checks are remembered in a process."""


class Excess(NamedTuple):
    """A board whose h is above its distance: a counter-example to "admissible"."""

    board: Board
    h: int
    distance: int


class Jump(NamedTuple):
    """A board and one a move away, whose h is lower by more than 1: not consistent."""

    board: Board
    h: int
    after: Board
    h_after: int


class Count(NamedTuple):
    """How many boards at a distance have an estimate."""

    h: int
    boards: int


@dataclass(frozen=True)
class Check:
    """What holds for the heuristic `key` on all `boards` boards that can reach `goal`.

    `above` of them have an h above their distance: of those `first` is nearest to the goal and
    `worst` farthest off. `jumps` is the number of pairs of neighbours whose h differs by more
    than 1, with the first and the worst of them alike. `at_goal` is h of the goal. `counts` has,
    for each distance from 0 on, the estimates that occur, the lowest first.
    """

    key: str
    goal: Board
    boards: int
    above: int
    first: Excess | None
    worst: Excess | None
    jumps: int
    first_jump: Jump | None
    worst_jump: Jump | None
    at_goal: int
    counts: tuple[tuple[Count, ...], ...]

    @property
    def admissible(self) -> bool:
        """Return whether h is never above the true distance."""
        return not self.above

    @property
    def consistent(self) -> bool:
        """Return whether a move changes h by at most 1, and h is 0 at the goal."""
        return not self.jumps and not self.at_goal

    @property
    def mean_h(self) -> float:
        """Return the mean estimate of all boards."""
        return sum(h * boards for of_one in self.counts for h, boards in of_one) / self.boards

    @property
    def mean_distance(self) -> float:
        """Return the mean distance of all boards."""
        of_each = (sum(count.boards for count in of_one) for of_one in self.counts)
        return sum(distance * boards for distance, boards in enumerate(of_each)) / self.boards

    @property
    def highest(self) -> int:
        """Return the greatest estimate."""
        return max(count.h for of_one in self.counts for count in of_one)


@functools.lru_cache(maxsize=KEPT)
def check(key: str, goal: Board) -> Check:
    """Return what holds for a heuristic on all boards that can reach `goal`.

    `key` is one of the registry or, after `=`, an expression. 3x3 takes some tenths of a second,
    10 cells some seconds.

    >>> from slidewise import standard_goal
    >>> found = check("=manhattan_with_blank", standard_goal(2, 3))
    >>> found.admissible, found.consistent, found.boards, found.above
    (False, False, 360, 60)
    >>> str(found.first.board), found.first.h, found.first.distance
    ('1.2.3-4.0.5', 2, 1)

    Raises `UnknownNameError` and `ExpressionError`, and above 10 cells `UnfitHeuristicError` or
    `TooManyCellsError`.
    """
    import numpy as np

    values, distances = values_of(key, goal), exact_table(goal).values
    reached = distances != UNREACHABLE
    h, distance = values[reached].astype(np.int64), distances[reached].astype(np.int64)
    above = np.flatnonzero(reached & (values > distances))
    excess = values[above].astype(np.int64) - distances[above]
    jumps = _Jumps(goal, values)
    jumps.look()
    return Check(
        key=key,
        goal=goal,
        boards=len(h),
        above=len(above),
        first=_excess(goal, values, above, distances[above].astype(np.int64)),
        worst=_excess(goal, values, above, -excess),
        jumps=jumps.found,
        first_jump=jumps.jump(jumps.first),
        worst_jump=jumps.jump(jumps.worst),
        at_goal=int(values[exact_table(goal).number(goal)]),
        counts=tuple(_counts(distance, h)),
    )


def values_of(key: str, goal: Board) -> Any:
    """Return h of each board at its number in an `ExactTable`, 255 where it cannot reach the goal.

    Raises as `check` does.
    """
    from slidewise.solver.own.evaluate import tabulate

    entry = find_fitting_heuristic(key, *goal.size)
    text = entry.key.removeprefix(MARK) if is_own(key) else key.replace("-", "_")
    return tabulate(text, goal)


def _counts(distance: Any, h: Any) -> Iterator[tuple[Count, ...]]:
    """Yield the estimates of the boards at each distance."""
    import numpy as np

    width = int(h.max()) + 1
    joint = np.bincount(distance * width + h, minlength=(int(distance.max()) + 1) * width)
    for row in joint.reshape(-1, width):
        yield tuple(Count(int(at), int(row[at])) for at in np.flatnonzero(row))


def _excess(goal: Board, values: Any, above: Any, rank: Any) -> Excess | None:
    """Return the board of lowest rank of those numbered `above`."""
    if not len(above):
        return None
    number = int(above[rank.argmin()])
    table = exact_table(goal)
    return Excess(table.board(number), int(values[number]), int(table.values[number]))


class _Jumps:
    """Looks at all pairs of neighbours for a difference of more than 1.

    `first` and `worst` are (rank, number, number after), those of the pair with the lowest rank.
    """

    def __init__(self, goal: Board, values: Any) -> None:
        self._goal, self._values = goal, values
        self.found = 0
        self.first: tuple[int, int, int] | None = None
        self.worst: tuple[int, int, int] | None = None

    def look(self) -> None:
        """Go through the pairs: for each cell of the blank those with the next, and the below."""
        from slidewise.solver.tables.blocks import blocks, sequences

        rows, cols = self._goal.size
        size = sequences(rows * cols - 1).shape[1]
        for block in blocks(self._goal):
            if block.blank % cols < cols - 1:
                self._compare(block.numbers, block.numbers - size)
            if block.blank < (rows - 1) * cols:
                tile = block.blank + cols - 1  # its place in the sequence, below the blank
                order = list(range(rows * cols - 1))
                order.insert(block.blank, order.pop(tile))
                first = (rows * cols - 1 - block.blank - cols) * size
                self._compare(block.numbers, first + _places(block.sequence[order]))

    def jump(self, pair: tuple[int, int, int] | None) -> Jump | None:
        """Return a pair with its boards, the one with the greater h first."""
        if pair is None:
            return None
        table = exact_table(self._goal)
        _, *numbers = pair
        here, there = sorted(numbers, key=lambda number: -int(self._values[number]))
        return Jump(
            table.board(here), int(self._values[here]), table.board(there), int(self._values[there])
        )

    def _compare(self, here: Any, there: Any) -> None:
        import numpy as np

        change = np.abs(self._values[here].astype(np.int64) - self._values[there])
        wrong = np.flatnonzero(change > 1)
        if not len(wrong):
            return
        self.found += len(wrong)
        here, there = here[wrong], there[wrong]
        distances = exact_table(self._goal).values
        nearest = np.minimum(distances[here], distances[there]).astype(np.int64)
        self.first = _lower(self.first, nearest, here, there)
        self.worst = _lower(self.worst, -change[wrong], here, there)


def _lower(
    known: tuple[int, int, int] | None, rank: Any, here: Any, there: Any
) -> tuple[int, int, int]:
    """Return the pair with the lowest rank: the one that is known, or one of these."""
    at = rank.argmin()
    found = int(rank[at]), int(here[at]), int(there[at])
    return found if known is None or found[0] < known[0] else known


def _places(sequence: Any) -> Any:
    """Return the places of sequences, one in each column, in the lexicographic order of all."""
    import numpy as np

    place = np.zeros(sequence.shape[1], dtype=np.int64)
    for first, slots in enumerate(sequence):
        smaller = np.zeros_like(place)
        for later in sequence[first + 1 :]:
            smaller += later < slots
        place = place * (len(sequence) - first) + smaller
    return place
