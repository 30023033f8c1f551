import random
import time

import pytest

from slidewise import parse_board, parse_puzzle, standard_goal
from slidewise.puzzle.moves import play
from tests.boards import BLANK_FIRST, ONE_MOVE, SOLVED
from tests.boards import TWO_MOVES as ONE
from tests.each import each
from tests.puzzle.strategies import walk
from tests.web import markup
from tests.web.cookies import GAME, LAST, cookies_of, shown, slide
from tests.web.streams import HTMX
from webapp.play.session import MAX_COOKIE, MAX_REMEMBERED, AnyClockSigner

OTHER = "1.2.3.4-5.6.7.8-9.10.0.12-13.14.11.15"
WITH_GOAL = f"{ONE}_{BLANK_FIRST}"


ONE_MOVE_GAME = {
    "board": ONE_MOVE,
    "made": "U",
    "undone": "",
    "forgotten": 0,
    "started": 1,
    "finished": None,
    "helped": False,
}


# Path and attributes


def test_game_has_its_own_cookie_with_the_path_of_its_puzzle(client):
    for code, tile in ((ONE, 5), (OTHER, 12), (WITH_GOAL, 5)):
        cookie = cookies_of(slide(client, code, tile))[GAME]
        assert cookie["path"] == f"/play/{code}"


@pytest.mark.parametrize("secure", [False, True])
def test_cookies_are_httponly_and_secure_as_configured(new_app, secure):
    cookies = cookies_of(slide(new_app(SECURE_COOKIES=secure).test_client(), ONE, 5))
    assert set(cookies) == {GAME, LAST}
    for cookie in cookies.values():
        assert cookie["httponly"]
        assert (cookie["samesite"], cookie["domain"]) == ("Lax", "")
        assert bool(cookie["secure"]) is secure
    assert int(cookies[LAST]["max-age"]) > 4 * 7 * 24 * 3600, "games last for weeks"
    assert cookies[GAME]["expires"]


def test_same_start_with_another_goal_is_another_game(client):
    slide(client, ONE, 5)
    assert shown(client, WITH_GOAL) == ONE
    slide(client, WITH_GOAL, 2)
    assert shown(client, ONE) == ONE_MOVE
    assert shown(client, WITH_GOAL) == "1.0.3-4.2.6-7.5.8"


def test_opened_link_changes_no_game(client):
    slide(client, ONE, 5)
    for path in "/", "/new", "/custom", f"/play/{OTHER}", f"/replay/{ONE}?moves=U", "/play/junk":
        client.get(path)
    assert shown(client, ONE) == ONE_MOVE
    assert shown(client, OTHER) == OTHER


def test_opened_puzzle_continues_its_game(client):
    announced = []
    for what, tile in (None, 0), ("slide", 5), ("undo", 0), ("slide", 5), ("slide", 8):
        if what:
            client.post(f"/play/{ONE}/{what}", data={"tile": tile})
        page = markup.read(client.get(f"/play/{ONE}"))
        announced.append((markup.board_of(page), page.one(id="said").text))
    moved = (ONE_MOVE, "Last move: tile 5 up. 1 move so far.")
    back = (ONE, "Your game continues where you left off.")
    assert announced == [(ONE, ""), moved, back, moved, (SOLVED, "")]


# Bad cookies


@pytest.fixture
def good_cookie(client):
    """Return the value of a good_cookie cookie, from a game with one move."""
    return cookies_of(slide(client, ONE, 5))[GAME].value


def is_fresh(app, value, code=ONE):
    """Return whether a visitor with this cookie has a fresh, playable game."""
    client = app.test_client()
    client.set_cookie(GAME, value, path=f"/play/{code}")
    start = parse_puzzle(code).start
    fresh = shown(client, code) == str(start)
    page = markup.read(slide(client, code, start.movable[0]))
    return fresh and markup.moves_of(page) == 1


def signed(app, fields, code=ONE):
    with app.test_request_context(f"/play/{code}"):
        return app.session_interface.get_signing_serializer(app).dumps(fields)


@each("value", ["", "x", "....", "é" * 40, "eyJib2FyZCI6IjEuMi4zIn0.Zz.Zz", "\\000", "A" * 4000])
def test_cookie_of_garbage_is_a_fresh_game(app, value):
    assert is_fresh(app, value)


@each(
    "fields",
    [
        {},
        {"board": ONE_MOVE},
        {"board": None, "made": "U", "undone": ""},
        {"board": "1.2-3.0", "made": "U", "undone": ""},
        {"board": ONE_MOVE, "made": "north", "undone": ""},
        {"board": ONE_MOVE, "made": "U", "undone": 5},
        {"board": ONE_MOVE, "made": "U", "undone": "", "forgotten": 0},
    ],
)
def test_unreadable_cookie_of_another_version_is_a_fresh_game(app, fields):
    assert is_fresh(app, signed(app, fields))


def test_cookie_that_is_not_of_this_game_is_a_fresh_game(app, new_app, good_cookie):
    for place in range(0, len(good_cookie) - 1, 42):
        changed = "A" if good_cookie[place] != "A" else "B"
        assert is_fresh(app, good_cookie[:place])
        assert is_fresh(app, good_cookie[:place] + changed + good_cookie[place + 1 :])
    for code in WITH_GOAL, ONE_MOVE, OTHER:
        assert is_fresh(app, good_cookie, code)
    assert is_fresh(app, signed(new_app(SECRET_KEY="another one" * 4), ONE_MOVE_GAME))
    assert not is_fresh(app, signed(app, ONE_MOVE_GAME))


# Cookies issued before games were stored as text. The first has a slide undone.

OLD_CODE = "1.2.3-4.0.6-7.5.8"
OLD_COOKIE = (
    ".eJwVjEEOgyAQRe8ya5xoUWk5g9uuDQ1jNcHBwLBqvHth-fP-ez9YL0qnY2IBK6mQgk90yYOFAR-ouxE"
    "nnDuDPT5BwXbwkXeqmEsIdcf0jSLEYHsFO4Wrsc2FXEOn81Q77-plcUkaGsxr0nqctVFQ2EdujwXuP2d"
    "RKW4.awKh7Q.X078zwOlv1OGBb7s8-x45te88K4"
)
OLD_COOKIE_OF_MANY_MOVES = (
    ".eJztlLEKwjAURf_lzemjNW2jnR2dBGeJ5GkL6UtJXybx303wLyTDGS4XznjecN8orpaJBSaJiRQ8go0"
    "OJujwgLrpscWxMTjgERQ8F172mfLNyfu8Q3wFEWKYWgUz-a18P89qHWXN7Xy5ViqV_ybXYRcbpQSgM6d"
    "B637URkFiF7iEAD5fbiFYRw.awKh7Q.wkxD2Lqr7F86tVhmHILNialqJ34"
)


@pytest.mark.parametrize(
    ("cookie", "moves", "undone"), [(OLD_COOKIE, 1, "L"), (OLD_COOKIE_OF_MANY_MOVES, 1000, "")]
)
def test_cookie_of_an_older_version_continues_its_game(new_app, cookie, moves, undone):
    client = new_app(PERMANENT_SESSION_LIFETIME=100 * 365 * 24 * 3600).test_client()
    client.set_cookie(GAME, cookie, path=f"/play/{OLD_CODE}")
    page = markup.read(client.get(f"/play/{OLD_CODE}"))
    assert markup.moves_of(page) == moves
    assert page.one(id="play").attrs["data-undone"] == undone
    for what, count in ("undo", moves - 1), ("redo", moves), ("undo", moves - 1):
        page = markup.read(client.post(f"/play/{OLD_CODE}/{what}", headers=HTMX))
        assert markup.moves_of(page) == count
    assert client.get_cookie(GAME, path=f"/play/{OLD_CODE}").value.startswith("3~")


def test_packed_moves_are_undone_and_redone(client):
    form = {"start": OLD_CODE, "moves": "UDLR" * 130}
    client.post(f"/play/{OLD_CODE}/play-on", data=form)
    for what, left in ("undo", 300), ("redo", 301):
        for count in (100, 100, 20) if what == "undo" else (1,):
            actions = {"tile": [what] * count}
            response = client.post(f"/play/{OLD_CODE}/slide", data=actions, headers=HTMX)
        page = markup.read(response)
        assert markup.moves_of(page) == left
        assert markup.board_of(page) == str(play(parse_board(OLD_CODE), ("UDLR" * 76)[:left]))


# Size


def test_cookie_stays_short_after_thousands_of_moves_of_10x10(client):
    goal, count = standard_goal(10, 10), 9998
    chance = random.Random(1)
    moves = walk(goal, [chance.randrange(12) for _ in range(count)])
    board = play(goal, moves)
    form = {"start": str(goal), "moves": moves}
    response = client.post(f"/play/{goal}/play-on", data=form, headers=HTMX)
    for _ in range(2):
        page = markup.read(response)
        assert markup.board_of(page) == str(board)
        assert markup.moves_of(page) == count
        assert len(cookies_of(response)[GAME].value) <= MAX_COOKIE == 3500
        # Browsers store 4,096 bytes with the name, and some count the attributes too.
        assert max(map(len, response.headers.getlist("Set-Cookie"))) < 4096
        tile = board.movable[0]
        board, count = board.slide(tile), count + 1
        response = slide(client, str(goal), tile)
    for _ in range(10):
        assert client.post(f"/play/{goal}/undo", headers=HTMX).status_code == 200
    assert markup.moves_of(markup.read(client.get(f"/play/{goal}"))) == count - 10


def test_forgotten_moves_count_after_all_others_are_undone(app):
    client = app.test_client()
    fields = {**ONE_MOVE_GAME, "forgotten": 5000}
    client.set_cookie(GAME, signed(app, fields), path=f"/play/{ONE}")
    page = markup.read(client.post(f"/play/{ONE}/undo", headers=HTMX))
    assert (markup.board_of(page), markup.moves_of(page)) == (ONE, 5000)
    assert "a restart cannot be undone" in " ".join(page.text.split())
    refused = client.post(f"/play/{ONE}/undo", headers=HTMX)
    assert "refused" in markup.read(refused).one(id="said").classes
    assert markup.moves_of(markup.read(refused)) == 5000
    page = markup.read(client.post(f"/play/{ONE}/restart", headers=HTMX))
    assert markup.moves_of(page) == 0


def test_moves_packed_into_few_bytes_are_forgotten_too(app):
    """More than 100,000 moves cannot be read, so a longer game could not go on."""
    start = standard_goal(10, 10)
    fields = {**ONE_MOVE_GAME, "board": str(start), "made": "R9L9" * 5555}
    client = app.test_client()
    code = f"{start}_{str(start).replace('1.2.3', '2.1.3', 1)}"
    client.set_cookie(GAME, signed(app, fields, code), path=f"/play/{code}")
    for turn in range(1, 6):
        response = slide(client, code, 91 if turn % 2 else 99)
        assert response.status_code == 200
        assert markup.moves_of(markup.read(response)) == 99_990 + 9 * turn
    with app.test_request_context(f"/play/{code}"):
        signer = app.session_interface.get_signing_serializer(app)
        text = signer.loads(cookies_of(response)[GAME].value)["game"]
    assert 0 < int(text.split("~")[4]) <= MAX_REMEMBERED


# Responses that set cookies


CLICKS = ["slide", "undo", "redo", "restart", "assisted", "play-on"]


def test_clicks_set_cookies(client):
    slide(client, ONE, 5)
    form = {"tile": 8, "start": ONE, "moves": "U"}
    for click in CLICKS:
        response = client.post(f"/play/{ONE}/{click}", data=form)
        assert response.status_code == 303
        assert GAME in cookies_of(response), click


def test_other_requests_set_no_cookies(client, solve):
    slide(client, ONE, 5)
    value = client.get_cookie(GAME, path=f"/play/{ONE}").value
    gets = [
        *["/", "/new", "/custom", "/daily", "/nowhere", "/static/icon.svg", f"/board/{ONE}.svg"],
        *[f"/play/{ONE}/share?beat=9", f"/qr/play/{ONE}.svg", f"/board/{ONE}.png"],
        *[f"/play/{ONE}/review", f"/play/{ONE}/to-go?board={ONE}"],
        *[f"/play/{ONE}", "/play/123406758", f"/play/{ONE}/slide", "/play/junk"],
        *(f"/replay/{ONE}{query}" for query in ("", "?moves=UL", "?moves=R9")),
    ]
    for path in gets:
        for headers in {}, HTMX:
            with client.get(path, headers=headers) as response:
                assert not {GAME, LAST} & set(cookies_of(response)), path
    posts = {
        "/custom": {"start": "1.2.3"},  # refused, as a board that is chosen is the last one
        f"/play/{ONE}/slide": {"tile": "1"},  # refused
        f"/play/{ONE}/solve": {"algorithm": "astar"},  # a page, as htmx did not ask
        f"/play/{ONE}/solve/stop": {"job": "none"},
        "/play/123406758/slide": {"tile": "5"},  # redirected
    }
    for path, form in posts.items():
        response = client.post(path, data=form)
        assert response.status_code < 500
        assert not {GAME, LAST} & set(cookies_of(response)), path
    reader = solve(ONE, cookies={GAME: value})
    assert reader.all()
    assert "Set-Cookie" not in reader.response.headers
    assert client.get_cookie(GAME, path=f"/play/{ONE}").value == value


def test_game_cookie_sent_to_other_pages_is_not_changed(client, good_cookie):
    client.set_cookie(GAME, good_cookie, path="/")
    for path in "/custom", "/", f"/board/{ONE}.svg":
        assert not {GAME, LAST} & set(cookies_of(client.get(path)))


def test_game_survives_a_clock_set_back_or_forward(client, monkeypatch):
    slide(client, ONE, 5)
    now = int(time.time())
    for seconds in -3600, -3, 3600:
        then = now + seconds
        monkeypatch.setattr(AnyClockSigner, "get_timestamp", lambda _, then=then: then)
        assert shown(client, ONE) == ONE_MOVE
    monkeypatch.setattr(AnyClockSigner, "get_timestamp", lambda _: now + 91 * 24 * 3600)
    assert shown(client, ONE) == ONE, "one of three months ago is a game no more"
