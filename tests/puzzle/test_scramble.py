from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import (
    InvalidBoardError,
    PuzzleError,
    blank_first_goal,
    parse_puzzle,
    scramble,
    spiral_goal,
    standard_goal,
)
from slidewise.puzzle.scramble import MAX_SEED, below
from tests.puzzle.strategies import boards, boards_up_to

SEEDS = st.text(max_size=MAX_SEED)

# Links name puzzles by their seed: these must never change.
GOLDEN = [
    (2, 2, "1", "3.1-2.0"),
    (2, 3, "slidewise", "1.5.0-4.3.2"),
    (3, 3, "", "3.5.8-2.7.0-6.1.4"),
    (3, 3, "1", "3.5.7-2.6.4-8.1.0"),
    (3, 3, "2", "2.1.4-3.6.7-5.0.8"),
    (3, 3, "Überraschung ☂", "5.1.6-7.4.0-3.8.2"),
    (4, 4, "1", "10.5.3.0-2.4.13.6-7.8.11.9-12.15.1.14"),
    (4, 4, "2026-01-01", "13.8.3.10-12.6.15.5-0.9.4.7-1.11.14.2"),
    (5, 5, "1", "3.18.15.11.24-16.5.8.19.10-17.4.13.2.21-23.14.6.22.12-20.1.0.7.9"),
    (2, 10, "1", "6.11.1.18.19.3.5.13.17.7-15.10.12.9.16.4.2.14.8.0"),
    (
        10,
        10,
        "1",
        "89.86.75.78.77.1.3.93.97.90-18.59.29.62.28.27.69.24.73.96-"
        "55.95.60.61.70.74.14.47.58.56-22.44.83.48.32.80.23.50.13.8-"
        "51.57.7.30.11.64.2.21.5.88-84.37.87.81.94.38.31.4.79.67-"
        "6.39.17.20.63.26.52.41.43.36-12.46.82.65.15.35.68.66.72.16-"
        "91.0.98.76.9.92.45.10.19.54-42.71.34.53.25.85.49.33.99.40",
    ),
]
GOLDEN_WITH_GOAL = [
    ("1", "3.5.7-2.6.4-8.1.0_0.1.2-3.4.5-6.7.8"),
    ("1", "10.5.3.0-1.4.13.6-7.8.11.9-12.15.2.14_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"),
]


@pytest.mark.parametrize(("rows", "cols", "seed", "code"), GOLDEN)
def test_puzzle_of_a_seed_never_changes(rows, cols, seed, code):
    assert str(scramble(rows, cols, seed)) == code


@pytest.mark.parametrize(("seed", "code"), GOLDEN_WITH_GOAL)
def test_puzzle_of_a_seed_and_a_goal_never_changes(seed, code):
    puzzle = parse_puzzle(code)
    assert scramble(puzzle.rows, puzzle.cols, seed, puzzle.goal) == puzzle


@given(boards(), SEEDS)
def test_scramble_is_solvable_for_any_goal(goal, seed):
    puzzle = scramble(goal.rows, goal.cols, seed, goal)
    assert puzzle.goal == goal
    assert puzzle.solvable
    assert puzzle.start != goal


@given(boards_up_to(4))
def test_solved_board_of_a_small_size_is_never_drawn(goal):
    assert all(scramble(2, 2, str(seed), goal).start != goal for seed in range(50))


def test_seeds_give_different_puzzles():
    assert len({scramble(5, 5, str(seed)).start for seed in range(200)}) == 200
    assert scramble(3, 3, "1").start != scramble(3, 3, "01").start


def assert_uniform(drawn):
    """Assert that the frequencies of the drawn boards are those of chance."""
    counts = Counter(drawn).values()
    expected = len(drawn) / len(counts)
    chi_square = sum((count - expected) ** 2 / expected for count in counts)
    free = len(counts) - 1  # the mean of chi-square, whose variance is twice as much
    assert abs(chi_square - free) < 4 * (2 * free) ** 0.5


@pytest.mark.parametrize(
    ("rows", "cols", "goal", "boards_in_all", "draws"),
    [
        (2, 2, standard_goal(2, 2), 11, 2_200),
        (2, 2, blank_first_goal(2, 2), 11, 2_200),
        (2, 2, spiral_goal(2, 2), 11, 2_200),
        (2, 3, standard_goal(2, 3), 359, 14_360),
    ],
)
def test_draws_are_uniform(rows, cols, goal, boards_in_all, draws):
    """Fixed seeds give the same result in each run."""
    drawn = [scramble(rows, cols, str(seed), goal).start for seed in range(draws)]
    assert len(set(drawn)) == boards_in_all
    assert_uniform(drawn)


@pytest.mark.parametrize("bound", [2, 3, 16, 100, 3 * 2**30])
def test_draws_beyond_the_last_multiple_are_rejected(bound):
    multiple = 2**32 // bound * bound
    draws = [*range(multiple, 2**32)[:3], multiple - 1]
    assert below(bound, iter(draws)) == bound - 1


@pytest.mark.parametrize("seed", ["\udcff", "\0", "|", "🧩" * MAX_SEED])
def test_any_text_is_a_seed(seed):
    assert scramble(3, 3, seed).solvable


def test_too_long_seed_is_refused():
    assert scramble(3, 3, "s" * MAX_SEED).solvable
    with pytest.raises(
        PuzzleError, match=f"at most {MAX_SEED} characters, got {MAX_SEED + 1}: 'sss"
    ):
        scramble(3, 3, "s" * (MAX_SEED + 1))


@pytest.mark.parametrize("size", [(1, 3), (3, 11), (0, 0)])
def test_invalid_sizes_are_refused(size):
    with pytest.raises(InvalidBoardError, match=f"got {size[0]}x{size[1]}"):
        scramble(*size, "1")


@pytest.mark.parametrize("goal", [standard_goal(2, 3), standard_goal(4, 4)])
def test_goal_must_have_the_chosen_size(goal):
    with pytest.raises(InvalidBoardError, match=f"expected a goal of 3x2, got {goal}"):
        scramble(3, 2, "1", goal)
