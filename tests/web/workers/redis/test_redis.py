"""Several web processes and workers over Redis."""

import json
import os
import signal
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from redis import Redis

from slidewise import Limits, SearchSpec, Status, parse_puzzle
from slidewise.solver.events import Finished, Progress, Started
from tests.boards import FOUR, HARDEST
from tests.web.processes import NEEDS_PROC, below, living, solvers
from tests.web.redis_server import RedisServer
from tests.web.streams import events_of, until
from webapp.workers import Busy, Failed
from webapp.workers.redis import jobs as jobs_module
from webapp.workers.redis.jobs import LOST_JOB, PREFIX, VERSION, Jobs
from webapp.workers.redis.shared import RedisShared
from webapp.workers.redis.solvers import SHORT_OF_MEMORY, RedisSolvers
from webapp.workers.redis.worker import SearchWorker
from webapp.workers.shared import CacheKind

QUICK = SearchSpec(parse_puzzle(HARDEST), "astar", "manhattan", Limits(seconds=30))
LONG = SearchSpec(parse_puzzle(FOUR), "bfs", "zero", Limits(seconds=60, stored_nodes=16_000_000))

pytestmark = NEEDS_PROC


@pytest.fixture
def web(redis_url):
    """Return solvers of web processes."""
    return lambda per_visitor=8: RedisSolvers(redis_url, 8, per_visitor)


@pytest.fixture
def worker(web, new_worker):
    worker = new_worker(1)
    assert until(lambda: not web().missing)
    return worker


@pytest.fixture
def jobs(redis_url):
    return Jobs(Redis.from_url(redis_url))


def seen(solvers, job, kind):
    return next(event for _, event in solvers.events(job) if isinstance(event, kind))


# Several web processes


def test_job_is_shared_by_three_web_processes(worker, web):
    job = web().start(LONG, "a")
    assert seen(web(), job, Progress)
    web().cancel(job)
    last = events_of(web(), job)[-1]
    assert isinstance(last, Finished)
    assert last.result.status is Status.CANCELLED
    assert "stopped on request" in last.result.verdict.reason


def test_closed_process_ends_its_own_readers_alone(worker, web):
    here, elsewhere = web(), web()
    job = here.start(LONG, "a")
    events = here.events(job)
    while not isinstance(next(events)[1], Progress):
        pass
    elsewhere.close()
    assert isinstance(next(event for _, event in events if event), Progress)
    here.close()
    last = [event for _, event in events if event][-1]
    assert "the server is about to restart" in last.result.verdict.reason
    with pytest.raises(Busy, match="about to restart"):
        here.start(QUICK, "a")


def test_more_readers_than_redis_connections_can_wait(worker, web):
    here = web()
    job = here.start(LONG, "a")
    assert seen(here, job, Progress)
    with ThreadPoolExecutor(120) as threads:
        first = threads.map(lambda _: next(here.events(job, 10**6)), range(120))
        assert set(first) == {(10**6, None)}, "all wait for more"
    here.abandon(job)


def test_search_without_a_reader_is_ended(worker, web, jobs):
    job = web().start(LONG, "a")
    assert seen(web(), job, Progress)
    jobs.redis.delete(jobs.find(job).reader)  # as after some seconds without a reader
    assert until(lambda: not solvers()) is True
    assert until(lambda: jobs.state(jobs.find(job)) == "ended") is True
    assert not any(isinstance(event, Failed | Finished) for event in events_of(web(), job))
    assert web(1).check_can_start("a") is None


def test_address_can_be_any_string(worker, web):
    here = web()
    for visitor, address in ("a|b|c", "::1%|"), ("", ""), ("\xff", "é"):
        assert events_of(here, here.start(QUICK, visitor, address))[-1].result.length == 31


def test_lane_survives_an_expired_ticket(jobs):
    jobs.issue_ticket()
    (ticket,) = jobs.tickets.jobs
    ticket.delete()
    lane = SearchWorker([jobs.tickets], connection=jobs.redis)
    assert lane.handle_work_horse_killed(ticket) is None


# Lost workers


@pytest.fixture
def claim(jobs, monkeypatch):
    """Claim a job like a worker whose machine is lost at once."""

    def take():
        with monkeypatch.context() as patch:
            patch.setattr(jobs_module, "LEASE_SECONDS", 0.0)
            return jobs.claim("of a machine that is lost")

    return take


def test_lost_search_without_events_is_restarted(worker, web, claim, monkeypatch):
    os.kill(worker.pid, signal.SIGSTOP)  # but not its lanes
    monkeypatch.setattr(Jobs, "issue_ticket", lambda *pipe: None)
    here = web()
    job = here.start(QUICK, "a")
    assert claim().job.id == job
    monkeypatch.undo()
    assert events_of(here, job)[-1].result.length == 31


def test_worker_lost_after_progress_is_reported(worker, web, claim, jobs, monkeypatch):
    monkeypatch.setattr(Jobs, "issue_ticket", lambda *pipe: None)
    here = web()
    job = here.start(QUICK, "a")
    jobs.report(claim().job, Started("", "astar", None), Progress(1, 1, 1, 1, 1, 1, 0.1))
    assert events_of(here, job)[-1] == LOST_JOB
    assert web(1).check_can_start("a") is None


def test_end_between_two_reads_is_still_read(worker, web, claim, jobs, monkeypatch):
    monkeypatch.setattr(Jobs, "issue_ticket", lambda *pipe: None)
    look_after = Jobs.look_after

    def ended_first(self, job):
        jobs.end(job, Failed("the last event"))
        return look_after(self, job)

    here = web()
    job = here.start(QUICK, "a")
    jobs.report(claim().job, Started("", "astar", None))
    monkeypatch.setattr(Jobs, "look_after", ended_first)
    assert events_of(here, job)[-1] == Failed("the last event")


def test_search_that_loses_every_worker_fails(worker, web, claim, jobs, monkeypatch):
    monkeypatch.setattr(Jobs, "issue_ticket", lambda *pipe: None)
    here = web()
    job = here.start(QUICK, "a")
    events = here.events(job)
    for _ in range(jobs_module.ATTEMPTS - 1):
        assert claim().job.id == job
        while jobs.state(jobs.find(job)) != "waiting":
            next(events)
    assert claim().job.id == job
    assert [event for _, event in events if event is not None][-1] == LOST_JOB


def test_lost_lane_is_replaced_and_its_search_fails(worker, web):
    here = web()
    job = here.start(LONG, "a")
    assert seen(here, job, Progress)
    (search,) = solvers()
    os.kill(living()[search], signal.SIGKILL)
    assert events_of(here, job)[-1] == LOST_JOB
    assert until(lambda: search not in living()) is True, "nobody looks after it any more"
    assert events_of(here, here.start(QUICK, "a"))[-1].result.length == 31


def test_first_sigterm_lets_a_worker_finish_its_searches(worker, web):
    here = web()
    job = here.start(replace(LONG, limits=Limits(seconds=60, stored_nodes=2_000_000)), "a")
    assert seen(here, job, Progress)
    os.kill(worker.pid, signal.SIGTERM)
    assert until(lambda: here.missing) == ("a worker",)
    with pytest.raises(Busy, match="No solver is running"):
        here.start(QUICK, "b")
    last = events_of(here, job)[-1]
    assert isinstance(last, Finished), last
    assert last.result.status is Status.CUTOFF
    worker.join()
    assert worker.exitcode == 0
    assert not below(worker.pid)


def test_second_sigterm_ends_a_worker_at_once(worker, web):
    here = web()
    job = here.start(LONG, "a")
    assert seen(here, job, Progress)
    everything = {worker.pid} | below(worker.pid)
    for _ in range(2):
        os.kill(worker.pid, signal.SIGTERM)
        assert until(lambda: here.missing)
    assert until(lambda: not everything & set(living())) is True
    assert events_of(here, job)[-1] == LOST_JOB


def test_lanes_end_when_their_worker_is_lost(worker, web):
    lanes = below(worker.pid)
    worker.kill()
    assert until(lambda: not lanes & set(living())) is True


# Redis


def test_lost_ticket_is_issued_again(worker, web, jobs, monkeypatch):
    monkeypatch.setattr(Jobs, "issue_ticket", lambda *pipe: None)
    here = web()
    job = here.start(QUICK, "a")
    monkeypatch.undo()
    assert events_of(here, job)[-1].result.length == 31


def test_unknown_event_is_ignored(worker, web, jobs):
    here = web()
    job = here.start(LONG, "a")
    assert seen(here, job, Progress)
    guess = json.dumps({"of": ["slidewise.solver.events:Guess", {"luck": 1}]})
    jobs.redis.xadd(jobs.find(job).events, {"event": guess, "version": VERSION}, id="0-*")
    here.cancel(job)
    assert isinstance(events_of(here, job)[-1], Finished)


def test_queue_holds_json_under_keys_of_this_version(web, worker, jobs):
    os.kill(worker.pid, signal.SIGSTOP)
    for pid in below(worker.pid):
        os.kill(pid, signal.SIGSTOP)
    web().start(QUICK, "a")
    tickets = [key for key in jobs.redis.keys("rq:job:*") if jobs.redis.type(key) == b"hash"]
    assert tickets
    for key in tickets:
        data = zlib.decompress(jobs.redis.hget(key, "data"))
        assert json.loads(data)[0].startswith("webapp.workers.redis.")
    others = {key.decode() for key in jobs.redis.scan_iter() if not key.startswith(b"rq:")}
    assert others
    assert all(key.startswith(PREFIX) for key in others)
    assert all(jobs.redis.ttl(key) > 0 for key in others if ":job:" in key or ":visitor:" in key)


@pytest.fixture
def fill(jobs):
    """Fill Redis, so that it refuses to write until it is emptied."""
    yield lambda full=True: jobs.redis.config_set("maxmemory", int(full))
    jobs.redis.config_set("maxmemory", 0)


def test_full_redis_is_named_and_takes_no_place(worker, web, fill, monkeypatch, caplog):
    here = web(2)
    issue_ticket = Jobs.issue_ticket

    def fill_and_issue(self, *pipe):
        fill()
        issue_ticket(self, *pipe)

    monkeypatch.setattr(Jobs, "issue_ticket", fill_and_issue)  # the place has been taken
    for _ in range(3):
        with pytest.raises(Busy, match="This site is short of memory") as busy:
            here.start(QUICK, "a")
        assert (busy.value.status, busy.value.retry_after) == (503, 60)
        assert here.missing == ("memory in Redis",)
        fill(full=False)
    assert "Redis is full" in caplog.text
    monkeypatch.undo()
    assert until(lambda: not here.missing)
    assert events_of(here, here.start(QUICK, "a"))[-1].result.length == 31


def test_full_redis_is_named_without_a_worker(web, fill):
    fill()
    with pytest.raises(Busy, match="This site is short of memory"):
        web().start(QUICK, "a")
    with pytest.raises(Busy, match="This site is short of memory"):
        web().check_can_start("a")
    with pytest.raises(Busy, match="This site is short of memory"):
        web().call(abs, -1, timeout=1)


def test_search_in_a_full_redis_ends_with_the_reason(worker, web, fill):
    here = web()
    job = here.start(LONG, "a")
    assert seen(here, job, Progress)
    fill()
    assert events_of(here, job)[-1] == Failed(SHORT_OF_MEMORY)


def test_full_redis_is_read_without_a_pause(redis_url, jobs, fill, caplog):
    shared, kind = RedisShared(jobs.redis), CacheKind("test", 1_000, 60)
    shared.put(kind, "a", "first")
    fill()
    shared.put(kind, "b", "second")
    assert "Redis is full" in caplog.text
    assert RedisShared(jobs.redis).get(kind, "a") == "first"
    assert shared.attempt(lambda redis: redis.ping()) is True


def test_unreachable_redis_is_busy():
    server = RedisServer()
    here = RedisSolvers(server.url, 8, 8)
    server.close()
    for call_function in (
        lambda: here.start(QUICK, "a"),
        lambda: here.cancel("x"),
        lambda: here.load,
    ):
        with pytest.raises(Busy, match="cannot be reached"):
            call_function()
    assert events_of(here, "x") == [LOST_JOB]
    here.close()
