"""The race of the lab: its table, its stream, its link, its downloads."""

from __future__ import annotations

import math
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise import compare, format_moves, parse_puzzle
from tests.web import markup
from tests.web.processes import NEEDS_PROC, solvers
from tests.web.streams import HTMX, until
from webapp.lab import selection
from webapp.lab.table import bar

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"


HARD = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"
"""Takes 52 moves: breadth-first search runs into its limit after seconds."""


UNSOLVABLE = "1.2.3-8.0.4-7.6.5"


RUNS = "bfs,greedy:manhattan,wastar:manhattan,astar:manhattan,astar:=max(manhattan, 2 * misplaced)"


@pytest.fixture
def race(solve):
    """Read the stream of a race."""

    def start(code=CODE, **more):
        return solve(code, path=f"/lab/{code}/race", **more)

    return start


def get(client, code=CODE, **query):
    response = client.get(f"/lab/{code}", query_string=query, follow_redirects=True)
    assert response.status_code == 200, response.text
    return markup.read(response)


def rows_of(page):
    """Return {number of the run: its cells in text, but the links} of a page or a fragment."""
    return {int(row["id"].removeprefix("run-")): row for row in page.all("tr") if row.get("id")}


def cells(row):
    return [cell.text for cell in (*row.all("th"), *row.all("td"))][:6]


def told(reader):
    """Return the rows as the stream left them, and what was said at the end."""
    rows, said = {}, ""
    for message in reader.all():
        fragment = markup.read(message.data)
        rows |= rows_of(fragment)
        said = message.text("#race-said") or said
    return rows, said


def chip(row):
    return next(element for element in row.inside if "chip" in element.classes)


def expect_results(rows, results):
    """Expect the rows to tell just what `compare` found."""
    assert len(rows) == len(results)
    for number, result in enumerate(results):
        _, found, expanded, generated, stored, time = cells(rows[number])
        assert expanded == f"{result.expanded:,}"
        assert generated == f"{result.generated:,}"
        assert stored == f"{result.peak_stored:,}"
        assert re.fullmatch(r"[\d.,]+ m?s", time)
        assert found.split()[0] == f"{result.length:,}"
        width = float(rows[number].one("rect")["width"])
        assert width == pytest.approx(100 * math.log10(1 + result.expanded) / 9, abs=0.06)


# The table


def test_the_stream_tells_what_compare_finds(race):
    rows, said = told(race(run=RUNS))
    results = compare(parse_puzzle(CODE), RUNS)
    expect_results(rows, results)
    words = [chip(rows[number]).text for number in range(5)]
    assert words == ["shortest", "not shortest", "within 1.5×", "shortest", "unproved"]
    assert said.startswith("5 of 5 found a solution; the shortest has 26 moves.")
    assert "A* with Manhattan distance expands least: 3,977 nodes." in said


def test_without_javascript_the_page_waits_for_the_table(client):
    page = get(client, run=RUNS, go="1")
    expect_results(rows_of(page), compare(parse_puzzle(CODE), RUNS))
    assert "the shortest has 26 moves" in page.one(id="race-said").text
    assert "hx-trigger" not in page.one(id="race").attrs


def test_what_was_left_open_turns_out_not_to_be_shortest(race, monkeypatch):
    """Above 10 cells nobody knows the shortest length before a search has proved it."""
    code = "2.4.3.8-5.0.6.15-11.13.1.9-7.10.12.14"
    messages = race(code, run="greedy:manhattan,idastar:manhattan").all()
    words = [
        chip(rows[0]).text
        for message in messages
        if 0 in (rows := rows_of(markup.read(message.data))) and "done" in rows[0].classes
    ]
    assert words == ["unproved", "not shortest"]


def test_two_at_a_time_find_the_same(race):
    rows, _ = told(race(run=RUNS, lanes="2"))
    expect_results(rows, compare(parse_puzzle(CODE), RUNS))


def test_two_at_a_time_do_not_wait_for_one_another(race):
    reader = race(HARD, run="bfs,greedy:manhattan", lanes="2", seconds="20")
    reader.wait_for("#run-1", "Replay")
    assert reader.wait_for("#run-0", "searching")
    assert "cut off" not in reader.text
    reader.leave()


def test_a_search_that_is_cut_off_says_why(race):
    rows, said = told(race(HARD, run="bfs", seconds="0.3"))
    assert chip(rows[0]).text == "cut off"
    assert "Stopped after 0.3 s: the shortest has at least" in rows[0].text
    assert said == "None found a solution."


def test_a_goal_that_cannot_be_reached_is_told_by_every_search(client, race):
    rows, said = told(race(UNSOLVABLE, run="bfs,astar:manhattan"))
    assert [chip(row).text for row in rows.values()] == ["no solution", "no solution"]
    assert said == "None found a solution."
    page = get(client, UNSOLVABLE)
    assert "This goal cannot be reached" in page.text
    assert "hx-trigger" not in page.one(id="race").attrs


def test_a_row_leads_to_its_replay_its_search_and_its_heuristic(client, race):
    rows, _ = told(race(run="astar:manhattan,best,dfs"))
    links = {link.text.split()[0]: link["href"] for link in rows[0].all("a")}
    found = compare(parse_puzzle(CODE), "astar")[0]
    assert parse_qs(urlsplit(links["Replay"]).query)["moves"] == [format_moves(found.moves)]
    assert links["Watch"].endswith("/watch?algorithm=astar&heuristic=manhattan")
    assert links["Manhattan"].endswith("/heuristics?h=manhattan")
    for url in links.values():
        assert client.get(url).status_code == 200
    assert [link.text.split()[0] for link in rows[1].all("a")] == ["Replay"]  # it is not recorded
    long = rows[2].all("a")[0]["href"]
    assert long.endswith("?algorithm=dfs")  # too many moves for a link


def test_the_weight_goes_along(race):
    rows, _ = told(race(run="wastar:manhattan", weight="3"))
    assert cells(rows[0])[0] == "Weighted A*, w = 3 Manhattan distance"
    expect_results(rows, compare(parse_puzzle(CODE), "wastar", weight=3))
    assert any("weight=3" in link["href"] for link in rows[0].all("a"))


@pytest.mark.parametrize(("count", "width"), [(0, 0), (9, 11.1), (10**6, 66.7), (10**12, 100)])
def test_the_bars_are_on_a_log_scale(count, width):
    assert bar(count) == width


# Stop, and what it may take


@NEEDS_PROC
def test_stop_ends_the_race_and_what_was_found_stays(app, race, client):
    reader = race(HARD, run="greedy:manhattan,bfs,ucs", seconds="20")
    reader.wait_for("#run-1", "searching")
    field = markup.read(reader.messages[0].data).one("input", name="race")
    response = client.post(f"/lab/{HARD}/race/stop", data={"race": field["value"]}, headers=HTMX)
    assert response.status_code == 204
    rows, said = told(reader)
    assert chip(rows[1]).text == "stopped"
    assert "Not run." in rows[2].text
    assert "Replay" in rows[0].text
    assert said.startswith("Stopped. 1 of 3 found a solution")
    assert until(lambda: not solvers())


@NEEDS_PROC
@pytest.mark.parametrize("lanes", ["1", "2"])
def test_a_race_ends_with_its_reader(race, lanes):
    reader = race(HARD, run="bfs,ucs,iddfs", seconds="20", lanes=lanes)
    reader.wait_for("#run-0", "searching")
    reader.leave()
    assert reader.wait_for_end()
    assert until(lambda: not solvers())


def test_stopping_what_is_not_there_is_no_error(client):
    assert (
        client.post(f"/lab/{CODE}/race/stop", data={"race": "x"}, headers=HTMX).status_code == 204
    )
    assert client.post(f"/lab/{CODE}/race/stop").status_code == 303


def test_a_new_race_of_a_page_takes_the_place_of_its_last(new_app, race):
    app = new_app(STREAMS_PER_VISITOR=1)
    first = race(HARD, app=app, run="bfs", seconds="20")
    first.wait_for("#run-0", "searching")
    last = markup.read(first.messages[0].data).one("input", name="race")["value"]
    rows, _ = told(race(app=app, run="astar:manhattan", race=last))
    assert chip(rows[0]).text == "shortest"


def test_a_visitor_with_too_many_searches_is_told_to_wait(new_app, race):
    app = new_app(STREAMS_PER_VISITOR=1)
    first = race(HARD, app=app, run="bfs", seconds="20")
    first.wait_for("#run-0", "searching")
    refused = app.test_client().post(f"/lab/{CODE}/race", data={"run": "bfs"}, headers=HTMX)
    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "5"
    assert "1 search from your network is running already; this one starts" in refused.text
    page = app.test_client().get(f"/lab/{CODE}?run=bfs&go=1")
    assert page.status_code == 503


def test_seconds_are_held_within_the_limits_of_the_site(app, client, monkeypatch):
    def seconds(runs, typed):
        field = get(client, HARD, run=runs, seconds=typed).one("input", name="seconds")
        return float(field["value"])

    assert seconds("bfs", "") == selection.SECONDS
    assert seconds("bfs", "9999") == app.config["SOLVE_SECONDS"]
    monkeypatch.setitem(app.config, "SOLVE_SECONDS", 1000)
    assert seconds("bfs,ucs,dfs", "9999") == selection.MOST_SECONDS / 3


REFUSED = {
    "nonsense": ("run=nonsense", "nonsense"),
    "no algorithm": ("run=&go=1", "Name the algorithms to compare"),
    "heuristic": ("run=astar:manhat", "manhat"),
    "expression": ("run=astar:%3Dmax(manhattan", "bracket"),
    "too many": (f"run={','.join(f'astar:%3D{n}' for n in range(17))}", "Up to 16 searches"),
    "too long": (f"run={'bfs,' * 400}", "up to 1,000 characters"),
    "seconds": ("run=bfs&seconds=x", "Seconds must be above 0 and at most 20, found"),
    "weight": ("run=wastar&weight=0.5", "weight must be from 1 to 100"),
}


@pytest.mark.parametrize(("query", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_run_is_told_and_nothing_typed_is_lost(client, query, words):
    response = client.get(f"/lab/{CODE}?{query}")
    assert response.status_code == 400
    page = markup.read(response)
    alerts = [element for element in page.inside if element.get("role") == "alert"]
    assert words in " ".join(alert.text for alert in alerts)
    named = parse_qs(query).get("run", [""])[0]
    if len(named) < 50 and named:
        checked = [box["value"] for box in page.all("input", name="run") if "checked" in box.attrs]
        assert named in (*checked, page.one("input", name="more")["value"])
    form = parse_qs(query, keep_blank_values=True)
    streamed = client.post(f"/lab/{CODE}/race", data=form, headers=HTMX)
    assert streamed.status_code == 400
    assert words in streamed.text


@pytest.mark.parametrize("run", ["astar:exact", "astar:=2 * manhattan"])
def test_a_heuristic_that_does_not_fit_the_size_is_refused(client, run):
    response = client.get(f"/lab/{HARD}", query_string={"run": run})
    assert response.status_code == 400
