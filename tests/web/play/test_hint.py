"""Hints: the tile to move next on a shortest way, or on the best way known."""

import pytest
from flask import Flask

from slidewise import exact_table, parse_board, parse_puzzle, scramble
from slidewise.study.by_hand import next_idea
from slidewise.study.distance_ahead import constructive_hint
from tests.boards import BLANK_FIRST, FIVE, HARDEST, SOLVED, UNSOLVABLE
from tests.boards import FOUR_NEAR as FOUR
from tests.boards import TWO_MOVES as CODE
from tests.web.play.playing import fetch_known, figure
from tests.web.visitor import Visitor
from webapp.config import configure

HARD, LARGEST = str(scramble(4, 4, "1")), str(scramble(10, 10, "1"))


@pytest.fixture
def post(client, htmx):
    """Post a click; return the fragment or page."""

    def click(code, what="hint", **form):
        visitor = Visitor(client, code, htmx=htmx)
        page = visitor.click(what, **form)
        click.status = 200 if visitor.response.status_code == 303 else visitor.response.status_code
        return page

    return click


def hinted(page):
    return [int(tile["value"]) for tile in page.all("button") if "hint" in tile.classes]


def said(page):
    return page.one(id="said").text


def test_a_hint_rings_a_tile_and_says_it_in_words(post):
    page = post(CODE)
    assert post.status == 200
    assert hinted(page) == [5]
    assert said(page).startswith("Hint: move tile 5 up.")
    assert "hinted" in page.one(id="said").classes
    assert page.one(id="t5")["aria-label"].endswith("can move up, hint")
    assert page.one(id="play")["data-board"] == CODE


def test_hints_lead_to_the_goal_on_a_shortest_way(post):
    table = exact_table(parse_puzzle(HARDEST).goal)
    board = parse_board(HARDEST)
    for left in range(31, 0, -1):
        (tile,) = hinted(post(HARDEST))
        assert tile in table.next_tiles(board)
        assert table.distance(board) == left
        board = board.slide(tile)
        page = post(HARDEST, "slide", tile=tile)
        assert hinted(page) == [], "it goes with the next move"
        assert page.one(id="play")["data-board"] == str(board)
    assert "31 moves" in page.one(id="won").text
    assert "with help" in page.one(id="won").text
    assert "This is the shortest solution." in page.one(id="won").text


def test_a_hint_is_for_the_board_as_it_is_and_for_its_goal(post):
    code = f"{CODE}_{BLANK_FIRST}"
    post(code, "slide", tile=4)
    page = post(code)
    board = parse_board(page.one(id="play")["data-board"])
    assert hinted(page)[0] in exact_table(parse_puzzle(code).goal).next_tiles(board)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (SOLVED, "It is already solved."),
        (UNSOLVABLE, "No move helps: this goal cannot be reached."),
    ],
)
def test_where_no_move_helps_that_is_said(post, code, words):
    page = post(code)
    assert post.status in {200, 422}
    assert said(page) == words
    assert hinted(page) == []
    assert page.one(id="hint")["aria-disabled"] == "true"


def test_asking_at_the_end_of_a_game_is_no_help(post):
    post(CODE, "slide", tile=5)
    post(CODE, "slide", tile=8)
    page = post(CODE)
    assert post.status in {200, 422}
    assert "with help" not in page.one(id="won").text


def test_on_4x4_it_is_on_a_shortest_way(post, client):
    length = int(fetch_known(client, FOUR).one(id="to-go").all("b")[0].text)
    page = post(FOUR)
    assert "known" not in said(page)
    (tile,) = hinted(page)
    page = post(FOUR, "slide", tile=tile)
    assert figure(page) == f"{length - 1} moves left (best play)"


def test_above_16_cells_it_is_the_best_move_known_and_said_so(post, monkeypatch):
    """A slow machine has time enough to find a way that is not made by hand."""
    monkeypatch.setattr("webapp.workers.distances.LARGE_SEARCH_SECONDS", 2.0)
    page = post(FIVE)
    assert post.status == 200
    (tile,) = hinted(page)
    assert said(page).startswith(f"Hint: move tile {tile} ")
    assert said(page).endswith(" (the best move known).")


@pytest.mark.usefixtures("unanswered")
@pytest.mark.parametrize("code", [HARDEST, HARD, FIVE, LARGEST], ids=["3x3", "4x4", "5x5", "10x10"])
def test_while_no_solver_answers_it_comes_all_the_same_and_is_on_a_way_to_the_goal(
    post, app, monkeypatch, code
):
    monkeypatch.setitem(app.config, "HINT_WAIT", 0)
    monkeypatch.setitem(app.config, "CLICK_WAIT", 0)
    page = post(code)
    assert post.status == 200
    (tile,) = hinted(page)
    assert " (it leads to a solution, though not a short one)." in said(page)
    puzzle = parse_puzzle(code)
    length = constructive_hint(puzzle).length
    after = puzzle.starting_at(puzzle.start.slide(tile))
    assert constructive_hint(after).length == length - 1, "hints lead to the goal, one by one"


def test_without_a_setting_it_comes_within_a_second():
    bare = Flask("bare")
    configure(bare, {"SECRET_KEY": "x" * 32})
    assert bare.config["HINT_WAIT"] < 1


@pytest.mark.parametrize("code", [CODE, HARDEST, FOUR])
def test_hint_adds_the_next_step_by_hand(post, code):
    idea = next_idea(parse_puzzle(code).start)
    assert said(post(code)).endswith(f" By hand: {idea.text[0].lower()}{idea.text[1:]}")


@pytest.mark.parametrize("code", [f"{CODE}_{BLANK_FIRST}", FIVE])
def test_hint_has_no_idea_for_other_goals_and_sizes(post, code):
    assert "By hand" not in said(post(code))
