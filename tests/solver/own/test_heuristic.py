"""Custom heuristics among the registered ones: searches and races with them."""

import pytest

from slidewise import (
    ExpressionError,
    Proof,
    UnfitHeuristicError,
    UnknownNameError,
    find_fitting_heuristic,
    find_heuristic,
    parse_puzzle,
    search,
    solve,
)
from slidewise.solver.compare import parse_runs, read_choices
from slidewise.solver.task import is_own

PUZZLE = parse_puzzle("7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8")


def test_heuristic_claims_nothing_before_its_check():
    own = find_heuristic("=max(misplaced,manhattan)")
    assert (own.key, own.title) == ("=max(misplaced, manhattan)",) * 2
    assert (own.admissible, own.consistent) == (False, False)
    known = own.for_goal(PUZZLE.goal)
    assert (known.admissible, known.consistent) == (True, True)
    wrong = find_heuristic("=2*manhattan").for_goal(PUZZLE.goal)
    assert (wrong.admissible, wrong.consistent) == (False, False)
    manhattan = find_heuristic("manhattan")
    assert manhattan.for_goal(PUZZLE.goal) is manhattan
    assert is_own(own.key)
    assert not is_own("zero")


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "rbfs", "wastar", "greedy"])
def test_each_algorithm_searches_as_with_the_registered_one(algorithm):
    own = solve(PUZZLE, algorithm, "=manhattan + 0")
    same = solve(PUZZLE, algorithm, "manhattan")
    assert own.heuristic == "=manhattan + 0"
    assert (own.moves, own.expanded, own.verdict) == (same.moves, same.expanded, same.verdict)


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "rbfs"])
def test_inconsistent_admissible_heuristic_is_optimal(algorithm):
    """A* has to open boards again, because h falls by several moves at once."""
    text = "=manhattan * (manhattan % 3 > 0)"
    facts = find_heuristic(text).for_goal(PUZZLE.goal)
    assert facts.admissible
    assert not facts.consistent
    result = solve(PUZZLE, algorithm, text)
    assert (result.length, result.verdict.kind) == (26, Proof.OPTIMAL)
    assert algorithm == "rbfs" or "admissible heuristic" in result.verdict.reason


def test_preparation_is_reported():
    puzzle = parse_puzzle("1.2.3-4.0.5")
    events = [event.what for event in search(puzzle, "astar", "=misplaced + 0 * inversions")
            if type(event).__name__ == "Preparing"]  # fmt: skip
    assert "working the heuristic out for all boards" in events


def test_larger_board_is_refused_with_the_reason():
    assert find_fitting_heuristic("=manhattan", 2, 5).key == "=manhattan"
    message = (
        r"the heuristic =2 \* misplaced can be worked out only for boards of "
        r"up to 10 cells, not for 3x4; choose from linear-conflict, "
    )
    with pytest.raises(UnfitHeuristicError, match=message):
        find_fitting_heuristic("=2*misplaced", 3, 4)
    with pytest.raises(UnfitHeuristicError, match="up to 10 cells"):
        solve(parse_puzzle("15.1.2.3-4.5.6.7-8.9.10.11-12.13.0.14"), "astar", "=manhattan")


# Races


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("astar:manhattan,bfs", ["astar:manhattan", "bfs"]),
        ("bfs;astar", ["bfs", "astar:manhattan"]),
        ("astar:=max(misplaced,1),bfs", ["astar:=max(misplaced, 1)", "bfs"]),
        (
            "idastar:=max(1,min(2,(3)));astar:=manhattan",
            ["idastar:=max(1, min(2, 3))", "astar:=manhattan"],
        ),
        ("astar:=manhattan>=2,bfs", ["astar:=manhattan >= 2", "bfs"]),
        ("bfs:=misplaced", ["bfs"]),
    ],
)
def test_race_with_expressions_is_read(text, runs):
    choices = parse_runs(text)
    assert [str(choice) for choice in choices] == runs
    assert parse_runs(",".join(runs)) == parse_runs(";".join(runs)) == choices
    assert read_choices(runs) == choices


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("astar:=max(manhattan,bfs", ExpressionError),
        ("astar:=manhattan),bfs", ExpressionError),
        ("astar:=)(,bfs", ExpressionError),
        ("astar:=", ExpressionError),
        ("", UnknownNameError),
        (",", UnknownNameError),
        (";" * 1000, UnknownNameError),
    ],
)
def test_unreadable_race_is_refused(text, error):
    with pytest.raises(error):
        parse_runs(text)
