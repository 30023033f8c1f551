"""Pattern databases: their tables, against a plain search, and their estimates."""

import itertools
import math
import random
from itertools import permutations

import numpy as np
import pytest

from slidewise import Board, blank_first_goal, parse_puzzle, scramble, standard_goal
from slidewise.solver.tables.patterns.database import load
from slidewise.solver.tables.patterns.partition import (
    PARTITIONS,
    Frame,
    Partition,
    find_partition,
    symmetries,
)
from tests.boards import korf
from tests.each import each
from tests.solver import oracle
from tests.solver.patterns import (
    database_of,
    estimates,
    fewest_moves,
    in_table_order,
    neighbours,
    tables_of,
)
from tests.solver.runs import SWEEP


def goal_of(rows, cols, blank):
    """Return a goal with the blank in the cell `blank` and shuffled tiles."""
    tiles = random.Random(blank).sample(range(1, rows * cols), rows * cols - 1)
    return Board(rows, cols, (*tiles[:blank], 0, *tiles[blank:]))


@pytest.mark.parametrize(
    "picture",
    [
        ".a ab",
        ".aa aaa",  # all tiles: half of the table cannot be reached
        "a.b abb",
        ".ab bba ccc",  # a and b enclose the blank
        "aab b.b aab",
        "a.ab bbba cccc",
    ],
)
def test_tables_hold_the_fewest_moves_of_the_groups_tiles(picture):
    partition = Partition(picture, 0)
    rows, cols = partition.size
    tables, end = tables_of(partition), 0
    for group, length in zip(partition.groups, partition.lengths, strict=True):
        fewest = fewest_moves(rows, cols, group, partition.blank)
        wanted = [
            fewest.get(places, 255) if len(set(places)) == len(places) else 0
            for places in in_table_order(rows * cols, len(group))
        ]
        assert tables[end : end + length].tolist() == wanted
        end += length
    assert end == len(tables) == partition.bytes


@pytest.mark.parametrize(
    ("rows", "cols", "blank"),
    [(2, 2, 0), (2, 3, 0), (2, 3, 4), (3, 2, 5), (2, 4, 3), (4, 2, 2), (3, 3, 8), (3, 3, 4)],
)  # fmt: skip
def test_no_estimate_is_above_the_true_distance(rows, cols, blank):
    goal = goal_of(rows, cols, blank)
    found = oracle.distances(goal.cells, rows, cols)
    each = 1 if SWEEP or len(found) < 1_000 else 23
    distances = dict(itertools.islice(found.items(), 0, None, each))
    partition = find_partition(*_frame(goal))
    value = database_of(goal, partition.picture).value
    h = np.array([value(Board(rows, cols, cells)) for cells in distances])
    true = np.fromiter(distances.values(), int)
    assert (h <= true).all()
    assert ((true - h) % 2 == 0).all(), "each move changes h by an odd number"
    assert (h > 0).sum() == len(true) - 1
    assert h.mean() == pytest.approx(partition.mean, abs=0.2)


def _frame(goal):
    frame = Frame.of(goal)
    return frame.rows, frame.cols, frame.blank


def test_lookup_follows_the_layout():
    pictures = {(2, 4): None, (4, 2): None, (5, 5): ".aabb cabdd cceed ffegg fhhhg"}
    for (rows, cols), picture in pictures.items():
        goal = goal_of(rows, cols, 20 if picture else 6)
        partition = Partition(picture, 0) if picture else find_partition(*_frame(goal))
        database = database_of(goal, partition.picture)
        boards = [scramble(rows, cols, str(seed), goal).start for seed in range(100)]
        wanted = estimates(goal, partition, boards)
        assert [database.value(board) for board in boards] == wanted


def test_wide_boards_use_the_tables_of_tall_ones():
    goal = goal_of(4, 2, 5)
    turned = Board(2, 4, tuple(goal.cells[row * 2 + col] for col in (0, 1) for row in range(4)))
    board = scramble(4, 2, "1", goal).start
    cells = tuple(board.cells[row * 2 + col] for col in (0, 1) for row in range(4))
    assert load(goal).value(board) == load(turned).value(Board(2, 4, cells))
    assert load(goal).arrays.values is load(turned).arrays.values


@pytest.fixture(scope="module")
def corner():
    return load(blank_first_goal(4, 4), "6-6-3")


@pytest.fixture(scope="module")
def databases(corner):
    """Return goals on 4x4 with the blank in each kind of cell, each with a pattern database."""
    edge, centre = goal_of(4, 4, 7), goal_of(4, 4, 10)
    return [
        (blank_first_goal(4, 4), corner),
        (edge, database_of(edge, "a.ab aabb dccb ddcc")),
        (centre, database_of(centre, "aabb a.bb accb dddc")),
    ]


def test_default_on_4x4_is_6_6_3(corner):
    assert find_partition(4, 4, 0).name == corner.partition == "6-6-3"
    assert [array.dtype.name for array in corner.arrays] == [
        "int64", "uint64", "int64", "int64", "int64", "int64", "uint8"
    ]  # fmt: skip
    assert all(array.flags.c_contiguous for array in corner.arrays)
    assert not corner.arrays.values.flags.writeable
    assert len(corner.arrays.cell_maps) == 2


def test_no_estimate_is_above_the_known_lengths(corner):
    for code, length in korf(15):
        h = corner.value(parse_puzzle(code).start)
        assert h <= length
        assert (length - h) % 2 == 0


def test_estimates_are_right_on_a_walk_from_the_goal(databases):
    for goal, database in databases:
        board, h = goal, 0
        for moves in range(1, 40):
            before = h
            board = board.slide(random.Random(moves).choice(board.movable))
            h = database.value(board)
            assert h <= moves
            assert (h - before) % 2 == 1


def test_reflected_board_has_the_same_estimate(databases):
    for goal, database in (databases[0], databases[2]):
        board = scramble(4, 4, "1", goal).start
        names = dict(zip(goal.cells, _reflect(goal.cells), strict=True))
        reflected = tuple(names[tile] for tile in _reflect(board.cells))
        assert database.value(Board(4, 4, reflected)) == database.value(board)
        first, second = database.groups_of(board)
        other_first, other_second = database.groups_of(Board(4, 4, reflected))
        assert [group.moves for group in first] == [group.moves for group in other_second]
        assert [group.moves for group in second] == [group.moves for group in other_first]


def _reflect(cells):
    return tuple(cells[col * 4 + row] for row in range(4) for col in range(4))


@pytest.mark.parametrize(("rows", "cols"), [(5, 7), (6, 6), (7, 7)])
def test_tables_above_33_cells_are_right(rows, cols):
    from slidewise.solver.tables.patterns.build import Grid, fill

    group = (0, cols + 1)
    table = np.zeros((rows * cols) ** 2, dtype=np.uint8)
    for _ in fill(table, Grid.of(rows, cols, 2), group, 1):
        pass
    fewest = fewest_moves(rows, cols, group, 1)
    wanted = [
        fewest.get(places, 255) if len(set(places)) == 2 else 0
        for places in in_table_order(rows * cols, 2)
    ]
    assert table.tolist() == wanted


def test_maps_give_the_effect_of_moving_a_tile():
    from slidewise.solver.tables.patterns.build import move_maps

    for size in range(1, 6):
        orders = list(permutations(range(size)))
        maps = move_maps(size).reshape(size, size, -1)
        for rank, order in enumerate(orders):
            for source in range(size):
                for target in range(size):
                    moved = list(order)
                    moved.insert(target, moved.pop(source))
                    assert orders[maps[source, target, rank]] == tuple(moved)


@pytest.mark.parametrize("size", [(2, 3), (3, 2), (3, 3), (4, 4), (2, 8), (5, 5)])
def test_frames_move_the_blank_to_the_smallest_equal_cell(size):
    blanks = set()
    for blank in range(math.prod(size)):
        goal = goal_of(*size, blank)
        frame = Frame.of(goal)
        blanks.add(frame.blank)
        assert (frame.rows, frame.cols) == tuple(sorted(size))
        on_diagonal = frame.rows == frame.cols and frame.blank % (frame.cols + 1) == 0
        assert len(frame.views) == len(set(frame.views)) == 1 + on_diagonal
        for view in frame.views:
            assert view in symmetries(*size)
            assert view[goal.blank] == frame.blank
        assert all(view[blank] >= frame.blank for view in symmetries(*size))
    assert len(blanks) == {(2, 3): 2, (3, 2): 2, (3, 3): 3, (4, 4): 3, (2, 8): 4, (5, 5): 6}[size]


@pytest.mark.parametrize("size", [(2, 4), (4, 3), (4, 4)])
def test_symmetries_preserve_neighbours(size):
    rows, cols = size
    found = list(symmetries(rows, cols))
    assert len(set(found)) == (8 if rows == cols else 4)
    table_cols = max(size)
    for view in found:
        assert sorted(view) == list(range(rows * cols))
        for cell in range(rows * cols):
            for other in neighbours(rows, cols, cell):
                a, b = divmod(view[cell], table_cols), divmod(view[other], table_cols)
                assert abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def test_partition_has_each_tile_once_in_a_canonical_frame():
    for partition in PARTITIONS:
        rows, cols = partition.size
        homes = [home for group in partition.groups for home in group]
        assert sorted([*homes, partition.blank]) == list(range(rows * cols))
        assert max(map(len, partition.groups)) <= 8
        frame = Frame.of(goal_of(rows, cols, partition.blank))
        assert frame.views[0] == tuple(range(rows * cols))
        assert find_partition(rows, cols, partition.blank, partition.name) is partition
        assert partition.mean > 0


SIZES = [(r, c) for r in range(2, 9) for c in range(2, 9) if r * c <= 16] + [(5, 5)]


@each("size", SIZES)
def test_each_goal_of_some_sizes_has_small_groups(size):
    for blank in range(math.prod(size)):
        partition = find_partition(*_frame(goal_of(*size, blank)))
        assert max(map(len, partition.groups)) <= 6


def test_default_on_5x5_has_groups_of_five():
    assert find_partition(5, 5, Frame.of(standard_goal(5, 5)).blank).name == "5-5-5-5-4"
