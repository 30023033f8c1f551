"""Lessons: the parts they hide, and the links for teachers."""

from tests.boards import SIX_MOVES, TEXTBOOK, UNSOLVABLE
from tests.web import markup
from tests.web.course.learn.learning import get
from tests.web.streams import HTMX

PATH = f"/play/{SIX_MOVES}"


def lesson(client, hidden):
    return markup.read(client.get(f"{PATH}?lesson={hidden}"))


def test_lesson_hides_the_parts_it_names(client):
    usual = lesson(client, "")
    assert {"solver", "hint", "solve-button", "to-go", "shortest"} <= set(usual.ids())
    without = lesson(client, "solver,hint,to-go")
    assert not {"solver", "hint", "solve-button", "to-go", "shortest"} & set(without.ids())
    assert without.one("input", name="lesson")["value"] == "solver,hint,to-go"
    assert "hint" not in lesson(client, "hint").ids()
    assert "solver" in lesson(client, "hint").ids()


def test_click_stays_in_the_lesson(client):
    data = {"tile": 3, "lesson": "to-go,hint"}
    response = client.post(f"{PATH}/slide", data=data)
    assert "lesson=hint,to-go" in response.location.replace("%2C", ",")
    response = client.post(f"{PATH}/slide", data={**data, "tile": 2}, headers=HTMX)
    fragment = markup.read(response)
    assert not {"hint", "to-go"} & set(fragment.ids())
    assert "moves left" not in fragment.text
    assert "undo" in fragment.ids()


def test_lesson_that_hides_an_unknown_part_is_400(client):
    response = client.get(f"{PATH}?lesson=board")
    assert response.status_code == 400
    assert "lesson=solver,hint" in markup.read(response).text


def test_teachers_page_lists_the_links(client):
    page = get(
        client,
        "/teachers",
        **{"start": "724506831", "goal": "012345678", "seed": "anna"},
        **{"run": ["astar:manhattan", "bfs"], "hide": ["hint", "solver"]},
    )
    links = {
        one.text.strip(): one.one("input")["value"] for one in page.one(id="links").all("label")
    }
    assert f"/play/{TEXTBOOK}?lesson=solver" in links["Play it"].replace("%2C", ",")
    assert links["Race the searches"].endswith(f"/lab/{TEXTBOOK}?run=astar:manhattan,bfs")
    assert "algorithm=astar" in links["Watch the first search"]
    assert "seed=anna" in links["Predict the next expansion"]
    assert "seed=anna" in links["Worksheet"]
    played = client.get(links["Play it"].removeprefix("http://localhost"))
    assert not {"hint", "solver"} & set(markup.read(played).ids())


def test_teachers_page_shows_the_error(client):
    page = get(client, "/teachers", start="1 2 3 4")
    assert page.one(role="alert", class_="proof unproved")
    page = get(client, "/teachers", start=UNSOLVABLE, run=["best", "nonsense"])
    assert "cannot be reached" in page.one(id="links").text
    labels = [one.text for one in page.one(id="links").all("label")]
    assert not any("Watch" in label for label in labels)
