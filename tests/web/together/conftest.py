"""Rooms of visitors with cookies, and a server clock that tests control."""

from types import SimpleNamespace

import pytest

from tests.web.streams import HTMX
from webapp.play import game
from webapp.together import pages, rooms

CODE = "1.2.3-4.0.6-7.5.8"
"""Solved by the tiles 5 and 8."""


class Clock:
    """The server's clock in milliseconds."""

    def __init__(self):
        self.now = 1_000_000_000_000

    def __call__(self):
        return self.now

    def pass_seconds(self, seconds):
        self.now += round(1000 * seconds)


class Racer:
    """A visitor with a cookie, at one room."""

    def __init__(self, client, room=None):
        self.client, self.room = client, room
        assert client.get("/together").status_code == 200

    def make(self, **form):
        response = self.client.post("/together", data={"code": CODE, **form})
        assert response.status_code == 303, response.text
        self.room = response.location
        return self

    def get(self, what="", **request):
        return self.client.get(f"{self.room}{what}", **request)

    def post(self, what, **form):
        return self.client.post(f"{self.room}/{what}", data=form)

    def slide(self, *tiles):
        """Slide tiles one after the other; return the last response."""
        for tile in tiles:
            last = self.client.post(f"{self.room}/slide", data={"tile": tile}, headers=HTMX)
        return last

    def boards(self):
        response = self.get("/boards", headers=HTMX)
        assert response.status_code == 200
        return response


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(rooms, "now_ms", clock)
    monkeypatch.setattr(pages, "now_ms", clock)
    monkeypatch.setattr(game, "time", SimpleNamespace(time=lambda: clock.now / 1000))
    return clock


@pytest.fixture
def new_racer(app):
    return lambda room=None: Racer(app.test_client(), room)


@pytest.fixture
def new_race(clock, new_racer):
    """Start a race of two players; the first made the room."""

    def start(code=CODE):
        ann = new_racer().make(code=code)
        bob = new_racer(ann.room)
        assert bob.post("join").status_code == 303
        assert ann.post("start").status_code == 303
        clock.pass_seconds(rooms.COUNTDOWN_MS / 1000)
        return ann, bob

    return start


@pytest.fixture
def race(new_race):
    """Two players in a race that has started; the first made the room."""
    return new_race()
