"""Invalid boards: their messages, and no other exception."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import InvalidBoardError, parse_board, parse_puzzle, parse_size, standard_goal
from slidewise.puzzle.notation import MAX_TEXT
from tests.each import each
from tests.puzzle.reading import writers
from tests.puzzle.strategies import SIZES, boards_up_to

ODD_CHARACTERS = "0123456789 .-_/;,|[](){}xX<>*+=\n\r\tabcdefnpry─━'\"²٣½\xa0\ud800"


@each("text", ["", " ", "\n", "/", ";;", "---", "+---+---+\n+---+---+", "[]", "[[],[]]"])
def test_text_without_cells_is_refused(text):
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
        ("1 2 3 3", r"0 is missing and 3 appears twice"),
        ("0 0 1 2", r"3 is missing and 0 appears twice \(0 is the blank\)"),
        ("1 2 3", "the blank is missing: expected 0 in its place, as it and 3 tiles make"),
        ("1 2 3 4", r"0 is missing and 4 is not a tile"),
        ("5", "2 to 10 rows and columns, got 1x1"),
        ("1/2/0", "2 to 10 rows and columns, got 3x1"),
        ("1.2", "do not fill a board"),
        ("1 2 3 four", "expected a tile's number, found 'four'"),
        ("1 2 3 -2", "expected a tile's number, found '-2'"),
        ("1 2 3 1000", "expected a tile's number, found '1000'"),
        ("1.2.3 - 4.5.0", "expected a tile's number, found '-'"),
        ("1 2\n3 4\n5 6\n" * 4, "2 to 10 rows and columns|each of 0 to"),
    ],
)
def test_wrong_board_error_names_the_fault(text, wrong):
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
        ("1 2", "2 cells do not fill a board of 2 to 10 rows and columns: '1 2'"),
    ],
)
def test_text_is_quoted_once(text, message):
    with pytest.raises(InvalidBoardError) as caught:
        parse_board(text)
    assert str(caught.value) == message


@given(st.text() | st.text(alphabet=ODD_CHARACTERS, max_size=40), st.none() | SIZES)
def test_any_text_is_a_board_or_an_invalid_board(text, size):
    read_or_refuse(text, size)


@st.composite
def damaged(draw):
    """Draw a board in some notation with a few characters deleted, inserted or changed."""
    board = draw(boards_up_to(16))
    write = draw(st.sampled_from([str, *writers.LISTS, *writers.BOXES]))
    text = write(board)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        taken_out = draw(st.integers(0, 2))
        text = text[:place] + draw(st.text(ODD_CHARACTERS, max_size=2)) + text[place + taken_out :]
    return text


@given(damaged(), st.none() | SIZES)
def test_damaged_board_is_a_board_or_an_invalid_board(text, size):
    read_or_refuse(text, size)


@given(damaged(), damaged())
def test_damaged_code_is_a_puzzle_or_an_invalid_board(start, goal):
    read_or_refuse(f"{start}_{goal}", None)


def read_or_refuse(text, size):
    """Parse `text` as a board and as a puzzle. A result must survive a round trip."""
    for parse in parse_board, parse_puzzle:
        try:
            found = parse(text, size=size)
        except InvalidBoardError:  # any other exception fails the test
            continue
        assert parse(str(found)) == found


def test_longer_text_is_refused_unparsed():
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
    "far too long": "1" * 500_000,
    "far too long with joints": "1_" * 200_000,
    "a size and spaces": "3" + " " * 300_000 + "a",
    "spaces": " " * 300_000,
}


@each("text", HOSTILE.values())
def test_hostile_text_is_refused_in_a_short_message(text):
    for parse in (parse_board, parse_puzzle, parse_size):
        with pytest.raises(InvalidBoardError) as caught:
            parse(text)
        assert len(str(caught.value)) < 400
