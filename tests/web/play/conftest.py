"""A visitor at a game, with and without JavaScript."""

import pytest

from tests.boards import TWO_MOVES
from tests.web.play.playing import Silent
from tests.web.visitor import Visitor
from webapp.workers.distances import Distances
from webapp.workers.services import services_of
from webapp.workers.shared import LocalShared


@pytest.fixture(params=[True, False], ids=["htmx", "plain"])
def htmx(request):
    return request.param


@pytest.fixture
def player(client, htmx):
    return Visitor(client, TWO_MOVES, htmx=htmx)


@pytest.fixture
def unanswered(app, monkeypatch):
    """Let no distance be known nor found out, and give up at the end what was asked."""
    silent = Silent()
    monkeypatch.setitem(services_of(app).by_class, Distances, Distances(silent, LocalShared()))
    yield
    for _, answer in silent.asked:
        answer.cancel()
