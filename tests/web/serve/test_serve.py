"""The real server, started like a user starts it."""

import contextlib
import http.client
import json
import signal
import socket
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from slidewise.solver import warming
from tests.boards import TWO_MOVES as CODE
from tests.each import each, some
from tests.web import markup
from tests.web.processes import NEEDS_PROC, below, helpers, living, solvers
from tests.web.served import Server, kill_at_the_end
from tests.web.streams import HTMX, PATIENCE, until

pytestmark = NEEDS_PROC


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    logged = {"SLIDEWISE_LOG": "json", "SLIDEWISE_METRICS": "yes"}
    server = Server(tmp_path_factory.mktemp("server"), **logged)
    yield server
    everything = below(server.process.pid) | {server.process.pid}
    assert server.stop() == 0, server.log
    assert "Traceback" not in server.log
    assert all(json.loads(line) for line in server.log.splitlines()[1:]), "odd requests came too"
    assert until(lambda: not everything & set(living())) is True


def test_server_logs_its_url_and_serves_pages(server):
    assert f"http://127.0.0.1:{server.port}" in server.log
    response = server.get(f"/play/{CODE}")
    assert response.status == 200
    assert markup.board_of(markup.read(response.text)) == CODE
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert server.get("/static/js/play/view.js").status == 200


def test_request_is_logged_and_counted(server):
    answer = server.get("/custom")
    (line,) = (line for line in server.log.splitlines() if answer.headers["X-Request-ID"] in line)
    assert json.loads(line)["path"] == "/custom"
    metrics = server.get("/metrics").text
    assert 'slidewise_request_seconds_count{endpoint="pages.custom"}' in metrics
    assert "process_resident_memory_bytes" in metrics


def test_other_spelling_is_redirected_with_its_raw_query(server):
    for spelling in "1%2E2.3-4.0.6-7.5.8", "123406758", f"{CODE}_123456780":
        response = server.get(f"/play/{spelling}?a=%2F")
        assert response.status == 308
        assert response.headers["Location"] == f"/play/{CODE}?a=%2F"
    assert server.get(f"http://127.0.0.1:{server.port}/play/{CODE}").status == 200
    assert server.get(f"/play/{CODE}?moves=%55").status == 200


def test_too_long_url_is_refused(server):
    response = server.get("/custom?start=" + "1" * 10_000)
    assert response.status in {400, 414}


@each(
    "line",
    [
        *(b"GET //[/play/x HTTP/1.1", b"GET http://[/ HTTP/1.1", b"GET * HTTP/1.1", b"GET"),
        *(b"GET /play/%00 HTTP/1.1", b"GET /\xff HTTP/1.1", b"GET /play/\xff?\xff HTTP/1.1"),
        *(b"BREW / HTTP/1.1", b"\x00\x01\x02", b"GET / HTTP/9.9"),
    ],
)
def test_odd_requests_break_nothing(server, line):
    answer = server.send(line + b"\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert not answer.startswith(b"HTTP/1.1 5") or b" 505 " in answer or b" 501 " in answer
    assert server.get("/custom").status == 200


def test_stream_is_not_buffered_and_a_closed_tab_ends_it(server):
    assert until(lambda: not solvers(server.process.pid)), "the next search takes an idle worker"
    with server.stream() as stream:
        assert stream.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        worker = solvers(server.process.pid)
        assert len(worker) == 1
    assert until(lambda: not worker & set(living())) is True


def test_search_of_a_stalled_reader_ends_at_its_time_limit(server):
    with server.stream("algorithm=bfs&seconds=3"):  # the rest is never read
        worker = solvers(server.process.pid)
        assert worker
        assert server.post(f"/play/{CODE}/slide", "tile=5", HTMX).status == 200
        assert until(lambda: server.post(f"/play/{CODE}/solve").status == 303)
        assert until(lambda: not worker & set(living())) is True


def has_ipv6():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    "number", some([signal.SIGTERM, signal.SIGINT], 0), ids=["terminate", "Ctrl-C"]
)
def test_stop_answers_all_requests_and_leaves_no_process(tmp_path, number):
    server = Server(tmp_path)
    with (
        kill_at_the_end(server.process),
        ThreadPoolExecutor() as threads,
        server.stream() as stream,
    ):
        helpers_before = helpers(server.process.pid)
        drawing = threads.submit(server.get, "/new?size=4x4&moves=69&seed=1")
        assert until(lambda: helpers(server.process.pid) - helpers_before)
        everything = below(server.process.pid) | {server.process.pid}
        assert solvers(server.process.pid)
        assert server.stop(number) == 0, server.log
        rest = stream.read()
        assert b"Stopped because the server is about to restart" in rest or b"Stopped." in rest, (
            "the stream was ended"
        )
        drawn = drawing.result()
        assert (drawn.status, int(drawn.headers["Retry-After"]) > 0) == (503, True)
        assert "The server is about to restart. Try again" in drawn.text
        assert "Traceback" not in server.log
        assert "was lost" not in server.log
        assert until(lambda: not everything & set(living())) is True


def test_stop_drains_streams_and_second_signal_ends_them(tmp_path):
    host = "::1" if has_ipv6() else "127.0.0.1"
    command = "-m", "webapp", "serve", "--host", host, "--port"
    server = Server(tmp_path, command, host, SLIDEWISE_DRAIN_SECONDS="3600")
    shared = server.get(f"/play/{CODE}/share").text
    for text in server.log, shared:
        assert (f"http://[::1]:{server.port}" if has_ipv6() else host) in text
    keep_alive = http.client.HTTPConnection(host, server.port, timeout=PATIENCE)
    with (
        kill_at_the_end(server.process),
        contextlib.closing(keep_alive),
        server.stream() as long,
        server.stream("algorithm=bfs&seconds=1") as short,
    ):
        keep_alive.connect()
        server.process.terminate()
        assert until(lambda: refuses_connections(host, server.port)) is True
        keep_alive.request("GET", "/readyz")
        with keep_alive.getresponse() as answer:
            assert (answer.status, answer.headers["Connection"]) == (503, "close")
            assert b"the server is about to stop" in answer.read()
        assert b"Stopped after 1 s" in short.read()
        assert server.stop() == 0, server.log
        assert b"Stopped because the server is about to restart" in long.read()
        assert "was lost" not in server.log


def refuses_connections(*address):
    """Return whether new connections are refused."""
    try:
        socket.create_connection(address).close()
    except ConnectionRefusedError:
        return True
    return False


def test_stop_while_compiling_leaves_no_process_or_file(tmp_path):
    """A file in place of the cache makes the server compile for this run alone."""
    (tmp_path / "cache").write_text("")
    with ExitStack() as stack:
        temporary = stack.enter_context(tempfile.TemporaryDirectory())
        server = Server(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache"), TMPDIR=temporary)
        stack.enter_context(kill_at_the_end(server.process))
        assert until(lambda: list(Path(temporary).glob("slidewise-*/*.lock"))), "it compiles"
        answer = server.get("/readyz")
        assert (answer.status, int(answer.headers["Retry-After"]) > 0) == (503, True)
        everything = below(server.process.pid) | {server.process.pid}
        assert server.stop(signal.SIGINT) == 0, server.log
        assert "Traceback" not in server.log
        assert until(lambda: not everything & set(living())) is True
        assert not list(Path(temporary).glob("slidewise-*"))


@pytest.mark.soak
def test_new_machine_becomes_ready_while_searches_run(tmp_path):
    server = Server(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    with kill_at_the_end(server.process), ExitStack() as streams:
        assert server.get("/readyz").status == 503
        for _ in range(2):
            streams.enter_context(server.stream())
        assert until(lambda: server.get("/readyz").status == 200)
        first_words = {f"Only the first time: {warming.words(part)}" for part in warming.PARTS}
        assert any(words in server.log for words in first_words)
        assert server.log.endswith("All searches are ready\n")


def test_threads_of_the_web_process_share_one_heap(server):
    """glibc reserves 64 MB of address space for each heap of a thread, which the maps show."""
    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(lambda _: server.get("/gallery").status, range(50))) == {200}
    sizes = []
    for pid in {pid for pid, parent in living().items() if parent == server.process.pid}:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            if " ---p 00000000 00:00 0" in line:
                start, end = line.split()[0].split("-")
                sizes.append(int(end, 16) - int(start, 16))
    assert sizes
    assert max(sizes) < 32 * 2**20
