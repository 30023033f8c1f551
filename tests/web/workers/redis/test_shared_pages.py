"""Pages of two apps that share a Redis, as web processes do, and of one whose Redis has gone."""

from threading import get_ident

import pytest
from redis.connection import AbstractConnection

from tests.boards import FIVE, FOUR, TWO_MOVES
from tests.web.course.lab.pages import race_id
from tests.web.redis_server import RedisServer
from tests.web.streams import HTMX, PATIENCE, until
from webapp import app as app_module
from webapp.workers.redis import shared as redis_module
from webapp.workers.redis.jobs import PREFIX
from webapp.workers.redis.shared import RedisShared, connect
from webapp.workers.shared import services_of

MANY = f"/lab/{TWO_MOVES}/many/boards.csv?size=3x3&boards=2&moves=&seed=1&run=bfs"


@pytest.fixture
def sharing(new_app, monkeypatch):
    """Return apps that share a Redis and have local solvers."""

    def make(url):
        with monkeypatch.context() as patch:
            patch.setattr(app_module, "LocalShared", lambda: RedisShared(connect(url)))
            return new_app()

    return make


@pytest.fixture
def apps(sharing, redis_url, monkeypatch):
    monkeypatch.setattr(redis_module, "ANSWER_SECONDS", PATIENCE)
    return [sharing(redis_url) for _ in range(2)]


def test_race_is_stopped_by_another_process(apps, solve):
    here, there = apps
    reader = solve(FOUR, app=here, path=f"/lab/{FOUR}/race", run="iddfs", seconds="20")
    reader.wait_for("#run-0", "searching")
    stop = {"race": race_id(reader)}
    there.test_client().post(f"/lab/{FOUR}/race/stop", data=stop, headers=HTMX)
    assert reader.all()[-1].text("#race-said").startswith("Stopped.")


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("samples", MANY),
        ("results", f"/lab/{TWO_MOVES}.csv?run=bfs"),
        ("recordings", f"/lab/{TWO_MOVES}/trace"),
        ("pictures", f"/board/{TWO_MOVES}.png"),
    ],
)
def test_answer_of_one_process_is_sent_by_another(apps, redis_url, monkeypatch, kind, path):
    here, there = (app.test_client() for app in apps)
    found = here.get(path)
    assert found.status_code == 200, found.text
    with connect(redis_url) as redis:  # the answer is sent first, then shared
        assert until(lambda: any(redis.scan_iter(f"{PREFIX}kept:{kind}:*"))) is True
    solvers = services_of(apps[1]).solvers
    for work in "start", "call", "submit":
        monkeypatch.setattr(solvers.calls, work, None, raising=False)
        monkeypatch.setattr(solvers, work, None, raising=False)
    assert there.get(path).data == found.data


@pytest.mark.parametrize(("code", "tile"), [(TWO_MOVES, 5), (FOUR, 9), (FIVE, 8)])
def test_click_sends_no_redis_command(apps, monkeypatch, code, tile):
    client = apps[0].test_client()
    assert client.get(f"/play/{code}").status_code == 200
    here, commands = get_ident(), []
    send = AbstractConnection.send_packed_command

    def recorded(connection, command, **options):
        if get_ident() == here:
            commands.append(command)
        return send(connection, command, **options)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", recorded)
    assert client.post(f"/play/{code}/slide", data={"tile": tile}).status_code == 303
    assert commands == []
    assert client.get(f"/board/{code}.png").status_code == 200
    assert commands, "a picture that all share is requested"


def test_pages_work_after_redis_has_gone(sharing):
    server = RedisServer()
    client = sharing(server.url).test_client()
    server.close()
    for path in f"/play/{TWO_MOVES}", MANY, f"/lab/{TWO_MOVES}/trace", "/daily":
        assert client.get(path).status_code == 200
    assert client.post(f"/play/{TWO_MOVES}/slide", data={"tile": 5}).status_code == 303
