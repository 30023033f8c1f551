"""One variant of a search on all 3x3 boards, compared with the exact distances, and its summary.

Importing this module loads numpy; the first `AllBoards` loads the compiled loop too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slidewise.course.atlas import DEEPENING, DRAWN, RIGHT, SEED, AtlasSummary, NextLimit
from slidewise.puzzle import Board, Puzzle, standard_goal
from slidewise.solver import compiling, run
from slidewise.solver.convention import Against, Convention, GoalTest, Queue, Ties
from slidewise.solver.run import find_algorithm
from slidewise.solver.tables.all_boards import sequences
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.tables.order import UNREACHABLE, rank_of_arrangement
from slidewise.solver.task import EXACT_DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable

    from slidewise.course.atlas import Estimator, KnownMistake, Variant
    from slidewise.solver.kernels.jit import Int32s, Int64s

    Solve = Callable[[Int32s, Int32s, Int64s], None]

SIDE = 3
MOST_EXPANSIONS = 300_000
"""Maximum expansions of one search, above the number of boards; beyond it counts as endless."""

MOST_NODES = 1_000_000
"""Maximum stored nodes of a search; node numbers have 21 bits in the kernel."""

MOST_DEEPENING_EXPANSIONS = 10**9
"""Expansion limit of one deepening search: none, as all of them terminate."""

LONGEST_TRAIL = 1_000
"""Maximum limit of a deepening search."""

SLICE = 500
"""Boards solved between two progress reports; a tenth of that for slow searches."""

PLAIN = ("rbfs", "bidirectional")
"""Algorithms for which the atlas has only Slidewise's own search."""

_WAYS = "udlr"
_SHIFTS = {"u": -SIDE, "d": SIDE, "l": -1, "r": 1}


@dataclass(frozen=True)
class Answers:
    """Answers of a variant for some boards: `lengths`, -1 without a path, the `expanded` nodes, and
    the exact `distances`."""

    boards: Int32s
    lengths: Int32s
    expanded: Any
    distances: Int32s


class AllBoards:
    """The 3x3 boards that can reach the standard goal, numbered in lexicographic order."""

    def __init__(self) -> None:
        self.goal = standard_goal(SIDE, SIDE)
        self._kernel: Any = compiling.load("variants")
        columns = sequences(SIDE * SIDE)
        known = _distances(columns, self.goal)
        self._ranks = np.flatnonzero(known != UNREACHABLE).astype(np.int32)
        self._distances = known[self._ranks]
        self._columns = np.ascontiguousarray(columns[:, self._ranks])
        self._neighbours = self._find_neighbours()
        self.boards = np.arange(len(self._ranks), dtype=np.int32)
        self._goal_number = self.number(self.goal)
        self._room = self._make_room()
        self._estimates: dict[Estimator, Int32s] = {}
        self._searches = 1

    def board(self, number: int) -> Board:
        """Return the board with a number."""
        return Board(SIDE, SIDE, tuple(int(tile) for tile in self._columns[:, number]))

    def far(self, moves: int) -> Any:
        """Return the numbers of the boards at a distance from the goal."""
        return self.boards[self._distances == moves]

    def number(self, board: Board) -> int:
        """Return the number of a board."""
        return int(self._numbers(rank_of_arrangement(list(board.cells), SIDE * SIDE)))

    def drawn(self, count: int, seed: int) -> Int32s:
        """Return the numbers of `count` boards drawn from a seed, in the order of drawing."""
        chosen = np.random.default_rng(seed).choice(self.boards, count, replace=False)
        return np.sort(chosen)

    def solve(
        self,
        algorithm: str,
        convention: Convention,
        mistake: KnownMistake = RIGHT,
        boards: Int32s | None = None,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Answers:
        """Return a search's answers for `boards`, by default all solvable ones.

        `progress` is a progress callback with the number of solved boards.
        """
        chosen = self.boards if boards is None else np.ascontiguousarray(boards)
        if algorithm in DEEPENING:
            solve, some = self._deepening(algorithm, convention, mistake), SLICE // 10
        elif algorithm in PLAIN:
            solve, some = self._plain(algorithm), SLICE // 10
        else:
            solve, some = self._best_first(algorithm, convention, mistake), SLICE
        lengths = np.zeros(len(chosen), dtype=np.int32)
        expanded = np.zeros(len(chosen), dtype=np.int64)
        for at in range(0, len(chosen), some):
            part = slice(at, at + some)
            solve(chosen[part], lengths[part], expanded[part])
            progress(min(at + some, len(chosen)))
        return Answers(chosen, lengths, expanded, self._distances[chosen].astype(np.int32))

    def _best_first(self, algorithm: str, convention: Convention, mistake: KnownMistake) -> Solve:
        h = self._h(mistake.estimate)
        game = self._kernel.BoardTables(self._neighbours, h, self._goal_number)
        rules = self._rules(algorithm, convention, mistake)

        def solve(boards: Int32s, lengths: Int32s, expanded: Int64s) -> None:
            self._searches = self._kernel.solve_all(
                *(game, rules, self._room, boards, self._searches, MOST_EXPANSIONS),
                *(lengths, expanded),
            )

        return solve

    def _deepening(self, algorithm: str, convention: Convention, mistake: KnownMistake) -> Solve:
        kernel: Any = compiling.load("variants")
        h = self._h(mistake.estimate)
        if not find_algorithm(algorithm).uses_heuristic:
            h = np.zeros_like(h)
        game = self._kernel.BoardTables(self._neighbours, h, self._goal_number)
        raises = {
            NextLimit.LOWEST_CUT: kernel.TO_LOWEST,
            NextLimit.HIGHEST_CUT: kernel.TO_HIGHEST,
            NextLimit.BY_FIVE: kernel.BY_FIVE,
        }[mistake.next_limit]
        rules = kernel.DeepeningRules(_order(convention), mistake.visits_once, raises)
        trail = kernel.Trail(
            board=np.zeros(LONGEST_TRAIL, dtype=np.int32),
            way=np.zeros(LONGEST_TRAIL, dtype=np.uint8),
            visited=np.zeros(len(self.boards), dtype=np.int32),
        )
        passes = 1

        def solve(boards: Int32s, lengths: Int32s, expanded: Int64s) -> None:
            nonlocal passes
            passes = kernel.deepen_all(
                *(game, rules, trail, boards, passes, MOST_DEEPENING_EXPANSIONS),
                *(lengths, expanded),
            )

        return solve

    def _plain(self, algorithm: str) -> Solve:
        """Return the search of `slidewise.solve`, for algorithms without variants here."""
        heuristic = "manhattan" if find_algorithm(algorithm).uses_heuristic else None

        def solve(boards: Int32s, lengths: Int32s, expanded: Int64s) -> None:
            for at, number in enumerate(boards):
                found = run.solve(Puzzle(self.board(int(number)), self.goal), algorithm, heuristic)
                lengths[at] = -1 if found.length is None else found.length
                expanded[at] = found.expanded

        return solve

    def _h(self, estimate: Estimator) -> Int32s:
        if estimate not in self._estimates:
            h = estimate(self._columns, self.goal.cells, SIDE)
            self._estimates[estimate] = h.astype(np.int32)
        return self._estimates[estimate]

    def _rules(self, algorithm: str, convention: Convention, mistake: KnownMistake) -> Any:
        kernel, duplicates = self._kernel, convention.duplicates
        rank = find_algorithm(algorithm).rank(EXACT_DEFAULT)
        assert rank is not None
        queue, ties = _queue(kernel, algorithm, convention)
        return kernel.VariantRules(
            order=_order(convention),
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
        """Return the board in each direction of the blank, -1 across the border."""
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
            ranks = rank_of_arrangement(list(moved), SIDE * SIDE)
            neighbours[boards, way] = self._numbers(ranks)
        return neighbours

    def _numbers(self, ranks: Any) -> Any:
        """Return the numbers of boards from their ranks among all arrangements."""
        return np.searchsorted(self._ranks, ranks)

    def _make_room(self) -> Any:
        boards = len(self._neighbours)
        ints = [np.zeros(MOST_NODES, dtype=np.int32) for _ in range(5)]
        return self._kernel.Scratch(
            kept=np.zeros((boards, 2), dtype=np.int32),
            board=ints[0],
            parent=ints[1],
            cost=ints[2],
            f=ints[3],
            expanded=np.zeros(MOST_NODES, dtype=np.uint8),
            useless=np.zeros(MOST_NODES, dtype=np.uint8),
            keys=np.zeros(MOST_NODES, dtype=np.int64),
            heap=ints[4],
            heads=np.zeros(self._kernel.MOST_LISTED, dtype=np.int32),
            tails=np.zeros(self._kernel.MOST_LISTED, dtype=np.int32),
        )


def summarise(
    everything: AllBoards, variant: Variant, progress: Callable[[int, int], None]
) -> AtlasSummary:
    """Return the summary of a variant; `progress` is called with boards done and boards in all."""
    boards = everything.boards if variant.is_on_all else everything.drawn(DRAWN, SEED)
    answers = everything.solve(
        variant.algorithm,
        variant.convention,
        variant.mistake,
        boards,
        progress=lambda done: progress(done, len(boards)),
    )
    return _summary(everything, variant.key, answers)


def _summary(everything: AllBoards, key: str, answers: Answers) -> AtlasSummary:
    excess = answers.lengths - answers.distances
    solved = answers.lengths >= 0
    longer = solved & (excess > 0)
    numbers: dict[str, Any] = {
        "boards": len(answers.boards),
        "longer": int(longer.sum()),
        "unsolved": int((~solved).sum()),
        "worst": int(excess[solved].max(initial=0)),
        "expanded": round(float(answers.expanded.mean()), 1),
    }
    if longer.any():
        distances = answers.distances.copy()
        distances[~longer] = distances.max() + 1
        at = int(distances.argmin())
        numbers["example"] = str(everything.board(int(answers.boards[at])))
        numbers["shortest"], numbers["found"] = int(distances[at]), int(answers.lengths[at])
    return AtlasSummary(key, **numbers)


def _distances(columns: Any, goal: Board) -> Any:
    """Return the exact distance of each board, in the order of the columns."""
    table = exact_table(goal)
    slots = columns.astype(np.int32) - 1  # of the standard goal, whose blank is last
    blanks = slots.argmin(axis=0)
    tiles = SIDE * SIDE - 1
    rest = slots.T[slots.T >= 0].reshape(-1, tiles).T
    ranks = rank_of_arrangement(list(rest), tiles)
    return table.values[(tiles - blanks) * len(sequences(tiles)[0]) + ranks]


def _order(convention: Convention) -> Int64s:
    return np.array([_WAYS.index(way) for way in convention.order], dtype=np.int64)


def _queue(kernel: Any, algorithm: str, convention: Convention) -> tuple[int, int]:
    """Return the kernel's numbers for the queue and for its tie-breaking."""
    if algorithm == "bfs":
        return kernel.LISTS, kernel.FIRST_IN
    if algorithm == "dfs":  # f is negative there, so it has no list
        return kernel.BY_KEY, _ties(kernel)[convention.siblings]
    if convention.queue is Queue.BOARDS:
        return kernel.BY_KEY, kernel.LESSER_BOARD
    ties = _ties(kernel)[convention.ties]
    if ties in (kernel.FIRST_IN, kernel.LAST_IN):
        return kernel.LISTS, ties
    queues = {Queue.BINARY_HEAP: kernel.TEXTBOOK, Queue.HEAPQ: kernel.HEAPQ}
    return queues.get(convention.queue, kernel.BY_KEY), ties


def _ties(kernel: Any) -> dict[Ties, int]:
    return {
        Ties.FIRST_IN: kernel.FIRST_IN,
        Ties.LAST_IN: kernel.LAST_IN,
        Ties.AS_QUEUED: kernel.AS_QUEUED,
        Ties.HIGHER_G: kernel.HIGHER_G,
        Ties.LOWER_H: kernel.LOWER_H,
    }
