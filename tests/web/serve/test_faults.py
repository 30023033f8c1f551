"""Killed processes of the real server are replaced, and every game survives."""

import contextlib
import http.client
import signal
from functools import partial

import pytest

from tests.boards import TWO_MOVES as CODE
from tests.web import markup
from tests.web.processes import NEEDS_PROC, below, living, send, solvers
from tests.web.served import Server, kill_at_the_end
from tests.web.streams import HTMX, until

pytestmark = NEEDS_PROC


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    # searches of tabs closed a moment ago may still count
    server = Server(tmp_path_factory.mktemp("server"), SLIDEWISE_STREAMS_PER_VISITOR="9")
    _wait_for_idle_workers(server)
    yield server
    everything = below(server.process.pid) | {server.process.pid}
    assert server.stop() == 0, server.log
    assert "Traceback" not in server.log
    assert until(lambda: not everything & set(living())) is True


@pytest.fixture
def game(server):
    """Start a game, which is unchanged at the end, when a search is possible too."""
    answer = server.post(f"/play/{CODE}/slide", "tile=5", HTMX)
    cookies = "; ".join(set_.split(";")[0] for set_ in answer.headers.get_all("Set-Cookie"))
    yield
    page = markup.read(server.get(f"/play/{CODE}", {"Cookie": cookies}).text)
    assert markup.board_of(page) == "1.2.3-4.5.6-7.0.8"
    assert server.post(f"/play/{CODE}/solve").status == 303
    _wait_for_idle_workers(server)


def _wait_for_idle_workers(server):
    """Wait until the workers of earlier searches have ended, which are not to be killed."""
    assert until(lambda: not solvers(server.process.pid)) is True


@pytest.fixture
def logged(server):
    """Return the lines that a test has logged."""
    before = len(server.log)

    def lines():
        return server.log[before:].splitlines()

    return lines


kill = partial(send, signal.SIGKILL)
"""Kill processes; one that the server needed for a moment may have ended."""


def web_process(server):
    return {pid for pid, parent in living().items() if parent == server.process.pid}


def fork_server(server):
    """Return the process from which workers are forked."""
    parents = living()
    return {parents[pid] for pid in solvers(server.process.pid) & parents.keys()}


@pytest.mark.usefixtures("game")
def test_killed_forkserver_is_replaced(server, logged):
    with server.stream() as stream:
        before = fork_server(server)
        kill(before)
        assert until(lambda: any("forked from was lost" in line for line in logged()))
        assert stream.readline(), "a search that has begun goes on"
    with server.stream():
        assert not fork_server(server) & before


@pytest.mark.usefixtures("game")
def test_killed_web_process_is_replaced_and_its_workers_end(server, logged):
    before = web_process(server)
    with server.stream() as stream:
        workers = below(*before)
        kill(before)
        with contextlib.suppress(OSError, http.client.HTTPException):
            stream.read()
        assert server.get(f"/play/{CODE}").status == 200
        assert until(lambda: not workers & set(living())) is True
    assert web_process(server) - before
    assert sum("was lost" in line for line in logged()) == 1, logged()
    assert any("The web process was lost (killed by SIGKILL)" in line for line in logged())


IMPATIENT = """
import sys
from webapp.serve import serve
port = sys.argv[1]
serve("127.0.0.1", int(port), lambda: print(f":{port}", flush=True), hang_seconds=3.0)
"""


def test_hanging_process_is_replaced_and_a_killed_server_ends(tmp_path):
    server = Server(tmp_path, ("-c", IMPATIENT))
    with kill_at_the_end(server.process):
        before = web_process(server)
        send(signal.SIGSTOP, before)
        assert server.get(f"/play/{CODE}").status == 200
        assert not web_process(server) & before
        assert "The web process was lost (no sign of life for 3 seconds)" in server.log
        with server.stream():
            everything = below(server.process.pid) | {server.process.pid}
            kill(web_process(server) | {server.process.pid})
            server.process.wait()
            assert until(lambda: not everything & set(living())) is True
