"""The memory limit of each process beside the web process."""

import resource
from dataclasses import dataclass
from functools import partial

import pytest

from slidewise import Limits, SearchSpec, parse_puzzle
from slidewise.solver.events import Finished
from tests.web.processes import NEEDS_PROC
from tests.web.streams import PATIENCE, events_of
from webapp.http.responses import TooLarge
from webapp.workers import LocalSolvers
from webapp.workers.json_values import dumps, loads
from webapp.workers.memory import SPARE_MEGABYTES
from webapp.workers.redis import solvers
from webapp.workers.solvers import TOO_LARGE

pytestmark = NEEDS_PROC

QUICK = SearchSpec(parse_puzzle("1.2.3-4.5.6-7.0.8"), "bfs", None)
MEGABYTES = 2**20


@dataclass(frozen=True)
class Endless:
    """A search that allocates memory until the limit."""

    limits = Limits(seconds=PATIENCE)

    def events(self, cancelled):
        """Fill the memory."""
        yield list(endless_blocks())


def endless_blocks():
    """Return endless blocks of a megabyte, as an iterator that can be pickled."""
    return iter(partial(bytes, MEGABYTES), None)


@pytest.fixture
def pool():
    pool = LocalSolvers(solvers=1, jobs=1, per_visitor=1, megabytes=SPARE_MEGABYTES)
    yield pool
    pool.close()


def result(pool, spec):
    return events_of(pool, pool.start(spec, "visitor"))[-1]


def test_search_out_of_memory_leaves_the_next_one_running(pool, caplog):
    assert result(pool, Endless()).message == TOO_LARGE
    assert caplog.messages == ["A search was lost (out of memory)."]
    assert isinstance(result(pool, QUICK), Finished)


def test_helper_out_of_memory_is_replaced_without_retry(pool, caplog):
    with pytest.raises(TooLarge, match="more memory than a request may use"):
        pool.call(list, endless_blocks(), timeout=PATIENCE)
    assert caplog.messages == ["A helper was lost (out of memory). Another takes its place."]
    assert pool.call(abs, -1, timeout=PATIENCE) == 1


def test_call_over_redis_reports_too_large(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(solvers, "resolve", lambda name: failing)
        reply = solvers.Reply("call", *solvers._outcome("call", "function", dumps(())), 0.0)
    assert isinstance(solvers._error(loads(dumps(reply))), TooLarge)


def failing():
    raise MemoryError


def test_limit_is_of_the_processes_and_not_of_the_server(pool):
    ours = resource.getrlimit(resource.RLIMIT_DATA)
    limit = SPARE_MEGABYTES * MEGABYTES
    limits = pool.call(resource.getrlimit, resource.RLIMIT_DATA, timeout=PATIENCE)
    assert limits == (limit, limit)
    assert resource.getrlimit(resource.RLIMIT_DATA) == ours
