import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import (
    Board,
    IllegalMoveError,
    InvalidBoardError,
    InvalidMovesError,
    blank_first_goal,
    parse_board,
    spiral_goal,
    standard_goal,
)
from slidewise.puzzle.board import direction_word
from tests.each import each
from tests.puzzle.strategies import ALL_SIZES, SIZES, boards

CENTRE = parse_board("7.2.4-5.0.6-8.3.1")


def grid_after(board: Board, direction: str) -> list[list[int]] | None:
    """Move a tile by definition: find the blank and the cell that the tile comes from."""
    grid = [list(row) for row in board.grid]
    row, col = next((r, c) for r in range(board.rows) for c in range(board.cols) if not grid[r][c])
    from_row, from_col = {
        "U": (row + 1, col),
        "D": (row - 1, col),
        "L": (row, col + 1),
        "R": (row, col - 1),
    }[direction]
    if not (0 <= from_row < board.rows and 0 <= from_col < board.cols):
        return None
    grid[row][col], grid[from_row][from_col] = grid[from_row][from_col], 0
    return grid


# Construction


@given(boards())
def test_grid_blank_and_size_agree_with_the_cells(board):
    assert board.size == (board.rows, board.cols) == (len(board.grid), len(board.grid[0]))
    assert [tile for row in board.grid for tile in row] == list(board.cells)
    assert board.cells[board.blank] == 0


def test_boards_are_immutable():
    with pytest.raises(dataclasses.FrozenInstanceError):
        CENTRE.rows = 4
    before = str(CENTRE)
    CENTRE.slide(2).move("L")
    assert str(CENTRE) == before


@pytest.mark.parametrize(
    ("rows", "cols", "cells", "wrong"),
    [
        (1, 4, (0, 1, 2, 3), "2 to 10 rows and columns, got 1x4"),
        (2, 11, range(22), "got 2x11"),
        (3, 3, range(8), "expected 9 cells for 3 rows of 3, got 8"),
        (2, 2, range(5), "expected 4 cells for 2 rows of 2, got 5"),
        (
            2,
            2,
            (0, 1, 2, 4),
            "3 is missing and 4 is not a tile of this board; each number from 0 to 3 must appear "
            "once",
        ),
        (2, 2, (1, 1, 2, 3), r"0 is missing and 1 appears twice \(0 is the blank\)"),
        (2, 2, (-1, 1, 2, 3), "-1 is not a tile of this board"),
        (3, 3, (0,) * 9, "^1, 2, 3, 4, 5, 6, 7 and 8 are missing and 0 appears more than once"),
        (2, 5, (0,) * 10, "^1, 2, 3, 4, 5, 6, 7, 8 and others are missing"),
        (5, 5, (1,) * 25, "7, 8 and others are missing and 1 appears more than once"),
    ],
)
def test_invalid_board_is_refused(rows, cols, cells, wrong):
    with pytest.raises(InvalidBoardError, match=wrong):
        Board(rows, cols, tuple(cells))


@each("size", ALL_SIZES)
def test_boards_of_up_to_10_cells_have_a_table(size):
    rows, cols = size
    assert standard_goal(rows, cols).has_table == (rows * cols <= 10)


@given(SIZES)
def test_named_goals_have_their_cells(size):
    rows, cols = size
    assert standard_goal(rows, cols).cells == (*range(1, rows * cols), 0)
    assert blank_first_goal(rows, cols).cells == tuple(range(rows * cols))


@given(SIZES)
def test_spiral_goal_turns_clockwise_inwards(size):
    goal = spiral_goal(*size)
    cell_of = {tile: divmod(cell, goal.cols) for cell, tile in enumerate(goal.cells)}
    last = len(goal.cells)
    cell_of[last] = cell_of.pop(0)  # the blank is the last cell of the spiral
    at, ahead, seen = (0, 0), (0, 1), set()
    for tile in range(1, last + 1):
        assert cell_of[tile] == at
        seen.add(at)
        on = at[0] + ahead[0], at[1] + ahead[1]
        if on in seen or on not in cell_of.values():
            ahead = ahead[1], -ahead[0]  # turn right
        at = at[0] + ahead[0], at[1] + ahead[1]


@pytest.mark.parametrize("goal", [standard_goal, blank_first_goal, spiral_goal])
def test_goal_of_an_invalid_size_is_refused(goal):
    for rows, cols in (1, 3), (10**18, 10**18):
        with pytest.raises(InvalidBoardError, match=f"got {rows}x{cols}"):
            goal(rows, cols)


# Moves


@given(boards(), st.sampled_from("UDLR"))
def test_move_is_named_by_the_tiles_direction(board, direction):
    expected = grid_after(board, direction)
    assert (direction in board.legal_directions) == (expected is not None)
    if expected is None:
        assert board.source(direction) is None
        with pytest.raises(IllegalMoveError, match=f"no tile can move {direction_word(direction)}"):
            board.move(direction)
    else:
        assert board.cells[board.source(direction)] == expected_tile(board, expected)
        assert [list(row) for row in board.move(direction).grid] == expected


def expected_tile(board: Board, after: list[list[int]]) -> int:
    return after[board.blank // board.cols][board.blank % board.cols]


@given(boards())
def test_slide_and_move_agree(board):
    assert len(board.movable) == len(board.legal_directions)
    for tile, direction in zip(board.movable, board.legal_directions, strict=True):
        assert board.direction_of(tile) == direction
        assert board.slide(tile) == board.move(direction)


@given(boards(), st.integers(-1, 101))
def test_only_tiles_beside_the_blank_slide(board, tile):
    if tile in board.movable:
        assert board.slide(tile).cells[board.blank] == tile
        return
    assert board.direction_of(tile) is None
    missing = not 1 <= tile < board.rows * board.cols
    expected = f"no tile {tile}:" if missing else f"tile {tile} is not beside the blank"
    with pytest.raises(IllegalMoveError, match=expected):
        board.slide(tile)


def test_movable_and_directions_are_in_order_udlr():
    assert CENTRE.legal_directions == "UDLR"
    assert CENTRE.movable == (3, 2, 6, 5)
    assert standard_goal(3, 3).legal_directions == "DR"
    assert blank_first_goal(3, 3).legal_directions == "UL"


def test_impossible_slide_names_the_tiles_that_can_move():
    with pytest.raises(IllegalMoveError, match=r"beside the blank; 3, 2, 6 and 5 are$"):
        CENTRE.slide(7)
    with pytest.raises(IllegalMoveError, match=r"column of the blank; 2, 5, 6 and 3 are$"):
        CENTRE.line(7)
    for tile in 0, 9:
        with pytest.raises(IllegalMoveError, match=f"no tile {tile}: this board has .* 1 to 8"):
            CENTRE.slide(tile)
    with pytest.raises(IllegalMoveError, match="tile 1 is not beside the blank"):
        CENTRE.slide(1)
    with pytest.raises(IllegalMoveError, match="the blank is in row 3, column 3"):
        standard_goal(3, 3).move("U")


@pytest.mark.parametrize("direction", ["u", "X", "", "UD", "↑"])
def test_invalid_direction_is_refused(direction):
    with pytest.raises(
        InvalidMovesError, match=f"expected a move, U, D, L or R, found '{direction}'"
    ):
        CENTRE.move(direction)


# Lines


@given(boards())
def test_line_brings_the_blank_to_the_tile(board):
    row, col = divmod(board.blank, board.cols)
    for cell, tile in enumerate(board.cells):
        away = abs(cell // board.cols - row), abs(cell % board.cols - col)
        if tile == 0 or 0 not in away:
            with pytest.raises(IllegalMoveError):
                board.line(tile)
            continue
        line = board.line(tile)
        assert len(line) == sum(away)
        assert len(set(line)) == 1
        after = board
        for direction in line:
            after = after.move(direction)
        assert after.blank == cell


# Text drawings


def test_boxed_board_has_rules_and_bars():
    assert standard_goal(2, 3).boxed() == (
        "+-----+-----+-----+\n"
        "|  1  |  2  |  3  |\n"
        "+-----+-----+-----+\n"
        "|  4  |  5  |     |\n"
        "+-----+-----+-----+"
    )


@each("size", ALL_SIZES)
def test_boxes_are_as_wide_as_the_largest_tile(size):
    goal = standard_goal(*size)
    width = len(str(max(goal.cells))) + 4
    assert goal.boxed().splitlines()[0] == "+" + f"{'-' * width}+" * goal.cols


@given(boards(), st.data())
def test_boxed_lines_are_equally_long_and_mark_one_tile(board, data):
    moved = data.draw(st.none() | st.sampled_from(board.movable))
    text = board.boxed(moved)
    assert len({len(line) for line in text.splitlines()}) == 1
    assert len(text.splitlines()) == 2 * board.rows + 1
    assert re.findall(r">\d+<", text) == ([] if moved is None else [f">{moved}<"])


def test_notebook_shows_the_picture():
    assert CENTRE._repr_svg_().startswith("<svg ")
