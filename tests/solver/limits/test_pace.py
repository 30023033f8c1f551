"""The pace of a search: expansions per slice, times of reports, and limits."""

from concurrent.futures import Future
from importlib import import_module
from types import SimpleNamespace

import pytest

from slidewise import Limits, Status, parse_puzzle, solve
from slidewise.solver import compiling, functions, loop
from slidewise.solver.engines import bracket
from slidewise.solver.loop import FIRST_BUDGET, HIGHEST_BUDGET, LOWEST_BUDGET, SLICE_SECONDS, Pace
from slidewise.solver.plain import work
from tests.boards import FOUR, FOUR_ONE_MOVE, LINE_OF_TWO
from tests.cli.commands import python

FIVE_ONE_MOVE = "1.2.3.4-5.6.7.8-9.10.11.12-13.14.15.16-17.18.0.19"


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


LOADING_SECONDS = 1_000

NEAR = "4.1.3-0.2.6-7.5.8"
LOADED = [
    (NEAR, "bfs", "manhattan", "engines.node_store.NodeStore"),
    (NEAR, "astar", "manhattan", "engines.node_store.NodeStore"),
    (NEAR, "bidirectional", "manhattan", "engines.two_ends.CompiledTwoEnds"),
    (NEAR, "iddfs", "manhattan", "engines.one_path.CompiledDeepening"),
    (NEAR, "idastar", "manhattan", "engines.one_path.CompiledDeepening"),
    (NEAR, "rbfs", "manhattan", "engines.one_path.BestFirstRecursion"),
    *((NEAR, key, lambda puzzle: 0, "plain.work.plain_search") for key in ("astar", "rbfs")),
    (LINE_OF_TWO, "best", "manhattan", "algorithms.best.exact_table"),
    (FOUR_ONE_MOVE, "best", "manhattan", "engines.bracket.PatternDeepening"),
    (FIVE_ONE_MOVE, "best", "manhattan", "engines.beam.AnytimeSearch"),
]
"""Searches, each with the class or function that loads its kernel, its tables or its arrays."""


@pytest.fixture
def make_slow(clock, monkeypatch):
    """Return a function that makes a class or function of the engines take LOADING_SECONDS."""

    def make_slow(name):
        module, part = f"slidewise.solver.{name}".rsplit(".", 1)
        fast = getattr(import_module(module), part)

        def slow(*args, **options):
            clock[0] += LOADING_SECONDS
            return fast(*args, **options)

        monkeypatch.setattr(f"{module}.{part}", slow)

    return make_slow


@pytest.mark.parametrize(("code", "algorithm", "heuristic", "slow"), LOADED)
def test_loading_is_no_search_time(code, algorithm, heuristic, slow, clock, make_slow, monkeypatch):
    make_slow(slow)
    if slow.startswith("engines.") and algorithm != "best":  # compiled after one expansion
        monkeypatch.setattr(work, "REACH", 1)
        monkeypatch.setattr(compiling, "ready", lambda name: False)
    result = solve(parse_puzzle(code), algorithm, heuristic, Limits(seconds=1))
    assert clock[0] > LOADING_SECONDS
    assert (result.status, result.seconds) == (Status.SOLVED, 0)


def test_waiting_for_the_kernel_of_the_beams_is_no_search_time(clock, monkeypatch):
    loading = Future()
    waits = []

    def wait(_, __):
        if not loading.done():
            clock[0] += LOADING_SECONDS
            waits.append(clock[0])
            if len(waits) == 3:
                loading.set_result(None)

    monkeypatch.setattr(bracket, "BEAMS_FROM_EXPANSIONS", 1)
    monkeypatch.setattr(bracket.compiling, "start_loading", lambda name: loading)
    monkeypatch.setattr(bracket, "wait", wait)
    result = solve(parse_puzzle(FOUR), limits=Limits(seconds=1))
    assert len(waits) == 3
    assert (result.status, result.seconds) == (Status.SOLVED, 0)


def test_import_of_a_plugin_is_no_search_time(clock, monkeypatch):
    def load():
        clock[0] += LOADING_SECONDS
        return lambda puzzle: "UL"

    point = SimpleNamespace(name="slow", value="slow", dist=None, load=load)
    monkeypatch.setattr(functions, "_entry_points", lambda group, known: iter([point]))
    (plugin,) = functions.installed_algorithms(())
    monkeypatch.setattr("slidewise.solver.run.find_algorithm", lambda key: plugin)
    result = solve(parse_puzzle("1.0.3-4.2.5"), "slow", limits=Limits(seconds=1))
    assert clock[0] > LOADING_SECONDS
    assert (result.status, result.seconds) == (Status.SOLVED, 0)


FIRST_SEARCHES = """
import functools
from slidewise import parse_puzzle, search
from slidewise.solver.events import Started

def refuse(*_):
    raise AssertionError("a type is resolved during the search")

usual = functools._find_impl
for algorithm in "astar", "bidirectional", "idastar", "rbfs", "best":
    for event in search(parse_puzzle("1.2.3.4-5.6.7.8-0.10.11.12-9.13.14.15"), algorithm):
        functools._find_impl = refuse if isinstance(event, Started) else usual
    print(algorithm, event.result.length)
"""


def test_compiler_resolves_types_before_the_first_search():
    """A kernel's first call in a process resolved its named tuples for up to 0.1 s."""
    done = python("-c", FIRST_SEARCHES)
    assert done.stderr == ""
    assert done.stdout.split()[1::2] == ["4"] * 5
