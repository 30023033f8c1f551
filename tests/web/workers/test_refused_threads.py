"""The system refuses a thread once, as with a limit of processes: later requests are served."""

import threading
from contextlib import contextmanager

import pytest
from redis import Redis

from slidewise import Limits, SearchSpec, parse_puzzle
from slidewise.solver.events import Finished
from tests.web.processes import NEEDS_PROC, solvers
from tests.web.streams import PATIENCE, events_of, until
from webapp.workers import Busy, LocalSolvers
from webapp.workers.redis.solvers import Replies

QUICK = SearchSpec(parse_puzzle("1.2.3-4.5.6-7.0.8"), "bfs", None, Limits(seconds=PATIENCE))

pytestmark = NEEDS_PROC


@pytest.fixture
def pool():
    pool = LocalSolvers(solvers=1, jobs=8, per_visitor=8)
    yield pool
    pool.close()
    assert until(lambda: not solvers()) is True


@contextmanager
def refused(target):
    """Refuse to start threads that run the function named `target`."""
    start = threading.Thread.start

    def refuse(thread):
        if thread._target.__name__ == target:
            raise RuntimeError("can't start new thread")
        start(thread)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        yield


def test_search_without_a_thread_leaves_no_job(pool):
    with refused("_serve"), pytest.raises(RuntimeError):
        pool.start(QUICK, "a")
    assert pool.load.waiting == 0
    assert isinstance(events_of(pool, pool.start(QUICK, "a"))[-1], Finished)


def test_call_is_answered_after_a_refused_thread(pool):
    with refused("serve"), pytest.raises(RuntimeError):
        pool.call(abs, -1, timeout=PATIENCE)
    assert pool.call(abs, -2, timeout=PATIENCE) == 2


def test_idle_worker_ends_after_a_refused_thread(pool, monkeypatch):
    pool.idle_seconds = 0.01
    monkeypatch.setattr(threading, "excepthook", lambda failure: None)
    with refused("_end_idle"):
        events_of(pool, pool.start(QUICK, "a"))
    events_of(pool, pool.start(QUICK, "a"))
    assert until(lambda: not pool._idle) is True


def test_reply_is_awaited_after_a_refused_thread():
    replies = Replies(Redis.from_url("redis://127.0.0.1:1"))
    with refused("_listen"), pytest.raises(RuntimeError):
        replies.expect("first", PATIENCE)
    overdue = replies.expect("second", 0)
    with pytest.raises(Busy):
        overdue.result(PATIENCE)
    replies.close()


def test_recording_starts_after_a_refused_thread(client):
    path = "/lab/1.2.3-4.5.6-7.0.8/trace?algorithm=bfs"
    with refused("_follow"), pytest.raises(RuntimeError):
        client.get(path)
    assert client.get(path).status_code == 200
