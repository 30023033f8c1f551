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
CLICKS = ["slide", "undo", "redo", "restart", "assisted", "hint", "play-on"]


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


# Going on from a solution


def test_play_on_from_a_step_of_a_solution(player):
    page = player.click("play-on", start=CODE, moves="U")
    assert (markup.board_of(page), markup.moves_of(page)) == (AFTER, 1)
    assert "with help" in player.slide(8).one(id="won").text


def test_play_on_goes_back_to_where_the_solution_starts(player):
    player.slide(5)
    player.slide(7)
    page = player.click("play-on", start=AFTER, moves="L")
    assert markup.board_of(page) == "1.2.3-4.5.6-7.8.0"
    assert markup.moves_of(page) == 2


def test_play_on_goes_forward_to_where_the_solution_starts(player):
    player.slide(5)
    player.slide(7)
    player.click("undo")
    player.click("undo")
    page = player.click("play-on", start=AFTER, moves="L")
    assert markup.board_of(page) == "1.2.3-4.5.6-7.8.0"


def test_play_on_without_moves_stays_there(player):
    page = player.click("play-on", start=CODE, moves="")
    assert (markup.board_of(page), markup.moves_of(page)) == (CODE, 0)


@pytest.mark.parametrize(
    ("form", "status", "words"),
    [
        ({"start": "1.2.3-4.5.6-7.8.0", "moves": "R"}, 422, "never had the board"),
        ({"start": CODE, "moves": "UU"}, 422, "is not legal"),
        ({"start": CODE, "moves": "R9"}, 422, "is not legal"),
        ({"start": CODE, "moves": "north"}, 400, "Expected moves such as U2RDL3"),
        ({"start": CODE, "moves": "U99999999999"}, 400, "at most 100,000 moves"),
        ({"start": CODE, "moves": "UD" * 5001}, 400, "up to 10,000 moves at once"),
        ({"start": "1.2-3.0", "moves": "D"}, 400, "3 rows of 3"),
        ({"start": "", "moves": "U"}, 400, "no cells"),
        ({"moves": "U"}, 400, "no cells"),
    ],
)
def test_play_on_with_what_does_not_fit_changes_nothing(player, form, status, words):
    player.slide(5)
    player.slide(7)
    page = player.click("play-on", **form)
    assert player.response.status_code == status
    assert words in page.text
    assert markup.moves_of(player.look()) == 2


def test_play_on_as_far_as_is_allowed_at_once(client):
    page = Visitor(client, CODE, htmx=True).click("play-on", start=CODE, moves="UD" * 5000)
    assert (markup.board_of(page), markup.moves_of(page)) == (CODE, 10_000)


# Fragments and pages


@pytest.mark.parametrize("moves", [[], [5], [5, 8], [4, 7]])
def test_the_fragment_is_the_same_markup_as_in_the_page(client, moves, monkeypatch):
    monkeypatch.setattr(game_module, "time", SimpleNamespace(time=lambda: 1_000_000.0))
    player = Visitor(client, CODE, htmx=True)
    fragment = player.click("restart")
    for tile in moves:
        fragment = player.slide(tile)
    page = player.look()
    for part in "board", "figures":
        assert fragment.one(id=part).same_as() == page.one(id=part).same_as()
    for shown in fragment, page:
        shown.one(id="said").content.clear()
    assert fragment.one(id="play").same_as() == page.one(id="play").same_as()


def test_a_fragment_holds_the_game_and_the_figures_and_nothing_else(client):
    fragment = Visitor(client, CODE, htmx=True).slide(5)
    assert [part["id"] for part in fragment.content if not isinstance(part, str)] == [
        "play",
        "figures",
    ]
    assert fragment.one(id="figures")["hx-swap-oob"] == "outerMorph"


def test_a_refusal_is_the_game_for_htmx_and_a_page_otherwise(client):
    fragment = Visitor(client, CODE, htmx=True).slide(1)
    assert not fragment.all("html")
    assert fragment.one(id="play")
    page = Visitor(client, CODE, htmx=False).slide(1)
    assert page.all("html")
    assert page.one(id="play")


@pytest.mark.parametrize("htmx", [True, False])
@pytest.mark.parametrize("what", CLICKS)
def test_caches_are_told_that_the_answer_depends_on_htmx(client, what, htmx):
    player = Visitor(client, CODE, htmx=htmx)
    player.click(what, tile=5, start=CODE, moves="U")
    assert "HX-Request" in player.response.vary
    assert "Cookie" in player.response.vary


def test_a_click_is_never_cached(player):
    player.slide(5)
    assert player.response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("what", CLICKS)
def test_looking_is_no_click(client, what):
    response = client.get(f"/play/{CODE}/{what}")
    assert response.status_code == 405
    assert "POST" in response.headers["Allow"]
    assert markup.board_of(markup.read(client.get(f"/play/{CODE}"))) == CODE


# The page


def test_the_wrapper_that_queues_clicks_is_not_part_of_the_fragment(client):
    page = markup.read(client.get(f"/play/{CODE}"))
    wrapper = page.one(id="game")
    assert wrapper["hx-sync:inherited"] == "#game:queue all"
    assert wrapper["hx-swap:inherited"] == "outerMorph"
    assert wrapper["hx-target:inherited"] == "#play"
    assert page.one(id="play").parent is wrapper


def test_solving_does_not_wait_for_the_clicks_nor_they_for_it(client):
    solve = markup.read(client.get(f"/play/{CODE}")).one(id="solve")
    assert "game" not in {element.get("id") for element in solve.ancestors}
    assert "#game" not in solve["hx-sync"]


def test_the_solver_is_given_the_board_that_is_shown(client):
    fragment = Visitor(client, CODE, htmx=True).slide(5)
    shown = fragment.one("input", name="board")
    assert (shown["form"], shown["value"]) == ("solve", AFTER)


def test_the_link_to_share_is_the_address_of_the_page(client):
    player = Visitor(client, f"{CODE}_0.1.2-3.4.5-6.7.8", htmx=True)
    player.slide(5)
    sheet = markup.read(client.get(player.look().one(id="share-button")["href"]))
    link = sheet.one(id="link-to-puzzle")["value"]
    assert link == f"http://localhost/play/{player.code}"


def test_a_goal_that_cannot_be_reached_is_explained_with_two_ways_out(client):
    page = markup.read(client.get("/play/1.2.3-8.0.4-7.6.5"))
    card = page.one(id="unsolvable")
    assert "7 pairs of tiles stand in another order than in the goal" in card.text
    assert "the goal cannot be reached" in card.text
    ways = card.all("a")
    assert len(ways) == 2
    for way in ways:
        assert not markup.read(client.get(way["href"])).all(id="unsolvable")


def test_it_can_be_played_all_the_same(client):
    page = Visitor(client, "1.2.3-8.0.4-7.6.5", htmx=True).slide(2)
    assert markup.moves_of(page) == 1


def test_the_solver_offers_what_there_is(client):
    from slidewise import algorithms, heuristics

    page = markup.read(client.get(f"/play/{CODE}"))
    for name, there_are in (("algorithm", algorithms()), ("heuristic", heuristics())):
        options = page.one("select", name=name).all("option")
        assert {option["value"]: option.text for option in options} == {
            key: entry.title for key, entry in there_are.items()
        }
        assert len([option for option in options if "selected" in option.attrs]) == 1


def test_a_link_can_choose_the_algorithm(client):
    page = markup.read(client.get(f"/play/{CODE}?algorithm=bfs&heuristic=misplaced"))
    chosen = [option["value"] for option in page.all("option", selected="")]
    assert {"bfs", "misplaced"} <= set(chosen)
