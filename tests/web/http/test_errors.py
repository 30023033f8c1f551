import re
from urllib.parse import quote_from_bytes

import pytest

from tests.each import each
from tests.web import markup
from tests.web.kinds import CODE
from tests.web.streams import HTMX
from tests.web.visitor import Visitor
from webapp.http.errors import error_response
from webapp.workers.budgets import CHEAP_BYTES

FORMS = {
    f"/play/{CODE}/slide": ["tile"],
    f"/play/{CODE}/play-on": ["start", "moves"],
    f"/play/{CODE}/solve": ["board", "algorithm", "heuristic"],
    f"/play/{CODE}/solve/stop": ["job"],
    "/custom": ["start", "goal", "size"],
}


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("path", "status", "title"),
    [
        ("/nowhere", 404, "Page not found"),
        ("/play/junk", 400, "Please check this"),
        ("/play/1.2.3-4.5.6-7.8.9", 400, "Please check this"),
        (f"/replay/{CODE}?moves=UL&step=x", 400, "Please check this"),
        (f"/play/{CODE}/slide", 405, "This address is not a page"),
    ],
)
def test_error_is_a_page_with_links(client, path, status, title):
    response = client.get(path)
    assert response.status_code == status
    page = markup.read(response)
    assert page.one("h1").text == title
    assert page.one("title").text == f"{title} · Slidewise"
    assert {"/new", "/custom"} <= {link["href"] for link in page.one("main").all("a")}
    assert "HX-Retarget" not in response.headers, "that is for a notice"


def test_error_for_htmx_is_a_notice(client):
    response = client.get("/play/junk", headers=HTMX)
    assert response.status_code == 400
    assert response.headers["HX-Retarget"] == "#notice"
    assert response.headers["HX-Reswap"] == "innerHTML"
    notice = markup.read(response)
    assert notice.content[0].classes == {"notice"}
    assert not notice.all("html")


def test_message_is_a_sentence_that_quotes_the_input(client):
    words = markup.read(client.get("/play/1.2.3-4.5.6-7.8")).one("main").text
    assert ", row 3 has 2; write 0 for the blank: '1.2.3-4.5.6-7.8'." in words


def test_error_without_its_own_text_has_a_default(app):
    with app.test_request_context("/"):
        response = error_response(418)
    assert response.status_code == 418
    assert "Error 418" in markup.read(response).one("h1").text


def test_internal_error_is_a_page(new_app):
    app = new_app(TESTING=False, PROPAGATE_EXCEPTIONS=False)
    app.add_url_rule("/broken", view_func=lambda: 1 / 0)
    app.logger.disabled = True
    try:
        for headers in {}, HTMX:
            response = app.test_client().get("/broken", headers=headers)
            assert response.status_code == 500
            assert "It is our fault, not yours" in response.text
            assert "ZeroDivisionError" not in response.text
            assert ("Content-Security-Policy" in response.headers) == (headers == {})
    finally:
        app.logger.disabled = False


KNOWN = {"/custom": {"GET", "POST"}, f"/play/{CODE}/undo": {"POST"}}
LOOKED_AT = ["/", "/new", f"/play/{CODE}", f"/replay/{CODE}", f"/board/{CODE}.svg"]
KNOWN |= {path: {"GET"} for path in LOOKED_AT}


@each("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", KNOWN)
def test_every_method_has_an_answer(client, path, method):
    response = client.open(path, method=method)
    assert (response.status_code != 405) == (method in KNOWN[path])
    assert response.status_code < 500
    if response.status_code == 405:
        assert set(response.allow) >= KNOWN[path], "what is allowed instead is told"


LONG_BODIES = [
    {"data": {"tile": "5" * 140_000}},
    {"data": b"x" * 140_000, "content_type": FORM},
    {"data": {"tile": "5" * 140_000}, "content_type": "multipart/form-data"},
    {
        "data": {f"field{number}": "x" for number in range(100)},
        "content_type": "multipart/form-data",
    },
]


@each("headers", [{}, HTMX])
@each("path", FORMS)
@each("body", LONG_BODIES)
def test_too_long_body_is_413(client, path, headers, body):
    response = client.post(path, headers=headers, **body)
    assert response.status_code == 413
    assert "Send less" in response.text


def test_body_just_below_the_limit_is_read(client):
    response = client.post(f"/play/{CODE}/play-on", data={"start": CODE, "moves": "U" * 120_000})
    assert response.status_code == 400
    clicks = client.post(f"/play/{CODE}/slide", data={"tile": "5" * (CHEAP_BYTES - 10)})
    assert clicks.status_code == 422


def test_longest_form_of_clicks_is_short(client):
    for path in f"/play/{CODE}/slide", f"/play/{CODE}/undo", "/custom":
        assert client.post(path, data=b"%ff" * CHEAP_BYTES, content_type=FORM).status_code == 413


LONG_MOVES = [f"U{'9' * 100_000}", "U999" * 1000, "9" * 100_000, "9+" * 50_000, "U" * 300_000]
LONG_CODES = ["9" * 100_000, "1.2.3-" * 5000, "[" * 5000, "_" * 5000, "1_" * 3000]


@each(
    ("path", "status"),
    [
        *((f"/replay/{CODE}?moves={moves}", 400) for moves in LONG_MOVES),
        (f"/replay/{CODE}?moves=UL&step={'9' * 100_000}", 200),
        (f"/replay/{CODE}?algorithm={'a' * 100_000}", 400),
        *((f"/play/{code}", 400) for code in LONG_CODES),
        (f"/board/{'9' * 100_000}.svg", 400),
        (f"/new?seed={'s' * 65}", 400),
        (f"/new?size={'9' * 100_000}", 400),
        (f"/custom?start={'9' * 100_000}", 200),
        (f"/custom?start={CODE}&size={'9' * 100_000}", 200),
        (f"/{'x' * 100_000}", 404),
        (f"/static/{'x' * 5000}", 404),
    ],
)
def test_very_long_input_has_a_short_answer(client, path, status):
    response = client.get(path)
    assert response.status_code == status
    if not re.search("/custom|moves=", path) and status != 200:  # forms show the input again
        assert len(response.data) < 30_000


@pytest.mark.parametrize("odd", [b"\0", b"\xed\xa0\x80", b"%\r\n+", b"'\"<>&"], ids=repr)
def test_odd_bytes_fail_no_request(client, odd):
    text = quote_from_bytes(odd)
    for path in (
        *(f"/{text}", f"/static/{text}", f"/static/css/{text}.css", f"/play/{text}"),
        *(f"/play/{CODE}{text}", f"/play/{CODE}/{text}", f"/board/{text}.svg", f"/replay/{text}"),
        *(f"/new?size={text}", f"/new?seed={text}"),
        f"/custom?start={text}&goal={text}&size={text}",
        *(f"/replay/{CODE}?moves={text}", f"/replay/{CODE}?moves=UL&step={text}"),
        *(f"/play/{CODE}?{text}={text}", f"/play/123406758?{text}={text}&a={text}"),
    ):
        with client.get(path) as response:
            assert response.status_code < 500, path
    for path, fields in FORMS.items():
        for field in fields:
            for data in f"{field}={text}".encode(), f"{field}=".encode() + odd, odd:
                with client.post(path, data=data, content_type=FORM) as response:
                    assert response.status_code < 500, (path, data)


def test_invalid_utf8_in_a_form_is_400_and_shown(client):
    response = client.post("/custom", data=b"start=1+2+%FF", content_type=FORM)
    assert response.status_code == 400
    shown = markup.read(response).one(id="start").text
    assert shown in {"1 2 %FF", "1 2 \N{REPLACEMENT CHARACTER}"}


@each("path", [f"/play/{CODE}/slide", "/custom", f"/play/{CODE}/play-on"])
@each(
    ("data", "content_type"),
    [
        *((data, None) for data in (b"", b"tile=5")),
        (b"tile=5", "text/plain"),
        (b'{"tile": 5}', "application/json"),
        (b"--x\r\nno header", "multipart/form-data; boundary=x"),
        (b"--x", "multipart/form-data"),
        (b"\0" * 100, "multipart/form-data; boundary=x"),
        *((b"tile=5", f"{FORM}; charset={charset}") for charset in ("utf-7", "nothing")),
    ],
)
def test_body_of_another_kind_fails_nothing(client, path, data, content_type):
    assert client.post(path, data=data, content_type=content_type).status_code < 500


def test_first_value_of_a_repeated_field_counts(client):
    page = Visitor(client, CODE).click("slide", tile=["5", "4"])
    assert markup.board_of(page) == "1.2.3-4.5.6-7.0.8"
    location = client.get("/new?size=2x2&size=3x3&seed=1&seed=2").location
    assert location == client.get("/new?size=2x2&seed=1").location
    assert client.get(f"/replay/{CODE}?moves=UL&moves=R9&step=1&step=x").status_code == 200
