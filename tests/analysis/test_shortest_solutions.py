"""The number of shortest solutions, against paths counted by breadth-first search."""

import random
from collections import Counter

import pytest

from slidewise import (
    Board,
    Limits,
    NotShortestError,
    Puzzle,
    TooManyCellsError,
    parse_puzzle,
    shortest_solutions,
    standard_goal,
)
from slidewise.puzzle.moves import tiles_moved
from tests.solver import oracle


def moved(cells, cols):
    """Yield the tile and the cells after each single move."""
    for after in oracle.successors(cells, len(cells) // cols, cols):
        yield after[cells.index(0)], after


def paths(goal, cols, most=99):
    """Return (moves, shortest paths) from `goal` to each board up to `most` moves away.

    A path is a path back.
    """
    found, layer = {goal: (0, 1)}, Counter({goal: 1})
    for moves in range(1, most + 1):
        after = Counter()
        for cells, number in layer.items():
            for _, to in moved(cells, cols):
                if to not in found:
                    after[to] += number
        found |= {cells: (moves, number) for cells, number in after.items()}
        layer = after
        if not layer:
            break
    return found


def check(found, known):
    """Compare all facts of a puzzle with the paths to its goal."""
    puzzle = found.puzzle
    assert (found.length, found.count) == known[puzzle.start.cells]
    assert found.lower_bound == found.length
    layer, on_them = {puzzle.start.cells}, {puzzle.start.cells}
    for moves in range(found.length, 0, -1):
        after = {to for cells in layer for _, to in moved(cells, puzzle.cols)}
        layer = {to for to in after if known.get(to, (None,))[0] == moves - 1}
        on_them |= layer
    assert found.boards == len(on_them)
    for tile, here in zip(tiles_moved(puzzle.start, found.moves), found.along(), strict=True):
        distance = known[here.board.cells][0]
        nearer = {
            way: known[to][1]
            for way, to in moved(here.board.cells, puzzle.cols)
            if known.get(to, (None,))[0] == distance - 1
        }
        assert here.solutions == nearer
        assert here.is_forced == (len(nearer) == 1)
        assert tile in nearer


@pytest.fixture(scope="module")
def on_3x3():
    return paths((1, 2, 3, 4, 5, 6, 7, 8, 0), 3)


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2)])
def test_small_boards_are_counted(size):
    goal = standard_goal(*size)
    known = paths(goal.cells, goal.cols)
    for cells in known:
        check(shortest_solutions(Puzzle(Board(*size, cells), goal)), known)


def test_3x3_boards_are_counted(on_3x3):
    hardest = [cells for cells, (moves, _) in on_3x3.items() if moves == 31]
    assert len(hardest) == 2
    for cells in [*hardest, *random.Random(1).sample(list(on_3x3), 40)]:
        check(shortest_solutions(Puzzle(Board(3, 3, cells), standard_goal(3, 3))), on_3x3)


def test_choices_along_a_given_solution():
    puzzle = parse_puzzle("8.6.7-2.5.4-3.0.1")
    found = shortest_solutions(puzzle)
    board, own = puzzle.start, ""
    while board != puzzle.goal:
        tile = max(found.first_moves[board].solutions)
        own += board.direction_of(tile)
        board = board.slide(tile)
    assert own != found.moves
    assert [here.board for here in found.along(own)] != [here.board for here in found.along()]
    for wrong in "", own[:-1], own[:-1] + "D":
        with pytest.raises(NotShortestError, match="31 moves"):
            found.along(wrong)
    assert found.along(found.moves) == found.along()


def test_goal_has_1_solution_and_unsolvable_puzzle_0():
    solved = shortest_solutions(parse_puzzle("1.2.3-4.5.6-7.8.0"))
    assert (solved.length, solved.count, solved.boards, solved.moves) == (0, 1, 1, "")
    assert solved.along() == ()
    never = shortest_solutions(parse_puzzle("2.1.3-4.5.6-7.8.0"))
    assert (never.length, never.lower_bound, never.count, never.moves) == (None, None, 0, None)
    assert "parity" in never.reason


# Above 10 cells


@pytest.fixture(scope="module", params=[(4, 4), (3, 4), (2, 6)])
def near_goal(request):
    goal = standard_goal(*request.param)
    return goal, paths(goal.cells, goal.cols, 15)


def test_boards_near_the_goal_are_counted(near_goal):
    goal, known = near_goal
    drawn = random.Random(2).sample(list(known), 20)
    several = [cells for cells, (_, number) in known.items() if number > 2][:10]
    assert several
    for cells in [goal.cells, *drawn, *several]:
        check(shortest_solutions(Puzzle(Board(*goal.size, cells), goal)), known)


def from_both_ends(start, goal, cols, length):
    """Return the number of shortest solutions, from paths to the middle from either end."""
    half = length // 2
    ahead, back = paths(start, cols, half), paths(goal, cols, length - half)
    return sum(
        number * back[cells][1]
        for cells, (moves, number) in ahead.items()
        if moves == half and back.get(cells, (None,))[0] == length - half
    )


def test_board_farther_away_is_counted():
    puzzle = parse_puzzle("2.5.1.3-9.6.7.4-10.14.0.8-13.15.11.12")
    found = shortest_solutions(puzzle)
    cells, goal = puzzle.start.cells, puzzle.goal.cells
    assert found.length is not None
    assert found.count == from_both_ends(cells, goal, 4, found.length)


KORF_3 = "14.7.8.2-13.11.10.4-9.12.5.0-3.6.1.15_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"


def test_limit_is_reported_with_the_bounds():
    puzzle = parse_puzzle(KORF_3)
    early = shortest_solutions(puzzle, Limits(expansions=100))
    assert (early.length, early.count, early.moves, early.along()) == (None, None, None, ())
    assert 41 <= early.lower_bound <= 59
    assert "100" in early.reason
    late = shortest_solutions(puzzle, Limits(stored_nodes=1_000))
    assert (late.length, late.lower_bound, late.count, late.boards) == (59, 59, None, None)
    assert "more than 1,000 boards" in late.reason
    assert shortest_solutions(puzzle, cancelled=lambda: True).count is None


def test_larger_boards_are_refused():
    with pytest.raises(TooManyCellsError, match="up to 16 cells"):
        shortest_solutions(Puzzle(standard_goal(5, 5), standard_goal(5, 5)))
