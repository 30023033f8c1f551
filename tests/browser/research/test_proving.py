"""A proof started on a page reports its progress there."""

import re

from playwright.sync_api import Page, expect

from slidewise import parse_puzzle
from tests.boards import FOUR_FARTHEST
from tests.browser.steps import expect_to_fit_without_axe_violations

CODE = str(parse_puzzle(FOUR_FARTHEST))


def test_proof_reports_progress_and_leaves_the_focus(page: Page) -> None:
    page.goto(f"/prove/{CODE}")
    page.get_by_role("button", name="Prove it").click()
    stop = page.get_by_role("button", name="Stop")
    stop.focus()
    proof = page.locator("#proof")
    expect(proof).to_contain_text("Nodes expanded")
    nodes = proof.locator("dd").nth(1)
    expect(nodes).not_to_have_text(nodes.inner_text())
    expect(stop).to_be_focused()
    expect(page.locator("#proof-said")).to_have_text(
        re.compile("The shortest solution has .* moves")
    )
    stop.press("Enter")
    expect(proof).to_contain_text("It can go on from there")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    expect_to_fit_without_axe_violations(page)
