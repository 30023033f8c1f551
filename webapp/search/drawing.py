"""Drawing a puzzle from a seed, of an exact difficulty if wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webapp.puzzle import Puzzle, PuzzleError, scramble
from webapp.puzzle.scramble import below, check_seed, goal_of_size, numbers
from webapp.search.exact import MOST_CELLS, TooManyCellsError, exact_table

if TYPE_CHECKING:
    from webapp.puzzle import Board


def draw(
    rows: int, cols: int, seed: str, moves: int | None = None, goal: Board | None = None
) -> Puzzle:
    """Return a puzzle drawn with `seed`: what `scramble` draws, or one of `moves` moves.

    With `moves` it is drawn uniformly from the boards whose shortest solution has exactly so
    many. They stand in the order of their numbers (`webapp/search/exact.py`), and the number of
    the one that is taken comes from the SHA-256 of the seed, so a seed means the same puzzle on
    every machine and in every version. The goal is the standard one unless `goal` is given.

    >>> puzzle = draw(3, 3, "7", moves=31)
    >>> str(puzzle.start) in ("8.6.7-2.5.4-3.0.1", "6.4.7-8.5.0-3.2.1")
    True

    Raises `InvalidBoardError` for a size outside 2 to 10 and for a goal of another size,
    `TooManyCellsError` for `moves` above 10 cells, `PuzzleError` for a longer seed than 64
    characters and where no board needs so many moves.
    """
    if moves is None:
        return scramble(rows, cols, seed, goal)
    check_seed(seed)
    goal = goal_of_size(rows, cols, goal)
    if rows * cols > MOST_CELLS:
        raise TooManyCellsError(
            f"an exact number of moves can be asked for up to {MOST_CELLS} cells, "
            f"and a {rows}x{cols} board has {rows * cols}"
        )
    if moves < 1:
        raise PuzzleError(f"a puzzle needs at least 1 move, got {moves}")
    table = exact_table(goal)
    if moves > table.diameter:
        raise PuzzleError(
            f"no {rows}x{cols} board needs more than {table.diameter} moves to {goal}"
        )
    draws = numbers(f"slidewise draw 1|{rows}x{cols}|{moves}|{seed}")
    return Puzzle(table.nth_at(moves, below(table.counts[moves], draws)), goal)
