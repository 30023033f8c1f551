"""Writing a board in the notations of people, programs and courses. `parse_board` reads them all.

A notation that a course has for squares alone is written for squares alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidewise.puzzle.errors import PuzzleError

if TYPE_CHECKING:
    from collections.abc import Callable

    from slidewise.puzzle.board import Board

_LETTERED_CELLS = 25
"""The cells of the largest board whose tiles have letters: A to X."""

_HEXADECIMAL_CELLS = 16


@dataclass(frozen=True, slots=True)
class Notation:
    """A way to write a board: its key, what it is called, who uses it, and the function."""

    key: str
    title: str
    used: str
    write: Callable[[Board], str]
    fits: Callable[[Board], bool] = lambda _: True


def write_board(board: Board, notation: str) -> str:
    """Return `board` in a notation of `NOTATIONS`.

    >>> from slidewise.puzzle.board import Board
    >>> write_board(Board(2, 2, (1, 2, 3, 0)), "java")
    'int[][] tiles = {{1, 2}, {3, 0}};'

    Raises `PuzzleError` where there is no such notation, or it has no such board.
    """
    found = NOTATIONS.get(notation)
    if not found:
        raise PuzzleError(f"no notation {notation!r}: choose from {', '.join(NOTATIONS)}")
    if not found.fits(board):
        can = [key for key, one in NOTATIONS.items() if one.fits(board)]
        raise PuzzleError(
            f"{notation} has no boards of {board.rows}x{board.cols}: choose from {', '.join(can)}"
        )
    return found.write(board)


def written(board: Board) -> list[tuple[Notation, str]]:
    """Return all notations that have such a board, each with the board written in it."""
    return [(one, one.write(board)) for one in NOTATIONS.values() if one.fits(board)]


def aligned(board: Board) -> str:
    """Return the rows with their cells under each other.

    >>> from slidewise.puzzle.board import Board
    >>> print(aligned(Board(2, 2, (1, 2, 3, 0))))
    1 2
    3 0
    """
    width = len(str(len(board.cells) - 1))
    return "\n".join(" ".join(f"{tile:{width}}" for tile in row) for row in board.grid)


def princeton(board: Board) -> str:
    """Return the file of Princeton's and Coursera's 8puzzle: the size, then the rows."""
    rows = ("".join(f"{tile:2d} " for tile in row) for row in board.grid)
    return "\n".join([str(board.rows), *rows])


def forty_two(board: Board, comment: str = "written by Slidewise") -> str:
    """Return the file of the school 42's n-puzzle: a comment, the size, then the rows."""
    return f"# {comment}\n{board.rows}\n{aligned(board)}"


def _nested(board: Board, opening: str, closing: str) -> str:
    rows = (f"{opening}{', '.join(map(str, row))}{closing}" for row in board.grid)
    return f"{opening}{', '.join(rows)}{closing}"


def _python(board: Board) -> str:
    return _nested(board, "[", "]")


def _java(board: Board) -> str:
    return f"int[][] tiles = {_nested(board, '{', '}')};"


def _c(board: Board) -> str:
    return f"int tiles[{board.rows}][{board.cols}] = {_nested(board, '{', '}')};"


def _matlab(board: Board) -> str:
    return f"A = [{'; '.join(' '.join(map(str, row)) for row in board.grid)}];"


def _tatham(board: Board) -> str:
    return f"{board.cols}x{board.rows}:{','.join(map(str, board.cells))}"


def _flat(board: Board, between_cells: str, between_rows: str) -> str:
    """Return the cells in one row. A board that is no square keeps its rows: as many cells as a
    square has would be read as that square."""
    if _is_square(board):
        return between_cells.join(map(str, board.cells))
    return between_rows.join(between_cells.join(map(str, row)) for row in board.grid)


def _line(board: Board) -> str:
    return _flat(board, " ", "/")


def _csv(board: Board) -> str:
    return _flat(board, ",", "\n")


def _digits(board: Board) -> str:
    return "/".join("".join(f"{tile:X}" for tile in row) for row in board.grid)


def _letters(board: Board) -> str:
    return "/".join(
        "".join(chr(ord("A") + tile - 1) if tile else "_" for tile in row) for row in board.grid
    )


def unicode_box(board: Board) -> str:
    """Return the board drawn with the box characters of Unicode.

    >>> from slidewise.puzzle.board import Board
    >>> print(unicode_box(Board(2, 2, (1, 2, 3, 0))))
    ┌───┬───┐
    │ 1 │ 2 │
    ├───┼───┤
    │ 3 │   │
    └───┴───┘
    """
    width = len(str(len(board.cells) - 1))
    stroke = "─" * (width + 2)
    top, between, bottom = (
        f"{left}{middle.join([stroke] * board.cols)}{right}"
        for left, middle, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    rows = ("│" + "│".join(f" {tile or '':>{width}} " for tile in row) + "│" for row in board.grid)
    return f"{top}\n" + f"\n{between}\n".join(rows) + f"\n{bottom}"


def _is_square(board: Board) -> bool:
    return board.rows == board.cols


NOTATIONS = {
    notation.key: notation
    for notation in (
        Notation("code", "Code", "links of this site", str),
        Notation("rows", "Rows", "most programs", aligned),
        Notation("line", "One line", "as in Korf’s list", _line),
        Notation("csv", "Commas", "ColumbiaX, CSV", _csv),
        Notation("python", "Lists", "Python, JavaScript, JSON", _python),
        Notation("numpy", "NumPy", "Python", lambda board: f"np.array({_python(board)})"),
        Notation("java", "Java", "arrays", _java),
        Notation("c", "C", "arrays", _c),
        Notation("matlab", "MATLAB", "Octave and Julia too", _matlab),
        Notation("princeton", "8puzzle file", "Princeton and Coursera", princeton, _is_square),
        Notation("42", "n-puzzle file", "the school 42", forty_two, _is_square),
        Notation("tatham", "Game ID", "Simon Tatham’s Fifteen", _tatham),
        Notation(
            "digits",
            "Digits",
            "hexadecimal, up to 16 cells",
            _digits,
            lambda board: len(board.cells) <= _HEXADECIMAL_CELLS,
        ),
        Notation(
            "letters",
            "Letters",
            "A is tile 1, _ the blank",
            _letters,
            lambda board: len(board.cells) <= _LETTERED_CELLS,
        ),
        Notation("box", "Box", "as the command prints it", lambda board: board.boxed()),
        Notation("unicode", "Unicode box", "to paste into a text", unicode_box),
    )
}
"""The notations, by key."""
