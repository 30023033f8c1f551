"""The worksheet, drawn from a seed, with answers checked by an independent oracle."""

import itertools
import math

import pytest

from slidewise import PuzzleError, algorithms
from slidewise.course.searching import is_recorded
from slidewise.course.worksheet import EXPANSIONS, worksheet
from tests.each import each
from tests.solver import oracle
from tests.solver.plain_searches import plain_search
from tests.web.course.learn.learning import GOALS, SEEDS, get, spoken


@pytest.fixture(scope="module")
def distances():
    return {size: oracle.distances(goal, *size) for size, goal in GOALS.items()}


def sheet_of(client, status=200, **query):
    return get(client, "/worksheet", status, **query)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", GOALS)
def test_answers_are_right(distances, size, seed):
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
def test_searches_by_hand_are_those_of_the_oracle(size):
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
            stored = [cells for cells, _, fate in node.successors if fate in ("kept", "shorter")]
            assert [board.cells for board in line.kept] == stored


def test_seed_repeats_its_sheet():
    assert worksheet(3, 3, "anna") == worksheet(3, 3, "anna")
    starts = [{str(one.start) for one in worksheet(3, 3, seed).parity} for seed in SEEDS]
    assert len(set.union(*starts)) == 9
    first = worksheet(3, 3, "anna").shortest[0].puzzle
    assert str(first.start) == "1.2.3-4.8.5-0.7.6"


def test_answers_are_on_a_second_sheet(client):
    page = sheet_of(client, seed="anna", answers="yes")
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
        listed = ", ".join(map(str, tiles))
        assert f"{len(tiles)} moves , for example the tiles {listed}" in answers.text
    rows = answers.all("table")[0].all("tr")[1:]
    numbers = [[cell.text for cell in row.all("td")] for row in rows]
    assert numbers == [[str(value) for value in one.values.values()] for one in sheet.estimates]


def test_answers_are_printed_only_on_request(client):
    for query in ({}, {"answers": "no"}, {"answers": "maybe"}):
        page = sheet_of(client, seed="anna", **query)
        assert "answers" not in page.ids()
        assert page.one(id="questions")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"size": "5x5"}, "6 to 10 cells"),
        ({"size": "<b>"}, "<b>"),
        ({"seed": "x" * 65}, "64 characters"),
        ({"run": "best"}, "by hand"),
        ({"run": "<b>"}, "no algorithm"),
        ({"run": "astar:nonsense"}, "no heuristic"),
        ({"run": ["bfs"] * 5}, "1 to 4"),
    ],
)
def test_impossible_sheet_is_400_with_the_reason(client, query, words):
    page = sheet_of(client, status=400, **query)
    assert words in page.one(role="alert", class_="proof unproved").text
    assert page.one("main").one("input", name="seed")


def test_sheet_of_no_search_is_refused():
    with pytest.raises(PuzzleError, match="1 to 4"):
        worksheet(3, 3, "1", ())


def by_hand(size, seed, run):
    return worksheet(*size, seed, (run,)).searches[0]


@each("seed", SEEDS)
@each("size", GOALS)
@each("key", ["iddfs", "idastar", "rbfs"])
def test_limits_are_those_of_an_independent_search(size, seed, key):
    heuristic = None if key == "iddfs" else "manhattan"
    one = by_hand(size, seed, f"{key}:{heuristic}" if heuristic else key)
    plain = plain_search(one.puzzle, key, heuristic, most=EXPANSIONS)
    limits = ["∞" if limit == math.inf else str(limit) for limit in plain.bounds]
    expected = [(limit, node.cells) for limit, node in zip(limits, plain.order, strict=True)]
    assert [(line.limit, line.board.cells) for line in one.lines] == expected
    assert expected
    assert one.limit == ("f-limit" if heuristic else "depth limit")
    assert "straight back is left out" in one.note


@pytest.mark.parametrize("key", [key for key, one in algorithms().items() if is_recorded(one)])
def test_table_has_a_column_for_limits_if_the_search_has_any(client, key):
    page = sheet_of(client, seed="anna", size="2x3", run=key, answers="yes")
    assert algorithms()[key].title in page.one(id="questions").text
    assert len(page.one(id="answers").all("table")) == 2
    one = by_hand((2, 3), "anna", key)
    for part in ("questions", "answers"):
        table = page.one(id=part).all("table")[-1]
        heads = [head.text for head in table.one("thead").all("th")]
        assert bool(one.limit) == any("limit" in head for head in heads)
        for row in table.one("tbody").all("tr"):
            names = [cell["data-label"] for cell in row.all("td")]
            assert names == heads
    if one.limit:
        rows = page.one(id="answers").all("table")[-1].one("tbody").all("tr")
        shown = [row.one("td", data_label=one.limit_heading).text for row in rows]
        assert shown == [line.limit for line in one.lines]
    assert one.note in page.one(id="questions").text


def test_board_on_a_sheet_does_not_mark_tiles_at_home(client):
    page = sheet_of(client, seed="anna", answers="yes").one("main")
    assert not [one for one in page.inside if {"tile", "home"} & set(one.classes)]
    boards = page.all(role="img")
    assert len(boards) > 20
    for board in boards:
        assert len(board.all("b")) == 8
        assert not [one for one in board.all("b") if one.attrs]


def test_sheet_of_the_teacher_is_the_same_with_answers(client):
    page = sheet_of(client, seed="anna", size="2x3", run=["iddfs", "dfs"])
    (link,) = [one["href"] for one in page.one("main").all("a") if "answers=yes" in one["href"]]
    with_answers = get(client, link.removeprefix("/learn"))
    assert with_answers.one(id="answers")
    assert with_answers.one(id="questions").text == page.one(id="questions").text


def test_teachers_page_has_both_sheet_links(client):
    page = get(client, "/teachers", start="123456708", seed="anna")
    links = [one["value"] for one in page.one(id="links").all("input", type="text")]
    sheets = [link for link in links if "/worksheet" in link]
    assert ["answers=yes" in link for link in sheets] == [False, True]
    assert all("seed=anna" in link for link in sheets)
