"""Solving: the stream, refused forms, and the pages without JavaScript."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise import algorithms, parse_board, parse_puzzle, standard_goal
from slidewise.puzzle.moves import play
from slidewise.puzzle.notation import MAX_TEXT
from tests.boards import BLANK_FIRST, FIVE, FOUR, LENGTHS, LINE_OF_TWO, SOLVED, UNSOLVABLE
from tests.boards import TEXTBOOK as CODE
from tests.boards import TWO_MOVES as EASY
from tests.each import each
from tests.web import markup
from tests.web.streams import HTMX, Message, steps_of
from webapp.solve import replay
from webapp.workers.shared import services_of

SHORTEST = LENGTHS[CODE]


def post(client, code, **form):
    """Solve like a browser without JavaScript."""
    return client.post(f"/play/{code}/solve", data=form)


# The stream


def test_messages_of_a_solve(solve):
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
    ids = [int(message.id) for message in messages if message.id is not None]
    assert ids
    assert ids == sorted(set(ids))


def test_solution_links_to_the_same_page_as_without_htmx(solve, client):
    reader = solve(CODE)
    steps = steps_of(reader.all())
    verdict = reader.wait_for("#verdict", "26 moves")
    link = verdict.partials["#solution"].one(id="replay-link")["href"]
    assert urlsplit(link).path == f"/replay/{CODE}"
    response = post(client, CODE)
    assert (response.status_code, response.location) == (303, link)
    page = markup.read(client.get(link))
    buttons = page.one(id="steps").all("button")
    assert [(int(button["data-tile"]), button["data-move"]) for button in buttons] == steps
    assert "Proved shortest" in page.one("main").text


def test_htmx_without_streams_goes_to_the_solution(client):
    headers = {**HTMX, "Accept": "text/html"}
    response = client.post(f"/play/{CODE}/solve", data={}, headers=headers)
    assert response.headers["HX-Redirect"] == post(client, CODE).location
    response = client.post(f"/play/{UNSOLVABLE}/solve", data={}, headers=headers)
    assert response.headers["HX-Retarget"] == "body"


def test_streamed_player_has_the_solution(solve):
    verdict = solve(CODE).wait_for("#verdict", "26 moves")
    player = verdict.partials["#replay"].one(id="player")
    puzzle = parse_puzzle(CODE)
    assert player["data-start"] == str(puzzle.start)
    assert player["data-goal"] == str(puzzle.goal)
    assert (player["data-total"], player["data-step"]) == (str(SHORTEST), "0")
    play_on = verdict.partials["#replay-card"].one(id="play-on")
    assert play_on["action"] == f"/play/{CODE}/play-on"
    assert play_on.one("input", name="start")["value"] == str(puzzle.start)


@pytest.mark.parametrize("algorithm", ["bfs", "greedy"])
def test_verdict_matches_the_guarantee_of_the_algorithm(solve, algorithm):
    messages = solve(CODE, algorithm=algorithm).all()
    steps = steps_of(messages)
    verdict = next(m.text("#verdict") for m in messages if m.text("#verdict").strip())
    assert verdict[2:].startswith(f"{len(steps)} moves")
    shortest = algorithms()[algorithm].optimal
    assert ("Proved shortest" in verdict) == shortest
    above = len(steps) - SHORTEST
    assert (f"{above} moves above the shortest" in verdict) == (not shortest)
    assert (len(steps) == SHORTEST) if shortest else (len(steps) >= SHORTEST)
    puzzle = parse_puzzle(CODE)
    board = puzzle.start
    for tile, direction in steps:
        assert board.direction_of(tile) == direction
        board = board.slide(tile)
    assert board == puzzle.goal


def test_solve_starts_from_the_shown_board(solve, client):
    client.post(f"/play/{EASY}/slide", data={"tile": 5})
    cookie = client.get_cookie("slidewise_game", path=f"/play/{EASY}").value
    messages = solve(EASY, board=LINE_OF_TWO, cookies={"slidewise_game": cookie}).all()
    assert steps_of(messages) == [(7, "L"), (8, "L")], "with a click that is still on its way"
    messages = solve(EASY, cookies={"slidewise_game": cookie}).all()
    assert steps_of(messages) == [(8, "L")], "without one, from the game's own"
    assert steps_of(solve(EASY).all()) == [(5, "U"), (8, "L")]


def test_link_and_goal_are_those_of_the_solved_board(solve):
    shown = "7.2.4-5.3.6-8.0.1"
    partials = solve(CODE, board=shown).wait_for("#verdict", "moves").partials
    href = partials["#solution"].one("a", id="replay-link")["href"]
    assert href.startswith(f"/replay/{shown}_{BLANK_FIRST}?moves=")
    play_on = partials["#replay-card"].one(id="play-on")
    assert play_on["action"] == f"/play/{CODE}/play-on", "the game stays the one of the page"
    assert play_on.one("input", name="start")["value"] == shown


def test_give_up_uses_the_default_solver(solve, client):
    give_up = {"give-up": "yes", "algorithm": "dfs", "depth": "1", "seconds": "0"}
    reader = solve(CODE, **give_up)
    assert reader.wait_for("#verdict", "26 moves").text("#verdict").startswith("✓ 26 moves. Proved")
    response = post(client, EASY, **give_up)
    assert response.location == f"/replay/{EASY}?moves=UL"


def test_unreachable_goal_links_to_its_explanation(solve, client):
    messages = solve(UNSOLVABLE).all()
    verdict = messages[-1].text("#verdict")
    assert "This goal cannot be reached." in verdict
    link = messages[-1].partials["#verdict"].one("a")
    page = markup.read(client.get(f"/play/{UNSOLVABLE}"))
    assert "7 pairs of tiles" in page.one(id=link["href"].removeprefix("#")).text
    assert "pairs of tiles" not in verdict
    assert steps_of(messages) == []
    assert "#replay" not in messages[-1].partials


def test_solve_clears_the_last_result(solve):
    first = solve(EASY).all()[0]
    cleared = "#verdict", "#solution", "#replay", "#replay-card"
    assert {"#job", "#live", *cleared} <= set(first.partials)
    for target in cleared:
        assert first.text(target) == ""
        assert "swapEmpty:true" in first.partials[target]["hx-swap"]


def test_best_solution_so_far_can_be_replayed(solve, client):
    reader = solve(FIVE)
    known = reader.wait_for("#known", "best so far").partials["#known"]
    reader.leave()
    least, most = (int(bold.text) for bold in known.one(class_="bounds").all("b"))
    assert 0 < least <= most
    link = known.one(id="replay-best")
    assert link.text == f"Replay the best so far ({most} moves)"
    answer = client.get(link["hx-get"], headers=HTMX)
    partials = Message(None, answer.text).partials
    assert set(partials) == {"#solution", "#replay", "#replay-card"}
    assert "not proved shortest" in partials["#replay-card"].text
    player = partials["#replay"].one(id="player")
    assert (player["data-start"], player["data-total"]) == (FIVE, str(most))
    steps = partials["#solution"].one(id="steps").all("button")
    moves = "".join(step["data-move"] for step in steps)
    assert play(parse_board(FIVE), moves) == standard_goal(5, 5)
    assert f"to {most} moves." in markup.read(client.get(link["href"])).text


@each("moves", ["U", "UR", "U" * 3, ""])
def test_moves_that_do_not_solve_are_no_best_solution(client, moves):
    path = f"/play/{EASY}/solve/best?board={EASY}&moves={moves}"
    assert client.get(path, headers=HTMX).status_code == 400


def test_solved_board_has_nothing_to_solve(solve):
    messages = solve(SOLVED).all()
    verdict = messages[-1].text("#verdict").replace(" :", ":")
    assert "It is already solved." in verdict
    assert steps_of(messages) == []


@each("code", [EASY, UNSOLVABLE, SOLVED])
def test_ended_solve_has_no_job_to_stop(solve, code):
    jobs = [m.partials["#job"] for m in solve(code).all() if "#job" in m.partials]
    assert jobs[0].all("input")
    assert not jobs[-1].all("input")


@each("headers", [{}, HTMX])
@each(
    ("form", "words"),
    [
        ({"algorithm": "magic"}, "There is no algorithm 'magic'; the algorithms are "),
        ({"algorithm": "bfs", "heuristic": "<b>"}, "There is no heuristic '<b>'; the heuristics"),
        ({"algorithm": "a" * 5000}, "There is no algorithm 'aaaaa"),
        ({"board": "1.2-3.0"}, "Expected 3 rows of 3, found 2 rows of 2"),
        ({"board": "0 " * MAX_TEXT}, f"A board has at most {MAX_TEXT:,} characters"),
    ],
)
def test_invalid_solve_is_400(client, form, words, headers):
    response = client.post(f"/play/{EASY}/solve", data=form, headers=headers)
    assert response.status_code == 400
    assert words in markup.read(response).text
    assert len(response.data) < 20_000


# Without JavaScript


def test_solve_without_javascript_frees_its_place_first(new_app):
    app = new_app(STREAMS_PER_VISITOR=1)
    answers = [post(app.test_client(), CODE) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [303, 303, 303]
    assert services_of(app).solvers._jobs == {}


@pytest.mark.parametrize(
    ("code", "title", "words"),
    [
        (SOLVED, "Nothing to replay", "It is already solved"),
        (UNSOLVABLE, "No solution", "This goal cannot be reached. Read row by row"),
    ],
)
def test_page_without_solution_has_the_reason(client, code, title, words):
    response = post(client, code)
    assert response.status_code == 200
    page = markup.read(response)
    assert page.one("h1").text == title
    assert words in page.one("main").text
    assert page.one("main").all("a", href=f"/play/{code}")


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"SOLVE_WAIT": 0.3}, "stopped when the time for this answer was over"),
        ({"SOLVE_SECONDS": 0.3}, "stopped after 0.3 s"),
        ({"SOLVE_MEGABYTES": 2}, r"stopped at [\d,]+ stored nodes"),
    ],
    ids=["wait", "time", "memory"],
)
def test_search_over_its_limits_shows_its_bound(new_app, settings, reason):
    client = new_app(**settings).test_client()
    response = post(client, FOUR, algorithm="bfs")
    assert response.status_code == 200
    page = markup.read(response)
    assert page.one("h1").text == "No solution"
    bound = re.search(
        rf"No solution yet\. {reason.capitalize()}; the shortest has (?:at least )?(\d+) moves",
        page.one("main").text,
    )
    assert bound, page.one("main").text
    assert 2 <= int(bound[1]) <= 52
    assert "Expanded" in page.one("main").text


def test_too_long_solution_is_linked_by_its_search(client, monkeypatch):
    monkeypatch.setattr(replay, "MAX_MOVES_IN_LINK", SHORTEST)
    assert "moves=" in post(client, CODE).location
    monkeypatch.setattr(replay, "MAX_MOVES_IN_LINK", SHORTEST - 1)
    response = post(client, CODE, algorithm="astar", heuristic="misplaced")
    query = parse_qs(urlsplit(response.location).query)
    assert query == {"algorithm": ["astar"], "heuristic": ["misplaced"]}
    assert f"{SHORTEST} moves" in markup.read(client.get(response.location)).one("title").text
    response = post(client, CODE, algorithm="bfs", heuristic="misplaced")
    assert parse_qs(urlsplit(response.location).query) == {"algorithm": ["bfs"]}


def test_verdict_of_a_stuck_search_is_stuck_with_its_seed(client):
    page = markup.read(post(client, CODE, algorithm="first-choice", seed="a")).one("main").text
    assert "Stuck. No neighbour has a lower h than" in page
    assert "Seed a" in page
    cold = post(client, CODE, algorithm="annealing", seed="a", cooling="0.5")
    assert "Cooling per step 0.5" in markup.read(cold).one("main").text
