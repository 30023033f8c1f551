"""The boards of the tests match their names."""

import pytest

from slidewise import parse_puzzle, solve
from tests import boards


@pytest.mark.parametrize("code", boards.LENGTHS)
def test_the_shortest_length_of_a_board_is_as_listed(code):
    assert solve(parse_puzzle(code), "best").length == boards.LENGTHS[code]


@pytest.mark.parametrize("code", [boards.UNSOLVABLE, boards.SMALL_UNSOLVABLE])
def test_an_unsolvable_board_is_unsolvable(code):
    assert not parse_puzzle(code).solvable
