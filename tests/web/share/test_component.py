"""The web component: its file, its package, its style."""

import gzip
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from slidewise import __version__
from slidewise.component import component
from slidewise.puzzle.reading import MAX_MOVES
from tests.release.check import npm_package

STATIC = Path(__file__).parents[3] / "static"
PACKED = {"LICENSE", "README.md", "package.json", "slide-wise.js"}


def source(name):
    return (STATIC / "js" / "component" / f"{name}.js").read_text(encoding="utf-8")


def test_file_has_at_most_15_kilobytes_compressed():
    assert len(gzip.compress(component().encode(), 9)) <= 15_000


def test_file_is_ascii_for_pages_of_any_encoding():
    assert component().isascii()


def test_file_is_a_script_without_storage_or_eval():
    text = component()
    assert not re.search(r"^\s*(import|export)\b", text, re.MULTILINE)
    forbidden = (
        r"innerHTML|eval\(|new Function|localStorage|sessionStorage|document\.cookie|</|style="
    )
    assert re.findall(forbidden, text) == []


def test_component_has_the_colours_of_the_site():
    base = (STATIC / "css" / "base.css").read_text(encoding="utf-8")
    usual = dict(re.findall(r"^  --([\w-]+): (light-dark\(.*?\));(?: |$)", base, re.MULTILINE))
    style = (STATIC / "css" / "component.css").read_text(encoding="utf-8")
    colours = re.findall(r"--([\w-]+): var\(--slide-wise-[\w-]+, (light-dark\(.*\))\);", style)
    assert len(colours) > 15
    assert set(colours) <= set(usual.items())
    page = (STATIC / "css" / "embed.css").read_text(encoding="utf-8")
    around = re.findall(
        r"^  --([\w-]+): (?:var\(--slide-wise-[\w-]+, )?(light-dark\(.*?\))\)?;$",
        page,
        re.MULTILINE,
    )
    assert len(around) > 10
    assert set(around) <= set(usual.items())


def test_component_has_the_move_limit_of_the_library():
    (limit,) = re.findall(r"MOST_MOVES = ([\d_]+);", source("parts"))
    assert int(limit) == MAX_MOVES


def test_language_has_the_texts_of_play_and_replay():
    texts = json.loads((STATIC / "js/component/texts.json").read_text(encoding="utf-8"))
    assert set(texts) == {"en", "de", "es"}
    shown = {name for name in texts["en"] if not re.match("bad|no[BR]|manyMoves|wrongMove", name)}
    for lang in "de", "es":
        assert shown - {"f"} <= set(texts[lang]) <= shown
        for name, text in texts[lang].items():
            assert set(re.findall(r"\{\w+\}", text)) == set(
                re.findall(r"\{\w+\}", texts["en"][name])
            ), (lang, name)


@pytest.fixture
def package(tmp_path):
    """Return the folder of the npm package."""
    return npm_package(tmp_path)


def test_package_holds_its_files(package):
    about = json.loads((package / "package.json").read_text(encoding="utf-8"))
    assert about["version"] == __version__
    assert {path.name for path in package.iterdir()} == PACKED
    assert (package / about["main"]).read_text(encoding="ascii") == component()
    licence = package / "LICENSE"
    assert licence.read_bytes() == (STATIC.parent / "LICENSE").read_bytes()
    assert {*about["files"], about["exports"].removeprefix("./")} == {about["main"]}


@pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm")
def test_npm_packs_the_package(package, tmp_path):
    pack = ["npm", "pack", str(package), "--json", "--offline", "--ignore-scripts"]
    environment = {"HOME": str(tmp_path), "npm_config_update_notifier": "false"}
    packed = subprocess.run(
        pack, cwd=tmp_path, env=environment | {"PATH": os.environ["PATH"]},
        check=True, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    (answer,) = json.loads(packed.stdout)
    assert {file["path"] for file in answer["files"]} == PACKED
    assert (tmp_path / answer["filename"]).stat().st_size < 20_000
