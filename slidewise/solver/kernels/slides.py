"""IDA* by slides of whole lines, compiled.

Two consecutive slides along the same axis can be merged, so a shortest solution alternates vertical
and horizontal slides. Let a vertical and b horizontal slides be necessary (`tables/all_boards.py`),
and the next slide be vertical. Then n slides suffice only if half of n is at least a, rounded up,
and at least b, rounded down.

`path` has a row for each slide: the blank's cell, the next choice, and the states of the rows and
columns. A choice is the blank's target row or, above these, its column. `board` and `path` hold the
state of the search between two calls.

Source: R. E. Korf, Depth-first iterative-deepening, 1985.
"""

from typing import NamedTuple

from numba import int64

from slidewise.solver.kernels.jit import Int64s, entry_point, inlined, tuple_type

BLANK, CHOICE, END, IN_ROWS, IN_COLS = range(5)
"""The columns of `path`. `END` is the end of the choices."""

COLUMNS = 5

LEVEL, EXPANDED = range(2)
"""The places in `counts`."""

RUNNING, FOUND, DONE = range(3)
"""Result codes: the budget was used, the path leads to the goal, or no path does."""


class SlideArrays(NamedTuple):
    """Arrays of a search: tiles' goal cells and line kinds, tables of both axes, search state."""

    home: Int64s
    row_kind: Int64s
    col_kind: Int64s
    row_slides: Int64s
    row_after: Int64s
    col_slides: Int64s
    col_after: Int64s
    board: Int64s
    path: Int64s
    counts: Int64s


SLIDES = tuple_type(
    SlideArrays,
    home=int64[::1],
    row_kind=int64[::1],
    col_kind=int64[::1],
    row_slides=int64[::1],
    row_after=int64[:, :, ::1],
    col_slides=int64[::1],
    col_after=int64[:, :, ::1],
    board=int64[::1],
    path=int64[:, ::1],
    counts=int64[::1],
)


@inlined
def at_least(first: int, second: int) -> int:
    """Return the fewest alternating slides, with `first` slides along the axis of the next."""
    if first > second:
        return 2 * first - 1
    return 2 * second


@inlined
def carry(board: Int64s, start: int, to: int, step: int) -> None:
    """Move the blank from a cell to another in steps of `step` cells."""
    cell = start
    while cell != to:
        board[cell] = board[cell + step]
        cell += step
    board[to] = 0


@inlined
def is_goal(arrays: SlideArrays) -> bool:
    """Return whether all tiles are in their cells."""
    for cell in range(arrays.board.shape[0]):
        tile = arrays.board[cell]
        if arrays.home[tile] != cell:
            return False
    return True


@entry_point(int64(SLIDES, int64, int64, int64, int64, int64))
def search_slides(
    arrays: SlideArrays, rows: int, cols: int, weight: int, limit: int, budget: int
) -> int:
    """Make up to `budget` slides on paths of up to `limit` slides; return the result code.

    h counts `weight` tenths. Above 10 a path is found sooner, but may not be shortest.
    """
    board, path = arrays.board, arrays.path
    level = arrays.counts[LEVEL]
    expanded = 0
    ended = DONE
    while level >= 0:
        choice = path[level, CHOICE]
        blank = path[level, BLANK]
        if choice == path[level, END]:
            level -= 1
            if level >= 0:  # restore the blank
                before = path[level, BLANK]
                same_col = before % cols == blank % cols
                step = cols if same_col else 1
                carry(board, blank, before, step if before > blank else -step)
            continue
        if expanded >= budget:
            ended = RUNNING
            break
        path[level, CHOICE] = choice + 1
        in_rows, in_cols = path[level, IN_ROWS], path[level, IN_COLS]
        vertical = choice < rows
        if vertical:
            to = choice * cols + blank % cols
            step = cols if to > blank else -cols
        else:
            to = blank // cols * cols + choice - rows
            step = 1 if to > blank else -1
        # The blank's own row or column is no slide.
        if to == blank:
            continue
        side = 1 if to > blank else 0
        cell = blank
        while cell != to:
            cell += step
            if vertical:
                in_rows = arrays.row_after[in_rows, side, arrays.row_kind[board[cell]]]
            else:
                in_cols = arrays.col_after[in_cols, side, arrays.col_kind[board[cell]]]
        expanded += 1
        up_down, across = arrays.row_slides[in_rows], arrays.col_slides[in_cols]
        h = at_least(across, up_down) if vertical else at_least(up_down, across)
        if 10 * (level + 1) + weight * h > 10 * limit:
            continue
        carry(board, blank, to, step)
        level += 1
        path[level, BLANK] = to
        # The next slide is along the other axis: columns after a vertical slide.
        path[level, CHOICE] = rows if vertical else 0
        path[level, END] = rows + cols if vertical else rows
        path[level, IN_ROWS], path[level, IN_COLS] = in_rows, in_cols
        if h == 0 and is_goal(arrays):
            ended = FOUND
            break
    arrays.counts[LEVEL] = level
    arrays.counts[EXPANDED] += expanded
    return ended


READY = True  # all of the above is compiled
