"""Short questions: answered in the same way by helpers of this machine as by workers over Redis."""

import os
import signal
import threading

import pytest

from slidewise import InvalidBoardError, parse_board, parse_puzzle, scramble
from slidewise.solver.tables.exact import exact_distance
from slidewise.study.distance_ahead import look_ahead
from slidewise.text import Message
from tests.boards import HARDEST
from tests.web.processes import NEEDS_PROC, below, helpers
from tests.web.streams import PATIENCE, until
from webapp.workers import Busy, LocalSolvers
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


def ask(solvers, function, *args, timeout=PATIENCE):
    return solvers.call(function, *args, timeout=timeout)


def test_the_answer_is_what_the_function_returns(solvers):
    assert ask(solvers, exact_distance, parse_puzzle(HARDEST)) == 31
    answers = [
        solvers.calls.submit(CallQueue.HINT, parse_board, "1 2 3 0", timeout=PATIENCE)
        for _ in range(3)
    ]
    assert {answer.result(PATIENCE) for answer in answers} == {parse_board("1 2 3 0")}


def test_what_it_raises_is_raised(solvers):
    with pytest.raises(InvalidBoardError, match="0 is missing") as raised:
        ask(solvers, parse_board, "1 2 3 3")
    assert isinstance(raised.value.args[0], Message), "its page cannot translate it"
    with pytest.raises((AttributeError, RuntimeError)):
        ask(solvers, exact_distance, None)
    assert ask(solvers, parse_board, "1 2 3 0") == parse_board("1 2 3 0")


def test_value_that_cannot_be_pickled_is_an_error(solvers):
    with pytest.raises(TypeError):
        ask(solvers, parse_board, threading.Lock())
    assert ask(solvers, parse_board, "1 2 3 0") == parse_board("1 2 3 0")


def test_call_over_its_timeout_is_busy(solvers):
    with pytest.raises(Busy, match="All solvers are busy") as busy:
        ask(solvers, look_ahead, HARD, PATIENCE, timeout=0.2)
    assert busy.value.retry_after > 0
    with pytest.raises(Busy, match="All solvers are busy"):
        ask(solvers, look_ahead, HARD, PATIENCE, timeout=0)
    late = solvers.calls.submit(CallQueue.CLICK, look_ahead, HARD, PATIENCE, timeout=0.2)
    with pytest.raises(Busy, match="All solvers are busy"):
        late.result(PATIENCE)
    assert ask(solvers, parse_board, "1 2 3 0") == parse_board("1 2 3 0")


def test_helper_lost_after_its_answer_is_replaced(solvers):
    ask(solvers, parse_board, "1 2 3 0")
    lost = helpers()
    assert lost
    lost = {pid for pid in lost if not below(pid)}  # but what looks after them
    for pid in lost:
        os.kill(pid, signal.SIGKILL)
    assert until(lambda: not lost & helpers()) is True
    assert ask(solvers, parse_board, "1 2 3 0") == parse_board("1 2 3 0")


def test_after_closing_nothing_is_asked(solvers):
    waiting = solvers.calls.submit(CallQueue.CLICK, look_ahead, HARD, PATIENCE, timeout=PATIENCE)
    solvers.close()
    with pytest.raises(Busy, match="about to restart"):
        waiting.result(PATIENCE)
    with pytest.raises(Busy, match="about to restart"):
        ask(solvers, parse_board, "1 2 3 0")
