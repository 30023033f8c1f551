from __future__ import annotations

from types import SimpleNamespace

import pytest

from slidewise import parse_board
from tests.boards import ONE_MOVE as AFTER
from tests.boards import TWO_MOVES as CODE
from tests.web import markup
from tests.web.visitor import Visitor
from webapp.play import game as game_module

LINES = "0.1.2.3-4.5.6.7-8.9.10.11"


@pytest.fixture(params=[True, False], ids=["htmx", "plain"])
def player(request, client):
    return Visitor(client, CODE, htmx=request.param)


@pytest.fixture
def at_lines(client):
    return Visitor(client, LINES, htmx=True)


def said(page):
    """Return what is said of a click, the moves to go left out: `test_to_go.py` has those."""
    parts = page.one(id="said").content
    return " ".join(" ".join(part for part in parts if isinstance(part, str)).split())


# The board


def test_each_tile_is_a_button_with_a_number_a_place_and_a_stable_id(client):
    page = markup.read(client.get(f"/play/{LINES}"))
    tiles = page.one(id="board").all("button")
    assert [tile["value"] for tile in tiles] == [str(n) for n in range(1, 12)]
    for tile in tiles:
        number = int(tile["value"])
        row, col = divmod(number, 4)
        assert tile["name"] == "tile"
        assert tile["id"] == f"t{number}"
        assert {"tile", f"r{row}", f"c{col}"} <= tile.classes
        assert tile["aria-label"].startswith(f"{number}, row {row + 1}, column {col + 1}")
        assert tile.text == str(number)
        assert any(
            form["action"].endswith("/slide") for form in tile.ancestors if form.tag == "form"
        )
    assert page.one(id="t0").text == "blank, row 1, column 1"


def test_no_other_buttons_of_the_page_are_named_tile(client):
    page = markup.read(client.get(f"/play/{CODE}"))
    assert len(page.all("button", name="tile")) == 8


@pytest.mark.parametrize("code", ["1.2-0.3", "1.0.3-4.2.5", "10.2-3.4-5.6-7.8-9.1-0.11"])
def test_any_size_is_drawn(client, code):
    board = parse_board(code)
    page = markup.read(client.get(f"/play/{code}"))
    assert markup.board_of(page) == code
    assert {f"rows-{board.rows}", f"cols-{board.cols}"} <= page.one(id="board").classes
    assert len(page.all("button", name="tile")) == board.rows * board.cols - 1


def test_tiles_at_home_and_the_one_moved_last_are_marked(player):
    page = player.slide(5)
    tiles = {tile["value"]: tile.classes for tile in page.all("button", name="tile")}
    assert [n for n, classes in tiles.items() if "home" in classes] == list("1234567")
    assert [n for n, classes in tiles.items() if "moved" in classes] == ["5"]


# Clicks


def test_a_slide(player):
    page = player.slide(5)
    assert player.response.status_code == (200 if player.htmx else 303)
    assert markup.board_of(page) == AFTER
    assert markup.moves_of(page) == 1


def test_a_slide_is_announced(client):
    assert said(Visitor(client, CODE, htmx=True).slide(5)) == "Tile 5 up. 1 move."


def test_a_click_further_off_slides_the_line_and_counts_each_tile(at_lines):
    page = at_lines.slide(3)
    assert markup.board_of(page) == "1.2.3.0-4.5.6.7-8.9.10.11"
    assert markup.moves_of(page) == 3
    assert said(page) == "Tiles 1 and 2 and 3 left. 3 moves."


@pytest.mark.parametrize(
    ("tile", "words"),
    [
        ("1", "Tile 1 is not in the row or column of the blank"),
        ("9", "There is no tile 9: this board has the tiles 1 to 8."),
        ("0", "There is no tile 0: this board has the tiles 1 to 8."),
        ("999", "There is no tile 999: this board has the tiles 1 to 8."),
        *[
            (text, "Type the number of a tile, for example 5.")
            for text in (
                "",
                "five",
                "-5",
                "5.0",
                "1000",
                "5 6",
                "\N{ARABIC-INDIC DIGIT FIVE}",
                "5\0",
                "<b>",
                "U",
                "9" * 5000,
            )
        ],
    ],
    ids=lambda value: repr(value)[:12],
)
def test_what_cannot_move_is_refused_and_the_board_is_as_it_was(player, tile, words):
    page = player.slide(tile)
    assert player.response.status_code == 422
    assert said(page).startswith(words)
    assert "refused" in page.one(id="said").classes
    assert markup.board_of(page) == CODE
    assert markup.moves_of(page) == 0
    assert markup.board_of(player.look()) == CODE


def test_a_click_without_a_tile_is_refused(player):
    page = player.click("slide")
    assert player.response.status_code == 422
    assert said(page) == "Type the number of a tile, for example 5."


def test_a_number_typed_with_spaces_moves_its_tile(player):
    assert markup.board_of(player.slide(" 5 ")) == AFTER


def test_a_click_on_a_board_that_has_moved_on_means_the_tile_not_the_place(player):
    """Another tab shows the board before this one's click: 4 stood beside the blank there."""
    player.slide(5)
    page = player.slide(4)
    assert player.response.status_code == 422
    assert markup.board_of(page) == AFTER
    assert markup.board_of(player.slide(7)) == "1.2.3-4.5.6-0.7.8"


def test_the_same_tile_twice_goes_and_comes_back(player):
    player.slide(5)
    page = player.slide(5)
    assert markup.board_of(page) == CODE
    assert markup.moves_of(page) == 2


def test_undo_and_redo(player):
    player.slide(5)
    player.slide(7)
    page = player.click("undo")
    assert (markup.board_of(page), markup.moves_of(page)) == (AFTER, 1)
    page = player.click("undo")
    assert (markup.board_of(page), markup.moves_of(page)) == (CODE, 0)
    page = player.click("redo")
    assert (markup.board_of(page), markup.moves_of(page)) == (AFTER, 1)
    page = player.click("redo")
    assert (markup.board_of(page), markup.moves_of(page)) == ("1.2.3-4.5.6-0.7.8", 2)


def test_undo_takes_a_whole_line_back(at_lines):
    at_lines.slide(3)
    page = at_lines.click("undo")
    assert (markup.board_of(page), markup.moves_of(page)) == (LINES, 0)
    assert said(page) == "Undone."
    page = at_lines.click("redo")
    assert markup.moves_of(page) == 3
    assert said(page) == "Redone."


def test_a_new_slide_forgets_what_could_be_redone(player):
    player.slide(5)
    player.click("undo")
    player.slide(4)
    page = player.click("redo")
    assert player.response.status_code == 422
    assert markup.moves_of(page) == 1


@pytest.mark.parametrize("what", ["undo", "redo"])
def test_there_may_be_nothing_to_undo_or_redo(player, what):
    page = player.click(what)
    assert player.response.status_code == 422
    assert f"to {what}" in said(page)
    assert markup.board_of(page) == CODE


def test_buttons_without_effect_say_so(player):
    def off(page):
        return [
            name
            for name in ("undo", "redo", "hint", "restart")
            if page.one(id=name).get("aria-disabled") == "true"
        ]

    assert off(player.look()) == ["undo", "redo", "restart"]
    assert off(player.slide(5)) == ["redo"]
    assert off(player.click("undo")) == ["undo"]
    assert off(player.click("restart")) == ["undo", "redo", "restart"]


def test_restart(player):
    player.slide(5)
    player.slide(7)
    page = player.click("restart")
    assert (markup.board_of(page), markup.moves_of(page)) == (CODE, 0)
    assert page.one(id="clock").text == "0:00"
    player.click("undo")
    assert player.response.status_code == 422


def test_winning_is_announced(player):
    player.slide(5)
    page = player.slide(8)
    won = page.one(id="won").text
    assert won.startswith("Solved in 2 moves, 0:0")
    assert "help" not in won
    links = {link.text: link["href"] for link in page.one(id="won").all("a")}
    assert links["New puzzle"] == "/new?size=3x3"
    if player.htmx:
        assert said(page) == "Tile 8 left. Solved in 2 moves."


def test_help_is_told_at_the_end_but_changes_no_board(player):
    page = player.click("assisted")
    assert player.response.status_code == (200 if player.htmx else 303)
    assert (markup.board_of(page), markup.moves_of(page)) == (CODE, 0)
    player.slide(5)
    assert "with help" in player.slide(8).one(id="won").text
    player.click("restart")
    player.slide(5)
    assert "with help" in player.slide(8).one(id="won").text


def test_the_goal_for_a_start_is_said_to_be_no_win(client):
    page = markup.read(client.get("/play/1.2.3-4.5.6-7.8.0"))
    assert page.one(id="won").text.startswith("This board is the goal already.")


def test_the_clock_runs_from_the_first_move_to_the_last(client, monkeypatch):
    now = 1_000_000
    monkeypatch.setattr(game_module, "time", SimpleNamespace(time=lambda: now + 0.9))
    player = Visitor(client, CODE, htmx=True)

    def clock(page):
        clock = page.one(id="clock")
        return clock.text, clock["data-seconds"], "data-running" in clock.attrs

    assert clock(player.look()) == ("0:00", "0", False)
    assert clock(player.slide(5)) == ("0:00", "0", True)
    now += 75
    assert clock(player.look()) == ("1:15", "75", True)
    assert clock(player.slide(8)) == ("1:15", "75", False)
    now += 3600
    assert clock(player.look()) == ("1:15", "75", False)
