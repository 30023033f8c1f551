"""How many moves are to go: at once for small boards, fetched for larger ones, never wrong."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from slidewise import exact_table, parse_board, parse_puzzle, scramble, solve
from slidewise.study.distance_ahead import DistanceAhead, look_ahead, moves_at_least
from tests.boards import FOUR_NEAR as FOUR
from tests.boards import TWO_MOVES as CODE
from tests.boards import UNSOLVABLE
from tests.web import markup
from tests.web.streams import HTMX, PATIENCE, until
from tests.web.visitor import Visitor
from webapp.workers import distances as lookout_module
from webapp.workers.cache import Cache
from webapp.workers.distances import Distances
from webapp.workers.services import services_of

FETCHED = "5.1.2.4-9.6.3.8-13.10.7.0-14.15.12.11"
FIVE = str(scramble(5, 5, "1"))


def fetch(client, code, board=None, **query):
    """Return the fragment that a page fetches."""
    query = {"board": board or code, "try": "1", **query}
    return Visitor(client, code).look("to-go", htmx=True, **query)


def fetch_known(client, code, **query):
    """Fetch until the answer says that it is all there is; the first of all has to compile."""
    found = []

    def known():
        found[:] = [fetch(client, code, **query)]
        return "hx-get" not in found[0].inside.__next__().attrs

    assert until(known, PATIENCE) is True
    return found[0]


def figure(page):
    """Return the number with its words, without how the last move changed it."""
    element = page.one(id="to-go")
    return f"{element.all('b')[0].text} {element.all('span')[0].text}"


def change(page):
    """Return how the last move changed the number, "" where that is not said."""
    return " ".join(chip.text for chip in page.one(id="to-go").all("small"))


def at_least(text):
    return int(text.removesuffix(" to go, at least"))


# Small boards


def test_the_number_comes_with_the_page_and_with_each_click(client):
    table = exact_table(parse_puzzle(CODE).goal)
    page = markup.read(client.get(f"/play/{CODE}"))
    assert figure(page) == "2 to go, at best"
    for tile in 4, 1, 2, 3, 6:
        page = Visitor(client, CODE).slide(tile)
        board = page.one(id="play")["data-board"]
        distance = table.distance(parse_board(board))
        assert figure(page) == f"{distance} to go, at best"
        assert page.one(id="to-go")["data-of"] == board
        assert f" {distance} to go, 1 " in page.one(id="said").text
        assert "hx-get" not in page.one(id="to-go").attrs


def test_it_is_told_of_every_click_but_not_with_a_refusal_or_at_the_end(client):
    assert Visitor(client, CODE).slide(5).one(id="said").text == (
        "Tile 5 up. 1 move. 1 to go, 1 nearer."
    )
    assert Visitor(client, CODE).click("undo").one(id="said").text == "Undone. 2 to go."
    assert "to go" not in Visitor(client, CODE).slide(1).one(id="said").text
    Visitor(client, CODE).slide(5)
    assert Visitor(client, CODE).slide(8).one(id="said").text == "Tile 8 left. Solved in 2 moves."


def test_each_goal_has_its_own_number(client):
    page = markup.read(client.get("/play/7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"))
    assert figure(page) == "26 to go, at best"
    assert page.one(id="shortest").text == "· 26 moves at best (hard)"


def test_a_click_never_waits_long_and_the_page_then_fetches_the_number(client, app, monkeypatch):
    monkeypatch.setitem(app.config, "CLICK_WAIT", 0.05)
    monkeypatch.setattr(services_of(app).get(Distances), "_pool", Deaf())
    monkeypatch.setattr(services_of(app).get(Distances), "_known", Cache(9))
    page = Visitor(client, CODE).slide(5)
    element = page.one(id="to-go")
    assert element.text == "… to go, at best"
    assert "js-only" in element.classes, "without JavaScript it would never come"
    board = page.one(id="play")["data-board"]
    assert (
        element["hx-get"] == f"/play/{CODE}/to-go?board={board}&place=figures&try=1&before={CODE}"
    )
    assert "to go" not in page.one(id="said").text


def test_it_tells_whether_the_last_move_came_nearer(client):
    assert change(markup.read(client.get(f"/play/{CODE}"))) == ""
    assert change(Visitor(client, CODE).slide(5)) == "−1 1 nearer"
    assert change(Visitor(client, CODE).slide(5)) == "+1 1 farther"
    page = Visitor(client, CODE).click("undo")
    assert change(page) == "", "it is not the undoing that is told of"
    assert page.one(id="said").text == "Undone. 1 to go."
    assert change(Visitor(client, CODE).click("restart")) == ""


def test_a_line_can_change_it_by_more(client):
    code = "1.2.3-4.5.6-0.7.8"
    assert change(Visitor(client, code).slide(8)) == "−2 2 nearer"
    assert change(Visitor(client, code).slide(7)) == "+2 2 farther"


# Larger boards


def test_a_4x4_page_fetches_the_number(client):
    page = markup.read(client.get(f"/play/{FETCHED}"))
    for name in "to-go", "shortest":
        element = page.one(id=name)
        assert element["hx-target"] == "this"
        assert element["hx-swap"] == "outerMorph"
        fetched = markup.read(client.get(element["hx-get"], headers=HTMX))
        assert fetched.one(id=name)["data-of"] == FETCHED


def test_it_is_exact_on_4x4(client):
    length = solve(parse_puzzle(FOUR), "idastar", "linear-conflict").length
    page = fetch_known(client, FOUR)
    assert figure(page) == f"{length} to go, at best"
    assert page.one("hx-partial", hx_target="#to-go-said").text == f"{length} to go."
    page = fetch(client, FOUR, place="title")
    assert page.one(id="shortest").text == f"· {length} moves at best (easy)"
    page = fetch(client, FOUR, place="won")
    assert page.one(id="won-shortest").text == f"The shortest solution has {length}."


def test_what_is_known_once_is_there_at_once(client):
    """And so are the boards on the shortest way that was found."""
    fetch_known(client, FOUR)
    page = markup.read(client.get(f"/play/{FOUR}"))
    length = int(page.one(id="to-go").all("b")[0].text)
    hinted = Visitor(client, FOUR).click("hint")
    tile = next(tile["value"] for tile in hinted.all("button") if "hint" in tile.classes)
    assert figure(Visitor(client, FOUR).slide(tile)) == f"{length - 1} to go, at best"


def test_on_4x4_the_change_is_told_with_the_number(client, app, monkeypatch):
    known = Cache(9)
    monkeypatch.setattr(services_of(app).get(Distances), "_known", known)
    board, before = "1.2.3.4-5.6.7.8-9.10.11.12-13.14.0.15", "1.2.3.4-5.6.7.8-9.10.0.12-13.14.11.15"
    known.put(parse_puzzle(board), DistanceAhead(1, 1, 15))
    assert change(fetch(client, FOUR, board, before=before)) == ""
    known.put(parse_puzzle(before), DistanceAhead(2, 4, 11))
    assert change(fetch(client, FOUR, board, before=before)) == "", "it is a bound only"
    known.put(parse_puzzle(before), DistanceAhead(2, 2, 11))
    page = fetch(client, FOUR, board, before=before)
    assert change(page) == "−1 1 nearer"
    assert page.one("hx-partial").text == "1 to go, 1 nearer."


def test_above_16_cells_it_is_at_least_the_linear_conflict(client):
    page = markup.read(client.get(f"/play/{FIVE}"))
    bound = moves_at_least(parse_puzzle(FIVE))
    element = page.one(id="to-go")
    assert at_least(element.text) >= bound  # more where a search has proved it before
    assert "hx-get" not in element.attrs
    assert page.one(id="shortest").text == f"· at least {at_least(element.text)} moves"
    tile = next(
        tile["value"] for tile in page.all("button") if "can move" in tile.get("aria-label", "")
    )
    after = Visitor(client, FIVE).slide(tile)
    bound = moves_at_least(parse_puzzle(after.one(id="play")["data-board"]))
    assert at_least(figure(after)) >= bound
    assert after.one(id="said").text.endswith(f"at least {at_least(figure(after))} to go.")


def test_where_it_is_not_found_in_time_what_is_known_is_said_and_asked_again(
    client, app, monkeypatch
):
    monkeypatch.setitem(app.config, "NUMBER_WAIT", 0.05)
    lookout = services_of(app).get(Distances)
    monkeypatch.setattr(lookout, "_pool", Deaf())
    code = str(scramble(4, 4, "never asked before"))
    bound = moves_at_least(parse_puzzle(code))
    for attempt in 1, 2, 3:
        element = fetch(client, code, **{"try": str(attempt)}).one(id="to-go")
        assert element.text == f"{bound} to go, at least"
        assert element["hx-get"].endswith(f"&place=figures&try={attempt + 1}")
        assert element["hx-trigger"] == "revealed delay:2s"
    page = fetch(client, code, **{"try": "4"})
    assert "hx-get" not in page.one(id="to-go").attrs
    assert page.one("hx-partial").text == f"at least {bound} to go."


def test_a_search_that_ends_without_proof_is_a_bound(client, app):
    code = str(scramble(4, 4, "of no known length"))
    puzzle = parse_puzzle(code)
    services_of(app).get(Distances)._known.put(puzzle, DistanceAhead(49, 61, 3))
    page = fetch(client, code)
    assert figure(page) == "49 to go, at least"
    assert "hx-get" not in page.one(id="to-go").attrs


# No number


def test_where_the_goal_cannot_be_reached_there_is_none(client):
    page = markup.read(client.get(f"/play/{UNSOLVABLE}"))
    assert not page.all(id="to-go")
    assert not page.all(id="shortest")
    assert fetch(client, UNSOLVABLE).text == ""
    assert not Visitor(client, UNSOLVABLE).slide(2).all(id="to-go")


def test_a_solved_board_has_none_to_go(client):
    Visitor(client, CODE).slide(5)
    page = Visitor(client, CODE).slide(8)
    assert figure(page) == "0 to go, at best"
    assert "The shortest solution has 2." in page.one(id="won").text
    page = markup.read(client.get("/play/1.2.3-4.5.6-7.8.0"))
    assert not page.all(id="shortest")
    assert figure(page) == "0 to go, at best"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({}, "no cells"),
        ({"board": "1.2-3.0"}, "3 rows of 3"),
        ({"board": "<b>"}, "got 1: '<b>'"),
        ({"board": "1.2.3-4.5.6-7.8.8"}, "missing: 0"),
        ({"board": CODE, "before": "1.2-3.0"}, "3 rows of 3"),
        ({"board": "9" * 5000}, ""),
        ({"board": CODE, "place": "moon"}, "figures, title, won"),
    ],
)
def test_what_is_asked_wrongly_is_told(client, query, words):
    response = client.get(f"/play/{CODE}/to-go", query_string=query, headers=HTMX)
    assert response.status_code == 400
    assert words in markup.read(response).text
    assert response.headers["HX-Retarget"] == "#notice"


@pytest.mark.parametrize("attempt", ["", "0", "5", "-1", "x", "9" * 99])
def test_any_number_of_a_try_will_do(client, attempt):
    assert "hx-get" not in fetch_known(client, CODE, **{"try": attempt}).one(id="to-go").attrs


def test_without_htmx_it_leads_to_the_game(client):
    response = client.get(f"/play/{CODE}/to-go?board={CODE}")
    assert response.status_code == 302
    assert response.location == f"/play/{CODE}"


def test_asking_changes_no_game_and_is_never_cached(client):
    response = client.get(f"/play/{CODE}/to-go?board={CODE}", headers=HTMX)
    assert "Set-Cookie" not in response.headers
    assert response.headers["Cache-Control"] == "no-store"
    assert "HX-Request" in response.vary
    assert client.post(f"/play/{CODE}/to-go", headers=HTMX).status_code == 405


# Bounds


class Awaited(Future):
    """An answer to come, and how many have begun to wait for it."""

    waits = 0

    def result(self, timeout=None):
        self.waits += 1
        return super().result(timeout)


class Deaf:
    """A pool whose helpers never answer."""

    def __init__(self):
        self.helpers = self.background = self
        self.asked = []

    def wait_for_start(self, seconds):
        return True

    def ask(self, function, puzzle, *args, timeout):
        self.asked.append((puzzle, Awaited()))
        return self.asked[-1][1]


def puzzles(count, side=4):
    return [scramble(side, side, str(seed)) for seed in range(count)]


def test_so_many_questions_are_under_way_and_no_more():
    pool = Deaf()
    lookout = Distances(pool)
    for number, puzzle in enumerate(puzzles(40)):
        assert lookout.within(puzzle, 0, visitor=str(number)) is None
    assert len(pool.asked) == lookout_module.MOST_ASKED
    for puzzle in puzzles(40, 3):
        lookout._answer(puzzle, "", 0)
    assert len(pool.asked) == 2 * lookout_module.MOST_ASKED, "searches take no room of look-ups"


def test_one_visitor_leaves_room_for_others():
    pool = Deaf()
    lookout = Distances(pool)
    for puzzle in puzzles(10):
        lookout.within(puzzle, 0, visitor="one")
    assert len(pool.asked) == lookout_module.MOST_SEARCHES
    lookout.within(puzzles(11)[-1], 0, visitor="other")
    assert len(pool.asked) == lookout_module.MOST_SEARCHES + 1


def test_what_is_asked_twice_is_searched_once_and_both_hear_of_it():
    pool = Deaf()
    lookout = Distances(pool)
    puzzle = puzzles(1)[0]
    with ThreadPoolExecutor(4) as threads:
        answers = [threads.submit(lookout.within, puzzle, PATIENCE, str(n)) for n in range(4)]
        assert until(lambda: pool.asked and pool.asked[0][1].waits == 4)
        ((_, future),) = pool.asked
        future.set_result({puzzle.start: DistanceAhead(50, 50, 7)})
        assert {answer.result() for answer in answers} == {DistanceAhead(50, 50, 7)}
    assert lookout.at_once(puzzle) == DistanceAhead(50, 50, 7)


def test_only_some_requests_wait_so_that_threads_are_left_for_clicks():
    pool = Deaf()
    lookout = Distances(pool)
    puzzle = puzzles(1)[0]
    waiting = [
        threading.Thread(target=lookout.within, args=(puzzle, PATIENCE, ""))
        for _ in range(lookout_module.MOST_WAITING)
    ]
    for thread in waiting:
        thread.start()
    most = lookout_module.MOST_WAITING
    assert until(lambda: pool.asked and pool.asked[0][1].waits == most) is True
    ((_, future),) = pool.asked
    assert lookout.within(puzzle, PATIENCE, "") is None
    assert future.waits == most, "it did not wait"
    future.set_result({puzzle.start: DistanceAhead(50, 50, 7)})
    for thread in waiting:
        thread.join()
    assert lookout._waiting._value == lookout_module.MOST_WAITING


def test_what_fails_is_no_number_and_no_error(app, caplog):
    pool = Deaf()
    lookout = Distances(pool)
    puzzle = puzzles(1)[0]
    with app.app_context(), ThreadPoolExecutor(1) as threads:

        def ask():
            with app.app_context():
                return lookout.within(puzzle, PATIENCE, "")

        answer = threads.submit(ask)
        assert until(lambda: pool.asked)
        pool.asked[0][1].set_exception(OSError("the disk is full"))
        assert answer.result() is None
    assert "the disk is full" in caplog.text
    lookout.within(puzzle, 0, "")
    assert len(pool.asked) == 2, "it can be asked again"


def test_only_so_many_boards_are_remembered(monkeypatch):
    monkeypatch.setattr(lookout_module, "MOST_KEPT", 3)
    pool = Deaf()
    lookout = Distances(pool)
    for number, puzzle in enumerate(puzzles(5)):
        lookout.within(puzzle, 0, "")
        pool.asked[-1][1].set_result({puzzle.start: DistanceAhead(number, number, 1)})
    assert [lookout.at_once(puzzle) for puzzle in puzzles(5)] == [
        *[None] * 2,
        *[DistanceAhead(n, n, 1) for n in (2, 3, 4)],
    ]


def test_an_exact_number_is_not_lost_to_a_bound():
    pool = Deaf()
    lookout = Distances(pool)
    puzzle, other = puzzles(2)
    for asked, ahead in (puzzle, DistanceAhead(50, 50, 1)), (other, DistanceAhead(40, 60, 2)):
        lookout.within(asked, 0, "")
        pool.asked[-1][1].set_result({puzzle.start: ahead})
    assert lookout.at_once(puzzle) == DistanceAhead(50, 50, 1)


# What is looked up or searched


@pytest.mark.parametrize("code", [CODE, "8.6.7-2.5.4-3.0.1", "1.0.3-4.2.5", "1.2.3-4.5.6-7.8.0"])
def test_ahead_of_a_small_board_is_what_the_table_says(code):
    puzzle = parse_puzzle(code)
    table = exact_table(puzzle.goal)
    ahead = look_ahead(puzzle, 1)[puzzle.start]
    assert ahead.exact
    assert ahead.length == table.distance(puzzle.start)
    assert ahead.tile in table.next_tiles(puzzle.start) or ahead == DistanceAhead(0, 0)


def test_ahead_of_a_larger_board_each_board_on_the_way_is_told():
    puzzle = parse_puzzle(FOUR)
    found = look_ahead(puzzle, PATIENCE)
    board, length = puzzle.start, found[puzzle.start].length
    for left in range(length, 0, -1):
        assert found[board] == DistanceAhead(left, left, found[board].tile)
        board = board.slide(found[board].tile)
    assert board == puzzle.goal


@pytest.mark.parametrize("side", [5, 10])
def test_ahead_of_a_large_board_there_is_a_way_and_a_bound(side):
    puzzle = scramble(side, side, "1")
    ahead = look_ahead(puzzle, 1)[puzzle.start]
    assert moves_at_least(puzzle) <= ahead.at_least <= ahead.length
    assert ahead.tile in puzzle.start.movable


def test_ahead_of_a_board_that_is_hard_a_bound_is_told_in_time():
    puzzle = parse_puzzle(
        "15.14.8.12-10.11.9.13-2.6.5.1-3.7.4.0_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"
    )
    puzzle = puzzle if puzzle.solvable else puzzle.ways_out().swapped
    look_ahead(parse_puzzle(FOUR), 1)
    ahead = look_ahead(puzzle, 0.01)[puzzle.start]
    assert ahead.length != ahead.at_least, "which takes much longer"
    assert ahead.at_least >= moves_at_least(puzzle)
    assert ahead.length is None or ahead.length >= ahead.at_least
