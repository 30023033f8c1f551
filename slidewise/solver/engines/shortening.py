"""The beam searches of an anytime search: which parts of the best path are searched anew, and when.

They come in rounds of growing width, as `engines/anytime.py` describes.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from slidewise.puzzle import Board, Puzzle
from slidewise.solver.engines.by_hand import constructive_path, without_cycles
from slidewise.solver.pace import Outcome
from slidewise.solver.result import Cost
from slidewise.text import plural

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from slidewise.solver.engines.beam import Beam
    from slidewise.solver.tables.patterns.database import PatternDatabase
    from slidewise.solver.task import Task

    Beams = Generator[Beam, Outcome, None]
    """Beams to be run one after the other; each is sent what it ended with."""

FIRST_WIDTH_BOARDS, WIDTH_GROWTH = 1000, 3
"""The boards of a layer in the first round, and how many times as many each round has."""

PART_MOVES, STRIDE_MOVES, SHORTEST_PART_MOVES = 50, 15, 20
"""Moves of the parts of a path that are searched anew, from the beginning of one part to that of
the next, and of the shortest part."""

CORE_LINES, LINES_AT_A_TIME = 4, 2
"""Rows and columns of the block that is left for the last when a path is made line by line, and
the lines made at a time."""


class Shortening:
    """The best path so far, `path`, the beams that shorten it, and what they cost."""

    def __init__(self, task: Task, database: PatternDatabase | None) -> None:
        self._puzzle, self._database = task.puzzle, database
        self._room = task.limits.stored_nodes
        self.path = constructive_path(task.puzzle)
        self.cost = Cost(0, 1, 1, 1, len(self.path) - 1, 0.0)
        self._done = self.cost  # of the beams that have ended
        self._from = 0  # the moves from the start to where the beam under way begins
        self._width = 0
        self._beams = self._rounds()
        self._beam = next(self._beams, None)

    @property
    def expanded(self) -> int:
        """Return the number of boards expanded in all beams."""
        return self.cost.expanded

    @property
    def held(self) -> tuple[int, int]:
        """Return how many boards wait in the beam under way, and how many it stores."""
        return (self._beam.frontier, self._beam.stored) if self._beam else (0, len(self.path))

    @property
    def reason(self) -> str:
        """Return in words why there are no more beams."""
        room = f"as many as {plural(self._room, 'stored node')} allow"
        return f"beam search with up to {self._width:,} boards in a layer, {room}"

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` boards of one beam; EMPTY when there is none left."""
        if self._beam is None:
            return Outcome.EMPTY
        outcome = self._beam.advance(budget)
        self._count(self._beam)
        if outcome is not Outcome.RUNNING:
            self._done = self.cost
            try:
                self._beam = self._beams.send(outcome)
            except StopIteration:
                self._beam = None
        return Outcome.RUNNING if self._beam else Outcome.EMPTY

    def offer(self, path: Sequence[int]) -> None:
        """Take `path`, from start to goal, if it is shorter than the best one."""
        path = without_cycles(self._puzzle.start, path)
        if len(path) < len(self.path):
            self.path = path

    def _count(self, beam: Beam) -> None:
        self.cost = self._done.together_with(
            Cost(
                beam.expanded,
                beam.generated,
                beam.peak_frontier,
                beam.peak_stored,
                deepest=self._from + beam.layer,
                seconds=0.0,
            )
        )

    def _rounds(self) -> Beams:
        width = FIRST_WIDTH_BOARDS
        while self._width < (most := self._room // (len(self.path) + 5)):
            self._width = min(width, most)
            yield from self._round(self._width)
            width *= WIDTH_GROWTH

    def _round(self, width: int) -> Beams:
        yield from self._again(0, len(self.path) - 1, width)
        if self._database is None:
            yield from self._line_by_line(width)
        yield from self._sweep(PART_MOVES, width)
        if self._database:
            yield from self._sweep(len(self.path), width)

    def _sweep(self, span: int, width: int) -> Beams:
        """Search anew for all parts of `span` moves, and for those at the end that are shorter."""
        first = 0
        while (moves := len(self.path) - 1) - first >= SHORTEST_PART_MOVES:
            yield from self._again(first, min(first + span, moves), width)
            if len(self.path) - 1 == moves:
                first += STRIDE_MOVES

    def _again(self, first: int, last: int, width: int) -> Beams:
        """Search for a shorter way between two boards of the path."""
        if last - first <= 2:
            return
        start, goal = (board_after(self._puzzle.start, self.path[: i + 1]) for i in (first, last))
        database = self._database if goal == self._puzzle.goal else None
        beam = self._new_beam(first, Puzzle(start, goal), database, width, last - first - 2)
        if (yield beam) is Outcome.GOAL:
            self.offer([*self.path[:first], *beam.path(), *self.path[last + 1 :]])

    def _line_by_line(self, width: int) -> Beams:
        """Search for the tiles of the outermost lines, then for those of the next lines too."""
        puzzle, path = self._puzzle, [self._puzzle.start.blank]
        for tiles in [*outer_lines(puzzle.goal), None]:
            most = len(self.path) - len(path) - 2
            if most < 1:
                return
            if _at_home(puzzle, tiles):
                continue
            beam = self._new_beam(len(path) - 1, puzzle, None, width, most, tiles)
            found = (yield beam) is Outcome.GOAL
            way = beam.path() if found else beam.nearest()
            puzzle = puzzle.starting_at(board_after(puzzle.start, way))
            path += way[1:]
        self.offer([*path, *constructive_path(puzzle)[1:]])

    def _new_beam(
        self,
        first: int,
        puzzle: Puzzle,
        database: PatternDatabase | None,
        width: int,
        most: int,
        tiles: frozenset[int] | None = None,
    ) -> Beam:
        # Here and not above, as it loads numpy and the compiled kernel.
        from slidewise.solver.engines.beam import Beam

        self._from = first
        return Beam(puzzle, database, width, most, tiles)


def board_after(start: Board, blanks: Sequence[int]) -> Board:
    """Return the board after the blank of `start` has gone through the cells `blanks`.

    >>> from slidewise import parse_board
    >>> str(board_after(parse_board("1.0.3-4.2.5"), [1, 4, 5]))
    '1.2.3-4.5.0'
    """
    cells = list(start.cells)
    for blank, cell in pairwise(blanks):
        cells[blank], cells[cell] = cells[cell], 0
    return Board(start.rows, start.cols, tuple(cells))


def outer_lines(goal: Board) -> Iterator[frozenset[int]]:
    """Yield the tiles of the outermost lines of a goal, then of the next ones too, and so on.

    A row or a column, whichever is shorter, is taken from the side that is farther from the
    blank, LINES_AT_A_TIME of them, until CORE_LINES of each are left.

    >>> from slidewise import standard_goal
    >>> [sorted(tiles) for tiles in outer_lines(standard_goal(6, 4))]
    [[1, 2, 3, 4, 5, 6, 7, 8]]
    """
    blank = divmod(goal.blank, goal.cols)
    sides = [[0, goal.rows], [0, goal.cols]]  # of what is left: first and end
    homes = {tile: divmod(cell, goal.cols) for cell, tile in enumerate(goal.cells) if tile}
    taken = 0
    while max(end - first for first, end in sides) > CORE_LINES:
        axis = 0 if sides[0][1] - sides[0][0] >= sides[1][1] - sides[1][0] else 1
        first, end = sides[axis]
        near_end = blank[axis] - first >= end - 1 - blank[axis]
        sides[axis] = [first + near_end, end - (not near_end)]
        taken += 1
        if taken % LINES_AT_A_TIME == 0:
            yield frozenset(tile for tile, home in homes.items() if not _inside(home, sides))


def _inside(home: tuple[int, int], sides: Sequence[Sequence[int]]) -> bool:
    return all(first <= place < end for place, (first, end) in zip(home, sides, strict=True))


def _at_home(puzzle: Puzzle, tiles: frozenset[int] | None) -> bool:
    """Return whether `tiles`, or all if it is None, are in their places."""
    pairs = zip(puzzle.start.cells, puzzle.goal.cells, strict=True)
    return all(here == there for here, there in pairs if tiles is None or there in tiles)
