"""The metrics of an app."""

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.boards import FOUR, UNSOLVABLE
from tests.web.api_requests import post
from tests.web.kinds import CODE
from tests.web.processes import NEEDS_PROC
from tests.web.streams import HTMX, until


@pytest.fixture
def metered(new_app):
    """Return a new app with metrics."""
    return new_app(METRICS=True)


def counts(app):
    """Return the samples of `/metrics` as {(name, value of each label): number}."""
    answer = app.test_client().get("/metrics", headers={"Host": "10.0.0.7:8000"})
    assert answer.mimetype == "text/plain"
    assert answer.headers["Cache-Control"] == "no-store"
    return {
        (sample.name.removeprefix("slidewise_"), *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_metrics_are_404_unless_configured(client):
    assert client.get("/metrics").status_code == 404


def test_clicks_are_counted_by_action(metered):
    client = metered.test_client()
    for tile in "5", "1", "5":
        client.post(f"/play/{CODE}/slide", data={"tile": tile}, headers=HTMX)
    client.post(f"/play/{CODE}/undo")
    metrics = counts(metered)
    assert metrics["clicks_total", "slide"] == 2, "tile 1 cannot move"
    assert metrics["clicks_total", "undo"] == 1
    assert metrics["request_seconds_count", "game.slide"] == 3
    assert 0 < metrics["request_seconds_sum", "game.slide"] < 600
    assert metrics["request_seconds_bucket", "game.slide", "+Inf"] == 3


def test_searches_are_counted_by_result_on_pages_and_api(metered):
    client = metered.test_client()
    client.post(f"/play/{CODE}/solve", data={"algorithm": "astar"}, headers=HTMX).get_data()
    client.post(f"/play/{CODE}/solve", data={"algorithm": "astar"})
    assert post(client, "solve", puzzle=CODE, algorithm="greedy").status_code == 200
    assert post(client, "solve", puzzle=UNSOLVABLE, algorithm="bfs").status_code == 200
    metrics = counts(metered)
    assert metrics["solves_total", "astar", "solved", "optimal"] == 2
    assert metrics["solves_total", "greedy", "solved", "optimal"] == 1, "as long as the estimate"
    assert metrics["solves_total", "bfs", "unsolvable", "unproved"] == 1


@NEEDS_PROC
def test_running_search_and_refusals_are_counted(new_app, stream, halted):
    metered = new_app(METRICS=True, STREAMS_PER_VISITOR=1)
    running = stream(metered, "solve", puzzle=FOUR, algorithm="bfs")
    running.until("progress")
    halted()
    assert post(metered.test_client(), "solve", puzzle=CODE).status_code == 429
    metrics = counts(metered)
    assert metrics["searches_running",] == metrics["streams_open",] == 1
    assert metrics["searches_waiting",] == 0
    assert metrics["refusals_total", "api.solve", "429"] == 1
    running.leave()
    assert until(lambda: counts(metered).get(("solves_total", "bfs", "left", "none")) == 1)
    assert until(lambda: counts(metered)["streams_open",] == 0)


def test_probes_are_not_counted_and_unknown_paths_have_no_name(metered):
    client = metered.test_client()
    for path in "/healthz", "/readyz", "/metrics", "/<b>", "/nowhere?q=1":
        client.get(path)
    names = {key[1] for key in counts(metered) if key[0] == "request_seconds_count"}
    assert "none" in names
    assert not [name for name in names if "probes" in name or "/" in name]


def test_apps_count_separately(metered, new_app):
    metered.test_client().get("/api")
    assert ("request_seconds_count", "api.about") not in counts(new_app(METRICS=True))
