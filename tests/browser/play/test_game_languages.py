"""A game in other languages: messages, a lost connection, a language switch, right to left."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.connection import GAMES, cut_off
from tests.browser.steps import (
    box_of,
    expect_board,
    expect_sent,
    expect_to_fit_at_all_widths,
    follow,
    press,
    tile,
)

CODE = "1.2.3-4.8.0-7.6.5"
STATUS = "#said"


@pytest.mark.usefixtures("connection_lost")
@pytest.mark.browser_context_args(locale="de-DE")
def test_german_game_is_played_offline_and_continued_in_spanish(page: Page) -> None:
    with page.expect_event("load"):
        page.goto(f"/play/{CODE}")
    expect(tile(page, 5)).to_have_accessible_name("5, Zeile 3, Spalte 3, kann nach oben")
    expect_to_fit_at_all_widths(page)
    tile(page, 5).click()
    expect(page.locator(STATUS)).to_contain_text("Stein 5 nach oben. 1 Zug bisher.")
    expect(tile(page, 6)).to_have_accessible_name("6, Zeile 3, Spalte 2, kann nach rechts")
    press(page, "9")
    expect(page.locator("#typed")).to_have_text("Es gibt keinen Stein 9")
    press(page, "Enter", "1", "Enter")
    refused = "Stein 1 liegt nicht in der Zeile oder Spalte der Lücke"
    expect(page.locator(STATUS)).to_have_text(f"{refused}; schieben lassen sich 3, 5, 7 und 6.")
    expect_sent(page)
    cut_off(page)
    press(page, "ArrowRight")
    expect(page.locator(STATUS)).to_contain_text("Stein 6 nach rechts. 2 Züge bisher.")
    expect(page.locator("#notice")).to_contain_text("Keine Verbindung. 1 Zug wird später gesendet.")
    page.unroute(GAMES)
    page.locator("#notice .lost button", has_text="Noch einmal").click()
    expect(page.locator("#notice .lost")).to_have_count(0)
    press(page, "ArrowDown", "ArrowLeft")  # tiles 8 and 5
    expect_board(page, "1.2.3-4.5.0-7.8.6")
    expect_sent(page)
    page.get_by_role("button", name="Einstellungen").click()
    follow(page, page.get_by_role("button", name="Español"))
    expect(page.locator("html[lang=es][data-resumed]")).to_have_count(1)
    expect_board(page, "1.2.3-4.5.0-7.8.6")
    press(page, "ArrowUp")
    announcement = re.compile(
        r"^Ficha 6 hacia arriba\. Resuelto en 5 movimientos\. Tiempo: 0:\d\d\.\d\d\."
    )
    expect(page.locator(STATUS)).to_have_text(announcement)
    expect(page.locator("#won h2")).to_have_text("¡Resuelto!")
    expect(page.locator("#next-puzzle")).to_be_focused()


def test_right_to_left_page_does_not_mirror_the_board(page: Page) -> None:
    page.goto(f"/play/{CODE}")
    page.evaluate("document.documentElement.dir = 'rtl'")
    one, two, four = (box_of(tile(page, number)) for number in (1, 2, 4))
    assert one["x"] < two["x"]
    assert one["y"] < four["y"]
    tile(page, 5).click()
    expect_board(page, "1.2.3-4.8.5-7.6.0")
    press(page, "ArrowRight")
    expect_board(page, "1.2.3-4.8.5-7.0.6")
    assert box_of(tile(page, 7))["x"] < box_of(tile(page, 6))["x"]
    tile(page, 7).focus()
    press(page, "Shift+ArrowRight")
    expect(tile(page, 6)).to_be_focused()  # over the blank
