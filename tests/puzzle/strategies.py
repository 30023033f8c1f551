"""Strategies for property tests: boards, puzzles and legal walks of every size."""

import itertools
import random

from hypothesis import strategies as st

from slidewise import Board, Puzzle, standard_goal
from slidewise.puzzle.board import MAX_SIDE, MIN_SIDE

SIDES = st.integers(MIN_SIDE, MAX_SIDE)
SIZES = st.tuples(SIDES, SIDES)
ALL_SIZES = tuple(itertools.product(range(MIN_SIDE, MAX_SIDE + 1), repeat=2))


@st.composite
def boards(draw, size=SIZES):
    """Draw any arrangement of a board, solvable or not. `size` is a strategy."""
    rows, cols = draw(size)
    return Board(rows, cols, tuple(draw(arrangements(rows * cols))))


def arrangements(count: int):
    """Draw an order of 0..count-1. Long ones come from a seed, which is much faster."""
    if count <= 9:
        return st.permutations(range(count))
    return st.integers(0, 2**32).map(lambda seed: random.Random(seed).sample(range(count), count))


def boards_up_to(cells: int):
    """Draw boards of at most `cells` cells."""
    sides = range(MIN_SIDE, MAX_SIDE + 1)
    sizes = [(rows, cols) for rows in sides for cols in sides if rows * cols <= cells]
    return boards(st.sampled_from(sizes))


SQUARES = boards(SIDES.map(lambda side: (side, side)))


@st.composite
def puzzles(draw, size=SIZES):
    """Draw a start and a goal of one size. Half of the goals are the standard one."""
    start = draw(boards(size))
    same_size = st.just(start.size)
    return Puzzle(start, draw(st.just(standard_goal(*start.size)) | boards(same_size)))


@st.composite
def walks(draw, size=SIZES, max_size=60):
    """Draw a board and a sequence of legal moves."""
    board = draw(boards(size))
    turns = draw(st.lists(st.integers(0, 3), max_size=max_size))
    return board, walk(board, turns)


def walk(board: Board, turns: list[int]) -> str:
    """Return the legal moves that `turns` choose, each among the moves of its board."""
    moves = ""
    for turn in turns:
        legal = board.legal_directions
        moves += legal[turn % len(legal)]
        board = board.move(moves[-1])
    return moves
