"""Properties of breadth-first search from both ends."""

from slidewise import parse_puzzle, solve
from slidewise.solver.engines import node_store
from tests.boards import FARTHEST
from tests.solver.runs import check_optimal


def test_hash_can_grow_several_times(monkeypatch):
    monkeypatch.setattr(node_store, "FIRST_SLOTS", 2**9)
    result = solve(parse_puzzle(FARTHEST[1]), "bidirectional")
    check_optimal(result, 31)
    assert result.peak_stored > 2**12


def test_search_needs_far_fewer_nodes_than_bfs():
    puzzle = parse_puzzle(FARTHEST[0])
    assert 10 * solve(puzzle, "bidirectional").expanded < solve(puzzle, "bfs").expanded
