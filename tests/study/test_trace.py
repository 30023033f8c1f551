"""Traces of small boards, worked out by hand."""

from __future__ import annotations

import pytest

from slidewise import parse_puzzle, search
from slidewise.solver.events import Expanded, Fate


def told(code, algorithm, **options):
    """Return the trace as text: a line for each expansion, and one for each successor."""
    lines = []
    for event in search(parse_puzzle(code), algorithm, "manhattan", trace=100, **options):
        if not isinstance(event, Expanded):
            continue
        parent = "-" if event.parent is None else event.parent
        lines.append(f"{event.node} {parent} {event.board} g{event.g} h{event.h} f{event.f}")
        for one in event.successors:
            node = "-" if one.node is None else one.node
            lines.append(f"  {node} {one.board} g{one.g} h{one.h} f{one.f} {one.fate}")
    return lines


def test_a_star():
    """The blank goes down, left, right; then up, left, right, which is the goal."""
    assert told("1.0.3-4.2.5", "astar") == [
        "0 - 1.0.3-4.2.5 g0 h2 f2",
        "  1 1.2.3-4.0.5 g1 h1 f2 kept",
        "  2 0.1.3-4.2.5 g1 h3 f4 kept",
        "  3 1.3.0-4.2.5 g1 h3 f4 kept",
        "1 0 1.2.3-4.0.5 g1 h1 f2",
        "  - 1.0.3-4.2.5 g2 h2 f4 went back",
        "  4 1.2.3-0.4.5 g2 h2 f4 kept",
        "  5 1.2.3-4.5.0 g2 h0 f2 kept",
    ]


def test_weighted_a_star():
    """The same, with f = 2 * g + 3 * h for w = 1.5."""
    assert told("1.0.3-4.2.5", "wastar", weight=1.5) == [
        "0 - 1.0.3-4.2.5 g0 h2 f6",
        "  1 1.2.3-4.0.5 g1 h1 f5 kept",
        "  2 0.1.3-4.2.5 g1 h3 f11 kept",
        "  3 1.3.0-4.2.5 g1 h3 f11 kept",
        "1 0 1.2.3-4.0.5 g1 h1 f5",
        "  - 1.0.3-4.2.5 g2 h2 f10 went back",
        "  4 1.2.3-0.4.5 g2 h2 f10 kept",
        "  5 1.2.3-4.5.0 g2 h0 f4 kept",
    ]


def test_breadth_first():
    """Up, right; then right from the first, whose way down goes back; the second is the goal."""
    assert told("1.2-0.3", "bfs") == [
        "0 - 1.2-0.3 g0 h0 f0",
        "  1 0.2-1.3 g1 h0 f1 kept",
        "  2 1.2-3.0 g1 h0 f1 kept",
        "1 0 0.2-1.3 g1 h0 f1",
        "  - 1.2-0.3 g2 h0 f2 went back",
        "  3 2.0-1.3 g2 h0 f2 kept",
    ]


def test_depth_first():
    """All around the circle of the twelve boards, as up comes before right.

    The goal waits on the frontier all the time, and is dropped when it is met from behind.
    """
    expanded = [line for line in told("1.2-0.3", "dfs") if line[0] != " "]
    assert expanded == [
        "0 - 1.2-0.3 g0 h0 f0",
        "1 0 0.2-1.3 g1 h0 f-1",
        "3 1 2.0-1.3 g2 h0 f-2",
        "4 3 2.3-1.0 g3 h0 f-3",
        "5 4 2.3-0.1 g4 h0 f-4",
        "6 5 0.3-2.1 g5 h0 f-5",
        "7 6 3.0-2.1 g6 h0 f-6",
        "8 7 3.1-2.0 g7 h0 f-7",
        "9 8 3.1-0.2 g8 h0 f-8",
        "10 9 0.1-3.2 g9 h0 f-9",
        "11 10 1.0-3.2 g10 h0 f-10",
    ]
    assert told("1.2-0.3", "dfs")[-2:] == [
        "  - 1.2-3.0 g11 h0 f-11 reached",
        "  - 0.1-3.2 g11 h0 f-11 went back",
    ]


@pytest.mark.parametrize("fate", Fate)
def test_each_fate_has_a_reason(fate):
    assert fate.reason.startswith("kept" if fate.is_kept else "dropped: ")
