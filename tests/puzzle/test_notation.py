from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slidewise.puzzle import (
    Board,
    InvalidBoardError,
    Puzzle,
    SizeNeededError,
    parse_board,
    parse_puzzle,
    parse_size,
    standard_goal,
)
from slidewise.puzzle.notation import MAX_TEXT
from tests.puzzle import writers
from tests.puzzle.strategies import SIZES, SQUARES, boards, boards_up_to, puzzles

EIGHT = Board(3, 3, (7, 2, 4, 5, 0, 6, 8, 3, 1))
ROW_MARKS = ["\n", "\r\n", "\r", "\n\n", "/", " / ", ";", "; "]
CELL_MARKS = [" ", "   ", "\t", ",", ", ", ".", "|", " | "]
CELL_BLANKS = ["0", "_", "x", "X", ".", "-1"]
ODD_CHARACTERS = "0123456789 .-_/;,|[](){}xX<>*+=\n\r\tabcdefnpry─━'\"²٣½\xa0\ud800"


# The canonical form


@given(boards())
def test_canonical_round_trip(board):
    assert parse_board(str(board)) == board


@given(boards(), st.sampled_from(["", " ", "\n", "\t "]))
def test_canonical_with_space_around_it(board, space):
    assert parse_board(space + str(board) + space) == board


def test_canonical_is_cells_by_dots_and_rows_by_dashes():
    assert str(EIGHT) == "7.2.4-5.0.6-8.3.1"
    assert str(Board(2, 3, (1, 0, 3, 4, 2, 5))) == "1.0.3-4.2.5"
    assert str(Board(3, 2, (1, 0, 3, 4, 2, 5))) == "1.0-3.4-2.5"


def test_leading_zeros_are_read_and_written_no_more():
    assert str(parse_board("01.02-03.00")) == "1.2-3.0"


# Rows and cells with marks between them


@pytest.mark.parametrize("cell_mark", CELL_MARKS)
@given(board=boards(), row_mark=st.sampled_from(ROW_MARKS))
def test_rows_of_cells(cell_mark, board, row_mark):
    assert parse_board(writers.rows(board, row_mark, cell_mark)) == board


@pytest.mark.parametrize("blank", CELL_BLANKS)
@given(
    board=boards(),
    row_mark=st.sampled_from(ROW_MARKS),
    cell_mark=st.sampled_from([mark for mark in CELL_MARKS if mark != "."]),
)
def test_each_kind_of_blank(blank, board, row_mark, cell_mark):
    assert parse_board(writers.rows(board, row_mark, cell_mark, blank)) == board


@pytest.mark.parametrize("mark", [",", "|"])
@given(board=boards(), gap=st.sampled_from(["", " ", "  ", "\t", "\xa0"]))
def test_an_empty_cell_between_two_marks_is_the_blank(mark, board, gap):
    assert parse_board(writers.barred(board, mark, blank="", gap=gap)) == board


@pytest.mark.parametrize("mark", [",", "|", ", ", " | "])
@given(board=boards(), row_mark=st.sampled_from(ROW_MARKS))
def test_an_empty_cell_inside_a_row_without_edges(mark, board, row_mark):
    text = writers.rows(board, row_mark, mark, blank="")
    if 0 < board.blank % board.cols < board.cols - 1:
        assert parse_board(text) == board
    else:  # what stands beyond the first and the last mark is no cell, so that a tile's is missing
        with pytest.raises(InvalidBoardError, match="each row"):
            parse_board(text)


@given(boards(), st.sampled_from(CELL_BLANKS), st.sampled_from([",", "|"]))
def test_marks_at_the_edges_of_a_row_are_no_cells(board, blank, mark):
    assert parse_board(writers.barred(board, mark, blank)) == board


@pytest.mark.parametrize("text", ["1 2 0/3 _ 4", "1,2,,3,0,4,5,6,7", "0 -1 1 2", "x . 1 2"])
def test_two_kinds_of_blank_are_refused(text):
    with pytest.raises(InvalidBoardError, match="one kind of blank"):
        parse_board(text)


def test_the_two_kinds_of_blank_are_named():
    with pytest.raises(InvalidBoardError, match="found 0, an empty cell"):
        parse_board("|1|2|0|/|3||4|")


# Boards drawn with lines


@pytest.mark.parametrize("write", writers.BOXES, ids=lambda write: write.__name__)
@given(board=boards())
def test_boxed_boards(write, board):
    assert parse_board(write(board)) == board


@pytest.mark.parametrize("write", [Board.boxed, writers.padded_box], ids=lambda w: w.__name__)
@given(board=boards(), data=st.data())
def test_boxed_boards_with_the_moved_tile_marked(write, board, data):
    moved = data.draw(st.sampled_from(board.movable))
    text = write(board, moved=moved)
    assert f"{moved}<" in text
    assert parse_board(text) == board


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "+------------------+\n|  1  |>> 2<<|  3  |\n+------------------+\n"
            "|  4  |    |  5  |\n+------------------+",
            "1.2.3-4.0.5",
        ),
        (
            "-------------\n| 7 | 5 | 4 |\n-------------\n| 0 | 3 | 2 |\n-------------\n"
            "| 8 | 1 | 6 |\n-------------\n\n",
            "7.5.4-0.3.2-8.1.6",
        ),
        (
            "\n\t+-------+-------+-------|\n\t|  7 \t|  5 \t|  4 \n\t+-------+-------+-------|\n"
            "\t|  0\t|  3 \t|  2 \n\t+-------+-------+-------|\n\t|  8 \t|  1 \t|  6 \n"
            "\t+-------+-------+-------|\n",
            "7.5.4-0.3.2-8.1.6",
        ),
        ("| 1 | 2 |\n|---|---|\n| 3 |   |", "1.2-3.0"),
        ("| 1 | *2* |\n| 3 |   |", "1.2-3.0"),
    ],
)
def test_boxes_written_out(text, expected):
    assert str(parse_board(text)) == expected


# Lists


@pytest.mark.parametrize("blank", [0, -1])
@pytest.mark.parametrize("write", writers.LISTS, ids=lambda write: write.__name__)
@given(board=boards())
def test_nested_lists(write, blank, board):
    assert parse_board(write(board, blank)) == board


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 2 3 4 5 6 7 8 0", "1.2.3-4.5.6-7.8.0"),
        ("7 5 4 0 3 2 8 1 6", "7.5.4-0.3.2-8.1.6"),
        ("7,5,4\n0,3,2\n8,1,6", "7.5.4-0.3.2-8.1.6"),
        ("7  2  4\n    5  0  6\n    8  3  1\n", "7.2.4-5.0.6-8.3.1"),
        ("[[2, 3, 0], [1, 4, 6], [7, 5, 8]]", "2.3.0-1.4.6-7.5.8"),
        ("[2, 3, 0]\n[1, 4, 6]\n[7, 5, 8]", "2.3.0-1.4.6-7.5.8"),
        ("[1,2,3,-1,4,5,6,7,8]", "1.2.3-0.4.5-6.7.8"),
        ("[-1, 1, 2, 3, 4, 5, 6, 7, 8]", "0.1.2-3.4.5-6.7.8"),
        ("[[7 2 4]\n [5 0 6]\n [8 3 1]]", "7.2.4-5.0.6-8.3.1"),
        ("np.array([\n    [1, 0, 3],\n    [4, 2, 5]\n])", "1.0.3-4.2.5"),
        ("((1, 2), (3, 0))", "1.2-3.0"),
        ("[(1, 2), (3, 0)]", "1.2-3.0"),
        ("[[1, 2,], [3, 0,],]", "1.2-3.0"),
        ("[1, 2, 3, 0,]", "1.2-3.0"),
        ("[1,2,3,,]", "1.2-3.0"),
        ("1,2,3,,", "1.2-3.0"),
        ("(1 2 3 0)", "1.2-3.0"),
    ],
)
def test_lists_written_out(text, expected):
    assert str(parse_board(text)) == expected


@pytest.mark.parametrize("text", ["[[1, 2], [3, 0]", "[[1, 2], [3, 0]]]", "[[1,2] x [3,0]]", "[["])
def test_lists_that_do_not_close_or_hold_more_than_rows(text):
    with pytest.raises(InvalidBoardError, match="expected a list of rows"):
        parse_board(text)


# Flat lists


@pytest.mark.parametrize("cell_mark", CELL_MARKS)
@given(board=boards())
def test_a_flat_list_takes_the_size_given(cell_mark, board):
    assert parse_board(writers.flat(board, cell_mark), board.size) == board


@pytest.mark.parametrize("blank", ["0", "-1"])
@given(board=boards())
def test_a_flat_list_in_brackets_takes_the_size_given(blank, board):
    assert parse_board(f"[{writers.flat(board, ', ', blank)}]", board.size) == board


@given(SQUARES, st.sampled_from(CELL_MARKS))
def test_a_flat_list_without_a_size_is_the_square_it_fills(board, cell_mark):
    assert parse_board(writers.flat(board, cell_mark)) == board


@given(boards(SIZES.filter(lambda size: size[0] != size[1])))
def test_a_flat_list_that_fills_no_square_asks_for_the_size(board):
    text = writers.flat(board, " ")
    count = board.rows * board.cols
    if count in (4 * 4, 6 * 6):  # 2x8, 4x9: as long as a square, and so read as one
        assert parse_board(text).rows == parse_board(text).cols
        return
    with pytest.raises(SizeNeededError) as caught:
        parse_board(text)
    assert f"{board.rows}x{board.cols}" in str(caught.value)
    assert f"{count} cells fill no square" in str(caught.value)


def test_a_flat_list_with_wrong_tiles_does_not_ask_for_the_size():
    with pytest.raises(InvalidBoardError, match="missing: 0; not a tile here: 9") as caught:
        parse_board("1 2 3 9 4 5")
    assert not isinstance(caught.value, SizeNeededError)


@pytest.mark.parametrize("count", [5, 7, 11, 22, 101])
def test_a_count_that_fills_no_board(count):
    with pytest.raises(InvalidBoardError, match=f"{count} cells fill no board") as caught:
        parse_board(" ".join(map(str, range(count))))
    assert not isinstance(caught.value, SizeNeededError)


@given(boards(), SIZES)
def test_a_size_given_must_be_that_of_the_rows(board, size):
    if size == board.size:
        assert parse_board(str(board), size) == board
    else:
        with pytest.raises(InvalidBoardError, match=f"expected {size[0]} rows of {size[1]}"):
            parse_board(str(board), size)


def test_rows_of_several_lengths():
    with pytest.raises(
        InvalidBoardError, match="expected 3 cells in each row as in the first, row 2 has 2"
    ):
        parse_board("1 2 3/4 5")


# Digits run together


@pytest.mark.parametrize("blank", ["0", "_", "x", "X"])
@given(board=boards_up_to(9), row_mark=st.sampled_from(["\n", "/", ";", "-"]))
def test_digits_run_together_in_rows(blank, board, row_mark):
    if row_mark == "-":  # only the canonical form has it, and it writes the blank 0
        blank = "0"
    assert parse_board(writers.run_together(board, row_mark, blank)) == board


@pytest.mark.parametrize("digits", ["%x", "%X"])
@given(board=boards_up_to(16), row_mark=st.sampled_from(["\n", "/", ";"]))
def test_hexadecimal_digits_run_together_in_rows(digits, board, row_mark):
    assert parse_board(writers.run_together(board, row_mark, digits=digits)) == board


@given(boards_up_to(16), st.sampled_from(["%x", "%X"]), st.sampled_from(["0", "_", "x"]))
def test_digits_run_together_in_one_word_take_the_size_given(board, digits, blank):
    assert parse_board(writers.run_together(board, "", blank, digits), board.size) == board


def test_digits_run_together_in_one_word_fill_a_square():
    assert str(parse_board("724506831")) == "7.2.4-5.0.6-8.3.1"
    assert parse_board("123456789ABCDEF0") == parse_board("123456789abcdef0")
    assert parse_board("123456789abcdef0") == standard_goal(4, 4)


@pytest.mark.parametrize("text", ["12345678901234567", "123456/789abc/def012"])
def test_too_many_digits_run_together(text):
    with pytest.raises(InvalidBoardError, match="up to 16 cells"):
        parse_board(text)


@given(boards_up_to(16))
def test_hexadecimal_digits_with_spaces(board):
    text = "\n".join(" ".join(f"{tile:x}" for tile in row) for row in board.grid)
    assert parse_board(text) == board


# What is no board


@pytest.mark.parametrize(
    "text", ["", " ", "\n", "/", ";;", "---", "+---+---+\n+---+---+", "[]", "[[],[]]"]
)
def test_no_cells(text):
    with pytest.raises(
        InvalidBoardError, match="expected a board such as 1 2 3 4 5 6 7 8 0, found no cells"
    ):
        parse_board(text)


@pytest.mark.parametrize("text", ["\uff11 \uff12 \uff13 \uff10", "1 2 3 \u0660", "1 2 ³ 0"])
def test_digits_of_other_scripts_are_refused(text):
    with pytest.raises(InvalidBoardError, match="write the digits as 0 to 9"):
        parse_board(text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("1 2 3 3", r"expected each of 0 to 3 once; missing: 0; more than once: 3"),
        ("0 0 1 2", r"missing: 3; more than once: 0 \(0 is the blank\)"),
        ("1 2 3 4", r"missing: 0; not a tile here: 4"),
        ("5", "2 to 10 rows and columns, got 1x1"),
        ("1/2/0", "2 to 10 rows and columns, got 3x1"),
        ("1.2", "fill no board"),
        ("1 2 3 four", "expected a tile's number, found 'four'"),
        ("1 2 3 -2", "expected a tile's number, found '-2'"),
        ("1 2 3 1000", "expected a tile's number, found '1000'"),
        ("1.2.3 - 4.5.0", "expected a tile's number, found '-'"),
        ("1 2\n3 4\n5 6\n" * 4, "2 to 10 rows and columns|each of 0 to"),
    ],
)
def test_wrong_boards_say_what_is_wrong(text, wrong):
    with pytest.raises(InvalidBoardError, match=wrong):
        parse_board(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "expected a tile's number, found 'hello'"),
        (" hello ", "expected a tile's number, found 'hello'"),
        (
            "a-long-word-that-is-no-tile",
            "expected a tile's number, found 'a-long-word-that-is-...'",
        ),
        ("1 2 3 four", "expected a tile's number, found 'four': '1 2 3 four'"),
        ("1 2", "2 cells fill no board of 2 to 10 rows and columns: '1 2'"),
    ],
)
def test_the_text_is_quoted_once(text, message):
    with pytest.raises(InvalidBoardError) as caught:
        parse_board(text)
    assert str(caught.value) == message


@settings(max_examples=300)
@given(st.text() | st.text(alphabet=ODD_CHARACTERS, max_size=40), st.none() | SIZES)
def test_any_text_is_a_board_or_an_invalid_board(text, size):
    read_or_refuse(text, size)


@st.composite
def spoilt(draw):
    """Draw a board in some notation with a few characters taken out, put in or changed."""
    board = draw(boards_up_to(16))
    write = draw(st.sampled_from([str, *writers.LISTS, *writers.BOXES]))
    text = write(board)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        taken_out = draw(st.integers(0, 2))
        text = text[:place] + draw(st.text(ODD_CHARACTERS, max_size=2)) + text[place + taken_out :]
    return text


@settings(max_examples=300)
@given(spoilt(), st.none() | SIZES)
def test_a_spoilt_board_is_a_board_or_an_invalid_board(text, size):
    read_or_refuse(text, size)


@settings(max_examples=300)
@given(spoilt(), spoilt())
def test_a_spoilt_code_is_a_puzzle_or_an_invalid_board(start, goal):
    read_or_refuse(f"{start}_{goal}", None)


def read_or_refuse(text, size):
    """Read `text` as each thing it may be; what is read must be written and read again the same."""
    for parse in parse_board, parse_puzzle:
        try:
            found = parse(text, size=size)
        except InvalidBoardError:  # and nothing else
            continue
        assert parse(str(found)) == found


def test_longer_text_is_refused_unread():
    board = "1 2 3 0"
    assert parse_board(board + " " * (MAX_TEXT - len(board))) == standard_goal(2, 2)
    with pytest.raises(InvalidBoardError, match="at most 4,000 characters, got 4,001"):
        parse_board(board + " " * (MAX_TEXT + 1 - len(board)))


UNITS = ["[", "]", "(", "-", "+", "_", "|", ",", ".", "0", "9", "1 ", "1.", "1-", "1_", "[]"]
HOSTILE = {f"{unit!r} repeated": unit * (MAX_TEXT // len(unit)) for unit in UNITS} | {
    "spaces and a letter": "1" + " " * (MAX_TEXT - 2) + "y",
    "dashes and a letter": "-" * (MAX_TEXT - 1) + "y",
    "rule of many kinds": "+|" * (MAX_TEXT // 2 - 1) + "-y",
    "brackets opened and closed": "[" * (MAX_TEXT // 2) + "]" * (MAX_TEXT // 2),
    "array": "array" * (MAX_TEXT // 5),
    "many tiles": " ".join(map(str, range(1000)))[:MAX_TEXT],
    "huge number": "1 2 3 " + "9" * (MAX_TEXT - 6),
    "huge number in a list": "[[1, 2], [3, " + "9" * 3000 + "]]",
    "far too long": "1" * 5_000_000,
    "far too long with joints": "1_" * 2_000_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("parse", [parse_board, parse_puzzle, parse_size])
def test_hostile_text_is_refused_soon(parse, text):
    began = time.process_time()
    with pytest.raises(InvalidBoardError) as caught:
        parse(text)
    assert time.process_time() - began < 2
    assert len(str(caught.value)) < 400


# Puzzle codes


@given(puzzles())
def test_puzzle_codes_round_trip(puzzle):
    assert parse_puzzle(str(puzzle)) == puzzle


@given(boards())
def test_a_code_leaves_the_standard_goal_out(board):
    assert str(Puzzle.standard(board)) == str(board)
    assert parse_puzzle(str(board)) == Puzzle(board, standard_goal(*board.size))
    assert parse_puzzle(f"{board}_{standard_goal(*board.size)}") == Puzzle.standard(board)


@given(puzzles())
def test_a_code_holds_no_character_that_an_address_escapes(puzzle):
    assert set(str(puzzle)) <= set("0123456789.-_")


@given(puzzles(), st.sampled_from([str, *writers.LISTS, *writers.BOXES]))
def test_the_goal_can_stand_apart_in_any_notation(puzzle, write):
    assert parse_puzzle(write(puzzle.start), write(puzzle.goal)) == puzzle


@given(puzzles(), st.sampled_from([" ", ","]))
def test_a_flat_goal_has_the_size_of_the_start(puzzle, mark):
    assert parse_puzzle(str(puzzle.start), writers.flat(puzzle.goal, mark)) == puzzle
    start = writers.flat(puzzle.start, mark)
    assert parse_puzzle(start, writers.flat(puzzle.goal, mark), puzzle.start.size) == puzzle


@given(puzzles(st.just((3, 3))))
def test_codes_of_digits_run_together(puzzle):
    start, goal = (writers.run_together(board, "") for board in (puzzle.start, puzzle.goal))
    assert parse_puzzle(f"{start}_{goal}") == puzzle


@pytest.mark.parametrize("write", [writers.python_list, writers.python_tuple, writers.numpy_print])
@given(puzzle=puzzles(), joint=st.sampled_from(["_", " _ ", "\n_\n"]))
def test_codes_of_lists(write, puzzle, joint):
    assert parse_puzzle(write(puzzle.start) + joint + write(puzzle.goal)) == puzzle


@given(boards_up_to(16), st.sampled_from([" ", ","]), st.sampled_from(["\n", "/"]))
def test_one_board_whose_blank_is_an_underscore_is_no_code(board, cell_mark, row_mark):
    text = writers.rows(board, row_mark, cell_mark, blank="_")
    assert parse_puzzle(text) == Puzzle.standard(board)
    assert parse_puzzle(writers.flat(board, cell_mark, "_"), size=board.size).start == board
    together = writers.run_together(board, "", "_")
    assert parse_puzzle(together, size=board.size).start == board


@pytest.mark.parametrize("goal", ["", " ", "\n", None])
def test_no_goal_is_the_standard_one(goal):
    assert parse_puzzle("1.2-0.3", goal) == Puzzle.standard(Board(2, 2, (1, 2, 0, 3)))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("1.2-3.3_0.1-2.3", "more than once: 3.*'1.2-3.3'"),
        ("1.2-3.0_9.9-9.9", "not a tile here: 9.*'9.9-9.9'"),
        ("1.2-3.0_0.1.2-3.4.5", "expected 2 rows of 2, found 2 rows of 3"),
        ("1.2-3.0_", "expected a tile's number"),
        ("_1.2-3.0", "expected a tile's number"),
        ("1.2-3.0_0.1-2.3_1.2-3.0", "expected a tile's number"),
        ("1.2-3.0__0.1-2.3", "expected a tile's number"),
        ("1 2 3 4 5 6 _ 7 9", "not a tile here: 9"),
    ],
)
def test_wrong_codes_say_what_is_wrong(text, wrong):
    with pytest.raises(InvalidBoardError, match=wrong) as caught:
        parse_puzzle(text)
    assert not isinstance(caught.value, SizeNeededError)


@pytest.mark.parametrize("text", ["103425_123450", "1 0 3 4 2 5 _ 1 2 3 4 5 0"])
def test_a_flat_code_that_fills_no_square_asks_for_the_size(text):
    with pytest.raises(SizeNeededError, match="2x3 or 3x2"):
        parse_puzzle(text)
    assert str(parse_puzzle(text, size=(2, 3))) == "1.0.3-4.2.5"


def test_two_goals_are_refused():
    with pytest.raises(InvalidBoardError, match="expected one goal"):
        parse_puzzle("1.2-3.0_0.1-2.3", "1 2 3 0")


# Sizes


@given(SIZES, st.sampled_from(["x", "X", "×", " x ", " ", ",", ", ", "*", "\t"]))
def test_sizes_round_trip(size, mark):
    assert parse_size(f" {size[0]}{mark}{size[1]}\n") == size


@pytest.mark.parametrize("text", ["1x3", "3x1", "11x3", "3x11", "0x0", "999x999"])
def test_sizes_outside_2_to_10(text):
    with pytest.raises(InvalidBoardError, match=f"2 to 10 rows and columns, got {text}"):
        parse_size(text)


@pytest.mark.parametrize(
    "text", ["", "3", "33", "3x", "x3", "3x3x3", "-3x3", "3.5x3", "1000x2", "٣x3"]
)
def test_text_that_is_no_size(text):
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


@pytest.mark.parametrize("text", ["3" + " " * 300_000 + "a", " " * 300_000, "3" * 300_000])
def test_hostile_sizes_are_refused_soon(text):
    began = time.process_time()
    with pytest.raises(InvalidBoardError):
        parse_size(text)
    assert time.process_time() - began < 2
