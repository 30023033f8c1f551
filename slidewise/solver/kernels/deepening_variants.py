"""The compiled loop that solves 3x3 boards by one variant of iterative deepening.

`deepening.py` is the search for one board of any size. Boards are numbered and looked up as in
`variants.py`; `h` is 0 for iterative deepening by moves.

`Trail` is memory for one board after the other: of each node on the path its `board` and `way`, the
number of its successors looked at; `visited` (boards,) int32 the number of the pass in which a
board was last visited.
"""

from __future__ import annotations

from typing import NamedTuple

from numba import boolean, int32, int64, uint8

from slidewise.solver.kernels.arrays import Int32s, Int64s, Uint8s
from slidewise.solver.kernels.jit import entry_point, helper, tuple_type
from slidewise.solver.kernels.variants import GAME, NOT_SOLVED, Game

TO_LOWEST, TO_HIGHEST, BY_FIVE = range(3)
"""What the limit is raised to: the lowest f that was cut off, the highest, or 5 more."""

NOTHING_CUT = 2**30


class DeepeningRules(NamedTuple):
    """The `order` of the successors as columns of `neighbours`, and a mistake."""

    order: Int64s
    visits_once: bool
    raises: int


class Trail(NamedTuple):
    """The memory of a search."""

    board: Int32s
    way: Uint8s
    visited: Int32s


_INTS, _LONGS = int32[::1], int64[::1]
DEEPENING_RULES = tuple_type(DeepeningRules, order=_LONGS, visits_once=boolean, raises=int64)
TRAIL = tuple_type(Trail, board=_INTS, way=uint8[::1], visited=_INTS)


@helper
def one_pass(
    game: Game, rules: DeepeningRules, trail: Trail, number: int, start: int, limit: int, most: int
) -> tuple[int, int, int, int]:
    """Search below a limit; return the length of the path found or NOT_SOLVED, the expansions, and
    the lowest and highest f that were cut off."""
    lowest, highest, expanded, depth = NOTHING_CUT, 0, 0, 0
    trail.board[0], trail.way[0] = start, 0
    while depth >= 0:
        board = trail.board[depth]
        if trail.way[depth] == 0:
            if board == game.goal:
                return depth, expanded, lowest, highest
            trail.visited[board] = number
            if depth >= limit:
                lowest, highest = min(lowest, depth + 1), max(highest, depth + 1)
                depth -= 1
                continue
            if expanded >= most:
                break
            expanded += 1
        if trail.way[depth] == len(rules.order):
            depth -= 1
            continue
        after = game.neighbours[board, rules.order[trail.way[depth]]]
        trail.way[depth] += 1
        if after < 0 or (depth > 0 and after == trail.board[depth - 1]):
            continue
        if rules.visits_once and trail.visited[after] == number:
            continue
        f = depth + 1 + game.h[after]
        if f > limit:
            lowest, highest = min(lowest, f), max(highest, f)
            continue
        depth += 1
        trail.board[depth], trail.way[depth] = after, 0
    return NOT_SOLVED, expanded, lowest, highest


@entry_point(int64(GAME, DEEPENING_RULES, TRAIL, _INTS, int64, int64, _INTS, _LONGS))
def deepen_all(
    game: Game,
    rules: DeepeningRules,
    trail: Trail,
    boards: Int32s,
    first: int,
    most: int,
    lengths: Int32s,
    expansions: Int64s,
) -> int:
    """Solve `boards`, with up to `most` expansions each; write down lengths and expansions.

    `first` is the number of the first pass, above those that used the trail before. Return the
    number after the last.
    """
    number = first
    for place in range(len(boards)):
        length, expanded, limit = NOT_SOLVED, 0, int(game.h[boards[place]])
        while length < 0 and expanded < most and limit < len(trail.board):
            length, more, lowest, highest = one_pass(
                game, rules, trail, number, boards[place], limit, most - expanded
            )
            number += 1
            expanded += more
            if rules.raises == BY_FIVE:
                limit += 5
            else:
                limit = lowest if rules.raises == TO_LOWEST else highest
            if lowest == NOTHING_CUT:
                break
        lengths[place], expansions[place] = length, expanded
    return number


READY = True
