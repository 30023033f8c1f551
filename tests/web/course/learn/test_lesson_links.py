"""Links of a lesson: shared links hide the same parts."""

from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise.course.searching.prediction import predict
from tests.web import markup

CODE = "2.3.0-1.4.6-7.5.8"
LESSON = f"/play/{CODE}?lesson=solver,hint"


def get(client, path, **query):
    response = client.get(path, query_string=query or None)
    assert response.status_code == 200
    return markup.read(response)


def lesson_of(link):
    return parse_qs(urlsplit(link).query).get("lesson")


def test_shared_link_of_a_lesson_has_the_lesson(client):
    button = get(client, LESSON).one(id="share-button")["href"]
    assert lesson_of(button) == ["solver,hint"]
    sheet = get(client, f"{button}&board=2.0.3-1.4.6-7.5.8&beat=9")
    for what in ("puzzle", "position", "challenge"):
        link = sheet.one(id=f"link-to-{what}")["value"]
        assert lesson_of(link) == ["solver,hint"]
        code = sheet.one("section", class_=f"stack shared {what}").one("img", class_="qr")["src"]
        assert lesson_of(code) == ["solver,hint"]
        assert client.get(code).status_code == 200
    assert sheet.one("input", type="hidden", name="lesson")["value"] == "solver,hint"


def test_qr_code_of_a_lesson_has_the_lesson(client):
    plain, hidden = (client.get(f"/qr/play/{CODE}.svg{query}") for query in ("", "?lesson=hint"))
    assert plain.data != hidden.data
    assert client.get(f"/qr/play/{CODE}.svg?lesson=nonsense").status_code == 400


def test_shared_link_of_a_game_hides_nothing(client):
    button = get(client, f"/play/{CODE}").one(id="share-button")["href"]
    assert lesson_of(button) is None
    assert lesson_of(get(client, button).one(id="link-to-puzzle")["value"]) is None


@pytest.mark.parametrize(
    ("runs", "words"), [([], "none chosen"), (["ucs", "bfs"], "Breadth-first search, Uniform-cost")]
)
def test_folded_searches_are_named_in_the_summary(client, runs, words):
    page = get(client, "/learn/teachers", start="123456708", run=runs)
    assert words in page.one("summary").text


def test_teachers_links_can_be_copied(client):
    page = get(client, "/learn/teachers", start="123456708", run="bfs", seed="anna")
    rows = page.one(id="links").all("div", class_="link-row")
    assert len(rows) >= 6
    for row in rows:
        field, button = row.one("input"), row.one("button")
        assert button["data-copy"] == field["id"]
        assert "js-only" in button.classes
        assert row.one(role="status").text == ""
        assert field["value"].endswith(row.one("a")["href"])


@pytest.mark.parametrize("key", ["bfs", "rbfs"])
def test_hidden_numbers_are_missing_before_the_answer(client, key):
    query = {"algorithm": key, "seed": "anna", "numbers": "hidden"}
    page = get(client, "/learn/predict", **query)
    question = predict(2, 3, key, "manhattan", "anna", 1)
    choices = [one for one in page.all("label") if "node-choice" in one.classes]
    assert len(choices) == len(question.choices)
    for choice in choices:
        texts = [one.text for one in choice.content if not isinstance(one, str)]
        assert [text for text in texts if text] == [choice.one(role="img").text]
        assert choice.one(role="img")["aria-label"].startswith("Board: ")
    taken = page.one("ol", class_="taken").all("li")
    for at, (item, node) in enumerate(zip(taken, question.taken, strict=True), 1):
        spoken = item.one(role="img")["aria-label"]
        assert spoken.startswith(f"Expansion {at}: ")
        assert sum(map(str.isdigit, spoken.partition(": ")[2])) == len(node.board.cells) - 1


def test_hidden_numbers_are_shown_with_the_marked_answer(client):
    query = {"algorithm": "bfs", "seed": "anna", "numbers": "hidden"}
    question = predict(2, 3, "bfs", None, "anna", 1)
    page = get(client, "/learn/predict", **query, answer=1)
    for choice in question.choices:
        assert f"node {choice.number}" in page.one("fieldset", class_="choices-of-nodes").text
    assert "numbers=hidden" in page.one(id="next")["href"]
    after = get(client, page.one(id="next")["href"].partition("#")[0])
    assert "node " not in after.one("fieldset", class_="choices-of-nodes").text
    assert after.one("input", type="hidden", name="numbers")["value"] == "hidden"
    select = after.one("select", name="numbers")
    assert select.one("option", selected="")["value"] == "hidden"
