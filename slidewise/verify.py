"""Checks a certificate of `slidewise prove`: `python -m slidewise.verify FILE [--tables FILE]`.

It claims that a board has a solution of so many moves, and that none has fewer than so many. This
program shares no code with the solver. It checks

1. that the moves are legal, lead to the goal and are as many as is said;
2. that each view of the pattern tables lays the board on their grid, blank's home on blank's home,
   and that no tile is in two groups: so what the groups need by themselves adds up;
3. that these are the tables that are meant, and, up to 16 cells, that no entry is above the fewest
   moves of the group's tiles, which a search of its own finds from the goal;
4. up to 16 cells that no solution has fewer moves than is said: by what the tables say of the
   start, or by a search of its own, layer by layer, which ends when no board is left from which
   the goal could be reached in time; it is given up when a layer has 3 million boards.

The rest is told as on trust. Exit code: 0, 1 if a claim is false, 2 if there is none to read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Boards = NDArray[np.uint8]

MOST_TEXT, MOST_BYTES = 2**20, 2**32  # of a certificate and of tables, which strangers wrote
CELLS_SEARCHED, TILES_SEARCHED = 16, 6  # the most that is searched here
MOST_BOARDS, LOOKED_UP = 3_000_000, 500_000  # of a layer: else it is given up; and at once: 1 GB
NOT_FOUND = 255


class RefutedError(Exception):
    """A claim that is false."""


class UnreadableError(Exception):
    """What cannot be read."""


def main(arguments: list[str] | None = None) -> int:
    """Check the certificate that the command names, and return the exit code."""
    parser = argparse.ArgumentParser("python -m slidewise.verify", description="Check a proof.")
    parser.add_argument("file", type=Path, help="the certificate")
    parser.add_argument("--tables", type=Path, help="the tables, if they are elsewhere by now")
    given = parser.parse_args(arguments)
    try:
        print(*verify(given.file, given.tables), sep="\n")
    except (RefutedError, UnreadableError) as error:
        code = 1 if isinstance(error, RefutedError) else 2
        print(f"{'refuted' if code == 1 else 'cannot be checked'}: {error}", file=sys.stderr)
        return code
    return 0


def verify(file: Path, tables: Path | None = None) -> list[str]:
    """Return what was checked and what is on trust; raise `RefutedError`, `UnreadableError`."""
    try:
        if size(file) > MOST_TEXT:
            raise UnreadableError(f"{file} is too large for a certificate")
        said = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableError(f"{file} is no JSON that can be read: {error}") from None
    claim = Claim(said, tables)
    return [claim.path(), claim.views_fit(), *claim.tables_hold(), claim.bound_holds()]


class Claim:
    """What a certificate says. Boards are lists of tiles in reading order, 0 for the blank."""

    def __init__(self, said: object, tables: Path | None) -> None:
        if field(said, "format") != "slidewise certificate 1":
            raise UnreadableError("it is not a certificate of version 1")
        self.rows, self.cols = field(said, "rows", 0), field(said, "cols", 0)
        self.cells = self.rows * self.cols
        if not (2 <= self.rows <= 8 and 2 <= self.cols <= 8 and self.cells <= 25):
            raise UnreadableError("boards have at least 2 rows and columns and at most 25 cells")
        self.start, self.goal = field(said, "start", 1), field(said, "goal", 1)
        if not sorted(self.start) == sorted(self.goal) == list(range(self.cells)):
            raise UnreadableError("'start' and 'goal' must have each tile and the blank once")
        self.moves = str(field(said, "moves"))
        self.length, self.bound = field(said, "length", 0), field(said, "lower_bound", 0)
        about = field(said, "tables")
        self.grid = field(about, "rows", 0), field(about, "cols", 0)
        self.views = [list(view) for view in dict.fromkeys(map(tuple, field(about, "views", 2)))]
        self.groups = field(about, "groups", 2)
        self.weights = self.cells ** np.arange(TILES_SEARCHED)[::-1]  # cells are an index's digits
        file = tables or Path(str(field(about, "file")))
        self.tables = self._read(file, field(about, "offset", 0), str(field(about, "sha256")))

    def _read(self, file: Path, offset: int, sha256: str) -> list[NDArray[np.uint8]]:
        """Return the table of each group, if the file has them and is the one that is meant."""
        if not all(0 < len(group) <= TILES_SEARCHED for group in self.groups):
            raise UnreadableError(f"each group must have 1 to {TILES_SEARCHED} tiles")
        ends = [offset]
        for group in self.groups:
            ends.append(ends[-1] + self.cells ** len(group))
        try:
            if not size(file) == ends[-1] <= MOST_BYTES:
                raise UnreadableError(f"the tables in {file} have another size than is said")
            data = np.memmap(file, np.uint8, "r")
        except (OSError, ValueError) as error:
            raise UnreadableError(f"name the tables with --tables: {error}") from None
        if hashlib.sha256(data.data).hexdigest() != sha256:
            raise RefutedError(f"the tables in {file} are not those that the certificate is about")
        return [data[at:end] for at, end in pairwise(ends)]

    def path(self) -> str:
        """Check the moves: the directions that tiles go in."""
        board, blank = list(self.start), self.start.index(0)
        for number, letter in enumerate(self.moves, 1):
            down, right = {"U": (1, 0), "D": (-1, 0), "L": (0, 1), "R": (0, -1)}.get(letter, (9, 9))
            row, col = blank // self.cols + down, blank % self.cols + right
            if not (0 <= row < self.rows and 0 <= col < self.cols):
                raise RefutedError(f"move {number}, {letter!r}, is not possible")
            cell = row * self.cols + col
            board[blank], board[cell], blank = board[cell], 0, cell
        if board != self.goal:
            raise RefutedError("the moves do not lead to the goal")
        if len(self.moves) != self.length:
            raise RefutedError(f"there are {len(self.moves)} moves, not {self.length}")
        if self.length < self.bound:
            raise RefutedError(f"{self.length} moves are fewer than the bound of {self.bound}")
        return f"checked: the {self.length} moves lead from the start to the goal"

    def views_fit(self) -> str:
        """Check that the views keep neighbours together, and that the groups are of tiles."""
        rows, cols = self.grid
        if rows * cols != self.cells or not self.views:
            raise RefutedError("the tables are for boards of another size")
        homes = [home for group in self.groups for home in group]
        if len(set(homes)) < len(homes) or max(homes, default=0) >= self.cells:
            raise RefutedError("a tile is in two groups, or outside the grid")
        for view in self.views:
            if sorted(view) != list(range(self.cells)):
                raise RefutedError("a view does not have each cell once")
            ends = np.array(view)[neighbours(self.rows, self.cols)]
            if (np.abs(np.diff(np.divmod(ends, cols))).sum(axis=0) != 1).any():
                raise RefutedError("a view takes neighbours apart")
        blanks = {view[self.goal.index(0)] for view in self.views}
        if len(blanks) > 1 or blanks & set(homes):
            raise RefutedError("a group has the blank among its tiles, or views differ in it")
        return "checked: each view lays the board on the grid of the tables; no tile counts twice"

    def tables_hold(self) -> list[str]:
        """Check that no entry is above the fewest moves of the group's tiles."""
        told, blank = [], self.views[0][self.goal.index(0)]
        for group, table in zip(self.groups, self.tables, strict=True):
            name = f"the table of the tiles at home in {group}"
            if self.cells > CELLS_SEARCHED:
                if goal := table[group @ self.weights[-len(group) :]]:
                    raise RefutedError(f"{name} says {goal} of the goal")
                told.append(f"on trust: {name}, but for its entry of the goal, which is 0")
                continue
            fewest = fewest_moves(*self.grid, group, blank)
            wrong = np.flatnonzero((table > fewest) & (fewest != NOT_FOUND))
            if len(wrong):
                raise RefutedError(f"{name} says {table[wrong[0]]}, but {fewest[wrong[0]]} will do")
            told.append(f"checked: no entry of {name} is above the fewest moves")
        return told

    def bound_holds(self) -> str:
        """Check that no solution has fewer moves than the bound."""
        need = f"no solution has fewer than {self.bound} moves"
        boards = before = np.array([self.start], dtype=np.uint8)
        on_trust = self.cells > CELLS_SEARCHED
        told = ", as the tables say" if self.bound <= int(self._estimates(boards)[0]) else ""
        if on_trust or told:
            return f"{'on trust' if on_trust else 'checked'}: {need}{told}"
        for g in range(self.bound):
            if (boards == self.goal).all(axis=1).any():
                raise RefutedError(f"there is a solution of {g} moves")
            parts = np.array_split(boards, len(boards) // LOOKED_UP + 1)
            after = np.concatenate([self._successors(part, self.bound - g - 2) for part in parts])
            boards, before = without(after, before), boards
            if len(boards) > MOST_BOARDS:
                return f"on trust: {need} (the search here was given up at {g + 1} moves)"
        return f"checked: {need}, by a search of its own"

    def _estimates(self, boards: Boards) -> NDArray[np.int64]:
        """Return for each board the moves that it is known to need: the most that a view says."""
        where = np.argsort(boards, axis=1)  # the cell of each tile
        best = np.zeros(len(boards), dtype=np.int64)
        for view in self.views:
            laid = np.array(view)[where]
            total = np.zeros(len(boards), dtype=np.int64)
            for group, table in zip(self.groups, self.tables, strict=True):
                tiles = [self.goal[view.index(home)] for home in group]
                total += table[laid[:, tiles] @ self.weights[-len(tiles) :]]
            best = np.maximum(best, total)
        return best

    def _successors(self, boards: Boards, most: int) -> Boards:
        """Return the boards one move from some of `boards` that may be `most` from the goal."""
        blanks, made = np.argmin(boards, axis=1), []
        for one, two in neighbours(self.rows, self.cols):
            for blank, cell in ((one, two), (two, one)):
                after = boards[blanks == blank]
                after[:, blank], after[:, cell] = after[:, cell], 0
                made.append(after[self._estimates(after) <= most])
        return np.concatenate(made)


def neighbours(rows: int, cols: int) -> NDArray[np.int64]:
    """Return the pairs of cells side by side, the lower one first."""
    at = np.arange(rows * cols).reshape(rows, cols)
    ends = (at[:, :-1], at[:, 1:]), (at[:-1], at[1:])
    return np.concatenate([np.stack(pair, axis=-1).reshape(-1, 2) for pair in ends])


def without(boards: Boards, others: Boards) -> Boards:
    """Return each of `boards` once, but for those among `others`."""
    kinds = np.dtype((np.void, boards.shape[1]))
    keys = np.unique(np.ascontiguousarray(boards).view(kinds).ravel())
    known = np.ascontiguousarray(others).view(kinds).ravel()
    return keys[~np.isin(keys, known)].view(np.uint8).reshape(-1, boards.shape[1])


def fewest_moves(rows: int, cols: int, group: list[int], blank: int) -> NDArray[np.uint8]:
    """Return the fewest moves of the tiles at home in `group` from anywhere, 255 for never.

    Other tiles move for nothing, so the blank can be anywhere in its region, the cells it comes to
    past the group's tiles. A state is the tiles' cells, as digits, and the region's lowest cell.
    """
    cells, tiles = rows * cols, len(group)
    lowest, reached = regions(rows, cols)
    steps = np.tile(np.arange(cells)[:, None], 4)  # a cell itself, which is taken, for none
    for one, two in neighbours(rows, cols):
        side = 2 * (two - one == 1)
        steps[one, side], steps[two, side + 1] = two, one
    moves = np.full(cells**tiles * cells, NOT_FOUND, dtype=np.uint8)
    weights = [cells ** (tiles - slot) for slot in range(tiles)]  # times cells, for the region
    layer = np.array([np.dot(group, weights) + lowest[sum(1 << cell for cell in group), blank]])
    moves[layer] = count = 0
    while len(layer):
        count += 1
        taken, found = sum(1 << layer // weight % cells for weight in weights), []
        region = reached[taken, layer % cells]
        for weight in weights:
            at = layer // weight % cells
            for side in range(4):
                can = np.flatnonzero(region >> steps[at, side] & 1)
                old, new = at[can], steps[at[can], side]
                after = taken[can] ^ (1 << old | 1 << new)
                places = layer[can] // cells * cells + (new - old) * weight
                places += lowest[after, old]  # none twice: of its regions one has the new cell
                found.append(places[moves[places] == NOT_FOUND])
                moves[found[-1]] = count
        layer = np.concatenate(found)
    fewest: NDArray[np.uint8] = moves.reshape(-1, cells).min(axis=1)
    return fewest


def regions(rows: int, cols: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each set of taken cells and each other cell the lowest cell of its region, and
    the region as bits: (2**cells, cells) each."""
    cells, taken = rows * cols, np.arange(2 ** (rows * cols))
    reached = np.stack([(1 << cell) & ~taken for cell in range(cells)], axis=1)
    for _ in range(cells):
        for one, two in neighbours(rows, cols):
            free = taken & (1 << one | 1 << two) == 0
            joined = (reached[:, one] | reached[:, two])[free]
            reached[free, one] = reached[free, two] = joined
    return np.log2(np.maximum(reached & -reached, 1)).astype(np.int64), reached


def field(said: object, name: str, depth: int | None = None) -> Any:
    """Return what is said under a name; with a `depth`, it must be whole numbers."""
    if not isinstance(said, dict) or name not in said:
        raise UnreadableError(f"it does not say {name!r}")
    return said[name] if depth is None else whole(said[name], name, depth)


def whole(value: object, name: str, depth: int) -> Any:
    """Return a whole number, or a list of them, or of such lists."""
    if depth and isinstance(value, list):
        return [whole(one, name, depth - 1) for one in value]
    if depth or type(value) is not int or not 0 <= value < 2**31:
        raise UnreadableError(
            f"{name!r} must be of whole numbers below 2**31, but has {value!r:.40}"
        )
    return value


def size(file: Path) -> int:
    """Return the bytes of a file, which must be none that never ends."""
    if file.is_file() or not file.exists():
        return file.stat().st_size
    raise OSError(f"{file} is not a file")


if __name__ == "__main__":
    sys.exit(main())
