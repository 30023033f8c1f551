"""The heuristics on all boards: never above the truth, never falling by more than a move."""

from __future__ import annotations

import pytest

from tests.search import oracle
from tests.search.conftest import BLANK_FIRST, STANDARD
from webapp.puzzle import Board, parse_board
from webapp.search import find_heuristic, heuristics
from webapp.search.estimates import Estimate

SMALL = ["1.2.3-4.5.0", "0.1.2-3.4.5", "1.2-3.4-5.0", "4.0-1.5-2.3"]


def admissible(estimate, distances):
    return all(estimate[cells] <= distance for cells, distance in distances.items())


def consistent(estimate, rows, cols):
    return all(
        estimate[cells] <= 1 + estimate[new]
        for cells in estimate
        for new in oracle.successors(cells, rows, cols)
    )


def estimates(value, goal, distances):
    """Return what the function `value(board, goal)` says of each board."""
    return {cells: value(Board(goal.rows, goal.cols, cells), goal) for cells in distances}


@pytest.mark.parametrize("key", heuristics())
@pytest.mark.parametrize("text", SMALL)
def test_admissible_and_consistent_on_all_small_boards(key, text):
    goal = parse_board(text)
    distances = oracle.distances(goal.cells, goal.rows, goal.cols)
    estimate = estimates(find_heuristic(key).value, goal, distances)
    assert estimate[goal.cells] == 0
    assert admissible(estimate, distances)
    assert consistent(estimate, goal.rows, goal.cols)


@pytest.mark.parametrize("key", heuristics())
@pytest.mark.parametrize(
    ("cells", "table"), [(STANDARD, "to_standard"), (BLANK_FIRST, "to_blank_first")]
)
def test_admissible_and_consistent_on_all_3x3_boards(key, cells, table, request):
    goal, distances = Board(3, 3, cells), request.getfixturevalue(table)
    estimate = estimates(find_heuristic(key).value, goal, distances)
    assert admissible(estimate, distances)
    assert consistent(estimate, 3, 3)


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


@pytest.mark.parametrize("key", ["misplaced", "manhattan"])
def test_counting_the_blank_is_not_admissible(key):
    goal = parse_board("1.2.3-4.5.0")
    distances = oracle.distances(goal.cells, 2, 3)
    wrong = estimates(blank_counted(key), goal, distances)
    assert not admissible(wrong, distances)
    board = parse_board("1.2.3-4.0.5")
    assert wrong[board.cells] == 2
    assert find_heuristic(key).value(board, goal) == 1 == distances[board.cells]


@pytest.mark.parametrize("key", ["misplaced", "manhattan"])
def test_the_distance_to_another_goal_is_not_admissible(key):
    goal, other = parse_board("0.1.2-3.4.5-6.7.8"), parse_board("1.2.3-4.5.6-7.8.0")
    near = parse_board("1.0.2-3.4.5-6.7.8")
    assert find_heuristic(key).value(near, goal) == 1
    assert find_heuristic(key).value(near, other) > 1


@pytest.mark.parametrize("key", ["misplaced", "manhattan"])
def test_leaving_out_the_last_tile_is_noticed(key):
    goal = parse_board("1.2.3-4.5.6-7.8.0")
    table = find_heuristic(key).build(goal)
    without = Estimate(9, [group for group in table.groups if 8 not in group.weights])
    board = parse_board("1.2.3-4.5.6-7.0.8")
    assert without.value(board) == 0
    assert table.value(board) == 1
