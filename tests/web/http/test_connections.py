"""Requests as raw bytes: an ambiguous one is refused, and a too long body is answered."""

import contextlib
import http.client
import socket

import pytest
from waitress.adjustments import Adjustments
from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from tests.boards import TWO_MOVES as CODE
from tests.expressions.growth import grows_too_fast
from tests.web.served import serving
from tests.web.streams import HTMX, PATIENCE, until
from webapp.course.lab.check import EXAMPLE, MAX_GIVEN_BYTES
from webapp.http import connections
from webapp.http.connections import BODY_BYTES, LONGEST_BYTES, Head, WebServer
from webapp.http.requests import UPLOAD_BYTES

GET = b"GET /healthz HTTP/1.1\r\n"
POST = b"POST /play/" + CODE.encode() + b"/slide HTTP/1.1\r\nHost: localhost\r\n"
HOST = b"Host: localhost\r\n"
CHUNK = b"6\r\ntile=5\r\n0\r\n\r\n"

REFUSED = {
    "two hosts": GET + HOST + b"Host: example.org\r\n\r\n",
    "the same host twice": GET + HOST + b"host: localhost\r\n\r\n",
    "no host": GET + b"\r\n",
    "two hosts in HTTP/1.0": b"GET /healthz HTTP/1.0\r\n" + HOST * 2 + b"\r\n",
    "two hosts in one header": GET + b"Host: localhost, example.org\r\n\r\n",
    "host with a user": GET + b"Host: someone@localhost\r\n\r\n",
    "host with a path": GET + b"Host: localhost/play\r\n\r\n",
    "address of another host": b"GET http://example.org/healthz HTTP/1.1\r\n" + HOST + b"\r\n",
    "folded encoding": POST + b"Transfer-Encoding:\r\n chunked\r\n\r\n" + CHUNK,
    "folded by a tab": POST + b"Transfer-Encoding: chunked\r\n\t, identity\r\n\r\n" + CHUNK,
    "folded header": GET + HOST + b"X-Anything: a\r\n b\r\n\r\n",
    "length beside encoding": POST
    + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n"
    + CHUNK,
    "encoding beside length": POST
    + b"Transfer-Encoding: chunked\r\ncontent-length: 6\r\n\r\n"
    + CHUNK,
    "two lengths": POST + b"Content-Length: 6\r\nContent-Length: 7\r\n\r\ntile=5",
    "one length twice": POST + b"Content-Length: 6\r\nContent-Length: 6\r\n\r\ntile=5",
    "two encodings": POST + b"Transfer-Encoding: chunked\r\n" * 2 + b"\r\n" + CHUNK,
    "chunked twice": POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n" + CHUNK,
    "empty encoding": POST + b"Transfer-Encoding:\r\n\r\n" + CHUNK,
    "encoding in HTTP/1.0": POST.replace(b"1.1", b"1.0")
    + b"Transfer-Encoding: chunked\r\n\r\n"
    + CHUNK,
    "signed length": POST + b"Content-Length: +6\r\n\r\ntile=5",
    "length of 5,000 digits": POST + b"Content-Length: " + b"1" * 5_000 + b"\r\n\r\n",
    "space before a colon": POST + b"Content-Length : 6\r\n\r\ntile=5",
    "half an address": b"GET http://[ HTTP/1.1\r\n" + HOST + b"\r\n",
    "expecting, with a length that is none": POST
    + b"Expect: 100-continue\r\nContent-Length: x\r\n\r\n",
}


@pytest.fixture(scope="module")
def server(app):
    """Return the app behind its own server."""
    with serving(app) as server:
        yield server


@contextlib.contextmanager
def connected(server):
    """Yield a connection to the server."""
    address = "127.0.0.1", int(server.effective_port)
    with socket.create_connection(address, timeout=PATIENCE) as client:
        yield client


def answer(client, method="POST"):
    """Read a response; return its status and its text."""
    response = http.client.HTTPResponse(client, method=method)
    response.begin()
    return response.status, response.read().decode()


@pytest.mark.parametrize("sent", REFUSED.values(), ids=REFUSED)
def test_ambiguous_request_is_400_and_the_last(server, sent):
    with connected(server) as client:
        client.sendall(sent + GET + HOST + b"\r\n")
        status, _ = answer(client)
        assert status == 400
        assert client.recv(1) == b"", "nothing after it is answered"


SLOW_HEADS = {
    "digits in an address": lambda n: b"GET a://" + b"1" * n + b" x\r\n" + HOST,
    "spaces before a value": lambda n: GET + HOST + b"X-A:" + b" " * n + b"x\r\n",
    "tabs in a value": lambda n: GET + HOST + b"Accept: a" + b"\t" * n + b"!\r\n",
}


@pytest.mark.parametrize("make", SLOW_HEADS.values(), ids=SLOW_HEADS)
def test_time_to_read_a_head_is_linear(make):
    def read(text):
        head = Head(Adjustments())
        head.received(text)
        assert head.completed
        parse_accept_header(head.headers.get("ACCEPT"), MIMEAccept)

    assert not grows_too_fast(read, lambda length: make(length) + b"\r\n")


@pytest.mark.parametrize("host", ["web_1:8000", "[::1]:8000", "Example.ORG.", ""])
def test_hosts_of_containers_and_addresses_are_answered(server, host):
    with connected(server) as client:
        client.sendall(GET + f"Host: {host}\r\n\r\n".encode())
        assert answer(client, "GET") == (200, "ok\n")


def test_chunked_body_is_read(server):
    with connected(server) as client:
        form = b"Content-Type: application/x-www-form-urlencoded\r\n"
        client.sendall(POST + form + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK)
        assert answer(client)[0] == 303


def test_get_that_expects_to_continue_is_answered(server):
    with connected(server) as client:
        for _ in range(2):  # the connection stays open
            client.sendall(GET + HOST + b"Expect: 100-continue\r\n\r\n")
            assert answer(client, "GET") == (200, "ok\n")


def test_post_that_expects_to_continue_sends_its_body_then(server):
    with connected(server) as client:
        form = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 6\r\n"
        client.sendall(POST + form + b"Expect: 100-continue\r\n\r\n")
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"tile=5")
        assert answer(client)[0] == 303


def test_too_long_body_that_expects_to_continue_is_413_unsent(server):
    with connected(server) as client:
        length = b"Content-Length: %d\r\n" % (BODY_BYTES + 1)
        client.sendall(POST + length + b"Expect: 100-continue\r\n\r\n")
        assert answer(client)[0] == 413


@pytest.mark.parametrize(
    ("path", "size"),
    [
        (f"/play/{CODE}/slide", 129 * 1024),
        (f"/play/{CODE}/undo", 20_000_000),
        ("/api/v1/solve", BODY_BYTES + 1),
    ],
)
def test_too_long_body_is_413_after_it_is_sent(server, path, size):
    connection = http.client.HTTPConnection("127.0.0.1", server.effective_port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request("POST", path, b"x" * size, HTMX)
        response = connection.getresponse()
        assert response.status == 413
        assert b"Send less" in response.read()


def test_too_long_chunked_body_is_413(server):
    with connected(server) as client:
        client.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(100):
            client.sendall(b"2000\r\n" + b"x" * 0x2000 + b"\r\n")
        client.sendall(b"0\r\n\r\n")
        status, text = answer(client)
        assert (status, "Too long" in text) == (413, True)


def test_file_of_1_mb_is_read_beside_a_text_of_1_mb(server):
    status, page = upload(
        server, b"hello\n" + b" " * (MAX_GIVEN_BYTES - 6), b"\r\n" * MAX_GIVEN_BYTES
    )
    assert (status, "Line 1: " in page) == (400, True)


def test_longer_file_is_413_with_the_limit(server):
    limit = f"{MAX_GIVEN_BYTES >> 20} MB"
    status, page = upload(server, b"1" * (MAX_GIVEN_BYTES + 1))
    assert (status, f"longer than {limit}" in page) == (413, True)
    status, page = upload(server, b"1" * LONGEST_BYTES)
    assert (status, f"up to {limit}" in page) == (413, True)


def upload(server, file, given=b""):
    """Send a file to Check my work like its form; return the status and the page."""
    fields = (
        b'"board"\r\n\r\n' + EXAMPLE.encode(),
        b'"given"\r\n\r\n' + given,
        b'"file"; filename="my.txt"\r\n\r\n' + file,
    )
    body = b"".join(b"--end\r\nContent-Disposition: form-data; name=%s\r\n" % one for one in fields)
    form = {"Content-Type": "multipart/form-data; boundary=end"}
    connection = http.client.HTTPConnection("127.0.0.1", server.effective_port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request("POST", "/lab/check", body + b"--end--\r\n", form)
        response = connection.getresponse()
        return response.status, response.read().decode()


def test_rest_of_a_refused_body_is_read_up_to_a_limit(server, monkeypatch):
    monkeypatch.setattr(connections, "DISCARD_BYTES", 1_000_000)
    with connected(server) as client:
        client.sendall(POST + b"Content-Length: 1000000000\r\n\r\n")
        assert answer(client)[0] == 413
        with pytest.raises(ConnectionError):
            client.sendall(b"x" * 50_000_000)


def test_client_of_a_refused_body_that_stays_is_closed(server, monkeypatch):
    with connected(server) as client:
        client.sendall(POST + b"Content-Length: 1000000000\r\n\r\n")
        assert answer(client)[0] == 413
        monkeypatch.setattr(connections, "DISCARD_SECONDS", 0)

        def closed():
            server._next_check = 0.0
            server.wake_up()
            return not server.active_channels

        assert until(closed)


def test_connection_that_replaces_an_idle_one_is_answered(app, monkeypatch):
    """The new connection reuses the number of the closed socket, whose events must not reach it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = WebServer(app, listener, threads=1, proxies=0)
        with connected(server):
            while not server.active_channels:
                server._turn()
            (idle,) = server.active_channels
            server._next_check = 0.0
            with connected(server) as client, monkeypatch.context() as settings:
                settings.setattr(connections, "IDLE_SECONDS", -1)
                server._turn()
                assert list(server.active_channels) == [idle], "the same number"
                client.sendall(GET + HOST + b"Connection: close\r\n\r\n")
                while server.active_channels:
                    server._turn()
                assert answer(client, "GET")[0] == 200
        server.stop(bool, 0)
        server.task_dispatcher.shutdown()


@pytest.mark.parametrize(("networks", "closed"), [("aaa", 0), ("abb", 1)])
def test_oldest_upload_of_the_largest_network_is_closed(server, monkeypatch, networks, closed):
    monkeypatch.setattr(connections, "UPLOADS_AT_ONCE", 2)
    names = iter(networks)
    monkeypatch.setattr(connections, "network_of", lambda address: next(names))
    head = b"POST /lab/check HTTP/1.1\r\nHost: localhost\r\n"
    head += b"Content-Length: %d\r\n\r\n" % UPLOAD_BYTES["/lab/check"]
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(connected(server)) for _ in range(3)]
        for count, client in enumerate(clients, 1):
            client.sendall(head[:40])  # a head in two parts counts once
            client.sendall(head[40:])
            assert until(lambda count=count: uploads(server) == min(count, 2))
        assert clients.pop(closed).recv(1) == b""
        for client in clients:
            client.setblocking(False)
            with pytest.raises(BlockingIOError):
                client.recv(1)


def uploads(server):
    return sum(one.uploading for one in list(server.active_channels.values()))
