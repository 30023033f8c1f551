"""What is known of the way from a board to the goal: how many moves at best, and the first."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from webapp.puzzle import PuzzleError
from webapp.search.exact import MOST_CELLS, exact_table
from webapp.search.limits import Limits, nodes_within
from webapp.search.registry import find_heuristic
from webapp.search.run import solve
from webapp.search.verdict import LowerBound

if TYPE_CHECKING:
    from webapp.puzzle import Board, Puzzle
    from webapp.search.result import Result

MOST_SEARCHED = 16
"""The cells of the largest boards whose shortest way is searched for; larger ones hardly ever
tell theirs in time, and any way has to do."""

MOST_ALONG = 100
"""So many boards on a way are told of, at the most."""

MOST_BYTES = 100 * 2**20
"""What the nodes of a search may take."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is known of the shortest way from a board to the goal.

    It has `at_least` so many moves. The best way known has `length` moves, the first of which
    moves `tile`; both are None without one, and `tile` is None at the goal.
    """

    at_least: int
    length: int | None = None
    tile: int | None = None

    @property
    def exact(self) -> bool:
        """Return whether the best way known is a shortest."""
        return self.at_least == self.length


def moves_at_least(puzzle: Puzzle) -> int:
    """Return a number of moves that every solution needs, found without a search.

    >>> from webapp.puzzle import parse_puzzle
    >>> moves_at_least(parse_puzzle("3.2.1-4.5.6-7.8.0"))
    8
    """
    bound = LowerBound(puzzle)
    bound.raise_to(find_heuristic("linear-conflict").value(puzzle.start, puzzle.goal))
    return bound.moves


def look_ahead(puzzle: Puzzle, seconds: float) -> dict[Board, Ahead]:
    """Return what is known of the start of `puzzle`, and of boards on the way to the goal.

    Up to 10 cells the exact table tells it, of the start alone; for larger boards it is searched
    for, which takes up to about `seconds`.

    >>> from webapp.puzzle import parse_puzzle
    >>> puzzle = parse_puzzle("1.2.3-4.0.6-7.5.8")
    >>> look_ahead(puzzle, 1)[puzzle.start]
    Ahead(at_least=2, length=2, tile=5)

    Raises `PuzzleError` where the goal cannot be reached.
    """
    if not puzzle.solvable:
        raise PuzzleError(f"{puzzle.start} cannot reach {puzzle.goal}")
    if len(puzzle.start.cells) <= MOST_CELLS:
        table = exact_table(puzzle.goal)
        tiles = table.next_tiles(puzzle.start)
        distance = table.distance(puzzle.start)
        return {puzzle.start: Ahead(distance or 0, distance, tiles[0] if tiles else None)}
    result = _searched(puzzle, seconds)
    return _along(result, max(result.lower_bound or 0, moves_at_least(puzzle)))


def _searched(puzzle: Puzzle, seconds: float) -> Result:
    """Return the result of a search that has a path, if only a good one, when its time is up."""
    room = nodes_within(MOST_BYTES, len(puzzle.start.cells))
    limits = Limits(seconds=seconds, stored_nodes=room)
    key = "best" if len(puzzle.start.cells) <= MOST_SEARCHED else "greedy"
    return solve(puzzle, key, "linear-conflict", limits)


def _along(result: Result, at_least: int) -> dict[Board, Ahead]:
    """Return what a result tells of the first boards on its path, where it has one: a board
    that is n moves on needs at most n moves less."""
    start = result.puzzle.start
    if result.length is None:
        return {start: Ahead(at_least)}
    boards = [start, *(step.board for step in islice(result.steps(), MOST_ALONG))]
    tiles = [*result.tiles[: len(boards)], None][: len(boards)]
    return {
        board: Ahead(max(0, at_least - n), result.length - n, tile)
        for n, (board, tile) in enumerate(zip(boards, tiles, strict=True))
    }
