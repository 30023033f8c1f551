"""The JSON API: requests by scripts on other sites."""

import pytest

from tests.boards import TWO_MOVES as EASY
from webapp import config

COURSE, OTHER = "https://course.example.org", "https://other.example.org"
ALLOW_ORIGIN = "Access-Control-Allow-Origin"


def solve(client, origin, **headers):
    sent = {"Origin": origin, "Sec-Fetch-Site": "cross-site", **headers}
    return client.post("/api/v1/solve", json={"puzzle": EASY}, headers=sent)


def preflight(client, origin, method="POST"):
    request_headers = {"Origin": origin, "Access-Control-Request-Method": method}
    return client.options("/api/v1/solve", headers=request_headers)


@pytest.mark.parametrize("path", ["algorithms", f"puzzles/{EASY}", "none", "puzzles/junk", ""])
def test_get_is_readable_by_every_origin(client, path):
    response = client.get(f"/api/v1/{path}", headers={"Origin": OTHER})
    assert response.headers[ALLOW_ORIGIN] == "*"
    assert "Access-Control-Allow-Credentials" not in response.headers


def test_page_is_not_readable_by_other_origins(client):
    for path in "/api", f"/play/{EASY}", "/learn":
        assert ALLOW_ORIGIN not in client.get(path, headers={"Origin": OTHER}).headers


def test_post_of_another_site_is_403_unless_configured(client, new_app):
    assert solve(client, COURSE).status_code == 403
    assert ALLOW_ORIGIN not in preflight(client, COURSE).headers
    course = new_app(CORS=f"{COURSE}, https://lab.example.org").test_client()
    response = solve(course, COURSE)
    assert (response.status_code, response.headers[ALLOW_ORIGIN]) == (200, COURSE)
    assert "Origin" in response.vary
    assert "Access-Control-Allow-Credentials" not in response.headers
    allowed = preflight(course, COURSE).headers
    assert allowed[ALLOW_ORIGIN] == COURSE
    assert "Content-Type" in allowed["Access-Control-Allow-Headers"]
    assert solve(course, OTHER).status_code == 403
    assert ALLOW_ORIGIN not in preflight(course, OTHER).headers


def test_star_allows_every_site_but_not_for_pages(new_app):
    client = new_app(CORS="*").test_client()
    assert solve(client, OTHER).headers[ALLOW_ORIGIN] == "*"
    slid = client.post(
        f"/play/{EASY}/slide", data={"tile": 5}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert slid.status_code == 403


@pytest.mark.parametrize("text", ["course.example.org", "https://a.example/path", "ftp://a", "yes"])
def test_invalid_origin_is_refused_as_a_setting(text):
    assert "SLIDEWISE_CORS must be origins" in config.read({"SLIDEWISE_CORS": text})[1][0]
    for right in "*", COURSE, f"{COURSE}, http://localhost:8080":
        assert config.read({"SLIDEWISE_CORS": right})[1] == []
