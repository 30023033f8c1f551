"""Expansions of a search by the distance of their boards from the goal.

All boards of a small puzzle are known with their distances, so a whole search can be shown on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from math import factorial
from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle import Board, Puzzle
from slidewise.solver import compiling
from slidewise.solver.loop import Outcome
from slidewise.solver.run import find_algorithm, find_heuristic
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.tables.order import rank_of_arrangement
from slidewise.solver.task import EXACT_DEFAULT, FrontierKind, Limits, Task, follow

if TYPE_CHECKING:
    from slidewise.solver.compare import Choice
    from slidewise.solver.engines.node_store import NodeStore
    from slidewise.solver.engines.one_path import OnePathSearch
    from slidewise.solver.kernels.jit import Uint64s

MAX_EXPANSIONS = 300_000
"""Longest search shown on all boards: more than each board of 3x3 once."""

SLICE = 50_000
"""Expansions between two readings of the trace."""


class SpaceSearch(NamedTuple):
    """Expansions of a search at each distance, up to the farthest board of the puzzle.

    `length` is that of its path, None if it stopped at `MAX_EXPANSIONS`.
    """

    by_distance: tuple[int, ...]
    length: int | None

    @property
    def expanded(self) -> int:
        """Return the number of all expansions.

        >>> SpaceSearch((0, 2, 1), 2).expanded
        3
        """
        return sum(self.by_distance)


class SpaceFacts(NamedTuple):
    """Boards at each distance from the goal, searches of them, and one board.

    `tiles` are the moves of a shortest way from the board to the goal, None if there is none.
    """

    boards: tuple[int, ...]
    searches: tuple[SpaceSearch, ...]
    tiles: tuple[int, ...] | None


def space_facts(puzzle: Puzzle, choices: Sequence[Choice], board: Board) -> SpaceFacts:
    """Run searches of a solvable puzzle, and look `board` up.

    >>> from slidewise import parse_board, parse_puzzle
    >>> facts = space_facts(parse_puzzle("1.2-3.0"), [], parse_board("0.2-1.3"))
    >>> facts.boards, facts.tiles
    ((1, 2, 2, 2, 2, 2, 1), (1, 3))

    Raises `TooManyCellsError` above 10 cells.
    """
    table = exact_table(puzzle.goal)
    found = tuple(expanded_by_distance(puzzle, choice) for choice in choices)
    reached = table.distance(board) is not None
    return SpaceFacts(table.counts, found, follow(board, table.path(board))[1] if reached else None)


def expanded_by_distance(puzzle: Puzzle, choice: Choice) -> SpaceSearch:
    """Run a search of a solvable puzzle and count its expansions by distance.

    >>> from slidewise import parse_puzzle
    >>> from slidewise.solver.compare import Choice
    >>> found = expanded_by_distance(parse_puzzle("1.0.3-4.2.5"), Choice("astar", "manhattan"))
    >>> found.by_distance[:4], found.length
    ((0, 1, 1, 0), 2)

    Raises `TooManyCellsError` above 10 cells.
    """
    task = _task(puzzle, choice)
    counts = [0] * (exact_table(puzzle.goal).diameter + 1)
    if puzzle.start == puzzle.goal:
        return SpaceSearch(tuple(counts), 0)
    compiling.load(str(task.algorithm.kernel))
    work, outcome = _work(task), Outcome.RUNNING
    with closing(work):
        while outcome is Outcome.RUNNING and work.expanded < MAX_EXPANSIONS:
            outcome = work.advance(min(SLICE, MAX_EXPANSIONS - work.expanded))
            for distance, count in _distances(work.expanded_states(), puzzle.goal):
                counts[distance] += count
        length = len(work.path()) - 1 if outcome is Outcome.GOAL else None
    return SpaceSearch(tuple(counts), length)


def _task(puzzle: Puzzle, choice: Choice) -> Task:
    heuristic = find_heuristic(choice.heuristic) if choice.heuristic else None
    limits = Limits(expansions=MAX_EXPANSIONS)
    algorithm = find_algorithm(choice.algorithm)
    return Task(puzzle, algorithm, heuristic, limits, EXACT_DEFAULT, MAX_EXPANSIONS)


def _work(task: Task) -> NodeStore | OnePathSearch:
    """Return the nodes of the search, as its algorithm creates them."""
    # deferred: loads numpy and the compiled kernels
    from slidewise.solver.engines import node_store, one_path, two_ends

    algorithm = task.algorithm
    assert algorithm.frontier is not None
    match algorithm.frontier.kind:
        case FrontierKind.TWO_ENDS:
            return two_ends.CompiledTwoEnds(task)
        case FrontierKind.PATH:
            return one_path.CompiledDeepening(task, uses_h=algorithm.uses_heuristic)
        case FrontierKind.RECURSION:
            return one_path.BestFirstRecursion(task)
    rank = algorithm.rank(task.weight)
    assert rank is not None
    return node_store.NodeStore(task, *rank, reopen=algorithm.key != "dfs")


def _distances(states: Uint64s, goal: Board) -> Iterator[tuple[int, int]]:
    """Yield the distances of packed boards of up to 16 cells, and the number of boards at each."""
    import numpy as np  # deferred: the web process stays without it

    count = len(goal.cells)
    slots = np.zeros(count, dtype=np.int64)
    slots[[tile for tile in goal.cells if tile]] = range(count - 1)
    cells = (states[:, :1] >> np.arange(0, 4 * count, 4, dtype=np.uint64)) & np.uint64(15)
    tiles = cells[cells > 0].reshape(-1, count - 1).astype(np.int64)
    rank = rank_of_arrangement(list(slots[tiles].T), count - 1)
    numbers = (count - 1 - cells.argmin(axis=1)) * factorial(count - 1) + rank
    found = np.bincount(exact_table(goal).values[numbers])
    yield from ((int(distance), int(found[distance])) for distance in found.nonzero()[0])
