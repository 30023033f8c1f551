"""The pages of docs/ that list the functions of a click, a Solve and `solve()`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ["life-of-a-click.md", "life-of-a-solve.md"]
FILE = re.compile(r"^ *- `[^`]+` in `([^`]+)`", re.MULTILINE)
MAX_FILES = {"a click": 22, "a Solve": 27, "solve()": 16}
"""Files entered on 2026-11-30, and one more for a slow Solve. Lower a number with the files."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lives")
    subprocess.run([sys.executable, "-m", "tests.lives", str(folder)], cwd=ROOT, check=True)
    return folder


@pytest.mark.parametrize("page", PAGES)
def test_life_in_docs_is_that_of_the_code(folder, page):
    """A slow Solve reports its progress too, so a few more functions are allowed."""
    traced = set((folder / page).read_text(encoding="utf-8").splitlines())
    written = set((ROOT / "docs" / page).read_text(encoding="utf-8").splitlines())
    gone, new = written - traced, traced - written
    few = 0 if page == PAGES[0] else len(written) // 10
    assert max(len(gone), len(new)) <= few, (
        f"run .venv/bin/python -m tests.lives and commit docs/: {sorted(gone | new)[:20]}"
    )


def test_each_life_enters_few_files(folder):
    click, solve = ((folder / page).read_text(encoding="utf-8") for page in PAGES)
    web, library = solve.split("## In the worker")
    texts = dict(zip(MAX_FILES, [click, web, library], strict=True))
    files = {name: set(FILE.findall(text)) for name, text in texts.items()}
    assert all(files.values())
    assert {name: len(found) for name, found in files.items() if len(found) > MAX_FILES[name]} == {}
