"""The screen stays awake during a game, and a key toggles full screen."""

from playwright.sync_api import Page, expect

from tests.browser.steps import START, click

NOTE_LOCKS = """
  const locks = [];
  const note = (what) => {
    locks.push(what);
    document.documentElement.dataset.locks = locks.join(" ");
  };
  const request = async (kind) => {
    const lock = new EventTarget();
    lock.release = () => { note("released"); lock.dispatchEvent(new Event("release")); };
    note(kind);
    return lock;
  };
  Object.defineProperty(navigator, "wakeLock", { value: { request } });
"""
"""Records the requested and released wake locks in attributes of the root."""


def test_the_screen_stays_awake_while_a_game_is_played(page: Page) -> None:
    page.add_init_script(NOTE_LOCKS)
    page.goto("/play/1.2.3-4.0.6-7.5.8")
    expect(page.locator("[data-locks]")).to_have_count(0)
    click(page, 5, moves=1)
    expect(page.locator("[data-locks=screen]")).to_have_count(1)
    click(page, 8)
    expect(page.locator("#won")).to_be_visible()
    expect(page.locator("[data-locks='screen released']")).to_have_count(1)


def test_a_key_fills_the_screen_with_the_page_and_leaves_it(game: Page) -> None:
    game.locator("#board .tile").first.focus()
    for selector in "html:fullscreen", "html:not(:fullscreen)":
        game.keyboard.press("f")
        expect(game.locator(selector)).to_have_count(1)
    assert START in game.url
