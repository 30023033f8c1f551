"""The exact distance tables and the values read from them, against the oracle's."""

import itertools
import random

import pytest

from slidewise import (
    Board,
    InvalidBoardError,
    Puzzle,
    PuzzleError,
    TooManyCellsError,
    blank_first_goal,
    exact_table,
    parse_board,
    solve,
    standard_goal,
)
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.tables.order import UNREACHABLE
from tests.solver import oracle
from tests.solver.oracle import STANDARD
from tests.solver.runs import SWEEP

SIZES = [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)]

EDGE = "1.0.3-4.2.8-7.6.5"


def rotated(goal, by):
    """Return a goal whose blank and tiles are shifted by `by` cells."""
    cells = goal.cells[by:] + goal.cells[:by]
    return Board(*goal.size, cells)


def in_order(goal):
    """Yield the cells of all boards in the order of the table's layout."""
    tiles = [tile for tile in goal.cells if tile]
    for blank in reversed(range(len(goal.cells))):
        for sequence in itertools.permutations(tiles):
            yield (*sequence[:blank], 0, *sequence[blank:])


def check_all(goal, distances):
    values = exact_table(goal).values.tolist()
    for number, cells in enumerate(in_order(goal)):
        assert values[number] == distances.get(cells, UNREACHABLE), cells


@pytest.mark.parametrize("size", SIZES)
def test_distances_of_small_boards_to_several_goals(size):
    last = standard_goal(*size)
    for goal in (last, blank_first_goal(*size), rotated(last, 2)):
        check_all(goal, oracle.distances(goal.cells, *size))


def test_distances_of_all_3x3_boards(to_standard):
    check_all(Board(3, 3, STANDARD), to_standard)
    if SWEEP:
        check_all(parse_board(EDGE), oracle.distances(parse_board(EDGE).cells, 3, 3))


@pytest.mark.parametrize(
    ("size", "diameter", "boards"),
    [
        ((2, 2), 6, 12),
        ((2, 3), 21, 360),
        ((3, 2), 21, 360),
        ((2, 4), 36, 20_160),
        ((3, 3), 31, 181_440),
        ((2, 5), 55, 1_814_400),
        ((5, 2), 55, 1_814_400),
    ],
)
def test_diameters_are_the_published_ones(size, diameter, boards):
    table = exact_table(standard_goal(*size))
    assert (table.diameter, table.boards) == (diameter, boards)
    assert len(table.counts) == diameter + 1
    assert sum(table.counts) == boards
    assert min(table.counts) > 0
    assert all(type(count) is int for count in table.counts), "they go into JSON"


def test_counts_of_2x5_are_right():
    goal = standard_goal(2, 5)
    counts = exact_table(goal).counts
    layers = [set(), {goal.cells}]
    while len(layers) < 20:
        after = {new for cells in layers[-1] for new in oracle.successors(cells, 2, 5)}
        layers.append(after - layers[-2])
    assert list(counts[:19]) == [len(layer) for layer in layers[1:]]
    assert sum(counts[::2]) == sum(counts[1::2]) == 907_200
    assert counts == exact_table(blank_first_goal(5, 2)).counts, "the same board, turned"


def test_distances_of_sampled_2x5_boards():
    """A distance is right if each other board has a neighbour one nearer, and none nearer."""
    goal = parse_board("9.1.7.4.3-2.8.0.6.5")
    table, draw = exact_table(goal), random.Random(5)
    for _ in range(200):
        board = table.board(draw.randrange(len(table.values)))
        distance = table.distance(board)
        assert (distance is not None) == Puzzle(board, goal).solvable
        if distance:
            near = {table.distance(board.slide(tile)) - distance for tile in board.movable}
            assert -1 in near
            assert near <= {-1, 1}
    for number in range(0, len(table.values), 700_001):
        board = table.board(number)
        assert table.distance(board) == solve(Puzzle(board, goal), "astar").length


def test_unsolvable_board_has_no_distance():
    table = exact_table(standard_goal(3, 3))
    board = parse_board("1.2.3-8.0.4-7.6.5")
    assert table.distance(board) is None
    assert table.next_tiles(board) == ()
    with pytest.raises(PuzzleError, match=r"1.2.3-8.0.4-7.6.5 cannot reach 1.2.3-4.5.6-7.8.0"):
        table.path(board)


def nearer(cells, distances, cols):
    """Return the tiles that reduce the oracle's distance, blank up, down, left, right."""
    blank = cells.index(0)
    after = oracle.successors(cells, len(cells) // cols, cols)
    return tuple(new[blank] for new in after if distances[new] == distances[cells] - 1)


@pytest.mark.parametrize("goal", ["1.2.3-4.5.0", "3.0-1.4-5.2", "7.1.2.3-4.0.6.5"])
def test_next_tiles_are_those_that_reduce_the_distance(goal):
    goal = parse_board(goal)
    table, distances = exact_table(goal), oracle.distances(goal.cells, *goal.size)
    for cells in random.Random(1).sample(list(distances), min(len(distances), 500)):
        board = Board(*goal.size, cells)
        assert table.next_tiles(board) == nearer(cells, distances, goal.cols)
    assert table.next_tiles(goal) == ()


def test_path_is_shortest_and_takes_the_first_tile(to_standard):
    table = exact_table(Board(3, 3, STANDARD))
    for cells in random.Random(2).sample(list(to_standard), 100):
        path = table.path(Board(3, 3, cells))
        assert len(path) - 1 == to_standard[cells]
        for blank, onward in itertools.pairwise(path):
            tile, *_ = nearer(cells, to_standard, 3)
            assert (cells[blank], cells[onward]) == (0, tile)
            cells = list(cells)
            cells[blank], cells[onward] = tile, 0
            cells = tuple(cells)
        assert cells == STANDARD


def test_board_and_number_round_trip():
    for size in [*SIZES, (3, 3), (2, 5)]:
        table = exact_table(rotated(standard_goal(*size), 2))
        for number in random.Random(3).sample(range(len(table.values)), 10):
            assert table.number(table.board(number)) == number


def test_boards_at_a_distance_are_listed():
    goal = parse_board("7.1.2.3-4.0.6.5")
    table, distances = exact_table(goal), oracle.distances(goal.cells, 2, 4)
    for distance in 0, 1, 2, 10, table.diameter:
        boards = list(table.at(distance))
        assert len(boards) == table.counts[distance]
        assert {board.cells for board in boards} == {
            cells for cells, found in distances.items() if found == distance
        }
        assert boards == sorted(boards, key=table.number)
        assert [table.nth_at(distance, n) for n in range(min(len(boards), 9))] == boards[:9]
    for none in -1, table.diameter + 1, UNREACHABLE, 1000:
        assert list(table.at(none)) == []
        with pytest.raises(IndexError):
            table.nth_at(none, 0)


def test_too_large_boards_are_refused():
    for goal in standard_goal(3, 4), standard_goal(2, 6), standard_goal(10, 10):
        with pytest.raises(TooManyCellsError, match=f"up to {TABLE_CELLS} cells"):
            exact_table(goal)


def test_board_of_another_size_is_refused():
    with pytest.raises(InvalidBoardError, match=r"expected a board of 3x2, got 1.2.3-4.5.0"):
        exact_table(standard_goal(3, 2)).distance(standard_goal(2, 3))


def test_table_is_read_only():
    with pytest.raises(ValueError, match="read-only"):
        exact_table(standard_goal(3, 3)).values[0] = 1
