"""Local search: steps, ends and random numbers of hill climbing and annealing."""

import random
from statistics import mean

import pytest

from slidewise import (
    Limits,
    Proof,
    PuzzleError,
    Status,
    find_heuristic,
    parse_puzzle,
    scramble,
    solve,
)
from slidewise.puzzle.moves import play
from tests.each import each, some
from tests.solver.test_registry import LOCAL

SMALL = [scramble(2, 2, str(seed)) for seed in range(5)]
NEAR = parse_puzzle("1.2.3-4.5.6-0.7.8")


def neighbours(board):
    """Return the neighbours, with the blank going up, down, left and right."""
    return [board.move(way) for way in "DURL" if way in board.legal_directions]


def climb(puzzle, heuristic):
    """Climb as a textbook does; return the boards, and the number of neighbours looked at."""
    h = find_heuristic(heuristic).build(puzzle.goal).value
    boards, looked_at = [puzzle.start], 0
    while boards[-1] != puzzle.goal:
        found = neighbours(boards[-1])
        looked_at += len(found)
        lowest = min(map(h, found))
        if lowest >= h(boards[-1]):
            break
        boards.append(next(board for board in found if h(board) == lowest))
    return boards, looked_at


@each("heuristic", ["manhattan", "linear-conflict", "misplaced"])
def test_steepest_ascent_equals_a_climb_on_boards(heuristic):
    ends = set()
    for puzzle in [*SMALL, NEAR, *(scramble(3, 3, str(seed)) for seed in range(40))]:
        boards, looked_at = climb(puzzle, heuristic)
        result = solve(puzzle, "hill-climbing", heuristic)
        is_stuck = boards[-1] != puzzle.goal
        ends.add(result.status)
        assert result.status is (Status.STUCK if is_stuck else Status.SOLVED)
        assert (result.expanded, result.generated) == (len(boards) - 1 + is_stuck, 1 + looked_at)
        assert result.length == (None if is_stuck else len(boards) - 1)
        h = find_heuristic(heuristic).build(puzzle.goal).value(boards[-1])
        if is_stuck:
            assert result.verdict.reason.startswith(f"no neighbour has a lower h than {h};")
    assert ends == {Status.STUCK, Status.SOLVED}


def test_first_choice_ends_where_no_neighbour_is_lower():
    for seed in range(30):
        result = solve(scramble(3, 3, str(seed)), "first-choice", seed=str(seed))
        assert result.status in (Status.STUCK, Status.SOLVED)
        assert result.generated <= 1 + 4 * result.expanded
    lengths = {solve(NEAR, "first-choice", seed=str(seed)).length for seed in range(5)}
    assert lengths == {2}


@each("algorithm", ["random-restart", "annealing"])
def test_path_of_a_random_search_leads_to_the_goal_without_loops(algorithm):
    for number in range(8):
        puzzle = scramble(3, 3, str(number))
        result = solve(puzzle, algorithm, limits=Limits(expansions=400_000), seed="2")
        assert (result.status, result.verdict.kind) == (Status.SOLVED, Proof.UNPROVED)
        boards = [step.board for step in result.steps()]
        assert play(puzzle.start, result.moves) == puzzle.goal
        assert len({puzzle.start, *boards}) == len(boards) + 1
        assert result.lower_bound <= solve(puzzle).length <= result.length


@each("algorithm", [key for key in LOCAL if key != "hill-climbing"])
def test_run_repeats_with_its_seed_and_only_with_it(algorithm):
    puzzle, limits = scramble(6, 6, "7"), Limits(expansions=2_000)
    runs = [
        {**solve(puzzle, algorithm, limits=limits, seed=seed).as_json(), "seconds": 0}
        for seed in ("a", "a", *"bcdefgh")
    ]
    assert runs[0] == runs[1]
    assert runs[0]["seed"] == "a"
    assert len({(run["generated"], run["deepest"]) for run in runs}) > 1


def test_restarts_go_on_until_a_limit():
    result = solve(scramble(4, 4, "1"), "random-restart", limits=Limits(expansions=5_000))
    assert (result.status, result.expanded, result.length) == (Status.CUTOFF, 5_000, None)


def test_cooling_sets_the_number_of_steps():
    puzzle = scramble(4, 4, "1")
    steps = [solve(puzzle, "annealing", cooling=cooling).expanded for cooling in (0.5, 0.9, 0.99)]
    assert steps == [8, 51, 528]  # 2 * cooling ** steps is first at most 0.01
    cold = solve(puzzle, "annealing", cooling=0.5)
    assert cold.status is Status.STUCK
    assert cold.cooling == cold.as_json()["cooling"] == 0.5
    assert cold.verdict.reason.startswith("the temperature has fallen to 0.01, and h is still ")


def test_other_searches_have_no_seed_and_no_cooling():
    result = solve(NEAR, "astar", seed="a", cooling=0.9)
    assert (result.seed, result.cooling) == (None, None)
    climbed = solve(NEAR, "first-choice", cooling=0.9)
    assert (climbed.seed, climbed.cooling) == ("1", None)


@each("algorithm", LOCAL)
def test_path_stays_within_the_depth_limit_and_the_memory(algorithm):
    numbers = random.Random(3)
    for number in range(6):
        depth, stored = numbers.randrange(1, 30), numbers.randrange(1, 40)
        limits = Limits(expansions=2_000, depth=depth, stored_nodes=stored)
        result = solve(scramble(3, 3, str(number)), algorithm, limits=limits)
        assert result.deepest <= min(depth, stored - 1)
        assert result.peak_stored <= stored


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cooling": 0.4}, "the cooling must be from 0.5 to 0.999999, got 0.4"),
        ({"cooling": 1}, "the cooling must be"),
        ({"cooling": float("nan")}, "the cooling must be"),
        ({"seed": "x" * 65}, "a seed has at most 64 characters"),
    ],
)
def test_wrong_option_is_refused(options, words):
    with pytest.raises(PuzzleError, match=words):
        solve(NEAR, "annealing", **options)


BOARDS = [scramble(3, 3, str(seed)) for seed in range(200)]
"""Boards of the facts on the pages of local search."""


@each("key", ["hill-climbing", "first-choice"])
def test_climbs_are_stuck_after_a_few_steps(key):
    found = [solve(board, key, seed=str(n)) for n, board in enumerate(BOARDS)]
    assert {result.status for result in found} == {Status.STUCK}
    assert mean(result.deepest for result in found) < 3


COOLED = [(0.99, 2, 20), (0.999, 48, 84), (0.9999, 191, 263)]


@pytest.mark.parametrize(("cooling", "solved", "length"), some(COOLED, 0))
def test_slower_cooling_solves_more_boards(cooling, solved, length):
    found = [
        solve(board, "annealing", seed=str(n), cooling=cooling) for n, board in enumerate(BOARDS)
    ]
    lengths = [result.length for result in found if result.status is Status.SOLVED]
    assert len(lengths) == solved
    assert round(mean(lengths)) == length


@pytest.mark.soak
def test_restarts_have_the_stated_means():
    found = [solve(board, "random-restart", seed=str(n)) for n, board in enumerate(BOARDS[:60])]
    assert round(mean(result.expanded for result in found), -3) == 31_000
    assert round(mean(result.length for result in found)) == 38
    assert round(mean(solve(board).length for board in BOARDS[:60])) == 22
