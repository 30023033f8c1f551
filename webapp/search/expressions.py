"""Heuristics of one's own: a small language for them, such as `max(manhattan, 2 * misplaced)`.

Whole numbers; the names of `names()`, whose values are those of the board that is looked at;
`+ - *`, `//` and `%` with a number above 0 on the right; `< <= > >= == !=`, which are 1 or 0;
`max`, `min` and `abs`; brackets. Every value on the way is held within a thousand million, below
and above 0, and the value of the whole within 0 to 255, so that no expression can fail.

Nothing is handed to Python to run: the text becomes a tree of the nodes below, and those only.
"""

from __future__ import annotations

import difflib
import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from webapp.puzzle import PuzzleError
from webapp.puzzle.errors import quoted
from webapp.search import kernels
from webapp.search.events import Preparing
from webapp.search.exact import MOST_CELLS
from webapp.search.registry import Heuristic, heuristics

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webapp.puzzle import Board, Puzzle
    from webapp.search.estimates import Estimate

MARK = "="
"""What the key of a heuristic of one's own begins with."""

LONGEST, MOST_TYPED = 200, 300
"""The most characters of an expression, once it is written with one blank around each sign, and
of the text that it is read from."""

DEEPEST = 20
"""So many brackets, calls and minus signs may stand within each other."""

HIGHEST_NUMBER = 999_999
BOUND = 10**9
"""Values on the way are held within this, below and above 0."""

HIGHEST = 255
"""The value of the whole is held within 0 and this."""

FUNCTIONS = {"max": (2, "two values or more"), "min": (2, "two values or more"), "abs": (1, "one")}
"""The fewest values that a function takes, and how many it takes in words."""

FEATURES = {
    "manhattan_with_blank": "Manhattan distance, with the blank counted as if it were a tile",
    "manhattan_without_last": "Manhattan distance of all tiles but the one with the highest number",
    "manhattan_wrong_goal": "Manhattan distance to another goal: the blank first in place of last, "
    "or else 1, 2, 3 ... with the blank last",
    "misplaced_with_blank": "misplaced tiles, and 1 more where the blank is not at home",
    "conflict_pairs": "2 for each pair of tiles in reversed order in a line where both belong",
    "out_of_row": "tiles that are not in their row",
    "out_of_column": "tiles that are not in their column",
    "euclidean": "sum of the tiles' straight-line distances from home, in cells, rounded down",
    "max_distance": "the Manhattan distance of the tile that is farthest from home",
    "inversions": "pairs of tiles that stand, row by row, in the other order than in the goal",
    "gaschnig": "swaps of the blank with any tile, near or far, that lead to the goal",
    "sequence_score": "going clockwise around the edge of the board: 2 for each tile that is not "
    "followed by what follows it in the goal; and 1 for each misplaced tile inside",
}
"""The names there are beside the heuristics of the registry, and what each counts on a board;
`webapp.search.features` works them out."""


class ExpressionError(PuzzleError):
    """An expression that cannot be read; the message says where, and what is expected there."""


@dataclass(frozen=True)
class Number:
    """A whole number."""

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
        """Return it as it is read again."""
        return f"-{_within(self.part, self.level)}"


@dataclass(frozen=True)
class Operation:
    """Two values with a sign between."""

    sign: str
    left: Node
    right: Node

    @property
    def level(self) -> int:
        """Return how tightly the sign binds."""
        return _LEVELS[self.sign]

    def __str__(self) -> str:
        """Return it as it is read again, with the brackets that it needs."""
        compares = self.level == _COMPARES
        left = _within(self.left, self.level + compares)
        return f"{left} {self.sign} {_within(self.right, self.level + 1)}"


@dataclass(frozen=True)
class Call:
    """`max`, `min` or `abs` of some values."""

    function: str
    parts: tuple[Node, ...]
    level = 5

    def __str__(self) -> str:
        """Return it as it is read again."""
        return f"{self.function}({', '.join(map(str, self.parts))})"


Node = Number | Name | Negated | Operation | Call

_COMPARES = 1
_LEVELS = {
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), _COMPARES),
    **dict.fromkeys(("+", "-"), 2),
    **dict.fromkeys(("*", "//", "%"), 3),
}


def _within(node: Node, level: int) -> str:
    """Return a node in brackets where it binds less tightly than `level`."""
    return str(node) if node.level >= level else f"({node})"


@functools.cache
def names() -> dict[str, str]:
    """Return all names with what they are worth on a board, the heuristics first.

    A heuristic's name is its key with underscores.

    >>> names()["linear_conflict"]
    'the heuristic Linear conflict'
    """
    of_registry = {
        _name(key): f"the heuristic {entry.title}"
        for key, entry in heuristics().items()
        if entry.fits(3, 3)
    }
    return {**of_registry, **FEATURES}


def parse(text: str) -> Node:
    """Return the tree of an expression; its `str` is the expression in its canonical form.

    >>> str(parse("max( Manhattan,2*(misplaced) )"))
    'max(manhattan, 2 * misplaced)'

    Raises `ExpressionError`.
    """
    if len(text) > MOST_TYPED:
        raise ExpressionError(f"an expression has up to {LONGEST} characters, this {len(text):,}")
    tree = _Parser(text).whole()
    if len(str(tree)) > LONGEST:
        raise ExpressionError(
            f"an expression has up to {LONGEST} characters, with a blank on each side of a sign; "
            f"this has {len(str(tree))}"
        )
    return tree


def names_in(tree: Node) -> list[str]:
    """Return the names in an expression, each once, as they come.

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


def is_own(key: str) -> bool:
    """Return whether `key` names a heuristic of one's own rather than one of the registry."""
    return key.startswith(MARK)


@functools.lru_cache(maxsize=256)
def own_heuristic(key: str) -> Heuristic:
    """Return the heuristic that `key` writes: an expression after `=`.

    It claims nothing; `Heuristic.for_goal` looks at all boards and knows more.

    >>> own_heuristic("= max(manhattan,misplaced)").key
    '=max(manhattan, misplaced)'

    Raises `ExpressionError`.
    """
    text = str(parse(key.removeprefix(MARK)))
    return Heuristic(
        key=MARK + text,
        title=MARK + text,
        idea="An expression of one's own, worked out beforehand for all boards of the size.",
        admissible=False,
        consistent=False,
        source="typed in",
        build=functools.partial(_build, text),
        fits=can_tabulate,
        prepare=functools.partial(_prepare, text),
        unfit=f"is worked out for all boards of a size beforehand, up to {MOST_CELLS} cells, not",
        facts=functools.partial(_facts, text),
    )


def can_tabulate(rows: int, cols: int) -> bool:
    """Return whether all boards of this size can be gone through.

    >>> can_tabulate(2, 5), can_tabulate(3, 4)
    (True, False)
    """
    return rows * cols <= MOST_CELLS


def registered(name: str) -> str | None:
    """Return the key of the heuristic that a name in an expression stands for, if it does.

    >>> registered("linear_conflict"), registered("inversions")
    ('linear-conflict', None)
    """
    return next((key for key in heuristics() if _name(key) == name), None)


def _name(key: str) -> str:
    return key.replace("-", "_")


def _prepare(text: str, puzzle: Puzzle) -> Iterator[Preparing]:
    """Load the kernel, make the tables of the heuristics that are named, and the own one."""
    yield from kernels.prepare("exact")
    for name in names_in(parse(text)):
        key = registered(name)
        if key:
            yield from heuristics()[key].prepare(puzzle)
    what = "working the heuristic out for all boards"
    yield Preparing(what, 0, 1)
    _build(text, puzzle.goal)
    yield Preparing(what, 1, 1)


@functools.lru_cache(maxsize=8)
def _build(text: str, goal: Board) -> Estimate:
    """Return the estimate of an expression: a pattern database of all tiles, of its values."""
    # Here and not above, as they load numpy and the compiled kernels.
    from webapp.search.estimates import Estimate
    from webapp.search.features import tabulate
    from webapp.search.patterns.database import of_values

    return Estimate(len(goal.cells), (), of_values(goal, tabulate(text, goal)))


def _facts(text: str, goal: Board) -> tuple[bool, bool]:
    from webapp.search.checks import check

    checked = check(MARK + text, goal)
    return checked.admissible, checked.consistent


class _Token(NamedTuple):
    kind: str
    text: str
    place: int


_TOKENS = re.compile(
    r"(?P<number>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<sign>//|<=|>=|==|!=|[-+*%(),<>])|(?P<space>\s+)|(?P<other>.)",
    re.DOTALL,
)
_HINTS = {
    "/": "there are whole numbers only: write // to divide, rounded down",
    ".": "there are whole numbers only",
    "=": "write == to compare",
}


class _Parser:
    """Reads an expression from left to right, one token ahead: a function for each level."""

    def __init__(self, text: str) -> None:
        self._tokens = [
            _Token(match.lastgroup or "", match[0].lower(), match.start() + 1)
            for match in _TOKENS.finditer(text)
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
        sign = self._take(*(sign for sign, level in _LEVELS.items() if level == _COMPARES))
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
        if self._depth > DEEPEST:
            self._fail(f"there are more than {DEEPEST} levels of brackets", token)
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
            self._fail(f"{token.text} takes {words}, this has {len(parts)}", token)
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
