import pytest

from tests.each import each
from tests.web import markup
from tests.web.kinds import CODE, EVERY_KIND, response
from tests.web.streams import HTMX

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


@each("kind", EVERY_KIND)
def test_every_response_carries_the_policy_and_html_is_not_kept_by_caches(app, kind):
    answer = response(app, kind)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    if answer.mimetype in {"text/css", "text/javascript"}:  # under that of their page
        assert "Content-Security-Policy" not in answer.headers
        return
    assert answer.headers.getlist("Content-Security-Policy") == [POLICY]
    assert answer.headers["Referrer-Policy"] == "same-origin"
    if answer.mimetype.startswith("image/"):
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        return
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=(), geolocation=()" in answer.headers["Permissions-Policy"]
    if answer.mimetype == "text/html":
        assert "HX-Request" in answer.vary
        assert answer.headers["Cache-Control"] == "no-store"


def test_the_kinds_are_what_their_names_say(app):
    answers = {kind: response(app, kind) for kind in EVERY_KIND}
    seen = {kind: (answer.status_code, answer.mimetype) for kind, answer in answers.items()}
    assert {status for status, _ in seen.values()} >= {200, 204, 302, 303, 308, 400, 403, 404, 405}
    assert {seen[kind][0] for kind in ("too long", "notice, too long")} == {413}
    assert {mimetype for _, mimetype in seen.values()} >= {
        *("text/html", "text/css", "text/javascript", "image/svg+xml", "text/event-stream")
    }
    assert seen["stream"] == (200, "text/event-stream")
    assert seen["other site"][0] == 403


@pytest.mark.parametrize(
    ("scheme", "secure", "told"),
    [("https", True, True), ("http", True, False), ("https", False, False)],
)
def test_browsers_that_came_by_https_keep_to_it_where_the_site_says_so(
    new_app, scheme, secure, told
):
    client = new_app(SECURE_COOKIES=secure, PROXIES=1).test_client()
    answer = client.get("/gallery", headers={"X-Forwarded-Proto": scheme})
    assert answer.headers.get("Strict-Transport-Security") == ("max-age=15552000" if told else None)


def test_pictures_may_be_shown_on_other_sites(client):
    for path in f"/board/{CODE}.svg", f"/board/{CODE}.png", f"/qr/play/{CODE}.svg":
        answer = client.get(path)
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


# Posts from other sites


@each("path", POSTS)
@each("site", ["cross-site", "same-site", "Same-Origin", "", "none, none"])
def test_posts_that_another_site_sent_are_refused(client, path, site):
    response = client.post(path, headers={"Sec-Fetch-Site": site})
    assert response.status_code == 403
    assert "came from another site" in markup.read(response).one("main").text
    assert "Set-Cookie" not in response.headers


@each("path", POSTS)
@each("site", ["same-origin", "none"])
def test_posts_of_our_own_pages_are_not(client, path, site):
    assert client.post(path, headers={"Sec-Fetch-Site": site}).status_code != 403


def test_what_the_browser_says_of_the_site_goes_before_the_origin(client):
    def status(site, origin):
        headers = {"Sec-Fetch-Site": site, "Origin": origin}
        return client.post(f"/play/{CODE}/assisted", headers=headers).status_code

    assert status("same-origin", "https://elsewhere.example") == 303
    assert status("cross-site", "http://localhost") == 403


@each(
    "origin",
    [
        "https://elsewhere.example",
        "http://localhost:81",
        "http://localhost.elsewhere.example",
        "http://elsewhere.example/http://localhost",
        "http://localhost@elsewhere.example",
        "null",
        "",
        "localhost",
        "file://localhost",
        "http://[",
        "http://[::1]]",
        "http://",
        "http://localhost, http://elsewhere.example",
    ],
)
@each("path", [f"/play/{CODE}/slide", "/custom"])
def test_without_that_a_foreign_origin_is_refused(client, path, origin):
    assert client.post(path, headers={"Origin": origin}).status_code == 403


@pytest.mark.parametrize(
    ("origin", "base"),
    [
        ("http://localhost", "http://localhost"),
        ("https://localhost", "http://localhost"),  # a proxy ends TLS and does not say so
        ("http://localhost:8000", "http://localhost:8000"),
        ("https://slidewise.example", "https://slidewise.example/games"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_its_own_is_not(client, origin, base):
    response = client.post(f"/play/{CODE}/assisted", headers={"Origin": origin}, base_url=base)
    assert response.status_code == 303


def test_with_neither_it_is_no_browser_and_is_let_through(client):
    assert client.post(f"/play/{CODE}/assisted").status_code == 303


def test_a_click_from_another_site_changes_nothing(client):
    client.post(f"/play/{CODE}/slide", data={"tile": 5})
    for site in "cross-site", "same-site":
        client.post(f"/play/{CODE}/restart", headers={"Sec-Fetch-Site": site})
    assert markup.moves_of(markup.read(client.get(f"/play/{CODE}"))) == 1


@pytest.mark.parametrize("method", ["get", "head", "options"])
def test_anyone_may_look(client, method):
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": "https://elsewhere.example"}
    assert getattr(client, method)(f"/play/{CODE}", headers=headers).status_code == 200


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_other_methods_are_checked_too(client, method):
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert getattr(client, method)("/custom", headers=headers).status_code in {403, 405}
    assert getattr(client, method)("/custom").status_code == 405


def test_a_refusal_is_a_notice_for_htmx(client):
    headers = {**HTMX, "Sec-Fetch-Site": "cross-site"}
    response = client.post(f"/play/{CODE}/slide", headers=headers)
    assert response.status_code == 403
    assert response.headers["HX-Retarget"] == "#notice"


# Whose host it is


@pytest.mark.parametrize("path", ["/", "/custom", f"/play/{CODE}", "/nowhere", "/static/icon.svg"])
def test_a_host_that_is_not_ours_is_told_so(new_app, path):
    client = new_app(HOSTS="slidewise.example, .example.org").test_client()
    for base in "http://elsewhere.example", "http://slidewise.example.com", "http://localhost":
        response = client.get(path, base_url=base)
        assert response.status_code == 400
        assert response.mimetype == "text/plain"
        assert "Check the address" in response.text
        assert response.headers["Content-Security-Policy"] == POLICY
        assert client.post(path, base_url=base).status_code == 400


def test_one_that_is_ours_is_served(new_app):
    client = new_app(HOSTS="slidewise.example, .example.org").test_client()
    for base in (
        "http://slidewise.example",
        "https://slidewise.example:8443",
        "http://a.example.org",
    ):
        assert client.get("/custom", base_url=base).status_code == 200


@pytest.mark.parametrize("host", ["a b", "<b>", "", "x" * 5000, "[", "localhost:99999", "é"])
def test_an_odd_host_breaks_nothing(client, host):
    for path in (
        *("/custom", f"/play/{CODE}", "/nowhere", "/play/junk", "/play/123406758"),
        *("/api", "/api/nowhere", "/api/v1/puzzles/123406758", "/api/v1/openapi.json"),
    ):
        assert client.get(path, headers={"Host": host}).status_code < 500
