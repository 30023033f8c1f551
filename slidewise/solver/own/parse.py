"""Reading expressions: from text to a tree of the nodes of `slidewise.solver.own.tree`.

Nothing is handed to Python to run.
"""

from __future__ import annotations

import difflib
import functools
import re
from typing import NamedTuple, NoReturn

from slidewise.puzzle import PuzzleError
from slidewise.puzzle.board import quoted
from slidewise.solver.own.tree import (
    COMPARES,
    LEVELS,
    Call,
    Name,
    Negated,
    Node,
    Number,
    Operation,
    names,
)

EXPRESSION_CHARACTERS, TYPED_CHARACTERS = 200, 300
"""The most characters of an expression, once it is written with one blank around each sign, and
of the text that it is read from."""

NESTING_LEVELS = 20
"""The most brackets, calls and minus signs within each other: far below Python's own limit."""

HIGHEST_NUMBER = 999_999
"""The highest number that can be typed; the values of a board are all below 1,000."""

FUNCTIONS = {"max": (2, "two values or more"), "min": (2, "two values or more"), "abs": (1, "one")}
"""The fewest values that a function takes, and how many it takes in words."""


class ExpressionError(PuzzleError):
    """An expression that cannot be read; the message says where, and what is expected there."""


@functools.lru_cache(maxsize=256)
def parse(text: str) -> Node:
    """Return the tree of an expression; its `str` is the expression in its canonical form.

    >>> str(parse("max( Manhattan,2*(misplaced) )"))
    'max(manhattan, 2 * misplaced)'

    Raises `ExpressionError`.
    """
    if len(text) > TYPED_CHARACTERS:
        raise ExpressionError(
            f"an expression can have up to {EXPRESSION_CHARACTERS} characters; this one has "
            f"{len(text):,}"
        )
    tree = _Parser(text).whole()
    if len(str(tree)) > EXPRESSION_CHARACTERS:
        raise ExpressionError(
            f"an expression can have up to {EXPRESSION_CHARACTERS} characters, with a space on "
            "each "
            f"side of a sign; this one has {len(str(tree))}"
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
"""Signs as they are printed, and as they are typed."""

_HINTS = {
    "/": "only whole numbers are allowed: write // to divide and round down",
    ".": "only whole numbers are allowed",
    "=": "write == to compare",
}


class _Parser:
    """Reads an expression from left to right, one token ahead: a function for each level."""

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
            self._expected("a sign such as + or the end")
        return tree

    @property
    def _token(self) -> _Token:
        return self._tokens[self._next]

    def _take(self, *signs: str) -> str | None:
        """Go past the next token and return it if it is one of `signs`."""
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
            if sign != "*" and not (isinstance(right, Number) and right.value):
                self._expected(f"a number above 0 after {sign}", place)
            tree = Operation(sign, tree, right)
        return tree

    def _value(self) -> Node:
        token = self._token
        self._depth += 1
        if self._depth > NESTING_LEVELS:
            self._fail(f"brackets can be nested up to {NESTING_LEVELS} levels deep", token)
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
            self._expected("a name such as manhattan, a number or a bracket")
        self._depth -= 1
        return tree

    def _number(self, token: _Token) -> Number:
        self._next += 1
        if len(token.text.lstrip("0")) > len(str(HIGHEST_NUMBER)):
            self._fail(f"numbers go up to {HIGHEST_NUMBER:,}", token)
        return Number(int(token.text))

    def _named(self, token: _Token) -> Node:
        self._next += 1
        if token.text in FUNCTIONS:
            return self._call(token)
        if token.text not in names():
            near = difflib.get_close_matches(token.text, [*names(), *FUNCTIONS], n=1, cutoff=0.5)
            meant = f"did you mean {near[0]}?" if near else f"the names are {', '.join(names())}"
            self._fail(f"there is no name {quoted(token.text, 30)}; {meant}", token)
        return Name(token.text)

    def _call(self, token: _Token) -> Call:
        if not self._take("("):
            self._expected(f"a bracket ( after {token.text}")
        parts = [self._comparison()]
        while self._take(","):
            parts.append(self._comparison())
        self._close()
        least, words = FUNCTIONS[token.text]
        if len(parts) < least or (least == 1 and len(parts) > 1):
            self._fail(f"{token.text} takes {words}, but here it has {len(parts)}", token)
        return Call(token.text, tuple(parts))

    def _close(self) -> None:
        if not self._take(")"):
            self._expected("a sign such as +, or the closing bracket )")

    def _expected(self, what: str, token: _Token | None = None) -> NoReturn:
        token = token or self._token
        found = "at the end" if token.kind == "end" else f"at {quoted(token.text, 20)}"
        hint = _HINTS.get(token.text)
        self._fail(f"expected {what} {found}" + (f"; {hint}" if hint else ""), token)

    def _fail(self, what: str, token: _Token) -> NoReturn:
        raise ExpressionError(what if token.kind == "end" else f"{what} (character {token.place})")
