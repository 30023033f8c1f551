"""Short calls to other processes."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from tests.web.processes import NEEDS_PROC, below, helpers, living, solvers
from tests.web.streams import PATIENCE, until
from webapp.workers import Busy, LocalSolvers
from webapp.workers.solvers import CallQueue

HELPERS = CallQueue.CLICK.workers

ROOT = Path(__file__).parents[3]

pytestmark = NEEDS_PROC


@pytest.fixture
def pool():
    """Return a pool whose helpers have started, so that no call waits for the compiler."""
    before = helpers()
    pool = LocalSolvers(solvers=1, jobs=1, per_visitor=1)
    pool.call(abs, 1, timeout=PATIENCE)
    yield pool
    pool.close()
    assert until(lambda: not helpers() - before) is True


class Hold:
    """Hold helpers in calls until their release. Each call opens a pipe without a writer."""

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

    def release(self):
        """Let the calls return."""
        for end in self._ends:
            os.close(end)
        self._ends = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release()
        assert {call.result(PATIENCE) for call in self._calls} == {""}


def _write_end(pipe):
    """Return a descriptor to write to a pipe, or None before a reader has opened it."""
    try:
        return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return None


@pytest.fixture
def hold(pool, tmp_path):
    return Hold(pool, tmp_path)


def call(pool, function, *args, timeout=PATIENCE):
    return pool.call(function, *args, timeout=timeout)


def test_helpers_are_few_and_reused(pool, hold):
    with hold(HELPERS):
        running = helpers()
        with ThreadPoolExecutor(8) as threads:
            answers = [threads.submit(call, pool, os.getpid) for _ in range(16)]
            assert helpers() == running, "those who come now wait"
            hold.release()
    assert {answer.result() for answer in answers} <= running
    assert {call(pool, os.getpid) for _ in range(10)} <= running == helpers()


def test_helper_has_the_priority_of_the_web_process(pool):
    assert os.getpriority(os.PRIO_PROCESS, call(pool, os.getpid)) == os.getpriority(
        os.PRIO_PROCESS, 0
    )
    assert not solvers()


def test_helper_survives_a_call_that_fails(pool):
    with pytest.raises(ZeroDivisionError) as failure:
        call(pool, divmod, 1, 0)
    assert "Traceback" in failure.value.__notes__[0], "where it was raised"
    with pytest.raises((AttributeError, pickle.PicklingError)):
        call(pool, lambda: 1)
    with pytest.raises(TypeError, match="retry_after"):
        call(pool, Busy, "an exception that cannot be read back", 1)
    assert call(pool, abs, -1) == 1


def test_call_over_its_timeout_is_stopped(pool, hold):
    with hold(HELPERS):
        before = helpers()
    with pytest.raises(Busy, match="All solvers are busy") as busy:
        call(pool, time.sleep, 60, timeout=0.2)
    assert busy.value.retry_after > 0
    assert until(lambda: len(before & helpers()) < len(before)) is True
    assert call(pool, abs, -1) == 1


def test_call_that_waits_too_long_is_never_started(pool, hold, tmp_path):
    with hold(HELPERS), pytest.raises(Busy):
        call(pool, os.mkdir, str(tmp_path / "made"), timeout=0.2)
    assert [call(pool, abs, -1) for _ in range(HELPERS)] == [1] * HELPERS
    assert not (tmp_path / "made").exists()


def test_lost_helper_is_replaced(pool):
    with pytest.raises(Busy):
        call(pool, signal.raise_signal, signal.SIGKILL)
    assert [call(pool, abs, -1) for _ in range(2 * HELPERS)] == [1] * 2 * HELPERS


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


def test_helpers_end_in_mid_call_with_the_server(tmp_path):
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
