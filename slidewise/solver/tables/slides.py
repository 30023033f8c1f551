"""Exact distances in slides from each board of up to 10 cells to a goal.

A slide moves all tiles from the blank up to a tile of its row or column towards the blank. It
counts 1 for any number of tiles (the multi-tile metric).
"""

from __future__ import annotations

from slidewise.puzzle import Board
from slidewise.solver.tables.exact import ExactTable


class SlideTable(ExactTable):
    """Distances of all boards of one size to `goal`, in slides.

    A tile of `next_tiles` is the last one of the sliding line, farthest from the blank. They are
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
