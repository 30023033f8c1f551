"""Properties of iterative deepening, depth-first and IDA*: the limits."""

import pytest

from slidewise import Limits, parse_puzzle, search, solve
from slidewise.solver.events import Iteration
from tests.boards import FARTHEST, SIX_MOVES
from tests.solver.runs import check_optimal


def test_idastar_without_heuristic_expands_one_layer_more():
    """IDA* expands nodes within the limit, depth-first search those above the depth limit."""
    puzzle = parse_puzzle("2.3.0-1.4.6-7.5.8")
    deep = solve(puzzle, "iddfs")
    star = solve(puzzle, "idastar", "zero")
    assert deep.length == star.length == 6
    assert deep.expanded < star.expanded


@pytest.mark.parametrize(
    ("algorithm", "code", "kind", "limits"),
    [
        ("iddfs", SIX_MOVES, "depth limit", range(7)),
        ("idastar", FARTHEST[0], "f-limit", range(21, 32, 2)),
        ("rbfs", FARTHEST[0], "lowest f", range(21, 32, 2)),
    ],
)
def test_iteration_events_have_the_limits(algorithm, code, kind, limits):
    events = search(parse_puzzle(code), algorithm, "manhattan")
    iterations = [event for event in events if isinstance(event, Iteration)]
    assert iterations == [Iteration(kind, limit) for limit in limits]


@pytest.mark.parametrize(
    ("algorithm", "heuristic", "first"),
    [
        ("iddfs", None, Iteration("depth limit", 0)),
        ("idastar", "manhattan", Iteration("f-limit", 0)),
        ("idastar", "=manhattan + 3", Iteration("f-limit", 3)),
        ("idastar", "=0 - 5", Iteration("f-limit", 0)),
        ("rbfs", "manhattan", Iteration("lowest f", 0)),
    ],
)
def test_solved_start_takes_one_iteration(algorithm, heuristic, first):
    kinds = list(search(parse_puzzle("1.2.3-4.5.0"), algorithm, heuristic))
    assert [event for event in kinds if isinstance(event, Iteration)] == [first]
    assert kinds[-1].result.expanded == 0


@pytest.mark.parametrize("algorithm", ["bfs", "astar", "bidirectional", "best"])
def test_other_searches_have_no_iterations(algorithm):
    events = search(parse_puzzle("1.2.3-4.5.0"), algorithm)
    assert not [event for event in events if isinstance(event, Iteration)]


def test_iddfs_stops_at_the_depth_limit():
    puzzle = parse_puzzle("1.2.3-0.4.5-6.7.8_1.2.3-4.5.0-6.7.8")
    limits = [
        event.limit
        for event in search(puzzle, "iddfs", limits=Limits(depth=1))
        if isinstance(event, Iteration)
    ]
    assert limits == [0, 1]
    check_optimal(solve(puzzle, "iddfs", limits=Limits(depth=2)), 2)
