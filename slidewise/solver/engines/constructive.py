"""Constructive solver: a path built tile by tile, long but immediate on every board.

The rows are filled from the top, each from the left, as people do (analysed by I. Parberry, 1995).
The last two rows are filled column by column, and the remaining 2x2 or 2x3 block is solved exactly.
The last two tiles of each line can block each other, so a block of six cells is searched for them.
"""

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from slidewise.puzzle import Board, Puzzle
from slidewise.puzzle.board import cell_distance, neighbour_cells


def constructive_path(puzzle: Puzzle) -> list[int]:
    """Return the blank's cells on some path from start to goal that repeats no board.

    The puzzle must be solvable, of any size and with any goal. Takes up to about 30 ms.

    >>> from slidewise import parse_puzzle
    >>> constructive_path(parse_puzzle("1.0.3-4.2.5"))
    [1, 4, 5]
    """
    goal = _Placing(puzzle.goal, puzzle.goal)
    goal.walk([len(puzzle.goal.cells) - 1])
    last = goal.path  # from the last cell, where the method leaves the blank, to its own cell
    placing = _Placing(puzzle.start, puzzle.goal, last)
    placing.run()
    return without_cycles(puzzle.start, placing.path + last[-2::-1])


def without_cycles(start: Board, blanks: Iterable[int]) -> list[int]:
    """Remove the cycles, parts between two equal boards, from the blank's path `blanks`.

    >>> from slidewise import parse_board
    >>> without_cycles(parse_board("1.2-3.0"), [3, 2, 0, 2, 3, 1])
    [3, 1]
    """
    cells = list(start.cells)
    path: list[int] = []
    boards: list[bytes] = []
    places: dict[bytes, int] = {}
    for blank in blanks:
        if path:
            cells[path[-1]], cells[blank] = cells[blank], 0
        board = bytes(cells)
        keep = places.get(board, len(path))
        # The board was seen at `keep`: the moves since then made a cycle.
        for dropped in boards[keep:]:
            del places[dropped]
        del boards[keep:], path[keep:]
        places[board] = keep
        boards.append(board)
        path.append(blank)
    return path


def fewest_moves(
    beside: Sequence[Sequence[int]], start: tuple[int, ...], ends: tuple[int, ...]
) -> list[int] | None:
    """Return the blank's cells on a shortest way that brings some tiles to the cells `ends`.

    `start` has the cells of the blank and of these tiles, and `beside` the cells that the blank can
    go to from each. All other tiles are alike. Returns None if there is no way.
    """
    came: dict[tuple[int, ...], tuple[int, ...]] = {start: ()}
    # Breadth-first, so the first path to reach the cells is a shortest path.
    queue = deque(came)
    while queue:
        state = queue.popleft()
        if state[1:] == ends:
            way = []
            while came[state]:
                way.append(state[0])
                state = came[state]
            return way[::-1]
        blank = state[0]
        for cell in beside[blank]:
            swap = {cell: blank, blank: cell}
            # A tile that is not in the state may be in `cell`; then only the blank's place changes.
            after = tuple(swap.get(place, place) for place in state)
            if after not in came:
                came[after] = state
                queue.append(after)
    return None


class _Placing:
    """A partly solved board and the blank's path so far.

    A tile is named by its home cell. If `way` is given, the blank moves along it in the goal, and
    the resulting board is the goal.
    """

    def __init__(self, start: Board, goal: Board, way: Sequence[int] = ()) -> None:
        self._cols = start.cols
        ends = list(goal.cells)
        for blank, cell in pairwise(way):
            ends[blank], ends[cell] = ends[cell], 0
        homes = {tile: cell for cell, tile in enumerate(ends)}
        self._tiles = [homes[tile] for tile in start.cells]
        self._at = [0] * len(ends)
        for cell, tile in enumerate(self._tiles):
            self._at[tile] = cell
        self._free = [True] * len(ends)
        self._beside = neighbour_cells(*start.size)
        self.path = [start.blank]

    def run(self) -> None:
        """Place all tiles, which leaves the blank in the last cell."""
        cells, cols = len(self._tiles), self._cols
        top = cells - 2 * cols  # the first cell of the last two rows
        for first in range(0, top, cols):
            self._fill(range(first, first + cols), self._block(first + cols - 2, 3, 2))
        for first in range(top, top + cols - 3):
            self._fill((first, first + cols), self._block(first, 2, 3))
        block = [cell for cell in range(cells) if self._free[cell]]
        self._search(block, block)

    def walk(self, targets: Collection[int], avoid: int = -1) -> None:
        """Move the blank along a shortest path to the nearest of the cells `targets`."""
        came = {self.path[-1]: -1}
        queue = deque(came)
        while (cell := queue.popleft()) not in targets:
            for beside in self._beside[cell]:
                if beside not in came and beside != avoid and self._free[beside]:
                    came[beside] = cell
                    queue.append(beside)
        way = []
        while came[cell] >= 0:
            way.append(cell)
            cell = came[cell]
        for cell in reversed(way):
            self._step(cell)

    def _step(self, cell: int) -> None:
        """Move the tile in `cell`, a neighbour of the blank, into the blank."""
        blank, tile = self.path[-1], self._tiles[cell]
        self._tiles[blank], self._tiles[cell] = tile, self._tiles[blank]
        self._at[tile], self._at[self._tiles[cell]] = blank, cell
        self.path.append(cell)

    def _fill(self, line: Sequence[int], block: Sequence[int]) -> None:
        """Place the tiles of a row or column. `block` is six cells around its last two."""
        *others, last = line
        for home in others:
            self._bring(home, home, {home})
            self._free[home] = False
        if self._at[last] != last:
            # Nearby is enough: the exact search in the block places the last two together.
            self._bring(last, block[-1], block)
            if self.path[-1] not in block:
                self.walk(block, self._at[last])
            self._search(block, line[-2:])
        self._free[last] = False

    def _bring(self, tile: int, target: int, until: Collection[int]) -> None:
        """Move `tile` nearer to `target` step by step, until it is in a cell of `until`."""
        while (cell := self._at[tile]) not in until:
            distance = cell_distance(cell, target, self._cols)
            free = [beside for beside in self._beside[cell] if self._free[beside]]
            # The blank goes around to the tile's far side, so that the next move brings it nearer.
            nearer = [
                beside for beside in free if cell_distance(beside, target, self._cols) < distance
            ]
            self.walk(nearer, cell)
            self._step(cell)

    def _search(self, block: Sequence[int], tiles: Sequence[int]) -> None:
        """Bring `tiles` home in the fewest moves inside `block`, which holds them and the blank."""
        beside = [[cell for cell in cells if cell in block] for cells in self._beside]
        # Other tiles are alike here, so two tiles have at most 6 * 5 * 4 states.
        start = (self.path[-1], *(self._at[tile] for tile in tiles))
        for cell in fewest_moves(beside, start, tuple(tiles)) or ():
            self._step(cell)

    def _block(self, first: int, rows: int, cols: int) -> list[int]:
        """Return the cells of the block whose first cell is `first`."""
        return [first + i * self._cols + j for i in range(rows) for j in range(cols)]
