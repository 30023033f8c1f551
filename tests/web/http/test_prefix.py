"""Apps under a prefix and behind a proxy."""

from tests.web import markup
from tests.web.cookies import GAME, LAST, cookies_of, shown, slide

ONE, OTHER = "1.2.3-4.0.6-7.5.8", "1.2.3.4-5.6.7.8-9.10.0.12-13.14.11.15"


def test_cookies_and_links_have_the_prefix(app):
    client, under = app.test_client(), {"base_url": "http://localhost/games/slide"}
    response = slide(client, ONE, 5, **under)
    cookies = cookies_of(response)
    assert cookies[GAME]["path"] == f"/games/slide/play/{ONE}"
    assert cookies[LAST]["path"] == "/games/slide/"
    assert shown(client, ONE, **under) == "1.2.3-4.5.6-7.0.8"
    assert client.get("/", **under).location == f"/games/slide/play/{ONE}"

    for path in f"/play/{ONE}", f"/replay/{ONE}?moves=UL", "/nowhere", "/play/1.2.3-8.0.4-7.6.5":
        page = markup.read(client.get(path, **under))
        links = [
            element[name]
            for element in page.inside
            for name in ("href", "src", "action", "formaction", "hx-post", "hx-get")
            if name in element.attrs
        ]
        assert len(links) > 8
        for link in links:
            assert link.startswith(("/games/slide/", "#")), link


def test_redirects_have_the_prefix(app):
    client, under = app.test_client(), {"base_url": "http://localhost/games/slide"}
    assert client.get("/new?size=3x3", **under).location.startswith("/games/slide/play/")
    assert client.get("/play/123406758", **under).location == f"/games/slide/play/{ONE}"
    plain = client.post(f"/play/{ONE}/slide", data={"tile": 5}, **under)
    assert plain.location == f"/games/slide/play/{ONE}#t5"
    solved = client.post(f"/play/{ONE}/solve", data={"board": ONE}, **under)
    assert solved.location == f"/games/slide/replay/{ONE}?moves=UL"


def test_trusted_proxy_sets_prefix_scheme_and_host(new_app):
    forwarded = {
        "X-Forwarded-Prefix": "/games",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "slidewise.example",
    }
    behind = new_app(PROXIES=1).test_client()
    page = markup.read(behind.get(f"/play/{ONE}/share", headers=forwarded))
    assert page.one(id="link-to-puzzle")["value"] == f"https://slidewise.example/games/play/{ONE}"
    response = behind.post(f"/play/{ONE}/slide", data={"tile": 5}, headers=forwarded)
    assert cookies_of(response)[GAME]["path"] == f"/games/play/{ONE}"


def test_untrusted_proxy_sets_nothing(client):
    forwarded = {"X-Forwarded-Prefix": "/games", "X-Forwarded-Host": "elsewhere.example"}
    page = markup.read(client.get(f"/play/{ONE}/share", headers=forwarded))
    assert page.one(id="link-to-puzzle")["value"] == f"http://localhost/play/{ONE}"
