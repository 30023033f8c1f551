"""Many requests: none may fail, and none may leak."""

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
from tests.web import markup
from tests.web.processes import NEEDS_PROC, below, living
from tests.web.serve import mutated
from tests.web.serve.test_serve import Server
from tests.web.streams import HTMX, PATIENCE, until

SEED = 12
WAITS = "SOLVE_WAIT", "CLICK_WAIT", "NUMBER_WAIT", "HINT_WAIT", "FACTS_WAIT", "QUEUE_WAIT"
WAITS += ("RECORD_WAIT",)
SERVED_REQUESTS, SERVED_SOLVES = 5_000, 300
CLIENTS = 4
"""The number of concurrent requests."""

SHORT = {"SOLVE_SECONDS": 0.2, **dict.fromkeys(WAITS, 0.5)}
"""Limits that end long searches soon."""

GROWTH = 1.05
"""The allowed growth of the web process after its caches are full.

A leak of half a kilobyte a request is more.
"""

FILLING, LATER = 6, 2
"""Rounds of mixed work until the caches are full, and rounds after that."""

EACH_POOL = (
    *("/new?size=4x4&moves=50", "/lab/{}/heuristics?h=pdb", "/board/{}.png"),
    *("/api/v1/puzzles/{}/hint", "/api/v1/puzzles/{}/slides"),
)
"""Pages that start helpers of every kind, which start on demand."""


def address(number):
    """Return the address of another visitor, so that no budget is exceeded."""
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


@pytest.mark.parametrize(
    ("count", "searches"), [(250, False), pytest.param(20_000, True, marks=pytest.mark.soak)]
)
def test_no_route_fails_on_mutated_requests(app, monkeypatch, count, searches):
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
            is_busy = response.status_code == 503 and "Retry-After" in response.headers
            assert response.status_code < 500 or is_busy, sent
            redirects = 300 <= response.status_code < 400
            packed = "Content-Encoding" in response.headers
            if searches and response.mimetype == "text/html" and not redirects and not packed:
                markup.read(response)
    assert statuses[200] > count / 10, statuses


class Use(NamedTuple):
    """The resources of a process."""

    megabytes: float
    files: int
    threads: int


def use_of(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    status = dict(line.split(":", 1) for line in lines)
    files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return Use(int(status["VmRSS"].split()[0]) / 1024, files, int(status["Threads"]))


def web_process(server):
    """Return the serving process, a child of the supervisor."""
    [pid] = [
        pid
        for pid, parent in living().items()
        if parent == server.process.pid
        and b"multiprocessing" not in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    return pid


def send(server, number, method, target, body, headers):
    """Return the status of a completely read response."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    with contextlib.closing(connection):
        headers = {**headers, "X-Forwarded-For": address(number)}
        connection.request(method, target, body, headers)
        with connection.getresponse() as response:
            response.read()
            assert response.status != 503 or response.headers["Retry-After"]
            return response.status


def send_all(server, work):
    """Send requests concurrently and return the number of each status."""
    with ThreadPoolExecutor(CLIENTS) as clients:
        return collections.Counter(clients.map(lambda one: send(server, *one), work))


def mixed_work(app, seed):
    """Return shuffled requests and solves."""
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


@pytest.mark.soak
@NEEDS_PROC
def test_many_requests_leak_nothing(app, tmp_path, monkeypatch):
    monkeypatch.setenv("SLIDEWISE_SOLVE_SECONDS", "1")
    monkeypatch.setenv("SLIDEWISE_PROXIES", "1")
    rounds = [mixed_work(app, SEED + number) for number in range(FILLING + LATER)]
    filling = list(itertools.chain.from_iterable(rounds[:FILLING]))
    later = list(itertools.chain.from_iterable(rounds[FILLING:]))
    server = Server(tmp_path)
    everything = below(server.process.pid)
    try:
        web = web_process(server)
        for path in EACH_POOL:
            send(server, 0, "GET", path.format(FOUR), b"", {})
        statuses = send_all(server, filling)
        early, processes = use_of(web), len(below(server.process.pid))
        print(f"{early=} {statuses=}")
        statuses += send_all(server, later)

        def flat():
            late = use_of(web)
            return late.files <= early.files and late.threads <= early.threads

        settled = until(flat, seconds=30)
        late = use_of(web)
        print(f"{early=} {late=} {statuses=}")
        assert settled, (early, late)
        assert late.megabytes <= early.megabytes * GROWTH, (early, late)
        assert len(below(server.process.pid)) <= processes
        assert {status for status in statuses if status >= 500} <= {503}
        assert statuses[200] > len(filling + later) / 10
    finally:
        everything |= below(server.process.pid)
        assert server.stop() == 0, server.log
    assert "Traceback" not in server.log
    assert until(lambda: not everything & set(living())) is True
