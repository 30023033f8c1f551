"""What the tests of the game share: what a page fetches later, and pools that never answer."""

from concurrent.futures import Future

from tests.web import markup
from tests.web.streams import HTMX, PATIENCE, until
from tests.web.visitor import Visitor


def fetch(client, code, board=None, **query):
    """Return the moves to go as a page fetches them."""
    query = {"board": board or code, "try": "1", **query}
    return Visitor(client, code).look("to-go", htmx=True, **query)


def fetch_known(client, code, **query):
    """Fetch until the answer says that it is all there is; the first of all has to compile."""
    return _awaited(
        lambda: fetch(client, code, **query), lambda page: "hx-get" not in next(page.inside).attrs
    )


def figure(page):
    """Return the moves left with their words."""
    element = page.one(id="to-go")
    return f"{element.one('dd').text} {element.one('dt').text}"


def review(client, code, **query):
    """Return the review once it is worked out, as the page fetches it."""

    def asked():
        response = client.get(f"/play/{code}/review", query_string=query, headers=HTMX)
        assert response.status_code == 200
        query.setdefault("try", 1)
        return markup.read(response)

    return _awaited(asked, lambda page: not page.all(id="review-pending"))


def row(page, number):
    return page.one(id=f"move-{number}").text


def _awaited(ask, done):
    def answered():
        page = ask()
        return page if done(page) else None

    page = until(answered, PATIENCE)
    assert page, "it never came"
    return page


class Awaited(Future):
    """An answer to come, with the number of threads that began to wait for it."""

    waits = 0

    def result(self, timeout=None):
        self.waits += 1
        return super().result(timeout)


class Silent:
    """A pool that never answers; `asked` are the questions and their answers."""

    def __init__(self):
        self.calls = self
        self.asked = []

    def submit(self, queue, function, question, *args, timeout):
        self.asked.append((question, Awaited()))
        return self.asked[-1][1]
