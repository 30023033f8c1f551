"""Heuristics explained: the value on a board part by part, and the check on all boards.

Importing this module loads neither numpy nor numba; the first check does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle import Board, Puzzle
from slidewise.solver.estimate import longest_rising
from slidewise.solver.heuristics.exact import has_table
from slidewise.solver.own.parse import HIGHEST, parse
from slidewise.solver.run import find_fitting_heuristic
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.task import MARK, is_own

if TYPE_CHECKING:
    from slidewise.solver.own.heuristic_check import HeuristicCheck
    from slidewise.solver.tables.patterns.partition import GroupValue


class WayHome(NamedTuple):
    """A tile's offset from home: rows `down` and columns `right`; negative is up and left."""

    tile: int
    down: int
    right: int

    @property
    def distance(self) -> int:
        """Return the sum of rows and columns."""
        return abs(self.down) + abs(self.right)


class Conflict(NamedTuple):
    """Tiles in reversed order in their home line.

    `is_row` is False for a column, and `line` is its number from 0. `tiles` are the tiles in
    conflict, in their order on the board. `leave` are the fewest tiles that must leave the line to
    resolve the conflict.
    """

    is_row: bool
    line: int
    tiles: tuple[int, ...]
    leave: tuple[int, ...]

    @property
    def moves(self) -> int:
        """Return the added moves: each tile in `leave` moves out and back."""
        return 2 * len(self.leave)


class Explanation(NamedTuple):
    """A heuristic on a board: `h` and the true `distance`, each None if unknown.

    `parts` are the values of the names in an expression, and `total` is its value before clipping
    to 0..255. `views` are the groups of a pattern database, for the board and for its reflection.
    """

    h: int | None
    distance: int | None
    parts: dict[str, int]
    views: tuple[tuple[GroupValue, ...], ...]
    total: int | None = None


def ways_home(board: Board, goal: Board) -> list[WayHome]:
    """Return the offset of each tile from home, by tile number.

    >>> from slidewise import parse_board
    >>> ways_home(parse_board("3.1-2.0"), parse_board("1.2-3.0"))[:2]
    [WayHome(tile=1, down=0, right=-1), WayHome(tile=2, down=-1, right=1)]
    """
    found = []
    for tile in range(1, len(goal.cells)):
        row, col = divmod(board.cells.index(tile), board.cols)
        home_row, home_col = divmod(goal.cells.index(tile), goal.cols)
        found.append(WayHome(tile, home_row - row, home_col - col))
    return found


def conflicts(board: Board, goal: Board) -> list[Conflict]:
    """Return the conflicts in the rows and in the columns of `board`.

    The offsets and these conflicts make up the linear conflict heuristic.

    >>> from slidewise import parse_board
    >>> conflicts(parse_board("3.2.1-4.5.6-7.8.0"), parse_board("1.2.3-4.5.6-7.8.0"))
    [Conflict(is_row=True, line=0, tiles=(3, 2, 1), leave=(3, 2))]
    """
    return [
        Conflict(is_row, line, tiles, leave)
        for is_row, line, stand, home in _lines(board, goal)
        if (tiles := _in_conflict(stand, home))
        for leave in [_fewest(tiles, home)]
    ]


def explain(key: str, puzzle: Puzzle) -> Explanation:
    """Return the value of the heuristic `key` on the start of `puzzle`, with its parts.

    The exact distance, pattern databases and expressions load or build tables.

    >>> from slidewise import parse_puzzle
    >>> explain("=2 * misplaced", parse_puzzle("1.2.3-0.4.5"))
    Explanation(h=4, distance=2, parts={'misplaced': 2}, views=(), total=4)

    Raises `UnknownNameError`, `ExpressionError` and `UnfitHeuristicError`.
    """
    entry = find_fitting_heuristic(key, puzzle.rows, puzzle.cols)
    start, goal = puzzle.start, puzzle.goal
    small = goal.has_table
    distance = exact_table(goal).distance(start) if small else None
    is_table = entry.fits is has_table  # of whole boards
    # The table has no value for boards that cannot reach the goal.
    if is_table and not puzzle.solvable:
        return Explanation(None, None, {}, ())
    if is_own(key):
        from slidewise.solver.own.evaluate import value_on  # which loads numpy

        total, parts = value_on(parse(entry.key.removeprefix(MARK)), start, goal)
        return Explanation(max(0, min(HIGHEST, total)), distance, parts, (), total)
    estimate = entry.build(goal)
    views = estimate.patterns.groups_of(start) if estimate.patterns and not is_table else ()
    return Explanation(estimate.value(start), distance, {}, views)


def _lines(board: Board, goal: Board) -> Iterator[tuple[bool, int, list[int], list[int]]]:
    """Yield each row and column: the tiles that belong to it, and all its tiles."""
    for is_row, (here, wanted) in (
        (True, (board.grid, goal.grid)),
        (False, (tuple(zip(*board.grid, strict=True)), tuple(zip(*goal.grid, strict=True)))),
    ):
        for line, (stand, home) in enumerate(zip(here, wanted, strict=True)):
            yield is_row, line, [tile for tile in stand if tile and tile in home], list(home)


def _in_conflict(stand: Sequence[int], home: Sequence[int]) -> tuple[int, ...]:
    """Return the tiles of `stand` that are out of order with another tile."""
    return tuple(
        tile
        for place, tile in enumerate(stand)
        if any(home.index(other) > home.index(tile) for other in stand[:place])
        or any(home.index(other) < home.index(tile) for other in stand[place + 1 :])
    )


def _fewest(tiles: Sequence[int], home: Sequence[int]) -> tuple[int, ...]:
    """Return the fewest tiles to remove for a rising sequence."""
    # The longest rising sequence can stay, so all other tiles are the fewest to leave.
    staying = longest_rising(home.index(tile) for tile in tiles)
    return tuple(tile for tile in tiles if home.index(tile) not in staying)


def check(key: str, goal: Board) -> HeuristicCheck:
    """Check a heuristic on all boards that can reach `goal`.

    `key` is a registry key or, after `=`, an expression. 3x3 takes some tenths of a second, 10
    cells some seconds.

    >>> from slidewise import standard_goal
    >>> found = check("=manhattan_with_blank", standard_goal(2, 3))
    >>> found.admissible, found.consistent, found.boards, found.above
    (False, False, 360, 60)
    >>> str(found.first.board), found.first.h, found.first.distance
    ('1.2.3-4.0.5', 2, 1)

    Raises `UnknownNameError` and `ExpressionError`, and above 10 cells `UnfitHeuristicError` or
    `TooManyCellsError`.
    """
    from slidewise.solver.own.evaluate import check_expression

    entry = find_fitting_heuristic(key, *goal.size)
    # Registry keys are names in expressions.
    text = entry.key.removeprefix(MARK) if is_own(key) else key.replace("-", "_")
    return check_expression(parse(text), goal)
