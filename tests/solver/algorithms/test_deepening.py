"""Iterative deepening, depth-first and IDA*: lengths, iterations, counts and limits."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from numba import njit

from slidewise import Limits, Proof, Status, find_algorithm, find_heuristic, search, solve
from slidewise.puzzle import Board, Puzzle, parse_puzzle
from slidewise.solver.engines.one_path import Deepening
from slidewise.solver.estimate import Estimate
from slidewise.solver.events import Fate, Iteration, Progress
from slidewise.solver.kernels import deepening as kernel
from slidewise.solver.kernels import steps
from slidewise.solver.task import Task
from tests.solver import linear_space, oracle
from tests.solver.algorithms.test_lengths import ANCHORS, SMALL_GOALS, SWEEP, check_optimal, sample
from tests.solver.conftest import STANDARD
from tests.solver.runs import check_repeats, check_successors, counts, whole
from tests.solver.test_limits import FARTHEST, HARD, check_stopped
from tests.solver.test_verdict import run

GOAL = Board(3, 3, STANDARD)

CHOICES = [("iddfs", "zero"), ("idastar", "manhattan"), ("idastar", "misplaced")]

KORF = [
    ("13.8.14.3-9.1.0.7-15.5.4.10-12.2.6.11", 41),
    ("0.1.9.7-11.13.5.3-14.12.4.2-8.6.10.15", 42),
    ("9.14.5.7-8.15.1.2-10.4.13.6-12.0.11.3", 44),
]
"""Boards 55, 79 and 97 of R. E. Korf, Depth-first iterative-deepening, 1985, for the goal with
the blank first, and their optimal lengths."""


def check_against_oracle(puzzle, algorithm, heuristic, most=None):
    start, goal = puzzle.start.cells, puzzle.goal.cells
    uses_h = algorithm == "idastar"
    tree = linear_space.deepening(
        start,
        goal,
        puzzle.rows,
        puzzle.cols,
        oracle.ESTIMATES[heuristic],
        uses_h=uses_h,
        most=most or 10**9,
    )
    expanded, iterations, result = whole(puzzle, algorithm, heuristic, Limits(expansions=most))
    assert counts(result) == tree.counts
    assert result.length == tree.length
    assert iterations == tree.limits
    assert [event.order for event in expanded] == list(range(1, len(expanded) + 1))
    boards = {}
    for event, node in zip(expanded, tree.order, strict=True):
        assert (event.node, event.parent) == (node.number, node.parent)
        assert (event.board.cells, event.g, event.h) == (node.cells, node.g, node.h)
        assert event.f == node.g + node.h
        boards[event.node] = event.board
        limit = max(limit for limit, before in iterations if before < event.order)
        check_successors(event, boards.get(event.parent), limit)
        assert [new.node for new in event.successors if new.fate.is_kept] == node.kept
        for new in event.successors:
            assert new.h == oracle.ESTIMATES[heuristic](new.board.cells, goal, puzzle.cols)
            assert new.f == new.g + new.h


# Lengths.


@njit
def all_lengths(
    boards, path, goal, ways, alone, tables, moves, values, indices, patterns, state, single, h,
    lengths,
):  # pragma: no cover  # fmt: skip
    """Run IDA* on each of `boards`, without a way back to Python from one to the next."""
    trace = np.zeros((0, steps.TRACE_COLUMNS), dtype=np.int32)
    for number in range(boards.shape[0]):
        board, at = boards[number], indices[number]
        blank = steps.blank_of(board)
        limit = h[number]
        while lengths[number] < 0:
            counters = np.zeros(steps.COUNTS, dtype=np.int64)
            counters[steps.TAKEN] = counters[steps.STORED] = 1
            counters[steps.LIMIT] = steps.INFINITE
            path[0] = 0
            place = steps.SIDES * blank + steps.NO_SIDE
            path[0, steps.WAY] = place << steps.WAY_BITS | place
            path[0, steps.ESTIMATE] = h[number]
            path[0, steps.SINGLE] = single[number]
            code = kernel.search_slice(
                path, counters, board, goal, ways, alone, tables, moves, values, at, patterns,
                state, limit, 2**31, 2**31, 2**31, trace,
            )  # fmt: skip
            if code == kernel.GOAL:
                lengths[number] = counters[steps.LEVEL]
            limit = counters[steps.LIMIT]


@pytest.mark.parametrize("heuristic", ["manhattan", "linear-conflict"])
def test_all_boards_of_3x3_have_their_true_length(heuristic, to_standard):
    """Through the compiled loop alone: the events around it would take ten times as long, and
    are tested with thousands of boards below. Each run of the tests takes every eighth board,
    and all of them if SLIDEWISE_SWEEP is set."""
    chosen = find_heuristic(heuristic)
    work = Deepening(
        Task(Puzzle(GOAL, GOAL), find_algorithm("idastar"), chosen, Limits()), uses_h=True
    )
    tables = work._tables
    each = 1 if len(SWEEP) > 1 else 8
    boards = np.array(list(to_standard)[::each], dtype=np.uint32)
    cells = np.arange(9)
    single = tables.alone[boards, cells].sum(axis=1, dtype=np.int64)
    indices = np.zeros((len(boards), len(tables.groups)), dtype=np.int64)
    for number, group in enumerate(tables.groups):
        weights = np.zeros((9, 9), dtype=np.int64)
        for tile, weight in group.weights.items():
            weights[tile] = weight
        indices[:, number] = tables.bases[number] + weights[boards, cells].sum(axis=1)
    h = single + tables.values[indices].sum(axis=1, dtype=np.int64)
    lengths = np.full(len(boards), -1)
    all_lengths(
        boards, work._path, work._goal, work._ways, tables.alone, tables.with_table, tables.moves,
        tables.values, indices, work._patterns, work._state, single, h, lengths,
    )  # fmt: skip
    assert len(lengths) == 181_440 // each
    assert (lengths == np.array(list(to_standard.values())[::each])).all()


@pytest.mark.parametrize("heuristic", ["manhattan", "linear-conflict"])
def test_idastar_on_boards_of_3x3(heuristic, to_standard):
    for cells, distance in sample(to_standard, 60):
        puzzle = Puzzle.standard(Board(3, 3, cells))
        check_optimal(solve(puzzle, "idastar", heuristic), distance)


@pytest.mark.parametrize("heuristic", ["misplaced", "zero"])
def test_idastar_with_weaker_heuristics(heuristic, to_standard):
    near = [drawn for drawn in sample(to_standard, 25) if drawn[1] <= 22]
    assert len(near) >= 400
    for cells, distance in near:
        check_optimal(solve(Puzzle.standard(Board(3, 3, cells)), "idastar", heuristic), distance)


def test_iddfs_on_boards_of_3x3(to_standard):
    near = [drawn for drawn in sample(to_standard, 12) if 0 < drawn[1] < 20]
    far = [drawn for drawn in sample(to_standard, 3) if 20 <= drawn[1] <= 24]
    assert len(near) >= 200
    assert len(far) >= 10
    for cells, distance in near + far:
        puzzle = Puzzle.standard(Board(3, 3, cells))
        _, iterations, result = whole(puzzle, "iddfs", None, trace=0)
        check_optimal(result, distance)
        assert [limit for limit, _ in iterations] == list(range(distance + 1))


@pytest.mark.parametrize("text", SMALL_GOALS)
def test_all_boards_of_small_sizes(text):
    goal = parse_puzzle(text).start
    for cells, distance in oracle.distances(goal.cells, goal.rows, goal.cols).items():
        puzzle = Puzzle(Board(goal.rows, goal.cols, cells), goal)
        for heuristic in ("manhattan", "linear-conflict", "misplaced", "zero"):
            check_optimal(solve(puzzle, "idastar", heuristic), distance)
        check_optimal(solve(puzzle, "iddfs"), distance)


@pytest.mark.parametrize(("text", "distance"), ANCHORS)
def test_known_boards(text, distance):
    puzzle = parse_puzzle(text)
    for heuristic in ("manhattan", "linear-conflict", "misplaced"):
        check_optimal(solve(puzzle, "idastar", heuristic), distance)
    if distance < 31:
        check_optimal(solve(puzzle, "iddfs"), distance)


@pytest.mark.parametrize(("text", "distance"), KORF)
@pytest.mark.parametrize("heuristic", ["manhattan", "linear-conflict"])
def test_easy_boards_of_4x4(text, distance, heuristic):
    puzzle = parse_puzzle(f"{text}_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15")
    check_optimal(solve(puzzle, "idastar", heuristic), distance)


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
        for algorithm, heuristic in [*CHOICES, ("idastar", "linear-conflict")]:
            check_optimal(solve(Puzzle(start, goal), algorithm, heuristic), distance)


# Counts and order.


def test_a_board_by_hand():
    """From 1.0.3-4.2.5 the blank goes down, then right.

    Limit 0: the start is taken. Limit 1: it is expanded; down, left and right are taken. Limit
    2: it is expanded again, and then down, whose left and right are taken; right is the goal.
    """
    puzzle = parse_puzzle("1.0.3-4.2.5")
    expanded, iterations, result = whole(puzzle, "iddfs", None)
    assert iterations == [(0, 0), (1, 0), (2, 1)]
    assert counts(result) == {
        "expanded": 3,
        "generated": 10,  # the start, and three successors each; one is the start again
        "peak_frontier": 4,  # left and right of the start, left and right of down
        "peak_stored": 6,  # and the start, and down
        "deepest": 2,
    }
    assert [str(event.board) for event in expanded] == [
        "1.0.3-4.2.5",
        "1.0.3-4.2.5",
        "1.2.3-4.0.5",
    ]
    assert [(event.node, event.parent) for event in expanded] == [(1, None), (5, None), (6, 5)]
    assert [(new.node, new.fate) for new in expanded[2].successors] == [
        (None, Fate.WENT_BACK),
        (9, Fate.KEPT),
        (10, Fate.KEPT),
    ]


def test_a_board_by_hand_with_an_estimate():
    """With Manhattan distance 2 the first limit is enough; left and right (f = 4) are dropped."""
    expanded, iterations, result = whole(parse_puzzle("1.0.3-4.2.5"), "idastar", "manhattan")
    assert iterations == [(2, 0)]
    assert counts(result) == {
        "expanded": 2,
        "generated": 7,
        "peak_frontier": 1,
        "peak_stored": 3,
        "deepest": 2,
    }
    assert [new.fate for new in expanded[0].successors] == [Fate.KEPT, Fate.OVER_F, Fate.OVER_F]
    assert [new.f for new in expanded[0].successors] == [2, 4, 4]
    assert [new.fate for new in expanded[1].successors] == [
        Fate.WENT_BACK,
        Fate.OVER_F,
        Fate.KEPT,
    ]


@pytest.mark.parametrize(("algorithm", "heuristic"), [*CHOICES, ("idastar", "zero")])
@pytest.mark.parametrize(
    "text", ["1.2-3.0", "2.0-3.1", "1.2.3-4.5.0", "3.0.2-5.1.4", "1.0-2.3-4.5"]
)
def test_small_boards_against_plain_python(algorithm, heuristic, text):
    goal = parse_puzzle(text).start
    starts = list(oracle.distances(goal.cells, goal.rows, goal.cols))
    for cells in starts[1 :: 1 if len(starts) < 20 else 37]:
        check_against_oracle(
            Puzzle(Board(goal.rows, goal.cols, cells), goal), algorithm, heuristic, 1_000
        )


@pytest.mark.parametrize(("algorithm", "heuristic"), CHOICES)
def test_3x3_boards_against_plain_python(algorithm, heuristic, to_standard):
    draw = random.Random(4)
    farthest = {"manhattan": 22, "misplaced": 16, "zero": 10}[heuristic]
    for cells in draw.sample([c for c, d in to_standard.items() if 0 < d <= farthest], 12):
        check_against_oracle(Puzzle.standard(Board(3, 3, cells)), algorithm, heuristic)


@pytest.mark.parametrize(("algorithm", "heuristic"), CHOICES)
@pytest.mark.parametrize("size", [(4, 4), (3, 6), (5, 5)])
def test_the_beginning_on_larger_boards_against_plain_python(algorithm, heuristic, size):
    rows, cols = size
    cells = random.Random(3).sample(range(rows * cols), rows * cols)
    puzzle = Puzzle.standard(Board(rows, cols, tuple(cells)))
    if not puzzle.solvable:
        puzzle = puzzle.ways_out().swapped
    check_against_oracle(puzzle, algorithm, heuristic, most=1_000)


@pytest.mark.parametrize(("algorithm", "heuristic"), [*CHOICES, ("idastar", "linear-conflict")])
def test_a_run_repeats_exactly_whatever_its_slices(algorithm, heuristic, monkeypatch):
    check_repeats(monkeypatch, parse_puzzle("2.5.0-1.3.6-4.8.7"), algorithm, heuristic)
    limits = Limits(depth=9, expansions=500)
    check_repeats(monkeypatch, parse_puzzle("8.6.7-2.5.4-3.0.1"), algorithm, heuristic, limits)


def test_idastar_without_an_estimate_expands_one_layer_more():
    """IDA* expands what is within the limit, depth-first search what is above the depth limit."""
    puzzle = parse_puzzle("2.3.0-1.4.6-7.5.8")
    deep = solve(puzzle, "iddfs")
    star = solve(puzzle, "idastar", "zero")
    assert deep.length == star.length == 6
    assert deep.expanded < star.expanded


# Iterations and bounds.


def test_the_examples_of_the_course():
    two, one = (
        parse_puzzle(f"1.2.3-0.4.5-6.7.8_{goal}")
        for goal in ("1.2.3-4.5.0-6.7.8", "1.2.3-6.4.5-0.7.8")
    )
    for puzzle, depth in ((two, 2), (one, 1)):
        events = list(search(puzzle, "iddfs"))
        told = [event for event in events if isinstance(event, Iteration)]
        assert told == [Iteration("depth limit", limit) for limit in range(depth + 1)]
        check_optimal(events[-1].result, depth)


def test_to_a_given_depth_only():
    puzzle = parse_puzzle("1.2.3-0.4.5-6.7.8_1.2.3-4.5.0-6.7.8")
    _, iterations, result = whole(puzzle, "iddfs", None, Limits(depth=1))
    assert [limit for limit, _ in iterations] == [0, 1]
    check_stopped(result, 2, "no path within 1 move leads to the goal")
    check_optimal(solve(puzzle, "iddfs", limits=Limits(depth=2)), 2)


def test_the_f_limits_rise_by_two_from_the_estimate():
    puzzle = parse_puzzle("8.6.7-2.5.4-3.0.1")
    events = list(search(puzzle, "idastar", "manhattan"))
    told = [event for event in events if isinstance(event, Iteration)]
    assert told == [Iteration("f-limit", limit) for limit in range(21, 32, 2)]


def test_the_bound_is_the_limit_under_way():
    bounds, limit = [], 0
    for event in search(HARD, "idastar", "manhattan", Limits(expansions=20_000_000)):
        if isinstance(event, Iteration):
            limit = event.limit
        elif isinstance(event, Progress):
            bounds.append(event.lower_bound)
            assert event.lower_bound >= limit
            assert event.frontier <= event.stored <= event.generated
    result = event.result
    assert bounds == sorted(bounds)
    assert result.lower_bound == limit > find_heuristic("manhattan").value(HARD.start, HARD.goal)


# Limits.


@pytest.mark.parametrize(("algorithm", "heuristic"), CHOICES)
@pytest.mark.parametrize("expansions", [1, 2, 57, 300])
def test_expansions_are_met_exactly(algorithm, heuristic, expansions, to_standard):
    draw = random.Random(expansions)
    for cells in draw.sample([c for c, d in to_standard.items() if d > 26], 5):
        puzzle = Puzzle.standard(Board(3, 3, cells))
        result = solve(puzzle, algorithm, heuristic, Limits(expansions=expansions))
        assert result.expanded == expansions
        plural = "s" * (expansions != 1)
        check_stopped(result, to_standard[cells], f"stopped after {expansions} expansion{plural}")


@pytest.mark.parametrize(("algorithm", "heuristic"), CHOICES)
def test_just_enough_expansions_are_enough(algorithm, heuristic):
    puzzle = parse_puzzle("2.3.0-1.4.6-7.5.8")
    expanded = solve(puzzle, algorithm, heuristic).expanded
    assert solve(puzzle, algorithm, heuristic, Limits(expansions=expanded)).length == 6
    fewer = solve(puzzle, algorithm, heuristic, Limits(expansions=expanded - 1))
    assert fewer.status is Status.CUTOFF


@pytest.mark.parametrize(("algorithm", "heuristic"), CHOICES)
def test_seconds(algorithm, heuristic):
    result = solve(HARD, algorithm, heuristic, Limits(seconds=0.2))
    check_stopped(result, FARTHEST, "stopped after 0.2 s")
    assert result.seconds >= 0.2


@pytest.mark.parametrize(("algorithm", "heuristic"), CHOICES)
@pytest.mark.parametrize("stored", [1, 2, 4, 5, 11, 20])
def test_stored_nodes_are_never_exceeded(algorithm, heuristic, stored):
    result = solve(HARD, algorithm, heuristic, Limits(stored_nodes=stored))
    assert stored - 3 < result.peak_stored <= stored
    check_stopped(result, FARTHEST, f"stopped at {stored} stored nodes")


@pytest.mark.parametrize(("algorithm", "heuristic"), [*CHOICES, ("idastar", "zero")])
@pytest.mark.parametrize("distance", [1, 2, 5, 10, 13])
def test_depth(algorithm, heuristic, distance, to_standard):
    draw = random.Random(distance)
    for cells in draw.sample([c for c, d in to_standard.items() if d == distance], 2):
        puzzle = Puzzle.standard(Board(3, 3, cells))
        check_optimal(solve(puzzle, algorithm, heuristic, Limits(depth=distance)), distance)
        if distance > 1:
            fewer = solve(puzzle, algorithm, heuristic, Limits(depth=distance - 1))
            plural = "s" * (distance != 2)
            within = f"no path within {distance - 1} move{plural} leads to the goal"
            check_stopped(fewer, distance, within)
            assert fewer.lower_bound == distance


@pytest.mark.parametrize(("algorithm", "heuristic"), CHOICES)
def test_cancelled(algorithm, heuristic):
    before = solve(HARD, algorithm, heuristic, cancelled=lambda: True)
    assert before.status is Status.CANCELLED
    assert (before.expanded, before.generated, before.peak_stored) == (0, 1, 1)
    asked = iter(range(30))
    during = solve(HARD, algorithm, heuristic, cancelled=lambda: next(asked) == 29)
    assert during.status is Status.CANCELLED
    assert during.expanded > 0
    assert during.verdict.reason == (
        f"stopped on request: the shortest has at least {during.lower_bound} moves"
    )


# Verdicts with heuristics that are not what they should be.


def scaled(factor):
    """Return Manhattan distance `factor` times over."""

    def build(goal):
        def estimate(home, cell):
            return factor * sum(
                abs(a - b)
                for a, b in zip(divmod(home, goal.cols), divmod(cell, goal.cols), strict=True)
            )

        return Estimate.of_tiles(goal, estimate)

    return replace(
        find_heuristic("manhattan"), key="scaled", admissible=False, consistent=False, build=build
    )


def test_nothing_is_claimed_with_a_heuristic_that_is_not_admissible(to_standard):
    longer = 0
    for cells in list(to_standard)[1::9_001]:
        result = run(Puzzle.standard(Board(3, 3, cells)), "idastar", scaled(3))
        assert result.lower_bound <= to_standard[cells] <= result.length
        assert (result.verdict.kind is Proof.OPTIMAL) == (result.length == result.lower_bound)
        longer += result.length > to_standard[cells]
    assert longer


def test_a_depth_limit_is_kept_with_a_heuristic_that_is_not_admissible():
    puzzle = parse_puzzle("2.3.0-1.4.6-7.5.8")
    assert run(puzzle, "idastar", scaled(3), Limits(depth=6)).length == 6
    result = run(puzzle, "idastar", scaled(3), Limits(depth=5))
    check_stopped(result, 6, "no path within 5 moves leads to the goal")
