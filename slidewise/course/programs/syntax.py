"""The syntax tree of a program: its boards, its script, and the names that it binds."""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from slidewise.course.programs import hooks
from slidewise.course.programs.boards import board_of, form_of
from slidewise.course.programs.calls import SCRIPT, Literal


def literals(tree: ast.Module) -> Iterator[Literal]:
    """Yield the boards of a tree: first variables of functions, classes and the script.

    Then all boards follow, without names.
    """
    defining = (ast.FunctionDef, ast.ClassDef)
    scopes: list[tuple[str, ast.AST]] = [
        (one.name, one) for one in tree.body if isinstance(one, defining)
    ]
    scopes.append((SCRIPT, _script(tree)))
    for scope, node in scopes:
        for one in ast.walk(node):
            if isinstance(one, ast.Assign) and (name := _last_name(one.targets[0])):
                yield from _literal(one.value, name, scope)
            elif isinstance(one, ast.arguments) and one.defaults:
                named = zip(one.args[-len(one.defaults) :], one.defaults, strict=False)
                for parameter, value in named:
                    yield from _literal(value, parameter.arg, scope)
    for one in ast.walk(tree):
        yield from _literal(one)


_EXAMPLE: Final = re.compile(
    r"""(['"])[^'"\n]{4,40}\1|[(\[][^\n]{7,60}[)\]]|(?<![\w.])\d{9}(?![\w.])"""
)
"""A board as Python writes it."""


def examples(code: str, tree: ast.Module) -> Iterator[Literal]:
    """Yield the boards in the comments and docstrings of a program.

    >>> code = "def bfs(start): ...  # from '123/456/7_8' to '123/456/78_'"
    >>> [one.form.text for one in examples(code, ast.parse(code))]
    ['@@@/@@@/@@@', '@@@/@@@/@@@']
    """
    constants = (one.value for one in ast.walk(tree) if isinstance(one, ast.Constant))
    texts = [*re.findall("#(.*)", code), *(one for one in constants if isinstance(one, str))]
    for found in _EXAMPLE.finditer("\n".join(texts)):
        with suppress(SyntaxError, ValueError):
            yield from _literal(ast.parse(found[0], mode="eval").body)


def _last_name(node: ast.AST) -> str:
    """Return the name of a variable or an attribute, "" for other expressions."""
    return getattr(node, "id", "") or getattr(node, "attr", "")


def _literal(node: ast.AST, name: str = "", scope: str = "") -> Iterator[Literal]:
    value = hooks.literal_board(node)
    with suppress(ValueError, TypeError):  # for parts that are not cells
        if value is not None and (form := form_of(value)):
            yield Literal(board_of(value) or (), form, name, scope)


def _script(tree: ast.Module) -> ast.Module:
    """Return the statements of a tree other than definitions."""
    defining = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return ast.Module([one for one in tree.body if not isinstance(one, defining)], [])


def acts(tree: ast.Module) -> bool:
    """Return whether a file has loops, conditions or calls outside its definitions."""
    # The first statement may be the docstring, which is an expression.
    return any(isinstance(one, (ast.While, ast.For, ast.If, ast.Expr)) for one in tree.body[1:])


def reads_input(tree: ast.Module) -> bool:
    """Return whether a program calls `input()` or reads the standard input."""
    return bool({"input", "stdin"} & set(map(_last_name, ast.walk(tree))))


def bound_names(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement binds.

    >>> [*bound_names(ast.parse("import os.path, heapq as queue").body[0])]
    ['os', 'queue']
    """
    defining = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    if isinstance(node, defining):
        yield node.name
        return
    for one in ast.walk(node):
        if isinstance(one, ast.alias):
            yield (one.asname or one.name).partition(".")[0]
        elif isinstance(one, defining):
            yield one.name
        elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            yield one.id
