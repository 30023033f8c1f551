"""Write your own search: exercises in Python that run in the visitor's browser.

Python (Pyodide) runs in a worker whose response has its own Content Security Policy: it can load
nothing, so the page passes it all files as bytes. Those files have a digest in their URL.
"""

import hashlib
import json
import re
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import brotli
from flask import Blueprint, Response, abort, current_app, render_template, request, url_for
from markupsafe import Markup, escape

import slidewise
from slidewise import algorithms, find_algorithm
from slidewise.course.judge import Exercise, Rules, exercises
from slidewise.course.judge.class_files import (
    RULES,
    BadRulesError,
    header,
    read_rules,
    read_seed,
    rule_names,
)
from slidewise.course.judge.own_exercise import MAX_BYTES, as_text
from slidewise.course.judge.report import KINDS
from slidewise.course.searching import is_recorded
from slidewise.solver.compare import HEURISTIC, Choice

from ...http.language import gettext as _
from ...http.language import number as number_text
from ...http.language import sentence, translated
from ...http.responses import download
from ...http.routes import reads_query, static_page
from ...parts import StoredPages
from ...workers.shared import service
from ..lab.selection import FIRST
from ..learn.path import next_step, step_with
from .own import OwnExercises

blueprint = Blueprint("write", __name__, url_prefix="/learn/write")

POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'none'"
"""Content Security Policy of the worker, a single file that needs no script of this site."""

PYODIDE = "vendor/pyodide"
BINARIES = {"pyodide.asm.wasm": "application/wasm", "python_stdlib.zip": "application/zip"}
"""Files of Pyodide that are sent unchanged, compressed with brotli."""

STORED_FILES = (
    *(f"js/course/write/write{end}.js" for end in ("", "_editor", "_hand_in", "_list", "_opened")),
    *(f"js/course/write/write_{end}.js" for end in ("own", "results", "runner", "store")),
    "css/course/write.css",
)
"""Static files of the exercises, stored once a visitor has opened an exercise."""

WORKER = "course/write/python_worker"
"""The worker's own module, which follows Pyodide's two modules in its file."""

OWN = Path(__file__).parent
LIBRARY = Path(slidewise.__file__).parent
FOR_PROGRAMS = "course/__init__.py", "course/programs/*.py"
NEEDED = {
    "judge.json": ("text.py", "json_schema.py", "puzzle/*.py", "course/judge/*.*", *FOR_PROGRAMS),
    "program.json": FOR_PROGRAMS,
}
"""Files of the library that each worker needs."""

OF_PROCESSES = ("confined.py", "confinement.py")
"""Files among them that start processes, which no page can do."""

LEVEL = 5
"""Brotli level of the worker and the sources, compressed once per process in 30 ms."""

MAX_CODE = 100_000
"""Longest program in characters."""

YEAR = 365 * 24 * 3600

JUDGE_CELL = """\
from slidewise.course.judge import Rules, judge

report = judge("{key}", globals(), seed={seed}, rules={rules!r})
print(report.points, "of {points} points")
for check in report.as_json()["checks"]:
    print("+" if check["passed"] else "-", check["text"], check["note"])
if report.mistake:
    print(f"Mistake: {{report.mistake.title}}. {{report.mistake.mend}}")
if report.hint:
    print("Hint:", report.hint)
"""
"""Last cell of a notebook."""


class Asset(NamedTuple):
    """A file of the worker: its brotli-compressed content, or the path of a vendored file."""

    mimetype: str
    digest: str
    size: int
    content: bytes | Path

    @property
    def compressed(self) -> bytes:
        """The content, compressed with brotli."""
        return self.content if isinstance(self.content, bytes) else self.content.read_bytes()


class Assignment(NamedTuple):
    """Seed and rules of a teacher's link; `error` is the reason if the link cannot be read.

    `seed_name` is the seed as the link has it, a number or a name.
    """

    seed: int = 1
    rules: Rules = Rules()
    error: str = ""
    seed_name: str = "1"

    @property
    def names(self) -> list[str]:
        """Names of the rules, as in links."""
        return rule_names(self.rules)

    @property
    def words(self) -> list[str]:
        return [translated(RULES[name]) for name in self.names]

    @property
    def query(self) -> dict[str, str]:
        """Query of the link, empty for seed 1 without rules."""
        seed = {"seed": self.seed_name} if self.seed != 1 else {}
        return seed | ({"rules": ",".join(self.names)} if self.names else {})


def read_assignment() -> Assignment:
    try:
        rules = read_rules(request.args.getlist("rules"))
        name = request.args.get("seed", "").strip()
        return Assignment(read_seed(name), rules, seed_name=name or "1")
    except BadRulesError as error:
        return Assignment(error=sentence(error))


@blueprint.get("")
@static_page
def index() -> tuple[str, int]:
    """List the exercises; 202 while some of the operator's are not yet tried."""
    own = service(OwnExercises)
    own.start()
    html = render_template(
        "course/write/write.html",
        exercises=exercises(),
        own=[own.ready[name] for name in sorted(own.ready)],
        bad=[own.bad[name] for name in sorted(own.bad)],
        is_waiting=own.is_waiting,
        max_bytes=MAX_BYTES,
    )
    return html, 202 if own.is_waiting else 200


@blueprint.get("/<name>")
@static_page
def page(name: str) -> str:
    """Show an exercise with an editor."""
    keys = list(exercises())
    number = keys.index(_find(name).key) + 1
    step = step_with(name)
    is_last = step is not None and name == step.exercises[-1]
    return _page(
        _find(name),
        read_assignment(),
        starter="write.starter",
        number=number,
        step=step,
        next_step=next_step(step) if step and is_last else None,
        next=exercises()[keys[number]] if number < len(keys) else None,
        algorithm=name if _is_recorded(name) else "",
        raced=_raced(name),
    )


@blueprint.get("/own/<name>")
@static_page
def own_page(name: str) -> str:
    """Show an exercise of the operator's folder."""
    exercise = _find_own(name)
    own = as_text(exercise)
    return _page(exercise, read_assignment(), starter="write.own_starter", own=own)


@blueprint.get("/opened")
@static_page
@reads_query
def opened_page() -> str:
    """Show an exercise file that the browser has opened; a script fills the page."""
    return _page(Exercise(title=_("Exercise from a file")), Assignment(), is_opened=True)


def _page(exercise: Exercise, assignment: Assignment, **more: Any) -> str:
    usual = {"number": 0, "algorithm": "", "raced": None, "own": "", "starter": ""}
    return render_template(
        "course/write/write_exercise.html",
        assignment=assignment,
        head=header(exercise.key, assignment.seed, assignment.rules),
        exercises=exercises(),
        exercise=exercise,
        kinds={kind: words for kind, words in KINDS.items() if "array" not in kind},
        marked=_marked,
        max_code=MAX_CODE,
        **python_files(),
        **(usual | more),
    )


def python_files() -> dict[str, Any]:
    """URLs of the worker's files and their size, for a template."""
    found = assets(_static())
    megabytes = sum(one.size for one in found.values()) / 1e6
    return {
        "files": {one: asset_url(one) for one in found},
        "megabytes": number_text(round(megabytes, 1)),
    }


def _is_recorded(name: str) -> bool:
    """Whether the built-in search of an exercise can be watched, unlike a local search."""
    return name in algorithms() and is_recorded(algorithms()[name])


def _raced(name: str) -> str | None:
    """Searches of a race with the visitor's search of this name; None if the usual race has it."""
    if name in FIRST or not _is_recorded(name):
        return None
    entries = [find_algorithm(key) for key in (name, *FIRST)]
    return ",".join(
        str(Choice(one.key, HEURISTIC if one.uses_heuristic else None)) for one in entries
    )


@blueprint.get("/<name>.py")
@static_page
def starter(name: str) -> Response:
    """Download the starter of an exercise, for writing it on the visitor's machine."""
    return _starter(_find(name))


@blueprint.get("/own/<name>.py")
@static_page
def own_starter(name: str) -> Response:
    """Download the starter of an exercise of the operator's folder."""
    return _starter(_find_own(name))


@blueprint.get("/own/<name>.json")
@static_page
def own_file(name: str) -> Response:
    """Download an exercise of the operator's folder, for `slidewise grade` and other sites."""
    text = as_text(_find_own(name))
    return download(f"{text}\n", "application/json", f"{name}.exercise.json")


def _starter(exercise: Exercise) -> Response:
    assignment = read_assignment()
    head = header(exercise.key, assignment.seed, assignment.rules)
    return download(f"{head}\n{exercise.starter}", "text/x-python", f"{exercise.key}.py")


@blueprint.get("/<name>.ipynb")
@static_page
def notebook(name: str) -> Response:
    """Download an exercise as a notebook with a cell that judges it."""
    text = json.dumps(notebook_of(_find(name), read_assignment()), indent=1)
    return download(f"{text}\n", "application/x-ipynb+json", f"{name}.ipynb")


def notebook_of(exercise: Exercise, assignment: Assignment) -> dict[str, Any]:
    """Return a notebook (nbformat 4.5): task, starter, judge."""
    given = _("You are given %(names)s.", names=", ".join(f"`{one}`" for one in exercise.uses))
    head = header(exercise.key, assignment.seed, assignment.rules)
    judged = JUDGE_CELL.format(
        key=exercise.key,
        points=exercise.points,
        seed=assignment.seed,
        rules=assignment.rules,
    )
    task = f"# {translated(exercise.title)}\n\n{translated(exercise.task)}"
    install = _("The last cell judges your function. Slidewise has to be installed in this kernel.")
    cells = [
        _cell("task", "markdown", f"{task}\n\n{given}" if exercise.uses else task),
        _cell("program", "code", f"{head}\n{exercise.starter}".rstrip("\n")),
        _cell("install", "markdown", install),
        _cell("judge", "code", judged.rstrip("\n")),
    ]
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": python, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _cell(name: str, kind: str, text: str) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": name, "metadata": {}, "source": text.splitlines(True)}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})


@blueprint.get("/files/<digest>/<name>")
def file(digest: str, name: str) -> Response:
    """Send a file of the worker, unpacked for clients without brotli."""
    asset = assets(_static()).get(name)
    if asset is None or asset.digest != digest:
        abort(404, _("This file is of another version. Reload the page."))
    if request.accept_encodings["br"]:
        response = Response(asset.compressed, mimetype=asset.mimetype)
        response.headers["Content-Encoding"] = "br"
    else:
        response = Response(_decompressed(asset), mimetype=asset.mimetype)
    response.vary.add("Accept-Encoding")
    response.headers["Content-Security-Policy"] = POLICY
    response.cache_control.public = True
    response.cache_control.immutable = True
    response.cache_control.max_age = YEAR
    return response


def asset_url(name: str) -> str:
    return url_for("write.file", digest=assets(_static())[name].digest, name=name)


def stored_pages() -> StoredPages:
    """Return what a browser stores with the first exercise: Python, 4 MB, and the page's files."""
    found = assets(_static())
    return StoredPages(
        r"^learn/write(/(own/)?[\w-]+)?$",
        STORED_FILES,
        "learn/write/files/",
        {asset_url(name): partial(_decompressed, asset) for name, asset in found.items()},
    )


def _decompressed(asset: Asset) -> bytes:
    content: bytes = brotli.decompress(asset.compressed)
    return content


def _marked(text: str) -> Markup:
    """Translate and escape a text, and mark its `code` as code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(translated(text)))))


def _find(key: str) -> Any:
    if key not in exercises():
        abort(404, _("There is no exercise %(name)s.", name=repr(key[:60])))
    return exercises()[key]


def _find_own(name: str) -> Exercise:
    own = service(OwnExercises)
    own.start()
    if name not in own.ready and own.is_waiting:
        abort(503, _("This exercise is not yet read. Reload the page in a moment."))
    if name not in own.ready:
        abort(404, _("There is no exercise %(name)s.", name=repr(name[:60])))
    return own.ready[name]


def _static() -> Path:
    return Path(current_app.static_folder or "")


@lru_cache(maxsize=2)
def assets(static: Path) -> dict[str, Asset]:
    """Return the files of the worker by name."""
    vendor = static / PYODIDE
    found = {name: _asset(kind, vendor / f"{name}.br") for name, kind in BINARIES.items()}
    for name, mimetype, text in (
        ("worker.js", "text/javascript", _worker(static)),
        *((one, "application/json", json.dumps(_sources(one))) for one in NEEDED),
    ):
        found[name] = _asset(mimetype, brotli.compress(text.encode(), quality=LEVEL))
    return found


def _asset(mimetype: str, content: bytes | Path) -> Asset:
    data = content if isinstance(content, bytes) else content.read_bytes()
    return Asset(mimetype, hashlib.sha256(data).hexdigest()[:16], len(data), content)


def _worker(static: Path) -> str:
    """Join Pyodide's two modules and the worker's module in a file without imports."""
    machine = _unpacked(static, "pyodide.asm.mjs")
    loader = _unpacked(static, "pyodide.mjs")
    # both modules end with exports, which the joined file cannot have
    machine, _, machine_name = machine.rpartition("export default ")
    loader, _, exported = loader.rpartition("export{")
    loader_name = exported.partition(" as ")[0]
    own = _text(static / "js" / f"{WORKER}.js")
    parts = (
        f"const createPyodideModule = (() => {{\n{machine}\nreturn {machine_name}\n}})();",
        f"const loadPyodide = (() => {{\n{loader}\nreturn {loader_name};\n}})();",
        own,
    )
    return "\n".join(parts)


def _unpacked(static: Path, name: str) -> str:
    text: str = brotli.decompress((static / PYODIDE / f"{name}.br").read_bytes()).decode()
    return text


def _sources(name: str) -> dict[str, str]:
    """Return the sources of a worker by name; `slidewise` is empty, as the real package imports all
    searches."""
    sources = {"slidewise/__init__.py": ""}
    if name == "judge.json":
        sources["in_browser.py"] = _text(OWN / "in_browser.py")
    for pattern in NEEDED[name]:
        for source in sorted(LIBRARY.glob(pattern)):
            if source.name in OF_PROCESSES:
                continue
            sources[source.relative_to(LIBRARY.parent).as_posix()] = _text(source)
    return sources


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
