"""The options of a search: taken where they apply, refused with a reason where they are wrong."""

from __future__ import annotations

import re

import pytest

from tests.web import markup
from webapp.puzzle import parse_puzzle
from webapp.web import solving, views

EASY = "1.2.3-4.0.6-7.5.8"
LONG = "7.2.4-5.0.6-8.3.1"


def task(app, code=EASY, **chosen):
    with app.test_request_context():
        return solving.task(parse_puzzle(code), chosen)


def test_options_are_taken_where_they_apply(app):
    assert task(app, algorithm="dfs", depth="30").limits.depth == 30
    assert task(app, algorithm="wastar", weight="2.25").weight == 2.25
    assert task(app, algorithm="bfs", seconds="1.5").limits.seconds == 1.5


def test_options_are_ignored_where_they_do_not_apply(app):
    assert task(app, algorithm="astar", depth="1").limits.depth is None
    assert task(app, algorithm="astar", weight="9").weight == task(app).weight


def test_nobody_gets_more_seconds_than_the_site_gives(app):
    most = app.config["SOLVE_SECONDS"]
    assert task(app, seconds="999999").limits.seconds == most
    assert task(app).limits.seconds == most


@pytest.mark.parametrize(
    ("algorithm", "field", "text"),
    [
        ("dfs", "depth", "-1"),
        ("dfs", "depth", "2.5"),
        ("dfs", "depth", "deep"),
        ("dfs", "depth", "0"),
        ("bfs", "seconds", "1e9"),
        ("bfs", "seconds", "0"),
        ("bfs", "seconds", "٣"),
        ("wastar", "weight", "0.5"),
        ("wastar", "weight", "101"),
        ("wastar", "weight", "1.555"),
    ],
)
def test_wrong_options_are_told(client, algorithm, field, text):
    answer = client.post(f"/play/{EASY}/solve", data={"algorithm": algorithm, field: text})
    assert answer.status_code == 400
    assert field in answer.text.lower()


def test_a_result_tells_its_weight_where_there_is_one(client):
    for algorithm, told in ("wastar", True), ("astar", False):
        form = {"algorithm": algorithm, "weight": "2.25"}
        answer = client.post(f"/play/{EASY}/solve", data=form, headers={"HX-Request": "true"})
        assert ("<dt>Weight w</dt><dd>2.25</dd>" in answer.text) == told


def test_the_link_of_a_long_solution_names_the_options(client):
    """A depth-first path is too long for a link: it names the search, which repeats exactly."""
    answer = client.post(
        f"/play/{LONG}/solve", data={"algorithm": "dfs", "depth": "", "weight": "3"}
    )
    assert answer.status_code == 303
    assert answer.location.endswith(f"/replay/{LONG}?algorithm=dfs")
    page = client.get(answer.location)
    assert page.status_code == 200
    tree = markup.read(page.text)
    buttons = [node for node in tree.all("button") if node.get("data-tile")]
    assert len(buttons) == views.MOST_STEPS
    assert f"These are the first {views.MOST_STEPS:,} of" in page.text


def test_a_long_solution_is_streamed_up_to_what_a_page_shows(solve):
    messages = solve(LONG, algorithm="dfs").all()
    steps = [message for message in messages if "#steps" in message.partials]
    assert len(steps) == views.MOST_STEPS


def test_iterations_are_told_with_the_last_one(solve):
    messages = solve("8.6.7-2.5.4-3.0.1", algorithm="idastar").all()
    told = [m.text("#under-way") for m in messages if "#under-way" in m.partials]
    assert told[-1] == "Iteration with the f-limit 31"


def test_each_shorter_path_is_told_while_it_is_searched_for(solve):
    messages = solve(
        "6.14.7.10.20-11.5.0.21.18-16.3.22.1.17-9.12.4.13.2-23.8.15.24.19", seconds="2"
    ).all()
    told = [m.text("#known") for m in messages if "#known" in m.partials]
    assert told[0] == told[-1] == ""
    lengths = [int(re.fullmatch(r"Best so far: ([0-9]+) moves", text)[1]) for text in told[1:-1]]
    assert len(lengths) > 1
    assert lengths == sorted(lengths, reverse=True)
    assert any("Proved within a bound" in m.text("#verdict") for m in messages)
