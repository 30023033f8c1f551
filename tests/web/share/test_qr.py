"""QR codes of the links to puzzles and solutions."""

import re
import xml.etree.ElementTree as ET

import pytest
import segno

from slidewise import scramble
from tests.boards import TEXTBOOK as HARD
from tests.boards import TWO_MOVES as CODE
from tests.each import each
from webapp.workers.shared import services_of

HERE = "http://localhost"


def matrix_of(svg):
    """Return the rows of modules that the SVG of a QR code draws, with 1 for dark."""
    root = ET.fromstring(svg)
    side = int(root.get("viewBox").split()[2])
    light, dark = root.findall("{http://www.w3.org/2000/svg}path")
    assert (light.get("fill"), light.get("d")) == ("#fff", f"M0 0h{side}v{side}h-{side}z")
    assert dark.get("stroke") == "#000"
    modules = [[0] * side for _ in range(side)]
    x, y = 0.0, 0.0
    for command, right, down in re.findall(r"([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?", dark.get("d")):
        if command == "h":
            modules[int(y)][int(x) : int(x) + int(right)] = [1] * int(right)
        x, y = x + float(right), y + float(down or 0)
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
def test_qr_code_has_the_link_of_this_site(client, address, link):
    response = client.get(address)
    assert response.mimetype == "image/svg+xml"
    matrix = matrix_of(response.data)
    assert matrix == expected_matrix(HERE + link)
    quiet = [*matrix[:4], *matrix[-4:], *(row[:4] + row[-4:] for row in matrix)]
    assert not any(module for row in quiet for module in row), "a border of four modules"
    assert b"style" not in response.data


@pytest.mark.parametrize("path", [f"/qr/play/{CODE}.svg", f"/board/{CODE}.png"])
def test_picture_is_drawn_once_in_a_helper(new_app, monkeypatch, path):
    app = new_app()
    calls, drawn = services_of(app).solvers.calls, []
    submit = calls.submit
    monkeypatch.setattr(
        calls, "submit", lambda *call, **how: drawn.append(call) or submit(*call, **how)
    )
    first, *others = (app.test_client().open(path, method=one) for one in ("GET", "GET", "HEAD"))
    assert {answer.status_code for answer in (first, *others)} == {200}
    assert first.data == others[0].data
    assert len(drawn) == 1


def test_qr_code_is_public_only_if_the_hosts_are_configured(app, new_app):
    address = f"/qr/play/{CODE}.svg"
    elsewhere = {"Host": "elsewhere.example"}
    for_any_host = app.test_client().get(address, headers=elsewhere)
    assert for_any_host.headers["Cache-Control"] == "no-store", (
        "it names a host that the sender chose"
    )
    known = new_app(HOSTS="localhost").test_client()
    assert known.get(address).cache_control.public
    for refused in elsewhere, {"Host": "localhost@elsewhere.example"}, {"Host": 'a"b'}:
        assert known.get(address, headers=refused).status_code == 400
    assert app.test_client().get(address, headers={"Host": 'a"b'}).status_code == 400


@each(
    "address",
    [
        *("/qr/play/x.svg", f"/qr/play/{CODE}.svg?beat=https://x", f"/qr/replay/{CODE}.svg"),
        *(f"/qr/replay/{CODE}.svg?moves=http", f"/qr/replay/{CODE}.svg?algorithm=http://x"),
        f"/qr/replay/{CODE}.svg?algorithm=astar&heuristic=" + "x" * 2000,
    ],
)
def test_qr_code_of_foreign_link_is_400(client, address):
    assert client.get(address).status_code == 400
