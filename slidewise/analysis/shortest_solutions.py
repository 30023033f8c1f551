"""Number of shortest solutions of a puzzle, and their forced moves.

The boards on shortest solutions form layers: a board in layer g is g moves from the start. The
number of solutions from a board is the sum over its neighbours in the next layer.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from time import monotonic
from typing import Annotated, Any, TypedDict

from slidewise.json_schema import Count
from slidewise.puzzle import Board, Puzzle, PuzzleError
from slidewise.puzzle.moves import play, tiles_moved
from slidewise.solver.result import Proof
from slidewise.solver.run import solve
from slidewise.solver.tables.exact import TooManyCellsError, exact_table
from slidewise.solver.task import Limits, never
from slidewise.text import plural

DEFAULT_LIMITS = Limits()

COUNTED_CELLS = 16
"""Maximum cells for counting shortest solutions."""


BY_SEARCH = "found by a search through all boards that can be on one"
"""Title of the counting method above 10 cells."""


class NotShortestError(PuzzleError):
    """The moves are not a shortest solution."""


@dataclass(frozen=True, slots=True)
class FirstMoves:
    """A board on a shortest solution, and the first moves of shortest solutions from it.

    `solutions` maps each first tile to its number of solutions.
    """

    board: Board
    solutions: Mapping[int, int]

    @property
    def is_forced(self) -> bool:
        """Return whether all shortest solutions start with the same move."""
        return len(self.solutions) == 1


class StepJSON(TypedDict):
    """A step of a shortest solution as JSON values."""

    board: Annotated[str, "The board before the step."]
    solutions: Annotated[
        dict[str, Count],
        "For each tile that a shortest solution can begin with here, how many do.",
    ]
    forced: Annotated[bool, "Whether only one tile begins a shortest solution."]


class ShortestSolutionsJSON(TypedDict):
    """All shortest solutions as JSON values, with the steps of one."""

    puzzle: str
    length: Annotated[
        Count | None, "Moves of each; null if there is none, or it was not found in time."
    ]
    lower_bound: Annotated[
        Count | None, "Each has at least this many moves; null if there is none."
    ]
    count: Annotated[Count | None, "How many there are; null if they could not be counted in time."]
    boards: Annotated[
        Count | None,
        "How many boards are on them, with the start and the goal; null if that is not known.",
    ]
    reason: Annotated[str, "How they were counted, or why they were not."]
    moves: Annotated[
        str | None,
        "One of them, as the directions of the tiles; null if they were not counted.",
    ]
    steps: Annotated[list[StepJSON] | None, "The steps of `moves`."]


@dataclass(frozen=True)
class ShortestSolutions:
    """All shortest solutions of `puzzle`, in single moves, as far as known.

    `length` is the number of moves of each. `lower_bound` is equal to it, or a bound if a limit
    ended the search for the given `reason`. Both are None for an unsolvable puzzle. `first_moves`
    has the first moves of each board on them but the goal, None if incomplete.
    """

    puzzle: Puzzle
    length: int | None
    lower_bound: int | None
    first_moves: Mapping[Board, FirstMoves] | None = field(repr=False)
    reason: str

    @cached_property
    def count(self) -> int | None:
        """Return the number of solutions; 1 at the goal, None if unknown."""
        if self.first_moves is None:
            return 0 if not self.puzzle.solvable else None
        start = self.first_moves.get(self.puzzle.start)
        return sum(start.solutions.values()) if start else 1

    @property
    def boards(self) -> int | None:
        """Return the number of boards on them, start and goal included."""
        return None if self.first_moves is None else len(self.first_moves) + 1

    @property
    def moves(self) -> str | None:
        """Return the moves of a shortest solution, with the least tile at each choice."""
        if self.first_moves is None:
            return None
        board, moves = self.puzzle.start, ""
        while board != self.puzzle.goal:
            tile = min(self.first_moves[board].solutions)
            moves += board.direction_of(tile) or ""
            board = board.slide(tile)
        return moves

    def along(self, moves: str | None = None) -> tuple[FirstMoves, ...]:
        """Return the first moves of each board on a shortest solution, by default `self.moves`.

        Raises `NotShortestError` for moves that are not a shortest solution, and
        `InvalidMovesError` and `IllegalMoveError` for impossible moves.
        """
        if self.first_moves is None:
            return ()
        if moves is None:
            moves = self.moves or ""
        elif len(moves) != self.length or play(self.puzzle.start, moves) != self.puzzle.goal:
            raise NotShortestError(
                f"these moves are not a shortest solution, which ends at the goal after "
                f"{plural(self.length or 0, 'move')}"
            )
        found, board = [], self.puzzle.start
        for tile in tiles_moved(board, moves):
            found.append(self.first_moves[board])
            board = board.slide(tile)
        return tuple(found)

    def as_json(self, moves: str | None = None) -> ShortestSolutionsJSON:
        """Return the facts as JSON values, with the boards of `along(moves)`."""
        known = self.first_moves is not None
        way = moves if moves is not None else self.moves
        return {
            "puzzle": str(self.puzzle),
            "length": self.length,
            "lower_bound": self.lower_bound,
            "count": self.count,
            "boards": self.boards,
            "reason": self.reason,
            "moves": way if known else None,
            "steps": [
                {
                    "board": str(here.board),
                    "solutions": {str(tile): n for tile, n in here.solutions.items()},
                    "forced": here.is_forced,
                }
                for here in self.along(way)
            ]
            if known
            else None,
        }


def shortest_solutions(
    puzzle: Puzzle,
    limits: Limits = DEFAULT_LIMITS,
    *,
    cancelled: Callable[[], bool] = never,
) -> ShortestSolutions:
    """Return all shortest solutions of `puzzle`, counted in single moves.

    Up to 10 cells they are read from the table of all boards, without a limit. Above, a first
    search finds the length, and a second search all boards on them. On a random 4x4 that takes
    about a second. `seconds` limits both searches, `expansions` the first and `stored_nodes` the
    second.

    >>> from slidewise import parse_puzzle
    >>> found = shortest_solutions(parse_puzzle("8.6.7-2.5.4-3.0.1"))
    >>> found.length, found.count, found.boards
    (31, 40, 527)
    >>> [here.is_forced for here in found.along()][:8]
    [False, True, False, False, True, True, True, True]

    Raises `TooManyCellsError` above 16 cells.
    """
    if len(puzzle.goal.cells) > COUNTED_CELLS:
        raise TooManyCellsError(
            f"shortest solutions can be counted on boards of up to {COUNTED_CELLS} cells, such as "
            f"4x4, and {puzzle.rows}x{puzzle.cols} has more"
        )
    if not puzzle.solvable:
        return ShortestSolutions(puzzle, None, None, None, puzzle.parity.explain())
    return _by_table(puzzle) if puzzle.has_table else _by_search(puzzle, limits, cancelled)


def counted(puzzle: Puzzle, limits: Limits, moves: str | None = None) -> dict[str, Any]:
    """Return `shortest_solutions` as JSON for another process, with the boards of `along(moves)`.

    Empty if `moves` are not a shortest solution. Raises `TooManyCellsError`.
    """
    found = shortest_solutions(puzzle, limits)
    try:
        return dict(found.as_json(moves))
    except NotShortestError:
        return {}


def _by_table(puzzle: Puzzle) -> ShortestSolutions:
    table = exact_table(puzzle.goal)
    length = table.distance(puzzle.start)
    layers: list[dict[Board, tuple[int, ...]]] = []
    layer = {puzzle.start: table.next_tiles(puzzle.start)}
    for _ in range(length or 0):
        layers.append(layer)
        after = {board.slide(tile) for board, tiles in layer.items() for tile in tiles}
        # A set, because several boards of a layer may lead to the same next board.
        layer = {board: table.next_tiles(board) for board in after}
    because = "read from the table of all boards"
    return ShortestSolutions(puzzle, length, length, _counted(layers, puzzle.goal), because)


def _by_search(puzzle: Puzzle, limits: Limits, cancelled: Callable[[], bool]) -> ShortestSolutions:
    """Return the solutions by two searches, for the length and for the boards."""
    result = solve(puzzle, "best", limits=limits, cancelled=cancelled)
    if result.verdict.kind is not Proof.OPTIMAL:
        why = f"no solution was proved shortest: {result.verdict.because}"
        return ShortestSolutions(puzzle, None, result.lower_bound, None, why)
    # imported here, as they load numpy and the compiled functions
    from slidewise.solver.engines.shortest_layers import StoppedError, layers
    from slidewise.solver.tables.patterns.database import load

    # The time limit covers both searches.
    began = monotonic() - result.seconds

    def check() -> None:
        if cancelled():
            raise StoppedError("stopped on request")
        if limits.seconds is not None and monotonic() - began > limits.seconds:
            raise StoppedError(f"stopped after {limits.seconds:g} s")

    length = len(result.moves)
    try:
        estimates = load(puzzle.goal).values
        found = layers(puzzle, length, estimates, limits.stored_nodes, check)
        return ShortestSolutions(
            puzzle, length, length, _counted(list(_next(found, check)), puzzle.goal), BY_SEARCH
        )
    except StoppedError as error:
        return ShortestSolutions(puzzle, length, length, None, str(error))


def _next(
    layers: list[set[Board]], check: Callable[[], None]
) -> Iterator[dict[Board, tuple[int, ...]]]:
    """Yield each layer, with the tiles to the next layer for each board."""
    for layer, after in pairwise(layers):
        check()
        yield {
            board: tuple(tile for tile in board.movable if board.slide(tile) in after)
            for board in layer
        }


def _counted(layers: list[dict[Board, tuple[int, ...]]], goal: Board) -> dict[Board, FirstMoves]:
    """Return the first moves on each board from its next tiles, by layers from the start."""
    totals = {goal: 1}
    found: dict[Board, FirstMoves] = {}
    # From the goal back, so that each board adds up the finished totals of the next layer.
    for layer in reversed(layers):
        first_moves = {
            board: FirstMoves(board, {tile: totals[board.slide(tile)] for tile in tiles})
            for board, tiles in layer.items()
        }
        totals = {board: sum(here.solutions.values()) for board, here in first_moves.items()}
        found |= first_moves
    return found
