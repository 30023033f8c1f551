"""The anytime search for boards above 16 cells: a path at once, then shorter ones."""

from itertools import pairwise

import pytest

from slidewise import (
    Board,
    Limits,
    Proof,
    Puzzle,
    SearchSpec,
    Status,
    find_heuristic,
    parse_puzzle,
    scramble,
    search,
    solve,
    standard_goal,
)
from slidewise.puzzle.moves import play
from slidewise.solver.engines import beam
from slidewise.solver.events import Improved
from tests.boards import korf, near
from tests.solver.plain_searches import plain_search

KORF = korf(24)


def check(result):
    """Assert that the path leads to the goal and that verdict and bound agree."""
    assert result.status is Status.SOLVED
    assert list(result.steps())[-1].board == result.puzzle.goal
    assert result.lower_bound <= result.length == len(result.moves)
    assert (result.length - result.lower_bound) % 2 == 0
    optimal = result.length == result.lower_bound
    assert result.verdict.kind is (Proof.OPTIMAL if optimal else Proof.BOUNDED)
    if not optimal:
        above = result.length - result.lower_bound
        assert f"at most {above:,} move" in result.verdict.reason


@pytest.mark.parametrize(("code", "shortest"), KORF[:3])
def test_24_puzzles_have_short_paths(code, shortest):
    *events, last = search(parse_puzzle(code), limits=Limits(expansions=150_000))
    result = last.result
    check(result)
    improved = [event for event in events if isinstance(event, Improved)]
    assert improved
    for event in improved:
        assert len(event.moves) == event.length
        assert play(result.puzzle.start, event.moves) == result.puzzle.goal
    for before, after in pairwise(improved):
        assert after.length <= before.length
        assert after.lower_bound >= before.lower_bound
    assert result.lower_bound <= shortest <= result.length <= shortest * 1.25


@pytest.mark.parametrize("size", [(3, 6), (2, 9), (5, 4), (6, 6), (10, 2), (10, 10)])
def test_each_size_has_a_path_at_once(size):
    puzzle = scramble(*size, "1")
    events = search(puzzle, limits=Limits(expansions=20_000))
    first = next(event for event in events if isinstance(event, Improved))
    *_, last = events
    check(last.result)
    assert last.result.length <= first.length
    assert last.result.expanded >= 20_000


@pytest.mark.parametrize(
    ("size", "expansions", "most"),
    [((6, 6), 100_000, 1.8), ((4, 9), 200_000, 2.1), ((10, 10), 1_000_000, 1.95)],
)
def test_large_board_has_a_short_path_soon(size, expansions, most):
    """`most` is in Manhattan distances, for three boards together.

    Ranks without squares of the distances need several times as many expansions.
    """
    puzzles = [scramble(*size, seed) for seed in "123"]
    results = [solve(puzzle, limits=Limits(expansions=expansions)) for puzzle in puzzles]
    for result in results:
        check(result)
    manhattan = find_heuristic("manhattan")
    distances = sum(manhattan.value(puzzle.start, puzzle.goal) for puzzle in puzzles)
    assert sum(result.length for result in results) < most * distances


def test_ranks_fit_into_the_counters_of_the_kernel():
    """On the board rotated by 180 degrees, the squares of the distances have the largest sum."""
    board = Board(10, 10, (98, 99, *range(97, 0, -1), 0))
    check(solve(Puzzle(board, standard_goal(10, 10)), limits=Limits(expansions=150_000)))


@pytest.mark.parametrize("moves", range(16, 41, 6))
def test_board_near_the_goal_is_proved_by_default(moves):
    puzzle = near((5, 5), moves, seed=moves)
    result = SearchSpec(puzzle).result()
    check(result)
    if moves < 25:
        oracle = plain_search(puzzle, "bidirectional", None)
    else:
        oracle = solve(puzzle, "astar", "manhattan")
    assert (result.verdict.kind, result.length) == (Proof.OPTIMAL, oracle.length)


@pytest.mark.parametrize(
    ("size", "seed"), [((2, 9), 1), ((4, 5), 4), ((6, 6), 3), ((10, 10), 3)], ids=str
)
def test_last_turn_proves_a_near_board_of_each_size(size, seed, monkeypatch):
    puzzle, limits = near(size, 30, seed), Limits(stored_nodes=200_000)
    monkeypatch.setattr(beam, "LAST_TURN_EXPANSIONS", 0)
    assert solve(puzzle, limits=limits).verdict.kind is Proof.BOUNDED
    monkeypatch.undo()
    result = solve(puzzle, limits=limits)
    check(result)
    assert result.verdict.kind is Proof.OPTIMAL


def test_last_turn_of_the_proof_has_an_end(monkeypatch):
    monkeypatch.setattr(beam, "LAST_TURN_EXPANSIONS", 5_000)
    limits = Limits(stored_nodes=20_000, expansions=1_000_000, stops_early=True)
    result = solve(scramble(5, 5, "far"), limits=limits)
    check(result)
    assert result.verdict.kind is Proof.BOUNDED
    assert result.expanded < limits.expansions, "it has ended by itself"


def test_limit_is_used_up_for_path_and_bound():
    puzzle, room = scramble(6, 6, "2"), 60_000
    early = solve(puzzle, limits=Limits(stored_nodes=room))
    assert "as many as 60,000 stored nodes allow" in early.verdict.reason
    limit = 4 * early.expanded
    later = solve(puzzle, limits=Limits(stored_nodes=room, expansions=limit))
    check(later)
    assert later.expanded == limit
    assert later.length < early.length
    assert later.lower_bound > early.lower_bound
    assert later.peak_stored <= room + 200
    capped = solve(puzzle, limits=Limits(stored_nodes=room, expansions=limit, stops_early=True))
    assert (capped.moves, capped.expanded) == (early.moves, early.expanded)


def test_time_limit_and_cancelling_end_with_a_path():
    puzzle = scramble(6, 6, "2")
    timed = solve(puzzle, limits=Limits(seconds=0.5))
    check(timed)
    assert timed.seconds > 0.4
    assert timed.verdict.reason.startswith("stopped after 0.5 s")
    cancelled = solve(puzzle, cancelled=lambda: True)
    check(cancelled)
    assert cancelled.verdict.reason.startswith("stopped on request")


def test_goal_may_have_the_blank_anywhere():
    for blank in (0, 7, 12):
        goal = Board(5, 5, (*range(1, blank + 1), 0, *range(blank + 1, 25)))
        puzzle = scramble(5, 5, "4", goal)
        check(solve(puzzle, limits=Limits(expansions=5_000)))


def test_larger_tables_and_a_limit_lead_to_a_proof(monkeypatch):
    start = "2.7.3.10.4-1.17.9.0.5-6.18.12.19.14-11.16.8.24.15-22.21.20.13.23"
    puzzle = parse_puzzle(f"{start}_{standard_goal(5, 5)}")
    monkeypatch.setattr(beam, "LAST_TURN_EXPANSIONS", 1_000)  # not enough for this board
    unlimited = Limits(stored_nodes=1_000)
    limited = [
        Limits(stored_nodes=1_000, expansions=limit, stops_early=True)
        for limit in (5_000_000, 6_000_000)
    ]
    assert solve(puzzle, limits=limited[0]).verdict.kind is Proof.BOUNDED
    monkeypatch.setattr(beam, "has_larger_tables", lambda goal, database: True)
    assert solve(puzzle, limits=unlimited).verdict.kind is Proof.BOUNDED
    results = [solve(puzzle, limits=limits) for limits in limited]
    for result in results:
        check(result)
        assert result.verdict.kind is Proof.OPTIMAL
    assert len({result.expanded for result in results}) == 1
