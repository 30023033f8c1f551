"""Reading the pages to learn from."""

from __future__ import annotations

from slidewise import algorithms, heuristics, parse_puzzle, solve
from tests.web import markup

KEYS = [*algorithms(), *heuristics()]
PAGES = ["puzzle", *KEYS]


def get(client, path="", status=200, **query):
    response = client.get(f"/learn{path}", query_string=query)
    assert response.status_code == status, response.text[:300]
    return markup.read(response)


def by_id(page, name):
    return page.one(id=name)


def expanded(code, algorithm, heuristic=None, **options):
    return solve(parse_puzzle(code), algorithm, heuristic, **options).expanded
