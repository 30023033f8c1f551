"""Exact distances: a table of the moves from each board of up to 10 cells to a goal.

A tile's slot is the rank of its home cell among the homes of all tiles. The tiles of a board, row
by row, form a sequence of slots, which is sorted at the goal. A board's number is (n-1-b) * (n-1)!
+ r. Here n is the number of cells, b the cell of the blank and r the lexicographic rank of its
sequence. (n-1-b is the colexicographic rank of the set of occupied cells.) So the table depends
only on the size and the goal's blank.

A slide moves all tiles from the blank up to a tile of its row or column towards the blank. In a
`SlideTable` it counts 1 for any number of tiles (the multi-tile metric).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING, ClassVar

from slidewise.puzzle import Board, InvalidBoardError, Puzzle, PuzzleError
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.tables.order import UNREACHABLE

if TYPE_CHECKING:
    from slidewise.solver.kernels.jit import Int64s, Uint8s


BLANK_WAYS = "DURL"
"""Tile moves that move the blank up, down, left and right, in this order."""


class TooManyCellsError(PuzzleError):
    """A board too large for a table of all boards."""


def exact_table(goal: Board) -> ExactTable:
    """Return the table of distances to `goal`.

    The first call for a size and blank cell takes 20 ms on 3x3 and 0.2 s for 10 cells. A few tables
    are cached.

    >>> from slidewise import parse_board
    >>> table = exact_table(parse_board("0.1.2-3.4.5-6.7.8"))
    >>> table.distance(parse_board("7.2.4-5.0.6-8.3.1"))
    26
    >>> table.boards, table.diameter, round(table.mean, 2)
    (181440, 31, 21.97)

    Raises `TooManyCellsError` above 10 cells.
    """
    return ExactTable(goal)


def exact_distance(puzzle: Puzzle) -> int | None:
    """Return the moves of a shortest solution of `puzzle`, or None if it is unsolvable.

    >>> from slidewise import parse_puzzle
    >>> exact_distance(parse_puzzle("1.0.3-4.2.5"))
    2

    Raises `TooManyCellsError` above 10 cells.
    """
    return exact_table(puzzle.goal).distance(puzzle.start)


class ExactTable:
    """Distances of all boards of a size to `goal`, in moves.

    `values` holds the distance of each board at its number, or `UNREACHABLE`. `counts` has the
    number of boards at each distance from 0 to the diameter.
    """

    goal: Board
    values: Uint8s
    counts: tuple[int, ...]
    in_slides: ClassVar[bool] = False

    def __init__(self, goal: Board) -> None:
        if not goal.has_table:
            raise TooManyCellsError(
                f"a {goal.rows}x{goal.cols} board has {len(goal.cells)} cells: the distances of "
                f"all boards can be worked out for up to {TABLE_CELLS} cells, such as 3x3 and 2x5"
            )
        self.goal = goal
        self.values, self.counts = _distances(*goal.size, goal.blank, slides=self.in_slides)
        self._slots = _slots(goal)
        self._tiles = list(self._slots)

    @property
    def boards(self) -> int:
        """Number of boards that can reach the goal, including the goal."""
        return sum(self.counts)

    @property
    def diameter(self) -> int:
        """Greatest distance."""
        return len(self.counts) - 1

    @property
    def mean(self) -> float:
        """Mean distance of the boards that can reach the goal."""
        return sum(distance * count for distance, count in enumerate(self.counts)) / self.boards

    def number(self, board: Board) -> int:
        """Return the index of `board` in `values`. Raises `InvalidBoardError` for another size."""
        if board.size != self.goal.size:
            raise InvalidBoardError(
                f"expected a board of {self.goal.rows}x{self.goal.cols}, got {board}"
            )
        return _number(board.cells, self._slots)

    def board(self, number: int) -> Board:
        """Return the board at an index of `values`.

        >>> from slidewise import standard_goal
        >>> table = exact_table(standard_goal(3, 3))
        >>> str(table.board(table.number(table.goal)))
        '1.2.3-4.5.6-7.8.0'
        """
        before_blank, place = divmod(number, factorial(len(self._tiles)))
        cells = [self._tiles[slot] for slot in _sequence(place, len(self._tiles))]
        cells.insert(len(cells) - before_blank, 0)
        return Board(*self.goal.size, tuple(cells))

    def distance(self, board: Board) -> int | None:
        """Return the moves of a shortest solution of `board`, or None if it is unsolvable.

        Raises `InvalidBoardError` for a board of another size.
        """
        value = int(self.values[self.number(board)])
        return None if value == UNREACHABLE else value

    def next_tiles(self, board: Board) -> tuple[int, ...]:
        """Return the tiles that can move first in a shortest solution of `board`.

        They are in the order blank up, down, left, right. Empty at the goal and for unsolvable
        boards.

        >>> from slidewise import parse_board, standard_goal
        >>> exact_table(standard_goal(3, 3)).next_tiles(parse_board("8.6.7-2.5.4-3.0.1"))
        (5, 3, 1)
        """
        distance = self.distance(board)
        if not distance:
            return ()
        return tuple(
            tile
            for tile in self._choices(board)
            if self.distance(self._after(board, tile)) == distance - 1
        )

    def path(self, board: Board) -> list[int]:
        """Return the blank's cells on a shortest path from `board` to the goal.

        Ties go to the first move in the order blank up, down, left, right. Raises `PuzzleError` if
        the goal cannot be reached.
        """
        if self.distance(board) is None:
            raise PuzzleError(f"{board} cannot reach {self.goal}")
        cells = [board.blank]
        while tiles := self.next_tiles(board):
            board = self._after(board, tiles[0])
            cells.append(board.blank)
        return cells

    def _choices(self, board: Board) -> list[int]:
        """Return the movable tiles."""
        cells = [cell for way in BLANK_WAYS if (cell := board.source(way)) is not None]
        return [board.cells[cell] for cell in cells]

    def _after(self, board: Board, tile: int) -> Board:
        """Return the board after a tile's move."""
        return board.slide(tile)

    def at(self, distance: int) -> Iterator[Board]:
        """Yield the boards at `distance`, in the order of their numbers.

        >>> from slidewise import standard_goal
        >>> [str(board) for board in exact_table(standard_goal(3, 3)).at(31)]
        ['8.6.7-2.5.4-3.0.1', '6.4.7-8.5.0-3.2.1']
        """
        return map(self.board, self._numbers_at(distance).tolist())

    def nth_at(self, distance: int, n: int) -> Board:
        """Return the board at index `n` of `at`. Raises `IndexError` past the last."""
        return self.board(int(self._numbers_at(distance)[n]))

    def _numbers_at(self, distance: int) -> Int64s:
        """Return the numbers of the boards at `distance`, empty beyond the diameter."""
        wanted = distance if distance <= self.diameter else -1
        numbers: Int64s = (self.values == wanted).nonzero()[0]
        return numbers


@lru_cache(maxsize=6)
def _distances(rows: int, cols: int, blank: int, *, slides: bool) -> tuple[Uint8s, tuple[int, ...]]:
    """Return the distances to a goal with the blank in cell `blank`, and their counts."""
    import numpy as np  # deferred, so that slidewise.solver loads without it

    from slidewise.solver.tables.all_boards import distances

    values = distances(rows, cols, blank, slides=slides)
    # The cached array is shared by all tables of this size and blank.
    values.flags.writeable = False
    counts = np.bincount(values)[:UNREACHABLE]
    return values, tuple(np.trim_zeros(counts, "b").tolist())


def _sequence(place: int, length: int) -> list[int]:
    """Return the sequence of a rank, the inverse of `rank_of_arrangement`.

    >>> _sequence(5, 3)
    [2, 1, 0]
    """
    left = list(range(length))
    sequence = []
    for behind in range(length - 1, -1, -1):
        turn, place = divmod(place, factorial(behind))
        sequence.append(left.pop(turn))
    return sequence


def packed_distances(goal: Board) -> bytes:
    """Return the distances of all boards to any goal of the size and blank of `goal`.

    They take 181 kB on 3x3 and 1.8 MB for 10 cells. Raises `TooManyCellsError` above 10 cells.
    """
    # The numbers 2k and 2k + 1 differ by a swap of two tiles, so only one of them can be solved.
    pairs = exact_table(goal).values.reshape(-1, 2)
    packed: bytes = pairs.min(axis=1).tobytes()  # the other is UNREACHABLE, above all
    return packed


def packed_distance(puzzle: Puzzle, packed: bytes) -> int:
    """Return the moves of a shortest solution of `puzzle`, which must be solvable.

    >>> from slidewise import parse_puzzle
    >>> puzzle = parse_puzzle("7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8")
    >>> packed_distance(puzzle, packed_distances(puzzle.goal))
    26
    """
    return packed[_place(puzzle.start.cells, _slots(puzzle.goal))]


def packed_next_tile(puzzle: Puzzle, packed: bytes) -> int | None:
    """Return the first tile of a shortest solution of the solvable `puzzle`, None at the goal.

    Ties go to the first in the order blank up, down, left, right.
    """
    board, slots = puzzle.start, _slots(puzzle.goal)
    distance = packed[_place(board.cells, slots)]
    for way in BLANK_WAYS:
        cell = board.source(way)
        if cell is not None:
            after = list(board.cells)
            after[board.blank], after[cell] = after[cell], 0
            if packed[_place(after, slots)] < distance:
                return board.cells[cell]
    return None


def _place(cells: Sequence[int], slots: Mapping[int, int]) -> int:
    """Return the index of a board's packed distance."""
    return _number(cells, slots) // 2


def _number(cells: Sequence[int], slots: Mapping[int, int]) -> int:
    """Return a board's number, from the ranks of its tiles' homes."""
    left = sorted(slots.values())
    tiles, rank = len(left), 0
    for tile in cells:
        if tile:
            lower = left.index(slots[tile])
            rank = rank * len(left) + lower
            del left[lower]
    return (tiles - cells.index(0)) * factorial(tiles) + rank


@lru_cache(maxsize=64)
def _slots(goal: Board) -> Mapping[int, int]:
    """Return the rank of each tile's home among the homes of all tiles."""
    return {tile: slot for slot, tile in enumerate(tile for tile in goal.cells if tile)}


class SlideTable(ExactTable):
    """Distances of all boards of a size to `goal`, in slides.

    A tile of `next_tiles` is the last of the sliding line, farthest from the blank. They are
    ordered by cell. `path` has the cell of the blank after each slide.

    >>> from slidewise import parse_board, standard_goal
    >>> table = SlideTable(standard_goal(3, 3))
    >>> table.diameter, round(table.mean, 2)
    (24, 16.55)
    >>> table.next_tiles(parse_board("1.2.3-4.5.6-0.7.8"))
    (8,)

    Raises `TooManyCellsError` above 10 cells.
    """

    in_slides = True

    def _choices(self, board: Board) -> list[int]:
        row, col = divmod(board.blank, board.cols)
        return [
            tile
            for cell, tile in enumerate(board.cells)
            if tile and (cell // board.cols == row or cell % board.cols == col)
        ]

    def _after(self, board: Board, tile: int) -> Board:
        return slide_line(board, tile)


def slide_line(board: Board, tile: int) -> Board:
    """Return the board after a slide of the line from the blank to `tile`.

    Raises `IllegalMoveError` unless `tile` is in the row or column of the blank.
    """
    for direction in board.line(tile):
        board = board.move(direction)
    return board
