"""Any puzzle, algorithm and limits: no exception, and consistent results."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from slidewise import Limits, Proof, Status, algorithms, heuristics, search
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.puzzle.moves import play
from slidewise.solver.events import Expanded, Finished, Started
from slidewise.solver.tables.exact import exact_distance
from tests.puzzle.strategies import puzzles
from tests.solver.runs import SWEEP

SIZES = st.tuples(st.integers(2, 4), st.integers(2, 4))

LIMITS = st.builds(
    Limits,
    expansions=st.integers(1, 400),
    depth=st.none() | st.integers(1, 40),
    stored_nodes=st.integers(1, 2_000) | st.just(100_000),
)


@settings(max_examples=300 if SWEEP else 100)
@given(
    puzzle=puzzles(SIZES),
    algorithm=st.sampled_from(sorted(algorithms())),
    heuristic=st.sampled_from(sorted(heuristics())),
    limits=LIMITS,
    trace=st.integers(0, 30),
)
def test_any_search_ends_with_a_true_result(puzzle, algorithm, heuristic, limits, trace):
    if not heuristics()[heuristic].fits(puzzle.rows, puzzle.cols):
        heuristic = "manhattan"
    if algorithm == "best":  # it takes neither
        limits, trace = replace(limits, depth=None), 0
    if algorithms()[algorithm].local:
        trace = 0
    events = [
        event
        for event in search(puzzle, algorithm, heuristic, limits, trace=trace)
        if type(event).__name__ != "Preparing"
    ]
    assert isinstance(events[0], Started)
    assert isinstance(events[-1], Finished)
    result = events[-1].result
    check_result(result, puzzle, limits)
    traced = [event for event in events if isinstance(event, Expanded)]
    assert len(traced) == min(trace, result.expanded)
    assert [event.order for event in traced] == list(range(1, len(traced) + 1))
    check_tree(traced, puzzle, from_goal=algorithm == "bidirectional")


def check_result(result, puzzle, limits):
    assert (result.status is Status.UNSOLVABLE) == (not puzzle.solvable)
    assert result.expanded <= limits.expansions
    assert result.peak_frontier <= result.peak_stored <= limits.stored_nodes
    ends = 2 if result.algorithm == "bidirectional" else 1
    assert result.expanded < result.generated <= ends + 4 * result.expanded
    assert limits.depth is None or result.deepest <= limits.depth
    assert (result.length is not None) == (result.status is Status.SOLVED)
    if result.status is Status.UNSOLVABLE:
        return
    parity = puzzle.parity.grid_distance % 2
    assert result.lower_bound % 2 == parity
    if len(puzzle.start.cells) <= TABLE_CELLS:
        assert result.lower_bound <= exact_distance(puzzle)
    if result.status is Status.SOLVED:
        assert play(puzzle.start, result.moves) == puzzle.goal
        assert result.length == len(result.moves) == len(result.tiles)
        assert result.length % 2 == parity
        assert result.lower_bound <= result.length
        optimal = result.verdict.kind is Proof.OPTIMAL
        assert optimal == (result.lower_bound == result.length)
    else:
        is_stuck = algorithms()[result.algorithm].local and result.status is Status.STUCK
        assert is_stuck or result.status is Status.CUTOFF
        assert result.verdict.kind is Proof.UNPROVED


def check_tree(traced, puzzle, *, from_goal):
    """Assert that each expanded node is one move from its parent, with g + 1, and after it."""
    seen = {}
    for event in traced:
        if event.parent is None:
            assert event.g == 0
            assert event.board == puzzle.start or (from_goal and event.board == puzzle.goal)
        else:
            board, g = seen[event.parent]
            assert event.g == g + 1
            assert event.board in [board.move(way) for way in board.legal_directions]
        seen[event.node] = event.board, event.g
