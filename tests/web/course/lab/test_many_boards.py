"""Many boards: the stream, the table, the chart, the link and the CSV."""

import csv
import io
import re
import statistics
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise import compare, parse_board, parse_puzzle, standard_goal
from slidewise.analysis.distance import Range
from slidewise.course.sample import Measurement, draw_boards, share
from slidewise.solver.compare import parse_runs
from tests.boards import BLANK_FIRST, TEXTBOOK, TWO_MOVES
from tests.web import markup
from tests.web.course.lab import pages
from tests.web.course.lab.pages import alerts, checked, of_class, race_id
from tests.web.processes import NEEDS_PROC, solvers
from tests.web.streams import HTMX, until
from tests.web.visitor import submit
from webapp.course.lab import many_boards
from webapp.course.lab.many_boards import (
    HEIGHT,
    LEFT,
    SEED_CHARACTERS,
    TOP,
    WIDTH,
    BoardSample,
    by_length,
    medians,
    scatter,
)
from webapp.course.lab.running import Races
from webapp.course.lab.selection import Selection
from webapp.workers import Failed
from webapp.workers.jobs import SequentialSearches
from webapp.workers.shared import services_of

PATH = f"/lab/{TEXTBOOK}/many"
GOAL = parse_board(BLANK_FIRST)
RUNS = "astar:manhattan,greedy:manhattan"
FORM = {"boards": "6", "moves": "8-18", "seed": "class 1/b", "run": RUNS}


def get(client, **query):
    return pages.get(client, part="/many", **query)


@pytest.fixture
def run(solve):
    """Read the stream of a run."""

    def start(**form):
        return solve(TEXTBOOK, path=f"{PATH}/run", **form)

    return start


@pytest.fixture(scope="module")
def boards():
    return draw_boards(GOAL, "class 1/b", range(6), 6, Range(8, 18))


@pytest.fixture(scope="module")
def expected(boards):
    """The measures of each search, taken without the web app."""
    results = [compare(board.puzzle, RUNS) for board in boards]
    return [
        [
            Measurement.of(result, board.shortest)
            for result, board in zip(found, boards, strict=True)
        ]
        for found in zip(*results, strict=True)
    ]


def summaries(page):
    """Return the cells of each search in the table of medians."""
    rows = [row for row in of_class(page, "run") if row.get("id")]
    return [[cell.text for cell in row.all("td")] for row in rows]


def expect_medians(page, expected):
    found = summaries(page)
    assert len(found) == len(expected)
    for cells, search in zip(found, expected, strict=True):
        expanded, solutions, generated, stored, _ = cells
        shortest = sum(one.length == one.shortest for one in search)
        assert solutions == ("all 6 shortest" if shortest == 6 else f"{shortest} of 6 shortest")
        counts = {"expanded": expanded, "generated": generated, "peak_stored": stored}
        for name, text in counts.items():
            numbers = [getattr(one, name) for one in search]
            lower, median, upper = statistics.quantiles(numbers, n=4, method="inclusive")
            assert text == f"{median:,.0f} {lower:,.0f}–{upper:,.0f}"


def test_stream_ends_with_the_medians_of_the_boards(run, expected):
    messages = run(**FORM).all()
    last = markup.read(messages[-1].data)
    expect_medians(last, expected)
    assert messages[-1].text("#race-said").startswith("6 of 6 boards done.")
    assert len(last.one("svg", role="img").all("use")) == 12


def test_page_without_javascript_has_medians_and_their_table(client, expected):
    page = get(client, **FORM, go="1")
    expect_medians(page, expected)
    assert page.one(id="race-said").text.startswith("6 of 6 boards done.")
    (table,) = [one for one in page.all("table") if "small" in one.classes]
    rows = {int(row.one("th").text): row for row in table.one("tbody").all("tr")}
    assert list(rows) == [8, 10, 12, 14, 16, 18]
    for length, row in rows.items():
        assert [cell.text for cell in row.all("td")] == [
            f"{medians(search)[length]:,.0f}" for search in expected
        ]


def test_arrivals_have_their_share_and_its_interval(client):
    form = {"boards": "9", "moves": "2-14", "run": "hill-climbing:manhattan,annealing:manhattan"}
    page = get(client, **form, go="1")
    (table,) = of_class(page, "arrivals")
    rows = table.one("tbody").all("tr")
    texts = [[cell.text for cell in row.all("td")] for row in rows]
    solved = [int(text[0].split()[0]) for text in texts]
    assert 0 < solved[0] < 9
    for row, text, count in zip(rows, texts, solved, strict=True):
        part = share(count, 9)
        assert text[0] == f"{count} of 9 {part.low:.0f}–{part.high:.0f} %"
        assert float(row.one("rect")["width"]) == round(part.percent, 1)
    assert page.one(id="arrivals-title")


def test_searches_with_shortest_paths_alone_have_no_arrivals(client):
    page = get(client, **FORM | {"run": "astar:manhattan"}, go="1")
    assert not of_class(page, "arrivals")


def test_form_runs_without_javascript(client):
    response = client.get(PATH)
    page = markup.read(response)
    assert "js-only" in page.one(id="race-stop").classes
    done = submit(client, response, page.one(id="race-run"), boards="1", moves="4")
    assert markup.read(done).one(id="race-said").text.startswith("1 of 1 board done.")


def plan_of(runs, boards, seconds=1.0):
    return many_boards.Plan(GOAL, boards, None, "1", Selection(tuple(parse_runs(runs)), seconds))


def sample_of(expected, runs=RUNS):
    count = len(expected[0])
    return many_boards.BoardSample(plan_of(runs, count), done=count, measures=expected)


def costs(one, *expanded, **fields):
    return [replace(one, expanded=count, **fields) for count in expanded]


def test_sentence_compares_medians_of_shortest_paths(expected):
    one = replace(expected[0][0], length=8, shortest=8, verdict="optimal")
    measures = [
        costs(one, 1, 10, 9_999, verdict="unproved"),
        costs(one, 20, 30, 4_000),
        costs(one, 500, 1_260, 1_300),
        costs(one, 900, 2_000, 9_000, length=10),
    ]
    sample = sample_of(measures, "greedy:manhattan,astar:linear-conflict,bfs,dfs")
    assert sample.insight.text.striptags() == (
        "In the median of 3 boards, A* with linear conflict expanded 42 times fewer boards than "
        "breadth-first search, and its paths are as short."
    )
    sample = sample_of(measures[1:3], "astar:linear-conflict,astar:manhattan")
    assert "fewer</b> boards than A* with Manhattan distance" in sample.insight.text


def test_sentence_without_proofs_counts_solved_boards(expected):
    one = replace(expected[0][0], length=8, shortest=None, verdict="unproved")
    measures = [costs(one, 1, 2), [one, replace(one, length=None)]]
    assert sample_of(measures).insight.text.striptags() == (
        "Within 1 s each, A* with Manhattan distance solved 2 of 2 boards and greedy best-first "
        "search with Manhattan distance 1."
    )
    assert sample_of(measures[:1] * 2).insight is None


def test_page_has_the_sentence_and_marks_its_search(client, expected):
    page = get(client, **{**FORM, "run": "bfs,astar:manhattan"}, seconds="60", go="1")
    sentence = page.one(id="race-insight").text
    assert re.fullmatch(
        r"In the median of 6 boards, A\* .* times fewer boards than .*short\.", sentence
    )
    assert sentence in page.one(id="race-said").text
    assert [row.one("b").text for row in of_class(page, "leads")] == ["A*"]


def test_page_before_the_run_lists_the_searches(client):
    page = get(client)
    titles = [row.one("b").text for row in of_class(page, "run")]
    assert titles[:2] == ["Breadth-first search", "A*"]
    assert "can flatter a search" in page.one(id="race-insight").text


def test_csv_has_a_line_for_each_search_on_each_board(client, expected):
    response = client.get(f"{PATH}/boards.csv", query_string=FORM)
    assert response.mimetype == "text/csv"
    lines = list(csv.DictReader(io.StringIO(response.text)))
    assert tuple(lines[0]) == many_boards.CSV_COLUMNS
    in_order = [one for of_board in zip(*expected, strict=True) for one in of_board]
    assert [{**line, "seconds": ""} for line in lines] == [
        {
            name: "" if value is None or name == "seconds" else str(value)
            for name, value in one.as_json().items()
        }
        for one in in_order
    ]


def test_json_has_the_rows_of_the_csv_and_the_parameters(client):
    response = client.get(f"{PATH}/boards.json", query_string=FORM)
    assert response.mimetype == "application/json"
    table = client.get(f"{PATH}/boards.csv", query_string=FORM).text
    rows = [
        {name: "" if one is None else str(one) for name, one in measure.items()}
        for measure in response.json["measures"]
    ]
    assert rows == list(csv.DictReader(io.StringIO(table)))
    assert len(rows) == 12
    parameters = {name: response.json[name] for name in ("goal", "boards", "moves", "seed")}
    assert parameters == {"goal": BLANK_FIRST, "boards": 6, "moves": "8-18", "seed": "class 1/b"}
    assert response.json["plain"] == []


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_file_name_has_the_parameters(client, suffix):
    response = client.get(f"{PATH}/boards.{suffix}", query_string=FORM)
    name = f"slidewise-6-boards-3x3-8-18-moves-seed-class-1-b.{suffix}"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    other = client.get(f"{PATH}/boards.{suffix}", query_string={**FORM, "moves": "", "seed": "ü"})
    assert f'"slidewise-6-boards-3x3.{suffix}"' in other.headers["Content-Disposition"]


def test_page_links_both_files_and_names_the_goal(client):
    page = get(client, **FORM, go="1")
    files = [link["href"] for link in page.one(id="race-links").all("a", download="")]
    assert [file.partition("?")[0] for file in files] == [
        f"{PATH}/boards.csv",
        f"{PATH}/boards.json",
    ]
    assert "3 × 3 boards have the same goal as the board in the lab (" in page.text


def test_csv_that_takes_too_long_is_503(app, client, monkeypatch):
    monkeypatch.setitem(app.config, "SOLVE_WAIT", 0)
    response = client.get(f"{PATH}/boards.csv?seed=too+long&boards=50")
    assert response.status_code == 503
    assert "then download the file" in response.text
    page = get(client, seed="too long", boards="50", go="1")
    assert "then the time was up" in page.one(id="race-said").text
    assert not [link for link in page.all("a") if "boards.csv" in link["href"]]


def test_cached_run_is_not_run_again(client, run, monkeypatch):
    run(**{**FORM, "seed": "kept"}).all()
    monkeypatch.setattr(many_boards.BoardSample, "run", None)
    response = client.get(f"{PATH}/boards.csv", query_string={**FORM, "seed": "kept"})
    assert response.status_code == 200


def test_link_reproduces_the_run(client):
    response = client.get(f"{PATH}?go=1&boards=3&run=bfs&run=greedy&seed=+a++b+")
    assert response.status_code == 302
    assert parse_qs(urlsplit(response.location).query) == {
        "size": ["3x3"],
        "boards": ["3"],
        "moves": ["10-28"],
        "seed": ["a b"],
        "run": ["bfs,greedy:manhattan"],
        "go": ["1"],
    }
    assert client.get(response.location).status_code == 200
    posted = client.post(f"{PATH}/run", data={"boards": "3", "run": "bfs"})
    assert posted.status_code == 303
    assert client.get(posted.location).location.endswith("&run=bfs&go=1")


def test_stream_sends_the_link_of_the_run(run):
    links = run(**FORM).all()[-1].partials["#race-links"]
    query = "size=3x3&boards=6&moves=8-18&seed=class+1/b&run=astar:manhattan,greedy:manhattan"
    assert links.one(id="race-link")["href"] == f"{PATH}?{query}"
    assert links.all("a", download="")[0]["href"] == f"{PATH}/boards.csv?{query}"


def test_boards_of_the_same_size_have_the_goal_of_the_puzzle(client):
    def goals(**query):
        response = client.get(f"{PATH}/boards.csv", query_string={**FORM, **query})
        lines = csv.DictReader(io.StringIO(response.text))
        return {parse_puzzle(line["puzzle"]).goal for line in lines}

    assert goals() == goals(size="3x3") == {GOAL}
    assert goals(size="2x4") == {standard_goal(2, 4)}


def test_shortest_above_10_cells_is_known_only_if_proved(run):
    form = {"size": "3x4", "boards": "2", "moves": "14-24", "seconds": "10"}
    last = markup.read(run(**form, run="idastar:manhattan,greedy:manhattan").all()[-1].data)
    assert summaries(last)[0][1] == "all 2 shortest"
    assert "left out" not in last.text
    last = markup.read(run(**form, run="greedy:manhattan").all()[-1].data)
    assert "svg" not in {element.tag for element in last.inside if element.get("role") == "img"}


@NEEDS_PROC
def test_stop_leaves_the_measured_boards(run, client):
    reader = run(boards="100", run="iddfs,bfs", moves="28", seed="stop")
    reader.wait_for("#race-live", "of 100 boards done")
    client.post(f"/lab/{TEXTBOOK}/race/stop", data={"race": race_id(reader)}, headers=HTMX)
    last = reader.all()[-1]
    assert ", then stopped." in last.text("#race-said")
    assert until(lambda: not solvers())
    assert "boards.csv" not in last.data


def test_stop_while_the_searches_begin_is_not_lost(run, app, client, monkeypatch):
    begin, races = many_boards.begin, services_of(app).get(Races)._races
    earlier = set(races)

    def begin_late(specs):
        race = begin(specs)
        new = [race for key, race in races.items() if key not in earlier]
        (sample,) = (race for race in new if isinstance(race, BoardSample))
        client.post(f"/lab/{TEXTBOOK}/race/stop", data={"race": sample.id}, headers=HTMX)
        return race

    monkeypatch.setattr(many_boards, "begin", begin_late)
    last = run(**FORM).all()[-1]
    assert last.text("#race-said").startswith("0 of 6 boards done")


def test_total_time_is_bounded(run, monkeypatch):
    monkeypatch.setattr(many_boards, "MAX_SECONDS", 0.5)
    reader = run(boards="100", run="iddfs,bfs", moves="28", seed="long")
    assert ", then the time was up." in reader.all()[-1].text("#race-said")


def test_lost_worker_ends_the_run(client, monkeypatch):
    lost = (0, Failed("The solver stopped unexpectedly."))
    monkeypatch.setattr(SequentialSearches, "events", lambda self: iter([lost]))
    page = get(client, **{**FORM, "seed": "lost"}, go="1")
    assert page.one(id="race-said").text == "0 of 6 boards done, then stopped."


REFUSED = {
    "boards": ("boards=101", "from 1 to 100"),
    "no boards": ("boards=0", "from 1 to 100"),
    "moves": ("moves=many", "Moves must be a number"),
    "seed": (f"seed={'x' * (SEED_CHARACTERS + 1)}", f"up to {SEED_CHARACTERS} characters"),
    "size": ("size=3", "3x3"),
    "runs": ("run=bfs,dfs,ucs,iddfs,astar,greedy,rbfs,idastar,wastar", "Up to 8 searches"),
    "heuristic": ("size=4x4&run=astar:exact", "exact"),
}


@pytest.mark.parametrize(("query", "words"), REFUSED.values(), ids=REFUSED)
def test_bad_run_is_400_and_the_input_stays(client, query, words):
    form = parse_qs(query)
    page = get(client, status=400, **form)
    assert words in alerts(page)
    for name, (typed,) in form.items():
        if name not in ("run", "size"):
            assert page.one(id="many").one("input", name=name)["value"] == typed


def test_impossible_boards_are_explained(client, run):
    page = get(client, status=400, moves="40", go="1")
    assert "No 3 × 3 puzzle needs more than 31 moves" in page.text
    last = run(moves="40").all()[-1]
    assert "needs more than 31 moves" in last.text("#race-said")


@pytest.mark.parametrize("code", ["3.1-2.0", TWO_MOVES, "1.0.2.3-4.5.6.7-8.9.10.11"])
def test_form_selects_some_searches_for_each_size(client, code):
    assert 1 < len(checked(pages.get(client, code, "/many"))) <= many_boards.MAX_RUNS


# The chart


def test_marks_are_ordered_by_their_numbers(expected):
    chart = scatter(expected)
    for series, search in zip(chart.series, expected, strict=True):
        points = sorted(zip(search, series.points, strict=True), key=lambda one: one[0].expanded)
        heights = [point.y for _, point in points]
        assert heights == sorted(heights, reverse=True)
        by_moves = sorted(zip(search, series.points, strict=True), key=lambda one: one[0].shortest)
        places = [point.x for _, point in by_moves]
        assert places == sorted(places)
        for point in series.points:
            assert LEFT <= point.x <= LEFT + WIDTH
            assert TOP <= point.y <= TOP + HEIGHT
    assert [tick.words for tick in chart.x_ticks] == [str(n) for n in range(8, 19)]
    assert chart.left_out == 0


def test_board_of_unknown_shortest_length_is_left_out(expected):
    first = replace(expected[0][0], shortest=None)
    assert scatter([[first, *expected[0][1:]]]).left_out == 1
    assert scatter([[first]]) is None
    assert by_length([[first]]) == {}
