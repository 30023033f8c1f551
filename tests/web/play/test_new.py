import json
import re
import xml.etree.ElementTree as ET

import pytest

from slidewise import blank_first_goal, draw, parse_puzzle, scramble
from slidewise.analysis.distance import Range
from slidewise.puzzle.board import svg
from slidewise.puzzle.scramble import MAX_SEED
from tests.boards import SMALL, UNSOLVABLE
from tests.boards import TWO_MOVES as CODE
from tests.each import each
from tests.web import markup

NO_MOVES = "moves must be a number such as 20, or a range such as 40-50, found"


# A new puzzle


def new(client, **query):
    response = client.get("/new", query_string=query)
    assert response.status_code == 302, response.get_data(as_text=True)
    assert response.headers["Cache-Control"] == "no-store"
    return parse_puzzle(response.location.removeprefix("/play/"))


def test_new_puzzles_are_different_and_solvable_3x3(client):
    puzzles = {new(client, size="3x3") for _ in range(10)} | {
        new(client, seed="") for _ in range(2)
    }
    assert len(puzzles) == 12, "an empty field is no seed"
    for puzzle in puzzles:
        assert (puzzle.rows, puzzle.cols, puzzle.goal_name) == (3, 3, "blank last")
        assert puzzle.solvable
        assert puzzle.start != puzzle.goal


@each("size", ["2x3", "10x10", " 5 × 4 ", "2X7"])
@each(("goal", "name"), [("first", "blank first"), ("spiral", "spiral")])
def test_new_puzzle_has_the_given_size_and_goal(client, size, goal, name):
    puzzle = new(client, size=size, goal=goal)
    rows, cols = map(int, re.findall(r"\d+", size))
    assert (puzzle.start.size, puzzle.goal_name) == ((rows, cols), name)
    assert puzzle.solvable


@each("seed", ["7", "\0", "a b&c=d", "🧩" * 64])
def test_seed_of_any_text_repeats_the_puzzle(client, seed):
    assert new(client, seed=seed) == new(client, seed=seed) != new(client, seed="8")


def test_new_puzzle_is_the_one_the_library_draws(client):
    first = blank_first_goal(2, 5)
    assert str(new(client, size="3x3", moves="20", seed="7")) == "1.2.4-8.0.6-5.3.7"
    for puzzle, query in {
        draw(2, 5, "a", 30, first): {"size": "2x5", "moves": " 30 ", "goal": "first", "seed": "a"},
        draw(3, 3, "7", Range(20, 22)): {"moves": "20-22", "seed": "7"},
        draw(4, 4, "7", Range(75, 80)): {"moves": "75-80", "seed": "7", "size": "4x4"},
        scramble(3, 4, "1"): {"size": "3x4", "moves": " 1 - 60 ", "seed": "1"},  # the first drawn
        scramble(3, 3, "7"): {"moves": "", "seed": "7"},  # an empty field is ignored
    }.items():
        assert new(client, **query) == puzzle
    assert new(client, moves="20") != new(client, moves="20")


@each(
    ("query", "words"),
    [
        ({"moves": "32"}, "no 3 × 3 puzzle needs more than 31 moves"),
        ({"moves": "0"}, "a puzzle needs at least 1 move"),
        ({"moves": "-1"}, f"{NO_MOVES} '-1'"),
        ({"moves": "1.5"}, f"{NO_MOVES} '1.5'"),
        ({"moves": "50-40"}, "50-40 moves is an empty range: write the smaller number first"),
        (
            {"moves": "20", "size": "5x5"},
            "on boards of up to 16 cells, but 5x5 has 25",
        ),
        ({"moves": "1-2", "size": "3x4"}, "no random 3x4 puzzle had 1-2 moves"),
        ({"difficulty": "huge"}, "the difficulty must be easy, medium, hard or any; found 'huge'"),
        ({"goal": "third"}, "the goal must be one of last, first, spiral, found 'third'"),
        ({"rows": "11", "cols": "3"}, "2 to 10 rows and columns"),
        *(({"size": size}, "expected a size such as 3x3") for size in ("", "9" * 100_000 + "x3")),
        ({"seed": "x" * 100_000}, f"a seed has at most {MAX_SEED} characters, got 100,000"),
    ],
)
def test_impossible_draw_is_400(client, query, words):
    response = client.get("/new", query_string=query)
    assert response.status_code == 400
    assert words.lower() in markup.read(response).one("main").text.lower()
    assert len(response.data) < 24_000, "what was typed is shown shortened"


def chosen(form):
    return {
        field["name"]: (field.all("option", selected="") or field.all("option"))[0].text
        for field in form.all("select")
    }


@each("query", [{"rows": "3", "cols": "7"}, {"size": " 3 × 7 "}])
def test_input_stays_after_an_impossible_draw(client, query):
    typed = {"moves": "20", "seed": "<b>&\"'", "goal": "spiral"}
    page = markup.read(client.get("/new", query_string={**query, **typed})).one("main")
    assert page.one(role="alert").text.startswith("The number of moves can be chosen")
    assert {name: page.one("input", name=name)["value"] for name in ("moves", "seed")} == {
        name: typed[name] for name in ("moves", "seed")
    }
    assert chosen(page) == {"rows": "3", "cols": "7", "goal": "Spiral"}
    assert checked(page) == {"size": "other", "difficulty": "medium"}


def checked(form):
    return {field["name"]: field["value"] for field in form.all("input", checked="")}


def test_form_offers_every_size_and_goal(client):
    form = markup.read(client.get("/new")).one(id="new-form")
    assert form["action"] == "/new"
    assert checked(form) == {"size": "3x3", "difficulty": "medium"}
    assert chosen(form) == {"rows": "3", "cols": "3", "goal": "In order, blank last"}
    sizes = [field["value"] for field in form.all("input", name="size")]
    assert sizes == ["2x3", "3x3", "4x4", "5x5", "other"]
    for name in "rows", "cols":
        sides = [option.text for option in form.one("select", name=name).all("option")]
        assert sides == [str(side) for side in range(2, 11)]
    goals = [option["value"] for option in form.one("select", name="goal").all("option")]
    other = {"size": "other", "rows": "2", "cols": "8", "difficulty": "medium", "moves": ""}
    names = [new(client, **other, goal=goal).goal_name for goal in goals]
    assert names == ["blank last", "blank first", "spiral"]


def test_form_shows_the_solution_lengths_of_each_choice(client):
    form = markup.read(client.get("/new")).one(id="new-form")
    assert form.one("div", _class="of-3x3").text == (
        "Shortest solution: 1 to 16 moves Shortest solution: 17 to 23 moves "
        "Shortest solution: 24 to 31 moves Shortest solution: up to 31 moves"
    )
    assert form.one("div", _class="of-5x5").text.startswith("Drawn at random")
    bands = json.loads(form["data-bands"])
    assert bands["4x3"] == {
        "easy": [1, 31],
        "medium": [32, 37],
        "hard": [38, 53],
        "any": [None, 53],
    }
    assert "5x5" not in bands


@each(
    ("query", "drawn"),
    [
        ({"difficulty": "hard"}, draw(3, 3, "1", Range(24, 31))),
        ({"difficulty": "easy", "size": "2x3"}, draw(2, 3, "1", Range(1, 9))),
        ({"difficulty": "any"}, scramble(3, 3, "1")),
        ({"difficulty": "hard", "size": "5x5"}, scramble(5, 5, "1")),
        ({"difficulty": "hard", "moves": "20"}, draw(3, 3, "1", 20)),
    ],
)
def test_difficulty_is_a_range_if_the_size_has_levels(client, query, drawn):
    assert new(client, seed="1", **query) == drawn


def test_dialog_of_a_game_selects_its_size(client):
    page = markup.read(client.get(f"/play/{SMALL}"))
    dialog = page.one("dialog", id="new")
    assert page.all("a", data_new="")[0]["href"] == "/new"
    assert checked(dialog) == {"size": "2x3", "difficulty": "medium"}
    dialog = markup.read(client.get("/play/1.2.3.0-5.6.7.4")).one("dialog", id="new")
    assert checked(dialog)["size"] == "other"
    assert chosen(dialog) == {"rows": "2", "cols": "4", "goal": "In order, blank last"}


@pytest.mark.parametrize(
    ("code", "goal"),
    [
        (CODE, "1 2 3; 4 5 6; 7 8 blank"),
        (f"2.8.3-1.6.4-7.0.5_{UNSOLVABLE}", "1 2 3; 8 blank 4; 7 6 5"),
    ],
)
def test_game_shows_its_goal(client, code, goal):
    page = markup.read(client.get(f"/play/{code}"))
    assert page.one(id="goal").one("div", role="img")["aria-label"] == f"Goal: {goal}"
    assert "blank last" not in page.one(_class="about").text


def test_alternative_goal_is_described_in_a_few_words(client):
    page = markup.read(client.get("/play/1.2.3-4.5.6-8.7.0_1.2.3-0.4.5-6.7.8"))
    assert ": this goal with 7 and 8 swapped Read" in page.one(id="unsolvable").text
    page = markup.read(client.get("/play/1.2.3.4-5.6.7.8-9.10.11.12-13.15.14.0"))
    assert ": blank first Read" in page.one(id="unsolvable").text


def test_timeout_is_503_with_retry_after(app, monkeypatch):
    monkeypatch.setitem(app.config, "SOLVE_WAIT", 0)
    response = app.test_client().get("/new?moves=20")
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0


# Pictures


def test_picture_shows_the_board_and_its_goal(client):
    puzzle = parse_puzzle("1.2-3.0_0.1-2.3")
    response = client.get(f"/board/{puzzle}.svg")
    assert response.content_type == "image/svg+xml; charset=utf-8"
    assert response.text == svg(puzzle.start.grid, puzzle.goal.grid)


def test_icon_has_no_style(client):
    with client.get("/static/icon.svg") as response:
        assert response.mimetype == "image/svg+xml"
        for element in ET.fromstring(response.data).iter():
            assert "style" not in element.attrib
            assert not element.tag.endswith(("}style", "}script"))
