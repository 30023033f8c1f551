"""Converting a board: paste it, see the result, copy one notation."""

from playwright.sync_api import Page, expect


def test_a_board_is_pasted_and_a_notation_copied(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/convert")
    page.locator("main [name=start]").fill("3\n 8  1  3\n 4  0  2\n 7  6  5")
    page.get_by_role("button", name="Convert").click()
    expect(page.locator("#result")).to_be_in_viewport()
    expect(page.locator("#result")).to_be_focused()
    row = page.locator(".copied", has=page.locator("#as-java"))
    row.get_by_role("button", name="Copy Java").click()
    expect(row.get_by_role("status")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "int[][] tiles = {{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};"


def test_wrong_field_has_the_focus(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/convert")
    page.locator("main [name=start]").fill("1 2 3\n4 5 six\n7 8 0")
    page.get_by_role("button", name="Convert").click()
    expect(page.locator("#wrong mark")).to_have_text("4 5 six")
    expect(page.locator("main [name=start]")).to_be_focused()
    expect(page.locator("#wrong")).to_be_in_viewport()
