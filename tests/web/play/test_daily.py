"""The daily puzzles: a page for each day, the game of one, and the result to share."""

from __future__ import annotations

import re
from concurrent.futures import CancelledError
from datetime import UTC, date, datetime

import pytest

from slidewise import parse_board, parse_puzzle
from slidewise.study.daily import FIRST_DAY, daily_puzzle
from tests.web import markup
from tests.web.streams import HTMX
from webapp.play import daily
from webapp.workers import Busy

TODAY = date(2026, 11, 21)
SMALL, LARGE = (str(daily_puzzle(TODAY, side, side)) for side in (3, 4))

pytestmark = pytest.mark.usefixtures("_that_day")


@pytest.fixture
def _that_day(monkeypatch):
    """Make it one day for ever."""
    monkeypatch.setattr(daily, "today", lambda: TODAY)


def shown(client, path="/daily", status=200):
    response = client.get(path)
    assert response.status_code == status
    assert response.headers["Cache-Control"] == "no-store"
    return markup.read(response)


def puzzles(page):
    links = [link["href"] for link in page.one("main").all("a")]
    return [link.removeprefix("/play/") for link in links if link.startswith("/play/")]


# The pages


def test_today_has_its_two_puzzles(client):
    page = shown(client)
    assert page.one("h1").text == "Daily 2026-11-21"
    assert "Saturday, 21 November 2026 (today)" in page.one("main").text
    assert puzzles(page) == [SMALL, LARGE]
    pictures = [picture["aria-label"] for picture in page.all("div", role="img")]
    assert pictures == [
        "The 3 × 3 puzzle: blank 8 6; 1 5 4; 2 7 3",
        "The 4 × 4 puzzle: 7 6 14 3; blank 11 8 2; 15 10 12 5; 1 13 9 4",
    ]
    assert "20 to 28 moves" in page.one("main").text


def test_today_by_its_date_is_the_same(client):
    today, dated = shown(client).one("main"), shown(client, "/daily/2026-11-21").one("main")
    assert today.same_as() == dated.same_as()


def test_each_visitor_has_the_same(app):
    one, other = (shown(app.test_client(), "/daily/2026-05-01") for _ in range(2))
    assert puzzles(one) == puzzles(other)
    assert puzzles(one) != puzzles(shown(app.test_client(), "/daily/2026-05-02"))


def test_no_cookie_is_set(client):
    assert "Set-Cookie" not in client.get("/daily").headers


def test_the_days_before_are_linked(client):
    page = shown(client, "/daily/2026-11-20")
    links = page.one(id="other-days").parent.all("a")
    days = [link.text for link in links]
    assert days == ["2026-11-21", *[f"2026-11-{day}" for day in range(19, 12, -1)], "Today"]
    for link in links:
        assert shown(client, link["href"]).one("h1").text.startswith("Daily 2026-11-")
    assert "(today)" not in page.one("main").text


def test_the_first_day_has_none_before_it(client):
    page = shown(client, f"/daily/{FIRST_DAY}")
    links = [link.text for link in page.one(id="other-days").parent.all("a")]
    assert links == ["2026-01-02", "Today"]


def test_a_day_can_be_chosen(client):
    field = shown(client).one("input", type="date")
    assert (field["min"], field["max"]) == ("2026-01-01", "2026-11-21")
    response = client.get("/daily", query_string={field["name"]: "2026-02-28"})
    assert response.location == "/daily/2026-02-28"
    assert shown(client, response.location).one("h1").text == "Daily 2026-02-28"
    assert shown(client, "/daily?day=").one("h1").text == "Daily 2026-11-21"


@pytest.mark.parametrize(
    ("day", "words"),
    [
        ("2026-11-22", "The puzzles of 2026-11-22 are still to come."),
        ("9999-12-31", "still to come"),
        ("2025-12-31", "The daily puzzles began on 2026-01-01."),
        ("0001-01-01", "began on"),
        ("2026-02-30", "A day is written as in 2026-11-21."),
        ("2026-1-1", "A day is written as"),
        ("20261121", "A day is written as"),
        ("2026-W47-6", "A day is written as"),
        ("٢٠٢٦-01-01", "A day is written as"),
        ("2026-11-21%0A", "A day is written as"),
        ("0000-00-00", "A day is written as"),
        ("x" * 3_000, "A day is written as"),
        ("<b>", "A day is written as"),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_other_days_are_told_so_with_the_way_to_today(client, day, words):
    page = shown(client, f"/daily/{day}", status=404).one("main")
    assert words in page.text
    assert page.one("a", href="/daily").text == "Today's puzzles"


def test_the_days_go_by_the_clock_in_utc(monkeypatch):
    monkeypatch.undo()
    before = datetime.now(UTC).date()
    assert before <= daily.today() <= datetime.now(UTC).date()


def test_the_next_day_comes_without_a_restart(new_app, monkeypatch):
    client = new_app().test_client()
    assert puzzles(shown(client)) == [SMALL, LARGE]
    monkeypatch.setattr(daily, "today", lambda: date(2026, 11, 23))
    page = shown(client)
    assert page.one("h1").text == "Daily 2026-11-23"
    assert puzzles(page) == [str(daily_puzzle(date(2026, 11, 23), n, n)) for n in (3, 4)]
    assert puzzles(shown(client, "/daily/2026-11-22"))
    assert puzzles(shown(client, "/daily/2026-11-21")) == [SMALL, LARGE]


def test_when_there_is_no_answer_one_is_asked_to_try_again(new_app):
    response = new_app(SOLVE_WAIT=0).test_client().get("/daily")
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0
    assert "Try again in a moment" in markup.read(response).one("main").text


# The game


def won(client, code, tiles, **request):
    for tile in tiles:
        response = client.post(f"/play/{code}/slide", data={"tile": tile}, **request)
    return markup.read(response)


def way(code):
    """Return the tiles of a shortest solution."""
    from slidewise import solve

    return solve(parse_puzzle(code)).tiles


def result(page):
    return "".join(page.one("textarea", id="result-text").content)


@pytest.mark.parametrize(("code", "size"), [(SMALL, "3 × 3"), (LARGE, "4 × 4")])
def test_the_game_says_whose_puzzle_it_is(client, code, size):
    page = markup.read(client.get(f"/play/{code}"))
    assert page.one("title").text.startswith(f"Daily 2026-11-21 · {size}")
    assert page.one("h1").text == "Daily 2026-11-21"
    assert page.one("h1").one("a")["href"] == "/daily/2026-11-21"
    assert size in page.one("main").text
    assert not page.all(id="daily-result")


def test_an_earlier_day_is_told_by_the_puzzle_alone(client):
    (code, _) = puzzles(shown(client, "/daily/2026-02-28"))
    assert markup.read(client.get(f"/play/{code}")).one("h1").text == "Daily 2026-02-28"


@pytest.mark.parametrize(
    "code",
    ["1.2.3-4.0.6-7.5.8", f"{SMALL}_1.2.3-8.0.4-7.6.5", "1.0.3-4.2.5", "8.6.7-2.5.4-3.0.1"],
)
def test_another_puzzle_is_no_days(client, code):
    page = markup.read(client.get(f"/play/{code}"))
    assert "Daily" not in page.one("title").text + page.one("h1").text


def test_a_day_to_come_is_not_told_before(new_app):
    client = new_app().test_client()
    code = daily_puzzle(date(2026, 11, 22), 3, 3)
    assert "Daily" not in markup.read(client.get(f"/play/{code}")).one("h1").text


def test_the_result_is_there_to_share(client):
    page = won(client, SMALL, way(SMALL), headers=HTMX)
    text = result(page)
    assert re.fullmatch(
        r"Slidewise 2026-11-21 3x3: 26 moves of 26, 0:\d\d\nhttp://localhost/daily/2026-11-21", text
    )
    whole = markup.read(client.get(f"/play/{SMALL}"))
    assert result(whole) == text, "without JavaScript it is in the page"
    assert whole.one("textarea", id="result-text")["readonly"] == ""


def test_the_result_counts_the_moves_that_were_made(client):
    first = parse_board(SMALL).movable[0]
    page = won(client, SMALL, [first, first, *way(SMALL)], headers=HTMX)
    assert "3x3: 28 moves of 26, 0:" in result(page)


def test_the_result_says_so_where_there_was_help(client):
    client.post(f"/play/{SMALL}/hint")
    page = won(client, SMALL, way(SMALL), headers=HTMX)
    assert re.search(r"26 moves of 26, 0:\d\d, with help\n", result(page))


def test_a_number_that_is_not_proved_is_left_out(client, monkeypatch):
    tiles = way(LARGE)
    page = won(client, LARGE, tiles, headers=HTMX)
    said = re.match(r"Slidewise 2026-11-21 4x4: (\d+) moves, 0:\d\d\n", result(page))
    assert said
    assert int(said[1]) == len(tiles)


def test_no_result_before_the_end_nor_after_an_undo(client):
    tiles = way(SMALL)
    assert not won(client, SMALL, tiles[:-1], headers=HTMX).all(id="daily-result")
    assert won(client, SMALL, tiles[-1:], headers=HTMX).all(id="daily-result")
    page = markup.read(client.post(f"/play/{SMALL}/undo", headers=HTMX))
    assert not page.all(id="daily-result")


def test_a_finished_game_names_its_day_for_the_browser_to_keep(client):
    won(client, SMALL, way(SMALL), headers=HTMX)
    page = markup.read(client.get(f"/play/{SMALL}"))
    assert page.one(id="won")["data-daily"] == f"{TODAY} 3x3"
    places = shown(client).all("p", _class="proof solved")
    assert [place["data-daily"] for place in places] == [f"{TODAY} 3x3", f"{TODAY} 4x4"]
    assert all("hidden" in place.attrs for place in places)


def test_no_result_of_another_puzzle(client):
    assert not won(client, "1.2.3-4.5.6-7.0.8", [8], headers=HTMX).all(id="daily-result")


@pytest.mark.parametrize("error", [Busy("Later.", retry_after=5), CancelledError(), OSError(28)])
def test_the_game_goes_on_where_the_days_are_not_known(new_app, monkeypatch, error):
    def fail(*args):
        raise error

    monkeypatch.setattr(daily.Calendar, "_draw", fail)
    page = markup.read(new_app().test_client().get(f"/play/{SMALL}"))
    assert page.one("h1").text == "3 × 3"
