"""The home page leads to the last unfinished game."""

import re
from datetime import UTC, datetime

from slidewise import parse_board, parse_puzzle, solve
from slidewise.analysis.daily import daily_puzzle
from tests.boards import ONE_MOVE, SIX_MOVES
from tests.boards import TWO_MOVES as ONE
from tests.each import each
from tests.web import markup
from tests.web.streams import HTMX
from webapp.play.levels import LEVELS

OTHER = "1.2.3.4-5.6.7.8-9.10.0.12-13.14.11.15"


def slide(client, code, tile):
    client.post(f"/play/{code}/slide", data={"tile": tile}, headers=HTMX)


def home_redirect(client):
    response = client.get("/")
    assert response.status_code == 302
    assert response.headers["Cache-Control"] == "no-store"
    return response.location


def test_home_leads_to_a_fresh_puzzle(client):
    client.get(f"/play/{ONE}")
    places = {home_redirect(client) for _ in range(5)}
    assert len(places) == 5
    for place in places:
        assert re.fullmatch(r"/play/\d\.\d\.\d-\d\.\d\.\d-\d\.\d\.\d", place)
        page = markup.read(client.get(place))
        assert not page.all(id="unsolvable")
        assert not page.all(id="won")


def is_first_visit(page):
    return "data-first-visit" in page.one(id="play").attrs


def test_newcomer_has_an_easy_puzzle_and_help_for_three_moves(app):
    places = {home_redirect(app.test_client()) for _ in range(20)}
    assert len(places) > 15
    for place in places:
        moves = solve(parse_puzzle(place.removeprefix("/play/"))).length
        assert 8 <= moves <= 12
    client = app.test_client()
    place = home_redirect(client)
    assert home_redirect(client) == place, "it waits for the newcomer"
    assert is_first_visit(markup.read(client.get(place)))
    assert "Slide the tiles into order, 1 to 8" in client.get(place).text
    for made in range(1, 4):
        board = parse_board(markup.board_of(markup.read(client.get(place))))
        form = {"tile": board.movable[0]}
        page = markup.read(client.post(f"{place}/slide", data=form, headers=HTMX))
        assert is_first_visit(page) == (made < 3)
        assert home_redirect(client) == place
    assert not is_first_visit(markup.read(client.get(f"/play/{OTHER}")))


def test_newcomer_with_a_challenge_sees_the_introduction(app):
    client, link = app.test_client(), f"/play/{OTHER}?beat=60"
    page = client.get(link)
    assert is_first_visit(markup.read(page))
    assert "Slide the tiles into order, 1 to 15" in page.text
    assert is_first_visit(markup.read(client.get(link)))
    slide(client, ONE, 5)
    assert not is_first_visit(markup.read(client.get(link))), "one who has played before"


def test_newcomer_after_solving_sees_no_introduction(client):
    assert is_first_visit(markup.read(client.get(f"/play/{ONE}?beat=4")))
    for tile, is_new in (5, True), (8, False):
        slide(client, ONE, tile)
        assert is_first_visit(markup.read(client.get(f"/play/{ONE}"))) == is_new


def test_home_leads_to_the_last_unfinished_game(client):
    slide(client, ONE, 5)
    assert home_redirect(client) == f"/play/{ONE}"
    slide(client, OTHER, 11)
    assert home_redirect(client) == f"/play/{OTHER}"
    slide(client, ONE, 5)
    client.get(f"/play/{SIX_MOVES}")
    client.post(f"/play/{SIX_MOVES}/assisted")
    assert home_redirect(client) == f"/play/{ONE}", "the other was only looked at"
    slide(client, ONE_MOVE, 8)
    assert home_redirect(client) == f"/play/{ONE}", "the other was solved"


def test_home_leads_past_a_daily_puzzle(client):
    slide(client, OTHER, 11)
    client.get("/daily")  # its days are drawn
    puzzle = daily_puzzle(datetime.now(UTC).date(), 3, 3)
    slide(client, str(puzzle), puzzle.start.movable[0])
    assert home_redirect(client) == f"/play/{OTHER}", "Daily leads to the other"


def test_home_leads_to_a_chosen_puzzle_before_its_first_move(client):
    slide(client, ONE, 5)
    chosen = client.get("/new?size=4x4").location
    assert home_redirect(client) == chosen
    client.post(f"{chosen}/assisted")
    assert home_redirect(client) == chosen
    client.post("/custom", data={"start": OTHER})
    assert home_redirect(client) == f"/play/{OTHER}"


def test_home_leads_to_the_level_or_challenge_that_was_begun(client):
    level = LEVELS[0]
    for path, fields in ((level.code, "level=1"), (ONE, "beat=13")):
        name, number = fields.split("=")
        client.post(
            f"/play/{path}/slide",
            data={"tile": solve(parse_puzzle(path)).tiles[0], name: number},
            headers=HTMX,
        )
        assert home_redirect(client) == f"/play/{path}?{fields}"
        assert client.get(home_redirect(client)).status_code == 200
    client.set_cookie("slidewise_last", f"{ONE}?level=x&beat=%0A&other=1")
    assert home_redirect(client) == f"/play/{ONE}"


def test_home_after_a_solved_game_leads_to_a_fresh_puzzle(client):
    client.get(f"/play/{ONE}")
    slide(client, ONE, 5)
    client.post(f"/play/{ONE}/restart")
    assert home_redirect(client) == f"/play/{ONE}", "a restart can be undone"
    slide(client, ONE, 5)
    slide(client, ONE, 8)
    assert home_redirect(client) not in {f"/play/{ONE}", home_redirect(client)}


@each("value", ["", "junk", "1.2.3-4.5.6", "é", "1" * 4000, "//elsewhere.example"])
def test_garbage_cookie_of_the_last_game_is_a_fresh_puzzle(client, value):
    client.set_cookie("slidewise_last", value)
    assert re.fullmatch(r"/play/[0-9.]+-[0-9.]+-[0-9.]+", home_redirect(client))
