"""A visitor at a game, with and without JavaScript."""

from __future__ import annotations

import pytest

from tests.boards import TWO_MOVES
from tests.web.play.playing import Silent
from tests.web.visitor import Visitor
from webapp.workers.cache import Cache
from webapp.workers.distances import MAX_TABLES, Distances
from webapp.workers.questions import Questions
from webapp.workers.services import services_of


@pytest.fixture(params=[True, False], ids=["htmx", "plain"])
def htmx(request):
    return request.param


@pytest.fixture
def player(client, htmx):
    return Visitor(client, TWO_MOVES, htmx=htmx)


@pytest.fixture
def unanswered(app, monkeypatch):
    """Let no distance be known nor found out, and give up at the end what was asked."""
    silent, distances = Silent(), services_of(app).get(Distances)
    monkeypatch.setattr(distances, "_pool", silent)
    monkeypatch.setattr(distances, "_known", Cache(9))
    monkeypatch.setattr(distances, "_tables", Questions(distances._fetch, MAX_TABLES))
    yield
    for _, answer in silent.asked:
        answer.cancel()
