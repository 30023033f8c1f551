"""The sharing sheet, QR codes, challenges, solutions as a file, and how links unfold."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import segno

from slidewise import scramble
from tests.boards import BIG, SOLVED, UNSOLVABLE
from tests.boards import FOUR as FAR
from tests.boards import TEXTBOOK as HARD
from tests.boards import TWO_MOVES as CODE
from tests.web import markup
from tests.web.streams import HTMX
from tests.web.visitor import Visitor
from webapp.share import offline

SHORTEST = "RDLU2RDL2DR2UL2UR2DL2DRURD"
AFTER_NINE = "2.5.4-3.6.0-7.8.1"
HERE = "http://localhost"


def sheet(client, code=CODE, headers=None, **query):
    response = client.get(f"/play/{code}/share", query_string=query, headers=headers)
    assert response.status_code == 200, response.text
    return markup.read(response)


def links(page):
    return {
        field["id"].removeprefix("link-to-"): field["value"]
        for field in page.all("input", type="text", readonly="")
    }


def chosen(page):
    return page.one("input", type="radio", name="what", checked="")["value"]


def slide(client, *tiles, code=CODE, **form):
    return Visitor(client, code).slide(*tiles, **form)


# The sheet


def test_a_fresh_puzzle_can_be_shared_as_it_is_and_as_a_challenge(client):
    page = sheet(client, HARD)
    assert links(page) == {
        "puzzle": f"{HERE}/play/{HARD}",
        "challenge": f"{HERE}/play/{HARD}?beat=52",
    }
    assert chosen(page) == "puzzle"


def test_a_game_begun_can_be_shared_from_where_it_stands(client):
    slide(client, 5, code=HARD)
    position = f"{HERE}/play/7.2.4-0.5.6-8.3.1_0.1.2-3.4.5-6.7.8"
    page = sheet(client, HARD)
    assert links(page)["position"] == position
    assert chosen(page) == "position", "what the player sees"
    assert next(iter(links(page))) == "position"
    assert chosen(sheet(client, HARD, what="puzzle")) == "puzzle"
    given = sheet(client, HARD, board="7.0.4-5.2.6-8.3.1")
    assert links(given)["position"] == f"{HERE}/play/7.0.4-5.2.6-8.3.1_0.1.2-3.4.5-6.7.8"


def test_a_position_that_is_no_other_puzzle_is_not_offered(client):
    for board in CODE, SOLVED:
        assert "position" not in links(sheet(client, board=board))


def test_a_solution_can_be_shared_at_a_step(client):
    page = sheet(client, HARD, moves=SHORTEST, step=9, board=AFTER_NINE)
    shared = links(page)
    assert chosen(page) == "solution"
    assert shared["solution"] == f"{HERE}/replay/{HARD}?moves={SHORTEST}&step=9"
    assert shared["position"] == f"{HERE}/play/{AFTER_NINE}_0.1.2-3.4.5-6.7.8"
    section = page.one("section", aria_label="Solution")
    assert f"/board/{AFTER_NINE}_0.1.2-3.4.5-6.7.8.svg" in {
        img["src"] for img in section.all("img")
    }
    files = [link["href"] for link in section.all("a")][2:]
    assert files == [
        f"/replay/{HARD}.gif?moves={SHORTEST}",
        f"/replay/{HARD}.html?moves={SHORTEST}",
    ]


def test_one_that_begins_elsewhere_is_of_that_puzzle(client):
    page = sheet(client, CODE, **{"from": "1.2.3-4.5.6-7.0.8"}, moves="L", step=0)
    assert links(page)["solution"] == f"{HERE}/replay/1.2.3-4.5.6-7.0.8?moves=L"
    assert links(page)["puzzle"] == f"{HERE}/play/{CODE}"


def test_a_long_one_is_named_by_its_search(client):
    page = sheet(client, CODE, algorithm="greedy", heuristic="manhattan", step=2)
    assert links(page)["solution"] == (
        f"{HERE}/replay/{CODE}?algorithm=greedy&heuristic=manhattan&step=2"
    )


def test_the_replay_page_leads_to_it(client):
    page = markup.read(client.get(f"/replay/{HARD}?moves={SHORTEST}&step=9"))
    address = page.one(id="share-button")["href"]
    opened = markup.read(client.get(address))
    assert links(opened)["solution"] == f"{HERE}/replay/{HARD}?moves={SHORTEST}&step=9"
    assert links(opened)["position"] == f"{HERE}/play/{AFTER_NINE}_0.1.2-3.4.5-6.7.8"


def test_the_game_page_leads_to_it(client):
    page = markup.read(client.get(f"/play/{CODE}?beat=12"))
    assert page.one(id="share-button")["href"] == f"/play/{CODE}/share?beat=12"
    assert links(sheet(client, beat=12))["challenge"] == f"{HERE}/play/{CODE}?beat=12"


def test_a_game_that_was_won_makes_a_challenge(client):
    slide(client, 5, 8)
    page = sheet(client)
    assert chosen(page) == "challenge"
    assert links(page)["challenge"] == f"{HERE}/play/{CODE}?beat=2"


def test_what_cannot_be_won_is_no_challenge(client):
    for code in UNSOLVABLE, SOLVED:
        assert set(links(sheet(client, code))) == {"puzzle"}


def test_the_number_can_be_typed_without_javascript(client):
    page = sheet(client, HARD, moves=SHORTEST, step=3)
    fields = {f["name"]: f["value"] for f in page.one("form", data_beat="").all("input")}
    again = sheet(client, HARD, **{**fields, "beat": "40"})
    assert chosen(again) == "challenge"
    assert links(again)["challenge"].endswith("?beat=40")
    assert links(again)["solution"] == links(page)["solution"]


def beat_of(page):
    """Return the field of the moves to beat, and what is said of it: as a help, as an error."""
    return page.one("input", type="text", name="beat"), *(
        page.one(id=name).text for name in ("beat-words", "beat-wrong")
    )


def test_the_number_to_beat_is_explained(client):
    field, words, wrong = beat_of(sheet(client, HARD))
    assert (field["value"], wrong) == ("52", "")
    assert words == (
        "The shortest solution has 26 moves. The number is twice that: change it as you like."
    )
    assert beat_of(sheet(client, HARD, beat=40))[1] == "The shortest solution has 26 moves."
    slide(client, 5, 5, 5, 8)
    field, words, _ = beat_of(sheet(client))
    assert field["value"] == "4"
    assert words == "You solved it in 4 moves. The shortest solution has 2 moves."


def test_where_the_shortest_is_not_known_the_bound_is_said(client):
    field, words, _ = beat_of(sheet(client, FAR))
    assert words.startswith("Every solution has at least 38 moves. The number is twice that")
    assert field["value"] == "76"


def test_in_a_lesson_that_hides_it_it_is_not_said(client):
    page = markup.read(client.get(f"/play/{HARD}?lesson=to-go"))
    address = page.one(id="share-button")["href"]
    field, words, _ = beat_of(markup.read(client.get(address)))
    assert (field["value"], field["data-least"], words) == ("36", "1", "")


@pytest.mark.parametrize(
    ("code", "beat", "why"),
    [
        (HARD, "25", "The shortest solution has 26 moves: a challenge cannot ask for fewer."),
        (FAR, "37", "Every solution has at least 38 moves: a challenge cannot ask for fewer."),
        *((HARD, beat, "A challenge names the moves to beat") for beat in ("0", "x", "10000")),
        (HARD, "9" * 5000, "A challenge names the moves to beat"),
    ],
)
def test_a_number_that_is_no_challenge_is_refused_where_it_is_typed(client, code, beat, why):
    response = client.get(f"/play/{code}/share", query_string={"what": "challenge", "beat": beat})
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


def test_the_shortest_itself_can_be_asked_for(client):
    page = sheet(client, HARD, what="challenge", beat="26")
    assert links(page)["challenge"].endswith("?beat=26")
    assert beat_of(page)[2] == ""


def test_htmx_gets_the_sheet_alone(client):
    fragment = sheet(client, headers=HTMX)
    assert not fragment.all("html")
    page = sheet(client)
    assert page.one("div", _class="sharing stack").same_as() == (
        fragment.one("div", _class="sharing stack").same_as()
    )


def test_each_choice_has_its_code_and_its_pictures_and_they_are_there(client):
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


def test_a_link_too_long_for_a_code_says_so(client):
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


@pytest.mark.parametrize(
    "query",
    [
        *({"board": "1.2"}, {"board": "9" * 5000}),
        *({"moves": "x"}, {"moves": "LLLL"}, {"moves": "U99999"}, {"moves": "UL", "step": "-1"}),
        *({"algorithm": "none"}, {"moves": "UL", "from": "1 2 3"}),
    ],
    ids=str,
)
def test_what_cannot_be_shared_is_told_so(client, query):
    response = client.get(f"/play/{CODE}/share", query_string=query)
    assert response.status_code == 400
    assert markup.read(response).one("h1").text == "Please check this"
    assert len(response.data) < 12_000


def test_what_else_is_sent_is_not_shown_again(client):
    response = client.get(f"/play/{CODE}/share", query_string={"x": "y" * 50_000, "what": "<b>"})
    assert len(response.data) < 20_000
    assert b"<b>" not in response.data


# Other games are left alone


def test_opening_links_never_touches_another_game(client):
    slide(client, 5, code=HARD)
    cookie = client.get_cookie("slidewise_game", path=f"/play/{HARD}").value
    for link in links(sheet(client, HARD, moves=SHORTEST, step=9)).values():
        parts = urlsplit(link)
        response = client.get(f"{parts.path}?{parts.query}")
        assert response.status_code == 200
        assert "Set-Cookie" not in response.headers
    slide(client, 5)
    slide(client, 5, code="7.2.4-0.5.6-8.3.1_0.1.2-3.4.5-6.7.8")
    assert client.get_cookie("slidewise_game", path=f"/play/{HARD}").value == cookie
    page = markup.read(client.get(f"/play/{HARD}"))
    assert markup.moves_of(page) == 1
    assert markup.board_of(page) == "7.2.4-0.5.6-8.3.1"


def test_sharing_writes_no_session(client):
    slide(client, 5)
    for address in f"/play/{CODE}/share?beat=9", f"/qr/play/{CODE}.svg", f"/board/{CODE}.png":
        assert "Set-Cookie" not in client.get(address).headers


# QR codes


def matrix_of(svg):
    """Return the rows of modules that the SVG of a QR code draws, 1 being dark."""
    root = ET.fromstring(svg)
    side = int(root.get("viewBox").split()[2])
    light, dark = root.findall("{http://www.w3.org/2000/svg}path")
    assert (light.get("fill"), light.get("d")) == ("#fff", f"M0 0h{side}v{side}h-{side}z")
    assert dark.get("stroke") == "#000"
    modules = [[0] * side for _ in range(side)]
    x, y = 0.0, 0.0
    for command, first, second in re.findall(r"([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?", dark.get("d")):
        if command == "h":
            for column in range(int(x), int(x + float(first))):
                modules[int(y)][column] = 1
            x += float(first)
        else:
            x, y = (
                (float(first), float(second))
                if command == "M"
                else (x + float(first), y + float(second))
            )
    return modules


def expected_matrix(link):
    code = segno.make_qr(link, error="l")
    return [[int(module) for module in row] for row in code.matrix_iter(border=4)]


@pytest.mark.parametrize(
    ("address", "link"),
    [
        (f"/qr/play/{CODE}.svg", f"/play/{CODE}"),
        (f"/qr/play/{CODE}.svg?beat=38", f"/play/{CODE}?beat=38"),
        (f"/qr/play/{HARD}.svg?url=https://elsewhere.example", f"/play/{HARD}"),
        (f"/qr/play/{scramble(10, 10, '1')}.svg", f"/play/{scramble(10, 10, '1')}"),
        (f"/qr/replay/{CODE}.svg?moves=ul&step=1", f"/replay/{CODE}?moves=UL&step=1"),
        (f"/qr/replay/{CODE}.svg?moves=UL&step=0", f"/replay/{CODE}?moves=UL"),
        (
            f"/qr/replay/{CODE}.svg?algorithm=astar&heuristic=zero&url=x",
            f"/replay/{CODE}?algorithm=astar&heuristic=zero",
        ),
    ],
)
def test_a_code_is_of_the_link_to_here_and_of_no_other(client, address, link):
    response = client.get(address)
    assert response.mimetype == "image/svg+xml"
    matrix = matrix_of(response.data)
    assert matrix == expected_matrix(HERE + link)
    quiet = [*matrix[:4], *matrix[-4:], *(row[:4] + row[-4:] for row in matrix)]
    assert not any(module for row in quiet for module in row), "a border of four modules"
    assert response.cache_control.public
    assert b"style" not in response.data


def test_behind_a_proxy_it_is_of_the_address_there(new_app):
    told = {"X-Forwarded-Prefix": "/games", "X-Forwarded-Host": "slidewise.example"}
    response = new_app(PROXIES=1).test_client().get(f"/qr/play/{CODE}.svg", headers=told)
    expected = expected_matrix(f"http://slidewise.example/games/play/{CODE}")
    assert matrix_of(response.data) == expected


@pytest.mark.parametrize(
    "address",
    [
        *("/qr/play/x.svg", f"/qr/play/{CODE}.svg?beat=https://x", f"/qr/replay/{CODE}.svg"),
        *(f"/qr/replay/{CODE}.svg?moves=http", f"/qr/replay/{CODE}.svg?algorithm=http://x"),
        f"/qr/replay/{CODE}.svg?algorithm=astar&heuristic=" + "x" * 2000,
    ],
)
def test_what_is_no_link_to_here_has_no_code(client, address):
    assert client.get(address).status_code == 400


# Challenges


def challenge(page):
    return page.one(id="challenge").text


def over(page):
    found = page.all(id="challenge-over")
    return found[0].text if found else None


def test_a_challenge_is_told_and_carried_by_each_click(client):
    page = markup.read(client.get(f"/play/{CODE}?beat=38"))
    assert challenge(page) == "Challenge: beat 38 moves."
    field = page.one("input", type="hidden", name="beat", form="moves")
    assert field["value"] == "38"
    assert page.one(id="by-number").one("input", name="beat")["value"] == "38"
    assert not markup.read(client.get(f"/play/{CODE}")).all(id="challenge")


@pytest.mark.parametrize(
    ("beat", "tiles", "words"),
    [
        ("3", (5, 8), "Challenge beaten: 2 moves, 1 fewer than 3."),
        ("2", (5, 8), "Challenge equalled: 2 moves, neither more nor fewer."),
        ("2", (5, 5, 5, 8), "Challenge not beaten: 4 moves, 2 more than 2."),
    ],
)
def test_at_the_end_it_says_whether_it_was_beaten(client, beat, tiles, words):
    *before, last = tiles
    assert over(slide(client, *before, beat=beat)) is None
    assert over(slide(client, last, beat=beat)) == words
    assert over(markup.read(client.get(f"/play/{CODE}?beat={beat}"))) == words
    assert over(markup.read(client.get(f"/play/{CODE}"))) is None


def test_with_help_it_stands(client):
    slide(client, 5)
    client.post(f"/play/{CODE}/assisted")
    assert over(slide(client, 8, beat="9")) == (
        "The challenge, 9 moves, still stands: help was used."
    )


def test_without_htmx_it_is_kept_in_the_address(client):
    response = client.post(f"/play/{CODE}/slide", data={"tile": 5, "beat": "38"})
    assert response.location == f"/play/{CODE}?beat=38"


def test_one_that_nobody_can_win_says_so(client):
    assert challenge(markup.read(client.get(f"/play/{CODE}?beat=2"))).endswith(
        "No solution has fewer than 2: equal it."
    )
    assert challenge(markup.read(client.get(f"/play/{CODE}?beat=1"))).endswith(
        "No solution has fewer than 2."
    )


@pytest.mark.parametrize(
    "beat", ["0", "-1", "x", "10000", "1.5", "9" * 5000, "\N{SUPERSCRIPT TWO}"]
)
def test_a_number_that_is_none_is_told_so(client, beat):
    for response in (
        client.get(f"/play/{CODE}", query_string={"beat": beat}),
        client.post(f"/play/{CODE}/slide", data={"tile": 5, "beat": beat}),
    ):
        assert response.status_code == 400
        assert "A challenge names the moves to beat" in response.text
        assert len(response.data) < 12_000


# How links unfold


def metas(page):
    return {
        meta["property"].removeprefix("og:"): meta["content"]
        for meta in page.all("meta")
        if "property" in meta.attrs
    }


def test_a_link_to_a_puzzle_unfolds(client):
    page = markup.read(client.get(f"/play/{HARD}?algorithm=bfs"))
    assert metas(page) == {
        "site_name": "Slidewise",
        "type": "website",
        "title": "3 × 3 puzzle · Slidewise",
        "description": ("A 3 × 3 sliding-tile puzzle, 26 moves at best, to play, share and solve."),
        "url": f"{HERE}/play/{HARD}",
        "image": f"{HERE}/board/{HARD}/card.png",
        "image:type": "image/png",
        "image:width": "1200",
        "image:height": "630",
        "image:alt": "The board, its size and its goal",
    }
    assert page.one("meta", name="twitter:card")["content"] == "summary_large_image"


def test_a_challenge_unfolds_as_one(client):
    told = metas(markup.read(client.get(f"/play/{HARD}?beat=38")))
    assert told["title"] == "Beat 38 moves: 3 × 3 puzzle · Slidewise"
    assert told["description"].startswith("Can you beat 38 moves?")
    assert told["url"] == f"{HERE}/play/{HARD}?beat=38"


def test_a_solution_unfolds(client):
    told = metas(markup.read(client.get(f"/replay/{HARD}?moves={SHORTEST}&step=9")))
    assert told["title"] == "A solution in 26 moves · Slidewise"
    assert "in 26 moves" in told["description"]
    assert told["url"] == f"{HERE}/replay/{HARD}?moves={SHORTEST}"
    assert told["image"] == f"{HERE}/board/{HARD}/card.png"


def test_other_pages_unfold_with_a_board(client):
    told = metas(markup.read(client.get("/custom?start=x")))
    assert (told["title"], told["url"]) == ("Editor · Slidewise", f"{HERE}/custom")
    image = urlsplit(told["image"]).path
    assert client.get(image).mimetype == "image/png"


def test_what_unfolds_is_the_address_behind_a_proxy(new_app):
    behind = {
        "X-Forwarded-Prefix": "/games",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "slidewise.example",
    }
    client = new_app(PROXIES=1).test_client()
    told = metas(markup.read(client.get(f"/play/{CODE}", headers=behind)))
    assert told["url"] == f"https://slidewise.example/games/play/{CODE}"
    assert told["image"] == f"https://slidewise.example/games/board/{CODE}/card.png"


def test_an_error_does_not_unfold(client):
    assert metas(markup.read(client.get("/play/nonsense"))) == {}


# A solution as a file


def test_the_file_is_sent_to_be_kept(client):
    response = client.get(f"/replay/{HARD}.html?moves={SHORTEST}")
    assert response.status_code == 200
    assert response.headers["Content-Disposition"] == (
        'attachment; filename="slidewise-3x3-26-moves.html"'
    )
    page = markup.read(response)
    assert "26 moves" in page.one("title").text
    assert page.one("div", role="img")["aria-label"] == "Step 0: 7 2 4; 5 blank 6; 8 3 1"
    assert len(page.one(id="steps").all("button")) == 26
    assert [link["href"] for link in page.all("a")] == [f"{HERE}/replay/{HARD}?moves={SHORTEST}"]


def test_it_asks_nobody_for_anything(client):
    page = markup.read(client.get(f"/replay/{CODE}.html?moves=UL"))
    policy = page.one("meta", http_equiv="Content-Security-Policy")["content"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src")
    for element in page.inside:
        assert element.tag not in {"link", "img", "iframe"}
        assert "src" not in element.attrs
        assert element.get("action", "#") == "#"
    assert "url(" not in page.one("style").content[0]
    assert "@import" not in page.one("style").content[0]


def test_it_says_what_is_proved_without_a_now(client):
    text = markup.read(client.get(f"/replay/{HARD}.html?moves={SHORTEST}")).one("main").text
    assert "Proved shortest: checked with the exact distance table." in text


def test_its_script_is_that_of_the_pages(app):
    folder = Path(app.static_folder) / "js"
    script = offline.script(folder, "share/offline")
    assert not re.search(r"^\s*(import|export)\b", script, re.MULTILINE)
    assert "</" not in script
    order = re.findall(r'^modules\["([^"]+)"\] = ', script, re.MULTILINE)
    assert order[-1] == "share/offline"
    assert {"board", "solve/player"} <= set(order)
    assert len(set(order)) == len(order)


def test_modules_are_joined_in_the_order_of_their_imports(tmp_path):
    (tmp_path / "a.js").write_text(
        'import * as b from "./in/b.js";\nimport {\n  c as see, d,\n} from "./c.js";\n'
        "export function start() { return [b.x, see, d]; }\n"
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "b.js").write_text('import { c } from "../c.js";\nexport const x = c + 1;\n')
    (tmp_path / "c.js").write_text("export const c = 1;\nexport async function d() {}\n")
    script = offline.script(tmp_path, "a")
    places = [script.index(f'modules["{name}"] = ') for name in ["c", "in/b", "a"]]
    assert all(before < after for before, after in pairwise(places))
    assert 'const b = modules["in/b"];' in script
    assert "c: see, d" in script
    assert "return { c, d };" in script
    assert script.endswith('modules["a"].start();')


@pytest.mark.parametrize("query", ["", "moves=x", "moves=LLLL", "moves=U99999", "algorithm=x"])
def test_what_is_no_solution_is_no_file(client, query):
    response = client.get(f"/replay/{CODE}.html?{query}")
    assert response.status_code == 400
    assert "Content-Disposition" not in response.headers


def test_addresses_of_files_are_canonical_too(client):
    for what in "gif", "html":
        location = client.get(f"/replay/123406758.{what}?moves=UL").location
        assert location == f"/replay/{CODE}.{what}?moves=UL"
