"""Beam search: arrays for its kernel, and the path that it found.

Importing this module loads numpy and the compiled functions, so import it lazily.
"""

from __future__ import annotations

import functools
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from slidewise.puzzle import Board, Puzzle
from slidewise.puzzle.board import cell_distance
from slidewise.solver import loop
from slidewise.solver.engines.constructive import constructive_path, without_cycles
from slidewise.solver.estimate import Estimate, line_value
from slidewise.solver.events import Improved, Progress
from slidewise.solver.heuristics.pdb import has_tables
from slidewise.solver.kernels import beam as kernel
from slidewise.solver.kernels import pattern_arrays
from slidewise.solver.kernels.jit import neighbours
from slidewise.solver.loop import End, LowerBound, Outcome
from slidewise.solver.result import Cost, Status
from slidewise.solver.run import find_heuristic
from slidewise.solver.tables.patterns.partition import Frame, find_partition
from slidewise.solver.task import follow, slots
from slidewise.text import message

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from slidewise.solver.events import Event, Iteration, Preparing
    from slidewise.solver.kernels.jit import Int64s
    from slidewise.solver.kernels.pattern_arrays import PatternArrays
    from slidewise.solver.result import Result
    from slidewise.solver.tables.patterns.database import PatternDatabase
    from slidewise.solver.task import Heuristic, Task

    Beams = Generator["Beam", Outcome, None]
    """Beams to run in sequence. The generator is sent the outcome of each."""


SEEN_PER_BOARD = 4
"""Remembered boards per board of a layer, as more shortened no path."""

PATIENCE_LAYERS = 60
"""Layers without a new lowest rank before the search gives up."""

WANTED_TILES_WEIGHT, OTHER_TILES_WEIGHT = 24, 4
"""Weights of the tiles in `tiles` and of the others, which weigh 1 more per line between them and
the blank, so that the tiles of the next lines weigh more."""

CONFLICTS_WEIGHT, DISTANCE_WEIGHT = 7, 2
"""Weights of linear conflicts and of a tile's distance; the distance's square has weight 1. The
squares bring far tiles home first, which would displace the others later."""

_OUTCOMES = {
    kernel.GOAL: Outcome.GOAL,
    kernel.BUDGET_USED: Outcome.RUNNING,
    kernel.NODES_FULL: Outcome.FULL,
    kernel.NONE_LEFT: Outcome.EMPTY,
    kernel.STUCK: Outcome.EMPTY,
}


class Beam:
    """A search layer by layer that keeps the `width` best boards of each.

    The path has 1 to `most` moves. The outcome EMPTY means that no path was found, and proves
    nothing. The boards are ranked by linear conflict and the goal's pattern database, if any. If
    `tiles` is given, only these are brought home; the others count less.

    >>> from slidewise import parse_puzzle
    >>> beam = Beam(parse_puzzle("1.0.3-4.2.5"), None, width=10, most=20)
    >>> beam.advance(1_000).name, beam.path()
    ('GOAL', [1, 4, 5])

    A run repeats exactly, whatever its slices. Source: B. T. Lowerre, The Harpy speech
    recognition system, 1976.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        database: PatternDatabase | None,
        width: int,
        most: int,
        tiles: frozenset[int] | None = None,
    ) -> None:
        self._puzzle, self._most = puzzle, most
        self._weight = CONFLICTS_WEIGHT if tiles is None else WANTED_TILES_WEIGHT
        self._neighbours = neighbours(puzzle.rows, puzzle.cols)
        estimate = Estimate(len(puzzle.goal.cells), (), database)
        self._arrays = self._allocate(width, _goal(puzzle.goal, tiles), estimate.pattern_arrays)
        self._counts = self._arrays.counts
        self._place_start(estimate)

    @property
    def expanded(self) -> int:
        return int(self._counts[kernel.EXPANDED])

    @property
    def generated(self) -> int:
        """Number of generated successors."""
        return int(self._counts[kernel.GENERATED])

    @property
    def layer(self) -> int:
        """Depth of the current layer in moves."""
        return int(self._counts[kernel.LAYER])

    @property
    def frontier(self) -> int:
        """Number of boards and successors on the frontier."""
        names = kernel.SIZE, kernel.PLACE, kernel.MADE, kernel.NEXT
        size, place, made, taken = (int(self._counts[name]) for name in names)
        expanding = self._counts[kernel.PHASE] == kernel.EXPANDING
        return size - place + made if expanding else made - place + taken

    @property
    def peak_frontier(self) -> int:
        """Peak size of the frontier."""
        return max(self.frontier, int(self._counts[kernel.PEAK_FRONTIER]))

    @property
    def stored(self) -> int:
        """Number of boards in all layers plus the successors for the next layer."""
        return 1 + int(self._counts[kernel.TAKEN] + self._counts[kernel.MADE])

    @property
    def peak_stored(self) -> int:
        """Peak number of stored boards."""
        return max(self.stored, int(self._counts[kernel.PEAK_STORED]))

    def advance(self, budget: int) -> Outcome:
        code = kernel.search_slice(self._arrays, self._weight, self._most, PATIENCE_LAYERS, budget)
        return _OUTCOMES[code]

    def path(self) -> list[int]:
        link = int(self._arrays.links[self._counts[kernel.TAKEN]])
        blanks = self._way(self.layer - 1, link >> 2)
        return [*blanks, int(self._neighbours[blanks[-1], link & 3])]

    def nearest(self) -> list[int]:
        """Return the blank's cells on the path to the first board with the lowest rank."""
        return self._way(
            int(self._counts[kernel.LOWEST_LAYER]), int(self._counts[kernel.LOWEST_ROW])
        )

    @property
    def lowest(self) -> int:
        """The lowest rank of a board."""
        return int(self._counts[kernel.LOWEST])

    def _way(self, layer: int, row: int) -> list[int]:
        """Return the cells of the blank from the start to the board in a row of a layer."""
        directions = []
        # A link holds the row of the parent in the layer before, and the blank's direction.
        for end in self._arrays.ends[:layer][::-1]:
            link = int(self._arrays.links[end + row])
            directions.append(link & 3)
            row = link >> 2
        blanks = [self._puzzle.start.blank]
        for direction in reversed(directions):
            blanks.append(int(self._neighbours[blanks[-1], direction]))
        return blanks

    def _allocate(
        self, width: int, goal: kernel.GoalArrays, patterns: PatternArrays
    ) -> kernel.BeamArrays:
        """Allocate the arrays, whose memory is committed page by page as they fill."""
        views = len(patterns.cell_maps)
        self._h = kernel.BOARD + -(-len(self._puzzle.goal.cells) // 8)  # the column
        columns = self._h + 1 + views + len(patterns.sizes)
        indices, others = np.empty((2, 4 * kernel.BLOCK, views), dtype=np.int64)
        return kernel.BeamArrays(
            layers=np.zeros((2, width, columns), dtype=np.int64),
            made=np.empty((4 * width, 1 + views), dtype=np.int64),
            ranks=np.empty(4 * width, dtype=np.int32),
            order=np.empty(4 * width, dtype=np.int32),
            tally=np.zeros(kernel.RANKS, dtype=np.int64),
            seen=np.zeros(slots(SEEN_PER_BOARD * width), dtype=np.int64),
            links=np.empty(width * self._most + 1, dtype=np.int32),
            ends=np.zeros(self._most + 2, dtype=np.int64),
            counts=np.zeros(kernel.COUNTS, dtype=np.int64),
            neighbours=self._neighbours,
            indices=indices,
            others=others,
            goal=goal,
            patterns=patterns,
        )

    def _place_start(self, estimate: Estimate) -> None:
        """Initialise the first layer with the start board."""
        start, row, goal = self._puzzle.start, self._arrays.layers[0, 0], self._arrays.goal
        cells = range(len(start.cells))
        row[kernel.KEY] = np.bitwise_xor.reduce(goal.hashes[start.cells, cells])
        row[kernel.BLANK] = start.blank
        row[kernel.EXTRA] = goal.extras[start.cells, cells].sum()
        for cell, tile in enumerate(start.cells):
            row[kernel.BOARD + cell // 8] |= np.int64(tile) << 8 * (cell % 8)
        row[self._h] = _linear_conflict(start, goal)
        views = len(self._arrays.patterns.cell_maps)
        if views:
            state = estimate.pattern_state(start)
            values = state[:, pattern_arrays.VALUE]
            spots = state[:, pattern_arrays.CELLS] << kernel.VALUE_BITS | values
            row[self._h + 1 :] = *values.reshape(views, -1).sum(axis=1), *spots
        self._counts[[kernel.SIZE, kernel.PEAK_FRONTIER, kernel.PEAK_STORED]] = 1
        sums = row[self._h + 1 : self._h + 1 + views].sum()
        self._counts[kernel.LOWEST] = self._weight * row[self._h] + row[kernel.EXTRA] + sums


def _linear_conflict(board: Board, goal: kernel.GoalArrays) -> int:
    """Manhattan distance with linear conflicts over the wanted tiles."""
    grid = np.array(board.cells).reshape(board.size)
    in_lines = zip(goal.lines.tolist(), [*grid.tolist(), *grid.T.tolist()], strict=True)
    conflicts = [
        line_value([homes[tile] for tile in tiles if homes[tile]]) for homes, tiles in in_lines
    ]
    distance = goal.distances[board.cells, range(len(board.cells))].sum()
    return int(distance) + sum(conflicts)


@functools.lru_cache(maxsize=8)
def _goal(goal: Board, tiles: frozenset[int] | None) -> kernel.GoalArrays:
    """Return the goal arrays for `tiles`, or for all tiles if it is None."""
    count = len(goal.cells)
    cells = np.array([divmod(cell, goal.cols) for cell in range(count)], dtype=np.int64)
    homes = np.empty(count, dtype=np.int64)
    homes[list(goal.cells)] = range(count)
    wanted = np.array([tile > 0 and (tiles is None or tile in tiles) for tile in range(count)])
    from_home = abs(cells[homes][:, None] - cells[None]).sum(axis=2).astype(np.int32)
    lines = np.zeros((goal.rows + goal.cols, count), dtype=np.int64)
    for tile in np.flatnonzero(wanted):
        row, col = cells[homes[tile]]
        lines[row, tile], lines[goal.rows + col, tile] = col + 1, row + 1
    distances = np.where(wanted[:, None], from_home, 0)
    from_blank = abs(cells[homes] - cells[homes[0]]).max(axis=1)
    if tiles is None:
        # The kernel adds the weighted linear conflict, which includes the distance already.
        extras = from_home * (from_home + DISTANCE_WEIGHT - CONFLICTS_WEIGHT)
    else:
        extras = np.where(wanted, 0, OTHER_TILES_WEIGHT + from_blank)[:, None] * from_home
    extras[0] = 0
    # Boards with the same wanted tiles and the same blank count as equal.
    hashed = wanted.copy()
    hashed[0] = True
    return kernel.GoalArrays(
        cells,
        np.ascontiguousarray(distances, dtype=np.int32),
        lines,
        np.ascontiguousarray(extras, dtype=np.int32),
        np.where(hashed[:, None], _random_numbers(count), 0),
    )


@functools.lru_cache(maxsize=8)
def _random_numbers(count: int) -> Int64s:
    """Return a (count, count) array of 64-bit random numbers from a fixed seed."""
    drawn = np.random.PCG64(count).random_raw(count * count)
    return np.asarray(drawn).astype(np.int64).reshape(count, count)


BOARDS_PER_CELL, WIDTH_GROWTH = 3, 3
"""Width of the first beams, in boards per cell, and its growth factor per round. The first path
takes 10 ms on 6x6 and 0.1 to 0.2 s on 10x10, where narrower beams get stuck early."""

PART_MOVES, STRIDE_MOVES, SHORTEST_PART_MOVES = 50, 15, 20
"""Window length, stride and shortest window, in moves, when parts of a path are searched again."""

PART_GROWTH, STRIDES_PER_PART = 1.5, 3
"""Growth factor of the window length, and strides per window, once the memory limits the width. A
window's beam is shorter than a beam to the goal, so it can be wider in the same memory."""

CORE_LINES, LINES_AT_A_TIME = 4, 2
"""Rows and columns of the last block when a path is built line by line, and lines per step."""

MAX_TRIES, NEAR_BLANK_MOVES = 3, 2
"""Goals tried in sequence from a stuck board, and the distance from its blank within which
displaced tiles are ignored."""


class Shortening:
    """The best path so far, the beams that shorten it, and their cost.

    With `goes_on`, once the beams are as wide as the memory allows, wider beams search longer and
    longer parts.
    """

    def __init__(
        self, task: Task, database: PatternDatabase | None, *, goes_on: bool = False
    ) -> None:
        self._puzzle, self._database = task.puzzle, database
        self._room, self._goes_on = task.limits.stored_nodes, goes_on
        self.path = constructive_path(task.puzzle)
        self.cost = Cost(0, 1, 1, 1, len(self.path) - 1, 0.0)
        self._done = self.cost  # of finished beams
        self._from = 0  # moves from the start to the root of the current beam
        self._width = 0
        self._beams = self._rounds()
        self._beam = next(self._beams, None)

    @property
    def expanded(self) -> int:
        """Number of boards expanded by all beams."""
        return self.cost.expanded

    @property
    def held(self) -> tuple[int, int]:
        """Return the frontier and stored counts of the current beam."""
        return (self._beam.frontier, self._beam.stored) if self._beam else (0, len(self.path))

    @property
    def reason(self) -> str:
        """Human-readable reason why no beams remain."""
        return message(
            "beam search with up to %(width)s boards in a layer, as many as %(room)s stored nodes "
            "allow",
            width=self._width,
            room=self._room,
        )

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` boards of a beam. Returns EMPTY after the last beam."""
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
        """Replace the best path with `path` if that is shorter."""
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
        width = BOARDS_PER_CELL * len(self._puzzle.goal.cells)
        # A beam stores `width` links for each move of the path, which bounds its width.
        while self._width < (most := self._room // (len(self.path) + 5)):
            self._width = min(width, most)
            yield from self._to_goal(self._width)
            yield from self._sweep(PART_MOVES, STRIDE_MOVES, self._width)
            if self._database:
                yield from self._sweep(len(self.path), STRIDE_MOVES, self._width)
            width *= WIDTH_GROWTH
        span = PART_MOVES
        while self._goes_on and (span := int(span * PART_GROWTH)) < len(self.path):
            width = self._room // (span + 5)
            self._width = max(self._width, width)
            yield from self._sweep(span, span // STRIDES_PER_PART, width)

    def _sweep(self, span: int, stride: int, width: int) -> Beams:
        """Search again all windows of `span` moves, and shorter windows at the end."""
        first = 0
        while (moves := len(self.path) - 1) - first >= SHORTEST_PART_MOVES:
            yield from self._again(first, min(first + span, moves), width)
            # After an improvement the same window is tried again.
            if len(self.path) - 1 == moves:
                first += stride

    def _again(self, first: int, last: int, width: int) -> Beams:
        """Search for a shorter way between two boards of the path."""
        if last - first <= 2:
            return
        start, goal = (board_after(self._puzzle.start, self.path[: i + 1]) for i in (first, last))
        # The tables are built for the puzzle's own goal.
        database = self._database if goal == self._puzzle.goal else None
        beam = self._new_beam(first, Puzzle(start, goal), database, width, last - first - 2)
        if (yield beam) is Outcome.GOAL:
            self.offer([*self.path[:first], *beam.path(), *self.path[last + 1 :]])

    def _to_goal(self, width: int) -> Beams:
        """Search for all tiles, also with the blank elsewhere, then line by line.

        From a stuck board it searches for the tiles of the outermost lines, then of the next lines.
        """
        path = yield from self._with_blank_elsewhere(width)
        puzzle = self._puzzle.starting_at(board_after(self._puzzle.start, path))
        for tiles in [*outer_lines(puzzle.goal), None]:
            if _at_home(puzzle, tiles):
                continue
            most = len(self.path) - len(path) - 2
            if most < 1:
                return
            database = self._database if tiles is None else None
            beam = self._new_beam(len(path) - 1, puzzle, database, width, most, tiles)
            found = (yield beam) is Outcome.GOAL
            way = beam.path() if found else beam.nearest()
            puzzle = puzzle.starting_at(board_after(puzzle.start, way))
            path += way[1:]
        self.offer([*path, *constructive_path(puzzle)[1:]])

    def _with_blank_elsewhere(self, width: int) -> Generator[Beam, Outcome, list[int]]:
        """Search for the goal, then from a stuck board for goals with the blank elsewhere.

        Returns the path to the goal or to the last stuck board.

        A stuck board has a few tiles to go, far from the blank, whose way to them displaces others.
        The blank of the next goal is in the cell of one of these tiles, so that this way counts as
        progress. At last the blank goes home.
        """
        start, goal, path = self._puzzle.start, self._puzzle.goal, [self._puzzle.start.blank]
        walk = [goal.blank]  # of the blank, from the goal to the beam's goal
        lowest, tried = float("inf"), set[int]()
        while (most := len(self.path) - len(path) - 2) > 0:
            target = Puzzle(start, board_after(goal, walk))
            database = self._database if target.goal == goal else None
            beam = self._new_beam(len(path) - 1, target, database, width, most)
            if (yield beam) is Outcome.GOAL:
                return [*path, *beam.path()[1:], *walk[-2::-1]]
            if beam.lowest < lowest:
                lowest = beam.lowest
                # Progress: the goals that failed from the old board may succeed from this one.
                tried.clear()
                start = board_after(start, beam.nearest())
                path += beam.nearest()[1:]
            cells = [cell for cell in cells_to_go(start, target.goal) if cell not in tried]
            if not cells or len(tried) == MAX_TRIES:
                break
            tried.add(cells[0])
            walk = _walk(goal, cells[0])
        return path

    def _new_beam(
        self,
        first: int,
        puzzle: Puzzle,
        database: PatternDatabase | None,
        width: int,
        most: int,
        tiles: frozenset[int] | None = None,
    ) -> Beam:
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


def cells_to_go(board: Board, goal: Board) -> list[int]:
    """Return the cells of tiles away from home, the farthest first, and then by way from the blank.

    Tiles within NEAR_BLANK_MOVES of the blank are left out, as its last moves displaced them.

    >>> from slidewise import parse_board, standard_goal
    >>> cells_to_go(parse_board("2.1.3-4.5.6-8.7.0"), standard_goal(3, 3))
    [1, 0]
    """
    homes = {tile: cell for cell, tile in enumerate(goal.cells)}
    found = []
    for cell, tile in enumerate(board.cells):
        near = cell_distance(cell, board.blank, board.cols)
        if tile and cell != homes[tile] and near > NEAR_BLANK_MOVES:
            found.append((-cell_distance(cell, homes[tile], board.cols), near, cell))
    return [cell for _, _, cell in sorted(found)]


def _walk(board: Board, end: int) -> list[int]:
    """Return the blank's cells on its way to the cell `end`, along its row and then a column."""
    row, col = divmod(board.blank, board.cols)
    last_row, last_col = divmod(end, board.cols)
    along = range(col, last_col, 1 if last_col > col else -1)
    down = range(row, last_row, 1 if last_row > row else -1)
    cells = [*((row, place) for place in along), *((place, last_col) for place in down)]
    return [*(row * board.cols + col for row, col in cells), end]


def outer_lines(goal: Board) -> Iterator[frozenset[int]]:
    """Yield the tiles of the outermost lines of a goal, then of the next lines too, and so on.

    A row or a column, whichever is shorter, is taken from the side that is farther from the
    blank, LINES_AT_A_TIME of them, until CORE_LINES of each are left.

    >>> from slidewise import standard_goal
    >>> [sorted(tiles) for tiles in outer_lines(standard_goal(6, 4))]
    [[1, 2, 3, 4, 5, 6, 7, 8]]
    """
    blank = divmod(goal.blank, goal.cols)
    sides = [[0, goal.rows], [0, goal.cols]]  # of the remaining block: first and end
    homes = {tile: divmod(cell, goal.cols) for cell, tile in enumerate(goal.cells) if tile}
    taken = 0
    while max(end - first for first, end in sides) > CORE_LINES:
        axis = 0 if sides[0][1] - sides[0][0] >= sides[1][1] - sides[1][0] else 1
        first, end = sides[axis]
        # The line on the side away from the blank is taken off.
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


BEAMS_TURN_EXPANSIONS, PROOF_TURN_EXPANSIONS = 50_000, 10_000
"""Expansions of the beams and of IDA* in a turn, a tenth to a fifth of the time for IDA*."""

THOROUGH_TURN_EXPANSIONS = 200_000
"""Expansions of IDA* in a turn if there are larger tables, about half of the time."""


LAST_TURN_EXPANSIONS = 2_000_000
"""Expansions of IDA* after the last beam, about 1 s. They prove paths of up to about 40 moves,
whose beams end before the first turn of IDA*."""


def prepare(puzzle: Puzzle) -> Iterator[Preparing]:
    """Load or build the tables of a puzzle and yield progress."""
    yield from _heuristic(puzzle).prepare(puzzle)


def anytime(task: Task) -> Iterator[Event]:
    """Yield improved paths and lower bounds, and end with the best path.

    The status is SOLVED unless that path exceeds the depth limit. The task's heuristic is not used.
    """
    return loop.run(AnytimeSearch(task), task)


def _heuristic(puzzle: Puzzle) -> Heuristic:
    """Return the heuristic that proves the lower bound."""
    return find_heuristic("pdb" if has_tables(*puzzle.goal.size) else "linear-conflict")


def has_larger_tables(goal: Board, database: PatternDatabase) -> bool:
    """Whether `database` differs from the default for `goal`."""
    frame = Frame.of(goal)
    return database.partition != find_partition(frame.rows, frame.cols, frame.blank).name


class AnytimeSearch:
    """Beam search and IDA* in alternating turns.

    Without a limit of time or expansions, or with `stops_early`, the search ends when its beams are
    as wide as the memory allows and IDA* has had a last turn. Otherwise it goes on until the limit:
    beams search longer parts of the path, and then IDA* raises the lower bound.
    """

    def __init__(self, task: Task) -> None:
        # deferred: load numpy and the compiled kernels
        from slidewise.solver.engines.one_path import CompiledDeepening
        from slidewise.solver.engines.pattern_deepening import PatternDeepening

        self._task = task
        self._reported = 0, 0
        bounding = task.with_heuristic(_heuristic(task.puzzle))
        self._bound = LowerBound(task.puzzle)
        database = bounding.estimate.patterns
        self._proving: CompiledDeepening | PatternDeepening | None = (
            PatternDeepening(bounding) if database else CompiledDeepening(bounding, uses_h=True)
        )
        self._proved = self._proving.cost(0)
        self._thorough = database is not None and has_larger_tables(task.puzzle.goal, database)
        limits = task.limits
        is_limited = limits.seconds is not None or limits.expansions is not None
        self._goes_on = is_limited and (self._thorough or not limits.stops_early)
        self._shortening = Shortening(task, database, goes_on=self._goes_on)
        self._beams_turn, self._left = True, BEAMS_TURN_EXPANSIONS
        self._is_last_turn = False
        self._raise_bound()

    @property
    def path(self) -> list[int]:
        """Cells of the blank on the best path."""
        return self._shortening.path

    @property
    def length(self) -> int:
        """Moves of the best path."""
        return len(self.path) - 1

    @property
    def lower_bound(self) -> int:
        """Proved lower bound in moves."""
        return self._bound.moves

    @property
    def expanded(self) -> int:
        """Number of nodes expanded by both searches."""
        return self._shortening.expanded + self._proved.expanded

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` nodes in a turn. Returns EMPTY after the last turn."""
        before = self.expanded
        budget = min(budget, self._left)
        outcome = Outcome.RUNNING
        if self._beams_turn:
            outcome = self._shortening.advance(budget)
        else:
            self._prove(budget)
        self._left -= self.expanded - before
        if self._is_last_turn:
            return Outcome.RUNNING if self._proving and self._left > 0 else Outcome.EMPTY
        if outcome is Outcome.EMPTY and self._proving:
            # The beams are done, so the rest of the time is for the proof.
            self._is_last_turn = not self._goes_on
            self._beams_turn = False
            self._left = PROOF_TURN_EXPANSIONS if self._goes_on else LAST_TURN_EXPANSIONS
            return Outcome.RUNNING
        if self._left <= 0 or (not self._beams_turn and self._proving is None):
            self._beams_turn = not self._beams_turn
            proof = THOROUGH_TURN_EXPANSIONS if self._thorough else PROOF_TURN_EXPANSIONS
            self._left = BEAMS_TURN_EXPANSIONS if self._beams_turn else proof
        return outcome

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield nothing, as IDA* iterations are not reported."""
        return iter(())

    def news(self, outcome: Outcome) -> Iterator[Event]:
        """Yield the best length and the lower bound if either changed."""
        known = self.length, self.lower_bound
        if known != self._reported:
            self._reported = known
            moves, _ = follow(self._task.puzzle.start, self.path)
            yield Improved(*known, moves)

    def end(self, outcome: Outcome) -> End | None:
        if beyond := loop.cutoff_by_bound(self._task, self.lower_bound):
            return beyond
        if self.length == self.lower_bound:
            return End(Status.SOLVED, "")
        if outcome is Outcome.EMPTY:
            return End(Status.SOLVED, self._shortening.reason)
        return None

    def progress(self, seconds: float) -> Progress:
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
        """Return the best path with its proved bound."""
        cost = self.cost(seconds)
        return loop.best_result(self._task, end, self.path, self.lower_bound, cost)

    def cost(self, seconds: float) -> Cost:
        """Return the cost of the whole search."""
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
        """Advance IDA* unless it has ended."""
        if self._proving is None:
            return
        outcome = self._proving.advance(budget)
        self._raise_bound()
        self._proved = self._proving.cost(0)
        if outcome is Outcome.GOAL:
            self._shortening.offer(self._proving.path())
        if outcome is not Outcome.RUNNING:
            self.close()
            self._proving = None

    def close(self) -> None:
        """Shut down the threads of IDA*."""
        if self._proving:
            self._proving.close()

    def _raise_bound(self) -> None:
        if self._proving:
            self._bound.raise_to(self._proving.proved)
