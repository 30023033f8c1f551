"""The page's `Game` against the library's, on a connection that loses requests and answers."""

import random
from typing import Any

import pytest
from playwright.sync_api import Page

from slidewise import Game, IllegalMoveError, parse_puzzle
from tests.browser.steps import START
from tests.each import some

WALK = """async ([actions, seed, losses]) => {
  const { Game } = await import("/static/js/game/game.js");
  const { Server } = await import("/static/js/game/server.js");
  const url = location.pathname;
  let state = seed;
  const chance = (count) => (state = (48271 * state) % 2147483647) % count;
  const { position: begun } = await new Server(url).current();
  const { fetch } = window;
  let [underWay, most, posts] = [0, 0, 0];
  window.fetch = async (...request) => {
    const isPost = request[1]?.method === "POST";
    if (isPost) [posts, underWay] = [posts + 1, underWay + 1];
    most = Math.max(most, underWay);
    try {
      const fate = chance(100);
      if (fate < losses) throw new TypeError("lost");
      const response = await fetch(...request);
      if (fate < 2 * losses) response.text = () => Promise.reject(new TypeError("lost on its way"));
      return response;
    } finally {
      if (isPost) underWay -= 1;
    }
  };
  const server = new Server(url, { firstWait: 1 });
  const game = new Game(begun, { server });
  let [isRefused, conflicts] = [false, 0];
  game.addEventListener("refused", () => { isRefused = true; });
  game.addEventListener("conflict", () => { conflicts += 1; });
  const shown = [];
  const refusals = [];
  game.addEventListener("answer", ({ detail: { answer, batch, isRefused } }) => {
    const { kind, isNews, html } = answer;
    if (isRefused || !["board", "elsewhere"].includes(kind))
      refusals.push([shown.length, kind, isNews, batch?.length, html.slice(0, 300)]);
  });
  const turn = () => new Promise((resolve) => { setTimeout(resolve); });
  for (const [name, tile] of actions) {
    while (!game.isKnown) await turn(); // the server works out a restart of a long game
    isRefused = false;
    game.act(name, { tile });
    while (!game.isKnown) await turn();
    shown.push({ isRefused, ...game.shown });
    if (chance(4) === 0) await turn();
  }
  while (game.queue.length > 0) await turn();
  window.fetch = fetch;
  const { position } = await server.current();
  return { shown, refusals, most, posts, conflicts, confirmed: game.confirmed, position };
}"""
"""Plays actions at random speed; `losses` in a hundred requests and answers each are lost."""


def random_actions(seed: int, count: int) -> list[tuple[str, int]]:
    """Return actions of an impatient player, many of them impossible."""
    chance = random.Random(seed)
    names = ["slide"] * 12 + ["undo"] * 3 + ["redo"] * 2 + ["assisted"]
    drawn = [(chance.choice(names), chance.randint(1, 8)) for _ in range(count)]
    return [("restart", 0) if chance.random() < 0.02 else action for action in drawn]


def after(game: Game, name: str, tile: int) -> Game:
    """Return the game after an action; raises `IllegalMoveError`."""
    if name == "slide":
        if game.solved and game.past:
            raise IllegalMoveError("solved")
        return game.slide(tile, 0)
    if name == "assisted":
        return game if game.solved else game.with_help()
    return game.restart() if name == "restart" else {"undo": game.undo, "redo": game.redo}[name](0)


def is_shown(game: Game, position: dict[str, Any]) -> bool:
    """Return whether a page's position is the game's; a page may know the last slides only."""
    restarted = game.restarted_from
    numbers = (game.move_count, restarted.moves if restarted else 0)
    slides = [(position["made"], game.made), (position["undone"], game.undone)]
    return (
        position["board"] == str(game.board)
        and (position["moves"], position["left"]) == numbers
        and position["helped"] == game.helped
        and all(text == own or own.endswith(text.partition("…")[2]) for text, own in slides)
        and all("…" in text or text == own for text, own in slides)
    )


@pytest.mark.usefixtures("connection_lost")
@pytest.mark.parametrize(
    ("code", "count", "losses"),
    some([(START, 1500, 5), ("1.2.3-4.5.6-0.7.8", 300, 0), (START, 5000, 5)], 0, 1),
    ids=["lost-answers", "near-the-goal", "many"],
)
def test_random_walk_equals_the_game_of_the_library(
    page: Page, code: str, count: int, losses: int
) -> None:
    page.goto("/robots.txt")
    page.evaluate(f"history.replaceState(null, '', '/play/{code}')")
    actions = random_actions(count, count)
    walk = page.evaluate(WALK, [actions, count, losses])
    assert walk["refusals"] == [], "each action was possible"
    game = Game.new(parse_puzzle(code))
    refused = 0
    for number, ((name, tile), shown) in enumerate(zip(actions, walk["shown"], strict=True)):
        try:
            game = after(game, name, tile)
            assert not shown["isRefused"], (number, name, tile)
        except IllegalMoveError:
            refused += 1
            assert shown["isRefused"], (number, name, tile)
        assert is_shown(game, shown), (number, name, tile, shown)
    assert is_shown(game, walk["confirmed"])
    assert is_shown(game, walk["position"])
    assert (walk["most"], walk["conflicts"]) == (1, 0)
    assert count - refused > 100
    assert walk["posts"] >= (count - refused) / 100, "as many as a request takes"


MODULES = """
  const [{ Game }, { Server }, { foresee }] = await Promise.all(["game", "server", "position"]
    .map((name) => import(`/static/js/game/${name}.js`)));
  const [board, goal] = ["7.2.4-5.0.6-8.3.1", "1.2.3-4.5.6-7.8.0"];
  const counts = { made: "", undone: "", moves: 0, left: 0, helped: false };
  const begun = { board, goal, start: board, ...counts };
  const after = (tiles) => tiles.reduce((position, tile) =>
    foresee(position, { name: "slide", tile }).after, begun);
  const answered = (game) => new Promise((resolve) => {
    game.addEventListener("answer", resolve);
  });
"""

CUT = f"""async () => {{ {MODULES}
  const post = async ([{{ after: position }}]) => ({{ kind: "refused", html: "", position }});
  const game = new Game(begun, {{ server: {{ post }} }});
  for (const tile of [5, 8]) game.act("slide", {{ tile }});
  await answered(game);
  return [game.shown.board === after([5]).board, game.queue.length, game.conflict];
}}"""
"""Posts two moves to a server that refuses the second one."""


def test_batch_that_the_server_cuts_is_no_conflict(page: Page) -> None:
    page.goto("/robots.txt")
    assert page.evaluate(CUT) == [True, 0, None]


BROKEN = f"""async () => {{ {MODULES}
  const html = `<div id="play" data-board="${{board}}" data-moves="0" data-made="" data-undone="">`;
  const posts = [];
  window.fetch = async (url, {{ method }}) => {{
    const kind = method === "POST" ? "refused" : "board";
    const response = new Response(html, {{ headers: {{ "Slidewise-Answer": kind }} }});
    const isFirst = method === "POST" && posts.push(url) === 1;
    if (isFirst) response.text = () => Promise.reject(new TypeError());
    return response;
  }};
  const game = new Game(begun, {{ server: new Server("/play", {{ firstWait: 1 }}) }});
  game.act("slide", {{ tile: 5 }});
  const {{ detail: {{ answer }} }} = await answered(game);
  return [answer.kind, posts.length, game.shown.moves];
}}"""
"""Posts a move that is refused twice; the first refusal breaks on its way."""


def test_refusal_with_a_broken_body_comes_again(page: Page) -> None:
    page.goto("/robots.txt")
    assert page.evaluate(BROKEN) == ["refused", 2, 0]


ELSEWHERE = f"""async () => {{ {MODULES}
  const posts = [];
  const game = new Game(begun, {{ server: {{ post: (batch) => posts.push(batch) }} }});
  const stored = [{{ name: "slide", tile: 5, at: Date.now(), played: 0, fields: "" }}];
  game.pause();
  game.resume(begun, stored, {{ kind: "board", html: null, position: after([5, 5]) }});
  await Promise.resolve();
  return [game.conflict !== null, posts.length];
}}"""
"""Resumes a stored move after the server has the same board, two moves later."""


def test_equal_board_after_other_moves_is_another_game(page: Page) -> None:
    page.goto("/robots.txt")
    assert page.evaluate(ELSEWHERE) == [True, 0]


ARRIVED = f"""async () => {{ {MODULES}
  const posts = [];
  const post = async (batch) => {{
    posts.push(batch.map(({{ tile }}) => tile));
    const kind = posts.length === 1 ? "elsewhere" : "board";
    return {{ kind, html: "", position: batch[0].after }};
  }};
  const game = new Game(begun, {{ server: {{ post }} }});
  for (const tile of [5, 8]) game.act("slide", {{ tile }});
  const refusals = [];
  game.addEventListener("answer", ({{ detail: {{ isRefused }} }}) => refusals.push(isRefused));
  while (game.queue.length > 0) await new Promise((resolve) => {{ setTimeout(resolve); }});
  return [posts, refusals, game.shown.moves];
}}"""
"""Posts two moves to a server that has the first one from the page before."""


def test_moves_after_one_that_had_arrived_are_sent(page: Page) -> None:
    page.goto("/robots.txt")
    assert page.evaluate(ARRIVED) == [[[5, 8], [8]], [False, False], 2]


SPLIT = f"""async () => {{ {MODULES}
  const posts = [];
  const post = async (batch) => {{
    posts.push(batch.length);
    return {{ kind: "board", html: "", position: batch.at(-1).after }};
  }};
  const game = new Game(begun, {{ server: {{ post }} }});
  for (let count = 0; count < 130; count += 1) game.act("slide", {{ tile: 5 }});
  while (game.queue.length > 0) await new Promise((resolve) => {{ setTimeout(resolve); }});
  return [posts, game.confirmed.moves];
}}"""
"""Posts more moves than the server takes in one request."""


def test_moves_beyond_the_request_limit_are_split(page: Page) -> None:
    page.goto("/robots.txt")
    assert page.evaluate(SPLIT) == [[100, 30], 130]
