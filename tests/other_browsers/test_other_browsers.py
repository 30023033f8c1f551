"""Pages in Firefox and WebKit: a visit of each kind, and the faults that these once had."""

import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from slidewise import parse_board
from slidewise.course.judge import exercises
from tests.browser.server import Server
from tests.browser.steps import START, boards_after

WAIT_SECONDS = 180
"""Timeout of every wait; a slow machine is no failure."""

CLICKS = 31
ATTEMPTS = 10
"""Times that a page is left, whose modules may load at that moment."""

AT_REST = """const play = document.getElementById("play");
return play.dataset.board === arguments[0] && play.getAnimations({ subtree: true }).length === 0"""
"""Whether the page has a board, and no tile slides."""

CONTROLLED = "return Boolean(navigator.serviceWorker.controller)"


def find(driver: WebDriver, selector: str) -> WebElement:
    return driver.find_element(By.CSS_SELECTOR, selector)


def wait(driver: WebDriver, script: str, *values: object) -> Any:
    """Wait until a script returns something true, and return it."""
    return WebDriverWait(driver, WAIT_SECONDS).until(
        lambda _: driver.execute_script(script, *values), script
    )


def text_of(driver: WebDriver, selector: str) -> str:
    text: str = driver.execute_script(
        "return document.querySelector(arguments[0]).textContent.trim()", selector
    )
    return text


def wait_for_text(driver: WebDriver, selector: str, text: str) -> None:
    wait(
        driver,
        "return document.querySelector(arguments[0])?.textContent.includes(arguments[1])",
        selector,
        text,
    )


def visit_before(driver: WebDriver, site: Server) -> None:
    """Visit the game, whose service worker then controls the pages."""
    driver.get(f"{site.url}/play/{START}")
    wait(driver, CONTROLLED)


def run_solution(driver: WebDriver) -> None:
    code = exercises()["bfs"].solution
    wait_for_text(driver, "#state", "Python is ready")
    driver.execute_script(
        """const code = document.getElementById("code");
        code.value = arguments[0];
        code.dispatchEvent(new Event("input", { bubbles: true }));""",
        code,
    )
    find(driver, "#run").click()
    wait_for_text(driver, "#state", "All checks passed")


def test_clicks_move_tiles_and_reach_the_server(driver: WebDriver, site: Server) -> None:
    driver.get(f"{site.url}/play/{START}")
    board, chosen = parse_board(START), random.Random(31)
    played = []
    for _ in range(CLICKS):
        tile = chosen.choice(board.movable)
        board = board.slide(tile)
        played.append(tile)
        find(driver, f"#t{tile}").click()
        wait(driver, AT_REST, boards_after(START, played)[-1])
    wait(driver, "return sessionStorage.length === 0")
    driver.refresh()
    wait_for_text(driver, "#move-count", str(CLICKS))
    wait(driver, AT_REST, boards_after(START, played)[-1])


@pytest.mark.parametrize("is_first", [True, False], ids=["first visit", "later visit"])
def test_right_program_passes(driver: WebDriver, site: Server, is_first: bool) -> None:
    if not is_first:
        visit_before(driver, site)
    driver.get(f"{site.url}/learn/write/bfs")
    run_solution(driver)


def test_state_space_is_drawn_after_a_first_visit(driver: WebDriver, site: Server) -> None:
    visit_before(driver, site)
    for _ in range(2):
        driver.get(f"{site.url}/learn/space")
        wait(driver, "return document.querySelector('[data-ready]')")


def click_at(driver: WebDriver, x: int, y: int) -> None:
    """Click a point of the page's window."""
    actions = ActionBuilder(driver)
    actions.pointer_action.move_to_location(x, y).click()
    actions.perform()


@pytest.mark.parametrize(
    ("dialog", "button"),
    [("settings", "#open-settings"), ("new", "#new-game"), ("share", "#share-button")],
)
def test_click_beside_a_dialog_closes_it(
    driver: WebDriver, site: Server, dialog: str, button: str
) -> None:
    is_open = f"return document.getElementById('{dialog}')?.open"  # one is made by the click
    driver.get(f"{site.url}/play/{START}")
    find(driver, button).click()
    wait(driver, is_open)
    click_at(driver, 20, 400)
    wait(driver, f"{is_open} === false")


def picture_of(driver: WebDriver, selector: str) -> Image.Image:
    """Return the part of a screenshot that shows an element."""
    box = driver.execute_script(
        """const box = document.querySelector(arguments[0]).getBoundingClientRect();
        return [box.left, box.top, box.right, box.bottom];""",
        selector,
    )
    screen = Image.open(BytesIO(driver.get_screenshot_as_png())).convert("L")
    return screen.crop(tuple(map(round, box)))


def test_choices_of_watch_show_their_labels(driver: WebDriver, site: Server) -> None:
    driver.get(f"{site.url}/lab/2.3.0-1.4.6-7.5.8/watch")
    wait(driver, "return document.fonts.status === 'loaded'")
    label = picture_of(driver, ".watch-form label:has([name=algorithm])")
    lowest, highest = label.crop((12, 4, 80, 18)).getextrema()  # "Algorithm", above the choice
    assert highest - lowest > 60


def test_scrollbar_of_a_dark_dialog_is_dark(browse: Callable[..., WebDriver], site: Server) -> None:
    driver = browse(**{"widget.gtk.overlay-scrollbars.enabled": False})
    driver.get(f"{site.url}/play/{START}")
    driver.execute_script("localStorage.setItem('theme', 'dark')")
    driver.refresh()
    find(driver, "#open-settings").click()
    wait(driver, "return document.getElementById('settings').open")
    dialog = picture_of(driver, "#settings")
    _, brightest = dialog.crop((dialog.width - 12, 0, dialog.width, dialog.height)).getextrema()
    assert brightest < 180


def test_race_that_is_left_early_logs_no_error(driver: WebDriver, site: Server) -> None:
    driver.get(f"{site.url}/play/{START}")
    driver.execute_script(
        """const button = [...document.querySelectorAll(".actions button")];
        button.find(({ form }) => form?.action.includes("together")).click();"""
    )
    wait(driver, "return document.getElementById('start-race')")
    room = driver.current_url
    for _ in range(ATTEMPTS):
        driver.execute_script("location.href = arguments[0]", room)
        wait(driver, "return location.href === arguments[0] && document.body", room)
        driver.execute_script("location.href = arguments[0]", f"{site.url}/learn")
        wait_for_text(driver, "h1", "Learn")


def test_frame_in_a_page_of_a_file_shows_the_board(
    driver: WebDriver, site: Server, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_text(f'<!doctype html><iframe src="{site.url}/embed/play/{START}"></iframe>')
    driver.get(page.as_uri())
    driver.switch_to.frame(find(driver, "iframe"))
    wait_for_text(driver, "h1", "3 × 3 puzzle")
