"""The space of all boards: the page's own searches, its pictures, and its controls."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from slidewise import Limits, exact_table, parse_board, parse_puzzle, search, solve
from slidewise.solver.compare import read_choices
from slidewise.solver.events import Expanded
from tests.browser.steps import expect_no_axe_violations, expect_to_fit_at_all_widths, press
from tests.conftest import SOAK
from tests.each import each, some

HARDEST = "8.6.7-2.5.4-3.0.1"
NEAR = "1.3.0-4.2.6-7.5.8"
GOALS = {"last": "1.2.3-4.5.6-7.8.0", "first": "0.1.2-3.4.5-6.7.8"}
STARTS = [
    (HARDEST, "last"),
    (NEAR, "last"),
    ("7.2.4-5.0.6-8.3.1", "first"),
    ("1.2.5-3.4.0-6.7.8", "first"),
]
SEARCHES = [
    str(choice)
    for choice in read_choices(
        "bfs,dfs,ucs,iddfs,bidirectional,greedy,astar,wastar,idastar,rbfs,greedy:misplaced,"
        "astar:misplaced,wastar:linear-conflict,astar:linear-conflict,idastar:linear-conflict,"
        "rbfs:linear-conflict,idastar:misplaced,rbfs:misplaced"
    )
]
EXPANSIONS = 1_000 if SOAK else 400
"""Expansions of each search to compare with the library's."""

MODULES = """const load = (name) => import(
  document.querySelector("script[src*='course/learn/space.js']").src.replace("space.js", name));"""

RUN = f"""async ([start, goal, searches, most]) => {{ {MODULES}
  const {{ allBoards, cellsOf, estimates, numberOf }} = await load("space_boards.js");
  const {{ run }} = await load("space_searches.js");
  const cells = (text) => text.split(/[.-]/).map(Number);
  const boards = allBoards(cells(goal));
  const found = {{}}, computed = {{ undefined: new Uint8Array(181440) }};
  for (const search of searches) {{
    const [algorithm, heuristic] = search.split(":");
    const h = computed[heuristic] ??= estimates(boards, cells(goal), heuristic);
    const first = numberOf(boards, cells(start));
    const {{ expanded, path }} = run(algorithm, boards.neighbours, first, h, most);
    const texts = [...expanded].map((board) => cellsOf(boards, board).join(""));
    found[search] = [texts, path && path.length - 1];
  }}
  return found;
}}"""

LAYOUT = f"""async (goal) => {{ {MODULES}
  const {{ allBoards }} = await load("space_boards.js");
  const {{ boardAt, pixelsOf, place, ringsOf }} = await load("space_layout.js");
  const boards = allBoards(goal);
  const rings = ringsOf(boards);
  const numbers = [...boards.distances.keys()];
  const {{ owners, starts, pixels }} = pixelsOf(rings);
  const distances = rings.map(({{ count }}) => count);
  return {{
    distances,
    misplaced: numbers.filter((board) => boardAt(rings, ...place(rings, board)) !== board).length,
    unseen: numbers.filter((board) => starts[board] === starts[board + 1]).length,
    wrong: numbers.filter((board) => owners[pixels[starts[board]]] !== board).length,
  }};
}}"""

BUSY = 503
GO_TO = """(range, value) => {
  range.value = value;
  range.dispatchEvent(new Event("input", { bubbles: true }));
}"""


@pytest.fixture
def space(staying_page: Page) -> Page:
    """Return the page of two searches from the hardest board, drawn, as it opens.

    It stays open: its searches take ten times as long as another page. Where another test has
    used it, its slider, board and announcement are reset.
    """
    page = staying_page
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.mouse.move(0, 0)
    is_drawn = page.locator("#space[data-ready]").count() > 0
    if not (is_drawn and page.url.endswith(f"/learn/space?start={HARDEST}")):
        return opened(page, f"start={HARDEST}")
    status(page).evaluate("said => { said.textContent = ''; }")
    part(page, "range").evaluate(GO_TO, 1000)
    expect(status(page)).not_to_be_empty()  # comes once the slider rests, and not later
    disk(page).press("Home")
    disk(page).blur()
    return page


def opened(page: Page, query: str) -> Page:
    """Open a page of searches, again while the solvers are busy with a page that was left."""
    while (answer := page.goto(f"/learn/space?{query}")) and answer.status == BUSY:
        page.wait_for_timeout(500)
    expect(page.locator("#space[data-ready]")).to_be_attached()
    return page


def part(page: Page, name: str) -> Locator:
    return page.locator(f"[data-part={name}]")


def disk(page: Page) -> Locator:
    return page.locator(".disk").first


def status(page: Page) -> Locator:
    return part(page, "said")


def pictures(page: Page) -> list[bytes]:
    return [disk.screenshot() for disk in page.locator(".disk").all()]


def pictures_at(page: Page, *places: int) -> Iterator[list[bytes]]:
    """Move the slider to each place in turn, and yield the pictures there."""
    for place in places:
        part(page, "range").evaluate(GO_TO, place)
        yield pictures(page)


def expanded(start: str, goal: str, run: str, most: int) -> tuple[list[str], int | None]:
    """Return the boards that the library expands, as digits, and the length of its path."""
    puzzle = parse_puzzle(start, GOALS[goal])
    algorithm, _, heuristic = run.partition(":")
    limits = Limits(expansions=most)
    *events, end = search(puzzle, algorithm, heuristic or None, limits, trace=most)
    boards = [event.board for event in events if isinstance(event, Expanded)]
    return ["".join(map(str, board.cells)) for board in boards], end.result.length


@pytest.mark.parametrize(("start", "goal"), some(STARTS, 0, 3))
def test_searches_of_the_page_expand_as_the_library_does(
    space: Page, start: str, goal: str
) -> None:
    found = space.evaluate(RUN, [start, GOALS[goal], SEARCHES, EXPANSIONS])
    for run in SEARCHES:
        assert tuple(found[run]) == expanded(start, goal, run, EXPANSIONS), run


@each("goal", GOALS)
def test_layout_has_a_place_and_a_pixel_for_each_board(space: Page, goal: str) -> None:
    board = parse_board(GOALS[goal])
    found = space.evaluate(LAYOUT, list(board.cells))
    assert tuple(found.pop("distances")) == exact_table(board).counts
    assert found == {"misplaced": 0, "unseen": 0, "wrong": 0}


def expect_totals(page: Page, *runs: str) -> None:
    """Expect the expansions of both pictures as in the table and in the library."""
    foot = page.locator("tfoot tr").first.locator("td")
    for place, run in enumerate(runs):
        algorithm, _, heuristic = run.partition(":")
        limits = Limits(expansions=300_000)
        result = solve(parse_puzzle(HARDEST), algorithm, heuristic or None, limits)
        expect(part(page, "expanded").nth(place)).to_have_text(f"{result.expanded:,}")
        expect(foot.nth(place + 1)).to_have_text(f"{result.expanded:,}")


def test_totals_of_the_pictures_are_those_of_the_table(space: Page) -> None:
    expect_totals(space, "bfs", "astar:manhattan")


@pytest.mark.soak
def test_totals_of_long_searches_are_those_of_the_table(page: Page) -> None:
    opened(page, f"start={HARDEST}&a=dfs&b=iddfs")
    expect_totals(page, "dfs", "iddfs")


def test_picture_depends_on_the_slider_alone(space: Page) -> None:
    end, bare, middle, later, again, last = pictures_at(space, 1000, 0, 400, 700, 400, 1000)
    assert middle == again
    assert end == last
    assert bare[0] == bare[1]  # nothing is expanded yet
    shown = {picture for images in (bare, middle, later, end) for picture in images}
    assert len(shown) == 6  # A* ends before `later`


def test_slider_shows_the_expansions_of_both_searches(space: Page) -> None:
    slider = part(space, "range")
    slider.focus()
    press(space, "Home")
    expect(part(space, "expanded").first).to_have_text("0")
    slider.evaluate(GO_TO, 500)  # half way on the slider is an eighth of all
    expect(part(space, "expanded").first).to_have_text("22,680")
    expect(part(space, "expanded").nth(1)).to_have_text("20,290")
    expect(slider).to_have_attribute("aria-valuetext", "22,680 expansions")
    expect(status(space)).to_contain_text("Breadth-first search: 22,680 expanded, ")
    expect(status(space)).to_contain_text("20,290 expanded, solution of 31 moves.")


def test_play_begins_at_the_start_and_pauses(space: Page) -> None:
    button = space.get_by_role("button", name="Play both")
    button.click()
    expect(space.locator("#space")).to_have_class(re.compile("playing"))
    expect(part(space, "expanded").first).not_to_have_text("181,438")
    expect(part(space, "expanded").first).not_to_have_text("0")
    space.get_by_role("button", name="Pause").click()
    expect(space.locator("#space")).not_to_have_class(re.compile("playing"))
    expect(status(space)).to_contain_text("expanded")


def test_arrows_move_to_neighbouring_boards(space: Page) -> None:
    disk(space).focus()
    press(space, "ArrowDown")
    expect(space.locator("[name=board]")).to_have_value("8.6.7-2.0.4-3.5.1")
    expect(part(space, "distance")).to_have_text("30 moves")
    expect(status(space)).to_contain_text("Board: 8 6 7; 2 blank 4; 3 5 1. 30 moves from the goal.")
    press(space, "End")
    expect(part(space, "distance")).to_have_text("0 moves")
    expect(part(space, "tiles")).to_have_text("none")
    press(space, "ArrowUp")
    expect(status(space)).to_have_text("No tile can move there.")
    press(space, "Home")
    expect(space.locator("[name=board]")).to_have_value(HARDEST)
    expect(part(space, "play-link")).to_have_attribute("href", re.compile(f"/play/{HARDEST}$"))


def test_pointer_shows_the_board_under_it(space: Page) -> None:
    box = disk(space).bounding_box()
    assert box
    space.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(space.locator("[name=board]")).to_have_value(GOALS["last"])
    space.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.6)
    field = space.locator("[name=board]")
    expect(field).not_to_have_value(GOALS["last"])
    board = parse_board(field.input_value())
    distance = exact_table(parse_board(GOALS["last"])).distance(board)
    expect(part(space, "distance")).to_have_text(f"{distance} moves")
    for tile in (part(space, "tiles").text_content() or "").split():
        board = board.slide(int(tile))
    assert str(board) == GOALS["last"]


def test_space_fits_and_axe_finds_nothing(space: Page) -> None:
    expect_to_fit_at_all_widths(space)
    expect_no_axe_violations(space)


def test_theme_changes_the_pictures(space: Page) -> None:
    shown = []
    for scheme in "light", "dark", "light":
        space.emulate_media(color_scheme=scheme)
        space.evaluate("new Promise(requestAnimationFrame)")  # the page paints in this frame
        shown.append(pictures(space))
    light, dark, again = shown
    assert set(light).isdisjoint(dark)
    assert again == light


def test_typed_board_is_found_or_its_error_is_named(space: Page) -> None:
    space.evaluate("window.isSame = true")
    field = space.locator("[name=board]")
    field.fill("1 3 0 4 2 6 7 5 8")
    field.press("Enter")
    expect(part(space, "distance")).to_have_text("4 moves")
    expect(part(space, "numbers")).to_contain_text("A*, Manhattan distance expands it as number")
    expect(space).to_have_url(re.compile(f"board={NEAR}$"))
    assert space.evaluate("window.isSame")
    space.reload()
    expect(part(space, "distance")).to_have_text("4 moves")
    expect(space.locator("#space[data-ready]")).to_be_attached()
    field.fill("2 1 3 4 5 6 7 8 0")
    field.press("Enter")
    expect(space.get_by_role("alert").last).to_contain_text("cannot reach the goal")
