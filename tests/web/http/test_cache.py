"""The caches hold answers and no services."""

import threading

import pytest
from flask import Flask

from tests.boards import FOUR, TWO_MOVES
from tests.web.streams import until
from webapp.http.cache import Cache, objects_of
from webapp.workers.shared import LocalShared, Services, services_of

PAGES = {
    "samples": f"/lab/{TWO_MOVES}/many?boards=2&run=bfs&go=1",
    "results": f"/lab/{TWO_MOVES}.csv?run=bfs",
    "recordings": f"/lab/{TWO_MOVES}/trace",
    "pictures": f"/board/{TWO_MOVES}.png",
    "checks": f"/lab/{TWO_MOVES}/heuristics?h=manhattan",
    "reviews": f"/play/{TWO_MOVES}/review",
    "slides": f"/api/v1/puzzles/{TWO_MOVES}/slides",
    "counts": f"/api/v1/puzzles/{TWO_MOVES}/shortest",
    "tables": f"/api/v1/puzzles/{TWO_MOVES}/hint",
    "distances": f"/api/v1/puzzles/{FOUR}/hint",
}
"""A page that fills the cache of each kind."""

LIVING = Flask, Services, LocalShared, threading.Thread, type(threading.Lock()), Cache
"""Classes whose objects no answer holds."""


@pytest.fixture
def stored(monkeypatch):
    """Collect the keys and values that caches store, and the kinds of shared answers."""
    entries, kinds = [], set()
    put, put_all = Cache.put, LocalShared.put_all

    def collect(cache, key, value, **options):
        entries.append((key, value))
        put(cache, key, value, **options)

    def collect_kind(shared, kind, answers, **options):
        put_all(shared, kind, answers, **options)
        kinds.add(kind.name)

    monkeypatch.setattr(Cache, "put", collect)
    monkeypatch.setattr(LocalShared, "put_all", collect_kind)
    return entries, kinds


def test_no_cached_value_refers_to_a_service(new_app, stored):
    """The size of an entry counts every object it refers to, and none of these is freed."""
    entries, kinds = stored
    app = new_app()
    services = services_of(app)
    living = {id(one) for one in (services.solvers, *services.by_class.values())}
    client = app.test_client()
    client.post(f"/play/{TWO_MOVES}/slide", data={"tile": 5})  # only a game with moves has a review
    for kind, path in PAGES.items():
        page = client.get(path, follow_redirects=True)
        assert page.status_code == 200, page.text
        assert until(lambda kind=kind: kind in kinds) is True
    for entry in entries:
        held = [one for one in objects_of(entry) if id(one) in living or isinstance(one, LIVING)]
        assert not held, entry
