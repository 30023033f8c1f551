"""What is special about the best-first searches: which boards are opened, and how often."""

from __future__ import annotations

import pytest

from slidewise import Limits, Puzzle, parse_puzzle, search, solve
from slidewise.solver.events import Expanded
from tests.boards import TEXTBOOK
from tests.solver.runs import BEST_FIRST, counts, whole


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


@pytest.mark.parametrize(("algorithm", "heuristic"), BEST_FIRST)
def test_a_start_that_is_the_goal(algorithm, heuristic):
    result = solve(parse_puzzle("1.2.3-4.5.0"), algorithm, heuristic)
    assert counts(result) == {
        "expanded": 0,
        "generated": 1,
        "peak_frontier": 1,
        "peak_stored": 1,
        "deepest": 0,
    }


def test_all_3x3_boards_are_reached_once():
    """Two boards are 31 moves from the start, the most there is; one of them is the goal."""
    result = solve(parse_puzzle("1.2.3-4.5.6-7.8.0_8.6.7-2.5.4-3.0.1"), "bfs")
    assert result.length == 31
    assert result.peak_stored == 181_440
    assert 181_438 <= result.expanded <= 181_439


def test_a_state_is_expanded_again_when_a_shorter_path_turns_up():
    """Greedy search comes to boards by detours first: the test would be idle without that."""
    puzzle = parse_puzzle(TEXTBOOK)
    expanded, *_ = whole(puzzle, "greedy", "manhattan")
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


def test_a_trace_holds_the_first_expansions_only():
    puzzle = parse_puzzle("5.1.6-7.4.0-3.8.2")
    events = list(search(puzzle, "astar", "misplaced", trace=10))
    traces = [event for event in events if isinstance(event, Expanded)]
    assert traces == whole(puzzle, "astar", "misplaced")[0][:10]
    assert traces[0].parent is None
    assert traces[0].board == puzzle.start
