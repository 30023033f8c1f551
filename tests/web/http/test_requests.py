from urllib.parse import quote

from tests.boards import TEXTBOOK as WITH_GOAL
from tests.boards import TWO_MOVES as CODE
from tests.each import each
from tests.web import markup
from tests.web.streams import HTMX

SPELLINGS = [
    ("1%2E2.3-4.0.6-7.5.8", CODE),
    ("%31.2.3-4.0.6-7.5.8", CODE),
    ("01.2.3-4.0.6-7.5.8", CODE),
    ("1.2.3-4.0.6-7.5.8%20", CODE),
    ("%0A1.2.3-4.0.6-7.5.8", CODE),
    ("1 2 3 4 x 6 7 5 8", CODE),
    ("7.2.4-5.0.6-8.3.1_012345678", WITH_GOAL),
]
"""Spellings beside those in `golden_links.txt`."""


@each(("spelling", "code"), SPELLINGS)
@each("path", ["/play/{}", "/replay/{}", "/board/{}.svg"])
def test_other_spelling_is_redirected_to_the_canonical_one(client, path, spelling, code):
    response = client.get(path.format(spelling))
    assert response.status_code == 308
    assert response.location == path.format(code)
    for canonical in response.location, f"{response.location}?x=1":
        assert client.get(canonical).status_code == 200


@each(
    ("method", "rest"),
    [
        *(("get", f"?{query}") for query in ("algorithm=bfs", "moves=U2&step=1", "x", "x=1?y=2")),
        *(("get", f"?{query}") for query in ("a=%2F%20%C3%A4&a=2", "b=%00")),
        *(
            ("post", click)
            for click in ("/slide?x=1", "/undo", "/solve", "/solve/stop", "/play-on")
        ),
    ],
)
def test_redirect_keeps_click_and_query(client, method, rest):
    response = getattr(client, method)(f"/play/123406758{rest}")
    assert (response.status_code, response.location) == (308, f"/play/{CODE}{rest}")


def test_redirected_post_stays_a_post(client):
    slide = {"data": {"tile": "5"}, "headers": HTMX, "follow_redirects": True}
    followed = client.post("/play/1%2E2.3-4.0.6-7.5.8/slide", **slide)
    assert followed.status_code == 200
    assert markup.board_of(markup.read(followed)) == "1.2.3-4.5.6-7.0.8"


HERE = f"/play/{CODE}"


@each(
    ("raw", "status", "location"),
    [
        *((f"{host}{HERE}", 200, None) for host in ("", "http://localhost", "//localhost")),
        *((f"{host}{HERE}?a=b", 200, None) for host in ("", "http://localhost", "//localhost")),
        *((odd, 308, HERE) for odd in ("//[/play/x", "http://[", "", "?", "*", "http://[::1/x?y")),
    ],
)
def test_raw_url_of_any_form_is_read(client, raw, status, location):
    response = client.get(HERE, environ_overrides={"RAW_URI": raw})
    assert (response.status_code, response.location) == (status, location)


@each(
    "text",
    [
        *("junk", "1.2.3-4.0.6-7.5", "1.2.3-4.0.6-7.5.5", "0", "0.1", "1" * 5000),
        "1.2.3-4.0.6-7.5.8_1.2-3.0",
        "1.2.3-4.0.6-7.5.8_1.2.3-4.5.6-7.8.0_1",
        "\N{ARABIC-INDIC DIGIT ONE}",
        "<script>alert(1)</script>",
        *("\0", "%", ".."),
    ],
)
def test_unreadable_puzzle_is_400_or_404(client, text):
    response = client.get(f"/play/{quote(text)}")
    assert response.status_code in {400, 404}
    page = markup.read(response)
    assert not page.all(id="play")
    assert page.all("a", href="/custom")
    assert not page.all("script", src=None), "what was typed is text in the page"
