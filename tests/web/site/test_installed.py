"""What makes an app of the site."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from tests.web import markup

STYLE = Path(__file__).parents[3] / "static" / "css" / "base.css"


@pytest.mark.parametrize("prefix", ["", "/puzzles"])
def test_the_manifest_starts_the_app_below_its_prefix_and_names_its_icons(app, prefix):
    client, base_url = app.test_client(), f"http://localhost{prefix}"
    page = markup.read(client.get("/gallery", base_url=base_url))
    (link,) = (link for link in page.all("link") if link["rel"] == "manifest")
    assert link["href"] == f"{prefix}/manifest.webmanifest"
    answer = client.get("/manifest.webmanifest", base_url=base_url)
    assert answer.mimetype == "application/manifest+json"
    assert answer.cache_control.no_cache
    about = answer.json
    assert (about["id"], about["start_url"], about["scope"]) == (f"{prefix}/",) * 3
    assert (about["name"], about["display"]) == ("Slidewise", "standalone")
    seen = set()
    for icon in about["icons"]:
        with client.get(icon["src"].removeprefix(prefix), base_url=base_url) as response:
            side = Image.open(io.BytesIO(response.data)).size
        assert icon["sizes"] == "{}x{}".format(*side)
        seen.add((icon["sizes"], icon["purpose"]))
    assert seen == {(f"{side}x{side}", how) for side in (192, 512) for how in ("any", "maskable")}


def test_the_app_has_the_colours_of_the_page(client):
    found = re.search(r"--paper: light-dark\((\S+), (\S+)\)", STYLE.read_text(encoding="utf-8"))
    light, dark = found.groups()
    page = markup.read(client.get("/gallery"))
    colours = [meta["content"] for meta in page.all("meta") if meta.get("name") == "theme-color"]
    assert colours == [light, dark]
    assert client.get("/manifest.webmanifest").json["theme_color"] == light
