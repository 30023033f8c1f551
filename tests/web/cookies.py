"""Plain requests that play a game, and the cookies of the responses."""

from http.cookies import SimpleCookie

from tests.web import markup
from tests.web.streams import HTMX

GAME, LAST = "slidewise_game", "slidewise_last"


def slide(client, code, tile, **request):
    return client.post(f"/play/{code}/slide", data={"tile": tile}, headers=HTMX, **request)


def shown(client, code, **request):
    return markup.board_of(markup.read(client.get(f"/play/{code}", **request)))


def cookies_of(response):
    """Return the cookies that a response sets as {name: morsel}."""
    jar = SimpleCookie()
    for header in response.headers.getlist("Set-Cookie"):
        jar.load(header)
    return jar
