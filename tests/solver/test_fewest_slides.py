"""The fewest slides, against a search of the tests over lists of cells."""

from __future__ import annotations

import random

import pytest

from slidewise import (
    Board,
    Puzzle,
    SlideTable,
    blank_first_goal,
    fewest_slides,
    parse_puzzle,
    standard_goal,
)
from slidewise.puzzle.moves import play


def slid(cells, cols):
    """Yield the cells after each slide of a line towards the blank, as the rules of play say."""
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
        layer = [cells for board in layer for cells in slid(board, cols) if cells not in found]
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
        cells = next(after for after in slid(cells, cols) if after.index(0) == to)
    assert cells == found.puzzle.goal.cells
    assert play(found.puzzle.start, found.moves) == found.puzzle.goal
    assert found.slides == len(found.tiles)


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("goal_of", [standard_goal, blank_first_goal])
def test_all_small_boards(size, goal_of):
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


def test_the_goal_needs_none_and_an_unsolvable_puzzle_has_none():
    solved = fewest_slides(parse_puzzle("1.2.3-4.5.6-7.8.0"))
    assert (solved.slides, solved.tiles, solved.moves, solved.is_proved) == (0, (), "", True)
    never = fewest_slides(parse_puzzle("2.1.3-4.5.6-7.8.0"))
    assert (never.slides, never.lower_bound, never.is_proved) == (None, None, False)
    assert "parity" in never.reason
