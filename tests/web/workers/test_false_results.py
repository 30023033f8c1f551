"""A false result from a real worker process is never shown as a solution."""

import os
from functools import partial

import pytest

from slidewise.solver.task import Task
from tests.boards import TEXTBOOK as CODE
from tests.web import markup
from tests.web.api_requests import post
from tests.web.streams import until
from webapp.workers import local
from webapp.workers.redis.worker import supervise
from webapp.workers.shared import services_of


def with_false_results(log, work, *args):
    """Run the work of a process whose searches lose the last move of each path."""
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    result = Task.result
    Task.result = lambda self, *facts: result(self, *facts[:4], *(path[:-1] for path in facts[4:]))
    work(*args)


@pytest.fixture
def log(tmp_path):
    """Return the file that receives stderr of the workers."""
    return tmp_path / "log"


@pytest.fixture
def local_app(new_app, monkeypatch, log):
    monkeypatch.setattr(local, "run", partial(with_false_results, log, local.run))
    return new_app()


@pytest.fixture
def redis_app(new_app, new_worker, redis_url, log):
    app = new_app(REDIS=redis_url)
    new_worker(1, target=partial(with_false_results, log, supervise))
    assert until(lambda: not services_of(app).solvers.missing)
    return app


@pytest.mark.parametrize("kind", ["local", "redis"])
def test_false_result_of_a_worker_is_withdrawn(kind, request, solve, log):
    app = request.getfixturevalue(f"{kind}_app")
    form = {"algorithm": "astar", "heuristic": "manhattan"}

    answer = post(app.test_client(), "solve", puzzle=CODE, **form).json
    assert (answer["status"], answer["verdict"]) == ("invalid", "unproved")
    assert (answer["length"], answer["lower_bound"], answer["moves"]) == (None, None, "")

    messages = solve(CODE, app=app, **form).all()
    verdict = next(words for message in messages if (words := message.text("#verdict").strip()))
    assert "The solver contradicted itself. The result is withdrawn" in verdict
    assert not any("#steps" in message.partials for message in messages)

    page = app.test_client().post(f"/play/{CODE}/solve", data=form, follow_redirects=True)
    assert markup.read(page).one("h1").text == "No result"
    assert "The solver contradicted itself." in markup.read(page).one("main").text

    lines = log.read_text().splitlines()
    assert len(lines) == 3, lines
    assert all(line.startswith("The result of A* with ") for line in lines)
    assert all(f" for {CODE} is withdrawn: its path ends at " in line for line in lines)
