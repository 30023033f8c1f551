"""The files of others that are served from here, unchanged."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from tests.web import markup

FOLDER = Path(__file__).parents[2] / "static" / "vendor"
TABLE = dict(
    re.findall(
        r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", (FOLDER / "README.md").read_text(), re.M
    )
)


def test_each_script_is_in_the_table():
    assert sorted(TABLE) == sorted(path.name for path in FOLDER.glob("*.js"))
    assert TABLE


@pytest.mark.parametrize("name", TABLE)
def test_the_hashes_are_those_of_the_table(name):
    assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == TABLE[name]


def test_there_is_the_licence():
    assert "Zero-Clause BSD" in (FOLDER / "htmx-LICENSE").read_text()


def test_the_pages_load_them_from_here(client):
    page = markup.read(client.get("/custom"))
    sources = {script["src"] for script in page.all("script")}
    assert set(TABLE) <= {source.rpartition("/vendor/")[2] for source in sources}
    for source in sources:
        with client.get(source) as response:
            assert response.status_code == 200
            assert response.mimetype == "text/javascript"
