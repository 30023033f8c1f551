"""A solution as one file that plays without a server: the page's own scripts and styles in it."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from pathlib import Path
from posixpath import normpath

_IMPORT = re.compile(r'^import (?:\* as (\w+)|\{([^}]*)\}) from "(\.[\w./-]+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class) (\w+))", re.MULTILINE)
_PICTURE = re.compile(r"url\([^)]*\)")


@lru_cache(maxsize=2)
def script(folder: Path, name: str) -> str:
    """Return the module `name` of `folder`, such as `share/offline`, and those that it imports,
    as one script.

    Each becomes a function that returns what the module exports: functions and constants.
    """
    order: list[str] = []
    _collect(folder, name, order)
    functions = "\n".join(_as_function(folder, module) for module in order)
    return f'"use strict";\nconst modules = {{}};\n{functions}\nmodules["{name}"].start();'


@lru_cache(maxsize=2)
def style(folder: Path, *names: str) -> str:
    """Return style sheets as one, without the pictures that they name."""
    sheets = [(folder / f"{name}.css").read_text(encoding="utf-8") for name in names]
    return _PICTURE.sub("none", "".join(sheets))


def _collect(folder: Path, name: str, order: list[str]) -> None:
    """Add `name` to `order`, after those that it imports."""
    for _, _, path in _IMPORT.findall(_read(folder, name)):
        imported = _resolve(name, path)
        if imported not in order:
            _collect(folder, imported, order)
    order.append(name)


def _as_function(folder: Path, name: str) -> str:
    source = _read(folder, name)
    exported = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub("", _IMPORT.sub(partial(_as_constant, name), source))
    return f'modules["{name}"] = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();'


def _as_constant(name: str, match: re.Match[str]) -> str:
    """Return an import of the module `name` as a constant."""
    whole, names, path = match.groups()
    constant = whole or "{" + names.replace(" as ", ": ") + "}"
    return f'const {constant} = modules["{_resolve(name, path)}"];'


def _resolve(name: str, path: str) -> str:
    """Return the module at `path`, as the module `name` calls it.

    >>> _resolve("share/offline", "../solve/player")
    'solve/player'
    """
    return normpath(f"{name}/../{path}")


def _read(folder: Path, name: str) -> str:
    return (folder / f"{name}.js").read_text(encoding="utf-8")
