"""A visitor at a puzzle, who opens its pages and clicks its tiles."""

from tests.web import markup
from tests.web.streams import HTMX


class Visitor:
    """A visitor at one puzzle, with or without JavaScript. `response` is the last response."""

    def __init__(self, client, code, *, htmx=True):
        self.client, self.code, self.htmx = client, code, htmx
        self.response = None

    def look(self, what="", *, status=200, htmx=False, **query):
        """Return the page of the game, or one below its URL."""
        path = f"/play/{self.code}/{what}".rstrip("/")
        headers = HTMX if htmx else {}
        self.response = self.client.get(path, query_string=query, headers=headers)
        assert self.response.status_code == status, self.response.text[:300]
        return markup.read(self.response)

    def click(self, what, **form):
        """Post a click; return the fragment, or the page after the redirect."""
        path = f"/play/{self.code}/{what}"
        self.response = self.client.post(path, data=form, headers=HTMX if self.htmx else {})
        if self.htmx or self.response.status_code != 303:
            return markup.read(self.response)
        assert self.response.location.partition("#")[0] == f"/play/{self.code}"
        return markup.read(self.client.get(self.response.location))

    def slide(self, *tiles, **form):
        """Click tiles one after the other; return the last page or fragment."""
        for tile in tiles:
            page = self.click("slide", tile=tile, **form)
        return page
