"""Hints computed by the page equal the server's, without any request."""

import pytest
from playwright.sync_api import Page, Route, expect

from slidewise import parse_puzzle, solve
from tests.browser.connection import cut_off, try_again
from tests.browser.steps import MODULES, START, ConsoleErrors, click, expect_sent, prepare_numbers


@pytest.mark.usefixtures("connection_lost")
def test_hint_found_after_a_failed_request_is_shown(page: Page) -> None:
    worker: list[Route] = []
    page.route("**/js/exact/worker.js", lambda route: worker.append(route))
    page.goto(f"/play/{START}")
    page.evaluate(f"async () => {{ {MODULES} await load('play/hint.js'); }}")
    cut_off(page)
    with page.expect_request("**/js/exact/worker.js"):
        page.locator("#hint").click()
    expect(page.locator("#notice")).to_contain_text("Your hint will come later.")
    worker[0].continue_()
    tile = solve(parse_puzzle(START)).tiles[0]
    expect(page.locator("#board .hint")).to_have_attribute("value", str(tile))
    expect(page.locator("#said")).to_contain_text(f"Hint: move tile {tile} ")
    expect(page.locator("#notice")).not_to_contain_text("Your hint")
    expect(page.locator("#stars")).to_contain_text("with help")
    try_again(page)
    expect_sent(page)
    page.reload()
    expect(page.locator("#stars")).to_contain_text("with help")


def test_hint_survives_the_response_and_counts_as_help(game: Page) -> None:
    game.locator("#hint").click()
    ringed = game.locator("#board .hint")
    expect(ringed).to_have_count(1)
    status = game.locator("#said").text_content()
    expect_sent(game)
    expect(ringed).to_have_count(1)
    expect(game.locator("#said")).to_have_text(status or "")
    game.reload()
    expect(game.locator("#stars")).to_contain_text("with help")
    expect(ringed).to_have_count(0)


FIRST_SEARCH_HELD = """
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (question, ...rest) {
    if (!question.search?.start || !window.holds) return postMessage.call(this, question, ...rest);
    window.holds = false;
    window.release = () => new Promise((resolve) => {
      this.addEventListener("message", ({ data: { id, path } }) => {
        if (id === question.id && path) setTimeout(resolve); // the page has it by then
      });
      postMessage.call(this, question, ...rest);
    });
  };
"""
"""Holds back a search of the browser, from the time that a test sets `holds`."""


@pytest.mark.usefixtures("connection_lost")
def test_solve_after_an_error_of_a_proxy_needs_no_server(
    page: Page, console_errors: ConsoleErrors
) -> None:
    console_errors.ignore("an answer of a proxy")
    page.goto(f"/play/{START}")
    page.route("**/solve", lambda route: route.fulfill(status=500, body="the proxy's words"))
    page.locator("#solve-button").click()
    expect(page.locator("#player output")).to_have_text("0 / 20")
    expect(page.locator("main")).not_to_contain_text("the proxy's words")


@pytest.mark.usefixtures("connection_lost")
def test_earlier_search_does_not_replace_a_later_solution(page: Page) -> None:
    page.add_init_script(FIRST_SEARCH_HELD)
    page.goto("/play/1.2.3.4-5.6.0.7-9.10.11.8")
    prepare_numbers(page)
    page.evaluate(f"async () => {{ {MODULES} await load('solve/here.js'); }}")
    cut_off(page)
    page.evaluate("() => { window.holds = true; }")
    page.locator("#solve-button").click()
    page.wait_for_function("() => window.release")
    click(page, 6)
    page.locator("#solve-button").click()
    player = page.locator("#player")
    expect(player).to_have_attribute("data-start", "1.2.3.4-5.0.6.7-9.10.11.8")
    page.evaluate("release()")
    expect(player).to_have_attribute("data-start", "1.2.3.4-5.0.6.7-9.10.11.8")


@pytest.mark.usefixtures("connection_lost")
def test_review_without_a_server_names_the_connection(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-7.0.8")
    cut_off(page)
    click(page, 8)
    page.locator("#open-review").click()
    expect(page.locator("#notice")).to_contain_text("Open the review later.")
    try_again(page)
    expect(page.locator("#notice")).to_be_empty()
    page.locator("#open-review").click()
    expect(page.locator("#review-summary")).to_contain_text("1 move")
