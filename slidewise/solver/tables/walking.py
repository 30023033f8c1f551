"""Walking distance in slides: the fewest slides along one axis that take all tiles to their lines.

Of a board only this is looked at: how many tiles of each goal row are in each row, and in which the
blank is. A vertical slide over k rows takes the blank that far and one tile of each row on its way
to the row before; a horizontal slide changes nothing of this. So the fewest slides that lead from
one such state to the goal's never exceed the vertical slides of a solution. The same is so of
columns and horizontal slides, and as a slide is either vertical or horizontal the two add up.

Of more than 4 rows or columns there are too many states, so goal lines side by side count as one
there: what is left to do can only become less.

Source: walking distance, K. Takahashi, 2001, for single moves; here a run of moves counts 1.

Importing this module loads numpy.
"""

from __future__ import annotations

import functools
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle import Board
    from slidewise.solver.kernels.arrays import Int64s

NOWHERE = -1
"""In place of a state that there is not."""

KINDS = {5: 3, 6: 3, 7: 3, 8: 2}
"""Of so many lines, how many kinds of goal lines are told apart: with these there are at most some
30,000 states, which takes a second at most. Up to 4 lines each is a kind of its own."""

State = tuple[tuple[int, ...], ...]
"""For each line how many tiles of each kind of goal line are in it."""


class Walking(NamedTuple):
    """The states of one axis.

    `numbers` is each state's, `slides` (states,) the slides from it to the goal, and `after`
    (states, 2, kinds) what it becomes when a tile of a kind of goal line comes to the blank's line
    from the one before (0) or behind (1).
    """

    numbers: dict[State, int]
    slides: Int64s
    after: Int64s


@functools.lru_cache(maxsize=8)
def walking(lines: int, length: int, blank: int) -> Walking:
    """Return the states of so many lines of so many cells; the goal's blank is in line `blank`."""
    kinds = [kind(line, lines) for line in range(lines)]
    goal = tuple(
        tuple((length - (line == blank)) * (kinds[line] == of) for of in range(kinds[-1] + 1))
        for line in range(lines)
    )
    numbers, order = {goal: 0}, [goal]
    rows = []
    for state in order:  # which grows meanwhile
        row = [[NOWHERE] * (kinds[-1] + 1) for _ in range(2)]
        for side, of, after in _moves(state, length):
            if after not in numbers:
                numbers[after] = len(order)
                order.append(after)
            row[side][of] = numbers[after]
        rows.append(row)
    after_all = np.array(rows, dtype=np.int64)
    return Walking(numbers, _slides(after_all, lines - 1), after_all)


def state_of(board: Board, goal: Board, *, columns: bool) -> State:
    """Return the state of the rows, or of the columns, of `board`."""
    lines = board.cols if columns else board.rows
    line = [cell % board.cols if columns else cell // board.cols for cell in range(len(goal.cells))]
    found = [[0] * (kind(lines - 1, lines) + 1) for _ in range(lines)]
    for tile in range(1, len(goal.cells)):
        found[line[board.cells.index(tile)]][kind(line[goal.cells.index(tile)], lines)] += 1
    return tuple(map(tuple, found))


def kind(line: int, lines: int) -> int:
    """Return the kind of a goal line, of so many.

    >>> [kind(line, 4) for line in range(4)], [kind(line, 5) for line in range(5)]
    ([0, 1, 2, 3], [0, 0, 1, 1, 2])
    """
    return line * KINDS.get(lines, lines) // lines


def _moves(state: State, length: int) -> Iterator[tuple[int, int, State]]:
    blank = next(line for line, tiles in enumerate(state) if sum(tiles) < length)
    for side, other in enumerate((blank - 1, blank + 1)):
        if not 0 <= other < len(state):
            continue
        for of, tiles in enumerate(state[other]):
            if tiles:
                lines = [list(line) for line in state]
                lines[other][of] -= 1
                lines[blank][of] += 1
                yield side, of, tuple(map(tuple, lines))


def _slides(after: Int64s, longest: int) -> Int64s:
    """Return the slides from each state to the first; moves can be undone, so also the way back.

    A slide is up to so many moves one way.
    """
    slides = np.full(len(after), NOWHERE, dtype=np.int64)
    layer = np.zeros(1, dtype=np.int64)
    slides[0] = 0
    for distance in count(1):
        found = []
        for side in range(2):
            on = layer
            for _ in range(longest):
                on = np.unique(after[on, side])
                on = on[on != NOWHERE]
                found.append(on[slides[on] == NOWHERE])
        layer = np.unique(np.concatenate(found))
        if not len(layer):
            return slides
        slides[layer] = distance
    raise AssertionError("a layer is empty at last")
