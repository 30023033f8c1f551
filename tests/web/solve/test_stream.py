from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise import algorithms, parse_puzzle
from tests.web import markup
from tests.web.streams import HTMX
from webapp.solve import links

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"


SHORTEST = 26


EASY = "1.2.3-4.0.6-7.5.8"


SOLVED = "1.2.3-4.5.6-7.8.0"


UNSOLVABLE = "1.2.3-8.0.4-7.6.5"


HARD = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"
"""Takes 52 moves: breadth-first search runs into its limit after seconds."""


def post(client, code, **form):
    """Solve as a browser does without JavaScript."""
    return client.post(f"/play/{code}/solve", data=form)


def steps_of(messages):
    """Return (tile, direction) of each step that was streamed, checking that they are counted."""
    steps = []
    for message in messages:
        part = message.partials.get("#steps")
        if part is not None:
            button = part.one("button")
            steps.append((int(button["data-tile"]), button["data-move"]))
            assert button["value"] == str(len(steps))
            assert part["hx-swap"] == "beforeend"
            assert button["title"].startswith(f"Step {len(steps)}: tile {steps[-1][0]} moves ")
    return steps


def replayed(board, steps):
    """Return the board after steps that are all legal and name the right tiles."""
    for tile, direction in steps:
        assert board.direction_of(tile) == direction
        board = board.slide(tile)
    return board


# The stream


def test_the_messages_of_a_solve(solve):
    reader = solve(CODE, algorithm="astar", heuristic="manhattan")
    assert reader.response.status_code == 200
    assert reader.response.mimetype == "text/event-stream"
    assert reader.response.headers["Cache-Control"] == "no-store"
    assert reader.response.headers["X-Accel-Buffering"] == "no"
    messages = reader.all()

    assert reader.job()
    started = next(m for m in messages if "Searching" in m.text("#live"))
    verdict = next(m for m in messages if m.text("#verdict").strip())
    assert messages.index(started) < messages.index(verdict)
    assert verdict.text("#verdict").startswith("✓ 26 moves. Proved shortest: A* with a consistent")
    assert "Expanded" in verdict.text("#live")
    assert messages.index(verdict) == len(messages) - SHORTEST - 1, "then come the steps alone"


def test_each_step_is_a_message_of_its_own_and_they_end_at_the_goal(solve):
    messages = solve(CODE).all()
    puzzle = parse_puzzle(CODE)
    steps = steps_of(messages)
    assert len(steps) == SHORTEST
    assert replayed(puzzle.start, steps) == puzzle.goal


def test_ids_count_on(solve):
    ids = [int(message.id) for message in solve(CODE).all() if message.id is not None]
    assert ids == sorted(set(ids))
    assert ids


def test_the_solution_has_a_link_that_shows_the_same(solve, client):
    reader = solve(CODE)
    steps = steps_of(reader.all())
    verdict = reader.wait_for("#verdict", "26 moves")
    link = verdict.partials["#solution"].one(id="replay-link")["href"]
    page = markup.read(client.get(link))
    assert [
        (int(button["data-tile"]), button["data-move"])
        for button in page.one(id="steps").all("button")
    ] == steps
    assert "Proved shortest" in page.one("main").text


def test_the_player_that_is_streamed_knows_the_solution(solve):
    verdict = solve(CODE).wait_for("#verdict", "26 moves")
    player = verdict.partials["#replay"].one(id="player")
    puzzle = parse_puzzle(CODE)
    assert player["data-start"] == str(puzzle.start)
    assert player["data-goal"] == str(puzzle.goal)
    assert (player["data-total"], player["data-step"]) == (str(SHORTEST), "0")
    play_on = verdict.partials["#replay"].one(id="play-on")
    assert play_on["action"] == f"/play/{CODE}/play-on"
    assert play_on.one("input", name="start")["value"] == str(puzzle.start)


@pytest.mark.parametrize("algorithm", ["bfs", "ucs", "astar", "greedy"])
def test_each_algorithm_is_told_as_what_it_is(solve, algorithm):
    messages = solve(CODE, algorithm=algorithm).all()
    steps = steps_of(messages)
    verdict = next(m.text("#verdict") for m in messages if m.text("#verdict").strip())
    assert verdict[2:].startswith(f"{len(steps)} moves")
    shortest = algorithms()[algorithm].optimal
    assert ("Proved shortest" in verdict) == shortest
    assert ("Not proved shortest" in verdict) == (not shortest)
    assert (len(steps) == SHORTEST) if shortest else (len(steps) >= SHORTEST)
    puzzle = parse_puzzle(CODE)
    assert replayed(puzzle.start, steps) == puzzle.goal


def test_it_solves_from_the_board_as_it_is_shown(solve, client):
    client.post(f"/play/{EASY}/slide", data={"tile": 5})
    cookie = client.get_cookie("slidewise_game", path=f"/play/{EASY}").value
    shown = "1.2.3-4.5.6-0.7.8"  # a click that is still on its way has been made there
    messages = solve(EASY, board=shown, cookies={"slidewise_game": cookie}).all()
    assert steps_of(messages) == [(7, "L"), (8, "L")]
    messages = solve(EASY, cookies={"slidewise_game": cookie}).all()
    assert steps_of(messages) == [(8, "L")], "without one, from the game's own"
    assert steps_of(solve(EASY).all()) == [(5, "U"), (8, "L")]


def test_the_link_and_the_goal_are_those_of_the_board_it_solved_from(solve):
    shown = "7.2.4-5.3.6-8.0.1"
    messages = solve(CODE, board=shown).all()
    link = next(
        m for m in messages if "#solution" in m.partials and m.partials["#solution"].all("a")
    )
    href = link.partials["#solution"].one("a")["href"]
    assert href.startswith(f"/replay/{shown}_0.1.2-3.4.5-6.7.8?moves=")
    play_on = link.partials["#replay"].one(id="play-on")
    assert play_on["action"] == f"/play/{CODE}/play-on", "the game stays the one of the page"
    assert play_on.one("input", name="start")["value"] == shown


def test_who_gives_up_gets_the_usual_solver_whatever_is_chosen(solve, client):
    give_up = {"give-up": "yes", "algorithm": "dfs", "depth": "1"}
    reader = solve(CODE, **give_up)
    assert reader.wait_for("#verdict", "26 moves").text("#verdict").startswith("✓ 26 moves. Proved")
    response = post(client, EASY, **give_up)
    assert response.location == f"/replay/{EASY}?moves=UL"


def test_a_goal_that_cannot_be_reached_is_told_and_why_is_there_already(solve, client):
    messages = solve(UNSOLVABLE).all()
    verdict = messages[-1].text("#verdict")
    assert "This goal cannot be reached." in verdict
    link = messages[-1].partials["#verdict"].one("a")
    page = markup.read(client.get(f"/play/{UNSOLVABLE}"))
    assert "7 pairs of tiles" in page.one(id=link["href"].removeprefix("#")).text
    assert "pairs of tiles" not in verdict
    assert steps_of(messages) == []
    assert "#replay" not in messages[-1].partials


def test_a_board_that_is_the_goal_already_is_told(solve):
    messages = solve(SOLVED).all()
    assert "This board is the goal already: nothing to solve." in re.sub(
        r" (?=:)", "", messages[-1].text("#verdict")
    )
    assert steps_of(messages) == []


def test_a_solve_empties_what_the_last_one_showed(solve):
    first = solve(EASY).all()[0]
    assert {"#job", "#live", "#verdict", "#solution", "#replay"} <= set(first.partials)
    for target in "#verdict", "#solution", "#replay":
        assert first.text(target) == ""
        assert "swapEmpty:true" in first.partials[target]["hx-swap"]


def test_at_the_end_there_is_no_job_to_stop(solve):
    for code in EASY, UNSOLVABLE, SOLVED:
        told = [m.partials["#job"] for m in solve(code).all() if "#job" in m.partials]
        assert told[0].all("input")
        assert not told[-1].all("input")


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"algorithm": "magic"}, "There is no algorithm 'magic'; the algorithms are "),
        ({"algorithm": ""}, "There is no algorithm ''"),
        ({"heuristic": "magic"}, "There is no heuristic 'magic'; the heuristics are "),
        ({"algorithm": "bfs", "heuristic": "<b>"}, "There is no heuristic '<b>'"),
        ({"algorithm": "a" * 5000}, "There is no algorithm 'aaaaa"),
        ({"board": "1.2-3.0"}, "Expected 3 rows of 3, found 2 rows of 2"),
        ({"board": "junk"}, "Expected a tile's number"),
        ({"board": "0 " * 3000}, "A board has at most 4,000 characters"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_cannot_be_solved_is_told_so(client, form, words, headers):
    response = client.post(f"/play/{EASY}/solve", data=form, headers=headers)
    assert response.status_code == 400
    assert words in markup.read(response).text
    assert len(response.data) < 20_000


# Without JavaScript


def test_without_htmx_a_solution_is_a_page_that_shows_the_same(solve, client):
    steps = steps_of(solve(CODE).all())
    response = post(client, CODE)
    assert response.status_code == 303
    assert urlsplit(response.location).path == f"/replay/{CODE}"
    page = markup.read(client.get(response.location))
    assert [
        (int(button["data-tile"]), button["data-move"])
        for button in page.one(id="steps").all("button")
    ] == steps


def test_the_board_that_is_shown_counts_there_too(client):
    response = post(client, EASY, board="1.2.3-4.5.6-0.7.8")
    assert response.location == "/replay/1.2.3-4.5.6-0.7.8?moves=L2"
    client.post(f"/play/{EASY}/slide", data={"tile": 5})
    assert post(client, EASY).location == "/replay/1.2.3-4.5.6-7.0.8?moves=L"


@pytest.mark.parametrize(
    ("code", "title", "words"),
    [
        (SOLVED, "Nothing to replay", "This board is the goal already"),
        (UNSOLVABLE, "No solution", "This goal cannot be reached. Read row by row"),
    ],
)
def test_where_there_is_no_solution_the_page_says_why(client, code, title, words):
    response = post(client, code)
    assert response.status_code == 200
    page = markup.read(response)
    assert page.one("h1").text == title
    assert words in page.one("main").text
    assert page.one("main").all("a", href=f"/play/{code}")


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"SOLVE_WAIT": 0.3}, "stopped on request"),
        ({"SOLVE_SECONDS": 0.3}, "stopped after 0.3 s"),
        ({"SOLVE_MEGABYTES": 2}, r"stopped at [\d,]+ stored nodes"),
    ],
    ids=["wait", "time", "memory"],
)
def test_a_search_that_takes_too_long_says_what_it_knows(new_app, settings, reason):
    client = new_app(**settings).test_client()
    response = post(client, HARD, algorithm="bfs")
    assert response.status_code == 200
    page = markup.read(response)
    assert page.one("h1").text == "No solution"
    bound = re.search(
        rf"No solution yet\. {reason.capitalize()}: the shortest has at least (\d+) moves\.",
        page.one("main").text,
    )
    assert bound, page.one("main").text
    assert 2 <= int(bound[1]) <= 52
    assert "Expanded" in page.one("main").text


def test_a_long_solution_has_a_link_that_names_the_search(client, monkeypatch):
    monkeypatch.setattr(links, "MOST_MOVES_IN_A_LINK", 25)
    response = post(client, CODE, algorithm="astar", heuristic="misplaced")
    query = parse_qs(urlsplit(response.location).query)
    assert query == {"algorithm": ["astar"], "heuristic": ["misplaced"]}
    assert f"{SHORTEST} moves" in markup.read(client.get(response.location)).one("title").text
    response = post(client, CODE, algorithm="bfs", heuristic="misplaced")
    assert parse_qs(urlsplit(response.location).query) == {"algorithm": ["bfs"]}


def test_a_solution_as_long_as_a_link_may_be_has_its_moves_in_it(client, monkeypatch):
    monkeypatch.setattr(links, "MOST_MOVES_IN_A_LINK", 26)
    assert "moves=" in post(client, CODE).location
