"""Limits and cancelling: what a stopped search still knows, and how soon it stops."""

from __future__ import annotations

import itertools
import random
import threading

import numpy as np
import pytest

from slidewise import (
    InvalidLimitsError,
    Limits,
    Proof,
    Status,
    find_algorithm,
    find_heuristic,
    search,
    solve,
)
from slidewise.puzzle import Board, Puzzle, PuzzleError, parse_puzzle
from slidewise.solver.algorithms.best_first import Claim, best_first
from slidewise.solver.engines.node_store import NodeStore
from slidewise.solver.events import Finished, Progress
from slidewise.solver.kernels import store
from slidewise.solver.limits import DEFAULT_STORED_NODES, nodes_within, slots, store_bytes, words
from slidewise.solver.pace import REPORT, Outcome
from slidewise.solver.task import Task
from tests.solver import oracle

HARD = parse_puzzle("15.14.0.4-11.1.6.13-7.5.8.9-3.2.10.12_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15")
FARTHEST = 66
"""Korf's 4x4 board that is 66 moves from the goal, too hard for the algorithms of this test."""

CHOICES = [
    ("bfs", None),
    ("ucs", None),
    ("greedy", "manhattan"),
    ("greedy", "misplaced"),
    ("astar", "manhattan"),
    ("astar", "zero"),
    ("astar", "linear-conflict"),
    ("wastar", "manhattan"),
    ("dfs", None),
]


def check_stopped(result, distance, words):
    assert result.status is Status.CUTOFF
    assert (result.moves, result.tiles, result.length) == ("", (), None)
    assert result.verdict.kind is Proof.UNPROVED
    assert 0 < result.lower_bound <= distance
    assert (distance - result.lower_bound) % 2 == 0
    plural = "s" * (result.lower_bound != 1)
    bound = f"the shortest has at least {result.lower_bound} move{plural}"
    assert result.verdict.reason == f"{words}: {bound}"


@pytest.mark.parametrize(("algorithm", "heuristic"), CHOICES)
@pytest.mark.parametrize("expansions", [1, 2, 57, 300])
def test_expansions_are_met_exactly(algorithm, heuristic, expansions, to_standard):
    draw = random.Random(expansions)
    for cells in draw.sample([c for c, d in to_standard.items() if d > 20], 5):
        puzzle = Puzzle.standard(Board(3, 3, cells))
        result = solve(puzzle, algorithm, heuristic, Limits(expansions=expansions))
        if result.status is Status.SOLVED:
            assert algorithm in ("greedy", "wastar")
            continue
        assert result.expanded == expansions
        plural = "s" * (expansions != 1)
        check_stopped(result, to_standard[cells], f"stopped after {expansions} expansion{plural}")


@pytest.mark.parametrize(("algorithm", "heuristic"), CHOICES)
def test_just_enough_expansions_are_enough(algorithm, heuristic):
    puzzle = parse_puzzle("2.3.0-1.4.6-7.5.8")
    expanded = solve(puzzle, algorithm, heuristic).expanded
    enough = solve(puzzle, algorithm, heuristic, Limits(expansions=expanded))
    assert enough.status is Status.SOLVED
    fewer = solve(puzzle, algorithm, heuristic, Limits(expansions=expanded - 1))
    assert fewer.status is Status.CUTOFF


def test_the_bound_of_breadth_first_search_is_the_depth_of_the_next_board(to_standard):
    puzzle = parse_puzzle("6.4.7-8.5.0-3.2.1")
    manhattan = find_heuristic("manhattan").value(puzzle.start, puzzle.goal)
    assert manhattan == 21
    depths = oracle.distances(puzzle.start.cells, 3, 3).values()
    for depth in (2, 3, 20, 21, 22, 23):
        nearer = sum(found < depth for found in depths)
        bound = solve(puzzle, "bfs", limits=Limits(expansions=nearer)).lower_bound
        odd = depth + 1 - depth % 2  # every solution has an odd number of moves
        assert bound == max(odd, manhattan)


@pytest.mark.parametrize("algorithm", ["bfs", "dfs", "greedy"])
def test_the_bound_is_the_manhattan_distance_at_least(algorithm):
    result = solve(HARD, algorithm, "zero", Limits(expansions=1))
    assert result.lower_bound == find_heuristic("manhattan").value(HARD.start, HARD.goal) > 30


def test_the_bound_of_a_star_only_rises():
    bounds = [
        event.lower_bound
        for event in search(HARD, "astar", "manhattan", Limits(seconds=1))
        if isinstance(event, Progress)
    ]
    assert bounds == sorted(bounds)
    assert bounds[0] >= find_heuristic("manhattan").value(HARD.start, HARD.goal)


@pytest.mark.parametrize(("algorithm", "heuristic"), [*CHOICES[:2], CHOICES[4]])
def test_seconds(algorithm, heuristic):
    result = solve(HARD, algorithm, heuristic, Limits(seconds=0.3))
    check_stopped(result, FARTHEST, "stopped after 0.3 s")
    assert result.seconds >= 0.3


@pytest.mark.parametrize(("algorithm", "heuristic"), CHOICES)
@pytest.mark.parametrize("stored", [1, 4, 5, 100, 5_000, 20_000])
def test_stored_nodes_are_never_exceeded(algorithm, heuristic, stored):
    result = solve(HARD, algorithm, heuristic, Limits(stored_nodes=stored))
    assert stored - 4 < result.peak_stored <= stored or result.status is Status.SOLVED
    if result.status is not Status.SOLVED:
        check_stopped(result, FARTHEST, f"stopped at {stored:,} stored nodes")


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (4, 4), (5, 5), (10, 10)])
def test_the_arrays_stay_within_the_memory_told(size):
    rows, cols = size
    cells = (*range(2, rows * cols), 1, 0)
    puzzle = Puzzle.standard(Board(rows, cols, cells))
    puzzle = puzzle if puzzle.solvable else puzzle.ways_out().swapped
    limits = Limits(stored_nodes=50_000)
    store = NodeStore(Task(puzzle, find_algorithm("bfs"), None, limits), 1, 0)
    while store.advance(1_000) is Outcome.RUNNING:
        assert store.nbytes <= limits.memory(rows * cols)
    assert store.nbytes <= limits.memory(rows * cols)


@pytest.mark.parametrize("cells", [4, 9, 16, 17, 25, 100])
@pytest.mark.parametrize("nodes", [1, 2, 1_000, 2**20, DEFAULT_STORED_NODES])
def test_the_arithmetic_of_memory(cells, nodes):
    assert 4 * nodes <= 3 * slots(nodes) <= 9 * nodes
    assert slots(nodes).bit_count() == 1
    bits = 4 if cells <= 16 else 8
    assert 64 * words(cells) >= bits * cells > 64 * (words(cells) - 1)
    assert nodes_within(store_bytes(nodes, cells), cells) <= nodes
    assert store_bytes(nodes_within(10**9, cells), cells) <= 10**9


def test_memory_that_is_not_there_is_told_before_the_search(monkeypatch):
    def refuse(*args, **kwargs):
        raise MemoryError

    events = search(HARD, "bfs", limits=Limits(stored_nodes=400_000_000))
    monkeypatch.setattr(np, "empty", refuse)
    with pytest.raises(InvalidLimitsError, match=r"400,000,000 stored nodes, which take 12.3 GB; "):
        list(events)


@pytest.mark.parametrize(("algorithm", "heuristic"), CHOICES)
@pytest.mark.parametrize("distance", [1, 2, 5, 10, 13])
def test_depth(algorithm, heuristic, distance, to_standard):
    """One move less than the shortest path has proves that it has at least as many."""
    draw = random.Random(distance)
    for cells in draw.sample([c for c, d in to_standard.items() if d == distance], 2):
        puzzle = Puzzle.standard(Board(3, 3, cells))
        enough = solve(puzzle, algorithm, heuristic, Limits(depth=distance))
        assert enough.length == distance
        if distance == 1:
            continue
        fewer = solve(puzzle, algorithm, heuristic, Limits(depth=distance - 1))
        plural = "s" * (distance != 2)
        within = f"no path within {distance - 1} move{plural} leads to the goal"
        check_stopped(fewer, distance, within)
        assert fewer.lower_bound == distance
        assert fewer.deepest < distance - 1 or distance == 2


def test_depth_first_search_opens_boards_again_within_a_depth_limit():
    """It comes to most of them by detours first, from where the goal is out of reach."""
    goal = parse_puzzle("1.2.3-4.5.0").start
    missed = 0
    for cells, distance in list(oracle.distances(goal.cells, 2, 3).items())[1:]:
        task = Task(
            Puzzle(Board(2, 3, cells), goal), find_algorithm("dfs"), None, Limits(depth=distance)
        )
        assert solve(task.puzzle, "dfs", limits=task.limits).length == distance
        *_, finished = best_first(task, Claim(""), reopen=False)
        missed += finished.result.status is Status.CUTOFF
    assert missed > 50


@pytest.mark.parametrize(("algorithm", "heuristic"), CHOICES)
@pytest.mark.parametrize("depth", [3, 8, 12])
@pytest.mark.parametrize("expansions", [5, 40, 200])
def test_two_limits_together(algorithm, heuristic, depth, expansions, to_standard):
    """The bound must not count on nodes that were left at the depth limit."""
    draw = random.Random(depth * expansions)
    for cells in draw.sample(list(to_standard), 40):
        puzzle = Puzzle.standard(Board(3, 3, cells))
        result = solve(puzzle, algorithm, heuristic, Limits(depth=depth, expansions=expansions))
        assert result.lower_bound <= to_standard[cells]
        assert result.length is None or result.length <= depth


@pytest.mark.parametrize(
    "wrong",
    [
        {"seconds": 0},
        {"seconds": -1},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"expansions": 0},
        {"expansions": 1.5},
        {"expansions": True},
        {"depth": -3},
        {"depth": 0},
        {"stored_nodes": 0},
        {"stored_nodes": None},
        {"stored_nodes": 10**9},
    ],
)
def test_wrong_limits(wrong):
    (name,) = wrong
    with pytest.raises(InvalidLimitsError, match=rf"^{name} must be .*, got .*; leave it out"):
        Limits(**wrong)
    assert issubclass(InvalidLimitsError, PuzzleError)


def test_cancelling_from_another_thread():
    solve(parse_puzzle("1.0.3-4.2.5"))  # so that nothing is left to compile
    stop = threading.Event()
    threading.Timer(0.4, stop.set).start()
    result = solve(HARD, "bfs", cancelled=stop.is_set)
    assert result.status is Status.CANCELLED
    assert result.expanded > 0
    assert result.length is None
    assert 1 <= result.lower_bound <= FARTHEST
    assert result.verdict.reason == (
        f"stopped on request: the shortest has at least {result.lower_bound} moves"
    )


@pytest.mark.parametrize(("algorithm", "heuristic"), CHOICES)
def test_cancelled_before_it_begins(algorithm, heuristic):
    result = solve(HARD, algorithm, heuristic, cancelled=lambda: True)
    assert result.status is Status.CANCELLED
    assert (result.expanded, result.generated, result.peak_stored) == (0, 1, 1)
    estimate = find_heuristic(heuristic).value(HARD.start, HARD.goal) if heuristic else 2
    assert estimate <= result.lower_bound <= FARTHEST


def test_progress_comes_often_but_not_too_often():
    events = list(search(HARD, "astar", "manhattan", Limits(seconds=1)))
    told = [event for event in events if isinstance(event, Progress)]
    assert len(told) >= 2
    assert isinstance(events[-1], Finished)
    for before, after in itertools.pairwise(told):
        assert after.seconds - before.seconds > 0.9 * REPORT
        assert before.expanded <= after.expanded
        assert before.stored <= after.stored
    for event in told:
        assert 0 < event.frontier <= event.stored <= event.generated
        assert event.expanded + event.frontier <= event.stored


def test_a_stream_that_is_left_alone_ends_quietly():
    events = search(HARD, "bfs")
    next(event for event in events if isinstance(event, Progress))
    events.close()


def test_an_estimate_that_nodes_have_no_room_for(monkeypatch):
    monkeypatch.setattr(store, "HIGHEST_H", 73)
    with pytest.raises(ValueError, match="h can be above 73: 74"):
        list(search(HARD, "astar"))
