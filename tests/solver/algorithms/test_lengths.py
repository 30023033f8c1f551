"""The lengths of paths, against the true distances of all boards."""

from __future__ import annotations

import itertools
import os
import random

import pytest

from slidewise import Limits, Proof, Status, solve
from slidewise.puzzle import Board, Puzzle, parse_puzzle
from slidewise.puzzle.moves import play, tiles_moved
from tests.solver import oracle

OPTIMAL = [
    ("astar", "manhattan"),
    ("astar", "linear-conflict"),
    ("astar", "misplaced"),
    ("astar", "zero"),
    ("bfs", None),
    ("ucs", None),
]
GREEDY = [("greedy", "manhattan"), ("greedy", "misplaced"), ("greedy", "zero")]
GREEDY += [("wastar", "manhattan"), ("wastar", "linear-conflict"), ("dfs", None)]

PARTS = 96
"""The boards of 3x3 are dealt out to so many parts. One is solved in each run of the tests, and
all if SLIDEWISE_SWEEP is set, which takes some minutes."""
SWEEP = range(PARTS if os.environ.get("SLIDEWISE_SWEEP") else 1)

SMALL_GOALS = ["1.2-3.0", "0.1-2.3", "3.1-0.2", "1.2.3-4.5.0", "5.3.1-4.0.2"]
SMALL_GOALS += ["0.1-2.3-4.5", "5.3-0.4-2.1"]

ANCHORS = [
    ("8.6.7-2.5.4-3.0.1", 31),
    ("6.4.7-8.5.0-3.2.1", 31),
    ("7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8", 26),
    ("2.3.0-1.4.6-7.5.8", 6),
    ("1.0.3-4.2.5", 2),
    ("1.2.3-0.4.5-6.7.8_1.2.3-4.5.0-6.7.8", 2),
    ("1.2.3-0.4.5-6.7.8_1.2.3-6.4.5-0.7.8", 1),
]


def check_path(result):
    """Assert that the result's path is legal and leads to the goal."""
    start, goal = result.puzzle.start, result.puzzle.goal
    assert result.status is Status.SOLVED
    replayed = oracle.replay(start.cells, start.rows, start.cols, result.moves)
    assert replayed == (result.tiles, goal.cells)
    assert result.length == len(result.moves)


def check_optimal(result, distance):
    check_path(result)
    assert result.length == distance
    assert result.lower_bound == distance
    assert result.verdict.kind is Proof.OPTIMAL


def check_honest(result, distance):
    """Assert that the result claims no more than is true."""
    check_path(result)
    assert result.lower_bound <= distance <= result.length
    assert (result.verdict.kind is Proof.OPTIMAL) == (result.lower_bound == result.length)
    if result.verdict.kind is Proof.UNPROVED:
        assert f"between {result.lower_bound} and {result.length} moves" in result.verdict.reason


def sample(distances, each):
    """Return up to `each` boards of each distance, the same in every run."""
    by_distance = {}
    for cells, distance in distances.items():
        by_distance.setdefault(distance, []).append(cells)
    draw = random.Random(1)
    return [
        (cells, distance)
        for distance, boards in by_distance.items()
        for cells in draw.sample(boards, min(each, len(boards)))
    ]


@pytest.mark.parametrize("text", SMALL_GOALS)
def test_all_boards_of_small_sizes(text):
    goal = parse_puzzle(text).start
    for cells, distance in oracle.distances(goal.cells, goal.rows, goal.cols).items():
        puzzle = Puzzle(Board(goal.rows, goal.cols, cells), goal)
        for algorithm, heuristic in OPTIMAL:
            check_optimal(solve(puzzle, algorithm, heuristic), distance)
        for algorithm, heuristic in GREEDY:
            check_honest(solve(puzzle, algorithm, heuristic), distance)


@pytest.mark.parametrize(("algorithm", "heuristic"), OPTIMAL)
def test_3x3_boards_are_solved_by_a_shortest_path(algorithm, heuristic, to_standard):
    far = [drawn for drawn in sample(to_standard, 4) if drawn[1] > 16]
    near = [drawn for drawn in sample(to_standard, 42) if drawn[1] <= 16]
    assert len(far + near) >= 500
    for cells, distance in far + near:
        result = solve(Puzzle.standard(Board(3, 3, cells)), algorithm, heuristic)
        check_optimal(result, distance)


@pytest.mark.parametrize("part", SWEEP)
@pytest.mark.parametrize("heuristic", ["manhattan", "linear-conflict"])
def test_a_star_on_all_3x3_boards(heuristic, part, to_standard):
    for cells, distance in itertools.islice(to_standard.items(), part, None, PARTS):
        result = solve(Puzzle.standard(Board(3, 3, cells)), "astar", heuristic)
        assert result.length == result.lower_bound == distance, cells
        check_path(result)


@pytest.mark.parametrize("part", SWEEP)
@pytest.mark.parametrize("algorithm", ["bfs", "ucs"])
def test_blind_search_on_3x3_boards(algorithm, part, to_standard):
    """The two boards of 31 moves, and 2,000 others in all parts together."""
    drawn = list(itertools.islice(to_standard.items(), part, None, 45 * PARTS))
    drawn += [(cells, distance) for cells, distance in to_standard.items() if distance == 31]
    for cells, distance in drawn:
        check_optimal(solve(Puzzle.standard(Board(3, 3, cells)), algorithm), distance)


@pytest.mark.parametrize(("algorithm", "heuristic"), [OPTIMAL[0], OPTIMAL[1], OPTIMAL[4]])
def test_3x3_boards_with_the_blank_first_in_the_goal(algorithm, heuristic, to_blank_first):
    goal = Board(3, 3, tuple(range(9)))
    for cells, distance in sample(to_blank_first, 3):
        result = solve(Puzzle(Board(3, 3, cells), goal), algorithm, heuristic)
        check_optimal(result, distance)


@pytest.mark.parametrize(("algorithm", "heuristic"), [*GREEDY[:2], GREEDY[3]])
def test_greedy_search_claims_no_more_than_it_knows(algorithm, heuristic, to_standard):
    for cells, distance in sample(to_standard, 30):
        result = solve(Puzzle.standard(Board(3, 3, cells)), algorithm, heuristic)
        check_honest(result, distance)


@pytest.mark.parametrize(("text", "distance"), ANCHORS)
@pytest.mark.parametrize(("algorithm", "heuristic"), OPTIMAL)
def test_known_boards(text, distance, algorithm, heuristic):
    puzzle = parse_puzzle(text)
    result = solve(puzzle, algorithm, heuristic)
    check_optimal(result, distance)
    *_, last = result.steps()
    assert last.board == play(puzzle.start, result.moves) == puzzle.goal
    assert list(result.tiles) == tiles_moved(puzzle.start, result.moves)


@pytest.mark.parametrize("size", [(4, 4), (2, 8), (5, 5), (3, 6), (10, 10), (2, 10), (7, 3)])
def test_larger_boards_a_few_moves_from_any_goal(size):
    rows, cols = size
    draw = random.Random(rows * cols)
    for moves in (1, 2, 5, 8):
        goal = Board(rows, cols, tuple(draw.sample(range(rows * cols), rows * cols)))
        start = goal
        for _ in range(moves):
            start = start.move(draw.choice(start.legal_directions))
        results = [solve(Puzzle(start, goal), *choice) for choice in OPTIMAL]
        for result in results:
            check_optimal(result, results[-1].length)
        assert results[0].length <= moves
        check_honest(solve(Puzzle(start, goal), "greedy", "manhattan"), results[0].length)


def test_a_long_way_on_a_large_board():
    start = Board(10, 10, (0, *range(1, 100)))
    goal = play(start, "U" * 9 + "L" * 9 + "D" * 9)
    result = solve(Puzzle(start, goal))
    check_optimal(result, 27)


def test_an_estimate_beyond_the_first_buckets():
    """The Manhattan distance of a 10x10 board read backwards needs more ranks than there are
    at first."""
    puzzle = Puzzle.standard(Board(10, 10, (*range(99, 0, -1), 0)))
    if not puzzle.solvable:
        puzzle = puzzle.ways_out().swapped
    for algorithm in ("greedy", "astar"):
        result = solve(puzzle, algorithm, "manhattan", Limits(expansions=2_000))
        assert result.status is Status.CUTOFF
        assert result.lower_bound > 500
