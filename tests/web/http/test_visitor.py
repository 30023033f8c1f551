"""Visitors: their cookie, and limits shared by an address."""

from tests.boards import TWO_MOVES as EASY
from tests.each import each
from tests.web.cookies import cookies_of
from tests.web.streams import HTMX
from webapp.http.visitor import COOKIE, current_visitor

CLASS = 30


def new_cookie(app):
    """Return the cookie that a browser receives with its first page."""
    return cookies_of(app.test_client().get(f"/play/{EASY}"))[COOKIE]


def test_first_page_sets_the_cookie_of_the_visitor(app):
    client = app.test_client()
    first = cookies_of(client.get("/gallery"))[COOKIE]
    assert first["path"] == "/"
    assert first["httponly"]
    assert first["samesite"] == "Lax"
    assert "Set-Cookie" not in client.get("/gallery").headers
    assert new_cookie(app).value != first.value


@each(
    ("path", "headers"),
    [
        *((path, {}) for path in ("/", "/static/css/base.css", "/nowhere", "/api")),
        *((f"/board/{EASY}.{kind}", {}) for kind in ("svg", "png")),
        ("/gallery", HTMX),
    ],
)
def test_response_that_is_no_page_sets_no_cookie(client, path, headers):
    with client.get(path, headers=headers) as response:
        assert COOKIE not in cookies_of(response)


def visitor_of(app, cookie=None, address="192.0.2.7"):
    headers = {"Cookie": f"{COOKIE}={cookie}"} if cookie else {}
    with app.test_request_context("/", headers=headers, environ_base={"REMOTE_ADDR": address}):
        return current_visitor()


def test_visitor_without_cookie_counts_by_address(app, new_app):
    foreign = new_cookie(new_app(SECRET_KEY="another one" * 4)).value
    for cookie in None, "forged", "forged.by-hand", foreign:
        assert visitor_of(app, cookie) == ("192.0.2.7", "192.0.2.7")
    own = new_cookie(app).value
    assert visitor_of(app, own) == (own.rpartition(".")[0], "192.0.2.7")
    same = "2001:db8::1", "2001:db8::ffff", "2001:db8:0:ff::1"
    assert len({visitor_of(app, None, address) for address in same}) == 1, "one network of /56"
    assert visitor_of(app, None, "2001:db8:0:100::1") != visitor_of(app, None, same[0])


def test_cookie_signed_with_an_old_key_is_read(app, new_app):
    signed = new_cookie(app).value
    rotated = new_app(SECRET_KEY="another one" * 4, SECRET_KEY_FALLBACKS=app.config["SECRET_KEY"])
    assert visitor_of(rotated, signed) == visitor_of(app, signed)


def test_class_behind_one_address_can_solve_at_once(new_app, solve):
    app = new_app(MAX_STREAMS=64, STREAMS_PER_VISITOR=1)
    readers = [
        solve(EASY, app=app, visitor="192.0.2.7", cookies={COOKIE: new_cookie(app).value})
        for _ in range(CLASS)
    ]
    assert [reader.response.status_code for reader in readers] == [200] * CLASS
    for reader in readers:
        reader.wait_for("#verdict", "Proved shortest")
