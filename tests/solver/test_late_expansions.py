"""The last expansions of a search, reported after a gap, against plain programs."""

import pytest

from slidewise import Limits, conventions, parse_puzzle, search
from slidewise.solver import run
from slidewise.solver.convention import ALGORITHMS
from slidewise.solver.events import Expanded, Iteration, TailExpanded
from slidewise.solver.run import InvalidTraceError
from tests.boards import FARTHEST, SOLVED
from tests.each import each
from tests.solver.programs import plain_search
from tests.solver.runs import ALL

FIRST, LAST = 10, 60
BOARD = FARTHEST[0]


def first_and_last(algorithm, heuristic="manhattan", code=BOARD, **options):
    """Return the expansions of a search: the first, the last, and the result."""
    puzzle = parse_puzzle(code)
    events = list(search(puzzle, algorithm, heuristic, trace=FIRST, trace_last=LAST, **options))
    expanded = [one for one in events if isinstance(one, Expanded)]
    late = [one for one in expanded if isinstance(one, TailExpanded)]
    return expanded[: len(expanded) - len(late)], late, events


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
def test_last_expansions_are_those_of_a_plain_program(algorithm, heuristic, monkeypatch):
    monkeypatch.setattr(run, "MAX_TRACED_DEPTH", 10_000)  # for depth-first search
    most = 3_000
    first, late, events = first_and_last(algorithm, heuristic, limits=Limits(expansions=most))
    plain = plain_search(parse_puzzle(BOARD), algorithm, heuristic, most)
    assert plain.trace[-LAST:] == [
        (one.node, one.parent, one.board.cells, one.g, one.h, one.f) for one in late
    ]
    assert plain.trace[:FIRST] == [
        (one.node, one.parent, one.board.cells, one.g, one.h, one.f) for one in first
    ]
    orders = range(len(plain.trace) - LAST + 1, len(plain.trace) + 1)
    assert [one.order for one in late] == list(orders)
    assert events[-1].result.length == plain.length


@pytest.mark.parametrize("algorithm", ["astar", "bidirectional"])
def test_last_expansions_after_tens_of_thousands(algorithm):
    puzzle = parse_puzzle(FARTHEST[0])
    _, late, _ = first_and_last(algorithm, code=FARTHEST[0])
    plain = plain_search(puzzle, algorithm, "manhattan")
    assert [one[2] for one in plain.trace[-LAST:]] == [one.board.cells for one in late]


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
def test_each_path_starts_at_a_reported_node(algorithm, heuristic):
    limits = Limits(expansions=3_000, depth=20 if algorithm == "dfs" else None)
    _, late, _ = first_and_last(algorithm, heuristic, limits=limits)
    assert len(late) == LAST
    known = {}
    for event in late:
        last = event.path[-1]
        assert (last.node, last.board, last.g, last.h, last.f) == (
            event.node,
            event.board,
            event.g,
            event.h,
            event.f,
        )
        assert event.path[0].g == 0 or event.path[0].node in known
        assert known.keys().isdisjoint(one.node for one in event.path[1:]), "told once"
        for above, below in zip(event.path, event.path[1:], strict=False):
            assert below.g == above.g + 1
            assert below.board in [above.board.slide(tile) for tile in above.board.movable]
        for one in (*event.path, *event.successors):
            assert known.setdefault(one.node, one.board) == one.board or one.node is None


@each("algorithm", ALGORITHMS)
@each("convention", conventions())
def test_conventions_report_the_tail_of_a_whole_trace(algorithm, convention):
    limits = Limits(expansions=400, depth=20 if algorithm == "dfs" else None)
    _, late, events = first_and_last(algorithm, limits=limits, convention=convention)
    puzzle, most = parse_puzzle(BOARD), events[-1].result.expanded
    whole = search(puzzle, algorithm, limits=limits, trace=most, convention=convention)
    in_order = {one.order: one for one in whole if isinstance(one, Expanded)}
    assert late
    for event in late:
        other = in_order[event.order]
        assert (event.node, event.parent, event.board) == (other.node, other.parent, other.board)
        assert event.successors == other.successors


@pytest.mark.parametrize("algorithm", ["iddfs", "idastar", "rbfs"])
def test_each_iteration_is_reported_once(algorithm):
    _, _, events = first_and_last(algorithm, limits=Limits(expansions=3_000))
    once = search(parse_puzzle(BOARD), algorithm, limits=Limits(expansions=3_000))
    iterations = [one for one in events if isinstance(one, Iteration)]
    assert iterations == [one for one in once if isinstance(one, Iteration)]


def test_search_with_a_whole_trace_runs_once(monkeypatch):
    monkeypatch.setattr(run, "_trace_tail", None)
    puzzle = parse_puzzle("2.3.0-1.4.6-7.5.8")
    events = list(search(puzzle, "astar", trace=4, trace_last=2))
    assert [one.order for one in events if isinstance(one, Expanded)] == [1, 2, 3, 4, 5, 6]
    assert not [one for one in events if isinstance(one, TailExpanded)]
    assert events[-1].result.length == 6
    assert len(list(search(parse_puzzle(SOLVED), "astar", trace_last=2))) == 2


def test_too_deep_search_reports_only_its_start(monkeypatch):
    monkeypatch.setattr(run, "MAX_TRACED_DEPTH", 5)
    first, late, events = first_and_last("astar")
    assert (len(first), late) == (FIRST, [])
    assert events[-1].result.length == 31


def test_search_stopped_in_its_second_run_has_no_tail():
    calls = []
    most = 2_000
    whole = search(
        parse_puzzle(BOARD),
        "bfs",
        limits=Limits(expansions=most),
        cancelled=lambda: calls.append(1),
    )
    list(whole)
    once = len(calls)
    calls.clear()

    def cancelled():
        calls.append(1)
        return len(calls) > once

    _, late, events = first_and_last("bfs", limits=Limits(expansions=most), cancelled=cancelled)
    assert late == []
    assert events[-1].result.expanded == most


def test_negative_trace_is_refused():
    with pytest.raises(InvalidTraceError, match="trace_last must be 0"):
        search(parse_puzzle(BOARD), "astar", trace_last=-1)
