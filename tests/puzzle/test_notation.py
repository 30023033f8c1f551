import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import Board, InvalidBoardError, SizeNeededError, parse_board
from tests.puzzle.reading import writers
from tests.puzzle.strategies import SIZES, SQUARES, boards, boards_up_to

EIGHT = Board(3, 3, (7, 2, 4, 5, 0, 6, 8, 3, 1))
ROW_MARKS = ["\n", "\r\n", "\r", "\n\n", "/", " / ", ";", "; "]
CELL_MARKS = [" ", "   ", "\t", ",", ", ", ".", "|", " | "]
CELL_BLANKS = ["0", "_", "x", "X", ".", "-1"]


# The canonical form


@given(boards())
def test_canonical_round_trip(board):
    assert parse_board(str(board)) == board


@given(boards(), st.sampled_from(["", " ", "\n", "\t "]))
def test_space_around_a_canonical_board_is_ignored(board, space):
    assert parse_board(space + str(board) + space) == board


def test_canonical_is_cells_by_dots_and_rows_by_dashes():
    assert str(EIGHT) == "7.2.4-5.0.6-8.3.1"
    assert str(Board(2, 3, (1, 0, 3, 4, 2, 5))) == "1.0.3-4.2.5"
    assert str(Board(3, 2, (1, 0, 3, 4, 2, 5))) == "1.0-3.4-2.5"


# Rows and cells with separators


@pytest.mark.parametrize("cell_mark", CELL_MARKS)
@given(board=boards(), row_mark=st.sampled_from(ROW_MARKS))
def test_rows_with_any_separators_are_read(cell_mark, board, row_mark):
    assert parse_board(writers.rows(board, row_mark, cell_mark)) == board


@pytest.mark.parametrize("blank", CELL_BLANKS)
@given(
    board=boards(),
    row_mark=st.sampled_from(ROW_MARKS),
    cell_mark=st.sampled_from([mark for mark in CELL_MARKS if mark != "."]),
)
def test_each_kind_of_blank_is_read(blank, board, row_mark, cell_mark):
    assert parse_board(writers.rows(board, row_mark, cell_mark, blank)) == board


@pytest.mark.parametrize("mark", [",", "|"])
@given(board=boards(), gap=st.sampled_from(["", " ", "  ", "\t", "\xa0"]))
def test_empty_cell_between_separators_is_the_blank(mark, board, gap):
    assert parse_board(writers.barred(board, mark, blank="", gap=gap)) == board


@pytest.mark.parametrize("mark", [",", "|", ", ", " | "])
@given(board=boards(), row_mark=st.sampled_from(ROW_MARKS))
def test_empty_cell_anywhere_in_an_open_row_is_the_blank(mark, board, row_mark):
    assert parse_board(writers.rows(board, row_mark, mark, blank="")) == board


@given(boards(), st.sampled_from(CELL_BLANKS), st.sampled_from([",", "|"]))
def test_separators_at_the_edges_of_a_row_are_ignored(board, blank, mark):
    assert parse_board(writers.barred(board, mark, blank)) == board


@pytest.mark.parametrize("text", ["1 2 0/3 _ 4", "1,2,,3,0,4,5,6,7", "0 -1 1 2", "x . 1 2"])
def test_two_kinds_of_blank_are_refused(text):
    with pytest.raises(InvalidBoardError, match="one kind of blank"):
        parse_board(text)


def test_refusal_names_both_kinds_of_blank():
    with pytest.raises(InvalidBoardError, match="found 0, an empty cell"):
        parse_board("|1|2|0|/|3||4|")


# Boxed boards


@pytest.mark.parametrize("write", writers.BOXES, ids=lambda write: write.__name__)
@given(board=boards())
def test_boxed_boards_are_read(write, board):
    assert parse_board(write(board)) == board


@pytest.mark.parametrize("write", [Board.boxed, writers.padded_box], ids=lambda w: w.__name__)
@given(board=boards(), data=st.data())
def test_boxed_boards_with_a_marked_tile_are_read(write, board, data):
    moved = data.draw(st.sampled_from(board.movable))
    text = write(board, moved=moved)
    assert f"{moved}<" in text
    assert parse_board(text) == board


# Lists


@pytest.mark.parametrize("blank", [0, -1])
@pytest.mark.parametrize("write", writers.LISTS, ids=lambda write: write.__name__)
@given(board=boards())
def test_nested_lists_are_read(write, blank, board):
    assert parse_board(write(board, blank)) == board


@pytest.mark.parametrize("text", ["[[1, 2], [3, 0]", "[[1, 2], [3, 0]]]", "[[1,2] x [3,0]]", "[["])
def test_unclosed_and_too_deep_lists_are_refused(text):
    with pytest.raises(InvalidBoardError, match="expected a list of rows"):
        parse_board(text)


# Flat lists


@pytest.mark.parametrize("cell_mark", CELL_MARKS)
@given(board=boards())
def test_flat_list_takes_the_given_size(cell_mark, board):
    assert parse_board(writers.flat(board, cell_mark), board.size) == board


@given(SQUARES, st.sampled_from(CELL_MARKS))
def test_flat_list_without_a_size_is_a_square(board, cell_mark):
    assert parse_board(writers.flat(board, cell_mark)) == board


@given(boards(SIZES.filter(lambda size: size[0] != size[1])))
def test_flat_list_that_fills_no_square_needs_the_size(board):
    text = writers.flat(board, " ")
    count = board.rows * board.cols
    if count in (4 * 4, 6 * 6):  # 2x8, 4x9: as long as a square, and therefore read as one
        assert parse_board(text).rows == parse_board(text).cols
        return
    with pytest.raises(SizeNeededError) as caught:
        parse_board(text)
    assert f"{board.rows}x{board.cols}" in str(caught.value)
    assert f"{count} cells do not make a square" in str(caught.value)


def test_flat_list_with_wrong_tiles_needs_no_size():
    with pytest.raises(InvalidBoardError, match="0 is missing and 9 is not a tile") as caught:
        parse_board("1 2 3 9 4 5")
    assert not isinstance(caught.value, SizeNeededError)


@pytest.mark.parametrize("count", [5, 7, 11, 22, 101])
def test_count_that_fills_no_board_is_refused(count):
    with pytest.raises(InvalidBoardError, match=f"{count} cells do not fill a board") as caught:
        parse_board(" ".join(map(str, range(count))))
    assert not isinstance(caught.value, SizeNeededError)


@given(boards(), SIZES)
def test_given_size_must_match_the_rows(board, size):
    if size == board.size:
        assert parse_board(str(board), size) == board
    else:
        with pytest.raises(InvalidBoardError, match=f"expected {size[0]} rows of {size[1]}"):
            parse_board(str(board), size)


def test_rows_of_several_lengths_are_refused():
    with pytest.raises(
        InvalidBoardError, match="expected 3 cells in each row as in the first, row 2 has 2"
    ):
        parse_board("1 2 3/4 5")
    with pytest.raises(InvalidBoardError, match="expected 1 cell in each row"):
        parse_board("1/2 3/0")


# Rows of adjacent digits


@pytest.mark.parametrize("blank", ["0", "_", "x", "X"])
@given(board=boards_up_to(9), row_mark=st.sampled_from(["\n", "/", ";", "-"]))
def test_rows_of_adjacent_digits_are_read(blank, board, row_mark):
    if row_mark == "-":  # only the canonical form has it, and it writes the blank 0
        blank = "0"
    assert parse_board(writers.adjacent_digits(board, row_mark, blank)) == board


@pytest.mark.parametrize("digits", ["%x", "%X"])
@given(board=boards_up_to(16), row_mark=st.sampled_from(["\n", "/", ";"]))
def test_rows_of_adjacent_hexadecimal_digits_are_read(digits, board, row_mark):
    assert parse_board(writers.adjacent_digits(board, row_mark, digits=digits)) == board


@given(boards_up_to(16), st.sampled_from(["%x", "%X"]), st.sampled_from(["0", "_", "x"]))
def test_one_word_of_digits_takes_the_given_size(board, digits, blank):
    assert parse_board(writers.adjacent_digits(board, "", blank, digits), board.size) == board


@pytest.mark.parametrize("text", ["12345678901234567", "123456/789abc/def012"])
def test_too_many_adjacent_digits_are_refused(text):
    with pytest.raises(InvalidBoardError, match="up to 16 cells"):
        parse_board(text)
