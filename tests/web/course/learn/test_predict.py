"""Predict the next expansion: questions drawn from a seed, answers marked by the search."""

from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise import Limits, algorithms, find_algorithm, parse_puzzle, search
from slidewise.course.searching.prediction import can_be_predicted, predict
from slidewise.solver.events import Expanded
from tests.web import markup
from tests.web.course.learn.learning import get, spoken

KEYS = [key for key, one in algorithms().items() if can_be_predicted(one)]


def get_question(client, status=200, **query):
    return get(client, "/predict", status, **query)


def boards(page):
    """Return the labels of the boards to choose from."""
    choices = [label for label in page.all("label") if "node-choice" in label.classes]
    return [f"Board: {one.one(role='img')['aria-label'].partition(': ')[2]}" for one in choices]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("size", [(2, 3), (3, 3)])
def test_answer_is_the_next_expansion_of_the_search(key, size):
    for number in range(1, 6):
        question = predict(*size, key, "manhattan", "anna", number)
        events = search(
            question.puzzle,
            key,
            question.heuristic,
            Limits(expansions=question.done + 1),
            trace=1_000,
        )
        expanded = [event for event in events if isinstance(event, Expanded)]
        answer = question.choices[question.answer]
        assert [event.board for event in expanded[: question.done]][-len(question.taken) :] == [
            one.board for one in question.taken
        ]
        if len(expanded) > question.done:
            assert (expanded[-1].board, expanded[-1].g) == (answer.board, answer.g)
        else:  # the goal is chosen but not expanded
            assert answer.board == question.puzzle.goal


@pytest.mark.parametrize("key", KEYS)
def test_question_has_several_choices_and_one_answer(key):
    for number in range(1, 8):
        question = predict(2, 3, key, "manhattan", "carl", number)
        assert 3 <= len(question.choices) <= 8
        assert len({one.number for one in question.choices}) == len(question.choices)
        answer = question.choices[question.answer]
        if find_algorithm(key).kernel == "best_first":
            assert min(question.choices, key=lambda one: (one.f, one.number)) == answer
        elif key == "rbfs":
            assert answer.f == min(one.f for one in question.choices)


def test_seed_repeats_its_questions():
    def first(seed):
        return [predict(3, 3, "astar", "manhattan", seed, number) for number in (1, 2, 3)]

    assert first("anna") == first("anna")
    puzzles = [{str(one.puzzle) for one in first(seed)} for seed in ("anna", "bert")]
    assert puzzles[0].isdisjoint(puzzles[1])
    question = predict(2, 3, "astar", "manhattan", "anna", 1)
    assert (str(question.puzzle), question.done, question.answer) == ("0.2.4-1.5.3", 6, 3)


def test_order_of_the_choices_does_not_reveal_the_answer():
    places = {predict(2, 3, "bfs", None, "anna", number).answer for number in range(1, 15)}
    assert len(places) > 2


def test_page_of_a_question_does_not_contain_the_answer(client):
    question = predict(2, 3, "astar", "manhattan", "anna", 1)
    response = client.get("/learn/predict?seed=anna")
    page = markup.read(response)
    assert boards(page) == [spoken(one.board) for one in question.choices]
    assert question.why not in response.text
    radios = page.all("input", name="answer")
    assert [set(one.attrs) for one in radios] == [{"type", "name", "value", "required"}] * 4
    labels = [label for label in page.all("label") if "node-choice" in label.classes]
    assert {label["class"] for label in labels} == {"node-choice"}
    assert not [link for link in page.one("main").all("a") if "/watch" in link["href"]]


@pytest.mark.parametrize("key", KEYS)
def test_right_and_wrong_answers_are_marked_with_the_reason(client, key):
    question = predict(2, 3, key, "manhattan", "anna", 3)
    for answer in range(len(question.choices)):
        query = {"algorithm": key, "seed": "anna", "number": 3, "asked": 2, "right": 1}
        page = get_question(client, **query, answer=answer + 1)
        right = answer == question.answer
        marked = page.one(id="marked").text
        assert marked.startswith("✓ Right." if right else "✗ No, node")
        assert question.why in marked
        assert page.one(id="score").text == f"{1 + right} of 3 right"
        after = parse_qs(urlsplit(page.one(id="next")["href"]).query)
        assert (after["right"], after["number"], after["asked"]) == ([f"{1 + right}"], ["4"], ["3"])
        chosen = [one for one in page.all("input", name="answer") if "checked" in one.attrs]
        assert [one["value"] for one in chosen] == [str(answer + 1)]


def test_next_question_has_the_same_seed_and_score(client):
    page = get_question(client, algorithm="bfs", seed="anna", answer=1)
    after = get(client, page.one(id="next")["href"].removeprefix("/learn"))
    assert after.one(id="question-title").text == "Question 2"
    assert after.one(id="score").text.endswith("of 1 right")
    question = predict(2, 3, "bfs", None, "anna", 2)
    assert boards(after) == [spoken(one.board) for one in question.choices]
    for name, value in {"algorithm": "bfs", "seed": "anna", "number": "2", "asked": "1"}.items():
        assert after.one("input", type="hidden", name=name)["value"] == value


def test_marked_answer_links_to_the_watched_search(client):
    question = predict(2, 3, "astar", "manhattan", "anna", 1)
    page = get_question(client, seed="anna", answer=1)
    watch = next(link["href"] for link in page.all("a") if "/watch" in link.get("href", ""))
    assert parse_puzzle(watch.split("/")[2]) == question.puzzle
    assert f"at={question.done}" in watch


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"size": "4x4"}, "up to 9"),
        ({"size": "nonsense"}, "nonsense"),
        ({"size": "2x2", "algorithm": "bfs"}, "try 3x3"),
        ({"algorithm": "bidirectional"}, "no single frontier"),
        ({"algorithm": "best"}, "no single frontier"),
        ({"algorithm": "<b>"}, "no algorithm"),
        ({"heuristic": "<b>"}, "no heuristic"),
        ({"seed": "x" * 65}, "64 characters"),
        ({"number": "0"}, "Number must be"),
        ({"number": "1000"}, "Number must be"),
        ({"number": "²"}, "Number must be"),
        ({"answer": "99"}, "Answer must be"),
        ({"answer": "<b>"}, "Answer must be"),
        ({"right": "-1"}, "Right must be"),
        ({"numbers": "some"}, "shown or hidden"),
    ],
)
def test_impossible_question_is_400_with_the_reason(client, query, words):
    page = get_question(client, status=400, **query)
    assert words in page.one(role="alert", class_="proof unproved").text
    assert page.one("select", name="algorithm")


def test_score_is_at_most_the_number_of_questions(client):
    page = get_question(client, asked=3, right=9)
    assert page.one(id="score").text == "3 of 3 right"


def test_question_can_use_an_own_heuristic(client):
    page = get_question(client, heuristic="=max(manhattan, 2 * misplaced)", seed="anna")
    assert boards(page)
    chosen = page.one("select", name="heuristic").one("option", selected="")
    assert chosen["value"].startswith("=max")
