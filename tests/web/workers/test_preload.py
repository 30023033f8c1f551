"""The process that workers are forked from has the compiled search loaded."""

from __future__ import annotations

from tests.web.streams import PATIENCE
from webapp.workers.services import services_of


def test_workers_start_with_the_search_loaded(app):
    """An import that fails there is passed over, and each worker would load all by itself."""
    question = "'webapp.workers.preload' in __import__('sys').modules"
    assert services_of(app).solvers.call(eval, question, timeout=PATIENCE)


def test_readyz_says_what_is_missing(app, monkeypatch):
    warming = services_of(app).solvers.warming
    monkeypatch.setattr(warming, "missing", ("beam",))
    answer = app.test_client().get("/readyz")
    assert (answer.status_code, answer.json) == (503, {"ready": False, "missing": ["beam"]})
    monkeypatch.setattr(warming, "missing", ())
    answer = app.test_client().get("/readyz")
    assert (answer.status_code, answer.json) == (200, {"ready": True, "missing": []})
