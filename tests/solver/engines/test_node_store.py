"""Packing boards into words, and the neighbours of cells."""

import numpy as np
import pytest
from hypothesis import given

from slidewise import Board
from slidewise.solver.engines.node_store import neighbours, pack, unpack
from slidewise.solver.task import follow, words
from tests.puzzle.strategies import boards
from tests.solver import oracle


@given(boards())
def test_packing_round_trips(board):
    state = pack(board)
    assert (state.dtype, state.shape) == (np.uint64, (words(len(board.cells)),))
    assert unpack(state, board.rows, board.cols) == board


def test_packed_board_has_the_documented_bits():
    assert pack(Board(2, 2, (1, 2, 0, 3))).tolist() == [0x3021]
    nine = pack(Board(3, 6, tuple(range(18)))).tolist()
    assert nine == [0x0706050403020100, 0x0F0E0D0C0B0A0908, 0x1110]


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2), (4, 4), (10, 7)])
def test_neighbours_are_in_the_order_of_successors(size):
    rows, cols = size
    table = neighbours(rows, cols)
    assert table.shape == (rows * cols, 4)
    for blank in range(rows * cols):
        cells = [*range(1, rows * cols)]
        cells.insert(blank, 0)
        expected = [new.index(0) for new in oracle.successors(tuple(cells), rows, cols)]
        assert [cell for cell in table[blank] if cell >= 0] == expected


def test_blank_moves_lead_to_the_boards():
    board = Board(2, 2, (0, 1, 2, 3))
    assert follow(board, [0, 1, 3, 2, 0]) == ("LURD", (1, 3, 2, 1))
    assert follow(board, [0]) == ("", ())
    assert follow(board, []) == ("", ())
