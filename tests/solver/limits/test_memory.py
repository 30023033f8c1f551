"""A search that runs out of memory ends with its bounds."""

from dataclasses import replace

import numpy as np
import pytest

from slidewise import Limits, Proof, Status, find_algorithm, parse_puzzle, search, solve
from slidewise.solver import registry
from slidewise.solver.engines import node_store
from slidewise.solver.engines.node_store import POOL, NodeStore
from slidewise.solver.events import Expanded, Finished, Progress, Started

PUZZLE = parse_puzzle("8.6.7-2.5.4-3.0.1")


@pytest.fixture
def algorithm(monkeypatch):
    """Return a function that registers an algorithm with events and a final MemoryError."""

    def register(*events: Progress) -> str:
        def run(task):
            yield from events
            raise MemoryError

        entry = replace(find_algorithm("bfs"), key="hungry", run=run)
        monkeypatch.setitem(registry._algorithms, "hungry", entry)
        return "hungry"

    return register


def test_search_without_memory_is_cut_off(algorithm):
    started, finished = search(PUZZLE, algorithm())
    assert isinstance(started, Started)
    assert isinstance(finished, Finished)
    result = finished.result
    assert (result.status, result.length, result.moves) == (Status.CUTOFF, None, "")
    assert result.verdict.kind is Proof.UNPROVED
    assert result.verdict.reason == (
        f"not enough memory to continue; the shortest has at least {result.lower_bound} moves"
    )


def test_last_report_is_in_the_result_without_memory(algorithm):
    first = Progress(10, 30, 12, 20, 4, 21, 0.1)
    last = Progress(100, 300, 120, 200, 14, 23, 0.2)
    *_, finished = search(PUZZLE, algorithm(first, last))
    result = finished.result
    assert result.lower_bound == 23
    assert (result.expanded, result.generated, result.deepest) == (100, 300, 14)
    assert (result.peak_frontier, result.peak_stored, result.seconds) == (120, 200, 0.2)


def test_real_search_without_memory_is_cut_off(monkeypatch):
    advance = NodeStore.advance

    def refuse(*args, **kwargs):
        raise MemoryError

    def advance_then_refuse(store, budget):
        monkeypatch.setattr(np, "full", refuse)
        return advance(store, budget)

    monkeypatch.setattr(node_store, "FIRST_BUCKETS", 8)  # so that it allocates more while it runs
    monkeypatch.setattr(NodeStore, "advance", advance_then_refuse)
    result = solve(PUZZLE, "bfs")
    assert result.status is Status.CUTOFF
    assert "not enough memory" in result.verdict.reason


def test_arrays_are_reused_by_the_next_search():
    solve(PUZZLE, "astar")
    room = POOL.room
    assert room
    solve(PUZZLE, "bfs")
    assert POOL.room is room
    solve(PUZZLE, "bfs", limits=Limits(stored_nodes=200_000))
    assert POOL.room is not room


def test_large_arrays_are_freed(monkeypatch):
    monkeypatch.setattr(node_store, "KEPT_BYTES", 100_000)
    solve(PUZZLE, "astar")
    assert not POOL.room


def test_concurrent_searches_do_not_share_arrays():
    def expansions():
        events = search(PUZZLE, "astar", trace=50)
        return (event.as_json() for event in events if isinstance(event, Expanded))

    alone = list(expansions())
    assert len(alone) == 50
    for one, other, expected in zip(expansions(), expansions(), alone, strict=True):
        assert one == other == expected
