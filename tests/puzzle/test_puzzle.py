import pytest
from hypothesis import example, given

from slidewise import (
    Board,
    InvalidBoardError,
    Puzzle,
    blank_first_goal,
    parity,
    parse_board,
    parse_puzzle,
    spiral_goal,
    standard_goal,
)
from slidewise.puzzle.puzzle import swap_tiles
from tests.puzzle.strategies import boards, puzzles


def exchanged(before: Board, after: Board) -> set[int]:
    """Return the tiles whose cells differ in `after`."""
    return {
        tile
        for pair in zip(before.cells, after.cells, strict=True)
        for tile in pair
        if pair[0] != pair[1]
    }


@given(boards())
def test_standard_puzzle_has_the_standard_goal(board):
    puzzle = Puzzle.standard(board)
    assert puzzle == Puzzle(board, standard_goal(*board.size))
    assert (puzzle.rows, puzzle.cols) == board.size


def test_goal_must_have_the_size_of_the_start():
    with pytest.raises(InvalidBoardError, match="the start is 2x3, the goal 3x2"):
        Puzzle(standard_goal(2, 3), standard_goal(3, 2))


@given(puzzles(), boards())
def test_starting_at_preserves_the_goal(puzzle, board):
    if board.size == puzzle.start.size:
        assert puzzle.starting_at(board) == Puzzle(board, puzzle.goal)
    else:
        with pytest.raises(InvalidBoardError):
            puzzle.starting_at(board)


def test_goals_have_their_names():
    start = parse_board("1.3-0.2")
    assert Puzzle.standard(start).goal_name == "blank last"
    assert Puzzle(start, blank_first_goal(2, 2)).goal_name == "blank first"
    assert Puzzle(start, spiral_goal(2, 2)).goal_name == "spiral"
    assert Puzzle(start, start).goal_name == "custom"


# The two solvable alternatives of an unsolvable puzzle


@given(puzzles())
def test_alternatives_change_only_two_tiles_or_the_goal(puzzle):
    ways = puzzle.solvable_alternatives()
    first, second = ways.tiles
    assert 0 < first < second < puzzle.rows * puzzle.cols
    assert ways.swapped.goal == puzzle.goal
    assert exchanged(puzzle.start, ways.swapped.start) == {first, second}
    assert ways.other_goal.start == puzzle.start
    assert ways.other_goal.goal != puzzle.goal
    assert ways.swapped.solvable == ways.other_goal.solvable == (not puzzle.solvable)


@given(puzzles())
@example(parse_puzzle("1.2.3-4.0.6-7.8.5"))  # the blank and a tile would swap home
def test_swap_brings_two_tiles_home_or_is_of_the_last_two(puzzle):
    goal_cell = {tile: cell for cell, tile in enumerate(puzzle.goal.cells)}
    pairs = {
        (tile, other)
        for cell, tile in enumerate(puzzle.start.cells)
        for other in [puzzle.start.cells[goal_cell[tile]]]
        if 0 < tile < other and goal_cell[other] == cell
    }
    last_two = tuple(sorted([tile for tile in puzzle.start.cells if tile][-2:]))
    assert puzzle.solvable_alternatives().tiles in (pairs or {last_two})


@pytest.mark.parametrize(
    ("code", "goal"),
    [
        ("1.2.3.4-5.6.7.8-9.10.11.12-13.15.14.0", "blank first"),
        ("1.0-2.3", "blank first"),
        ("1.2-0.3_0.1-2.3", "blank last"),
        ("1.2.3-8.0.4-7.6.5", "custom"),  # on 3x3, blank first is as unreachable as blank last
        ("1.2.3-8.0.4-7.6.5_0.1.2-3.4.5-6.7.8", "custom"),
    ],
)
def test_other_goal_is_a_named_one_if_reachable(code, goal):
    puzzle = parse_puzzle(code)
    assert not puzzle.solvable
    other = puzzle.solvable_alternatives().other_goal
    assert other.goal_name == goal
    if goal == "custom":
        assert len(exchanged(puzzle.goal, other.goal)) == 2


@given(boards())
def test_swap_changes_the_parity_and_is_its_own_inverse(board):
    swapped = swap_tiles(board, 1, 2)
    assert exchanged(board, swapped) == {1, 2}
    assert swap_tiles(swapped, 1, 2) == board
    assert not parity(board, swapped).solvable


@pytest.mark.parametrize(
    "code", ["1.2.3-4.5.6-8.7.0", "2.1.3-4.5.6-7.8.0", "0.1.2-3.4.5-6.8.7", "1.3-2.0", "2.1-3.0"]
)
def test_alternatives_are_not_solved_already(code):
    puzzle = parse_puzzle(code)
    assert not puzzle.solvable
    solvable_alternatives = puzzle.solvable_alternatives()
    assert solvable_alternatives.other_goal.solvable
    assert solvable_alternatives.other_goal.start != solvable_alternatives.other_goal.goal
