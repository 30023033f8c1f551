from collections import Counter
from itertools import pairwise

import pytest

from slidewise import (
    InvalidBoardError,
    PuzzleError,
    TooManyCellsError,
    blank_first_goal,
    draw,
    exact_table,
    parse_board,
    parse_puzzle,
    scramble,
    solve,
    standard_goal,
)
from slidewise.analysis import draw as draw_module
from slidewise.analysis.distance import LEVELS, Range, hard_puzzle, level, parse_range
from slidewise.puzzle.board import TABLE_CELLS, spiral_goal
from slidewise.puzzle.scramble import MAX_SEED
from slidewise.solver.known import moves_at_least
from tests.each import each
from tests.puzzle.test_scramble import assert_uniform

CENTRE = parse_board("1.2.3-4.0.5-6.7.8")
CORNER = parse_board("4.9.1.0-2.3.5.6-7.8.10.11-12.13.14.15")

# The puzzle of a seed must never change.
GOLDEN = [
    ("1", 1, "1.0-3.2"),
    ("slidewise", 21, "4.5.0-1.2.3"),
    ("a", 12, "1.3.0.4-5.6.7.2"),
    ("", 20, "5.4.0-2.6.1-3.7.8"),
    ("1", 20, "6.3.8-2.0.7-5.1.4"),
    ("2", 20, "8.4.0-7.2.1-5.6.3"),
    ("7", 20, "1.2.4-8.0.6-5.3.7"),
    ("7", 31, "8.6.7-2.5.4-3.0.1"),
    ("Überraschung ☂", 5, "1.2.3-7.4.5-8.0.6"),
    ("1", 55, "0.5.3.2.1-9.4.8.7.6"),
    ("1", 30, "1.0-9.8-2.3-4.6-5.7"),
    ("1", 20, "6.2.5-3.0.7-8.1.4_0.1.2-3.4.5-6.7.8"),
    ("1", 30, f"6.7.8-3.5.2-0.4.1_{CENTRE}"),
]


@pytest.mark.parametrize(("seed", "moves", "code"), GOLDEN)
def test_puzzle_of_a_seed_never_changes(seed, moves, code):
    puzzle = parse_puzzle(code)
    assert draw(puzzle.rows, puzzle.cols, seed, moves, puzzle.goal) == puzzle


@pytest.mark.parametrize("goal", [None, blank_first_goal(3, 3), CENTRE])
def test_puzzle_takes_exactly_the_chosen_moves(goal):
    for moves in range(1, 31):
        puzzle = draw(3, 3, "seed", moves, goal)
        assert puzzle.goal == (goal or standard_goal(3, 3))
        assert exact_table(puzzle.goal).distance(puzzle.start) == moves


def test_draw_without_moves_is_the_scramble_of_the_seed():
    for size in (2, 2), (3, 3), (4, 4), (10, 10):
        assert draw(*size, "7") == scramble(*size, "7")
    assert draw(3, 3, "7", goal=CENTRE) == scramble(3, 3, "7", CENTRE)


@pytest.mark.parametrize("wanted", [Range(1, 3), Range(20, 21), Range(29, 40)])
def test_each_board_of_a_range_is_drawn(wanted):
    """Fixed seeds give the same result in each run."""
    lengths = Counter(
        exact_table(puzzle.goal).distance(puzzle.start)
        for puzzle in (draw(3, 3, str(seed), wanted) for seed in range(600))
    )
    counts = exact_table(standard_goal(3, 3)).counts[wanted.least : wanted.most + 1]
    for length, boards in enumerate(counts, start=wanted.least):
        share = boards / sum(counts)
        assert abs(lengths[length] - 600 * share) <= 4 * (600 * share * (1 - share)) ** 0.5 + 0.01
    assert set(lengths) <= set(range(wanted.least, wanted.most + 1))


@pytest.mark.parametrize(("size", "wanted"), [((4, 4), Range(40, 50)), ((3, 4), Range(30, 33))])
def test_draw_beyond_the_tables_is_in_the_range(size, wanted):
    for seed in "123":
        puzzle = draw(*size, seed, wanted)
        assert wanted.least <= solve(puzzle, "idastar", "pdb").length <= wanted.most
        assert draw(*size, seed, wanted) == puzzle


def test_seed_of_a_range_beyond_the_tables_never_changes():
    assert str(draw(4, 4, "1", Range(40, 50))) == "5.2.4.14-11.15.10.7-12.1.0.8-13.6.3.9"
    assert draw(4, 4, "1", Range(1, 80)) == scramble(4, 4, "1")


def test_slow_search_draws_no_other_puzzle(monkeypatch):
    monkeypatch.setattr(draw_module, "DRAW_SECONDS", 0.0)
    with pytest.raises(PuzzleError, match="try another seed, or a wider range"):
        draw(4, 4, "1", Range(40, 50))


@pytest.mark.parametrize("goal", [standard_goal(4, 4), blank_first_goal(4, 4), CORNER])
def test_hardest_of_4x4_are_on_the_path_of_a_known_board(goal):
    """A benchmark proves 80 moves for that board. So its path is shortest from each board on it."""
    for moves in range(70, 81):
        for turn in range(2):
            puzzle = hard_puzzle(goal, moves, turn)
            assert puzzle.solvable
            assert (puzzle.goal, moves_at_least(puzzle) <= moves) == (goal, True)
            way = [hard_puzzle(goal, left, turn).start for left in range(moves, 69, -1)]
            assert all(after in neighbours(before) for before, after in pairwise(way))


def neighbours(board):
    return {board.slide(tile) for tile in board.movable}


def test_hardest_of_4x4_are_drawn_by_their_seed():
    hard = {draw(4, 4, str(seed), Range(75, 80)) for seed in range(200)}
    assert len(hard) == 12
    assert draw(4, 4, "1", Range(75, 80)) in hard
    rare = draw(4, 4, "1", Range(70, 74))
    assert solve(rare, "idastar", "pdb").length in range(70, 75)
    assert draw(4, 4, "1", 80) in {hard_puzzle(standard_goal(4, 4), 80, turn) for turn in range(2)}
    with pytest.raises(PuzzleError, match="are too rare"):
        draw(4, 4, "1", Range(75, 80), spiral_goal(4, 4))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("20", (20, 20)), (" 20 ", (20, 20)), ("40-50", (40, 50)), ("40 – 50", (40, 50))],
)
def test_range_is_read(text, wanted):
    assert parse_range(text) == wanted
    assert parse_range(str(parse_range(text))) == wanted


@pytest.mark.parametrize("text", ["", "-5", "5-", "x", "1.5", "1-2-3", "٣", "9" * 10])
def test_invalid_range_is_refused(text):
    with pytest.raises(PuzzleError, match="moves must be a number such as 20"):
        parse_range(text)


def test_levels_are_consecutive_ranges():
    for (rows, cols), levels in LEVELS.items():
        assert LEVELS[cols, rows] == levels
        most = levels["hard"].most
        if rows * cols <= TABLE_CELLS:
            assert most == exact_table(standard_goal(rows, cols)).diameter
        assert list(levels) == ["easy", "medium", "hard"]
        moves = [n for wanted in levels.values() for n in range(wanted.least, wanted.most + 1)]
        assert moves == list(range(1, most + 1))
    assert level(scramble(4, 4, "1"), 45) == "easy"
    assert level(scramble(4, 4, "1"), 46) == "medium"
    assert level(scramble(3, 3, "1"), 20) == "medium"
    assert level(scramble(5, 5, "1"), 90) is None


@pytest.mark.parametrize("size", [(3, 4), (6, 2), (3, 5), (2, 7)])
@pytest.mark.soak
def test_each_level_is_drawn_without_a_table(size):
    for wanted in LEVELS[size].values():
        for seed in "123":
            draw(*size, seed, wanted)


@pytest.mark.parametrize(("name", "share"), [("easy", 15), ("medium", 2), ("hard", 3)])
def test_levels_have_their_numbers_of_3x3_boards(name, share):
    counts = exact_table(standard_goal(3, 3)).counts
    least, most = LEVELS[3, 3][name]
    assert round(sum(counts) / sum(counts[least : most + 1])) == share


@pytest.mark.parametrize(("size", "moves"), [((2, 2), 4), ((3, 3), 5), ((3, 3), 31)])
def test_draws_are_uniform(size, moves):
    """Fixed seeds give the same result in each run."""
    boards = list(exact_table(standard_goal(*size)).at(moves))
    drawn = [draw(*size, str(seed), moves).start for seed in range(100 * len(boards))]
    assert set(drawn) == set(boards), "each was drawn, and no other"
    assert_uniform(drawn)


@each(
    ("size", "moves", "error", "words"),
    [
        ((3, 3), 32, PuzzleError, "no 3 × 3 puzzle needs more than 31 moves"),
        ((3, 3), 10**30, PuzzleError, "no 3 × 3 puzzle needs more than 31 moves"),
        ((3, 3), 0, PuzzleError, "a puzzle needs at least 1 move, got 0"),
        ((3, 3), Range(20, 19), PuzzleError, "20-19 moves is an empty range"),
        ((4, 4), Range(1, 20), PuzzleError, "no random 4x4 puzzle had 1-20 moves"),
        ((4, 4), 81, PuzzleError, "no 4 × 4 puzzle needs more than 80 moves"),
        (
            (5, 5),
            90,
            TooManyCellsError,
            "on boards of up to 16 cells, but 5x5 has 25",
        ),
        ((11, 2), 20, InvalidBoardError, "2 to 10 rows and columns, got 11x2"),
    ],
)
def test_impossible_draw_is_an_error(size, moves, error, words):
    with pytest.raises(error, match=words):
        draw(*size, "1", moves)


def test_seed_and_goal_are_checked_as_in_scramble():
    with pytest.raises(PuzzleError, match="at most 64 characters"):
        draw(3, 3, "s" * (MAX_SEED + 1), 20)
    with pytest.raises(PuzzleError, match=f"more than 30 moves to {CENTRE}"):
        draw(3, 3, "1", 31, CENTRE)
    with pytest.raises(InvalidBoardError, match="expected a goal of 2x3"):
        draw(2, 3, "1", 20, standard_goal(3, 3))
