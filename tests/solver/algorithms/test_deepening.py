"""The limits of the first iterations of searches that store one path."""

import pytest

from slidewise import parse_puzzle, search
from slidewise.solver.events import Iteration
from tests.boards import SIX_MOVES


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


@pytest.mark.parametrize(
    ("algorithm", "kind"), [("iddfs", "depth limit"), ("idastar", "f-limit"), ("rbfs", "lowest f")]
)
def test_iterations_of_a_search_have_their_kind(algorithm, kind):
    events = search(parse_puzzle(SIX_MOVES), algorithm, "manhattan")
    assert {event.kind for event in events if isinstance(event, Iteration)} == {kind}
