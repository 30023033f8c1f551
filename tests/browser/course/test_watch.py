"""The search viewer: an expansion looks the same from every direction."""

import itertools
import re

import pytest
from playwright.sync_api import Page, expect

from slidewise.course.searching import LAST_EXPANSIONS, RECORDED_EXPANSIONS
from tests.browser.steps import START, box_of, choose_algorithm, click, expect_to_fit, follow, press
from tests.each import some

SMALL = "2.3.0-1.4.6-7.5.8"
LONG = "8.6.7-2.5.4-3.0.1"

PICTURE = """() => {
  const at = (name) => document.querySelector(`[data-part=${name}]`);
  const side = ["heading", "why", "facts", "frontier", "sizes", "board", "code"];
  const text = [at("world").innerHTML, ...side.map((name) => at(name).innerHTML)].join("\\n");
  return text.replace(/class="[^"]*"/g, (names) => names.slice(7, -1).split(" ").sort().join(" "));
}"""


def watch(page: Page, code: str = SMALL, **query: object) -> None:
    """Open the viewer and wait for its trace."""
    fields = "&".join(f"{name}={value}" for name, value in query.items())
    page.goto(f"/lab/{code}/watch?{fields}")
    expect(page.locator("[data-part=body]")).to_be_visible()


def do(page: Page, name: str) -> None:
    """Press a button without a pointer, whose way takes five times as long."""
    page.locator(f"[data-do={name}]:visible").evaluate("button => button.click()")


def scrub(page: Page, at: int) -> None:
    page.locator("[data-part=range]").fill(str(at))


def count(page: Page) -> str:
    return page.locator("[data-part=count]").inner_text()


def heading_of(page: Page) -> str:
    return page.locator("[data-part=heading]").inner_text()


def nodes(page: Page, kind: str) -> int:
    return page.locator(f".watch-tree .node.{kind}").count()


@pytest.mark.parametrize("algorithm", some(["astar", "bidirectional", "idastar", "rbfs"], 3))
def test_expansion_looks_the_same_from_every_direction(page: Page, algorithm: str) -> None:
    watch(page, START if algorithm == "rbfs" else SMALL, algorithm=algorithm)
    last = min(5, int(page.locator("[data-part=range]").get_attribute("max") or 0))
    pictures = [page.evaluate(PICTURE)]
    for _ in range(last):
        do(page, "next")
        pictures.append(page.evaluate(PICTURE))
    assert all(picture != other for picture, other in itertools.pairwise(pictures))
    for at in reversed(range(last)):
        do(page, "prev")
        assert page.evaluate(PICTURE) == pictures[at], f"{algorithm}, back to {at}"
    scrub(page, last)
    assert page.evaluate(PICTURE) == pictures[last]
    watch(page, START if algorithm == "rbfs" else SMALL, algorithm=algorithm, at=last // 2)
    assert page.evaluate(PICTURE) == pictures[last // 2], "by a link"


def test_a_star_expansion_by_expansion(page: Page) -> None:
    watch(page)
    expect(page.locator("[data-part=heading]")).to_have_text("The start")
    assert (nodes(page, "waiting"), nodes(page, "expanded")) == (1, 0)
    do(page, "next")
    expect(page.locator("[data-part=why]")).to_contain_text("The start is the only node.")
    assert (nodes(page, "waiting"), nodes(page, "expanded"), nodes(page, "current")) == (2, 1, 1)
    expect(page.locator("[data-part=frontier] li")).to_have_count(2)
    do(page, "next")
    expect(page.locator("[data-part=why]")).to_have_text(
        "It has the lowest f = g + h: 1 + 5 = 6. The others had 8. "
        "h = 5: 1 move each for tiles 1, 2, 4, 5 and 8."
    )
    assert nodes(page, "dropped") == 1
    do(page, "last")
    expect(page.locator("[data-part=why]")).to_contain_text("It is the goal, reached in 6 moves")
    assert nodes(page, "goal") == 1
    assert page.locator(".watch-tree g.node.path").count() == 7
    assert count(page) == "7 / 7"
    expect(page).to_have_url(re.compile(r"[?&]at=7\b"))


def test_current_line_steps_through_an_expansion(page: Page) -> None:
    watch(page, at=4)
    line = page.locator(".watch-code li.on")
    expect(page.locator("[data-part=code-title]")).to_have_text("A*, line 8 of 8")
    expect(line).to_have_text("put s in the frontier4 waiting")
    do(page, "next")
    lines = []
    while heading_of(page) == "Expansion 5":
        lines.append(line.locator("span").inner_text())
        do(page, "line-back")
    assert lines[-3:] == [
        "for each successor s of n",
        "if n is the goal, return its path",
        "n ← take the lowest f",
    ]
    assert heading_of(page) == "Expansion 4"
    assert line.locator("span").inner_text() == "put s in the frontier"


def test_viewer_steps_between_iterations(page: Page) -> None:
    watch(page, algorithm="iddfs")
    iteration = page.locator("[data-part=iteration]")
    expect(iteration).to_have_text("Iteration 1 of 7: depth limit 0")
    for limit in (1, 2, 3):
        do(page, "iteration")
        expect(iteration).to_have_text(f"Iteration {limit + 1} of 7: depth limit {limit}")
        expect(page.locator("[data-part=why]")).to_contain_text(f"the depth limit {limit}")
        assert nodes(page, "expanded") == 1, "a tree of its own"
    do(page, "next")
    do(page, "iteration-back")
    expect(iteration).to_have_text("Iteration 4 of 7: depth limit 3")
    assert nodes(page, "expanded") == 1
    do(page, "iteration-back")
    expect(iteration).to_have_text("Iteration 3 of 7: depth limit 2")


def test_recursive_best_first_search_shows_f_backed_up(page: Page) -> None:
    watch(page, START, algorithm="rbfs")
    seen = set()
    for _ in range(12):
        do(page, "next")
        sums = page.locator(".watch-tree g.node .sum").all_text_contents()
        seen |= {text for text in sums if re.fullmatch(r"\d+ \(\d+ \+ \d+\)", text)}
    assert seen, "no node has an f above its own g + h"


def test_clicked_node_shows_its_board_and_links_to_its_expansion(page: Page) -> None:
    watch(page, at=1)
    page.locator(".watch-tree g.node.waiting").nth(1).click()
    expect(page.locator("[data-part=heading]")).to_have_text("The node chosen")
    expect(page.locator("[data-part=path]")).to_have_text("Tiles moved from the start: 3.")
    expect(page.locator("[data-part=board] [role=img]")).to_have_attribute(
        "aria-label", "Board of the node: 2 blank 3; 1 4 6; 7 5 8"
    )
    assert nodes(page, "chosen") == 1
    expect(page.locator("[data-part=play-link]")).to_have_attribute(
        "href", "/play/2.0.3-1.4.6-7.5.8_1.2.3-4.5.6-7.8.0"
    )
    do(page, "there")
    expect(page.locator("[data-part=heading]")).to_have_text("Expansion 2")
    frontier = page.locator("[data-part=frontier] button")
    names = frontier.evaluate_all("(all) => all.map((button) => button.ariaLabel)")
    assert len(set(names)) == len(names) > 1
    frontier.first.click()
    assert nodes(page, "chosen") == 1
    do(page, "unchoose")
    expect(page.locator("[data-part=heading]")).to_have_text("Expansion 2")
    with page.expect_navigation():
        page.locator("[data-part=play-link]").click()
    expect(page.locator("#play")).to_have_attribute("data-board", "2.0.3-1.4.6-7.5.8")


def test_viewer_works_by_keyboard(page: Page) -> None:
    watch(page)
    heading = page.locator("[data-part=heading]")
    press(page, ".", "ArrowRight", ".")
    expect(heading).to_have_text("Expansion 3")
    press(page, ",", "ArrowLeft")
    expect(heading).to_have_text("Expansion 1")
    status = page.locator("[data-part=said]")
    expect(status).to_have_text(re.compile(r"^Expansion 1\. g = 0, h = 6, f = 6\. The start is"))
    press(page, "Shift+ArrowLeft")
    expect(status).to_have_text(re.compile(r"^Line \d: "))
    page.locator("[data-part=tree]").focus()
    press(page, "ArrowRight")
    expect(heading).to_have_text("The node chosen")
    press(page, "ArrowDown")
    expect(page.locator("[data-part=path]")).to_have_text("Tiles moved from the start: 3.")
    expect(status).to_contain_text("Kept.")
    press(page, "Enter")
    expect(heading).to_have_text("Expansion 2")
    press(page, "ArrowLeft", "Escape")
    expect(heading).to_have_text("Expansion 2")
    press(page, "End")
    expect(heading).to_have_text("The end")
    press(page, "Home")
    expect(heading).to_have_text("The start")
    world = page.locator("[data-part=world]")
    before = world.get_attribute("transform")
    press(page, "+")
    expect(world).not_to_have_attribute("transform", before or "")


def test_viewer_plays_and_pauses(page: Page) -> None:
    watch(page)
    status = page.locator("[data-part=said]")
    page.locator("[data-part=speed]").select_option("line")
    do(page, "play")
    expect(page.locator("[data-do=play]")).to_have_text("Pause")
    expect(page.locator(".watch-code li.on")).to_contain_text("for each successor")
    expect(status).to_be_empty()
    page.locator("[data-part=speed]").select_option("16")
    expect(page.locator("[data-part=heading]")).to_have_text("The end")
    expect(page.locator("[data-do=play]")).to_have_text("Play steps")
    expect(status).to_contain_text("It is the goal")
    expect(page).to_have_url(re.compile(r"[?&]at=7\b"))


def test_panning_and_zooming_move_the_tree(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 1200})
    watch(page, at=6)
    world = page.locator("[data-part=world]")
    box = box_of(page.locator("[data-part=tree]"))
    x, y = box["x"] + 30, box["y"] + 90
    before = world.get_attribute("transform") or ""
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 50, y - 40, steps=4)
    page.mouse.up()
    expect(world).not_to_have_attribute("transform", before)
    dragged = world.get_attribute("transform") or ""
    page.mouse.wheel(0, -200)
    scale = re.search(r" scale\(.*\)$", dragged)
    assert scale  # late drawings of the drag do not change the scale
    expect(world).not_to_have_attribute("transform", re.compile(re.escape(scale[0])))
    assert scale_of(world.get_attribute("transform")) > scale_of(dragged)
    expect(page.locator("[data-part=heading]")).to_have_text("Expansion 6")  # a drag is no click


def scale_of(transform: str | None) -> float:
    found = re.search(r"scale\(([\d.]+)\)", transform or "")
    assert found
    return float(found[1])


def test_long_search_is_drawn_only_in_view(page: Page) -> None:
    watch(page, LONG, algorithm="bfs", at=RECORDED_EXPANSIONS)
    expect(page.locator("[data-part=note]")).to_contain_text(
        f"The first {RECORDED_EXPANSIONS:,} and the last {LAST_EXPANSIONS} of"
    )
    assert 0 < page.locator(".watch-tree g.node").count() < 1_000
    expect(page.locator(".watch-tree .node.current")).to_be_visible()
    do(page, "last")
    expect(page.locator("[data-part=why]")).to_contain_text("reached in 31 moves")
    expect(page.locator(".watch-tree .node.goal")).to_be_in_viewport()
    assert count(page) == "181,439 / 181,439"
    scrub(page, RECORDED_EXPANSIONS)
    do(page, "fit")
    drawn = page.locator(".watch-tree g.node")
    expect(drawn, "from afar they are drawn together").to_have_count(0)
    assert page.locator(".watch-tree .far").count() < 20


def test_a_deep_line_is_followed(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 1200})
    watch(page, START, algorithm="dfs", at=1500)
    for name in ("next", "next", "prev", "first", "last"):
        do(page, name)
        expect(page.locator(".watch-tree g.node.current")).to_be_in_viewport()


def test_several_on_a_page_go_by_themselves(page: Page) -> None:
    watch(page)
    page.evaluate(
        """async () => {
          const first = document.querySelector("[data-watch]");
          const second = first.cloneNode(true);
          second.querySelector("[data-part=body]").hidden = true; // until its search has loaded
          first.after(second);
          await import("/static/js/course/lab/watch/viewer.js?again");
        }"""
    )
    second = page.locator("[data-watch]").nth(1)
    second.locator("[data-do=next]").click()
    expect(second.locator("[data-part=heading]")).to_have_text("Expansion 1")


def test_solve_card_links_to_the_players_current_board(page: Page) -> None:
    page.goto(f"/play/{SMALL}")
    click(page, 3, moves=1)
    choose_algorithm(page, "greedy")
    page.locator("#heuristic").select_option("misplaced")
    follow(page, page.locator("#watch"))
    expect(page).to_have_url(
        re.compile(r"/lab/2\.0\.3-1\.4\.6-7\.5\.8/watch\?algorithm=greedy&heuristic=misplaced$")
    )
    expect(page.locator("[data-part=title]")).to_have_text(
        "Greedy best-first search, Misplaced tiles"
    )


def test_unavailable_trace_shows_the_reason(page: Page) -> None:
    page.route("**/trace?**", lambda route: route.fulfill(status=400, json={"error": "No tables."}))
    page.goto(f"/lab/{SMALL}/watch")
    expect(page.locator("[data-part=status]")).to_have_text("No tables.")


# The last expansions of a long search, across the gap


ALL = 20_290
"""The expansions of A* from `LONG`."""

FIRST, LAST = RECORDED_EXPANSIONS, LAST_EXPANSIONS
TO_THE_LAST, TO_THE_FIRST = f"Jump to the last {LAST}", f"Back to the first {FIRST:,}"


def number_of(page: Page) -> int:
    """Return the number of the shown expansion."""
    return int(count(page).split("/")[0].replace(",", ""))


def test_viewer_jumps_the_gap_and_reaches_the_goal(page: Page) -> None:
    watch(page, LONG)
    note = page.locator("[data-part=note]")
    expect(note).to_contain_text(f"The first {FIRST:,} and the last {LAST} of {ALL:,} expansions")
    page.get_by_role("button", name=TO_THE_LAST).click()
    gap = re.compile(rf"^… {ALL - FIRST - LAST:,} expansions not recorded … ")
    expect(note).to_contain_text(gap)
    expect(page.locator("[data-part=why]")).to_contain_text(gap)
    assert heading_of(page) == f"Expansion {ALL - LAST + 1:,}"
    assert nodes(page, "current") == 1
    expect(page.locator("[data-part=sizes]")).to_contain_text("8,657")
    do(page, "next")
    expect(page.locator("[data-part=why]")).to_contain_text(re.compile("^It has the lowest f"))
    page.get_by_role("button", name=TO_THE_FIRST).click()
    assert heading_of(page) == f"Expansion {FIRST:,}"
    do(page, "last")
    assert heading_of(page) == "The end"
    assert count(page) == f"{ALL + 1:,} / {ALL + 1:,}"
    assert nodes(page, "goal") == 1
    do(page, "prev")
    assert heading_of(page) == f"Expansion {ALL:,}"


def test_gap_is_crossed_by_keyboard_and_announced(page: Page) -> None:
    watch(page, LONG, algorithm="bidirectional", at=FIRST)
    status = page.locator("[data-part=said]")
    press(page, ".")
    expect(status).to_contain_text("7,890 expansions not recorded")
    expect(status).to_contain_text("Expansion 9,891")
    press(page, ".")
    expect(status).not_to_contain_text("not recorded …")
    press(page, ",", ",")
    assert heading_of(page) == f"Expansion {FIRST:,}"
    button = page.get_by_role("button", name=TO_THE_LAST)
    button.focus()
    press(page, "Enter")
    assert heading_of(page) == "Expansion 9,891"
    expect(page.locator("[data-do=gap]")).to_be_focused()
    page.locator("[data-part=tree]").focus()
    press(page, "End")
    expect(page.locator("[data-part=why]")).to_contain_text("The ends have met")
    assert nodes(page, "met") == 1
    expect(page.locator(".edge.meeting")).to_have_count(1)


@pytest.mark.parametrize("algorithm", some(["bfs", "idastar", "rbfs"], 1))
def test_a_late_expansion_looks_the_same_from_either_side(page: Page, algorithm: str) -> None:
    watch(page, LONG, algorithm=algorithm, at=FIRST + 40)
    shown = page.locator("[data-part=world]").inner_html()
    number = number_of(page)
    scrub(page, FIRST)
    assert number_of(page) == FIRST
    scrub(page, FIRST + 40)
    assert number_of(page) == number > FIRST + 40
    assert page.locator("[data-part=world]").inner_html() == shown
    assert page.locator("[data-part=code] li.on").count() == 1


def test_iteration_buttons_cross_the_gap_both_ways(page: Page) -> None:
    watch(page, LONG, algorithm="idastar", at=FIRST)
    iteration = page.locator("[data-part=iteration]")
    before = iteration.inner_text()
    do(page, "iteration")
    expect(iteration).to_have_text("Iteration 6 of 6: f-limit 31")
    assert number_of(page) > FIRST + 100
    do(page, "iteration-back")
    expect(iteration).to_have_text(before)


@pytest.mark.parametrize(("width", "height"), some([(1280, 800), (390, 844)], 1))
def test_viewer_fits_and_the_gap_is_in_view(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    watch(page, LONG, at=FIRST + 1)
    expect_to_fit(page)
    for selector in ("[data-do=play]", ".tree-window", "[data-part=heading]"):
        expect(page.locator(selector)).to_be_in_viewport(ratio=0.95)
    gap = page.locator("[data-part=why] b")
    expect(gap).to_have_text("… 18,190 expansions not recorded")
    expect(gap).to_be_in_viewport()


# Labels, low screens and print


RISING = "5.2.3-1.4.0"
"""A board on which the lowest f of recursive best-first search rises."""


def test_recursive_best_first_search_has_no_iterations(page: Page) -> None:
    page.goto(f"/lab/{RISING}/watch?algorithm=rbfs")
    shown = page.locator("[data-part=iteration]")
    expect(shown).to_have_text("Lowest f at the start: 4")
    page.get_by_role("button", name="Next rise of f").click()
    expect(shown).to_have_text("Lowest f at the start: 6")
    page.get_by_role("button", name="Previous rise of f").click()
    expect(shown).to_have_text("Lowest f at the start: 4")
    expect(page.locator("#main")).not_to_contain_text("teration")


def test_legend_names_only_present_kinds(page: Page) -> None:
    left = page.locator(".watch-legend li").filter(has_text="left again")
    page.goto(f"/lab/{RISING}/watch?algorithm=rbfs")
    expect(left).to_be_visible()
    page.goto(f"/lab/{RISING}/watch?algorithm=bfs")
    expect(page.locator(".watch-legend")).to_be_visible()
    expect(left).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), some([(844, 390), (390, 844), (320, 568)], 0, 2))
def test_tree_and_controls_are_in_view_on_small_screens(
    page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/lab/{RISING}/watch?algorithm=rbfs&at=2")
    for selector in ("[data-do=play]", ".tree-window", "[data-part=heading]", "[data-part=facts]"):
        expect(page.locator(selector)).to_be_in_viewport(ratio=0.95)
    expect_to_fit(page)
    if width > height:
        return
    for name, shown in (("Frontier", "frontier"), ("Code", "code-title"), ("Explain", "why")):
        page.get_by_role("button", name=name).click()
        expect(page.locator(f"[data-part={shown}]")).to_be_visible()
        expect(page.locator(".watch-side > .card:visible")).to_have_count(1)


def test_the_sum_of_a_node_is_one_line_on_a_narrow_phone(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto("/lab/6.4.2-1.0.3-7.5.8/watch?algorithm=astar&heuristic=manhattan")
    terms = page.locator(".equation > div")
    expect(terms).to_have_count(3)
    assert len({box_of(term)["y"] for term in terms.all()}) == 1


def test_print_has_all_text_and_no_controls(page: Page) -> None:
    page.goto(f"/lab/{RISING}/watch?algorithm=bfs")
    expect(page.locator(".watch-legend")).to_be_visible()
    page.emulate_media(media="print")
    for hidden in "body > header", ".lab-tabs", ".transport", ".watch-form":
        expect(page.locator(hidden)).to_be_hidden()
    words = page.locator(".watch-words")
    heights = words.evaluate("element => [element.clientHeight, element.scrollHeight]")
    assert heights[0] == heights[1]
