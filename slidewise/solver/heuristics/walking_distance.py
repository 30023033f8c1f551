"""The walking distance: the fewest moves that bring each tile into its row, and into its column."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from slidewise.puzzle import Board
from slidewise.solver.estimate import Estimate
from slidewise.solver.heuristics.exact import has_table
from slidewise.solver.registry import heuristic
from slidewise.text import message

if TYPE_CHECKING:
    from slidewise.solver.kernels.jit import Int64s
    from slidewise.solver.own.evaluate import Block


@heuristic(
    key="walking-distance",
    title=message("Walking distance"),
    idea=message(
        "Counts the up and down moves that bring all tiles into their rows, if the tiles of a row "
        "are alike and any tile of a row next to the blank’s row can move into it; and likewise "
        "for columns."
    ),
    admissible=True,
    consistent=True,
    source=message("K. Takahashi (takaken), described by others in 2012"),
    fits=has_table,
    loads_tables=True,
)
def walking_distance(goal: Board) -> Estimate:
    """Return a table with the fewest moves between rows plus the fewest between columns.

    A move changes either the row or the column of a single tile, so both numbers add up. Of five
    lines the first two count as the same kind, as do the next two.

    >>> from slidewise import parse_board
    >>> goal = parse_board("1.2.3-4.5.6-7.8.0")
    >>> walking_distance(goal).value(parse_board("8.1.3-4.0.2-7.6.5"))
    10
    """
    # deferred: loads numpy and the compiled kernels
    from slidewise.solver.own.evaluate import estimate_of

    def value(block: Block) -> Int64s:
        return _along(block, columns=False) + _along(block, columns=True)

    return estimate_of(goal, value)


def _along(block: Block, *, columns: bool) -> Int64s:
    """Return the fewest moves between the lines of a direction, for each board of a block.

    The state of a board has the number of tiles of each kind of line in each line. Its code has a
    digit for each of these numbers.
    """
    import numpy as np

    from slidewise.solver.tables.all_boards import kind, walking

    goal = block.goal
    lines, length = goal.size[::-1] if columns else goal.size
    kinds, base = kind(lines - 1, lines) + 1, length + 1

    def line(cell: int) -> int:
        return cell % goal.cols if columns else cell // goal.cols

    def digit(home: int, cell: int) -> int:
        return int(base ** (kinds * line(cell) + kind(line(home), lines)))

    graph = walking(lines, length, line(goal.blank))
    moves = _moves(graph.after.reshape(len(graph.after), -1).tolist())
    codes = {
        sum(tiles * base**place for place, tiles in enumerate(sum(state, ()))): moves[number]
        for state, number in graph.numbers.items()
    }
    # Sorted codes, so that a binary search replaces a dict for a whole block of boards.
    known = np.array(sorted(codes))
    found = np.array([codes[code] for code in known.tolist()], dtype=np.int64)
    values: Int64s = found[np.searchsorted(known, block.sum_of_tiles(digit))]
    return values


def _moves(after: list[list[int]]) -> list[int]:
    """Return the moves from each state to the goal's, state 0. Moves can be reversed."""
    moves, waiting = {0: 0}, deque([0])
    while waiting:
        state = waiting.popleft()
        for other in after[state]:
            if other >= 0 and other not in moves:  # negative: no state
                moves[other] = moves[state] + 1
                waiting.append(other)
    return [moves[state] for state in range(len(after))]
