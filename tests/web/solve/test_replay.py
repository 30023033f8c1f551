from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise import parse_puzzle, steps
from tests import boards
from tests.boards import ONE_MOVE, SOLVED, TWENTY_MOVES, UNSOLVABLE
from tests.boards import SIX_MOVES as CODE
from tests.boards import TEXTBOOK as HARD
from tests.each import each
from tests.web import markup
from tests.web.cookies import GAME, cookies_of
from tests.web.processes import NEEDS_PROC
from tests.web.visitor import submit
from webapp.solve import replay
from webapp.workers.distances import Distances

MOVES = "R2ULUL"
SHORTEST = "RDLU2RDL2DR2UL2UR2DL2DRURD"
LONGER = "ULD2R2ULURD2LURUL2DRURDL2UR2D2LU2RDLDRU2L2DR2DL2U2RDLDR2"
FOUR = "5.1.2.3-6.10.7.4-0.9.11.8-13.14.15.12"


def get(client, code, **query):
    return client.get(f"/replay/{code}", query_string=query)


def read(client, code, **query):
    response = get(client, code, **query)
    assert response.status_code == 200, response.text
    return markup.read(response)


def verdict(page):
    """Return the class and the text of the verdict."""
    card = page.one("h2", id="solution-title").parent
    proof = next(element for element in card.inside if "proof" in element.classes)
    return (proof.classes - {"proof"}).pop(), proof.one("p").text


def cells(page):
    return page.one("div", role="img")["aria-label"].partition(": ")[2]


def hidden(page):
    """Return the hidden fields that each step sends."""
    fields = page.one(id="player").all("input", type="hidden")
    return {field["name"]: field["value"] for field in fields}


def go_to(page):
    """Return the steps to which the buttons of the player lead."""
    buttons = page.one(id="player").all("button", name="step")
    return {button["data-go"]: button["value"] for button in buttons}


# Steps


def test_replay_starts_at_the_start(client):
    page = read(client, CODE, moves=MOVES)
    assert cells(page) == "2 3 blank; 1 4 6; 7 5 8"
    assert page.one(id="step-text").text == "The start of the solution."
    assert page.one("output").text == "0 / 6"
    assert "6 moves" in page.one("title").text


def test_step_shows_its_board_and_its_move(client):
    for step in steps(parse_puzzle(CODE).start, "RRULUL"):
        page = read(client, CODE, moves=MOVES, step=step.number)
        rows = str(step.board).replace("0", "blank").split("-")
        assert cells(page) == "; ".join(row.replace(".", " ") for row in rows)
        assert page.one(id="step-text").text == str(step)
        assert page.one("output").text == f"{step.number} / 6"
        current = page.one(id="steps").one("button", aria_current="step")
        assert current["value"] == str(step.number)
        assert current["data-tile"] == str(step.tile)
        moved = [tile for tile in page.all("span") if "moved" in tile.classes]
        assert [tile["data-tile"] for tile in moved] == [str(step.tile)]


@each("step", ["-1", "x", "1.5", "1e3", "\N{SUPERSCRIPT TWO}", "+1"])
def test_step_that_is_no_number_is_400(client, step):
    response = get(client, CODE, moves=MOVES, step=step)
    assert response.status_code == 400
    assert "Step must be a number of 0 or more" in response.text


def test_player_works_without_javascript(client):
    page = read(client, CODE, moves=MOVES, step=2)
    player = page.one(id="player")
    assert (player["method"], player["action"]) == ("get", f"/replay/{CODE}")
    assert hidden(page) == {"moves": MOVES}
    assert go_to(page) == {"first": "0", "prev": "1", "next": "3", "last": "6"}
    for step in page.one(id="steps").all("button"):
        assert (step["form"], step["name"]) == ("player", "step")
    assert go_to(read(client, CODE, moves=MOVES))["prev"] == "0"
    assert go_to(read(client, CODE, moves=MOVES, step=6))["next"] == "6"


def test_solve_leads_to_the_player_without_javascript(client):
    client.post(f"/play/{TWENTY_MOVES}/slide", data={"tile": 5})
    response = client.get(f"/play/{TWENTY_MOVES}")
    response = submit(client, response, markup.read(response).one(id="solve-button"))
    assert verdict(markup.read(response))[1].startswith("21 moves. Proved shortest")
    page = markup.read(response)
    assert page.one("output").text == "0 / 21"
    for pressed, shown in ("next", 1), ("last", 21), ("prev", 20), (6, 7), ("first", 0):
        steps = page.one(id="steps").all("button")
        button = steps[pressed] if pressed == 6 else page.one("button", data_go=pressed)
        page = markup.read(submit(client, response, button))
        assert page.one("output").text == f"{shown} / 21"
    for scripted in page.one("button", data_go="play"), page.one("input", type="range"):
        assert "js-only" in scripted.classes
    assert markup.moves_of(markup.read(client.get(f"/play/{TWENTY_MOVES}"))) == 1


def test_step_and_start_have_links_to_play_on(client):
    page = read(client, HARD, moves=SHORTEST, step=1)
    assert page.one(id="play-from-here")["href"] == ("/play/7.2.4-0.5.6-8.3.1_0.1.2-3.4.5-6.7.8")
    assert page.all("a", href=f"/play/{HARD}")


def test_only_a_step_before_the_goal_can_be_played_on(client):
    for moves, step, is_over in (MOVES, 5, False), (MOVES, 6, True), (MOVES[:-1], 5, False):
        player = read(client, CODE, moves=moves, step=step).one(id="player")
        assert ("at-goal" in player.classes) == is_over


def test_moves_are_written_in_each_notation(client):
    page = read(client, CODE, moves=MOVES)
    labels = [label for label in page.all("label") if label.all("input", readonly="")]
    assert {label.text: label.one("input")["value"] for label in labels} == {
        "Directions of the tiles": "R2ULUL",
        "Directions of the blank": "L2DRDR",
        "Numbers of the tiles": "3 2 1 4 5 8",
    }


def test_replay_changes_no_game(client):
    client.post(f"/play/{CODE}/slide", data={"tile": 3})
    response = get(client, CODE, moves=MOVES, step=4)
    assert GAME not in cookies_of(response)
    game = markup.read(client.get(f"/play/{CODE}"))
    assert markup.board_of(game) == "2.0.3-1.4.6-7.5.8"


def test_estimate_along_the_solution_is_drawn(client):
    page = read(client, CODE, moves=MOVES, step=2)
    drawn = page.one("polyline", _class="estimate")["points"].split()
    assert [int(point.split(",")[0]) for point in drawn] == list(range(7))
    # here each move lowers the distance by one, so the estimate is the number of moves left
    assert [6 - int(point.split(",")[1]) for point in drawn] == [6, 5, 4, 3, 2, 1, 0]
    assert page.one(id="profile-now")["x1"] == "2"


# Input


def test_replay_without_moves_has_a_form(client):
    for query in {}, {"moves": ""}, {"moves": " \n"}, {"algorithm": ""}:
        page = read(client, CODE, **query)
        form = page.one("main").one("form")
        assert form["method"] == "get"
        assert form.one("input", name="moves")
        assert form.one("select", name="named")


def test_form_of_a_replay_reads_the_blanks_directions(client):
    response = client.get(f"/replay/{ONE_MOVE}")
    button = next(one for one in markup.read(response).all("button") if one.text == "Replay")
    response = submit(client, response, button, moves="R", named="blank")
    page = markup.read(response)
    assert [step.text for step in page.one(id="steps").all("button")] == ["8←"]
    assert page.one(id="step-text").text == "The start of the solution."


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("R2U3", "Move 5 (U) is not legal: no tile can move up on"),
        ("3 2 7", "Move 3 is not legal: tile 7 is not beside the blank on 0.2.3-1.4.6-7.5.8"),
        ("R\0", "Move 2 is '\\x00', which is not a direction: write U, D, L or R"),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_impossible_move_is_400_with_its_number(client, moves, words):
    response = get(client, CODE, moves=moves)
    assert response.status_code == 400
    assert words in markup.read(response).one("main").text


@pytest.mark.parametrize(
    ("typed", "named", "marked"),
    [
        (" R2 , U3 L", "tile", "U3"),
        ("l l d d d", "blank", "d"),
        ("3 2 seven 4", "tile", "seven"),
    ],
)
def test_list_with_a_wrong_move_is_400_with_the_move_marked(client, typed, named, marked):
    response = get(client, CODE, moves=typed, named=named)
    assert response.status_code == 400
    form = markup.read(response).one("main").one("form")
    field = form.one("input", name="moves")
    assert (field["value"], field["aria-describedby"]) == (typed, "wrong")
    chosen = [option["value"] for option in form.all("option", selected="")]
    assert chosen == ["blank"] * (named == "blank")
    assert form.one(id="wrong").one("mark").text == marked


# The verdict

AGAIN = "Proved shortest: the exact distance table says"
OPEN = "Not proved shortest: the shortest solution has"
NOT_SHORTEST = "above the shortest: the exact distance table says"
NOT_THE_GOAL = "These moves do not end at the goal."
VERDICTS = [
    (HARD, SHORTEST, "optimal", f"26 moves. {AGAIN} 26."),
    (HARD, LONGER, "unproved", f"56 moves. 30 moves {NOT_SHORTEST} 26."),
    (CODE, "RLR2ULUL", "unproved", f"8 moves. 2 moves {NOT_SHORTEST} 6."),
    ("1.2.3.4.5-6.7.8.0.9", "RL2", "unproved", f"3 moves. 2 moves {NOT_SHORTEST} 1."),
    (FOUR, "DULDRDL3U3", "unproved", f"12 moves. {OPEN} 10 to 12 moves."),
    (CODE, "R", "unfinished", f"1 move. {NOT_THE_GOAL}"),
]


@pytest.mark.parametrize(("code", "moves", "kind", "words"), VERDICTS)
def test_replay_shows_the_verdict(client, code, moves, kind, words):
    assert verdict(read(client, code, moves=moves)) == (kind, words)


@pytest.mark.parametrize(
    ("code", "query", "count"),
    [
        (CODE, {"moves": MOVES}, "6 moves"),
        (FOUR, {"moves": "LDRDL3U3"}, "10 moves"),
        (SOLVED, {"algorithm": "astar"}, "0 moves"),
    ],
)
def test_solution_as_long_as_the_bound_needs_no_table(client, monkeypatch, code, query, count):
    monkeypatch.setattr(Distances, "proved", None)
    assert verdict(read(client, code, **query)) == (
        "optimal",
        f"{count}. Proved shortest: no solution can have fewer than {count}.",
    )


def test_replay_without_a_distance_is_unproved_until_reloaded(app, monkeypatch):
    client = app.test_client()
    monkeypatch.setattr(Distances, "_answer", lambda *_: None)
    kind, words = verdict(read(client, HARD, moves=SHORTEST))
    assert kind == "unproved"
    assert "Not proved shortest: the shortest solution has 18 to 26 moves." in words
    monkeypatch.undo()
    assert "Proved shortest" in verdict(read(client, HARD, moves=SHORTEST))[1]


@NEEDS_PROC
def test_replay_is_checked_while_the_solvers_are_busy(new_app, solve):
    app = new_app(SOLVERS=1, MAX_STREAMS=1)
    reader = solve(boards.FOUR, app=app, algorithm="bfs")
    reader.wait_for("#live", "Expanded")
    assert "Proved shortest" in verdict(read(app.test_client(), HARD, moves=SHORTEST))[1]
    reader.leave()
    assert reader.wait_for_end()


# Links that name the search


def test_link_can_name_the_search(client):
    page = read(client, HARD, algorithm="bfs", step=26)
    assert cells(page) == "blank 1 2; 3 4 5; 6 7 8"
    assert verdict(page)[0] == "optimal"
    assert hidden(page) == {"algorithm": "bfs"}, "the buttons keep to the search"


def test_link_of_a_search_repeats_its_solution(client, monkeypatch):
    monkeypatch.setattr(replay, "MAX_MOVES_IN_LINK", 0)
    form = {"algorithm": "greedy", "heuristic": "misplaced"}
    link = client.post(f"/play/{HARD}/solve", data=form).location
    assert parse_qs(urlsplit(link).query) == {name: [key] for name, key in form.items()}
    shown = {markup.read(client.get(link)).all("input", readonly="")[0]["value"] for _ in range(3)}
    assert len(shown) == 1
    assert verdict(markup.read(client.get(link)))[1].endswith("the exact distance table says 26.")


@pytest.mark.parametrize(
    ("code", "query", "words"),
    [
        (CODE, {"algorithm": "magic"}, "There is no algorithm 'magic'"),
        (CODE, {"algorithm": "astar", "heuristic": "magic"}, "There is no heuristic 'magic'"),
        (CODE, {"algorithm": "astar", "step": "x"}, "Step must be a number"),
        (UNSOLVABLE, {"algorithm": "astar"}, "This search found no solution to replay"),
    ],
)
def test_search_without_a_solution_is_400(client, code, query, words):
    response = get(client, code, **query)
    assert response.status_code == 400
    assert words in markup.read(response).one("main").text


def test_search_over_its_time_is_400_with_its_bound(app, client, monkeypatch):
    monkeypatch.setitem(app.config, "SOLVE_WAIT", 0.3)
    response = get(client, boards.FOUR, algorithm="bfs")
    assert response.status_code == 400
    assert "stopped when the time for this answer was over; the shortest has" in response.text


def test_words_are_read_as_moves_and_ambiguous_ones_are_400(client):
    response = client.get("/replay/1.2-0.3", query_string={"moves": "['Right']"})
    assert response.headers["Location"].endswith("/replay/1.2-0.3?moves=L&read=blank")
    page = markup.read(client.get(response.headers["Location"]))
    assert page.one(id="read-as").text.endswith("the blank’s directions.")
    assert not markup.read(client.get("/replay/1.2-0.3?moves=L")).all(id="read-as")
    response = client.get("/replay/1.2.3-4.0.5-6.7.8", query_string={"moves": "Up, Down"})
    assert response.status_code == 400
    assert "write tile: or blank: before them" in response.text
