"""Boards in layouts other than rows of cells are read, and unclear ones are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import InvalidBoardError, parse_board, parse_puzzle
from slidewise.puzzle.layouts import as_rows, start_and_goal
from tests.each import each
from tests.puzzle.strategies import boards, boards_up_to, puzzles

SQUARES = boards(st.integers(2, 5).map(lambda side: (side, side)))
BLANKS = ["0", "_", "__", "•", "·", "□", "▢", "☐", "e", "v", "None", "blank", "vazio", "vide"]


def cells_of(board, blank="0"):
    """Return the rows of texts of a board."""
    return [[str(tile) if tile else blank for tile in row] for row in board.grid]


@given(board=SQUARES, first=st.sampled_from(["", "side", "cells"]), end=st.sampled_from(["", ","]))
def test_cells_on_lines_of_their_own_are_a_square(board, first, end):
    lines = {"": [], "side": [str(board.rows)], "cells": [str(len(board.cells))]}[first]
    text = "\n".join([*lines, *(f"{tile}{end}" for tile in board.cells)])
    assert parse_board(text) == board


@given(board=boards_up_to(100), blank=st.sampled_from(["0", "_", "e"]))
def test_hyphens_stand_between_cells(board, blank):
    assert parse_board("\n".join("-".join(row) for row in cells_of(board, blank))) == board


@given(board=boards_up_to(100), blank=st.sampled_from(["0", " ", "_", ""]), data=st.data())
def test_each_tile_can_have_a_box(board, blank, data):
    start, end = data.draw(st.sampled_from([("| ", " |"), ("[", "]"), ("|", "|")]))
    rows = ["  ".join(f"{start}{cell}{end}" for cell in row) for row in cells_of(board, blank)]
    border = data.draw(st.sampled_from(["", "---  ---\n", "-----\n"]))
    text = border + f"\n{border}".join(rows)
    assert parse_board(text) == board


@given(board=SQUARES, blank=st.sampled_from(["0", "v", "_", "e"]))
def test_term_of_prolog_is_a_list(board, blank):
    cells = ",".join(cell for row in cells_of(board, blank) for cell in row)
    assert parse_board(f"board([{cells}], {board.rows}).") == board
    assert parse_board(f"start([{cells}]).") == board
    nested = ", ".join(f"[{','.join(row)}]" for row in cells_of(board, blank))
    assert parse_board(f"initial([{nested}]).\n") == board
    assert parse_board(f"[{nested}, -1]") == board


@given(board=boards_up_to(36), origin=st.sampled_from([0, 1]), data=st.data())
def test_facts_name_the_place_of_each_cell(board, origin, data):
    facts = [
        f"in0({row + origin},{col + origin},{tile})."
        for row, tiles in enumerate(board.grid)
        for col, tile in enumerate(tiles)
    ]
    text = data.draw(st.sampled_from(["\n", " "])).join(data.draw(st.permutations(facts)))
    try:
        found = parse_board(text)
    except InvalidBoardError:  # it can also be read with the cell first
        assert as_rows(text) is None
    else:
        assert found == board


def test_facts_that_can_mean_two_boards_are_refused():
    facts = "at(0,0,1). at(0,1,0). at(1,0,3). at(1,1,2)."
    assert as_rows(facts) == "1 0\n3 2"
    both = "at(0,0,0). at(0,1,1). at(1,0,2). at(1,1,3)."
    assert as_rows(both) == "0 1\n2 3"
    twice = "at(0,0,1). at(0,0,2). at(1,0,3). at(1,1,0)."
    assert as_rows(twice) is None
    elsewhere = "at(2,2,1). at(2,3,0). at(3,2,3). at(3,3,2)."
    assert as_rows(elsewhere) is None
    with pytest.raises(InvalidBoardError):
        parse_board(twice)


@each("blank", BLANKS)
@given(board=boards_up_to(16))
def test_blank_can_be_any_of_these_signs(blank, board):
    text = "\n".join(" ".join(f"{cell:>2}" for cell in row) for row in cells_of(board, blank))
    assert parse_board(text) == board


@given(board=boards_up_to(100), data=st.data())
def test_spaces_in_aligned_columns_are_the_blank(board, data):
    left = data.draw(st.booleans())
    width = len(str(len(board.cells) - 1)) + 1
    rows = [
        "".join(f"{cell:<{width}}" if left else f"{cell:>{width}}" for cell in row)
        for row in cells_of(board, "")
    ]
    text = "\n".join(rows)
    col = board.blank % board.cols
    try:
        found = parse_board(text)
    except InvalidBoardError:
        alone = any(not line.strip() for line in rows)
        assert alone or board.cols == 2 or col in (0, board.cols - 1), text
    else:
        assert found == board


@each("text", ["1 2 3\n4 5\n7 8 6", "1 2\n3 4 5\n6 7 8", "1 2 3\n45\n7 8 6", "1 2 3\n4\n7 8 6"])
def test_row_that_is_too_short_without_spaces_is_refused(text):
    with pytest.raises(InvalidBoardError):
        parse_board(text)


@each("names", [("Estado inicial:", "Estado objetivo:"), ("État initial :", "But :")])
def test_start_and_goal_are_named_in_other_languages(names):
    start, goal = "8 1 3\n4 0 2\n7 6 5", "1 2 3\n8 0 4\n7 6 5"
    puzzle = parse_puzzle("8.1.3-4.0.2-7.6.5_1.2.3-8.0.4-7.6.5")
    assert parse_puzzle(f"{names[0]}\n{start}\n\n{names[1]}\n{goal}") == puzzle
    assert parse_board(f"{names[0]}\n{start}") == puzzle.start


@given(puzzle=puzzles(st.just((3, 3))), names=st.sampled_from(["start goal", "Ziel Anfang"]))
def test_start_and_goal_can_stand_below_their_names(puzzle, names):
    first, second = names.split()
    ends = (puzzle.start, puzzle.goal) if names == "start goal" else (puzzle.goal, puzzle.start)
    blocks = ["\n".join(" ".join(row) for row in cells_of(board, "*")) for board in ends]
    assert parse_puzzle(f"{first}\n{blocks[0]}\n{second}\n{blocks[1]}") == puzzle
    assert parse_puzzle(f"{first} state:\n{blocks[0]}\n\n{second} state:\n{blocks[1]}") == puzzle


def test_labels_without_two_boards_are_no_puzzle():
    assert start_and_goal("start\n1 2\n3 0") is None
    assert start_and_goal("start\n1 2\n3 0\nstart\n1 2\n3 0") is None
    with pytest.raises(InvalidBoardError):
        parse_puzzle("start\n1 2\n3 3\ngoal\n1 2\n3 0")
