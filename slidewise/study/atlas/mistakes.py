"""Classic mistakes in A* and greedy best-first search: what goes wrong, and how to mend it.

A mistake is in the estimate, or in the loop. Those of the estimate are functions of boards and a
goal; those of the loop are a rule of `Convention` that loses the shortest path, or something that
no convention has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from slidewise.solver.convention import SLIDEWISE, Convention, Duplicates, GoalTest

Boards = Any
"""Boards as a NumPy array, one in each column: row c holds the tiles in cell c."""

Estimator = Callable[[Boards, Sequence[int], int], Any]
"""From boards, a goal's cells and the number of columns to an array of estimates."""


def manhattan(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the sums of the row and column distances of the tiles."""
    return _sums(boards, goal, lambda cell, home: _steps(cell, home, cols))


def counts_the_blank(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the Manhattan distances with those of the blank."""
    return _sums(boards, goal, lambda cell, home: _steps(cell, home, cols), first=0)


def misplaced_with_blank(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return how many cells differ from the goal's, the blank's among them."""
    return _sums(boards, goal, lambda cell, home: 1 * (cell != home), first=0)


def as_numbers(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the sums of the differences of the cells' numbers."""
    return _sums(boards, goal, lambda cell, home: abs(cell - home))


def squared(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the sums of the squared straight-line distances."""

    def square(cell: int, home: Any) -> Any:
        return (cell // cols - home // cols) ** 2 + (cell % cols - home % cols) ** 2

    return _sums(boards, goal, square)


def for_other_goal(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the Manhattan distances to the goal that has its blank at the other end."""
    tiles = [tile for tile in goal if tile]
    return manhattan(boards, [0, *tiles] if goal[-1] == 0 else [*tiles, 0], cols)


def inversions(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return how many pairs of tiles stand the other way round than in the goal."""
    places = _homes(goal)[boards]
    return sum(
        (places[early] > places[late]) & (boards[early] > 0) & (boards[late] > 0)
        for early in range(len(goal))
        for late in range(early + 1, len(goal))
    )


def without_last_tile(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the Manhattan distances of all tiles but the one with the highest number."""
    last = len(goal) - 1
    return _sums(boards, goal, lambda cell, home: _steps(cell, home, cols), last=last)


def _steps(cell: int, home: Any, cols: int) -> Any:
    return abs(cell // cols - home // cols) + abs(cell % cols - home % cols)


def _homes(goal: Sequence[int]) -> Any:
    """Return the home of each tile as an array."""
    import numpy as np

    return np.argsort(np.array(goal))


def _sums(
    boards: Boards,
    goal: Sequence[int],
    distance: Callable[[int, Any], Any],
    first: int = 1,
    last: int | None = None,
) -> Any:
    """Return for each board the sum of `distance(cell, home)` of the tiles `first` up to `last`."""
    homes, last = _homes(goal), last or len(goal)
    return sum(
        distance(cell, homes[tiles]) * ((tiles >= first) & (tiles < last))
        for cell, tiles in enumerate(boards)
    )


@dataclass(frozen=True)
class KnownMistake:
    """A mistake that programs are found to have.

    `says` what the program does, in a sentence that goes on from "The program"; `mend` what to do.
    `adds_estimates` and `keeps_old_f` are mistakes of the loop that no convention has.
    """

    key: str
    title: str
    says: str
    mend: str
    estimate: Estimator = manhattan
    convention: Convention = SLIDEWISE
    adds_estimates: bool = False
    keeps_old_f: bool = False

    @property
    def is_of_estimate(self) -> bool:
        """Return whether the mistake is in the estimate, not in the loop."""
        return self.estimate is not manhattan


RIGHT = KnownMistake("", "", "", "")
"""No mistake."""

MISTAKES = (
    KnownMistake(
        "goal-when-made",
        "The goal is accepted as soon as it is generated",
        "stops as soon as a successor is the goal, while a board with a lower f is still waiting.",
        "Test for the goal when a node is taken from the frontier, not when it is generated.",
        convention=Convention("goal-when-made", "", goal_test=GoalTest.MADE),
    ),
    KnownMistake(
        "never-again",
        "A waiting board keeps its first path",
        "drops each successor that was generated before, even when the new path is shorter.",
        "Compare the new g with the one that is stored, and keep the board if it is lower.",
        convention=Convention("never-again", "", duplicates=Duplicates.MADE),
    ),
    KnownMistake(
        "keeps-old-f",
        "The shorter path is stored, but its f is not",
        "stores the shorter path to a waiting board, but leaves the board in the queue at its old "
        "f.",
        "Put the board into the queue again with its new f, and skip the old entry.",
        keeps_old_f=True,
    ),
    KnownMistake(
        "adds-estimates",
        "Estimates are added up along the path",
        "adds to the f of the parent instead of to its g.",
        "Keep g and f apart: a successor's g is its parent's g + 1.",
        adds_estimates=True,
    ),
    KnownMistake(
        "counts-the-blank",
        "The Manhattan distance counts the blank",
        "adds the blank's own distance from its place in the goal.",
        "Leave the blank out: it moves whenever a tile moves, so it is counted twice.",
        estimate=counts_the_blank,
    ),
    KnownMistake(
        "misplaced-with-blank",
        "The misplaced tiles include the blank",
        "counts the blank as a misplaced tile.",
        "Count only the cells that hold a tile.",
        estimate=misplaced_with_blank,
    ),
    KnownMistake(
        "as-numbers",
        "Distances are differences of cell numbers",
        "takes |cell − home| of the cell numbers, so that one row down counts 3.",
        "Split each number into its row and its column with divmod, and add both differences.",
        estimate=as_numbers,
    ),
    KnownMistake(
        "squared",
        "Straight-line distance without the square root",
        "adds the squares of the differences of rows and columns.",
        "Take the square root of each sum. Better still, use the Manhattan distance, which is "
        "higher and never too high.",
        estimate=squared,
    ),
    KnownMistake(
        "other-goal",
        "The estimate is for a different goal",
        "estimates the distance to a goal with the blank at the other end of the board.",
        "Work out each tile's home from the goal that the search looks for, not from its number.",
        estimate=for_other_goal,
    ),
    KnownMistake(
        "inversions",
        "Inversions are used as an estimate",
        "counts the pairs of tiles that are in the wrong order.",
        "One move past two tiles can put two pairs in order: use a sum of tile distances.",
        estimate=inversions,
    ),
    KnownMistake(
        "without-last-tile",
        "The last tile is forgotten",
        "loops over range(1, 8), and leaves tile 8 out of the Manhattan distance.",
        "Loop over all tiles. The paths are still shortest, because the estimate is never too "
        "high, but the search does more work.",
        estimate=without_last_tile,
    ),
)
"""All mistakes, those of the loop first."""
