"""The connections of the web server: none holds a thread while it sends, waits or reads slowly.

waitress reads heads and bodies, and writes answers, in one thread for all connections; only a
complete request takes a thread of its pool. This module adds timeouts for each phase and limits
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
"""Seconds that a connection may be silent between requests; browsers reconnect when needed."""

HEAD_SECONDS = 10
"""Timeout for reading the request head."""

BODY_SECONDS = 30
"""Timeout for reading a body: `BODY_BYTES` at 5 kB a second, an upload at 100 kB."""

DISCARD_SECONDS = 30
"""Seconds for reading the rest of a refused request, so that its client can read the answer."""

DISCARD_BYTES = 64_000_000
"""Bytes of that rest that are read."""

STALL_SECONDS = 30
"""Timeout of a client that reads nothing of its response."""

ANSWER_SECONDS = 300
"""Timeout for a whole response, for clients that read slowly."""

LINE_BYTES = 8190
"""Longest first line of a request; links on the pages keep to it."""

HEAD_BYTES = 32 * 1024
"""Longest head: the longest first line and a game's cookie, with room."""

BODY_BYTES = 160 * 1024
"""Longest body, except `UPLOAD_BYTES`: a bit above the limit of the app."""

LONGEST_BYTES = max(BODY_BYTES, *UPLOAD_BYTES.values())
"""Longest body at any path."""

UPLOADS_AT_ONCE = 20
"""Maximum of parallel bodies above `BODY_BYTES`: 64 MB, most of it in temporary files."""

CONNECTIONS = 800 if hasattr(select, "poll") else 400
"""Maximum of connections. Each with a head and a body, they take 150 MB. Without poll(), as on
Windows, Python's select() takes 512 sockets."""

CONNECTIONS_OF_ADDRESS = CONNECTIONS // 2
"""Maximum per address: a class of 40 behind it opens up to six connections each."""

PIPELINED = 4
"""Maximum of requests sent ahead on a connection; browsers send none."""

LAST_BYTES_SECONDS = 0.3
"""Seconds that slow readers have for the rest of their answers at a stop."""

ON_THE_WAY_SECONDS = 1
"""Minimum drain time in seconds, for requests in flight."""

CHECK_SECONDS = 1
"""Seconds between checks of the limits."""


_FIRST_LINE = re.compile(rb"[^ ]+ [^ ]+( HTTP/[0-9]\.[0-9])?")
"""First lines that waitress parses in linear time. Its own expression takes 6 s to refuse
`GET a://111... x` of 8 kB."""

_MANY_SPACES = re.compile(rb"[ \t]{50}")
"""More spaces than a header needs. The expressions of waitress and Werkzeug take quadratic time for
spaces, 4 s for 32 kB."""


class Head(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """Reads a request. If its body is too long, it is not read and the app answers."""

    path = ""  # waitress logs it for closed connections, even before a head

    unread = False
    """Whether the rest of the request may follow unread."""

    @property
    def is_upload(self) -> bool:
        """Return whether the body is longer than usual bodies may be."""
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
            raise ParsingError(
                "The first line is not a request. Send a request such as GET / HTTP/1.1."
            )
        _check_fields(first.rstrip().endswith(b"HTTP/1.1"), fields)
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # a URL or a number that Python cannot parse
            raise ParsingError("The head of the request cannot be read. Correct it.") from error
        host = self.headers.get("HOST", "")
        if self.proxy_netloc.lower() not in ("", host.lower()):
            raise ParsingError(
                "The address and the header Host name different hosts. Name one host."
            )

    def _is_too_long(self) -> bool:
        if self.chunked:  # browsers announce the length of uploads
            return bool(self.body_bytes_received > BODY_BYTES)
        return bool(self.content_length > UPLOAD_BYTES.get(self.path, BODY_BYTES))

    def _refuse_body(self) -> None:
        """Let the app answer, which refuses by the length in the header."""
        self.error = None
        self.completed = self.unread = True
        self.headers["CONTENT_LENGTH"] = str(max(self.content_length, LONGEST_BYTES + 1))
        self.headers["CONNECTION"] = "close"


def _check_fields(is_newest: bool, fields: list[bytes]) -> None:
    """Refuse headers that a proxy could read differently (RFC 9112); `is_newest` is HTTP/1.1."""
    if any(field[:1] in (b" ", b"\t") for field in fields):
        raise ParsingError("A header continues on a second line. Send it in one line.")
    if any(map(_MANY_SPACES.search, fields)):
        raise ParsingError("A header has many spaces in a row. Send one space.")
    values: dict[bytes, list[bytes]] = {}
    for field in fields:
        name, _, value = field.partition(b":")
        values.setdefault(name.lower(), []).append(value.strip())
    if len(values.get(b"host", ())) != 1 and (is_newest or b"host" in values):
        raise ParsingError("Send the header Host once.")
    host = values.get(b"host", [b""])[0].decode("latin-1")
    if host and not host_is_trusted(host.replace("_", "-")):  # names of containers may contain _
        raise ParsingError("The header Host is not a host name. Send a name such as example.org.")
    encodings, lengths = values.get(b"transfer-encoding", []), values.get(b"content-length", [])
    if len(encodings) + len(lengths) > 1:
        raise ParsingError("Send Content-Length or Transfer-Encoding, and only once.")
    if encodings and (not is_newest or not encodings[0] or b"," in encodings[0]):
        raise ParsingError("Send Transfer-Encoding: chunked with HTTP/1.1, or Content-Length.")


class Connection(HTTPChannel):  # type: ignore[misc]  # the same
    """A connection with its state and the time of its last change."""

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
        """Return whether a body arrives that is longer than usual bodies may be."""
        return self.request is not None and self.request.is_upload

    @property
    def spare(self) -> bool:
        """Return whether it may be closed to make room: no answer is being made or sent."""
        return not self.requests and not self.total_outbufs_len

    @property
    def idle(self) -> bool:
        """Return whether also nothing of a request has arrived."""
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
        """Send some of the output.

        After the answer to a half-read request the rest is discarded: closing at once would take
        the answer from the client (RFC 9112, 9.6).
        """
        closing = self.close_when_flushed and self._unread
        if closing:
            self.close_when_flushed = False  # otherwise waitress closes
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
    """Serves `app` at a listening socket, in `threads` threads.

    With too many connections, the longest idle connection is closed.
    """

    channel_class = Connection

    draining = False
    """Whether it refuses new connections and finishes the open connections."""

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
            # never reached: this class has its own limits, and the server must go on accepting
            connection_limit=1_000_000,
            max_request_header_size=HEAD_BYTES,
            max_request_body_size=LONGEST_BYTES + 1,  # `Head` has the limits
            clear_untrusted_proxy_headers=not proxies,
            log_socket_errors=False,
        )
        # behind a proxy all requests come from its address
        self._of_address = CONNECTIONS if proxies else CONNECTIONS_OF_ADDRESS
        self._next_check = 0.0

    def run_until(
        self, stopping: Callable[[], bool], sign_of_life: Callable[[], object] = bool
    ) -> None:
        """Serve until `stopping` and a `wake_up`; call `sign_of_life` at least every second."""
        while not stopping():
            self._turn()
            sign_of_life()

    def drain(self, seconds: float, at_once: Callable[[], bool]) -> None:
        """Refuse connections and answer open requests, for `seconds` or until `at_once()` and a
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
        """Wake the loop; safe in signal handlers and from other threads."""
        with suppress(OSError):  # the loop has ended meanwhile
            self.pull_trigger()

    def readable(self) -> bool:
        """Return whether to accept connections."""
        return bool(self.accepting)

    def close_overdue(self) -> None:
        """Close connections past their timeout."""
        now = time.monotonic()
        for connection in list(self.active_channels.values()):
            if connection.is_overdue(now):
                connection.handle_close()

    def handle_accept(self) -> None:
        """Accept a connection, and close another over the limit."""
        super().handle_accept()
        of_address = Counter(one.network for one in self.active_channels.values())
        if not of_address:
            return
        network, most = of_address.most_common(1)[0]
        if most > self._of_address or of_address.total() > CONNECTIONS:
            self._make_room(network)

    def limit_uploads(self) -> None:
        """Over the limit of uploads, close the oldest upload of the address with the most."""
        uploads = [one for one in self.active_channels.values() if one.uploading]
        if len(uploads) > UPLOADS_AT_ONCE:
            ((network, _),) = Counter(one.network for one in uploads).most_common(1)
            ours = [one for one in uploads if one.network == network]
            min(ours, key=lambda one: one.since).handle_close()

    def _make_room(self, network: str) -> None:
        """Close the longest idle connection of a network, otherwise its newest."""
        ours = [one for one in self.active_channels.values() if one.network == network]
        spare = [one for one in ours if one.spare]
        one = min(spare, key=lambda one: one.since) if spare else ours[-1]
        one.handle_close()

    def _refuse_connections(self) -> None:
        """Accept the waiting connections, and have the system refuse others."""
        for _ in range(CONNECTIONS):
            if not wait([self.socket], 0):
                break
            self.handle_accept()
        wasyncore.dispatcher.close(self)  # the method of waitress would also stop `wake_up`

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

        A connection closed after the loop has listed its sockets would still be polled. The error
        of its number would close a connection accepted in this turn with the same number.
        """
        if time.monotonic() >= self._next_check:
            self._next_check = time.monotonic() + CHECK_SECONDS
            self.close_overdue()
        wasyncore.loop(timeout=max(0.0, timeout), use_poll=True, map=self._map, count=1)
