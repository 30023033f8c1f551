"""The worksheet: the limits of searches that have them, boards that tell nothing, and phones."""

from __future__ import annotations

import pytest

from slidewise import algorithms
from slidewise.study.recording import is_recorded
from slidewise.study.worksheet import EXPANSIONS, worksheet
from tests.solver import oracle
from tests.web import markup

SIZES = {(2, 3): (1, 2, 3, 4, 5, 0), (3, 3): (1, 2, 3, 4, 5, 6, 7, 8, 0)}
SEEDS = ("1", "anna", "bert")


def sheet(client, **query):
    response = client.get("/learn/worksheet", query_string={"seed": "anna", **query})
    assert response.status_code == 200
    return markup.read(response)


def by_hand(size, seed, run):
    return worksheet(*size, seed, (run,)).searches[0]


def told(one):
    return [(line.limit, line.board.cells) for line in one.lines]


class Enough(Exception):
    """So many expansions are on a sheet."""


def noting(lines, limit, cells):
    if len(lines) == EXPANSIONS:
        raise Enough
    lines.append((str(limit), cells))


def deepening(start, goal, rows, cols, h):
    """Return (limit, state) of the first expansions; of plain iterative deepening without `h`."""
    lines = []

    def search(cells, before, g, limit):
        if cells == goal:
            raise Enough
        if h is None and g == limit:
            return g + 1
        noting(lines, limit, cells)
        above = float("inf")
        for new in oracle.successors(cells, rows, cols):
            if new != before:
                f = g + 1 + (h(new) if h else 0)
                above = min(above, search(new, cells, g + 1, limit) if f <= limit else f)
        return above

    limit = h(start) if h else 0
    try:
        while True:
            limit = search(start, None, 0, limit)
    except Enough:
        return lines


def recursive(start, goal, rows, cols, h):
    """Return (f-limit, state) of the first expansions of recursive best-first search."""
    lines = []

    def search(cells, before, g, stored, limit):
        if cells == goal:
            raise Enough
        noting(lines, "∞" if limit == float("inf") else limit, cells)
        made = []
        for place, new in enumerate(oracle.successors(cells, rows, cols)):
            if new != before:
                f = g + 1 + h(new)
                made.append([max(f, stored) if stored > g + h(cells) else f, place, new])
        while True:
            made.sort()
            if made[0][0] > limit:
                return made[0][0]
            other = made[1][0] if len(made) > 1 else float("inf")
            f, _, new = made[0]
            made[0][0] = search(new, cells, g + 1, f, min(limit, other))

    try:
        search(start, None, 0, h(start), float("inf"))
    except Enough:
        return lines


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", SIZES)
def test_the_limits_are_those_of_an_independent_search(size, seed):
    goal = SIZES[size]

    def h(cells):
        return oracle.manhattan(cells, goal, size[1])

    for run, search, estimate in (
        ("iddfs", deepening, None),
        ("idastar:manhattan", deepening, h),
        ("rbfs:manhattan", recursive, h),
    ):
        one = by_hand(size, seed, run)
        expected = search(one.puzzle.start.cells, goal, *size, estimate)
        assert expected
        assert told(one) == expected
        assert one.limit == ("f-limit" if estimate else "depth limit")
        assert "straight back is left out" in one.note


@pytest.mark.parametrize("key", [key for key, one in algorithms().items() if is_recorded(one)])
def test_there_is_a_column_for_limits_where_there_are_limits(client, key):
    page = sheet(client, size="2x3", run=key, answers="yes")
    one = by_hand((2, 3), "anna", key)
    for part in ("questions", "answers"):
        table = page.one(id=part).all("table")[-1]
        heads = [head.text for head in table.one("thead").all("th")]
        assert bool(one.limit) == any("limit" in head for head in heads)
        for row in table.one("tbody").all("tr"):
            names = [cell["data-label"] for cell in row.all("td")]
            assert names == heads
    if one.limit:
        rows = page.one(id="answers").all("table")[-1].one("tbody").all("tr")
        shown = [row.one("td", data_label=one.limit_heading).text for row in rows]
        assert shown == [line.limit for line in one.lines]
    assert one.note in page.one(id="questions").text


def test_rbfs_begins_without_a_limit():
    assert by_hand((3, 3), "anna", "rbfs:manhattan").lines[0].limit == "∞"


def test_no_board_tells_which_tiles_are_at_home(client):
    page = sheet(client, answers="yes").one("main")
    assert not [one for one in page.inside if {"tile", "home"} & set(one.classes)]
    boards = page.all(role="img")
    assert len(boards) > 20
    for board in boards:
        assert len(board.all("b")) == 8
        assert not [one for one in board.all("b") if one.attrs]


def test_the_teacher_s_sheet_is_the_same_with_answers(client):
    page = sheet(client, size="2x3", run=["iddfs", "dfs"])
    (link,) = [one["href"] for one in page.one("main").all("a") if "answers=yes" in one["href"]]
    with_answers = markup.read(client.get(link))
    assert with_answers.one(id="answers")
    assert with_answers.one(id="questions").text == page.one(id="questions").text


def test_teachers_get_both_links(client):
    page = markup.read(client.get("/learn/teachers?start=123456708&seed=anna"))
    links = [one["value"] for one in page.one(id="links").all("input", type="text")]
    sheets = [link for link in links if "/worksheet" in link]
    assert [("answers=yes" in link, "seed=anna" in link) for link in sheets] == [
        (False, True),
        (True, True),
    ]
