"""The link of a race, and the files and presets that go with it."""

from __future__ import annotations

import csv
import io
from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise import Comparison, compare, heuristics, parse_puzzle
from slidewise.solver.compare import default_choices, parse_runs
from slidewise.text import duration
from tests.web import markup
from tests.web.streams import HTMX
from webapp.lab import race as race_module
from webapp.lab import selection
from webapp.lab.presets import PRESETS
from webapp.lab.running import Race, Races
from webapp.workers.services import services_of

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"


SHORTEST = 26


HARD = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"
"""Takes 52 moves: breadth-first search runs into its limit after seconds."""


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
