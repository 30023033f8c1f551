"""The parts of a heuristic's explanation add up to its value."""

import random

import pytest

from slidewise import (
    Board,
    ExpressionError,
    UnfitHeuristicError,
    exact_table,
    find_heuristic,
    parse_board,
    parse_puzzle,
    scramble,
)
from slidewise.course.searching.explanation import Conflict, WayHome, conflicts, explain, ways_home
from tests.solver import oracle

START = parse_puzzle("7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8")


@pytest.mark.parametrize("size", [(2, 2), (2, 5), (3, 3), (4, 4), (5, 7), (10, 10)])
def test_parts_add_up_on_boards_with_conflicts(size):
    rows, cols = size
    draw = random.Random(rows * cols)
    for _ in range(20):
        goal = draw.sample(range(rows * cols), rows * cols)
        cells = list(goal)
        for line in draw.sample(oracle.lines(rows, cols), draw.randrange(rows + cols)):
            for cell, there in zip(line, draw.sample(line, len(line)), strict=True):
                cells[cell], cells[there] = cells[there], cells[cell]
        board, end = Board(rows, cols, tuple(cells)), Board(rows, cols, tuple(goal))
        distances = sum(way.distance for way in ways_home(board, end))
        assert distances == oracle.manhattan(board.cells, end.cells, cols)
        more = sum(conflict.moves for conflict in conflicts(board, end))
        assert distances + more == find_heuristic("linear-conflict").value(board, end)


def test_way_home_leads_home():
    for way in ways_home(START.start, START.goal):
        row, col = divmod(START.start.cells.index(way.tile), 3)
        assert START.goal.grid[row + way.down][col + way.right] == way.tile
    assert ways_home(START.start, START.goal)[0] == WayHome(1, -2, -1)


def test_tiles_that_stay_are_in_order():
    goal = parse_board("1.2.3.4-5.6.7.8-9.10.11.0")
    board = parse_board("4.1.3.2-9.6.7.8-5.10.11.0")
    assert conflicts(board, goal) == [
        Conflict(True, 0, (4, 1, 3, 2), (4, 3)),
        Conflict(False, 0, (9, 5), (9,)),
    ]
    assert conflicts(goal, goal) == []


def test_tile_that_only_passes_through_has_no_conflict():
    goal = parse_board("1.2.3-4.5.6-7.8.0")
    assert conflicts(parse_board("2.5.1-4.3.6-7.8.0"), goal) == [Conflict(True, 0, (2, 1), (2,))]


def test_explanation_has_h_and_distance():
    assert explain("manhattan", START)[:2] == (18, 26)
    assert explain("exact", START) == (26, 26, {}, (), None)
    assert explain("walking-distance", START) == (18, 26, {}, (), None)
    found = explain("=max(manhattan, 2 * misplaced)", START)
    assert found == (18, 26, {"manhattan": 18, "misplaced": 8}, (), 18)
    assert explain("=99 * manhattan", START)[::4] == (255, 99 * 18)
    assert explain("=-misplaced", START)[::4] == (0, -8)


def test_groups_of_a_pattern_database_add_up():
    found = explain("pdb", START)
    assert found.h == max(sum(group.moves for group in view) for view in found.views)
    assert len(found.views) == 2
    for view in found.views:
        assert sorted(tile for group in view for tile in group.tiles) == list(range(1, 9))
    large = explain("pdb", scramble(4, 4, "1"))
    assert large.distance is None
    assert large.h == max(sum(group.moves for group in view) for view in large.views)


def test_unsolvable_board_is_explained():
    puzzle = parse_puzzle("1.2.3-8.0.4-7.6.5")
    assert explain("manhattan", puzzle)[:2] == (8, None)
    for key in "=manhattan", "exact", "euclidean":
        assert explain(key, puzzle) == (None, None, {}, (), None)
    assert exact_table(puzzle.goal).distance(puzzle.start) is None


def test_explanation_of_unfit_heuristic_is_an_error():
    with pytest.raises(ExpressionError):
        explain("=manhatan", START)
    with pytest.raises(UnfitHeuristicError):
        explain("=manhattan", scramble(4, 4, "1"))
