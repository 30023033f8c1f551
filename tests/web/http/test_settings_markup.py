"""The markup of the settings, which only the browser stores."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from slidewise import parse_puzzle
from tests.web import markup
from tests.web.kinds import CODE

STATIC = Path(__file__).parents[3] / "static"
PICTURES = sorted(path.name for path in (STATIC / "pictures").iterdir())


def test_theme_script_lists_every_setting(client):
    form = markup.read(client.get("/custom")).one(id="settings-form")
    names = {control["name"] for control in form.all("input") if "name" in control.attrs}
    script = (STATIC / "js" / "theme.js").read_text()
    assert set(re.findall(r'"([a-z-]+)"', script.partition("[")[2].partition("]")[0])) == names
    for name in names:
        controls = form.all("input", name=name)
        if controls[0]["type"] == "radio":
            assert sum("checked" in radio.attrs for radio in controls) == 1, "one is the usual"


@pytest.mark.parametrize(
    "path",
    [
        f"/play/{CODE}",
        f"/play/{CODE}_0.1.2-3.4.5-6.7.8",
        f"/replay/{CODE}?moves=U",
        f"/custom?start={CODE}",
    ],
)
def test_tiles_have_the_classes_of_their_goal_cells(client, path):
    page = markup.read(client.get(path))
    goal = parse_puzzle(path.partition("/play/")[2] or CODE).goal
    tiles = [element for element in page.inside if "tile" in element.classes and element.text]
    assert len(tiles) >= 8
    for tile in tiles:
        row, col = divmod(goal.cells.index(int(tile.text)), 3)
        assert {f"gr{row}", f"gc{col}"} <= tile.classes
        assert len([name for name in tile.classes if re.fullmatch(r"l\d", name)]) == 1


def test_only_a_solved_board_has_the_missing_piece(client):
    def pieces(code):
        page = markup.read(client.get(f"/play/{code}"))
        return [element.classes for element in page.inside if "piece" in element.classes]

    assert pieces(CODE) == []
    assert pieces("1.2.3-4.5.6-7.8.0") == [{"piece", "r2", "c2", "gr2", "gc2"}]


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_square_small_and_load_nothing(client, name):
    with client.get(f"/static/pictures/{name}") as response:
        assert response.mimetype == "image/svg+xml"
        assert len(response.data) < 4000
        root = ET.fromstring(response.data)
    assert root.get("width") == root.get("height")
    for element in root.iter():
        assert not {"style", "href"} & {
            attribute.rpartition("}")[2] for attribute in element.attrib
        }
        assert element.tag.rpartition("}")[2] not in {"style", "script", "image", "use"}


def test_styles_name_each_picture():
    styles = "".join(sheet.read_text() for sheet in (STATIC / "css").glob("*.css"))
    assert set(re.findall(r"pictures/(\w+\.svg)", styles)) == set(PICTURES)
