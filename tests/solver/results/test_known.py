"""Known facts join the result of a search, in one place for the command and the site."""

import pytest

from slidewise import Limits, Proof, SearchSpec, Status, compare, parse_puzzle, solve
from slidewise.solver.known import Known, known_of, with_known
from tests.boards import FOUR, TEXTBOOK, UNSOLVABLE
from tests.solver.runs import on_3x3

SEARCHES = ["dfs", "greedy", "wastar", "astar"]


def sample(distances):
    """Yield some boards of all 181,440."""
    return list(distances.items())[1::12_007]


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_each_path_has_its_moves_above_the_shortest(algorithm, to_standard):
    for cells, distance in sample(to_standard):
        result = SearchSpec(on_3x3(cells), algorithm).result()
        assert (result.shortest, result.lower_bound) == (distance, distance)
        assert result.above == result.length - distance
        if result.above:
            assert result.verdict.kind is Proof.BOUNDED
            assert result.verdict.reason.endswith(f" says {distance}")
            assert result.proof.endswith(" above the shortest")
            assert result.outcome == f"{result.above:,} above the shortest"
        else:
            assert (result.verdict.kind, result.proof) == (Proof.OPTIMAL, "proved shortest")


def test_cutoff_has_the_distance_of_the_table():
    result = SearchSpec(parse_puzzle(TEXTBOOK), "bfs", limits=Limits(expansions=9)).result()
    assert (result.status, result.lower_bound, result.shortest) == (Status.CUTOFF, 26, 26)
    assert result.verdict.reason == (
        "stopped after 9 expansions; the shortest has 26 moves, as the exact distance table says 26"
    )
    assert result.outcome == "cutoff, the shortest has 26 moves"


def test_proof_of_the_search_remains_separate():
    puzzle = parse_puzzle(TEXTBOOK)
    assert solve(puzzle, "greedy").verdict.kind is Proof.UNPROVED
    greedy, astar = compare(puzzle, "greedy,astar")
    assert (
        greedy.verdict.because == "greedy best-first search does not weigh the moves already made"
    )
    assert greedy.verdict.source == "the exact distance table says 26"
    assert astar.verdict == solve(puzzle, "astar").verdict
    assert astar.verdict.source == ""


def test_above_ten_cells_linear_conflict_raises_the_bound():
    puzzle = parse_puzzle("4.3.2.1-8.7.6.5-9.10.11.12-13.14.15.0")
    least = known_of(puzzle).at_least
    result = SearchSpec(puzzle, "bfs", limits=Limits(expansions=100)).result()
    assert solve(puzzle, "bfs", limits=Limits(expansions=100)).lower_bound < least
    assert result.lower_bound == least
    assert result.verdict.reason.endswith(f"the shortest has at least {least} moves")
    assert result.shortest is None


def test_external_bound_can_prove_a_path_and_lower_is_ignored():
    result = solve(parse_puzzle(FOUR), "wastar", weight=3)
    proved = with_known(result, Known(result.length, exact=False, source="somebody"))
    assert proved.verdict.kind is Proof.OPTIMAL
    assert with_known(result, Known(0, exact=False, source="somebody")) is result


@pytest.mark.parametrize(
    ("algorithm", "kind"), [("wastar", Proof.BOUNDED), ("greedy", Proof.UNPROVED)]
)
def test_external_bound_below_the_length_leaves_the_kind(algorithm, kind):
    result = solve(parse_puzzle(FOUR), algorithm, weight=3)
    known = Known(result.lower_bound + 2, exact=False, source="somebody")
    assert known.at_least < result.length
    verdict = with_known(result, known).verdict
    assert (verdict.kind, verdict.source) == (kind, "somebody")


def test_unsolvable_puzzle_has_no_known_distance():
    puzzle = parse_puzzle(UNSOLVABLE)
    assert known_of(puzzle) is None
    assert SearchSpec(puzzle, "bfs").result().lower_bound is None
