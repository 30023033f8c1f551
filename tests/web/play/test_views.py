import pytest

from slidewise import Board, Puzzle, blank_first_goal, parse_board, parse_puzzle, standard_goal
from tests.boards import ONE_MOVE, TWO_MOVES, UNSOLVABLE
from tests.each import each
from webapp.board import cells, goal_words
from webapp.solve.replay import profile

BOARD = parse_board(TWO_MOVES)
GOAL = standard_goal(3, 3)


def test_cells_hold_the_goal_row_and_column_of_their_tiles():
    drawn = cells(parse_board("1.2-3.0"), parse_board("3.1-2.0"))
    assert [(cell.tile, cell.goal_row, cell.goal_col) for cell in drawn] == [
        *[(1, 0, 1), (2, 1, 0), (3, 0, 0), (0, 1, 1)]
    ]


def layers(goal):
    """Return the layers of the cells of `goal`, row by row."""
    shown = [str(cell.layer) for cell in cells(goal, goal)]
    return ["".join(shown[i : i + goal.cols]) for i in range(0, len(shown), goal.cols)]


@pytest.mark.parametrize(
    ("goal", "drawn"),
    [
        (standard_goal(4, 4), ["0000", "0111", "0122", "0123"]),
        (blank_first_goal(4, 4), ["3210", "2210", "1110", "0000"]),
        (standard_goal(2, 5), ["00000", "01111"]),
        (standard_goal(5, 2), ["00", "01", "01", "01", "01"]),
        (parse_board(UNSOLVABLE), ["000", "021", "011"]),
        (parse_board("1.2.0-3.4.5"), ["011", "000"]),
    ],
)
def test_layers_follow_row_and_column_farthest_from_the_blank(goal, drawn):
    assert layers(goal) == drawn


@each("blank", range(20))
def test_blank_is_in_the_last_layer_for_every_goal(blank):
    tiles = iter(range(1, 20))
    goal = Board(4, 5, tuple(0 if cell == blank else next(tiles) for cell in range(20)))
    drawn = "".join(layers(goal))
    assert drawn[blank] == max(drawn) == "3"
    assert [drawn.count(layer) for layer in "0123"] == [8, 6, 4, 2]


def test_tile_label_has_its_position_and_direction():
    labels = {cell.tile: cell.label for cell in cells(BOARD, GOAL)}
    assert {tile: labels[tile] for tile in (1, 2, 4, 6, 5)} == {
        1: "1, row 1, column 1",
        2: "2, row 1, column 2, can move down",
        4: "4, row 2, column 1, can move right",
        6: "6, row 2, column 3, can move left",
        5: "5, row 3, column 2, can move up",
    }


def test_goal_words_name_each_goal():
    assert goal_words(Puzzle.standard(BOARD)) == ""
    assert goal_words(Puzzle(BOARD, blank_first_goal(3, 3))) == "goal: blank first"
    assert goal_words(Puzzle(BOARD, BOARD)) == "custom goal"


def test_profile_holds_the_estimates_along_a_solution():
    puzzle, boards = parse_puzzle(TWO_MOVES), [parse_board(ONE_MOVE), GOAL]
    drawn = profile(puzzle, boards, "manhattan")
    assert (drawn.estimates, drawn.length, drawn.top) == ([2, 1, 0], 2, 2)
    assert drawn.title == "Manhattan distance"
    assert profile(puzzle, [], None) is profile(puzzle, [GOAL], "zero") is None
