"""What several tests of searches do with a run: take it apart, and stop it in the midst."""

from __future__ import annotations

from dataclasses import replace

from slidewise import search
from slidewise.solver import pace
from slidewise.solver.events import Expanded, Fate, Finished, Iteration
from slidewise.solver.run import DEFAULT_LIMITS


def counts(result):
    return {
        "expanded": result.expanded,
        "generated": result.generated,
        "peak_frontier": result.peak_frontier,
        "peak_stored": result.peak_stored,
        "deepest": result.deepest,
    }


def whole(puzzle, algorithm, heuristic, limits=DEFAULT_LIMITS, trace=10**9):
    """Return the expansions, the iterations (limit, expanded before) and the result of a run."""
    expanded, iterations = [], []
    for event in search(puzzle, algorithm, heuristic, limits, trace=trace):
        if isinstance(event, Expanded):
            expanded.append(event)
        elif isinstance(event, Iteration):
            iterations.append((event.limit, len(expanded)))
        elif isinstance(event, Finished):
            return expanded, iterations, event.result
    raise AssertionError("every search ends with Finished")


def check_repeats(monkeypatch, puzzle, algorithm, heuristic, limits=DEFAULT_LIMITS):
    """Assert that a run repeats exactly, whatever its slices."""
    first = whole(puzzle, algorithm, heuristic, limits)
    again = whole(puzzle, algorithm, heuristic, limits)
    sliced = []
    for budget in (1, 7):
        for name in ("FIRST_BUDGET", "LOWEST_BUDGET", "HIGHEST_BUDGET"):
            monkeypatch.setattr(pace, name, budget)
        sliced.append(whole(puzzle, algorithm, heuristic, limits))
        untraced = whole(puzzle, algorithm, heuristic, limits, trace=0)[2]
        assert replace(untraced, seconds=0) == replace(first[2], seconds=0)
    for expanded, iterations, result in (again, *sliced):
        assert (expanded, iterations) == first[:2]
        assert replace(result, seconds=0) == replace(first[2], seconds=0)


def check_successors(event, came_from, limit=None):
    """Assert that what an expansion says of its successors is so; all numbers but f and h."""
    blank, cols = event.board.blank, event.board.cols
    places = [successor.board.blank - blank for successor in event.successors]
    assert places == [step for step in (-cols, cols, -1, 1) if step in places]
    assert len(places) == len(event.board.movable)
    for successor in event.successors:
        assert successor.g == event.g + 1
        assert successor.board == event.board.slide(event.board.cells[successor.board.blank])
        assert (successor.fate is Fate.WENT_BACK) == (successor.board == came_from)
        assert (successor.node is not None) == successor.fate.is_kept
        if successor.board != came_from and limit is not None:
            assert (successor.fate is Fate.OVER_F) == (successor.f > limit)
