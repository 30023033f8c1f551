"""The fewest slides that solve a puzzle, where a whole line of tiles counts 1."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.limits import Limits
from slidewise.solver.tables.exact import TooManyCellsError
from slidewise.solver.tables.slides import SlideTable
from slidewise.solver.task import never

if TYPE_CHECKING:
    from collections.abc import Callable

    from slidewise.puzzle import Puzzle

DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class FewestSlides:
    """A solution of `puzzle` in few slides, and how few there must be.

    A slide moves all tiles from the blank up to a tile of its row or column, and counts 1 however
    many they are: the multi-tile metric. `tiles` has the last tile of each slide, the farthest
    from the blank; `moves` are the same as single moves, `U`, `D`, `L` and `R`. No solution has
    fewer than `lower_bound` slides; `reason` says why, or what stopped the search. `expanded`
    boards were looked at in `seconds`.

    `slides`, `tiles` and `moves` are None where no solution is known, and `lower_bound` too where
    there is none.
    """

    puzzle: Puzzle
    slides: int | None
    lower_bound: int | None
    tiles: tuple[int, ...] | None
    moves: str | None
    reason: str
    expanded: int = 0
    seconds: float = 0.0

    @property
    def is_proved(self) -> bool:
        """Return whether no solution has fewer slides than this one."""
        return self.slides is not None and self.slides == self.lower_bound

    def as_json(self) -> dict[str, Any]:
        """Return all of it as JSON has it."""
        return {
            "puzzle": str(self.puzzle),
            "slides": self.slides,
            "lower_bound": self.lower_bound,
            "proved": self.is_proved,
            "tiles": None if self.tiles is None else list(self.tiles),
            "moves": self.moves,
            "reason": self.reason,
            "expanded": self.expanded,
            "seconds": round(self.seconds, 3),
        }


def fewest_slides(
    puzzle: Puzzle,
    limits: Limits = DEFAULT_LIMITS,
    *,
    cancelled: Callable[[], bool] = never,
) -> FewestSlides:
    """Return a solution of `puzzle` in the fewest slides.

    Up to 10 cells it is read from a table of all boards, and no limit is needed. On 3x3 no board
    needs more than 24 slides.

    >>> from slidewise import parse_puzzle
    >>> found = fewest_slides(parse_puzzle("8.6.7-2.5.4-3.0.1"))
    >>> found.slides, found.is_proved, len(found.moves)
    (20, True, 31)
    >>> fewest_slides(parse_puzzle("1.2.3-4.5.6-0.7.8")).tiles
    (8,)

    Raises `TooManyCellsError` for sizes that `can_be_slid` does not know.
    """
    if not can_be_slid(puzzle.rows, puzzle.cols):
        raise TooManyCellsError(
            "the fewest slides can be found for 3x4, 4x3 and 4x4 and for boards of up to "
            f"{TABLE_CELLS} cells, not for {puzzle.rows}x{puzzle.cols}"
        )
    if not puzzle.solvable:
        return FewestSlides(puzzle, None, None, None, None, puzzle.parity.explain())
    return _by_table(puzzle)


def can_be_slid(rows: int, cols: int) -> bool:
    """Return whether `fewest_slides` takes boards of this size.

    >>> can_be_slid(4, 4), can_be_slid(3, 5)
    (True, False)
    """
    return rows * cols <= TABLE_CELLS or {rows, cols} <= {3, 4}


def _by_table(puzzle: Puzzle) -> FewestSlides:
    table = SlideTable(puzzle.goal)
    return _found(puzzle, table.path(puzzle.start), "read from the table of all boards")


def _found(puzzle: Puzzle, blanks: list[int], reason: str) -> FewestSlides:
    """Return the solution whose blank stands in `blanks` after each slide, as one that is
    proved."""
    board, tiles, moves = puzzle.start, [], ""
    for _, cell in pairwise(blanks):
        tiles.append(board.cells[cell])
        line = board.line(tiles[-1])
        for direction in line:
            board = board.move(direction)
        moves += line
    return FewestSlides(puzzle, len(tiles), len(tiles), tuple(tiles), moves, reason)
