"""Review the moves of a game: the distance to the goal after each, and the moves that led away.

Each move of a tile brings the goal one move nearer or takes it one move away (a board's distance
has the parity of its blank's place). So n moves from a board d moves away to the goal hold
(n - d) / 2 that led away, and each of them costs two: itself and the one that makes up for it.

- Up to 10 cells the table of all boards has each distance.
- From 11 to 16 cells the boards are searched from the last to the first. The distances before and
  after a move differ by one, so the only question is whether there is a shorter way than the one
  just made: IDA* with pattern databases is stopped once it has proved that there is none. What
  cannot be settled in the time stays between two bounds.
- Above that, some of the boards are searched, and the best solutions found, together with the moves
  made, give the shortest way known from each board.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING

from slidewise.puzzle import PuzzleError, steps
from slidewise.solver.events import Finished, Iteration
from slidewise.solver.find import find_heuristic
from slidewise.solver.known import moves_at_least
from slidewise.solver.limits import Limits, nodes_within
from slidewise.solver.run import search
from slidewise.solver.tables.exact import exact_table
from slidewise.study.distance_ahead import SEARCH_BYTES, SEARCH_CELLS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slidewise.puzzle import Board, Puzzle, Step
    from slidewise.solver.result import Result


SHARE_OF_TIME_LEFT = 0.5
"""The part of the time left that one search may take from 11 to 16 cells: half of it remains for
all others, of which most are settled at once."""

SHORTEST_SEARCH_SECONDS = 0.02
"""The shortest time for which a search is worth starting."""

SEARCHES_ABOVE_16_CELLS = 12
"""Searches above 16 cells, which share the time equally: with more of them each would be too short
to find a good solution."""


@dataclass(frozen=True, slots=True)
class DistanceBounds:
    """What is known of a board's distance: it is from `at_least` to `at_most` moves, and the best
    solutions known begin with one of `tiles`."""

    at_least: int
    at_most: int
    tiles: tuple[int, ...] = ()

    @property
    def exact(self) -> bool:
        """Return whether the bounds are equal."""
        return self.at_least == self.at_most


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move that was made, and the distances to the goal of the boards before and after it."""

    step: Step
    before: Board
    was: DistanceBounds
    now: DistanceBounds

    @property
    def wasted(self) -> bool:
        """Return whether it led away from the goal, as far as is known."""
        return self.now.at_most > self.was.at_most

    @property
    def proved(self) -> bool:
        """Return whether both distances are exact."""
        return self.was.exact and self.now.exact

    @property
    def better(self) -> tuple[int, ...]:
        """Return the tiles to move instead, where it is wasted."""
        return self.was.tiles if self.wasted else ()


@dataclass(frozen=True)
class Review:
    """Moves that were made from the start of `puzzle`, and the distance of each board on the way,
    the start and the last one included.

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
        """Return the moves, each with what is known of the boards before and after it."""
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
        """Return how many moves led away from the goal, as far as is known."""
        return sum(now.at_most > was.at_most for was, now in pairwise(self.distances))

    @property
    def exact(self) -> bool:
        """Return whether all distances are known exactly."""
        return all(distance.exact for distance in self.distances)


def review(puzzle: Puzzle, made: str, seconds: float) -> Review:
    """Return the review of the moves `made` from the start of `puzzle`.

    Searches take up to about `seconds`, without the time to load and build tables; up to 10 cells
    none is needed, and all distances are exact.

    Raises `PuzzleError` where the goal cannot be reached, `IllegalMoveError` where a move cannot
    be made.
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
    """The bounds of boards that follow each other, found by searches; they only get tighter."""

    def __init__(self, puzzle: Puzzle, boards: Sequence[Board], seconds: float) -> None:
        self._puzzle, self._boards = puzzle, boards
        self._known: dict[Board, DistanceBounds] = {puzzle.goal: DistanceBounds(0, 0)}
        self._room = nodes_within(SEARCH_BYTES, len(puzzle.goal.cells))
        if len(puzzle.goal.cells) <= SEARCH_CELLS:  # not within the time, as it may build tables
            find_heuristic("pdb").value(puzzle.goal, puzzle.goal)
        self._seconds = seconds
        self._ends = perf_counter() + seconds

    def distances(self) -> tuple[DistanceBounds, ...]:
        """Search, and return what is known of each board in the end."""
        if len(self._puzzle.goal.cells) <= SEARCH_CELLS:
            self._go_back()
        else:
            self._probe()
        self._compare_neighbours()
        return tuple(self._known[board] for board in self._boards)

    def _go_back(self) -> None:
        """Settle each board from the last to the first, as far as the time allows."""
        self._search(self._boards[-1], SHARE_OF_TIME_LEFT * self._left)
        for before, after in reversed(list(pairwise(self._boards))):
            self._compare(before, after)
            self._raise_bound(before, find_heuristic("pdb").value(before, self._puzzle.goal))
            if not self._known[before].exact:
                self._search(before, SHARE_OF_TIME_LEFT * self._left)

    def _probe(self) -> None:
        """Search from the first board, the last, and those between, as far as the time allows."""
        share = self._seconds / min(SEARCHES_ABOVE_16_CELLS, len(self._boards))
        for number in _spread(len(self._boards)):
            if self._left < share / 2 and number:
                break
            self._search(self._boards[number], share)
        self._compare_neighbours()
        for board in set(self._boards):
            self._raise_bound(board, moves_at_least(self._puzzle.starting_at(board)))

    def _compare_neighbours(self) -> None:
        """Carry the bounds of each board over to those before and after it."""
        pairs = list(pairwise(self._boards))
        changed = True
        while changed:
            changed = False
            for before, after in pairs:
                changed |= self._compare(after, before)
            for before, after in reversed(pairs):
                changed |= self._compare(before, after)

    def _compare(self, board: Board, beside: Board) -> bool:
        """Bound the distance of `board` by that of `beside`, one move away."""
        there = self._known.get(beside)
        if there is None:
            return False
        tile = board.cells[beside.blank]
        return self._learn(
            board, DistanceBounds(max(0, there.at_least - 1), there.at_most + 1, (tile,))
        )

    def _learn(self, board: Board, told: DistanceBounds) -> bool:
        """Combine what is known with what is told; return whether that changed anything."""
        known = self._known.get(board)
        best = told if known is None or told.at_most < known.at_most else known
        at_least = max(told.at_least, known.at_least if known else 0)
        self._known[board] = DistanceBounds(at_least, best.at_most, best.tiles)
        return self._known[board] != known

    def _raise_bound(self, board: Board, at_least: int) -> None:
        known = self._known.get(board)
        if known is not None and at_least > known.at_least:
            self._known[board] = DistanceBounds(at_least, known.at_most, known.tiles)

    def _search(self, board: Board, seconds: float) -> None:
        """Look for a shorter way from `board` than is known, for about so many seconds."""
        known = self._known.get(board)
        if known is not None and (known.exact or seconds < SHORTEST_SEARCH_SECONDS):
            return
        limits = Limits(seconds=max(seconds, SHORTEST_SEARCH_SECONDS), stored_nodes=self._room)
        for event in search(self._puzzle.starting_at(board), "best", None, limits):
            if isinstance(event, Iteration) and known and event.limit >= known.at_most:
                self._raise_bound(board, known.at_most)  # all shorter ways are ruled out
                return
            if isinstance(event, Finished):
                self._update_from_path(event.result)

    def _update_from_path(self, result: Result) -> None:
        """Note the bounds of each board of a solution: after n moves, n moves less."""
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


MOST_STARS = 3
"""The stars of a shortest solution."""


def stars(moves: int, shortest: int) -> int:
    """Return the stars of a solution of so many moves, `shortest` being the length of a shortest
    one: 3 for a shortest, 2 up to a quarter more, 1 for any other.

    >>> [stars(moves, 24) for moves in (24, 26, 30, 31)]
    [3, 2, 2, 1]
    """
    if moves <= shortest:
        return MOST_STARS
    return 2 if 4 * moves <= 5 * shortest else 1
