"""Hints: the next tile on a shortest path, or on the best path known."""

import pytest
from flask import Flask

from slidewise import exact_table, parse_board, parse_puzzle, scramble
from slidewise.analysis.by_hand import next_idea
from slidewise.analysis.distance import constructive_hint
from tests.boards import BLANK_FIRST, FIVE, HARDEST, SOLVED, UNSOLVABLE
from tests.boards import FOUR_NEAR as FOUR
from tests.boards import TWO_MOVES as CODE
from tests.web.play.playing import fetch_known, figure
from tests.web.visitor import Visitor
from webapp.config import configure

LARGEST = str(scramble(10, 10, "1"))


@pytest.fixture
def post(client):
    """Post a click; return the fragment."""
    return lambda code, what="hint", **form: Visitor(client, code).click(what, **form)


def hinted(page):
    return [int(tile["value"]) for tile in page.all("button") if "hint" in tile.classes]


def announcement(page):
    return page.one(id="said").text


def test_hint_rings_a_tile_and_announces_its_move(player):
    page = player.click("hint")
    assert hinted(page) == [5]
    assert announcement(page).startswith("Hint: move tile 5 up.")
    assert "hinted" in page.one(id="said").classes
    assert page.one(id="t5")["aria-label"].endswith("can move up, hint")
    assert page.one(id="play")["data-board"] == CODE


def test_hints_follow_a_shortest_path_to_the_goal(post):
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


def test_hint_is_for_the_current_board_and_its_goal(post):
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
def test_hint_without_a_helpful_move_explains_why(post, code, words):
    page = post(code)
    assert announcement(page) == words
    assert hinted(page) == []
    assert page.one(id="hint")["aria-disabled"] == "true"


def test_hint_in_a_solved_game_does_not_count_as_help(post):
    post(CODE, "slide", tile=5)
    post(CODE, "slide", tile=8)
    page = post(CODE)
    assert "with help" not in page.one(id="won").text


def test_hint_on_4x4_is_on_a_shortest_path(post, client):
    length = int(fetch_known(client, FOUR).one(id="to-go").all("b")[0].text)
    page = post(FOUR)
    assert "known" not in announcement(page)
    (tile,) = hinted(page)
    page = post(FOUR, "slide", tile=tile)
    assert figure(page) == f"{length - 1} moves left (best play)"


def test_hint_above_16_cells_is_labelled_best_move_known(post, monkeypatch):
    """Even a slow machine has time to find a path other than the constructive one."""
    monkeypatch.setattr("webapp.workers.distances.LARGE_SEARCH_SECONDS", 2.0)
    page = post(FIVE)
    (tile,) = hinted(page)
    assert announcement(page).startswith(f"Hint: move tile {tile} ")
    assert announcement(page).endswith(" (the best move known).")


@pytest.mark.usefixtures("no_answers")
@pytest.mark.parametrize("code", [HARDEST, LARGEST], ids=["3x3", "10x10"])
def test_hint_without_a_solver_is_on_a_path_to_the_goal(post, app, monkeypatch, code):
    monkeypatch.setitem(app.config, "HINT_WAIT", 0)
    monkeypatch.setitem(app.config, "CLICK_WAIT", 0)
    page = post(code)
    (tile,) = hinted(page)
    assert " (it leads to a solution, though not a short one)." in announcement(page)
    puzzle = parse_puzzle(code)
    length = constructive_hint(puzzle).length
    after = puzzle.starting_at(puzzle.start.slide(tile))
    assert constructive_hint(after).length == length - 1, "hints lead to the goal, one by one"


def test_default_hint_wait_is_under_a_second():
    bare = Flask("bare")
    configure(bare, {"SECRET_KEY": "for tests only" * 3})
    assert bare.config["HINT_WAIT"] < 1


@pytest.mark.parametrize("code", [CODE, FOUR])
def test_hint_adds_the_next_step_by_hand(post, code):
    idea = next_idea(parse_puzzle(code).start)
    assert announcement(post(code)).endswith(f" By hand: {idea.text[0].lower()}{idea.text[1:]}")


@pytest.mark.parametrize("code", [f"{CODE}_{BLANK_FIRST}", FIVE])
def test_hint_by_hand_is_missing_for_other_goals_and_sizes(post, code):
    assert "By hand" not in announcement(post(code))
