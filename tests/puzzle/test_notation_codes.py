"""Puzzle codes, with or without a goal, and sizes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import (
    Board,
    InvalidBoardError,
    Puzzle,
    SizeNeededError,
    parse_puzzle,
    parse_size,
    standard_goal,
)
from tests.each import each
from tests.puzzle.reading import writers
from tests.puzzle.strategies import SIZES, boards, boards_up_to, puzzles

# Puzzle codes


@given(puzzles())
def test_puzzle_codes_round_trip(puzzle):
    assert parse_puzzle(str(puzzle)) == puzzle


@given(boards())
def test_code_omits_the_standard_goal(board):
    assert str(Puzzle.standard(board)) == str(board)
    assert parse_puzzle(str(board)) == Puzzle(board, standard_goal(*board.size))
    assert parse_puzzle(f"{board}_{standard_goal(*board.size)}") == Puzzle.standard(board)


@given(puzzles())
def test_code_needs_no_escaping_in_a_url(puzzle):
    assert set(str(puzzle)) <= set("0123456789.-_")


@given(puzzles(), st.sampled_from([str, *writers.LISTS, *writers.BOXES]))
def test_separate_goal_is_read_in_any_notation(puzzle, write):
    assert parse_puzzle(write(puzzle.start), write(puzzle.goal)) == puzzle


@given(puzzles(), st.sampled_from([" ", ","]))
def test_flat_goal_has_the_size_of_the_start(puzzle, mark):
    assert parse_puzzle(str(puzzle.start), writers.flat(puzzle.goal, mark)) == puzzle
    start = writers.flat(puzzle.start, mark)
    assert parse_puzzle(start, writers.flat(puzzle.goal, mark), puzzle.start.size) == puzzle


@given(puzzles(st.just((3, 3))))
def test_codes_of_adjacent_digits_are_read(puzzle):
    start, goal = (writers.adjacent_digits(board, "") for board in (puzzle.start, puzzle.goal))
    assert parse_puzzle(f"{start}_{goal}") == puzzle


@pytest.mark.parametrize("write", [writers.python_list, writers.python_tuple, writers.numpy_print])
@given(puzzle=puzzles(), joint=st.sampled_from(["_", " _ ", "\n_\n"]))
def test_codes_of_lists_are_read(write, puzzle, joint):
    assert parse_puzzle(write(puzzle.start) + joint + write(puzzle.goal)) == puzzle


@given(boards_up_to(16), st.sampled_from([" ", ","]), st.sampled_from(["\n", "/"]))
def test_board_with_an_underscore_blank_is_not_a_code(board, cell_mark, row_mark):
    text = writers.rows(board, row_mark, cell_mark, blank="_")
    assert parse_puzzle(text) == Puzzle.standard(board)
    assert parse_puzzle(writers.flat(board, cell_mark, "_"), size=board.size).start == board
    together = writers.adjacent_digits(board, "", "_")
    assert parse_puzzle(together, size=board.size).start == board


@pytest.mark.parametrize("goal", ["", " ", "\n", None])
def test_missing_goal_is_the_standard_one(goal):
    assert parse_puzzle("1.2-0.3", goal) == Puzzle.standard(Board(2, 2, (1, 2, 0, 3)))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("1.2-3.3_0.1-2.3", "3 appears twice.*'1.2-3.3'"),
        ("1.2-3.0_9.9-9.9", "9 is not a tile of this board.*'9.9-9.9'"),
        ("1.2-3.0_0.1.2-3.4.5", "expected 2 rows of 2, found 2 rows of 3"),
        ("1.2-3.0_", "expected a tile's number"),
        ("_1.2-3.0", "expected a tile's number"),
        ("1.2-3.0_0.1-2.3_1.2-3.0", "expected one board, found 3 of 4 cells"),
        ("1.2-3.0__0.1-2.3", "expected one board, found 2 of 4 cells"),
        ("1 2 3 4 5 6 _ 7 9", "9 is not a tile of this board"),
    ],
)
def test_wrong_code_error_names_the_fault(text, wrong):
    with pytest.raises(InvalidBoardError, match=wrong) as caught:
        parse_puzzle(text)
    assert not isinstance(caught.value, SizeNeededError)


@pytest.mark.parametrize("text", ["103425_123450", "1 0 3 4 2 5 _ 1 2 3 4 5 0"])
def test_flat_code_that_fills_no_square_needs_the_size(text):
    with pytest.raises(SizeNeededError, match="2x3 or 3x2"):
        parse_puzzle(text)
    assert str(parse_puzzle(text, size=(2, 3))) == "1.0.3-4.2.5"


# Sizes


@given(SIZES, st.sampled_from(["x", "X", "×", " x ", " ", ",", ", ", "*", "\t"]))
def test_sizes_round_trip(size, mark):
    assert parse_size(f" {size[0]}{mark}{size[1]}\n") == size


@pytest.mark.parametrize("text", ["1x3", "3x1", "11x3", "3x11", "0x0", "999x999"])
def test_sizes_outside_2_to_10_are_refused(text):
    with pytest.raises(InvalidBoardError, match=f"2 to 10 rows and columns, got {text}"):
        parse_size(text)


@each("text", ["", "3", "33", "3x", "x3", "3x3x3", "-3x3", "3.5x3", "1000x2", "٣x3"])
def test_text_without_a_size_is_refused(text):
    with pytest.raises(InvalidBoardError, match="expected a size such as 3x3"):
        parse_size(text)


@given(st.text() | st.text(alphabet="0123456789xX×*, "))
def test_any_text_is_a_size_or_an_invalid_board(text):
    try:
        rows, cols = parse_size(text)
    except InvalidBoardError:
        return
    assert 2 <= rows <= 10
    assert 2 <= cols <= 10
