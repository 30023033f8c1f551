"""Moves as words, arrows, counts and tiles: their meanings on a board, and ambiguous texts."""

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import (
    AmbiguousMovesError,
    IllegalMoveError,
    InvalidBoardError,
    InvalidMovesError,
    PuzzleError,
    parse_board,
    read_moves,
    understand_moves,
)
from slidewise.puzzle.moves import (
    ARROWS,
    MAX_MOVES,
    MAX_TEXT,
    find_wrong_move,
    opposite,
    play,
    tiles_moved,
)
from tests.each import each
from tests.puzzle.strategies import boards_up_to, walk, walks

START = parse_board("1 2 5/3 4 0/6 7 8")
GOAL = parse_board("0 1 2/3 4 5/6 7 8")
MIDDLE = parse_board("1 2 3/4 0 5/6 7 8")
WORDS = {"U": "Up", "D": "Down", "L": "Left", "R": "Right"}


@each(
    "text",
    [
        "['Up', 'Left', 'Left']",  # blank directions, as the board allows no other reading
        '["UP", "LEFT", "LEFT"]',
        "path_to_goal: ['Up', 'Left', 'Left']",
        "blank: up left left",
        "the blank's moves: U, L, L",
        "tile: Down, Right, Right",
        "Down -> Right -> Right",
        "move_up, move_left, move_left",
        "↓→→",
        "⬇️ ➡️ ➡️",
        "1D 2R",
        "D1 2R",
        "5D-2R-1R",
        "5↓ 2→ 1→",
        "5 down, 2 right, 1 right",
        "5U-2L-1L",
        "[5, 2, 1]",
        "5-2-1",
        "https://example.org/replay/1.2.5-3.4.0-6.7.8?moves=DR2&step=1",
    ],
)
def test_moves_are_read_from_each_common_format(text):
    assert read_moves(text, START) == "DRR"
    assert play(START, "DRR") == GOAL


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40))
def test_scrambles_of_cstimer_are_read(turns):
    """csTimer starts with the blank last and writes tile directions as letters or half-width
    arrows.

    Spaces stand between and after them. Each move or each run has its length.
    """
    solved = parse_board("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0")
    moves = walk(solved, turns)
    for letters in ("UDLR", "￪￬￩￫"):
        written = moves.translate(str.maketrans("UDLR", letters))
        runs = ["".join(run) for _, run in groupby(written)]
        for text in (
            "".join(f"{way} " for way in written),
            "".join(f"{run[0]}{len(run) if len(run) > 1 else ''} " for run in runs),
        ):
            assert read_moves(text, solved) == moves


def test_reading_of_moves_has_its_reason():
    taken = understand_moves("['Up', 'Left', 'Left']", START)
    assert (taken.moves, taken.mover) == ("DRR", "blank")
    assert taken.reason == (
        "Read as the blank’s directions: as the tile’s directions, move 2: no tile can move left "
        "on 1.2.5-3.4.8-6.7.0."
    )
    assert understand_moves("blank: Up", START).reason == ""
    assert understand_moves("Up", START, mover="blank").mover == "blank"


def test_moves_with_two_readings_are_ambiguous():
    with pytest.raises(AmbiguousMovesError, match="write tile: or blank: before them"):
        read_moves("Up, Down", MIDDLE)
    assert read_moves("Up, Down", MIDDLE, blank_directions=True) == "DU"
    assert read_moves("tile: Up, Down", MIDDLE) == "UD"
    assert read_moves("blank: Up, Down", MIDDLE, blank_directions=False) == "DU"


def test_number_before_a_letter_is_a_count_or_a_tile():
    board = parse_board("1 3 4/0 6 7/8 5 2")
    with pytest.raises(AmbiguousMovesError, match="blank’s directions or the tile’s directions"):
        read_moves("1D", board)
    assert read_moves("6L-3D", board) == "LD"
    assert read_moves("2L", board) == "LL"


@given(walks(max_size=30))
def test_goal_chooses_the_meaning_that_reaches_it(walked):
    board, moves = walked
    goal = play(board, moves)
    for label, letters in ("tile", moves), ("blank", opposite(moves)):
        words = ", ".join(WORDS[letter] for letter in letters)
        try:
            taken = understand_moves(words, board, goal=goal)
        except AmbiguousMovesError:  # both readings reach it
            assert play(board, opposite(moves)) == goal
        else:
            assert play(board, taken.moves) == goal
        assert understand_moves(f"{label}: {words}", board).moves == moves


@given(walks(max_size=30))
def test_tiles_with_directions_are_read_back(walked):
    board, moves = walked
    tiles = tiles_moved(board, moves)
    for way, mark, names in ("tile", "-", "UDLR"), ("tile", " ", ARROWS), ("blank", ", ", "UDLR"):
        letters = moves if way == "tile" else opposite(moves)
        shown = [names[letter] if isinstance(names, dict) else letter for letter in letters]
        text = mark.join(f"{tile}{one}" for tile, one in zip(tiles, shown, strict=True))
        try:
            assert understand_moves(text, board, goal=play(board, moves)).moves in (moves, "")
        except AmbiguousMovesError:
            continue


@each("text", ["UpLeft", "Up Left x", "2U 3x", "U.x", "Up = 2", "5DD", "sideways"])
def test_invalid_list_of_moves_is_refused(text):
    with pytest.raises(InvalidMovesError, match="expected moves such as U2RDL3, Up, Left"):
        understand_moves(text, START)


@pytest.mark.parametrize(
    ("text", "number", "marked", "why"),
    [
        ("blank: Up, Right", 2, "Right", "the blank cannot move right on 1.2.0-3.4.5-6.7.8"),
        ("5D, 2L", 2, "2L", "move 2: tile 2 moves right on 1.2.0-3.4.5-6.7.8"),
        ("tile: Left", 1, "Left", "move 1: no tile can move left on 1.2.5-3.4.0-6.7.8"),
        ("[5, 1]", 2, "1", "move 2: tile 1 is not beside the blank on 1.2.0-3.4.5-6.7.8"),
        ("3↓", 3, "3↓", "move 3: no tile can move down on 1.2.0-3.4.5-6.7.8"),
    ],
)
def test_first_wrong_word_is_marked(text, number, marked, why):
    start = parse_board("1 2 5/3 4 0/6 7 8")
    if text == "3↓":
        start = parse_board("1 2 5/3 4 8/6 7 0")
    with pytest.raises(IllegalMoveError):
        read_moves(text, start)
    wrong = find_wrong_move(text, start)
    assert (wrong.number, text[wrong.start : wrong.end]) == (number, marked)
    assert why in wrong.why


@pytest.mark.parametrize(
    ("text", "number", "marked", "why"),
    [
        ("3 1", 2, "1", "move 2 is not legal: tile 1 is not beside the blank on 1.2-3.0"),
        ("3 x", 2, "x", "move 2 is 'x', which is not a tile number"),
        ("3, 3, ?", 3, "?", "move 3 is '?', which is not a tile number"),
        (
            "3 3 1000",
            3,
            "1000",
            "move 3 is not legal: tile 1000 is not beside the blank on 1.2-0.3",
        ),
        ("9" * 10, 1, "9" * 10, "tile 99999999 is not beside the blank"),
        ("L,L", 2, "L", "move 2 (L) is not legal: no tile can move left on 1.2-3.0"),
        ("L R x", 3, "x", "move 3 is 'x', which is not a direction: write U, D, L or R"),
        ("LR100", 3, "R100", "move 3 (R) is not legal: no tile can move right on 1.2-0.3"),
    ],
)
def test_first_wrong_move_is_marked(text, number, marked, why):
    wrong = find_wrong_move(text, parse_board("1.2-0.3"))
    assert (wrong.number, text[wrong.start : wrong.end]) == (number, marked)
    assert why in wrong.why


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("[9, 5]", ["^not legal: move 1: tile 9 is not beside the blank on"]),
        ("tile: 2D, 2D", ["as the tile’s directions, move 2: no tile", "as tiles and .*, move 2"]),
        ("2D 3L 9L", ["^not legal: as tiles and the tile’s directions, move 3: .*; as .*, move 2"]),
        ("2D L", ["^not legal: as .* move 2: no tile can move down", "as .* move 2: the blank"]),
    ],
)
def test_refusal_names_the_meanings_that_came_furthest(text, reasons):
    for reason in reasons:
        with pytest.raises(IllegalMoveError, match=reason):
            understand_moves(text, MIDDLE)


def test_greatest_number_of_moves_is_understood():
    half = MAX_MOVES // 2
    assert len(understand_moves("tile: " + "UD" * half, MIDDLE).moves) == MAX_MOVES
    with pytest.raises(InvalidMovesError, match=f"at most {MAX_MOVES:,} moves"):
        understand_moves("tile: " + "UD" * half + "U", MIDDLE)


def test_count_on_both_sides_is_refused():
    with pytest.raises(InvalidMovesError, match="expected one number beside a move, found '2U3'"):
        understand_moves("2U3", START)


def test_ambiguous_moves_are_not_marked():
    assert find_wrong_move("Up", MIDDLE) is None


def test_too_many_moves_are_refused():
    with pytest.raises(InvalidMovesError, match="at most 200,000 characters"):
        understand_moves("Up " * MAX_TEXT, MIDDLE)
    with pytest.raises(PuzzleError, match=f"{MAX_MOVES:,} moves"):
        understand_moves("U99999 D99999", MIDDLE)


@given(
    st.text()
    | st.lists(st.sampled_from(["Up", "2U", "6R-", "3", "↑", ",", "blank:", "x"])).map(" ".join),
    boards_up_to(9),
)
def test_any_text_is_moves_or_a_puzzle_error(text, board):
    try:
        found = understand_moves(text, board)
    except PuzzleError:
        return
    assert play(board, found.moves)


def test_url_of_too_many_fields_is_refused():
    text = f"https://example.org/?{'a=b&' * 101}"
    with pytest.raises(InvalidMovesError):
        read_moves(text, START)
    with pytest.raises(InvalidBoardError):
        parse_board(text)


@each(
    "words",
    [
        "hoch rechts runter links",
        "arriba derecha abajo izquierda",
        "haut droite bas gauche",
        "cima direita baixo esquerda",
        "oben, rechts, unten, links",
    ],
)
def test_directions_are_read_in_other_languages(words):
    board = parse_board("1.2.3-4.0.5-6.7.8")
    found = understand_moves(words, board, mover="tile")
    assert found.moves == "URDL"
