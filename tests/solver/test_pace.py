"""The pace of a search: expansions per slice, times of reports, and limits."""

import pytest

from slidewise import Limits, Status, parse_puzzle, solve
from slidewise.solver import loop
from slidewise.solver.loop import FIRST_BUDGET, HIGHEST_BUDGET, LOWEST_BUDGET, SLICE_SECONDS, Pace


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test sets: a list with one element, the seconds."""
    now = [100.0]
    monkeypatch.setattr(loop, "perf_counter", lambda: now[0])
    return now


def run_slice(pace, clock, before, expanded, seconds):
    """Run one slice and return the budget of the next."""
    assert pace.budget(before) > 0
    clock[0] += seconds
    pace.end_slice(before + expanded)
    return pace.budget(before + expanded)


@pytest.mark.parametrize(
    ("seconds", "budget"),
    [
        (SLICE_SECONDS, FIRST_BUDGET),
        (SLICE_SECONDS / 1.5, 1.5 * FIRST_BUDGET),
        (SLICE_SECONDS / 100, 2 * FIRST_BUDGET),
        (0, 2 * FIRST_BUDGET),
        (SLICE_SECONDS * 1.25, 0.8 * FIRST_BUDGET),
        (SLICE_SECONDS * 100, 0.5 * FIRST_BUDGET),
    ],
)
@pytest.mark.parametrize("before", [0, 7_000_000])
def test_next_budget_fits_the_pace_within_half_and_double(clock, before, seconds, budget):
    pace = Pace(Limits(), lambda: False)
    assert abs(run_slice(pace, clock, before, FIRST_BUDGET, seconds) - budget) <= 1


@pytest.mark.parametrize(("seconds", "last"), [(0, HIGHEST_BUDGET), (1_000, LOWEST_BUDGET)])
def test_budgets_have_a_minimum_and_a_maximum(clock, seconds, last):
    pace, budget = Pace(Limits(), lambda: False), FIRST_BUDGET
    for _ in range(12):
        budget = run_slice(pace, clock, 0, budget, seconds)
    assert budget == last
    assert 100 <= LOWEST_BUDGET < HIGHEST_BUDGET <= 1_000_000  # cancelling waits for one slice


def test_slice_without_expansions_changes_no_budget(clock):
    assert run_slice(Pace(Limits(), lambda: False), clock, 5, 0, 60) == FIRST_BUDGET


def test_budget_ends_at_the_limit_of_expansions():
    assert Pace(Limits(expansions=FIRST_BUDGET + 9), lambda: False).budget(FIRST_BUDGET) == 9


def test_report_is_due_once_in_each_interval(clock):
    pace = Pace(Limits(), lambda: False)
    due = []
    for _ in range(10):
        clock[0] += 0.04
        due.append(pace.report_due())
    assert due == [False, False, True] * 3 + [False]


def test_seconds_are_measured_to_the_microsecond(clock):
    pace = Pace(Limits(), lambda: False)
    clock[0] += 1.23456789
    assert pace.seconds == 1.234568


@pytest.mark.parametrize(
    ("limits", "status", "reason"),
    [
        (Limits(expansions=100), Status.CUTOFF, "stopped after 100 expansions"),
        (Limits(expansions=101, seconds=2), Status.CUTOFF, "stopped after 2 s"),
        (Limits(expansions=101, seconds=3), None, None),
        (Limits(), None, None),
    ],
)
def test_search_stops_at_the_first_limit(clock, limits, status, reason):
    pace = Pace(limits, lambda: False)
    clock[0] += 2
    end = pace.stop(100)
    assert (end and end.status, end and end.reason) == (status, reason)
    assert Pace(limits, lambda: True).stop(100).status is Status.CANCELLED


def test_each_slice_sets_the_budget_of_the_next(monkeypatch):
    ends = []
    monkeypatch.setattr(Pace, "end_slice", lambda self, expanded: ends.append(expanded))
    result = solve(parse_puzzle("8.6.7-2.5.4-3.0.1"), "bfs")
    assert len(ends) > result.expanded // (2 * FIRST_BUDGET)
    assert ends == sorted(ends)
    assert ends[-1] == result.expanded


def test_unneeded_search_costs_nothing():
    cost = solve(parse_puzzle("1.2.3-4.5.6-8.7.0"), "astar")
    assert (cost.expanded, cost.deepest, cost.seconds) == (0, 0, 0)
    assert (cost.generated, cost.peak_frontier, cost.peak_stored) == (1, 1, 1)
