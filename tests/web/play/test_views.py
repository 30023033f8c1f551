from __future__ import annotations

import pytest

from slidewise import (
    Board,
    Game,
    Puzzle,
    blank_first_goal,
    parse_board,
    parse_puzzle,
    standard_goal,
)
from webapp.board.cells import cells
from webapp.board.profile import profile
from webapp.board.words import goal_words
from webapp.play import announcements

BOARD = parse_board("1.2.3-4.0.6-7.5.8")
GOAL = standard_goal(3, 3)


def test_cells_come_in_reading_order_with_their_places():
    drawn = cells(BOARD, GOAL, moved=5)
    assert [(cell.tile, cell.row, cell.col) for cell in drawn] == [
        *[(1, 0, 0), (2, 0, 1), (3, 0, 2)],
        *[(4, 1, 0), (0, 1, 1), (6, 1, 2)],
        *[(7, 2, 0), (5, 2, 1), (8, 2, 2)],
    ]
    assert [cell.tile for cell in drawn if cell.home] == [1, 2, 3, 4, 6, 7]
    assert [cell.tile for cell in drawn if cell.moved] == [5]


def test_cells_say_where_their_tiles_belong():
    by_tile = {cell.tile: cell for cell in cells(BOARD, GOAL)}
    assert (by_tile[5].goal_row, by_tile[5].goal_col) == (1, 1)
    assert (by_tile[6].goal_row, by_tile[6].goal_col) == (1, 2)
    goal = parse_board("3.1-2.0")
    assert [
        (cell.tile, cell.goal_row, cell.goal_col) for cell in cells(parse_board("1.2-3.0"), goal)
    ] == [(1, 0, 1), (2, 1, 0), (3, 0, 0), (0, 1, 1)]


def layers(goal):
    """Return the layer of each cell of `goal`, row by row, as it is drawn."""
    shown = [str(cell.layer) for cell in cells(goal, goal)]
    return ["".join(shown[i : i + goal.cols]) for i in range(0, len(shown), goal.cols)]


@pytest.mark.parametrize(
    ("goal", "drawn"),
    [
        (standard_goal(4, 4), ["0000", "0111", "0122", "0123"]),
        (blank_first_goal(4, 4), ["3210", "2210", "1110", "0000"]),
        (standard_goal(2, 5), ["00000", "01111"]),
        (standard_goal(5, 2), ["00", "01", "01", "01", "01"]),
        (parse_board("1.2.3-8.0.4-7.6.5"), ["000", "021", "011"]),
        (parse_board("1.2.0-3.4.5"), ["011", "000"]),
    ],
)
def test_layers_are_one_row_and_one_column_farthest_from_the_blank(goal, drawn):
    assert layers(goal) == drawn


@pytest.mark.parametrize("blank", range(20))
def test_the_blank_is_in_the_last_layer_wherever_it_belongs(blank):
    tiles = iter(range(1, 20))
    goal = Board(4, 5, tuple(0 if cell == blank else next(tiles) for cell in range(20)))
    drawn = "".join(layers(goal))
    assert drawn[blank] == max(drawn) == "3"
    assert [drawn.count(layer) for layer in "0123"] == [8, 6, 4, 2]


def test_a_screen_reader_hears_where_a_tile_is_and_whether_it_can_move():
    labels = {cell.tile: cell.label for cell in cells(BOARD, GOAL)}
    assert labels[1] == "1, row 1, column 1"
    assert labels[2] == "2, row 1, column 2, can move down"
    assert labels[4] == "4, row 2, column 1, can move right"
    assert labels[6] == "6, row 2, column 3, can move left"
    assert labels[5] == "5, row 3, column 2, can move up"


@pytest.mark.parametrize(
    ("code", "tile", "said"),
    [
        ("1.2.3-4.0.6-7.5.8", 5, "Tile 5 up. 1 move."),
        ("0.1.2-3.4.5-6.7.8", 2, "Tiles 1 and 2 left. 2 moves."),
        ("1.2.3-4.5.6-7.0.8", 8, "Tile 8 left. Solved in 1 move."),
        ("1.2.3-4.5.6-0.7.8", 8, "Tiles 7 and 8 left. Solved in 2 moves."),
    ],
)
def test_each_click_is_announced(code, tile, said):
    before = Game.new(parse_puzzle(code))
    assert announcements.after_slide(before, before.slide(tile, now=0)) == said


def test_goals_have_names():
    assert goal_words(Puzzle.standard(BOARD)) == "goal: blank last"
    assert goal_words(Puzzle(BOARD, blank_first_goal(3, 3))) == "goal: blank first"
    assert goal_words(Puzzle(BOARD, BOARD)) == "goal of its own"


def test_a_profile_holds_the_estimates_along_a_solution():
    puzzle = parse_puzzle("1.2.3-4.0.6-7.5.8")
    boards = [parse_board("1.2.3-4.5.6-7.0.8"), GOAL]
    drawn = profile(puzzle, boards, "manhattan")
    assert (drawn.estimates, drawn.length, drawn.top) == ([2, 1, 0], 2, 2)
    assert drawn.title == "Manhattan distance"


def test_there_is_no_profile_of_nothing():
    puzzle = parse_puzzle("1.2.3-4.0.6-7.5.8")
    assert profile(puzzle, [], None) is None
    assert profile(puzzle, [GOAL], "zero") is None
