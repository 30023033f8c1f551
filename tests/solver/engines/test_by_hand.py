"""Constructive solutions, tile by tile: right on every board of every size."""

import itertools

import pytest
from hypothesis import assume, given

from slidewise import Puzzle, scramble
from slidewise.solver.engines.constructive import constructive_path, without_cycles
from tests.puzzle.strategies import puzzles


def replay(puzzle: Puzzle, blanks: list[int]) -> list:
    """Return the boards along the path. Each move must be legal and the ends right."""
    board = puzzle.start
    assert blanks[0] == board.blank
    boards = [board]
    for cell in blanks[1:]:
        board = board.slide(board.cells[cell])
        boards.append(board)
    assert board == puzzle.goal
    return boards


@given(puzzles())
def test_every_solvable_puzzle_of_every_size_is_solved(puzzle):
    assume(puzzle.solvable)
    boards = replay(puzzle, constructive_path(puzzle))
    assert len(set(boards)) == len(boards)


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2)])
def test_all_boards_and_goals_of_the_smallest_sizes(size):
    first = scramble(*size, "0").goal
    orders = list(itertools.permutations(range(len(first.cells))))
    boards = [type(first)(*size, cells) for cells in orders]
    for goal in boards[:: 1 if len(orders) == 24 else 241]:
        for start in boards[:: 1 if len(orders) == 24 else 7]:
            if (puzzle := Puzzle(start, goal)).solvable:
                replay(puzzle, constructive_path(puzzle))


def test_path_on_the_largest_board_is_not_too_long():
    puzzle = scramble(10, 10, "1")
    blanks = constructive_path(puzzle)
    replay(puzzle, blanks)
    assert len(blanks) < 2_500


def test_cycles_are_removed():
    start = scramble(3, 3, "1").goal
    assert constructive_path(Puzzle(start, start)) == [8]
    around = [8, 7, 4, 5] * 3 + [8]  # three cycles of a 2x2 block restore it
    assert without_cycles(start, around) == [8]
    assert without_cycles(start, [*around, 7, 6, 7]) == [8, 7]
    assert without_cycles(start, [8, 5, 4, 5, 2]) == [8, 5, 2]
