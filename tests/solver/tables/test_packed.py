"""Exact distances as bytes equal those of the table of all boards."""

from itertools import permutations

import pytest

from slidewise import Board, Puzzle, exact_table, parse_board, scramble
from slidewise.solver.tables.exact import packed_distance, packed_distances, packed_next_tile


@pytest.mark.parametrize("text", ["1.2-3.0", "3.0-1.2", "1.2.3-4.5.0", "5.0.1-3.4.2"])
def test_every_packed_distance_equals_the_table(text):
    goal = parse_board(text)
    table, packed = exact_table(goal), packed_distances(goal)
    assert len(packed) == table.boards
    for cells in permutations(goal.cells):
        puzzle = Puzzle(Board(*goal.size, cells), goal)
        if puzzle.solvable:
            assert packed_distance(puzzle, packed) == table.distance(puzzle.start)
            first = next(iter(table.next_tiles(puzzle.start)), None)
            assert packed_next_tile(puzzle, packed) == first


@pytest.mark.parametrize("text", ["1.2.3-4.5.6-7.8.0", "4.1.2-5.0.3-6.7.8", "1.2.3.4.5-6.0.7.9.8"])
def test_packed_distances_of_random_boards_equal_the_table(text):
    goal = parse_board(text)
    table, packed = exact_table(goal), packed_distances(goal)
    for seed in range(50):
        puzzle = scramble(*goal.size, str(seed), goal)
        assert packed_distance(puzzle, packed) == table.distance(puzzle.start)
        assert packed_next_tile(puzzle, packed) == table.next_tiles(puzzle.start)[0]
