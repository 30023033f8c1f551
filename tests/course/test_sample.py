"""Samples of many boards: how they are drawn, and the summaries of their searches."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import Limits, PuzzleError, compare, parse_board, solve, standard_goal
from slidewise.analysis.distance import Range
from slidewise.course.sample import (
    Arrivals,
    Measurement,
    SampleSummary,
    draw_boards,
    quartiles,
    share,
)
from slidewise.solver.tables.exact import exact_distance

GOAL = standard_goal(3, 3)
NUMBERS = st.lists(st.integers(0, 10**9), min_size=1, max_size=60)


@given(NUMBERS)
def test_quartiles_are_those_of_statistics(numbers):
    lower, median, upper = quartiles(numbers)
    assert median == statistics.median(numbers)
    if len(numbers) > 1:
        wanted = statistics.quantiles(numbers, n=4, method="inclusive")
        assert [lower, median, upper] == wanted
    assert min(numbers) <= lower <= median <= upper <= max(numbers)


def test_empty_sample_has_no_quartiles():
    assert quartiles([]) is None


def measures(runs, boards):
    """Return the measures of each search on the boards."""
    results = [compare(board.puzzle, runs) for board in boards]
    return [
        [
            Measurement.of(result, board.shortest)
            for result, board in zip(found, boards, strict=True)
        ]
        for found in zip(*results, strict=True)
    ]


def test_summary_matches_the_results():
    boards = draw_boards(GOAL, "s", range(9), 9, Range(8, 24))
    for search in measures("astar,greedy", boards):
        summary = SampleSummary.of(search)
        assert summary.boards == summary.solved == 9
        assert summary.shortest == sum(one.length == one.shortest for one in search)
        assert summary.expanded.median == statistics.median(one.expanded for one in search)
        assert summary.generated.median == statistics.median(one.generated for one in search)
        assert summary.peak_stored.median == statistics.median(one.peak_stored for one in search)
        assert summary.seconds.median == statistics.median(one.seconds for one in search)
    astar, greedy = measures("astar,greedy", boards)
    assert SampleSummary.of(astar).shortest == 9 > SampleSummary.of(greedy).shortest


def test_cutoff_is_unsolved_and_its_expansions_count():
    (board,) = draw_boards(GOAL, "s", [0], 1, Range(24, 24))
    result = solve(board.puzzle, "bfs", limits=Limits(expansions=10))
    summary = SampleSummary.of([Measurement.of(result, board.shortest)])
    assert (summary.boards, summary.solved, summary.shortest) == (1, 0, 0)
    assert summary.expanded.median == 10


# Arrivals


def wilson(solved, boards):
    """Return the shares at 1.96 standard errors of their own from the share, by halving."""
    part = solved / boards

    def edge(near, far):
        for _ in range(60):
            middle = (near + far) / 2
            error = math.sqrt(middle * (1 - middle) / boards)
            near, far = (middle, far) if abs(middle - part) < 1.96 * error else (near, middle)
        return 100 * near

    # At 0 and 1 there is no error, so the search begins beside them.
    inside = min(max(part, 1e-9), 1 - 1e-9)
    return (edge(inside, 0) if solved else 0, edge(inside, 1) if solved < boards else 100)


@pytest.mark.parametrize(("solved", "boards"), [(0, 60), (1, 1), (7, 60), (59, 60), (60, 60)])
def test_interval_of_a_share_is_wilsons(solved, boards):
    found = share(solved, boards)
    assert found.percent == 100 * solved / boards
    assert (found.low, found.high) == pytest.approx(wilson(solved, boards), abs=1e-6)


def test_arrivals_count_the_costs_of_solved_boards_alone():
    boards = draw_boards(GOAL, "s", range(9), 9, Range(2, 14))
    (climbs,) = measures("hill-climbing", boards)
    found = Arrivals.of(climbs)
    solved = [one for one in climbs if one.length is not None]
    assert (found.boards, found.solved) == (9, len(solved))
    assert 0 < len(solved) < 9
    assert found.moves.median == statistics.median(one.length for one in solved)
    assert found.shortest.median == statistics.median(one.shortest for one in solved)
    assert found.expanded.median == statistics.median(one.expanded for one in solved)


# Drawing


@pytest.mark.parametrize("goal", ["1.2.3-4.5.6-7.8.0", "0.1.2-3.4.5-6.7.8", "1.2-3.4-5.0"])
def test_lengths_are_spread_evenly_over_the_range(goal):
    goal = parse_board(goal)
    boards = draw_boards(goal, "7", range(6), 6, Range(5, 20))
    assert [exact_distance(board.puzzle) for board in boards] == [5, 8, 11, 14, 17, 20]
    assert [board.shortest for board in boards] == [5, 8, 11, 14, 17, 20]
    assert all(board.puzzle.goal == goal for board in boards)


@given(st.integers(1, 12), st.text(max_size=8))
def test_seed_draws_the_same_boards_together_or_singly(count, seed):
    together = draw_boards(GOAL, seed, range(count), count, Range(4, 20))
    one_by_one = [draw_boards(GOAL, seed, [n], count, Range(4, 20))[0] for n in range(count)]
    assert together == one_by_one


def test_other_seeds_draw_other_boards():
    one, other = (draw_boards(GOAL, seed, range(10), 10) for seed in "12")
    assert len({board.puzzle for board in (*one, *other)}) == 20


def test_draw_without_a_range_is_from_all_boards():
    boards = draw_boards(GOAL, "1", range(200), 200)
    lengths = [board.shortest for board in boards]
    assert lengths == [exact_distance(board.puzzle) for board in boards]
    assert 21 < statistics.mean(lengths) < 23  # 21.97 of all boards


def test_board_above_10_cells_is_in_range_without_its_length():
    (board,) = draw_boards(standard_goal(3, 4), "1", [0], 1, Range(20, 34))
    assert board.shortest is None
    assert 20 <= solve(board.puzzle).length <= 34


@pytest.mark.parametrize(
    ("wanted", "words"), [(Range(30, 20), "smaller number first"), (Range(10, 40), "more than 31")]
)
def test_impossible_range_is_refused(wanted, words):
    with pytest.raises(PuzzleError, match=words):
        draw_boards(GOAL, "1", range(3), 3, wanted)
