"""The finished game's card, and the review of a game's moves."""

import re
from types import SimpleNamespace

import pytest

from slidewise import exact_table, format_moves, parse_board, parse_puzzle, scramble
from tests.boards import HARDEST, LINE_OF_TWO, ONE_MOVE, SOLVED, UNSOLVABLE
from tests.boards import TWO_MOVES as CODE
from tests.web import markup
from tests.web.play.playing import review, row
from tests.web.visitor import Visitor
from webapp.play import game as game_module
from webapp.play import review as review_module
from webapp.play.review import MAX_MOVES

FOUR = "1.2.3.4-5.6.7.8-9.10.11.12-13.0.14.15"


# The card


def test_card_of_a_finished_game(client, monkeypatch):
    clock = SimpleNamespace(now=1_000_000)
    monkeypatch.setattr(game_module, "time", SimpleNamespace(time=lambda: clock.now))
    code = LINE_OF_TWO
    assert not Visitor(client, code).slide(4).all(id="won")
    clock.now += 3
    card = Visitor(client, code).slide(4, 8).one(id="won")
    assert card.text.startswith("Solved! 4 moves 0:03.00")
    assert card["data-game"] == f"{code}@1000003/4"
    assert (card["data-size"], card["data-goal"]) == ("3x3", "blank last")
    assert (card["data-moves"], card["data-seconds"]) == ("4", "3.0")
    assert "data-helped" not in card.attrs


def test_card_names_a_shortest_solution(client):
    card = Visitor(client, CODE).slide(5, 8).one(id="won")
    assert "A perfect solve: 2 moves is the minimum." in card.text
    client.post(f"/play/{CODE}/restart")
    card = Visitor(client, CODE).slide(5, 5, 5, 8).one(id="won")
    assert "Shortest: 2 moves. One detour cost you 2 moves." in card.text


@pytest.mark.parametrize(
    ("code", "tile", "new"),
    [
        (ONE_MOVE, 8, "/new?size=3x3&difficulty=easy"),
        ("1.0.2-3.4.5_0.1.2-3.4.5", 1, "/new?size=2x3&difficulty=easy&goal=first"),
        ("1.2.3-8.4.0-7.6.5_1.2.3-8.0.4-7.6.5", 4, "/new?size=3x3&difficulty=easy&goal=spiral"),
    ],
)
def test_links_of_the_card(client, code, tile, new):
    card = Visitor(client, code).slide(tile).one(id="won")
    links = {link.text: link for link in card.all("a")}
    assert set(links) == {"Review", "Next puzzle", "Share"}
    assert links["Review"]["href"] == links["Review"]["hx-get"] == f"/play/{code}/review"
    assert links["Review"]["hx-target"] == "#review"
    assert links["Next puzzle"]["href"] == new
    assert links["Share"]["href"] == f"/play/{code}/share?what=challenge"


def test_game_with_forgotten_moves_is_reviewed_after_them(client, app):
    fields = {"board": SOLVED, "made": "UL", "undone": "", "forgotten": 500, "helped": False}
    with app.test_request_context(f"/play/{CODE}"):
        signer = app.session_interface.get_signing_serializer(app)
        cookie = signer.dumps({**fields, "started": 0, "finished": 60})
    client.set_cookie("slidewise_game", cookie, path=f"/play/{CODE}")
    card = markup.read(client.get(f"/play/{CODE}")).one(id="won")
    assert card.text.startswith("Solved! 502 moves")
    page = review(client, CODE)
    assert "The review begins with move 501" in page.text
    assert "no longer stored" in page.text
    assert row(page, 501).startswith("501 5 up 1 move left")


# The review


def test_review_of_a_finished_game(client):
    Visitor(client, FOUR).slide(10, 10, 14, 15)
    page = review(client, FOUR)
    summary = page.one(id="review-summary").text
    assert summary == "4 moves. Shortest: 2. One detour cost you 2 moves."
    assert row(page, 1) == "1 10 down 3 moves left detour; better: 14 left"
    assert row(page, 2).endswith(" 2 moves left")
    assert row(page, 4).endswith(" left 0 moves left")
    assert page.one("hx-partial", hx_target="#review-said").text.startswith("Review: 4 moves")
    assert "begins with" not in page.text
    assert not [path for path in page.all("path") if "unproved" in path.classes]


def test_review_of_an_unfinished_game_has_better_tiles(client):
    Visitor(client, HARDEST).slide(5, 5, 5, 5)
    page = review(client, HARDEST)
    assert page.one(id="review-summary").text == (
        "4 moves so far. 2 detours cost you 4 moves. 31 moves left."
    )
    assert " 30 moves left" in row(page, 3)
    better = re.findall(r"(\d+) (?:up|down|left|right)", row(page, 4).partition("better")[2])
    table = exact_table(parse_puzzle(HARDEST).goal)
    assert sorted(map(int, better)) == sorted(table.next_tiles(parse_board(HARDEST).slide(5)))


def test_selected_move_shows_its_board_and_the_better_tile(client):
    Visitor(client, CODE).slide(5, 5, 4, 4, 5, 8)
    page = review(client, CODE)
    assert page.one(id="review-move").text.startswith(
        "Move 2: 5 down. This took you from 1 move left to 2. You"
    )
    page = review(client, CODE, move=3)
    assert page.one(id="review-move").text == (
        "Move 3: 4 right. This took you from 2 moves left to 3. You moved the ringed tile; "
        "the dashed one was better."
    )
    board = page.one(role="img", aria_label="Before move 3: 1 2 3; 4 blank 6; 7 5 8")
    looks = {tile.text: tile.classes & {"moved", "hint"} for tile in board.all("span")}
    assert {tile: look for tile, look in looks.items() if look} == {"4": {"moved"}, "5": {"hint"}}
    assert [li.one("a")["id"] for li in page.one("ol").all("li", _class="here")] == ["move-3"]
    assert page.one(id="review-previous")["href"] == f"/play/{CODE}/review?move=2"
    assert page.one(id="review-next")["href"] == f"/play/{CODE}/review?move=4"
    assert page.one(id="review-wasted")["href"].endswith("?move=2"), "after the last, the first"
    assert page.one(id="review-next")["hx-get"] == f"/play/{CODE}/review?move=4&part=move"
    assert review(client, CODE, move=1).one(id="review-wasted")["href"].endswith("?move=2")
    links = [link["href"] for link in page.all("a") if link.text == "Play from here"]
    assert links == [f"/play/{CODE}"]


def test_links_at_the_first_and_last_move_are_disabled(client):
    Visitor(client, CODE).slide(5, 8)
    page = review(client, CODE, move=1)
    assert page.one(id="review-previous").attrs.items() >= {"aria-disabled": "true"}.items()
    assert "aria-disabled" not in page.one(id="review-next").attrs
    assert not page.all(id="review-wasted")
    page = review(client, CODE, move=2)
    assert page.one(id="review-next")["href"] == f"/play/{CODE}/review?move=2"
    assert page.one(id="review-next")["aria-disabled"] == "true"


def test_fetch_of_another_move_sends_only_the_changed_parts(client):
    Visitor(client, CODE).slide(5, 5, 5, 8)
    page = review(client, CODE, move=2, part="move")
    whole = review(client, CODE, move=2)
    assert page.one(id="review-at").same_as() == whole.one(id="review-at").same_as()
    assert not page.all(id="review-moves")
    announced = page.one("hx-partial", hx_target="#review-said").text
    assert announced == "Move 2: 5 down, 2 moves left, detour; better: 8 left."
    inherited = whole.one(id="review-at").parent
    assert inherited["hx-target:inherited"] == "#review-at"


def test_bad_move_number_selects_the_first_wasted_move(client):
    Visitor(client, CODE).slide(5, 5)
    for move in "0", "-1", "9999", "x", "²", "":
        assert "Move 2" in review(client, CODE, move=move).one(id="review-move").text, move


def test_review_page_works_without_javascript(client):
    Visitor(client, CODE).slide(5, 5, 5, 8)
    review(client, CODE)  # waits for the first helper
    page = markup.read(client.get(f"/play/{CODE}/review?move=2"))
    assert page.one("h1").text == "Your 3 × 3 game"
    assert page.one(id="review-summary").text.startswith("4 moves. Shortest: 2. One detour")
    assert "Move 2" in page.one(id="review-move").text
    assert not page.all("hx-partial")
    back = [link["href"] for link in page.all("a") if link.text == "Back to my game"]
    assert back == [f"/play/{CODE}"]
    for link in page.one("ol").all("a"):
        assert client.get(link["href"]).status_code == 200


def test_game_without_moves_has_no_review(client):
    page = markup.read(client.get(f"/play/{CODE}/review"))
    assert "this game has no moves yet" in page.one(id="review").text
    Visitor(client, UNSOLVABLE).slide(4)
    page = markup.read(client.get(f"/play/{UNSOLVABLE}/review"))
    assert "cannot be reached" in page.one(id="review").text


def test_review_above_16_cells_marks_unproved_numbers(client, monkeypatch):
    monkeypatch.setattr(review_module, "SECONDS", 0.5)
    code = str(scramble(5, 5, "not soon solved"))
    Visitor(client, code).slide(*parse_board(code).movable[:1] * 20)
    page = review(client, code)
    assert "As far as is known" in page.one(id="review-summary").text
    assert "the best known solution" in page.text
    assert "at most" in row(page, 1)
    lines = [path for path in page.one(id="review-graph").all("path") if "unproved" in path.classes]
    assert lines


def test_long_game_is_reviewed_from_its_last_moves(client):
    moves = "ULDR" * 300
    Visitor(client, CODE).click("play-on", start=CODE, moves=format_moves(moves))
    page = review(client, CODE)
    first = len(moves) - MAX_MOVES + 1
    assert f"The review begins with move {first}" in page.text
    assert "and covers the last 1,000 moves" in page.text
    assert len(page.one(id="review-moves").all("li")) == MAX_MOVES
