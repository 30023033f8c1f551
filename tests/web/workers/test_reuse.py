"""Workers that run one search after another, and their replacement."""

import os
import signal
from dataclasses import dataclass, replace

import pytest

from slidewise import Limits, SearchSpec, Status, parse_puzzle
from slidewise.solver.events import Finished, Progress
from tests.boards import FOUR, HARDEST
from tests.web.processes import NEEDS_PROC, living, solvers
from tests.web.streams import PATIENCE, events_of, until
from webapp.workers import LocalSolvers
from webapp.workers.helpers import MAX_GROWTH_BYTES, MAX_SEARCHES

pytestmark = NEEDS_PROC

QUICK = SearchSpec(parse_puzzle("1.2.3-4.5.6-7.0.8"), "bfs", None, Limits(seconds=PATIENCE))
LONG = SearchSpec(parse_puzzle(FOUR), "bfs", "zero", Limits(seconds=PATIENCE))

leaks = []
"""Memory that searches in a worker have not freed."""


@dataclass(frozen=True)
class Leaking:
    """A search that leaves its process larger."""

    size: int
    limits = Limits(seconds=PATIENCE)

    def events(self, cancelled):
        """Allocate memory that stays."""
        leaks.append(b"x" * self.size)
        yield from QUICK.events(cancelled)


@pytest.fixture
def pool():
    before = solvers()
    pool = LocalSolvers(solvers=1, jobs=8, per_visitor=8)
    pool.idle_seconds = 10 * PATIENCE
    yield pool
    pool.close()
    assert until(lambda: not solvers() - before) is True, "a worker outlived its pool"


def searched(pool, spec=QUICK):
    """Run a search; return its last event and the pid of its worker, or None after its end."""
    last = events_of(pool, pool.start(spec, "visitor"))[-1]
    workers = [worker.process.pid for worker, _ in pool._idle] or [None]
    assert len(workers) == 1
    return last, workers[0]


def seen(pool, job, kind):
    return next(event for _, event in pool.events(job) if isinstance(event, kind))


def test_next_search_has_the_same_worker_and_its_own_result(pool):
    first, worker = searched(pool)
    hardest = replace(QUICK, puzzle=parse_puzzle(HARDEST))
    second, other = searched(pool, hardest)
    assert worker is not None
    assert worker == other
    assert (first.result, second.result.length) == (
        replace(QUICK.result(), seconds=first.result.seconds),
        31,
    )


def test_stop_is_for_one_search_alone(pool):
    _, worker = searched(pool)
    job = pool.start(LONG, "a")
    assert seen(pool, job, Progress)
    pool.cancel(job)
    assert seen(pool, job, Finished).result.status is Status.CANCELLED
    last, other = searched(pool)
    assert (last.result.status, last.result.length) == (Status.SOLVED, 1)
    if other != worker:  # the worker had grown
        assert worker not in living()


def test_killed_worker_costs_no_search_between_two(pool):
    _, worker = searched(pool)
    os.kill(worker, signal.SIGKILL)
    assert until(lambda: worker not in living()) is True
    last, other = searched(pool)
    assert isinstance(last, Finished)
    assert other != worker


def test_search_of_a_dying_worker_begins_again_in_another(pool):
    _, worker = searched(pool)
    os.kill(worker, signal.SIGSTOP)
    job = pool.start(QUICK, "a")
    assert until(lambda: not pool._idle) is True
    os.kill(worker, signal.SIGKILL)
    assert isinstance(events_of(pool, job)[-1], Finished)


def test_worker_that_has_grown_is_replaced(pool):
    _, worker = searched(pool)
    assert searched(pool, Leaking(MAX_GROWTH_BYTES // 2))[1] == worker
    last, after = searched(pool, Leaking(MAX_GROWTH_BYTES))
    assert isinstance(last, Finished)
    assert after != worker
    assert searched(pool)[1] != worker


def test_worker_is_replaced_after_many_searches(pool):
    workers = [searched(pool)[1] for _ in range(MAX_SEARCHES + 1)]
    assert len(set(workers[: MAX_SEARCHES - 1])) == 1
    assert workers[-1] not in {workers[0], None}
