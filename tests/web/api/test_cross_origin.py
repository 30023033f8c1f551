"""HTTP for programs: what scripts on the pages of other sites may ask."""

from __future__ import annotations

import pytest

from tests.boards import TWO_MOVES as EASY
from webapp import config

COURSE, OTHER = "https://course.example.org", "https://other.example.org"
GIVEN = "Access-Control-Allow-Origin"


def solve(client, origin, **headers):
    sent = {"Origin": origin, "Sec-Fetch-Site": "cross-site", **headers}
    return client.post("/api/v1/solve", json={"puzzle": EASY}, headers=sent)


def preflight(client, origin, method="POST"):
    asked = {"Origin": origin, "Access-Control-Request-Method": method}
    return client.options("/api/v1/solve", headers=asked)


@pytest.mark.parametrize("path", ["algorithms", f"puzzles/{EASY}", "none", "puzzles/junk", ""])
def test_each_get_can_be_read_by_all(client, path):
    response = client.get(f"/api/v1/{path}", headers={"Origin": OTHER})
    assert response.headers[GIVEN] == "*"
    assert "Access-Control-Allow-Credentials" not in response.headers


def test_no_page_is_read_by_others(client):
    for path in "/api", f"/play/{EASY}", "/learn":
        assert GIVEN not in client.get(path, headers={"Origin": OTHER}).headers


def test_a_post_of_another_site_is_refused_unless_it_is_named(client, new_app):
    assert solve(client, COURSE).status_code == 403
    assert GIVEN not in preflight(client, COURSE).headers
    course = new_app(CORS=f"{COURSE}, https://lab.example.org").test_client()
    response = solve(course, COURSE)
    assert (response.status_code, response.headers[GIVEN]) == (200, COURSE)
    assert "Origin" in response.vary
    assert "Access-Control-Allow-Credentials" not in response.headers
    allowed = preflight(course, COURSE).headers
    assert allowed[GIVEN] == COURSE
    assert "Content-Type" in allowed["Access-Control-Allow-Headers"]
    assert solve(course, OTHER).status_code == 403
    assert GIVEN not in preflight(course, OTHER).headers


def test_all_sites_can_be_named_and_pages_stay_closed(new_app):
    client = new_app(CORS="*").test_client()
    assert solve(client, OTHER).headers[GIVEN] == "*"
    slid = client.post(
        f"/play/{EASY}/slide", data={"tile": 5}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert slid.status_code == 403


@pytest.mark.parametrize("text", ["course.example.org", "https://a.example/path", "ftp://a", "yes"])
def test_invalid_origin_is_refused_as_a_setting(text):
    assert "SLIDEWISE_CORS must be origins" in config.read({"SLIDEWISE_CORS": text})[1][0]
    for right in "*", COURSE, f"{COURSE}, http://localhost:8080":
        assert config.read({"SLIDEWISE_CORS": right})[1] == []
