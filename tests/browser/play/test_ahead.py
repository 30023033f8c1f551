"""Play without waiting for the server: the page must show the same as the server's answers."""

import difflib
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product

import pytest
from playwright.sync_api import APIResponse, Page, Request, Route, expect

from slidewise import Game, IllegalMoveError, parse_board, parse_puzzle, scramble, solve
from slidewise.analysis.daily import daily_puzzle
from slidewise.analysis.distance import stars
from tests.browser.steps import (
    START,
    boards_after,
    click_in_one_task,
    click_quickly,
    expect_game,
    expect_sent,
    prepare_numbers,
    wait_for_module,
)
from tests.each import some
from webapp.play import links, sentences
from webapp.play.moves_left import MovesLeft

TWO_MOVES = "1.2.3-4.5.6-0.7.8"

SHOWN = r"""() => {
  const left_out = /^(hx-|data-(htmx|seconds|running|game|noted|level)|tabindex|autocomplete)/;
  const words = (text) => text.replace(/\s+/g, " ").trim();
  const classes = (text) => words(text.replace(/\bnews\b/, "")).split(" ").sort().join(" ");
  const lines = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return words(node.data) ? [words(node.data)] : [];
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches("template, .confetti")) return [];
    const named = [...node.attributes].filter(({ name }) => !left_out.test(name)
      && !(node.id === "next-puzzle" && name === "href")); // a lesson hides the level until then
    const attributes = named.map(({ name, value }) =>
      `${name}=${name === "class" ? classes(value) : words(value)}`);
    const isClock = node.id === "clock" && node.dataset.running !== undefined;
    return [`<${node.localName} ${attributes.sort().join(" ")}>`,
      ...(isClock ? [] : [...node.childNodes].flatMap(lines))];
  };
  return ["play", "finish", "figures"].flatMap((id) => {
    const copy = document.getElementById(id).cloneNode(true);
    const grid = copy.querySelector(".grid"); // the server's answer brings it into reading order
    grid?.replaceChildren(...[...grid.children].sort((a, b) => (a.id < b.id ? -1 : 1)));
    return lines(copy);
  });
}"""
"""Returns the HTML of the game and its figures, without attributes for htmx and the clock."""

SOLUTION = solve(parse_puzzle(START)).tiles


class Held:
    """Holds back the responses to the requests of a game until they are released."""

    def __init__(self, page: Page) -> None:
        self.page, self.responses, self.is_released = page, list[tuple[Route, APIResponse]](), False
        page.route(re.compile("/(slide|undo|redo|restart|assisted|hint)$"), self._hold)

    def _hold(self, route: Route) -> None:
        response = route.fetch()
        if self.is_released:
            route.fulfill(response=response)
        else:
            self.responses.append((route, response))

    def release(self) -> None:
        """Release the responses, and wait until the server has all actions."""
        self.is_released = True
        for route, response in self.responses:
            route.fulfill(response=response)
        expect_sent(self.page)
        self.page.unroute_all()


def act(page: Page, *actions: int | str) -> None:
    """Click tiles and buttons, by number and name, without waiting."""
    for action in actions:
        click_in_one_task(page, action)


def random_actions(code: str, seed: int, count: int) -> list[int | str]:
    """Return actions that are possible in this order."""
    chance, game = random.Random(seed), Game.new(parse_puzzle(code))
    actions: list[int | str] = []
    while len(actions) < count:
        line = [tile for tile in game.board.cells if tile and _can_slide(game, tile)]
        action = chance.choice([*chance.choices(line, k=6), "undo", "undo", "redo", "restart"])
        try:
            after = {"undo": game.undo, "redo": game.redo}.get(str(action))
            if after:
                after_game = after(0)
            else:
                after_game = game.restart() if action == "restart" else game.slide(int(action), 0)
        except IllegalMoveError:
            continue
        if after_game.solved:
            continue
        game = after_game
        actions.append(action)
    return actions


def _can_slide(game: Game, tile: int) -> bool:
    try:
        return bool(game.board.line(tile))
    except IllegalMoveError:
        return False


def expect_same_as_server(page: Page, held: Held) -> None:
    ahead = page.evaluate(SHOWN)
    held.release()
    expect(page.locator("#won-shortest:not([data-least])")).to_have_count(0)  # still being computed
    difference = list(difflib.unified_diff(ahead, page.evaluate(SHOWN), n=1, lineterm=""))
    assert not difference, "\n".join(difference)


@pytest.mark.parametrize(
    ("code", "seed"),
    some(
        [(START, 1), (START, 2), ("1.2.3-4.0.5", 3), ("5.1.2-0.4.3_0.1.2-3.4.5", 4)],
        0,
    ),
)
def test_random_play_shows_the_same_as_the_server(page: Page, code: str, seed: int) -> None:
    page.goto(f"/play/{code}")
    prepare_numbers(page)
    actions = random_actions(code, seed, 24)
    for part in actions[:8], actions[8:16], actions[16:]:
        held = Held(page)
        act(page, *part)
        expect_same_as_server(page, held)


@pytest.mark.parametrize(
    ("query", "code", "tiles"),
    some(
        [
            ("", START, (SOLUTION[0], SOLUTION[0], *SOLUTION)),
            ("?beat=4", TWO_MOVES, (4, 4, 7, 8)),
            ("?beat=2", TWO_MOVES, (4, 4, 7, 8)),
            ("?beat=9", TWO_MOVES, (8,)),
            ("", "1.2.3.4.5-6.7.8.9.10-11.12.13.14.15-16.17.18.19.20-21.22.0.23.24", (24,)),
        ],
        *(0, 2, 4),
    ),
    ids=["detour", "equalled", "lost", "won", "large"],
)
def test_finish_shows_the_same_as_the_server(
    page: Page, query: str, code: str, tiles: tuple[int, ...]
) -> None:
    page.goto(f"/play/{code}{query}")
    prepare_numbers(page)
    held = Held(page)
    act(page, *tiles)
    expect(page.locator("#won")).to_be_visible()
    expect_same_as_server(page, held)


def test_finish_with_help_shows_the_same_as_the_server(page: Page) -> None:
    page.goto(f"/play/{TWO_MOVES}")
    page.locator("#hint").click()
    expect(page.locator("#board .hint")).to_have_count(1)
    held = Held(page)
    act(page, 7, 8)
    expect(page.locator("#won")).to_contain_text("Solved with help")
    expect_same_as_server(page, held)


WORDS = """async (cases) => {
  const words = await import("/static/js/play/words.js");
  const { parse } = await import("/static/js/board.js");
  const { stars } = await import("/static/js/play/figures.js");
  const answer = {
    slide: ({ board, tile, count, solved }) => words.afterSlide(board, tile, count, solved),
    refusal: ({ board, tile }) => words.refusal(parse(board), tile),
    left: ({ left, was }) => words.movesLeft(left, was),
    detours: ({ extra }) => words.detours(extra),
    challenge: ({ beat, made, helped }) => words.challenge(beat, made, helped),
    stars: ({ made, shortest }) => stars(made, shortest),
  };
  return cases.map(([name, values]) => answer[name](values));
}"""


def slide_cases() -> Iterator[tuple[str, dict[str, object], object]]:
    """Yield every tile of random boards of several sizes."""
    for rows, cols in (2, 2), (3, 3), (4, 4), (2, 7), (10, 10):
        puzzle = scramble(rows, cols, f"words {rows}x{cols}")
        game = Game.new(puzzle)
        for tile in (*puzzle.start.cells, -1, 100):
            if tile == 0:
                continue
            values: dict[str, object] = {"board": str(puzzle.start), "tile": tile}
            try:
                after = game.slide(tile, 0)
            except IllegalMoveError as error:
                yield "refusal", values, str(error)
                continue
            values |= {"count": after.move_count, "solved": after.solved}
            yield "slide", values, sentences.after_slide(game, after)


def other_cases() -> Iterator[tuple[str, dict[str, object], object]]:
    board = parse_board(TWO_MOVES)
    counts = [0, 1, 2, 3, 4, 19, 20, 21, 25, 26, 80, 999, 1000, 1234]
    for moves, was in product(counts, [None, *counts]):
        change = None if was is None else moves - was
        left = {"moves": moves, "exact": True}
        before = None if was is None else {"moves": was, "exact": True}
        words = MovesLeft(board, moves, True, None, change=change).announced
        yield "left", {"left": left, "was": before}, words
    for moves in counts:
        left = {"moves": moves, "exact": False}
        words = MovesLeft(board, moves, False, None).announced
        yield "left", {"left": left, "was": None}, words
    for extra in (*range(2, 60, 2), 1998, 2000, 2002):
        yield "detours", {"extra": extra}, sentences.detours(extra)
    for made, shortest in product(range(1, 200), (1, 2, 3, 4, 17, 20, 31, 53, 80, 151)):
        yield "stars", {"made": made, "shortest": shortest}, stars(made, shortest)


def challenge_cases() -> Iterator[tuple[str, dict[str, object], object]]:
    for tiles, helped in product([(8,), (7, 8), (4, 4, 7, 8)], (False, True)):
        game = Game.new(parse_puzzle(TWO_MOVES))
        for tile in tiles:
            game = game.slide(tile, 0)
        game = game.with_help() if helped else game
        for beat in 1, 2, 3, 4, 1500:
            values = {"beat": beat, "made": game.move_count, "helped": helped}
            yield "challenge", values, links.outcome(beat, game)


def test_page_and_server_have_the_same_words_and_stars(game: Page) -> None:
    cases = [*slide_cases(), *other_cases(), *challenge_cases()]
    found = game.evaluate(WORDS, [case[:2] for case in cases])
    assert len(cases) > 2000
    wrong = [(case, answer) for case, answer in zip(cases, found, strict=True) if case[2] != answer]
    assert wrong == []


# The queue


FIGURES = """() => [document.getElementById("move-count").textContent,
  document.querySelector("#to-go b").textContent, document.querySelector("#stars b").textContent,
  document.querySelector("#won .tally span")?.textContent ?? ""]"""


def test_figures_and_finish_are_right_before_any_response(game: Page) -> None:
    prepare_numbers(game)
    held = Held(game)
    with game.expect_request("**/slide"):
        for number, tile in enumerate(SOLUTION, 1):
            click_quickly(game, tile)
            won = "20 moves" if number == 20 else ""
            expected = [str(number), str(20 - number), "20 moves", won]
            assert game.evaluate(FIGURES) == expected, "within the task of the click"
    card = game.locator("#won")
    expect(card.get_by_label("3 of 3 stars")).to_be_visible()
    expect(card).to_contain_text("A perfect solve: 20 moves is the minimum.")
    expect(game.locator("#records")).to_contain_text(re.compile(r"fewest moves\s*20"))
    expect(game.locator("#next-puzzle")).to_be_focused()
    assert len(held.responses) == 1, "one request is under way"
    expect_same_as_server(game, held)
    game.reload()
    expect(card).to_contain_text("A perfect solve")
    expect(game.locator("#records")).to_contain_text(re.compile(r"puzzles solved\s*1$|solved\s*1"))


BESTS = "() => JSON.parse(localStorage.getItem('bests') ?? '{}')"


@pytest.mark.parametrize(("after", "under_way"), [("restart", False), ("undo", True)])
def test_finish_left_before_its_response_is_recorded(
    page: Page, after: str, under_way: bool
) -> None:
    code = str(daily_puzzle(datetime.now(UTC).date(), 3, 3))
    tiles = solve(parse_puzzle(code)).tiles
    page.goto(f"/play/{code}")
    held = Held(page)
    if under_way:
        act(page, *tiles, after)
    else:
        click_in_one_task(page, *tiles, after)
    expect(page.locator("#won")).to_have_count(0)
    held.release()
    page.wait_for_function("() => localStorage.getItem('bests')")  # once its level is known
    (best,) = page.evaluate(BESTS).values()
    assert (best["moves"]["count"], best["solved"]["count"]) == (len(tiles), 1)
    page.wait_for_function("() => localStorage.getItem('days')")
    (day,) = page.evaluate("() => Object.values(JSON.parse(localStorage.getItem('days')))")
    assert day["moves"] == len(tiles)
    if after == "undo":
        return
    act(page, "undo")  # undoes the restart
    expect(page.locator("#won[data-noted]")).to_be_visible()
    expect_sent(page)
    (best,) = page.evaluate(BESTS).values()
    assert best["solved"]["count"] == 1, "the same game, once"


def test_finish_left_early_is_recorded_with_unknown_level(page: Page) -> None:
    board, goal = "5.1.2.4-9.6.3.8-13.10.7.11-14.0.15.12", "5.1.2.4-9.6.3.8-13.10.7.11-0.14.15.12"
    waiting = re.compile(r"/to-go\?")
    page.route(waiting, lambda route: route.fulfill(status=204))
    page.route("**/js/exact/worker.js", lambda route: route.abort())
    page.goto(f"/play/{board}_{goal}")
    held = Held(page)
    act(page, 15, 15, 14, "restart")
    held.release()
    wait_for_module(page, "play/records")
    page.goto("/robots.txt")
    ((kind, best),) = page.evaluate(BESTS).items()
    assert (best["moves"]["count"], best["solved"]["count"]) == (3, 1)
    assert kind == f"4x4 {goal}" or kind.endswith("easy")


LEVEL_IS_PENDING = """
document.addEventListener("readystatechange", () => {
  if (document.readyState !== "interactive") return;  // modules and htmx run after this
  const [title, figure] = ["shortest", "to-go"].map((id) => document.getElementById(id));
  for (const { dataset } of [title, figure])
    for (const name of ["least", "exact", "level"]) delete dataset[name];
  const { board } = document.getElementById("play").dataset;
  const url = `${location.pathname}/to-go?board=${board}&place=title&try=1`;
  Object.entries({ get: url, trigger: "load", target: "this", swap: "outerMorph" }).forEach(
    ([name, value]) => title.setAttribute(`hx-${name}`, value));
});"""
"""Makes the page one of a server that does not yet know the puzzle's shortest solution."""


def test_level_that_arrives_after_the_finish_is_in_its_record(page: Page) -> None:
    board, goal = "5.1.2.4-9.6.3.8-13.10.7.11-14.15.12.0", "5.1.2.4-9.6.3.8-13.10.7.11-0.14.15.12"
    late: list[Route] = []

    def answer_without_lengths(route: Route) -> None:
        response = route.fetch()
        text = re.sub(r"(?s)<hx-partial.*?</hx-partial>", "", response.text())
        text = re.sub(r'\sdata-(level|least|exact)(="[^"]*")?(?=[\s>])', "", text)
        route.fulfill(response=response, body=text)

    page.add_init_script(LEVEL_IS_PENDING)
    page.route("**/js/exact/worker.js", lambda route: route.abort())
    page.route("**/to-go?*", lambda route: route.fulfill(status=204))
    page.route(re.compile("/to-go.*place=title"), lambda route: late.append(route))
    page.route("**/slide", answer_without_lengths)
    with page.expect_request(re.compile("/to-go.*place=title")):
        page.goto(f"/play/{board}_{goal}")
    act(page, 12, 12, 14)  # the last with its row; so near the goal, the number is known
    expect(page.locator("#won")).to_have_attribute("data-game", re.compile("@"))  # the server's
    expect_sent(page)
    assert page.evaluate(BESTS) == {}, "until the level is known"
    late[0].fulfill(
        body=f'<b id="shortest" data-of="{board}" data-least="3" data-exact data-level="easy"></b>',
        content_type="text/html",
        headers={"Slidewise-Answer": "moves-left", "Slidewise-Board": board},
    )
    page.wait_for_function("() => localStorage.getItem('bests')")
    assert list(page.evaluate(BESTS)) == [f"4x4 {goal} easy"]


def posts_of(page: Page) -> list[Request]:
    """Return a list that collects the game's requests."""
    requests: list[Request] = []
    page.on(
        "request", lambda request: requests.append(request) if request.method == "POST" else None
    )
    return requests


def tiles_in(request: Request) -> list[str]:
    return re.findall(r"(?:^|&)tile=([^&]*)", request.post_data or "")


def test_second_request_carries_all_moves_made_meanwhile(game: Page) -> None:
    requests = posts_of(game)
    held = Held(game)
    with game.expect_request("**/slide"):
        act(game, 5)
    act(game, 8, "undo", "redo", 3, "restart", 2)
    held.release()
    assert [tiles_in(request) for request in requests] == [
        *(["5"], ["8", "undo", "redo", "3", "restart"], ["2"]),
    ]
    expect_game(game, 1, boards_after(START, (2,))[-1])


def test_review_and_sheet_wait_until_the_server_has_the_moves(game: Page) -> None:
    act(game, 5, 8)
    game.locator("#your-game summary").click()
    game.get_by_role("link", name="Review the moves so far").click()
    expect(game.locator("#review-summary")).to_contain_text("2 moves")


def test_wrong_click_is_refused_at_once_and_never_sent(game: Page) -> None:
    requests = posts_of(game)
    act(game, 7)
    status = game.locator("#said")
    expect(status).to_have_text(re.compile("^Tile 7 .*; 2, 5, 6 and 3 are.$"))
    expect(status).to_be_visible()
    act(game, "undo", "redo", "restart")
    expect(status).to_have_text("This is already the start of the puzzle.")
    act(game, 5)
    expect(status).to_have_class("visually-hidden")
    expect_sent(game)
    assert [tiles_in(request) for request in requests] == [["5"]]


def test_moves_missing_on_the_server_are_reported_and_undone(game: Page) -> None:
    """The server's cookie is of another game, as if the moves had been forged."""

    def other_board(route: Route) -> None:
        route.continue_(post_data=(route.request.post_data or "").replace("tile=3", "tile=6"))

    game.route("**/slide", other_board)
    act(game, 3)
    expect(game.locator("#typed")).to_have_text(
        "The board now shows your game as it is on the server."
    )
    expect_game(game, 1, boards_after(START, (6,))[-1])


def test_times_of_moves_are_those_of_their_clicks(page: Page) -> None:
    page.goto(f"/play/{TWO_MOVES}")
    click_quickly(page, 4)
    expect_sent(page)
    wait_for_clock(page, "0:00.50")
    held = Held(page)
    act(page, 4)
    wait_for_clock(page, "0:01.00")
    act(page, 7, 8)
    ahead = page.locator("#won .tally").inner_text()
    held.release()
    assert float(page.locator("#clock").get_attribute("data-seconds") or 0) >= 1
    assert page.locator("#won .tally").inner_text() == ahead


def wait_for_clock(page: Page, time: str) -> None:
    page.wait_for_function("time => document.getElementById('clock').textContent >= time", arg=time)
