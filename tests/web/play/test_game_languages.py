"""The game in other languages: every text is translated, and announcements are sentences."""

import re

import pytest

from slidewise import parse_puzzle, solve
from tests.web import markup
from tests.web.play.playing import fetch_known, review
from tests.web.site.test_languages import ALONE as THREE
from tests.web.site.test_languages import pseudo, unmarked  # noqa: F401  # a fixture
from tests.web.streams import HTMX
from webapp.play.links import pack


def moves_of(code):
    """Return the moves of a shortest solution, and its tiles."""
    found = solve(parse_puzzle(code))
    return found.moves, [str(tile) for tile in found.tiles]


@pytest.mark.usefixtures("pseudo")
def test_every_text_of_an_answer_is_a_message(client):
    moves, tiles = moves_of(THREE)
    url, query = f"/play/{THREE}", f"?beat=9&ghost={pack(moves)}&took=12.5"
    assert not unmarked(client.get(url + query).text)
    for action, fields in (
        ("undo", {}),
        ("redo", {}),
        ("slide", {"tile": "99"}),
        ("slide", {"tile": "x"}),
        ("slide", {"tile": "1", "on": "1.2.3-4.5.6-7.8.0"}),
        ("slide", {"tile": tiles[0]}),
        ("undo", {}),
        ("redo", {}),
        ("hint", {}),
        ("restart", {}),
        ("slide", {"tile": tiles}),
        ("hint", {}),
        ("slide", {"tile": "1"}),
    ):
        fields |= {"beat": "9", "ghost": pack(moves), "took": "12.5"}
        answer = client.post(f"{url}/{action}", data=fields, headers=HTMX)
        assert answer.status_code == 200
        assert not unmarked(answer.text), action
    assert not unmarked(client.get(url + query).text)  # with the finish and the chart


@pytest.mark.usefixtures("pseudo")
def test_every_text_of_a_review_or_a_number_is_a_message(client):
    detour = ["5", "5", *moves_of(THREE)[1]]
    client.post(f"/play/{THREE}/slide", data={"tile": detour}, headers=HTMX)
    fetch_known(client, THREE, place="won", made=str(len(detour)))
    review(client, THREE)
    for path in ("/review", "/review?move=1&part=move", f"/to-go?board={THREE}&place=title"):
        answer = client.get(f"/play/{THREE}{path}", headers=HTMX)
        assert not unmarked(answer.text), path
    assert not unmarked(client.get(f"/play/{THREE}/review").text)


@pytest.mark.usefixtures("pseudo")
def test_every_text_of_a_search_is_a_message(client):
    stream = client.post(f"/play/{THREE}/solve", data={"algorithm": "astar"}, headers=HTMX)
    texts = re.sub(r"(?m)^data: ?|^(event|id|retry|):.*$", "", stream.text)
    reasons = r'(?s)<div class="proof.*?</div>|<p class="note">[^⟦].*?</p>'
    assert re.search(reasons, texts)  # written by the solver
    assert not unmarked(re.sub(reasons, "", texts))
    wrong = client.post(f"/play/{THREE}/solve", data={"seconds": "x"}, headers=HTMX)
    assert wrong.status_code == 400


GERMAN = {"Accept-Language": "de"}


def test_announcements_are_whole_sentences_in_german(client):
    tiles = moves_of(THREE)[1]

    def announcement(action, **fields):
        answer = client.post(f"/play/{THREE}/{action}", data=fields, headers=HTMX | GERMAN)
        return markup.read(answer).one(id="said").text

    assert announcement("slide", tile="9") == (
        "Es gibt keinen Stein 9: Dieses Brett hat die Steine 1 bis 8."
    )
    assert announcement("slide", tile="4").startswith("Steine 8 und 4 nach rechts. 2 Züge bisher.")
    assert announcement("undo").startswith("Rückgängig gemacht.")
    assert announcement("undo") == "Es gibt keinen Zug, der sich rückgängig machen lässt."
    assert announcement("slide", tile=tiles).startswith(
        f"Stein {tiles[-1]} nach oben. Gelöst in {len(tiles)} Zügen. Zeit: 0:0"
    )


def test_tiles_are_labelled_in_the_language_of_each_request(client):
    def labels(code):
        page = markup.read(client.get(f"/play/{THREE}", headers={"Accept-Language": code}))
        return page.one(id="t5").attrs["aria-label"], page.one(id="t0").text

    german = ("5, Zeile 3, Spalte 3, kann nach oben", "Lücke, Zeile 2, Spalte 3")
    assert labels("de") == german
    assert labels("en") == ("5, row 3, column 3, can move up", "blank, row 2, column 3")
    assert labels("es") == ("5, fila 3, columna 3, puede subir", "hueco, fila 2, columna 3")
    assert labels("de") == german
