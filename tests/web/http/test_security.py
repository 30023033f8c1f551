import pytest

from tests.each import each
from tests.web import markup
from tests.web.kinds import CODE
from webapp.http.errors import OTHER_SITE

POSTS = [
    "/custom",
    *[f"/play/{CODE}/{what}" for what in ("slide", "undo", "redo", "restart", "assisted")],
    *[f"/play/{CODE}/{what}" for what in ("play-on", "solve", "solve/stop")],
]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@pytest.mark.parametrize(
    ("scheme", "secure", "has_hsts"),
    [("https", True, True), ("http", True, False), ("https", False, False)],
)
def test_https_response_has_hsts_if_configured(new_app, scheme, secure, has_hsts):
    client = new_app(SECURE_COOKIES=secure, PROXIES=1).test_client()
    answer = client.get("/gallery", headers={"X-Forwarded-Proto": scheme})
    assert answer.headers.get("Strict-Transport-Security") == (
        "max-age=15552000" if has_hsts else None
    )


# Posts from other sites

ELSEWHERE = "https://elsewhere.example"

FOREIGN_ORIGINS = [
    ELSEWHERE,
    "http://localhost:81",
    "http://localhost.elsewhere.example",
    "http://elsewhere.example/http://localhost",
    "http://localhost@elsewhere.example",
    *("null", "", "localhost", "file://localhost", "http://[", "http://[::1]]", "http://"),
    "http://localhost, http://elsewhere.example",
]

FOREIGN = [
    *(
        {"Sec-Fetch-Site": site}
        for site in ("cross-site", "same-site", "Same-Origin", "", "none, none")
    ),
    *({"Origin": origin} for origin in FOREIGN_ORIGINS),
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
]

OWN = [
    {},  # no browser
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "same-origin", "Origin": ELSEWHERE},
]


SLIDE = f"/play/{CODE}/slide"


@each(
    ("path", "headers"),
    [*((SLIDE, headers) for headers in FOREIGN), *((path, FOREIGN[0]) for path in POSTS)],
)
def test_post_of_another_site_is_403(client, path, headers):
    response = client.post(path, headers=headers)
    assert response.status_code == 403
    assert OTHER_SITE in markup.read(response).one("main").text
    assert "Set-Cookie" not in response.headers


@each(
    ("path", "headers"),
    [*((SLIDE, headers) for headers in OWN), *((path, OWN[1]) for path in POSTS)],
)
def test_post_of_an_own_page_is_accepted(client, path, headers):
    assert client.post(path, headers=headers).status_code in {200, 204, 303, 400, 422}


@each(
    ("origin", "base"),
    [
        ("http://localhost", "http://localhost"),
        ("https://localhost", "http://localhost"),  # a proxy ends TLS and does not say so
        ("http://localhost:8000", "http://localhost:8000"),
        ("https://slidewise.example", "https://slidewise.example/games"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_post_from_the_own_origin_is_accepted(client, origin, base):
    response = client.post(f"/play/{CODE}/assisted", headers={"Origin": origin}, base_url=base)
    assert response.status_code == 303


@each(
    ("method", "path", "status"),
    [
        *((method, f"/play/{CODE}", 200) for method in ("get", "head", "options")),
        *((method, "/custom", 403) for method in ("put", "patch", "delete")),
    ],
)
def test_other_sites_can_only_read(client, method, path, status):
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": ELSEWHERE}
    assert getattr(client, method)(path, headers=headers).status_code == status


# Hosts


@pytest.fixture(scope="module")
def hosted(new_app):
    return new_app(HOSTS="slidewise.example, .example.org")


@each("path", ["/", "/custom", f"/play/{CODE}", "/nowhere", "/static/icon.svg"])
@each("base", ["http://elsewhere.example", "http://slidewise.example.com", "http://localhost"])
def test_foreign_host_is_400(hosted, path, base):
    client = hosted.test_client()
    response = client.get(path, base_url=base)
    assert response.status_code == 400
    assert response.mimetype == "text/plain"
    assert "Check the address" in response.text
    assert response.headers["Content-Security-Policy"] == POLICY
    assert client.post(path, base_url=base).status_code == 400


@each(
    "base", ["http://slidewise.example", "https://slidewise.example:8443", "http://a.example.org"]
)
def test_own_host_is_served(hosted, base):
    assert hosted.test_client().get("/custom", base_url=base).status_code == 200


@each("host", ["a b", "<b>", "", "x" * 5000, "[", "localhost:99999", "é"])
def test_odd_host_fails_no_request(client, host):
    for path in (
        *("/custom", f"/play/{CODE}", "/nowhere", "/play/junk", "/play/123406758"),
        *("/api", "/api/nowhere", "/api/v1/puzzles/123406758", "/api/v1/openapi.json"),
    ):
        assert client.get(path, headers={"Host": host}).status_code < 500
