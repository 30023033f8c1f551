"""What is counted of an app."""

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.boards import FOUR, UNSOLVABLE
from tests.web.kinds import CODE
from tests.web.processes import NEEDS_PROC
from tests.web.programs import post
from tests.web.streams import HTMX, until


@pytest.fixture
def metered(new_app):
    """An app that counts, of a test of its own."""
    return new_app(METRICS=True)


def counts(app):
    """Return what `/metrics` tells: {(name, value of each label): number}."""
    answer = app.test_client().get("/metrics", headers={"Host": "10.0.0.7:8000"})
    assert answer.mimetype == "text/plain"
    assert answer.headers["Cache-Control"] == "no-store"
    return {
        (sample.name.removeprefix("slidewise_"), *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_without_the_setting_there_are_none(client):
    assert client.get("/metrics").status_code == 404


def test_clicks_are_counted_by_what_they_do(metered):
    client = metered.test_client()
    for tile in "5", "1", "5":
        client.post(f"/play/{CODE}/slide", data={"tile": tile}, headers=HTMX)
    client.post(f"/play/{CODE}/undo")
    told = counts(metered)
    assert told["clicks_total", "slide"] == 2, "tile 1 cannot move"
    assert told["clicks_total", "undo"] == 1
    assert told["request_seconds_count", "game.slide"] == 3
    assert 0 < told["request_seconds_sum", "game.slide"] < 600
    assert told["request_seconds_bucket", "game.slide", "+Inf"] == 3


def test_searches_are_counted_by_their_results_wherever_they_were_asked_for(metered):
    client = metered.test_client()
    client.post(f"/play/{CODE}/solve", data={"algorithm": "astar"}, headers=HTMX).get_data()
    client.post(f"/play/{CODE}/solve", data={"algorithm": "astar"})
    assert post(client, "solve", puzzle=CODE, algorithm="greedy").status_code == 200
    assert post(client, "solve", puzzle=UNSOLVABLE, algorithm="bfs").status_code == 200
    told = counts(metered)
    assert told["solves_total", "astar", "solved", "optimal"] == 2
    assert told["solves_total", "greedy", "solved", "optimal"] == 1, "as long as the estimate"
    assert told["solves_total", "bfs", "unsolvable", "unproved"] == 1


@NEEDS_PROC
def test_while_a_search_runs_it_is_seen_and_others_are_refused(new_app, stream, halted):
    metered = new_app(METRICS=True, STREAMS_PER_VISITOR=1)
    stays = stream(metered, "solve", puzzle=FOUR, algorithm="bfs")
    stays.until("progress")
    halted()
    assert post(metered.test_client(), "solve", puzzle=CODE).status_code == 429
    told = counts(metered)
    assert told["searches_running",] == told["streams_open",] == 1
    assert told["searches_waiting",] == 0
    assert told["refusals_total", "api.solve", "429"] == 1
    stays.leave()
    assert until(lambda: counts(metered).get(("solves_total", "bfs", "left", "none")) == 1)
    assert until(lambda: counts(metered)["streams_open",] == 0)


def test_probes_are_not_counted_and_what_is_not_there_has_no_name(metered):
    client = metered.test_client()
    for path in "/healthz", "/readyz", "/metrics", "/<b>", "/nowhere?q=1":
        client.get(path)
    names = {key[1] for key in counts(metered) if key[0] == "request_seconds_count"}
    assert "none" in names
    assert not [name for name in names if "probes" in name or "/" in name]


def test_each_app_counts_for_itself(metered, new_app):
    metered.test_client().get("/api")
    assert ("request_seconds_count", "api.about") not in counts(new_app(METRICS=True))
