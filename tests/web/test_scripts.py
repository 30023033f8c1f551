"""The import graph of the scripts. There is no build step that would report a broken import."""

import functools
import re
from pathlib import Path
from posixpath import dirname, normpath

import pytest

from slidewise.component import ENTRY

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "static" / "js"
MODULES = sorted(path.relative_to(SCRIPTS).as_posix() for path in SCRIPTS.rglob("*.js"))
IMPORTED = re.compile(
    r'(?:^import[^"]* from |@import[^"]* from |^import |import\(|new Worker\(new URL\()"([^"]+)"',
    re.MULTILINE,
)
LOADED = re.compile(r'\b(?:load|use)\("([^"]+)"')


def read(module):
    return (SCRIPTS / module).read_text(encoding="utf-8")


@functools.cache
def imported_by(module):
    imported = {normpath(f"{module}/../{path}") for path in IMPORTED.findall(read(module))}
    return imported.union(LOADED.findall(read(module)))


MOST = {"files": 70, "lines": 8109, "values": 23}
"""Of the scripts of core and game, and values of the modules of a game that change (`let`)."""
OF_A_GAME = "game/", "play/", "daily/", "new/"


def test_scripts_of_core_and_game_only_shrink():
    own = {name: read(name) for name in MODULES if not name.startswith("course/")}
    play = [text for name, text in own.items() if name.startswith(OF_A_GAME)]
    found = {
        "files": len(own),
        "lines": sum(text.count("\n") for text in own.values()),
        "values": sum(len(re.findall(r"^(?:export )?let ", text, re.M)) for text in play),
    }
    assert {name: number for name, number in found.items() if number > MOST[name]} == {}


def test_game_imports_no_view_and_has_no_page():
    for name in (name for name in MODULES if name.startswith("game/")):
        assert {dirname(other) for other in imported_by(name)} <= {"", "game"}, name
        assert not re.search(r"\b(document|htmx)\.", read(name)), name


@pytest.mark.parametrize("name", ["position", "game", "server"])
def test_core_of_the_game_knows_no_page(name):
    source = read(f"game/{name}.js")
    assert not re.search(r"\b(document|htmx|localStorage|sessionStorage)\.", source)


HAVE_OWN_IMPORTS = {"dom.js", "language.js", "theme.js", "exact/worker.js"}
"""Of the first click, which dom.js is no part of, and of a worker, which starts again."""


def test_a_failed_import_on_demand_is_tried_again():
    found = {name for name in MODULES if re.search(r"(?<!#)\bimport\(", read(name))}
    assert found == HAVE_OWN_IMPORTS


def test_import_names_a_module_and_its_exports():
    for module in MODULES:
        assert {path for path in imported_by(module) if not (SCRIPTS / path).is_file()} == set()
        named = re.findall(r'^import \{([^}]*)\} from "([^"]+)"', read(module), re.MULTILINE)
        for names, path in named:
            exporting = read(normpath(f"{module}/../{path}"))
            for name in names.split(","):
                name = name.split(" as ")[0].strip()
                assert re.search(rf"^export .*\b{name}\b", exporting, re.MULTILINE), (path, name)


def test_module_is_loaded_by_a_page_or_another_module():
    pages = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("templates/**/*.html"))
    python = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("webapp/**/*.py"))
    loaded = {name for name in MODULES if f"js/{name}" in pages}
    loaded |= {name for name in MODULES if f'"{name.removesuffix(".js")}"' in python}
    loaded |= {name for name in MODULES if f'"js/{name}"' in python}
    loaded.add(f"{ENTRY}.js")
    for module in MODULES:
        loaded |= imported_by(module)
    assert set(MODULES) - loaded == set()


OWN_HELPER = re.compile(r'createElement(?:NS)?\((?:[^"]|"a")|clipboard\.write')
"""A function that creates any element, a download or a copied text."""
HAVE_HELPERS = {"dom.js", "files.js"}


def test_elements_downloads_and_copies_are_made_in_one_module():
    assert {name for name in MODULES if OWN_HELPER.search(read(name))} <= HAVE_HELPERS
