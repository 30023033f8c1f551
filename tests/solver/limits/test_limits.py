"""Limits and cancelling: the bounds of a stopped search, and the time until it stops."""

import math
import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from slidewise import (
    Board,
    InvalidLimitsError,
    Limits,
    Proof,
    Puzzle,
    PuzzleError,
    Status,
    algorithms,
    find_algorithm,
    find_heuristic,
    parse_puzzle,
    prove,
    scramble,
    search,
    solve,
)
from slidewise.solver.algorithms import best_first
from slidewise.solver.engines.node_store import NodeStore
from slidewise.solver.engines.two_ends import CompiledTwoEnds
from slidewise.solver.events import Iteration, Progress
from slidewise.solver.kernels import store
from slidewise.solver.loop import REPORT_SECONDS, Outcome
from slidewise.solver.plain import work
from slidewise.solver.task import (
    DEFAULT_STORED_NODES,
    Task,
    nodes_within,
    slots,
    store_bytes,
    words,
)
from tests import boards
from tests.each import each
from tests.solver import oracle
from tests.solver.plain_searches import plain_search
from tests.solver.runs import ALL, FARTHEST, HARD, SWEEP, all_puzzles, check_stopped, on_3x3

ONE_OF_EACH_LOOP = [
    ("bfs", None), ("astar", "manhattan"), ("iddfs", None), ("idastar", "manhattan"),
    ("rbfs", "manhattan"), ("bidirectional", None),
]  # fmt: skip


@pytest.fixture(scope="module")
def at_distance(to_standard):
    """Return a function that draws boards `distance` moves from the goal."""
    by_distance = {}
    for cells, distance in to_standard.items():
        by_distance.setdefault(distance, []).append(cells)
    return lambda distance, count: random.Random(distance).sample(by_distance[distance], count)


def events_until(algorithm, heuristic, reports):
    """Return the events of the search of `HARD` up to its report number `reports`."""
    events, seen = search(HARD, algorithm, heuristic), []
    for event in events:
        seen.append(event)
        if sum(isinstance(one, Progress) for one in seen) == reports:
            break
    events.close()
    return seen


# Expansions


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
def test_expansion_limit_is_met_exactly(algorithm, heuristic, at_distance):
    for expansions in (1, 57, 300):
        for cells in at_distance(27, 3 if SWEEP else 1):
            result = solve(on_3x3(cells), algorithm, heuristic, Limits(expansions=expansions))
            if result.status is Status.SOLVED:
                assert algorithm in ("greedy", "wastar")
                continue
            assert result.expanded == expansions
            plural = "s" * (expansions != 1)
            check_stopped(result, 27, f"stopped after {expansions} expansion{plural}")


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
def test_just_enough_expansions_are_enough(algorithm, heuristic):
    puzzle = parse_puzzle(boards.SIX_MOVES)
    expanded = solve(puzzle, algorithm, heuristic).expanded
    enough = solve(puzzle, algorithm, heuristic, Limits(expansions=expanded))
    assert enough.status is Status.SOLVED
    fewer = solve(puzzle, algorithm, heuristic, Limits(expansions=expanded - 1))
    assert fewer.status is Status.CUTOFF


# Bounds proved by a stopped search


def test_bound_of_bfs_is_the_depth_of_the_next_board():
    puzzle = parse_puzzle(boards.FARTHEST[1])
    depths = oracle.distances(puzzle.start.cells, 3, 3).values()
    for depth in (2, 3, 20, 21, 22, 23):
        nearer = sum(found < depth for found in depths)
        bound = solve(puzzle, "bfs", limits=Limits(expansions=nearer)).lower_bound
        odd = depth + 1 - depth % 2  # every solution has an odd number of moves
        assert bound == max(odd, 21)  # the Manhattan distance, which every search knows


def test_bound_from_both_ends_is_one_above_the_depths():
    puzzle = parse_puzzle(boards.FARTHEST[1])
    sides = plain_search(puzzle, "bidirectional", None)
    for done in (2_000, 3_500, 5_000, len(sides.order) - 1):
        result = solve(puzzle, "bidirectional", limits=Limits(expansions=done))
        odd = sides.proved[done] + (sides.proved[done] + 1) % 2
        assert result.lower_bound == max(odd, 21)
    assert result.lower_bound == 31


# Time


@pytest.mark.parametrize(("algorithm", "heuristic"), ONE_OF_EACH_LOOP)
def test_time_limit_stops_a_search(algorithm, heuristic):
    result = solve(HARD, algorithm, heuristic, Limits(seconds=0.05))
    check_stopped(result, FARTHEST, "stopped after 0.05 s")
    assert result.seconds >= 0.05


@pytest.mark.parametrize(("algorithm", "heuristic"), ONE_OF_EACH_LOOP)
def test_reports_agree_and_their_bound_never_falls(algorithm, heuristic):
    events = events_until(algorithm, heuristic, reports=3)
    limit = find_heuristic(heuristic or "zero").value(HARD.start, HARD.goal)
    for event in events:
        if isinstance(event, Iteration):
            assert event.limit >= limit
            limit = event.limit
        elif isinstance(event, Progress):
            assert event.lower_bound >= limit
            assert 0 < event.frontier <= event.stored <= event.generated
    seen = [event for event in events if isinstance(event, Progress)]
    for number, report in enumerate(seen, 1):  # one may be written late, but none early
        assert report.seconds > 0.99 * number * REPORT_SECONDS
    for before, after in pairwise(seen):
        assert before.expanded <= after.expanded  # equal if memory was its limit
        assert before.lower_bound <= after.lower_bound


# Memory


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
def test_stored_nodes_are_never_exceeded(algorithm, heuristic):
    for stored in (1, 4, 5, 20):
        result = solve(HARD, algorithm, heuristic, Limits(stored_nodes=stored))
        assert stored - 4 < result.peak_stored <= stored
        check_stopped(result, FARTHEST, f"stopped at {stored} stored nodes")


@each("size", [(2, 2), (3, 3), (4, 4), (5, 5), (10, 10)])
@pytest.mark.parametrize("algorithm", ["bfs", "bidirectional"])
def test_arrays_stay_within_the_memory_limit(size, algorithm):
    rows, cols = size
    puzzle = Puzzle.standard(Board(rows, cols, (*range(2, rows * cols), 1, 0)))
    puzzle = puzzle if puzzle.solvable else puzzle.solvable_alternatives().swapped
    limits = Limits(stored_nodes=50_000)
    task = Task(puzzle, find_algorithm(algorithm), None, limits)
    nodes = NodeStore(task, 1, 0) if algorithm == "bfs" else CompiledTwoEnds(task)
    while nodes.advance(1_000) is Outcome.RUNNING:
        assert nodes.nbytes <= limits.memory(rows * cols)
    assert nodes.nbytes <= limits.memory(rows * cols)


@each("cells", [4, 9, 16, 17, 25, 100])
def test_memory_arithmetic_is_consistent(cells):
    for nodes in (1, 2, 1_000, 2**20, DEFAULT_STORED_NODES):
        assert 4 * nodes <= 3 * slots(nodes) <= 9 * nodes
        assert slots(nodes).bit_count() == 1
        bits = 4 if cells <= 16 else 8
        assert 64 * words(cells) >= bits * cells > 64 * (words(cells) - 1)
        assert nodes_within(store_bytes(nodes, cells), cells) <= nodes
        assert store_bytes(nodes_within(10**9, cells), cells) <= 10**9


def test_missing_memory_is_reported_before_the_search(monkeypatch):
    def refuse(*args, **kwargs):
        raise MemoryError

    events = search(HARD, "bfs", limits=Limits(stored_nodes=400_000_000))
    monkeypatch.setattr(np, "empty", refuse)
    with pytest.raises(InvalidLimitsError, match=r"400,000,000 stored nodes, which take 12.3 GB; "):
        list(events)


# Depth


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
def test_depth_limit_bounds_the_path(algorithm, heuristic, at_distance):
    """A limit one below the shortest length proves that length as the bound."""
    for distance in (1, 2, 13):
        for cells in at_distance(distance, 2):
            puzzle = on_3x3(cells)
            enough = solve(puzzle, algorithm, heuristic, Limits(depth=distance))
            assert enough.length == distance
            if distance == 1:
                continue
            fewer = solve(puzzle, algorithm, heuristic, Limits(depth=distance - 1))
            plural = "s" * (distance != 2)
            within = f"no path within {distance - 1} move{plural} leads to the goal"
            check_stopped(fewer, distance, within)
            assert fewer.lower_bound == distance


def test_dfs_reopens_boards_within_a_depth_limit(monkeypatch):
    """It reaches most boards by detours first, with the goal out of reach."""
    puzzles = all_puzzles("1.2.3-4.5.0")[1::3]
    for puzzle, distance in puzzles:
        assert solve(puzzle, "dfs", limits=Limits(depth=distance)).length == distance
    for module in (work, best_first):  # the plain and the compiled form
        monkeypatch.setattr(module, "reopens", lambda task: False)
    found = [solve(puzzle, "dfs", limits=Limits(depth=distance)) for puzzle, distance in puzzles]
    assert [result.status for result in found].count(Status.CUTOFF) > 15


@each(
    ("name", "wrong"),
    [
        *[("seconds", value) for value in (0, -1, math.nan, math.inf)],
        *[("expansions", value) for value in (0, 1.5, True)],
        *[("depth", value) for value in (-3, 0)],
        *[("stored_nodes", value) for value in (0, None, 10**9)],
    ],
)
def test_invalid_limits_are_refused(name, wrong):
    with pytest.raises(InvalidLimitsError, match=rf"^{name} must be .*, got .*; leave it out"):
        Limits(**{name: wrong})
    assert issubclass(InvalidLimitsError, PuzzleError)


# Cancelling


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
def test_search_cancelled_before_its_start(algorithm, heuristic):
    result = solve(HARD, algorithm, heuristic, cancelled=lambda: True)
    ends = 2 if algorithm == "bidirectional" else 1
    assert (result.expanded, result.generated, result.peak_stored) == (0, ends, ends)
    check_stopped(result, FARTHEST, "stopped on request", Status.CANCELLED)
    assert result.lower_bound >= find_heuristic(heuristic or "zero").value(HARD.start, HARD.goal)


@pytest.mark.parametrize(("algorithm", "heuristic"), ONE_OF_EACH_LOOP)
def test_search_cancelled_while_it_runs(algorithm, heuristic):
    calls = iter(range(30))
    result = solve(HARD, algorithm, heuristic, cancelled=lambda: next(calls) == 29)
    assert result.expanded > 0
    check_stopped(result, FARTHEST, "stopped on request", Status.CANCELLED)


def test_estimate_above_the_node_field_is_refused(monkeypatch):
    monkeypatch.setattr(store, "HIGHEST_H", 73)
    with pytest.raises(ValueError, match="h can be above 73: 74"):
        list(search(HARD, "astar"))


LARGE = str(scramble(3, 6, "far"))

WITHIN = boards.SIX_MOVES, boards.FOUR_NEAR, "1.2.3.4.5.6-7.8.0.10.11.12-13.14.9.15.16.17"


@each("key", algorithms())
@each("code", WITHIN)
def test_every_algorithm_respects_the_depth_limit(key, code):
    puzzle = parse_puzzle(code)
    limits = Limits(seconds=30, stored_nodes=20_000, expansions=20_000)
    shortest = solve(puzzle, "astar", limits=limits).length
    for depth in (1, shortest - 1, shortest, shortest + 1):
        result = solve(puzzle, key, limits=replace(limits, depth=depth))
        if depth < shortest:
            assert result.length is None
            is_stuck = find_algorithm(key).local and result.status is Status.STUCK
            assert is_stuck or result.status is Status.CUTOFF
            assert result.lower_bound <= shortest
        else:
            assert result.length is None or shortest <= result.length <= depth
        if depth == 1 and key == "best":
            assert result.verdict.reason.startswith("no path within 1 move leads to the goal")
    assert key != "best" or result.verdict.kind is Proof.OPTIMAL


def test_stopped_search_shows_no_path_above_the_depth_limit():
    """The paths found so far by `best` are longer. It ends as it would without a path."""
    for code in boards.FOUR_SIXTY_SIX, LARGE:
        puzzle = parse_puzzle(code)
        known = solve(puzzle, limits=Limits(expansions=5_000))
        assert known.length > known.lower_bound
        result = solve(puzzle, limits=Limits(expansions=5_000, depth=known.length - 2))
        assert (result.status, result.length) == (Status.CUTOFF, None)
        assert result.lower_bound == known.lower_bound
        assert "stopped after 5,000 expansions" in result.verdict.reason


def test_widest_beams_show_no_path_above_the_depth_limit():
    puzzle = parse_puzzle(LARGE)
    depth = solve(puzzle, limits=Limits(stored_nodes=500)).length - 2
    result = solve(puzzle, limits=Limits(stored_nodes=500, depth=depth))
    assert (result.status, result.length) == (Status.CUTOFF, None)
    assert f"found no path within {depth} moves" in result.verdict.reason


def test_proof_respects_the_depth_limit():
    puzzle = parse_puzzle(boards.FOUR_NEAR)
    for depth, length in (8, None), (9, 9):
        *_, last = prove(puzzle, Limits(depth=depth))
        assert (last.result.length, last.result.lower_bound) == (length, 9)
