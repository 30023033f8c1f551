"""The whole space: boards by distance, the expansions of two searches, and one board."""

from collections import Counter

import pytest

from slidewise import exact_table, parse_board, parse_puzzle, search, solve
from slidewise.analysis.distance import size_facts
from slidewise.solver.events import Expanded
from tests.boards import HARDEST, UNSOLVABLE
from tests.web import markup
from tests.web.course.learn.learning import get
from tests.web.visitor import submit
from webapp.course.learn.space import choices

GOALS = {"last": "1.2.3-4.5.6-7.8.0", "first": "0.1.2-3.4.5-6.7.8"}
START = "7.2.4-5.0.6-8.3.1"
NEAR = "1.3.0-4.2.6-7.5.8"


def columns(page):
    """Return the columns of the table as numbers, without its foot."""
    lines = page.one("tbody").all("tr")
    rows = [[cell.text for cell in line.content if cell != " "] for line in lines]
    return [[int(text.replace(",", "")) for text in column] for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("goal", GOALS)
def test_boards_by_distance_are_those_of_the_facts(client, goal):
    page = get(client, "/space", goal=goal)
    distances, boards, *_ = columns(page)
    assert distances == list(range(32))
    assert tuple(boards) == size_facts(parse_board(GOALS[goal]))["counts"]


@pytest.mark.parametrize("goal", GOALS)
def test_expansions_by_distance_are_those_of_the_library(client, goal):
    second = "idastar:linear-conflict"
    puzzle = parse_puzzle(START, GOALS[goal])
    table = exact_table(puzzle.goal)
    *_, first, other = columns(get(client, "/space", start=START, goal=goal, a="astar", b=second))
    for column, run in ((first, "astar:manhattan"), (other, second)):
        algorithm, _, heuristic = run.partition(":")
        events = search(puzzle, algorithm, heuristic or None, trace=20_000)
        counted = Counter(table.distance(one.board) for one in events if isinstance(one, Expanded))
        assert column == [counted[distance] for distance in range(32)]


def test_foot_of_the_table_has_the_totals(client):
    foot = get(client, "/space", start=HARDEST, a="bfs", b="iddfs").one("tfoot")
    total = solve(parse_puzzle(HARDEST), "bfs").expanded
    assert foot.text == f"All 181,440 {total:,} 300,000 Solution 31 moves stopped"


def test_each_search_that_is_offered_can_be_shown(client):
    offered = [str(choice) for group in choices().values() for choice in group]
    assert len(offered) == 20
    for first, second in zip(offered[::2], offered[1::2], strict=True):
        page = get(client, "/space", start=NEAR, a=first, b=second)
        chosen = [one["value"] for one in page.all("option") if "selected" in one.attrs]
        assert chosen == ["last", first, second]
        assert page.one(id="space")["data-searches"] == f"{first} {second}"


@pytest.mark.parametrize(("board", "moves"), [(HARDEST, 31), ("1 2 3 4 5 6 7 0 8", 1), ("", 4)])
def test_board_has_its_distance_and_its_way(client, board, moves):
    facts = get(client, "/space", start=NEAR, board=board).one(id="board-facts")
    here = parse_board(board or NEAR)
    tiles = facts.one("span", **{"data-part": "tiles"}).text
    for tile in map(int, tiles.split()):
        here = here.slide(tile)
    assert str(here) == GOALS["last"]
    assert len(tiles.split()) == moves
    assert f"{moves} move" in facts.text


def test_board_is_found_without_javascript(client):
    response = client.get(f"/learn/space?start={START}")
    page = markup.read(response)
    assert "js-only" in page.one(id="space").classes
    button = page.one(id="find-board").one("button")
    found = markup.read(submit(client, response, button, board="1 3 0 4 2 6 7 5 8"))
    assert "4 moves from the goal" in found.one(id="board-facts").text
    assert found.one(id="space")["data-start"] == START


def test_goal_has_no_way_left(client):
    facts = get(client, "/space", start=GOALS["last"]).one(id="board-facts")
    assert "0 moves from the goal. Tiles to move, in order: none" in facts.text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"start": "<b>"}, "'<b>'"),
        ({"start": "1 2 3 0"}, "boards of 3x3, but 1.2-3.0 is 2x2"),
        ({"start": UNSOLVABLE}, "cannot reach the goal"),
        ({"board": UNSOLVABLE}, "cannot reach the goal"),
        ({"goal": "spiral"}, "Goal is last or first (where the blank is), found 'spiral'."),
        ({"a": "nonsense"}, "nonsense"),
        ({"a": "best"}, "The search best is not shown on this page"),
        ({"b": "astar:pdb"}, "The search astar:pdb is not shown on this page"),
        ({"b": "astar:=2*manhattan"}, "is not shown on this page"),
        ({"a": "bfs,dfs"}, "A must be one search, found 'bfs,dfs'."),
    ],
)
def test_wrong_input_is_400_and_named(client, query, words):
    page = get(client, "/space", status=400, **query)
    assert words in page.one(role="alert", class_="proof unproved").text
    assert page.one("input", name="start")["value"] == query.get("start", HARDEST)


def test_learn_and_watch_link_to_the_whole_space(client):
    links = [link["href"] for link in get(client).all("a")]
    assert "/learn/space" in links
    code = f"{START}_{GOALS['first']}"
    page = markup.read(client.get(f"/lab/{code}/watch?algorithm=greedy&heuristic=misplaced"))
    link = next(one["href"] for one in page.all("a") if one.text == "This search on all boards")
    shown = markup.read(client.get(link)).one(id="space")
    assert shown["data-searches"] == "greedy:misplaced bfs"
    assert (shown["data-start"], shown["data-goal"]) == (START, GOALS["first"])


@pytest.mark.parametrize(
    "path",
    [
        "/lab/4.2.0-5.1.3/watch",
        "/lab/2.7.4-5.0.6-8.3.1_1.2.3-8.0.4-7.6.5/watch",
        f"/lab/{START}/watch?algorithm=astar&heuristic=pdb",
        f"/lab/{NEAR}/watch?algorithm=astar&convention=aima4",
        f"/lab/{NEAR}/watch?algorithm=bfs&order=rlud",
        f"/lab/{NEAR}/watch?algorithm=dfs&depth=12",
        f"/lab/{NEAR}/watch?algorithm=wastar&weight=3",
    ],
)
def test_watch_links_to_no_search_that_the_space_lacks(client, path):
    page = markup.read(client.get(path))
    assert [one for one in page.all("a") if one.text == "This search on all boards"] == []
