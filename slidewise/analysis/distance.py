"""Distance from a board to the goal: its next move, its rank among all boards, level and stars.

The best known solution has the next move. Tables of all boards of a size have the rank. The level
of difficulty follows from the distance. The stars of a solution compare its moves with the
distance.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated, NamedTuple, TypedDict

from slidewise.json_schema import Amount, Count
from slidewise.puzzle import Board, Puzzle, PuzzleError, parse_moves, parse_puzzle
from slidewise.puzzle.board import quoted
from slidewise.puzzle.moves import steps
from slidewise.solver.engines.constructive import constructive_path
from slidewise.solver.known import moves_at_least
from slidewise.solver.result import Result
from slidewise.solver.run import find_heuristic, solve
from slidewise.solver.tables.exact import exact_table, packed_distance, packed_next_tile
from slidewise.solver.task import Limits, nodes_within
from slidewise.text import message

SEARCH_CELLS = 16
"""Maximum cells for the search for a shortest solution, which seldom ends in time above."""

BEST_METHOD = "IDA* with pattern databases"
"""Search that proves the distance for `best`, up to `SEARCH_CELLS`."""

BOARDS_ALONG_WAY = 100
"""Maximum boards described along a solution, in preparation for the next hints."""

SEARCH_BYTES = 100 * 2**20
"""Memory for the nodes of a search; a server runs several searches at a time."""

GREATEST_DISTANCES = {
    **{(2, 2): 6, (2, 3): 21, (3, 2): 21, (2, 4): 36, (4, 2): 36},
    **{(2, 5): 55, (5, 2): 55, (3, 3): 31},
}
"""Maximum distance of any two boards, by size. Source: the tables of all boards for each blank cell
of the goal."""

MOST_STARS = 3
"""Stars for a shortest solution."""

TWO_STARS = 1.25
"""Longest solution with two stars, as a multiple of the shortest length."""


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
    # Memory is the same for all sizes; larger boards get fewer nodes.
    room = nodes_within(SEARCH_BYTES, len(puzzle.start.cells))
    return along(solve(puzzle, "best", None, Limits(seconds=seconds, stored_nodes=room)))


def look_up(puzzle: Puzzle, packed: bytes) -> DistanceAhead:
    """Return the distance of the start of a solvable `puzzle`, from `packed` distances to the goal.

    `packed` is from `packed_distances`. It takes microseconds, without NumPy. It is not cached,
    because a cache would keep tables alive.
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
    # The path has the cells of the blank, start included, so it is longer by 1 than the moves.
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
    # A search that is cut off may report a weaker bound than the bound without a search.
    at_least = max(at_least, moves_at_least(puzzle))
    for n, tile in enumerate(tiles[:BOARDS_ALONG_WAY]):
        found[board] = DistanceAhead(max(0, at_least - n), len(tiles) - n, tile, method=method)
        board = board.slide(tile)
    return found


class BoardFacts(NamedTuple):
    """Distance of a board, compared with all `boards` boards that can reach its goal.

    `distance` is in moves, and `most` is the distance of the farthest board. `as_far` boards are at
    least as far away as this board.
    """

    distance: int
    most: int
    as_far: int
    boards: int

    @property
    def share(self) -> float:
        """Return the share of boards at least as far from the goal; 1 is all."""
        return self.as_far / self.boards


MAX_LISTED = 20
"""Maximum number of hardest boards in the facts."""


class SizeFactsJSON(TypedDict):
    """Facts on all boards that can reach a goal, as JSON values."""

    rows: Count
    cols: Count
    goal: str
    boards: Annotated[Count, "How many boards can reach the goal."]
    diameter: Annotated[Count, "Moves that the hardest of them need."]
    mean: Annotated[Amount, "Moves that they need on average."]
    counts: Annotated[tuple[Count, ...], "Boards at 0, 1, 2 ... moves."]
    hardest: Annotated[list[str], "The hardest boards, 20 of them at most."]


def size_facts(goal: Board) -> SizeFactsJSON:
    """Return facts on all boards that can reach `goal`.

    >>> from slidewise import parse_board
    >>> found = size_facts(parse_board("1.2-3.0"))
    >>> found["boards"], found["diameter"], found["hardest"]
    (12, 6, ['0.3-2.1'])

    Raises `TooManyCellsError` above 10 cells.
    """
    table = exact_table(goal)
    return {
        "rows": goal.rows,
        "cols": goal.cols,
        "goal": str(goal),
        "boards": table.boards,
        "diameter": table.diameter,
        "mean": table.mean,
        "counts": table.counts,
        "hardest": [str(board) for board in islice(table.at(table.diameter), MAX_LISTED)],
    }


def board_facts(puzzle: Puzzle) -> BoardFacts | None:
    """Return the distance facts of the start of `puzzle`, None if it is unsolvable.

    >>> from slidewise import parse_puzzle
    >>> board_facts(parse_puzzle("8.6.7-2.5.4-3.0.1"))
    BoardFacts(distance=31, most=31, as_far=2, boards=181440)

    Raises `TooManyCellsError` above 10 cells.
    """
    table = exact_table(puzzle.goal)
    distance = table.distance(puzzle.start)
    if distance is None:
        return None
    # `counts` has the boards at each distance; its tail counts the boards at least as far away.
    return BoardFacts(distance, table.diameter, sum(table.counts[distance:]), table.boards)


HARDEST_4X4_MOVES, RARE_4X4_MOVES = 80, 70
"""Moves of the hardest 4x4 boards with the goal's blank in a corner, and the most moves to draw.
Above, drawing took eight seconds and failed for nearly all seeds."""

CORNERS = 0, 3, 12, 15

_SIDE = 4
_HARDEST = "0.11.9.13-12.15.10.14-3.7.6.2-4.8.5.1"
_MOVES = "U2LULD2RULD2R2U3LDRUL2D2RUL2D2R2URUL3URDLD2R2U2L2D2R3ULUL2DRDRURULURD3LU3L2"
_TURNS: dict[int, tuple[Callable[[int, int], tuple[int, int]], ...]] = {
    15: (lambda row, col: (row, col), lambda row, col: (col, row)),
    12: (lambda row, col: (row, 3 - col), lambda row, col: (col, 3 - row)),
    3: (lambda row, col: (3 - row, col), lambda row, col: (3 - col, row)),
    0: (lambda row, col: (3 - row, 3 - col), lambda row, col: (3 - col, 3 - row)),
}
"""Cell mappings that take the last cell into each corner, two for each."""

TURNS = 2
"""Listed boards for each number of moves."""


def hard_puzzle(goal: Board, moves: int, turn: int) -> Puzzle:
    """Return a puzzle of 70 to 80 moves to a 4x4 goal with its blank in a corner; `turn` is 0 or 1.

    >>> from slidewise import standard_goal
    >>> str(hard_puzzle(standard_goal(4, 4), 80, 0).start)
    '0.11.9.13-12.15.10.14-3.7.6.2-4.8.5.1'
    """
    known = parse_puzzle(_HARDEST)
    board = known.start
    # After n moves of a shortest solution, the board is exactly n moves nearer to the goal.
    for step in islice(steps(board, parse_moves(_MOVES)), HARDEST_4X4_MOVES - moves):
        board = step.board
    go = _TURNS[goal.blank][turn]
    places = [row * _SIDE + col for row, col in (go(*divmod(cell, _SIDE)) for cell in range(16))]
    # Each tile is renamed by its home, because distances depend on neither names nor symmetry.
    names = {tile: goal.cells[places[home]] for home, tile in enumerate(known.goal.cells)}
    cells = {places[cell]: names[tile] for cell, tile in enumerate(board.cells)}
    return Puzzle(Board(_SIDE, _SIDE, tuple(cells[cell] for cell in range(16))), goal)


class Range(NamedTuple):
    """A range of moves, both ends included."""

    least: int
    most: int

    def __str__(self) -> str:
        """Return the range as users type it: `20`, or `40-50`."""
        return f"{self.least}" if self.least == self.most else f"{self.least}-{self.most}"


_BANDS = {
    (2, 2): (2, 4, 6),
    (2, 3): (9, 15, 21),
    (2, 4): (17, 25, 36),
    (2, 5): (27, 38, 55),
    (2, 6): (43, 52, 80),
    (2, 7): (55, 67, 108),
    (3, 3): (16, 23, 31),
    (3, 4): (31, 37, 53),
    (3, 5): (47, 53, 84),
    (4, 4): (45, 55, 80),
}
"""Maximum moves of an easy, a medium and a hard puzzle, by size. About 1 board in 10 is easy and 1
in 4 hard; on 3x3 1 in 15 and 1 in 3. The last number is the greatest distance of the size."""


def _levels(easy: int, medium: int, hard: int) -> dict[str, Range]:
    return {
        "easy": Range(1, easy),
        "medium": Range(easy + 1, medium),
        "hard": Range(medium + 1, hard),
    }


LEVELS = {
    size: _levels(*most)
    for (rows, cols), most in _BANDS.items()
    for size in {(rows, cols), (cols, rows)}
}
"""Difficulty levels by the length of the shortest solution, for sizes drawn in a second or two."""

_RANGE = re.compile(r"\s*([0-9]{1,9})\s*(?:[-\u2013]\s*([0-9]{1,9})\s*)?", re.ASCII)


def parse_range(text: str) -> Range:
    """Parse a number of moves such as `20`, or a range such as `40-50`.

    >>> parse_range("20"), parse_range("40-50")
    (Range(least=20, most=20), Range(least=40, most=50))

    Raises `PuzzleError`.
    """
    match = _RANGE.fullmatch(text)
    if not match:
        found = quoted(text.strip(), 20)
        raise PuzzleError(
            message(
                "moves must be a number such as 20, or a range such as 40-50, found %(found)s",
                found=found,
            )
        )
    least = int(match[1])
    return Range(least, int(match[2] or least))


def level(puzzle: Puzzle, moves: int) -> str | None:
    """Return the level for a number of moves, None if the size has no levels.

    >>> from slidewise import scramble
    >>> level(scramble(4, 4, "1"), 57)
    'hard'
    """
    levels = LEVELS.get(puzzle.start.size, {})
    return next((name for name, (least, most) in levels.items() if least <= moves <= most), None)


def stars(moves: int, shortest: int) -> int:
    """Return the stars of a solution; `shortest` is the length of a shortest solution.

    A shortest solution has 3 stars, a solution up to `TWO_STARS` times as long 2, any other 1.

    >>> [stars(moves, 24) for moves in (24, 26, 30, 31)]
    [3, 2, 2, 1]
    """
    if moves <= shortest:
        return MOST_STARS
    return 2 if moves <= TWO_STARS * shortest else 1
