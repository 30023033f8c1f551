"""The worksheet: drawn from a seed, with answers that an independent way agrees with."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from slidewise import PuzzleError, algorithms
from slidewise.study.recording import is_recorded
from slidewise.study.worksheet import EXPANSIONS, worksheet
from tests.solver import oracle
from tests.web import markup

GOALS = {(2, 3): (1, 2, 3, 4, 5, 0), (3, 3): (1, 2, 3, 4, 5, 6, 7, 8, 0)}
SEEDS = ("1", "anna", "bert")
STYLE = Path(__file__).parents[3] / "static/css/learn.css"


@pytest.fixture(scope="module")
def distances():
    return {size: oracle.distances(goal, *size) for size, goal in GOALS.items()}


def get(client, status=200, **query):
    response = client.get("/learn/worksheet", query_string=query)
    assert response.status_code == status
    return markup.read(response)


def spoken(board):
    rows = [
        board.cells[first : first + board.cols] for first in range(0, len(board.cells), board.cols)
    ]
    return "Board: " + "; ".join(" ".join(str(one or "blank") for one in row) for row in rows)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", GOALS)
def test_the_answers_are_right(distances, size, seed):
    sheet, goal, table = worksheet(*size, seed), GOALS[size], distances[size]
    for puzzle in sheet.parity:
        assert puzzle.solvable == (puzzle.start.cells in table)
        tiles = [goal.index(tile) for tile in puzzle.start.cells if tile]
        assert puzzle.parity.inversions == sum(a > b for a, b in itertools.combinations(tiles, 2))
    assert {puzzle.solvable for puzzle in sheet.parity} == {True, False}
    for puzzle, values in sheet.estimates:
        for key, value in values.items():
            assert value == oracle.ESTIMATES[key](puzzle.start.cells, goal, size[1])
    for puzzle, tiles in sheet.shortest:
        assert len(tiles) == table[puzzle.start.cells]
        board = puzzle.start
        for tile in tiles:
            board = board.slide(tile)
        assert board.cells == goal


@pytest.mark.parametrize("size", GOALS)
def test_the_searches_by_hand_are_those_of_the_book(size):
    for key in ("bfs", "ucs", "dfs", "greedy", "astar"):
        entry = algorithms()[key]
        run = f"{key}:misplaced" if entry.uses_heuristic else key
        (by_hand,) = worksheet(*size, "anna", (run,)).searches
        start = by_hand.puzzle.start.cells
        book = oracle.best_first(start, GOALS[size], *size, key, "misplaced", most=EXPANSIONS)
        assert len(by_hand.lines) == len(book.order) == EXPANSIONS
        for line, node in zip(by_hand.lines, book.order, strict=True):
            h = node.h if entry.uses_heuristic else 0
            assert (line.board.cells, line.g, line.h) == (node.cells, node.g, h)
            kept = [cells for cells, _, fate in node.successors if fate in ("kept", "shorter")]
            assert [board.cells for board in line.kept] == kept


def test_each_seed_has_a_sheet_of_its_own():
    assert worksheet(3, 3, "anna") == worksheet(3, 3, "anna")
    starts = [{str(one.start) for one in worksheet(3, 3, seed).parity} for seed in SEEDS]
    assert len(set.union(*starts)) == 9
    first = worksheet(3, 3, "anna").shortest[0].puzzle
    assert str(first.start) == "1.2.3-4.8.5-0.7.6"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((5, 5, "1"), "6 to 10 cells"),
        ((2, 2, "1"), "6 to 10 cells"),
        ((3, 3, "x" * 65), "64 characters"),
        ((3, 3, "1", ("best",)), "by hand"),
        ((3, 3, "1", ("nonsense",)), "no algorithm"),
        ((3, 3, "1", ("astar:nonsense",)), "no heuristic"),
        ((3, 3, "1", ("bfs",) * 5), "1 to 4"),
    ],
)
def test_what_cannot_be_made_says_why(asked, said):
    with pytest.raises(PuzzleError, match=said):
        worksheet(*asked)


# The page


def test_the_answers_stand_on_a_second_sheet(client):
    page = get(client, seed="anna", answers="yes")
    questions, answers = page.one(id="questions"), page.one(id="answers")
    sheet = worksheet(3, 3, "anna")
    order = [one.get("id") for one in page.one("main").content if not isinstance(one, str)]
    assert order.index("questions") < order.index("answers")
    assert len(questions.all(role="img")) == 3 + 3 + 2 + 2
    for puzzle in sheet.parity:
        assert puzzle.parity.explain() in answers.text
        assert puzzle.parity.explain() not in questions.text
    for by_hand in sheet.searches:
        for line in by_hand.lines:
            assert answers.all(role="img", aria_label=spoken(line.board))
            assert spoken(line.board) == spoken(by_hand.puzzle.start) or not questions.all(
                role="img", aria_label=spoken(line.board)
            )
    for _, tiles in sheet.shortest:
        assert (
            f"{len(tiles)} moves , for example the tiles {', '.join(map(str, tiles))}"
            in answers.text
        )
    tables = answers.all("table")
    told = [[cell.text for cell in row.all("td")] for row in tables[0].all("tr")[1:]]
    assert told == [[str(value) for value in one.values.values()] for one in sheet.estimates]


def test_the_answers_are_left_out_unless_asked_for(client):
    for query in ({}, {"answers": "no"}, {"answers": "maybe"}):
        page = get(client, seed="anna", **query)
        assert "answers" not in page.ids()
        assert page.one(id="questions")


@pytest.mark.parametrize("key", [key for key, one in algorithms().items() if is_recorded(one)])
def test_each_search_can_be_on_it(client, key):
    page = get(client, seed="anna", size="2x3", run=key, answers="yes")
    assert algorithms()[key].title in page.one(id="questions").text
    assert len(page.one(id="answers").all("table")) == 2


@pytest.mark.parametrize(
    "query", [{"size": "5x5"}, {"size": "<b>"}, {"seed": "x" * 99}, {"run": "<b>"}, {"run": "best"}]
)
def test_what_cannot_be_made_is_told_on_the_page(client, query):
    page = get(client, status=400, **query)
    assert page.one(role="alert", class_="proof unproved").text
    assert page.one("main").one("input", name="seed")


def test_what_is_not_for_paper_is_not_printed(client):
    main = get(client, seed="anna").one("main")
    form = main.one("form")
    assert "no-print" in form.classes
    style = STYLE.read_text(encoding="utf-8").split("@media print", 1)[1]
    assert ".no-print" in style.split("display: none", 1)[0]
    assert "#answers { break-before: page; }" in style
