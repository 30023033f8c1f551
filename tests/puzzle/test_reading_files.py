"""Boards as courses, programs and players write them, each text made from the format's rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import (
    AmbiguousBoardError,
    InvalidBoardError,
    PuzzleError,
    SizeNeededError,
    parse_board,
    parse_puzzle,
    write_board,
)
from slidewise.puzzle.writing import NOTATIONS, written
from tests.each import each
from tests.puzzle.golden_boards import GOLDEN
from tests.puzzle.strategies import SQUARES, boards, boards_up_to, puzzles

SHUFFLED = "8.1.3-4.0.2-7.6.5"
SOLVED = "1.2.3-4.5.6-7.8.0"

PRINCETON = "3\n 8  1  3 \n 4  0  2 \n 7  6  5 \n"
FORTY_TWO = "# This puzzle is solvable\n3 # side\n# rows\n8 1 3 # first\n4 0 2\n\n7 6 5\n# end\n"


@each("text", GOLDEN)
def test_what_was_read_before_is_read_the_same(text):
    assert str(parse_board(text)) == GOLDEN[text]


@each(
    "text",
    [
        PRINCETON,
        "\ufeff" + PRINCETON,
        PRINCETON.replace("\n", "\r\n"),
        FORTY_TWO,
        "3 3\n8 1 3\n4 0 2\n7 6 5",
        "3x3\n8 1 3\n4 0 2\n7 6 5",
        "n = 3\n8 1 3\n4 0 2\n7 6 5",
        "3\n8 1 3 4 0 2 7 6 5",
        "3 8 1 3 4 0 2 7 6 5",
        "17\n8 1 3\n4 0 2\n7 6 5",
        "17 8 1 3 4 0 2 7 6 5",
        "1: 8 1 3 4 0 2 7 6 5",
        "3x3:8,1,3,4,0,2,7,6,5",
        "8 1 3\n4 b 2\n7 6 5",
        "8 1 3/4 G 2/7 6 5",
        "8 1 3\n4 * 2\n7 6 5",
        "8 1 3\n4 - 2\n7 6 5",
        "[[8, 1, 3], [4, None, 2], [7, 6, 5]]",
        "[[8,1,3],[4,null,2],[7,6,5]]",
        "[['8', '1', '3'], ['4', ' ', '2'], ['7', '6', '5']]",
        '"8","1","3"\n"4","","2"\n"7","6","5"',
        "int[][] tiles = {{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};",
        "new Board(new int[][] {{8, 1, 3}, {4, 0, 2}, {7, 6, 5}})",
        "int tiles[3][3] = {\n  {8, 1, 3}, // top\n  {4, 0, 2},\n  {7, 6, 5}\n};",
        "let tiles = vec![vec![8, 1, 3], vec![4, 0, 2], vec![7, 6, 5]];",
        "std::array<int, 9> tiles = {8, 1, 3, 4, 0, 2, 7, 6, 5};",
        "start = np.array([[8, 1, 3],\n [4, 0, 2],\n [7, 6, 5]], dtype=np.int64)",
        "array([8, 1, 3, 4, 0, 2, 7, 6, 5], dtype='int8')",
        "[[8. 1. 3.]\n [4. 0. 2.]\n [7. 6. 5.]]",
        "8.0,1.0,3.0\n4.0,0.0,2.0\n7.0,6.0,5.0",
        "8.000e+00 1.000e+00 3.000e+00 4.000e+00 0.000e+00 2.000e+00 7e0 6e0 5e0",
        "A = [8 1 3; 4 0 2; 7 6 5];",
        "A = [8 1 3\n     4 0 2\n     7 6 5]",
        "A = [8 1 3; ...\n 4 0 2; ...\n 7 6 5]  % start",
        "+-+-+-+\n|8|1|3|\n+-+-+-+\n|4| |2|\n+-+-+-+\n|7|6|5|\n+-+-+-+",
        "+--+--+--+\n| 8| 1| 3|\n| 4|  | 2|\n| 7| 6| 5|\n+--+--+--+",
        "╔═══╦═══╦═══╗\n║ 8 ║ 1 ║ 3 ║\n╠═══╬═══╬═══╣\n║ 4 ║   ║ 2 ║\n║ 7 ║ 6 ║ 5 ║\n╚═══╩═══╩═══╝",
        "┌─┬─┬─┐\n│8│1│3│\n├─┼─┼─┤\n│4│ │2│\n│7│6│5│\n└─┴─┴─┘",
        "HAC\nD_B\nGFE",
        "h a c/d . b/g f e",
        "setState 813 4b2 765",
        "https://example.org/under/play/8.1.3-4.0.2-7.6.5",
        "https://example.org/lab/8.1.3-4.0.2-7.6.5_0.1.2-3.4.5-6.7.8/watch?algorithm=bfs&step=3",
        "http://127.0.0.1:8000/replay/8.1.3-4.0.2-7.6.5.gif?moves=UL2",
        "/board/8.1.3-4.0.2-7.6.5.svg",
        "https://example.org/custom?start=8+1+3+4+0+2+7+6+5&size=3x3",
    ],
)
def test_the_same_board_in_the_ways_it_is_met(text):
    assert str(parse_board(text)) == SHUFFLED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,2,3\n4,5,6\n7,8,", SOLVED),
        ("1,2,3\r\n4,5,6\r\n7,8,\r\n", SOLVED),
        (",1,2\n3,4,5\n6,7,8", "0.1.2-3.4.5-6.7.8"),
        ("1,2,3,4,5,6,7,8,", SOLVED),
        (",1,2,3,4,5,6,7,8", "0.1.2-3.4.5-6.7.8"),
        ("1 | 2\n3 |", "1.2-3.0"),
        ("2 3\n1 2 3\n4 5 0", "1.2.3-4.5.0"),
        ("3 2\n1 2 3\n4 5 0", "1.2.3-4.5.0"),
        (
            "1 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3",
            "14.13.15.7-11.12.9.5-6.0.2.1-4.8.10.3",
        ),
        ("ABCD\nEFGH\nIJKL\nMNO_", "1.2.3.4-5.6.7.8-9.10.11.12-13.14.15.0"),
        ("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 b", "1.2.3.4-5.6.7.8-9.10.11.12-13.14.15.0"),
    ],
)
def test_boards_written_out(text, expected):
    assert str(parse_board(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "[1, 2, 3, 0], [0, 1, 2, 3]",
        '"[1, 2, 3, 0]","[0, 1, 2, 3]"',
        "start = [[1, 2], [3, 0]]\ngoal = [[0, 1], [2, 3]]",
        "https://example.org/play/1.2-3.0_0.1-2.3",
        "/custom?start=1+2+3+0&goal=0+1+2+3",
    ],
)
def test_a_start_and_a_goal(text):
    assert str(parse_puzzle(text)) == "1.2-3.0_0.1-2.3"


@given(boards_up_to(30).filter(lambda board: len(board.cells) >= 9))
def test_an_index_before_the_cells_of_a_square(board):
    text = f"1000 {' '.join(map(str, board.cells))}"
    if board.rows == board.cols:
        assert parse_board(text) == board
    assert parse_board(text, board.size) == board


@given(SQUARES)
def test_files_with_a_size(board):
    rows = "\n".join(" ".join(map(str, row)) for row in board.grid)
    for text in f"{board.rows}\n{rows}", f"# a\n{board.rows} # b\n{rows}  # c":
        assert parse_board(text) == board


# What is written is read


@pytest.mark.parametrize("notation", NOTATIONS)
@given(board=boards())
def test_each_notation_is_read_back(notation, board):
    if NOTATIONS[notation].fits(board):
        assert parse_board(write_board(board, notation), board.size) == board
    else:
        with pytest.raises(PuzzleError, match="choose from code"):
            write_board(board, notation)


@given(SQUARES)
def test_all_notations_of_a_square_are_read_without_its_size(board):
    for notation, text in written(board):
        assert parse_board(text) == board, notation.key


@given(puzzles(st.just((3, 3))))
def test_an_address_has_the_goal_too(puzzle):
    assert parse_puzzle(f"https://example.org/play/{puzzle}/review") == puzzle


def test_a_notation_that_is_unknown():
    with pytest.raises(PuzzleError, match="no notation 'perl': choose from code, rows"):
        write_board(parse_board("1 2/3 0"), "perl")


# What can mean two things is asked


@pytest.mark.parametrize(
    ("text", "size", "board"),
    [
        ("3x2:1,2,3,4,5,0", (2, 3), "1.2.3-4.5.0"),
        ("3x2:1,2,3,4,5,0", (3, 2), "1.2-3.4-5.0"),
        ("2 3\n1 2 3 4 5 0", (2, 3), "1.2.3-4.5.0"),
        ("2 3\n1 2 3 4 5 0", (3, 2), "1.2-3.4-5.0"),
        ("2 3 1 2 3 4 5 0", (3, 2), "1.2-3.4-5.0"),
    ],
)
def test_two_sizes_are_asked_about(text, size, board):
    with pytest.raises(AmbiguousBoardError, match="give the size 2x3") as caught:
        parse_board(text)
    assert sorted(code for _, code in caught.value.readings) == ["1.2-3.4-5.0", "1.2.3-4.5.0"]
    assert str(parse_board(text, size)) == board


def test_a_blank_at_either_end_is_asked_about():
    with pytest.raises(AmbiguousBoardError, match="write 0 for the blank") as caught:
        parse_board(",7,8,\n1,2,3\n4,5,6")
    assert {code for _, code in caught.value.readings} == {"0.7.8-1.2.3-4.5.6", "7.8.0-1.2.3-4.5.6"}


def test_an_index_or_a_tile_is_asked_about():
    text = "9 1 2 3 4 5 6 7 8 0"
    with pytest.raises(SizeNeededError, match=r"2x5 or 5x2 .* leave the 9 out"):
        parse_board(text)
    assert str(parse_board(text, (2, 5))) == "9.1.2.3.4-5.6.7.8.0"
    assert str(parse_board(text, (3, 3))) == SOLVED


@each(
    "text",
    [
        "5 1 3 0 2",  # rather 2x3 without its 4 than board number 5
        "[4, 6, 2], [3, 8, 7], [1, 5, ]",  # a comma that closes a list
        "| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | 8 |",  # bars at the edges of all rows
        "0 1 2 3,|4",
        '9" 5 2 4 3 7 8 0 1 6',  # ten cells, or an index
    ],
)
def test_what_is_spoilt_is_not_mended_by_a_guess(text):
    with pytest.raises(InvalidBoardError):
        parse_board(text)


def test_a_size_or_an_index_is_asked_about():
    with pytest.raises(InvalidBoardError, match=r"either the size, .* or the number of the board"):
        parse_board("4\n1 2 3\n4 5 6\n7 8 0")


# Refusals name the line and what to change


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1 2 3\n4 5 six\n7 8 0", 2, "line 2: expected a tile's number, found 'six': '4 5 six'"),
        ("# a\n\n3\n1 2 3\n4 5 5\n7 8 0", 5, "line 5: 6 is missing and 5 appears twice"),
        ("1 2 3\n4 5\n7 8 6", 2, "line 2: expected 3 cells .* has 2; write 0 for the blank"),
        ("3\n1 2 3\n4 5 6\n7 8", 4, "line 4: the size 3 asks for 3 cells in each row, here are 2"),
        ("{{1, 2},\n {3, 2.5}}", 2, "line 2: expected a tile's number, found '2.5'"),
        ("┌─┬─┐\n│1│2│\n│3│3│\n└─┴─┘", 3, "line 3: 0 is missing and 3 appears twice"),
        ("1 2 x\n4 5 6\n7 0 3", 3, "line 3: expected one kind of blank in a board, found 0, x"),
    ],
)
def test_the_line_that_is_wrong_is_named(text, line, message):
    with pytest.raises(InvalidBoardError, match=message) as caught:
        parse_board(text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    "text", ["https://example.org/learn/bfs", "https://example.org/daily/2026-11-22", "/learn"]
)
def test_an_address_without_a_puzzle(text):
    with pytest.raises(InvalidBoardError, match="holds no puzzle: open it and copy the address"):
        parse_board(text)


@given(st.integers(0, 200))
def test_addresses_in_addresses_are_refused(depth):
    text = "/custom?start=" * depth + "x"
    with pytest.raises(InvalidBoardError):
        parse_puzzle(text)
