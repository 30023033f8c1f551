"""Expansions of a search by the distance of their boards from the goal.

All boards of a small puzzle are known with their distances, so a whole search can be shown on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import factorial
from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle import Board, Puzzle
from slidewise.solver.loop import Outcome
from slidewise.solver.plain.work import plain_search
from slidewise.solver.run import find_algorithm, find_heuristic
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.tables.order import rank_of_arrangement
from slidewise.solver.task import Limits, Task, follow

if TYPE_CHECKING:
    from slidewise.solver.compare import Choice

MAX_EXPANSIONS = 300_000
"""Maximum expansions of a search shown on all boards: more than the boards of 3x3."""


class SpaceSearch(NamedTuple):
    """Expansions of a search at each distance, up to the farthest board of the puzzle.

    `length` is the length of its path, None if it stopped at `MAX_EXPANSIONS`.
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
    """Boards at each distance from the goal, the expansions of searches, and a shortest path.

    `tiles` are the moves of the path from the given board, None if it cannot reach the goal.
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
    counts = [0] * (exact_table(puzzle.goal).diameter + 1)
    if puzzle.start == puzzle.goal:
        return SpaceSearch(tuple(counts), 0)
    heuristic = find_heuristic(choice.heuristic) if choice.heuristic else None
    search = plain_search(Task(puzzle, find_algorithm(choice.algorithm), heuristic, Limits()))
    tally, outcome = Counter[bytes](), Outcome.RUNNING

    def visit(board: bytes, *values: float) -> None:
        tally[board] += 1

    # Deepening searches expand a board many times; its distance is looked up only once.
    search.visit = visit
    while outcome is Outcome.RUNNING and search.expanded < MAX_EXPANSIONS:
        outcome = search.advance(MAX_EXPANSIONS - search.expanded)
    for distance, count in _distances(tally, puzzle.goal):
        counts[distance] += count
    length = len(search.path()) - 1 if outcome is Outcome.GOAL else None
    return SpaceSearch(tuple(counts), length)


def _distances(tally: Mapping[bytes, int], goal: Board) -> Iterator[tuple[int, int]]:
    """Yield the distances of boards, and the number of their expansions at each."""
    import numpy as np  # deferred: the web process stays without it

    count = len(goal.cells)
    # The table numbers boards by the arrangement of their tiles relative to the goal's order.
    slots = np.zeros(count, dtype=np.int64)
    slots[[tile for tile in goal.cells if tile]] = range(count - 1)
    cells = np.frombuffer(b"".join(tally), dtype=np.uint8).reshape(-1, count)
    tiles = cells[cells > 0].reshape(-1, count - 1)
    rank = rank_of_arrangement(list(slots[tiles].T), count - 1)
    numbers = (count - 1 - cells.argmin(axis=1)) * factorial(count - 1) + rank
    found = np.bincount(exact_table(goal).values[numbers], weights=list(tally.values()))
    yield from ((int(distance), int(found[distance])) for distance in found.nonzero()[0])
