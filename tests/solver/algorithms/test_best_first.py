"""Properties of the best-first searches: which boards are opened, and how often."""

from slidewise import parse_puzzle, search, solve
from slidewise.solver.events import Expanded
from tests.boards import TEXTBOOK
from tests.solver.runs import counts, whole


def test_events_on_a_2x3_board_are_exact():
    """The blank goes down, left, right; then up, left, right, which is the goal."""
    expanded, _, result = whole(parse_puzzle("1.0.3-4.2.5"), "astar", "manhattan")
    lines = []
    for event in expanded:
        lines.append(f"{event.node} {event.parent} {event.board} {event.g} {event.h} {event.f}")
        for one in event.successors:
            lines.append(f"  {one.node} {one.board} {one.g} {one.h} {one.f} {one.fate}")
    assert lines == [
        "0 None 1.0.3-4.2.5 0 2 2",
        "  1 1.2.3-4.0.5 1 1 2 kept",
        "  2 0.1.3-4.2.5 1 3 4 kept",
        "  3 1.3.0-4.2.5 1 3 4 kept",
        "1 0 1.2.3-4.0.5 1 1 2",
        "  None 1.0.3-4.2.5 2 2 4 went back",
        "  4 1.2.3-0.4.5 2 2 4 kept",
        "  5 1.2.3-4.5.0 2 0 2 kept",
    ]
    assert counts(result) == {
        "expanded": 2,
        "generated": 7,  # the start, three successors, three of the second, the start again
        "peak_frontier": 4,
        "peak_stored": 6,
        "deepest": 2,
    }
    assert result.moves == "UL"


def test_all_3x3_boards_are_reached_once():
    """Two boards are 31 moves from the start, the maximum. One of them is the goal."""
    result = solve(parse_puzzle("1.2.3-4.5.6-7.8.0_8.6.7-2.5.4-3.0.1"), "bfs")
    assert result.length == 31
    assert result.peak_stored == 181_440
    assert 181_438 <= result.expanded <= 181_439


def test_shorter_path_expands_a_state_again():
    """Greedy search reaches boards by detours first; without them this test would prove nothing."""
    puzzle = parse_puzzle(TEXTBOOK)
    expanded, *_ = whole(puzzle, "greedy", "manhattan")
    times = {}
    for event in expanded:
        times.setdefault(event.board, []).append(event.g)
    again = [gs for gs in times.values() if len(gs) > 1]
    assert again
    assert all(gs == sorted(gs, reverse=True) for gs in again)


def test_trace_holds_only_the_first_expansions():
    puzzle = parse_puzzle("5.1.6-7.4.0-3.8.2")
    events = list(search(puzzle, "astar", "misplaced", trace=10))
    traces = [event for event in events if isinstance(event, Expanded)]
    assert traces == whole(puzzle, "astar", "misplaced")[0][:10]
    assert traces[0].parent is None
    assert traces[0].board == puzzle.start
