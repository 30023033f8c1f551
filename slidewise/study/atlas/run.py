"""All 3x3 boards solved by one variant of a search, held against the exact distances.

Importing this module loads numpy; the first `AllBoards` loads the compiled loop too.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from slidewise.puzzle import Board, standard_goal
from slidewise.solver import compiling
from slidewise.solver.convention import Against, Convention, GoalTest, Queue, Ties
from slidewise.solver.find import find_algorithm
from slidewise.solver.tables.all_boards import sequences
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.tables.order import UNREACHABLE, rank_of_arrangement
from slidewise.study.atlas.mistakes import RIGHT

if TYPE_CHECKING:
    from collections.abc import Callable

    from slidewise.solver.kernels.arrays import Int32s
    from slidewise.study.atlas.mistakes import Estimator, KnownMistake

SIDE = 3
MOST_EXPANSIONS = 300_000
"""Of one search, after which it counts as one that does not end: more than there are boards."""

MOST_NODES = 1_000_000
"""What a search can keep; the numbers of nodes have 21 bits in the kernel."""

SLICE = 500
"""Boards solved between two reports."""

_WAYS = "udlr"
_SHIFTS = {"u": -SIDE, "d": SIDE, "l": -1, "r": 1}


@dataclass(frozen=True)
class Answers:
    """What a variant answers for some boards: `lengths`, -1 where it ends without a path, the
    `expanded` nodes, and the exact `distances`."""

    boards: Int32s
    lengths: Int32s
    expanded: Any
    distances: Int32s


class AllBoards:
    """The 3x3 boards that can reach the standard goal, by their places in lexicographic order."""

    def __init__(self) -> None:
        self.goal = standard_goal(SIDE, SIDE)
        self._kernel: Any = compiling.load("variants")
        self._columns = sequences(SIDE * SIDE)
        self._neighbours = self._find_neighbours()
        self._distances = self._find_distances()
        self.solvable = np.flatnonzero(self._distances != UNREACHABLE).astype(np.int32)
        self._room = self._make_room()
        self._estimates: dict[Estimator, Int32s] = {}
        self._searches = 1

    def board(self, place: int) -> Board:
        """Return the board at a place."""
        return Board(SIDE, SIDE, tuple(int(tile) for tile in self._columns[:, place]))

    def far(self, moves: int) -> Any:
        """Return for each of the `solvable` boards whether it is so many moves from the goal."""
        return self._distances[self.solvable] == moves

    def place(self, board: Board) -> int:
        """Return the place of a board."""
        return int(rank_of_arrangement(list(board.cells), SIDE * SIDE))

    def drawn(self, count: int, seed: int) -> Int32s:
        """Return the places of `count` boards drawn from a seed, in their order."""
        chosen = np.random.default_rng(seed).choice(self.solvable, count, replace=False)
        return np.sort(chosen)

    def solve(
        self,
        algorithm: str,
        convention: Convention,
        mistake: KnownMistake = RIGHT,
        boards: Int32s | None = None,
        told: Callable[[int], None] = lambda done: None,
    ) -> Answers:
        """Return what a search answers for `boards`, by default all that can be solved.

        `told` is told now and then how many are done.
        """
        chosen = self.solvable if boards is None else np.ascontiguousarray(boards)
        if mistake.estimate not in self._estimates:
            h = mistake.estimate(self._columns, self.goal.cells, SIDE)
            self._estimates[mistake.estimate] = h.astype(np.int32)
        h = self._estimates[mistake.estimate]
        goal = int(np.flatnonzero(self._distances == 0)[0])
        game = self._kernel.Game(self._neighbours, h, goal)
        rules = self._rules(algorithm, convention, mistake)
        lengths = np.zeros(len(chosen), dtype=np.int32)
        expanded = np.zeros(len(chosen), dtype=np.int64)
        for at in range(0, len(chosen), SLICE):
            part = slice(at, at + SLICE)
            self._searches = self._kernel.solve_all(
                *(game, rules, self._room, chosen[part], self._searches, MOST_EXPANSIONS),
                *(lengths[part], expanded[part]),
            )
            told(min(at + SLICE, len(chosen)))
        return Answers(chosen, lengths, expanded, self._distances[chosen].astype(np.int32))

    def _rules(self, algorithm: str, convention: Convention, mistake: KnownMistake) -> Any:
        kernel, duplicates = self._kernel, convention.duplicates
        rank = find_algorithm(algorithm).rank(Fraction(1))
        assert rank is not None
        queue, ties = _queue(kernel, convention)
        return kernel.Rules(
            order=np.array([_WAYS.index(way) for way in convention.order], dtype=np.int64),
            g_weight=rank.g_weight,
            h_weight=rank.h_weight,
            against={
                Against.MADE: kernel.AGAINST_MADE,
                Against.EXPANDED: kernel.AGAINST_EXPANDED,
                Against.PATH: kernel.AGAINST_PATH,
                Against.PARENT: kernel.AGAINST_PARENT,
                Against.NOTHING: kernel.AGAINST_NOTHING,
            }[duplicates.against],
            decreases_key=duplicates.decreases_key,
            reopens=duplicates.reopens,
            passes_over=duplicates.passes_over,
            goal_made=convention.goal_test is GoalTest.MADE,
            queue=queue,
            ties=ties,
            mistake=kernel.ADDS_ESTIMATES
            if mistake.adds_estimates
            else kernel.KEEPS_OLD_F
            if mistake.keeps_old_f
            else kernel.RIGHT,
        )

    def _find_neighbours(self) -> Int32s:
        """Return the board that each way of the blank leads to, -1 over the border."""
        columns = self._columns.astype(np.int32)
        blanks = columns.argmin(axis=0)
        along = np.arange(columns.shape[1])
        neighbours = np.full((columns.shape[1], len(_WAYS)), -1, dtype=np.int32)
        for way, name in enumerate(_WAYS):
            row, col = blanks // SIDE, blanks % SIDE
            inside = {"u": row > 0, "d": row < SIDE - 1, "l": col > 0, "r": col < SIDE - 1}[name]
            here, boards = blanks[inside], along[inside]
            moved = columns[:, inside]
            there = here + _SHIFTS[name]
            across = np.arange(len(boards))
            moved[here, across], moved[there, across] = moved[there, across], 0
            neighbours[boards, way] = rank_of_arrangement(list(moved), SIDE * SIDE)
        return neighbours

    def _find_distances(self) -> Any:
        """Return the exact distance of each board, in the order of the places."""
        table = exact_table(self.goal)
        slots = self._columns.astype(np.int32) - 1  # of the standard goal, whose blank is last
        blanks = slots.argmin(axis=0)
        tiles = SIDE * SIDE - 1
        rest = slots.T[slots.T >= 0].reshape(-1, tiles).T
        ranks = rank_of_arrangement(list(rest), tiles)
        return table.values[(tiles - blanks) * len(sequences(tiles)[0]) + ranks]

    def _make_room(self) -> Any:
        boards = len(self._neighbours)
        ints = [np.zeros(MOST_NODES, dtype=np.int32) for _ in range(5)]
        return self._kernel.Room(
            seen=np.zeros(boards, dtype=np.int32),
            latest=np.zeros(boards, dtype=np.int32),
            board=ints[0],
            parent=ints[1],
            cost=ints[2],
            f=ints[3],
            expanded=np.zeros(MOST_NODES, dtype=np.uint8),
            useless=np.zeros(MOST_NODES, dtype=np.uint8),
            keys=np.zeros(MOST_NODES, dtype=np.int64),
            heap=ints[4],
        )


def _queue(kernel: Any, convention: Convention) -> tuple[int, int]:
    """Return the kernel's numbers for the queue and for what breaks ties in it."""
    if convention.queue is Queue.BOARDS:
        return kernel.BY_KEY, kernel.LESSER_BOARD
    queues = {Queue.BINARY_HEAP: kernel.TEXTBOOK, Queue.HEAPQ: kernel.HEAPQ}
    return queues.get(convention.queue, kernel.BY_KEY), _ties(kernel)[convention.ties]


def _ties(kernel: Any) -> dict[Ties, int]:
    return {
        Ties.FIRST_IN: kernel.FIRST_IN,
        Ties.LAST_IN: kernel.LAST_IN,
        Ties.AS_QUEUED: kernel.AS_QUEUED,
        Ties.HIGHER_G: kernel.HIGHER_G,
        Ties.LOWER_H: kernel.LOWER_H,
    }
