"""The site as on a server: nginx with the files of `deploy/`, two web processes, a worker and
Redis.

Only values of the machine are replaced: names, ports, certificates, logs.
"""

import contextlib
import http.client
import itertools
import os
import re
import secrets
import signal
import socket
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.browser.server import Server, free_port, serving
from tests.system_programs import program
from tests.web.processes import below, send
from tests.web.redis_server import RedisServer
from tests.web.served import Answer
from tests.web.streams import PATIENCE, until

DEPLOY = Path(__file__).parents[2] / "deploy"

NGINX = """\
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log notice;
events {{ worker_connections 512; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    access_log off;
    gzip on; # as Debian has it
    include {folder}/upstream.conf;
    include {folder}/site.conf;
}}
"""
"""Main configuration around the site, as in the distribution's /etc/nginx/nginx.conf."""

HOST = "localhost"


@dataclass(frozen=True)
class Site:
    """A running site: its ports, log folder, processes and their settings."""

    port: int
    http_port: int
    folder: Path
    settings: Mapping[str, str]
    web: list[Server] = field(default_factory=list)
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Return the address of the app, without a trailing slash."""
        return f"https://{HOST}:{self.port}/slidewise"

    @property
    def log(self) -> str:
        """Return nginx's request log."""
        return (self.folder / "slidewise.log").read_text()

    def start_worker(self) -> None:
        """Start a worker, initially or after the last one was killed."""
        with (self.folder / "worker.log").open("ab") as log:
            worker = subprocess.Popen(
                [sys.executable, "-m", "webapp", "worker"],
                cwd=DEPLOY.parent,
                env={**os.environ, **self.settings},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.workers.append(worker)

    def wait_for_worker(self) -> None:
        """Wait until the newest worker runs searches."""
        log = self.folder / "worker.log"
        assert until(lambda: log.read_text().count("at a time") == len(self.workers)), (
            log.read_text()
        )

    def kill_worker(self) -> None:
        """Kill the newest worker and all processes that it has started."""
        os.killpg(self.workers[-1].pid, signal.SIGKILL)
        self.workers[-1].wait()

    def streams(self, number: int) -> int:
        """Return the number of open streams of a web process."""
        with urllib.request.urlopen(f"{self.web[number].url}/metrics", timeout=PATIENCE) as answer:
            found = re.search(
                r"^slidewise_streams_open (\d+)", answer.read().decode(), re.MULTILINE
            )
        assert found
        return int(found[1])

    def kill_web_process(self, number: int) -> None:
        """Kill a web process and its supervisor."""
        process = self.web[number].process
        send(signal.SIGKILL, {process.pid, *below(process.pid)})
        process.wait()

    def fetch(
        self, path: str, method: str = "GET", body: str = "", headers: Mapping[str, str] = {}
    ) -> Answer:
        """Return the answer to a request through nginx. `path` is below /slidewise."""
        with self.open(f"/slidewise{path}", method, body, headers) as response:
            return Answer(response.status, response.headers, response.read().decode())

    @contextmanager
    def open(
        self, path: str, method: str = "GET", body: str = "", headers: Mapping[str, str] = {}
    ) -> Iterator[http.client.HTTPResponse]:
        """Send a request through nginx and yield its response for incremental reading."""
        trusting = ssl.create_default_context(cafile=self.folder / "fullchain.pem")
        connection = http.client.HTTPSConnection(
            HOST, self.port, timeout=PATIENCE, context=trusting
        )
        form = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        with contextlib.closing(connection):
            connection.request(method, path, body, {**form, **headers})
            with connection.getresponse() as response:
                yield response


@contextmanager
def running(folder: Path, **others: str) -> Iterator[Site]:
    """Run a whole site. The test is skipped if nginx or Redis is missing."""
    program("nginx")
    redis = RedisServer()
    settings = {
        "SLIDEWISE_REDIS": redis.url,
        "SLIDEWISE_SECRET_KEY": secrets.token_hex(),
        "SLIDEWISE_SECURE_COOKIES": "yes",
        "SLIDEWISE_HOSTS": f"{HOST},127.0.0.1",
        "SLIDEWISE_SOLVERS": "2",  # one for a search whose web process crashed, for half a minute
        "SLIDEWISE_METRICS": "yes",
        **others,
    }
    site = Site(free_port(), free_port(), folder, settings)
    with contextlib.closing(redis), contextlib.ExitStack() as stack:
        stack.callback(_end_workers, site)
        site.start_worker()
        for number in range(2):
            server = serving(folder / f"web{number}.log", **site.settings)
            site.web.append(stack.enter_context(server))
        ports = [int(server.url.rpartition(":")[2]) for server in site.web]
        stack.enter_context(behind_nginx(site, ports))
        yield site


@contextmanager
def behind_nginx(site: Site, ports: list[int], text: str = "") -> Iterator[None]:
    """Run nginx before web processes, with another `text` of the site if given."""
    make_certificate(site.folder)
    text = text or (DEPLOY / "nginx.conf").read_text().replace("slidewise.example", HOST)
    configuration = write_configuration(text, site.folder, site.port, site.http_port, ports)
    with _nginx(program("nginx"), configuration):
        assert until(lambda: _listens(site)), (site.folder / "nginx.log").read_text()
        yield


def _end_workers(site: Site) -> None:
    for worker in site.workers:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()


def write_configuration(text: str, folder: Path, port: int, http_port: int, web: list[int]) -> Path:
    """Write the site's `text` and the upstream with this machine's values.

    Return nginx's main file.
    """
    values = {
        "    listen [::]:80;\n": "",
        "    listen [::]:443 ssl http2;\n": "",
        "listen 80;": f"listen 127.0.0.1:{http_port};",
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "https://$host$": f"https://$host:{port}$",
        f"/etc/letsencrypt/live/{HOST}": str(folder),
        "/var/log/nginx": str(folder),
        "/var/www/html": str(folder),
    }
    (folder / "site.conf").write_text(_fill_in(text, values))
    first, second = web
    values = {"# server": "server", "127.0.0.1:8001": f"127.0.0.1:{first}", ":8002": f":{second}"}
    upstream = (DEPLOY / "upstream.conf").read_text()
    (folder / "upstream.conf").write_text(_fill_in(upstream, values))
    user = "user root;" if os.geteuid() == 0 else ""  # the owner of the tests' folders
    main = folder / "nginx.conf"
    main.write_text(NGINX.format(folder=folder, user=user))
    return main


def make_certificate(folder: Path) -> None:
    """Make a self-signed certificate with certbot's file names."""
    options = {
        "-newkey": "ec",
        "-pkeyopt": "ec_paramgen_curve:prime256v1",
        "-days": "2",
        "-subj": f"/CN={HOST}",
        "-addext": f"subjectAltName=DNS:{HOST}",
        "-keyout": str(folder / "privkey.pem"),
        "-out": str(folder / "fullchain.pem"),
    }
    command = program("openssl"), "req", "-x509", "-nodes", *itertools.chain(*options.items())
    subprocess.run(command, check=True, capture_output=True)


def _fill_in(text: str, values: Mapping[str, str]) -> str:
    """Return a text with replaced values. Each value must occur in the text."""
    for name, value in values.items():
        assert name in text, f"there is no {name!r} in it"
        text = text.replace(name, value)
    return text


@contextmanager
def _nginx(path: str, configuration: Path) -> Iterator[None]:
    log = configuration.with_name("nginx.log")
    process = subprocess.Popen([path, "-e", str(log), "-c", str(configuration)])
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


def _listens(site: Site) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection((HOST, site.port)).close()
        return True
    return False
