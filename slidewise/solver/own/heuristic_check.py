"""The result of checking a heuristic on all boards.

The web process reads it from its helpers, so this module loads no numpy: `evaluate` does.
"""

from dataclasses import dataclass
from typing import NamedTuple

from slidewise.puzzle import Board


class Excess(NamedTuple):
    """A board whose h is above its distance: a counter-example to "admissible"."""

    board: Board
    h: int
    distance: int


class Jump(NamedTuple):
    """A board and a neighbour whose h is lower by more than 1, which disproves consistency."""

    board: Board
    h: int
    after: Board
    h_after: int


class Count(NamedTuple):
    """Number of boards at a distance with the estimate `h`."""

    h: int
    boards: int


@dataclass(frozen=True)
class HeuristicCheck:
    """Properties of a heuristic on all `boards` boards that can reach a goal.

    `above` boards overestimate. `first` is the nearest of these to the goal, and `worst` has the
    largest error. `jumps` is the number of neighbour pairs whose h differs by more than 1, also
    with its first and worst pair. `at_goal` is h of the goal. `counts` lists the occurring
    estimates of each distance from 0 on, lowest first.
    """

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
        """Whether h never exceeds the true distance."""
        return not self.above

    @property
    def consistent(self) -> bool:
        """Whether a move changes h by at most 1 and h is 0 at the goal."""
        return not self.jumps and not self.at_goal

    @property
    def mean_h(self) -> float:
        """Mean estimate of all boards."""
        total = sum(count.h * count.boards for counts in self.counts for count in counts)
        return total / self.boards

    @property
    def mean_distance(self) -> float:
        """Mean distance of all boards."""
        boards_at = (sum(count.boards for count in counts) for counts in self.counts)
        return sum(distance * boards for distance, boards in enumerate(boards_at)) / self.boards

    @property
    def highest(self) -> int:
        """Greatest estimate."""
        return max(counts[-1].h for counts in self.counts if counts)
