"""The claims of verdicts."""

import math
from types import SimpleNamespace

import pytest

from slidewise import Limits, Proof, Status, find_algorithm, find_heuristic, parse_puzzle, solve
from slidewise.puzzle.moves import play
from slidewise.solver.loop import LowerBound, Outcome, PathClaim, PathSearch, cutoff_by_bound
from slidewise.solver.result import bound_verdict, compare_with_shortest, path_verdict
from slidewise.solver.task import Task
from tests.boards import FARTHEST, SIX_MOVES
from tests.solver import oracle
from tests.solver.runs import check_honest, check_stopped, on_3x3, run


@pytest.mark.parametrize(
    ("verdict", "kind", "exact"),
    [
        (path_verdict(34, 28, "found"), Proof.UNPROVED, False),
        (path_verdict(34, 28, "found", bounded=True), Proof.BOUNDED, False),
        (path_verdict(34, 28, "found", shortest=True), Proof.OPTIMAL, False),
        (path_verdict(28, 28, "found"), Proof.OPTIMAL, False),
        (bound_verdict("stopped", 28), Proof.UNPROVED, False),
        (compare_with_shortest(28, 28, "found", "the table says 28"), Proof.OPTIMAL, True),
        (compare_with_shortest(30, 28, "found", "the table says 28"), Proof.BOUNDED, True),
    ],
)
def test_verdict_claims_only_proved_facts(verdict, kind, exact):
    assert (verdict.kind, verdict.exact) == (kind, exact)
    assert ":" not in verdict.reason, "pages write it after a colon"


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "rbfs"])
def test_search_stopped_at_once_proves_its_heuristic(algorithm):
    puzzle = parse_puzzle("2.1.3.4-6.5.7.8-9.10.11.12-13.14.15.0")  # two pairs in conflict
    for heuristic, moves in ("manhattan", 4), ("linear-conflict", 8):
        result = solve(puzzle, algorithm, heuristic, cancelled=lambda: True)
        assert (result.status, result.lower_bound) == (Status.CANCELLED, moves)


def test_search_ends_if_its_bound_exceeds_the_depth_limit():
    for depth, bound, ends in (20, 20, False), (20, 21, True), (20, 22, True), (None, 99, False):
        task = Task(parse_puzzle(SIX_MOVES), find_algorithm("best"), None, Limits(depth=depth))
        assert bool(cutoff_by_bound(task, bound)) == ends


@pytest.mark.parametrize("pruned", [False, True])
@pytest.mark.parametrize("depth", [None, 25, 26, 27])
def test_depth_limit_proves_nothing_beyond_it(depth, pruned):
    """A node omitted at the limit proves each solution longer, by an unknown amount.

    The puzzle's solutions are of odd length, and of 21 moves at least.
    """
    puzzle = parse_puzzle(FARTHEST[1])
    task = Task(puzzle, find_algorithm("astar"), find_heuristic("manhattan"), Limits(depth=depth))
    for proved in range(20, 32):
        work = SimpleNamespace(proved=proved, pruned=pruned, new_events=lambda: iter(()))
        search = PathSearch(task, work, PathClaim(""))
        list(search.news(Outcome.RUNNING))
        known = min(proved, depth + 1) if depth and pruned else proved
        assert search.bound.moves == max(21, known + 1 - known % 2)


@pytest.mark.parametrize(
    ("algorithm", "reason"),
    [
        ("bfs", "breadth-first search takes all boards nearer to the start before"),
        ("ucs", "uniform-cost search takes all boards with a cheaper path before"),
        ("astar", "A* with a consistent heuristic takes the goal only when no other board"),
    ],
)
def test_theorem_is_a_proof(algorithm, reason):
    result = solve(parse_puzzle(SIX_MOVES), algorithm)
    assert result.verdict.kind is Proof.OPTIMAL
    assert result.verdict.reason.startswith(reason)


def test_greedy_path_is_optimal_only_at_the_bound():
    proved = solve(parse_puzzle("1.2.3-4.5.6-0.7.8"), "greedy").verdict
    assert proved.kind is Proof.OPTIMAL
    assert "every solution has at least 2 moves" in proved.reason
    result = solve(parse_puzzle(FARTHEST[0]), "greedy")
    assert result.verdict.kind is Proof.UNPROVED
    between = f"between {result.lower_bound} and {result.length} moves"
    assert result.verdict.reason.endswith(between)


def test_depth_first_path_is_called_far_from_shortest():
    result = solve(parse_puzzle(FARTHEST[0]), "dfs")
    assert result.length > 10_000
    assert play(result.puzzle.start, result.moves) == result.puzzle.goal
    assert result.verdict.kind is Proof.UNPROVED
    assert "usually far from shortest; the shortest has between 21 and " in result.verdict.reason


def test_path_of_weighted_a_star_is_bounded():
    result = solve(parse_puzzle("3.7.4-5.2.1-6.0.8"), "wastar", weight=2)
    assert result.verdict.kind is Proof.BOUNDED
    above = result.length - result.lower_bound
    assert result.verdict.reason == (
        "weighted A* with w = 2 finds a path at most 2 times as long as the shortest; at most "
        f"{above} moves above the shortest, which has at least {result.lower_bound} moves"
    )


@pytest.mark.parametrize("weight", [1, 1.01, 1.5, 2, 7.25, 100])
def test_bound_of_weighted_a_star_is_true(weight, to_standard):
    for cells in list(to_standard)[1::6_001]:
        result = solve(on_3x3(cells), "wastar", weight=weight)
        assert to_standard[cells] <= result.length <= weight * to_standard[cells]
        assert math.ceil(result.length / weight - 1e-9) <= result.lower_bound <= to_standard[cells]
        proved = weight == 1 or result.length == result.lower_bound
        assert result.verdict.kind is (Proof.OPTIMAL if proved else Proof.BOUNDED)


@pytest.mark.parametrize("algorithm", ["astar", "wastar", "greedy", "idastar", "rbfs"])
def test_inadmissible_heuristic_claims_nothing(algorithm, to_standard):
    longer = 0
    for cells in list(to_standard)[1::6_001]:
        result = solve(on_3x3(cells), algorithm, "=3 * manhattan")
        check_honest(result, to_standard[cells])
        if result.length > to_standard[cells]:
            longer += 1
            assert algorithm == "greedy" or "proves nothing" in result.verdict.reason
    assert longer


@pytest.mark.parametrize("algorithm", ["idastar", "rbfs"])
def test_depth_limit_holds_with_an_inadmissible_heuristic(algorithm):
    puzzle = parse_puzzle(SIX_MOVES)
    assert solve(puzzle, algorithm, "=3 * manhattan", Limits(depth=6)).length == 6
    result = solve(puzzle, algorithm, "=3 * manhattan", Limits(depth=5))
    check_stopped(result, 6, "no path within 5 moves leads to the goal")


@pytest.mark.parametrize("algorithm", ["bfs", "dfs", "greedy", "astar", "bidirectional"])
def test_search_of_an_unsolvable_puzzle_is_exhausted(algorithm):
    puzzle = parse_puzzle("2.1.3-4.5.0")
    heuristic = find_heuristic("manhattan") if find_algorithm(algorithm).uses_heuristic else None
    result = run(puzzle, algorithm, heuristic)
    assert result.status is Status.EXHAUSTED
    assert result.peak_stored >= 360
    assert (result.length, result.lower_bound) == (None, None)
    assert result.verdict.reason == puzzle.parity.explain()


@pytest.mark.parametrize("text", ["1.2.3-4.5.0", "1.2.3-4.0.5", "1.2.3-0.4.5", "0.1.2-3.4.5"])
def test_lower_bounds_have_the_parity_of_the_solutions(text):
    puzzle = parse_puzzle(text)
    distance = oracle.distances(puzzle.goal.cells, 2, 3)[puzzle.start.cells]
    bound = LowerBound(puzzle)
    seen = []
    for moves in range(distance + 1):
        bound.raise_to(moves)
        seen.append(bound.moves)
    assert all((distance - moves) % 2 == 0 for moves in seen)
    assert seen == sorted(seen)
    assert seen[-1] == distance
    bound.raise_to(0)
    assert bound.moves == distance
