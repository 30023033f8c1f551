"""The path lengths of every search, against the true distances of all boards."""

import pytest

from slidewise import Board, Limits, Puzzle, Status, parse_puzzle, solve
from slidewise.puzzle.moves import play
from tests import boards
from tests.each import each
from tests.solver.runs import (
    SMALL_GOALS,
    STRONG,
    SWEEP,
    WEAK,
    all_puzzles,
    check_honest,
    check_optimal,
    check_path,
    on_3x3,
    sample,
    scrambled_puzzle,
)

INFORMED = [(key, h) for key in ("astar", "idastar", "rbfs") for h in (*STRONG, *WEAK)]
BLIND = [("bfs", None), ("ucs", None), ("iddfs", None), ("bidirectional", None)]
OPTIMAL = [*INFORMED, *BLIND]
NOT_OPTIMAL = [("greedy", "manhattan"), ("greedy", "misplaced"), ("greedy", "zero")]
NOT_OPTIMAL += [("wastar", "manhattan"), ("wastar", "linear-conflict"), ("dfs", None)]

WITHOUT_REACHED = [("iddfs", None), *((key, h) for key in ("idastar", "rbfs") for h in WEAK)]
"""Searches that expand boards repeatedly, which makes distant goals slow."""


@each("place", range(len(OPTIMAL + NOT_OPTIMAL)))
def test_lengths_on_small_boards(place):
    """Each search has its share of the boards; together the shares are all boards."""
    for goal in SMALL_GOALS:
        puzzles = all_puzzles(goal)
        algorithm, heuristic = [*OPTIMAL, *NOT_OPTIMAL][place]
        check = check_optimal if (algorithm, heuristic) in OPTIMAL else check_honest
        shares = 1 if SWEEP or len(puzzles) < 20 else 20
        for puzzle, distance in puzzles[place % shares :: shares]:
            check(solve(puzzle, algorithm, heuristic), distance)


@pytest.mark.parametrize(("algorithm", "heuristic"), OPTIMAL)
def test_lengths_on_3x3_at_every_distance(algorithm, heuristic, to_standard):
    farthest = 20 if (algorithm, heuristic) in WITHOUT_REACHED else 31
    each = 8 if SWEEP else 2  # both farthest boards
    for cells, distance in sample(to_standard, each):
        if distance <= farthest:
            check_optimal(solve(on_3x3(cells), algorithm, heuristic), distance)


@pytest.mark.soak
@pytest.mark.parametrize("heuristic", STRONG)
@pytest.mark.parametrize("algorithm", ["astar", "idastar"])
def test_lengths_on_all_3x3_boards(algorithm, heuristic, to_standard):
    for cells, distance in to_standard.items():
        result = solve(on_3x3(cells), algorithm, heuristic)
        assert result.length == result.lower_bound == distance, cells
        check_path(result)


@pytest.mark.parametrize("choice", [("astar", "manhattan"), ("bidirectional", None)])
def test_lengths_on_3x3_with_another_goal(choice, to_blank_first):
    goal = Board(3, 3, tuple(range(9)))
    for cells, distance in sample(to_blank_first, 3):
        check_optimal(solve(Puzzle(Board(3, 3, cells), goal), *choice), distance)
        check_optimal(solve(Puzzle(goal, Board(3, 3, cells)), *choice), distance)


@pytest.mark.parametrize("algorithm", ["idastar", "rbfs"])
def test_4x4_board_is_solved_in_little_memory(algorithm):
    code, length = min(boards.korf(15), key=lambda board: board[1])
    check_optimal(solve(parse_puzzle(code), algorithm, "manhattan"), length)


@pytest.mark.parametrize("size", [(4, 4), (2, 8), (5, 5), (6, 6), (3, 6), (10, 10), (7, 3)])
def test_larger_boards_near_any_goal_are_solved(size):
    for moves in (1, 2, 5, 8, 12):
        puzzle = scrambled_puzzle(*size, moves)
        distance = solve(puzzle, "bfs").length
        assert distance <= moves
        for choice in OPTIMAL:
            check_optimal(solve(puzzle, *choice), distance)
        check_honest(solve(puzzle, "greedy", "manhattan"), distance)


def test_long_path_on_a_large_board_is_found():
    start = Board(10, 10, (0, *range(1, 100)))
    check_optimal(solve(Puzzle(start, play(start, "U" * 9 + "L" * 9 + "D" * 9))), 27)


@pytest.mark.parametrize("algorithm", ["greedy", "astar"])
def test_estimate_beyond_the_first_buckets_is_taken(algorithm):
    """The Manhattan distance of a reversed 10x10 board exceeds the initial number of ranks."""
    puzzle = Puzzle.standard(Board(10, 10, (*range(99, 0, -1), 0)))
    puzzle = puzzle if puzzle.solvable else puzzle.solvable_alternatives().swapped
    result = solve(puzzle, algorithm, "manhattan", Limits(expansions=2_000))
    assert result.status is Status.CUTOFF
    assert result.lower_bound > 500


def test_all_3x3_boards_are_reached_once():
    """Two boards are 31 moves from the start, the maximum. One of them is the goal."""
    result = solve(parse_puzzle(f"1.2.3-4.5.6-7.8.0_{boards.HARDEST}"), "bfs")
    assert (result.length, result.peak_stored) == (31, 181_440)
    assert 181_438 <= result.expanded <= 181_439
