"""What axe says of each page, in light and on a desk, in dark and on a phone; and what is said."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import click, expect_moves, expect_nothing_of_axe, open_settings

START = "7.2.4-5.0.6-8.3.1"
UNSOLVABLE = "8.1.3-4.0.2-7.6.5_1.2.3-8.0.4-7.6.5"


def fresh(page: Page) -> None:
    page.goto(f"/play/{START}_0.1.2-3.4.5-6.7.8")
    page.locator("#help summary").click()


def in_mid_game(page: Page) -> None:
    page.goto(f"/play/{START}")
    click(page, 5)
    expect_moves(page, 1)


def sharing(page: Page) -> None:
    in_mid_game(page)
    page.locator("#share-button").click()
    page.locator("#share [data-copy]:visible").click()
    expect(page.locator("#share .said:visible")).not_to_be_empty()


def sharing_page(page: Page) -> None:
    page.goto(f"/play/{START}/share?moves=ULDR2DL2URURDLDRUL2U&step=5")


def challenged(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-7.0.8?beat=2")
    click(page, 8)
    expect(page.locator("#challenge-over")).to_be_visible()


def refused(page: Page) -> None:
    page.goto(f"/play/{START}")
    click(page, 7)
    expect(page.locator("#said")).to_be_visible()


def won(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-7.0.8")
    click(page, 8)
    expect(page.locator("#won")).to_be_visible()
    page.locator("#new summary").click()


def hinted(page: Page) -> None:
    page.goto(f"/play/{START}")
    page.locator("#hint").click()
    expect(page.locator("#board .hint")).to_be_visible()


def large(page: Page) -> None:
    page.goto("/play/0.8.20.24.15-19.21.5.16.1-13.22.6.12.7-14.3.10.2.11-9.4.17.18.23")
    expect(page.locator("#to-go")).to_contain_text("at least")


def replaying(page: Page) -> None:
    page.goto(f"/play/{START}")
    page.locator("#solve-button").click()
    page.locator("#steps button").nth(5).click()
    expect(page.locator("#player output")).to_have_text("6 / 20")


def unsolvable(page: Page) -> None:
    page.goto(f"/play/{UNSOLVABLE}")
    page.locator("#solve-button").click()
    expect(page.locator("#verdict .unproved")).to_be_visible()


def editor(page: Page) -> None:
    page.goto(f"/custom?start={START}")
    page.locator("[data-edits=start] button").first.click()


def editor_error(page: Page) -> None:
    page.goto("/custom?start=1+2+3")
    expect(page.locator("#checked [role=alert]")).to_be_visible()


def replay(page: Page) -> None:
    page.goto(f"/replay/{START}?moves=ULDR2DL2URURDLDRUL2U&step=5")


def replay_form(page: Page) -> None:
    page.goto(f"/replay/{START}")


def no_such_puzzle(page: Page) -> None:
    page.goto("/new?size=5x5&moves=20")


def error(page: Page) -> None:
    page.goto("/play/nonsense")


def for_programs(page: Page) -> None:
    page.goto("/api")


def settings(page: Page) -> None:
    page.goto(f"/play/{START}")
    open_settings(page)


def tiles_by_layer(page: Page) -> None:
    settings(page)
    page.get_by_label("L-shapes").check()
    page.keyboard.press("Escape")


def tiles_by_row(page: Page) -> None:
    page.goto("/new?size=10x10&seed=1")
    open_settings(page)
    page.get_by_label("Rows", exact=True).check()
    page.keyboard.press("Escape")


def pictures(page: Page) -> None:
    settings(page)
    page.get_by_label("Both").check()


STATES = [
    *(
        fresh,
        in_mid_game,
        sharing,
        sharing_page,
        challenged,
        refused,
        won,
        hinted,
        large,
        replaying,
        unsolvable,
    ),
    *(editor, editor_error, replay, replay_form, no_such_puzzle, error, for_programs),
    *(settings, tiles_by_layer, tiles_by_row, pictures),
]


@pytest.mark.parametrize("show", STATES)
def test_axe_finds_nothing(page: Page, show: Callable[[Page], None]) -> None:
    page.emulate_media(reduced_motion="reduce")
    show(page)
    expect_nothing_of_axe(page)


def test_moves_are_announced_and_the_replay_only_while_it_stands(page: Page) -> None:
    page.goto(f"/play/{START}")
    said = page.locator("#said")
    expect(said).to_have_attribute("role", "status")
    click(page, 5)
    expect(said).to_contain_text("Tile 5 right. 1 move.")
    page.locator("#solve-button").click()
    text = page.locator("#step-text")
    expect(text).to_have_attribute("aria-live", "off")
    page.locator("[data-go=next]").click()
    expect(text).to_have_attribute("aria-live", "polite")


def test_the_skip_link_leads_to_the_content(page: Page) -> None:
    page.goto(f"/play/{START}")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#main$"))
    page.keyboard.press("Tab")
    expect(page.locator("#goal summary")).to_be_focused()
