"""Visitors: their cookie, and what they share with others behind the same address."""

from tests.boards import TWO_MOVES as EASY
from tests.each import each
from tests.web.cookies import cookies_of
from tests.web.streams import HTMX
from webapp.http.visitor import COOKIE, current_visitor

CLASS = 30


def introduced(app):
    """Return the cookie that a browser gets with its first page."""
    return cookies_of(app.test_client().get(f"/play/{EASY}"))[COOKIE]


def test_a_browser_gets_its_cookie_with_the_first_page_and_keeps_it(app):
    client = app.test_client()
    first = cookies_of(client.get("/gallery"))[COOKIE]
    assert first["path"] == "/"
    assert first["httponly"]
    assert first["samesite"] == "Lax"
    assert "Set-Cookie" not in client.get("/gallery").headers
    assert introduced(app).value != first.value


@each(
    ("path", "headers"),
    [
        *((path, {}) for path in ("/", "/static/css/base.css", "/nowhere", "/api")),
        *((f"/board/{EASY}.{kind}", {}) for kind in ("svg", "png")),
        ("/gallery", HTMX),
    ],
)
def test_what_is_no_page_for_a_browser_sets_none(client, path, headers):
    with client.get(path, headers=headers) as response:
        assert COOKIE not in cookies_of(response)


def asker(app, cookie=None, address="192.0.2.7"):
    headers = {"Cookie": f"{COOKIE}={cookie}"} if cookie else {}
    with app.test_request_context("/", headers=headers, environ_base={"REMOTE_ADDR": address}):
        return current_visitor()


def test_visitor_without_cookie_counts_by_address(app, new_app):
    foreign = introduced(new_app(SECRET_KEY="another" * 5)).value
    for cookie in None, "forged", "forged.by-hand", foreign:
        assert asker(app, cookie) == ("192.0.2.7", "192.0.2.7")
    own = introduced(app).value
    assert asker(app, own) == (own.rpartition(".")[0], "192.0.2.7")
    assert asker(app, None, "2001:db8::1") == asker(app, None, "2001:db8::ffff")


def test_a_cookie_that_an_old_key_has_signed_is_read(app, new_app):
    kept = introduced(app).value
    rotated = new_app(SECRET_KEY="another" * 5, SECRET_KEY_FALLBACKS=app.config["SECRET_KEY"])
    assert asker(rotated, kept) == asker(app, kept)


def test_a_class_behind_one_address_presses_solve_at_once_and_all_are_answered(new_app, solve):
    app = new_app(MAX_STREAMS=64, STREAMS_PER_VISITOR=1)
    readers = [
        solve(EASY, app=app, visitor="192.0.2.7", cookies={COOKIE: introduced(app).value})
        for _ in range(CLASS)
    ]
    assert [reader.response.status_code for reader in readers] == [200] * CLASS
    for reader in readers:
        reader.wait_for("#verdict", "Proved shortest")
