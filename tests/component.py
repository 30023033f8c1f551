"""Build the single file of the web component from its modules: `python -m tests.component`.

The file is a script without imports or exports. A page can load it as a script, even from
`file://`, and a program can import it. It is ASCII, so that a page need not name its encoding.
"""

import json
import re
from functools import partial
from pathlib import Path
from posixpath import normpath

STATIC = Path(__file__).parents[1] / "static"
FILE = STATIC / "slide-wise" / "slide-wise.js"
ENTRY = "component/element"
HEAD = """\
// <slide-wise>: sliding-tile puzzles to play, solutions to replay, searches to watch.
// Slidewise, MIT License. Made from static/js/component by `python -m tests.component`.
"""

_IMPORT = re.compile(r'^import (?:\* as (\w+)|\{([^}]*)\}) from "(\.[\w./-]+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *//.*\n|^ +| +// .*$", re.MULTILINE)
"""Comments and indentation, which only readers of the modules need."""


def bundled(folder: Path = STATIC / "js", entry: str = ENTRY) -> str:
    """Return the module `entry` of `folder` and its imports, as one script that starts it.

    Each module becomes a function that returns its exported functions and constants.
    """
    order: list[str] = []
    _collect(folder, entry, order)
    functions = "\n".join(_as_function(folder, module) for module in order)
    start = f'modules["{entry}"].start();'
    script = (
        f'{HEAD}(() => {{\n"use strict";\nconst modules = {{}};\n{functions}\n{start}\n}})();\n'
    )
    return re.sub(r"[^\x00-\x7f]", lambda character: json.dumps(character[0])[1:-1], script)


def _collect(folder: Path, name: str, order: list[str]) -> None:
    """Append `name` to `order`, after its imports."""
    for _, _, path in _IMPORT.findall(_read(folder, name)):
        imported = _resolve(name, path)
        if imported not in order:
            _collect(folder, imported, order)
    order.append(name)


def _as_function(folder: Path, name: str) -> str:
    source = _read(folder, name)
    exported = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub("", _IMPORT.sub(partial(_as_constant, name), source))
    return f'modules["{name}"] = (() => {{\n{body}return {{ {exported} }};\n}})();'


def _as_constant(name: str, match: re.Match[str]) -> str:
    """Return an import of the module `name` as a constant."""
    whole, names, path = match.groups()
    constant = whole or "{" + names.replace(" as ", ": ") + "}"
    return f'const {constant} = modules["{_resolve(name, path)}"];'


def _resolve(name: str, path: str) -> str:
    """Resolve the import `path` of the module `name`.

    >>> _resolve("component/game", "../board")
    'board'
    """
    return normpath(f"{name}/../{path}")


def _read(folder: Path, name: str) -> str:
    return _COMMENT.sub("", (folder / f"{name}.js").read_text(encoding="utf-8"))


if __name__ == "__main__":
    FILE.write_text(bundled(), encoding="ascii")
