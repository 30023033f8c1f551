"""Short calls, answered in the same way by local helpers and by workers over Redis."""

import signal
import threading

import pytest
from redis import Redis

from slidewise import InvalidBoardError, parse_board, parse_puzzle, scramble
from slidewise.analysis.distance import look_ahead
from slidewise.solver.tables.exact import exact_distance
from slidewise.text import Message
from tests.boards import HARDEST
from tests.web.processes import NEEDS_PROC, below, helpers, send
from tests.web.redis_server import RedisServer
from tests.web.streams import PATIENCE, until
from webapp.workers import Busy, LocalSolvers
from webapp.workers.redis.solvers import RemoteCallPool
from webapp.workers.redis.worker import CALLS
from webapp.workers.solvers import CallQueue

pytestmark = NEEDS_PROC

HARD = scramble(5, 5, "takes as long as it is given")


@pytest.fixture(params=["local", "redis"])
def solvers(request):
    if request.param == "redis":
        yield request.getfixturevalue("new_redis")(solvers=1, questions=CALLS)
        return
    pool = LocalSolvers(solvers=1, jobs=1, per_visitor=1)
    yield pool
    pool.close()


def call_function(solvers, function, *args, timeout=PATIENCE):
    return solvers.call(function, *args, timeout=timeout)


def test_call_returns_the_value_of_the_function(solvers):
    assert call_function(solvers, exact_distance, parse_puzzle(HARDEST)) == 31
    answers = [
        solvers.calls.submit(CallQueue.HINT, parse_board, "1 2 3 0", timeout=PATIENCE)
        for _ in range(3)
    ]
    assert {answer.result(PATIENCE) for answer in answers} == {parse_board("1 2 3 0")}


def test_call_raises_the_exception_of_the_function(solvers):
    with pytest.raises(InvalidBoardError, match="0 is missing") as raised:
        call_function(solvers, parse_board, "1 2 3 3")
    assert isinstance(raised.value.args[0], Message), "its page cannot translate it"
    with pytest.raises((AttributeError, RuntimeError)):
        call_function(solvers, exact_distance, None)
    assert call_function(solvers, parse_board, "1 2 3 0") == parse_board("1 2 3 0")


def test_value_that_cannot_be_pickled_is_an_error(solvers):
    with pytest.raises(TypeError):
        call_function(solvers, parse_board, threading.Lock())
    assert call_function(solvers, parse_board, "1 2 3 0") == parse_board("1 2 3 0")


def test_call_over_its_timeout_is_busy(solvers):
    with pytest.raises(Busy, match="All solvers are busy") as busy:
        call_function(solvers, look_ahead, HARD, PATIENCE, timeout=0.2)
    assert busy.value.retry_after > 0
    with pytest.raises(Busy, match="All solvers are busy"):
        call_function(solvers, look_ahead, HARD, PATIENCE, timeout=0)
    late = solvers.calls.submit(CallQueue.CLICK, look_ahead, HARD, PATIENCE, timeout=0.2)
    with pytest.raises(Busy, match="All solvers are busy"):
        late.result(PATIENCE)
    assert call_function(solvers, parse_board, "1 2 3 0") == parse_board("1 2 3 0")


def test_helper_lost_after_its_answer_is_replaced(solvers):
    call_function(solvers, parse_board, "1 2 3 0")
    lost = helpers()
    assert lost
    lost = {pid for pid in lost if not below(pid)}  # not the processes that supervise them
    send(signal.SIGKILL, lost)  # some may be of an earlier pool, and ending
    assert until(lambda: not lost & helpers()) is True
    assert call_function(solvers, parse_board, "1 2 3 0") == parse_board("1 2 3 0")


def test_pending_call_fails_once_redis_is_lost():
    server = RedisServer()
    try:
        pool = RemoteCallPool(Redis.from_url(server.url))
        answer = pool.submit(CallQueue.CLICK, abs, -1, timeout=PATIENCE)
        server.stop()
        server.start()
        with pytest.raises(Busy, match="cannot be reached"):
            answer.result(PATIENCE)
        pool.close()
    finally:
        server.close()


def test_closed_pool_refuses_calls(solvers):
    waiting = solvers.calls.submit(CallQueue.CLICK, look_ahead, HARD, PATIENCE, timeout=PATIENCE)
    solvers.close()
    with pytest.raises(Busy, match="about to restart"):
        waiting.result(PATIENCE)
    with pytest.raises(Busy, match="about to restart"):
        call_function(solvers, parse_board, "1 2 3 0")
