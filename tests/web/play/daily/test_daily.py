"""The daily puzzles: a page for each day, the game of one, and the result to share."""

import re
import time
from concurrent.futures import CancelledError
from datetime import UTC, date, datetime

import pytest

from slidewise import parse_board, parse_puzzle, solve
from slidewise.analysis.daily import FIRST_DAY, daily_puzzle
from tests.boards import ONE_MOVE, TWO_MOVES, UNSOLVABLE
from tests.boards import SMALL as RECTANGLE
from tests.each import each
from tests.web import markup
from tests.web.streams import HTMX
from tests.web.visitor import Visitor
from webapp.play import daily
from webapp.workers import Busy

TODAY = date(2026, 11, 21)
SMALL, LARGE = (str(daily_puzzle(TODAY, side, side)) for side in (3, 4))

pytestmark = pytest.mark.usefixtures("_fixed_today")


@pytest.fixture
def _fixed_today(monkeypatch):
    """Make today one fixed day."""
    monkeypatch.setattr(daily, "today", lambda: TODAY)


def shown(client, path="/daily", status=200):
    response = client.get(path)
    assert response.status_code == status
    assert response.headers["Cache-Control"] == "no-store"
    return markup.read(response)


def puzzles(page):
    links = [link["href"].split("/") for link in page.one("main").all("a")]
    return [link[2] for link in links if link[1] == "play" and len(link) == 3]


# The pages


def test_today_has_two_puzzles(client):
    page = shown(client)
    assert page.one("time")["datetime"] == "2026-11-21"
    assert "Saturday, 21 November 2026 (today)" in page.one("main").text
    assert puzzles(page) == [SMALL, LARGE]
    pictures = [picture["aria-label"] for picture in page.all("div", role="img")]
    assert pictures == [
        "The 3 × 3 puzzle: blank 8 6; 1 5 4; 2 7 3",
        "The 4 × 4 puzzle: 7 6 14 3; blank 11 8 2; 15 10 12 5; 1 13 9 4",
    ]
    assert "Shortest solution: 20 to 28 moves" in page.one("main").text
    dated = shown(client, "/daily/2026-11-21").one("main")
    days, dated_days = (one.one(id="calendar").same_as() for one in (page, dated))
    assert days == dated_days
    assert puzzles(shown(client, "/daily/2026-11-21")) == [SMALL, LARGE]


def days_of(page):
    """Return the playable days of the calendar with their URLs."""
    links = page.one("table").all("a")
    return {link["data-solved-of"]: link["href"] for link in links}


def test_days_of_the_month_are_links_up_to_today(client):
    page = shown(client, "/daily/2026-11-20")
    days = days_of(page)
    assert days == {f"2026-11-{n:02}": f"/daily/2026-11-{n:02}" for n in range(1, 22)}
    assert "22 23" in page.one("table").text, "to come: no links"
    assert page.one("a", data_solved_of="2026-11-20")["aria-current"] == "page"
    assert page.one("a", data_solved_of="2026-11-21")["aria-current"] == "date"
    assert page.one("main").one("a", href="/daily").text
    assert "(today)" not in page.one("main").text


def months(page):
    return [link["aria-label"] for link in page.one("main").all("a") if "month=" in link["href"]]


def test_month_links_preserve_the_shown_day(client):
    page = shown(client, "/daily/2026-11-20")
    assert months(page) == ["Earlier month: October 2026"]
    link = page.one("a", aria_label="Earlier month: October 2026")["href"]
    assert link == "/daily/2026-11-20?month=2026-10#calendar"
    earlier = shown(client, link)
    assert earlier.one("time")["datetime"] == "2026-11-20"
    assert len(days_of(earlier)) == 31
    assert months(earlier) == ["Earlier month: September 2026", "Later month: November 2026"]
    assert months(shown(client, f"/daily/{FIRST_DAY}")) == ["Later month: February 2026"]
    for month in "2026-13", "9999-12", "0001-01", "x", "2026-11-01":
        assert days_of(shown(client, f"/daily?month={month}")), month


NO_DAYS = ["2026-02-30", "2026-1-1", "20261121", "2026-W47-6", "٢٠٢٦-01-01", "2026-11-21%0A"]
NO_DAYS += ["0000-00-00", "x" * 3_000, "<b>"]


@each(
    ("day", "words"),
    [
        ("2026-11-22", "The puzzles for 2026-11-22 are not out yet."),
        ("9999-12-31", "not out yet"),
        ("2025-12-31", "The daily puzzles began on 2026-01-01."),
        ("0001-01-01", "began on"),
        *((day, "Write the date like this: 2026-11-21.") for day in NO_DAYS),
    ],
)
def test_other_days_are_404_with_a_link_to_today(client, day, words):
    page = shown(client, f"/daily/{day}", status=404).one("main")
    assert words in page.text
    assert page.one("a", href="/daily").text == "Today’s puzzles"


def test_future_days_are_sent_only_for_storing_ahead(app, client):
    day = TODAY + app.config["DAYS_AHEAD"] * daily.ONE_DAY
    page = shown(client, f"/daily/{day}?ahead=1")
    assert "Saturday, 5 December 2026 (today)" in page.one("main").text, "as on that day"
    code = puzzles(page)[0]
    assert code == str(daily_puzzle(day, 3, 3))
    game = client.get(f"/play/{code}?ahead=1").text
    assert markup.read(game).one("h1").text == "5 December"
    assert "ahead=" not in game
    assert shown(client, f"/play/{code}").one("h1").text == "3 × 3"
    shown(client, f"/daily/{day}", status=404)
    shown(client, f"/daily/{day + daily.ONE_DAY}?ahead=1", status=404)


def test_today_is_the_utc_date(monkeypatch):
    monkeypatch.undo()
    before = datetime.now(UTC).date()
    assert before <= daily.today() <= datetime.now(UTC).date()


def test_next_day_needs_no_restart(new_app, monkeypatch):
    client = new_app().test_client()
    assert puzzles(shown(client)) == [SMALL, LARGE]
    monkeypatch.setattr(daily, "today", lambda: date(2026, 11, 23))
    page = shown(client)
    assert page.one("time")["datetime"] == "2026-11-23"
    assert puzzles(page) == [str(daily_puzzle(date(2026, 11, 23), n, n)) for n in (3, 4)]
    assert puzzles(shown(client, "/daily/2026-11-22"))
    assert puzzles(shown(client, "/daily/2026-11-21")) == [SMALL, LARGE]


def test_clock_that_is_not_set_yet_is_no_error(new_app, monkeypatch):
    client = new_app().test_client()
    monkeypatch.setattr(daily, "today", lambda: date(1970, 1, 1))
    response = client.get("/daily")
    assert response.status_code == 404
    assert "began on" in response.text
    monkeypatch.undo()
    assert puzzles(shown(client))


def test_timeout_is_503_with_retry_after(new_app):
    response = new_app(SOLVE_WAIT=0).test_client().get("/daily")
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0
    assert "Try again in a moment" in markup.read(response).one("main").text


# The game


def play_tiles(client, code, tiles):
    return Visitor(client, code).click("slide", tile=list(tiles))


def shortest_tiles(code):
    """Return the tiles of a shortest solution."""
    return solve(parse_puzzle(code)).tiles


def result(page):
    return "".join(page.one("textarea", id="result-text").content)


@pytest.mark.parametrize(("code", "size"), [(SMALL, "3 × 3"), (LARGE, "4 × 4")])
def test_daily_game_names_its_day(client, code, size):
    page = Visitor(client, code).look()
    title = f"Daily puzzle, Saturday, 21 November 2026 · {size}"
    assert page.one("title").text.startswith(title)
    assert page.one("h1").text == "21 November"
    assert page.one("h1").one("a")["href"] == "/daily/2026-11-21"
    assert f"Daily {size}" in page.one("main").text
    here = page.one("nav", aria_label="Pages").one("a", aria_current="page")
    assert here["href"] == "/daily", "not Play"
    assert not page.all(id="daily-result")


@each("code", [TWO_MOVES, f"{SMALL}_{UNSOLVABLE}", RECTANGLE, ONE_MOVE])
def test_other_puzzle_has_no_day_and_no_result(client, code):
    page = Visitor(client, code).look()
    assert "Daily" not in page.one("title").text + page.one("h1").text
    assert page.one("nav", aria_label="Pages").one("a", aria_current="page").text == "Play"
    assert code != ONE_MOVE or not play_tiles(client, code, [8]).all(id="daily-result")


@pytest.mark.parametrize(
    ("code", "detour", "expected_line"),
    [
        (SMALL, 0, "3×3 · ★★★ · 26 moves, shortest 26 · {}"),
        (SMALL, 6, "3×3 · ★★☆ · 32 moves, shortest 26 · {}"),
        (SMALL, 8, "3×3 · ★☆☆ · 34 moves, shortest 26 · {}"),
        (SMALL, None, "3×3 · 26 moves, shortest 26 · {} · with help"),
        (LARGE, 0, "4×4 · {} moves · {}"),
    ],
    ids=["shortest", "a quarter more", "longer", "helped", "not proved"],
)
def test_shared_result_reveals_no_move(client, code, detour, expected_line):
    if detour is None:
        client.post(f"/play/{code}/assisted")
    tiles = [*parse_board(code).movable[:1] * (detour or 0), *shortest_tiles(code)]
    text = result(play_tiles(client, code, tiles))
    clock = r"0:\d\d(\.\d\d)?"
    line = expected_line.format(len(tiles), clock) if code == LARGE else expected_line.format(clock)
    assert re.fullmatch(
        rf"Slidewise daily 2026-11-21 {line}\n[▁▂▃▄▅▆▇]{{9}}█\n"
        r"http://localhost/daily/2026-11-21",
        text,
    )
    whole = Visitor(client, code).look()
    assert result(whole) == text, "without JavaScript it is in the page"
    assert whole.one("textarea", id="result-text")["readonly"] == ""


def test_result_is_missing_before_the_end_and_after_an_undo(client):
    tiles = shortest_tiles(SMALL)
    assert not play_tiles(client, SMALL, tiles[:-1]).all(id="daily-result")
    assert play_tiles(client, SMALL, tiles[-1:]).all(id="daily-result")
    page = markup.read(client.post(f"/play/{SMALL}/undo", headers=HTMX))
    assert not page.all(id="daily-result")


def test_finished_game_names_its_day_for_local_storage(client):
    play_tiles(client, SMALL, shortest_tiles(SMALL))
    page = markup.read(client.get(f"/play/{SMALL}"))
    noted = page.one(id="won")
    assert (noted["data-daily"], noted["data-moves"]) == (f"{TODAY} 3x3", "26")
    assert abs(float(noted["data-finished"]) - time.time()) < 3600
    places = shown(client).all("p", _class="proof js-only")
    assert [place["data-daily"] for place in places] == [f"{TODAY} 3x3", f"{TODAY} 4x4"]
    assert {place.text for place in places} == {"Not solved yet"}


@pytest.mark.parametrize("error", [Busy("Later.", retry_after=5), CancelledError(), OSError(28)])
def test_game_works_if_the_days_cannot_be_drawn(new_app, monkeypatch, error):
    def fail(*args):
        raise error

    monkeypatch.setattr(daily.Calendar, "_draw", fail)
    page = markup.read(new_app().test_client().get(f"/play/{SMALL}"))
    assert page.one("h1").text == "3 × 3"
