"""Known mistakes in the successors of a board: steps that are missing, or that are no moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slidewise.study.check.change import Change
from slidewise.study.check.mistake import EVERY, Mistake

if TYPE_CHECKING:
    from slidewise.study.check.change import Ways

_STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


def _wraps(rows: int, cols: int, ways: Ways, order: str) -> Ways:
    """Let the blank go from the end of a row to the beginning of the next, and back."""
    steps = [_STEPS[way][0] * cols + _STEPS[way][1] for way in order]
    cells = range(rows * cols)
    return [[cell + step for step in steps if cell + step in cells] for cell in cells]


def _around(rows: int, cols: int, ways: Ways, order: str) -> Ways:
    """Let the blank leave the board on one side and come back on the other."""
    steps = [_STEPS[way] for way in order]
    return [
        [
            (cell // cols + down) % rows * cols + (cell % cols + right) % cols
            for down, right in steps
        ]
        for cell in range(rows * cols)
    ]


def _without(step: int, along_row: bool) -> Any:
    def ways(rows: int, cols: int, ways: Ways, order: str) -> Ways:
        by = step if along_row else step * cols
        return [[to for to in cells if to - cell != by] for cell, cells in enumerate(ways)]

    return ways


def _short_of_border(rows: int, cols: int, ways: Ways, order: str) -> Ways:
    """Keep the blank out of the last row and column, unless it is there at the start."""
    for step, along_row in ((1, True), (1, False)):
        ways = _short_of(step, along_row)(rows, cols, ways, order)
    return ways


def _short_of(step: int, along_row: bool) -> Any:
    """Keep the blank out of the row or column at the border where steps that way end."""

    def ways(rows: int, cols: int, ways: Ways, order: str) -> Ways:
        by, last = (step, cols - 1) if along_row else (step * cols, rows - 1)
        border = last if step > 0 else 0
        return [
            [
                to
                for to in cells
                if to - cell != by or (to % cols if along_row else to // cols) != border
            ]
            for cell, cells in enumerate(ways)
        ]

    return ways


def _wraps_one_way(step: int) -> Any:
    """Let the blank go over one end of a row only."""

    def ways(rows: int, cols: int, ways: Ways, order: str) -> Ways:
        return [
            [to for to in wrapping if to - cell == step or to in right]
            for cell, (wrapping, right) in enumerate(
                zip(_wraps(rows, cols, ways, order), ways, strict=True)
            )
        ]

    return ways


def _one_border(which: str, way: str, step: int, along_row: bool) -> Mistake:
    return Mistake(
        f"short-of-{which.replace(' ', '-')}",
        f"The blank never moves {way} into the {which}",
        "The test for that border stops one too early.",
        f"Look at the test that guards the move {way}: it must refuse only what leaves the board.",
        EVERY,
        Change(ways=_short_of(step, along_row)),
    )


def _one_end(end: str, step: int, comes: str) -> Mistake:
    return Mistake(
        f"wraps-at-{end}-ends",
        f"Tiles wrap round at the {end} ends of rows",
        f"The blank goes {end} over the border and comes back {comes}, which is no move.",
        f"Test the column before you step {end}: cell numbers that differ by 1 can be in "
        "different rows.",
        EVERY,
        Change(ways=_wraps_one_way(step)),
    )


def _missing(way: str, step: int, along_row: bool) -> Mistake:
    return Mistake(
        f"never-{way}",
        f"The blank never moves {way}",
        f"No successor moves the blank {way}.",
        f"Generate that successor too: {way} is missing from the test for the border or from the "
        "loop over the directions.",
        EVERY,
        Change(ways=_without(step, along_row)),
    )


SUCCESSORS = (
    Mistake(
        "wraps-at-row-ends",
        "Tiles wrap round at the ends of rows",
        "The blank goes from the end of a row to the beginning of the next, which is no move.",
        "Test the column before you step left or right: cell numbers that differ by 1 can be in "
        "different rows.",
        EVERY,
        Change(ways=_wraps),
    ),
    Mistake(
        "around-the-board",
        "The blank leaves the board and comes back on the other side",
        "Negative indices, or a remainder, wrap around the board.",
        "Check that the row is from 0 to rows - 1 and the column from 0 to columns - 1.",
        EVERY,
        Change(ways=_around),
    ),
    Mistake(
        "short-of-border",
        "The blank never enters the last row and column",
        "The test for the border stops one too early.",
        "Compare with `<= n - 1`, or `< n`.",
        EVERY,
        Change(ways=_short_of_border),
    ),
    _one_border("last column", "right", 1, True),
    _one_border("last row", "down", 1, False),
    _one_border("first column", "left", -1, True),
    _one_border("first row", "up", -1, False),
    _one_end("right", 1, "in the row below"),
    _one_end("left", -1, "in the row above"),
    _missing("up", -1, False),
    _missing("down", 1, False),
    _missing("left", -1, True),
    _missing("right", 1, True),
)
"""The mistakes in successors, in the order in which they are tried."""
