"""Searches of many visitors at once: the same in processes of this machine as over Redis."""

import contextlib
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from slidewise import Limits, Proof, SearchSpec, Status, parse_puzzle
from slidewise.solver.events import Finished, Preparing, Progress, Started
from tests.boards import FOUR, HARDEST
from tests.web.processes import NEEDS_PROC, living, solvers
from tests.web.streams import PATIENCE, until
from webapp.workers import Busy, Failed, LocalSolvers, Waiting
from webapp.workers import local as local_module
from webapp.workers.redis import jobs as jobs_of_redis
from webapp.workers.solvers import LOST

QUICK = SearchSpec(parse_puzzle(HARDEST), "astar", "manhattan", Limits(seconds=30))
LIMITS = Limits(seconds=60, stored_nodes=16_000_000)
LONG = SearchSpec(parse_puzzle(FOUR), "bfs", "zero", LIMITS)
"""Breadth-first search on 4x4: seconds, and then it runs into its limit."""

pytestmark = NEEDS_PROC


@pytest.fixture(autouse=True)
def _no_worker_is_left():
    yield
    assert until(lambda: not solvers()) is True, "a worker outlived its job"


@pytest.fixture
def new_local():
    pools = []

    def make(solvers=2, jobs=8, per_visitor=8, per_address=None):
        pools.append(LocalSolvers(solvers, jobs, per_visitor, per_address))
        return pools[-1]

    yield make
    for pool in pools:
        pool.close()


@pytest.fixture(params=["local", "redis"])
def new_pool(request):
    return request.getfixturevalue(f"new_{request.param}")


@pytest.fixture
def local(new_local):
    return new_local()


@pytest.fixture
def pool(new_pool):
    return new_pool()


@pytest.fixture
def hold():
    """Keep a solver of a pool busy, without any load: its worker is halted in mid-search."""
    halted = []

    def start(pool, visitor="holder"):
        before = solvers()
        job = pool.start(LONG, visitor)
        assert seen(pool, job, Progress)
        worker = only(solvers() - before)
        os.kill(worker, signal.SIGSTOP)
        halted.append(worker)
        return job, worker

    yield start
    for worker in halted:
        end(worker)


def end(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def only(found):
    assert len(found) == 1, found
    return next(iter(found))


def told(pool, job):
    """Return what a job tells until it ends, heartbeats left out."""
    return [event for _, event in pool.events(job) if event is not None]


def result(pool, job):
    last = told(pool, job)[-1]
    assert isinstance(last, Finished), last
    return last.result


def seen(pool, job, kind):
    """Return the first event of a kind, when it comes."""
    return next(event for _, event in pool.events(job) if isinstance(event, kind))


# One job


def test_a_job_tells_the_events_of_its_search(pool):
    events = told(pool, pool.start(QUICK, "a"))
    kinds = [type(event) for event in events if not isinstance(event, Preparing)]
    assert kinds[0] is Started
    assert kinds[-1] is Finished
    found = events[-1].result
    assert (found.status, found.length, found.verdict.kind) == (Status.SOLVED, 31, Proof.OPTIMAL)
    assert found.puzzle == QUICK.puzzle


def test_ids_count_from_1_and_reading_can_begin_after_any(pool):
    job = pool.start(QUICK, "a")
    events = [pair for pair in pool.events(job) if pair[1] is not None]
    assert [number for number, _ in events] == list(range(1, len(events) + 1))
    pool.cancel(job)  # which has ended, and changes no more
    for after in range(len(events) + 1):
        assert list(pool.events(job, after)) == events[after:]
    assert list(pool.events(job, after=999)) == []


def test_many_can_read_the_same_job(pool):
    job = pool.start(QUICK, "a")
    with ThreadPoolExecutor(4) as threads:
        first, *others = threads.map(told, [pool] * 4, [job] * 4)
    assert others == [first] * 3


def test_ids_of_jobs_cannot_be_guessed(pool):
    jobs = {pool.start(QUICK, "a") for _ in range(4)}
    assert len(jobs) == 4
    assert min(map(len, jobs)) >= 20


def test_a_limit_gives_an_honest_cutoff(pool):
    found = result(pool, pool.start(replace(LONG, limits=Limits(stored_nodes=20_000)), "a"))
    assert found.status is Status.CUTOFF
    assert (found.length, found.moves) == (None, "")
    assert found.verdict.kind is Proof.UNPROVED
    assert 2 <= found.lower_bound <= 52, "this board takes 52 moves"
    bound = f"the shortest has at least {found.lower_bound} moves"
    assert found.verdict.reason == f"stopped at 20,000 stored nodes: {bound}"


# Stopping


def test_a_search_that_is_stopped_says_what_it_knows(pool):
    job = pool.start(LONG, "a")
    assert seen(pool, job, Progress)
    pool.cancel(job)
    found = result(pool, job)
    assert found.status is Status.CANCELLED
    assert 2 <= found.lower_bound <= 52
    assert "stopped on request" in found.verdict.reason


@pytest.mark.parametrize(("order", "patience"), [("cancel", 0.2), ("abandon", 3600.0)])
def test_a_worker_that_does_not_stop_when_told_to_is_killed(
    pool, hold, order, patience, monkeypatch
):
    """At once where nobody listens to it any more."""
    job, worker = hold(pool)
    pool.stop_seconds = patience  # of the pool of this machine; over Redis it was told long ago
    told_at = time.time() - jobs_of_redis.STOP_SECONDS + patience
    monkeypatch.setattr(jobs_of_redis, "now", lambda redis: told_at)
    getattr(pool, order)(job)
    monkeypatch.undo()
    assert until(lambda: worker not in living()) is True
    assert not any(isinstance(event, Finished | Failed) for event in told(pool, job))


def test_a_worker_that_never_ends_is_killed_and_that_is_told(local, monkeypatch):
    connection, theirs = local._context.Pipe()
    worker = local._context.Process(target=time.sleep, args=(PATIENCE,), daemon=True)
    worker.start()
    monkeypatch.setattr(local, "_start_worker", lambda task: (worker, connection))
    monkeypatch.setattr(local_module.compiling, "MAX_SECONDS", 0.0)
    local.overtime = 0.2
    job = local.start(replace(QUICK, limits=Limits(seconds=0.1)), "a")
    assert isinstance(told(local, job)[-1], Failed)
    worker.join()
    assert worker.exitcode == -signal.SIGKILL
    theirs.close()


def test_a_search_without_a_time_limit_has_a_minute(local, monkeypatch):
    monkeypatch.setattr(local_module, "UNTIMED_SECONDS", PATIENCE)
    local.overtime = 0
    job = local.start(replace(QUICK, limits=Limits()), "a")
    assert isinstance(told(local, job)[-1], Finished)


def test_a_worker_that_is_lost_is_told_and_the_pool_goes_on(pool):
    job = pool.start(LONG, "a")
    assert seen(pool, job, Progress)
    os.kill(only(solvers()), signal.SIGKILL)
    last = told(pool, job)[-1]
    assert isinstance(last, Failed)
    assert last.message == LOST
    assert result(pool, pool.start(QUICK, "a")).length == 31


def test_so_is_one_that_cannot_be_started(local, monkeypatch):
    failures = []
    monkeypatch.setattr(threading, "excepthook", failures.append)

    def refuse(spec):
        raise OSError("no more processes")

    monkeypatch.setattr(local, "_start_worker", refuse)
    for _ in range(3):  # each gives its place back
        events = told(local, local.start(QUICK, "a"))
        assert isinstance(events[-1], Failed)
        assert "could not be started" in events[-1].message
    monkeypatch.undo()
    assert result(local, local.start(QUICK, "a")).length == 31
    assert {failure.exc_type for failure in failures} == {OSError}, "and it is logged"


def test_closing_ends_the_searches_soon_and_takes_no_more(local, hold):
    local.stop_seconds = 3600.0
    jobs = [hold(local)[0], local.start(LONG, "a"), local.start(LONG, "b")]
    assert seen(local, jobs[1], Progress)
    local.close()
    for job in jobs:
        told(local, job)
    assert until(lambda: not solvers()) is True
    with pytest.raises(Busy, match="about to restart") as busy:
        local.start(QUICK, "a")
    assert busy.value.retry_after > 0


# The queue


def test_waiting_jobs_report_their_place_in_order(new_pool, hold):
    pool = new_pool(solvers=1)
    running, worker = hold(pool)
    second, third, fourth = (pool.start(QUICK, visitor) for visitor in "bcd")
    assert next(pool.events(second)) == (1, Waiting(1, 1))
    numbers, heartbeats = zip(*so_far(pool, second, until=2), strict=True)
    assert heartbeats[-2:] == (None, None)
    assert numbers[-2:] == (numbers[-3],) * 2, "with the id of the last event"
    assert seen(pool, third, Waiting) == Waiting(2, 2)
    assert seen(pool, fourth, Waiting) == Waiting(3, 3)
    pool.cancel(third)
    assert {type(event) for event in told(pool, third)} == {Waiting}, "it never began"
    assert until(lambda: so_far(pool, fourth)[-2][1] == Waiting(2, 2)) is True
    end(worker)
    assert isinstance(told(pool, running)[-1], Failed)
    assert result(pool, second).length == 31
    assert result(pool, fourth).length == 31


def so_far(pool, job, until=1):
    """Return what a job tells until so many heartbeats."""
    found = []
    for pair in pool.events(job):
        found.append(pair)
        if [event for _, event in found].count(None) == until:
            break
    return found


def test_there_are_never_more_workers_than_solvers(new_pool, hold):
    pool = new_pool(solvers=2)
    workers = {hold(pool, visitor)[1] for visitor in "ab"}
    jobs = [pool.start(QUICK, visitor) for visitor in "cdef"]
    for job in jobs:
        assert seen(pool, job, Waiting)
    assert solvers() == workers
    end(workers.pop())
    assert [result(pool, job).length for job in jobs] == [31] * 4
    assert until(lambda: solvers() == workers) is True


# Room for so many


def test_a_visitor_has_only_so_many(new_pool, hold):
    pool = new_pool(per_visitor=2)
    hold(pool, "a")
    second, _ = hold(pool, "a")
    with pytest.raises(Busy, match="2 searches you started are already running") as busy:
        pool.start(QUICK, "a")
    assert busy.value.retry_after > 0
    other = pool.start(QUICK, "b")
    pool.abandon(second)  # as a halted one does not hear
    told(pool, second)
    assert result(pool, pool.start(QUICK, "a")).length == 31
    assert result(pool, other).length == 31


def test_an_address_has_places_for_a_class_and_leaves_some_for_others(new_pool, hold):
    pool = new_pool(solvers=1, per_visitor=2, per_address=3)
    hold(pool)
    jobs = [pool.start(QUICK, visitor, "school") for visitor in "abc"]
    with pytest.raises(Busy, match="3 searches from your network are already running") as busy:
        pool.start(QUICK, "d", "school")
    assert busy.value.status == 429
    jobs.append(pool.start(QUICK, "d", "home"))
    for job in jobs:
        pool.cancel(job)
        told(pool, job)


def test_all_together_have_only_so_many_those_in_the_queue_counted(new_pool, hold):
    pool = new_pool(solvers=1, jobs=3)
    job, _ = hold(pool, "a")
    waiting = [pool.start(QUICK, visitor) for visitor in "bc"]
    with pytest.raises(Busy, match="3 searches are already running") as busy:
        pool.start(QUICK, "d")
    assert busy.value.retry_after > 0
    pool.abandon(job)
    assert [result(pool, each).length for each in waiting] == [31, 31]
    assert result(pool, pool.start(QUICK, "d")).length == 31


def test_ended_jobs_can_be_read_again_until_they_are_forgotten(pool):
    job = pool.start(QUICK, "a")
    found = told(pool, job)
    told(pool, pool.start(QUICK, "a"))
    assert told(pool, job) == found
    pool.forget(job)
    pool.cancel(job)  # which is not known any more
    assert list(pool.events(job)) == []


def test_they_are_forgotten_after_a_while(local):
    job = local.start(QUICK, "a")
    told(local, job)
    local.kept_seconds = 0.0
    told(local, local.start(QUICK, "a"))
    assert list(local.events(job)) == []
