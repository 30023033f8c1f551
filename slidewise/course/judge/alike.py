"""Programs that are alike: the same after names, comments, types and layout are removed.

Code that every student was given is left out. Being alike is a reason to ask, not proof: short
functions have few forms.
"""

import ast
import builtins
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import count
from typing import Final, NamedTuple

from slidewise.course.judge.exercise import exercises
from slidewise.course.judge.sources import parsed_code

LEAST_NODES: Final = 60
"""Syntax nodes that a program needs to be compared; a shorter function has few forms."""


_BUILTINS: Final = frozenset(dir(builtins))


class ComparedProgram(NamedTuple):
    """The code of a file, and the keys of its exercises."""

    code: str
    exercises: tuple[str, ...] = ()


def groups_of_alike(programs: Sequence[ComparedProgram]) -> list[list[int]]:
    """Return groups of programs that are alike, as indices.

    >>> one = exercises()["bfs"].solution
    >>> other = "# mine\\n" + one.replace("queue", "frontier").replace("    ", "  ")
    >>> groups_of_alike(
    ...     [ComparedProgram(one), ComparedProgram("def f(): pass"), ComparedProgram(other)]
    ... )
    [[0, 2]]
    """
    groups = defaultdict(list)
    for index, program in enumerate(programs):
        given = frozenset[str]().union(*map(_given, program.exercises))
        if own := _own_forms(program.code, given):
            groups[own].append(index)
    return [group for group in groups.values() if len(group) > 1]


def _own_forms(code: str, given: Collection[str]) -> tuple[str, ...]:
    """Return the forms of the functions and classes in sorted order, () if they are too short."""
    own = {form: nodes for form, nodes in _forms(code) if form not in given}
    return tuple(sorted(own)) if sum(own.values()) >= LEAST_NODES else ()


@cache
def _given(key: str) -> frozenset[str]:
    """Return the forms in the starter of an exercise and of the functions that it gives.

    A teacher's own exercise has none.
    """
    exercise = exercises().get(key)
    if not exercise:
        return frozenset()
    uses = (exercises()[name] for name in exercise.uses if name in exercises())
    codes = [exercise.starter, *(one.solution for one in uses)]
    return frozenset(form for code in codes for form, _ in _forms(code))


def _forms(code: str) -> Iterator[tuple[str, int]]:
    """Yield the form of each function and class, and its number of nodes."""
    tree = parsed_code(code)
    if not isinstance(tree, ast.Module):
        return
    try:
        plain = _Plain(tree)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                yield plain.form(node), sum(1 for _ in ast.walk(node))
    except RecursionError:  # nested too deeply to compare
        return


class _Plain(ast.NodeTransformer):
    """Removes docstrings and types, and numbers the program's own names by first use."""

    def __init__(self, tree: ast.Module) -> None:
        self.imported = {
            one.asname or one.name: f"{getattr(node, 'module', None) or ''}.{one.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for one in node.names
        }
        self.own = set(_bound_names(tree)) - self.imported.keys()
        self.numbers: dict[str, str] = {}

    def form(self, node: ast.stmt) -> str:
        """Return a function or class as text, with its names numbered from 0."""
        number = count()
        self.numbers = defaultdict(lambda: f"#{next(number)}")
        return ast.dump(self.visit(node), annotate_fields=False)

    def _plain(self, name: str, *, is_free: bool = False) -> str:
        """Return the number of an own name, or of the free name of a function that is given."""
        if name in self.imported:
            return self.imported[name]
        return self.numbers[name] if is_free or name in self.own else name

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Number the names of a node, then visit its children."""
        for field in ("name", "id", "arg", "attr"):
            if isinstance(name := getattr(node, field, None), str):
                is_free = field == "id" and name not in _BUILTINS
                setattr(node, field, self._plain(name, is_free=is_free))
        for field in ("annotation", "returns"):
            if hasattr(node, field):
                setattr(node, field, None)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        return super().generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        """Read `x: int = 1` as `x = 1`, and leave a declaration out."""
        return self.visit(ast.Assign([node.target], node.value)) if node.value else None

    def visit_Nonlocal(self, node: ast.Nonlocal | ast.Global) -> ast.AST:
        """Number the names that a function shares."""
        node.names = [self._plain(name) for name in node.names]
        return node

    visit_Global = visit_Nonlocal  # noqa: N815  # `ast` calls it by this name


def _bound_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names and attributes that a program defines; they can be any."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                if not name.startswith("__"):
                    yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.ExceptHandler(name=str(name)):
                yield name
