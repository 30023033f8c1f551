"""Review the moves of a game: the distance after each, and the wasted moves.

Each move of a tile changes the distance to the goal by 1, because its parity follows the blank's
place. So n moves from a board d moves away to the goal hold (n - d) / 2 wasted moves. Each of them
costs two: itself and its compensation.

- Up to 10 cells the table of all boards has each distance.
- From 11 to 16 cells the boards are searched from the last to the first. The distances before and
  after a move differ by 1, so only a shorter solution has to be excluded. IDA* with pattern
  databases stops at this proof. Undecided boards stay between two bounds.
- Above that, some boards are searched. The best solutions found, together with the moves made, give
  the shortest known solution of each board.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter

from slidewise.analysis.distance import SEARCH_BYTES, SEARCH_CELLS
from slidewise.puzzle import Board, Puzzle, PuzzleError, Step, steps
from slidewise.solver.events import Finished, Iteration
from slidewise.solver.known import moves_at_least
from slidewise.solver.result import Result
from slidewise.solver.run import find_heuristic, search
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.task import Limits, nodes_within

SHARE_OF_TIME_LEFT = 0.5
"""Share of the remaining time for each search from 11 to 16 cells. Most searches take little of
it."""

SHORTEST_SEARCH_SECONDS = 0.02
"""Minimum time worth starting a search for."""

SEARCHES_ABOVE_16_CELLS = 12
"""Searches above 16 cells, with equal shares of the time. With more, each would be too short to
find a good solution."""


@dataclass(frozen=True, slots=True)
class DistanceBounds:
    """Distance bounds of a board, `at_least` to `at_most` moves.

    `tiles` are the first moves of the best known solutions.
    """

    at_least: int
    at_most: int
    tiles: tuple[int, ...] = ()

    @property
    def exact(self) -> bool:
        """Return whether the bounds are equal."""
        return self.at_least == self.at_most


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move, and the distances to the goal before and after it."""

    step: Step
    before: Board
    was: DistanceBounds
    now: DistanceBounds

    @property
    def wasted(self) -> bool:
        """Return whether it is known to lead away from the goal."""
        return self.now.at_most > self.was.at_most

    @property
    def proved(self) -> bool:
        """Return whether both distances are exact."""
        return self.was.exact and self.now.exact

    @property
    def better(self) -> tuple[int, ...]:
        """Return the better tiles to move, if it is wasted."""
        return self.was.tiles if self.wasted else ()


@dataclass(frozen=True)
class Review:
    """The moves made from the start of `puzzle`, and the distances of all boards, ends included.

    >>> from slidewise import parse_puzzle
    >>> seen = review(parse_puzzle("1.2.3-4.5.6-0.7.8"), "DULL", seconds=1)
    >>> [distance.at_most for distance in seen.distances]
    [2, 3, 2, 1, 0]
    >>> [(move.step.number, move.step.tile, move.better) for move in seen.moves if move.wasted]
    [(1, 4, (7,))]
    """

    puzzle: Puzzle
    made: str
    distances: tuple[DistanceBounds, ...]

    @property
    def moves(self) -> tuple[ReviewedMove, ...]:
        """Return the moves, each with the distances before and after it."""
        made = list(steps(self.puzzle.start, self.made))
        befores = [self.puzzle.start, *(step.board for step in made)]
        return tuple(
            ReviewedMove(step, before, was, now)
            for step, before, (was, now) in zip(
                made, befores, pairwise(self.distances), strict=False
            )
        )

    @property
    def wasted(self) -> int:
        """Return the number of moves known to lead away from the goal."""
        return sum(now.at_most > was.at_most for was, now in pairwise(self.distances))

    @property
    def exact(self) -> bool:
        """Return whether all distances are exact."""
        return all(distance.exact for distance in self.distances)


def review(puzzle: Puzzle, made: str, seconds: float) -> Review:
    """Review the moves `made` from the start of `puzzle`.

    Searches take up to about `seconds`, without the time to load and build tables. Up to 10 cells
    no search is needed, and all distances are exact.

    Raises `PuzzleError` if the goal cannot be reached, and `IllegalMoveError` for an illegal move.
    """
    if not puzzle.solvable:
        raise PuzzleError(f"{puzzle.start} cannot reach {puzzle.goal}")
    boards = [puzzle.start, *(step.board for step in steps(puzzle.start, made))]
    if puzzle.has_table:
        return Review(puzzle, made, _looked_up(puzzle.goal, boards))
    return Review(puzzle, made, _SearchedBounds(puzzle, boards, seconds).distances())


def _looked_up(goal: Board, boards: Sequence[Board]) -> tuple[DistanceBounds, ...]:
    table = exact_table(goal)
    found: dict[Board, DistanceBounds] = {}
    for board in boards:
        if board not in found:
            moves = table.distance(board) or 0
            found[board] = DistanceBounds(moves, moves, table.next_tiles(board))
    return tuple(found[board] for board in boards)


class _SearchedBounds:
    """Bounds of consecutive boards, tightened by searches."""

    def __init__(self, puzzle: Puzzle, boards: Sequence[Board], seconds: float) -> None:
        self._puzzle, self._boards = puzzle, boards
        self._known: dict[Board, DistanceBounds] = {puzzle.goal: DistanceBounds(0, 0)}
        self._room = nodes_within(SEARCH_BYTES, len(puzzle.goal.cells))
        if len(puzzle.goal.cells) <= SEARCH_CELLS:  # outside the time limit, as it may build tables
            find_heuristic("pdb").value(puzzle.goal, puzzle.goal)
        self._seconds = seconds
        self._ends = perf_counter() + seconds

    def distances(self) -> tuple[DistanceBounds, ...]:
        """Search, and return the final bounds of each board."""
        if len(self._puzzle.goal.cells) <= SEARCH_CELLS:
            self._go_back()
        else:
            self._probe()
        self._compare_neighbours()
        return tuple(self._known[board] for board in self._boards)

    def _go_back(self) -> None:
        """Prove the distance of each board from the last to the first, within the time."""
        self._search(self._boards[-1], SHARE_OF_TIME_LEFT * self._left)
        for before, after in reversed(list(pairwise(self._boards))):
            # If the next board is exact, only two distances are left: 1 more or 1 less.
            self._compare(before, after)
            self._raise_bound(before, find_heuristic("pdb").value(before, self._puzzle.goal))
            if not self._known[before].exact:
                self._search(before, SHARE_OF_TIME_LEFT * self._left)

    def _probe(self) -> None:
        """Search from the first board, the last, and those between, within the time."""
        share = self._seconds / min(SEARCHES_ABOVE_16_CELLS, len(self._boards))
        for number in _spread(len(self._boards)):
            # The first board is searched in any case, so that the game has a known solution.
            if self._left < share / 2 and number:
                break
            self._search(self._boards[number], share)
        self._compare_neighbours()
        # Bounds without a search come last: they apply only to boards with a known solution.
        for board in set(self._boards):
            self._raise_bound(board, moves_at_least(self._puzzle.starting_at(board)))

    def _compare_neighbours(self) -> None:
        """Propagate the bounds of each board to its neighbours in the game."""
        pairs = list(pairwise(self._boards))
        # A bound can travel along the whole game, and a second pass gets bounds from both ends.
        changed = True
        while changed:
            changed = False
            for before, after in pairs:
                changed |= self._compare(after, before)
            for before, after in reversed(pairs):
                changed |= self._compare(before, after)

    def _compare(self, board: Board, beside: Board) -> bool:
        """Bound the distance of `board` by the distance of `beside`, a single move away."""
        there = self._known.get(beside)
        if there is None:
            return False
        tile = board.cells[beside.blank]
        return self._learn(
            board, DistanceBounds(max(0, there.at_least - 1), there.at_most + 1, (tile,))
        )

    def _learn(self, board: Board, bounds: DistanceBounds) -> bool:
        """Intersect two bounds; return whether that changed anything."""
        known = self._known.get(board)
        # `tiles` belong to the upper bound, so both are taken from the same side.
        best = bounds if known is None or bounds.at_most < known.at_most else known
        at_least = max(bounds.at_least, known.at_least if known else 0)
        self._known[board] = DistanceBounds(at_least, best.at_most, best.tiles)
        return self._known[board] != known

    def _raise_bound(self, board: Board, at_least: int) -> None:
        known = self._known.get(board)
        if known is not None and at_least > known.at_least:
            self._known[board] = DistanceBounds(at_least, known.at_most, known.tiles)

    def _search(self, board: Board, seconds: float) -> None:
        """Search for about `seconds` for a shorter solution from `board` than is known."""
        known = self._known.get(board)
        if known is not None and (known.exact or seconds < SHORTEST_SEARCH_SECONDS):
            return
        limits = Limits(seconds=max(seconds, SHORTEST_SEARCH_SECONDS), stored_nodes=self._room)
        for event in search(self._puzzle.starting_at(board), "best", None, limits):
            if isinstance(event, Iteration) and known and event.limit >= known.at_most:
                self._raise_bound(board, known.at_most)  # all shorter solutions are excluded
                return
            if isinstance(event, Finished):
                self._update_from_path(event.result)

    def _update_from_path(self, result: Result) -> None:
        """Apply the bounds of a solution to each of its boards: after n moves, n moves less."""
        board, length = result.puzzle.start, len(result.moves)
        at_least = result.lower_bound or 0
        for number, tile in enumerate(result.tiles):
            self._learn(board, DistanceBounds(max(0, at_least - number), length - number, (tile,)))
            board = board.slide(tile)

    @property
    def _left(self) -> float:
        return self._ends - perf_counter()


def _spread(count: int) -> Iterator[int]:
    """Yield 0..count-1: the first, the last, then the middle of each gap in turn.

    >>> list(_spread(6))
    [0, 5, 2, 1, 3, 4]
    """
    yield from range(0, count, max(1, count - 1))
    gaps = [(0, count - 1)]
    while gaps:
        first, last = gaps.pop(0)

        middle = (first + last) // 2
        if middle > first:
            yield middle
            gaps += [(first, middle), (middle, last)]
