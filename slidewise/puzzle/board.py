"""The board: an arrangement of numbered tiles and a blank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from slidewise.text import listed, message, noop

NO_TILE = noop("there is no tile %(tile)s: this board has the tiles 1 to %(last)s")
NOT_IN_LINE = noop("tile %(tile)s is not in the row or column of the blank; %(tiles)s are")


class PuzzleError(ValueError):
    """An invalid puzzle; the message names the fault and the remedy."""


class InvalidBoardError(PuzzleError):
    """Text that is not a valid board: wrong cells, wrong size or unknown notation.

    `line` is the number of the faulty line, from 1, or None if unknown.
    """

    line: int | None = None


class SizeNeededError(InvalidBoardError):
    """A flat list of cells that fills no square, given without a size."""


class AmbiguousBoardError(InvalidBoardError):
    """Ambiguous text; `readings` lists each possible board as (meaning, code)."""

    def __init__(self, text: str, readings: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(text)
        self.readings = readings


class InvalidMovesError(PuzzleError):
    """Unreadable list of moves."""


class AmbiguousMovesError(InvalidMovesError):
    """Moves that are legal both as directions of the tiles and as directions of the blank."""


class IllegalMoveError(PuzzleError):
    """A well-formed move that is illegal on this board."""


def quoted(text: str, limit: int = 60) -> str:
    """Return `text` in quotes, shortened to about `limit` characters, for an error message.

    >>> quoted("1 2 3")
    "'1 2 3'"
    >>> quoted("1" * 100, limit=8)
    "'11111111...'"
    """
    return repr(text if len(text) <= limit else text[:limit] + "...")


MAX_CODES = 1024
"""Cached codes of boards, up to 1 kB each. A click writes the same board five times."""

Grid = Sequence[Sequence[int]]
CELL, GAP, EDGE = 100, 6, 12
_TRAY, _TILE, _TILE_EDGE = "#d6cfbf", "#fffdf9", "#c3baa6"
_HOME, _HOME_EDGE = "#b7dfd4", "#7db7a8"
_INK, _HOME_INK = "#1b2226", "#07423d"
_FONT = (
    "'Figtree Variable', Figtree, "
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
)


def svg(grid: Grid, home: Grid = ()) -> str:
    """Return the rows of a board as an SVG document, with tiles at their place in `home` tinted.

    A cell is 100 units wide; the document scales to its container.

    >>> svg([[1, 2], [3, 0]]).partition(" ")[0]
    '<svg'
    """
    width, height = (side * CELL + 2 * EDGE for side in (len(grid[0]), len(grid)))
    tiles = "".join(
        _tile(tile, row, col, home=bool(home) and home[row][col] == tile)
        for row, tiles in enumerate(grid)
        for col, tile in enumerate(tiles)
        if tile
    )
    rows = "; ".join(" ".join(str(tile or "blank") for tile in row) for row in grid)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="Board: {rows}">'
        f'<rect width="{width}" height="{height}" rx="16" fill="{_TRAY}"/>{tiles}</svg>'
    )


def _tile(tile: int, row: int, col: int, *, home: bool) -> str:
    left, top = (EDGE + place * CELL + GAP // 2 for place in (col, row))
    side = CELL - GAP
    fill, stroke, ink = (_HOME, _HOME_EDGE, _HOME_INK) if home else (_TILE, _TILE_EDGE, _INK)
    return (
        f'<rect x="{left}" y="{top}" width="{side}" height="{side}" rx="12" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="2"/>'
        f'<text x="{left + side / 2:g}" y="{top + side / 2:g}" fill="{ink}" '
        f'font-family="{_FONT}" font-size="44" font-weight="650" text-anchor="middle" '
        f'dominant-baseline="central">{tile}</text>'
    )


MIN_SIDE, MAX_SIDE = 2, 10
DIRECTIONS = "UDLR"
"""The four moves, named by the direction in which the *tile* moves."""


TABLE_CELLS = 10
"""Maximum cells of a board with a table of all distances: 3,628,800 entries, 3.6 MB."""


@dataclass(frozen=True, slots=True)
class Board:
    """An arrangement of the tiles 1..n-1 and the blank 0 in `rows` rows of `cols` cells.

    `cells` lists the tiles row by row. Boards are immutable, hashable and print as text.

    >>> board = Board(3, 3, (7, 2, 4, 5, 0, 6, 8, 3, 1))
    >>> str(board)
    '7.2.4-5.0.6-8.3.1'
    >>> str(board.slide(2))
    '7.0.4-5.2.6-8.3.1'

    Raises `InvalidBoardError` unless both sides are 2 to 10 and `cells` holds each of
    0..rows*cols-1 once.
    """

    rows: int
    cols: int
    cells: tuple[int, ...]

    def __post_init__(self) -> None:
        check_size(self.rows, self.cols)
        if len(self.cells) != self.rows * self.cols:
            raise InvalidBoardError(
                message(
                    "expected %(count)s cells for %(rows)s rows of %(cols)s, got %(found)s",
                    count=self.rows * self.cols,
                    rows=self.rows,
                    cols=self.cols,
                    found=len(self.cells),
                )
            )
        # Every board is checked here, so the rest of the library trusts its boards.
        check_tiles(self.cells)

    def __str__(self) -> str:
        """Return the canonical notation: cells joined by `.`, rows by `-`."""
        return _code(self)

    def _repr_svg_(self) -> str:
        """Show the board as a picture in a notebook."""
        return svg(self.grid)

    @property
    def size(self) -> tuple[int, int]:
        """Return (rows, columns)."""
        return self.rows, self.cols

    @property
    def grid(self) -> tuple[tuple[int, ...], ...]:
        """Return the cells as a tuple of rows."""
        return tuple(self.cells[i : i + self.cols] for i in range(0, len(self.cells), self.cols))

    @property
    def has_table(self) -> bool:
        """Return whether all boards of this size can be enumerated."""
        return len(self.cells) <= TABLE_CELLS

    @property
    def blank(self) -> int:
        """Return the cell of the blank, counted row by row from 0."""
        return self.cells.index(0)

    @property
    def movable(self) -> tuple[int, ...]:
        """Return the tiles that can move up, down, left and right, in this order."""
        return tuple(self.cells[cell] for cell in self._neighbours().values())

    @property
    def legal_directions(self) -> str:
        """Return the moves this board allows, as a part of `UDLR`."""
        return "".join(self._neighbours())

    def slide(self, tile: int) -> Board:
        """Return the board after `tile` has moved into the blank next to it.

        Raises `IllegalMoveError` if the tile does not exist or is not next to the blank.
        """
        direction = self.direction_of(tile)
        if direction is None:
            self._check_tile(tile)
            raise IllegalMoveError(
                message(
                    "tile %(tile)s is not beside the blank; %(tiles)s are",
                    tile=tile,
                    tiles=listed(self.movable),
                )
            )
        return self._swap(self.cells.index(tile))

    def move(self, direction: str) -> Board:
        """Return the board after the tile that can move in `direction` has moved.

        >>> str(Board(2, 2, (1, 2, 0, 3)).move("L"))
        '1.2-3.0'

        Raises `IllegalMoveError` if no tile can.
        """
        cell = self.source(direction)
        if cell is None:
            raise IllegalMoveError(
                message(
                    _NO_TILE_MOVES[direction],
                    row=self.blank // self.cols + 1,
                    column=self.blank % self.cols + 1,
                )
            )
        return self._swap(cell)

    def source(self, direction: str) -> int | None:
        """Return the cell from which a tile would move in `direction`, or None.

        Raises `InvalidMovesError` for anything but a letter of `UDLR`.
        """
        if direction not in _FROM:
            raise InvalidMovesError(
                message("expected a move, U, D, L or R, found %(found)s", found=repr(direction))
            )
        return sources(self.rows, self.cols)[self.blank].get(direction)

    def direction_of(self, tile: int) -> str | None:
        """Return the direction in which `tile` can move, or None if it cannot."""
        for direction, cell in self._neighbours().items():
            if self.cells[cell] == tile:
                return direction
        return None

    def line(self, tile: int) -> str:
        """Return the moves that slide the line of tiles from the blank up to `tile`.

        >>> Board(3, 3, (0, 1, 2, 3, 4, 5, 6, 7, 8)).line(2)
        'LL'

        Raises `IllegalMoveError` unless `tile` is in the blank's row or column.
        """
        self._check_tile(tile)
        row, col = divmod(self.cells.index(tile), self.cols)
        blank_row, blank_col = divmod(self.blank, self.cols)
        if row == blank_row:
            return ("L" if col > blank_col else "R") * abs(col - blank_col)
        if col == blank_col:
            return ("U" if row > blank_row else "D") * abs(row - blank_row)
        # The error lists the tiles that would have worked.
        line = [
            other
            for cell, other in enumerate(self.cells)
            if other and (cell // self.cols == blank_row or cell % self.cols == blank_col)
        ]
        raise IllegalMoveError(message(NOT_IN_LINE, tile=tile, tiles=listed(line)))

    def boxed(self, moved: int | None = None) -> str:
        """Return the board drawn with lines, the tile `moved` marked by angle brackets.

        >>> print(Board(2, 2, (1, 2, 3, 0)).boxed(moved=3))
        +-----+-----+
        |  1  |  2  |
        +-----+-----+
        | >3< |     |
        +-----+-----+
        """
        # The highest tile has the most digits.
        width = len(str(len(self.cells) - 1))
        rule = "+" + "+".join(["-" * (width + 4)] * self.cols) + "+"
        lines = [rule]
        for row in self.grid:
            lines += ["|" + "|".join(_box(tile, width, moved) for tile in row) + "|", rule]
        return "\n".join(lines)

    def _neighbours(self) -> dict[str, int]:
        """Return the cell of each tile that can move by its direction, in the order of `UDLR`."""
        return sources(self.rows, self.cols)[self.blank]

    def _swap(self, cell: int) -> Board:
        cells = list(self.cells)
        blank = self.blank
        cells[blank], cells[cell] = cells[cell], 0
        return Board(self.rows, self.cols, tuple(cells))

    def _check_tile(self, tile: int) -> None:
        last = len(self.cells) - 1
        if not 1 <= tile <= last:
            raise IllegalMoveError(message(NO_TILE, tile=str(tile), last=last))


_FROM = {"U": (1, 0), "D": (-1, 0), "L": (0, 1), "R": (0, -1)}
"""Position of the tile that moves in each direction, as (rows, columns) from the blank."""

_WORDS = {"U": "up", "D": "down", "L": "left", "R": "right"}

_NO_TILE_MOVES = {
    "U": noop("no tile can move up: the blank is in row %(row)s, column %(column)s"),
    "D": noop("no tile can move down: the blank is in row %(row)s, column %(column)s"),
    "L": noop("no tile can move left: the blank is in row %(row)s, column %(column)s"),
    "R": noop("no tile can move right: the blank is in row %(row)s, column %(column)s"),
}


@cache
def sources(rows: int, cols: int) -> tuple[dict[str, int], ...]:
    """Return, for each cell of the blank, the cells of the movable tiles by direction."""
    return tuple(
        {
            # In the order of UDLR, on which `movable` and `legal_directions` rely.
            direction: (row + down) * cols + col + right
            for direction, (down, right) in _FROM.items()
            if 0 <= row + down < rows and 0 <= col + right < cols
        }
        for row in range(rows)
        for col in range(cols)
    )


_OF_BLANK = str.maketrans("udlr", "DURL")
"""Directions of the tile, by the blank's."""


def neighbour_cells(rows: int, cols: int, order: str = "udlr") -> list[list[int]]:
    """Return the cells that the blank can go to, by its cell, in the order of its directions.

    >>> neighbour_cells(2, 2)
    [[2, 1], [3, 0], [0, 3], [1, 2]]
    """
    letters = order.translate(_OF_BLANK)
    return [[ways[one] for one in letters if one in ways] for ways in sources(rows, cols)]


def cell_distance(cell: int, other: int, cols: int) -> int:
    """Return the rows and columns between two cells of a board with `cols` columns.

    >>> cell_distance(0, 5, 3)
    3
    """
    return abs(cell // cols - other // cols) + abs(cell % cols - other % cols)


def direction_word(direction: str) -> str:
    """Return `up`, `down`, `left` or `right` for a letter of `UDLR`."""
    return _WORDS[direction]


@lru_cache(maxsize=MAX_CODES)
def _code(board: Board) -> str:
    return "-".join(".".join(map(str, row)) for row in board.grid)


def check_size(rows: int, cols: int) -> None:
    """Raise `InvalidBoardError` unless both sides are from 2 to 10."""
    if not (MIN_SIDE <= rows <= MAX_SIDE and MIN_SIDE <= cols <= MAX_SIDE):
        raise InvalidBoardError(
            message(
                "a board has %(least)s to %(most)s rows and columns, got %(size)s",
                least=MIN_SIDE,
                most=MAX_SIDE,
                size=f"{rows}x{cols}",
            )
        )


def check_tiles(cells: tuple[int, ...]) -> None:
    """Raise `InvalidBoardError` unless `cells` holds each of 0..len(cells)-1 once."""
    if set(cells) != set(range(len(cells))):
        raise InvalidBoardError(_wrong_tiles(cells))


@cache
def standard_goal(rows: int, cols: int) -> Board:
    """Return the goal 1, 2, 3 ... row by row with the blank last.

    >>> str(standard_goal(2, 3))
    '1.2.3-4.5.0'
    """
    check_size(rows, cols)
    return Board(rows, cols, (*range(1, rows * cols), 0))


@cache
def blank_first_goal(rows: int, cols: int) -> Board:
    """Return the goal 0, 1, 2 ... row by row: the blank first.

    >>> str(blank_first_goal(2, 3))
    '0.1.2-3.4.5'
    """
    check_size(rows, cols)
    return Board(rows, cols, tuple(range(rows * cols)))


@cache
def spiral_goal(rows: int, cols: int) -> Board:
    """Return the spiral goal: tiles 1, 2, 3 ... clockwise from the first cell inwards, then the
    blank.

    >>> str(spiral_goal(3, 3))
    '1.2.3-8.0.4-7.6.5'
    """
    check_size(rows, cols)
    left = [list(range(row * cols, (row + 1) * cols)) for row in range(rows)]
    way: list[int] = []
    while left:
        way += left.pop(0)
        # Taking off the first row and turning the rest walks along the spiral.
        left = [list(column) for column in zip(*left, strict=True)][::-1]  # a quarter turn
    cells = [0] * (rows * cols)
    for tile, cell in enumerate(way[:-1], 1):
        cells[cell] = tile
    return Board(rows, cols, tuple(cells))


STANDARD_GOALS = {"last": standard_goal, "first": blank_first_goal, "spiral": spiral_goal}
"""The goals of every size, by their names in links and commands."""


def _wrong_tiles(cells: tuple[int, ...]) -> str:
    """Describe the cells that are missing, repeated or unknown."""
    wanted = range(len(cells))
    missing = [n for n in wanted if n not in cells]
    twice = sorted({n for n in cells if n in wanted and cells.count(n) > 1})
    strange = sorted({n for n in cells if n not in wanted})
    faults = [*_missing(missing), *_repeated(twice, cells), *_unknown(strange)]
    fault, last = listed(faults), len(cells) - 1
    # Many programs write the blank in another way, so say what 0 means.
    if 0 in missing or 0 in twice:
        return message(
            "%(fault)s (0 is the blank); each number from 0 to %(last)s must appear once",
            fault=fault,
            last=last,
        )
    return message(
        "%(fault)s; each number from 0 to %(last)s must appear once", fault=fault, last=last
    )


def _missing(tiles: list[int]) -> Iterator[str]:
    if len(tiles) == 1:
        yield message("%(tile)s is missing", tile=tiles[0])
    elif tiles:
        yield message("%(tiles)s are missing", tiles=_some(tiles))


def _repeated(tiles: list[int], cells: tuple[int, ...]) -> Iterator[str]:
    is_twice = max(map(cells.count, tiles), default=2) == 2
    if len(tiles) == 1 and is_twice:
        yield message("%(tile)s appears twice", tile=tiles[0])
    elif len(tiles) == 1:
        yield message("%(tile)s appears more than once", tile=tiles[0])
    elif tiles and is_twice:
        yield message("%(tiles)s appear twice", tiles=_some(tiles))
    elif tiles:
        yield message("%(tiles)s appear more than once", tiles=_some(tiles))


def _unknown(tiles: list[int]) -> Iterator[str]:
    if len(tiles) == 1:
        yield message("%(tile)s is not a tile of this board", tile=tiles[0])
    elif tiles:
        yield message("%(tiles)s are not tiles of this board", tiles=_some(tiles))


def _some(numbers: Sequence[int]) -> str:
    """Return numbers as a list in words, shortened after the first eight."""
    if len(numbers) > 8:
        return message("%(tiles)s and others", tiles=", ".join(map(str, numbers[:8])))
    return listed(numbers)


def _box(tile: int, width: int, moved: int | None) -> str:
    if tile == 0:
        return " " * (width + 4)
    text = f">{tile}<" if tile == moved else f" {tile} "
    return " " + text.rjust(width + 2) + " "
