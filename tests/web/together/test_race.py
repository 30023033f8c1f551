"""A race in a room, with plain requests and with requests of scripts."""

import threading
from urllib.parse import urlsplit

import pytest

from slidewise import parse_puzzle, solve
from slidewise.puzzle.moves import tiles_moved
from tests.boards import HARDEST, SOLVED, UNSOLVABLE
from tests.web import markup
from tests.web.streams import HTMX
from tests.web.together.conftest import CODE
from webapp.together import rooms
from webapp.together.rooms import MAX_PLAYERS, Rooms
from webapp.workers import budgets
from webapp.workers.shared import service


def cards(response):
    """Return the text of each player's card, in order."""
    return [card.text for card in markup.read(response).one("ol").all("li")]


def names(response):
    return [
        card.one(class_="who").one("b").text for card in markup.read(response).one("ol").all("li")
    ]


def test_room_has_a_link_and_a_code_to_scan(new_racer):
    ann = new_racer().make()
    page = markup.read(ann.get())
    assert page.one(id="room-link")["value"] == f"http://localhost{ann.room}"
    assert ann.get("/qr.svg").mimetype == "image/svg+xml"
    assert "1 player is here." in page.one(id="room-said").text
    assert page.one(id="start-race").attrs.get("disabled") is not None


@pytest.mark.parametrize(
    "clicks",
    [[], ["assisted"], ["hint"], ["slide 5"], ["slide 5", "slide 8"], ["slide 5", "alone"]],
)
def test_race_on_a_known_board_is_on_another(new_racer, clicks):
    client = new_racer().client
    for click in clicks:
        action, _, tile = click.partition(" ")
        client.post(f"/play/{CODE}/{action}", data={"tile": tile}, headers=HTMX)
    way = markup.read(client.get(f"/play/{CODE}")).one(class_="side").one(class_="ways").one("form")
    made = client.post(way["action"]).location
    with client.application.app_context():
        puzzle = service(Rooms).find(urlsplit(made).path.rpartition("/")[2]).puzzle
    assert puzzle.start.size == (3, 3)
    assert (str(puzzle) != CODE) == bool(clicks)
    assert ("a similar new board" in client.get(made).text) == bool(clicks)


def test_board_is_not_shown_before_the_countdown(clock, new_racer):
    ann = new_racer().make()
    bob = new_racer(ann.room)
    bob.post("join")
    for response in ann.get(), bob.get(), bob.boards():
        assert "t5" not in markup.read(response).ids()
        assert 'svg class="mini' not in response.text
    assert bob.get(headers=HTMX).status_code == 409
    assert bob.slide(5).status_code == 409


def test_closed_page_is_shown_to_others_until_the_next_poll(race):
    ann, bob = race
    assert bob.post("away").status_code == 204
    assert [text.endswith("0 moves · away") for text in cards(ann.boards())] == [False, True]
    bob.boards()
    assert not any("away" in text for text in cards(ann.boards()))
    bob.post("away")
    bob.get()
    assert not any("away" in text for text in cards(ann.boards()))


def test_player_without_polls_is_away_until_the_next(race, clock):
    ann, bob = race
    bob.boards()
    clock.pass_seconds(20)  # two polls of a hidden page
    assert not any("away" in text for text in cards(ann.boards()))
    clock.pass_seconds(10)
    assert [text.endswith("0 moves · away") for text in cards(ann.boards())] == [False, True]
    bob.boards()
    assert not any("away" in text for text in cards(ann.boards()))


def test_player_without_javascript_is_not_away(race, clock):
    ann, bob = race
    bob.get()
    clock.pass_seconds(60)
    assert not any("away" in text for text in cards(ann.boards()))


def test_only_players_can_be_away(race, new_racer):
    ann, bob = race
    eve = new_racer(ann.room)
    assert eve.post("away").status_code == 204
    other_site = bob.client.post(f"{ann.room}/away", headers={"Sec-Fetch-Site": "cross-site"})
    assert other_site.status_code == 403
    bob.post("away")
    bob.post("leave")
    assert cards(ann.boards())[1].endswith("has left")
    assert not any("away" in text for text in cards(ann.boards()))


def test_moves_before_the_start_are_refused(clock, new_racer):
    ann = new_racer().make()
    new_racer(ann.room).post("join")
    ann.post("start")
    page = ann.get()
    assert markup.read(page).one("main")["data-starts-in"] == "5000"
    refused = ann.slide(5)
    assert refused.headers["Slidewise-Answer"] == "refused"
    assert refused.headers["Slidewise-Board"] == CODE
    assert "The race has not started" in refused.text
    clock.pass_seconds(5)
    assert ann.slide(5).headers["Slidewise-Board"] == "1.2.3-4.5.6-7.0.8"


def test_one_player_cannot_start(new_racer):
    ann = new_racer().make()
    response = ann.post("start")
    assert response.status_code == 409
    assert "needs 2 players" in response.text


def test_others_see_each_move_and_the_places(race, clock):
    ann, bob = race
    before = bob.boards()
    assert [card.count("0 moves") for card in cards(before)] == [1, 1]
    ann.slide(5)
    tag = bob.boards().headers["Slidewise-Room"]
    assert any("1 move" in card for card in cards(bob.boards()))
    assert bob.get(f"/boards?seen={tag}", headers=HTMX).status_code == 204
    clock.pass_seconds(12.3)
    won = ann.slide(8)
    assert "You are 1st" in won.text
    assert "0:12.30" in won.text
    assert markup.read(won).one(id="said").text == "Tile 8 left. Solved in 2 moves."
    assert markup.read(won).one(id="next-puzzle")["formaction"] == f"{ann.room}/again"
    after = bob.get(f"/boards?seen={tag}", headers=HTMX)
    assert after.status_code == 200
    assert "is 1st." in markup.read(after).one(id="room-said").text
    clock.pass_seconds(1)
    assert "You are 2nd" in bob.slide(5, 8).text
    assert "Everybody has finished." in ann.boards().text


def test_nothing_changes_after_the_finish(race, clock):
    ann, bob = race
    ann.slide(5, 8)
    done = cards(bob.boards())
    clock.pass_seconds(5)
    for action in "undo", "redo", "restart", "slide":
        refused = ann.client.post(f"{ann.room}/{action}", data={"tile": 8}, headers=HTMX)
        assert refused.headers["Slidewise-Answer"] == "refused", action
        assert "finished this race" in refused.text
    assert cards(bob.boards()) == done


@pytest.mark.parametrize("after", ["undo", "restart", "8"])
def test_finish_counts_with_more_actions_in_its_request(race, after):
    ann, bob = race
    played = {"tile": ["5", "8", after]}
    refused = ann.client.post(f"{ann.room}/slide", data=played, headers=HTMX)
    assert refused.headers["Slidewise-Answer"] == "refused"
    assert "finished this race" in refused.text
    assert "You are 1st" in refused.text
    assert any("1st" in card for card in cards(bob.boards()))


START = parse_puzzle(HARDEST)
TILES = [str(tile) for tile in tiles_moved(START.start, solve(START).moves)]
"""The 31 tiles of a shortest solution."""

RULE = (
    "more than half of them came less than 0.025 seconds after the one before: no hand makes 40 "
    "moves a second."
)


def finish(racer, *agos):
    """Make all moves in one request, each some ms before it; return the player's card."""
    form = {"tile": TILES, "ago": [str(ago) for ago in agos]}
    answer = racer.client.post(f"{racer.room}/slide", data=form, headers=HTMX)
    assert answer.headers["Slidewise-Answer"] == "board"
    (card,) = [card for card in cards(racer.boards()) if "31 moves" in card]
    return card


@pytest.mark.parametrize("claimed", [0, 10**6], ids=["none", "hours"])
def test_moves_claim_no_more_time_than_has_passed(new_race, clock, claimed):
    ann, bob = new_race(HARDEST)
    clock.pass_seconds(0.36)
    card = finish(ann, *range(31 * claimed, 0, -claimed) if claimed else ())
    assert "1st 0:00.36, 31 moves · faster than a hand" in card
    assert "Marked “faster than a hand”." in markup.read(ann.get()).one(id="won").text
    assert RULE in ann.boards().text
    assert RULE not in bob.boards().text, "it would move the board down while bob plays"


@pytest.mark.parametrize(("gap", "is_marked"), [(24, True), (25, False)])
def test_place_is_marked_by_the_gaps_of_its_moves(new_race, clock, gap, is_marked):
    ann, _ = new_race(HARDEST)
    clock.pass_seconds(10)
    card = finish(ann, *range(30 * gap, -1, -gap))
    assert "1st 0:10.00, 31 moves" in card
    assert ("faster than a hand" in card) == is_marked
    assert (RULE in ann.boards().text) == is_marked


@pytest.mark.parametrize(("seconds", "is_marked"), [(0.01, True), (0.03, False)])
def test_place_is_marked_by_the_gaps_of_requests(new_race, clock, seconds, is_marked):
    ann, bob = new_race(HARDEST)
    for tile in TILES:
        clock.pass_seconds(seconds)
        ann.client.post(f"{ann.room}/slide", data={"tile": tile, "ago": "5"}, headers=HTMX)
    assert any("faster than a hand" in card for card in cards(bob.boards())) == is_marked


def test_form_of_a_race_states_when_a_place_is_marked(client):
    assert RULE in client.get("/together").text


def test_game_survives_a_lost_connection(race):
    ann, bob = race
    bob.slide(5)
    page = markup.read(bob.get())
    assert page.one(id="play")["data-board"] == "1.2.3-4.5.6-7.0.8"
    assert bob.get(headers=HTMX).headers["Slidewise-Board"] == "1.2.3-4.5.6-7.0.8"
    assert markup.read(ann.get()).one(id="play")["data-board"] == CODE


def test_move_made_on_another_board_is_refused(race):
    ann, _ = race
    ann.slide(5)
    stale = {"tile": 6, "on": CODE}
    refused = ann.client.post(f"{ann.room}/slide", data=stale, headers=HTMX)
    assert refused.headers["Slidewise-Board"] == "1.2.3-4.5.6-7.0.8"


def test_slower_request_shows_the_game_of_the_faster(race, monkeypatch):
    ann, _ = race
    save = Rooms.save

    def save_late(*args):
        monkeypatch.setattr(Rooms, "save", save)
        other = threading.Thread(target=ann.slide, args=[6])
        other.start()
        other.join()
        return save(*args)

    monkeypatch.setattr(Rooms, "save", save_late)
    refused = ann.client.post(f"{ann.room}/slide", data={"tile": ["5", "8"]}, headers=HTMX)
    assert refused.headers["Slidewise-Answer"] == "elsewhere"
    assert "continued in another tab" in refused.text
    shown = ann.get(headers=HTMX).headers["Slidewise-Board"]
    assert refused.headers["Slidewise-Board"] == shown != CODE


def test_earlier_game_of_the_puzzle_does_not_count(race, app):
    ann, _ = race
    ann.client.post(f"/play/{CODE}/slide", data={"tile": 5})
    assert markup.read(ann.get()).one(id="play")["data-board"] == CODE
    ann.slide(6)
    alone = markup.read(ann.client.get(f"/play/{CODE}"))
    assert alone.one(id="play")["data-board"] == "1.2.3-4.5.6-7.0.8"


def test_room_sets_no_cookie(race):
    ann, _ = race
    for response in ann.get(), ann.slide(5), ann.boards(), ann.post("again"):
        assert "Set-Cookie" not in response.headers
        if response.status_code == 200:
            assert response.headers["Cache-Control"] == "no-store"


def test_race_has_no_help(race):
    ann, _ = race
    page = markup.read(ann.get())
    assert not {"hint", "solver", "to-go", "shortest", "daily-result"} & set(page.ids())
    assert ann.client.post(f"{ann.room}/hint").status_code == 404


def test_race_without_javascript(clock, new_racer):
    ann = new_racer().make()
    bob = new_racer(ann.room)
    bob.post("join")
    assert f'content="3;url={bob.room}">' in bob.get().text
    ann.post("start")
    assert f'content="6;url={bob.room}">' in bob.get().text
    clock.pass_seconds(5)
    assert 'http-equiv="refresh"' not in bob.get().text, "which would disturb a player"
    moved = bob.post("slide", tile=5)
    assert moved.status_code == 303
    assert moved.location == f"{bob.room}#t5"
    assert bob.post("slide", tile=8).location == f"{bob.room}#won"
    page = bob.get()
    assert "You are 1st" in page.text
    assert f'content="3;url={bob.room}">' in page.text


def test_refused_click_without_javascript_shows_the_room(race):
    ann, _ = race
    refused = ann.post("slide", tile=1)
    assert refused.status_code == 422
    page = markup.read(refused)
    assert "Tile 1 is not" in page.one(id="said").text
    assert page.one(id="room")


def test_spectator_sees_the_race_and_cannot_move(race, new_racer):
    ann, _ = race
    eve = new_racer(ann.room)
    page = markup.read(eve.get())
    assert len(page.one("ol").all("li")) == 2
    assert "play" not in page.ids()
    assert eve.slide(5).status_code == 409
    assert eve.post("slide", tile=5).status_code == 409
    eve.post("join")
    assert len(markup.read(eve.get()).one("ol").all("li")) == 2


def test_again_leads_every_player_to_another_board(race):
    ann, bob = race
    for racer in race:
        racer.slide(5, 8)
    before = dict(zip(names(ann.boards()), cards(ann.boards()), strict=True))
    led = ann.post("again")
    assert led.status_code == 303
    assert led.location != ann.room
    assert bob.post("again").location == led.location
    assert "come here" in ann.client.get(led.location).text
    room = led.location.partition("?")[0]
    assert markup.read(bob.boards()).one(id="room")["data-next"] == room
    for racer in race:
        racer.room = room
        racer.get()
    assert set(names(ann.boards())) == set(before)
    ann.post("start")
    assert "data-board" not in ann.boards().text


def test_player_in_a_race_is_not_led_away(race):
    ann, bob = race
    ann.slide(5, 8)
    ann.post("again")
    room = markup.read(bob.boards()).one(id="room")
    assert "data-next" not in room.attrs
    assert room.one(id="next-room")


def test_watching_host_leads_alone(clock, new_racer):
    teacher = new_racer().make(watch="1")
    pupils = [new_racer(teacher.room) for _ in range(2)]
    for pupil in pupils:
        pupil.post("join")
    assert pupils[0].post("start").status_code == 403
    assert teacher.post("start").status_code == 303
    clock.pass_seconds(5)
    assert len(markup.read(teacher.get()).one("ol").all("li")) == 2
    won = pupils[0].slide(5, 8)
    assert "next-puzzle" not in markup.read(won).ids()
    assert pupils[0].post("again").status_code == 403
    assert markup.read(teacher.get()).one(id="race-again")
    led = teacher.post("again").location.partition("?")[0]
    assert markup.read(pupils[0].boards()).one(id="room")["data-next"] == led
    assert markup.read(teacher.boards()).one(id="room")["data-next"] == led


def test_seat_is_free_if_its_player_leaves_before_the_start(new_racer):
    ann = new_racer().make()
    bob, cleo = new_racer(ann.room), new_racer(ann.room)
    bob.post("join")
    assert markup.read(bob.get()).one(id="leave")["action"] == f"{ann.room}/leave"
    assert bob.post("leave").location == "/together"
    assert names(ann.boards()) == names(bob.boards())
    assert "1 player is here." in ann.boards().text
    assert markup.read(bob.get()).one(id="join")
    assert ann.post("leave").status_code == 303
    for racer in bob, cleo:
        racer.post("join")
    assert bob.post("start").status_code == 303, "the host has left, and others lead"


def test_race_goes_on_without_a_departed_player(race, clock, new_racer):
    ann, bob = race
    ann.slide(5)
    assert markup.read(ann.get()).one(id="leave")["action"] == f"{ann.room}/leave"
    ann.post("leave")
    seen = bob.boards()
    (left,) = [card for card in markup.read(seen).one("ol").all("li") if "left" in card.text]
    assert not [svg for svg in left.all("svg") if "mini" in svg["class"]]
    assert "1 player has left." in seen.text
    assert ann.slide(8).status_code == 409
    assert "play" not in markup.read(ann.get()).ids()
    ann.post("join")
    assert ann.slide(8).status_code == 409, "nobody comes back to a race"
    assert "You are 1st" in bob.slide(5, 8).text
    assert "The race is over. 1 player has left." in bob.boards().text
    assert bob.post("again").status_code == 303
    assert "data-next" not in markup.read(ann.boards()).one(id="room").attrs
    assert ann.post("leave").status_code == 303


def test_place_of_a_departed_player_stays(race, clock):
    ann, bob = race
    ann.slide(5, 8)
    bob.slide(5)
    before = cards(bob.boards())
    ann.post("leave")
    assert cards(bob.boards()) == before
    clock.pass_seconds(1)
    assert "You are 2nd" in bob.slide(8).text
    assert "Everybody has finished." in bob.boards().text


def test_players_lead_after_a_watching_host_has_left(new_racer):
    teacher = new_racer().make(watch="1")
    pupils = [new_racer(teacher.room) for _ in range(2)]
    for pupil in pupils:
        pupil.post("join")
    assert markup.read(teacher.get()).one(id="leave")
    assert "leave" not in markup.read(new_racer(teacher.room).get()).ids()
    teacher.post("leave")
    assert teacher.post("start").status_code == 403
    assert pupils[1].post("start").status_code == 303


def test_stranger_cannot_lead_a_room(race, new_racer):
    eve = new_racer(race[0].room)
    assert eve.post("start").status_code == 403
    assert eve.post("again").status_code == 403


def test_full_room_can_be_watched(new_racer):
    ann = new_racer().make()
    for _ in range(MAX_PLAYERS - 1):
        assert new_racer(ann.room).post("join").status_code == 303
    eve = new_racer(ann.room)
    full = eve.post("join")
    assert full.status_code == 409
    assert "This room is full" in markup.read(full).one("p", role="alert").text
    assert len(names(eve.boards())) == MAX_PLAYERS


@pytest.mark.parametrize("room", ["none", "0000-00000-0000", "x" * 2_000, "%F0%9F%A6%8A", "%00"])
def test_room_that_is_gone_offers_another(new_racer, room):
    ann = new_racer(f"/together/{room}")
    page = ann.get()
    assert page.status_code == 410
    assert markup.read(page).one("h1").text == "This room is gone"
    assert markup.read(page).one(id="new-room")["href"] == "/together"
    assert ann.post("slide").status_code == 410
    polled = ann.get("/boards", headers=HTMX)
    assert polled.status_code == 410
    assert polled.headers["Slidewise-Answer"] == "notice"


@pytest.mark.parametrize("code", [UNSOLVABLE, SOLVED, "<b>", "1" * 50_000, "1.2-3"])
def test_board_unfit_for_a_race_is_refused(new_racer, code):
    response = new_racer().client.post("/together", data={"code": code})
    assert response.status_code == 400
    assert markup.read(response).one("h1").text == "Please check this"


def test_new_board_can_be_drawn_for_a_room(new_racer):
    ann = new_racer()
    made = ann.client.post("/together", data={"size": "2x3", "difficulty": "easy"})
    assert "Race on 2 × 3" in ann.client.get(made.location).text


def test_cookie_is_needed(app, new_racer):
    room = new_racer().make().room
    for path in "/together", f"{room}/join":
        refused = app.test_client().post(path, data={"code": CODE})
        assert refused.status_code == 403
        assert "cookie" in refused.text


def test_rooms_of_a_visitor_are_limited(new_app, monkeypatch):
    app = new_app(VISITOR_SECONDS=100)
    client = app.test_client()
    client.get("/together")
    made = [client.post("/together", data={"code": CODE}).status_code for _ in range(30)]
    assert made.index(429) in range(5, 15), budgets.WEB_SHARE
    assert set(made[made.index(429) :]) == {429}
    assert client.get(f"/play/{CODE}").status_code == 200


def test_names_of_visitors_are_nowhere_on_the_page(race, app):
    ann, bob = race
    cookie = bob.client.get_cookie("slidewise_visitor").value
    assert cookie.partition(".")[0] not in ann.boards().text
    assert rooms.Seat(0, "x").text not in ann.boards().text


def test_pages_of_rooms_are_not_indexed(race, client):
    ann, _ = race
    assert markup.read(ann.get()).one("meta", name="robots")["content"] == "noindex"
    assert "Disallow: /together/" in client.get("/robots.txt").text
