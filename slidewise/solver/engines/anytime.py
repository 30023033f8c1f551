"""An anytime search for boards of any size: a path at once, then shorter ones, and a bound.

1. A path is put together tile by tile (`slidewise/solver/engines/by_hand.py`).
2. Beam searches look for shorter ones, in rounds of growing width. The first of a round goes from
   start to goal. Where there are no pattern databases, another path is made line by line: a beam
   for the tiles of the outermost lines that are left, then one for the next lines. After that
   come parts of the best path: each is searched anew, and a shorter way takes its place. With
   pattern databases these are also the parts from boards along the path to the goal.
3. In turns with that, IDA* raises the lower bound, with a fifth as many expansions.

The search ends by itself when its path is proved shortest, or after the round of the widest beams
that the limit of stored nodes allows. That takes about a minute with the default of that limit.

- A board counts as expanded and as generated in each beam, and in each iteration of IDA*.
- `stored` are the boards in all layers of the beam under way and the successors that it has made,
  and the path of IDA* with what waits along it; `frontier` is the part of them that waits.
- `deepest` counts the moves from the start, along the best path up to where a beam begins.
- A run repeats exactly where it is stopped by its expansions, however long it takes.

Sources: beam search, B. T. Lowerre, 1976; shortening a path by searches along it, H. Nakhost and
M. Müller, 2010; iterative deepening, R. E. Korf, 1985.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from slidewise.puzzle import Board, Puzzle
from slidewise.solver import loop
from slidewise.solver.bound import LowerBound
from slidewise.solver.engines.by_hand import constructive_path, without_cycles
from slidewise.solver.events import Improved, Progress
from slidewise.solver.find import find_heuristic
from slidewise.solver.heuristics.pdb import has_tables
from slidewise.solver.pace import End, Outcome, Pace
from slidewise.solver.result import Cost, Status
from slidewise.solver.verdict import of_path
from slidewise.text import plural

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from slidewise.solver.engines.beam import Beam
    from slidewise.solver.events import Event, Iteration, Preparing
    from slidewise.solver.result import Result
    from slidewise.solver.tables.patterns.database import PatternDatabase
    from slidewise.solver.task import Heuristic, Task

    Beams = Generator[Beam, Outcome, None]
    """Beams to be run one after the other, which is told what each of them ended with."""

FIRST_WIDTH, GROWTH = 1000, 3
"""Boards in a layer in the first round, and how many times as many from round to round."""

SPAN, STRIDE, SHORTEST = 50, 15, 20
"""Moves of the parts of a path that are searched anew, from the beginning of one part to that of
the next, and of the shortest part."""

CORE, LINES = 4, 2
"""Rows and columns of the block that is left for the last when a path is made line by line, and
the lines made at a time."""

BEAMS_TURN, PROOF_TURN = 50_000, 10_000
"""Expansions of the beams before it is the turn of IDA*, and of IDA* before it is theirs: a tenth
to a fifth of the time for IDA*."""


def prepare(puzzle: Puzzle) -> Iterator[Preparing]:
    """Load or build the tables that there are for a puzzle, telling how far that is."""
    return _heuristic(puzzle).prepare(puzzle)


def anytime(task: Task) -> Iterator[Event]:
    """Tell of ever shorter paths and greater lower bounds, and end with the best path.

    Its status is solved, whatever ended the search. The task's heuristic and its limit of depth
    are not used.
    """
    search = AnytimeSearch(task)  # before the clock starts, as it loads what it needs
    return loop.run(search, Pace(task.limits, task.cancelled))


def _heuristic(puzzle: Puzzle) -> Heuristic:
    """Return the heuristic that the lower bound comes from."""
    return find_heuristic("pdb" if has_tables(*puzzle.goal.size) else "linear-conflict")


class AnytimeSearch:
    """The beams and IDA*, in turns."""

    def __init__(self, task: Task) -> None:
        # Here and not above, as it loads numpy and the compiled kernel.
        from slidewise.solver.engines.one_path import Deepening

        self._task = task
        self._told = 0, 0
        bounding = task.with_heuristic(_heuristic(task.puzzle))
        self._bound = LowerBound(task.puzzle)
        self._proving: Deepening | None = Deepening(bounding, uses_h=True)
        self._proved = self._proving.cost(0)
        self._shortening = Shortening(task, bounding.estimate.patterns)
        self._beams_turn, self._left = True, BEAMS_TURN
        self._raise_bound()

    @property
    def path(self) -> list[int]:
        """Return the cells of the blank on the best path."""
        return self._shortening.path

    @property
    def length(self) -> int:
        """Return the moves of the best path."""
        return len(self.path) - 1

    @property
    def lower_bound(self) -> int:
        """Return the moves that every path is proved to have."""
        return self._bound.moves

    @property
    def expanded(self) -> int:
        """Return the number of nodes expanded by both."""
        return self._shortening.expanded + self._proved.expanded

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` nodes, all in one turn; EMPTY when there is no beam left."""
        before = self.expanded
        budget = min(budget, self._left)
        outcome = Outcome.RUNNING
        if self._beams_turn:
            outcome = self._shortening.advance(budget)
        else:
            self._prove(budget)
        self._left -= self.expanded - before
        if self._left <= 0 or (not self._beams_turn and self._proving is None):
            self._beams_turn = not self._beams_turn
            self._left = BEAMS_TURN if self._beams_turn else PROOF_TURN
        return outcome

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield nothing: the iterations of IDA* are not told."""
        return iter(())

    def news(self, outcome: Outcome) -> Iterator[Event]:
        """Yield the length of the best path and the lower bound where one of them is new."""
        known = self.length, self.lower_bound
        if known != self._told:
            self._told = known
            yield Improved(*known)

    def end(self, outcome: Outcome) -> End | None:
        """Return how the search ends by itself, if it does."""
        if self.length == self.lower_bound:
            return End(Status.SOLVED, "")
        if outcome is Outcome.EMPTY:
            return End(Status.SOLVED, self._shortening.reason)
        return None

    def progress(self, seconds: float) -> Progress:
        """Return how far the search is."""
        waiting, stored = self._shortening.held
        proving = self._proving.progress(0, 0) if self._proving else None
        cost = self.cost(seconds)
        return Progress(
            expanded=cost.expanded,
            generated=cost.generated,
            frontier=waiting + (proving.frontier if proving else 0),
            stored=stored + (proving.stored if proving else 0),
            deepest=cost.deepest,
            lower_bound=self.lower_bound,
            seconds=seconds,
        )

    def result(self, end: End, seconds: float) -> Result:
        """Return the best path, and how good it is proved to be."""
        bound = self.lower_bound
        verdict = of_path(self.length, bound, end.reason, bounded=True)
        return self._task.result(Status.SOLVED, verdict, bound, self.cost(seconds), self.path)

    def cost(self, seconds: float) -> Cost:
        """Return what the search has cost in all."""
        beams, proving = self._shortening.cost, self._proved
        return Cost(
            expanded=beams.expanded + proving.expanded,
            generated=beams.generated + proving.generated,
            peak_frontier=beams.peak_frontier + proving.peak_frontier,
            peak_stored=beams.peak_stored + proving.peak_stored,
            deepest=max(beams.deepest, proving.deepest),
            seconds=seconds,
        )

    def _prove(self, budget: int) -> None:
        """Go on with IDA*, as long as it can."""
        if self._proving is None:
            return
        outcome = self._proving.advance(budget)
        self._raise_bound()
        self._proved = self._proving.cost(0)
        if outcome is Outcome.GOAL:
            self._shortening.offer(self._proving.path())
        if outcome is not Outcome.RUNNING:
            self._proving = None

    def _raise_bound(self) -> None:
        if self._proving:
            self._bound.raise_to(self._proving.proved)


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
        width = FIRST_WIDTH
        while self._width < (most := self._room // (len(self.path) + 5)):
            self._width = min(width, most)
            yield from self._round(self._width)
            width *= GROWTH

    def _round(self, width: int) -> Beams:
        yield from self._again(0, len(self.path) - 1, width)
        if self._database is None:
            yield from self._line_by_line(width)
        yield from self._sweep(SPAN, width)
        if self._database:
            yield from self._sweep(len(self.path), width)

    def _sweep(self, span: int, width: int) -> Beams:
        """Search anew for all parts of `span` moves, and for those at the end that are shorter."""
        first = 0
        while (moves := len(self.path) - 1) - first >= SHORTEST:
            yield from self._again(first, min(first + span, moves), width)
            if len(self.path) - 1 == moves:
                first += STRIDE

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
    """Yield the tiles of the outermost LINES lines of a goal, then of the next ones too, and so on.

    A row or a column, whichever is shorter, is taken from the side that is farther from the
    blank, until CORE of each are left.

    >>> from slidewise import standard_goal
    >>> [sorted(tiles) for tiles in outer_lines(standard_goal(6, 4))]
    [[1, 2, 3, 4, 5, 6, 7, 8]]
    """
    blank = divmod(goal.blank, goal.cols)
    sides = [[0, goal.rows], [0, goal.cols]]  # of what is left: first and end
    homes = {tile: divmod(cell, goal.cols) for cell, tile in enumerate(goal.cells) if tile}
    taken = 0
    while max(end - first for first, end in sides) > CORE:
        axis = 0 if sides[0][1] - sides[0][0] >= sides[1][1] - sides[1][0] else 1
        first, end = sides[axis]
        near_end = blank[axis] - first >= end - 1 - blank[axis]
        sides[axis] = [first + near_end, end - (not near_end)]
        taken += 1
        if taken % LINES == 0:
            yield frozenset(tile for tile, home in homes.items() if not _inside(home, sides))


def _inside(home: tuple[int, int], sides: Sequence[Sequence[int]]) -> bool:
    return all(first <= place < end for place, (first, end) in zip(home, sides, strict=True))


def _at_home(puzzle: Puzzle, tiles: frozenset[int] | None) -> bool:
    """Return whether `tiles`, or all if it is None, are in their places."""
    pairs = zip(puzzle.start.cells, puzzle.goal.cells, strict=True)
    return all(here == there for here, there in pairs if tiles is None or there in tiles)
