"""Many requests: none may fail, and none may leave anything behind."""

from __future__ import annotations

import collections
import contextlib
import http.client
import itertools
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from slidewise import scramble
from tests.boards import FOUR
from tests.web import markup, mutated
from tests.web.processes import NEEDS_PROC, below, living
from tests.web.streams import HTMX, PATIENCE, until
from tests.web.test_serve import Server

SEED = 12
WAITS = "SOLVE_WAIT", "CLICK_WAIT", "NUMBER_WAIT", "HINT_WAIT", "FACTS_WAIT", "QUEUE_WAIT"
WAITS += ("RECORD_WAIT",)
SERVED_REQUESTS, SERVED_SOLVES = 5_000, 300
CLIENTS = 4
"""How many requests are under way at a time."""

SHORT = {"SOLVE_SECONDS": 0.2, **dict.fromkeys(WAITS, 0.5)}
"""Limits with which a search that would take long is soon over."""

GROWTH = 1.05
"""How much larger the web process may be after the last requests than after those before, which
have filled its caches. A leak of half a kilobyte a request is more."""

FILLING, LATER = 6, 2
"""Rounds of mixed work until the caches are full, and after that."""

EACH_POOL = (
    *("/new?size=4x4&moves=50", "/lab/{}/heuristics?h=pdb", "/board/{}.png"),
    *("/api/v1/puzzles/{}/hint", "/api/v1/puzzles/{}/slides"),
)
"""Pages that start the helpers of each kind, which are started when they are first needed."""


def address(number):
    """Return the address of a visitor of its own: what one may ask for is not what is tested."""
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


@pytest.mark.parametrize(
    ("count", "searches"), [(250, False), pytest.param(20_000, True, marks=pytest.mark.soak)]
)
def test_no_route_fails_whatever_it_is_given(app, monkeypatch, count, searches):
    for name, seconds in SHORT.items():
        monkeypatch.setitem(app.config, name, seconds)
    statuses = collections.Counter()
    sending = mutated.requests(app, SEED, count, searches=searches)
    for number, sent in enumerate(sending):
        with app.test_client().open(
            sent.path,
            method=sent.method,
            query_string=sent.query,
            data=sent.body,
            headers=sent.headers,
            environ_base={"REMOTE_ADDR": address(number)},
        ) as response:
            response.get_data()
            statuses[response.status_code] += 1
            told = response.status_code == 503 and "Retry-After" in response.headers
            assert response.status_code < 500 or told, sent
            redirects = 300 <= response.status_code < 400
            packed = "Content-Encoding" in response.headers
            if searches and response.mimetype == "text/html" and not redirects and not packed:
                markup.read(response)
    assert statuses[200] > count / 10, statuses


class Use(NamedTuple):
    """What a process holds."""

    megabytes: float
    files: int
    threads: int


def use_of(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    status = dict(line.split(":", 1) for line in lines)
    files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return Use(int(status["VmRSS"].split()[0]) / 1024, files, int(status["Threads"]))


def web_process(server):
    """Return the process that serves: the child of the one that watches over it."""
    [pid] = [
        pid
        for pid, parent in living().items()
        if parent == server.process.pid
        and b"multiprocessing" not in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    return pid


def ask(server, number, method, target, body, headers):
    """Return the status of the answer, read to its end."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    with contextlib.closing(connection):
        headers = {**headers, "X-Forwarded-For": address(number)}
        connection.request(method, target, body, headers)
        with connection.getresponse() as response:
            response.read()
            assert response.status != 503 or response.headers["Retry-After"]
            return response.status


def ask_all(server, work):
    """Send requests, some at a time; return how many there were of each status."""
    with ThreadPoolExecutor(CLIENTS) as clients:
        return collections.Counter(clients.map(lambda one: ask(server, *one), work))


def mixed_work(app, seed):
    """Return requests and solves in the order of a shuffle."""
    requests = [
        (sent.method, sent.target, sent.body, sent.headers)
        for sent in mutated.requests(app, seed, SERVED_REQUESTS)
    ]
    form = {"Content-Type": mutated.FORM, **HTMX}
    solves = [
        ("POST", f"/play/{scramble(size, size, f'{seed} {number}')}/solve", b"", form)
        for size, number in zip(itertools.cycle([3, 3, 4]), range(SERVED_SOLVES), strict=False)
    ]
    work = requests + solves
    random.Random(seed).shuffle(work)
    return [(seed * len(work) + number, *one) for number, one in enumerate(work)]


@NEEDS_PROC
def test_the_threads_of_the_web_process_share_one_heap(tmp_path):
    """The address space that glibc reserves for a heap of a thread, 64 MB, shows in the maps."""
    server = Server(tmp_path)
    try:
        web = web_process(server)
        requests = [(number, "GET", "/gallery", b"", {}) for number in range(50)]
        assert ask_all(server, requests) == {200: 50}
        maps = Path(f"/proc/{web}/maps").read_text().splitlines()
        reserved = [line.split() for line in maps if " ---p 00000000 00:00 0" in line]
        sizes = [
            int(end, 16) - int(start, 16) for start, end in (one[0].split("-") for one in reserved)
        ]
        assert sizes
        assert max(sizes) < 32 * 2**20
    finally:
        assert server.stop() == 0, server.log


@NEEDS_PROC
@pytest.mark.parametrize("part", [400, pytest.param(1, marks=pytest.mark.soak)])
def test_many_requests_leave_nothing_behind(app, tmp_path, monkeypatch, part):
    """Few of them show that none fails, all that the use of memory stays flat."""
    monkeypatch.setenv("SLIDEWISE_SOLVE_SECONDS", "1")
    monkeypatch.setenv("SLIDEWISE_PROXIES", "1")
    rounds = [mixed_work(app, SEED + number)[::part] for number in range(FILLING + LATER)]
    filling = list(itertools.chain.from_iterable(rounds[:FILLING]))
    later = list(itertools.chain.from_iterable(rounds[FILLING:]))
    server = Server(tmp_path)
    everything = below(server.process.pid)
    try:
        web = web_process(server)
        for path in EACH_POOL:
            ask(server, 0, "GET", path.format(FOUR), b"", {})
        statuses = ask_all(server, filling)
        early, processes = use_of(web), len(below(server.process.pid))
        print(f"{early=} {statuses=}")
        statuses += ask_all(server, later)

        def flat():
            late = use_of(web)
            return late.files <= early.files and late.threads <= early.threads

        settled = part > 1 or until(flat, seconds=30)
        late = use_of(web)
        print(f"{early=} {late=} {statuses=}")
        assert settled, (early, late)
        assert late.megabytes <= early.megabytes * GROWTH or part > 1, (early, late)
        assert len(below(server.process.pid)) <= processes or part > 1
        assert {status for status in statuses if status >= 500} <= {503}
        assert statuses[200] > len(filling + later) / 10
    finally:
        everything |= below(server.process.pid)
        assert server.stop() == 0, server.log
    assert "Traceback" not in server.log
    assert until(lambda: not everything & set(living())) is True
