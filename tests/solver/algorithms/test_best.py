"""The algorithm `best`: exact up to 10 cells, proved shortest up to 16."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import pytest

from slidewise import (
    Board,
    Limits,
    Proof,
    Puzzle,
    Status,
    find_algorithm,
    parse_puzzle,
    scramble,
    search,
    solve,
)
from slidewise.solver import compiling
from slidewise.solver.engines.bracket import BracketSearch
from slidewise.solver.events import Improved, Iteration
from slidewise.solver.task import Task
from tests.boards import FOUR_FARTHEST, korf
from tests.solver.both_ends import both_ends
from tests.solver.runs import SWEEP, check_optimal

KORF = sorted(korf(15), key=lambda board: board[1])[: None if SWEEP else 5]
"""The easiest of Korf's boards, or all of them."""

HARD = parse_puzzle(FOUR_FARTHEST)
ENOUGH = Limits(expansions=300_000)
"""Enough for several iterations on `HARD`, not for its end."""


def goal_with_blank(rows, cols, blank):
    tiles = list(range(1, rows * cols))
    return Board(rows, cols, (*tiles[:blank], 0, *tiles[blank:]))


def shortest(puzzle):
    """Return the length of a shortest path, by plain breadth-first search from both ends."""
    return both_ends(puzzle.start.cells, puzzle.goal.cells, puzzle.rows, puzzle.cols).length


def wandered(goal, moves, seed):
    """Return a puzzle whose start is some moves from the goal, drawn with `seed`."""
    board, before = goal, None
    for number in range(moves):
        tiles = [tile for tile in board.movable if tile != before]
        before = tiles[hash((seed, number)) % len(tiles)]
        board = board.slide(before)
    return Puzzle(board, goal)


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 3), (5, 2)])
def test_up_to_10_cells_it_is_looked_up(size):
    for seed in range(5):
        result = solve(scramble(*size, str(seed)))
        check_optimal(result, solve(result.puzzle, "astar").length)
        assert result.expanded == 0


@pytest.mark.parametrize(("code", "length"), KORF)
def test_the_known_lengths_of_15_puzzles(code, length):
    check_optimal(solve(parse_puzzle(code)), length)


@pytest.mark.parametrize(
    ("rows", "cols", "blank"),
    [(4, 4, 0), (4, 4, 7), (4, 4, 10), (4, 4, 15), (3, 4, 5), (4, 3, 11), (2, 7, 3), (3, 5, 7),
     (2, 8, 9)][:: 1 if SWEEP else 4],
)  # fmt: skip
def test_goals_with_the_blank_anywhere(rows, cols, blank):
    goal = goal_with_blank(rows, cols, blank)
    for seed in range(2):
        puzzle = wandered(goal, 20, seed)
        check_optimal(solve(puzzle), shortest(puzzle))


def test_a_board_that_is_its_own_reflection():
    """Of its first two moves only one is searched."""
    goal = goal_with_blank(4, 4, 0)
    board = goal
    for tile in (1, 5, 4, 1, 5, 4):  # round and round, which the reflection turns the other way
        board = board.slide(tile)
    puzzle = Puzzle(board, goal)
    check_optimal(solve(puzzle), shortest(puzzle))


@pytest.mark.parametrize("number", [0, 4])
def test_more_cores_find_the_same(number, monkeypatch):
    monkeypatch.setattr("slidewise.solver.engines.parallel.LONG_ITERATION_EXPANSIONS", 2_000)
    monkeypatch.setattr(
        "slidewise.solver.engines.bracket.ALONE_SECONDS", 1e9
    )  # no beams, which go by the time
    code, length = KORF[number]
    one, many = (solve(parse_puzzle(code), limits=Limits(cores=cores)) for cores in (1, 3))
    check_optimal(one, length)
    assert (one.moves, one.expanded, one.generated) == (many.moves, many.expanded, many.generated)


def test_beams_beside_it_find_a_shorter_path_and_their_expansions_count(monkeypatch):
    for _ in compiling.prepare("beam"):
        pass
    found = []
    for alone in 1e9, 0.0:  # without beams, and with them from the start
        monkeypatch.setattr("slidewise.solver.engines.bracket.ALONE_SECONDS", alone)
        found.append(solve(HARD, limits=Limits(expansions=2_000_000)))
    without, beside = found
    assert beside.lower_bound <= 70 <= beside.length < without.length
    assert beside.expanded == without.expanded == 2_000_000


def test_a_search_that_is_stopped_gives_a_path_and_a_bracket():
    *events, last = search(HARD, limits=ENOUGH)
    limits = [event.limit for event in events if isinstance(event, Iteration)]
    assert limits == sorted(set(limits))
    assert len({limit % 2 for limit in limits}) == 1
    for before, after in pairwise(event for event in events if isinstance(event, Improved)):
        assert after.length <= before.length
        assert after.lower_bound >= before.lower_bound
    result = last.result
    assert result.status is Status.SOLVED
    assert result.verdict.kind is Proof.BOUNDED
    assert 46 <= result.lower_bound <= 70 <= result.length
    assert f"at most {result.length - result.lower_bound} moves above" in result.verdict.reason
    assert result.puzzle.start != result.puzzle.goal
    assert list(result.steps())[-1].board == result.puzzle.goal


def test_expansions_end_it_with_a_path_too():
    result = solve(HARD, limits=Limits(expansions=1000))
    assert (result.status, result.expanded) == (Status.SOLVED, 1000)
    assert list(result.steps())[-1].board == result.puzzle.goal


def test_beams_expand_no_more_than_the_limit_leaves():
    compiling.load("beam")
    task = Task(HARD, find_algorithm("best"), None, Limits(expansions=1_000))
    closing_in = BracketSearch(task, SimpleNamespace(seconds=60))  # so that it is time for beams
    outcome = closing_in.advance(400)
    for _ in range(5):
        list(closing_in.news(outcome))
        assert 400 < closing_in.expanded <= 1_000


def test_cancelled_it_still_gives_a_path():
    result = solve(HARD, cancelled=lambda: True)
    assert result.status is Status.SOLVED
    assert result.verdict.reason.startswith("stopped on request")
