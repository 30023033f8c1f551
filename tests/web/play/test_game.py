from types import SimpleNamespace

import pytest

from slidewise import parse_board
from tests.boards import LINE_OF_TWO, SMALL, SOLVED, TINY
from tests.boards import ONE_MOVE as AFTER
from tests.boards import TWO_MOVES as CODE
from tests.web import markup
from tests.web.visitor import Visitor, submit
from webapp.play import game as game_module


def announcement(page):
    """Return the announcement of a click without the moves left (see `test_moves_left.py`)."""
    parts = page.one(id="said").content
    return " ".join(" ".join(part for part in parts if isinstance(part, str)).split())


# The board


@pytest.mark.parametrize("code", [CODE, TINY, SMALL, "10.2-3.4-5.6-7.8-9.1-0.11"])
def test_tile_is_a_button_with_number_position_and_stable_id(client, code):
    board = parse_board(code)
    page = markup.read(client.get(f"/play/{code}"))
    assert markup.board_of(page) == code
    assert {f"rows-{board.rows}", f"cols-{board.cols}"} <= page.one(id="board").classes
    assert len(page.all("button", name="tile")) == board.rows * board.cols - 1
    for index, number in enumerate(board.cells):
        row, col = divmod(index, board.cols)
        tile, place = page.one(id=f"t{number}"), f"row {row + 1}, column {col + 1}"
        if number == 0:
            assert tile.text == f"blank, {place}"
            continue
        assert (tile["name"], tile["value"], tile.text) == ("tile", str(number), str(number))
        assert {"tile", f"r{row}", f"c{col}"} <= tile.classes
        assert tile["aria-label"].startswith(f"{number}, {place}")
        (form,) = [element for element in tile.ancestors if element.tag == "form"]
        assert form["action"].endswith("/slide")


def test_tiles_at_home_and_the_last_moved_tile_are_marked(player):
    page = player.slide(5)
    tiles = {tile["value"]: tile.classes for tile in page.all("button", name="tile")}
    assert [n for n, classes in tiles.items() if "home" in classes] == list("1234567")
    assert [n for n, classes in tiles.items() if "moved" in classes] == ["5"]


# Clicks


@pytest.mark.parametrize(
    "clicks",
    [
        [
            (None, CODE, 0, {"undo", "redo", "restart"}),
            (5, AFTER, 1, {"redo"}),
            (5, CODE, 2, {"redo"}),
            ("undo", AFTER, 1, set()),
            ("undo", CODE, 0, {"undo", "restart"}),
            ("redo", AFTER, 1, set()),
            (7, LINE_OF_TWO, 2, {"redo"}),
            ("undo", AFTER, 1, set()),
            ("restart", CODE, 0, {"restart"}),
        ],
        [(8, SOLVED, 2, {"redo", "hint"}), ("undo", LINE_OF_TWO, 0, {"undo", "restart"})],
    ],
    ids=["tiles", "a line"],
)
def test_click_leads_to_its_board_moves_and_disabled_buttons(client, clicks, htmx):
    player = Visitor(client, clicks[-1][1], htmx=htmx)
    for click, *expected in clicks:
        if click is None:
            page = player.look()
        else:
            page = player.click(click) if isinstance(click, str) else player.slide(click)
            assert player.response.status_code == (200 if htmx else 303)
        buttons = [page.one(id=name) for name in ("undo", "redo", "hint", "restart")]
        off = {button["id"] for button in buttons if button.get("aria-disabled") == "true"}
        assert [markup.board_of(page), markup.moves_of(page), off] == expected, click


def test_click_announces_its_effect(client):
    player = Visitor(client, "0.1.2.3-4.5.6.7-8.9.10.11")
    assert announcement(player.slide(3)) == "Tiles 1, 2 and 3 left. 3 moves so far."
    words = [announcement(player.click(what)) for what in ("undo", "redo", "restart")]
    assert words == ["Undone.", "Redone.", "Restarted."]


def test_buttons_submit_their_clicks_without_javascript(client):
    response = client.get(f"/play/{CODE}")
    for button, board, words in (
        ("t5", AFTER, "Last move: tile 5 up. 1 move so far."),
        ("undo", CODE, "Your game continues where you left off."),
        ("redo", AFTER, "Last move: tile 5 up. 1 move so far."),
        ("restart", CODE, "Restarted. Undo brings your game back."),
    ):
        response = submit(client, response, markup.read(response).one(id=button))
        page = markup.read(response)
        assert (markup.board_of(page), announcement(page)) == (board, words)
        assert response.history[0].location.endswith(f"#{button}"), "it continues there"


NO_NUMBER = [
    *("", "five", "-5", "5.0", "1000", "5 6", "\N{ARABIC-INDIC DIGIT FIVE}", "5\0", "<b>", "U"),
    "9" * 5000,
]


@pytest.mark.parametrize(
    ("what", "form", "words"),
    [
        ("slide", {"tile": "1"}, "Tile 1 is not in "),
        *(("slide", {"tile": tile}, f"There is no tile {tile}: ") for tile in ("9", "0", "999")),
        *(("slide", {"tile": text}, "Type the number of a tile") for text in NO_NUMBER),
        ("slide", {}, "Type the number of a tile"),
        ("undo", {}, "There is no move to undo"),
        ("redo", {}, "There is no move to redo"),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_impossible_action_is_refused_without_effect(player, what, form, words):
    page = player.click(what, **form)
    assert player.response.status_code == (200 if player.htmx else 422)
    assert announcement(page).startswith(words)
    assert "refused" in page.one(id="said").classes
    for shown in page, player.look():
        assert (markup.board_of(shown), markup.moves_of(shown)) == (CODE, 0)


def test_number_typed_with_spaces_moves_its_tile(player):
    assert markup.board_of(player.slide(" 5 ")) == AFTER


def test_win_is_announced(player):
    player.slide(5)
    page = player.slide(8)
    won = page.one(id="won").text
    assert won.startswith("Solved! 2 moves 0:0")
    assert "help" not in won
    links = {link.text: link["href"] for link in page.one(id="won").all("a")}
    assert links["Next puzzle"] == "/new?size=3x3&difficulty=easy"
    if player.htmx:
        assert announcement(page).startswith("Tile 8 left. Solved in 2 moves. Time: 0:0")
        assert announcement(page).endswith(" Shortest solution: 2 moves.")


def test_help_is_shown_at_the_end_and_changes_no_board(player):
    page = player.click("assisted")
    assert player.response.status_code == (200 if player.htmx else 303)
    assert (markup.board_of(page), markup.moves_of(page)) == (CODE, 0)
    player.slide(5)
    won = player.slide(8).one(id="won")
    assert "with help" in won.text
    assert "data-helped" in won.attrs
    player.click("restart")
    won = player.slide(5, 8).one(id="won")
    assert "with help" in won.text
    assert won.one(id="won-stars").text == "with help"
    assert not won.all(role="img")


def test_slide_in_a_solved_game_is_refused(player):
    player.slide(5)
    won = player.slide(8)
    assert not [tile for tile in won.all("button", name="tile") if "can move" in tile["aria-label"]]
    page = player.slide(8)
    assert player.response.status_code == (200 if player.htmx else 422)
    assert announcement(page) == "This puzzle is solved: to play on here, undo or restart."
    assert (markup.board_of(page), markup.moves_of(page)) == (markup.board_of(won), 2)
    assert page.one(id="won")["data-game"] == won.one(id="won")["data-game"]
    player.click("undo")
    assert markup.moves_of(player.slide(8)) == 2


def test_help_after_the_finish_is_not_noted(player):
    player.slide(5)
    player.slide(8)
    assert "data-helped" not in player.click("assisted").one(id="won").attrs


def test_game_with_help_has_no_stars(player):
    stars = player.slide(5).one(id="stars")
    assert stars.one(role="img")["aria-label"] == "3 of 3 stars"
    stars = player.click("assisted").one(id="stars")
    assert not stars.all(role="img")
    assert stars.one("dd").text == "with help"


def test_game_at_a_start_that_is_the_goal_is_already_solved(client, htmx):
    player = Visitor(client, SOLVED, htmx=htmx)
    assert player.look().one(id="won").text.startswith("Already solved")
    for back in "restart", "undo":
        player.slide(8)
        assert player.click(back).one(id="won").text.startswith("Already solved")


class Clock(SimpleNamespace):
    """The clock of the server."""

    now = 1_000_000.0

    def time(self):
        return self.now


@pytest.fixture
def server(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(game_module, "time", clock)
    return clock


def seconds_of(page):
    return page.one(id="clock")["data-seconds"]


def test_clock_runs_from_the_first_move_to_the_last(client, server):
    server.now += 0.9
    player = Visitor(client, CODE, htmx=True)

    def clock(page):
        clock = page.one(id="clock")
        return clock.text, clock["data-seconds"], "data-running" in clock.attrs

    assert clock(player.look()) == ("0:00.00", "0.0", False)
    assert clock(player.slide(5)) == ("0:00.00", "0.0", True)
    server.now += 75.25
    assert clock(player.look()) == ("0:00.00", "0.0", True), "the last click was at 0:00"
    assert clock(player.slide(8)) == ("1:15.25", "75.25", False)
    server.now += 3600
    assert clock(player.look()) == ("1:15.25", "75.25", False)
    assert clock(player.click("undo")) == ("1:15.25", "75.25", True), "at the goal there is no play"
    server.now += 3
    assert clock(player.slide(5)) == ("1:18.25", "78.25", True)


@pytest.mark.parametrize(
    ("played", "seconds"),
    [("500", "0.5"), ("2900", "2.9"), ("99999999999", "3.0"), ("", "2.0"), ("-7", "2.0")],
)
def test_time_of_the_page_counts_up_to_the_elapsed_time(client, server, played, seconds):
    player = Visitor(client, CODE)
    player.slide(5)
    server.now += 2
    assert seconds_of(player.click("slide", tile=5, played=played)) == seconds
    page = player.click("slide", tile=5, played="100")
    assert seconds_of(page) == seconds, "what is counted stays"


@pytest.mark.usefixtures("server")
def test_late_clicks_have_the_time_at_which_they_were_made(client):
    player = Visitor(client, CODE)
    player.click("slide", tile=5, played="0", ago="90000")
    assert seconds_of(player.click("slide", tile=5, played="60000", ago="30000")) == "60.0"
    page = player.click("slide", tile=5, played="75000", ago="80000")
    assert seconds_of(page) == "60.0", "time does not run backwards"


def test_click_on_the_board_of_another_tab_is_refused(player):
    seen = markup.board_of(player.look())
    here = markup.board_of(player.click("slide", tile=5, on=seen))
    for what, form in (
        ("slide", {"tile": 8}),
        ("undo", {}),
        ("redo", {}),
        ("restart", {}),
        ("hint", {}),
    ):
        page = player.click(what, on=seen, **form)
        assert player.response.status_code == (200 if player.htmx else 409)
        assert announcement(page) == "Your game continued in another tab; this is its board now."
        assert (markup.board_of(page), markup.moves_of(page)) == (here, 1)
    assert markup.moves_of(player.click("slide", tile=8, on=here)) == 2


def test_moves_without_the_games_cookie_are_reported(player):
    start = markup.board_of(player.look())
    here = markup.board_of(player.click("slide", tile=4))
    player.client.delete_cookie("slidewise_game", path=f"/play/{player.code}")
    for what in "slide", "hint":
        page = player.click(what, tile=7, on=here)
        if player.htmx:
            assert player.response.headers["Slidewise-Answer"] == "no-cookie"
        else:
            assert player.response.status_code == 409
            assert "allow them for this site" in announcement(page)
    assert markup.moves_of(player.click("slide", tile=4, on=start)) == 1


def test_undo_of_a_restart_restores_the_clock(client, server):
    player = Visitor(client, CODE)
    player.slide(4)
    server.now += 5
    board = markup.board_of(player.slide(7))

    def state(page):
        return markup.board_of(page), markup.moves_of(page), seconds_of(page)

    page = player.click("restart")
    assert state(page) == (CODE, 0, "0.0")
    assert page.one("p", class_="toast").text == "Restarted. Undo"
    assert state(player.click("undo")) == (board, 2, "5.0")
    player.click("restart")
    assert seconds_of(player.click("redo")) == "5.0", "the same game goes on"
    assert state(player.click("redo")) == (board, 2, "5.0")
    player.click("restart")
    page = player.slide(2)
    assert state(page) == (str(parse_board(CODE).slide(2)), 1, "0.0")
    assert page.all(id="redo")[0]["aria-disabled"] == "true"


# Several actions in one request


def test_actions_in_one_request_equal_single_actions(client, htmx):
    actions = ["5", "8", "undo", "undo", "5", "7", "undo", "redo", "restart", "undo", "undo"]
    together, alone = Visitor(client, CODE, htmx=htmx), Visitor(client, CODE, htmx=htmx)
    for action in actions[:-1]:
        if action.isdigit():
            alone.slide(action)
        else:
            alone.click(action)

    def state(page):
        return markup.board_of(page), markup.moves_of(page), page.one(id="play")["data-undone"]

    expected = state(alone.click(actions[-1]))
    client.delete_cookie("slidewise_game", path=f"/play/{CODE}")
    assert state(together.click("slide", tile=actions)) == expected


def test_actions_before_a_refused_one_count(player):
    page = player.click("slide", tile=["5", "1", "8"])
    assert player.response.status_code == (200 if player.htmx else 422)
    assert announcement(page).startswith("Tile 1 is ")
    for shown in page, player.look():
        assert (markup.board_of(shown), markup.moves_of(shown)) == (AFTER, 1)


def test_last_action_is_announced_and_help_stays(client):
    player = Visitor(client, CODE)
    assert announcement(player.click("slide", tile=["5", "5", "assisted", "undo"])) == "Undone."
    assert announcement(player.click("slide", tile=["undo", "5"])) == "Tile 5 up. 1 move so far."
    assert "help" in player.slide(8).one(id="won").text


@pytest.mark.parametrize("tiles", [["5"] * 101, ["5", "restart", "5", "restart"]])
def test_more_actions_than_a_request_takes_are_400(client, tiles):
    player = Visitor(client, CODE)
    player.click("slide", tile=tiles)
    assert player.response.status_code == 400
    assert "up to 100 actions at once" in player.response.text
    assert markup.moves_of(player.look()) == 0
    player.click("slide", tile=["5"] * 100)
    assert markup.moves_of(player.look()) == 100


@pytest.mark.usefixtures("server")
def test_action_has_its_own_time(client):
    player = Visitor(client, CODE)
    times = {"played": ["0", "2000", "2500"], "ago": ["3000", "1000", "500"]}
    assert seconds_of(player.click("slide", tile=["4", "4", "5"], **times)) == "2.5"
    times = {"played": ["9999999", "x"], "ago": ["400"]}  # too long a time, then none
    assert float(seconds_of(player.click("slide", tile=["5", "5"], **times))) == 3.6
