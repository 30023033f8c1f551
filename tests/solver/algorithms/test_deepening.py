"""What is special about iterative deepening, depth-first and IDA*: its limits."""

from __future__ import annotations

from slidewise import Limits, parse_puzzle, search, solve
from slidewise.solver.events import Fate, Iteration
from tests.boards import FARTHEST
from tests.solver.runs import check_optimal, counts, on_3x3, sample, whole


def test_a_board_by_hand():
    """From 1.0.3-4.2.5 the blank goes down, then right.

    Limit 0: the start is taken. Limit 1: it is expanded; down, left and right are taken. Limit
    2: it is expanded again, and then down, whose left and right are taken; right is the goal.
    """
    puzzle = parse_puzzle("1.0.3-4.2.5")
    expanded, iterations, result = whole(puzzle, "iddfs", None)
    assert iterations == [(0, 0), (1, 0), (2, 1)]
    assert counts(result) == {
        "expanded": 3,
        "generated": 10,  # the start, and three successors each; one is the start again
        "peak_frontier": 4,  # left and right of the start, left and right of down
        "peak_stored": 6,  # and the start, and down
        "deepest": 2,
    }
    assert [str(event.board) for event in expanded] == [
        "1.0.3-4.2.5",
        "1.0.3-4.2.5",
        "1.2.3-4.0.5",
    ]
    assert [(event.node, event.parent) for event in expanded] == [(1, None), (5, None), (6, 5)]
    assert [(new.node, new.fate) for new in expanded[2].successors] == [
        (None, Fate.WENT_BACK),
        (9, Fate.KEPT),
        (10, Fate.KEPT),
    ]


def test_a_board_by_hand_with_an_estimate():
    """With Manhattan distance 2 the first limit is enough; left and right (f = 4) are dropped."""
    expanded, iterations, result = whole(parse_puzzle("1.0.3-4.2.5"), "idastar", "manhattan")
    assert iterations == [(2, 0)]
    assert counts(result) == {
        "expanded": 2,
        "generated": 7,
        "peak_frontier": 1,
        "peak_stored": 3,
        "deepest": 2,
    }
    assert [new.fate for new in expanded[0].successors] == [Fate.KEPT, Fate.OVER_F, Fate.OVER_F]
    assert [new.f for new in expanded[0].successors] == [2, 4, 4]
    assert [new.fate for new in expanded[1].successors] == [
        Fate.WENT_BACK,
        Fate.OVER_F,
        Fate.KEPT,
    ]


def test_idastar_without_an_estimate_expands_one_layer_more():
    """IDA* expands what is within the limit, depth-first search what is above the depth limit."""
    puzzle = parse_puzzle("2.3.0-1.4.6-7.5.8")
    deep = solve(puzzle, "iddfs")
    star = solve(puzzle, "idastar", "zero")
    assert deep.length == star.length == 6
    assert deep.expanded < star.expanded


def test_the_examples_of_the_course():
    two, one = (
        parse_puzzle(f"1.2.3-0.4.5-6.7.8_{goal}")
        for goal in ("1.2.3-4.5.0-6.7.8", "1.2.3-6.4.5-0.7.8")
    )
    for puzzle, depth in ((two, 2), (one, 1)):
        events = list(search(puzzle, "iddfs"))
        told = [event for event in events if isinstance(event, Iteration)]
        assert told == [Iteration("depth limit", limit) for limit in range(depth + 1)]
        check_optimal(events[-1].result, depth)


def test_the_limits_of_depth_are_all_those_up_to_the_length(to_standard):
    for cells, distance in sample(to_standard, 2):
        if distance <= 20:
            _, iterations, result = whole(on_3x3(cells), "iddfs", None, trace=0)
            check_optimal(result, distance)
            assert [limit for limit, _ in iterations] == list(
                range(distance + 1 if distance else 0)
            )


def test_the_f_limits_rise_by_two_from_the_estimate():
    puzzle = parse_puzzle(FARTHEST[0])
    events = list(search(puzzle, "idastar", "manhattan"))
    told = [event for event in events if isinstance(event, Iteration)]
    assert told == [Iteration("f-limit", limit) for limit in range(21, 32, 2)]


def test_to_a_given_depth_only():
    puzzle = parse_puzzle("1.2.3-0.4.5-6.7.8_1.2.3-4.5.0-6.7.8")
    told = [
        event.limit
        for event in search(puzzle, "iddfs", limits=Limits(depth=1))
        if isinstance(event, Iteration)
    ]
    assert told == [0, 1]
    check_optimal(solve(puzzle, "iddfs", limits=Limits(depth=2)), 2)
