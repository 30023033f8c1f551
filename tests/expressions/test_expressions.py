"""Every regular expression takes linear time, whatever the text."""

import ast
import importlib
import pkgutil
import re
from collections import deque
from contextlib import suppress
from pathlib import Path

import pytest

import slidewise
import webapp
from slidewise import (
    Puzzle,
    PuzzleError,
    parse_board,
    parse_moves,
    parse_puzzle,
    parse_size,
    read_moves,
    read_plan,
    understand_moves,
)
from slidewise.course.judge.printed import read_given
from slidewise.puzzle import notation
from slidewise.puzzle.moves import find_wrong_move
from slidewise.puzzle.writing import is_plan
from tests.expressions import growth
from tests.expressions.growth import grows_too_fast
from tests.expressions.hostile_texts import pumps
from tests.solver.runs import SWEEP
from webapp.config import TEXTS

START = parse_board("1.2.3-4.5.6-7.8.0")

METHODS = {
    "match": lambda one, text: one.match(text),
    "fullmatch": lambda one, text: one.fullmatch(text),
    "search": lambda one, text: one.search(text),
    "finditer": lambda one, text: deque(one.finditer(text), maxlen=0),
}
MOST_TEXTS = 20
"""Texts for each expression; `make soak` tries all."""

ALL_MATCHES = {"sub", "subn", "split", "findall", "finditer"}
"""Methods that search for all matches: a match does not shorten the search."""

PASSED_ON = dict.fromkeys(
    [
        *("webapp.api.validation", "webapp.config"),
        *("slidewise.course.judge.printed.counts", "slidewise.course.judge.find"),
    ],
    "pattern",
)
"""Modules that match patterns declared elsewhere: schemas of the API, settings, lists of words."""

OWN_FILES = {"slidewise.component", "webapp.http.texts"}
"""Modules that match only files of this project, once at the start."""


def modules():
    for package in (slidewise, webapp):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not info.name.endswith("__main__") and info.name not in OWN_FILES:
                yield importlib.import_module(info.name)


def evaluated(node, module):
    """Return the value of an expression of the module's names, or None if it has others."""
    plain = (ast.Constant, ast.Name, ast.Attribute, ast.JoinedStr, ast.FormattedValue, ast.BinOp)
    if not isinstance(node, plain):
        return None
    try:
        return eval(compile(ast.Expression(node), "<expression>", "eval"), vars(module))
    except (NameError, AttributeError, TypeError, RuntimeError):  # of a request, such as `g.pay`
        return None


def uses(module):
    """Yield each (expression, method) in the source of a module. An expression matched by another
    name counts for all matches."""
    for value in vars(module).values():
        if isinstance(value, re.Pattern):
            yield value, None
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in {*METHODS, *ALL_MATCHES}:
            owner = evaluated(node.value, module)
            if isinstance(owner, re.Pattern):
                yield owner, node.attr
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if is_call and evaluated(node.func.value, module) is re and node.func.attr != "escape":
            yield from calls(node, module)


def calls(node, module):
    """Yield the expression of a call such as `re.sub("[a-z]", "", text)`."""
    pattern = evaluated(node.args[0], module)
    if pattern is None:
        assert ast.unparse(node.args[0]) == PASSED_ON.get(module.__name__), ast.unparse(node)
        return
    flags = sum(
        flag
        for one in [*node.args[1:], *(key.value for key in node.keywords)]
        if isinstance(flag := evaluated(one, module), re.RegexFlag)
    )
    method = None if node.func.attr == "compile" else node.func.attr
    yield re.compile(pattern, flags), method


def declared(document):
    """Yield the patterns of JSON schemas."""
    if isinstance(document, dict):
        if isinstance(document.get("pattern"), str):
            yield document["pattern"]
        document = list(document.values())
    if isinstance(document, list):
        for part in document:
            yield from declared(part)


@pytest.fixture(scope="module")
def expressions():
    """Return each expression with the methods that use it."""
    found: dict[re.Pattern[str], set[str | None]] = {}
    for module in modules():
        for expression, method in uses(module):
            found.setdefault(expression, set()).add("finditer" if method in ALL_MATCHES else method)
    client = webapp.create_app({"TESTING": True}).test_client()
    schemas = client.get("/api/v1/openapi.json").json
    patterns = {*declared(schemas), *(pattern for pattern, _ in TEXTS.values())}
    for pattern in patterns:
        found.setdefault(re.compile(pattern), set()).add("fullmatch")
    for methods in found.values():
        if methods == {None}:
            methods.add("finditer")
        methods.discard(None)
    return found


def slowest_text(expression, method):
    """Return the first slow text and its time, or ""."""
    given = str if isinstance(expression.pattern, str) else str.encode
    texts = sorted(pumps(expression))
    for start, unit, end in texts[:: 1 if SWEEP else len(texts) // MOST_TEXTS + 1]:
        why = grows_too_fast(
            lambda text: method(expression, given(text)),
            lambda length: start + unit * (length // len(unit)) + end,  # noqa: B023
        )
        if why:
            return f"{start!r} {unit!r} {end!r}: {why}"
    return ""


def test_every_expression_is_linear(expressions):
    assert len(expressions) > 90
    slow = [
        f"{expression.pattern!r}.{method}: {why}"
        for expression, methods in expressions.items()
        for method in methods
        if (why := slowest_text(expression, METHODS[method]))
    ]
    assert not slow, "\n".join(slow)


SEARCHED = ["a*b", "<[^>]*>"]


@pytest.mark.parametrize(
    "pattern", [r"\s*\s*x", r"(a+)+", "a*b", r"(a|b|ab)*c", r"(\d|\d\d)+x", "<[^>]*>"]
)
def test_slow_expressions_are_found(pattern, monkeypatch):
    monkeypatch.setattr(growth, "LONGEST_SECONDS", 1.0)
    expression = re.compile(pattern)
    assert slowest_text(expression, METHODS["finditer" if pattern in SEARCHED else "fullmatch"])


# The parsers, which are more than their expressions

READERS = {
    "parse_board": parse_board,
    "parse_puzzle": parse_puzzle,
    "parse_size": parse_size,
    "parse_moves": parse_moves,
    "read_moves": lambda text: read_moves(text, START, goal=START),
    "understand_moves": lambda text: understand_moves(text, START, goal=START),
    "find_wrong_move": lambda text: find_wrong_move(text, START),
    "read_plan": lambda text: read_plan(text, START),
    "is_plan": is_plan,
    "read_given": lambda text: read_given(text, Puzzle.standard(START)),
}
OF_BOARDS = [
    "1 ", "1/", "1\n", "1,", "|", "[", "[1],", "[[1,2],", "1.2-3.0 ", "1 2 3 0\n", "_", "\t",
]  # fmt: skip
OF_MOVES = [
    "\t", "U", "DU", "D1U1", "6 9 ", "8,", "Up, ", "2U ", "6R-", "[", "(", "(move t8 p8 p9) ",
    "a(", "1:", ";", "t-", "move_", "tile: ",
]  # fmt: skip
OF_OUTPUT = [
    "path: UD\n", "expanded: 1\n", "a ", "1.2.3-4.5.6-7.8.0\n", "1 2 3\n4 5 6\n7 8 0\n\n",
    '{"a":',
]  # fmt: skip


@pytest.mark.parametrize("name", READERS)
def test_every_reader_takes_time_in_proportion(name, monkeypatch):
    monkeypatch.setattr(notation, "MAX_TEXT", 10**6)

    def read(text):
        with suppress(PuzzleError):
            READERS[name](text)

    of_moves = name not in {"parse_board", "parse_puzzle", "parse_size"}
    units = [*OF_MOVES, *(OF_OUTPUT if name == "read_given" else [])] if of_moves else OF_BOARDS
    for unit in units:
        for end in "", "!":
            why = grows_too_fast(read, lambda length: unit * (length // len(unit)) + end)  # noqa: B023
            assert not why, f"{unit!r} and {end!r}: {why}"
