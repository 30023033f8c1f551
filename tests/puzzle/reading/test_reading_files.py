"""Boards as courses, programs and players write them. Each text follows the format's rules."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from slidewise import (
    AmbiguousBoardError,
    Board,
    InvalidBoardError,
    Puzzle,
    PuzzleError,
    SizeNeededError,
    parse_board,
    parse_puzzle,
    parse_size,
    standard_goal,
    write_board,
)
from slidewise.puzzle.board import blank_first_goal
from slidewise.puzzle.writing import NOTATIONS, aligned, unicode_box, written
from tests.each import each
from tests.puzzle.strategies import ALL_SIZES, SQUARES, boards, boards_up_to, puzzles

SHUFFLED = "8.1.3-4.0.2-7.6.5"
SOLVED = "1.2.3-4.5.6-7.8.0"

PRINCETON = "3\n 8  1  3 \n 4  0  2 \n 7  6  5 \n"
FORTY_TWO = "# This puzzle is solvable\n3 # side\n# rows\n8 1 3 # first\n4 0 2\n\n7 6 5\n# end\n"


GOLDEN = {
    "1.0 2.3": "1.0-2.3",
    "01.02-03.00": "1.2-3.0",
    "724506831": "7.2.4-5.0.6-8.3.1",
    "123456789abcdef0": "1.2.3.4-5.6.7.8-9.10.11.12-13.14.15.0",
    "1 2 3 4/5 6 7 8/9 a b c/d e f 0": "1.2.3.4-5.6.7.8-9.10.11.12-13.14.15.0",
    "3 1 2 0": "3.1-2.0",
    "3 2 1 0": "3.2-1.0",
    "2 3/1 0": "2.3-1.0",
    "15 2 3 4 5 6 7 8 9 10 11 12 13 14 1 0": "15.2.3.4-5.6.7.8-9.10.11.12-13.14.1.0",
    "| 1 | 2 |\n|---|---|\n| 3 |   |": "1.2-3.0",
    "| 1 | *2* |\n| 3 |   |": "1.2-3.0",
    "+---+\n|ABC|\n|D E|\n|GHF|\n+---+": "1.2.3-4.0.5-7.8.6",
    "|123|\n|456|\n|78 |": "1.2.3-4.5.6-7.8.0",
    "[1, 2],[3, 0]": "1.2-3.0",
    "[1,2,3,,]": "1.2-3.0",
    "1,2,3,,": "1.2-3.0",
    "|1|2|/|3||": "1.2-3.0",
    "1 2//3 0": "1.2-3.0",
    "\ufeff1 2/3 0": "1.2-3.0",
    "1\t2\r\n3\t0\r\n": "1.2-3.0",
    "7  2  4\n    5  0  6\n    8  3  1\n": "7.2.4-5.0.6-8.3.1",
    "np.array([\n    [1, 0, 3],\n    [4, 2, 5]\n])": "1.0.3-4.2.5",
    "[(1, 2), (3, 0)]": "1.2-3.0",
    "[[1, 2,], [3, 0,],]": "1.2-3.0",
    "[1, 2, 3, 0,]": "1.2-3.0",
    "(1 2 3 0)": "1.2-3.0",
    "1,2,3,4,5,6,7,8,": "1.2.3-4.5.6-7.8.0",
    ",1,2,3,4,5,6,7,8": "0.1.2-3.4.5-6.7.8",
    "1 | 2\n3 |": "1.2-3.0",
    "2 3\n1 2 3\n4 5 0": "1.2.3-4.5.0",
    "3 2\n1 2 3\n4 5 0": "1.2.3-4.5.0",
    "1 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3": "14.13.15.7-11.12.9.5-6.0.2.1-4.8.10.3",
    "2 1 2 3 0": "1.2-3.0",
    "3 1 2 3 4 5 6 7 8 0": "1.2.3-4.5.6-7.8.0",
    "2x3\n1 2 3\n4 5 0": "1.2.3-4.5.0",
    "12 30": "1.2-3.0",
    "12 34 50": "1.2-3.4-5.0",
    "123 450": "1.2.3-4.5.0",
    "1 8 1 3 4 0 2 7 6 5 20 30 40": "8.1.3-4.0.2-7.6.5",
}
"""Texts and the boards that they have always been parsed as."""


@each("text", GOLDEN)
def test_golden_texts_are_read_unchanged(text):
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
def test_board_is_read_from_each_common_format(text):
    assert str(parse_board(text)) == SHUFFLED


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
def test_start_and_goal_are_read(text):
    assert str(parse_puzzle(text)) == "1.2-3.0_0.1-2.3"


@given(boards_up_to(30).filter(lambda board: len(board.cells) >= 9))
def test_index_before_the_cells_of_a_square_is_skipped(board):
    text = f"1000 {' '.join(map(str, board.cells))}"
    if board.rows == board.cols:
        assert parse_board(text) == board
    assert parse_board(text, board.size) == board


@given(SQUARES)
def test_files_with_a_size_are_read(board):
    rows = "\n".join(" ".join(map(str, row)) for row in board.grid)
    for text in f"{board.rows}\n{rows}", f"# a\n{board.rows} # b\n{rows}  # c":
        assert parse_board(text) == board


# Round trips


@pytest.mark.parametrize("notation", NOTATIONS)
@given(board=boards())
def test_each_notation_is_read_back(notation, board):
    if NOTATIONS[notation].fits(board):
        assert parse_board(write_board(board, notation), board.size) == board
    else:
        with pytest.raises(PuzzleError, match="choose from code"):
            write_board(board, notation)


@given(boards())
def test_all_notations_are_read_back_without_a_size(board):
    for notation, text in written(board):
        assert parse_board(text) == board, notation.key
        assert parse_puzzle(text) == Puzzle.standard(board), notation.key


# Lists of lines, such as Korf's


@given(boards_up_to(40), st.integers(1, 999), st.lists(st.integers(0, 10**9), max_size=3))
def test_listed_code_is_read_without_number_and_figures(board, number, figures):
    for puzzle in Puzzle.standard(board), Puzzle(board, blank_first_goal(*board.size)):
        line = " ".join(map(str, [number, puzzle, *figures]))
        assert parse_puzzle(line) == puzzle
        assert parse_puzzle(f"{number}: {puzzle}") == puzzle
        assert parse_puzzle(" ".join(map(str, [puzzle, *figures]))) == puzzle


@given(SQUARES, st.integers(1000, 9999), st.lists(st.integers(1000, 10**9), max_size=3))
def test_listed_square_is_read_without_number_and_figures(board, number, figures):
    assume(len(board.cells) >= 9)
    line = " ".join(map(str, [number, *board.cells, *figures]))
    assert parse_board(line) == board


def test_korfs_lists_are_read(pytestconfig):
    for name, count in ("korf15.txt", 100), ("korf24.txt", 50):
        lines = (pytestconfig.rootpath / "tests" / "data" / name).read_text().splitlines()[1:]
        assert len(lines) == count
        for line in lines:
            number, code, length = line.split()
            puzzle = parse_puzzle(code)
            cells = " ".join(map(str, puzzle.start.cells))
            assert parse_puzzle(line) == puzzle
            for listed in (number, f"{number}:"):
                assert parse_board(f"{listed} {cells} {length}") == puzzle.start


def test_figures_that_may_be_tiles_need_a_size():
    cells = " ".join(map(str, standard_goal(4, 4).cells))
    with pytest.raises(SizeNeededError, match=r"2x9, 3x6.*16 and then a board before its length"):
        parse_board(f"16 {cells} 17")


# Texts of right numbers that are more or less than one board


@each("cell_mark", [" ", ",", "\t"])
@given(
    board=boards_up_to(36),
    other=st.randoms(use_true_random=False),
    between=st.sampled_from(["\n\n", "\n", "  ", "/", ";"]),
)
def test_two_boards_in_one_text_are_refused(cell_mark, board, other, between):
    cells = list(board.cells)
    other.shuffle(cells)
    second = Board(*board.size, tuple(cells))
    row_mark = "\n" if between == "\n\n" else cell_mark
    text = between.join(
        row_mark.join(cell_mark.join(map(str, row)) for row in one.grid) for one in (board, second)
    )
    with pytest.raises(InvalidBoardError, match=f"found 2 of {len(cells)} cells: give one of them"):
        parse_board(text, board.size)


@each(
    "text",
    [
        "1.2.3-4.5.6-7.8.0 1.2.3-4.5.6-7.0.8",
        "1.2.3-4.5.6-7.8.0\n1.2.3-4.5.6-7.0.8",
        "123456780 123456708",
        "123456780\n123456708",
        "1 2 3/4 5 6/7 8 _\n1 2 3/4 5 6/7 _ 8",
        "+--+--+--+\n| 8| 1| 3|\n| 4|  | 2|\n| 7| 6| 5|\n+--+--+--+\n" * 2,
        "1 14.13.15.7-11.12.9.5-6.0.2.1-4.8.10.3 57\n2 13.5.4.10-9.12.8.14-2.3.7.1-0.15.11.6 55",
        "1 1 2 3 4 5 6 7 8 0 22\n2 1 2 3 4 5 6 7 0 8 1",
    ],
)
def test_boards_beside_each_other_are_refused(text):
    for parse in parse_board, parse_puzzle:
        with pytest.raises(
            InvalidBoardError, match=r"expected one board, found .* give one of them"
        ):
            parse(text)


@each("mark", [";", "/", "-", " ; "])
@given(board=boards_up_to(16))
def test_rows_of_one_cell_get_advice_on_spaces(mark, board):
    text = mark.join(map(str, board.cells))
    with pytest.raises(InvalidBoardError) as caught:
        parse_board(text)
    flat = " ".join(map(str, board.cells))
    assert f"expected spaces or commas between cells, such as {flat}: " in str(caught.value)
    assert parse_board(flat, board.size) == board


@given(puzzles(st.just((3, 3))))
def test_url_is_read_with_its_goal(puzzle):
    assert parse_puzzle(f"https://example.org/play/{puzzle}/review") == puzzle


def test_unknown_notation_is_refused():
    with pytest.raises(PuzzleError, match="no notation 'perl': choose from code, rows"):
        write_board(parse_board("1 2/3 0"), "perl")


@pytest.mark.parametrize("blank", ["_", ".", "-", "*", "none", "empty", "x"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 2 3 4\n5 6 7 8\n9 a b c\nd e f ?", standard_goal(4, 4)),
        ("1 2 3 4\n5 6 7 8\n9 A B C\nD E F ?", standard_goal(4, 4)),
        ("a b c\nd e f\ng h ?", standard_goal(3, 3)),
        ("A B C\nD E F\nG H ?", standard_goal(3, 3)),
    ],
)
def test_letters_and_hexadecimal_digits_take_any_blank(text, blank, expected):
    assert parse_board(text.replace("?", blank)) == expected


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("2 3\n1 2 3 4 5 0", ["2 rows of 3", "3 rows of 2"]),
        ("2x3\n1 2 3 4 5 0", ["2 rows of 3", "3 rows of 2"]),
        ("2 3 1 2 3 4 5 0", ["2 rows of 3", "3 rows of 2"]),
        ("3x2: 1 2 3 4 5 0", ["3x2 as columns x rows", "3x2 as rows x columns"]),
    ],
)
def test_each_meaning_is_named_with_its_board(text, meanings):
    with pytest.raises(AmbiguousBoardError) as caught:
        parse_board(text)
    assert sorted(meaning for meaning, _ in caught.value.readings) == meanings
    for size, code in ("2x3", "1.2.3-4.5.0"), ("3x2", "1.2-3.4-5.0"):
        assert f"that is {code} (give the size {size})" in str(caught.value)
        assert str(parse_board(text, parse_size(size))) == code


@each("size", ALL_SIZES)
def test_small_boards_are_written_in_letters_and_digits(size):
    board = standard_goal(*size)
    notations = {notation.key for notation, _ in written(board)}
    assert ("digits" in notations) == (len(board.cells) <= 16)
    assert ("letters" in notations) == (len(board.cells) <= 25)


@each("size", ALL_SIZES)
def test_aligned_cells_are_as_wide_as_the_largest_tile(size):
    board = standard_goal(*size)
    width = len(str(max(board.cells)))
    lines, box = aligned(board).splitlines(), unicode_box(board).splitlines()
    assert {len(line) for line in lines} == {(width + 1) * board.cols - 1}
    assert {len(line) for line in box} == {(width + 3) * board.cols + 1}


# Ambiguous texts


def test_blank_at_either_end_is_ambiguous():
    with pytest.raises(AmbiguousBoardError, match="write 0 for the blank") as caught:
        parse_board(",7,8,\n1,2,3\n4,5,6")
    assert {code for _, code in caught.value.readings} == {"0.7.8-1.2.3-4.5.6", "7.8.0-1.2.3-4.5.6"}


def test_index_or_tile_is_ambiguous():
    text = "9 1 2 3 4 5 6 7 8 0"
    with pytest.raises(SizeNeededError, match=r"2x5 or 5x2 .* leave the 9 out"):
        parse_board(text)
    assert str(parse_board(text, (2, 5))) == "9.1.2.3.4-5.6.7.8.0"
    assert str(parse_board(text, (3, 3))) == SOLVED


@each(
    "text",
    [
        "5 1 3 0 2",  # rather 2x3 without its 4 than board number 5
        "[4, 6, 2], [3, 8, 7], [1, 5, ]",  # a comma before the closing bracket
        "| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | 8 |",  # bars at the edges of all rows
        "0 1 2 3,|4",
        '9" 5 2 4 3 7 8 0 1 6',  # ten cells, or an index
        "1 8 1 3 4 0 2 7 6 5 20 30 40 50",  # more numbers than lists have after a board
        "1 8 1 3 4 0 2 7 6 5 solved",
        "1 8 1 3 4 0 2 7 6 5 solved 20",
    ],
)
def test_damaged_board_is_refused_without_a_guess(text):
    with pytest.raises(InvalidBoardError):
        parse_board(text)


def test_size_or_index_is_ambiguous():
    with pytest.raises(InvalidBoardError, match=r"either the size, .* or the number of the board"):
        parse_board("4\n1 2 3\n4 5 6\n7 8 0")


# Refusals that name the line and the correction


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
        ("2 2\n1 2 3\n4 5 6\n7 8 0", 1, "line 1: 2 2 is either the size, and then 2 rows of 2"),
        ("10 10\n1 2 3\n4 5 6\n7 8 0", 1, "line 1: 10 10 is either the size, and then 10 rows"),
        ("11 11\n1 2 3\n4 5 6\n7 8 0", 2, "line 2: expected 2 cells in each row"),
        ("2 3\n1 2 3 4 5", 1, "line 1: 2 3 is either the size, .* 2 rows of 3 .* not 1 of 5"),
        ("3 2\n1 2 3\n4 5 5", None, "^expected 3 rows of 2, found 2 rows of 3: "),
        ("3 2\n1 2 3 4 5 5", None, "^0 is missing and 5 appears twice"),
        ("2 7 3\n1 2 3\n4 5 0", 2, "line 2: 6 and 8 are missing and 2 and 3 appear twice"),
        ("1 2 3\n4 5 6\n7 9 8", 3, "line 3: 0 is missing and 9 is not a tile"),
        ("1 2 3\n4 5 0\n6 7", 3, r"line 3: expected 3 cells .* has 2: '6 7'$"),
        ("[[1,2],\n\n[3,3]]", 3, "line 3: 0 is missing and 3 appears twice"),
        ("A B .\nC D E\nF G _", 3, "line 3: expected one kind of blank in a board, found ., _"),
        ("a b c\nd e f\ng x _", 3, "line 3: expected one kind of blank in a board, found _, x"),
        ("1 2 3 4\n5 6 7 8\n9 a b c\nd e x _", 4, "line 4: expected one kind of blank"),
    ],
)
def test_wrong_line_is_named(text, line, message):
    with pytest.raises(InvalidBoardError, match=message) as caught:
        parse_board(text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    "text", ["https://example.org/learn/bfs", "https://example.org/daily/2026-11-22", "/learn"]
)
def test_url_without_a_puzzle_is_refused(text):
    with pytest.raises(InvalidBoardError, match="holds no puzzle: open it and copy the address"):
        parse_board(text)


@given(st.integers(0, 200))
def test_nested_urls_are_refused(depth):
    text = "/custom?start=" * depth + "x"
    with pytest.raises(InvalidBoardError):
        parse_puzzle(text)
