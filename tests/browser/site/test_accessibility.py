"""Pages on load and in use fit all screens, and axe finds no violations, light or dark.

Each page has one look, as its template makes several pages; in `make soak` it has all.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import START, block_python, click, expect_to_fit_without_axe_violations
from tests.conftest import SOAK
from tests.each import some

pytestmark = [pytest.mark.soak] if SOAK else []

OTHER_GOAL = f"{START}_0.1.2-3.4.5-6.7.8"
ONE_MOVE = "1.2.3-4.5.6-7.0.8"
SMALL = "2.3.0-1.4.6-7.5.8"
UNSOLVABLE = "8.1.3-4.0.2-7.6.5_1.2.3-8.0.4-7.6.5"
LARGE = "0.8.20.24.15-19.21.5.16.1-13.22.6.12.7-14.3.10.2.11-9.4.17.18.23"
LARGEST = "-".join(".".join(str(10 * row + col) for col in range(10)) for row in range(10))
HARD = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"
OWN = "astar:=max(manhattan,+2+*+misplaced)"
SOLUTION = "moves=ULDR2DL2URURDLDRUL2U&step=5"
DAY = "/daily/2026-02-28"

PAGES = [
    *("/api", "/play/nonsense" + "9" * 200),
    *(f"/replay/{START}?{SOLUTION}", f"/play/{START}/share?{SOLUTION}"),
    *("/levels", "/learn/by-hand", "/learn/by-hand/trainer", "/new"),
    "/together/0000-00000-0000",
    *("/learn/local-search", "/learn/mistakes", "/learn/write"),
    *("/learn/mistakes/astar/columbia", f"/lab/{OTHER_GOAL}/check"),
    f"/lab/{OTHER_GOAL}/heuristics?own=max(manhat,2)",
    f"/convert?start={START}&moves=U&goal=1%202%0A3",
]

MORE_PAGES = [
    *("/learn/by-hand/corner", "/learn/write/bfs", "/learn/class"),
    *("/learn/write/opened", "/no-network", f"/play/{START}?beat=30", f"/prove/{START}"),
    *("/learn/predict?answer=1", "/learn/worksheet?answers=yes", "/learn/mistakes/astar/aima"),
    *("/privacy", "/transfer", "/learn/challenge?start=1.2.3-8.0.4-7.6.5"),
    "/learn/teachers?start=724506831&run=bfs&hide=hint",
    *("/learn/teachers?exercise=bfs&rules=strict", "/learn/write/bfs?seed=anna&rules=no-hints"),
    f"/convert?start={START}",
    "/play/1.2.3-4.5.6-8.7.0_0.1.2-3.4.5-6.7.8",
    f"/replay/{LARGE}?algorithm=greedy&step=200",
    f"/play/{START}/share?{SOLUTION}&what=challenge",
    f"/lab/{LARGEST}/heuristics",
    "/lab/3.2.1-7.0.6-4.5.8/heuristics?h=linear-conflict",
    f"/lab/{OTHER_GOAL}/heuristics?h==manhattan+%2B+conflict_pairs",
    *(f"/lab/{OTHER_GOAL}?run=nonsense", f"/lab/{OTHER_GOAL}/many?boards=0"),
]
"""The same templates with other content, and pages that other tests check, in `make soak`."""

RACES = [
    f"/lab/{OTHER_GOAL}?run=bfs,{OWN}",
    f"/lab/{OTHER_GOAL}/many?boards=3&run=bfs,greedy:misplaced,{OWN}&go=1",
    *(f"/lab/{OTHER_GOAL}", f"/lab/{HARD}?run=bfs&seconds=0.2&go=1"),
    *(f"/lab/{LARGEST}?run=bfs", "/lab/1.2.3-8.0.4-7.6.5"),
]

EDITOR = "[data-edits=start] button >> nth=0"
SETTINGS = "#open-settings"
REVIEW = "#your-game summary"
USED = {
    "a move": (f"/play/{OTHER_GOAL}", ["#t5", "#help summary"], "#by-number"),
    "a copied link": (f"/play/{START}", ["#share-button", "#share [data-copy]:visible"], "#share"),
    "the end": (f"/play/{ONE_MOVE}", ["#t8", "#new-game"], "#won"),
    "a review": (f"/play/{ONE_MOVE}", ["#t7", "#t8", "#open-review", REVIEW], "#review-summary"),
    "a hint, and a refusal": (
        f"/play/{START}",
        ["#hint", "#board:has(.hint) #t7"],
        "#said:not(.visually-hidden)",
    ),
    "a solution": (f"/play/{START}", ["#solve-button", "#steps button >> nth=5"], "#replay .board"),
    "the editor": (f"/custom?start={START}", [EDITOR], "[data-edits=goal]"),
    "the settings": (f"/play/{START}", [SETTINGS, ".face-both"], "#settings"),
    "a check": (f"/lab/{SMALL}/check", ["text=Try an example"], ".check-found"),
    "a node": (
        f"/lab/{SMALL}/watch?algorithm=rbfs&at=9",
        ["[data-part=frontier] button >> nth=0"],
        "[data-part=heading]:text('The node chosen')",
    ),
}
MORE_USED = {
    "a challenge": (f"/play/{ONE_MOVE}?beat=2", ["#t8"], "#challenge-over"),
    "its page": (f"/play/{ONE_MOVE}", ["#t7", REVIEW, "text=Review the moves"], "#review-summary"),
    "a bound": (f"/play/{LARGE}", [], "#to-go:has-text('at least')"),
    "a long one": (f"/play/{LARGE}?algorithm=greedy", ["#solve-button"], "#replay-link"),
    "no solution": (f"/play/{UNSOLVABLE}", [], "#unsolvable"),
    "its largest": (f"/custom?start={LARGEST}", [EDITOR], "[data-edits=goal]"),
    "an unsolvable": ("/custom?start=8.1.3-4.0.2-7.5.6", [], "[data-edits=goal]"),
    "an error": ("/custom?start=1+2+3", [], "#checked [role=alert]"),
    "rows": ("/new?size=10x10&seed=1", [SETTINGS, ".tiles-rows", "Escape"], "#board"),
    "a daily game": (DAY, ["text=Play the 3 × 3 puzzle"], "h1:has-text('28 February')"),
    "a search": (f"/lab/{SMALL}/watch?algorithm=idastar&at=9", [], "[data-part=body]"),
}
"""Each state: its URL, the clicks, and a selector that is then visible. `MORE_USED` runs in `make
soak`."""


@pytest.mark.parametrize("address", some(PAGES + MORE_PAGES, *range(len(PAGES))))
def test_loaded_page_fits_and_passes_axe(page: Page, address: str) -> None:
    if address.startswith("/learn/write/"):
        block_python(page)
    page.goto(address)
    expect_to_fit_without_axe_violations(page)


@pytest.mark.parametrize("address", some(RACES, 0, 1))
def test_race_fits_and_passes_axe(page: Page, address: str) -> None:
    page.goto(address)
    if page.locator("#race[hx-trigger]").count():
        expect(page.locator("#race-said")).not_to_be_empty()
    if page.locator("#selection:not([open])").count():
        page.locator("#selection > summary").click()
    expect_to_fit_without_axe_violations(page)


@pytest.mark.parametrize("state", some([*USED, *MORE_USED], *range(len(USED))))
def test_page_in_use_fits_and_passes_axe(page: Page, state: str) -> None:
    address, clicks, shown = (USED | MORE_USED)[state]
    page.goto(address)
    for selector in clicks:
        if selector == "Escape":
            page.keyboard.press(selector)
        else:
            page.locator(selector).click()
    expect(page.locator(shown).first).to_be_visible()
    expect_to_fit_without_axe_violations(page)


@pytest.mark.motion
def test_moves_are_announced_and_the_replay_only_while_shown(game: Page) -> None:
    status = game.locator("#said")
    expect(status).to_have_attribute("role", "status")
    click(game, 5)
    expect(status).to_contain_text("Tile 5 right. 1 move so far.")
    game.locator("#solve-button").click()
    text = game.locator("#step-text")
    expect(text).to_have_attribute("aria-live", "off")
    game.locator("[data-go=next]").click()
    expect(text).to_have_attribute("aria-live", "polite")
    expect(game.locator("#player output")).to_have_attribute("aria-live", "off")


def test_skip_link_leads_to_the_content(game: Page) -> None:
    game.keyboard.press("Tab")
    skip = game.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    game.keyboard.press("Enter")
    expect(game).to_have_url(re.compile("#main$"))
    game.keyboard.press("Tab")
    expect(game.locator("#hold-goal")).to_be_focused()
