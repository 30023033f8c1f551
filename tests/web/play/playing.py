"""Helpers for tests of the game: parts that a page fetches later, and pools that never answer."""

from concurrent.futures import Future

from tests.web import markup
from tests.web.streams import HTMX, PATIENCE, until
from tests.web.visitor import Visitor


def fetch(client, code, board=None, **query):
    """Return the moves left as a page fetches them."""
    query = {"board": board or code, "try": "1", **query}
    return Visitor(client, code).look("to-go", htmx=True, **query)


def fetch_known(client, code, **query):
    """Fetch until the answer is final. The first call of all waits for the compiler."""
    return _poll(
        lambda: fetch(client, code, **query), lambda page: "hx-get" not in next(page.inside).attrs
    )


def figure(page):
    """Return the moves left with their label."""
    element = page.one(id="to-go")
    return f"{element.one('dd').text} {element.one('dt').text}"


def review(client, code, **query):
    """Return the finished review as the page fetches it."""

    def fetch_review():
        response = client.get(f"/play/{code}/review", query_string=query, headers=HTMX)
        assert response.status_code == 200
        query.setdefault("try", 1)
        return markup.read(response)

    return _poll(fetch_review, lambda page: not page.all(id="review-pending"))


def row(page, number):
    return page.one(id=f"move-{number}").text


def _poll(fetch_page, done):
    def attempt():
        page = fetch_page()
        return page if done(page) else None

    page = until(attempt, PATIENCE)
    assert page, "it never came"
    return page


class CountedFuture(Future):
    """A pending answer that counts the threads waiting for it."""

    waits = 0

    def result(self, timeout=None):
        self.waits += 1
        return super().result(timeout)


class SilentPool:
    """A pool that never answers. `submitted` holds the arguments and the futures."""

    def __init__(self):
        self.calls = self
        self.submitted = []

    def submit(self, queue, function, question, *args, timeout):
        self.submitted.append((question, CountedFuture()))
        return self.submitted[-1][1]
