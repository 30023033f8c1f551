"""Stopped searches, and searches that wait."""

import re

import pytest

from tests.boards import FOUR as HARD
from tests.boards import TWO_MOVES as EASY
from tests.each import each
from tests.web import markup
from tests.web.processes import NEEDS_PROC, solvers
from tests.web.streams import HTMX, PATIENCE, steps_of, until
from webapp.workers import Failed
from webapp.workers.shared import services_of
from webapp.workers.solvers import LOST

# Stopping


@NEEDS_PROC
def test_stopped_search_reports_its_bound_after_progress(solve, client):
    reader = solve(HARD, algorithm="bfs")

    def counts():
        live = (message.text("#live") for message in reader.messages)
        found = (re.match(r"Expanded ([\d,]+) node", text) for text in live)
        return [int(match[1].replace(",", "")) for match in found if match]

    assert until(lambda: len(set(counts())) >= 3)
    assert counts() == sorted(counts())
    response = client.post(f"/play/{HARD}/solve/stop", data={"job": reader.job()}, headers=HTMX)
    assert (response.status_code, response.data) == (204, b"")
    verdict = reader.all()[-1].text("#verdict")
    bound = re.search(r"Stopped on request; the shortest has (?:at least )?(\d+) moves", verdict)
    assert bound, verdict
    assert 2 <= int(bound[1]) <= 52
    assert until(lambda: not solvers()) is True


@each("job", ["", "none", "x" * 5000, "\0"])
def test_stop_of_an_unknown_job_is_harmless(client, job):
    form = {"job": job}
    assert client.post(f"/play/{EASY}/solve/stop", data=form, headers=HTMX).status_code == 204
    plain = client.post(f"/play/{EASY}/solve/stop", data=form)
    assert (plain.status_code, plain.location) == (303, f"/play/{EASY}")


@NEEDS_PROC
@pytest.mark.parametrize("read", [0, 4])
def test_closed_tab_ends_its_search(app, halted, read):
    """The first write may already fail."""
    pool = services_of(app).solvers
    form = {"algorithm": "bfs"}
    response = app.test_client().post(f"/play/{HARD}/solve", data=form, headers=HTMX)
    for _ in zip(range(read), response.response, strict=False):
        pass
    assert until(solvers)
    halted()  # it ends no search by itself
    response.close()
    assert until(lambda: not open_jobs(pool)) is True
    assert until(lambda: not solvers()) is True


def open_jobs(pool):
    return [job for job in pool._jobs.values() if job.ended is None]


def test_lost_worker_is_reported(app, client, solve, monkeypatch):
    monkeypatch.setattr(services_of(app).solvers, "events", lambda *_: iter([(1, Failed(LOST))]))
    assert any(LOST in message.text("#verdict") for message in solve(EASY).all())
    response = client.post(f"/play/{EASY}/solve")
    assert response.status_code == 200
    assert "The solver stopped unexpectedly. Try again in a moment." in response.text


# Busy


@NEEDS_PROC
def test_waiting_solve_shows_its_place_in_the_queue(new_app, solve, halted):
    app = new_app(SOLVERS=1)
    running = solve(HARD, app=app, algorithm="bfs", visitor="10.0.0.1")
    running.wait_for("#live", "Expanded")
    halted()
    second = solve(EASY, app=app, visitor="10.0.0.2")
    second.wait_for("#live", "Waiting for a free solver: number 1 of 1 in the queue.")
    third = solve(EASY, app=app, visitor="10.0.0.3")
    third.wait_for("#live", "Waiting for a free solver: number 2 of 2 in the queue.")
    second.leave()
    third.wait_for("#live", "Waiting for a free solver: number 1 of 1 in the queue.")
    assert until(lambda: ": still here" in third.text)
    running.leave()
    assert steps_of(third.all()) == [(5, "U"), (8, "L")]


@NEEDS_PROC
def test_solve_without_javascript_reports_a_full_queue(new_app, solve, halted):
    app = new_app(SOLVERS=1, SOLVE_WAIT=0.5)
    solve(HARD, app=app, algorithm="bfs", visitor="10.0.0.1").wait_for("#live", "Expanded")
    halted()
    response = app.test_client().post(f"/play/{EASY}/solve")
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0
    assert "All solvers are busy right now" in markup.read(response).one("main").text


@NEEDS_PROC
def test_stop_of_the_server_ends_all_streams(new_app, solve):
    app = new_app(SOLVERS=1)
    services_of(app).solvers.closing_seconds = PATIENCE  # the machine may be busy
    readers = [solve(HARD, app=app, algorithm="bfs", visitor="10.0.0.0")]
    readers[0].wait_for("#live", "Expanded")
    readers += [solve(HARD, app=app, algorithm="bfs", visitor=f"10.0.0.{n}") for n in (1, 2)]
    for reader in readers[1:]:
        reader.wait_for("#live", "Waiting")
    services_of(app).solvers.close()
    assert [reader.wait_for_end() for reader in readers] == [True] * 3
    verdict = readers[0].messages[-1].text("#verdict")
    assert "Stopped because the server is about to restart" in verdict
    for reader in readers[1:]:
        assert reader.messages[-1].text("#live") == "Stopped."
    response = app.test_client().post(f"/play/{EASY}/solve")
    assert response.status_code == 503
    assert "about to restart" in response.text
