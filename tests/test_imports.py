"""The arrows between the parts of the app: `web -> search -> puzzle`, and never back."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import webapp

ROOT = Path(webapp.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
LAYERS = ("puzzle", "search", "web")
"""Each may import itself and what stands before it."""

FRAMEWORK = {"flask", "werkzeug", "jinja2"}


@dataclass(frozen=True)
class Import:
    """One imported module; `lazy` if it waits for a call, or is there for the types alone."""

    module: str
    lazy: bool
    line: int


def name_of(path: Path) -> str:
    """Return the dotted name of a module's file, `slidewise.puzzle` for its `__init__.py`."""
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(source: str, package: str) -> list[Import]:
    """Return all that `source`, a module in `package`, imports, wherever it does so."""
    tree = ast.parse(source)
    lazy = {id(node) for block in ast.walk(tree) if waits(block) for node in ast.walk(block)}
    return [
        Import(module, id(node) in lazy, node.lineno)
        for node in ast.walk(tree)
        for module in modules_of(node, package)
    ]


def waits(node: ast.AST) -> bool:
    """Tell whether what stands in `node` is not run when the module is imported."""
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.unparse(node.test)
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))


def modules_of(node: ast.AST, package: str) -> list[str]:
    """Return what an import statement, or a call that imports, names; else nothing."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        parents = package.split(".")
        parents = parents[: len(parents) + 1 - node.level] if node.level else []
        base = ".".join([*parents, *filter(None, [node.module])])
        return [f"{base}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        called = ast.unparse(node.func).rpartition(".")[2]
        if called in ("import_module", "__import__"):
            return [str(node.args[0].value)]
    return []


def layer(module: str) -> str | None:
    """Return the layer of a module of this project, None for the modules above all layers."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in LAYERS else None


def wrong_arrows(name: str, source: str, *, is_package: bool = False) -> list[str]:
    """Return a sentence for each import that the module `name` must not have."""
    package = name if is_package else name.rpartition(".")[0]
    return [
        f"{name}, line {found.line}: imports {found.module}, but {why}"
        for found in imports(source, package)
        if (why := refusal(name, found))
    ]


def refusal(name: str, found: Import) -> str | None:
    """Say why the module `name` must not import `found`, or return None if it may."""
    here, top = layer(name), found.module.partition(".")[0]
    if top == "webapp":
        there = layer(found.module)
        if here is None:
            at_once = there == "web" and not found.lazy
            return "the web layer waits until a call needs it" if at_once else None
        if there is None:
            if here == "web" and not found.module.startswith("slidewise.cli"):
                return None  # the server needs create_app, a page the version
            return f"{here} stands below the modules of the app itself"
        if LAYERS.index(there) > LAYERS.index(here):
            return f"{here} stands below {there}"
        return None
    if here == "puzzle" and top not in sys.stdlib_module_names:
        return "puzzle needs the standard library only"
    if top in FRAMEWORK and here != "web" and not (name == "webapp" and found.lazy):
        return "the framework belongs to the web layer"
    return None


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_arrow_runs_backwards(path):
    source = path.read_text(encoding="utf-8")
    assert wrong_arrows(name_of(path), source, is_package=path.name == "__init__.py") == []


def test_all_layers_are_looked_at():
    assert set(LAYERS) <= {layer(name_of(path)) for path in MODULES}


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("slidewise.puzzle.board", "import slidewise.solver"),
        ("slidewise.puzzle.board", "from webapp import search"),
        ("slidewise.puzzle.board", "from slidewise.solver.run import solve"),
        ("slidewise.puzzle.board", "from webapp.web import app"),
        ("slidewise.puzzle.board", "from ..search import run"),
        ("slidewise.puzzle.board", "from .. import web"),
        ("slidewise.puzzle.board", "import numpy"),
        ("slidewise.puzzle.board", "import numpy.linalg as la"),
        ("slidewise.puzzle.board", "def f():\n    from numba import njit"),
        ("slidewise.puzzle.board", "if TYPE_CHECKING:\n    from slidewise.solver import Result"),
        ("slidewise.puzzle.board", "if typing.TYPE_CHECKING:\n    import numpy as np"),
        ("slidewise.puzzle.board", "from webapp import create_app"),
        ("slidewise.puzzle.board", "import webapp"),
        ("slidewise.puzzle.board", "import os, flask"),
        ("slidewise.puzzle.board", "importlib.import_module('slidewise.solver')"),
        ("slidewise.solver.run", "import flask"),
        ("slidewise.solver.run", "from flask import current_app"),
        ("slidewise.solver.run", "def f():\n    from flask import current_app"),
        ("slidewise.solver.run", "from werkzeug import Response"),
        ("slidewise.solver.run", "from webapp.http.sse import stream"),
        ("slidewise.solver.run", "try:\n    from webapp import web\nexcept ImportError:\n    pass"),
        ("slidewise.solver.run", "if TYPE_CHECKING:\n    from webapp.web import app"),
        ("slidewise.solver.algorithms.astar", "from ...web import app"),
        ("slidewise.solver.run", "from slidewise.cli import main"),
        ("webapp.serve", "from slidewise.cli import main"),
        ("webapp", "import flask"),
        ("webapp", "from webapp.app import build_app"),
        ("slidewise.cli", "from webapp.app import build_app"),
        ("webapp.command", "from webapp.app import build_app"),
        ("slidewise.cli", "class A:\n    from webapp import web"),
        ("slidewise.cli", "def main():\n    import flask"),
        ("webapp.__main__", "import flask"),
    ],
)
def test_a_backwards_arrow_is_caught(name, source):
    assert len(wrong_arrows(name, source)) == 1


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("slidewise.puzzle.board", "from __future__ import annotations\nimport re, math"),
        ("slidewise.puzzle.board", "from slidewise.puzzle.errors import PuzzleError"),
        ("slidewise.puzzle.board", "from . import errors\nfrom .errors import PuzzleError"),
        ("slidewise.solver.run", "from slidewise.puzzle import Board\nimport numpy, numba"),
        (
            "slidewise.solver.kernels.best",
            "from ..events import Event\nfrom ...puzzle import Board",
        ),
        ("webapp.app", "import flask\nfrom slidewise.solver import solve\nimport slidewise.puzzle"),
        ("webapp.serve", "from webapp import create_app, __version__"),
        ("slidewise.cli", "def serve():\n    from webapp.app import build_app"),
        ("slidewise.cli", "from slidewise.solver import solve\nfrom webapp import __version__"),
        ("webapp", "def create_app():\n    from webapp.app import build_app"),
        ("webapp", "if TYPE_CHECKING:\n    from flask import Flask"),
        ("webapp.__main__", "from slidewise.cli import main"),
    ],
)
def test_other_arrows_are_let_through(name, source):
    assert wrong_arrows(name, source) == []


def test_relative_imports_start_from_the_package_itself_in_its_init_file():
    source = "from .run import solve"
    assert [found.module for found in imports(source, "slidewise.solver")] == [
        "slidewise.solver.run.solve"
    ]
    assert wrong_arrows("slidewise.puzzle", "from ..search import run", is_package=True)
    assert wrong_arrows("slidewise.puzzle", "from .board import Board", is_package=True) == []


def test_a_refusal_names_the_module_the_line_and_the_reason():
    source = "import os\n\nfrom webapp.web import app\n"
    assert wrong_arrows("slidewise.solver.run", source) == [
        "slidewise.solver.run, line 3: imports webapp.app, but search stands below web"
    ]
