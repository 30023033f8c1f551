"""Recursive best-first search: lengths, the lowest f, counts and limits."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from slidewise import Limits, Proof, Status, find_heuristic, search, solve
from slidewise.puzzle import Board, Puzzle, parse_puzzle
from slidewise.solver.engines import one_path
from slidewise.solver.events import Fate, Iteration, Progress
from tests.solver import linear_space, oracle
from tests.solver.algorithms.test_deepening import KORF, scaled
from tests.solver.algorithms.test_lengths import ANCHORS, SMALL_GOALS, check_optimal, sample
from tests.solver.runs import check_repeats, check_successors, counts, whole
from tests.solver.test_limits import FARTHEST, HARD, check_stopped
from tests.solver.test_verdict import run

HEURISTICS = ["manhattan", "misplaced", "zero"]


def check_against_oracle(puzzle, heuristic, most=None):
    start, goal = puzzle.start.cells, puzzle.goal.cells
    estimate = oracle.ESTIMATES[heuristic]
    tree = linear_space.rbfs(start, goal, puzzle.rows, puzzle.cols, estimate, most or 10**9)
    expanded, iterations, result = whole(puzzle, "rbfs", heuristic, Limits(expansions=most))
    assert counts(result) == tree.counts
    assert result.length == tree.length
    assert iterations == tree.limits
    boards = {}
    for event, node in zip(expanded, tree.order, strict=True):
        assert (event.node, event.parent) == (node.number, node.parent)
        assert (event.board.cells, event.g, event.h) == (node.cells, node.g, node.h)
        assert event.f == node.f
        boards[event.node] = event.board
        check_successors(event, boards.get(event.parent))
        assert [new.node for new in event.successors if new.fate is Fate.KEPT] == node.kept
        for new in event.successors:
            assert new.h == estimate(new.board.cells, goal, puzzle.cols)
            backed_up = event.f if event.f > event.g + event.h else 0
            assert new.f == max(backed_up, new.g + new.h)


# Lengths.


@pytest.mark.parametrize("heuristic", ["manhattan", "linear-conflict"])
def test_boards_of_3x3(heuristic, to_standard):
    drawn = sample(to_standard, 85)
    assert len(drawn) >= 2_000
    assert sum(distance == 31 for _, distance in drawn) == 2
    for cells, distance in drawn:
        check_optimal(solve(Puzzle.standard(Board(3, 3, cells)), "rbfs", heuristic), distance)


@pytest.mark.parametrize("heuristic", ["misplaced", "zero"])
def test_weaker_heuristics(heuristic, to_standard):
    for cells, distance in sample(to_standard, 25):
        if distance <= 20:
            check_optimal(solve(Puzzle.standard(Board(3, 3, cells)), "rbfs", heuristic), distance)


@pytest.mark.parametrize("text", SMALL_GOALS)
def test_all_boards_of_small_sizes(text):
    goal = parse_puzzle(text).start
    for cells, distance in oracle.distances(goal.cells, goal.rows, goal.cols).items():
        puzzle = Puzzle(Board(goal.rows, goal.cols, cells), goal)
        for heuristic in (*HEURISTICS, "linear-conflict"):
            check_optimal(solve(puzzle, "rbfs", heuristic), distance)


@pytest.mark.parametrize(("text", "distance"), ANCHORS)
def test_known_boards(text, distance):
    for heuristic in ("manhattan", "linear-conflict", "misplaced"):
        check_optimal(solve(parse_puzzle(text), "rbfs", heuristic), distance)


@pytest.mark.parametrize(("text", "distance"), KORF)
def test_easy_boards_of_4x4(text, distance):
    puzzle = parse_puzzle(f"{text}_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15")
    check_optimal(solve(puzzle, "rbfs", "manhattan"), distance)


@pytest.mark.parametrize("size", [(4, 4), (2, 8), (5, 5), (6, 6), (3, 6), (10, 10), (7, 3)])
def test_larger_boards_a_few_moves_from_any_goal(size):
    rows, cols = size
    draw = random.Random(rows * cols)
    for moves in (1, 2, 5, 8, 12):
        goal = Board(rows, cols, tuple(draw.sample(range(rows * cols), rows * cols)))
        start = goal
        for _ in range(moves):
            start = start.move(draw.choice(start.legal_directions))
        distance = solve(Puzzle(start, goal), "bfs").length
        for heuristic in ("manhattan", "linear-conflict"):
            check_optimal(solve(Puzzle(start, goal), "rbfs", heuristic), distance)


def test_rows_are_added_as_the_path_gets_longer(monkeypatch):
    puzzle = parse_puzzle("8.6.7-2.5.4-3.0.1")
    expected = whole(puzzle, "rbfs", "manhattan", trace=1_000)
    monkeypatch.setattr(one_path, "FIRST_LEVELS", 1)
    *told, result = whole(puzzle, "rbfs", "manhattan", trace=1_000)
    assert told == [*expected[:2]]
    assert replace(result, seconds=0) == replace(expected[2], seconds=0)


# Counts and order.


def test_a_board_by_hand():
    """From 1.0.3-4.2.5 with misplaced tiles: 2 and 5 are not at home, so f of the start is 2.

    Its successors: down (h = 1, f = 2), left (h = 3, f = 4), right (h = 3, f = 4). Down is taken
    under the bound 4; of its successors left has f = 4, and right, the goal, f = 2.
    """
    expanded, iterations, result = whole(parse_puzzle("1.0.3-4.2.5"), "rbfs", "misplaced")
    assert iterations == [(2, 0)]
    assert counts(result) == {
        "expanded": 2,
        "generated": 7,
        "peak_frontier": 4,
        "peak_stored": 6,
        "deepest": 2,
    }
    assert [(event.node, event.f) for event in expanded] == [(0, 2), (1, 2)]
    assert [new.f for new in expanded[0].successors] == [2, 4, 4]
    assert [new.node for new in expanded[1].successors] == [None, 4, 5]


def test_f_is_backed_up_by_hand():
    """From 2.1.3-0.4.5 without an estimate, where f is the depth at first.

    The start (f = 0) makes up and right, both with f = 1. Up is taken under the bound 1; its one
    successor has f = 2, which is left to it as its f. Right is taken with f = 1, under the bound
    2, and so are its two successors with f = 2; all theirs have f = 3, which is left to right.
    Then up is expanded again, with f = 2 although its g + h is 1.
    """
    puzzle = parse_puzzle("2.1.3-0.4.5_1.2.3-5.4.0")
    expanded, iterations, _ = whole(puzzle, "rbfs", "zero", Limits(expansions=6))
    assert [(event.g, event.f) for event in expanded] == [
        (0, 0),
        (1, 1),
        (1, 1),
        (2, 2),
        (2, 2),
        (1, 2),
    ]
    assert expanded[1].board == expanded[5].board != expanded[2].board
    assert expanded[1].node == expanded[5].node, "it waited there all the time"
    assert iterations == [(0, 0), (1, 1), (2, 3)]


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize(
    "text", ["1.2-3.0", "2.0-3.1", "1.2.3-4.5.0", "3.0.2-5.1.4", "1.0-2.3-4.5"]
)
def test_small_boards_against_plain_python(heuristic, text):
    goal = parse_puzzle(text).start
    starts = list(oracle.distances(goal.cells, goal.rows, goal.cols))
    for cells in starts[1 :: 1 if len(starts) < 20 else 37]:
        check_against_oracle(Puzzle(Board(goal.rows, goal.cols, cells), goal), heuristic, 1_000)


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_3x3_boards_against_plain_python(heuristic, to_standard):
    draw = random.Random(4)
    farthest = {"manhattan": 24, "misplaced": 16, "zero": 10}[heuristic]
    for cells in draw.sample([c for c, d in to_standard.items() if 0 < d <= farthest], 12):
        check_against_oracle(Puzzle.standard(Board(3, 3, cells)), heuristic)


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("size", [(4, 4), (3, 6), (5, 5)])
def test_the_beginning_on_larger_boards_against_plain_python(heuristic, size):
    rows, cols = size
    cells = random.Random(3).sample(range(rows * cols), rows * cols)
    puzzle = Puzzle.standard(Board(rows, cols, tuple(cells)))
    if not puzzle.solvable:
        puzzle = puzzle.ways_out().swapped
    check_against_oracle(puzzle, heuristic, most=1_000)


@pytest.mark.parametrize("heuristic", [*HEURISTICS, "linear-conflict"])
def test_a_run_repeats_exactly_whatever_its_slices(heuristic, monkeypatch):
    check_repeats(monkeypatch, parse_puzzle("1.2.3-0.5.6-4.7.8"), "rbfs", heuristic)
    check_repeats(monkeypatch, parse_puzzle("2.5.0-1.3.6-4.8.7"), "rbfs", "manhattan")
    limits = Limits(depth=9, expansions=500)
    check_repeats(monkeypatch, parse_puzzle("8.6.7-2.5.4-3.0.1"), "rbfs", heuristic, limits)


def test_memory_stays_in_proportion_to_the_depth(to_standard):
    for cells, distance in sample(to_standard, 5):
        result = solve(Puzzle.standard(Board(3, 3, cells)), "rbfs", "manhattan")
        assert result.peak_stored <= 4 + 3 * distance


# Iterations and bounds.


def test_the_lowest_f_rises_from_the_estimate_to_the_length():
    events = list(search(parse_puzzle("8.6.7-2.5.4-3.0.1"), "rbfs", "manhattan"))
    told = [event for event in events if isinstance(event, Iteration)]
    assert told == [Iteration("lowest f", limit) for limit in range(21, 32, 2)]


def test_the_bound_is_the_lowest_f():
    bounds, limit = [], 0
    for event in search(HARD, "rbfs", "manhattan", Limits(expansions=8_000_000)):
        if isinstance(event, Iteration):
            assert event.limit > limit
            limit = event.limit
        elif isinstance(event, Progress):
            bounds.append(event.lower_bound)
            assert event.lower_bound >= limit
            assert event.frontier < event.stored <= event.generated
    assert bounds == sorted(bounds)
    assert event.result.lower_bound == limit
    assert limit > find_heuristic("manhattan").value(HARD.start, HARD.goal)


# Limits.


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("expansions", [1, 2, 57, 300])
def test_expansions_are_met_exactly(heuristic, expansions, to_standard):
    draw = random.Random(expansions)
    for cells in draw.sample([c for c, d in to_standard.items() if d > 26], 5):
        puzzle = Puzzle.standard(Board(3, 3, cells))
        result = solve(puzzle, "rbfs", heuristic, Limits(expansions=expansions))
        assert result.expanded == expansions
        plural = "s" * (expansions != 1)
        check_stopped(result, to_standard[cells], f"stopped after {expansions} expansion{plural}")


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_just_enough_expansions_are_enough(heuristic):
    puzzle = parse_puzzle("2.3.0-1.4.6-7.5.8")
    expanded = solve(puzzle, "rbfs", heuristic).expanded
    assert solve(puzzle, "rbfs", heuristic, Limits(expansions=expanded)).length == 6
    fewer = solve(puzzle, "rbfs", heuristic, Limits(expansions=expanded - 1))
    assert fewer.status is Status.CUTOFF


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_seconds(heuristic):
    result = solve(HARD, "rbfs", heuristic, Limits(seconds=0.2))
    check_stopped(result, FARTHEST, "stopped after 0.2 s")
    assert result.seconds >= 0.2


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("stored", [1, 2, 4, 5, 11, 20])
def test_stored_nodes_are_never_exceeded(heuristic, stored):
    result = solve(HARD, "rbfs", heuristic, Limits(stored_nodes=stored))
    assert stored - 3 < result.peak_stored <= stored
    check_stopped(result, FARTHEST, f"stopped at {stored} stored nodes")


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("distance", [1, 2, 5, 10, 13])
def test_depth(heuristic, distance, to_standard):
    draw = random.Random(distance)
    for cells in draw.sample([c for c, d in to_standard.items() if d == distance], 2):
        puzzle = Puzzle.standard(Board(3, 3, cells))
        check_optimal(solve(puzzle, "rbfs", heuristic, Limits(depth=distance)), distance)
        if distance > 1:
            fewer = solve(puzzle, "rbfs", heuristic, Limits(depth=distance - 1))
            plural = "s" * (distance != 2)
            within = f"no path within {distance - 1} move{plural} leads to the goal"
            check_stopped(fewer, distance, within)
            assert fewer.lower_bound == distance


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("depth", [3, 8, 12])
@pytest.mark.parametrize("expansions", [5, 40, 200])
def test_two_limits_together(heuristic, depth, expansions, to_standard):
    draw = random.Random(depth * expansions)
    limits = Limits(depth=depth, expansions=expansions)
    for cells in draw.sample(list(to_standard), 30):
        result = solve(Puzzle.standard(Board(3, 3, cells)), "rbfs", heuristic, limits)
        assert result.lower_bound <= to_standard[cells]
        assert result.length is None or result.length <= depth


def test_cancelled():
    before = solve(HARD, "rbfs", "manhattan", cancelled=lambda: True)
    assert before.status is Status.CANCELLED
    assert (before.expanded, before.generated, before.peak_stored) == (0, 1, 1)
    asked = iter(range(30))
    during = solve(HARD, "rbfs", "manhattan", cancelled=lambda: next(asked) == 29)
    assert during.status is Status.CANCELLED
    assert during.expanded > 0
    assert during.verdict.reason == (
        f"stopped on request: the shortest has at least {during.lower_bound} moves"
    )


# Verdicts with heuristics that are not what they should be.


def test_nothing_is_claimed_with_a_heuristic_that_is_not_admissible(to_standard):
    longer = 0
    for cells in list(to_standard)[1::9_001]:
        result = run(Puzzle.standard(Board(3, 3, cells)), "rbfs", scaled(3))
        assert result.lower_bound <= to_standard[cells] <= result.length
        assert (result.verdict.kind is Proof.OPTIMAL) == (result.length == result.lower_bound)
        longer += result.length > to_standard[cells]
    assert longer


def test_a_depth_limit_is_kept_with_a_heuristic_that_is_not_admissible():
    puzzle = parse_puzzle("2.3.0-1.4.6-7.5.8")
    assert run(puzzle, "rbfs", scaled(3), Limits(depth=6)).length == 6
    result = run(puzzle, "rbfs", scaled(3), Limits(depth=5))
    check_stopped(result, 6, "no path within 5 moves leads to the goal")
