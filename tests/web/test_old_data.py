"""Data that an older version stored (`tests/data/old/`) is read by this one."""

import json
import shutil
from datetime import date, timedelta
from pathlib import Path

import pytest

from slidewise import parse_board, parse_puzzle, scramble, solve, standard_goal, verify
from slidewise.solver.tables.patterns import files
from slidewise.solver.tables.patterns.partition import find_partition
from tests.solver.patterns import tables_of
from tests.web import markup
from tests.web.cookies import cookies_of, slide
from tests.web.streams import HTMX
from webapp.http.visitor import COOKIE
from webapp.play.daily_store import SqliteStore

OLD = Path(__file__).parents[1] / "data" / "old"
COOKIES = json.loads((OLD / "cookies.json").read_text())
DAY = date(2026, 11, 27)


@pytest.fixture(scope="module")
def app_with_old_key(new_app):
    """Return an app with the old key; the cookies of that day never expire."""
    return new_app(
        SECRET_KEY=COOKIES["secret_key"], PERMANENT_SESSION_LIFETIME=timedelta(days=365_000)
    )


@pytest.fixture
def client(app_with_old_key):
    """Return a client with the old cookies."""
    client = app_with_old_key.test_client()
    for cookie in COOKIES["cookies"]:
        client.set_cookie(cookie["name"], cookie["value"], path=cookie["path"])
    return client


@pytest.mark.parametrize("code", COOKIES["games"])
def test_old_cookie_shows_its_game_and_takes_moves(client, code):
    game = COOKIES["games"][code]
    page = markup.read(client.get(f"/play/{code}"))
    assert (markup.board_of(page), markup.moves_of(page)) == (game["board"], game["moves"])
    board = parse_board(game["board"])
    tile = board.movable[0]
    page = markup.read(slide(client, code, tile))
    assert markup.board_of(page) == str(board.slide(tile))
    assert markup.moves_of(page) == game["moves"] + 1


def test_undone_moves_of_an_old_cookie_are_redone(client):
    ((code, game),) = [(code, game) for code, game in COOKIES["games"].items() if game["undone"]]
    for _ in range(game["undone"]):
        page = markup.read(client.post(f"/play/{code}/redo", headers=HTMX))
    assert markup.board_of(page) == game["redone"]
    assert markup.moves_of(page) == game["moves"] + game["undone"]


def test_whole_history_of_an_old_cookie_is_undone(client):
    code, game = next((code, game) for code, game in COOKIES["games"].items() if game["undone"])
    for undone in range(100, game["moves"] + 100, 100):
        form = {"tile": ["undo"] * min(100, game["moves"] - undone + 100)}
        page = markup.read(client.post(f"/play/{code}/slide", data=form, headers=HTMX))
    assert (markup.board_of(page), markup.moves_of(page)) == (str(parse_puzzle(code).start), 0)


def test_visitor_with_old_cookies_is_known(client):
    response = client.get("/new")
    assert COOKIE not in cookies_of(response)
    assert client.get("/").headers["Location"].endswith(list(COOKIES["games"])[-1])


def test_old_counts_of_a_day_are_read_and_continued(tmp_path):
    file = shutil.copy(OLD / "daily.sqlite3", tmp_path)
    store = SqliteStore(Path(file), lambda: DAY)
    assert store.counts(DAY, "3x3") == {22: 7, 23: 6, 24: 6, 25: 6}
    assert store.counts(DAY, "4x4") == {50: 1, 52: 1, 54: 1}
    assert store.counts(DAY - timedelta(1), "3x3") == {18: 1}
    store.count(DAY, "3x3", 22, "another player", "192.0.2.7")
    assert store.counts(DAY, "3x3")[22] == 8


@pytest.mark.parametrize(("name", "length"), [("certificate", 23), ("certificate-subtrees", 31)])
def test_old_certificate_is_checked(name, length):
    answer = verify.verify(OLD / f"{name}.json")
    assert (answer.code, answer.error) == (verify.CHECKED, "")
    assert f"fewer than {length} moves" in answer.findings[-1].text


def test_old_certificate_names_a_shortest_solution():
    claims = json.loads((OLD / "certificate.json").read_text())
    assert claims["length"] == len(claims["moves"]) == solve(scramble(3, 3, "7")).length


def test_old_table_is_read(tmp_path, monkeypatch):
    monkeypatch.setenv(files.VARIABLE, str(tmp_path))
    partition = find_partition(*standard_goal(2, 3).size, 0)
    assert files.read(partition) is None
    shutil.copy(OLD / files.path(partition).name, tmp_path)
    mapped = files.read(partition)
    assert mapped
    assert mapped.memory[files.HEADER_BYTES :] == tables_of(partition).tobytes()
