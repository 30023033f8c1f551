"""The fewest slides, against an independent search over lists of cells."""

import random

import pytest

from slidewise import (
    Board,
    Limits,
    Puzzle,
    SlideTable,
    TooManyCellsError,
    blank_first_goal,
    fewest_slides,
    parse_puzzle,
    standard_goal,
)
from slidewise.puzzle.moves import play
from slidewise.solver.tables.all_boards import state_of, walking


def after_slides(cells, cols):
    """Yield the cells after each slide of a line towards the blank, by the rules of play."""
    blank = cells.index(0)
    for step in (1, -1, cols, -cols):
        after, at = list(cells), blank
        while True:
            to = at + step
            if not 0 <= to < len(cells) or (abs(step) == 1 and to // cols != at // cols):
                break
            after[at], after[to] = after[to], 0
            at = to
            yield tuple(after)


def by_slides(goal, cols, most=99):
    """Return the slides that each board needs to `goal`, up to `most`, by breadth-first search."""
    found, layer = {goal: 0}, [goal]
    for slides in range(1, most + 1):
        layer = [
            cells for board in layer for cells in after_slides(board, cols) if cells not in found
        ]
        found |= dict.fromkeys(layer, slides)
        layer = list(dict.fromkeys(layer))
        if not layer:
            break
    return found


@pytest.fixture(scope="module")
def on_3x3():
    return by_slides((1, 2, 3, 4, 5, 6, 7, 8, 0), 3)


def check_solution(found):
    """Play the slides by the oracle's rules, and the moves by the board's."""
    cells, cols = found.puzzle.start.cells, found.puzzle.cols
    for tile in found.tiles:
        to = cells.index(tile)
        cells = next(after for after in after_slides(cells, cols) if after.index(0) == to)
    assert cells == found.puzzle.goal.cells
    assert play(found.puzzle.start, found.moves) == found.puzzle.goal
    assert found.slides == len(found.tiles)


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("goal_of", [standard_goal, blank_first_goal])
def test_slides_of_all_small_boards_are_fewest(size, goal_of):
    goal = goal_of(*size)
    distances = by_slides(goal.cells, goal.cols)
    assert sum(SlideTable(goal).counts) == len(distances)
    for cells, slides in distances.items():
        found = fewest_slides(Puzzle(Board(*size, cells), goal))
        assert (found.slides, found.is_proved) == (slides, True), cells
        check_solution(found)


def test_no_board_of_3x3_needs_more_than_24_slides(on_3x3):
    table = SlideTable(standard_goal(3, 3))
    numbers = list(on_3x3.values())
    assert table.counts == tuple(numbers.count(slides) for slides in range(25))
    assert table.diameter == max(numbers) == 24
    for cells in random.Random(1).sample(list(on_3x3), 100):
        found = fewest_slides(Puzzle(Board(3, 3, cells), table.goal))
        assert found.slides == on_3x3[cells]
        check_solution(found)


def test_ten_cells_need_at_most_36_slides():
    table = SlideTable(standard_goal(2, 5))
    assert (table.diameter, table.boards) == (36, 1_814_400)
    check_solution(fewest_slides(Puzzle(table.nth_at(36, 0), table.goal)))


def test_goal_has_0_slides_and_unsolvable_puzzle_no_number():
    solved = fewest_slides(parse_puzzle("1.2.3-4.5.6-7.8.0"))
    assert (solved.slides, solved.tiles, solved.moves, solved.is_proved) == (0, (), "", True)
    never = fewest_slides(parse_puzzle("2.1.3-4.5.6-7.8.0"))
    assert (never.slides, never.lower_bound, never.is_proved) == (None, None, False)
    assert "parity" in never.reason


# Above 10 cells


@pytest.fixture(scope="module", params=[(4, 4), (3, 4), (4, 3), (5, 3), (2, 8)])
def near_goal(request):
    goal = standard_goal(*request.param)
    return goal, by_slides(goal.cells, goal.cols, 9)


def test_slides_near_the_goal_are_fewest(near_goal):
    goal, distances = near_goal
    far = [cells for cells, slides in distances.items() if slides == 9]
    drawn = random.Random(3).sample(list(distances), 20) + random.Random(3).sample(far, 20)
    for cells in [goal.cells, *drawn]:
        found = fewest_slides(Puzzle(Board(*goal.size, cells), goal))
        assert (found.slides, found.is_proved) == (distances[cells], True), cells
        check_solution(found)


def test_goal_may_have_the_blank_elsewhere():
    goal = Board(4, 4, (1, 2, 3, 4, 5, 0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    distances = by_slides(goal.cells, 4, 8)
    far = [cells for cells, slides in distances.items() if slides == 8]
    for cells in random.Random(4).sample(far, 20):
        found = fewest_slides(Puzzle(Board(4, 4, cells), goal))
        assert (found.slides, found.lower_bound) == (8, 8)
        check_solution(found)


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 3), (2, 5), (6, 2)])
def test_walking_distance_is_never_above_the_fewest_slides(size):
    goal = standard_goal(*size)
    tables = {
        columns: walking(
            *(size[::-1] if columns else size), goal.blank % size[1] if columns else size[0] - 1
        )
        for columns in (False, True)
    }
    distances = by_slides(goal.cells, size[1], 24 if goal.rows * goal.cols < 10 else 8)
    for cells, slides in random.Random(5).sample(list(distances.items()), 12):
        board = Board(*size, cells)
        needed = [
            table.slides[table.numbers[state_of(board, goal, columns=columns)]]
            for columns, table in tables.items()
        ]
        assert max(sum(needed), 2 * max(needed) - 1) <= slides


FAR = "14.13.15.7-11.12.9.5-6.0.2.1-4.8.10.3_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"


def test_limit_ends_with_the_best_solution_and_a_bound():
    found = fewest_slides(parse_puzzle(FAR), Limits(expansions=4_000_000))
    assert found.expanded == 4_000_000
    assert found.reason == "stopped after 4,000,000 expansions"
    check_solution(found)
    assert 21 <= found.lower_bound < found.slides <= 50
    assert not found.is_proved
    again = fewest_slides(parse_puzzle(FAR), Limits(expansions=4_000_000))
    assert (again.tiles, again.lower_bound) == (found.tiles, found.lower_bound)


def test_search_cancelled_at_once_has_a_long_solution():
    found = fewest_slides(parse_puzzle(FAR), cancelled=lambda: True)
    check_solution(found)
    assert (found.is_proved, found.reason) == (False, "stopped on request")


def test_other_sizes_are_refused():
    with pytest.raises(TooManyCellsError, match="up to 16 cells, such as 4x4, and 5x5"):
        fewest_slides(Puzzle(standard_goal(5, 5), standard_goal(5, 5)))
