"""The sharing sheet: links, codes, challenges and solutions."""

import pytest

from tests.boards import BIG, BLANK_FIRST, ONE_MOVE, SOLVED, UNSOLVABLE
from tests.boards import FOUR as FAR
from tests.boards import TEXTBOOK as HARD
from tests.boards import TEXTBOOK_SOLUTION as SHORTEST
from tests.boards import TWO_MOVES as CODE
from tests.each import each
from tests.web import markup
from tests.web.streams import HTMX
from tests.web.visitor import Visitor, submit
from webapp.workers.distances import Distances
from webapp.workers.shared import LocalShared, services_of

FIVE_LEFT, AFTER_NINE = "7.2.4-0.5.6-8.3.1", "2.5.4-3.6.0-7.8.1"
HERE = "http://localhost"


def sheet(client, code=CODE, headers=None, **query):
    response = client.get(f"/play/{code}/share", query_string=query, headers=headers)
    assert response.status_code == 200, response.text
    return markup.read(response)


def links(page):
    return {
        field["id"].removeprefix("link-to-"): field["value"]
        for field in page.all("input", type="text", readonly="")
        if field["id"].startswith("link-to-")
    }


def chosen(page):
    return page.one("input", type="radio", name="what", checked="")["value"]


# The sheet


@pytest.mark.parametrize(
    ("code", "query", "what", "shared"),
    [
        (HARD, {}, "puzzle", {"puzzle": f"/play/{HARD}", "challenge": f"/play/{HARD}?beat=52"}),
        (CODE, {"beat": 12}, "puzzle", {"challenge": f"/play/{CODE}?beat=12"}),
        (
            HARD,
            {"what": "challenge", "beat": 26},
            "challenge",
            {"challenge": f"/play/{HARD}?beat=26"},
        ),
        (
            CODE,
            {"from": ONE_MOVE, "moves": "L", "step": 0},
            "solution",
            {"solution": f"/replay/{ONE_MOVE}?moves=L", "puzzle": f"/play/{CODE}"},
        ),
        (
            CODE,
            {"algorithm": "greedy", "heuristic": "manhattan", "step": 2},
            "solution",
            {"solution": f"/replay/{CODE}?algorithm=greedy&heuristic=manhattan&step=2"},
        ),
    ],
    ids=["a fresh puzzle", "a challenge", "the shortest", "from elsewhere", "of a search"],
)
def test_sheet_shares_the_board_on_the_page(client, code, query, what, shared):
    page = sheet(client, code, **query)
    assert chosen(page) == what
    assert links(page).items() >= {name: HERE + link for name, link in shared.items()}.items()
    assert page.one(id="beat-wrong").text == ""


def test_started_game_can_be_shared_from_its_position(client):
    Visitor(client, HARD).slide(5)
    position = f"{HERE}/play/{FIVE_LEFT}_{BLANK_FIRST}"
    page = sheet(client, HARD)
    assert links(page)["position"] == position
    assert chosen(page) == "position", "what the player sees"
    assert next(iter(links(page))) == "position"
    assert chosen(sheet(client, HARD, what="puzzle")) == "puzzle"
    given = sheet(client, HARD, board="7.0.4-5.2.6-8.3.1")
    assert links(given)["position"] == f"{HERE}/play/7.0.4-5.2.6-8.3.1_{BLANK_FIRST}"


def test_replay_shares_its_solution_at_its_step(client):
    replay = markup.read(client.get(f"/replay/{HARD}?moves={SHORTEST}&step=9"))
    page = markup.read(client.get(replay.one(id="share-button")["href"]))
    shared = links(page)
    assert chosen(page) == "solution"
    assert shared["solution"] == f"{HERE}/replay/{HARD}?moves={SHORTEST}&step=9"
    assert shared["position"] == f"{HERE}/play/{AFTER_NINE}_{BLANK_FIRST}"
    section = page.one("section", aria_label="Solution")
    assert f"/board/{AFTER_NINE}_{BLANK_FIRST}.svg" in {img["src"] for img in section.all("img")}
    files = [link["href"] for link in section.all("a")][2:]
    assert files == [
        f"/replay/{HARD}.gif?moves={SHORTEST}",
        f"/replay/{HARD}.html?moves={SHORTEST}",
    ]


def test_won_game_is_shared_as_a_challenge(client):
    Visitor(client, CODE).slide(5, 8)
    page = sheet(client)
    assert chosen(page) == "challenge"
    assert links(page)["challenge"] == f"{HERE}/play/{CODE}?beat=2"


def test_sheet_offers_only_boards_to_solve(client):
    for board in CODE, SOLVED:
        assert set(links(sheet(client, board=board))) == {"puzzle", "challenge"}
    for code in UNSOLVABLE, SOLVED:
        assert set(links(sheet(client, code))) == {"puzzle"}


def test_number_to_beat_can_be_set_without_javascript(client):
    response = client.get(f"/play/{HARD}/share?moves={SHORTEST}&step=3")
    page = markup.read(response)
    for beat, status in ("25", 400), ("40", 200):
        button = markup.read(response).one("form", data_beat="").one("button")
        assert button.text == "Make the link"
        response = submit(client, response, button, beat=beat)
        assert response.status_code == status
        again = markup.read(response)
        assert chosen(again) == "challenge"
        assert ("wrong" in again.one("section", aria_label="Challenge").classes) == (status == 400)
    assert links(again)["challenge"].endswith("?beat=40")
    assert links(again)["solution"] == links(page)["solution"]
    for scripted in again.inside:
        if "data-copy" in scripted.attrs:
            assert "js-only" in scripted.classes


def beat_of(page):
    """Return the field of the moves to beat, its help and its error."""
    return page.one("input", type="text", name="beat"), *(
        page.one(id=name).text for name in ("beat-words", "beat-wrong")
    )


@pytest.fixture
def unsearched(app, monkeypatch):
    """Return a client of the app, as if it had not searched for anybody."""
    services = services_of(app)
    distances = Distances(services.solvers, LocalShared())
    monkeypatch.setitem(services.by_class, Distances, distances)
    return app.test_client()


@each(
    ("code", "query", "beat", "explanation"),
    [
        (HARD, {}, "52", "The shortest solution has 26 moves. We suggest twice that; "),
        (HARD, {"beat": 40}, "40", "The shortest solution has 26 moves."),
        (FAR, {}, "76", "Every solution has at least 38 moves. We suggest twice that; "),
    ],
)
def test_number_to_beat_is_explained(unsearched, code, query, beat, explanation):
    field, words, wrong = beat_of(sheet(unsearched, code, **query))
    assert (field["value"], wrong) == (beat, "")
    assert words.partition("choose any")[0] == explanation


def test_number_to_beat_after_a_game_is_that_of_the_game(client):
    Visitor(client, CODE).slide(5, 5, 5, 8)
    field, words, _ = beat_of(sheet(client))
    assert field["value"] == "4"
    assert words == "You solved it in 4 moves. The shortest solution has 2 moves."


def test_number_to_beat_is_not_explained_in_a_lesson_hiding_it(client):
    page = Visitor(client, HARD).look(lesson="to-go")
    field, words, _ = beat_of(markup.read(client.get(page.one(id="share-button")["href"])))
    assert (field["value"], field["data-least"], words) == ("36", "1", "")


@each(
    ("code", "beat", "why"),
    [
        (HARD, "25", "The shortest solution has 26 moves: choose at least that many."),
        (FAR, "37", "Every solution has at least 38 moves: choose at least that many."),
        (HARD, "9" * 5000, "A challenge names the moves to beat"),
    ],
)
def test_bad_number_to_beat_is_400_with_an_error_at_its_field(unsearched, code, beat, why):
    query = {"what": "challenge", "beat": beat}
    response = unsearched.get(f"/play/{code}/share", query_string=query)
    assert response.status_code == 400
    page = markup.read(response)
    field, _, wrong = beat_of(page)
    assert wrong.startswith(why)
    assert field["value"] == beat[:20]
    assert field["aria-invalid"] == "true"
    assert "beat-wrong" in field["aria-describedby"]
    assert chosen(page) == "challenge"
    assert f"beat={beat}" not in response.text
    assert len(response.data) < 20_000


def test_sheet_for_htmx_is_a_fragment(client):
    fragment = sheet(client, headers=HTMX)
    assert not fragment.all("html")
    page = sheet(client)
    assert page.one("div", _class="sharing stack").same_as() == (
        fragment.one("div", _class="sharing stack").same_as()
    )


def test_choices_have_a_code_and_pictures_that_load(client):
    page = sheet(client, HARD, moves=SHORTEST, step=9, board=AFTER_NINE)
    sections = [section for section in page.all("section") if "shared" in section.classes]
    assert len(sections) == 4
    for section in sections:
        pictures = section.all("img")
        assert [picture["alt"] for picture in pictures] == [
            "QR code of this link",
            "Picture of the board",
        ]
        for address in [picture["src"] for picture in pictures] + [
            link["href"] for link in section.all("a")
        ]:
            assert client.head(address).status_code == 200


def test_link_too_long_for_a_qr_code_is_explained(client):
    other = BIG.replace("98.99", "99.98")
    code = f"{other}_{BIG}"
    long = "L9U9R9D9" * 200
    page = sheet(client, code, moves=long)
    section = page.one("section", aria_label="Solution")
    assert "too long for a QR code" in section.text
    assert len(section.all("img")) == 1
    response = client.get(f"/qr/replay/{code}.svg?moves={long}")
    assert response.status_code == 400
    assert "copy the link instead" in response.text
    assert "too long" not in page.one("section", aria_label="Puzzle").text


@each(
    "query",
    [
        *({"board": "1.2"}, {"board": "9" * 5000}, {"moves": "x"}, {"moves": "LLLL"}),
        *({"moves": "UL", "step": "-1"}, {"algorithm": "none"}, {"moves": "UL", "from": "1 2 3"}),
    ],
)
def test_invalid_share_is_400(client, query):
    response = client.get(f"/play/{CODE}/share", query_string=query)
    assert response.status_code == 400
    assert markup.read(response).one("h1").text == "Please check this"
    assert len(response.data) < 14_000


def test_unknown_input_is_not_shown_again(client):
    response = client.get(f"/play/{CODE}/share", query_string={"x": "y" * 50_000, "what": "<b>"})
    assert len(response.data) < 20_000
    assert b"<b>" not in response.data
