"""The heuristics on all boards: never above the truth, never falling by more than a move."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from slidewise import Board, find_heuristic, heuristics, parse_board
from slidewise.solver.estimate import Estimate
from slidewise.solver.kernels.estimate import change_of_move, set_indices
from tests.solver import oracle
from tests.solver.oracle import BLANK_FIRST, STANDARD
from tests.solver.runs import SWEEP

SMALL = ["1.2.3-4.5.0", "0.1.2-3.4.5", "1.2-3.4-5.0", "4.0-1.5-2.3"]
TWO_BY_FOUR = "1.2.3.4-5.6.7.0"


class Space:
    """All boards that can reach a goal, their true distances, and which are a move apart.

    Or, by `each`, a part of the boards together with those one move away.
    """

    def __init__(self, goal, each=1):
        self.goal = goal
        every = oracle.distances(goal.cells, goal.rows, goal.cols)
        part = list(every)[::each]
        near = [new for cells in part for new in oracle.successors(cells, goal.rows, goal.cols)]
        distances = {cells: every[cells] for cells in [*part, *near]}
        self.boards = [Board(goal.rows, goal.cols, cells) for cells in distances]
        self.distances = np.array(list(distances.values()))
        number = {cells: place for place, cells in enumerate(distances)}
        self.moves = np.array(
            [
                (place, number[new])
                for cells, place in number.items()
                for new in oracle.successors(cells, goal.rows, goal.cols)
                if new in number
            ]
        ).T

    def estimates(self, value):
        """Return what the function `value(board, goal)` says of each board."""
        return np.array([value(board, self.goal) for board in self.boards])

    def admissible(self, estimates):
        return (estimates <= self.distances).all()

    def consistent(self, estimates):
        here, there = self.moves
        return (estimates[here] <= 1 + estimates[there]).all()


@pytest.mark.parametrize("text", [*SMALL, TWO_BY_FOUR])
def test_admissible_and_consistent_on_all_small_boards(text):
    space = Space(parse_board(text))
    for key, heuristic in heuristics().items():
        if not heuristic.consistent and len(space.boards) < 1_000:
            continue  # so few boards may show no case of that
        estimates = space.estimates(heuristic.value)
        assert estimates[0] == 0, "of the goal, which comes first"
        assert space.admissible(estimates), key
        assert space.consistent(estimates) == heuristic.consistent, key


@pytest.fixture(scope="module", params=[STANDARD, BLANK_FIRST])
def boards_of_3x3(request):
    return Space(Board(3, 3, request.param), 1 if SWEEP else 29)


@pytest.mark.parametrize("key", heuristics())
def test_admissible_and_consistent_on_3x3_boards(key, boards_of_3x3):
    assert len(boards_of_3x3.boards) > 20_000
    estimates = boards_of_3x3.estimates(find_heuristic(key).value)
    assert boards_of_3x3.admissible(estimates)
    assert boards_of_3x3.consistent(estimates) == find_heuristic(key).consistent


@pytest.mark.parametrize("key", oracle.ESTIMATES)
@pytest.mark.parametrize("text", [*SMALL, "3.1.2.0-7.5.6.4", "1.2-3.4-0.6-7.8-9.5"])
def test_the_tables_against_the_definitions(key, text):
    goal = parse_board(text)
    for start in (goal.cells, goal.cells[::-1], (*goal.cells[2:], *goal.cells[:2])):
        expected = oracle.ESTIMATES[key](start, goal.cells, goal.cols)
        board = Board(goal.rows, goal.cols, start)
        assert find_heuristic(key).value(board, goal) == expected


@pytest.mark.parametrize("key", heuristics())
@pytest.mark.parametrize("text", ["1.2.3-4.5.0", "0.3-2.1", "7.2.4-5.0.6-8.3.1"])
def test_the_blank_adds_nothing_wherever_it_is(key, text):
    goal = parse_board(text)
    table = find_heuristic(key).build(goal)
    assert table.cells == len(goal.cells)
    assert not any(0 in group.weights for group in table.groups)
    assert table.value(goal) == 0


@pytest.mark.parametrize("key", heuristics())
def test_no_board_has_more_than_the_highest_value(key):
    goal = parse_board("1.2.3-4.5.0")
    table = find_heuristic(key).build(goal)
    boards = oracle.distances(goal.cells, 2, 3)
    assert max(table.value(Board(2, 3, cells)) for cells in boards) <= table.highest


# Mistakes that others made: the checks above must catch them.


def blank_counted(key):
    """Return the heuristic that takes the blank for a tile, as if all numbers were one higher."""

    def value(board, goal):
        cells, home = (tuple(tile + 1 for tile in side.cells) for side in (board, goal))
        return oracle.ESTIMATES[key](cells, home, board.cols)

    return value


@pytest.mark.parametrize("key", ["misplaced", "manhattan", "linear-conflict"])
def test_counting_the_blank_is_not_admissible(key):
    goal = parse_board("1.2.3-4.5.0")
    space, wrong = Space(goal), blank_counted(key)
    assert not space.admissible(space.estimates(wrong))
    board = parse_board("1.2.3-4.0.5")
    assert wrong(board, goal) >= 2
    assert find_heuristic(key).value(board, goal) == 1 == space.distances[space.boards.index(board)]


@pytest.mark.parametrize("key", ["misplaced", "manhattan", "linear-conflict"])
def test_the_distance_to_another_goal_is_not_admissible(key):
    goal, other = parse_board("0.1.2-3.4.5-6.7.8"), parse_board("1.2.3-4.5.6-7.8.0")
    near = parse_board("1.0.2-3.4.5-6.7.8")
    assert find_heuristic(key).value(near, goal) == 1
    assert find_heuristic(key).value(near, other) > 1


@pytest.mark.parametrize("key", ["misplaced", "manhattan", "linear-conflict"])
def test_leaving_out_the_last_tile_is_noticed(key):
    goal = parse_board("1.2.3-4.5.6-7.8.0")
    table = find_heuristic(key).build(goal)
    without = Estimate(9, [group for group in table.groups if set(group.weights) != {8}])
    board = parse_board("1.2.3-4.5.6-7.0.8")
    assert without.value(board) == 0
    assert table.value(board) == 1


def pairs_counted(cells, goal, cols):
    """Return Manhattan distance and 2 for each pair in reversed order, as many write it."""
    total = oracle.manhattan(cells, goal, cols)
    for line in oracle.lines(len(goal) // cols, cols):
        wanted = [goal[cell] for cell in line]
        homes = [
            wanted.index(cells[cell]) for cell in line if cells[cell] and cells[cell] in wanted
        ]
        total += 2 * sum(a > b for a, b in itertools.combinations(homes, 2))
    return total


def test_counting_pairs_in_conflict_is_not_admissible(to_standard):
    """Three tiles in reversed order are three pairs, but two of them leave."""
    board = parse_board("7.8.0-6.5.4-1.2.3")
    assert pairs_counted(board.cells, STANDARD, 3) == 28 > 26 == to_standard[board.cells]
    goal, board = Board(3, 3, STANDARD), parse_board("3.2.1-4.5.6-7.8.0")
    assert pairs_counted(board.cells, STANDARD, 3) == 4 + 6
    assert find_heuristic("linear-conflict").value(board, goal) == 4 + 4


def test_a_conflict_with_the_blank_is_none():
    """The blank has no home to come to: a tile beside its own place only has to move there."""
    goal = parse_board("1.0-2.3")
    assert find_heuristic("linear-conflict").value(parse_board("0.1-2.3"), goal) == 1


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (3, 5), (4, 4), (5, 6), (6, 3), (7, 8), (10, 10)])
def test_linear_conflict_is_the_fewest_removals(size):
    """On sides above 5 the lines are worked out; tiles stay near their lines, or few conflict."""
    rows, cols = size
    draw = random.Random(rows + 10 * cols)
    for _ in range(40):
        goal = draw.sample(range(rows * cols), rows * cols)
        cells = list(goal)
        for line in draw.sample(oracle.lines(rows, cols), draw.randrange(rows + cols)):
            tiles = draw.sample([cells[cell] for cell in line], len(line))
            for cell, tile in zip(line, tiles, strict=True):
                cells[cell] = tile
        board, end = Board(rows, cols, tuple(cells)), Board(rows, cols, tuple(goal))
        expected = oracle.linear_conflict(board.cells, end.cells, cols)
        assert find_heuristic("linear-conflict").value(board, end) == expected


@pytest.mark.parametrize("size", [(2, 3), (3, 3), (4, 4), (5, 5), (6, 7), (10, 10), (2, 10)])
@pytest.mark.parametrize("key", ["manhattan", "linear-conflict", "misplaced", "zero"])
def test_the_compiled_estimate_is_the_same(key, size):
    rows, cols = size
    draw = random.Random(rows * cols)
    goal = Board(rows, cols, tuple(draw.sample(range(rows * cols), rows * cols)))
    estimate = find_heuristic(key).build(goal)
    arrays = estimate.arrays
    assert estimate.arrays is arrays
    indices = np.zeros(len(arrays.offsets), dtype=np.int64)
    board = goal
    for _ in range(200):
        cells = np.array(board.cells, dtype=np.int32)
        set_indices(cells, arrays, indices)
        tile = draw.choice(board.movable)
        change = change_of_move(tile, board.cells.index(tile), board.blank, arrays, indices)
        after = board.slide(tile)
        assert change == estimate.value(after) - estimate.value(board)
        assert estimate.value(after) <= estimate.highest
        board = after
