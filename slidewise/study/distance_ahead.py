"""Distance from a board to the goal, and the next move of the best known solution."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slidewise.puzzle import PuzzleError
from slidewise.solver.engines.constructive import constructive_path
from slidewise.solver.known import moves_at_least
from slidewise.solver.run import find_heuristic, solve
from slidewise.solver.tables.exact import packed_distance, packed_next_tile
from slidewise.solver.task import Limits, nodes_within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.result import Result

SEARCH_CELLS = 16
"""Maximum cells for the search for a shortest solution. On larger boards it seldom ends in time,
and any solution will do."""

BEST_METHOD = "IDA* with pattern databases"
"""Search that proves the distance for `best`, up to `SEARCH_CELLS`."""

BOARDS_ALONG_WAY = 100
"""Maximum boards described along a solution, in preparation for the next hints."""

SEARCH_BYTES = 100 * 2**20
"""Memory for the nodes of a search; a server runs several searches at a time."""


@dataclass(frozen=True, slots=True)
class DistanceAhead:
    """Knowledge of the shortest solution from a board: `at_least` is a lower bound in moves.

    The best known solution has `length` moves and starts with `tile`. Both are None if no solution
    is known, and `tile` is None at the goal. With `by_hand` the solution was constructed without a
    search. `method` is the title of the search that gave the result, or "".
    """

    at_least: int
    length: int | None = None
    tile: int | None = None
    by_hand: bool = field(default=False, repr=False)
    method: str = field(default="", repr=False, compare=False)

    @property
    def exact(self) -> bool:
        """Return whether the best known solution is proved shortest."""
        return self.at_least == self.length


def estimate(puzzle: Puzzle, heuristic: str) -> int:
    """Return the estimate of `heuristic`, a registry key, for the start of `puzzle`.

    >>> from slidewise import parse_puzzle
    >>> estimate(parse_puzzle("3.2.1-4.5.6-7.8.0"), "manhattan")
    4
    """
    return find_heuristic(heuristic).value(puzzle.start, puzzle.goal)


def estimate_all(boards: Sequence[Board], goal: Board, heuristic: str) -> list[int]:
    """Return the estimates of `heuristic`, a registry key, for some boards.

    >>> from slidewise import standard_goal
    >>> goal = standard_goal(3, 3)
    >>> estimate_all([goal, goal.move("D")], goal, "manhattan")
    [0, 1]
    """
    chosen = find_heuristic(heuristic)
    return [chosen.value(board, goal) for board in boards]


def look_ahead(puzzle: Puzzle, seconds: float) -> dict[Board, DistanceAhead]:
    """Return the distance of the start of `puzzle`, and of the boards along its best solution.

    Searches up to about `seconds`.

    >>> from slidewise import parse_puzzle
    >>> puzzle = parse_puzzle("1.2.3-4.0.6-7.5.8")
    >>> look_ahead(puzzle, 1)[puzzle.start]
    DistanceAhead(at_least=2, length=2, tile=5)

    Raises `PuzzleError` if the goal cannot be reached.
    """
    if puzzle.start == puzzle.goal:
        return {puzzle.start: DistanceAhead(0, 0)}
    if not puzzle.solvable:
        raise PuzzleError(f"{puzzle.start} cannot reach {puzzle.goal}")
    room = nodes_within(SEARCH_BYTES, len(puzzle.start.cells))
    return along(solve(puzzle, "best", None, Limits(seconds=seconds, stored_nodes=room)))


def look_up(puzzle: Puzzle, packed: bytes) -> DistanceAhead:
    """Return the distance of the start of a solvable `puzzle` from `packed`, the `packed_distances`
    to the goal.

    It takes microseconds, without NumPy. It is not cached, because a cache would keep tables alive.
    """
    distance = packed_distance(puzzle, packed)
    return DistanceAhead(distance, distance, packed_next_tile(puzzle, packed))


def constructive_hint(puzzle: Puzzle) -> DistanceAhead:
    """Return a solution constructed tile by tile: much longer than the shortest, in milliseconds.

    A player who follows a new hint after each move reaches the goal in `length` moves.

    >>> from slidewise import parse_puzzle
    >>> constructive_hint(parse_puzzle("1.2.3-4.0.6-7.5.8"))
    DistanceAhead(at_least=2, length=2, tile=5)

    Raises `PuzzleError` if the goal cannot be reached.
    """
    if not puzzle.solvable:
        raise PuzzleError(f"{puzzle.start} cannot reach {puzzle.goal}")
    blanks = constructive_path(puzzle)
    tile = puzzle.start.cells[blanks[1]] if len(blanks) > 1 else None
    return DistanceAhead(moves_at_least(puzzle), len(blanks) - 1, tile, by_hand=True)


def along(result: Result) -> dict[Board, DistanceAhead]:
    """Return the distances of the first boards of a solution: after n moves, n moves less."""
    method = BEST_METHOD if result.algorithm == "best" else result.method
    return along_path(result.puzzle, result.tiles, result.lower_bound or 0, method)


def along_path(
    puzzle: Puzzle, tiles: Sequence[int], at_least: int, method: str
) -> dict[Board, DistanceAhead]:
    """Return the distances of the first boards on a path to the goal, by its moved tiles. `method`
    proved the lower bound `at_least`."""
    board, found = puzzle.start, {}
    at_least = max(at_least, moves_at_least(puzzle))
    for n, tile in enumerate(tiles[:BOARDS_ALONG_WAY]):
        found[board] = DistanceAhead(max(0, at_least - n), len(tiles) - n, tile, method=method)
        board = board.slide(tile)
    return found
