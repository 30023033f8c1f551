"""The counts and the order of expansion: by hand, and against a plain best-first search."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from slidewise import Limits, search, solve
from slidewise.puzzle import Board, Puzzle, parse_puzzle
from slidewise.solver import pace
from slidewise.solver.engines import node_store
from slidewise.solver.events import Expanded, Finished
from slidewise.solver.run import DEFAULT_LIMITS
from tests.solver import oracle

ALL = [
    ("bfs", "zero"),
    ("ucs", "zero"),
    ("greedy", "manhattan"),
    ("greedy", "misplaced"),
    ("astar", "manhattan"),
    ("astar", "misplaced"),
    ("astar", "zero"),
    ("astar", "linear-conflict"),
    ("wastar", "manhattan"),
    ("dfs", "zero"),
]


def counts(result):
    return {
        "expanded": result.expanded,
        "generated": result.generated,
        "peak_frontier": result.peak_frontier,
        "peak_stored": result.peak_stored,
        "deepest": result.deepest,
    }


def traced(puzzle, algorithm, heuristic, limits=DEFAULT_LIMITS):
    """Return the expansions and the result of a run."""
    *events, last = search(puzzle, algorithm, heuristic, limits, trace=10**9)
    assert isinstance(last, Finished)
    return [event for event in events if isinstance(event, Expanded)], last.result


def check_against_oracle(puzzle, algorithm, heuristic, most=None, depth=None):
    start, goal = puzzle.start.cells, puzzle.goal.cells
    run = oracle.best_first(
        start, goal, puzzle.rows, puzzle.cols, algorithm, heuristic, most, depth
    )
    expanded, result = traced(puzzle, algorithm, heuristic, Limits(expansions=most, depth=depth))
    assert counts(result) == run.counts
    assert result.length == run.length
    assert [event.order for event in expanded] == list(range(1, len(run.order) + 1))
    for event, node in zip(expanded, run.order, strict=True):
        parent = None if node.parent is None else node.parent.number
        assert (event.node, event.parent) == (node.number, parent)
        assert (event.board.cells, event.g, event.h) == (node.cells, node.g, node.h)
        assert event.f == oracle.RANKS[algorithm](node.g, node.h)
        told = [(one.board.cells, one.node, one.fate.value) for one in event.successors]
        assert told == node.successors
        for one in event.successors:
            h = oracle.ESTIMATES[heuristic](one.board.cells, goal, puzzle.cols)
            assert (one.g, one.h) == (node.g + 1, h)
            assert one.f == oracle.RANKS[algorithm](one.g, one.h)


def test_a_2x2_board_by_hand():
    """Breadth-first from 1.2-0.3: the blank goes up, then right, which is the goal."""
    result = solve(parse_puzzle("1.2-0.3"), "bfs")
    assert counts(result) == {
        "expanded": 2,  # the start, and the board with the blank up; the goal is only taken
        "generated": 5,  # the start and two successors each
        "peak_frontier": 2,
        "peak_stored": 4,  # one of the five is the start again
        "deepest": 1,
    }


def test_a_2x3_board_by_hand():
    """A* from 1.0.3-4.2.5: down (f = 2), left (4), right (4); from down: left (4), right (2)."""
    result = solve(parse_puzzle("1.0.3-4.2.5"), "astar", "manhattan")
    assert counts(result) == {
        "expanded": 2,
        "generated": 7,  # the start, three successors, three of the second, the start again
        "peak_frontier": 4,
        "peak_stored": 6,
        "deepest": 2,
    }
    assert result.moves == "UL"


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
def test_a_start_that_is_the_goal(algorithm, heuristic):
    result = solve(parse_puzzle("1.2.3-4.5.0"), algorithm, heuristic)
    assert counts(result) == {
        "expanded": 0,
        "generated": 1,
        "peak_frontier": 1,
        "peak_stored": 1,
        "deepest": 0,
    }


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
@pytest.mark.parametrize(
    "goal", ["1.2-3.0", "2.0-3.1", "1.2.3-4.5.0", "3.0.2-5.1.4", "1.0-2.3-4.5"]
)
def test_all_boards_of_small_sizes(algorithm, heuristic, goal):
    goal = parse_puzzle(goal).start
    starts = list(oracle.distances(goal.cells, goal.rows, goal.cols))
    for cells in starts[1 :: 1 if len(starts) < 20 else 19]:
        puzzle = Puzzle(Board(goal.rows, goal.cols, cells), goal)
        check_against_oracle(puzzle, algorithm, heuristic)


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
def test_3x3_boards(algorithm, heuristic, to_standard):
    draw = random.Random(2)
    informed = heuristic == "manhattan"
    starts = [cells for cells, d in to_standard.items() if 0 < d <= (31 if informed else 12)]
    most = 1_000 if algorithm == "dfs" else None
    for cells in draw.sample(starts, 8):
        check_against_oracle(Puzzle.standard(Board(3, 3, cells)), algorithm, heuristic, most)


@pytest.mark.parametrize("depth", [1, 4, 9, 14, 21])
def test_depth_first_search_within_a_limit(depth):
    goal = parse_puzzle("1.2.3-4.5.0").start
    for cells in list(oracle.distances(goal.cells, 2, 3))[1::7]:
        check_against_oracle(Puzzle(Board(2, 3, cells), goal), "dfs", "zero", depth=depth)


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
@pytest.mark.parametrize("size", [(4, 4), (3, 6), (5, 5)])
def test_the_beginning_of_a_search_on_larger_boards(algorithm, heuristic, size, monkeypatch):
    monkeypatch.setattr(node_store, "FIRST_SLOTS", 2**9)  # so that the hash grows soon
    rows, cols = size
    cells = random.Random(3).sample(range(rows * cols), rows * cols)
    puzzle = Puzzle.standard(Board(rows, cols, tuple(cells)))
    if not puzzle.solvable:
        puzzle = puzzle.ways_out().swapped
    check_against_oracle(puzzle, algorithm, heuristic, most=1_000)


@pytest.mark.parametrize("text", ["8.6.7-2.5.4-3.0.1", "6.4.7-8.5.0-3.2.1"])
def test_the_hardest_3x3_boards(text):
    """Thousands of nodes, some of them superseded before the hash grows."""
    check_against_oracle(parse_puzzle(text), "astar", "manhattan")


def test_all_3x3_boards_are_reached_once():
    """Two boards are 31 moves from the start, the most there is; one of them is the goal."""
    result = solve(parse_puzzle("1.2.3-4.5.6-7.8.0_8.6.7-2.5.4-3.0.1"), "bfs")
    assert result.length == 31
    assert result.peak_stored == 181_440
    assert 181_438 <= result.expanded <= 181_439


def test_a_state_is_expanded_again_when_a_shorter_path_turns_up():
    """Greedy search comes to boards by detours first: the test would be idle without that."""
    puzzle = parse_puzzle("7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8")
    expanded, _ = traced(puzzle, "greedy", "manhattan")
    times = {}
    for event in expanded:
        times.setdefault(event.board, []).append(event.g)
    again = [gs for gs in times.values() if len(gs) > 1]
    assert again
    assert all(gs == sorted(gs, reverse=True) for gs in again)


def test_the_number_of_4x4_boards_at_each_depth():
    """A million nodes and more, so that the hash grows while the search goes on.

    The numbers are those of the boards at 0, 1, 2 ... moves from one with the blank in a corner
    (OEIS A089473).
    """
    known = [1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821, 60842]
    known += [119000, 231844, 447342, 859744]
    start = parse_puzzle("1.2.3.4-5.6.7.8-9.10.11.12-13.14.15.0").start
    goal = parse_puzzle("0.15.14.13-12.11.10.9-8.7.6.5-4.3.2.1").start
    puzzle = Puzzle(start, goal)
    if not puzzle.solvable:
        puzzle = Puzzle(start, parse_puzzle("0.14.15.13-12.11.10.9-8.7.6.5-4.3.2.1").start)
    result = solve(puzzle, "bfs", limits=Limits(depth=len(known) - 1))
    assert result.expanded == sum(known[:-1])
    assert result.peak_stored == sum(known)
    assert result.deepest == len(known) - 2


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
def test_a_run_repeats_exactly_whatever_its_slices(algorithm, heuristic, monkeypatch):
    puzzle = parse_puzzle("2.5.0-1.3.6-4.8.7")
    limits = Limits(expansions=4_000 if algorithm == "dfs" else None)
    first = traced(puzzle, algorithm, heuristic, limits)
    again = traced(puzzle, algorithm, heuristic, limits)
    for name in ("FIRST_BUDGET", "LOWEST_BUDGET", "HIGHEST_BUDGET"):
        monkeypatch.setattr(pace, name, 7)
    sliced = traced(puzzle, algorithm, heuristic, limits)
    for expanded, result in (again, sliced):
        assert expanded == first[0]
        assert replace(result, seconds=0) == replace(first[1], seconds=0)


def test_a_trace_holds_the_first_expansions_only():
    puzzle = parse_puzzle("5.1.6-7.4.0-3.8.2")
    events = list(search(puzzle, "astar", "misplaced", trace=10))
    traces = [event for event in events if isinstance(event, Expanded)]
    assert traces == traced(puzzle, "astar", "misplaced")[0][:10]
    assert traces[0].parent is None
    assert traces[0].board == puzzle.start
