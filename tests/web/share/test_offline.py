"""A solution as a file, which needs no server."""

import pytest

from tests.boards import TEXTBOOK as HARD
from tests.boards import TEXTBOOK_SOLUTION as SHORTEST
from tests.boards import TWO_MOVES as CODE
from tests.web import markup

HERE = "http://localhost"


def test_offline_file_is_an_attachment(client):
    response = client.get(f"/replay/{HARD}.html?moves={SHORTEST}")
    assert response.status_code == 200
    name = "slidewise-3x3-26-moves.html"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    page = markup.read(response)
    assert "26 moves" in page.one("title").text
    assert "Proved shortest: the exact distance table says" in page.one("main").text
    player = page.one("slide-wise")
    assert (player["board"], player["moves"]) == (HARD, SHORTEST)
    assert len(page.one(id="steps").all("button")) == 26
    assert [link["href"] for link in page.all("a")] == [f"{HERE}/replay/{HARD}?moves={SHORTEST}"]


def test_offline_file_loads_nothing(client):
    page = markup.read(client.get(f"/replay/{CODE}.html?moves=UL"))
    policy = page.one("meta", http_equiv="Content-Security-Policy")["content"]
    policy = " ".join(policy.split())
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src")
    for element in page.inside:
        assert element.tag not in {"link", "img", "iframe"}
        assert "src" not in element.attrs
        assert element.get("action", "#") == "#"
    assert "url(" not in page.one("style").content[0]
    assert "@import" not in page.one("style").content[0]
    assert "</" not in "".join(script.content[0] for script in page.all("script"))


@pytest.mark.parametrize("query", ["", "moves=x", "moves=LLLL", "moves=U99999", "algorithm=x"])
def test_offline_file_of_wrong_moves_is_400(client, query):
    response = client.get(f"/replay/{CODE}.html?{query}")
    assert response.status_code == 400
    assert "Content-Disposition" not in response.headers
