"""Clients that hold the server up: none occupies a thread, and each is disconnected in time."""

import contextlib
import http.client
import socket
import statistics
import threading

import pytest

from benchmarks import hostile
from tests.web.processes import NEEDS_PROC
from tests.web.served import Server, kill_at_the_end, serving
from tests.web.streams import PATIENCE, until
from webapp.http import connections

CLIENTS = 20
LARGE = b"x" * 8_000_000


def app(environ, start_response):
    """Answer with SCRIPT_NAME, or with far more than buffers hold."""
    environ["wsgi.input"].read()
    if environ["PATH_INFO"] == "/stream":
        start_response("200 OK", [])
        return endless()
    body = LARGE if environ["PATH_INFO"] == "/large" else b"at " + environ["SCRIPT_NAME"].encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def endless():
    """Stream without end while a reader is connected."""
    try:
        while True:
            yield LARGE
    finally:
        ended.set()


ended = threading.Event()


@pytest.fixture
def server():
    """Return a server with two threads."""
    with serving(app) as server:
        yield server


@pytest.fixture
def clients(server):
    """Connect clients that send something and then wait, and close all at the end."""
    with contextlib.ExitStack() as stack:

        def make(count, sent):
            made = []
            for _ in range(count):
                client = socket.create_connection(("127.0.0.1", int(server.effective_port)))
                client.settimeout(PATIENCE)
                made.append(stack.enter_context(client))
                client.sendall(sent)
            return made

        yield make


def get(server, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", server.effective_port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request("GET", "/", headers=headers or {})
        return connection.getresponse().read()


def check_now(server):
    """Make the server check its timeouts now instead of every second."""
    server._next_check = 0.0
    server.wake_up()


HELD_UP = {
    "head": b"GET / HTTP/1.1\r\nHo",
    "body": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nti",
    "silence": b"",
    "reader": b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n",
}


@pytest.mark.parametrize("sent", HELD_UP.values(), ids=HELD_UP)
def test_waiting_clients_block_no_others_and_are_closed(server, clients, sent, monkeypatch):
    clients(CLIENTS, sent)
    assert until(lambda: len(server.active_channels) == CLIENTS)
    assert get(server) == b"at "
    assert len(server.active_channels) >= CLIENTS, "they are all still there"
    with monkeypatch.context() as impatient:
        for name in "IDLE_SECONDS", "HEAD_SECONDS", "BODY_SECONDS", "STALL_SECONDS":
            impatient.setattr(connections, name, 0.1)
        assert until(lambda: check_now(server) or not server.active_channels) is True
    assert get(server) == b"at "


def test_stream_of_a_stalled_reader_ends(server, clients, monkeypatch):
    ended.clear()
    (client,) = clients(1, b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
    assert client.recv(1000)
    assert get(server) == b"at ", "there is another thread"
    assert not ended.is_set()
    monkeypatch.setattr(connections, "STALL_SECONDS", 0.1)
    monkeypatch.setattr(connections, "CHECK_SECONDS", 0.1)
    server.wake_up()  # from then on it checks by itself
    assert ended.wait(PATIENCE)
    assert until(lambda: not server.active_channels) is True


def test_longest_idle_connection_is_closed_above_the_limit(server, clients, monkeypatch):
    monkeypatch.setattr(server, "_of_address", CLIENTS)
    first, *others = clients(CLIENTS, b"")
    assert get(server) == b"at "
    assert first.recv(1) == b"", "closed"
    assert until(lambda: len(server.active_channels) == len(others))


def test_limit_of_connections_counts_networks(server, clients, monkeypatch):
    networks = iter("abb")
    monkeypatch.setattr(connections, "network_of", lambda address: next(networks))
    monkeypatch.setattr(server, "_of_address", 1)

    def connect(open_before):
        assert until(lambda: len(server.active_channels) == open_before)
        return clients(1, b"")[0]

    _, of_b, _ = map(connect, range(3))
    assert of_b.recv(1) == b"", "closed"
    assert until(lambda: len(server.active_channels) == 2)
    assert {one.network for one in server.active_channels.values()} == {"a", "b"}


def test_client_that_pipelines_many_requests_is_disconnected(server, clients):
    (client,) = clients(1, b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n" * 50)
    with contextlib.suppress(OSError):
        while client.recv(1 << 20):
            pass
    assert until(lambda: not server.active_channels) is True


def test_headers_of_a_client_do_not_set_the_prefix(server):
    odd = {"SCRIPT_NAME": "/elsewhere", "Script-Name": "/elsewhere", "X-Forwarded-Prefix": "/x"}
    assert get(server, odd) == b"at "


@pytest.mark.soak
@NEEDS_PROC
@pytest.mark.parametrize("kind", hostile.kinds())
def test_clicks_are_answered_beside_each_kind_of_hostile_client(kind, tmp_path):
    served = Server(tmp_path)
    with kill_at_the_end(served.process):
        with hostile.hostile_clients(served.port, hostile.kinds()[kind]):
            times = hostile.clicks(hostile.SECONDS, lambda: hostile.click(served.port), 0.1)
        assert served.stop() == 0, served.log
    print(f"the slowest of {len(times)} clicks took {max(times):.3f} s")
    assert statistics.median(times) < 0.5  # the slowest depends on other load of the machine
