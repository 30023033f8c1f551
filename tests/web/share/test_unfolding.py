"""Previews of links to this site in other apps."""

from urllib.parse import urlsplit

from tests.boards import TEXTBOOK as HARD
from tests.boards import TEXTBOOK_SOLUTION as SHORTEST
from tests.boards import TWO_MOVES as CODE
from tests.web import markup

HERE = "http://localhost"


def metas(page):
    return {
        meta["property"].removeprefix("og:"): meta["content"]
        for meta in page.all("meta")
        if "property" in meta.attrs
    }


def test_preview_of_a_puzzle(client):
    page = markup.read(client.get(f"/play/{HARD}?algorithm=bfs"))
    assert metas(page) == {
        "site_name": "Slidewise",
        "type": "website",
        "title": "3 × 3 puzzle · Slidewise",
        "description": (
            "A 3 × 3 sliding-tile puzzle, shortest solution: 26 moves, to play, share and solve."
        ),
        "url": f"{HERE}/play/{HARD}",
        "image": f"{HERE}/board/{HARD}/card.png",
        "image:type": "image/png",
        "image:width": "1200",
        "image:height": "630",
        "image:alt": "The board, its size and its goal",
    }
    assert page.one("meta", name="twitter:card")["content"] == "summary_large_image"


def test_preview_of_a_challenge(client):
    preview = metas(markup.read(client.get(f"/play/{HARD}?beat=38")))
    assert preview["title"] == "Beat 38 moves: 3 × 3 puzzle · Slidewise"
    assert preview["description"].startswith("Can you beat 38 moves?")
    assert preview["url"] == f"{HERE}/play/{HARD}?beat=38"


def test_preview_of_a_solution(client):
    preview = metas(markup.read(client.get(f"/replay/{HARD}?moves={SHORTEST}&step=9")))
    assert preview["title"] == "A solution in 26 moves · Slidewise"
    assert "in 26 moves" in preview["description"]
    assert preview["url"] == f"{HERE}/replay/{HARD}?moves={SHORTEST}"
    assert preview["image"] == f"{HERE}/board/{HARD}/card.png"


def test_preview_of_another_page_has_a_board(client):
    preview = metas(markup.read(client.get("/custom?start=x")))
    assert (preview["title"], preview["url"]) == ("Build your own · Slidewise", f"{HERE}/custom")
    image = urlsplit(preview["image"]).path
    assert client.get(image).mimetype == "image/png"


def test_preview_behind_a_proxy_has_the_public_url(new_app):
    behind = {"Prefix": "/games", "Proto": "https", "Host": "slidewise.example"}
    headers = {f"X-Forwarded-{name}": value for name, value in behind.items()}
    client = new_app(PROXIES=1).test_client()
    preview = metas(markup.read(client.get(f"/play/{CODE}", headers=headers)))
    assert preview["url"] == f"https://slidewise.example/games/play/{CODE}"
    assert preview["image"] == f"https://slidewise.example/games/board/{CODE}/card.png"


def test_error_page_has_no_preview(client):
    assert metas(markup.read(client.get("/play/nonsense"))) == {}
