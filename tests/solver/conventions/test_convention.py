"""Searches under the conventions of courses, against their published counts."""

import pytest

from slidewise import (
    InvalidConventionError,
    Limits,
    Proof,
    Puzzle,
    conventions,
    find_convention,
    parse_puzzle,
    scramble,
    solve,
    standard_goal,
)
from slidewise.solver.convention import ALGORITHMS, Queue, Ties
from slidewise.solver.tables.exact import exact_distance
from tests.boards import near
from tests.each import some
from tests.solver.runs import counts, whole

COLUMBIA = {
    ("1.2.5-3.4.0-6.7.8", "bfs"): 10,
    ("1.2.5-3.4.0-6.7.8", "astar"): 3,
    ("6.1.8-4.0.2-7.3.5", "astar"): 696,
    ("8.6.4-2.1.3-5.7.0", "dfs"): 9_869,
    ("8.6.4-2.1.3-5.7.0", "astar"): 1_585,
    ("6.1.8-4.0.2-7.3.5", "bfs"): 54_094,
    ("8.6.4-2.1.3-5.7.0", "bfs"): 166_786,
    ("1.2.5-3.4.0-6.7.8", "dfs"): 181_437,
    ("6.1.8-4.0.2-7.3.5", "dfs"): 51_015,
}
"""Expanded nodes, from ColumbiaX's course and its students' repositories. The last four searches
take the plain loop seconds."""


def columbia(board, algorithm, rules=""):
    """Return the result of a search under the course's convention and goal."""
    puzzle = parse_puzzle(board, "0.1.2-3.4.5-6.7.8")
    return solve(puzzle, algorithm, convention=f"columbia{rules}")


@pytest.mark.parametrize(("board", "algorithm"), some(COLUMBIA, 0, 1, 2, 3, 4))
def test_counts_equal_those_of_a_course(board, algorithm):
    assert columbia(board, algorithm).expanded == COLUMBIA[board, algorithm]


def test_decrease_key_changes_the_counts_of_a_course():
    boards = "6.1.8-4.0.2-7.3.5", "8.6.4-2.1.3-5.7.0"
    found = [columbia(board, "astar", ",duplicates=decrease-key") for board in boards]
    assert [result.expanded for result in found] == [711, 1_660]


def test_course_counts_the_depth_of_generated_nodes():
    result = columbia("1.2.5-3.4.0-6.7.8", "bfs")
    assert (result.moves, result.length, result.deepest) == ("DRR", 3, 4)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(
    ("convention", "expanded"),
    [
        ("slidewise", 0),
        ("columbia", 0),
        ("princeton", 1),
        ("42", 1),
        ("slidewise,counts=taken", 1),
        ("42,goal=made", 0),
    ],
)
def test_goal_as_start_counts_once_where_taken_goals_count(convention, expanded, algorithm):
    solved = Puzzle(standard_goal(3, 3), standard_goal(3, 3))
    result = solve(solved, algorithm, convention=convention)
    assert (result.length, result.expanded, result.generated) == (0, expanded, 1)


def test_conventions_reproduce_the_output_of_notebooks():
    small = solve(parse_puzzle("1.0.3-4.2.5"), convention="notebook-2x3", algorithm="astar")
    assert (small.length, small.peak_stored) == (2, 6)  # "2 steps, 6 nodes processed"
    six = solve(parse_puzzle("2.3.0-1.4.6-7.5.8"), "astar", convention="notebook-rbfs")
    assert six.length == 6
    play = solve(parse_puzzle("1.2.3-4.0.5-7.8.6"), "bfs", convention="notebook-play")
    assert play.length == 2


def test_editions_of_a_textbook_differ():
    """The third edition replaces a waiting node, the fourth expands both.

    Both test for the goal at generation in breadth-first search.
    """
    puzzle = parse_puzzle("8.6.4-2.1.3-5.7.0", "0.1.2-3.4.5-6.7.8")
    third, fourth = (solve(puzzle, "astar", convention=key) for key in ("aima3", "aima4"))
    assert (third.expanded, fourth.expanded) == (1_660, 1_664)
    near = parse_puzzle("1.2.3-0.4.6-7.5.8")
    early, late = (solve(near, "bfs", convention=key).expanded for key in ("aima4", "columbia"))
    assert early < late


def test_generating_boards_once_can_miss_the_shortest_path():
    puzzle = parse_puzzle("5.7.6-1.8.2-0.3.4", "0.1.2-3.4.5-6.7.8")
    result = solve(puzzle, "astar", convention="columbia")
    assert (result.length, result.verdict.kind) == (24, Proof.UNPROVED)
    assert solve(puzzle, "astar").length == 22


@pytest.mark.parametrize("algorithm", ["bfs", "dfs", "ucs", "greedy", "astar"])
def test_plain_and_compiled_loop_report_the_same_events(algorithm):
    """`queue=list` has the order of the counter and runs in the plain loop."""
    puzzle, limits = parse_puzzle("8.1.3-4.0.2-7.6.5"), Limits(expansions=1_000)
    compiled, plain = (
        whole(puzzle, algorithm, "manhattan", limits, convention=rules)
        for rules in ("slidewise", "slidewise,queue=list")
    )
    assert plain[0] == compiled[0]
    assert counts(plain[2]) == counts(compiled[2])
    assert plain[2].moves == compiled[2].moves


def assert_optimal_verdicts_are_true(puzzles, limits, algorithms=ALGORITHMS):
    """Search under each convention and return the number of paths above the shortest."""
    longer = 0
    for puzzle in puzzles:
        shortest = exact_distance(puzzle)
        for key in conventions():
            for algorithm in algorithms:
                result = solve(puzzle, algorithm, "manhattan", limits, convention=key)
                assert result.lower_bound <= shortest, (key, algorithm, str(puzzle))
                if result.length is not None and result.length > shortest:
                    assert result.verdict.kind is Proof.UNPROVED, (key, algorithm, str(puzzle))
                    longer += 1
                elif algorithm in ("bfs", "ucs") and result.length is not None:
                    assert result.verdict.kind is Proof.OPTIMAL, (key, algorithm, str(puzzle))
    return longer


def test_optimal_verdicts_of_conventions_are_true():
    missed = parse_puzzle("5.7.6-1.8.2-0.3.4", "0.1.2-3.4.5-6.7.8")
    assert assert_optimal_verdicts_are_true([missed], Limits(expansions=1_500), ["astar"])
    assert assert_optimal_verdicts_are_true([scramble(2, 3, "1")], Limits(expansions=400))


@pytest.mark.soak
def test_optimal_verdicts_are_true_on_200_boards():
    puzzles = [scramble(3, 3, str(seed)) for seed in range(200)]
    limits = Limits(expansions=2_000)
    informed = "greedy", "astar"
    assert assert_optimal_verdicts_are_true(puzzles, limits, informed) > 100
    assert_optimal_verdicts_are_true([near((3, 3), 9, seed) for seed in range(50)], limits)


def test_cutoff_at_the_depth_limit_is_not_unsolvable():
    """Depth-first search to a limit that never returns to a board misses paths within it."""
    puzzle = parse_puzzle("8.1.3-4.0.2-7.6.5")
    limits = Limits(depth=exact_distance(puzzle))
    found = [
        solve(puzzle, "dfs", None, limits, convention=f"slidewise,duplicates={rule}")
        for rule in ("shorter", "expanded")
    ]
    assert found[0].length == limits.depth
    assert found[1].length is None
    assert found[1].lower_bound <= limits.depth
    assert "may have dropped one" in found[1].verdict.reason


def test_text_of_a_convention_round_trips():
    for text in ("columbia", "princeton,order=rlud", "aima4,ties=last-in,queue=list"):
        for algorithm in ALGORITHMS:
            found = find_convention(text, algorithm)
            assert find_convention(str(found), algorithm) == found
    assert str(find_convention("columbia,order=rlud,order=udlr")) == "columbia"
    assert find_convention("slidewise,queue=heapq").ties is Ties.AS_QUEUED
    assert find_convention("princeton,ties=last-in").queue is Queue.COUNTER


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mit", "there is no convention 'mit'"),
        ("slidewise,order=uuuu", "u, d, l, r in any order, each once"),
        ("slidewise,sort=yes", "expected a rule such as order=rlud"),
        ("slidewise,queue=heapq,ties=last-in", "ties cannot be last-in"),
    ],
)
def test_unknown_convention_is_refused(text, message):
    with pytest.raises(InvalidConventionError, match=message):
        find_convention(text)


def test_only_some_algorithms_have_conventions():
    with pytest.raises(InvalidConventionError, match="rbfs runs only under Slidewise"):
        solve(parse_puzzle("1.0.3-4.2.5"), "rbfs", convention="columbia")
    assert all(one.of(key).order for one in conventions().values() for key in ("bfs", "astar"))
