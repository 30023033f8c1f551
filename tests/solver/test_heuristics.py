"""The heuristics on all boards: admissible and consistent."""

import random

import numpy as np
import pytest
from numba import njit

from slidewise import Board, find_heuristic, heuristics, parse_board, scramble, solve
from slidewise.solver.kernels.estimate import change_of_move, set_indices
from tests.each import each
from tests.solver import oracle
from tests.solver.oracle import BLANK_FIRST, STANDARD
from tests.solver.runs import SWEEP

SMALL = ["1.2.3-4.5.0", "0.1.2-3.4.5", "1.2-3.4-5.0", "4.0-1.5-2.3"]
TWO_BY_FOUR = "1.2.3.4-5.6.7.0"


class Space:
    """All boards that can reach a goal, their true distances and the pairs one move apart.

    With `each`, a sample of the boards together with those one move away.
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
        """Return the function `value(board, goal)` of each board."""
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
            continue  # a small sample may show no case of that
        estimates = space.estimates(heuristic.value)
        assert estimates[0] == 0, "of the goal, which comes first"
        assert space.admissible(estimates) == heuristic.admissible, key
        assert space.consistent(estimates) == heuristic.consistent, key


@pytest.fixture(scope="module", params=[STANDARD, BLANK_FIRST])
def boards_of_3x3(request):
    return Space(Board(3, 3, request.param), 1 if SWEEP else 97)


@pytest.mark.parametrize("key", heuristics())
def test_admissible_and_consistent_on_3x3_boards(key, boards_of_3x3):
    assert len(boards_of_3x3.boards) > 5_000
    estimates = boards_of_3x3.estimates(find_heuristic(key).value)
    assert boards_of_3x3.admissible(estimates) == find_heuristic(key).admissible
    assert boards_of_3x3.consistent(estimates) == find_heuristic(key).consistent


@each("key", heuristics())
@each("text", ["1.2.3-4.5.0", "0.3-2.1", "7.2.4-5.0.6-8.3.1"])
def test_blank_adds_nothing_in_any_cell(key, text):
    goal = parse_board(text)
    table = find_heuristic(key).build(goal)
    assert table.cells == len(goal.cells)
    assert not any(0 in group.weights for group in table.groups)
    assert table.value(goal) == 0


@pytest.mark.parametrize("key", heuristics())
def test_no_board_exceeds_the_highest_value(key):
    goal = parse_board("1.2.3-4.5.0")
    table = find_heuristic(key).build(goal)
    boards = oracle.distances(goal.cells, 2, 3)
    assert max(table.value(Board(2, 3, cells)) for cells in boards) <= table.highest


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (3, 5), (4, 4), (5, 6), (6, 3), (7, 8), (10, 10)])
def test_estimates_follow_the_definitions(size):
    """On sides above 5 the lines are computed. Tiles stay near their lines, or few conflict."""
    rows, cols = size
    draw = random.Random(rows + 10 * cols)
    for _ in range(40 if SWEEP or rows * cols < 20 else 8):
        goal = draw.sample(range(rows * cols), rows * cols)
        cells = list(goal)
        for line in draw.sample(oracle.lines(rows, cols), draw.randrange(rows + cols)):
            tiles = draw.sample([cells[cell] for cell in line], len(line))
            for cell, tile in zip(line, tiles, strict=True):
                cells[cell] = tile
        board, end = Board(rows, cols, tuple(cells)), Board(rows, cols, tuple(goal))
        for key, estimate in oracle.ESTIMATES.items():
            expected = estimate(board.cells, end.cells, cols)
            assert find_heuristic(key).value(board, end) == expected, key


@njit
def change_on(cells, tile, old, new, arrays, indices):
    """Return the change of h. Only compiled functions can call those of the kernels."""
    set_indices(cells, arrays, indices)
    return change_of_move(tile, old, new, arrays, indices)


@pytest.mark.parametrize("size", [(2, 3), (3, 3), (4, 4), (5, 5), (6, 7), (10, 10), (2, 10)])
@pytest.mark.parametrize("key", ["manhattan", "linear-conflict", "misplaced", "zero"])
def test_compiled_estimate_is_the_same(key, size):
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
        tile = draw.choice(board.movable)
        change = change_on(cells, tile, board.cells.index(tile), board.blank, arrays, indices)
        after = board.slide(tile)
        assert change == estimate.value(after) - estimate.value(board)
        assert estimate.value(after) <= estimate.highest
        board = after


def test_expansions_are_in_the_stated_proportion():
    """The sample is small; the pages have the figures of a thousand boards."""
    puzzles = [scramble(3, 3, f"heuristics {number}") for number in range(60)]

    def found(key):
        results = [solve(puzzle, "astar", key) for puzzle in puzzles]
        return sum(one.expanded for one in results), sum(one.length for one in results)

    expanded, length = found("manhattan")
    assert 1.4 < found("euclidean")[0] / expanded < 1.8
    assert 0.4 < found("walking-distance")[0] / expanded < 0.6
    by_nilsson, longer = found("nilsson")
    assert 0.05 < by_nilsson / expanded < 0.2
    assert 4 < (longer - length) / len(puzzles) < 7
