"""A long search: its progress, its queue, and its end."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.boards import FIVE
from tests.browser.steps import (
    START,
    choose_algorithm,
    expect_moves,
    expect_no_axe_violations,
    expect_sent,
    go,
    press,
    wait_for,
)

CODE = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"  # 52 moves: too many without a heuristic
WAITS = "Waiting … 2 searches you started are already running"
NOT_SHORTEST = re.compile("Not proved shortest|above the shortest")
"""Verdicts on a longer path; the look-ahead may already know the shortest length."""

POSITION_IN_CARD = """(button) => {
  const [card, box] = [button.closest(".card"), button].map((one) => one.getBoundingClientRect());
  return [box.left - card.left, box.top - card.top, box.width, box.height];
}"""
"""The position of a button in its card, independent of scrolling."""

NOTE_VERDICTS = """() => {
  window.verdicts = [];
  const verdict = document.getElementById("verdict");
  new MutationObserver(() => window.verdicts.push(verdict.textContent))
    .observe(verdict, { childList: true, subtree: true });
}"""


def search(page: Page) -> None:
    """Start a search of minutes that needs little memory, so that it stops quickly."""
    page.goto(f"/play/{CODE}")
    choose_algorithm(page, "iddfs")
    page.locator("#solve-button").click()


def expect_searching(page: Page) -> None:
    expect(page.locator("#live")).to_contain_text("Expanded")


def expanded(page: Page) -> int:
    found = re.search(r"Expanded\s*([\d,]+) node", page.locator("#live").inner_text())
    return int(found[1].replace(",", "")) if found else 0


def stop(page: Page) -> None:
    page.locator("#stop").click()
    expect(page.locator("#verdict")).to_contain_text("No solution yet.")


def solve_again(page: Page) -> None:
    """Submit the form during a search, when it has no visible button."""
    page.locator("#solve-options [name=seconds]").press("Enter")


def test_counts_rise_and_stop_shows_the_verdict_so_far(page: Page) -> None:
    search(page)
    expect_searching(page)
    first = expanded(page)
    for text in "Generated", "Frontier", "Time":
        expect(page.locator("#live")).to_contain_text(text)
    expect(page.locator("#live")).to_contain_text(re.compile(r"Shortest is at\s+least\s*\d+ moves"))
    wait_for(page, lambda: expanded(page) > first)
    stop(page)
    expect(page.locator("#verdict")).to_contain_text(
        re.compile(r"the shortest has (at least )?\d+ moves")
    )
    expect(page.locator("#verdict .proof")).to_have_class("proof unproved")
    expect(page.locator("#live")).to_contain_text("Peak stored")
    expect(page.locator("#player")).to_have_count(0)
    choose_algorithm(page, "greedy")
    page.locator("#solve-button").click()
    expect(page.locator("#verdict")).to_contain_text(NOT_SHORTEST)


def test_best_solution_so_far_is_replayed_during_the_search(page: Page) -> None:
    page.goto(f"/play/{FIVE}")
    page.locator("#solve-button").click()
    bounds = re.compile(r"at least\s*\d+\s*best so far\s*\d+")
    expect(page.locator("#known")).to_contain_text(bounds)
    expect_no_axe_violations(page)
    page.locator("#replay-best").click()
    expect(page.locator("#replay-card")).to_contain_text("not proved shortest")
    total = int(page.locator("#player").get_attribute("data-total") or 0)
    go(page, "last")
    expect(page.locator("#player output")).to_have_text(f"{total} / {total}")
    solved = "1 2 3 4 5; .*; 21 22 23 24 blank$"
    expect(page.locator("#replay .board")).to_have_attribute(
        "aria-label", re.compile(f"^Step {total}: {solved}")
    )
    page.locator("#leave-replay").click()
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator("#replay-best")).to_be_visible()
    page.locator("#stop").click()
    expect(page.locator("#verdict")).to_contain_text(
        re.compile(r"Proved within a bound: stopped on request; at most \d+ moves? above")
    )
    expect(page.locator("#board")).to_be_visible()  # the replay waits for its button
    page.locator("#replay-best").click()
    expect(page.locator("#replay .board")).to_be_visible()


def test_bounds_are_of_the_board_before_until_solved_again(page: Page) -> None:
    page.goto(f"/play/{FIVE}")
    choose_algorithm(page, "best")  # shows the field that solves again
    words = page.get_by_text("This search is for the board before you moved.")
    page.locator("#solve-button").click()
    expect(page.locator("#known")).to_contain_text("at least")
    expect(words).to_be_hidden()
    page.locator("#board .tile[data-way]").first.click()
    expect(words).to_be_visible()
    expect_moves(page, 1)
    expect_sent(page)  # while the search streams
    page.evaluate(NOTE_VERDICTS)
    solve_again(page)
    expect(words).to_be_hidden()
    page.locator("#stop").click()  # the next test needs a free solver
    expect(page.locator("#stop")).to_be_hidden()
    assert "The search stopped" not in page.evaluate("window.verdicts.join()"), "it was replaced"


def test_stop_stands_in_the_place_of_solve_during_a_search(page: Page) -> None:
    page.goto(f"/play/{CODE}")
    solve, stop_button = page.locator("#solve-button"), page.locator("#stop")
    places = [page.locator(name) for name in ("#watch", "#compare")]
    choose_algorithm(page, "bfs")
    expect(page.locator("#forecast")).not_to_be_empty()
    before = [place.evaluate(POSITION_IN_CARD) for place in places]
    expect(stop_button).to_be_hidden()
    solve.click()
    expect(stop_button).to_be_visible()
    expect(solve).to_be_hidden()
    assert [place.evaluate(POSITION_IN_CARD) for place in places] == before, "no button moves"
    expect(stop_button).to_be_focused()
    press(page, "Enter")
    expect(page.locator("#verdict")).to_contain_text("No solution yet. Stopped on request;")
    expect(stop_button).to_be_hidden()
    expect(solve).to_be_focused()


def test_interrupted_search_is_reported(page: Page) -> None:
    page.goto(f"/play/{CODE}")
    job_started = '<hx-partial hx-target="#job" hx-swap="innerHTML"><input name="job"></hx-partial>'
    page.route(
        "**/solve",
        lambda route: route.fulfill(
            content_type="text/event-stream", body=f"data: {job_started}\n\n"
        ),
    )
    page.locator("#solve-button").click()
    expect(page.locator("#verdict")).to_contain_text("The search stopped")
    expect(page.locator("#stop")).to_be_hidden()
    page.unroute("**/solve")
    choose_algorithm(page, "greedy")
    page.locator("#solve-button").click()
    expect(page.locator("#verdict")).to_contain_text(NOT_SHORTEST)


@pytest.fixture
def school(new_context: Callable[..., BrowserContext]) -> Callable[[], Page]:
    """Return a function that opens a page, each with the same IP address."""
    context = new_context(extra_http_headers={"X-Forwarded-For": "198.51.100.7"})
    return context.new_page


@pytest.fixture
def busy(school: Callable[[], Page]) -> list[Page]:
    """Return the pages whose searches take the two places."""
    pages = [school(), school()]
    for page in pages:
        page.goto(f"/lab/{CODE}?run=iddfs&seconds=60")  # others would soon have stored too much
        page.locator("#race-run").click()
        expect(page.locator("#run-0")).not_to_have_class("run ready")
    return pages


def test_queued_search_starts_by_itself(school: Callable[[], Page], busy: list[Page]) -> None:
    page = school()
    page.goto(f"/play/{START}")
    page.locator("#solve-button").click()
    expect(page.locator("#verdict")).to_contain_text(WAITS)
    expect(page.locator("#notice")).to_be_empty()
    for other in busy:
        other.close()
    expect(page.locator("#verdict")).to_contain_text("Proved shortest")
    expect(page.locator("#waiting")).to_have_count(0)


def test_stop_removes_a_search_from_the_queue(school: Callable[[], Page], busy: list[Page]) -> None:
    page = school()
    page.clock.install()
    page.route("**/solve/waiting.js", lambda route: None)
    page.goto(f"/play/{START}")
    with page.expect_request("**/solve/waiting.js"):
        page.locator("#solve-button").click()
    expect(page.locator("#verdict")).to_contain_text(WAITS)
    page.locator("#stop").click()  # before its code has loaded
    with page.expect_response("**/stop"):  # else the minute below would pass for it too
        page.unroute_all()  # held requests continue
    expect(page.locator("#verdict")).to_have_text("Stopped.")
    expect(page.locator("#stop.htmx-request")).to_have_count(0)
    for other in busy:
        other.close()
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    page.clock.run_for(60_000)
    page.evaluate("0")
    assert not [url for url in requested if url.endswith("/solve")]
