"""Levels: the list, the game of a level, and the link to the next level."""

from itertools import pairwise

import pytest

from slidewise import parse_puzzle, solve, steps
from tests.analysis.test_by_hand import abstract_distance
from tests.each import each
from tests.web import markup
from tests.web.streams import HTMX
from webapp.play.levels import GROUPS, LEVELS


def play(client, number, **request):
    path = f"/play/{LEVELS[number - 1].code}"
    return markup.read(client.get(path, query_string={"level": number}, **request))


def test_list_has_all_levels_with_their_moves(client):
    page = markup.read(client.get("/levels"))
    links = [link for link in page.all("a") if link.get("data-level")]
    assert [link["href"] for link in links] == [
        f"/play/{level.code}?level={number}" for number, level in enumerate(LEVELS, 1)
    ]
    assert [link.all("span")[0].text for link in links] == [f"{one.moves} moves" for one in LEVELS]
    assert page.one(id="level-next")["href"] == links[0]["href"]
    heads = [head.text for head in page.one("main").all("h2")]
    assert [head.split(" 2")[0].split(" 3")[0].split(" 4")[0] for head in heads] == [
        group.title for group in GROUPS
    ]


def test_game_of_a_level_names_it_and_leads_back(client):
    page = play(client, 12)
    assert page.one(id="of-level").text == "Level 12 · all levels"
    assert page.one(id="of-level").one("a")["href"] == "/levels"
    assert page.one("input", name="level")["value"] == "12"
    assert page.one(id="solve-button")["aria-describedby"] == "no-stars"
    assert page.one(id="no-stars").text.startswith("A try with help earns no stars.")
    assert page.one(id="new-game")["data-next-url"] == f"/play/{LEVELS[12].code}?level=13"


def test_finish_of_a_level_leads_to_the_next(client):
    number = 13
    path = f"/play/{LEVELS[number - 1].code}"
    for tile in solve(parse_puzzle(LEVELS[number - 1].code), "best").tiles:
        answer = client.post(f"{path}/slide", data={"tile": tile, "level": number}, headers=HTMX)
    link = markup.read(answer).one(id="next-puzzle")
    assert link.text == "Next level"
    assert link["href"] == f"/play/{LEVELS[number].code}?level={number + 1}"
    assert "data-next" not in link.attrs
    assert "3 of 3 stars" in answer.text


def test_last_level_leads_to_the_list(client):
    assert play(client, 60).one(id="new-game")["data-next-url"] == "/levels"


def test_click_without_javascript_stays_in_the_level(client):
    code = LEVELS[0].code
    tile = solve(parse_puzzle(code), "best").tiles[0]
    response = client.post(f"/play/{code}/slide", data={"tile": tile, "level": "1"})
    assert "level=1" in response.location


@each("level", ["0", "61", "2", "x", "-1", "1" * 99, "\u0661"])
def test_level_number_of_another_board_is_ignored(client, level):
    page = markup.read(client.get(f"/play/{LEVELS[0].code}", query_string={"level": level}))
    assert not {"of-level", "no-stars"} & set(page.ids())


def test_sixty_levels_have_unique_boards():
    assert len(LEVELS) == len({level.code for level in LEVELS}) == 60
    assert LEVELS[0].moves == 3
    assert LEVELS[-1].moves > 55, "a hard 4x4"


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.title)
def test_levels_of_a_group_have_its_size_and_grow(group):
    assert all(parse_puzzle(level.code).start.size == group.size for level in group.levels)
    assert all(one.moves <= other.moves for one, other in pairwise(group.levels))


@each("level", LEVELS)
def test_moves_of_a_level_are_proved_to_be_the_fewest(level):
    puzzle = parse_puzzle(level.code)
    assert str(puzzle) == level.code
    result = solve(puzzle, "best")
    assert (result.length, result.verdict.kind.value) == (level.moves, "optimal")
    assert list(steps(puzzle.start, result.moves))[-1].board == puzzle.goal
    if level.moves <= 16:
        tiles = [tile for tile in puzzle.goal.cells if tile]
        assert abstract_distance(puzzle.start, tiles) == level.moves
