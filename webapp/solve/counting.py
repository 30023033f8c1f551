"""How many shortest solutions there are, beside one of them: its forced moves, and its slides."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from slidewise.puzzle.moves import tiles_moved
from slidewise.solver.fewest_slides import can_be_slid
from slidewise.study.shortest_solutions import COUNTED_CELLS
from webapp.http.visitor import this_visitor
from webapp.workers.board_questions import BoardQuestions
from webapp.workers.services import service

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise import FewestSlides, Puzzle


@dataclass(frozen=True, slots=True)
class MovesInRow:
    """A move of a shortest solution with the tiles that could move instead, or some that follow
    each other and are forced."""

    first: int
    tiles: tuple[int, ...]
    instead: tuple[int, ...] = ()

    @property
    def last(self) -> int:
        """Return the number of the last move."""
        return self.first + len(self.tiles) - 1


@dataclass(frozen=True, slots=True)
class Counted:
    """The answer for a page: `found` as `counted` of the library tells it, the rows of this
    solution, its slides and the fewest.

    There are no rows where this solution is none of the shortest, or they were not counted.
    """

    found: dict[str, Any]
    rows: tuple[MovesInRow, ...]
    slides: int
    fewest: FewestSlides | None

    @property
    def forced(self) -> int:
        """Return how many moves are forced."""
        return sum(len(row.tiles) for row in self.rows if not row.instead)


def can_be_counted(puzzle: Puzzle) -> bool:
    """Return whether the shortest solutions of a puzzle can be counted at all."""
    return puzzle.rows * puzzle.cols <= COUNTED_CELLS


def counted(puzzle: Puzzle, moves: str) -> Counted:
    """Return the answer for the solution `moves`; raises `Busy`."""
    questions, visitor = service(BoardQuestions), this_visitor().name
    found = questions.shortest(puzzle, moves, visitor)
    rows = tuple(_rows(puzzle, moves, found))
    found = found or questions.shortest(puzzle, None, visitor)
    slidable = can_be_slid(puzzle.rows, puzzle.cols)
    fewest = questions.slides(puzzle, visitor) if slidable else None
    return Counted(found, rows, sum(1 for _ in groupby(moves)), fewest)


def _rows(puzzle: Puzzle, moves: str, found: dict[str, Any]) -> Iterator[MovesInRow]:
    steps = found.get("steps") or ()
    made = zip(steps, tiles_moved(puzzle.start, moves), strict=False)
    for forced, group in groupby(enumerate(made, 1), lambda one: one[1][0]["forced"]):
        numbered = list(group)
        if forced:
            yield MovesInRow(numbered[0][0], tuple(tile for _, (_, tile) in numbered))
            continue
        for number, (step, tile) in numbered:
            instead = tuple(other for other in map(int, step["solutions"]) if other != tile)
            yield MovesInRow(number, (tile,), instead)
