"""The connections of the web server: none holds a thread while it sends, waits or reads slowly.

waitress reads heads and bodies, and writes answers, in one thread for all connections; a thread of
its pool is taken for a complete request alone. This module adds timeouts for each phase and limits
of connections. A request that two servers could read differently is refused.
"""

import re
import select
import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import wait
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from werkzeug.sansio.utils import host_is_trusted

from .requests import UPLOAD_BYTES
from .visitor import network_of

IDLE_SECONDS = 30
"""How long a connection may be silent between requests; browsers open another when they need it."""

HEAD_SECONDS = 10
"""How long the head of a request may take, which fits into some packets."""

BODY_SECONDS = 30
"""How long a body may take: `BODY_BYTES` at 5 kB a second, an upload at 100 kB."""

DISCARD_SECONDS = 30
"""How long the rest of a refused request is read, so that its client can read the answer."""

DISCARD_BYTES = 64_000_000
"""How much of it is read."""

STALL_SECONDS = 30
"""Timeout of a client that reads nothing of its response."""

ANSWER_SECONDS = 300
"""How long it may take to read all of it, though it takes something now and then."""

LINE_BYTES = 8190
"""The longest first line of a request; the links on the pages keep to it."""

HEAD_BYTES = 32 * 1024
"""The longest head: such a line and a game's cookie, with room."""

BODY_BYTES = 160 * 1024
"""Maximum length of a body, except `UPLOAD_BYTES`: a bit above the limit of the app."""

LONGEST_BYTES = max(BODY_BYTES, *UPLOAD_BYTES.values())
"""The longest body of all."""

UPLOADS_AT_ONCE = 20
"""The most bodies above `BODY_BYTES` at a time: together 64 MB, most of it in temporary files."""

CONNECTIONS = 800 if hasattr(select, "poll") else 400
"""The most connections. With a head and a body each they take 150 MB at the worst. Without poll(),
as on Windows, Python's select() takes 512 sockets."""

CONNECTIONS_OF_ADDRESS = CONNECTIONS // 2
"""The most of one address, behind which a class of 40 opens up to six each."""

PIPELINED = 4
"""The most requests that a connection sends ahead; browsers send none."""

LAST_BYTES_SECONDS = 0.3
"""How long readers have to take the rest of their answers when the server stops; those on the way
have taken it at once."""

ON_THE_WAY_SECONDS = 1
"""How long a server that drains waits for requests that are on their way at the least."""

CHECK_SECONDS = 1
"""How often the limits are checked."""


_FIRST_LINE = re.compile(rb"[^ ]+ [^ ]+( HTTP/[0-9]\.[0-9])?")
"""A first line that waitress reads in linear time. Its own expression takes 6 s to refuse
`GET a://111... x` of 8 kB."""

_MANY_SPACES = re.compile(rb"[ \t]{50}")
"""More than a header needs. The expressions of waitress and Werkzeug take quadratic time for
spaces, 4 s for 32 kB."""


class Head(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """Reads a request. The app answers one whose body is too long, which is not read."""

    path = ""  # waitress logs it for closed connections, even before a head

    unread = False
    """Whether some of the request may follow that nobody reads."""

    @property
    def is_upload(self) -> bool:
        """Return whether the body is longer than most may be."""
        return bool(self.content_length > BODY_BYTES)

    def received(self, data: bytes) -> int:
        """Read some bytes of a request; return how many."""
        taken: int = super().received(data)
        if self._is_too_long():
            self._refuse_body()
            taken = len(data)
        if self.completed:
            self.expect_continue = False  # waitress would wait for a body
            self.unread = self.unread or self.error is not None
        return taken

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head of a request."""
        first, *fields = header_plus.removesuffix(b"\r\n\r\n").split(b"\r\n")
        if first[LINE_BYTES:]:
            raise ParsingError(f"The address is longer than {LINE_BYTES} bytes. Use a shorter one.")
        if not _FIRST_LINE.fullmatch(first.rstrip()):
            raise ParsingError("The first line is no request. Send one, such as GET / HTTP/1.1.")
        _check_fields(first.rstrip().endswith(b"HTTP/1.1"), fields)
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # an address or a number that Python does not read
            raise ParsingError("The head of the request cannot be read. Correct it.") from error
        host = self.headers.get("HOST", "")
        if self.proxy_netloc.lower() not in ("", host.lower()):
            raise ParsingError("The address names another host than the header Host. Name one.")

    def _is_too_long(self) -> bool:
        if self.chunked:  # browsers send uploads with their length
            return bool(self.body_bytes_received > BODY_BYTES)
        return bool(self.content_length > UPLOAD_BYTES.get(self.path, BODY_BYTES))

    def _refuse_body(self) -> None:
        """Have the app answer, which refuses by the length that it sees."""
        self.error = None
        self.completed = self.unread = True
        self.headers["CONTENT_LENGTH"] = str(max(self.content_length, LONGEST_BYTES + 1))
        self.headers["CONNECTION"] = "close"


def _check_fields(is_newest: bool, fields: list[bytes]) -> None:
    """Refuse headers that a proxy could read in another way (RFC 9112); `is_newest` is whether
    the request is of HTTP/1.1."""
    if any(field[:1] in (b" ", b"\t") for field in fields):
        raise ParsingError("A header goes on in a second line. Send it in one line.")
    if any(map(_MANY_SPACES.search, fields)):
        raise ParsingError("A header has many spaces in a row. Send one.")
    values: dict[bytes, list[bytes]] = {}
    for field in fields:
        name, _, value = field.partition(b":")
        values.setdefault(name.lower(), []).append(value.strip())
    if len(values.get(b"host", ())) != 1 and (is_newest or b"host" in values):
        raise ParsingError("Send the header Host once.")
    host = values.get(b"host", [b""])[0].decode("latin-1")
    if host and not host_is_trusted(host.replace("_", "-")):  # names of containers have it
        raise ParsingError("The header Host is no name of a host. Send one, such as example.org.")
    encodings, lengths = values.get(b"transfer-encoding", []), values.get(b"content-length", [])
    if len(encodings) + len(lengths) > 1:
        raise ParsingError("Send Content-Length or Transfer-Encoding, and only once.")
    if encodings and (not is_newest or not encodings[0] or b"," in encodings[0]):
        raise ParsingError("Send Transfer-Encoding: chunked with HTTP/1.1, or Content-Length.")


class Connection(HTTPChannel):  # type: ignore[misc]  # the same
    """One connection with its state and the time of its last change."""

    parser_class = Head

    close_when_flushed: bool  # waitress's

    discarding = False
    """Whether the answer is sent, and further input is discarded."""

    _unread = False

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.since = self._writing_since = time.monotonic()
        self.network = network_of(self.addr[0])
        self._waits_for: object = None
        self._discarded = 0

    @property
    def uploading(self) -> bool:
        """Return whether a body comes that is longer than most may be."""
        return self.request is not None and self.request.is_upload

    @property
    def spare(self) -> bool:
        """Return whether it may be closed to make room: no answer is made or sent."""
        return not self.requests and not self.total_outbufs_len

    @property
    def idle(self) -> bool:
        """Return whether nothing of a request has come either."""
        return self.spare and self.request is None and not self.discarding

    def is_overdue(self, now: float) -> bool:
        """Return whether the current phase exceeds its timeout; called every second."""
        allowed, waits_for = self._wait()
        if waits_for != self._waits_for:
            self._waits_for, self.since = waits_for, now
        if not self.total_outbufs_len:
            self._writing_since = now
        return now - self.since > allowed or now - self._writing_since > ANSWER_SECONDS

    def received(self, data: bytes) -> bool:
        """Read some bytes; close a connection that pipelines too many requests."""
        if self.discarding:
            self._discarded += len(data)
            if self._discarded > DISCARD_BYTES:
                self.handle_close()
            return False
        uploading = self.uploading
        taken: bool = super().received(data)
        if len(self.requests) > PIPELINED:
            self.will_close = True
        if self.uploading and not uploading:
            self.server.limit_uploads()
        return taken

    def service(self) -> None:
        """Answer a request; a draining server closes the connection afterwards."""
        request = self.requests[0]
        if self.server.draining:
            request.headers["CONNECTION"] = "close"
        self._unread = request.unread
        super().service()

    def handle_write(self) -> None:
        """Send some of the output. After an answer to a request that was not read to its end, the
        rest is discarded: closing at once would take the answer from the client (RFC 9112, 9.6).
        """
        closing = self.close_when_flushed and self._unread
        if closing:
            self.close_when_flushed = False  # or waitress closes
        super().handle_write()
        if closing and self.connected:
            self.close_when_flushed = bool(self.total_outbufs_len)
            if not self.close_when_flushed:
                self.discarding = True
                with suppress(OSError):
                    self.socket.shutdown(socket.SHUT_WR)

    def _wait(self) -> tuple[float, object]:
        """Return the timeout of the current phase, and its identity."""
        if self.total_outbufs_len:
            return STALL_SECONDS, ("reader", self.last_activity)
        if self.requests:
            return float("inf"), "answer"
        if self.discarding:
            return DISCARD_SECONDS, "end"
        if self.request is None:
            return IDLE_SECONDS, ("request", self.last_activity)
        if not self.request.headers_finished:
            return HEAD_SECONDS, ("head", self.request)
        return BODY_SECONDS, ("body", self.request)


class WebServer(TcpWSGIServer):  # type: ignore[misc]  # the same
    """Serves `app` at a socket that listens, in `threads` threads.

    With too many connections, the one idle longest is closed.
    """

    channel_class = Connection

    draining = False
    """Whether it refuses connections and finishes the open ones."""

    def __init__(self, app: Flask, listener: socket.socket, threads: int, proxies: int) -> None:
        address = listener.getsockname()
        super().__init__(
            app,
            _sock=listener,
            sockinfo=(listener.family, listener.type, listener.proto, address),
            bind_socket=False,
            threads=threads,
            server_name=address[0],
            ident="Slidewise",
            asyncore_use_poll=hasattr(select, "poll"),
            # ours are below; nothing is to keep the server from accepting
            connection_limit=1_000_000,
            max_request_header_size=HEAD_BYTES,
            max_request_body_size=LONGEST_BYTES + 1,  # `Head` has the limits
            clear_untrusted_proxy_headers=not proxies,
            log_socket_errors=False,
        )
        # all that a proxy passes on comes from its own address
        self._of_address = CONNECTIONS if proxies else CONNECTIONS_OF_ADDRESS
        self._next_check = 0.0

    def run_until(
        self, stopping: Callable[[], bool], sign_of_life: Callable[[], object] = bool
    ) -> None:
        """Serve until it is `stopping` and a `wake_up` follows. In each turn of the loop, every
        second at least, there is a `sign_of_life`."""
        while not stopping():
            self._turn()
            sign_of_life()

    def drain(self, seconds: float, at_once: Callable[[], bool]) -> None:
        """Refuse connections and answer the open ones, for `seconds` or until `at_once()` and a
        `wake_up`."""
        self.draining = True
        self._refuse_connections()
        began = time.monotonic()
        self._turn_while(
            lambda: (
                not at_once() and (self._waiting() or time.monotonic() < began + ON_THE_WAY_SECONDS)
            ),
            seconds,
        )

    def stop(self, close: Callable[[], None], seconds: float) -> None:
        """Refuse connections, `close` long-running work, and finish requests within `seconds`."""
        self.accepting = False
        close()
        self._turn_while(self._answering, seconds)
        self._turn_while(self._sending, LAST_BYTES_SECONDS)
        for connection in list(self.active_channels.values()):
            connection.handle_close()
        wasyncore.close_all(self._map)

    def wake_up(self) -> None:
        """Have the loop look around; safe in signal handlers and from other threads."""
        with suppress(OSError):  # it has ended meanwhile
            self.pull_trigger()

    def readable(self) -> bool:
        """Return whether to accept connections."""
        return bool(self.accepting)

    def close_overdue(self) -> None:
        """Close the connections that take too long."""
        now = time.monotonic()
        for connection in list(self.active_channels.values()):
            if connection.is_overdue(now):
                connection.handle_close()

    def handle_accept(self) -> None:
        """Take a connection, and close others over the limit."""
        super().handle_accept()
        of_address = Counter(one.network for one in self.active_channels.values())
        if not of_address:
            return
        network, most = of_address.most_common(1)[0]
        if most > self._of_address or of_address.total() > CONNECTIONS:
            self._make_room(network)

    def limit_uploads(self) -> None:
        """Over the limit of uploads, close the oldest of the address with most."""
        uploads = [one for one in self.active_channels.values() if one.uploading]
        if len(uploads) > UPLOADS_AT_ONCE:
            ((network, _),) = Counter(one.network for one in uploads).most_common(1)
            ours = [one for one in uploads if one.network == network]
            min(ours, key=lambda one: one.since).handle_close()

    def _make_room(self, network: str) -> None:
        """Close the connection of a network that has been idle longest, or else its newest."""
        ours = [one for one in self.active_channels.values() if one.network == network]
        spare = [one for one in ours if one.spare]
        one = min(spare, key=lambda one: one.since) if spare else ours[-1]
        one.handle_close()

    def _refuse_connections(self) -> None:
        """Take the connections that wait to be accepted, and have the system refuse others."""
        for _ in range(CONNECTIONS):
            if not wait([self.socket], 0):
                break
            self.handle_accept()
        wasyncore.dispatcher.close(self)  # its own would have the loop wake up no more

    def _waiting(self) -> bool:
        self.close_overdue()
        return not all(one.idle for one in self.active_channels.values())

    def _answering(self) -> bool:
        return any(one.requests for one in self.active_channels.values())

    def _sending(self) -> bool:
        return not all(one.spare for one in self.active_channels.values())

    def _turn_while(self, condition: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while condition() and time.monotonic() < deadline:
            self._turn(min(deadline - time.monotonic(), CHECK_SECONDS))

    def _turn(self, timeout: float = CHECK_SECONDS) -> None:
        """Close overdue connections, then read, write and accept on sockets that are ready.

        One that is closed after the loop has listed its sockets would still be polled, and the
        error of its number would close a connection accepted in this turn with the same number.
        """
        if time.monotonic() >= self._next_check:
            self._next_check = time.monotonic() + CHECK_SECONDS
            self.close_overdue()
        wasyncore.loop(timeout=max(0.0, timeout), use_poll=True, map=self._map, count=1)
