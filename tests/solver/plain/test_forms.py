"""Both forms of each search: equal results, and the hand-over to the compiled one."""

import random
from concurrent.futures import Future
from threading import Event
from weakref import ref

import pytest

from slidewise import Limits, Status, algorithms, parse_puzzle, search, solve
from slidewise.solver import compiling, loop
from slidewise.solver.events import Expanded, Finished, Iteration, Preparing, Progress, Started
from slidewise.solver.plain import work
from slidewise.solver.task import Task
from tests.boards import near
from tests.cli.commands import python
from tests.solver.runs import SWEEP, timeless

SEARCHES = [entry.key for entry in algorithms().values() if entry.kernel]
HEURISTICS = "manhattan", "linear-conflict", "misplaced", "zero"
SIZES = (2, 2), (2, 3), (3, 3), (3, 3), (3, 3), (2, 4), (4, 4), (3, 5), (5, 5), (2, 6)
HARD = parse_puzzle("7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8")


def run(puzzle, key, heuristic, limits, *, plain_first):
    """Return the iterations and the result of a search."""
    events = [*search(puzzle, key, heuristic, limits, weight=1.5, plain_first=plain_first)]
    iterations = [event for event in events if isinstance(event, Iteration)]
    return iterations, timeless(events[-1].result)


def assert_same_in_both_forms(puzzle, key, heuristic, limits, monkeypatch):
    compiled = run(puzzle, key, heuristic, limits, plain_first=False)
    with monkeypatch.context() as patched:
        patched.setattr(compiling, "ready", lambda name: False)
        patched.setattr(compiling, "prepare", refuse)
        plain = run(puzzle, key, heuristic, limits, plain_first=True)
    assert plain == compiled, (str(puzzle), heuristic, limits)


def refuse(name):
    pytest.fail(f"the plain form handed over to {name}")


@pytest.fixture(autouse=True)
def _equal_slices(monkeypatch):
    """Make all slices of one length, as bounds are proved at their ends."""
    monkeypatch.setattr(loop.Pace, "end_slice", lambda self, expanded: None)


@pytest.fixture
def unlimited(monkeypatch):
    """Let plain searches go on to their end."""
    monkeypatch.setattr(work, "REACH", 10**9)
    monkeypatch.setattr(work, "LARGE_REACH", 10**9)


@pytest.mark.parametrize("key", SEARCHES)
def test_both_forms_have_the_same_result(key, unlimited, monkeypatch):
    numbers = random.Random(key)
    for place in range(500 if SWEEP else 100):
        rows, cols = size = SIZES[place % len(SIZES)]
        puzzle = near(size, numbers.randrange(60 if rows * cols <= 9 else 35), numbers.random())
        depth = numbers.choice([None, 14]) if place % 3 == 0 else None
        limits = Limits(expansions=3_000, depth=depth)
        heuristic = HEURISTICS[place % len(HEURISTICS)]
        assert_same_in_both_forms(puzzle, key, heuristic, limits, monkeypatch)


@pytest.mark.parametrize("key", SEARCHES)
def test_long_search_hands_over_to_its_kernel(key, monkeypatch):
    expected = run(HARD, key, "manhattan", Limits(expansions=30_000), plain_first=False)
    monkeypatch.setattr(work, "REACH", 300)
    monkeypatch.setattr(compiling, "ready", lambda name: False)
    monkeypatch.setattr(loop, "REPORT_SECONDS", 0)
    events = [*search(HARD, key, limits=Limits(expansions=30_000))]
    assert isinstance(events[0], Started)
    iterations = [event for event in events if isinstance(event, Iteration)]
    assert (iterations, timeless(events[-1].result)) == expected
    reports = [event.expanded for event in events if isinstance(event, Progress)]
    assert 300 in reports
    assert reports == sorted(reports)
    assert events[-1].result.expanded > 300


def test_compiled_search_frees_the_plain_nodes(monkeypatch):
    searches, make = [], work.plain_search

    def plain_search(*args, **options):
        search = make(*args, **options)
        searches.append(ref(search))
        return search

    monkeypatch.setattr(work, "plain_search", plain_search)
    monkeypatch.setattr(work, "REACH", 300)
    monkeypatch.setattr(compiling, "ready", lambda name: False)
    monkeypatch.setattr(loop, "REPORT_SECONDS", 0)
    events = search(HARD, "astar", "misplaced")
    alive = {
        event.expanded > 300: searches[0]() is not None
        for event in events
        if isinstance(event, Progress)
    }
    assert alive == {False: True, True: False}


def test_waiting_for_the_compiler_is_reported_after_the_start(monkeypatch):
    monkeypatch.setattr(work, "REACH", 1)
    monkeypatch.setattr(compiling, "ready", lambda name: False)
    kinds = [type(event) for event in search(HARD, "astar") if not isinstance(event, Progress)]
    assert kinds[:3] == [Started, Preparing, Preparing]
    assert kinds[-1] is Finished


@pytest.fixture
def endless_compiler(monkeypatch):
    """A compiler that never finishes, needed after ten expansions."""
    monkeypatch.setattr(work, "REACH", 10)
    monkeypatch.setattr(compiling, "start_loading", lambda name: Future())
    monkeypatch.setattr(compiling, "ready", lambda name: False)


def test_search_can_be_stopped_while_it_compiles(endless_compiler):
    stopping = Event()
    for event in search(HARD, "bfs", cancelled=stopping.is_set):
        if isinstance(event, Preparing):
            stopping.set()
    assert event.result.status is Status.CANCELLED
    assert event.result.expanded == 10


def test_wait_for_the_compiler_is_bounded(endless_compiler, monkeypatch):
    monkeypatch.setattr(compiling, "MAX_SECONDS", 0)
    result = solve(HARD, "bfs")
    assert result.status is Status.CUTOFF
    assert "run `slidewise warm` once" in result.verdict.reason


def test_traced_expansions_come_from_the_plain_form(monkeypatch):
    monkeypatch.setattr(work, "REACH", 10)
    events = [*search(HARD, "astar", trace=20)]
    assert [event.order for event in events if isinstance(event, Expanded)] == [*range(1, 21)]
    assert events[-1].result.length == 26


COMMAND = """
import sys
from slidewise.cli import main
assert main(sys.argv[1:]) == 0
print(*sorted({"numba", "numpy", "flask"} & sys.modules.keys()))
"""


@pytest.mark.parametrize("key", ["astar", "idastar", "rbfs", "bidirectional", "bfs"])
def test_short_search_of_the_command_loads_no_compiler(key):
    done = python("-c", COMMAND, "solve", "--algorithm", key, str(HARD))
    assert "proved shortest" in done.stdout
    assert done.stdout.splitlines()[-1] == ""


COUNTS = "expanded", "generated", "frontier", "peak_frontier", "stored", "deepest", "next", "proved"


@pytest.mark.parametrize("key", ["bfs", "ucs"])
def test_unwatched_breadth_first_search_has_all_counts(key):
    numbers = random.Random(key)
    for place in range(40):
        puzzle = near(SIZES[place % 4], numbers.randrange(60), numbers.random())
        task = Task(puzzle, algorithms()[key], None, Limits())
        room = numbers.choice([20, 5_000])
        fast, watched = (work.plain_search(task, room=room) for _ in range(2))
        watched.visit = lambda *node: None
        for budget in numbers.choices([1, 2, 7, 400], k=40):
            assert fast.advance(budget) == watched.advance(budget)
            for name in COUNTS:
                assert getattr(fast, name) == getattr(watched, name), name
            assert [*fast.waiting()] == [*watched.waiting()]
            assert fast.path() == watched.path()
