"""What a check of a heuristic on all boards has found: it loads no numpy, so that it can be sent to
a process that has none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from slidewise.puzzle import Board


class Excess(NamedTuple):
    """A board whose h is above its distance: a counter-example to "admissible"."""

    board: Board
    h: int
    distance: int


class Jump(NamedTuple):
    """A board and one a move away whose h is lower by more than 1: not consistent."""

    board: Board
    h: int
    after: Board
    h_after: int


class Count(NamedTuple):
    """How many boards at a distance have the estimate `h`."""

    h: int
    boards: int


@dataclass(frozen=True)
class HeuristicCheck:
    """What holds for a heuristic on all `boards` boards that can reach a goal.

    `above` of them have an h above their distance: of those `first` is nearest to the goal, and
    the h of `worst` is farthest off. `jumps` is the number of pairs of neighbours whose h differs
    by more than 1, with the first and the worst of them likewise. `at_goal` is h of the goal.
    `counts` has, for each distance from 0 on, the estimates that occur, the lowest first.
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
        """Return whether h is never above the true distance."""
        return not self.above

    @property
    def consistent(self) -> bool:
        """Return whether a move changes h by at most 1, and h is 0 at the goal."""
        return not self.jumps and not self.at_goal

    @property
    def mean_h(self) -> float:
        """Return the mean estimate of all boards."""
        total = sum(count.h * count.boards for counts in self.counts for count in counts)
        return total / self.boards

    @property
    def mean_distance(self) -> float:
        """Return the mean distance of all boards."""
        boards_at = (sum(count.boards for count in counts) for counts in self.counts)
        return sum(distance * boards for distance, boards in enumerate(boards_at)) / self.boards

    @property
    def highest(self) -> int:
        """Return the greatest estimate."""
        return max(counts[-1].h for counts in self.counts if counts)
