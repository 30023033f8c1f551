"""The race of the lab: its table, its stream, and refused forms."""

import math
import re
from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import render_template

from slidewise import Limits, SearchSpec, Status, compare, format_moves, parse_puzzle, solve
from slidewise.solver.compare import parse_runs
from slidewise.solver.result import validated
from tests.boards import FOUR, FOUR_ONE_MOVE, TEXTBOOK, UNSOLVABLE
from tests.web import markup
from tests.web.course.lab.pages import (
    RUNS,
    alerts,
    cells,
    checked,
    get,
    race_id,
    read_race,
    rows_of,
)
from tests.web.processes import NEEDS_PROC, solvers
from tests.web.streams import HTMX, until
from tests.web.visitor import submit
from webapp.course.lab import race as race_module
from webapp.course.lab import running, selection
from webapp.course.lab.race import RaceTable
from webapp.course.lab.running import Races
from webapp.course.lab.selection import RUNS_CHARACTERS
from webapp.workers import Busy
from webapp.workers.distances import Distances
from webapp.workers.shared import LocalShared, services_of

BOUND_16 = "1.7.2.3.4-6.12.8.5.10-0.11.17.9.15-16.18.13.14.20-21.22.23.24.19"


def chip(row):
    return next(element for element in row.inside if "chip" in element.classes)


def expect_results(rows, results):
    """Expect exactly the results of `compare` in the rows."""
    assert len(rows) == len(results)
    for number, result in enumerate(results):
        _, expanded, found, generated, stored, time = cells(rows[number])
        assert expanded == f"{result.expanded:,}"
        assert generated == f"{result.generated:,}"
        assert stored == f"{result.peak_stored:,}"
        assert re.fullmatch(r"[\d.,]+ m?s", time)
        assert found.split()[0] == f"{result.length:,}"
        width = float(rows[number].one("rect")["width"])
        assert width == pytest.approx(100 * math.log10(1 + result.expanded) / 9, abs=0.06)


# The table


def test_each_row_has_the_best_bound():
    puzzle = parse_puzzle(BOUND_16)
    runs = selection.Selection(tuple(parse_runs("bfs,idastar:manhattan,greedy:manhattan")))
    found = [
        solve(puzzle, algorithm, heuristic, Limits(expansions=most))
        for algorithm, heuristic, most in (
            ("bfs", None, 100),
            ("idastar", "manhattan", 3_000),
            ("greedy", "manhattan", None),
        )
    ]
    bounds = [result.lower_bound for result in found]
    assert max(bounds) > min(bounds)
    table = RaceTable(puzzle, runs).finish(found)
    assert [row.result.lower_bound for row in table.rows] == [max(bounds)] * 3


def test_contradictory_result_is_withdrawn_in_its_row(app):
    puzzle = parse_puzzle(TEXTBOOK)
    runs = selection.Selection(tuple(parse_runs("bfs,greedy:manhattan")))
    bad = validated(replace(solve(puzzle, "bfs"), length=24))
    table = RaceTable(puzzle, runs).finish([bad, solve(puzzle, "greedy")])
    first, second = table.rows
    assert first.chip.words == "withdrawn"
    assert "nothing is claimed" in first.chip.why
    assert second.chip.words != "withdrawn"
    for page in "board/_verdict.html", "solve/no_solution.html":
        with app.test_request_context(f"/play/{TEXTBOOK}"):
            summary = markup.read(
                render_template(page, result=bad, code=TEXTBOOK, puzzle=puzzle)
            ).text
        assert "The solver contradicted itself." in summary
        assert "No solution" not in summary
        assert "optimal" not in summary


def test_contradictory_result_is_not_cached(app):
    races = Races(LocalShared())
    spec = SearchSpec(parse_puzzle(TEXTBOOK), "bfs")
    bad = validated(replace(solve(spec.puzzle, "bfs"), length=24))
    assert bad.status is Status.INVALID
    races.remember(spec, bad)
    assert races.known(spec) is None


@pytest.mark.parametrize("lanes", ["1", "2"])
def test_stream_has_the_results_of_compare_and_frees_its_jobs(app, race, lanes):
    jobs = services_of(app).solvers._jobs
    before = set(jobs)
    rows, summary = read_race(race(run=RUNS, lanes=lanes))
    expect_results(rows, compare(parse_puzzle(TEXTBOOK), RUNS))
    words = [chip(rows[number]).text for number in range(5)]
    assert words == [
        "shortest",
        "30 above",
        "happens to be shortest",
        "shortest",
        "happens to be shortest",
    ]
    assert summary.startswith("5 of 5 found a solution; the shortest has 26 moves.")
    assert "A* with Manhattan distance expanded 43 times fewer boards than" in summary
    assert set(jobs) <= before


def test_page_without_javascript_waits_for_the_table(client):
    page = get(client, run=RUNS, go="1")
    expect_results(rows_of(page), compare(parse_puzzle(TEXTBOOK), RUNS))
    assert "the shortest has 26 moves" in page.one(id="race-said").text
    assert "hx-trigger" not in page.one(id="race").attrs


def test_form_runs_the_chosen_searches_without_javascript(client):
    response = client.get(f"/lab/{TEXTBOOK}")
    page = markup.read(response)
    assert "js-only" in page.one(id="race-stop").classes
    raced = submit(client, response, page.one(id="race-run"), run="idastar:manhattan")
    assert raced.request.full_path.endswith("?run=idastar:manhattan&go=1")
    (row,) = rows_of(markup.read(raced)).values()
    assert cells(row)[1] == "5,270"


def test_unproved_row_is_updated_by_a_later_proof(race):
    """Above 10 cells the shortest length is unknown until a search has proved it."""
    code = "2.4.3.8-5.0.6.15-11.13.1.9-7.10.12.14"
    messages = race(code, run="greedy:manhattan,idastar:manhattan").all()
    found = [rows.get(0) for message in messages if (rows := rows_of(markup.read(message.data)))]
    words = [chip(row).text for row in found if row and "done" in row.classes]
    assert words == ["unproved", "74 above"]


def test_two_lanes_do_not_wait_for_each_other(race):
    reader = race(FOUR, run="bfs,greedy:manhattan", lanes="2", seconds="20")
    reader.wait_for("#run-1", "Replay")
    assert reader.wait_for("#run-0", "searching")
    assert "cut off" not in reader.text
    reader.leave()


def test_cut_off_search_shows_its_reason(race):
    rows, summary = read_race(race(FOUR, run="bfs", seconds="0.3"))
    assert chip(rows[0]).text == "cut off"
    assert "Stopped after 0.3 s; the shortest has" in rows[0].text
    assert summary == "None found a solution."


def test_unreachable_goal_is_no_solution_in_every_row(client, race):
    rows, summary = read_race(race(UNSOLVABLE, run="bfs,astar:manhattan"))
    assert [chip(row).text for row in rows.values()] == ["no solution", "no solution"]
    assert summary == "None found a solution."
    page = get(client, UNSOLVABLE)
    assert "The goal cannot be reached" in page.text
    assert "hx-trigger" not in page.one(id="race").attrs


def test_row_links_to_its_replay_search_and_heuristic(client, race):
    rows, _ = read_race(race(run="astar:manhattan,best,dfs"))
    links = {link.text.split()[0]: link["href"] for link in rows[0].all("a")}
    found = compare(parse_puzzle(TEXTBOOK), "astar")[0]
    assert parse_qs(urlsplit(links["Replay"]).query)["moves"] == [format_moves(found.moves)]
    assert links["Watch"].endswith("/watch?algorithm=astar&heuristic=manhattan")
    assert links["Manhattan"].endswith("/heuristics?h=manhattan")
    for url in links.values():
        assert client.get(url).status_code == 200
    assert [link.text.split()[0] for link in rows[1].all("a")] == ["Replay"]  # not recorded
    long = rows[2].all("a")[0]["href"]
    assert long.endswith("?algorithm=dfs")  # too many moves for a link


def test_weight_is_used_and_linked(race):
    rows, _ = read_race(race(run="wastar:manhattan", weight="3"))
    assert cells(rows[0])[0] == "Weighted A*, w = 3 Manhattan distance"
    expect_results(rows, compare(parse_puzzle(TEXTBOOK), "wastar", weight=3))
    assert any("weight=3" in link["href"] for link in rows[0].all("a"))


# Stop and limits


@NEEDS_PROC
def test_stop_ends_the_race_and_leaves_its_results(race, client):
    reader = race(FOUR, run="greedy:manhattan,bfs,ucs", seconds="20")
    reader.wait_for("#run-1", "searching")
    stop = {"race": race_id(reader)}
    assert client.post(f"/lab/{FOUR}/race/stop", data=stop, headers=HTMX).status_code == 204
    rows, summary = read_race(reader)
    assert chip(rows[1]).text == "stopped"
    assert "Not run." in rows[2].text
    assert "Replay" in rows[0].text
    assert summary.startswith("Stopped. 1 of 3 found a solution")
    assert until(lambda: not solvers())


@NEEDS_PROC
@pytest.mark.parametrize(
    ("code", "path", "form"),
    [
        (FOUR, "race", {"run": "bfs,ucs,iddfs", "seconds": "20", "lanes": "2"}),
        (TEXTBOOK, "many/run", {"run": "iddfs", "boards": "100", "moves": "28"}),
    ],
    ids=["two lanes", "many boards"],
)
def test_race_ends_with_its_reader(solve, code, path, form):
    reader = solve(code, path=f"/lab/{code}/{path}", **form)
    assert until(solvers)
    reader.leave()
    assert reader.wait_for_end()
    assert until(lambda: not solvers())


@pytest.mark.parametrize("path", ["race", "many/run"])
def test_fields_too_long_for_a_link_are_400(client, path):
    refused = client.post(f"/lab/{TEXTBOOK}/{path}", data={"run": "bfs," * 300})
    assert (refused.status_code, refused.location) == (400, None)
    assert "fields take up to 1,000 characters: shorten them" in refused.text
    assert client.post(f"/lab/{TEXTBOOK}/{path}", data={"run": "bfs," * 200}).status_code == 303


def test_stop_of_an_unknown_race_is_no_error(client):
    path = f"/lab/{TEXTBOOK}/race/stop"
    assert client.post(path, data={"race": "x"}, headers=HTMX).status_code == 204
    assert client.post(path).status_code == 303


def test_stop_reaches_a_lane_beside_one_that_cannot_be_stopped(monkeypatch):
    closed = []

    def refuse():
        raise Busy("The solvers cannot be reached right now.", 10)

    lanes = iter([refuse, lambda: closed.append("second")])
    monkeypatch.setattr(
        running, "SequentialSearches", lambda *_: SimpleNamespace(close=next(lanes))
    )
    spec = SearchSpec(parse_puzzle(TEXTBOOK), "bfs")
    with pytest.raises(Busy):
        running.Race([spec, spec], lanes=2).stop()
    assert closed == ["second"]


def test_race_is_stopped_from_another_process(monkeypatch):
    monkeypatch.setattr(running, "HEARTBEAT_SECONDS", 0)
    here, elsewhere = (Races(shared) for shared in [LocalShared()] * 2)
    race = SimpleNamespace(id="one", stopped=False)
    race.stop = lambda: setattr(race, "stopped", True)
    messages = here.stop_aware(race, (str(number) for number in range(3)))
    elsewhere.stop("other")
    assert [next(messages), next(messages), race.stopped] == ["0", "1", False]
    elsewhere.stop("one")
    assert [*messages, race.stopped] == ["2", True]


def test_new_race_of_a_page_replaces_its_last(new_app, race):
    app = new_app(STREAMS_PER_VISITOR=1)
    first = race(FOUR, app=app, run="bfs", seconds="20")
    first.wait_for("#run-0", "searching")
    rows, _ = read_race(race(app=app, run="astar:manhattan", race=race_id(first)))
    assert chip(rows[0]).text == "shortest"


def test_seconds_are_limited_by_the_site(app, client, monkeypatch):
    def seconds(runs, typed):
        field = get(client, FOUR, run=runs, seconds=typed).one("input", name="seconds")
        return float(field["value"])

    assert seconds("bfs", "") == selection.SECONDS
    assert seconds("bfs", "9999") == app.config["SOLVE_SECONDS"]
    monkeypatch.setitem(app.config, "SOLVE_SECONDS", 1000)
    assert seconds("bfs,ucs,dfs", "9999") == selection.MAX_SECONDS / 3


REFUSED = {
    "nonsense": ("run=nonsense", "nonsense"),
    "no algorithm": ("run=&go=1", "Name the algorithms to compare"),
    "heuristic": ("run=astar:manhat", "manhat"),
    "expression": ("run=astar:%3Dmax(manhattan", "bracket"),
    "too many": (f"run={','.join(f'astar:%3D{n}' for n in range(17))}", "Up to 16 searches"),
    "too long": (f"run={'bfs,' * RUNS_CHARACTERS}", f"up to {RUNS_CHARACTERS:,} characters"),
    "seconds": ("run=bfs&seconds=x", "Seconds must be above 0 and at most 20, found"),
    "weight": ("run=wastar&weight=0.5", "weight must be from 1 to 100"),
}


@pytest.mark.parametrize(("query", "words"), REFUSED.values(), ids=REFUSED)
def test_bad_race_is_400_and_the_input_stays(client, query, words):
    form = parse_qs(query, keep_blank_values=True)
    page = get(client, status=400, **form)
    assert words in alerts(page)
    named = form["run"][0]
    if 0 < len(named) < 50:
        assert named in (*checked(page), page.one("input", name="more")["value"])
    streamed = client.post(f"/lab/{TEXTBOOK}/race", data=form, headers=HTMX)
    assert streamed.status_code == 400
    assert words in streamed.text


@pytest.mark.parametrize("run", ["astar:exact", "astar:=2 * manhattan"])
def test_heuristic_of_another_size_is_400(client, run):
    get(client, FOUR, status=400, run=run)


# The shortest length is looked up before the first search, outside its time


def test_shortest_length_is_looked_up_before_the_searches(race, monkeypatch):
    order = []
    begin, wait_for = race_module.begin, Distances.wait_for
    monkeypatch.setattr(Distances, "cached", lambda *_: [None])
    monkeypatch.setattr(
        Distances, "wait_for", lambda *args: (wait_for(*args), order.append("looked up"))[0]
    )
    monkeypatch.setattr(
        race_module, "begin", lambda *args: (order.append("begun"), begin(*args))[1]
    )
    _, summary = read_race(race(run="greedy"))
    assert summary.startswith("1 of 1 found a solution; the shortest has 26 moves")
    assert order == ["looked up", "begun"]


def test_lookup_of_a_large_board_does_not_delay_the_race(race, monkeypatch):
    monkeypatch.setattr(Distances, "wait_for", None)
    _, summary = read_race(race(FOUR_ONE_MOVE, run="greedy"))
    assert summary.startswith("1 of 1 found a solution")
