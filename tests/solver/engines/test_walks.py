"""The automaton that rejects redundant walks of the blank."""

import itertools
import lzma

import numpy as np
import pytest

from slidewise.solver.engines.walks import (
    CELL,
    CELL_BITS,
    NOWHERE,
    WAY_BITS,
    pack,
    path,
    read,
    walk_rows,
    work_out,
)

SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))


def walks_of(rows, cols, start, longest):
    """Return the accepted walks of up to `longest` moves, by the board that they reach."""
    table = work_out(rows, cols, longest).tolist()
    found, boards = {}, []

    def go(row, cells, walk):
        boards.append((tuple(cells), walk))
        if len(walk) == longest:
            return
        blank = cells.index(0)
        offsets = [down * cols + right for down, right in SIDES]
        for way in table[row]:
            if way == NOWHERE:
                continue
            cell = way & CELL
            after = list(cells)
            after[blank], after[cell] = after[cell], 0
            side = offsets.index(cell - blank)
            assert way >> CELL_BITS & 3 == side
            go(way >> WAY_BITS, after, (*walk, side))

    cells = [cell or start for cell in range(rows * cols)]
    cells[start] = 0
    go(start, cells, ())
    for board, walk in boards:
        found.setdefault(board, []).append(walk)
    return found


def all_walks(rows, cols, start, longest):
    """Yield all walks of up to `longest` moves, by length and then in order, and their boards."""
    cells = [cell or start for cell in range(rows * cols)]
    cells[start] = 0
    for length in range(longest + 1):
        for walk in itertools.product(range(4), repeat=length):
            board, blank = list(cells), start
            for side in walk:
                row, col = blank // cols + SIDES[side][0], blank % cols + SIDES[side][1]
                if not (0 <= row < rows and 0 <= col < cols):
                    break
                cell = row * cols + col
                board[blank], board[cell], blank = board[cell], 0, cell
            else:
                yield tuple(board), walk


@pytest.mark.parametrize(("rows", "cols", "start"), [(2, 2, 0), (2, 3, 1), (3, 3, 4), (3, 3, 0)])
def test_only_the_first_walk_to_each_board_is_accepted(rows, cols, start):
    """Walks of up to 7 moves. A cycle of a block takes 12, so half of it is forbidden."""
    firsts = {}
    for board, walk in all_walks(rows, cols, start, 7):
        firsts.setdefault(board, walk)
    left = walks_of(rows, cols, start, 7)
    assert set(left) == set(firsts)
    for board, walks in left.items():
        assert walks == [firsts[board]]


def test_longer_walks_reach_each_board_once():
    left = walks_of(4, 4, 0, 10)
    assert all(len(walks) == 1 for walks in left.values())
    # Boards up to 10 moves from one with the blank in a corner: OEIS A089484.
    assert len(left) == 1 + 2 + 4 + 10 + 24 + 54 + 107 + 212 + 446 + 946 + 1948


@pytest.mark.soak
def test_each_board_of_5x5_is_reached_once():
    """A board of 25 cells does not fit into one word."""
    left = walks_of(5, 5, 0, 9)
    assert all(len(walks) == 1 for walks in left.values())
    assert len(left) == len({board for board, _ in all_walks(5, 5, 0, 9)})


@pytest.mark.parametrize("size", [(3, 4), (4, 4), pytest.param((5, 5), marks=pytest.mark.soak)])
def test_shipped_automata_equal_computed_ones(size):
    shipped = read(path(*size))
    assert shipped is not None
    assert np.array_equal(shipped, work_out(*size))
    assert walk_rows(*size).tolist() == shipped.tolist()


@pytest.mark.parametrize(
    "damage",
    [lambda file: file[:-9], bytes.upper, lambda file: b"", lambda file: lzma.compress(b"x")],
)
def test_damaged_automata_are_not_used(damage, tmp_path):
    torn = tmp_path / "torn"
    torn.write_bytes(damage(path(3, 4).read_bytes()))
    assert read(torn) is None
    torn.write_bytes(pack(read(path(3, 4))))
    assert read(torn) is not None


def test_automaton_of_another_size_is_reported_and_not_used(monkeypatch, caplog):
    expected = walk_rows(3, 4)
    for other in (4, 4), (5, 5):
        file = path(*other)
        monkeypatch.setattr(
            "slidewise.solver.engines.walks.path", lambda rows, cols, file=file: file
        )
        walk_rows.cache_clear()
        assert np.array_equal(walk_rows(3, 4), expected)
        assert caplog.messages[-1].endswith(f"is damaged, so its content is computed: {file}")
    walk_rows.cache_clear()
