"""Programming exercises: a program runs, is judged, can be stopped, and cannot escape."""

import functools
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from slidewise.course.judge import exercises, judge, judging
from tests.browser.site.test_without_network import IS_READY, wait_until
from tests.browser.steps import (
    ConsoleErrors,
    block_python,
    box_of,
    expect_no_axe_violations,
    expect_to_fit,
    expect_to_fit_at_all_widths,
    pause_clock,
    resize,
    wait_for_module,
)
from tests.each import each
from tests.solver.runs import SWEEP
from webapp.course.write.pages import POLICY

READY = re.compile("Python is ready")
SOLUTION = exercises()["bfs"].solution
NEWEST_FIRST = next(one for one in exercises()["bfs"].mistakes if "newest" in one.title).programs[0]


def open_exercise(page: Page, key: str = "bfs") -> None:
    page.goto(f"/learn/write/{key}")
    expect(page.locator("#state")).to_have_text(READY)


@pytest.fixture
def exercise(staying_page: Page) -> Page:
    """Return the shared `bfs` page with Python ready, so that Python starts only once."""
    page = staying_page
    if not page.url.endswith("/learn/write/bfs") or page.locator("#run").is_hidden():
        open_exercise(page)
    return page


@pytest.fixture
def editor(page: Page) -> Page:
    """Return the `bfs` page for typing, without Python."""
    block_python(page)
    page.goto("/learn/write/bfs")
    return page


@functools.cache
def traced(code: str) -> dict[str, Any]:
    trace = judge("bfs", code).trace()
    assert trace
    return {**trace}


def lab_of(trace: dict[str, Any]) -> str:
    """Return the URL of the lab for a search's puzzle."""
    boards = (trace[name].replace(" ", ".").replace("/", "-") for name in ("board", "goal"))
    return f"/lab/{'_'.join(boards)}"


def store_search(page: Page, search: str) -> None:
    """Store the last search of `bfs`, as a run does."""
    page.goto("/robots.txt")
    page.evaluate("(text) => localStorage.setItem('search bfs', text)", search)


def run(page: Page, code: str) -> None:
    page.locator("#code").fill(code)
    page.locator("#run").click()
    expect(page.locator("#stop")).to_be_hidden()


def printed_by(page: Page, code: str) -> str:
    """Run code that prints, in place of an exercise, and return its output."""
    run(page, code)
    return page.locator("#printed").text_content() or ""


LOSE = """
const Own = Worker;
window.lost = "machine";
window.Worker = class extends Own {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", (event) => {
      if (!event.data[lost]) return;
      event.stopImmediatePropagation();
      this.dispatchEvent(new MessageEvent("messageerror"));
    });
  }
};"""
"""Lets the page receive no message of a kind: in Firefox no `machine`, compiled WebAssembly."""


@pytest.mark.own_page
def test_run_follows_the_rules_and_ends_in_time(page: Page) -> None:
    page.clock.install()
    page.add_init_script(LOSE)
    open_exercise(page, "is_solvable?rules=no-hints,no-reference")  # the exercise with most calls
    solution = exercises()["is_solvable"].solution
    run(page, solution)
    expect(page.locator("#state")).to_contain_text("All checks passed")
    run(page, "def is_solvable(start, goal):\n    return True\n")
    expect(page.locator("#says")).to_contain_text("Yours")
    expect(page.locator("#says")).not_to_contain_text("Expected")
    expect(page.locator("#checks")).not_to_contain_text("instead of")
    page.evaluate("lost = 'line'")
    run(page, solution)
    expect(page.locator("main")).to_contain_text("Python ended.")
    page.evaluate("lost = ''")
    page.locator("#code").fill(
        "def is_solvable(start, goal):\n    print('on')\n    sum(iter(int, 1))\n"
    )
    pause_clock(page)
    page.locator("#run").click()
    expect(page.locator("#printed")).to_contain_text("on")  # its time has begun
    expect(page.locator("#state")).to_contain_text("Running")
    page.clock.fast_forward(19_000)
    expect(page.locator("#stop")).to_be_visible()
    page.clock.fast_forward(2_000)
    expect(page.locator("#state")).to_contain_text("Stopped after 20 seconds")
    expect(page.locator("#run")).to_be_visible()


def test_right_program_passes_and_shows_its_expansions(exercise: Page) -> None:
    page = exercise
    run(page, SOLUTION)
    expect(page.locator("#state")).to_contain_text("All checks passed")
    expect(page.locator("#checks .mark.yes")).to_have_count(len(exercises()["bfs"].checks))
    expect(page.locator("#done")).to_be_visible()
    trace = traced(SOLUTION)
    expect(page.locator("#figures div")).to_have_text(
        [
            f"{len(trace['path']) - 1}moves",
            f"{trace['expansions']}expanded",
            f"{trace['generated']:,}generated",
        ]
    )
    expect(page.locator("#strip figure")).to_have_count(5)
    page.locator("#following").click()
    expect(page.locator("#place")).to_contain_text("2 /")
    expect(page.locator("#strip .now figcaption")).to_have_text("2")
    assert json.loads(page.evaluate("localStorage.getItem('search bfs')")) == trace
    expect(page.locator("#watch")).to_have_attribute("href", f"{lab_of(trace)}/watch?own=bfs")
    expect(page.locator("#race")).to_have_attribute("href", re.compile(f"^{lab_of(trace)}"))
    with page.context.expect_page() as opened:  # this one stays, with its Python
        page.locator("#compare button").click(modifiers=["Control"])
    other = opened.value
    expect(other.locator("main")).to_contain_text("Score 100 of 100")
    other.goto("/learn/write")
    expect(other.locator(".is-done")).to_have_count(1)
    other.close()


def test_own_search_opens_in_watch(page: Page) -> None:
    trace = traced(SOLUTION)
    expanded = f"{trace['expansions']:,}"
    store_search(page, json.dumps(trace))
    page.goto(f"{lab_of(trace)}/watch?own=bfs")
    expect(page.locator("h1")).to_have_text("Your bfs at work")
    expect(page.locator("main")).to_contain_text("Your search, recorded in this browser")
    page.locator("[data-do=last]").click()
    expect(page.locator("[data-part=why]")).to_contain_text(f"{len(trace['path']) - 1} moves")
    expect(page.locator("[data-part=sizes]")).to_contain_text(f"expanded{expanded}")
    expect(page.locator("[data-part=sizes]")).to_contain_text(f"generated{trace['generated']:,}")


def test_own_and_built_in_search_step_together(page: Page) -> None:
    trace = traced(NEWEST_FIRST)
    store_search(page, json.dumps(trace))
    page.goto(f"{lab_of(trace)}/watch?own=bfs&beside=1&at={trace['differs']}")
    own, built_in = page.locator("[data-own]"), page.locator("[data-watch]:not([data-own])")
    for viewer in own, built_in:
        expect(viewer.locator("[data-part=body]")).to_be_visible()
    own.locator("[data-do=first]").click()
    for viewer in own, built_in:
        expect(viewer.locator("[data-part=heading]")).to_have_text("The start")
    page.locator("body").press("ArrowRight")
    own.locator("[data-do=next]").click()
    expect(own.locator("[data-part=heading]")).to_have_text("Expansion 2")
    expect(own.locator("[data-part=why]")).to_contain_text("The newest of 2 boards")
    expect(built_in.locator("[data-part=heading]")).to_have_text("Expansion 2")
    expect_no_axe_violations(page)
    expect_to_fit_at_all_widths(page)


WHOLE = {
    "board": "1 2 3/4 5 6/7 0 8",
    "goal": "1 2 3/4 5 6/7 8 0",
    "expanded": ["1 2 3/4 5 6/7 0 8"],
    "parents": [-1],
    "expansions": 1,
    "generated": 4,
}

BROKEN = (
    "spam",
    "null",
    '{"board": "1 2/3 0", "goal": "1 2/3 0", "expanded": ["1 2/3 0"], "path": 3}',
    '{"board": "1 2 3/4 5 6/7 0 8", "goal": "1 2 3/4 5 6/7 8 0", "expanded": ["<b>"],'
    ' "expansions": 1, "generated": 1}',
    json.dumps(WHOLE | {"parents": [0]}),
    json.dumps(WHOLE | {"board": "1 2 3/4 5 6/7 8 8", "expanded": ["1 2 3/4 5 6/7 8 8"]}),
    json.dumps({name: value for name, value in WHOLE.items() if name != "parents"}),
)
"""The last has no parents, as searches that were stored before the judge recorded them."""


LOAD = """async (texts) => {
  const { src } = document.querySelector("script[src*='watch/viewer.js']");
  const { loadSearch } = await import(src.replace("lab/watch/viewer.js", "write/write_store.js"));
  return texts.map((text) => {
    localStorage.setItem("search bfs", text);
    return loadSearch("bfs") !== null;
  });
}"""
"""Returns whether the page takes each of the texts for a search. It stores the last."""


def test_missing_or_broken_search_is_reported(page: Page) -> None:
    page.goto("/lab/1.2.3-4.5.6-7.0.8/watch?own=bfs")
    missing = page.locator("[data-part=missing]")
    expect(missing).to_contain_text("This browser has no search of your bfs on this board.")
    expect(page.locator("[data-part=body]")).to_be_hidden()
    assert page.evaluate(LOAD, [*BROKEN, json.dumps(WHOLE)]) == [False] * len(BROKEN) + [True]
    page.goto("/lab/1.2.3-4.5.6-7.0.8/watch?own=bfs")
    expect(page.locator("[data-part=body]")).to_be_visible()
    expect(missing).to_be_hidden()
    store_search(page, BROKEN[-1])
    page.goto("/lab/1.2.3-4.5.6-7.0.8/watch?own=bfs")
    missing.get_by_role("link", name="The built-in one").click()
    expect(page.locator("[data-part=title]")).to_contain_text("Breadth-first")


def test_own_search_has_a_lane_of_its_own_in_the_race(page: Page) -> None:
    trace = traced(SOLUTION)
    store_search(page, json.dumps(trace))
    page.goto(lab_of(trace))
    lane = page.locator("#race-own tr")
    expect(lane).to_have_count(1)
    expect(lane).to_contain_text("Your bfs measured in this browser, outside the race")
    for figure in trace["expansions"], trace["generated"], len(trace["path"]) - 1:
        expect(lane).to_contain_text(f"{figure:,}")
    assert "Your" not in page.request.get(page.url.split("?")[0] + ".json?run=bfs").text()
    page.goto("/lab/1.2.3-4.5.6-7.0.8")
    for stored in "of another board", "broken":
        wait_for_module(page, "course/lab/race_own")
        expect(page.locator("#race-own"), stored).to_be_hidden()
        expect(page.locator("#race-said"), stored).not_to_be_empty()
        page.evaluate("(text) => localStorage.setItem('search bfs', text)", BROKEN[-1])
        page.reload()


SEARCHES = ("bfs", "iddfs", "idastar", "rbfs")
if SWEEP:
    SEARCHES += ("dfs", "ucs", "greedy", "astar")

FROM_TWO_ENDS: dict[str, Any] = {
    "exercise": "bfs",
    "board": "1 2 3/0 4 6/7 5 8",
    "goal": "1 2 3/4 5 6/7 8 0",
    "heuristic": None,
    "expanded": [
        "1 2 3/0 4 6/7 5 8",
        "1 2 3/4 5 6/7 8 0",
        "0 2 3/1 4 6/7 5 8",
        "1 2 3/4 5 0/7 8 6",
        "1 2 3/7 4 6/0 5 8",
    ],
    "parents": [-1, -1, 0, 1, 0],
    "expansions": 6,
    "generated": 16,
    "path": None,
}
"""The first expansions of a search from both ends, whose two trees grow in turn."""

RECORD = """async ({ script, traces }) => {
  const { recordingOf } = await import(script);
  const { SearchTrace } = await import(script.replace("own.js", "trace.js"));
  return traces.map((search) => {
    const recording = new SearchTrace(recordingOf(search));
    const text = (node) => {
      const { cells, cols } = recording.board(node);
      return cells.map((tile, i) => tile + ((i + 1) % cols ? " " : "/")).join("").slice(0, -1);
    };
    const expansions = recording.steps.slice(0, search.expanded.length);
    return {
      boards: expansions.map(({ node }) => text(node)),
      path: recording.solution.map(text),
      generated: expansions.at(-1).sizes[2],
      states: expansions.every(({ node }, i) => recording.state(node, i + 1) === 2),
      shown: expansions.every(({ node }, i) =>
        recording.tree(i + 1).roots.includes(recording.roots[node])),
      nodes: expansions.map(({ node }) => node),
      parents: expansions.map(({ node }) => recording.parents[node]),
      trees: recording.iterations.length,
    };
  });
}"""
"""Returns the boards of own recordings as shown in the viewer."""


def test_recordings_show_the_expanded_boards_and_the_path(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Uses right and wrong programs: each expanded board is below its parent, in its tree."""
    monkeypatch.setattr(
        judging, "name_mistake", lambda *_, **__: None
    )  # unused, and most of the time
    traces = []
    for key in SEARCHES:
        exercise = exercises()[key]
        mistakes = exercise.mistakes[1 : None if SWEEP else 1 + (key == "bfs")]
        programs = [exercise.solution, *(one.programs[0] for one in mistakes)]
        found = [judge(key, code).trace() for code in programs]
        assert found[0]
        traces += [{"exercise": key, **trace} for trace in found if trace]
    traces.append(FROM_TWO_ENDS)
    page.goto("/lab/1.2.3-4.5.6-7.0.8/watch?own=bfs")
    viewer = page.locator("script[src*='viewer.js']").get_attribute("src") or ""
    script = viewer.replace("viewer.js", "own.js")
    recordings = page.evaluate(RECORD, {"script": script, "traces": traces})
    for trace, recording in zip(traces, recordings, strict=True):
        assert recording["boards"] == trace["expanded"]
        assert recording["states"]
        assert recording["shown"]
        nodes = recording["nodes"]
        assert recording["parents"] == [-1 if i < 0 else nodes[i] for i in trace["parents"]]
        triples = zip(recording["parents"], trace["expanded"], nodes, strict=True)
        below = [one for one in triples if one[0] >= 0]
        assert len({one[:2] for one in below}) == len({node for _, _, node in below})
        whole = len(trace["expanded"]) == trace["expansions"]
        assert not whole or recording["generated"] == trace["generated"]
        assert recording["path"] in ([], trace["path"])
    of_solutions = {
        key: next(
            one for one, trace in zip(recordings, traces, strict=True) if trace["exercise"] == key
        )
        for key in SEARCHES
    }
    assert all(one["path"] for one in of_solutions.values())
    assert [key for key, one in of_solutions.items() if one["trees"] > 1] == ["iddfs", "idastar"]
    assert recordings[-1]["trees"] == 5


def test_wrong_program_is_explained_with_the_board(exercise: Page) -> None:
    page = exercise
    resize(page, 390)
    run(page, NEWEST_FIRST)
    expect(page.locator("#says")).to_contain_text("newest board first")
    expect(page.locator("#state")).to_be_in_viewport(ratio=1)  # results are below the editor here
    expect(page.locator("#says .mini").first).to_be_visible()
    trace = traced(NEWEST_FIRST)
    differs = trace["differs"]
    side_by_side = page.locator("#says").get_by_role("link", name="Watch both side by side")
    expect(side_by_side).to_have_attribute(
        "href", f"{lab_of(trace)}/watch?own=bfs&beside=1&at={differs}"
    )
    expect(page.locator("#differs")).to_contain_text(f"Expansion {differs} is the first")
    expect(page.locator("#strip .now figcaption")).to_have_text(str(differs))
    expect(page.locator("#checks .mark.no").first).to_be_visible()
    expect(page.locator("#done")).to_be_hidden()
    expect_to_fit_at_all_widths(page)
    resize(page, 320)
    failed = page.locator("#checks li").filter(has=page.locator(".mark.no"))
    _, title, points = failed.first.locator("> span").all()
    reason = title.locator("[data-part=note]")
    assert box_of(reason)["y"] > box_of(title)["y"]  # on a line of its own
    expect(points).to_have_text(re.compile("^0 of [1-9]$"))
    for link in "#watch", "#race":
        assert box_of(page.locator(link))["height"] >= 24
    expect_no_axe_violations(page)


SHOW_CLEARED = """async () => {
  const { src } = document.querySelector("script[src*='course/write/write.js']");
  (await import(src.replace("write.js", "write_results.js"))).clear();
}"""
SHOW_REPORT = """async ([report, line]) => {
  const { src } = document.querySelector("script[src*='course/write/write.js']");
  const { show, showLine } = await import(src.replace("write.js", "write_results.js"));
  show(report, () => {});
  if (line) showLine(line, () => {});
}"""


@functools.cache
def report_of(key: str, code: str) -> dict[str, Any]:
    return {**judge(key, code).as_json(), "messages": {}}


def show(page: Page, key: str, code: str) -> None:
    """Show the report of a program as a run does."""
    page.evaluate(SHOW_REPORT, [report_of(key, code), None])


UNMARKED = """
from collections import deque
def bfs(start, goal):
    queue = deque([[start]])
    while len(queue) < 300:
        path = queue.popleft()
        if path[-1] == goal:
            return path
        for board in neighbors(path[-1]):
            queue.append(path + [board])
    raise MemoryError("a long queue")
"""


def test_check_shows_its_own_reason_beside_an_error(exercise: Page) -> None:
    page = exercise
    show(page, "bfs", UNMARKED)
    expect(page.locator("#says")).to_contain_text("MemoryError: a long queue")
    expect(page.locator("#checks [data-check=once]")).to_contain_text("expands boards again")
    expect(page.locator("#checks [data-check=path] [data-part=note]")).to_be_empty()


def test_line_to_try_mends_the_program_and_can_be_undone(exercise: Page) -> None:
    page = exercise
    run(page, NEWEST_FIRST)
    line, code = page.locator("#says .line"), page.locator("#code")
    expect(line.locator("del")).to_contain_text("pop()")
    expect(page.locator("#state")).to_contain_text("There is a line to try.")
    expect_to_fit_at_all_widths(page)
    expect_no_axe_violations(page)
    before = code.input_value()
    code.fill("def bfs(start, goal): pass")
    line.get_by_role("button", name="Try this line").click()
    expect(page.locator("#state")).to_contain_text("has changed since")
    expect(code).to_have_value("def bfs(start, goal): pass")
    code.fill(before)
    changed = line.locator("ins").inner_text()
    line.get_by_role("button", name="Try this line").press("Enter")
    expect(page.locator("#done")).to_be_visible()
    assert changed in code.input_value()
    code.press("Control+z")
    expect(code).to_have_value(before)


UNLIMITED = """
def dfs(start, goal):
    waiting, came_from = [start], {start: None}
    while waiting:
        board = waiting.pop()
        if board == goal:
            boards = []
            while board:
                boards.insert(0, board)
                board = came_from[board]
            return boards
        for after in neighbors(board):
            if after not in came_from:
                came_from[after] = board
                waiting.append(after)
"""


def test_search_without_a_limit_shows_its_own_checks(page: Page) -> None:
    block_python(page)
    page.goto("/learn/write/dfs")
    show(page, "dfs", UNLIMITED)
    shown = page.locator("#checks li:visible")
    texts = [check.text for check in exercises()["dfs"].unlimited.checks]
    expect(shown).to_have_count(len(texts))
    for text in texts:
        expect(shown.filter(has_text=text)).to_have_count(1)
    expect_no_axe_violations(page)
    show(page, "dfs", UNLIMITED)
    expect(shown).to_have_count(len(texts))
    page.evaluate(SHOW_CLEARED)
    expect(shown).to_have_count(len(exercises()["dfs"].checks))
    expect(shown.filter(has_text="without a solution")).to_have_count(0)


ROWS = """
def solve(board):
    waiting, reached = [[board]], [board]
    for path in waiting:
        if path[-1][0] == [1, 2, 3]:
            return path
        for after in moves(path[-1]):
            if after not in reached:
                reached.append(after)
                waiting.append(path + [after])


def moves(board):
    row = next(i for i in range(3) if 0 in board[i])
    column = board[row].index(0)
    for r, c in (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1):
        if 0 <= r < 3 and 0 <= c < 3:
            after = [line[:] for line in board]
            after[row][column], after[r][c] = after[r][c], 0
            yield after


GOAL = [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
"""
"""A search of another form than the task's, which compares the first row of the goal alone."""


def test_form_of_a_program_is_shown_and_can_be_corrected(exercise: Page) -> None:
    page = exercise
    run(page, ROWS.replace("def solve", "def bfs"))
    shown = page.locator("#understood")
    expect(shown).to_contain_text("rows as lists, blank 0")
    expect(shown.locator("code").first).to_have_text("bfs(board)")
    expect(page.locator("#says")).to_contain_text("Only a part of the goal is compared")
    expect(page.locator("#says .call")).to_contain_text("bfs([[")
    shown.locator("summary").click()
    goal, again = (
        shown.get_by_role("textbox", name="Goal"),
        shown.get_by_role("button", name="Run again"),
    )
    goal.fill("1 2 3 4")
    again.click()
    expect(page.locator("#state")).to_contain_text("Goal: 0 is missing")
    expect(goal).to_have_value("1 2 3 4")
    goal.fill("1 2 3/8 0 4/7 6 5")
    again.click()
    expect(page.locator("#stop")).to_be_hidden()
    expect(page.get_by_role("img", name="Goal: 1 2 3; 8 blank 4; 7 6 5").first).to_be_visible()
    name = shown.get_by_role("textbox", name="Function")
    name.fill("nothing")
    name.press("Enter")
    expect(page.locator("#state")).to_contain_text("has an error")
    expect(name).to_have_value("nothing")
    expect(name).to_be_focused()
    for field in name, goal:
        field.fill("")  # other tests run on this page
    expect_to_fit_at_all_widths(page)
    expect_no_axe_violations(page)


def test_line_to_try_names_the_mistake_that_it_mends(exercise: Page) -> None:
    report = {**report_of("bfs", NEWEST_FIRST), "mistake": None}
    words = {"title": "Off by one", "text": "It ends early.", "mend": "Use `>=`."}
    line = {"number": 4, "old": "a > 3", "new": "a >= 3", "mistake": words, "messages": {}}
    says = exercise.locator("#says")
    exercise.evaluate(SHOW_REPORT, [report, None])
    expect(says).to_contain_text("Hint:")
    exercise.evaluate(SHOW_REPORT, [report, line])
    expect(says.locator(".line b")).to_have_text("Off by one.")
    expect(says.locator(".line ins")).to_have_text("a >= 3")
    expect(says).not_to_contain_text("Hint:")


def test_wrong_board_of_a_list_is_marked(exercise: Page) -> None:
    show(exercise, "neighbors", exercises()["neighbors"].mistakes[0].programs[0])
    yours, expected = exercise.locator(".outcomes dd").all()
    expect(yours.locator(".mini")).to_have_count(3)
    expect(yours.locator(".odd .mini")).to_have_count(1)
    expect(expected.locator(".mini")).to_have_count(2)
    expect(expected.locator(".odd")).to_have_count(0)


def test_error_marks_its_line_with_a_sentence(exercise: Page) -> None:
    page = exercise
    run(page, "def bfs(start, goal):\n    print('here')\n    return spam\n")
    expect(page.locator("#says")).to_contain_text("Line 3: NameError: name 'spam' is not defined")
    expect(page.locator("#says")).to_contain_text("Check its spelling")
    expect(page.locator("#lines .wrong")).to_have_text("3\n")
    expect(page.locator("#printed")).to_contain_text("here")
    expect(page.locator("#state")).to_have_text("Your code has an error in line 3.")
    expect(page.locator("#code")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#code")).to_have_attribute("aria-errormessage", "state")
    page.get_by_role("button", name="Go to line 3").click()
    page.keyboard.type("# ")
    expect(page.locator("#code")).to_have_value(re.compile("\n#     return spam\n$"))
    expect(page.locator("#code")).to_have_attribute("aria-invalid", "false")


def test_error_of_code_that_was_changed_meanwhile_marks_no_line(exercise: Page) -> None:
    exercise.evaluate(HOLD_RUN)
    exercise.locator("#code").fill("def bfs(start, goal):\n    return spam\n")
    exercise.locator("#run").click()
    exercise.wait_for_function("() => window.goOn")
    exercise.locator("#code").fill("# mine\ndef bfs(start, goal):\n    return spam\n")
    exercise.evaluate("goOn()")
    expect(exercise.locator("#state")).to_have_text("Your code has an error in line 2.")
    expect(exercise.locator("#lines .wrong")).to_have_count(0)


def test_mistake_that_ends_in_an_error_is_named_too(exercise: Page) -> None:
    mistake = next(one for one in exercises()["bfs"].mistakes if one.key == "overwritten")
    show(exercise, "bfs", mistake.programs[0])
    expect(exercise.locator("#says")).to_contain_text("ValueError")
    expect(exercise.locator("#says")).to_contain_text(mistake.title)


HOLD_RUN = """() => {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message) {
    if (!message.ask) return postMessage.call(this, message);
    Worker.prototype.postMessage = postMessage;
    window.goOn = () => this.postMessage(message);
  };
}"""

WATCH_WORKERS = """
  const { postMessage } = Worker.prototype;
  globalThis.starts = [];
  Worker.prototype.postMessage = function (message) {
    if (message.files) {
      const start = { main: message.files.main, snapshot: message.files.snapshot?.byteLength ?? 0 };
      starts.push({ ...start, waited: starts.every(({ ready }) => ready) });
      const at = starts.length - 1;
      this.addEventListener("message", ({ data }) => { starts[at].ready ||= data.ready; });
      if (at === 0) document.querySelector("#run").click();
    }
    return postMessage.call(this, message);
  };
"""
"""Clicks Run as soon as the first worker starts, and records each start."""


@pytest.mark.own_page
def test_run_while_python_loads_starts_the_judge_at_once(page: Page) -> None:
    page.add_init_script(WATCH_WORKERS)
    page.goto("/learn/write/bfs")
    expect(page.locator("#checks .mark.no").first).to_be_visible()
    page.locator("#code").fill(SOLUTION)
    page.locator("#run").click()
    expect(page.locator("#state")).to_contain_text("All checks passed")
    first, judge_start, second, *_ = page.evaluate("starts")
    assert [first["main"], judge_start["main"]] == ["slidewise.course.programs.child", "in_browser"]
    assert not judge_start["waited"]
    assert second["main"] == first["main"]
    assert first["snapshot"] == 0
    assert second["snapshot"] > 1_000_000
    draw = "import random\nprint(random.random())\n"
    assert printed_by(page, draw) != printed_by(page, draw)


def test_program_is_written_run_and_submitted_by_keyboard(exercise: Page) -> None:
    page = exercise
    code, state = page.locator("#code"), page.locator("#state")
    code.focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("def bfs(start, goal):\n    sum(iter(int, 1))\n")
    for key in ("Escape", "Shift+Tab", "Enter"):
        page.keyboard.press(key)
    expect(state).to_contain_text("Running")
    expect(page.locator("#stop")).to_be_focused()
    page.keyboard.press("Enter")
    expect(state).to_have_text("Stopped.")
    expect(page.locator("#run")).to_be_focused()
    page.keyboard.press("Tab")
    expect(code).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(SOLUTION)
    page.keyboard.press("Control+Enter")
    expect(state).to_contain_text("All checks passed")
    code.focus()
    page.keyboard.press("Escape")
    for key in ("Tab", "Tab", "Tab", "Enter", "Tab"):  # both downloads, then the summary
        page.keyboard.press(key)
    page.keyboard.insert_text("Anna B.")
    page.keyboard.press("Tab")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename == "bfs-anna-b.py"
    assert "# Name: Anna B.\n" in download.value.path().read_text()


@each(
    ("code", "error"),
    [
        ("x = []\nwhile True: x.append(bytes(10**7))", "MemoryError"),
        ("import sys\nsys.setrecursionlimit(10**7)\ndef f(n): return f(n + 1)\nf(0)", "Recursion"),
        ("def f(x): return [f(x)]\nf(1)", "RecursionError"),
    ],
)
def test_memory_and_recursion_are_capped(exercise: Page, code: str, error: str) -> None:
    run(exercise, code)
    expect(exercise.locator("#says")).to_contain_text(error)


def test_next_run_works_after_a_program_ends_python(exercise: Page) -> None:
    page = exercise
    run(page, "x = []\nfor i in range(10**6): x = [x]\nrepr(x)")
    expect(page.locator("#state")).to_contain_text("Python ended")
    run(page, SOLUTION)
    expect(page.locator("#state")).to_contain_text("All checks passed")


def test_output_is_bounded(exercise: Page) -> None:
    page = exercise
    assert 19_000 < len(printed_by(page, "for i in range(10**5): print('a' * 50)")) < 22_000
    expect(page.locator("#printed-full")).to_be_visible()


def test_code_stays_and_start_over_can_be_undone(editor: Page) -> None:
    page = editor
    code = page.locator("#code")
    starter = code.input_value()
    code.fill("# mine")
    page.reload()
    expect(code).to_have_value("# mine")
    page.locator("#start-over").click()
    expect(code).to_have_value(starter)
    page.locator("#start-over").click()
    expect(code).to_have_value("# mine")
    page.locator("#start-over").click()
    page.reload()
    expect(code).to_have_value(starter)


def test_typing_does_not_replace_the_code_of_another_tab(editor: Page) -> None:
    other = editor.context.new_page()
    block_python(other)
    other.goto(editor.url)
    code, others = editor.locator("#code"), other.locator("#code")
    starter = code.input_value()
    others.fill("# mine")
    expect(code).to_have_value("# mine")
    code.press_sequentially("!")
    expect(others).to_have_value("# mine!")
    other.locator("#start-over").click()
    expect(code).to_have_value(starter)
    other.locator("#start-over").click()
    expect(code).to_have_value("# mine!")


def test_editor_indents_and_escape_lets_tab_leave(exercise: Page) -> None:
    page = exercise
    code = page.locator("#code")
    code.fill("")
    code.press_sequentially("def f():")
    for key in ("Enter", "a", "Enter", "Backspace", "b", "Enter", "Tab", "c", "Shift+Tab"):
        page.keyboard.press(key)
    expect(code).to_have_value("def f():\n    a\nb\nc")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(code).not_to_be_focused()


def typed(page: Page, before: str, *keys: str) -> str:
    """Press keys after a text in the editor; return the code."""
    code = page.locator("#code")
    code.fill(before)
    code.focus()
    page.keyboard.press("Control+End")
    for key in keys:
        page.keyboard.press(key)
    return code.input_value()


@each(
    ("line", "space"),
    [
        ("x = [", "    "),
        ("    f(a, {", "        "),
        ("x = '['", ""),
        ("# note:", ""),
        ("if x:  # '", "    "),
        ("        return x", "    "),
    ],
)
def test_enter_indents_after_colon_and_open_bracket(exercise: Page, line: str, space: str) -> None:
    assert typed(exercise, line, "Enter", "y") == f"{line}\n{space}y"


def test_tab_and_comment_are_undone_like_typing(exercise: Page) -> None:
    page = exercise
    code = "def f():\n    a\n\n    b"
    assert typed(page, code, "Tab") == f"{code}   "
    assert typed(page, code, "Tab", "Control+z") == code
    commented = "# def f():\n#     a\n\n#     b"
    assert typed(page, code, "Control+a", "Control+/") == commented
    assert typed(page, code, "Control+a", "Control+/", "Control+/") == code
    assert typed(page, code, "Control+a", "Control+/", "Control+z") == code
    assert typed(page, code, "Control+/") == "def f():\n    a\n\n    # b"
    assert typed(page, code, "Control+a", "Shift+Tab") == "def f():\na\n\nb"


def test_quotes_of_smart_punctuation_become_plain(exercise: Page) -> None:
    page = exercise
    page.locator("#code").fill("")
    for one in "“a”\N{LEFT SINGLE QUOTATION MARK}b’":
        page.keyboard.insert_text(one)
    expect(page.locator("#code")).to_have_value("\"a\"'b'")


RAISE_KEYBOARD = """() => {
  Object.defineProperty(visualViewport, "height", { value: innerHeight - 344 });
  visualViewport.dispatchEvent(new Event("resize"));
}"""
"""Simulates an on-screen keyboard, which does not resize the page."""


@pytest.mark.browser_context_args(
    has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}
)
def test_row_of_keys_types_on_phones(editor: Page) -> None:
    page = editor
    code, keys = page.locator("#code"), page.locator("#code-keys")
    expect(keys).to_be_hidden()
    assert code.evaluate("(area) => parseFloat(getComputedStyle(area).fontSize)") >= 16
    code.fill("")
    code.tap()
    for name in ("Indent", "_", "=", "[", "]", "(", ")", ":"):
        keys.get_by_role("button", name=name, exact=True).tap()
    expect(code).to_have_value("    _=[]():")
    keys.get_by_role("button", name="Dedent").tap()
    expect(code).to_have_value("_=[]():")
    keys.get_by_role("button", name="Undo").tap()
    page.evaluate(RAISE_KEYBOARD)
    expect(keys).to_have_css("bottom", "344px")
    expect(code).to_have_value("    _=[]():")
    expect(code).to_be_focused()
    expect_to_fit(page)
    code.blur()
    expect(keys).to_be_hidden()


ATTACKS = {
    "the js module": "import js\nprint('out', js.fetch)",
    "js as a submodule": "from js import self as s\nprint('out', s)",
    "pyodide_js": "import pyodide_js\nprint('out', pyodide_js.globals)",
    "pyodide_js api": "from pyodide_js import _api\nprint('out', _api)",
    "run_js": "from pyodide.code import run_js\nprint('out', run_js('1 + 1'))",
    "run_js import": "from pyodide.code import run_js\nprint('out', run_js('import(\"/\")'))",
    "eval_code js": "import pyodide.code as c\nprint('out', c.run_js('self.fetch'))",
    "http": "from pyodide.http import open_url\nprint('out', open_url('/').read())",
    "pyfetch": "from pyodide.http import pyfetch\nprint('out', pyfetch('/').send(None))",
    "urllib": "import urllib.request\nprint('out', urllib.request.urlopen('http://127.0.0.1'))",
    "socket": (
        "import socket\ns = socket.socket()\ns.settimeout(1)\ns.connect(('127.0.0.1', PORT))\n"
        "s.send(b'GET / HTTP/1.0\\r\\n\\r\\n')\nprint('out', len(s.recv(10)) or 1 / 0)"
    ),
    "ctypes": "import ctypes\nprint('out', ctypes.CDLL(None))",
    "ctypes script": (
        "import _ctypes\nscript = _ctypes.dlsym(_ctypes.dlopen(None, 0), "
        "'emscripten_run_script_int')\n"
        "if _ctypes.call_function(script, (b'6 * 7',)) == 42: print('out')"
    ),
    "subprocess": "import os\nif os.popen('echo found').read(): print('out')",
    "install": "import micropip\nprint('out', micropip)",
}
"""Each prints `out` only if it reaches anything."""

SEARCH_OF_OBJECTS = """
import gc, sys
from pyodide.ffi import JsProxy
NAMES = ("fetch XMLHttpRequest WebSocket EventSource WebTransport importScripts indexedDB caches "
         "eval BroadcastChannel SharedWorker Worker navigator location localStorage sessionStorage "
         "cookieStore Request Response RTCPeerConnection webkitRequestFileSystem "
         "FileSystemHandle StorageManager Notification WebSocketStream registration "
         "document").split()
WAYS = ("constructor __proto__ prototype self globalThis window runtimeEnv config _module Module "
        "public_api jsglobals globals _api API target source currentTarget port1 port2").split()
seen, todo = set(), [one for one in gc.get_objects() if isinstance(one, JsProxy)]
for module in list(sys.modules.values()):
    todo += [one for one in list(vars(module).values()) if isinstance(one, JsProxy)]
frame = sys._getframe()
while frame:
    todo += [one for one in list(frame.f_locals.values()) + list(frame.f_globals.values())
             if isinstance(one, JsProxy)]
    frame = frame.f_back
print("proxies", len(todo))
while todo and len(seen) < 3000:
    proxy = todo.pop()
    if proxy.js_id in seen:
        continue
    seen.add(proxy.js_id)
    for name in NAMES:
        try:
            value = getattr(proxy, name)
        except Exception:
            continue
        if value is not None and proxy.typeof != "undefined":
            print("out", name, str(proxy)[:60])
    for name in (*WAYS, *dir(proxy)):
        try:
            value = getattr(proxy, name)
        except Exception:
            continue
        if isinstance(value, JsProxy):
            todo.append(value)
        if name == "constructor":
            try:
                print("out", value("return 1")(), "by", str(proxy)[:60])
            except Exception:
                pass
"""


TRY_EACH = """
for name, code in {attacks!r}.items():
    try:
        exec(code, {{}})
    except BaseException:
        pass
    print("tried", name)
"""
"""Makes the attacks one after another."""


def test_attacks_from_python_reach_nothing(exercise: Page, console_errors: ConsoleErrors) -> None:
    page = exercise
    requests: list[str] = []

    def note(request: Request) -> None:
        requests.append(request.url)

    page.on("request", note)
    port = page.url.split(":")[2].split("/")[0]
    attacks = {name: code.replace("PORT", port) for name, code in ATTACKS.items()}
    ends_python = attacks.pop("ctypes script")
    printed = printed_by(page, TRY_EACH.format(attacks=attacks))
    assert "out" not in printed
    assert re.findall("^tried (.*)$", printed, re.MULTILINE) == [*attacks]
    assert "out" not in printed_by(page, ends_python)
    page.remove_listener("request", note)  # the page stays
    assert not [url for url in requests if "/learn/write/files/" not in url]
    console_errors.ignore("Content Security Policy")


def test_no_object_within_reach_has_a_dangerous_function(
    exercise: Page, console_errors: ConsoleErrors
) -> None:
    page = exercise
    printed = printed_by(page, SEARCH_OF_OBJECTS)
    assert "proxies" in printed, page.locator("#says").text_content()
    assert "out" not in printed, printed
    # the search's calls cause errors in the program's own worker
    own = "Content Security Policy", "is not a function"
    console_errors.ignore(*own)


GLOBALS = (
    *("fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport", "importScripts"),
    *("indexedDB", "caches", "BroadcastChannel", "Worker", "SharedWorker", "navigator", "eval"),
    *("postMessage", "Request", "location", "close", "webkitRequestFileSystem", "FontFace"),
    *("addEventListener", "onmessage", "FileReaderSync", "Blob", "URL", "WorkerGlobalScope"),
)


PROBE = """
import json
import js

def answer(names, write):
    return json.dumps([name for name in names.split() if hasattr(js, name)])
"""
"""Replaces a worker's module, and stores the module `js`."""

ASK_PROBE = """async ({ probe, names }) => {
  const { machine, library, worker: url } = document.querySelector("main").dataset;
  const bytes = async (one) => (await fetch(one)).arrayBuffer();
  const files = { machine: await bytes(machine), library: await bytes(library), main: "probe" };
  files.sources = new TextEncoder().encode(JSON.stringify({ "probe.py": probe }));
  const worker = new Worker(url, { type: "module" });
  return new Promise((resolve) => {
    worker.onmessage = ({ data }) => {
      if (data.ready) worker.postMessage({ ask: names });
      if (data.answer ?? data.ended) resolve(data.answer ?? data.ended);
    };
    worker.postMessage({ files });
  });
}"""


def test_worker_has_no_dangerous_global(exercise: Page) -> None:
    page = exercise
    names = " ".join((*GLOBALS, "Math"))
    assert page.evaluate(ASK_PROBE, {"probe": PROBE, "names": names}) == '["Math"]'


STORE_LATE = """async (url) => {
  const response = await fetch(url);
  while (!isOff) await later(10);
  return open().then((cache) => storeLater(cache, url, response)).catch(({ message }) => message);
}"""
"""Stores an exercise as the service worker does, once it knows that storing is off."""

NOTHING_STORED = """(await Promise.all((await caches.keys()).map((name) => caches.open(name)
  .then((cache) => cache.keys())))).flat().length === 0"""
"""Chromium itself makes an empty cache again, for the compiled code of a script from it."""

SCRIPTS_STORED = """(await Promise.all(performance.getEntriesByType("resource")
  .map(({ name }) => /[/]static[/].*[.]js$/.test(name) ? caches.match(name) : true)
  )).every(Boolean)"""
"""Whether all scripts that the page has loaded are in a cache."""


@pytest.mark.browser_context_args(service_workers="allow")
def test_visited_exercise_runs_offline_unless_switched_off(
    new_context: Callable[..., BrowserContext], console_errors: ConsoleErrors
) -> None:
    page = new_context().new_page()
    open_exercise(page)
    page.evaluate(IS_READY)
    wait_until(page, "await caches.match(location.href)")
    wait_until(page, SCRIPTS_STORED)
    wait_until(page, "(await (await caches.open('python /')).keys()).length >= 5")
    url = page.locator("main").get_attribute("data-worker")
    policy = (
        "(url) => caches.match(url).then(({ headers }) => headers.get('content-security-policy'))"
    )
    assert page.evaluate(policy, url) == POLICY

    page.context.set_offline(True)
    page.reload()
    expect(page.locator("#state")).to_have_text(READY)
    run(page, SOLUTION)
    expect(page.locator("#state")).to_contain_text("All checks passed")

    page.context.set_offline(False)
    page.evaluate("localStorage.setItem('offline', 'off')")
    page.reload()
    wait_until(page, NOTHING_STORED)
    (worker,) = page.context.service_workers
    assert worker.evaluate(STORE_LATE, page.url) == "switched off"
    wait_until(page, NOTHING_STORED)
    console_errors.ignore("Failed to load resource")
