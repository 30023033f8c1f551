import itertools
import random
import re

import pytest
from hypothesis import given

from slidewise import Board, blank_first_goal, parity, parse_board, standard_goal
from tests.puzzle.strategies import puzzles
from tests.solver import oracle


def goals(rows: int, cols: int) -> list[Board]:
    """Return goals with the blank in each cell, with ordered and with shuffled tiles."""
    tiles = list(range(1, rows * cols))
    mixed = random.Random(7).sample(tiles, len(tiles))
    return [
        Board(rows, cols, (*order[:cell], 0, *order[cell:]))
        for order in (tiles, mixed)
        for cell in range(rows * cols)
    ]


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 3), (3, 2)])
def test_parity_agrees_with_exhaustive_search(rows, cols):
    everything = list(itertools.permutations(range(rows * cols)))
    for goal in goals(rows, cols):
        reached = oracle.distances(goal.cells, rows, cols)
        assert len(reached) == len(everything) // 2
        for cells in everything:
            found = parity(Board(rows, cols, cells), goal)
            assert found.solvable == (cells in reached), (cells, goal)
            # also the two pairings of numbers, each alone
            assert swaps_pairing(found) == inversions_pairing(found) == (cells in reached)


def swaps_pairing(found) -> bool:
    return found.transpositions % 2 == found.grid_distance % 2


def inversions_pairing(found) -> bool:
    """The inversions alone for odd columns, with the row distance for even ones."""
    rows_too = 0 if found.cols % 2 else found.row_distance
    return (found.inversions + rows_too) % 2 == 0


@given(puzzles())
def test_both_pairings_agree_for_every_size(puzzle):
    found = puzzle.parity
    assert swaps_pairing(found) == inversions_pairing(found) == found.solvable == puzzle.solvable


@given(puzzles())
def test_parity_counts_are_right(puzzle):
    start, goal = puzzle.start, puzzle.goal
    found = parity(start, goal)
    assert found.cols == start.cols
    blank, home = divmod(start.blank, start.cols), divmod(goal.blank, goal.cols)
    assert found.row_distance == abs(blank[0] - home[0])
    assert found.grid_distance == abs(blank[0] - home[0]) + abs(blank[1] - home[1])
    assert found.transpositions == fewest_swaps(list(start.cells), list(goal.cells))
    tiles = [tile for tile in start.cells if tile]
    in_goal = [tile for tile in goal.cells if tile]
    assert found.inversions == sum(
        in_goal.index(first) > in_goal.index(second)
        for first, second in itertools.combinations(tiles, 2)
    )


def fewest_swaps(cells: list[int], goal: list[int]) -> int:
    """Count swaps that each bring one piece home, none of them wasted."""
    swaps = 0
    for place, wanted in enumerate(goal):
        if cells[place] != wanted:
            other = cells.index(wanted)
            cells[place], cells[other] = wanted, cells[place]
            swaps += 1
    return swaps


# Known facts


def test_prize_puzzle_of_loyd_is_unsolvable():
    board = parse_board("1.2.3.4-5.6.7.8-9.10.11.12-13.15.14.0")
    assert not parity(board, standard_goal(4, 4)).solvable


@pytest.mark.parametrize(("side", "same"), [(2, False), (3, True), (4, False), (5, True)])
def test_blank_first_is_reachable_for_odd_sides(side, same):
    assert parity(blank_first_goal(side, side), standard_goal(side, side)).solvable is same


# The explanation


@given(puzzles())
def test_explanation_shows_the_right_pairing_and_numbers(puzzle):
    found = puzzle.parity
    text = found.explain()
    shown = {0: "no", 1: "one"}.get(found.inversions, str(found.inversions))
    assert f"{shown} pair" in text
    assert f"With {puzzle.cols} columns" in text
    if puzzle.cols % 2:
        total = found.inversions
        assert "The blank is" not in text
        assert "+" not in text
    else:
        total = found.inversions + found.row_distance
        assert re.search(rf"The blank is {found.row_distance} rows? from its place", text)
        assert f"{found.inversions} + {found.row_distance} = {total} is" in text
    assert f"{total} is {'odd' if total % 2 else 'even'}: the goal" in text
    assert text.endswith(
        "can be reached." if total % 2 == 0 else "cannot be reached; parity proves it."
    )
    assert puzzle.solvable == (total % 2 == 0)


@pytest.mark.parametrize(
    ("code", "counted"),
    [
        ("1.2.3-4.5.6-7.8.0", "no pair of tiles is"),
        ("2.1.3-4.5.6-7.8.0", "one pair of tiles is"),
        ("2.3.1-4.5.6-7.8.0", "2 pairs of tiles are"),
        ("3.2.1-4.5.6-7.8.0", "3 pairs of tiles are"),
    ],
)
def test_inversions_are_counted_in_words(code, counted):
    explained = parity(parse_board(code), standard_goal(3, 3)).explain()
    assert f"left out, {counted} out of order." in explained


def test_example_of_an_explanation():
    assert parity(parse_board("1.0-2.3"), standard_goal(2, 2)).explain() == (
        "Read row by row with the blank left out, no pair of tiles is out of order. "
        "The blank is 1 row from its place in the goal. With 2 columns no "
        "move can change whether the sum of the two is even or odd, and in the goal it is 0, "
        "which is even. 0 + 1 = 1 is odd: the goal cannot be reached; parity proves it."
    )
