"""Budgets of CPU time: the payer, the refusal and the wait."""

import time

import pytest

from tests.boards import TWO_MOVES as CODE
from tests.each import each
from tests.web import markup
from tests.web.cookies import cookies_of
from tests.web.streams import HTMX
from webapp.http.routes import CHEAP_ENDPOINTS
from webapp.http.visitor import COOKIE, SHARES_PER_ADDRESS, Visitor
from webapp.workers.budgets import (
    FILL_SECONDS,
    RESERVED_SECONDS,
    WEB_SHARE,
    WEB_SHARES_PER_ADDRESS,
    Budgets,
    OverBudget,
    charge_cpu_time,
)
from webapp.workers.shared import LocalShared, services_of

ANN, BOB, CID = Visitor("ann", "school"), Visitor("bob", "school"), Visitor("cid", "home")


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def budgets(clock):
    return Budgets(10, LocalShared(clock))


def refused(budgets, visitor):
    """Return the seconds that a refused visitor has to wait, otherwise 0."""
    try:
        budgets.check(visitor)
    except OverBudget as over:
        return over.retry_after
    return 0


def test_empty_budget_blocks_its_visitor_alone(budgets, clock):
    budgets.charge(ANN, 9)
    assert not refused(budgets, ANN)
    budgets.charge(ANN, 3)
    wait = refused(budgets, ANN)
    assert wait == 2 * FILL_SECONDS / 10 + 1
    assert not refused(budgets, BOB)
    clock.now += wait - 2
    assert refused(budgets, ANN)
    clock.now += 2
    assert not refused(budgets, ANN)


def test_budget_never_fills_beyond_its_seconds(budgets, clock):
    budgets.charge(ANN, 1)
    clock.now += 10 * FILL_SECONDS
    budgets.charge(ANN, 11)
    assert refused(budgets, ANN)


def test_address_has_several_shares(budgets):
    for number in range(SHARES_PER_ADDRESS):
        assert not refused(budgets, BOB)
        budgets.charge(Visitor(str(number), "school"), 10)
    assert refused(budgets, BOB)
    assert not refused(budgets, CID)


@each(
    ("seconds", "wait"),
    [
        (1, "1 second"),
        (90, "90 seconds"),
        (91, "2 minutes"),
        (120, "2 minutes"),
        (121, "3 minutes"),
    ],
)
def test_wait_is_rounded_up(seconds, wait):
    over = OverBudget(seconds)
    assert f"Try again in {wait}." in str(over)
    assert (over.retry_after, over.status) == (seconds, 429)


# In the app


@pytest.mark.parametrize("used", [0, 0.25, 3])
def test_expensive_view_is_charged_its_cpu_time(app, monkeypatch, used):
    charged, clock = [], iter([100, 100 + used])
    monkeypatch.setattr(Budgets, "charge", lambda self, who, seconds: charged.append(seconds))
    monkeypatch.setattr(time, "thread_time", lambda: next(clock))
    with app.test_request_context():
        with charge_cpu_time():
            assert charged == [RESERVED_SECONDS]
        assert sum(charged) == used


@pytest.fixture
def spent(new_app):
    """Return an app in which visitors at 192.0.2.7 without a cookie have spent everything."""
    app = new_app(VISITOR_SECONDS=100)
    services_of(app).get(Budgets).charge(Visitor("192.0.2.7", "192.0.2.7"), 200)
    return app


@each(
    "path",
    [
        *("/new?size=4x4&moves=50", "/learn/worksheet", "/learn/predict"),
        *(f"/lab/{CODE}/many?go=1", f"/lab/{CODE}/many/boards.csv", f"/lab/{CODE}/heuristics"),
        *(f"/play/{CODE}/review", f"/play/{CODE}/share"),
        *(f"/board/{CODE}.png", f"/board/{CODE}/card.png"),
        *(f"/replay/{CODE}{what}moves=UL" for what in ("?", ".gif?", ".html?")),
    ],
)
def test_expensive_view_over_the_budget_is_429(spent, path):
    client = spent.test_client()
    response = client.get(path, environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert response.status_code == 429
    assert int(response.headers["Retry-After"]) > 90
    main = markup.read(response).one("main")
    assert "Try again in" in main.text
    links = {link.text: link["href"] for link in main.all("a")}
    assert links["Keep playing"] == "/"
    assert links["Try again"].rstrip("?") == path
    assert "minutes" in response.text


def test_play_works_over_the_budget(spent):
    client = spent.test_client()
    there = {"REMOTE_ADDR": "192.0.2.7"}
    for path in "/new", f"/play/{CODE}", f"/lab/{CODE}":
        assert client.get(path, environ_base=there).status_code in {200, 302}
    slid = client.post(f"/play/{CODE}/slide", data={"tile": 5}, headers=HTMX, environ_base=there)
    assert slid.status_code == 200
    notice = client.get("/learn/worksheet", headers=HTMX, environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert notice.status_code == 200, "the cookie of the page is a visitor of its own"


def test_refusal_for_htmx_is_a_notice(spent):
    there = {"REMOTE_ADDR": "192.0.2.7"}
    moves = {"start": CODE, "moves": "U"}
    answer = spent.test_client().post(
        f"/play/{CODE}/play-on", data=moves, headers=HTMX, environ_base=there
    )
    assert answer.status_code == 429
    assert answer.headers["HX-Retarget"] == "#notice"


# The web process


def url_of(app, rule):
    """Return a URL of a route. The converters of all routes accept these values."""
    values = {"code": CODE, "size": "3x3", "topic": "astar", "day": "2026-11-20"}
    values |= {"algorithm": "astar", "name": "x", "digest": "0", "filename": "css/play.css"}
    values |= {"room": "0000-00000-0000", "ticket": "0", "key": "astar"}
    return app.url_map.bind("localhost").build(
        rule.endpoint, {name: values[name] for name in rule.arguments}
    )


def test_every_route_is_charged_or_is_cheap(new_app):
    app = new_app(VISITOR_SECONDS=100, METRICS=True)
    web = Visitor("192.0.2.7", "192.0.2.7")
    services_of(app).get(Budgets).charge_web(web, 100)
    free = set()
    for rule in app.url_map.iter_rules():
        for method in rule.methods - {"OPTIONS"}:
            there = {"REMOTE_ADDR": web.address}
            client = app.test_client()
            with client.open(url_of(app, rule), method=method, environ_base=there) as answer:
                if answer.status_code != 429:
                    free.add(rule.endpoint)
                else:
                    assert answer.headers["Retry-After"]
                    assert rule.endpoint not in app.extensions[CHEAP_ENDPOINTS]
    assert free == app.extensions[CHEAP_ENDPOINTS]


@pytest.mark.parametrize(("path", "method"), [(f"/lab/{CODE}", "GET"), ("/none", "HEAD")])
def test_time_of_the_web_process_is_charged(app, monkeypatch, path, method):
    charged, clock = [], iter([100])
    monkeypatch.setattr(time, "thread_time", lambda: next(clock, 103))
    monkeypatch.setattr(Budgets, "charge_web", lambda self, who, seconds: charged.append(seconds))
    with app.test_client().open(path, method=method):
        assert not charged
    assert charged == [3]


def test_stream_is_charged_at_its_end(app, monkeypatch):
    charged = []
    monkeypatch.setattr(Budgets, "charge_web", lambda self, who, seconds: charged.append(seconds))
    with app.test_client().post(f"/play/{CODE}/solve", headers=HTMX) as stream:
        assert not charged
        assert stream.get_data()
    assert len(charged) == 1


def test_visitor_has_a_share_of_the_web_process(budgets):
    budgets.charge_web(ANN, 0.99 * WEB_SHARE * 10)
    budgets.check_web(ANN)
    budgets.charge_web(ANN, 0.02 * WEB_SHARE * 10)
    with pytest.raises(OverBudget):
        budgets.check_web(ANN)


def test_address_has_half_a_core_of_the_web_process(budgets, clock):
    for number in range(WEB_SHARES_PER_ADDRESS):
        budgets.check_web(BOB)
        budgets.charge_web(Visitor(str(number), "school"), 1)
    with pytest.raises(OverBudget, match=r"you can still play\.$"):
        budgets.check_web(BOB)
    budgets.check_web(CID)
    budgets.check(BOB)
    clock.now += FILL_SECONDS
    budgets.check_web(BOB)


def test_helper_time_is_charged_to_the_visitor(app, monkeypatch):
    paid = []
    monkeypatch.setattr(Budgets, "charge", lambda self, who, seconds: paid.append((who, seconds)))
    client = app.test_client()
    name = cookies_of(client.get("/gallery"))[COOKIE].value.rpartition(".")[0]
    assert paid == [], "a page costs little"
    assert client.get(f"/replay/{CODE}.gif", query_string={"moves": "UL"}).status_code == 200
    assert {who.name for who, _ in paid} == {name}
    reserved, helper, rest = (seconds for _, seconds in paid)
    assert helper > 0
    assert reserved + rest > 0, "what was reserved is given back, but for the view's own time"
