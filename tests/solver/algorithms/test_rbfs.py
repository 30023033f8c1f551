"""What is special about recursive best-first search: f that is backed up, and little memory."""

from __future__ import annotations

from slidewise import Limits, parse_puzzle, search, solve
from slidewise.solver.engines import one_path
from slidewise.solver.events import Iteration
from tests.boards import FARTHEST
from tests.solver.runs import counts, on_3x3, sample, timeless, whole


def test_rows_are_added_as_the_path_gets_longer(monkeypatch):
    puzzle = parse_puzzle(FARTHEST[0])
    expected = whole(puzzle, "rbfs", "manhattan", trace=1_000)
    monkeypatch.setattr(one_path, "FIRST_PATH_ROWS", 1)
    *told, result = whole(puzzle, "rbfs", "manhattan", trace=1_000)
    assert told == [*expected[:2]]
    assert timeless(result) == timeless(expected[2])


def test_a_board_by_hand():
    """From 1.0.3-4.2.5 with misplaced tiles: 2 and 5 are not at home, so f of the start is 2.

    Its successors: down (h = 1, f = 2), left (h = 3, f = 4), right (h = 3, f = 4). Down is taken
    under the bound 4; of its successors left has f = 4, and right, the goal, f = 2.
    """
    expanded, iterations, result = whole(parse_puzzle("1.0.3-4.2.5"), "rbfs", "misplaced")
    assert iterations == [(2, 0)]
    assert counts(result) == {
        "expanded": 2,
        "generated": 7,
        "peak_frontier": 4,
        "peak_stored": 6,
        "deepest": 2,
    }
    assert [(event.node, event.f) for event in expanded] == [(0, 2), (1, 2)]
    assert [new.f for new in expanded[0].successors] == [2, 4, 4]
    assert [new.node for new in expanded[1].successors] == [None, 4, 5]


def test_f_is_backed_up_by_hand():
    """From 2.1.3-0.4.5 without an estimate, where f is the depth at first.

    The start (f = 0) makes up and right, both with f = 1. Up is taken under the bound 1; its one
    successor has f = 2, which is left to it as its f. Right is taken with f = 1, under the bound
    2, and so are its two successors with f = 2; all theirs have f = 3, which is left to right.
    Then up is expanded again, with f = 2 although its g + h is 1.
    """
    puzzle = parse_puzzle("2.1.3-0.4.5_1.2.3-5.4.0")
    expanded, iterations, _ = whole(puzzle, "rbfs", "zero", Limits(expansions=6))
    assert [(event.g, event.f) for event in expanded] == [
        (0, 0),
        (1, 1),
        (1, 1),
        (2, 2),
        (2, 2),
        (1, 2),
    ]
    assert expanded[1].board == expanded[5].board != expanded[2].board
    assert expanded[1].node == expanded[5].node, "it waited there all the time"
    assert iterations == [(0, 0), (1, 1), (2, 3)]


def test_memory_stays_in_proportion_to_the_depth(to_standard):
    for cells, distance in sample(to_standard, 2):
        result = solve(on_3x3(cells), "rbfs", "manhattan")
        assert result.peak_stored <= 4 + 3 * distance


def test_the_lowest_f_rises_from_the_estimate_to_the_length():
    events = list(search(parse_puzzle(FARTHEST[0]), "rbfs", "manhattan"))
    told = [event for event in events if isinstance(event, Iteration)]
    assert told == [Iteration("lowest f", limit) for limit in range(21, 32, 2)]
