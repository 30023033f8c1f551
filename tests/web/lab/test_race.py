"""The race of the lab: its table, its stream, its link, its downloads."""

from __future__ import annotations

import csv
import io
import math
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise import Comparison, compare, format_moves, heuristics, parse_puzzle
from slidewise.solver.compare import default_choices, parse_runs
from slidewise.text import duration
from tests.web import markup
from tests.web.processes import NEEDS_PROC, solvers
from tests.web.streams import HTMX, until
from webapp.lab import race as race_module
from webapp.lab import selection
from webapp.lab.presets import PRESETS
from webapp.lab.running import Race, Races
from webapp.lab.table import bar
from webapp.workers.services import services_of

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
SHORTEST = 26
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


# The link


def test_a_selection_has_one_link(client):
    query = "run=bfs&run=astar:manhattan&more=astar:%3D2*manhattan,&seconds=5&weight=&go=1"
    response = client.get(f"/lab/{CODE}?{query}")
    assert response.status_code == 302
    where = urlsplit(response.location)
    assert parse_qs(where.query) == {
        "run": ["bfs,astar:manhattan,astar:=2 * manhattan"],
        "go": ["1"],
    }
    again = client.get(response.location.replace("&go=1", ""))
    assert again.status_code == 200
    page = markup.read(again)
    checked = [box["value"] for box in page.all("input", name="run") if "checked" in box.attrs]
    assert checked == ["bfs", "astar:manhattan"]
    assert page.one("input", name="more")["value"] == "astar:=2 * manhattan"


def test_the_form_keeps_the_order_of_the_link(client):
    runs = "greedy:manhattan,bfs,astar:manhattan"
    form = get(client, run=runs).one(id="race")
    boxes = [box["value"] for box in form.all("input", name="run") if "checked" in box.attrs]
    assert boxes == ["bfs", "greedy:manhattan", "astar:manhattan"]
    order = form.one("input", name="order")["value"]
    data = {"run": [*boxes, "dfs"], "order": order, "more": ""}
    response = client.get(client.post(f"/lab/{CODE}/race", data=data).location)
    assert response.location == f"/lab/{CODE}?run={runs},dfs&go=1"


def test_a_post_without_htmx_goes_to_the_table(client):
    response = client.post(f"/lab/{CODE}/race", data={"run": ["bfs", "astar:manhattan"]})
    assert response.status_code == 303
    response = client.get(response.location)
    assert response.location == f"/lab/{CODE}?run=bfs,astar:manhattan&go=1"


def test_a_post_without_htmx_that_cannot_run_loses_nothing(client):
    form = {"run": "bfs", "more": "astar:manhat", "seconds": "3", "other": "x"}
    response = client.get(client.post(f"/lab/{CODE}/race", data=form).location)
    assert response.status_code == 400
    shown = markup.read(response).one(id="race")
    assert shown.one("input", name="more")["value"] == "astar:manhat"
    assert shown.one("input", name="seconds")["value"] == "3"
    assert "checked" in shown.one("input", name="run", value="bfs").attrs


def test_without_a_selection_all_run_that_make_sense(client):
    titles = [cells(row)[0] for row in rows_of(get(client)).values()]
    assert len(titles) == len(default_choices(parse_puzzle(CODE)))
    assert "Breadth-first search" in titles


def test_the_stream_tells_the_link_to_what_runs(race):
    reader = race(run=["bfs", "astar:manhattan"], seconds="2", lanes="2")
    links = reader.all()[0].partials["#race-links"]
    wanted = f"/lab/{CODE}?run=bfs,astar:manhattan&seconds=2&lanes=2"
    assert links.one(id="race-link")["href"] == wanted
    assert {link["href"] for link in links.all("a", download="")} == {
        wanted.replace("?", ".csv?"),
        wanted.replace("?", ".json?"),
    }


@pytest.mark.parametrize(
    ("code", "query", "starts"),
    [
        (CODE, {}, True),
        (CODE, {"run": RUNS}, True),
        (HARD, {"run": "idastar:manhattan"}, True),
        (HARD, {"run": "idastar:manhattan,bfs"}, False),
        (PRESETS[3].code, {"run": PRESETS[3].runs}, True),
    ],
)
def test_a_race_starts_by_itself_where_it_will_probably_finish(client, code, query, starts):
    page = get(client, code, **query)
    assert ("load" in page.one(id="race").get("hx-trigger", "")) == starts
    assert ("so the race waits for you" in page.text) == (not starts)
    assert ("open" in page.one(id="selection").attrs) == (not starts)


def test_the_form_foretells_what_will_not_finish(client):
    def lasting(code):
        return {
            label.one("input")["value"]
            for label in get(client, code).all("label")
            if label.all("input", name="run") and "will probably not finish" in label.text
        }

    assert lasting(CODE) == set()
    assert lasting(HARD) == {"bfs", "dfs", "ucs", "bidirectional", "iddfs"}


def test_the_form_offers_each_heuristic_that_fits(client):
    def offered(code):
        boxes = get(client, code).all("input", name="run")
        return {box["value"].partition(":")[2] for box in boxes} - {""}

    assert offered(CODE) == set(heuristics()) == set(selection.WEAKEST_FIRST)
    assert offered(HARD) == set(heuristics()) - {"exact"}


def test_the_lab_opens_with_the_game_last_left_or_an_example(client):
    assert client.get("/lab").location == f"/lab/{race_module.EXAMPLE}"
    client.post("/play/1.2.3-4.0.6-7.5.8/slide", data={"tile": "5"})
    response = client.get("/lab")
    assert response.location == "/lab/1.2.3-4.0.6-7.5.8"
    assert response.headers["Cache-Control"] == "no-store"


def test_compare_all_takes_the_board_that_is_shown(client):
    page = markup.read(client.get(f"/play/{CODE}"))
    assert page.one(id="compare")["formaction"] == f"/lab/{CODE}"
    response = client.get(f"/lab/{CODE}?board=0.2.4-7.5.6-8.3.1&algorithm=best&seconds=")
    assert response.location == "/lab/0.2.4-7.5.6-8.3.1_0.1.2-3.4.5-6.7.8"


def test_another_board_keeps_the_goal_and_the_searches(client):
    first, second = (client.get(f"/lab/{CODE}/another?run=bfs&seconds=2") for _ in range(2))
    assert first.location != second.location
    where = urlsplit(first.location)
    assert where.query == "run=bfs&seconds=2"
    puzzle = parse_puzzle(where.path.removeprefix("/lab/"))
    assert puzzle.goal == parse_puzzle(CODE).goal
    assert puzzle.solvable


def test_a_race_never_writes_the_session(client, race):
    client.post(f"/play/{CODE}/slide", data={"tile": "5"})
    for response in (
        client.get(f"/lab/{CODE}?run=bfs&go=1"),
        client.get(f"/lab/{CODE}.csv?run=bfs"),
        client.post(f"/lab/{CODE}/race/stop"),
    ):
        assert "Set-Cookie" not in response.headers


# Downloads


def without_times(comparison):
    return [{**result, "seconds": 0} for result in comparison["results"]]


def test_the_downloads_hold_what_compare_gives(client):
    runs = "bfs,astar:=max(manhattan, 2 * misplaced)"
    wanted = compare(parse_puzzle(CODE), runs)
    response = client.get(f"/lab/{CODE}.json", query_string={"run": runs})
    assert response.mimetype == "application/json"
    assert response.json["puzzle"] == CODE
    assert without_times(response.json) == without_times(wanted.as_json())
    response = client.get(f"/lab/{CODE}.csv", query_string={"run": runs})
    assert response.mimetype == "text/csv"
    assert "attachment" in response.headers["Content-Disposition"]
    lines = list(csv.DictReader(io.StringIO(response.text)))
    own = list(csv.DictReader(io.StringIO(wanted.as_csv())))
    assert [{**line, "seconds": ""} for line in lines] == [{**line, "seconds": ""} for line in own]


def test_the_download_of_a_race_that_was_run_holds_its_times(client, race, monkeypatch):
    rows, _ = told(race(run="bfs,astar:manhattan", weight="1.25"))

    def refuse(*_):
        raise AssertionError("it ran again")

    monkeypatch.setattr("webapp.lab.running.Searches", refuse)
    response = client.get(f"/lab/{CODE}.json?run=bfs,astar:manhattan&weight=1.25")
    for number, result in enumerate(response.json["results"]):
        assert cells(rows[number])[5] == duration(result["seconds"])


def test_a_search_that_was_stopped_is_not_kept(app, race, client):
    reader = race(HARD, run="bfs", seconds="17")
    reader.wait_for("#run-0", "searching")
    field = markup.read(reader.messages[0].data).one("input", name="race")
    client.post(f"/lab/{HARD}/race/stop", data={"race": field["value"]}, headers=HTMX)
    reader.all()
    with app.test_request_context():
        chosen = selection.Selection(tuple(parse_runs("bfs")), seconds=17.0)
        (spec,) = chosen.specs(parse_puzzle(HARD))
    assert services_of(app).get(Races).known(spec) is None


def test_few_results_are_kept_and_no_path_beyond_measure(app):
    races = type(services_of(app).get(Races))()
    puzzle = parse_puzzle(CODE)
    (result,) = compare(puzzle, "astar")
    with app.test_request_context():
        for number in range(races.RESULTS + 5):
            chosen = selection.Selection(tuple(parse_runs("bfs")), seconds=1 + number / 100)
            (spec,) = chosen.specs(puzzle)
            races.remember(spec, result)
    assert len(races._results) == races.RESULTS


# Presets


def preset(words):
    (found,) = [one for one in PRESETS if words in one.title]
    return found, compare(parse_puzzle(found.code), found.runs)


@pytest.mark.parametrize("one", PRESETS, ids=lambda one: one.title)
def test_a_preset_is_a_link_that_says_what_to_look_for(client, one):
    assert ",".join(map(str, parse_runs(one.runs))) == one.runs
    page = get(client, one.code, run=one.runs)
    links = [link for link in page.all("a") if link.get("aria-current") == "true"]
    assert [link.text for link in links] == [one.title]
    assert one.look in page.one(id="main").text
    (link,) = [link for link in get(client).all("a") if link.text == one.title]
    where = urlsplit(link["href"])
    assert (where.path, parse_qs(where.query)) == (f"/lab/{one.code}", {"run": [one.runs]})


def test_informed_searches_beat_uninformed_ones():
    _, results = preset("Informed")
    assert {result.length for result in results} == {SHORTEST}
    expanded = {result.algorithm: result.expanded for result in results}
    assert min(expanded["bfs"], expanded["ucs"]) > 181_440 / 2
    assert round(expanded["iddfs"], -6) == 8_000_000
    assert expanded["astar"] <= 0.03 * expanded["bfs"]
    assert expanded["bidirectional"] < 0.03 * expanded["bfs"]


def test_a_stronger_heuristic_expands_less():
    _, results = preset("worth")
    assert {result.length for result in results} == {31}
    counts = [result.expanded for result in results]
    assert counts == sorted(counts, reverse=True)
    assert len(set(counts)) == len(counts) == 6


def test_greedy_fails_where_it_is_said_to():
    _, results = preset("greedy")
    greedy, best = results[:2], results[-1]
    assert best.length == 12
    for result in greedy:
        assert result.length > 12
        assert result.expanded > best.expanded


def test_memory_is_bought_with_time():
    found, results = preset("Memory")
    assert {result.length for result in results} == {31}
    stored = {(one.algorithm, one.heuristic): one.peak_stored for one in results}
    expanded = {(one.algorithm, one.heuristic): one.expanded for one in results}
    assert f"{stored['astar', 'misplaced']:,} boards" in found.look
    for algorithm in "idastar", "rbfs":
        assert stored[algorithm, "misplaced"] <= 60
        times = expanded[algorithm, "misplaced"] / expanded["astar", "misplaced"]
        assert round(times) == 19
        assert expanded[algorithm, "manhattan"] < expanded["astar", "manhattan"]


def test_an_estimate_too_high_misses_the_shortest():
    _, results = preset("too high")
    best, *others = results
    assert best.length == SHORTEST
    assert sorted(result.length for result in others) == [SHORTEST, 28, 30]
    assert {result.verdict.kind.value for result in others} == {"unproved"}
    assert all(result.expanded < best.expanded for result in others)


# Around


@pytest.mark.parametrize("part", ["", "/many", "/watch", "/heuristics"])
def test_the_parts_of_the_lab_lead_to_one_another(client, part):
    page = markup.read(client.get(f"/lab/{CODE}{part}"))
    (nav,) = [one for one in page.all("nav") if one.get("aria-label") == "Lab"]
    assert [link["href"] for link in nav.all("a")] == [
        f"/lab/{CODE}{other}" for other in ("", "/many", "/watch", "/heuristics")
    ]
    (here,) = [link for link in nav.all("a") if link.get("aria-current")]
    assert here["href"] == f"/lab/{CODE}{part}"
    (lab_entry,) = [link for link in page.all("a") if link["href"] == "/lab"]
    assert lab_entry["aria-current"] == "page"


def test_a_race_leaves_no_events_behind(app, race):
    before = set(services_of(app).solvers._jobs)
    told(race(run=RUNS, lanes="2"))
    assert set(services_of(app).solvers._jobs) <= before


def test_a_race_has_no_more_lanes_than_there_is_room_for(new_app):
    app = new_app(STREAMS_PER_VISITOR=1)
    with app.test_request_context(environ_base={"REMOTE_ADDR": "10.0.0.9"}):
        chosen = selection.Selection(tuple(parse_runs("bfs,ucs,astar:manhattan")))
        begun = Race(chosen.specs(parse_puzzle(CODE)), lanes=2)
        done = [event.result for _, event in begun.events() if hasattr(event, "result")]
    assert [result.algorithm for result in done] == ["bfs", "ucs", "astar"]
    assert isinstance(Comparison(parse_puzzle(CODE), tuple(done)), Comparison)
