"""The lesson on local search: its climb, its figures, its links."""

import pytest

from slidewise import parse_puzzle
from slidewise.course.judge import find_exercise
from tests.solver.algorithms.test_local import COOLED
from tests.solver.oracle import distances, manhattan, successors
from tests.web import markup
from tests.web.course.learn.learning import get
from webapp.course.learn.local_search import CLIMB, CONDITION

START = parse_puzzle(CLIMB).start.cells
GOAL = (1, 2, 3, 4, 5, 0)
FROM_GOAL = distances(GOAL, 2, 3)


@pytest.fixture
def lesson(client):
    return get(client, "/local-search")


def around(cells):
    return successors(cells, 2, 3)


def climbs(cells):
    """Return the boards of a climb to the first of the lowest neighbours."""
    boards = [cells]
    while True:
        best = min(around(boards[-1]), key=lambda one: manhattan(one, GOAL, 3))
        if manhattan(best, GOAL, 3) >= manhattan(boards[-1], GOAL, 3):
            return boards
        boards.append(best)


def test_figure_is_a_climb_that_gets_stuck(lesson):
    boards = climbs(START)
    columns = lesson.one("ol", class_="climb").all("li")
    expected = [manhattan(one, GOAL, 3) for one in (*boards, *around(boards[-1]))]
    assert [int(one.all("b")[-1].text) for one in columns] == expected
    assert boards[-1] != GOAL
    assert [one.classes for one in columns[len(boards) - 1 :]] == [
        {"stuck"}, *[{"refused-step"}] * len(around(boards[-1]))
    ]  # fmt: skip


def test_sentence_below_the_climb_is_true(lesson):
    last = climbs(START)[-1]
    words = lesson.one(id="example").text
    assert f"At the start it is {manhattan(START, GOAL, 3)}" in words
    assert f"and {FROM_GOAL[START]} moves would be enough" in words
    assert f"the goal is {FROM_GOAL[last]} moves away" in words
    assert {manhattan(one, GOAL, 3) for one in around(last)} == {manhattan(last, GOAL, 3) + 1}


def test_share_of_small_boards_is_counted(lesson):
    arrived = sum(climbs(board)[-1] == GOAL for board in FROM_GOAL)
    assert f"of the {len(FROM_GOAL)} boards of 2 × 3 a climb comes to the goal from {arrived}" in (
        lesson.text
    )


def test_figures_of_annealing_are_those_of_its_tests(lesson):
    shares = {cooling: f"{solved / 2:.0f} %" for cooling, solved, _ in COOLED}
    assert f"{shares[0.9999]} with 0.9999" in lesson.text
    assert f"{shares[0.999]} with 0.999, {shares[0.99]} with 0.99" in lesson.text
    row = lesson.one("tbody").all("tr")[-1]
    assert [cell.text for cell in row.all("td")][1:] == [shares[0.9999], str(COOLED[-1][2])]


def test_loop_is_the_solution_without_its_condition(lesson):
    lines = [line.text for line in lesson.one("ol", class_="code").all("li")]
    solution = [line.strip() for line in find_exercise("hill_climbing").solution.splitlines()]
    solution = [line for line in solution if line and '"""' not in line]
    assert lines == [line.replace(CONDITION, "…") for line in solution] != solution
    assert lesson.one("details").one("code").text == CONDITION


def test_link_runs_the_four_searches_on_random_boards(client, lesson):
    (link,) = [one["href"] for one in lesson.all("a") if "/many?" in one["href"]]
    many = markup.read(client.get(link))
    checked = [one["value"] for one in many.all("input", name="run") if "checked" in one.attrs]
    assert checked == [
        f"{key}:manhattan"
        for key in ("hill-climbing", "first-choice", "random-restart", "annealing")
    ]
    fields = {name: many.one("input", name=name)["value"] for name in ("boards", "moves", "seed")}
    assert fields == {"boards": "60", "moves": "", "seed": "1"}


def test_each_link_of_the_lesson_leads_somewhere(client, lesson):
    for link in lesson.one("main").all("a"):
        assert client.get(link["href"]).status_code == 200, link["href"]
