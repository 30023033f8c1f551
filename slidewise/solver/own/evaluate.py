"""What an expression is worth, worked out for all boards of a size at once, or for one of them.

Importing this module loads numpy.
"""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING

import numpy as np

from slidewise.solver.own.features import value_of_name
from slidewise.solver.own.tree import BOUND, HIGHEST, Call, Name, Negated, Number, names_in
from slidewise.solver.tables.blocks import Block, Uint8s, Whole, blocks
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.tables.order import UNREACHABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from slidewise.puzzle import Board
    from slidewise.solver.own.tree import Node


@functools.lru_cache(maxsize=4)
def tabulate(tree: Node, goal: Board) -> Uint8s:
    """Return the value of an expression for each board at its number in an `ExactTable`.

    It is held within 0 and 255; boards that cannot reach the goal have 255. 10 cells take some
    seconds and 60 MB.

    >>> from slidewise import parse_board
    >>> from slidewise.solver.own.parse import parse
    >>> goal = parse_board("1.2.3-4.5.0")
    >>> int(
    ...     tabulate(parse("misplaced"), goal)[exact_table(goal).number(parse_board("1.2.3-4.0.5"))]
    ... )
    1

    Raises `TooManyCellsError` above 10 cells.
    """
    values = np.full_like(exact_table(goal).values, UNREACHABLE)
    for block in blocks(goal):
        values[block.numbers] = np.clip(_Values(block).of(tree), 0, HIGHEST)
    values.flags.writeable = False
    return values


def value_on(tree: Node, board: Board, goal: Board) -> tuple[int, dict[str, int]]:
    """Return the value of an expression on one board, before it is held within 0 and 255, and that
    of each name in it.

    >>> from slidewise import parse_board
    >>> from slidewise.solver.own.parse import parse
    >>> board, goal = parse_board("1.2.3-0.4.5"), parse_board("1.2.3-4.5.0")
    >>> value_on(parse("manhattan + 2 * misplaced"), board, goal)
    (6, {'manhattan': 2, 'misplaced': 2})

    Raises as `tabulate` does.
    """
    values = _Values(Block(goal, board.blank, exact_table(goal).number(board)))
    parts = {name: int(values.named(name)[0]) for name in names_in(tree)}
    return int(values.of(tree)[0]), parts


class _Values:
    """What expressions are worth on the boards of a block; each name is worked out once."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._known: dict[str, Whole] = {}

    def of(self, tree: Node) -> Whole:
        """Return what an expression is worth on each board, held within `BOUND`."""
        return np.clip(self._value(tree), -BOUND, BOUND)

    def _value(self, tree: Node) -> Whole:
        if isinstance(tree, Number):
            return np.full(len(self._block.numbers), tree.value, dtype=np.int64)
        if isinstance(tree, Name):
            return self.named(tree.name)
        if isinstance(tree, Negated):
            return -self.of(tree.part)
        if isinstance(tree, Call):
            parts = [self.of(part) for part in tree.parts]
            if tree.function == "abs":
                return np.abs(parts[0])
            return functools.reduce(np.maximum if tree.function == "max" else np.minimum, parts)
        left, right = self.of(tree.left), self.of(tree.right)
        found: Whole = _OPERATIONS[tree.sign](left, right).astype(np.int64)
        return found

    def named(self, name: str) -> Whole:
        """Return what a name is worth on each board."""
        if name not in self._known:
            self._known[name] = value_of_name(self._block, name)
        return self._known[name]


_OPERATIONS: dict[str, Callable[[Whole, Whole], NDArray[np.generic]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
