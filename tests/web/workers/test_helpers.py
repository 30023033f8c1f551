"""Short calls to other processes."""

import math
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from slidewise import InvalidBoardError, parse_board, parse_puzzle
from slidewise.solver.tables.exact import exact_distance
from tests.web.processes import NEEDS_PROC, below, helpers, living, solvers
from tests.web.streams import PATIENCE, until
from webapp.workers import Busy, LocalSolvers
from webapp.workers.solvers import CallQueue

HELPERS = CallQueue.CLICK.workers

ROOT = Path(__file__).parents[3]

pytestmark = NEEDS_PROC


@pytest.fixture
def pool():
    """A pool whose helpers are there, so that no call has to wait for the compiler."""
    before = helpers()
    pool = LocalSolvers(solvers=1, jobs=1, per_visitor=1)
    pool.call(abs, 1, timeout=PATIENCE)
    yield pool
    pool.close()
    assert until(lambda: not helpers() - before) is True


class Hold:
    """Keeps helpers in calls for as long as a test wants: each opens a pipe that nobody writes."""

    def __init__(self, pool, folder):
        self._pool, self._folder, self._pipes, self._calls = pool, folder, [], []

    def __call__(self, count):
        for number in range(count):
            self._pipes.append(self._folder / f"pipe{number}")
            os.mkfifo(self._pipes[-1])
            self._calls.append(
                self._pool.calls.submit(
                    CallQueue.CLICK, Path.read_text, self._pipes[-1], timeout=PATIENCE
                )
            )
        self._ends = [until(partial(_write_end, pipe)) for pipe in self._pipes]
        return self

    def let_go(self):
        """Let the calls return."""
        for end in self._ends:
            os.close(end)
        self._ends = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.let_go()
        assert {call.result(PATIENCE) for call in self._calls} == {""}


def _write_end(pipe):
    """Return a descriptor to write to a pipe, None where nobody has opened it to read yet."""
    try:
        return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return None


@pytest.fixture
def hold(pool, tmp_path):
    return Hold(pool, tmp_path)


def call(pool, function, *args, timeout=PATIENCE):
    return pool.call(function, *args, timeout=timeout)


def test_the_answer_comes_from_another_process(pool):
    assert call(pool, math.comb, 10, 3) == 120
    assert call(pool, os.getpid) not in {os.getpid(), os.getppid()}
    assert call(pool, exact_distance, parse_puzzle("8.6.7-2.5.4-3.0.1")) == 31


def test_helpers_are_kept_and_there_are_few(pool, hold):
    with hold(HELPERS):
        there_are = helpers()
        with ThreadPoolExecutor(8) as threads:
            answers = [threads.submit(call, pool, os.getpid) for _ in range(16)]
            assert helpers() == there_are, "those who come now wait"
            hold.let_go()
    assert {answer.result() for answer in answers} <= there_are
    assert {call(pool, os.getpid) for _ in range(10)} <= there_are == helpers()


def test_they_do_not_step_back_as_a_visitor_waits_for_them(pool):
    assert os.getpriority(os.PRIO_PROCESS, call(pool, os.getpid)) == os.getpriority(
        os.PRIO_PROCESS, 0
    )
    assert not solvers()


def test_what_the_function_raises_is_raised_and_the_helper_goes_on(pool):
    with pytest.raises(InvalidBoardError, match="0 is missing"):
        call(pool, parse_board, "1 2 3 3")
    with pytest.raises(ZeroDivisionError) as failure:
        call(pool, divmod, 1, 0)
    assert "Traceback" in failure.value.__notes__[0], "where it was raised is told"
    assert call(pool, abs, -1) == 1


def test_value_that_cannot_be_pickled_is_an_error(pool):
    with pytest.raises((AttributeError, pickle.PicklingError)):
        call(pool, lambda: 1)
    with pytest.raises(TypeError):
        call(pool, abs, threading.Lock())
    with pytest.raises(TypeError, match="retry_after"):
        call(pool, Busy, "an exception that cannot be read back", 1)
    assert call(pool, abs, -1) == 1


def test_a_call_that_takes_too_long_is_stopped(pool, hold):
    with hold(HELPERS):
        before = helpers()
    with pytest.raises(Busy, match="All solvers are busy") as busy:
        call(pool, time.sleep, 60, timeout=0.2)
    assert busy.value.retry_after > 0
    assert until(lambda: len(before & helpers()) < len(before)) is True
    assert call(pool, abs, -1) == 1


def test_one_that_waits_for_a_helper_too_long_is_never_made(pool, hold, tmp_path):
    with hold(HELPERS), pytest.raises(Busy):
        call(pool, os.mkdir, str(tmp_path / "made"), timeout=0.2)
    assert [call(pool, abs, -1) for _ in range(HELPERS)] == [1] * HELPERS
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("end", [(os._exit, 1), (signal.raise_signal, signal.SIGKILL)])
def test_a_helper_that_is_lost_is_replaced(pool, end):
    with pytest.raises(Busy):
        call(pool, *end)
    assert [call(pool, abs, -1) for _ in range(2 * HELPERS)] == [1] * 2 * HELPERS


def test_after_closing_none_is_called_and_none_is_left(pool):
    helper = call(pool, os.getpid)
    pool.close()
    with pytest.raises(Busy, match="about to restart"):
        call(pool, abs, 1)
    assert until(lambda: helper not in living()) is True


def test_the_web_process_loads_no_numpy():
    code = (
        "import sys\n"
        "import webapp.app, webapp.workers\n"
        "print({'numpy', 'numba', 'llvmlite'} & set(sys.modules))"
    )
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout == b"set()\n"


OWNER = """
    import multiprocessing, os, time
    from webapp.workers import LocalSolvers
    from webapp.workers.solvers import CallQueue

    if __name__ == "__main__":
        pool = LocalSolvers(solvers=1, jobs=1, per_visitor=1)
        multiprocessing.set_forkserver_preload([])  # nothing is to be solved here
        print(pool.call(os.getpid, timeout=120), flush=True)
        answer = pool.calls.submit(CallQueue.CLICK, time.sleep, 600, timeout=600)
        print("asked", flush=True)
        answer.result()
"""


def test_helpers_end_in_mid_call_when_the_server_is_gone(tmp_path):
    script = tmp_path / "owner.py"
    script.write_text(textwrap.dedent(OWNER))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, cwd=ROOT, env=environment
    ) as owner:
        try:
            helper = int(owner.stdout.readline())
            assert until(lambda: helper in helpers(owner.pid)) is True
            assert owner.stdout.readline() == b"asked\n"
            everything = below(owner.pid)
        finally:
            owner.kill()
    assert until(lambda: not everything & set(living())) is True
