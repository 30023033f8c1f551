import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import (
    IllegalMoveError,
    InvalidMovesError,
    PuzzleError,
    format_moves,
    parse_board,
    parse_moves,
    read_moves,
    steps,
)
from slidewise.puzzle.moves import ARROWS, MAX_MOVES, MAX_TEXT, inverse, opposite, play, tiles_moved
from tests.each import each
from tests.puzzle.strategies import boards, boards_up_to, walks

MOVES = st.text(alphabet="UDLR", max_size=200)
SMALL = parse_board("1.2-0.3")


# Text


@given(MOVES)
def test_moves_round_trip_with_and_without_run_lengths(moves):
    assert parse_moves(moves) == moves
    assert parse_moves(format_moves(moves)) == moves


@given(MOVES)
def test_run_lengths_leave_no_letter_twice_and_never_lengthen(moves):
    text = format_moves(moves)
    letters = [character for character in text if character.isalpha()]
    assert all(first != second for first, second in itertools.pairwise(letters))
    assert len(text) <= len(moves)


@given(
    st.lists(st.sampled_from(["U", "D2", "l", "r10", "R001"])),
    st.sampled_from(["", " ", ",", ", ", "\n", "\t"]),
)
def test_small_letters_and_separators_are_read(words, mark):
    counts = {"U": "U", "D2": "DD", "l": "L", "r10": "R" * 10, "R001": "R"}
    expected = "".join(counts[word] for word in words)
    assert parse_moves(mark.join(words)) == expected
    assert parse_moves(mark + mark.join(words) + mark) == expected


def test_examples_of_moves_are_read_and_written():
    assert parse_moves("U2RDL3") == "UURDLLL"
    assert format_moves("UURDLLL") == "U2RDL3"
    assert format_moves("L" * 12 + "U") == "L12U"
    assert parse_moves("") == parse_moves(" \n") == format_moves("") == ""


@each("text", ["2U", "UX", "U-2", "U2 3", "U 2", "U2,3", "U.5", "up", "U٢", "7 5 X", "2 U", "↑"])
def test_invalid_list_of_moves_is_refused(text):
    with pytest.raises(InvalidMovesError, match="expected moves such as U2RDL3") as caught:
        parse_moves(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    "text", [f"U{MAX_MOVES}", f"U{'0' * 5000}{MAX_MOVES}", f"U{MAX_MOVES - 2}DL"]
)
def test_greatest_number_of_moves_is_read(text):
    assert len(parse_moves(text)) == MAX_MOVES


@pytest.mark.parametrize(
    "text",
    [
        f"U{MAX_MOVES + 1}",
        f"U{MAX_MOVES - 1}DL",
        "U99999" * 30_000,
        "UD" * (MAX_MOVES // 2) + "L",
    ],
    ids=lambda text: text[:14],
)
def test_too_many_moves_are_refused_before_expansion(text):
    with pytest.raises(InvalidMovesError, match=f"expected at most {MAX_MOVES:,} moves") as caught:
        parse_moves(text)
    assert len(str(caught.value)) < 200


def test_longer_text_is_refused_unparsed():
    for read in (parse_moves, lambda text: read_moves(text, SMALL)):
        with pytest.raises(InvalidMovesError, match="at most 200,000 characters"):
            read(" " * MAX_TEXT + "U")
        with pytest.raises(InvalidMovesError, match=r"at most 200,000 characters|moves such as"):
            read("1 " * MAX_TEXT)


@given(st.text() | st.text(alphabet="UDLRudlr0123456789 ,-", max_size=30), boards_up_to(9))
def test_any_text_is_moves_or_a_puzzle_error(text, board):
    for read in (parse_moves, lambda text: read_moves(text, board)):
        try:
            moves = read(text)
        except (InvalidMovesError, IllegalMoveError):
            continue
        assert set(moves) <= set("UDLR")
        assert parse_moves(format_moves(moves)) == moves


# Tile numbers and blank directions


@given(walks())
def test_tile_numbers_round_trip(walked):
    board, moves = walked
    tiles = tiles_moved(board, moves)
    for mark in " ", ",", ", ", "\n":
        assert read_moves(mark.join(map(str, tiles)), board) == moves


@given(walks())
def test_blank_directions_round_trip(walked):
    board, moves = walked
    for text in opposite(moves), format_moves(opposite(moves)):
        assert read_moves(text, board, blank_directions=True) == moves


@given(walks())
def test_letters_are_tile_directions_by_default(walked):
    board, moves = walked
    assert read_moves(format_moves(moves), board) == moves


@pytest.mark.parametrize("blank_directions", [False, True])
def test_tile_numbers_ignore_blank_directions(blank_directions):
    assert read_moves("3 2 1", SMALL, blank_directions=blank_directions) == "LDR"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("2", "move 1 of 1 is not legal: tile 2 is not beside the blank on 1.2-0.3"),
        ("3 1", "move 2 of 2 is not legal: tile 1 is not beside the blank on 1.2-3.0"),
        ("0", "tile 0 is not beside"),
        ("9" * 5000, "tile 99999999 is not beside"),
    ],
)
def test_tiles_that_cannot_move_are_refused(text, wrong):
    with pytest.raises(IllegalMoveError, match=wrong):
        read_moves(text, SMALL)


def test_too_many_tile_numbers_are_refused():
    # Digits and separators leave room for exactly as many numbers as moves are allowed.
    with pytest.raises(PuzzleError):
        read_moves("3 " * (MAX_MOVES + 1), SMALL)
    assert len(read_moves(("3 " * MAX_MOVES).strip(), SMALL)) == MAX_MOVES


def test_text_of_the_greatest_length_is_read():
    assert parse_moves("U" + " " * (MAX_TEXT - 1)) == "U"
    assert read_moves("3" + " " * (MAX_TEXT - 2) + "3", SMALL) == "LR"
    assert read_moves("[3, 3]" + " " * (MAX_TEXT - 6), SMALL) == "LR"


def test_tile_numbers_may_begin_with_zeros():
    assert read_moves("3 03 003", SMALL) == "LRL"


# Laws


def test_opposite_and_inverse_of_moves():
    assert opposite("UDLR") == "DURL"
    assert inverse("UUL") == "RDD"


@given(walks())
def test_inverse_moves_lead_back(walked):
    board, moves = walked
    assert play(play(board, moves), inverse(moves)) == board


# Steps


@given(walks())
def test_steps_have_tile_direction_and_board(walked):
    board, moves = walked
    found = list(steps(board, moves))
    assert [step.number for step in found] == list(range(1, len(moves) + 1))
    assert "".join(step.direction for step in found) == moves
    for step in found:
        assert board.direction_of(step.tile) == step.direction
        board = board.slide(step.tile)
        assert step.board == board
    assert play(walked[0], moves) == board


def test_step_is_written_as_a_sentence():
    first, second = steps(SMALL, "LD")
    assert str(first) == "Step 1: tile 3 moves left; the blank moves right"
    assert str(second) == "Step 2: tile 2 moves down; the blank moves up"
    assert (first.arrow, second.arrow) == ("←", "↓")
    assert set(ARROWS) == set("UDLR")


@given(boards())
def test_illegal_step_is_named(board):
    legal = board.legal_directions
    there_and_back = legal[0] + opposite(legal[0])
    for illegal in set("UDLR") - set(legal):
        named = rf"move 3 of 4 \({illegal}\) is not legal: .* on {board}$"
        with pytest.raises(IllegalMoveError, match=named):
            play(board, f"{there_and_back}{illegal}U")
