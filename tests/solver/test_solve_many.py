"""Many puzzles at a time: results in order, and no process that remains."""

import multiprocessing
import os
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor
from itertools import count, islice
from time import monotonic, sleep

import pytest

from slidewise import (
    InvalidLimitsError,
    Limits,
    SearchSpec,
    Status,
    UnknownNameError,
    parse_puzzle,
    scramble,
    solve_many,
)
from slidewise.solver.solve_many import AHEAD
from tests.boards import FOUR_FARTHEST, SMALL, UNSOLVABLE
from tests.solver.runs import timeless

FARTHEST = parse_puzzle(FOUR_FARTHEST)


def misplaced(puzzle):
    """A heuristic that another process can import."""
    pairs = zip(puzzle.start.cells, puzzle.goal.cells, strict=True)
    return sum(tile != home for tile, home in pairs if tile)


def until(condition):
    """Wait for a condition."""
    deadline = monotonic() + 60
    while not condition():
        assert monotonic() < deadline
        sleep(0.05)


@pytest.fixture(autouse=True)
def _no_processes_left():
    before = {child.pid for child in multiprocessing.active_children()}
    yield
    assert {child.pid for child in multiprocessing.active_children()} <= before


@pytest.mark.parametrize("cores", [1, 2])
def test_results_are_those_of_single_searches_in_order(cores):
    sizes = (4, 4), (3, 3), (2, 3)
    puzzles = [scramble(*size, f"many-{seed}") for seed in range(6) for size in sizes]
    puzzles.insert(5, parse_puzzle(UNSOLVABLE))
    found = list(solve_many(iter(puzzles), cores=cores))
    single = [SearchSpec(puzzle).result() for puzzle in puzzles]
    assert [*map(timeless, found)] == [*map(timeless, single)]


def test_arguments_reach_the_searches_of_processes():
    limits = Limits(expansions=50)
    puzzles = [scramble(3, 3, "far"), parse_puzzle(SMALL)]
    arguments = {"weight": 2.0, "limits": limits}
    one, several = (
        [*map(timeless, solve_many(puzzles, "wastar", misplaced, **arguments, cores=cores))]
        for cores in (1, 2)
    )
    assert one == several
    assert (one[0].expanded, one[0].weight, one[0].status) == (50, 2.0, Status.CUTOFF)


@pytest.mark.parametrize("cores", [1, 2])
def test_endless_puzzles_are_read_a_little_ahead(cores):
    read = 0

    def puzzles():
        nonlocal read
        for read in count(1):
            yield scramble(3, 3, str(read))

    results = solve_many(puzzles(), cores=cores)
    for number, result in enumerate(islice(results, 100), start=1):
        assert result.puzzle == scramble(3, 3, str(number))
        assert read <= number + AHEAD * cores
    results.close()


@pytest.mark.parametrize("cores", [1, 2])
def test_cancelled_searches_end_and_others_do_not_start(cores):
    done = []
    puzzles = [parse_puzzle(SMALL), *[FARTHEST] * 50]
    results = solve_many(puzzles, "idastar", cores=cores, cancelled=lambda: bool(done))
    for result in results:
        done.append(result.status)
    assert done[0] is Status.SOLVED
    assert set(done[1:]) <= {Status.CANCELLED}
    assert len(done) < 10


@pytest.mark.parametrize("cores", [1, 2])
def test_errors_are_those_of_a_single_search(cores):
    with pytest.raises(UnknownNameError, match="no algorithm 'nonsense'"):
        list(solve_many([FARTHEST], "nonsense", cores=cores))
    with pytest.raises(InvalidLimitsError):
        solve_many([FARTHEST], cores=0)


def test_killed_process_is_an_error():
    results = solve_many([parse_puzzle(SMALL), FARTHEST, FARTHEST], "idastar", cores=2)
    before = {child.pid for child in multiprocessing.active_children()}
    next(results)
    for child in multiprocessing.active_children():
        if child.pid not in before:
            child.kill()
    with pytest.raises(BrokenExecutor):
        list(results)


def test_processes_end_with_a_killed_parent():
    code = (
        "import multiprocessing\n"
        "from slidewise import parse_puzzle, solve_many\n"
        f"puzzles = map(parse_puzzle, ['{SMALL}', *['{FOUR_FARTHEST}'] * 2])\n"
        "results = solve_many(puzzles, 'idastar', cores=2)\n"
        "next(results)\n"
        "print(*[child.pid for child in multiprocessing.active_children()], flush=True)\n"
        "next(results)\n"
    )
    argv = [sys.executable, "-c", code]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as process:
        children = [int(pid) for pid in process.stdout.readline().split()]
        assert len(children) == 2
        process.send_signal(signal.SIGKILL)
    until(lambda: not any(map(is_running, children)))


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
