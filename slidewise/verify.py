"""Checks a certificate of `slidewise prove`: `python -m slidewise.verify FILE [--tables FILE]`.

A certificate claims that a board has a solution of so many moves, and that none has fewer than so
many. This program shares no code with the solver. It checks

1. that the moves are legal, lead to the goal and are as many as is said;
2. that each view of the pattern tables lays the board on their grid, blank's home on blank's home,
   and that no tile is in two groups: so what the groups need by themselves adds up;
3. for groups of up to 6 tiles on up to 16 cells, that no entry of a table is above the fewest
   moves of the group's tiles, which it finds by a search of its own from the goal;
4. that no solution has fewer moves than is said: by what the tables say of the start, or, up to
   3x3 and on up to 16 cells for bounds of up to 50 moves, by a search of its own, layer by layer,
   which ends when no board is left from which the goal could be reached in time.

Other claims are told as on trust. Exit code: 0, 1 if a claim is false, 2 if there is none to read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Boards = NDArray[np.uint8]

CELLS_SEARCHED, TILES_SEARCHED, MOVES_SEARCHED = 16, 6, 50  # the most that is searched here
SPREAD_TILES = 6  # up to so many a table's index has their cells as digits; above, it is a rank
MAX_LAYER = 20_000_000  # boards of a layer with which the search is given up: some GB
NOT_FOUND = 255


class RefutedError(Exception):
    """A claim that is false."""


class UnreadableError(Exception):
    """What cannot be read."""


def main(arguments: list[str] | None = None) -> int:
    """Check the certificate that the command names, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m slidewise.verify", description="Check a certificate of slidewise prove."
    )
    parser.add_argument("file", type=Path, help="the certificate")
    parser.add_argument("--tables", type=Path, help="the tables, if they are elsewhere by now")
    given = parser.parse_args(arguments)
    try:
        print(*verify(given.file, given.tables), sep="\n")
    except (RefutedError, UnreadableError) as error:
        refuted = isinstance(error, RefutedError)
        print(f"{'refuted' if refuted else 'cannot be checked'}: {error}", file=sys.stderr)
        return 1 if refuted else 2
    return 0


def verify(file: Path, tables: Path | None = None) -> list[str]:
    """Return what was checked and what is on trust; raise `RefutedError`, `UnreadableError`."""
    try:
        claim = Claim(json.loads(file.read_text()), tables)
    except (OSError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise UnreadableError(f"{file}: {error!r}") from None
    return [claim.path(), claim.views_fit(), *claim.tables_hold(), claim.bound_holds()]


class Claim:
    """What a certificate says. Boards are lists of tiles in reading order, 0 for the blank."""

    def __init__(self, said: dict[str, Any], tables: Path | None) -> None:
        if said["format"] != "slidewise certificate 1":
            raise ValueError("this is no certificate of version 1")
        self.rows, self.cols = whole(said["rows"]), whole(said["cols"])
        self.cells = self.rows * self.cols
        if min(self.rows, self.cols) < 2 or self.cells > 25:
            raise ValueError("boards have 2 to 5 rows and columns, and up to 25 cells")
        self.start, self.goal = list(map(whole, said["start"])), list(map(whole, said["goal"]))
        if not sorted(self.start) == sorted(self.goal) == list(range(self.cells)):
            raise ValueError("start and goal must have each tile once")
        self.moves = str(said["moves"])
        self.length, self.bound = whole(said["length"]), whole(said["lower_bound"])
        about = said["tables"]
        self.grid = whole(about["rows"]), whole(about["cols"])
        self.views = [list(map(whole, view)) for view in about["views"]]
        self.groups = [list(map(whole, group)) for group in about["groups"]]
        data = np.memmap(tables or Path(about["file"]), np.uint8, "r")
        self.untouched = hashlib.sha256(data.data).hexdigest() == about["sha256"]
        lengths = [self._entries(len(group)) for group in self.groups]
        first = whole(about["offset"])
        if len(data) != first + sum(lengths):
            raise ValueError("the file of the tables has another size than the groups need")
        ends = np.cumsum([first, *lengths]).tolist()
        self.tables = [data[at:end] for at, end in pairwise(ends)]

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
        if len(set(homes)) < len(homes) or not set(homes) <= set(range(self.cells)):
            raise RefutedError("a tile is in two groups, or in none of the cells")
        for view in self.views:
            if sorted(view) != list(range(self.cells)):
                raise RefutedError("a view does not have each cell once")
            for cell, other in neighbours(self.rows, self.cols):
                (row, col), (to_row, to_col) = divmod(view[cell], cols), divmod(view[other], cols)
                if abs(row - to_row) + abs(col - to_col) != 1:
                    raise RefutedError("a view takes neighbours apart")
        blanks = {view[self.goal.index(0)] for view in self.views}
        if len(blanks) > 1 or blanks & set(homes):
            raise RefutedError("a group has the blank among its tiles, or views differ in it")
        return "checked: each view lays the board on the grid of the tables; no tile counts twice"

    def tables_hold(self) -> list[str]:
        """Check that no entry is above the fewest moves of the group's tiles."""
        told = []
        blank = self.views[0][self.goal.index(0)]
        for group, table in zip(self.groups, self.tables, strict=True):
            name = f"the table of the tiles at home in {group}"
            if self.cells > CELLS_SEARCHED or len(group) > TILES_SEARCHED:
                goal = table[int(self._index(np.array([group]))[0])]
                if goal != 0:
                    raise RefutedError(f"{name} says {goal} of the goal")
                if not self.untouched:
                    raise RefutedError(f"{name} is not the one that the certificate was made of")
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
        start = np.array([self.start], dtype=np.uint8)
        if self.bound <= int(self._estimates(start)[0]):
            return f"checked: {need}, as the tables say"
        if self.cells > 9 and (self.cells > CELLS_SEARCHED or self.bound > MOVES_SEARCHED):
            return f"on trust: {need}"
        most, boards, before = self.bound - 1, start, start[:0]
        goal = np.array(self.goal, dtype=np.uint8)
        for g in range(most + 1):
            if (boards == goal).all(axis=1).any():
                raise RefutedError(f"there is a solution of {g} moves")
            after = self._successors(boards)
            after = after[g + 1 + self._estimates(after) <= most]
            boards, before = without(after, before), boards
            if len(boards) > MAX_LAYER:
                return f"on trust: {need} (the search here was given up at {g + 1} moves)"
        return f"checked: {need}, by a search of its own"

    def _entries(self, tiles: int) -> int:
        """Return the bytes of the table of a group of so many tiles."""
        return self.cells**tiles if tiles <= SPREAD_TILES else math.perm(self.cells, tiles)

    def _index(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where a table has the entry for each row of cells of a group's tiles."""
        tiles, index = places.shape[1], np.zeros(len(places), dtype=np.int64)
        for slot in range(tiles):
            place, base = places[:, slot].astype(np.int64), self.cells
            if tiles > SPREAD_TILES:
                place = place - (places[:, :slot] < places[:, slot : slot + 1]).sum(axis=1)
                base -= slot
            index = index * base + place
        return index

    def _estimates(self, boards: Boards) -> NDArray[np.int64]:
        """Return for each board the moves that it is known to need: the most that a view says."""
        where = np.argsort(boards, axis=1)  # the cell of each tile
        best = np.zeros(len(boards), dtype=np.int64)
        for view in self.views:
            laid = np.array(view)[where]
            total = np.zeros(len(boards), dtype=np.int64)
            for group, table in zip(self.groups, self.tables, strict=True):
                tiles = [self.goal[view.index(home)] for home in group]
                total += table[self._index(laid[:, tiles])]
            best = np.maximum(best, total)
        return best

    def _successors(self, boards: Boards) -> Boards:
        """Return the boards one move from some of `boards`."""
        blanks, made = np.argmin(boards, axis=1), []
        for one, two in neighbours(self.rows, self.cols):
            for blank, cell in ((one, two), (two, one)):
                after = boards[blanks == blank]
                after[:, blank], after[:, cell] = after[:, cell], 0
                made.append(after)
        return np.concatenate(made)


def neighbours(rows: int, cols: int) -> list[tuple[int, int]]:
    """Return the pairs of cells side by side, the lower one first."""
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    right = [(row * cols + col, row * cols + col + 1) for row, col in cells if col + 1 < cols]
    below = [(row * cols + col, (row + 1) * cols + col) for row, col in cells if row + 1 < rows]
    return right + below


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
    full = sum(1 << cell for cell in group)
    index = sum(cell * weight for cell, weight in zip(group, weights, strict=True))
    layer = np.array([index + lowest[full, blank]])
    moves[layer] = count = 0
    while len(layer):
        count += 1
        taken, found = np.zeros(len(layer), dtype=np.int64), []
        for weight in weights:
            taken |= 1 << (layer // weight % cells)
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
    pairs = neighbours(rows, cols)
    for _ in range(cells):
        for one, two in pairs + pairs[::-1]:
            free = taken & (1 << one | 1 << two) == 0
            joined = (reached[:, one] | reached[:, two])[free]
            reached[free, one] = reached[free, two] = joined
    low = reached & -reached
    return np.log2(np.maximum(low, 1)).astype(np.int64), reached


def whole(number: object) -> int:
    """Return a whole number from 0 on as it is."""
    if type(number) is not int or not 0 <= number < 2**31:
        raise ValueError(f"expected a whole number, got {number!r}")
    return number


if __name__ == "__main__":
    sys.exit(main())
