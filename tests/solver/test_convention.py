"""Searches as courses have them, held against the counts that these publish."""

import pytest

from slidewise import (
    InvalidConventionError,
    Proof,
    conventions,
    find_convention,
    parse_puzzle,
    search,
    solve,
)
from slidewise.solver.events import Expanded, Finished

COLUMBIA = {
    ("1.2.5-3.4.0-6.7.8", "bfs"): 10,
    ("1.2.5-3.4.0-6.7.8", "astar"): 3,
    ("6.1.8-4.0.2-7.3.5", "astar"): 696,
    ("8.6.4-2.1.3-5.7.0", "dfs"): 9_869,
    ("8.6.4-2.1.3-5.7.0", "astar"): 1_585,
}
"""Nodes expanded, as ColumbiaX's course and its students' repositories have them."""


@pytest.mark.parametrize(("board", "algorithm"), COLUMBIA)
def test_the_counts_of_a_course_are_published(board, algorithm):
    puzzle = parse_puzzle(board, "0.1.2-3.4.5-6.7.8")
    result = solve(puzzle, algorithm, convention="columbia")
    assert result.expanded == COLUMBIA[board, algorithm]


def test_a_board_that_is_never_made_again_can_cost_the_shortest_path():
    puzzle = parse_puzzle("5.7.6-1.8.2-0.3.4", "0.1.2-3.4.5-6.7.8")
    result = solve(puzzle, "astar", convention="columbia")
    assert (result.length, result.verdict.kind) == (24, Proof.UNPROVED)
    assert solve(puzzle, "astar").length == 22


@pytest.mark.parametrize("algorithm", ["bfs", "dfs", "ucs", "greedy", "astar"])
def test_the_plain_loop_and_the_compiled_one_tell_the_same_events(algorithm):
    """`queue=list` keeps the order of making as the counter does, and runs in the plain loop."""
    puzzle = parse_puzzle("8.1.3-4.0.2-7.6.5")
    *expansions, last = _told(search(puzzle, algorithm, trace=1_000))
    plain = search(puzzle, algorithm, trace=1_000, convention="slidewise,queue=list")
    *others, other_last = _told(plain)
    assert expansions == others
    counts = ("expanded", "generated", "peak_frontier", "peak_stored", "deepest", "moves")
    assert [getattr(last.result, name) for name in counts] == [
        getattr(other_last.result, name) for name in counts
    ]


def _told(events):
    return [event for event in events if isinstance(event, (Expanded, Finished))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mit", "there is no convention 'mit'"),
        ("slidewise,order=uuuu", "each of u, d, l, r once"),
        ("slidewise,sort=yes", "expected a rule such as order=rlud"),
        ("slidewise,queue=heapq,ties=last-in", "ties cannot be last-in"),
    ],
)
def test_what_names_no_convention_is_refused(text, message):
    with pytest.raises(InvalidConventionError, match=message):
        find_convention(text)


def test_only_some_algorithms_have_conventions():
    with pytest.raises(InvalidConventionError, match="rbfs has no other convention"):
        solve(parse_puzzle("1.0.3-4.2.5"), "rbfs", convention="columbia")
    assert all(one.of(key).order for one in conventions().values() for key in ("bfs", "astar"))
