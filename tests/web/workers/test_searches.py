"""Searches of many visitors at once: the same in local processes and over Redis."""

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
from tests.web.streams import PATIENCE, events_of, until
from webapp.workers import Busy, Failed, LocalSolvers, TooManySearches, Waiting
from webapp.workers import local as local_module
from webapp.workers.helpers import NICENESS
from webapp.workers.redis import jobs as jobs_of_redis
from webapp.workers.solvers import LOST, Displaced, Load

QUICK = SearchSpec(parse_puzzle(HARDEST), "astar", "manhattan", Limits(seconds=30))
LIMITS = Limits(seconds=60, stored_nodes=16_000_000)
LONG = SearchSpec(parse_puzzle(FOUR), "bfs", "zero", LIMITS)
"""Breadth-first search on 4x4, which runs for seconds until its limit."""

pytestmark = NEEDS_PROC


@pytest.fixture(autouse=True)
def _all_workers_end():
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
    """Occupy a solver of a pool without any load: its worker is halted in mid-search."""
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


def result(pool, job):
    last = events_of(pool, job)[-1]
    assert isinstance(last, Finished), last
    return last.result


def seen(pool, job, kind):
    """Wait for the first event of a kind."""
    return next(event for _, event in pool.events(job) if isinstance(event, kind))


# One job


def test_search_lets_other_processes_go_first(pool, hold):
    _, worker = hold(pool)
    own, niceness = (os.getpriority(os.PRIO_PROCESS, pid) for pid in (0, worker))
    assert niceness == min(19, own + NICENESS)


def test_events_of_a_job_are_numbered_and_read_after_any(pool):
    job = pool.start(QUICK, "a")
    events = [pair for pair in pool.events(job) if pair[1] is not None]
    kinds = [type(event) for _, event in events if not isinstance(event, Preparing)]
    assert (kinds[0], kinds[-1]) == (Started, Finished)
    found = events[-1][1].result
    assert (found.status, found.length, found.verdict.kind) == (Status.SOLVED, 31, Proof.OPTIMAL)
    assert found.puzzle == QUICK.puzzle
    assert [number for number, _ in events] == list(range(1, len(events) + 1))
    pool.cancel(job)  # the job has ended, so nothing changes
    for after in range(len(events) + 1):
        assert list(pool.events(job, after)) == events[after:]
    assert list(pool.events(job, after=999)) == []


def test_many_can_read_the_same_job(pool):
    job = pool.start(QUICK, "a")
    with ThreadPoolExecutor(4) as threads:
        first, *others = threads.map(events_of, [pool] * 4, [job] * 4)
    assert others == [first] * 3


def test_ids_of_jobs_cannot_be_guessed(pool):
    jobs = {pool.start(QUICK, "a") for _ in range(4)}
    assert len(jobs) == 4
    assert min(map(len, jobs)) >= 20


# Stopping


def test_stopped_search_reports_its_bound(pool):
    job = pool.start(LONG, "a")
    assert seen(pool, job, Progress)
    pool.cancel(job)
    found = result(pool, job)
    assert found.status is Status.CANCELLED
    assert 2 <= found.lower_bound <= 52
    assert "stopped on request" in found.verdict.reason


@pytest.mark.parametrize(("order", "patience"), [("cancel", 0.2), ("abandon", 3600.0)])
def test_worker_that_ignores_the_stop_is_killed(pool, hold, order, patience, monkeypatch):
    """Kill the worker at once if nobody reads its events."""
    job, worker = hold(pool)
    pool.stop_seconds = patience  # for the local pool; over Redis the request to stop is long ago
    requested_at = time.time() - jobs_of_redis.STOP_SECONDS + patience
    monkeypatch.setattr(jobs_of_redis, "now", lambda redis: requested_at)
    getattr(pool, order)(job)
    monkeypatch.undo()
    assert until(lambda: worker not in living()) is True
    assert not any(isinstance(event, Finished | Failed) for event in events_of(pool, job))


def test_overdue_worker_is_killed_and_reported(local, monkeypatch):
    connection, theirs = local._context.Pipe()
    worker = local._context.Process(target=time.sleep, args=(PATIENCE,), daemon=True)
    worker.start()
    monkeypatch.setattr(local, "_start_worker", lambda task: (worker, connection))
    monkeypatch.setattr(local_module.compiling, "MAX_SECONDS", 0.0)
    local.overtime = 0.2
    job = local.start(replace(QUICK, limits=Limits(seconds=0.1)), "a")
    assert isinstance(events_of(local, job)[-1], Failed)
    worker.join()
    assert worker.exitcode == -signal.SIGKILL
    theirs.close()


def test_search_without_a_time_limit_has_a_minute(local, monkeypatch):
    monkeypatch.setattr(local_module, "UNTIMED_SECONDS", PATIENCE)
    local.overtime = 0
    job = local.start(replace(QUICK, limits=Limits()), "a")
    assert isinstance(events_of(local, job)[-1], Finished)


def test_lost_worker_is_reported_and_the_pool_goes_on(pool):
    job = pool.start(LONG, "a")
    assert seen(pool, job, Progress)
    os.kill(only(solvers()), signal.SIGKILL)
    last = events_of(pool, job)[-1]
    assert isinstance(last, Failed)
    assert last.message == LOST
    assert result(pool, pool.start(QUICK, "a")).length == 31


def test_worker_that_cannot_start_is_reported(local, monkeypatch):
    failures = []
    monkeypatch.setattr(threading, "excepthook", failures.append)

    def refuse(spec):
        raise OSError("no more processes")

    monkeypatch.setattr(local, "_start_worker", refuse)
    for _ in range(3):  # each releases its place
        events = events_of(local, local.start(QUICK, "a"))
        assert isinstance(events[-1], Failed)
        assert "could not be started" in events[-1].message
    monkeypatch.undo()
    assert result(local, local.start(QUICK, "a")).length == 31
    assert {failure.exc_type for failure in failures} == {OSError}, "and it is logged"


def test_closed_pool_ends_its_searches_and_takes_no_more(local, hold):
    local.stop_seconds = 3600.0
    jobs = [hold(local)[0], local.start(LONG, "a"), local.start(LONG, "b")]
    assert seen(local, jobs[1], Progress)
    local.close()
    for job in jobs:
        events_of(local, job)
    assert until(lambda: not solvers()) is True
    with pytest.raises(Busy, match="about to restart") as busy:
        local.start(QUICK, "a")
    assert busy.value.retry_after > 0


# The queue


def test_waiting_jobs_report_their_place_in_order(new_pool, hold):
    pool = new_pool(solvers=1)
    running, worker = hold(pool)
    second = pool.start(QUICK, "b")
    assert next(pool.events(second)) == (1, Waiting(1, 1))
    third = pool.start(QUICK, "c")
    assert seen(pool, third, Waiting) == Waiting(2, 2)
    fourth = pool.start(QUICK, "d")
    assert seen(pool, fourth, Waiting) == Waiting(3, 3)
    numbers, heartbeats = zip(*events_until_heartbeat(pool, second, until=2), strict=True)
    assert heartbeats[-2:] == (None, None)
    assert numbers[-2:] == (numbers[-3],) * 2, "with the id of the last event"
    pool.cancel(third)
    assert {type(event) for event in events_of(pool, third)} == {Waiting}, "it never began"
    assert until(lambda: events_until_heartbeat(pool, fourth)[-2][1] == Waiting(2, 2)) is True
    end(worker)
    assert isinstance(events_of(pool, running)[-1], Failed)
    assert result(pool, second).length == 31
    assert result(pool, fourth).length == 31


def events_until_heartbeat(pool, job, until=1):
    """Return the events of a job until some number of heartbeats."""
    found = []
    for pair in pool.events(job):
        found.append(pair)
        if [event for _, event in found].count(None) == until:
            break
    return found


def test_workers_never_outnumber_solvers(new_pool, hold):
    pool = new_pool(solvers=2)
    workers = {hold(pool, visitor)[1] for visitor in "ab"}
    jobs = [pool.start(QUICK, visitor) for visitor in "cdef"]
    for job in jobs:
        assert seen(pool, job, Waiting)
    assert solvers() == workers
    end(workers.pop())
    assert [result(pool, job).length for job in jobs] == [31] * 4
    assert until(lambda: solvers() == workers) is True


# Limits


def test_searches_of_a_visitor_are_limited(new_pool, hold):
    pool = new_pool(per_visitor=2)
    hold(pool, "a")
    second, _ = hold(pool, "a")
    with pytest.raises(Busy, match="2 searches you started are already running") as busy:
        pool.start(QUICK, "a")
    assert busy.value.retry_after > 0
    other = pool.start(QUICK, "b")
    pool.abandon(second)  # a halted worker does not react
    events_of(pool, second)
    assert result(pool, pool.start(QUICK, "a")).length == 31
    assert result(pool, other).length == 31


def test_searches_of_an_address_are_limited(new_pool, hold):
    pool = new_pool(solvers=1, per_visitor=2, per_address=3)
    hold(pool)
    jobs = [pool.start(QUICK, visitor, "school") for visitor in "abc"]
    with pytest.raises(Busy, match="3 searches from your network are already running") as busy:
        pool.start(QUICK, "d", "school")
    assert busy.value.status == 429
    jobs.append(pool.start(QUICK, "d", "home"))
    for job in jobs:
        pool.cancel(job)
        events_of(pool, job)


def test_searches_in_total_are_limited_including_the_queue(new_pool, hold):
    pool = new_pool(solvers=1, jobs=3)
    job, _ = hold(pool, "a")
    waiting = [pool.start(QUICK, visitor) for visitor in "bc"]
    with pytest.raises(Busy, match="3 searches are already running") as busy:
        pool.start(QUICK, "d")
    assert busy.value.retry_after > 0
    pool.abandon(job)
    assert [result(pool, each).length for each in waiting] == [31, 31]
    assert result(pool, pool.start(QUICK, "d")).length == 31


def test_newcomer_displaces_the_newest_of_the_most_jobs(new_pool, hold):
    pool = new_pool(solvers=1, jobs=6, per_address=4)
    hold(pool)
    crowd = {name: pool.start(QUICK, name, "school") for name in "abc"}
    crowd |= {name: pool.start(QUICK, name, "office") for name in "de"}
    with pytest.raises(TooManySearches):
        pool.start(QUICK, "f", "school")
    pool.check_can_start("x", "home")
    assert {last_event(pool, job) for job in crowd.values()}.isdisjoint({Displaced()})
    newcomers = []
    for address, displaced in [("home", "c"), ("café", "e"), ("library", "b")]:
        newcomers.append(pool.start(QUICK, "x", address))
        assert events_of(pool, crowd.pop(displaced))[-1] == Displaced()
    with pytest.raises(TooManySearches, match="6 searches are already running"):
        pool.start(QUICK, "x", "station")  # each address has one
    with pytest.raises(TooManySearches, match="6 searches are already running"):
        pool.check_can_start("x", "station")
    assert pool.load == Load(running=1, waiting=5)
    for job in [*newcomers, *crowd.values()]:
        assert isinstance(last_event(pool, job), Waiting)
        pool.cancel(job)
        events_of(pool, job)


def test_displaced_job_frees_its_place_at_once(new_local, hold):
    pool = new_local(solvers=1, jobs=3)
    hold(pool)
    for visitor in "ab":
        pool.start(QUICK, visitor, "school")
    with pool._turn:  # so that the thread of the displaced job cannot end it
        pool.start(QUICK, "x", "home")
        with pytest.raises(TooManySearches, match="3 searches are already running"):
            pool.start(QUICK, "y", "library")  # each address has one


def test_cancelled_job_is_not_displaced(new_local, hold):
    pool = new_local(solvers=1, jobs=4)
    hold(pool)
    _, waiting, cancelled = (pool.start(QUICK, visitor, "school") for visitor in "abc")
    with pool._turn:  # so that the thread of the cancelled job cannot end it
        pool.cancel(cancelled)
        pool.start(QUICK, "x", "home")
    assert Displaced() not in events_of(pool, cancelled)
    assert events_of(pool, waiting)[-1] == Displaced()


def last_event(pool, job):
    return [event for _, event in events_until_heartbeat(pool, job) if event][-1]


def test_ended_job_can_be_read_until_forgotten(pool):
    job = pool.start(QUICK, "a")
    found = events_of(pool, job)
    events_of(pool, pool.start(QUICK, "a"))
    assert events_of(pool, job) == found
    pool.forget(job)
    pool.cancel(job)  # no longer known
    assert list(pool.events(job)) == []


def test_ended_job_is_forgotten_after_a_while(local):
    job = local.start(QUICK, "a")
    events_of(local, job)
    local.kept_seconds = 0.0
    events_of(local, local.start(QUICK, "a"))
    assert list(local.events(job)) == []
