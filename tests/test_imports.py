"""Import rules: the order of the layers, no cycles, no side effects.

Every import counts, including those within functions and for type checking only.
"""

import ast
import functools
import re
import sys
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest

import slidewise
from tests.cli.commands import python

ROOT = Path(__file__).parents[1]

ROOMS = "course", "research"

LAYERS = (
    [
        *("slidewise.version", "slidewise.text", "slidewise.json_schema", "slidewise.parts"),
        "slidewise.component",
        "slidewise.puzzle",
    ],
    ["slidewise.solver"],
    ["slidewise.analysis"],
    ["slidewise.cli"],
    ["slidewise.course", "slidewise.research"],
    ["slidewise"],  # the public face
    ["webapp.http", "webapp.board"],
    ["webapp.workers"],
    ["webapp.forms", "webapp.parts"],
    [f"webapp.{subject}" for subject in ("play", "solve", "share", "api", "site")],
    [f"webapp.{part}" for part in ("together", *ROOMS)],
    ["webapp"],  # the app and its command
)
"""From the bottom up: a module imports from its own layer and from layers above it in this list."""

WEB = {"flask", "werkzeug", "jinja2"}


def imports(source: str, package: str, modules: set[str]) -> set[str]:
    """Return the imports of a source: full names of own modules, top-level names of others.

    Relative imports start from `package`.
    """
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            names = {f"{module}.{alias.name}" for alias in node.names}
            found |= names & modules or {module}
    return {name if name in modules else name.partition(".")[0] for name in found}


@functools.cache
def graph() -> dict[str, set[str]]:
    """Return the imports of each module."""
    packages = {name.rpartition(".")[0] for name in sources()}
    return {
        name: imports(source, name if name in packages else name.rpartition(".")[0], set(sources()))
        for name, source in sources().items()
    }


def layer(module: str) -> int:
    """Return the layer number of a module, -1 for another package."""
    parts = module.split(".")
    prefixes = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((n for prefix in prefixes for n, names in enumerate(LAYERS) if prefix in names), -1)


def misplaced(found: dict[str, set[str]]) -> list[str]:
    """Return the imports that no layer allows."""
    library = {name for name in found if name.startswith("slidewise")}
    return [
        f"{name} imports {other}"
        for name, others in found.items()
        for other in others
        if layer(other) > layer(name)
        or (name in library and other in WEB)
        or (layer(name) == 0 and layer(other) < 0 and other not in sys.stdlib_module_names)
    ]


def circle(found: dict[str, set[str]]) -> list[str]:
    """Return a cycle of modules, or nothing."""
    try:
        TopologicalSorter({name: others & set(found) for name, others in found.items()}).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@functools.cache
def sources() -> dict[str, str]:
    """Return the sources of all modules."""
    files = [file for package in ("slidewise", "webapp") for file in (ROOT / package).rglob("*.py")]
    return {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): (
            file.read_text(encoding="utf-8")
        )
        for file in files
    }


def test_each_module_imports_from_its_own_layer_and_those_below():
    found = graph()
    assert len(found) > 150
    assert misplaced(found) == []


FACES = {
    *("slidewise.public", "slidewise.notebook"),  # for checkers of types
    *("slidewise.gym", "slidewise.study.exercises", "slidewise.study.recording"),
}
"""Modules whose names the documents promise, and which are in a room."""


def room(module: str) -> str:
    """Return the room that a module is in, or nothing."""
    return next((name for name in module.split(".")[1:2] if name in ROOMS), "")


def test_nothing_outside_the_course_and_research_imports_them():
    found = graph()
    assert min(sum(room(name) == one for name in found) for one in ROOMS) > 5
    assert [
        f"{name} imports {other}"
        for name, others in found.items()
        for other in others
        if room(other) and room(other) != room(name) and name not in FACES
    ] == []


def test_earlier_import_paths_go_on():
    code = (
        "import slidewise; from slidewise.study.exercises import judge; "
        "from slidewise.study.recording import record_search; import slidewise.gym; "
        "print(slidewise.check.__module__, slidewise.prove.__module__, judge.__module__, "
        "record_search.__module__, slidewise.gym.SlidingPuzzleEnv.__module__)"
    )
    done = python("-c", code, cwd=ROOT)
    assert {name.split(".")[1] for name in done.stdout.split()} == {"course", "research"}


def test_the_web_app_names_itself_by_relative_imports_alone():
    """The package is `webapp` in a checkout and `slidewise.web` if installed."""
    lines = [
        (name, line)
        for name, source in sources().items()
        if name.startswith("webapp")
        for line in re.findall(r"^ *(?:from|import) webapp\b.*", source, re.MULTILINE)
    ]
    assert lines == []


def test_the_web_app_has_no_string_with_its_name():
    """Functions that other processes import are named by `__package__` and `__name__`."""
    found = [
        (name, node.value)
        for name, source in sources().items()
        if name.startswith("webapp")
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.search(r"\bwebapp\b", node.value) and node.value not in docstrings(source)
    ]
    assert found == [("webapp.serve", "webapp")], "only whether this is a checkout"


def docstrings(source: str) -> set[str]:
    """Return the strings that stand alone, like docstrings of modules and names."""
    nodes = ast.walk(ast.parse(source))
    return {
        node.value.value
        for node in nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def test_no_modules_import_each_other_in_a_circle():
    assert circle(graph()) == []


def test_importing_slidewise_has_no_side_effects(tmp_path):
    code = (
        "import os, sys; before = dict(os.environ); import slidewise; "
        "assert dict(os.environ) == before; "
        "print({'numpy', 'numba', 'flask', 'rich', 'slidewise.public'} & set(sys.modules))"
    )
    environment = {"HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT)}
    done = python("-c", code, env=environment)
    assert (done.stdout, done.stderr) == ("set()\n", "")
    assert list(tmp_path.iterdir()) == []


def test_public_names_are_exactly_those_of_all():
    assert all(hasattr(slidewise, name) for name in slidewise.__all__)
    assert set(slidewise.__all__) == set(dir(slidewise))
    with pytest.raises(AttributeError, match="module 'slidewise' has no attribute 'solves'"):
        slidewise.solves  # noqa: B018
