"""The page for teachers: its links to lessons, races and worksheets."""

from tests.boards import TEXTBOOK, UNSOLVABLE
from tests.web import markup
from tests.web.course.learn.learning import get


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


def test_teachers_page_has_a_single_primary_button(client):
    page = markup.read(client.get("/learn/teachers"))
    (button,) = page.all("button", _class="btn primary")
    assert button.text.strip() == "Make the link"
