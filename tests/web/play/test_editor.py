"""The editor: a board is typed, checked and played."""

import pytest

from slidewise import parse_puzzle
from slidewise.puzzle.notation import MAX_TEXT
from tests.each import each
from tests.web import markup
from tests.web.streams import HTMX
from tests.web.visitor import submit

CODE = "1.2.3-4.0.6-7.5.8"


def editor(client, **form):
    return client.post("/custom", data=form)


def test_editor_starts_with_a_3x3_board(client):
    page = markup.read(client.get("/custom"))
    assert (page.one(id="start").text, page.one(id="goal").text) == ("1.2.3-4.5.6-7.8.0", "")
    assert "Swap some tiles" in page.one(id="checked").text
    assert "autofocus" not in page.one(id="checked").attrs
    assert "open" not in page.one("details", id="as-text").attrs


def test_head_of_the_editor_has_the_length_of_its_page(client):
    page, head = client.get("/custom"), client.head("/custom")
    assert head.headers["Content-Length"] == str(len(page.data))


def test_unsolvable_board_has_two_alternatives_in_the_editor(client):
    form = {"start": "1 2 3 4 5 6 8 7 0"}
    checked = markup.read(client.post("/custom", data=form, headers=HTMX))
    verdict = checked.one(id="solvability")
    assert verdict.text == "✕ This cannot be solved. Two ways out"
    assert verdict.one("a")["href"] == "#" + checked.one("div", tabindex="-1")["id"]
    inside = list(checked.inside)
    assert inside.index(verdict) < inside.index(checked.one("div", class_="pair"))
    ways = {
        way["data-fill"]: way["data-board"]
        for way in checked.all("button")
        if "data-fill" in way.attrs
    }
    assert ways["start"] == "1.2.3-4.5.6-7.8.0"
    assert parse_puzzle(f"1.2.3-4.5.6-8.7.0_{ways['goal']}").solvable


@each(
    ("form", "code"),
    [
        ({"start": "1 2 3\n4 _ 6\r\n7 5 8", "goal": ""}, CODE),
        ({"start": CODE, "goal": "1 2 3 4 5 6 7 8 0", "size": "3x3"}, CODE),
        ({"start": CODE, "goal": "8 7 6 5 4 3 2 1 0"}, f"{CODE}_8.7.6-5.4.3-2.1.0"),
        ({"start": "1 0 3 4 2 5", "size": "3 x 2"}, "1.0-3.4-2.5"),
        ({"start": "724506831_012345678"}, "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"),
    ],
)
def test_typed_board_can_be_played(client, form, code):
    puzzle = parse_puzzle(code)
    response = editor(client, **form)
    if puzzle.solvable:
        assert (response.status_code, response.location) == (303, f"/play/{code}")
    else:
        assert response.status_code == 400
        assert markup.read(response).all("a", href=f"/play/{code}")


LONG = f"at most {MAX_TEXT:,} characters"


@each(
    ("wrong", "form", "words"),
    [
        ("start", {}, "Type the start board first"),
        ("start", {"start": "", "goal": CODE, "size": "3x3"}, "Type the start board first"),
        ("start", {"start": "hello"}, "Start: expected a tile's number, found 'hello'."),
        ("start", {"start": "1 0 3 4 2 5"}, "give the size too, 2x3 or 3x2"),
        ("size", {"start": "hello", "size": "9"}, "Size: expected a size such as 3x3"),
        ("goal", {"start": CODE, "goal": "1 2 3 0"}, "Goal: expected 9 cells for 3 rows of 3"),
        ("goal", {"start": f"{CODE}_{CODE}", "goal": CODE}, "found two goals"),
        ("start", {"start": "9" * 20_000}, LONG),
        ("start", {"start": "</textarea><p id='x'>"}, "expected"),
    ],
)
def test_unreadable_input_stays_with_an_error_at_its_field(client, wrong, form, words):
    response = editor(client, **form)
    assert response.status_code == 400
    page = markup.read(response)
    typed = {name: "".join(page.one("textarea", name=name).content) for name in ("start", "goal")}
    typed["size"] = page.one("input", name="size", type="text", placeholder="2x3")["value"]
    assert typed == {"start": "", "goal": "", "size": "", **form}
    (marked,) = [part for part in page.inside if "aria-invalid" in part.attrs]
    assert marked["name"] == wrong
    assert "autofocus" in marked.attrs
    assert words in page.one(id=marked["aria-describedby"]).text
    assert words in page.one(id="checked").text
    assert not page.all(id="x")


def test_editor_form_is_corrected_and_played_without_javascript(client):
    response, goal = client.get("/custom"), "0 1 2 3 4 5 6 7 8"
    for start, status in ("1 2 3 4 5 6 7 8 8", 400), ("1 2 3 4 5 6 7 8 0", 200):
        (button,) = [
            button for button in markup.read(response).all("button") if "Play this" in button.text
        ]
        response = submit(client, response, button, start=start, goal=goal)
        assert response.status_code == status
    assert response.request.path == "/play/1.2.3-4.5.6-7.8.0_0.1.2-3.4.5-6.7.8"


def test_unreachable_goal_is_explained_and_the_input_stays(client):
    response = editor(client, start="1 2 3 8 0 4 7 6 5", goal="")
    assert response.status_code == 400
    page = markup.read(response)
    checked = page.one(id="checked")
    assert "7 pairs of tiles" in checked.text
    assert len([a for a in checked.all("a") if a["href"].startswith("/play/")]) == 3
    assert page.one(id="start").text == "1 2 3 8 0 4 7 6 5"
    assert "autofocus" in checked.one(id="ways-out").attrs


@pytest.mark.parametrize("method", ["get", "post"])
def test_input_is_answered_with_the_check_alone(client, method):
    name = "data" if method == "post" else "query_string"
    send = getattr(client, method)
    response = send("/custom", headers=HTMX, **{name: {"start": CODE, "goal": ""}})
    assert response.status_code == 200
    page = markup.read(response)
    assert not page.all("html")
    assert "This can be solved." in page.text
    boards = {board["data-edits"]: board["data-board"] for board in page.all("div", role="group")}
    assert boards == {"start": CODE, "goal": "1.2.3-4.5.6-7.8.0"}
    assert {option.text: option["value"] for option in page.one("select").all("option")} == {
        "Blank last": "1.2.3-4.5.6-7.8.0",
        "Blank first": "0.1.2-3.4.5-6.7.8",
        "Spiral": "1.2.3-8.0.4-7.6.5",
    }


def test_unfinished_input_is_explained_with_200(client):
    response = client.post("/custom", data={"start": "1 2"}, headers=HTMX)
    assert response.status_code == 200, "half a board is no error while it is being typed"
    assert "2 cells do not fill a board" in markup.read(response).one(role="alert").text


def test_starting_boards_of_the_editor_are_solvable(client):
    page = markup.read(client.get("/custom"))
    for link in page.one("main").all("a", _class="btn"):
        filled = markup.read(client.get(link["href"]))
        assert "This can be solved" in filled.one(id="checked").text
