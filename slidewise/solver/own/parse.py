"""Parser of expressions: from text to a tree of nodes.

No text is executed by Python.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from slidewise.puzzle import PuzzleError
from slidewise.puzzle.board import quoted
from slidewise.solver.registry import heuristics
from slidewise.text import message

BOUND = 10**9
"""Maximum absolute value of intermediate results, whose products fit into 64 bits."""

HIGHEST = 255
"""Maximum of the result, clamped to 0..255 so that tables have bytes."""

FEATURES = {
    "manhattan_with_blank": message(
        "Manhattan distance, with the blank counted as if it were a tile"
    ),
    "manhattan_without_last": message(
        "Manhattan distance of all tiles but the one with the highest number"
    ),
    "manhattan_wrong_goal": message(
        "Manhattan distance to another goal: the blank first in place of last, or else 1, 2, 3 ... "
        "with the blank last"
    ),
    "misplaced_with_blank": message("misplaced tiles, and 1 more where the blank is not at home"),
    "conflict_pairs": message(
        "2 for each pair of tiles in reversed order in a line where both belong"
    ),
    "out_of_row": message("tiles that are not in their row"),
    "out_of_column": message("tiles that are not in their column"),
    "max_distance": message("the Manhattan distance of the tile that is farthest from home"),
    "inversions": message(
        "pairs of tiles that stand, row by row, in the other order than in the goal"
    ),
    "gaschnig": message("swaps of the blank with any tile, near or far, that lead to the goal"),
    "sequence_score": message(
        "going clockwise around the edge of the board: 2 for each tile that is not followed by "
        "what follows it in the goal; and 1 for each misplaced tile inside"
    ),
}
"""Names of features, which `slidewise.solver.own.evaluate` computes, with descriptions."""


@dataclass(frozen=True)
class Number:
    """An integer."""

    value: int
    level = 5

    def __str__(self) -> str:
        """Return the digits."""
        return str(self.value)


@dataclass(frozen=True)
class Name:
    """A heuristic of the registry, or a feature."""

    name: str
    level = 5

    def __str__(self) -> str:
        """Return the name."""
        return self.name


@dataclass(frozen=True)
class Negated:
    """A value with a minus sign before it."""

    part: Node
    level = 4

    def __str__(self) -> str:
        """Return its canonical text."""
        return f"-{_within(self.part, self.level)}"


@dataclass(frozen=True)
class Operation:
    """A binary operation."""

    sign: str
    left: Node
    right: Node

    @property
    def level(self) -> int:
        """Precedence of the sign."""
        return LEVELS[self.sign]

    def __str__(self) -> str:
        """Return its canonical text with the necessary brackets."""
        # Comparisons do not chain, so an inner comparison needs brackets on both sides.
        compares = self.level == COMPARES
        left = _within(self.left, self.level + compares)
        return f"{left} {self.sign} {_within(self.right, self.level + 1)}"


@dataclass(frozen=True)
class Call:
    """`max`, `min` or `abs` of some values."""

    function: str
    parts: tuple[Node, ...]
    level = 5

    def __str__(self) -> str:
        """Return its canonical text."""
        return f"{self.function}({', '.join(map(str, self.parts))})"


Node = Number | Name | Negated | Operation | Call

COMPARES = 1
LEVELS = {
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), COMPARES),
    **dict.fromkeys(("+", "-"), 2),
    **dict.fromkeys(("*", "//", "%"), 3),
}
"""Precedence of each sign."""


def _within(node: Node, level: int) -> str:
    """Return a node's text, in brackets if its precedence is below `level`."""
    return str(node) if node.level >= level else f"({node})"


@functools.cache
def names() -> dict[str, str]:
    """Return all names with their descriptions, the heuristics first.

    A heuristic's name is its key with underscores.

    >>> names()["linear_conflict"]
    'the heuristic Linear conflict'
    """
    of_registry = {
        _name(key): message("the heuristic %(title)s", title=entry.title)
        for key, entry in heuristics().items()
        if entry.fits(3, 3)
    }
    return {**of_registry, **FEATURES}


def registered(name: str) -> str | None:
    """Return the key of the heuristic with a name in an expression, or None.

    >>> registered("linear_conflict"), registered("inversions")
    ('linear-conflict', None)
    """
    return next((key for key in heuristics() if _name(key) == name), None)


def _name(key: str) -> str:
    return key.replace("-", "_")


def names_in(tree: Node) -> list[str]:
    """Return the distinct names in an expression in order of appearance.

    >>> from slidewise.solver.own.parse import parse
    >>> names_in(parse("manhattan + misplaced - manhattan % 2"))
    ['manhattan', 'misplaced']
    """
    return list(dict.fromkeys(_names_in(tree)))


def _names_in(tree: Node) -> Iterator[str]:
    if isinstance(tree, Name):
        yield tree.name
    elif isinstance(tree, Negated):
        yield from _names_in(tree.part)
    elif isinstance(tree, Operation):
        yield from _names_in(tree.left)
        yield from _names_in(tree.right)
    elif isinstance(tree, Call):
        for part in tree.parts:
            yield from _names_in(part)


def with_values(tree: Node, values: Mapping[str, int]) -> Node:
    """Return an expression with numbers in place of the names.

    >>> from slidewise.solver.own.parse import parse
    >>> str(with_values(parse("max(manhattan, 2 * misplaced)"), {"manhattan": 18, "misplaced": 8}))
    'max(18, 2 * 8)'
    """
    if isinstance(tree, Name):
        return Number(values[tree.name])
    if isinstance(tree, Negated):
        return Negated(with_values(tree.part, values))
    if isinstance(tree, Operation):
        return Operation(tree.sign, with_values(tree.left, values), with_values(tree.right, values))
    if isinstance(tree, Call):
        return Call(tree.function, tuple(with_values(part, values) for part in tree.parts))
    return tree


EXPRESSION_CHARACTERS, TYPED_CHARACTERS = 200, 300
"""Maximum characters of an expression in canonical form, and of its source text."""

NESTING_LEVELS = 20
"""Maximum nesting of brackets, calls and minus signs, far below Python's recursion limit."""

HIGHEST_NUMBER = 999_999
"""Maximum literal number. The values of a board are all below 1,000."""

FUNCTIONS = {
    "max": (2, message("two values or more")),
    "min": (2, message("two values or more")),
    "abs": (1, message("one")),
}
"""Minimum number of arguments of each function, and its arity in words."""


class ExpressionError(PuzzleError):
    """Invalid expression. The message names the position and the expected token."""


@functools.lru_cache(maxsize=256)
def parse(text: str) -> Node:
    """Parse an expression into a tree, whose `str` is the canonical form.

    >>> str(parse("max( Manhattan,2*(misplaced) )"))
    'max(manhattan, 2 * misplaced)'

    Raises `ExpressionError`.
    """
    if len(text) > TYPED_CHARACTERS:
        raise ExpressionError(
            message(
                "an expression can have up to %(most)s characters; this one has %(count)s",
                most=EXPRESSION_CHARACTERS,
                count=len(text),
            )
        )
    tree = _Parser(text).whole()
    if len(str(tree)) > EXPRESSION_CHARACTERS:
        raise ExpressionError(
            message(
                "an expression can have up to %(most)s characters, with a space on each side of a "
                "sign; this one has %(count)s",
                most=EXPRESSION_CHARACTERS,
                count=len(str(tree)),
            )
        )
    return tree


class _Token(NamedTuple):
    kind: str
    text: str
    place: int


_TOKENS = re.compile(
    r"(?P<number>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<sign>//|<=|>=|==|!=|[-+*%(),<>])|(?P<space>\s+)|(?P<other>.)",
    re.DOTALL,
)
_TYPESET = str.maketrans("−×", "-*")
"""Printed signs and their typed equivalents."""

_HINTS = {
    "/": message("only whole numbers are allowed: write // to divide and round down"),
    ".": message("only whole numbers are allowed"),
    "=": message("write == to compare"),
}


class _Parser:
    """Recursive descent parser with a lookahead of one token."""

    def __init__(self, text: str) -> None:
        self._tokens = [
            _Token(match.lastgroup or "", match[0].lower(), match.start() + 1)
            for match in _TOKENS.finditer(text.translate(_TYPESET))
            if match.lastgroup != "space"
        ]
        self._tokens.append(_Token("end", "", len(text) + 1))
        self._next = 0
        self._depth = 0

    def whole(self) -> Node:
        tree = self._comparison()
        if self._token.kind != "end":
            self._expected(message("a sign such as + or the end"))
        return tree

    @property
    def _token(self) -> _Token:
        return self._tokens[self._next]

    def _take(self, *signs: str) -> str | None:
        """Consume and return the next token if it is in `signs`."""
        token = self._token
        if token.kind != "sign" or token.text not in signs:
            return None
        self._next += 1
        return token.text

    def _comparison(self) -> Node:
        left = self._sum()
        sign = self._take(*(sign for sign, level in LEVELS.items() if level == COMPARES))
        return Operation(sign, left, self._sum()) if sign else left

    def _sum(self) -> Node:
        tree = self._product()
        while sign := self._take("+", "-"):
            tree = Operation(sign, tree, self._product())
        return tree

    def _product(self) -> Node:
        tree = self._value()
        while sign := self._take("*", "//", "%"):
            place = self._token
            right = self._value()
            # Only a literal divisor, so that no board can divide by zero.
            if sign != "*" and not (isinstance(right, Number) and right.value):
                self._expected(message("a number above 0 after %(sign)s", sign=sign), place)
            tree = Operation(sign, tree, right)
        return tree

    def _value(self) -> Node:
        token = self._token
        self._depth += 1
        if self._depth > NESTING_LEVELS:
            self._fail(
                message("brackets can be nested up to %(most)s levels deep", most=NESTING_LEVELS),
                token,
            )
        if self._take("-"):
            tree: Node = Negated(self._value())
        elif self._take("("):
            tree = self._comparison()
            self._close()
        elif token.kind == "number":
            tree = self._number(token)
        elif token.kind == "name":
            tree = self._named(token)
        else:
            self._expected(message("a name such as manhattan, a number or a bracket"))
        self._depth -= 1
        return tree

    def _number(self, token: _Token) -> Number:
        self._next += 1
        if len(token.text.lstrip("0")) > len(str(HIGHEST_NUMBER)):
            self._fail(message("numbers go up to %(most)s", most=HIGHEST_NUMBER), token)
        return Number(int(token.text))

    def _named(self, token: _Token) -> Node:
        self._next += 1
        if token.text in FUNCTIONS:
            return self._call(token)
        if token.text not in names():
            near = difflib.get_close_matches(token.text, [*names(), *FUNCTIONS], n=1, cutoff=0.5)
            name = quoted(token.text, 30)
            self._fail(
                message(
                    "there is no name %(name)s; did you mean %(near)s?", name=name, near=near[0]
                )
                if near
                else message(
                    "there is no name %(name)s; the names are %(names)s",
                    name=name,
                    names=", ".join(names()),
                ),
                token,
            )
        return Name(token.text)

    def _call(self, token: _Token) -> Call:
        if not self._take("("):
            self._expected(message("a bracket ( after %(name)s", name=token.text))
        parts = [self._comparison()]
        while self._take(","):
            parts.append(self._comparison())
        self._close()
        least, words = FUNCTIONS[token.text]
        if len(parts) < least or (least == 1 and len(parts) > 1):
            fault = message(
                "%(name)s takes %(values)s, but here it has %(count)s",
                name=token.text,
                values=words,
                count=len(parts),
            )
            self._fail(fault, token)
        return Call(token.text, tuple(parts))

    def _close(self) -> None:
        if not self._take(")"):
            self._expected(message("a sign such as +, or the closing bracket )"))

    def _expected(self, what: str, token: _Token | None = None) -> NoReturn:
        token = token or self._token
        fault = message("expected %(what)s at the end", what=what)
        if token.kind != "end":
            found = quoted(token.text, 20)
            fault = message("expected %(what)s at %(found)s", what=what, found=found)
        if hint := _HINTS.get(token.text):
            fault = message("%(fault)s; %(hint)s", fault=fault, hint=hint)
        self._fail(fault, token)

    def _fail(self, what: str, token: _Token) -> NoReturn:
        if token.kind != "end":
            what = message("%(fault)s (character %(place)s)", fault=what, place=token.place)
        raise ExpressionError(what)
