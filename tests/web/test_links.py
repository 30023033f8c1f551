"""Issued links work for ever: each line of golden_links.txt is opened."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import webapp
from slidewise import parse_board, parse_puzzle
from tests.web import markup

LINES = (Path(__file__).parent / "golden_links.txt").read_text(encoding="ascii").splitlines()
LINKS = [tuple(line.split(" => ")) for line in LINES if line and not line.startswith("#")]


def test_all_blueprints_are_registered(app):
    sources = [path.read_text(encoding="utf-8") for path in Path(webapp.__path__[0]).rglob("*.py")]
    names = set(re.findall(r'^\w+ = .*lueprint\("(\w+)"', "".join(sources), re.MULTILINE))
    assert set(app.blueprints) == names


@pytest.mark.parametrize(("link", "shown"), LINKS, ids=[link[:60] for link, _ in LINKS])
def test_issued_link_shows_the_same_as_before(client, link, shown):
    response = client.get(link)
    kind, _, expected = shown.partition(" ")
    if kind == "goes":
        assert response.status_code in {302, 308}
        assert response.location == expected.removeprefix("to ")
        response = client.get(response.location)
    else:
        assert READERS[kind](response) == expected
    assert response.status_code == 200


def play(response):
    game = markup.read(response).one(id="play")
    return f"{game['data-board']} to {game['data-goal']}"


def replay(response):
    page = markup.read(response)
    player = page.one(id="player")
    return (
        f"{still(page.one('div', role='img'))} "
        f"step {player['data-step']} of {player['data-total']}, {verdict(page)}"
    )


def moves(response):
    return markup.read(response).all("input", readonly="")[0]["value"]


def picture(response):
    texts = ET.fromstring(response.data).iter("{http://www.w3.org/2000/svg}text")
    return " ".join(text.text for text in texts)


def editor(response):
    checked = markup.read(response).one(id="checked")
    return " to ".join(still(board) for board in checked.all("div", role="img"))


READERS = {"play": play, "replay": replay, "moves": moves, "picture": picture, "editor": editor}


def still(board):
    """Return the notation of a board that is only shown, from its label for screen readers."""
    rows, cols = (re.search(rf"{name}-(\d+)", board["class"])[1] for name in ("rows", "cols"))
    cells = board["aria-label"].partition(": ")[2].replace("blank", "0")
    return str(parse_board(cells, (int(rows), int(cols))))


def verdict(page):
    text = page.one("h2", id="solution-title").parent.text
    text = re.sub(r"[0-9,]+ moves? above the shortest", "not the shortest", text.lower())
    text = text.replace("not proved shortest", "not checked")
    return next(words for words in VERDICTS if words in text)


VERDICTS = ["proved shortest", "not checked", "not the shortest", "do not end at the goal"]


def test_links_cover_every_kind():
    kinds = {shown.split(" ")[0] for _, shown in LINKS}
    assert kinds == {*READERS, "goes"}
    assert {words for words in VERDICTS if any(shown.endswith(words) for _, shown in LINKS)} == set(
        VERDICTS
    )
    sizes = {
        parse_puzzle(link.removeprefix("/play/").partition("?")[0]).start.size
        for link, shown in LINKS
        if shown.startswith("play")
    }
    assert len(sizes) >= 9
    assert len(LINKS) == len({link for link, _ in LINKS})
