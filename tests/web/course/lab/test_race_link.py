"""The link of a race, its files and its presets."""

import csv
import io
from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise import compare, heuristics, parse_puzzle
from slidewise.solver import compiling
from slidewise.solver.compare import parse_runs
from slidewise.text import duration
from tests.boards import FOUR, LENGTHS, TEXTBOOK, TWO_MOVES
from tests.web import markup
from tests.web.cookies import GAME, cookies_of
from tests.web.course.lab.pages import (
    RUNS,
    cells,
    checked,
    get,
    of_class,
    race_id,
    read_race,
    rows_of,
)
from tests.web.streams import HTMX
from webapp.course.lab import race as race_module
from webapp.course.lab import selection
from webapp.course.lab.race import PRESETS
from webapp.course.lab.running import Race, Races
from webapp.workers.shared import services_of

# The link


def test_selection_has_one_link(client):
    query = "run=bfs&run=astar:manhattan&more=astar:%3D2*manhattan,&seconds=5&weight=&go=1"
    response = client.get(f"/lab/{TEXTBOOK}?{query}")
    assert response.status_code == 302
    link = parse_qs(urlsplit(response.location).query)
    assert link == {"run": ["bfs,astar:manhattan,astar:=2 * manhattan"], "go": ["1"]}
    again = client.get(response.location.replace("&go=1", ""))
    assert again.status_code == 200
    page = markup.read(again)
    assert checked(page) == ["bfs", "astar:manhattan"]
    assert page.one("input", name="more")["value"] == "astar:=2 * manhattan"


def test_form_preserves_the_order_of_the_link(client):
    runs = "greedy:manhattan,bfs,astar:manhattan"
    form = get(client, run=runs).one(id="race")
    assert checked(form) == ["bfs", "greedy:manhattan", "astar:manhattan"]
    order = form.one("input", name="order")["value"]
    data = {"run": [*checked(form), "dfs"], "order": order, "more": ""}
    posted = client.post(f"/lab/{TEXTBOOK}/race", data=data)
    assert posted.status_code == 303
    assert client.get(posted.location).location == f"/lab/{TEXTBOOK}?run={runs},dfs&go=1"


def test_bad_post_without_htmx_preserves_its_fields(client):
    form = {"run": "bfs", "more": "astar:manhat", "seconds": "3", "other": "x"}
    response = client.get(client.post(f"/lab/{TEXTBOOK}/race", data=form).location)
    assert response.status_code == 400
    shown = markup.read(response).one(id="race")
    typed = [shown.one("input", name=name)["value"] for name in ("more", "seconds")]
    assert (checked(shown), typed) == (["bfs"], ["astar:manhat", "3"])


@pytest.mark.parametrize(("code", "count"), [(TEXTBOOK, 5), (FOUR, 3)])
def test_race_without_runs_has_searches_that_suit_the_board(client, code, count):
    choices = list(map(str, selection.first_choices(parse_puzzle(code))))
    first = ["bfs", "dfs", "greedy:manhattan", "astar:manhattan", "idastar:manhattan"]
    assert choices == first[-count:]
    assert len(rows_of(markup.read(client.get(f"/lab/{code}")))) == count


def test_stream_sends_the_link_of_the_race(race):
    reader = race(run=["bfs", "astar:manhattan"], seconds="2", lanes="2")
    links = reader.all()[0].partials["#race-links"]
    expected = f"/lab/{TEXTBOOK}?run=bfs,astar:manhattan&seconds=2&lanes=2"
    assert links.one(id="race-link")["href"] == expected
    assert {link["href"] for link in links.all("a", download="")} == {
        expected.replace("?", ".csv?"),
        expected.replace("?", ".json?"),
    }


@pytest.mark.parametrize(
    ("code", "query", "starts"),
    [
        (TEXTBOOK, {}, True),
        (TEXTBOOK, {"run": RUNS}, True),
        (FOUR, {"run": "idastar:manhattan"}, True),
        (FOUR, {"run": "idastar:manhattan,bfs"}, False),
        (PRESETS[3].code, {"run": PRESETS[3].runs}, True),
    ],
)
def test_race_starts_by_itself_if_it_will_probably_finish(client, code, query, starts):
    page = get(client, code, **query)
    assert ("begin" in page.one(id="race").get("hx-trigger", "")) == starts
    assert ("so press Run when you are ready" in page.text) == (not starts)
    assert ("open" in page.one(id="selection").attrs) == (not starts)


def test_form_warns_of_searches_that_will_not_finish(client):
    def warned(code):
        return {
            label.one("input")["value"]
            for label in get(client, code).all("label")
            if label.all("input", name="run") and "will probably not finish" in label.text
        }

    assert warned(TEXTBOOK) == set()
    assert warned(FOUR) == {"bfs", "dfs", "ucs", "bidirectional", "iddfs"}


def test_form_offers_every_heuristic_of_the_size(client):
    def offered(code):
        boxes = get(client, code).all("input", name="run")
        return {box["value"].partition(":")[2] for box in boxes} - {""}

    assert offered(TEXTBOOK) == set(heuristics()) >= set(selection.WEAKEST_FIRST)
    assert offered(FOUR) == {"linear-conflict", "manhattan", "misplaced", "pdb", "zero"}


def test_lab_opens_with_the_last_game_or_an_example(client):
    assert client.get("/lab").location == f"/lab/{race_module.EXAMPLE}"
    client.post(f"/play/{TWO_MOVES}/slide", data={"tile": "5"})
    response = client.get("/lab")
    assert response.location == f"/lab/{TWO_MOVES}"
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("button", "part", "query"), [("compare", "", ""), ("watch", "/watch", "?algorithm=bfs")]
)
def test_solve_card_leads_to_the_lab_with_the_current_board(client, button, part, query):
    button = markup.read(client.get(f"/play/{TEXTBOOK}")).one("button", id=button)
    assert (button["formmethod"], button["formaction"]) == ("get", f"/lab/{TEXTBOOK}{part}")
    form = {"board": "0.2.4-7.5.6-8.3.1", "algorithm": "bfs", "heuristic": "zero", "seconds": ""}
    response = client.get(button["formaction"], query_string=form)
    assert response.status_code == 302
    assert response.location == f"/lab/0.2.4-7.5.6-8.3.1_0.1.2-3.4.5-6.7.8{part}{query}"


def test_another_board_has_the_same_goal_and_searches(client):
    first, second = (client.get(f"/lab/{TEXTBOOK}/another?run=bfs&seconds=2") for _ in range(2))
    assert first.location != second.location
    where = urlsplit(first.location)
    assert where.query == "run=bfs&seconds=2"
    puzzle = parse_puzzle(where.path.removeprefix("/lab/"))
    assert puzzle.goal == parse_puzzle(TEXTBOOK).goal
    assert puzzle.solvable


@pytest.mark.parametrize("path", ["?run=bfs&go=1", ".csv?run=bfs", "/watch", "/trace"])
def test_lab_sets_no_game_cookie(client, path):
    client.post(f"/play/{TEXTBOOK}/slide", data={"tile": "5"})
    response = client.get(f"/lab/{TEXTBOOK}{path}")
    assert response.status_code == 200
    assert GAME not in cookies_of(response)
    assert "Set-Cookie" not in client.post(f"/lab/{TEXTBOOK}/race/stop").headers


# Downloads


def without_times(results):
    return [{**result, "seconds": 0} for result in results]


def test_downloads_hold_the_results_of_compare(client):
    runs = "bfs,astar:=max(manhattan, 2 * misplaced)"
    expected = compare(parse_puzzle(TEXTBOOK), runs)
    response = client.get(f"/lab/{TEXTBOOK}.json", query_string={"run": runs})
    assert response.mimetype == "application/json"
    assert response.json["puzzle"] == TEXTBOOK
    assert without_times(response.json["results"]) == without_times(expected.as_json()["results"])
    response = client.get(f"/lab/{TEXTBOOK}.csv", query_string={"run": runs})
    assert response.mimetype == "text/csv"
    assert "attachment" in response.headers["Content-Disposition"]
    lines, own = (csv.DictReader(io.StringIO(text)) for text in (response.text, expected.as_csv()))
    assert without_times(lines) == without_times(own)


def test_download_of_a_finished_race_has_its_times(client, race, monkeypatch):
    rows, _ = read_race(race(run="bfs,astar:manhattan", weight="1.25"))
    monkeypatch.setattr("webapp.course.lab.running.SequentialSearches", None)  # would search again
    response = client.get(f"/lab/{TEXTBOOK}.json?run=bfs,astar:manhattan&weight=1.25")
    for number, result in enumerate(response.json["results"]):
        assert cells(rows[number])[5] == duration(result["seconds"])


def test_stopped_search_is_not_cached(app, race, client):
    reader = race(FOUR, run="bfs", seconds="17")
    reader.wait_for("#run-0", "searching")
    client.post(f"/lab/{FOUR}/race/stop", data={"race": race_id(reader)}, headers=HTMX)
    reader.all()
    with app.test_request_context():
        chosen = selection.Selection(tuple(parse_runs("bfs")), seconds=17.0)
        (spec,) = chosen.specs(parse_puzzle(FOUR))
    assert services_of(app).get(Races).known(spec) is None


# Presets


def preset(words):
    (found,) = [one for one in PRESETS if words in one.title]
    return found, compare(parse_puzzle(found.code), found.runs)


@pytest.mark.parametrize("one", PRESETS, ids=lambda one: one.title)
def test_preset_is_a_link_with_its_explanation(client, one):
    assert ",".join(map(str, parse_runs(one.runs))) == one.runs
    page = get(client, one.code, run=one.runs)
    links = [link for link in page.all("a") if link.get("aria-current") == "true"]
    assert [link.text for link in links] == [one.title]
    assert one.look in page.one(id="main").text
    (link,) = [link for link in get(client).all("a") if link.text == one.title]
    where = urlsplit(link["href"])
    assert (where.path, parse_qs(where.query)) == (f"/lab/{one.code}", {"run": [one.runs]})


def test_preset_names_the_number_of_its_searches(client):
    cards = of_class(get(client), "presets")[0].all("li")
    numbers = [f"{len(parse_runs(one.runs))} searches" for one in PRESETS]
    assert [card.one("span").text for card in cards] == [*numbers, "up to 100 boards"]


def test_informed_searches_beat_uninformed_ones():
    _, results = preset("Informed")
    assert {result.length for result in results} == {LENGTHS[TEXTBOOK]}
    expanded = {result.algorithm: result.expanded for result in results}
    assert min(expanded["bfs"], expanded["ucs"]) > 181_440 / 2
    assert round(expanded["iddfs"], -6) == 8_000_000
    assert expanded["astar"] <= 0.03 * expanded["bfs"]
    assert expanded["bidirectional"] < 0.03 * expanded["bfs"]


def test_stronger_heuristic_expands_less():
    _, results = preset("worth")
    assert {result.length for result in results} == {31}
    counts = [result.expanded for result in results]
    assert counts == sorted(set(counts), reverse=True)
    assert len(counts) == 6


def test_greedy_is_longer_and_slower_in_its_preset():
    _, results = preset("greedy")
    greedy, best = results[:2], results[-1]
    assert best.length == 12
    for result in greedy:
        assert result.length > 12
        assert result.expanded > best.expanded


def test_frugal_searches_store_less_and_expand_more():
    found, results = preset("Memory")
    assert {result.length for result in results} == {31}
    of = {(one.algorithm, one.heuristic): one for one in results}
    in_full = of["astar", "misplaced"]
    assert f"{in_full.peak_stored:,} boards" in found.look
    for algorithm in "idastar", "rbfs":
        frugal = of[algorithm, "misplaced"]
        assert frugal.peak_stored <= 60
        assert round(frugal.expanded / in_full.expanded) == 19
        assert of[algorithm, "manhattan"].expanded < of["astar", "manhattan"].expanded


def test_inadmissible_estimate_misses_the_shortest():
    _, results = preset("too high")
    best, *others = results
    assert best.length == LENGTHS[TEXTBOOK]
    assert sorted(result.length for result in others) == [LENGTHS[TEXTBOOK], 28, 30]
    assert [result.verdict.source for result in others] == ["the exact distance table says 26"] * 3
    assert all(result.expanded < best.expanded for result in others)


# Navigation and lanes


@pytest.mark.parametrize("part", ["", "/many", "/watch", "/check", "/heuristics"])
def test_parts_of_the_lab_link_to_each_other(client, part):
    page = markup.read(client.get(f"/lab/{TEXTBOOK}{part}"))
    (nav,) = [one for one in page.all("nav") if one.get("aria-label") == "Lab"]
    assert [link["href"] for link in nav.all("a")] == [
        *(f"/lab/{TEXTBOOK}{other}" for other in ("", "/many", "/watch", "/check", "/heuristics")),
        f"/convert?start={TEXTBOOK}",
    ]
    (here,) = nav.all("a", aria_current="page")
    assert here["href"] == f"/lab/{TEXTBOOK}{part}"
    (lab_entry,) = [link for link in page.all("a") if link.get("href") == "/lab"]
    assert lab_entry["aria-current"] == "page"


def test_race_has_no_more_lanes_than_free_places(new_app):
    app = new_app(STREAMS_PER_VISITOR=1)
    with app.test_request_context(environ_base={"REMOTE_ADDR": "10.0.0.9"}):
        chosen = selection.Selection(tuple(parse_runs("bfs,ucs,astar:manhattan")))
        started = Race(chosen.specs(parse_puzzle(TEXTBOOK)), lanes=2)
        done = [event.result for _, event in started.events() if hasattr(event, "result")]
    assert [result.algorithm for result in done] == ["bfs", "ucs", "astar"]


@pytest.mark.parametrize("page", [f"/lab/{TEXTBOOK}", f"/lab/{TEXTBOOK}/many"])
def test_page_has_the_form_only_without_the_compiler(client, monkeypatch, page):
    sentence = "All searches run in plain Python"
    assert sentence not in client.get(page).text
    monkeypatch.setattr(compiling, "is_available", lambda: False)
    assert sentence in client.get(page).text
