"""Helpers that read the learn pages and run their searches."""

from slidewise import algorithms, heuristics, parse_puzzle, solve
from slidewise.course.searching import record_search
from tests.web import markup

KEYS = [*algorithms(), *heuristics()]
PAGES = ["puzzle", "puzzle/parity", *KEYS]

GOALS = {(2, 3): (1, 2, 3, 4, 5, 0), (3, 3): (1, 2, 3, 4, 5, 6, 7, 8, 0)}
"""The cells of the goal of each worksheet size that an oracle can check."""
SEEDS = ("1", "anna", "bert")


def get(client, path="", status=200, **query):
    response = client.get(f"/learn{path}", query_string=query or None)
    assert response.status_code == status, response.text[:300]
    return markup.read(response)


def expanded(code, algorithm, heuristic=None, **options):
    return solve(parse_puzzle(code), algorithm, heuristic, **options).expanded


def recorded(code, algorithm, heuristic=None, weight=None):
    """Return the recording of a search, as long as that of the viewer."""
    options = {"weight": weight} if weight else {}
    return record_search(parse_puzzle(code), algorithm, heuristic, last=0, **options)


def spoken(board):
    """Return the label of a board for screen readers."""
    tiles = [str(tile or "blank") for tile in board.cells]
    rows = range(0, len(tiles), board.cols)
    return "Board: " + "; ".join(" ".join(tiles[first : first + board.cols]) for first in rows)
