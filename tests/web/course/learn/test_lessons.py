"""Lessons on the path: the figure at a step, the blank line, and the question."""

import json
import re

import pytest

from slidewise import exact_table, parse_board
from slidewise.course.programs.boards import manhattan
from tests.web.course.learn.learning import get, spoken
from webapp.course.learn.figures import Figure
from webapp.course.learn.lessons import KINDS, LESSONS, MEASURED, answers_of, run_of
from webapp.course.learn.path import STEPS


@pytest.mark.parametrize("key", [key for key in LESSONS if key != "manhattan"])
def test_right_answer_is_the_board_taken_next(app, key):
    with app.test_request_context():
        answers = answers_of(key)
    run, at = run_of(key), LESSONS[key].at
    assert [one.node for one in answers if one.is_right] == [run.steps[at + 1].node]
    assert len({run.nodes[one.node].board for one in answers}) == 3


@pytest.mark.parametrize("key", LESSONS)
def test_each_wrong_answer_names_the_search_that_takes_it(client, app, key):
    with app.test_request_context():
        answers = answers_of(key)
    for number, answer in enumerate(answers, 1):
        page = get(client, f"/{key}", answer=number)
        form = page.one("form", id="question")
        marked = form.one("p", role="status")
        assert answer.feedback in marked.text
        assert ("is-right" in marked.classes) == answer.is_right
        assert answer.feedback.startswith("Right." if answer.is_right else "Not ")
        assert LESSONS[key].right in marked.text
        chosen = form.one("button", aria_pressed="true")
        assert chosen["value"] == str(number)
        assert ("is-wrong" in chosen.classes) == (not answer.is_right)


def test_boards_of_the_question_about_manhattan_distance():
    goal = (1, 2, 3, 4, 5, 0)
    assert [manhattan(MEASURED[kind], goal) for kind in ("h", "exact", "with blank")] == [6, 4, 5]
    exact = exact_table(parse_board("1.2.3-4.5.0"))
    assert exact.distance(parse_board("4.0.1-2.5.3")) == 8
    assert exact.distance(parse_board("4.1.3-2.5.0")) == 6
    assert MEASURED["with blank"].index(0) == 2  # a step from its place


def test_question_is_open_before_an_answer(client):
    page = get(client, "/astar")
    assert page.one("p", class_="marked").text == "After step 9. Choose a board."
    assert not page.all("button", class_="option is-right")


def test_other_searches_would_take_the_wrong_boards():
    run, at = run_of("astar"), LESSONS["astar"].at
    newest, oldest = KINDS["newest"].choose(run, at), KINDS["oldest"].choose(run, at)
    assert newest in run.steps[at].made
    waits = [node for node, state in run.steps[at].states.items() if state == "wait"]
    assert all(run.nodes[oldest].depth <= run.nodes[node].depth for node in waits)


def test_step_of_a_pattern_names_both_ends_of_the_queue(client):
    page = get(client, "/pdb").one("div", class_="card now-card")
    words = "Another tile moves: 1 new board at the front. Tile 1 moves: a new board at the end."
    assert page.one("p", role="status").text == words
    values = [one.text for one in page.one("ol", class_="store").all("li")[1:]]
    assert values == ["1", "2", "2"]
    end = get(client, "/pdb", at=31).one("div", class_="card now-card")
    assert end.one("p", role="status").text.startswith("The queue is empty.")


@pytest.mark.parametrize("query", [{"answer": 4}, {"answer": "x"}, {"at": 99}, {"at": "<b>"}])
def test_bad_step_or_answer_is_refused(client, query):
    assert "must be a number" in get(client, "/astar", status=400, **query).text


@pytest.mark.parametrize("key", LESSONS)
def test_step_of_an_address_is_shown_without_script(client, key):
    page = get(client, f"/{key}", at=2)
    steps = json.loads(page.one("script", id="lesson-run").text)["steps"]
    line, values = steps[2]["moments"][-1]
    items = page.one("ol", class_="loop").all("li")
    assert [i for i, one in enumerate(items) if one.get("aria-current")] == [line]
    shown = {str(i): one.one("var").text for i, one in enumerate(items) if one.one("var").text}
    assert shown == values
    links = [one["href"] for one in page.one("p", class_="row steps-by-link no-js").all("a")]
    assert links == ["?at=1#example", "?at=3#example"]


@pytest.mark.parametrize("key", LESSONS)
def test_line_of_the_exercise_is_folded(client, key):
    run = run_of(key)
    items = get(client, f"/{key}").one("ol", class_="loop").all("li")
    folded = [i for i, one in enumerate(items) if one.all("details")]
    assert folded == [run.blank]
    shown, line = items[run.blank].one("code").text, run.lines[run.blank].text
    assert shown.replace(" ", "") == line.replace(" ", "")


@pytest.mark.parametrize(("letter", "first"), [("g", "ucs"), ("h", "manhattan"), ("f", "astar")])
def test_letter_is_introduced_before_it_is_used(client, letter, first):
    steps = [step.key for step in STEPS]
    assert letter in [one.text[:1] for one in get(client, f"/{first}").one(class_="intro").all("i")]
    for key in steps[: steps.index(first)]:
        page = get(client, f"/{key}", **({"answer": 1} if key in LESSONS else {}))
        parts = [
            one
            for one in page.one("main").inside
            if {"lesson-bench", "ask", "below"} & set(one.classes)
        ]
        text = " ".join(one.text for one in parts)
        assert not re.search(rf"(?<![\w.]){letter}(?![\w(])", text), key


def test_search_is_explained_on_the_first_page(client):
    page = get(client, "/puzzle").one("section", id="search")
    assert page.one("h2").text == "What is a search?"
    boards = [one["aria-label"] for one in page.all("div", role="img")]
    start = parse_board("1.0.3-4.2.5")
    assert boards == ["Start: 1 blank 3; 4 2 5", *(spoken(start.slide(tile)) for tile in (2, 1, 3))]
    assert get(client, "/bfs").one(class_="intro").one("a")["href"] == "/learn/puzzle#search"


@pytest.mark.parametrize("key", LESSONS)
def test_boards_of_a_figure_do_not_overlap(key):
    figure = Figure(run_of(key), LESSONS[key].is_tall, False)
    width, height = figure.size
    for i, (x, y) in enumerate(figure.places):
        for other_x, other_y in figure.places[:i]:
            assert abs(x - other_x) >= width + 8 or abs(y - other_y) >= height + 8
