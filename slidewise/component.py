"""Script of the web component `<slide-wise>`: one file, made of the site's modules.

A page can load it as a script, even from `file://`, and a program can import it. It is ASCII, so
that a page need not name its encoding. The build of a wheel runs this module alone, as a file.
"""

import json
import re
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from posixpath import normpath

COMPONENT_FILE = "slide-wise/slide-wise.js"
"""Name of the script below the folder `static`."""

ENTRY = "component/element"
HEAD = """\
// <slide-wise>: sliding-tile puzzles to play, solutions to replay, searches to watch.
// Slidewise, MIT License. Made from static/js/component by `slidewise component`.
"""

_IMPORT = re.compile(r'^import (?:\* as (\w+)|\{([^}]*)\}) from "(\.[\w./-]+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class) (\w+))", re.MULTILINE)

_TOKEN = re.compile(
    r"""(?P<space>(?:\s|//.*|/\*[\s\S]*?\*/)+)
    |(?P<string>"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')
    |(?P<word>[\w$\#]+)
    |(?P<sign>\+\+|--|\S)""",
    re.VERBOSE,
)
_REGEX = re.compile(r"(?P<regex>/(?![/*])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*)")
_TEMPLATE = re.compile(r"(?P<template>[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{))")
"""Part of a template literal, up to a value or its end."""

_OPERATORS = re.compile(
    "await|case|delete|do|else|in|instanceof|new|of|return|throw|typeof|void|yield"
)
"""Words before an expression: a slash after them begins a regular expression."""


def static_folder() -> Path:
    """Return the folder of the site's files, in a wheel or in a checkout."""
    here = Path(__file__).parent
    folders = here / "web" / "static", here.parent / "static"
    return next(folder for folder in folders if folder.is_dir())


@lru_cache(maxsize=1)
def component() -> str:
    """Return the script of `<slide-wise>`."""
    return bundled(static_folder() / "js", ENTRY)


def bundled(folder: Path, entry: str) -> str:
    """Return the module `entry` of `folder` and its imports, as one script that starts it.

    Each module becomes a function that returns its exported functions and constants.
    """
    order: list[str] = []
    _collect(folder, entry, order)
    functions = "\n".join(_as_function(folder, module) for module in order)
    start = f'modules["{entry}"].start();'
    script = f'(() => {{\n"use strict";\nconst modules = {{}};\n{functions}\n{start}\n}})();\n'
    return HEAD + re.sub(
        r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], minified(script)
    )


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
    return (folder / f"{name}.js").read_text(encoding="utf-8")


def minified(source: str) -> str:
    r"""Return a script without comments, indentation, blank lines and needless spaces.

    Line breaks stay, as some of them end statements.

    >>> minified("let a = 1; // one\n\n  b(`a  b // c`, / \\/\\/ /);")
    'let a=1;\nb(`a  b // c`,/ \\/\\/ /);'
    """
    found, gap = [""], ""
    for kind, text in tokens(source):
        if kind == "space":
            gap = "\n" if "\n" in text else " "
            continue
        if gap == "\n" or (gap and _would_join(found[-1], text)):
            found.append(gap)
        found.append(text)
        gap = ""
    return "".join(found).lstrip() + ("\n" if gap == "\n" else "")


def _would_join(before: str, after: str) -> bool:
    """Return whether two tokens read otherwise without a space between them.

    >>> _would_join("return", "x"), _would_join("+", "+"), _would_join("/a/", "in")
    (True, True, True)
    """
    is_regex = before.startswith("/") and len(before) > 1
    pair = ("x" if is_regex else before[-1:]) + after[0]
    return bool(re.match(r"[\w$#]{2}|\+\+|--|//|/\*|<!|\d\.", pair))


def tokens(source: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each token of a script.

    Comments are space. A template literal is several tokens: its parts, and the code between them.
    """
    opened = [""]  # what stands before each open bracket, or the "${" of a template literal
    place, before, is_value = 0, "", False
    while place < len(source):
        kind, text = _token(source, place, is_value, opened[-1] == "${")
        yield kind, text
        place += len(text)
        if kind == "space":
            continue
        closed = opened.pop() if text[0] in ")]}" else ""
        if text in ("(", "[", "{"):
            opened.append(before)
        elif kind == "template" and text.endswith("${"):
            opened.append("${")
        is_value = (
            kind in ("string", "regex")
            or (kind == "word" and (before == "." or not _OPERATORS.fullmatch(text)))
            or (kind == "template" and text.endswith("`"))
            or text in ("]", "++", "--")
            or (text == ")" and closed not in ("if", "while", "for", "with"))
        )
        before = text


def _token(source: str, place: int, is_value: bool, in_template: bool) -> tuple[str, str]:
    """Return the token at `place`. After a value, a slash divides."""
    patterns = [_TOKEN]
    if source[place] == "`" or (source[place] == "}" and in_template):
        patterns = [_TEMPLATE]
    elif source[place] == "/" and not is_value:
        patterns = [_REGEX, _TOKEN]
    for pattern in patterns:
        if found := pattern.match(source, place):
            return str(found.lastgroup), found[0]
    raise ValueError(f"cannot read a token: {source[place : place + 40]!r}")
