"""A visitor at a game, with and without JavaScript."""

import pytest

from tests.boards import TWO_MOVES
from tests.web.play.playing import SilentPool
from tests.web.visitor import Visitor
from webapp.workers.distances import Distances
from webapp.workers.shared import LocalShared, services_of


@pytest.fixture(scope="session")
def app(game_alone):
    """Return the game without its parts, which it does not need."""
    return game_alone


@pytest.fixture(params=[True, False], ids=["htmx", "plain"])
def htmx(request):
    return request.param


@pytest.fixture
def player(client, htmx):
    return Visitor(client, TWO_MOVES, htmx=htmx)


@pytest.fixture
def no_answers(app, monkeypatch):
    """Leave every distance unknown, and cancel the pending searches at the end."""
    pool = SilentPool()
    monkeypatch.setitem(services_of(app).by_class, Distances, Distances(pool, LocalShared()))
    yield
    for _, answer in pool.submitted:
        answer.cancel()
