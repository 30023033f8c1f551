"""Messages about typed text quote it, shortened, and name the expected form."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import (
    AmbiguousBoardError,
    IllegalMoveError,
    InvalidBoardError,
    InvalidMovesError,
    PuzzleError,
    SizeNeededError,
    parse_board,
    parse_moves,
    parse_puzzle,
    parse_size,
    read_moves,
    scramble,
)
from slidewise.puzzle.board import quoted
from tests.each import each

SMALL = parse_board("1.2-0.3")


def read_tiles(text):
    return read_moves(text, SMALL)


def draw(seed):
    return scramble(3, 3, seed)


WRONG = [
    (parse_board, ""),
    (parse_board, "[]"),
    (parse_board, "1 2 3"),
    (parse_board, "1 2 3 4"),
    (parse_board, "1 1 2 3"),
    (parse_board, "0 _ 1 2"),
    (parse_board, "1 2/3"),
    (parse_board, "1 2 3 four"),
    (parse_board, "1 2 3 ٤"),
    (parse_board, "1 2 3 4 5 0"),
    (parse_board, "[[1, 2], [3, 0]"),
    (parse_board, "12345678901234567"),
    (parse_board, "1 " * 3000),
    (parse_board, "1/2/3/0"),
    (parse_puzzle, "1.2-3.3_0.1-2.3"),
    (parse_puzzle, "1.2-3.0_0.1.2-3.4.5"),
    (parse_size, "three"),
    (parse_moves, "up"),
    (parse_moves, "U999999"),
    (parse_moves, "U" * 200_001),
    (read_tiles, "7 5 X"),
    (read_tiles, "3 " * 99_999 + "3 3"),
    (draw, "s" * 65),
]

EXPECTED = (
    "expected|must appear once|give the size|write the digits|a board has|at most|up to|one kind|"
    "do not fill a board"
)


@each(("read", "text"), WRONG)
def test_errors_quote_the_input_and_the_expected_form(read, text):
    with pytest.raises(PuzzleError) as caught:
        read(text)
    message = str(caught.value)
    typed = (text, text.strip(), *text.split("_"))  # the wrong board of a code
    assert any(quoted(part) in message for part in typed)
    assert re.search(EXPECTED, message)
    assert len(message) < 300


def test_two_goals_are_both_quoted():
    with pytest.raises(InvalidBoardError, match=r"'1 2 3 0'.*'1\.2-3\.0_0\.1-2\.3'"):
        parse_puzzle("1.2-3.0_0.1-2.3", "1 2 3 0")


@given(st.text(max_size=300), st.integers(1, 100))
def test_quoted_text_is_in_quotes_and_short(text, limit):
    shown = quoted(text, limit)
    assert shown[0] == shown[-1]
    assert shown[0] in "'\""
    if len(text) <= limit:
        assert shown == repr(text)
    else:
        assert shown == repr(text[:limit] + "...")


def test_quoted_text_has_60_characters_by_default():
    assert quoted("x" * 60) == repr("x" * 60)
    assert quoted("x" * 61) == quoted("x" * 61, 60) == repr("x" * 60 + "...")


def test_error_text_is_its_message():
    assert str(AmbiguousBoardError("two readings", (("rows", "1.2-3.0"),))) == "two readings"


def test_errors_form_one_tree():
    for error in InvalidBoardError, InvalidMovesError, IllegalMoveError:
        assert issubclass(error, PuzzleError)
    assert issubclass(SizeNeededError, InvalidBoardError)
    assert issubclass(PuzzleError, ValueError)
    assert not issubclass(InvalidMovesError, IllegalMoveError)
    assert not issubclass(IllegalMoveError, InvalidMovesError)
