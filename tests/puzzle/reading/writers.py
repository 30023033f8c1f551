"""Boards in the notations of people and programs.

Notebooks of courses print boards in these styles. Each function prints one style, for any size.
"""

import numpy as np

from slidewise import Board


def words(board: Board, blank: str = "0") -> list[list[str]]:
    """Return the cells as rows of text, the blank written as `blank`."""
    return [[str(tile) if tile else blank for tile in row] for row in board.grid]


def rows(board: Board, row_mark: str, cell_mark: str, blank: str = "0") -> str:
    return row_mark.join(cell_mark.join(row) for row in words(board, blank))


def flat(board: Board, cell_mark: str, blank: str = "0") -> str:
    return cell_mark.join(word for row in words(board, blank) for word in row)


def barred(board: Board, mark: str, blank: str, gap: str = "") -> str:
    """Write each row with `mark` around every cell, including the edges of the row."""
    return "\n".join(
        mark + mark.join(f"{gap}{word}{gap}" for word in row) + mark for row in words(board, blank)
    )


def adjacent_digits(board: Board, row_mark: str, blank: str = "0", digits: str = "%x") -> str:
    """Write each cell as one digit, in the base that `digits` names."""
    return row_mark.join(
        "".join(digits % tile if tile else blank for tile in row) for row in board.grid
    )


def dashed_box(board: Board) -> str:
    """Write `| 7 | 5 | 4 |` between lines that consist of dashes."""
    rule = "-" * (4 * board.cols + 1)
    lines = [rule]
    for row in board.grid:
        lines += ["| " + " | ".join(map(str, row)) + " |", rule]
    return "\n".join(lines) + "\n"


def tabbed_box(board: Board) -> str:
    """Write tabs before the bars. A rule ends with a bar, a row does not."""
    rule = "\n\t+" + "-------+" * (board.cols - 1) + "-------|"
    lines = ["\n", rule, "\n"]
    for row in board.grid:
        lines += [f"\t|  {tile} " if tile else "\t|  0" for tile in row]
        lines += [rule, "\n"]
    return "".join(lines)


def padded_box(board: Board, moved: int | None = None) -> str:
    """Write rules of dashes that do not fit, an empty blank, and `>> 2<<` for the moved tile."""
    rule = "+" + "------" * board.cols + "+"
    lines = [rule]
    for row in board.grid:
        cells = [
            "    " if not tile else f">>{tile:2d}<<" if tile == moved else f" {tile:2d}  "
            for tile in row
        ]
        lines += ["|" + "|".join(cells) + "|", rule]
    return "\n".join(lines)


def numbers(board: Board, blank: int = 0) -> list[list[int]]:
    return [[tile or blank for tile in row] for row in board.grid]


def python_list(board: Board, blank: int = 0) -> str:
    return repr(numbers(board, blank))


def python_tuple(board: Board, blank: int = 0) -> str:
    return repr(tuple(map(tuple, numbers(board, blank))))


def list_a_line(board: Board, blank: int = 0) -> str:
    return "\n".join(map(str, numbers(board, blank)))


def numpy_print(board: Board, blank: int = 0) -> str:
    return str(np.array(numbers(board, blank)))


def numpy_commas(board: Board, blank: int = 0) -> str:
    return np.array2string(np.array(numbers(board, blank)), separator=", ")


def numpy_repr(board: Board, blank: int = 0) -> str:
    return repr(np.array(numbers(board, blank)))


def numpy_source(board: Board, blank: int = 0) -> str:
    inner = ",\n                        ".join(map(str, numbers(board, blank)))
    return f"np.array([{inner}])"


LISTS = (
    python_list,
    python_tuple,
    list_a_line,
    numpy_print,
    numpy_commas,
    numpy_repr,
    numpy_source,
)

BOXES = (Board.boxed, dashed_box, tabbed_box, padded_box)
