"""Lessons by hand: each works by keyboard, by touch and with a screen reader."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from slidewise import parse_board, parse_puzzle
from slidewise.analysis.by_hand import LESSONS
from slidewise.puzzle.moves import tiles_moved
from tests.browser.hands import Finger
from tests.browser.site.test_without_network import wait_until
from tests.browser.steps import (
    box_of,
    click,
    click_solution,
    expect_sent,
    expect_to_fit,
    expect_to_fit_at_all_widths,
    expect_to_fit_without_axe_violations,
    follow,
)
from tests.each import some
from webapp.play.levels import LEVELS

ARROWS = {"U": "ArrowUp", "D": "ArrowDown", "L": "ArrowLeft", "R": "ArrowRight"}
BY_KEY = {lesson.key: lesson for lesson in LESSONS}


def opened(page: Page, key: str, board: int = 1) -> None:
    page.goto(f"/learn/by-hand/{key}?board={board}")
    expect(page.locator("#picture")).to_have_text(re.compile("The blank is in row"))


def demonstration(key: str, board: int = 1) -> str:
    """Return the moves of the demonstration, as directions of tiles."""
    lesson = BY_KEY[key]
    now = parse_board(lesson.starts[board - 1].code)
    moves = ""
    for scene in lesson.scenes(now):
        for tile in [] if scene.wrong else scene.tiles:
            moves += now.direction_of(tile) or ""
            now = now.slide(tile)
    return moves


@pytest.mark.parametrize("key", some(list(BY_KEY), 1))
def test_lesson_is_done_by_arrow_keys_and_noted(page: Page, key: str) -> None:
    opened(page, key)
    moves = demonstration(key)
    for move in moves[:-1]:
        page.keyboard.press(ARROWS[move])
    expect(page.locator("#said")).to_contain_text(f"{len(moves) - 1} move")
    expect(page.locator("#next-lesson")).not_to_be_focused()
    page.keyboard.press(ARROWS[moves[-1]])
    fewest = BY_KEY[key].starts[0].fewest
    far = rf"{len(moves)} moves\. The (fewest is {fewest}\.|shortest way has {fewest}, but)"
    expect(page.locator("#said")).to_contain_text(
        "Perfect" if len(moves) == fewest else re.compile(far)
    )
    expect(page.locator("#next-lesson")).to_be_focused()
    expect_to_fit_without_axe_violations(page)
    stored = page.evaluate("localStorage.getItem('by-hand')")
    assert json.loads(stored) == {key: len(moves) - fewest}
    page.goto("/learn/by-hand")
    card = page.locator(f"[data-lesson={key}]")
    expect(card.locator(".hand-mark")).to_contain_text("Done")
    expect(page.locator(".hand-mark:visible")).to_have_count(1)


def test_lit_tiles_and_text_name_the_next_subgoal(page: Page) -> None:
    opened(page, "row-of-four", 2)
    lesson, picture = BY_KEY["row-of-four"], page.locator("#picture")
    expect(picture).to_contain_text("The 1 is in row 2, column 1. Its place is row 1, column 1.")
    assert page.locator("#board").get_attribute("aria-describedby") == "picture"
    board, news = parse_board(lesson.starts[1].code), 0
    for move in demonstration("row-of-four", 2)[:-1]:
        board = board.move(move)
        page.keyboard.press(ARROWS[move])
        aim = next(aim for aim in lesson.aims if any(board.cells[n - 1] != n for n in aim))
        expect(page.locator("#board .lit")).to_have_count(len(aim))
        for tile in aim:
            expect(page.locator(f"#t{tile}")).to_have_class(re.compile(r"\blit\b"))
            expect(page.locator("#said")).to_contain_text(f"The {tile} is ")
        news += page.locator("#said", has_text="Now the next part").count()
    assert news == 1, "the 2 goes home with the 1"


def test_explanation_is_in_view_on_a_low_phone(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    navigation = page.get_by_role("navigation", name="Pages")
    for lesson in "one-tile", "row-of-four":
        page.goto(f"/learn/by-hand/{lesson}")
        page.get_by_role("button", name="Show me").click()
        said = page.locator("#said")
        expect(said).not_to_be_empty()
        assert box_of(said)["y"] + box_of(said)["height"] <= box_of(navigation)["y"], lesson


@pytest.mark.own_page
def test_wrong_demonstration_precedes_the_right_one(page: Page) -> None:
    page.clock.install(time="2026-02-28T12:00:00Z")
    opened(page, "corner")
    page.clock.pause_at("2026-02-28T13:00:00Z")  # from here only the test advances the clock
    start = page.locator("#play").get_attribute("data-board")
    page.locator("#hint").click()
    expect(page.locator("#scenes [aria-current=step]")).to_have_class("wrong")
    expect(page.locator("#said")).to_contain_text("Not like this")
    boards, words = [], set()
    for _ in range(200):
        page.clock.run_for(700)
        boards.append(page.locator("#play").get_attribute("data-board") or "")
        words.add((page.locator("#said").text_content() or "").strip())
        if page.locator("#hint", has_text="Show me").count():
            break
    scenes = list(BY_KEY["corner"].scenes(parse_board(start or "")))
    assert {str(scene.after) for scene in scenes} <= set(boards)
    assert {str(scene.text) for scene in scenes[1:]} <= words
    expect(page.locator("#said")).to_have_text("Now it is your turn. ")
    expect(page.locator("#play")).to_have_attribute("data-board", start or "")
    assert page.evaluate("localStorage.getItem('by-hand')") is None


def test_key_only_ends_the_demonstration(page: Page) -> None:
    opened(page, "corner")
    start = page.locator("#play").get_attribute("data-board") or ""
    page.keyboard.press("h")
    expect(page.locator("#hint")).to_contain_text("Stop")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#hint")).to_contain_text("Show me")
    expect(page.locator("#play")).to_have_attribute("data-board", start)
    page.keyboard.press(ARROWS[demonstration("corner")[0]])
    expect(page.locator("#play")).not_to_have_attribute("data-board", start)
    page.keyboard.press("u")
    expect(page.locator("#play")).to_have_attribute("data-board", start)
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "true")


def test_swipe_moves_the_tile(page: Page) -> None:
    opened(page, "one-tile")
    tile = page.locator("#t4")  # beside the blank
    box = tile.bounding_box()
    assert box
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    finger = Finger(page)
    finger.press(middle)
    finger.move((middle[0] - box["width"] * 0.7, middle[1]))
    finger.release()
    expect(page.locator("#said")).to_contain_text("1 move.")
    expect(tile).to_have_class(re.compile(r"\bc0\b"))


@pytest.mark.parametrize("kind", some(["two-rows", "two-columns", "two-rows-of-four"], 1))
def test_trainer_times_random_boards_and_keeps_five(page: Page, kind: str) -> None:
    page.goto("/robots.txt")
    earlier = {kind: {"best": 400, "times": [400, 500, 600, 700]}}
    page.evaluate("(text) => localStorage.setItem('last-rows', text)", json.dumps(earlier))
    page.goto(f"/learn/by-hand/trainer?kind={kind}")
    boards = set()
    for _ in range(2):
        expect(page.locator("#time")).to_have_text("0:00.00")
        board = page.locator("#play").get_attribute("data-board") or ""
        assert parse_puzzle(board).solvable
        given = page.locator("#play").get_attribute("data-given") or ""
        cells = parse_board(board).cells
        assert all(cells[int(tile) - 1] == int(tile) for tile in given.split())
        boards.add(board)
        click_solution(page)
        expect(page.locator("#said")).to_contain_text("move")
        expect(page.locator("#next-board")).to_be_focused()
        times = json.loads(page.evaluate("localStorage.getItem('last-rows')"))[kind]
        assert len(times["times"]) == 5
        assert times["best"] <= min(times["times"])
        page.keyboard.press("Enter")
    assert len(boards) > 1
    average = sum(times["times"]) / 5
    shown = page.locator("[data-part=average]").inner_text()
    minutes, seconds = shown.split(":")
    assert abs(60 * int(minutes) + float(seconds) - average) < 0.011


def test_trainer_announces_the_moved_tiles_alone(page: Page) -> None:
    page.goto("/learn/by-hand/trainer?kind=two-rows-of-four")
    expect(page.locator("#picture")).to_have_text(re.compile("The blank is in row"))
    for _ in range(3):
        board = parse_board(page.locator("#play").get_attribute("data-board") or "")
        row, column = divmod(board.blank, board.cols)
        places = ((tile, divmod(cell, board.cols)) for cell, tile in enumerate(board.cells))
        reached = [t for t, (r, c) in places if t and (r == row or c == column)]
        tile = max(reached, key=lambda tile: len(board.line(tile)))
        moved = set(tiles_moved(board, board.line(tile)))
        page.locator(f"#t{tile}").click()
        way = {"U": "up", "D": "down", "L": "left", "R": "right"}[board.line(tile)[0]]
        expect(page.locator("#said")).to_have_text(
            re.compile(rf"^Tiles? [\d, and]+ {way}\. \d+ moves?\.")
        )
        said = page.locator("#said").inner_text()
        assert {int(number) for number in re.findall(r"The (\d+) is", said)} <= moved
        first = said.split(way)[0]
        assert {int(number) for number in re.findall(r"\d+", first)} == moved


def test_trainer_clock_runs_on_after_an_undone_move(page: Page) -> None:
    page.goto("/learn/by-hand/trainer")
    tile = page.locator("#board .tile[data-way]").first
    tile.click()
    page.wait_for_timeout(300)
    page.locator("#undo").click()
    tile.click()
    page.locator("#undo").click()
    click_solution(page)
    clock = page.locator("#time")
    expect(page.locator("#said")).to_contain_text(clock.inner_text())
    shown = clock.inner_text()
    page.wait_for_timeout(200)
    assert clock.inner_text() == shown
    (time,) = json.loads(page.evaluate("localStorage.getItem('last-rows')")).popitem()[1]["times"]
    assert time >= 0.3


def test_detour_stays_in_the_trainer_until_solved_shortest(page: Page) -> None:
    page.goto("/play/1.0.3-4.2.5-7.8.6")
    click(page, 3, 3)
    click_solution(page)
    page.locator("#open-review").click()
    expect(page.locator("#review-summary")).to_be_visible()
    expect(page.locator("#review-summary")).not_to_have_attribute("data-detours", "")
    page.wait_for_function("() => localStorage.getItem('detours')")  # by a module loaded for it
    page.get_by_role("link", name="trainer").click()
    page.locator("#detours a").click()
    expect(page.locator("#title")).to_have_text("A detour of yours")
    click(page, 3, 3)
    click_solution(page)
    expect(page.locator("#said")).to_contain_text("5 moves. The shortest way has 3.")
    page.locator("#restart").click()
    click_solution(page)
    expect(page.locator("#said")).to_contain_text("This detour is gone")
    expect(page.locator("#detours a")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('detours')") == "{}"


def test_level_stores_its_stars_and_links_to_the_next(page: Page) -> None:
    page.goto("/levels")
    follow(page, page.locator("[data-level='1']"))
    expect(page.locator("#of-level")).to_contain_text("Level 1")
    click_solution(page)
    expect(page.locator("#won-stars .stars")).to_have_attribute("aria-label", "3 of 3 stars")
    expect(page.locator("#next-puzzle")).to_have_text("Next level")
    expect_sent(page)
    page.locator("#next-puzzle").click()
    expect(page).to_have_url(re.compile(rf"/play/{re.escape(LEVELS[1].code)}\?level=2$"))
    page.goto("/levels")
    expect(page.locator("#level-sum")).to_contain_text("3 of 180")
    expect(page.locator("#level-next")).to_have_text("Continue at 2")
    expect(page.locator("[data-level='1'] .stars")).to_have_attribute("aria-label", "3 of 3 stars")
    expect(page.locator(".level-stars:visible")).to_have_count(1)


def test_level_solved_with_help_is_marked_so(page: Page) -> None:
    page.goto("/levels")
    follow(page, page.locator("[data-level='1']"))
    page.locator("#hint").click()
    expect(page.locator("#said")).to_contain_text("Hint: move tile")
    click_solution(page)
    expect(page.locator("#won .badge")).to_be_visible()
    expect_sent(page)
    wait_until(page, "localStorage.getItem('levels')")
    page.goto("/levels")
    expect(page.locator("[data-level='1']")).to_contain_text("helped")
    expect(page.locator("#level-count")).to_have_text("1 of 60 solved")
    expect(page.locator("#level-sum")).to_contain_text("0 of 180")
    expect_to_fit_at_all_widths(page)


@pytest.mark.parametrize("place", ["corner", "trainer"])
def test_lesson_is_in_view_on_a_sideways_phone(page: Page, place: str) -> None:
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto(f"/learn/by-hand/{place}")
    for part in "#board", ".tools", ".hand-aim":
        expect(page.locator(part).first).to_be_in_viewport(ratio=1)
    expect_to_fit(page)
