"""What a link to here shows where it is posted."""

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


def test_a_link_to_a_puzzle_unfolds(client):
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
    assert (told["title"], told["url"]) == ("Build your own · Slidewise", f"{HERE}/custom")
    image = urlsplit(told["image"]).path
    assert client.get(image).mimetype == "image/png"


def test_what_unfolds_is_the_address_behind_a_proxy(new_app):
    behind = {"Prefix": "/games", "Proto": "https", "Host": "slidewise.example"}
    headers = {f"X-Forwarded-{name}": value for name, value in behind.items()}
    client = new_app(PROXIES=1).test_client()
    told = metas(markup.read(client.get(f"/play/{CODE}", headers=headers)))
    assert told["url"] == f"https://slidewise.example/games/play/{CODE}"
    assert told["image"] == f"https://slidewise.example/games/board/{CODE}/card.png"


def test_an_error_does_not_unfold(client):
    assert metas(markup.read(client.get("/play/nonsense"))) == {}
