"""The site as it is put on a server: nginx with the files of `deploy/`, before web processes.

The files are taken as they are, but for what is of the machine: names, ports, certificates, logs.
"""

from __future__ import annotations

import contextlib
import http.client
import itertools
import os
import secrets
import ssl
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.server import Server, free_port, serving
from tests.programs import program
from tests.web.served import Answer
from tests.web.streams import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
"""What stands around the site, as the distribution's /etc/nginx/nginx.conf does."""

HOST = "localhost"


@dataclass(frozen=True)
class Site:
    """A site that runs: its addresses, its web processes, the folder of its logs."""

    port: int
    http_port: int
    folder: Path
    web: list[Server]

    @property
    def url(self) -> str:
        """Return the address of the app, without a slash at the end."""
        return f"https://{HOST}:{self.port}/slidewise"

    @property
    def log(self) -> str:
        """Return what nginx wrote of requests."""
        return (self.folder / "slidewise.log").read_text()

    def ask(
        self, path: str, method: str = "GET", body: str = "", headers: Mapping[str, str] = {}
    ) -> Answer:
        """Return the answer to a request through nginx; `path` is below /slidewise."""
        with self.asked(f"/slidewise{path}", method, body, headers) as response:
            return Answer(response.status, response.headers, response.read().decode())

    @contextmanager
    def asked(
        self, path: str, method: str = "GET", body: str = "", headers: Mapping[str, str] = {}
    ) -> Iterator[http.client.HTTPResponse]:
        """Make a request through nginx and give its answer, to be read as it comes."""
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
def running(folder: Path, processes: int = 2, **settings: str) -> Iterator[Site]:
    """Run nginx before so many web processes that share a key."""
    nginx = program("nginx")
    make_certificate(folder)
    shared = {
        "SLIDEWISE_SECRET_KEY": secrets.token_hex(),
        "SLIDEWISE_SECURE_COOKIES": "yes",
        "SLIDEWISE_HOSTS": f"{HOST},127.0.0.1",
        **settings,
    }
    with contextlib.ExitStack() as stack:
        web = [
            stack.enter_context(serving(folder / f"web{n}.log", **shared)) for n in range(processes)
        ]
        ports = [int(server.url.rpartition(":")[2]) for server in web]
        site = Site(free_port(), free_port(), folder, web)
        text = (DEPLOY / "nginx.conf").read_text().replace("slidewise.example", HOST)
        configuration = write_configuration(text, folder, site.port, site.http_port, ports)
        stack.enter_context(_nginx(nginx, configuration))
        assert until(lambda: _listens(site)), (folder / "nginx.log").read_text()
        yield site


def write_configuration(text: str, folder: Path, port: int, http_port: int, web: list[int]) -> Path:
    """Write the `text` of a site, and the web processes, with what is of this machine; return
    nginx's main file."""
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
    user = "user root;" if os.geteuid() == 0 else ""  # whose the folders of tests are
    main = folder / "nginx.conf"
    main.write_text(NGINX.format(folder=folder, user=user))
    return main


def make_certificate(folder: Path) -> None:
    """Make a certificate that signs itself, called as certbot calls them."""
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
    """Return a text with other values, each of which must have a place in it."""
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
        return site.ask("/healthz").status == 200
    return False
