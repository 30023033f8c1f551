"""Lessons by hand: the board to play, its aims, and the pictures of the steps."""

import re

import pytest

from slidewise import Puzzle, parse_board, parse_puzzle, standard_goal
from slidewise.analysis.by_hand import LESSONS
from tests.boards import BIG, UNSOLVABLE
from tests.each import some
from tests.web import markup
from tests.web.course.learn.learning import get
from webapp.course.learn.by_hand import LAST_ROWS

BOARDS = [(lesson, number) for lesson in LESSONS for number in range(1, len(lesson.starts) + 1)]


def slid(board, tiles):
    for tile in tiles.split():
        board = board.slide(int(tile))
    return board


def test_all_lessons_are_listed_in_order_by_size(client):
    page = get(client, "/by-hand")
    links = [link["href"] for link in page.one("main").all("a")][1:]
    assert links[: len(LESSONS)] == [f"/learn/by-hand/{lesson.key}" for lesson in LESSONS]
    assert [h2.text for h2 in page.one("main").all("h2")][:2] == ["3 × 3", "4 × 4"]


@pytest.mark.parametrize(("lesson", "number"), some(BOARDS, 0, len(BOARDS) // 2, len(BOARDS) - 1))
def test_lesson_has_its_board_and_steps_that_reach_the_aim(client, lesson, number):
    page = get(client, f"/by-hand/{lesson.key}", board=number)
    start = parse_board(lesson.starts[number - 1].code)
    play = page.one(id="play")
    assert parse_board(play["data-board"]) == start
    assert parse_board(play["data-goal"]) == standard_goal(*lesson.size)
    assert int(play["data-fewest"]) == lesson.starts[number - 1].fewest
    aims = [tuple(map(int, aim.split())) for aim in play["data-aims"].split(",")]
    assert aims == list(lesson.aims)
    assert tuple(map(int, play["data-given"].split())) == lesson.given
    drawn = {int(tile["value"]) for tile in page.one(id="board").all("button")}
    assert drawn == set(start.cells) - {0}
    steps = page.one(id="scenes").all("li")
    board = start
    for step in steps:
        assert parse_board(step["data-board"]) == board
        after = slid(board, step["data-tiles"])
        shown = step.one("div", role="img")["aria-label"]
        assert re.findall(r"\d+", shown) == [str(tile) for tile in after.cells if tile]
        if "wrong" not in step.classes:
            board = after
    assert all(board.cells[tile - 1] == tile for tile in lesson.tiles)


def test_lesson_links_its_game_another_board_and_the_next_lesson(client):
    page = get(client, "/by-hand/one-tile", board=4)
    code = str(Puzzle.standard(parse_board(LESSONS[0].starts[3].code)))
    assert page.one("main").one("a", href=f"/play/{code}")
    assert page.one(id="another")["href"] == "/learn/by-hand/one-tile?board=1"
    assert page.one(id="next-lesson")["href"] == f"/learn/by-hand/{LESSONS[1].key}"
    last = get(client, f"/by-hand/{LESSONS[-1].key}")
    assert last.one(id="next-lesson")["href"] == "/learn/by-hand"


@pytest.mark.parametrize("number", ["0", "5", "-1", "x", "", "9" * 50, "٣"])
def test_unknown_board_is_the_first_one(client, number):
    page = get(client, "/by-hand/row", board=number)
    assert page.one(id="play")["data-board"] == next(
        lesson.starts[0].code for lesson in LESSONS if lesson.key == "row"
    )


def test_unknown_lesson_is_404(client):
    response = client.get("/learn/by-hand/nonsense")
    assert response.status_code == 404
    assert "no lesson called" in markup.read(response).text


@pytest.mark.parametrize("key", LAST_ROWS)
def test_trainer_has_a_board_of_its_kind_with_the_rest_solved(client, key):
    page = get(client, "/by-hand/trainer", kind=key)
    play = page.one(id="play")
    puzzle = parse_puzzle(play["data-board"])
    assert puzzle.solvable
    given = list(map(int, play["data-given"].split()))
    assert all(puzzle.start.cells[tile - 1] == tile for tile in given)
    aim = list(map(int, play["data-aims"].split()))
    assert sorted([*given, *aim, 0]) == sorted(puzzle.goal.cells)
    assert play["data-kind"] == key
    assert page.one("main").one("a", href=f"/play/{puzzle}")


def test_trainer_of_a_detour_has_its_board_with_its_goal(client):
    page = get(client, "/by-hand/trainer", board="1.0.2-3.4.5-6.7.8_0.1.2-3.4.5-6.7.8")
    play = page.one(id="play")
    assert play["data-detour"] == "1.0.2-3.4.5-6.7.8_0.1.2-3.4.5-6.7.8"
    assert (play["data-board"], play["data-goal"]) == ("1.0.2-3.4.5-6.7.8", "0.1.2-3.4.5-6.7.8")
    assert play["data-aims"] == "1 2 3 4 5 6 7 8"
    assert play["data-given"] == ""


@pytest.mark.parametrize("board", ["x", UNSOLVABLE, BIG, "1.2-3.0" * 5000])
def test_trainer_refuses_impossible_boards(client, board):
    assert client.get("/learn/by-hand/trainer", query_string={"board": board}).status_code == 400


def test_review_offers_proved_detours_to_the_trainer(client):
    code = "1.2.3-4.5.6-0.7.8"
    for tile in (4, 4, 7, 8):
        client.post(f"/play/{code}/slide", data={"tile": tile})
    page = markup.read(client.get(f"/play/{code}/review"))
    assert page.one(id="review-summary")["data-detours"] == "", "two moves away is too near"
    for tile in (3, 3, 2, 5, 6):
        client.post("/play/1.0.3-4.2.5-7.8.6/slide", data={"tile": tile})
    page = markup.read(client.get("/play/1.0.3-4.2.5-7.8.6/review"))
    assert page.one(id="review-summary")["data-detours"] == "1.0.3-4.2.5-7.8.6:3"
