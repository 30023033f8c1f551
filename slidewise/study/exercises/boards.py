"""Boards of the exercises, as flat tuples row by row, and facts about them."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import isqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

Cells = tuple[int, ...]
Shape = tuple[int, int]

MAX_LAYER = 16
"""Moves from a goal up to which all boards are listed, 25,000 or so of 9 cells."""


def shape_of(cells: int) -> Shape:
    """Return the rows and columns of a board by the number of its cells, 2x3 of six."""
    side = isqrt(cells)
    return (side, side) if side * side == cells else (2, cells // 2)


def goal_of(shape: Shape) -> Cells:
    """Return the goal with the blank last."""
    return (*range(1, shape[0] * shape[1]), 0)


def board_text(board: Cells) -> str:
    """Return the board in the usual notation.

    >>> board_text((1, 2, 3, 4, 5, 6, 7, 8, 0))
    '1 2 3/4 5 6/7 8 0'
    """
    _, cols = shape_of(len(board))
    rows = (board[i : i + cols] for i in range(0, len(board), cols))
    return "/".join(" ".join(map(str, row)) for row in rows)


@lru_cache(maxsize=64)
def _beside(blank: int, cells: int) -> tuple[int, ...]:
    """Return the cells that the blank can go to: up, down, left, right."""
    rows, cols = shape_of(cells)
    row, col = divmod(blank, cols)
    steps = (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)
    return tuple(r * cols + c for r, c in steps if 0 <= r < rows and 0 <= c < cols)


def neighbors(board: Cells) -> list[Cells]:
    """Return the boards one move away: the blank goes up, down, left, right."""
    blank = board.index(0)
    found = []
    for cell in _beside(blank, len(board)):
        after = list(board)
        after[blank], after[cell] = after[cell], 0
        found.append(tuple(after))
    return found


def is_legal_path(boards: list[Cells]) -> bool:
    """Return whether each board is one move from the board before it."""
    return all(after in neighbors(board) for board, after in pairwise(boards))


def move_cost(board: Cells, after: Cells) -> int:
    """Return the number of the tile that moved."""
    return board[after.index(0)]


def solvable(board: Cells, goal: Cells) -> bool:
    """Return whether moves lead from the board to the goal."""
    return _parity(board) == _parity(goal)


def _parity(board: Cells) -> int:
    _, cols = shape_of(len(board))
    tiles = [tile for tile in board if tile]
    inversions = sum(tile > later for i, tile in enumerate(tiles) for later in tiles[i + 1 :])
    return (inversions + (0 if cols % 2 else board.index(0) // cols)) % 2


def manhattan(board: Cells, goal: Cells) -> int:
    """Return the sum of the tiles' distances from their cells of the goal."""
    homes = _homes(goal)
    return sum([homes[tile][cell] for cell, tile in enumerate(board)])


@lru_cache(maxsize=64)
def _homes(goal: Cells) -> list[list[int]]:
    """Return the distance of each tile at each cell; that of the blank is 0."""
    _, cols = shape_of(len(goal))
    places = [divmod(cell, cols) for cell in range(len(goal))]
    table = [[0] * len(goal)]
    for tile in range(1, len(goal)):
        row, col = places[goal.index(tile)]
        table.append([abs(r - row) + abs(c - col) for r, c in places])
    return table


def inconsistent(board: Cells, goal: Cells) -> int:
    """Return the Manhattan distance for some boards and 0 for others: never too high."""
    weights = sum([cell * tile for cell, tile in enumerate(board)])
    return manhattan(board, goal) if weights % 3 else 0


@lru_cache(maxsize=16)
def layers(goal: Cells) -> list[list[Cells]]:
    """Return all boards by their moves to the goal, up to `MAX_LAYER`."""
    known = {goal}
    found = [[goal]]
    while len(found) <= MAX_LAYER and found[-1]:
        further = []
        for board in found[-1]:
            for after in neighbors(board):
                if after not in known:
                    known.add(after)
                    further.append(after)
        found.append(further)
    return found[:-1] if not found[-1] else found


@lru_cache(maxsize=16)
def distances(goal: Cells) -> dict[Cells, int]:
    """Return the moves to the goal of all boards within `MAX_LAYER`."""
    return {board: moves for moves, boards in enumerate(layers(goal)) for board in boards}


def board_at(goal: Cells, moves: int, random: Random) -> Cells:
    """Return a board of a shortest path of `moves`, or of a walk if that is above `MAX_LAYER`."""
    found = layers(goal)
    if moves < len(found):
        return random.choice(found[moves])
    return walk(random.choice(found[-1]), moves - len(found) + 1, random)


def walk(board: Cells, moves: int, random: Random) -> Cells:
    """Return the end of a random walk that takes no move back."""
    before = board
    for _ in range(moves):
        ways = [after for after in neighbors(board) if after != before]
        before, board = board, random.choice(ways)
    return board


def shuffled(shape: Shape, random: Random) -> Cells:
    """Return any arrangement of the tiles, solvable or not."""
    cells = list(range(shape[0] * shape[1]))
    random.shuffle(cells)
    return tuple(cells)
