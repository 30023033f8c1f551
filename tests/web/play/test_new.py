from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from slidewise import draw, parse_puzzle, scramble
from slidewise.study.draw import Range
from tests.web import markup

CODE = "1.2.3-4.0.6-7.5.8"


NO_MOVES = "moves must be a number such as 20, or a range such as 40-50, found"


# A new puzzle


def new(client, **query):
    response = client.get("/new", query_string=query)
    assert response.status_code == 302, response.get_data(as_text=True)
    assert response.headers["Cache-Control"] == "no-store"
    return parse_puzzle(response.location.removeprefix("/play/"))


def test_a_new_puzzle_is_3x3_and_solvable(client):
    puzzle = new(client)
    assert (puzzle.rows, puzzle.cols, puzzle.goal_name) == (3, 3, "blank last")
    assert puzzle.solvable
    assert puzzle.start != puzzle.goal


def test_each_is_another_one(client):
    assert len({new(client) for _ in range(10)}) == 10


@pytest.mark.parametrize("size", ["2x2", "2x3", "3x2", "4x4", "10x10", " 5 × 4 ", "2X7", "3*3"])
def test_of_any_size(client, size):
    puzzle = new(client, size=size)
    numbers = [int(word) for word in size.lower().replace("×", "x").replace("*", "x").split("x")]
    assert [puzzle.rows, puzzle.cols] == numbers
    assert puzzle.solvable


def test_with_the_blank_first(client):
    puzzle = new(client, size="4x4", goal="first")
    assert puzzle.goal_name == "blank first"
    assert puzzle.solvable


def test_a_seed_draws_the_same_again(client):
    assert new(client, size="4x4", seed="7") == new(client, size="4x4", seed="7")
    assert new(client, size="4x4", seed="7") != new(client, size="4x4", seed="8")
    assert new(client, seed="") != new(client, seed=""), "an empty field is no seed"


@pytest.mark.parametrize("seed", ["ä", "\0", "a b&c=d", "x" * 64, "🧩" * 64, "%"])
def test_a_seed_is_any_text(client, seed):
    assert new(client, seed=seed) == new(client, seed=seed)


def test_of_an_exact_difficulty(client):
    assert str(new(client, size="3x3", moves="20", seed="7")) == "1.2.4-8.0.6-5.3.7"
    puzzle = new(client, size="2x5", moves=" 30 ", goal="first", seed="a")
    assert puzzle == draw(2, 5, "a", 30, puzzle.goal)
    assert puzzle.goal_name == "blank first"
    assert new(client, moves="20") != new(client, moves="20")
    assert new(client, moves="", seed="7") == new(client, seed="7"), "an empty field asks nothing"


def test_of_a_range_of_difficulties(client):
    puzzle = new(client, size="3x3", moves="20-22", seed="7")
    assert puzzle == draw(3, 3, "7", Range(20, 22))
    puzzle = new(client, size="3x4", moves=" 1 - 60 ", seed="1")
    assert puzzle == scramble(3, 4, "1"), "the first that is drawn is in the range"


def test_the_menu_leads_to_puzzles_of_each_level(client):
    menu = markup.read(client.get("/custom")).one(id="new")
    links = [(link.text, link["href"]) for link in menu.all("a") if "moves=" in link["href"]]
    assert links == [
        ("Easy", "/new?size=3x3&moves=1-16"),
        ("Medium", "/new?size=3x3&moves=17-23"),
        ("Hard", "/new?size=3x3&moves=24-31"),
        ("Easy", "/new?size=4x4&moves=1-45"),
        ("Medium", "/new?size=4x4&moves=46-55"),
        ("Hard", "/new?size=4x4&moves=56-80"),
    ]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"moves": "32"}, "no 3x3 board needs more than 31 moves"),
        ({"moves": "0"}, "a puzzle needs at least 1 move"),
        (
            {"moves": "-1"},
            f"{NO_MOVES} '-1'",
        ),
        (
            {"moves": "many"},
            f"{NO_MOVES} 'many'",
        ),
        (
            {"moves": "1.5"},
            f"{NO_MOVES} '1.5'",
        ),
        (
            {"moves": "9" * 100_000},
            f"{NO_MOVES} '999",
        ),
        ({"moves": "50-40"}, "50-40 moves are none: write the smaller number first"),
        ({"moves": "32-40"}, "no 3x3 board needs more than 31 moves"),
        ({"moves": "20", "size": "5x5"}, "can be asked for up to 16 cells, and a 5x5 board has 25"),
        ({"moves": "1-2", "size": "3x4"}, "no 3x4 puzzle of 1-2 moves was found by drawing"),
        ({"goal": "third"}, "the goal must be one of last, first, spiral, found 'third'"),
        ({"rows": "11", "cols": "3"}, "2 to 10 rows and columns"),
        ({"rows": "x", "cols": "3"}, "expected a size such as 3x3"),
        ({"size": "1x5"}, "2 to 10 rows and columns"),
        ({"size": "11x11"}, "2 to 10 rows and columns"),
        ({"size": "0x0"}, "2 to 10 rows and columns"),
        ({"size": ""}, "expected a size such as 3x3"),
        ({"size": "big"}, "expected a size such as 3x3"),
        ({"size": "-3x3"}, "expected a size such as 3x3"),
        ({"size": "1000000x1000000"}, "expected a size such as 3x3"),
        ({"size": "9" * 100_000 + "x3"}, "expected a size such as 3x3"),
        ({"seed": "x" * 65}, "a seed has at most 64 characters, got 65"),
        ({"seed": "x" * 100_000}, "a seed has at most 64 characters, got 100000"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_cannot_be_drawn_is_told_so(client, query, words):
    response = client.get("/new", query_string=query)
    assert response.status_code == 400
    assert words.lower() in markup.read(response).one("main").text.lower()
    assert len(response.data) < 20_000, "what was typed is shown shortened"


def test_nothing_typed_is_lost_when_it_cannot_be_drawn(client):
    typed = {"size": "5x5", "moves": "20", "seed": "<b>&\"'", "goal": "first"}
    page = markup.read(client.get("/new", query_string=typed)).one("main")
    assert page.one(role="alert").text.startswith("A number of moves can be asked for")
    for name in "moves", "seed":
        assert page.one("input", name=name)["value"] == typed[name]
    assert chosen(page) == {"rows": "5", "cols": "5", "goal": "blank first"}


def chosen(form):
    return {
        field["name"]: (field.all("option", selected="") or field.all("option"))[0].text
        for field in form.all("select")
    }


@pytest.mark.parametrize(
    "query", [{"rows": "3", "cols": "7"}, {"size": " 3 × 7 "}, {"size": "3X7"}]
)
def test_the_size_that_was_chosen_stays(client, query):
    page = markup.read(client.get("/new", query_string={**query, "moves": "9", "goal": "spiral"}))
    assert chosen(page.one("main")) == {"rows": "3", "cols": "7", "goal": "spiral"}


def test_the_form_asks_for_what_can_be_drawn(client):
    form = markup.read(client.get("/custom")).one(id="new").one("form")
    assert form["action"] == "/new"
    typed = {field["name"]: field["value"] for field in form.all("input")}
    assert typed == {"moves": "", "seed": ""}
    assert chosen(form) == {"rows": "3", "cols": "3", "goal": "blank last"}
    for name in "rows", "cols":
        sides = [option.text for option in form.one("select", name=name).all("option")]
        assert sides == [str(side) for side in range(2, 11)]
    goals = [option["value"] for option in form.one("select", name="goal").all("option")]
    names = [new(client, **typed, rows="2", cols="7", goal=goal).goal_name for goal in goals]
    assert names == ["blank last", "blank first", "spiral"]


def test_in_a_game_the_form_has_the_size_that_is_played(client):
    form = markup.read(client.get("/play/1.0.3-4.2.5")).one(id="new").one("form")
    assert chosen(form) == {"rows": "2", "cols": "3", "goal": "blank last"}


def test_the_menu_leads_to_the_usual_sizes_in_one_tap(client):
    menu = markup.read(client.get("/custom")).one(id="new")
    links = [link["href"] for link in menu.all("a") if "size=" in link["href"]]
    assert links[:4] == [f"/new?size={size}" for size in ("2x3", "3x3", "4x4", "5x5")]
    for link in links[:4]:
        assert client.get(link).status_code == 302


@pytest.mark.parametrize("size", [{"size": "3x4"}, {"rows": "3", "cols": "4"}])
def test_with_the_spiral_goal(client, size):
    puzzle = new(client, goal="spiral", **size)
    assert (puzzle.start.size, puzzle.goal_name) == ((3, 4), "spiral")
    assert puzzle.solvable


def test_a_game_shows_its_spiral_goal(client):
    page = markup.read(client.get("/play/2.8.3-1.6.4-7.0.5_1.2.3-8.0.4-7.6.5"))
    assert "goal: spiral" in page.one(_class="titlebar").text
    for place in page.one(id="goal"), page.one(_class="card goal-card"):
        assert place.one("div", role="img")["aria-label"] == "Goal: 1 2 3; 8 blank 4; 7 6 5"


def test_each_game_shows_its_goal(client):
    page = markup.read(client.get(f"/play/{CODE}"))
    goal = page.one(id="goal")
    assert "goal: blank last" in goal.one("summary").text
    assert goal.one("div", role="img")["aria-label"] == "Goal: 1 2 3; 4 5 6; 7 8 blank"
    assert goal.one("path")["d"].count("M") == 8


def test_another_goal_is_told_in_a_few_words(client):
    page = markup.read(client.get("/play/1.2.3-4.5.6-8.7.0_1.2.3-0.4.5-6.7.8"))
    assert page.one(id="unsolvable").text.endswith(": this one with 7 and 8 swapped.")
    page = markup.read(client.get("/play/1.2.3.4-5.6.7.8-9.10.11.12-13.15.14.0"))
    assert page.one(id="unsolvable").text.endswith(": blank first.")


def test_when_there_is_no_answer_one_is_asked_to_try_again(app, monkeypatch):
    monkeypatch.setitem(app.config, "SOLVE_WAIT", 0)
    response = app.test_client().get("/new?moves=20")
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0


# Pictures


SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("code", [CODE, "1.0.3-4.2.5", "1.2-3.0_0.1-2.3"])
def test_a_picture_of_a_board(client, code):
    puzzle = parse_puzzle(code)
    response = client.get(f"/board/{code}.svg")
    assert response.status_code == 200
    assert response.content_type == "image/svg+xml; charset=utf-8"
    picture = ET.fromstring(response.data)
    assert picture.tag == f"{SVG}svg"
    drawn = [text.text for text in picture.iter(f"{SVG}text")]
    assert drawn == [str(tile) for tile in puzzle.start.cells if tile]
    assert picture.get("role") == "img"
    assert "blank" in picture.get("aria-label")


def test_it_needs_no_styles_and_runs_no_scripts(client):
    picture = ET.fromstring(client.get(f"/board/{CODE}.svg").data)
    for element in picture.iter():
        assert element.tag in {f"{SVG}{name}" for name in ("svg", "rect", "text")}
        assert not {"style", "class", "href"} & set(element.attrib)
        assert not [name for name in element.attrib if name.startswith("on")]


def test_it_can_be_cached_as_a_puzzle_never_changes(client):
    response = client.get(f"/board/{CODE}.svg")
    assert response.cache_control.public
    assert response.cache_control.max_age >= 3600
    assert "Cookie" not in response.vary
    assert "Set-Cookie" not in response.headers


@pytest.mark.parametrize("path", ["/board/junk.svg", "/board/1.2.3.svg", f"/board/{CODE}.gif"])
def test_there_is_no_picture_of_what_is_no_board(client, path):
    assert client.get(path).status_code in {400, 404}


def test_the_icon_needs_no_styles_either(client):
    with client.get("/static/icon.svg") as response:
        assert response.mimetype == "image/svg+xml"
        for element in ET.fromstring(response.data).iter():
            assert "style" not in element.attrib
            assert not element.tag.endswith(("}style", "}script"))
