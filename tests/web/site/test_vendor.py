"""The vendored files, served unchanged."""

import hashlib
import re
from pathlib import Path

import pytest

from tests.web import markup

FOLDER = Path(__file__).parents[3] / "static" / "vendor"
TABLE = dict(
    re.findall(
        r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", (FOLDER / "README.md").read_text(), re.M
    )
)


def test_script_and_font_are_in_the_table():
    files = [path.name for path in FOLDER.iterdir() if path.suffix in {".js", ".woff2"}]
    assert sorted(TABLE) == sorted(files)
    assert TABLE


@pytest.mark.parametrize("name", TABLE)
def test_hash_is_that_of_the_table(name):
    assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == TABLE[name]


def test_licences_are_included():
    assert "Zero-Clause BSD" in (FOLDER / "htmx-LICENSE").read_text()
    licence = (FOLDER / "d3-hierarchy-LICENSE").read_text()
    assert "Permission to use, copy, modify, and/or distribute this software" in licence
    assert "SIL OPEN FONT LICENSE Version 1.1" in (FOLDER / "figtree-LICENSE").read_text()


@pytest.mark.parametrize(
    ("path", "prefixes"),
    [
        ("/custom", ("htmx",)),
        ("/lab/1.2.3-4.0.6-7.5.8", ("htmx", "hx-")),
        ("/lab/1.2.3-4.0.6-7.5.8/watch", ("htmx", "d3-")),
    ],
)
def test_pages_load_the_vendored_scripts(client, path, prefixes):
    page = markup.read(client.get(path))
    sources = {script["src"] for script in page.all("script")}
    vendored = {source.rpartition("/vendor/")[2] for source in sources if "/vendor/" in source}
    assert vendored == {name for name in TABLE if name.startswith(prefixes)}
    for source in sources:
        with client.get(source) as response:
            assert response.status_code == 200
            assert response.mimetype == "text/javascript"
