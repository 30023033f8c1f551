"""nginx before the web processes: its refusals, and the restart of `docs/deploying.md`.

The restart refuses no request.
"""

import contextlib
import re
import threading
from collections import Counter

import pytest

from tests.boards import TWO_MOVES as CODE
from tests.browser.server import free_port, serving
from tests.deploy import site as deployed
from tests.deploy.site import DEPLOY
from tests.web.streams import HTMX, PATIENCE
from webapp.course.lab.check import MAX_GIVEN_BYTES
from webapp.http.connections import LONGEST_BYTES

CLICKERS, SOLVERS, PUPILS = 4, 2, 40

CLICKS = 5
"""Clicks of each pupil, one after another."""

GENEROUS_LIMITS = {"SLIDEWISE_STREAMS_PER_VISITOR": "20", "SLIDEWISE_VISITOR_SECONDS": "1000000"}
"""Limits for a test whose clients have one address and no cookies."""


def test_nginx_retries_a_failed_process_at_once():
    for name in "upstream.conf", "upstream-compose.conf":
        servers = re.findall(r"^ +(?:# )?server (.*);", (DEPLOY / name).read_text(), re.MULTILINE)
        assert len(servers) == 2
        assert all(server.endswith(" max_fails=0") for server in servers)


@pytest.fixture
def nginx_alone(tmp_path):
    """nginx before no process, with a burst of two requests per address."""
    text = (DEPLOY / "nginx.conf").read_text().replace("slidewise.example", deployed.HOST)
    for shipped, smaller in (r"rate=\d+r/s", "rate=1r/m"), (r"burst=\d+", "burst=2"):
        text, count = re.subn(shipped, smaller, text)
        assert count == 1
    site = deployed.Site(free_port(), free_port(), tmp_path, {})
    with deployed.behind_nginx(site, [free_port(), free_port()], text):
        yield site


def test_too_many_requests_of_an_address_are_429(nginx_alone):
    answers = [nginx_alone.fetch(f"/play/{CODE}") for _ in range(4)]
    assert [answer.status for answer in answers] == [503, 503, 503, 429]
    assert answers[-1].headers["Retry-After"]
    assert "your games are kept" in answers[-1].text


def test_body_that_is_too_long_for_nginx_is_413_with_the_limit(nginx_alone):
    limit = re.search(r"client_max_body_size (\d+)m;", (DEPLOY / "nginx.conf").read_text())
    assert int(limit[1]) * 2**20 > LONGEST_BYTES, "the app answers what it refuses"
    answer = nginx_alone.fetch("/lab/check", "POST", "x" * (int(limit[1]) * 2**20 + 1))
    assert answer.status == 413
    assert f"up to {MAX_GIVEN_BYTES >> 20} MB" in answer.text


@pytest.mark.soak
def test_restart_refuses_no_click_or_search(tmp_path):
    """In the order of the page: a second worker, each web process, the end of the first worker."""
    drain = re.search(r"(SLIDEWISE_DRAIN_SECONDS)=(.*)", (DEPLOY / "slidewise.env").read_text())
    settings = {**dict([drain.groups()]), **GENEROUS_LIMITS}
    with (
        deployed.running(tmp_path, **settings) as site,
        contextlib.ExitStack() as stack,
        under_load(site) as outcomes,
    ):
        site.start_worker()
        site.wait_for_worker()
        for server in site.web:
            server.process.terminate()
            assert server.process.wait(PATIENCE) == 0
            port = int(server.url.rpartition(":")[2])
            stack.enter_context(serving(tmp_path / f"{port}.log", port, **site.settings))
        site.workers[0].terminate()
        site.workers[0].wait(PATIENCE)
    assert set(outcomes) == {"clicked", "solved"}, outcomes


@contextlib.contextmanager
def under_load(site):
    """Click and solve without a pause. Yield the count of each outcome."""
    outcomes, ending = Counter(), threading.Event()

    def go_on(one):
        while not ending.is_set():
            outcomes[one(site)] += 1

    threads = [threading.Thread(target=go_on, args=(click,)) for _ in range(CLICKERS)]
    threads += [threading.Thread(target=go_on, args=(solve,)) for _ in range(SOLVERS)]
    for thread in threads:
        thread.start()
    try:
        yield outcomes
    finally:
        ending.set()
        for thread in threads:
            thread.join()


def click(site):
    answer = site.fetch(f"/play/{CODE}/slide", "POST", "tile=5", HTMX)
    return "clicked" if answer.status == 200 else f"click: {answer.status} {answer.text[:200]}"


def solve(site):
    form = "algorithm=bfs"
    answer = site.fetch(f"/play/{CODE}/solve", "POST", form, HTMX)
    return "solved" if "shortest" in answer.text else f"solve: {answer.status} {answer.text[-500:]}"


@pytest.mark.soak
def test_clicks_of_a_class_behind_one_address_pass(tmp_path):
    outcomes = Counter()

    def play():
        page = site.fetch(f"/play/{CODE}")
        outcomes[page.status] += 1
        for file in re.findall(r'="/slidewise(/static/[^"]+[.](?:js|css))"', page.text):
            outcomes["file", site.fetch(file).status] += 1
        outcomes.update(click(site) for _ in range(CLICKS))

    with deployed.running(tmp_path, **GENEROUS_LIMITS) as site:
        pupils = [threading.Thread(target=play) for _ in range(PUPILS)]
        for pupil in pupils:
            pupil.start()
        for pupil in pupils:
            pupil.join()
    assert outcomes[200] == PUPILS
    assert outcomes["clicked"] == PUPILS * CLICKS
    assert outcomes["file", 200] > PUPILS
    assert len(outcomes) == 3
