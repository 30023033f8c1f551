import multiprocessing
import signal

import pytest

from tests.web.processes import below, send
from tests.web.streams import until
from webapp.workers.redis.solvers import RedisSolvers
from webapp.workers.redis.worker import SEARCHES, supervise


@pytest.fixture
def new_worker(redis_url):
    """Start workers, forked from a process that has loaded the compiled searches."""
    started = []

    def make(searches=2, questions=(), target=supervise):
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["webapp.workers.preload"])
        duties = [*[SEARCHES] * searches, *questions]
        worker = context.Process(target=target, args=(redis_url, duties, 2000, dict))
        worker.start()
        started.append(worker)
        return worker

    yield make
    for worker in started:
        # a lane that survived could take a job of the next test
        halted = set()
        while new := {worker.pid, *below(worker.pid)} - halted:  # a halted process starts no other
            halted |= new
            send(signal.SIGSTOP, new)
        send(signal.SIGKILL, halted)
        worker.join()


@pytest.fixture
def new_redis(redis_url, new_worker):
    """Return solvers of a web process, with a worker for them."""
    pools = []

    def make(solvers=2, jobs=8, per_visitor=8, per_address=None, questions=()):
        pool = RedisSolvers(redis_url, jobs, per_visitor, per_address)
        pools.append(pool)
        new_worker(solvers, questions)
        assert until(lambda: not pool.missing)
        return pool

    yield make
    for pool in pools:
        pool.close()
