"""The challenge: the distance of a start, and the record of its size."""

import pytest

from slidewise import exact_table, parse_board, parse_puzzle
from slidewise.analysis.distance import board_facts
from tests.boards import HARDEST, UNSOLVABLE
from tests.solver import oracle
from tests.web import markup
from tests.web.course.learn.learning import get
from tests.web.streams import HTMX
from tests.web.visitor import submit


def challenge(client, **query):
    return get(client, "/challenge", **query)


@pytest.mark.parametrize(
    ("query", "expected_words"),
    [
        ({"start": HARDEST}, ("31 of 31", "record for 3 × 3", "2 of the 181,440", "1 in 90,720")),
        ({"start": "724506831", "goal": "012345678"}, ("26 of 31",)),
        ({"start": "4 5 0 1 2 3", "size": "2x3"}, ("21 of 21",)),
        ({"start": UNSOLVABLE}, ("This goal cannot be reached", "Swap tiles")),
    ],
)
def test_challenge_shows_the_distance(client, query, expected_words):
    answer = challenge(client, **query).one(id="answer").text
    assert [words for words in expected_words if words not in answer] == []


def test_form_of_the_challenge_works_without_javascript(client):
    response = client.get("/learn/challenge")
    button = next(one for one in markup.read(response).all("button") if one.text.endswith("moves?"))
    answered = submit(client, response, button, start="450123", goal="", size="2x3")
    assert "21 of 21" in markup.read(answered).one(id="answer").text


def test_farthest_start_of_a_goal_can_be_below_the_record(client):
    goal = parse_board("1.2.3-4.0.5-6.7.8")
    start = next(iter(exact_table(goal).at(30)))
    answer = challenge(client, start=str(start), goal=str(goal)).one(id="answer").text
    assert "30 of 31" in answer
    assert "No start is farther from this goal" in answer


@pytest.mark.parametrize(
    ("query", "expected_words"),
    [
        ({"start": "1 2 0"}, "3 cells do not fill a board"),
        ({"start": "1.2.3.4-5.6.7.8-9.10.11.12-13.14.15.0"}, "up to 10 cells"),
        ({"start": "<b>"}, "'<b>'"),
        ({"start": "123456780", "goal": "12340"}, "Expected 9 cells"),
    ],
)
def test_bad_board_is_explained_and_stays_in_the_form(client, query, expected_words):
    page = challenge(client, **query)
    assert expected_words in page.one(role="alert", class_="proof unproved").text
    assert page.one("textarea", name="start").text == query["start"]


def test_input_is_answered_with_the_answer_alone(client):
    response = client.get("/learn/challenge?start=123456708", headers=HTMX)
    page = markup.read(response)
    assert "shortest solution has 1 move" in page.text
    assert not page.all("main")


def test_board_facts_count_boards_at_least_as_far():
    table = exact_table(parse_board("1.2.3-4.5.0"))
    for distance in (0, 1, 20, 21):
        found = board_facts(parse_puzzle(str(next(iter(table.at(distance))))))
        values = oracle.distances((1, 2, 3, 4, 5, 0), 2, 3).values()
        assert found == (distance, 21, sum(one >= distance for one in values), 360)
    assert board_facts(parse_puzzle("2.1.3-4.5.0")) is None
