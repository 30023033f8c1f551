"""Python functions as heuristics and algorithms, compared with the compiled searches."""

import math
from collections import Counter
from fractions import Fraction

import pytest

from slidewise import (
    FunctionError,
    Limits,
    Proof,
    Puzzle,
    Status,
    exact_table,
    find_heuristic,
    parse_puzzle,
    scramble,
    search,
    solve,
    standard_goal,
)
from slidewise.solver.events import Finished, Preparing, Progress, Started
from tests.each import each

INFORMED = ("astar", "greedy", "wastar", "idastar", "rbfs")
FAR = parse_puzzle("8.6.7-2.5.4-3.0.1")
TWO_MOVES = parse_puzzle("1.0.3-4.2.5")


def tile_distances(puzzle):
    """Yield the distance of each tile from home, by definition."""
    for cell, tile in enumerate(puzzle.start.cells):
        if tile:
            home = puzzle.goal.cells.index(tile)
            rows = abs(cell // puzzle.cols - home // puzzle.cols)
            yield rows + abs(cell % puzzle.cols - home % puzzle.cols)


def manhattan(puzzle):
    """Sum the distances of the tiles from home."""
    return sum(tile_distances(puzzle))


def facts_of(puzzle, algorithm, heuristic, limits):
    """Return the expansions, the iterations and the counts of a search."""
    found = []
    for event in search(puzzle, algorithm, heuristic, limits, trace=300):
        if isinstance(event, Finished):
            result = event.result
            found.append((result.status, result.moves, result.expanded, result.generated))
            found.append((result.peak_frontier, result.peak_stored, result.deepest))
        elif not isinstance(event, Preparing | Progress | Started):
            found.append(event)
    return found


@each("algorithm", INFORMED)
def test_function_search_equals_compiled_search(algorithm):
    drawn = [scramble(2, 3, str(seed)) for seed in range(4)]
    for puzzle in [*drawn, scramble(3, 3, "1"), scramble(4, 3, "1")]:
        limits = Limits(expansions=300)
        ours = facts_of(puzzle, algorithm, manhattan, limits)
        assert ours == facts_of(puzzle, algorithm, "manhattan", limits)


@each("size", [(2, 2), (2, 5), (4, 4), (5, 3), (10, 10)])
def test_function_works_on_each_size(size):
    board = standard_goal(*size)
    for move in "DRDRULUL":
        board = board.move(move) if move in board.legal_directions else board
    puzzle = Puzzle(board, standard_goal(*size))
    result = solve(puzzle, heuristic=manhattan)
    assert (result.algorithm, result.heuristic) == ("astar", "python:manhattan")
    assert result.length == solve(puzzle, "astar").length


def test_checked_estimates_prove_the_path():
    result = solve(FAR, "astar", manhattan)
    assert result.length == exact_table(FAR.goal).distance(FAR.start)
    assert result.verdict.kind is Proof.OPTIMAL
    assert "manhattan was at most the exact distance on all" in result.verdict.reason


@each("algorithm", ["astar", "idastar", "rbfs", "wastar", "greedy"])
def test_estimate_above_the_distance_is_named(algorithm):
    distance = exact_table(FAR.goal).distance
    result = solve(FAR, algorithm, lambda puzzle: 2 * manhattan(puzzle))
    assert result.status is Status.SOLVED
    assert result.verdict.kind is Proof.UNPROVED
    says, _, rest = result.verdict.reason.partition("says ")[2].partition(" for ")
    board = parse_puzzle(rest.partition(",")[0])
    assert int(says) == 2 * manhattan(board) > distance(board.start)


def test_weighted_astar_with_checked_estimates_is_bounded():
    shortest = exact_table(FAR.goal).distance(FAR.start)
    result = solve(FAR, "wastar", manhattan, weight=1.2)
    assert result.verdict.kind is Proof.BOUNDED
    assert result.lower_bound <= shortest <= result.length <= 1.2 * shortest
    assert result.lower_bound >= result.length / 1.2


def test_above_ten_cells_an_unchecked_estimate_proves_nothing():
    puzzle = parse_puzzle("1.2.4.0-6.9.3.7-5.10.11.8")
    proved = solve(puzzle, "astar", "linear-conflict")
    result = solve(puzzle, "astar", manhattan)
    assert result.length == proved.length > result.lower_bound
    assert result.verdict.kind is Proof.UNPROVED


@each("weights", [0.1, 0.7, 3, 1e-3])
def test_rounding_errors_leave_manhattan_admissible(weights):
    def weighted(puzzle):
        distances = tile_distances(puzzle)
        return sum(weights * distance for distance in distances) / weights

    result = solve(FAR, "astar", weighted)
    assert (result.verdict.kind, result.expanded) == (
        Proof.OPTIMAL,
        solve(FAR, "astar", "manhattan").expanded,
    )


@each(
    ("estimate", "whole"),
    [(2, 2), (Fraction(5, 2), 3), (2 + 4e-10, 2), (2.0001, 3), (10**400, 10**400), (1e-9, 0)],
)
def test_only_rounding_errors_are_rounded_down(estimate, whole):
    assert find_heuristic(lambda puzzle: estimate).value(FAR.start, FAR.goal) == whole


class ChangingAnswers:
    """A heuristic that is far too high on the first call for each board near the goal."""

    __name__ = "changing"

    def __init__(self, near):
        self._seen = Counter()
        self._near = near

    def __call__(self, puzzle):
        distance = exact_table(puzzle.goal).distance(puzzle.start)
        self._seen[puzzle.start] += 1
        return 20 if self._seen[puzzle.start] == 1 and distance in self._near else distance


@each("algorithm", INFORMED)
def test_changing_answers_prove_no_false_length(algorithm, caplog):
    """The verdict of the search itself is true, so that nothing has to replace it."""
    for text in "1.2.3-4.5.6-0.7.8", "1.2.3-4.0.5-7.8.6", "1.0.3-4.2.5", "4.1.3-0.2.6-7.5.8":
        puzzle = parse_puzzle(text)
        distance = exact_table(puzzle.goal).distance(puzzle.start)
        for near in ({1}, {2}, {1, 2}, {1, 3}):
            result = solve(puzzle, algorithm, ChangingAnswers(near), Limits(expansions=2_000))
            assert result.lower_bound <= distance
            if result.verdict.kind is Proof.OPTIMAL:
                assert result.length == distance
    assert "is refuted" not in caplog.text


def test_convention_applies_to_functions():
    aima = solve(FAR, "astar", manhattan, convention="aima3")
    assert aima.expanded == solve(FAR, "astar", "manhattan", convention="aima3").expanded
    assert aima.verdict.kind is Proof.UNPROVED  # without reopening, h must be consistent


def fails(puzzle):
    return 1 // 0


@each(
    ("heuristic", "message"),
    [
        (fails, "the heuristic fails failed on 1.0.3-4.2.5: ZeroDivisionError"),
        (lambda puzzle: math.nan, "finite number from 0 on, got nan for 1.0.3-4.2.5"),
        (lambda puzzle: math.inf, "finite number from 0 on, got inf"),
        (lambda puzzle: -1, "finite number from 0 on, got -1"),
        (lambda puzzle: None, "must return a number, got 'None'"),
        (lambda puzzle: True, "must return a number, got 'True'"),
        (lambda puzzle: "5", "must return a number"),
        (lambda: 0, "TypeError"),
    ],
)
def test_bad_heuristic_has_a_clear_error(heuristic, message):
    for algorithm in INFORMED:
        with pytest.raises(FunctionError) as caught:
            solve(TWO_MOVES, algorithm, heuristic)
        assert message in str(caught.value)


def test_function_is_ignored_by_algorithms_without_heuristic():
    assert solve(TWO_MOVES, "bfs", fails).length == 2


def yields_moves(puzzle):
    yield from solve(puzzle, "greedy").moves


@each(
    "function",
    [
        lambda puzzle: solve(puzzle, "greedy").moves,
        lambda puzzle: list(solve(puzzle, "greedy").tiles),
        lambda puzzle: " ".join(map(str, solve(puzzle, "greedy").tiles)),
        yields_moves,
    ],
)
def test_path_of_an_algorithm_is_replayed_and_unproved(function):
    result = solve(FAR, function)
    assert result.moves == solve(FAR, "greedy").moves
    assert result.verdict.kind is Proof.UNPROVED
    assert result.algorithm.startswith("python:")


def test_path_as_short_as_the_bound_is_optimal():
    result = solve(TWO_MOVES, lambda puzzle: "UL")
    assert result.length == result.lower_bound == 2
    assert result.verdict.kind is Proof.OPTIMAL


def raises_later(puzzle):
    yield "U"
    raise LookupError("no more")


@each(
    ("function", "message"),
    [
        (lambda puzzle: "UU", "move 2"),
        (lambda puzzle: [2, 7], "cannot make move 2, "),
        (lambda puzzle: "UR", "must end at the goal 1.2.3-4.5.0"),
        (lambda puzzle: "", "its 0 moves lead to 1.0.3-4.2.5"),
        (lambda puzzle: "over there", "failed on 1.0.3-4.2.5: InvalidMovesError"),
        (lambda puzzle: 7, "TypeError"),
        (lambda puzzle: [None, "U"], "found no path"),
        (lambda puzzle: [[1]], "expected one of U, D, L, R or a tile"),
        (lambda puzzle: ["X"], "cannot make move 1"),
        (raises_later, "LookupError: 'no more'"),
        (fails, "ZeroDivisionError"),
    ],
)
def test_bad_algorithm_has_a_clear_error(function, message):
    try:
        found = solve(TWO_MOVES, function).verdict.reason
    except FunctionError as error:
        found = str(error)
    assert message in found


def test_algorithm_without_a_path_is_cut_off():
    result = solve(TWO_MOVES, lambda puzzle: None)
    assert (result.status, result.lower_bound) == (Status.CUTOFF, 2)


def wanders(puzzle):
    while True:
        yield from "UD"


def test_limits_hold_between_the_moves_of_an_algorithm():
    assert solve(TWO_MOVES, wanders, limits=Limits(seconds=0.05)).status is Status.CUTOFF
    assert "within 7 moves" in solve(TWO_MOVES, wanders, limits=Limits(depth=7)).verdict.reason
    with pytest.raises(FunctionError, match="more than 100,000 moves"):
        solve(TWO_MOVES, wanders)
    stops = iter([False] * 5)
    cancelled = solve(TWO_MOVES, wanders, cancelled=lambda: next(stops, True))
    assert cancelled.status is Status.CANCELLED


def test_unsolvable_puzzle_calls_no_function():
    assert solve(parse_puzzle("2.1-3.0"), fails).status is Status.UNSOLVABLE
    assert solve(parse_puzzle("2.1-3.0"), heuristic=fails).status is Status.UNSOLVABLE
