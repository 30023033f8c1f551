"""The sharing sheet: its choices and its links."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.steps import ConsoleErrors, click, press, tile

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
SHORTEST = "RDLU2RDL2DR2UL2UR2DL2DRURD"
STANDING_OUT = """(sheet) => [...sheet.querySelectorAll("a, button, .choices span, img, section")]
  .filter((part) => part.checkVisibility())
  .filter((part) => part.scrollWidth > part.clientWidth + 1
    || part.getBoundingClientRect().right > sheet.getBoundingClientRect().right)
  .map((part) => part.outerHTML)"""
TOO_SMALL = """(sheet) => [
    ...sheet.querySelectorAll("a, button, input[type=text], .choices label")]
  .filter((part) => part.checkVisibility() && part.getBoundingClientRect().height < 43.9)
  .map((part) => part.outerHTML)"""
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
FAKE_SHARE = "navigator.share = async (what) => { window.shared = what; };"


def open_sheet(page: Page) -> None:
    page.locator("#share-button").click()
    expect(page.locator("#share-sheet .sharing")).to_be_visible()


def choose(page: Page, title: str) -> None:
    page.get_by_role("radio", name=title).check()


@pytest.mark.own_page
def test_words_on_a_typed_number_go_with_their_sheet(page: Page) -> None:
    page.clock.install()
    page.goto(f"/play/{CODE}")
    open_sheet(page)
    choose(page, "Challenge")
    page.locator("#share [name=beat]").focus()
    press(page, "u", "Escape")
    page.route("**/share**", lambda route: None)  # no response
    page.locator("#share-button").click()
    expect(page.locator("#share-sheet > div")).to_be_empty()
    page.clock.run_for(1_000)
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.own_page
def test_position_includes_unsent_moves(page: Page) -> None:
    page.clock.install()
    page.goto(f"/play/{CODE}")
    page.route("**/slide", lambda route: None)  # no response
    tile(page, 5).click()
    page.locator("#share-button").click()
    expect(page.locator("#share")).to_be_visible()
    page.clock.fast_forward(60_000)  # the sheet waits for the response, but not for ever
    choose(page, "Position")
    expect(page.locator("#link-to-position")).to_have_value(re.compile("7.2.4-0.5.6-8.3.1_"))
    page.unroute_all(behavior="ignoreErrors")


def test_answer_for_an_earlier_sheet_is_not_shown(page: Page) -> None:
    held: list[Route] = []
    page.goto(f"/play/{CODE}")
    page.route("**/share*", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/share*"):
        page.locator("#share-button").click()
    press(page, "Escape")
    click(page, 5, moves=1)
    open_sheet(page)
    link = page.locator("#link-to-position")
    expect(link).to_have_value(re.compile("/play/7.2.4-0.5.6-8.3.1_"))
    with page.expect_request_finished(lambda request: request == held[0].request):
        held[0].continue_()
    expect(link).to_have_value(re.compile("/play/7.2.4-0.5.6-8.3.1_"))


def test_number_to_beat_is_in_the_link_and_the_qr_code(page: Page) -> None:
    page.goto(f"/play/{CODE}")
    open_sheet(page)
    choose(page, "Challenge")
    number, link = page.locator("#share [name=beat]"), page.locator("#link-to-challenge")
    expect(number).to_have_accessible_description(re.compile("^The shortest solution has 26"))
    for text, why in ("25", "choose at least that many"), ("thirty", "from 1 to 9,999"):
        number.fill(text)
        expect(link).to_be_hidden()
        expect(page.locator("#share [role=alert]")).to_contain_text(why)
        expect(number).to_have_attribute("aria-invalid", "true")
    number.fill("26")
    expect(link).to_have_value(f"{page.url}?beat=26")
    expect(page.locator("#share [role=alert]")).to_be_hidden()
    expect(number).to_have_attribute("aria-invalid", "false")
    code = page.locator(".challenge .qr")
    expect(code).to_have_attribute("src", re.compile(r"/qr/play/.*\.svg\?beat=26$"))
    number.press("Enter")
    expect(link).to_be_visible()


def test_sheet_by_keyboard_alone(page: Page) -> None:
    page.goto(f"/play/{CODE}")
    button = page.locator("#share-button")
    button.focus()
    press(page, "Enter")
    expect(page.get_by_role("dialog", name="Share")).to_be_visible()
    expect(page.get_by_role("radio", name="Puzzle")).to_be_focused()
    press(page, "ArrowRight")
    expect(page.get_by_role("radio", name="Challenge")).to_be_checked()
    expect(page.locator("#link-to-challenge")).to_be_visible()
    press(page, "Tab")
    expect(page.locator("#share [name=beat]")).to_be_focused()
    press(page, "u", "Escape")
    expect(page.locator("#share")).to_be_hidden()
    expect(page.locator("#board .tile[tabindex='0']")).to_be_focused()


def test_native_share_dialog_is_offered_if_available(page: Page) -> None:
    page.add_init_script("navigator.share = undefined")
    page.goto(f"/play/{CODE}")
    open_sheet(page)
    expect(page.locator("#share [data-device]").first).to_be_hidden()
    page.add_init_script(FAKE_SHARE)
    page.reload()
    open_sheet(page)
    page.get_by_role("button", name="Send…").click()
    shared = page.wait_for_function("() => window.shared").json_value()
    assert shared == {"title": page.title(), "url": page.url}


def test_a_solution_that_is_shown_is_shared_at_its_step(page: Page) -> None:
    page.goto(f"/play/{CODE}")
    click(page, 5, moves=1)
    page.locator("#solve-button").click()
    page.locator("#steps button").nth(3).click()
    expect(page.locator("#player output")).to_have_text("4 / 25")
    open_sheet(page)
    expect(page.get_by_role("radio", name="Solution")).to_be_checked()
    link = page.locator("#link-to-solution").input_value()
    assert "/replay/7.2.4-0.5.6-8.3.1_0.1.2-3.4.5-6.7.8?moves=" in link
    assert link.endswith("&step=4")
    expect(page.locator("#link-to-puzzle")).to_have_value(page.url)
    page.goto(link)
    expect(page.locator("#player output")).to_have_text("4 / 25")


def test_on_a_replay_the_sheet_is_of_the_step_that_is_shown(page: Page) -> None:
    page.goto(f"/replay/{CODE}?moves={SHORTEST}&step=9")
    page.locator("[data-go=prev]").click()
    expect(page.locator("#player output")).to_have_text("8 / 26")
    open_sheet(page)
    solution = page.locator("#link-to-solution")
    expect(solution).to_have_value(re.compile(rf"/replay/{CODE}\?moves={SHORTEST}&step=8$"))
    expect(page.locator("#link-to-position")).to_have_value(
        re.compile(r"/play/2.5.4-3.0.6-7.8.1_0.1.2-3.4.5-6.7.8$")
    )
    with page.expect_download() as download:
        page.locator("#share .solution a", has_text="Offline page").click()
    assert download.value.suggested_filename == "slidewise-3x3-26-moves.html"
    with page.expect_download() as download:
        page.locator("#share .solution a", has_text="GIF").click()
    assert download.value.suggested_filename == "slidewise-3x3-26-moves.gif"


def test_sheet_names_the_address_if_the_server_is_down(
    page: Page, console_errors: ConsoleErrors
) -> None:
    page.goto(f"/play/{CODE}")
    page.route("**/share*", lambda route: route.abort())
    page.locator("#share-button").click()
    expect(page.locator("#share-sheet")).to_contain_text("pictures and files need a connection")
    page.unroute_all(behavior="ignoreErrors")
    press(page, "Escape")
    open_sheet(page)
    console_errors.ignore("Failed to load resource", "htmx: htmx:error")


def test_the_sheet_fits(page: Page) -> None:
    page.goto(f"/replay/{CODE}?moves={SHORTEST}&step=9")
    open_sheet(page)
    for width in 1280, 390, 320:
        page.set_viewport_size({"width": width, "height": 640})
        for title in "Puzzle", "Position", "Solution", "Challenge":
            choose(page, title)
            assert page.locator("#share").evaluate(STANDING_OUT) == [], (title, width)
            assert page.locator("#share").evaluate(TOO_SMALL) == [], (title, width)


def test_link_is_copied_or_selected_without_a_clipboard(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for script, message, text in (
        ("", "Copied.", "navigator.clipboard.readText()"),
        (NO_CLIPBOARD, "Ctrl+C", "getSelection().toString()"),
    ):
        page.add_init_script(script)
        page.goto(f"/play/{CODE}")
        open_sheet(page)
        page.get_by_role("button", name="Copy").click()
        expect(page.locator(".said:visible")).to_contain_text(message)
        assert page.evaluate(text) == page.url


def test_another_number_to_beat_is_not_copied_yet(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/play/{CODE}")
    open_sheet(page)
    choose(page, "Challenge")
    page.locator("#share [name=beat]").fill("30")
    page.locator("#share .challenge").get_by_role("button", name="Copy").click()
    said = page.locator("#share .challenge [role=status]")
    expect(said).to_have_text("Copied.")
    page.locator("#share [name=beat]").fill("31")
    expect(said).to_be_empty()
