"""Script of the web component `<slide-wise>`: a single file, made of the site's modules.

A page can load it as a script, even from `file://`, and a program can import it. It is ASCII, so
that a page need not name its encoding. The build of a wheel runs this module alone, as a file.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from posixpath import normpath
from string import ascii_letters

COMPONENT_FILE = "slide-wise/slide-wise.js"
"""Name of the script below the folder `static`."""

ENTRY = "component/element"
HEAD = """\
// <slide-wise>: sliding-tile puzzles to play, solutions to replay, searches to watch.
// Slidewise, MIT License. Made from static/js/component by `slidewise component`.
"""

_IMPORT = re.compile(r'^import \{[\w\s,]+\} from "(\.[\w./-]+)\.js";$', re.MULTILINE)
_DATA = re.compile(
    r'^import (\w+) from "(\.[\w./-]+)" with \{ type: "(css|json)" \};$', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async |function|const|let|class)\b)", re.MULTILINE)
_BLOCK = re.compile(r"(?:async )?function\b|class\b|for\b|if\b")
_DECLARED = re.compile(r"(?:async )?(?:function|const|let|class) (\w+)(?!.*,\w+=\d)")
"""A declaration of a single name. Several numbers in a declaration stay together."""

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
    """Return the module `entry` of `folder` and its imports, as a script that starts it.

    All share a scope, after their imports. Declarations that nothing uses are left out.
    """
    order: list[str] = []
    _collect(folder, entry, order)
    source = "".join(_EXPORT.sub("", _IMPORT.sub("", _read(folder, name))) for name in order)
    body = "\n".join(used(list(statements(minified(source)))))
    script = f'(() => {{\n"use strict";\n{body}\nstart();\n}})();\n'
    # All characters beyond ASCII stand in strings, where JSON's \u escapes are valid.
    return HEAD + re.sub(
        r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], with_short_names(script)
    )


def _collect(folder: Path, name: str, order: list[str]) -> None:
    """Append `name` to `order`, after its imports."""
    for path in _IMPORT.findall(_read(folder, name)):
        imported = _resolve(name, path)
        if imported not in order:
            _collect(folder, imported, order)
    order.append(name)


def statements(source: str) -> Iterator[str]:
    """Yield the statements of a script that stand in no block.

    >>> list(statements("let a={b:1};function c(){a;}c();"))
    ['let a={b:1};', 'function c(){a;}', 'c();']
    """
    text, depth = "", 0
    for kind, token in tokens(source):
        if text or kind != "space":
            text += token
        if kind in ("sign", "template"):
            depth += (token[-1] in "([{") - (token[0] in ")]}")
        if depth == 0 and (token == ";" or (token == "}" and _BLOCK.match(text))):
            yield text
            text = ""
    if text.strip():
        yield text


def used(found: list[str]) -> list[str]:
    """Return statements without declarations of unused names; `start` is used.

    >>> used(["const a=1;", "const b=2;", "function start(){b;}"])
    ['const b=2;', 'function start(){b;}']
    """
    declared = [match[1] if (match := _DECLARED.match(text)) else "" for text in found]
    # All modules share a scope, so a name of two modules would silently be the same variable.
    twice = [name for name, times in Counter(declared).items() if name and times > 1]
    if twice:
        raise ValueError(f"names of two modules of the component: {', '.join(twice)}")
    words = [{token for kind, token in tokens(text) if kind == "word"} for text in found]
    known, new = set[str](), {"", "start"}
    # Mark what `start` reaches, level by level.
    while new:
        known |= new
        new = set().union(*(words[i] for i, name in enumerate(declared) if name in new)) - known
    return [text for text, name in zip(found, declared, strict=True) if name in known]


def with_short_names(script: str) -> str:
    """Shorten the private names of a script, which nothing outside can see.

    >>> with_short_names('class A{#first=1;b(){return this.#first+"#first";}}')
    'class A{#a=1;b(){return this.#a+"#first";}}'
    """
    found = list(tokens(script))
    private = Counter(text for kind, text in found if kind == "word" and text.startswith("#"))
    short = {
        name: f"#{ascii_letters[i % 52]}{i // 52 or ''}"
        for i, (name, _) in enumerate(private.most_common())
    }
    return "".join(short.get(text, text) if kind == "word" else text for kind, text in found)


def _resolve(name: str, path: str) -> str:
    """Resolve the import `path` of the module `name`.

    >>> _resolve("component/game", "../board")
    'board'
    """
    return normpath(f"{name}/../{path}")


def _read(folder: Path, name: str) -> str:
    """Return a module with the style sheets and JSON files that it imports."""

    def embedded(found: re.Match[str]) -> str:
        text = (folder / _resolve(name, found[2])).read_text(encoding="utf-8")
        if found[3] == "json":
            return f"const {found[1]} = {text.strip()};"
        sheet = json.dumps(minified_style(text))
        return f"const {found[1]} = new CSSStyleSheet();\n{found[1]}.replaceSync({sheet});"

    return _DATA.sub(embedded, (folder / f"{name}.js").read_text(encoding="utf-8"))


def minified_style(text: str) -> str:
    """Return a style sheet without comments and needless spaces.

    >>> minified_style("/* one */ a :is(b, i) { top: calc(1px + 2px); color: red; }")
    'a :is(b,i){top:calc(1px + 2px);color:red}'
    """
    text = re.sub(r"/\*[\s\S]*?\*/", "", text)
    return (
        re.sub(r"\s*([{};,])\s*|(:)\s+", r"\1\2", " ".join(text.split())).replace(";}", "}").strip()
    )


def minified(source: str) -> str:
    r"""Return a script without comments, indentation, blank lines and needless spaces.

    Line breaks between statements stay, as some of them end statements.

    >>> minified("let a = 1; // one\n\n  b(`a  b // c`,\n/ \\/\\/ /);")
    'let a=1;\nb(`a  b // c`,/ \\/\\/ /);'
    """
    found, gap = [""], ""
    for kind, text in tokens(source):
        if kind == "space":
            gap = "\n" if "\n" in text else " "
            continue
        # A line break inside brackets ends no statement, so it can go.
        if gap == "\n" and (found[-1][-1:] in "([{," or text in ")]}"):
            gap = ""
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
        # After a value a slash divides; elsewhere it starts a regular expression.
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
