"""What a visitor loads for a game, compressed as it is sent."""

import re
from urllib.parse import urljoin

from tests.boards import HARDEST
from tests.web import markup

MAX_KILOBYTES = 89
"""Of the page with all it loads, without the font and without tables, which are computed."""

WHEN_LOADED = ("js/play/new.js", "js/play/goal.js")
"""Modules that `app.js` loads at once on a game's page."""


def loaded(client, page):
    """Return the sizes of a page and of all its styles and scripts, by name."""
    sizes = {}
    waiting = [page]
    while waiting:
        url = waiting.pop()
        if url in sizes:
            continue
        with client.get(url, headers={"Accept-Encoding": "br"}) as response:
            sizes[url] = len(response.data)
        with client.get(url, headers={"Accept-Encoding": "identity"}) as response:
            text = response.text
        if url == page:
            read = markup.read(text)
            waiting += [one["src"] for one in read.all("script") if "src" in one.attrs]
            styles = [one for one in read.all("link") if one["rel"] == "stylesheet"]
            waiting += [one["href"] for one in styles]
        elif url.endswith(".js"):
            waiting += [
                urljoin(url, name) for name in re.findall(r'^import .*"(.+)";$', text, re.M)
            ]
        if url.endswith("js/app.js"):
            waiting += [url.replace("js/app.js", name) for name in WHEN_LOADED]
    return sizes


def test_game_with_all_that_it_loads_is_small(client):
    sizes = loaded(client, f"/play/{HARDEST}")
    assert len(sizes) > 20
    by_size = sorted(sizes.items(), key=lambda one: -one[1])
    assert sum(sizes.values()) <= 1000 * MAX_KILOBYTES, by_size
