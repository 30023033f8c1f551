"""Levels: each has a unique board with a proved number of moves."""

from itertools import pairwise

import pytest

from slidewise import parse_puzzle, solve, steps
from slidewise.study.levels import GROUPS, LEVELS
from tests.each import each
from tests.study.test_by_hand import abstract_distance


def test_sixty_levels_have_unique_boards():
    assert len(LEVELS) == len({level.code for level in LEVELS}) == 60
    assert LEVELS[0].moves == 3
    assert LEVELS[-1].moves > 55, "a hard 4x4"


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.title)
def test_levels_of_a_group_have_its_size_and_grow(group):
    assert all(parse_puzzle(level.code).start.size == group.size for level in group.levels)
    assert all(one.moves <= other.moves for one, other in pairwise(group.levels))


@each("level", LEVELS)
def test_moves_of_a_level_are_proved_to_be_the_fewest(level):
    puzzle = parse_puzzle(level.code)
    assert str(puzzle) == level.code
    result = solve(puzzle, "best")
    assert (result.length, result.verdict.kind.value) == (level.moves, "optimal")
    assert list(steps(puzzle.start, result.moves))[-1].board == puzzle.goal
    if level.moves <= 16:
        tiles = [tile for tile in puzzle.goal.cells if tile]
        assert abstract_distance(puzzle.start, tiles) == level.moves
