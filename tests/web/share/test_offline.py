"""A solution as a file, which needs no server."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.boards import TEXTBOOK as HARD
from tests.boards import TEXTBOOK_SOLUTION as SHORTEST
from tests.boards import TWO_MOVES as CODE
from tests.web import markup
from webapp.share import files

HERE = "http://localhost"


def test_the_file_is_sent_to_be_kept(client):
    response = client.get(f"/replay/{HARD}.html?moves={SHORTEST}")
    assert response.status_code == 200
    name = "slidewise-3x3-26-moves.html"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    page = markup.read(response)
    assert "26 moves" in page.one("title").text
    assert "Proved shortest: the exact distance table says" in page.one("main").text
    assert page.one("div", role="img")["aria-label"] == "Step 0: 7 2 4; 5 blank 6; 8 3 1"
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


def test_its_script_is_that_of_the_pages(app):
    folder = Path(app.static_folder) / "js"
    script = files.script(folder, "share/offline")
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
    script = files.script(tmp_path, "a")
    places = [script.index(f'modules["{name}"] = ') for name in ["c", "in/b", "a"]]
    assert all(before < after for before, after in pairwise(places))
    assert 'const b = modules["in/b"];' in script
    assert "c: see, d" in script
    assert "return { c, d };" in script
    assert script.endswith('modules["a"].start();')


@pytest.mark.parametrize("query", ["", "moves=x", "moves=LLLL", "moves=U99999", "algorithm=x"])
def test_offline_file_of_wrong_moves_is_400(client, query):
    response = client.get(f"/replay/{CODE}.html?{query}")
    assert response.status_code == 400
    assert "Content-Disposition" not in response.headers


def test_addresses_of_files_are_canonical_too(client):
    for what in "gif", "html":
        location = client.get(f"/replay/123406758.{what}?moves=UL").location
        assert location == f"/replay/{CODE}.{what}?moves=UL"
