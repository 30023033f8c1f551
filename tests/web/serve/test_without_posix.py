"""The server and the command without the modules and calls that Windows lacks.

`sitecustomize` hides them from every process, except those that Python's own library needs here.
Paths, consoles and open files stay as they are on this machine.
"""

import os
import signal
import subprocess
import sys
from multiprocessing import active_children, get_context

import pytest

from slidewise.course.judge import exercises
from tests.boards import HARDEST
from tests.boards import TWO_MOVES as CODE
from tests.web.processes import NEEDS_PROC, below
from tests.web.served import ROOT, Server, kill_at_the_end
from tests.web.streams import HTMX, PATIENCE, until
from webapp.workers import Busy
from webapp.workers.helpers import LocalCallPool
from webapp.workers.solvers import CallQueue

HIDING = """
import multiprocessing, multiprocessing.context, os, select, signal, sys

for name in "fcntl grp pty pwd readline resource syslog termios tty".split():
    sys.modules[name] = None
for module, names in {
    os: "fork forkpty getpgid getpriority killpg mkfifo nice pidfd_open "
    "register_at_fork sched_getaffinity setpgid setpriority setsid statvfs",
    select: "epoll poll",
    signal: "SIGALRM SIGHUP SIGPIPE SIGQUIT SIGTTIN SIGTTOU SIGUSR1 SIGUSR2 SIGXCPU alarm "
    "pthread_kill pthread_sigmask setitimer siginterrupt sigwait",
    multiprocessing.context: "ForkContext ForkProcess ForkServerContext ForkServerProcess",
}.items():
    for name in names.split():
        vars(module).pop(name, None)
spawn = multiprocessing.get_context("spawn")
multiprocessing.context._default_context._actual_context = spawn
multiprocessing.context._concrete_contexts = {"spawn": spawn}
multiprocessing.get_all_start_methods = lambda: ["spawn"]
"""


@pytest.fixture
def settings(tmp_path):
    """Return the environment of processes without POSIX."""
    (tmp_path / "hiding").mkdir()
    (tmp_path / "hiding" / "sitecustomize.py").write_text(HIDING)
    return {"PYTHONPATH": f"{tmp_path / 'hiding'}{os.pathsep}{ROOT}"}


@pytest.fixture
def run(settings):
    """Return a function that runs Python to its end."""

    def run(*argv, **more):
        return subprocess.run(
            [sys.executable, *argv],
            cwd=ROOT,
            env={**os.environ, **settings, **more},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


WORKS = """
for line in (
    "import fcntl",
    "from os import fork",
    "from signal import pthread_sigmask",
    "from multiprocessing import get_context; get_context('fork')",
):
    try:
        exec(line)
    except (ImportError, ValueError):
        continue
    print(line)
import numba, socket, subprocess
"""


def test_posix_is_hidden(run):
    done = run("-c", WORKS)
    assert (done.stdout, done.stderr) == ("", "")


@NEEDS_PROC
def test_server_without_posix_plays_solves_and_stops(tmp_path, settings):
    server = Server(tmp_path, **settings)  # solves a board
    with kill_at_the_end(server.process):
        moved = server.post(f"/play/{CODE}/slide", "tile=5", HTMX)
        assert 'data-board="1.2.3-4.5.6-7.0.8"' in moved.text
        assert "with help" in server.post(f"/play/{CODE}/hint", headers=HTMX).text
        solved = server.post(f"/play/{HARDEST}/solve", "algorithm=astar&heuristic=manhattan", HTMX)
        assert "31 moves" in solved.text
        assert below(server.process.pid)  # helpers that were spawned
        assert server.stop(signal.SIGINT) == 0
        assert "Traceback" not in server.log


def test_commands_without_posix_solve_and_grade(run, tmp_path):
    (tmp_path / "bfs.py").write_text(exercises()["bfs"].solution)
    assert run("-m", "slidewise", "solve", CODE).returncode == 0
    graded = run("-m", "slidewise", "grade", str(tmp_path / "bfs.py"))
    assert (graded.returncode, "Traceback" in graded.stderr) == (0, False)


@pytest.mark.parametrize(
    ("argv", "settings_", "message"),
    [
        (["worker"], {}, "slidewise worker forks its processes, which Windows does not"),
        (["serve"], {"SLIDEWISE_PROOFS": "proofs"}, "SLIDEWISE_PROOFS needs file locks"),
    ],
)
def test_command_that_needs_posix_exits_with_2(run, argv, settings_, message):
    done = run("-m", "slidewise", *argv, **settings_)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_helper_that_loads_too_slowly_answers_the_next_call():
    before = set(active_children())
    pool = LocalCallPool(get_context("spawn"))
    try:
        with pytest.raises(Busy):
            pool.submit(CallQueue.HINT, os.getpid, timeout=0.001).result(PATIENCE)
        (helper,) = set(active_children()) - before
        assert pool.submit(CallQueue.HINT, os.getpid, timeout=PATIENCE).result() == helper.pid
    finally:
        pool.close()
        assert until(lambda: not set(active_children()) - before) is True
