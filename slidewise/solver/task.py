"""What a search is given, and how what it found becomes a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from slidewise.solver.estimate import Estimate
from slidewise.solver.result import Cost, Result, Status
from slidewise.solver.weights import EXACT_DEFAULT

if TYPE_CHECKING:
    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.limits import Limits
    from slidewise.solver.registry import Algorithm, Heuristic
    from slidewise.solver.verdict import Verdict


def never() -> bool:
    """Return False: the search is not cancelled."""
    return False


@dataclass(frozen=True)
class Task:
    """A puzzle to solve, how, and within what limits.

    `heuristic` is None where the algorithm uses none. `weight` is for algorithms with that
    option. The first `trace` expansions are told as events. `cancelled` is asked many times a
    second, and the search ends once it says True.
    """

    puzzle: Puzzle
    algorithm: Algorithm
    heuristic: Heuristic | None
    limits: Limits
    weight: Fraction = EXACT_DEFAULT
    trace: int = 0
    cancelled: Callable[[], bool] = never

    @property
    def estimate(self) -> Estimate:
        """Return the heuristic for the goal; h is 0 where the algorithm uses none."""
        goal = self.puzzle.goal
        return self.heuristic.build(goal) if self.heuristic else Estimate(len(goal.cells), ())

    def with_heuristic(self, heuristic: Heuristic) -> Task:
        """Return the same task with another heuristic, without a trace."""
        return replace(self, heuristic=heuristic, trace=0)

    def with_facts(self) -> Task:
        """Return the same task with what is true of its heuristic for the goal of the puzzle."""
        if self.heuristic is None:
            return self
        return replace(self, heuristic=self.heuristic.for_goal(self.puzzle.goal))

    def result(
        self,
        status: Status,
        verdict: Verdict,
        lower_bound: int | None,
        cost: Cost,
        blanks: Sequence[int] = (),
    ) -> Result:
        """Return the result; `blanks` is the path, as the cells of the blank from start to goal."""
        moves, tiles = follow(self.puzzle.start, blanks)
        return Result(
            status=status,
            puzzle=self.puzzle,
            algorithm=self.algorithm.key,
            heuristic=self.heuristic.key if self.heuristic else None,
            weight=float(self.weight) if "weight" in self.algorithm.options else None,
            moves=moves,
            tiles=tiles,
            length=len(moves) if blanks else None,
            verdict=verdict,
            lower_bound=lower_bound,
            **asdict(cost),
        )


def follow(start: Board, blanks: Sequence[int]) -> tuple[str, tuple[int, ...]]:
    """Return the moves and the tiles moved when the blank goes through the cells `blanks`.

    >>> from slidewise.puzzle import parse_board
    >>> follow(parse_board("1.0.3-4.2.5"), [1, 4, 5])
    ('UL', (2, 5))
    """
    directions = {start.cols: "U", -start.cols: "D", 1: "L", -1: "R"}
    cells = list(start.cells)
    moves, tiles = [], []
    for blank, cell in pairwise(blanks):
        moves.append(directions[cell - blank])
        tiles.append(cells[cell])
        cells[blank], cells[cell] = cells[cell], 0
    return "".join(moves), tuple(tiles)
