"""What is special about iterative deepening, depth-first and IDA*: its limits."""

import pytest

from slidewise import Limits, parse_puzzle, search, solve
from slidewise.solver.events import Iteration
from tests.boards import FARTHEST, SIX_MOVES
from tests.solver.runs import check_optimal


def test_idastar_without_an_estimate_expands_one_layer_more():
    """IDA* expands what is within the limit, depth-first search what is above the depth limit."""
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
def test_the_limits_told(algorithm, code, kind, limits):
    events = search(parse_puzzle(code), algorithm, "manhattan")
    told = [event for event in events if isinstance(event, Iteration)]
    assert told == [Iteration(kind, limit) for limit in limits]


@pytest.mark.parametrize(
    ("algorithm", "heuristic", "told"),
    [
        ("iddfs", None, Iteration("depth limit", 0)),
        ("idastar", "manhattan", Iteration("f-limit", 0)),
        ("idastar", "=manhattan + 3", Iteration("f-limit", 3)),
        ("idastar", "=0 - 5", Iteration("f-limit", 0)),
        ("rbfs", "manhattan", Iteration("lowest f", 0)),
    ],
)
def test_a_start_that_is_the_goal_takes_one_iteration(algorithm, heuristic, told):
    kinds = list(search(parse_puzzle("1.2.3-4.5.0"), algorithm, heuristic))
    assert [event for event in kinds if isinstance(event, Iteration)] == [told]
    assert kinds[-1].result.expanded == 0


@pytest.mark.parametrize("algorithm", ["bfs", "astar", "bidirectional", "best"])
def test_other_searches_have_no_iterations_there(algorithm):
    events = search(parse_puzzle("1.2.3-4.5.0"), algorithm)
    assert not [event for event in events if isinstance(event, Iteration)]


def test_to_a_given_depth_only():
    puzzle = parse_puzzle("1.2.3-0.4.5-6.7.8_1.2.3-4.5.0-6.7.8")
    told = [
        event.limit
        for event in search(puzzle, "iddfs", limits=Limits(depth=1))
        if isinstance(event, Iteration)
    ]
    assert told == [0, 1]
    check_optimal(solve(puzzle, "iddfs", limits=Limits(depth=2)), 2)
