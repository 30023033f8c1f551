"""The site as plain files, for a host that only sends files (`slidewise static`).

The pages of the app have relative addresses, so the folder may lie below any path. Links
to pages that need the server are left out. The service worker answers for boards without a file: it
builds their pages from another board's page, as it does offline.
"""

import json
import os
import re
import secrets
import tempfile
import time
from collections import deque
from datetime import date, timedelta
from functools import partial
from html import escape, unescape
from itertools import product
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from flask import Flask, url_for
from werkzeug.exceptions import HTTPException

from slidewise import scramble
from slidewise.analysis.daily import FIRST_DAY
from slidewise.component import COMPONENT_FILE
from slidewise.puzzle.board import MAX_SIDE, MIN_SIDE

from . import create_app
from .http.routes import marked
from .http.security import META_POLICY
from .http.static import generated_files
from .parts import stored_pages
from .play import daily
from .play.new import all_boards
from .workers.shared import services_of

FIRST_PUZZLE = "/play/1.2.3-4.0.5-7.8.6"
"""Puzzle of the start page: two moves from the goal."""

MAX_NAME = 200
"""Longest name of a page's folder; file systems allow 255 bytes. Boards of 9 rows are longer."""

WAIT_SECONDS = 60.0
"""Longest wait of a request for another process."""

BUSY_SECONDS = 300.0
"""Seconds for which a busy page is requested again: the first requests on a machine compile."""

SCRIPT = "js/site/static_site.js"
"""Script that lets requests of pages fail at once."""

SHEET = "css/static_site.css"
"""Style sheet that hides the parts of pages that need the server."""

NO_SCRIPT = """\
<noscript><p class="notice">Boards, buttons and forms of this site need JavaScript. Without it you
  can read the pages.</p></noscript>
"""

NO_ANSWERS = """\
<noscript><p class="card">The question of this lesson needs JavaScript here, as no server marks
  the answer.</p></noscript>
"""

QUESTION = '<form class="card ask"'
"""Beginning of the question of a lesson, which its script marks."""

SUFFIX = ".html"

ALONE = "<li>", '<p class="small">'
"""Beginnings of elements that only hold a link."""

HOME = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta http-equiv="refresh" content="0; url={puzzle}/">
<title>Slidewise</title>
<p><a href="{puzzle}/">Play</a></p>
"""

RELATIVE = """\
const below = (path) => new URL(`.${path}`, location.href).pathname;
BUILD.files = BUILD.files.map(below);
for (const one of BUILD.later)
  Object.assign(one, { files: one.files.map(below), assets: one.assets.map(below) });
"""
"""Beginning of the service worker: only the browser knows the path of the folder."""

_LINK = re.compile(r'(?:·\s*)?<a\b[^>]*?\shref="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)
_ABOUT_URLS = re.compile(
    r'<(?:meta (?:property="og|name="twitter)|link rel="(?:canonical|alternate)")[^>]*>'
)
_TRACE = re.compile(r'(?<=data-watch=")/lab/[^"]*/trace[^"]*')
_ROOTED = re.compile(r'(\s[a-z-]+=")/(?!/)')
_ON_LOAD = re.compile(r'(?<=hx-trigger=")(?:load|revealed)\b[^",]*(, *)?')
_EMPTY_ITEM = re.compile(r"<li>\s*</li>\s*")


def write_site(folder: Path, days: int) -> int:
    """Write the site, with the daily puzzles of `days` to come; return the number of files."""
    with tempfile.TemporaryDirectory() as state:
        app = create_app(
            {
                "SECRET_KEY": secrets.token_hex(32),  # shared with no server
                "SECRET_KEY_FILE": "",
                "STATE": state,
                "REDIS": "",
                "METRICS": False,
                "CONTACT": "",
                "HOSTS": "",
                "VISITOR_SECONDS": 10**6,
                "CLICK_WAIT": WAIT_SECONDS,
                "SOLVE_WAIT": WAIT_SECONDS,
                "DAYS_AHEAD": days,
            }
        )
        try:
            return StaticSite(app, folder, days).write()
        finally:
            services_of(app).solvers.close()


class StaticSite:
    """The pages and files of an app, written to a folder."""

    def __init__(self, app: Flask, folder: Path, days: int) -> None:
        self._folder = folder
        self._client = app.test_client(use_cookies=False)
        self._urls = app.url_map.bind("localhost")
        self._marks = dict(marked(app))
        today = daily.today()
        self._first = max(today.replace(day=1), FIRST_DAY)
        self._last = today + timedelta(days)
        self._static = Path(app.static_folder or "")
        with app.test_request_context():
            self._versioned = url_for("versioned", filename="")
            self._assets = {
                url: read for pages in stored_pages() for url, read in pages.assets.items()
            }
        self._pages: set[str] = set()
        self._waiting: deque[str] = deque()
        self._count = 0

    def write(self) -> int:
        """Write everything; return the number of files."""
        head, _, source = self.get("/worker.js").decode().partition("\n")
        build = json.loads(head.removeprefix("const BUILD = ").removesuffix(";"))
        build["gallery"] = [code for code in build["gallery"] if len(code) < MAX_NAME]
        boards = all_boards()
        codes = (f"/play/{code}" for code in build["gallery"])
        pages = (f"/{path}" for path in build["pages"])
        days = (self._last - self._first).days + 1
        dailies = (f"/daily/{self._first + timedelta(day)}" for day in range(days))
        for address in (*self._starts(), FIRST_PUZZLE, *codes, *pages, *dailies):
            self._add(address)
        while self._waiting:
            self._write_page(self._waiting.popleft())
        self._write_blanks()
        build |= {"version": f"{build['version']} {self._last}", "isStatic": True}
        build |= {"firstDay": str(self._first), "lastDay": str(self._last)}
        worker = f"const BUILD = {json.dumps(build)};\n{RELATIVE}{source}"
        manifest = self.get("/manifest.webmanifest").replace(b'"/', b'"./')
        self._write("/worker.js", worker.encode())
        self._write("/boards-ahead.json", json.dumps(boards).encode())
        self._write("/manifest.webmanifest", manifest)
        self._write_files()
        if hasattr(os, "sync"):
            os.sync()  # even after a power cut, a folder with a start page is complete
        self._write_html("", HOME.format(puzzle=FIRST_PUZZLE.removeprefix("/")))
        return self._count

    def _starts(self) -> list[str]:
        """Return the URLs of the pages without arguments, which link to the others."""
        rules = [rule for rule in self._urls.map.iter_rules() if not rule.arguments]
        return [one.rule for one in rules if self._marks[one.endpoint].static and one.rule != "/"]

    def get(self, address: str) -> bytes:
        """Return a page, which is requested again while other processes are busy."""
        end = time.monotonic() + BUSY_SECONDS
        response = self._client.get(address)
        while response.status_code in {202, 503} and time.monotonic() < end:
            time.sleep(response.headers.get("Retry-After", 1, int))
            response = self._client.get(address)
        if response.status_code != 200:
            raise OSError(f"the page {address} answers {response.status}")
        return response.get_data()

    def _write_html(self, path: str, html: str) -> None:
        """Write a page as a folder, so that its URL needs no suffix."""
        self._write(f"{path}/index{SUFFIX}", html.encode())

    def _write(self, name: str, content: bytes) -> None:
        path = self._folder / name.removeprefix("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self._count += 1

    def _write_blanks(self) -> None:
        """Write a page of each size, from which the service worker builds pages of other boards."""
        for rows, cols in product(range(MIN_SIDE, MAX_SIDE + 1), repeat=2):
            html = self.get(f"/play/{scramble(rows, cols, 'blank')}").decode()
            self._write_html(f"/blank/{rows}x{cols}", self._page(html, 2))

    def _write_files(self) -> None:
        """Write the static files, and unpack the files of Python in the browser."""
        generated = generated_files()
        for name, content in generated.items():
            self._write(f"{self._versioned}{name}", content)
        for path in sorted(self._static.rglob("*")):
            name = path.relative_to(self._static).as_posix()
            if path.is_file() and name not in generated and not name.endswith(".br"):  # an asset
                self._write(f"{self._versioned}{name}", path.read_bytes())
        component = generated[COMPONENT_FILE]
        self._write(f"/static/{COMPONENT_FILE}", component)  # at the URL that other pages name
        for address, read in self._assets.items():
            self._write(address, read())

    def _add(self, address: str) -> None:
        """Add a page unless present; the first URL, such as a level's, creates it."""
        path = urlsplit(address).path
        if path not in self._pages:
            self._pages.add(path)
            self._waiting.append(address)

    def _write_page(self, address: str) -> None:
        path = urlsplit(address).path
        if path.endswith((".py", ".ipynb", ".json")):
            self._write(path, self.get(address))
            return
        if path.startswith(("/daily", "/play/")):  # days to come have their puzzles
            address = f"{path}?{urlsplit(address).query}&ahead=1"
        html = _TRACE.sub(partial(self._trace, path), self.get(address).decode())
        self._write_html(path, self._page(html, path.count("/")))

    def _trace(self, path: str, match: re.Match[str]) -> str:
        """Write the recorded search of a page, and return its address."""
        name = f"{path}/trace.json"
        self._write(name, self.get(unescape(match.group())))
        return name

    def _page(self, html: str, depth: int) -> str:
        """Return a page `depth` folders below the start, as it looks without a server."""
        html = _LINK.sub(self._link, _ABOUT_URLS.sub("", html))
        html = _EMPTY_ITEM.sub("", html)
        sheet = f'  <link rel="stylesheet" href="{self._versioned}{SHEET}">\n'
        policy = f'<meta http-equiv="Content-Security-Policy" content="{META_POLICY}">'
        html = _ON_LOAD.sub(lambda found: "" if found[1] else "never", html)
        html = html.replace('method="post"', 'method="dialog"')  # nothing is sent without scripts
        html = html.replace("<html ", f'<html data-cached="seen" data-static="{self._last}" ', 1)
        script = f'<script src="{self._versioned}{SCRIPT}"></script>'
        html = html.replace("<head>", f"<head>\n  {policy}\n  {script}", 1)
        html = html.replace("</head>", f"{sheet}</head>", 1)
        html = html.replace("<main ", f"{NO_SCRIPT}<main ", 1)
        html = html.replace(QUESTION, f"{NO_ANSWERS}{QUESTION}", 1)
        return _ROOTED.sub(rf"\1{'../' * depth}", html)

    def _link(self, match: re.Match[str]) -> str:
        """Return a link unchanged, or at most its text if its page needs the server."""
        link, content = match.group(), match.group(2)
        href = unescape(match.group(1))
        if not href.startswith("/"):
            return link
        target = self._target(href)
        if target is not None:
            return link.replace(f'href="{match.group(1)}"', f'href="{escape(target)}"', 1)
        before = match.string[max(0, match.start() - 40) : match.start()].rstrip()
        is_button = re.search('^·|class="btn|<svg|visually-hidden', link) or before.endswith(ALONE)
        return "" if is_button else content

    def _target(self, href: str) -> str | None:
        """Return the URL of a link on the static site, and add its page to the site."""
        parts = urlsplit(href)
        try:
            endpoint, values = self._urls.match(parts.path, method="GET")
        except HTTPException:
            return None
        path, query = parts.path, parse_qs(parts.query)
        marks = self._marks[endpoint]
        if not marks.static or len(path) > MAX_NAME:
            return None
        if endpoint == "pages.home":
            return href
        if endpoint == "daily.of_day" and "month" in query:  # the month of its first day
            values, path, query = {"day": f"{query['month'][0]}-01"}, "", {}
            path = f"/daily/{values['day']}"
        if endpoint == "daily.of_day":
            day = date.fromisoformat(values["day"])
            if not self._first <= day <= self._last:
                return None
        if query and not marks.reads_query:
            return None
        level = query.get("level") if endpoint == "game.page" else None
        self._add(f"{path}?level={level[0]}" if level else path)
        question = f"?{parts.query}" if query else ""
        fragment = f"#{parts.fragment}" if parts.fragment else ""
        return f"{path}{question}{fragment}"
