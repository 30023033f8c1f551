"""The results of a day: who counts, the store, and the chart of a player's place."""

import fcntl
import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, date, datetime, timedelta

import pytest
from redis.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError

from slidewise import Limits, parse_puzzle, solve
from slidewise.analysis.daily import daily_puzzle
from tests.web import markup
from tests.web.streams import HTMX, PATIENCE
from tests.web.visitor import Visitor
from webapp.play import daily, daily_store
from webapp.play.daily_results import MAX_BARS, DailyResults, chart
from webapp.play.daily_store import (
    MAX_PER_ADDRESS,
    DailyStoreError,
    DayResult,
    RedisStore,
    SqliteStore,
)
from webapp.workers.redis.shared import RedisShared, connect
from webapp.workers.shared import services_of

TODAY = date(2026, 11, 29)
SMALL, LARGE, LARGEST = (str(daily_puzzle(TODAY, side, side)) for side in (3, 4, 5))
SHORTEST = solve(parse_puzzle(SMALL)).tiles


@pytest.fixture(autouse=True)
def _fixed_today(monkeypatch):
    monkeypatch.setattr(daily, "today", lambda: TODAY)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "daily.sqlite3"


@pytest.fixture(params=["sqlite", "redis"])
def store(request, tmp_path):
    if request.param == "sqlite":
        return SqliteStore(tmp_path / "state" / "daily.sqlite3", lambda: TODAY)
    return RedisStore(RedisShared(connect(request.getfixturevalue("redis_url"))))


# The store


def test_players_are_counted_by_day_size_and_moves(store):
    assert store.counts(TODAY, "3x3") == {}
    for player, moves in ("ann", 24), ("bob", 24), ("cid", 30):
        store.count(TODAY, "3x3", moves, player, player)
    store.count(TODAY, "4x4", 70, "ann", "ann")
    assert store.counts(TODAY, "3x3") == {24: 2, 30: 1}
    assert store.counts(TODAY, "4x4") == {70: 1}
    assert store.counts(TODAY - timedelta(1), "3x3") == {}


def test_player_counts_once_also_from_many_threads(store):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: store.count(TODAY, "3x3", 24 + n, f"{n % 4}", ""), range(40)))
    assert sum(store.counts(TODAY, "3x3").values()) == 4


def test_players_finishing_at_once_all_count(tmp_path, monkeypatch):
    monkeypatch.setattr(daily_store, "LOCK_SECONDS", 0)
    store = SqliteStore(tmp_path / "daily.sqlite3", lambda: TODAY)
    players = map(str, range(30))
    with ThreadPoolExecutor(30) as threads:
        list(threads.map(lambda player: store.count(TODAY, "3x3", 24, player, player), players))
    assert store.counts(TODAY, "3x3") == {24: 30}


def test_players_above_the_limit_are_not_counted(store, monkeypatch):
    monkeypatch.setattr(daily_store, "MAX_PLAYERS", 3)
    for number in range(5):
        store.count(TODAY, "3x3", 24, str(number), str(number))
    assert store.counts(TODAY, "3x3") == {24: 3}


def test_address_counts_sixty_times_a_day_and_others_go_on(store):
    for number in range(MAX_PER_ADDRESS + 20):
        size = "3x3" if number % 2 else "4x4"
        store.count(TODAY, size, 24, str(number), "a school")
    store.count(TODAY, "4x4", 30, "ann", "her address")
    store.count(TODAY + timedelta(1), "3x3", 24, "bob", "a school")
    assert store.counts(TODAY, "3x3") == {24: 30}
    assert store.counts(TODAY, "4x4") == {24: 30, 30: 1}
    assert store.counts(TODAY + timedelta(1), "3x3") == {24: 1}


def test_results_that_do_not_count_leave_an_address_its_share(store):
    for _ in range(MAX_PER_ADDRESS + 1):
        store.count(TODAY, "3x3", 24, "ann", "home")
    store.count(TODAY, "4x4", 70, "ann", "home")
    assert store.counts(TODAY, "4x4") == {70: 1}


def test_hashes_of_visitors_are_deleted_after_their_day(tmp_path):
    today, path = [TODAY], tmp_path / "daily.sqlite3"
    store = SqliteStore(path, lambda: today[0])
    store.count(TODAY, "3x3", 24, "the hash of ann", "192.0.2.7")
    assert b"the hash of ann" in path.read_bytes()
    (((key,),), ((address,),)) = rows(path, "key FROM keys"), rows(path, "address FROM addresses")
    assert key in path.read_bytes()
    today[0] += timedelta(1)
    assert store.counts(TODAY, "3x3") == {24: 1}, "the numbers stay"
    for table in "counted", "addresses", "keys":
        assert rows(path, f"* FROM {table}") == []
    left = path.read_bytes()
    assert not any(secret in left for secret in (b"the hash of ann", key, address.encode()))


def test_address_is_hashed_with_a_key_of_its_day(path):
    store = SqliteStore(path, lambda: TODAY)
    for day in TODAY, TODAY + timedelta(1):
        store.count(day, "3x3", 24, "ann", "192.0.2.7")
    assert len(set(rows(path, "address FROM addresses"))) == 2
    assert len(set(rows(path, "key FROM keys"))) == 2
    assert b"192.0.2.7" not in path.read_bytes()


def rows(path, columns):
    with closing(sqlite3.connect(path)) as file:
        return file.execute(f"SELECT {columns}").fetchall()


def test_hashes_of_visitors_expire_in_redis_with_their_day(redis_url):
    day = datetime.now(UTC).date() + timedelta(2)
    over = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(1)
    shared = RedisShared(connect(redis_url))
    RedisStore(shared).count(day, "3x3", 24, "ann", "192.0.2.7")
    found = {
        key.decode(): shared.attempt(lambda redis, key=key: redis.expiretime(key))
        for key in shared.attempt(lambda redis: redis.keys())
    }
    assert found.pop(f"slidewise:daily:{day} 3x3") == -1
    assert set(found) == {
        f"slidewise:daily:{name} {day}" for name in ("counted", "addresses", "key")
    }
    assert all(over.timestamp() - 2 <= end <= over.timestamp() + 1 for end in found.values())
    addresses = shared.attempt(lambda redis: redis.hgetall(f"slidewise:daily:addresses {day}"))
    assert b"192.0.2.7" not in addresses


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"not a database at all" * 100,
        lambda data: bytes(len(data)),
        lambda data: data[: len(data) // 2],
        lambda data: data[:4096] + bytes(len(data) - 4096),
    ],
    ids=["other text", "zeros", "half", "zeros after the first page"],
)
def test_damaged_file_is_set_aside_and_counting_goes_on(tmp_path, caplog, damage):
    path = tmp_path / "daily.sqlite3"
    SqliteStore(path, lambda: TODAY).count(TODAY, "3x3", 24, "ann", "ann")
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    store = SqliteStore(path, lambda: TODAY)
    assert store.counts(TODAY, "3x3") == {}
    store.count(TODAY, "3x3", 30, "bob", "bob")
    assert store.counts(TODAY, "3x3") == {30: 1}
    (aside,) = tmp_path.glob("daily.sqlite3.damaged-2*")
    assert aside.read_bytes() == damaged
    assert f"set aside as {aside}" in caplog.text
    (problem,) = SqliteStore(path, lambda: TODAY).problems()
    assert str(aside) in problem


def test_many_threads_set_a_damaged_file_aside_once(tmp_path, monkeypatch):
    path = tmp_path / "daily.sqlite3"
    path.write_bytes(bytes(8192))
    monkeypatch.setattr(daily_store, "LOCK_SECONDS", PATIENCE)
    stores = [SqliteStore(path, lambda: TODAY) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda one: one.count(TODAY, "3x3", 24, str(id(one)), ""), stores))
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1
    assert stores[0].counts(TODAY, "3x3") == {24: 8}


def test_damage_beside_the_rows_read_is_found(tmp_path):
    path = tmp_path / "daily.sqlite3"
    days = [TODAY - timedelta(day) for day in range(3_000)]
    store = SqliteStore(path, lambda: TODAY)
    store.merge(DayResult(str(day), "3x3", 24, 1) for day in days)
    assert path.stat().st_size > 20 * 4096
    with path.open("r+b") as file:
        file.seek(10 * 4096)
        file.write(bytes(4096))
    assert store.counts(TODAY, "3x3") == {24: 1}, "the damage is elsewhere"
    assert SqliteStore(path, lambda: TODAY).counts(TODAY, "3x3") == {}
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1


def test_file_that_another_process_has_replaced_stays(tmp_path, monkeypatch):
    path, lock = tmp_path / "daily.sqlite3", fcntl.flock
    SqliteStore(path, lambda: TODAY).count(TODAY, "3x3", 24, "ann", "ann")
    good = path.read_bytes()
    path.write_bytes(bytes(8192))

    def lock_late(descriptor, operation):
        path.write_bytes(good)
        lock(descriptor, operation)

    monkeypatch.setattr(daily_store.fcntl, "flock", lock_late)
    assert SqliteStore(path, lambda: TODAY).counts(TODAY, "3x3") == {24: 1}
    assert not list(tmp_path.glob("*.damaged-*"))


def test_new_name_of_a_damaged_file_is_synced(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(
        daily_store, "sync_entries", lambda folder: synced.append(len(list(folder.glob("*.dam*"))))
    )
    (tmp_path / "daily.sqlite3").write_bytes(bytes(8192))
    assert SqliteStore(tmp_path / "daily.sqlite3", lambda: TODAY).counts(TODAY, "3x3") == {}
    assert synced == [1]


def test_empty_file_is_a_new_one(tmp_path, caplog):
    (tmp_path / "daily.sqlite3").touch()
    store = SqliteStore(tmp_path / "daily.sqlite3", lambda: TODAY)
    store.count(TODAY, "3x3", 24, "ann", "ann")
    assert store.counts(TODAY, "3x3") == {24: 1}
    assert caplog.messages == store.problems() == []


def test_folder_that_cannot_be_used_is_a_problem_and_logged_once(tmp_path, caplog):
    (tmp_path / "state").write_text("a file instead of a folder")
    store = SqliteStore(tmp_path / "state" / "daily.sqlite3", lambda: TODAY)
    for _ in range(3):
        store.count(TODAY, "3x3", 24, "ann", "ann")
    assert store.counts(TODAY, "3x3") == {}
    assert caplog.text.count("cannot be counted") == 1
    (problem,) = store.problems()
    assert str(tmp_path / "state") in problem


TABLES_OF_VERSION_0 = (
    "CREATE TABLE results (day TEXT, size TEXT, moves INTEGER, players INTEGER,"
    " PRIMARY KEY (day, size, moves)) WITHOUT ROWID",
    "CREATE TABLE counted (day TEXT, size TEXT, player TEXT,"
    " PRIMARY KEY (day, size, player)) WITHOUT ROWID",
)


def test_file_without_a_schema_version_is_upgraded(path):
    with closing(sqlite3.connect(path)) as file, file:
        for table in TABLES_OF_VERSION_0:
            file.execute(table)
        file.execute("INSERT INTO results VALUES (?, '3x3', 24, 5)", (str(TODAY),))
        file.execute("INSERT INTO counted VALUES (?, '3x3', 'ann')", (str(TODAY),))
    store = SqliteStore(path, lambda: TODAY)
    for player in "ann", "bob":
        store.count(TODAY, "3x3", 24, player, "home")
    assert store.counts(TODAY, "3x3") == {24: 6}, "ann has counted before"
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (1,)


def test_file_of_a_newer_version_is_left_alone(path, caplog):
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE results (of_another_form)")
        file.execute("PRAGMA user_version = 2")
    before, store = path.read_bytes(), SqliteStore(path, lambda: TODAY)
    store.count(TODAY, "3x3", 24, "ann", "ann")
    assert store.counts(TODAY, "3x3") == {}
    assert path.read_bytes() == before
    (problem,) = store.problems()
    assert "a newer version of Slidewise" in problem


def test_results_move_from_store_to_store_once(store, tmp_path):
    old = SqliteStore(tmp_path / "old.sqlite3", lambda: TODAY)
    for day, moves, players in (TODAY, 24, 3), (TODAY - timedelta(400), 31, 2), (TODAY, 30, 1):
        for number in range(players):
            old.count(day, "3x3", moves, f"{moves} {number}", "home")
    moved = [DayResult.read(one.as_line()) for one in old.results()]
    assert [one.players for one in moved] == [2, 3, 1]
    store.merge(moved)
    store.merge(moved)
    assert store.results() == moved
    for number in range(4):
        store.count(TODAY, "3x3", 24, f"new {number}", "home")
    store.merge(moved)
    assert store.counts(TODAY, "3x3") == {24: 7, 30: 1}, "the larger number stays"


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("[]", "expected an object"),
        ("{", "Expecting"),
        ('{"day": "2026-11-21", "size": "3x3", "moves": 24}', "expected an object"),
        *(
            (json.dumps({"day": "2026-11-21", "size": "3x3", "moves": 24, "players": 5} | wrong), e)
            for wrong, e in (
                ({"day": "20261121"}, "a day such as"),
                ({"day": "2026-13-01"}, "month"),
                ({"day": 3}, "a day such as"),
                ({"size": "3x3 "}, "a size such as"),
                ({"moves": "24"}, "moves, got '24'"),
                ({"players": -1}, "players, got -1"),
                ({"players": True}, "players, got True"),
            )
        ),
    ],
)
def test_line_that_is_no_result_is_refused(line, error):
    with pytest.raises(ValueError, match=error):
        DayResult.read(line)


@pytest.mark.parametrize("lost", [0, 1, 2, 3, 4, 5])
def test_player_counts_once_if_a_reply_of_redis_is_lost(redis_url, monkeypatch, lost):
    store = RedisStore(RedisShared(connect(redis_url)))
    assert store.counts(TODAY, "3x3") == {}  # connected
    read, left = AbstractConnection.read_response, iter(range(lost + 1))

    def read_unless_lost(connection, *args, **options):
        found = read(connection, *args, **options)
        if next(left, None) == lost:
            connection.disconnect()
            raise RedisConnectionError("the connection was closed")
        return found

    monkeypatch.setattr(AbstractConnection, "read_response", read_unless_lost)
    for _ in range(2):
        store.count(TODAY, "3x3", 24, "ann", "ann")
    assert store.counts(TODAY, "3x3") == {24: 1}


def test_redis_out_of_reach_counts_nothing(tmp_path):
    store = RedisStore(RedisShared(connect(f"unix://{tmp_path / 'none'}")))
    store.count(TODAY, "3x3", 24, "ann", "ann")
    assert store.counts(TODAY, "3x3") == {}
    assert store.problems() == ["daily results: Redis does not answer"]
    with pytest.raises(DailyStoreError, match="Redis does not answer"):
        store.results()
    with pytest.raises(DailyStoreError, match="Redis does not answer"):
        store.merge([DayResult(str(TODAY), "3x3", 24, 1)])


# The chart


@pytest.mark.parametrize(
    ("counts", "own", "beaten", "labels"),
    [
        ({24: 20}, 24, 0, ["24"]),
        ({24: 1, 30: 29}, 24, 100, ["24", "25", "26", "27", "28", "29", "30"]),
        (
            {24: 10, 25: 5, 40: 5},
            25,
            26,
            ["24–25", "26–27", "28–29", "30–31", "32–33", "34–35", "36–37", "38–39", "40"],
        ),
        ({24: 19, 900: 1}, 900, 0, ["24–900"]),
        ({24: 10, 26: 10}, 25, 50, ["24", "25", "26"]),
        ({24: 10, 26: 10}, None, None, ["24", "25", "26"]),
    ],
)
def test_chart_of_counts(counts, own, beaten, labels):
    shown = chart(counts, own)
    assert [bar.label for bar in shown.bars] == labels
    assert shown.beaten == beaten
    assert sum(bar.players for bar in shown.bars) == shown.players == sum(counts.values())
    assert max(bar.height for bar in shown.bars) == 1
    assert sum(bar.is_own for bar in shown.bars) == (own is not None)


def test_chart_has_at_most_twelve_bars():
    for spread in range(1, 400):
        shown = chart({20 + n: 1 for n in range(spread)}, 20)
        assert len(shown.bars) <= MAX_BARS
        assert [bar.least for bar in shown.bars[1:]] == [bar.most + 1 for bar in shown.bars[:-1]]


# The game


@pytest.fixture
def site(app, tmp_path, monkeypatch):
    """Return the app with a store of its own."""
    store = SqliteStore(tmp_path / "daily.sqlite3", lambda: TODAY)
    monkeypatch.setattr(services_of(app).get(DailyResults), "store", store)
    return app


def results(app, size="3x3"):
    return services_of(app).get(DailyResults).store.counts(TODAY, size)


def newcomer(app):
    client = app.test_client()
    client.get("/daily")
    return client


def play(client, code=SMALL, tiles=SHORTEST):
    return Visitor(client, code).click("slide", tile=list(tiles))


def fill(app, players, moves=60, size="3x3"):
    store = services_of(app).get(DailyResults).store
    for number in range(players):
        store.count(TODAY, size, moves, str(number), str(number))


def detour(tiles):
    """Return the same solution with a detour of two moves at its start."""
    return [tiles[0], tiles[0], *tiles]


def test_solved_game_of_today_counts_once_a_visitor(site):
    ann, bob = newcomer(site), newcomer(site)
    play(ann)
    play(bob, tiles=detour(SHORTEST))
    ann.post(f"/play/{SMALL}/restart", headers=HTMX)
    play(ann, tiles=detour(SHORTEST))
    assert results(site) == {len(SHORTEST): 1, len(SHORTEST) + 2: 1}


def test_addresses_of_one_household_count_as_one(site, monkeypatch):
    monkeypatch.setattr(daily_store, "MAX_PER_ADDRESS", 2)
    for number in range(4):
        client = site.test_client()
        client.environ_base["REMOTE_ADDR"] = f"2001:db8:1:2{number}::1"
        client.get("/daily")
        play(client)
    assert results(site) == {len(SHORTEST): 2}


@pytest.mark.parametrize("after", ["restart", "undo"])
def test_game_left_in_the_request_that_solves_it_counts(site, after):
    client = newcomer(site)
    client.post(f"/play/{SMALL}/slide", data={"tile": [*SHORTEST, after]}, headers=HTMX)
    assert results(site) == {len(SHORTEST): 1}


@pytest.mark.parametrize("why", ["helped", "hinted", "no cookie", "another day"])
def test_other_games_do_not_count(site, monkeypatch, why):
    client = site.test_client() if why == "no cookie" else newcomer(site)
    if why in ("helped", "hinted"):
        client.post(f"/play/{SMALL}/{'assisted' if why == 'helped' else 'hint'}", headers=HTMX)
    if why == "another day":
        monkeypatch.setattr(daily, "today", lambda: TODAY + timedelta(1))
    play(client)
    assert results(site) == {}


def test_place_shows_from_twenty_players_on(site):
    fill(site, 18)
    assert not play(newcomer(site)).all("figure"), "19 players"
    page = play(newcomer(site), tiles=detour(SHORTEST))
    assert (
        page.one("figcaption").text
        == "Fewer moves than 94 % of the other players. 20 players by number of moves:"
    )
    picture = page.one("figure").one("svg")
    own = [bar for bar in picture.all("rect") if "own" in bar.classes]
    assert len(own) == 1
    assert int(own[0]["data-least"]) <= len(SHORTEST) + 2 <= int(own[0]["data-most"])
    assert "(you)" in picture["aria-label"]
    without_script = markup.read(newcomer(site).get("/daily")).one("figcaption").text
    assert without_script == "20 players by number of moves:"


def test_helped_game_shows_no_place_of_its_own(site):
    fill(site, 20)
    client = newcomer(site)
    client.post(f"/play/{SMALL}/assisted", headers=HTMX)
    page = play(client)
    assert page.one("figcaption").text == "20 players by number of moves:"
    assert not [bar for bar in page.all("rect") if "own" in bar.classes]


def play_anyhow(client, code):
    """Play any solution, as of the player."""
    moves = solve(parse_puzzle(code), "best", limits=Limits(seconds=0.1)).moves
    return Visitor(client, code).click("play-on", start=code, moves=moves)


def test_finish_leads_from_puzzle_to_puzzle_then_to_the_calendar(site):
    client = newcomer(site)
    link = play(client).one("a", id="next-puzzle")
    assert (link.text, link["href"]) == ("Today’s 4 × 4", f"/play/{LARGE}")
    link = play_anyhow(client, LARGE).one("a", id="next-puzzle")
    assert (link.text, link["href"]) == ("Today’s 5 × 5", f"/play/{LARGEST}")
    link = play_anyhow(client, LARGEST).one("a", id="next-puzzle")
    assert (link.text, link["href"]) == ("Daily calendar", f"/daily/{TODAY}")
    assert "data-next" not in link.attrs, "no choice of a new game replaces it"


def test_finish_of_an_earlier_day_leads_to_its_next_puzzle(site):
    day = TODAY - timedelta(9)
    code, after = (str(daily_puzzle(day, side, side)) for side in (3, 4))
    link = play(newcomer(site), code, solve(parse_puzzle(code)).tiles).one("a", id="next-puzzle")
    assert (link.text, link["href"]) == ("The day’s 4 × 4", f"/play/{after}")


def test_finish_made_by_the_page_leads_to_the_next_puzzle(site):
    page = newcomer(site).get(f"/play/{SMALL}").text
    made_here = page.partition('<template id="won-template">')[2].partition("</template>")[0]
    link = markup.read(made_here).one("a", id="next-puzzle")
    assert (link.text, link["href"]) == ("Today’s 4 × 4", f"/play/{LARGE}")
    assert "data-next" not in link.attrs


def test_sundays_have_a_third_puzzle(site):
    page = markup.read(newcomer(site).get("/daily"))
    shown = [link["href"] for link in page.one("main").all("a") if link.get("hidden") is None]
    links = [url for url in shown if "/play/" in url]
    assert links == [f"/play/{code}" for code in (SMALL, LARGE, LARGEST)]
    sizes = {link["data-solved-of"]: link["data-sizes"] for link in page.one("table").all("a")}
    assert sizes["2026-11-29"] == "3x3 4x4 5x5"
    assert sizes["2026-11-22"] == sizes["2026-11-28"] == "3x3 4x4", "the first is 29 November"
