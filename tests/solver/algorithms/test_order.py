"""The expansion order and counts of every search, against textbook programs in Python."""

import math
import random

import pytest

from slidewise import Limits, parse_puzzle
from slidewise.solver import loop
from slidewise.solver.engines import node_store
from slidewise.solver.events import Fate
from tests.boards import FARTHEST
from tests.solver import oracle
from tests.solver.plain_searches import plain_search
from tests.solver.runs import (
    ALL,
    BEST_FIRST,
    SWEEP,
    all_puzzles,
    check_successors,
    counts,
    drawn,
    on_3x3,
    timeless,
    whole,
)


def check_against_plain(puzzle, algorithm, heuristic, most=None, depth=None):
    """Assert that the search makes the same steps as a plain one."""
    estimate = oracle.ESTIMATES[heuristic or "zero"]
    limits = Limits(expansions=most, depth=depth)
    expanded, iterations, result = whole(puzzle, algorithm, heuristic, limits)
    plain = plain_search(puzzle, algorithm, heuristic, most or math.inf, depth)
    if algorithm in ("iddfs", "idastar", "rbfs"):
        check_one_path(expanded, plain, None if algorithm == "rbfs" else plain.limits)
    elif algorithm == "bidirectional":
        check_both_ends(expanded, plain)
    else:
        check_best_first(expanded, plain, algorithm)
    assert iterations == getattr(plain, "limits", [])
    assert [event.order for event in expanded] == list(range(1, len(expanded) + 1))
    assert plain.trace == [
        (event.node, event.parent, event.board.cells, event.g, event.h, event.f)
        for event in expanded
    ]
    assert all(
        one.h == estimate(one.board.cells, puzzle.goal.cells, puzzle.cols)
        for event in expanded
        for one in event.successors
    )
    assert counts(result) == counts(plain)
    assert result.length == plain.length


def check_best_first(expanded, plain, algorithm):
    rank = oracle.RANKS[algorithm]
    for event, node in zip(expanded, plain.order, strict=True):
        successors = [(one.board.cells, one.node, one.fate.value) for one in event.successors]
        assert successors == node.successors
        for one in event.successors:
            assert (one.g, one.f) == (event.g + 1, rank(one.g, one.h))


def check_one_path(expanded, plain, iterations):
    boards = {}
    for event, node in zip(expanded, plain.order, strict=True):
        boards[event.node] = event.board
        limit = max(f for f, before in iterations if before < event.order) if iterations else None
        check_successors(event, boards.get(event.parent), limit)
        assert [one.node for one in event.successors if one.fate.is_kept] == node.kept
        backed_up = event.f if event.f > event.g + event.h else 0
        assert all(one.f == max(backed_up, one.g + one.h) for one in event.successors)


def check_both_ends(expanded, plain):
    boards = {event.node: event.board for event in expanded}
    for event in expanded[:-1] if plain.length else expanded:
        check_successors(event, boards.get(event.parent))
        assert Fate.MET not in [one.fate for one in event.successors]
    for event in expanded:
        for one in event.successors:
            assert one.f == one.g
            assert one.node in (None, plain.numbers.get(one.board.cells))
    if plain.length:
        assert expanded[-1].successors[-1].fate is Fate.MET


@pytest.mark.parametrize(("algorithm", "heuristic"), [*ALL, ("idastar", "zero")])
def test_order_on_small_boards(algorithm, heuristic):
    for goal in ("2.0-3.1", "3.0.2-5.1.4", "1.0-2.3-4.5"):
        puzzles = [puzzle for puzzle, _ in all_puzzles(goal)]
        best_first = (algorithm, heuristic) in BEST_FIRST
        for puzzle in puzzles[1 :: 1 if SWEEP or len(puzzles) < 20 else 179]:
            check_against_plain(puzzle, algorithm, heuristic, None if best_first else 1_000)


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
def test_order_on_3x3_boards(algorithm, heuristic, to_standard):
    farthest = {None: 10, "zero": 10, "misplaced": 16, "manhattan": 22, "linear-conflict": 22}
    most = 1_000 if algorithm == "dfs" else None
    near = [cells for cells, d in to_standard.items() if 0 < d <= farthest[heuristic]]
    for cells in random.Random(4).sample(near, 6 if SWEEP else 1):
        check_against_plain(on_3x3(cells), algorithm, heuristic, most)


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
@pytest.mark.parametrize("size", [(4, 4), (3, 6)])
def test_first_expansions_on_larger_boards(algorithm, heuristic, size, monkeypatch):
    monkeypatch.setattr(node_store, "FIRST_SLOTS", 2**7)  # the hash grows early
    check_against_plain(drawn(*size), algorithm, heuristic, most=1_000 if SWEEP else 250)


@pytest.mark.parametrize("depth", [1, 4, 9, 14, 21])
def test_order_of_depth_first_search_within_a_limit(depth):
    for puzzle, _ in all_puzzles("1.2.3-4.5.0")[1::17]:
        check_against_plain(puzzle, "dfs", None, depth=depth)


def test_order_with_thousands_of_superseded_nodes():
    check_against_plain(parse_puzzle(FARTHEST[0]), "astar", "manhattan")


def test_order_of_thousands_of_nodes_from_both_ends():
    check_against_plain(parse_puzzle(FARTHEST[1]), "bidirectional", None)


@pytest.mark.parametrize(("algorithm", "heuristic"), ALL)
def test_slices_do_not_change_a_run(algorithm, heuristic, monkeypatch):
    puzzles = {parse_puzzle("2.5.0-1.3.6-4.8.7"): Limits(expansions=400)}
    if (algorithm, heuristic) not in BEST_FIRST:
        puzzles[parse_puzzle(FARTHEST[0])] = Limits(expansions=200, depth=9)
    runs = {
        puzzle: whole(puzzle, algorithm, heuristic, limits) for puzzle, limits in puzzles.items()
    }
    for budget, trace in (1, 10**9), (7, 0):
        for name in ("FIRST_BUDGET", "LOWEST_BUDGET", "HIGHEST_BUDGET"):
            monkeypatch.setattr(loop, name, budget)
        for puzzle, limits in puzzles.items():
            *events, result = whole(puzzle, algorithm, heuristic, limits, trace)
            assert not trace or events == [*runs[puzzle][:2]]
            assert timeless(result) == timeless(runs[puzzle][2])
