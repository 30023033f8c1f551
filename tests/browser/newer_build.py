"""A site that is updated. A proxy before the server serves another version, with other URLs and
content. It can also hold answers to posts, or drop cookies."""

import contextlib
import http.client
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

VERSION = re.compile(rb"v-[0-9a-f]{12}")
NEWER = b"v-newer-build"
DROPPED = frozenset({"Content-Length", "Connection", "Date", "Server"})
FILES = re.compile(r"/static/(v-[^/]+)/")


class Site(ThreadingHTTPServer):
    """A site whose version can change."""

    daemon_threads = True
    is_newer = False
    is_down = False
    """Whether it answers nothing: an emulated loss of the network can miss a service worker."""
    refused = ""
    """A path that is unavailable, as if its server had just stopped."""
    drops_cookies = False
    holds_posts = False
    """Whether each answer to a post waits for an event of `held`."""

    def __init__(self, server: str) -> None:
        super().__init__(("127.0.0.1", 0), _Proxy)
        self.server = urlsplit(server).netloc
        self.known: dict[bytes, bytes] = {}
        self.held: list[threading.Event] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def newer(self, text: bytes) -> bytes:
        """Return the text or header value with the newer versions."""

        def name(found: re.Match[bytes]) -> bytes:
            return self.known.setdefault(found[0], b"%s-%d" % (NEWER, len(self.known)))

        return VERSION.sub(name, text)

    def older(self, path: str) -> str | None:
        """Return the server's path for a path of the newer version, or None."""
        found = FILES.match(path)
        if found is None:
            return path
        for old, new in self.known.items():
            if found[1] == new.decode():
                return path.replace(found[1], old.decode())
        return None


class _Proxy(BaseHTTPRequestHandler):
    server: Site
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer from the server, with the current version."""
        site = self.server
        if site.is_down:
            self.close_connection = True
            return
        path = site.older(self.path) if site.is_newer else self.path
        length = int(self.headers["Content-Length"] or 0)
        body = self.rfile.read(length) if length else None
        if path is None or self.path == site.refused:
            self.send_error(503 if path else 404)
            return
        connection = http.client.HTTPConnection(site.server, timeout=60)
        headers = {**self.headers, "Accept-Encoding": "identity"}
        connection.request(self.command, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if self.command == "POST" and site.holds_posts:
            site.held.append(threading.Event())
            site.held[-1].wait(60)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            if name not in (DROPPED | {"Set-Cookie"} if site.drops_cookies else DROPPED):
                text = value.encode()
                self.send_header(name, (site.newer(text) if site.is_newer else text).decode())
        content = site.newer(content) if site.is_newer else content
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with contextlib.suppress(OSError):  # the page has been left
            self.wfile.write(content)

    def do_POST(self) -> None:
        """Forward the request like a GET."""
        self.do_GET()

    def log_message(self, *args: object) -> None:
        """Log nothing."""


@contextmanager
def site_of(server: str) -> Iterator[Site]:
    """Run a site before a server, and stop it."""
    site = Site(server)
    thread = threading.Thread(target=site.serve_forever, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.shutdown()
        site.server_close()
        thread.join()
