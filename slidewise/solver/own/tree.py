"""Expressions for heuristics of one's own, as trees: `max(manhattan, 2 * misplaced)`.

Whole numbers; the names of `names()`, whose values are those of the board that is looked at;
`+ - *`, `//` and `%` with a number above 0 on the right; `< <= > >= == !=`, which are 1 or 0;
`max`, `min` and `abs`; brackets. Every value on the way is held within a thousand million, below
and above 0, and the value of the whole within 0 to 255, so that no expression can fail.

`slidewise.solver.own.parse` reads them, and `slidewise.solver.own.evaluate` works them out.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidewise.solver.registry import heuristics

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MARK = "="
"""What the key of a heuristic of one's own begins with."""

BOUND = 10**9
"""Values on the way are held within this, below and above 0."""

HIGHEST = 255
"""The value of the whole is held within 0 and this."""

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
`slidewise.solver.own.features` works them out."""


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
        return LEVELS[self.sign]

    def __str__(self) -> str:
        """Return it as it is read again, with the brackets that it needs."""
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
        """Return it as it is read again."""
        return f"{self.function}({', '.join(map(str, self.parts))})"


Node = Number | Name | Negated | Operation | Call

COMPARES = 1
LEVELS = {
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), COMPARES),
    **dict.fromkeys(("+", "-"), 2),
    **dict.fromkeys(("*", "//", "%"), 3),
}
"""How tightly each sign binds."""


def _within(node: Node, level: int) -> str:
    """Return a node in brackets where it binds less tightly than `level`."""
    return str(node) if node.level >= level else f"({node})"


def is_own(key: str) -> bool:
    """Return whether `key` names a heuristic of one's own rather than one of the registry."""
    return key.startswith(MARK)


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


def registered(name: str) -> str | None:
    """Return the key of the heuristic that a name in an expression stands for, if it does.

    >>> registered("linear_conflict"), registered("inversions")
    ('linear-conflict', None)
    """
    return next((key for key in heuristics() if _name(key) == name), None)


def _name(key: str) -> str:
    return key.replace("-", "_")


def names_in(tree: Node) -> list[str]:
    """Return the names in an expression, each once, as they come.

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
