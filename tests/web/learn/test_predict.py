"""Predict the next expansion: asked from a seed, marked by what the search did."""

from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise import Limits, PuzzleError, algorithms, find_algorithm, parse_puzzle, search
from slidewise.solver.events import Expanded
from slidewise.study.prediction import can_be_predicted, predict
from tests.solver import oracle
from tests.web import markup
from tests.web.learn.learning import get, spoken

KEYS = [key for key, one in algorithms().items() if can_be_predicted(one)]


def ask(client, status=200, **query):
    return get(client, "/predict", status, **query)


def boards(page):
    """Return the boards to choose from, as they are read aloud."""
    choices = [label for label in page.all("label") if "node-choice" in label.classes]
    return [f"Board: {one.one(role='img')['aria-label'].partition(': ')[2]}" for one in choices]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("size", [(2, 3), (3, 3)])
def test_the_answer_is_what_the_search_expands_next(key, size):
    for number in range(1, 6):
        asked = predict(*size, key, "manhattan", "anna", number)
        events = search(
            asked.puzzle, key, asked.heuristic, Limits(expansions=asked.done + 1), trace=1_000
        )
        expanded = [event for event in events if isinstance(event, Expanded)]
        answer = asked.choices[asked.answer]
        assert [event.board for event in expanded[: asked.done]][-len(asked.taken) :] == [
            one.board for one in asked.taken
        ]
        if len(expanded) > asked.done:
            assert (expanded[-1].board, expanded[-1].g) == (answer.board, answer.g)
        else:  # the goal is taken, and not expanded
            assert answer.board == asked.puzzle.goal


@pytest.mark.parametrize("key", [key for key in KEYS if key in oracle.RANKS])
def test_an_independent_search_takes_the_same_node(key):
    for number in range(1, 8):
        asked = predict(2, 3, key, "manhattan", "bert", number)
        start, goal = asked.puzzle.start.cells, asked.puzzle.goal.cells
        run = oracle.best_first(start, goal, 2, 3, key, "manhattan", most=asked.done + 1)
        answer = asked.choices[asked.answer]
        if len(run.order) > asked.done:
            assert run.order[asked.done].cells == answer.board.cells
        else:
            assert answer.board.cells == goal


@pytest.mark.parametrize("key", KEYS)
def test_there_is_a_choice_and_the_rule_decides_it(key):
    for number in range(1, 8):
        asked = predict(2, 3, key, "manhattan", "carl", number)
        assert 3 <= len(asked.choices) <= 8
        assert len({one.number for one in asked.choices}) == len(asked.choices)
        answer = asked.choices[asked.answer]
        if find_algorithm(key).kernel == "best_first":
            assert min(asked.choices, key=lambda one: (one.f, one.number)) == answer
        elif key == "rbfs":
            assert answer.f == min(one.f for one in asked.choices)


def test_a_seed_asks_the_same_everywhere_and_another_asks_another():
    def first(seed):
        return [predict(3, 3, "astar", "manhattan", seed, number) for number in (1, 2, 3)]

    assert first("anna") == first("anna")
    puzzles = [{str(one.puzzle) for one in first(seed)} for seed in ("anna", "bert")]
    assert puzzles[0].isdisjoint(puzzles[1])
    asked = predict(2, 3, "astar", "manhattan", "anna", 1)
    assert (str(asked.puzzle), asked.done, asked.answer) == ("0.2.4-1.5.3", 6, 3)


def test_the_order_of_the_choices_tells_nothing():
    places = {predict(2, 3, "bfs", None, "anna", number).answer for number in range(1, 15)}
    assert len(places) > 2


def test_the_answer_is_not_on_the_page_before_it_is_marked(client):
    asked = predict(2, 3, "astar", "manhattan", "anna", 1)
    response = client.get("/learn/predict?seed=anna")
    page = markup.read(response)
    assert boards(page) == [spoken(one.board) for one in asked.choices]
    assert asked.why not in response.text
    radios = page.all("input", name="answer")
    assert [set(one.attrs) for one in radios] == [{"type", "name", "value", "required"}] * 4
    labels = [label for label in page.all("label") if "node-choice" in label.classes]
    assert {label["class"] for label in labels} == {"node-choice"}
    assert not [link for link in page.one("main").all("a") if "/watch" in link["href"]]


@pytest.mark.parametrize("key", KEYS)
def test_right_and_wrong_are_marked_with_the_reason(client, key):
    asked = predict(2, 3, key, "manhattan", "anna", 3)
    for answer in range(len(asked.choices)):
        query = {"algorithm": key, "seed": "anna", "number": 3, "asked": 2, "right": 1}
        page = ask(client, **query, answer=answer + 1)
        right = answer == asked.answer
        marked = page.one(id="marked").text
        assert marked.startswith("✓ Right." if right else "✗ No, node")
        assert asked.why in marked
        assert page.one(id="score").text == f"{1 + right} of 3 right"
        after = parse_qs(urlsplit(page.one(id="next")["href"]).query)
        assert (after["right"], after["number"], after["asked"]) == ([f"{1 + right}"], ["4"], ["3"])
        chosen = [one for one in page.all("input", name="answer") if "checked" in one.attrs]
        assert [one["value"] for one in chosen] == [str(answer + 1)]


def test_the_next_question_goes_on_with_seed_and_score(client):
    page = ask(client, algorithm="bfs", seed="anna", answer=1)
    after = get(client, page.one(id="next")["href"].removeprefix("/learn"))
    assert after.one(id="question-title").text == "Question 2"
    assert after.one(id="score").text.endswith("of 1 right")
    asked = predict(2, 3, "bfs", None, "anna", 2)
    assert boards(after) == [spoken(one.board) for one in asked.choices]
    for name, value in {"algorithm": "bfs", "seed": "anna", "number": "2", "asked": "1"}.items():
        assert after.one("input", type="hidden", name=name)["value"] == value


def test_the_search_can_be_watched_where_it_stood(client):
    asked = predict(2, 3, "astar", "manhattan", "anna", 1)
    page = ask(client, seed="anna", answer=1)
    watch = next(link["href"] for link in page.all("a") if "/watch" in link.get("href", ""))
    assert parse_puzzle(watch.split("/")[2]) == asked.puzzle
    assert f"at={asked.done}" in watch


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"size": "4x4"}, "up to 9"),
        ({"size": "nonsense"}, "nonsense"),
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
def test_what_cannot_be_asked_is_told_on_the_page(client, query, said):
    page = ask(client, status=400, **query)
    assert said in page.one(role="alert", class_="proof unproved").text
    assert page.one("select", name="algorithm")


@pytest.mark.parametrize(
    ("size", "key", "said"),
    [
        ((4, 4), "astar", "up to 9"),
        ((2, 3), "best", "no single frontier"),
        ((2, 2), "bfs", "try 3x3"),
    ],
)
def test_what_cannot_be_asked_says_why(size, key, said):
    with pytest.raises(PuzzleError, match=said):
        predict(*size, key, "manhattan", "1", 1)


def test_score_is_at_most_the_number_of_questions(client):
    page = ask(client, asked=3, right=9)
    assert page.one(id="score").text == "3 of 3 right"


def test_one_s_own_heuristic_can_be_asked_about(client):
    page = ask(client, heuristic="=max(manhattan, 2 * misplaced)", seed="anna")
    assert boards(page)
    chosen = page.one("select", name="heuristic").one("option", selected="")
    assert chosen["value"].startswith("=max")
