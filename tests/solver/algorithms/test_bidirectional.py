"""What is special about breadth-first search from both ends."""

from __future__ import annotations

from slidewise import parse_puzzle, solve
from slidewise.solver.events import Fate
from tests.boards import FARTHEST, korf
from tests.solver.runs import check_optimal, counts, whole


def test_millions_of_nodes():
    """So many that the hash grows several times while the search goes on."""
    code, length = min(korf(15), key=lambda board: board[1])
    result = solve(parse_puzzle(code), "bidirectional")
    check_optimal(result, length)
    assert result.peak_stored > 5_000_000


def test_a_board_by_hand():
    """From 1.0.3-4.2.5: the start makes down, left and right; the goal, as its layer is smaller
    now, up and left; left is what the start reached by going down."""
    expanded, _, result = whole(parse_puzzle("1.0.3-4.2.5"), "bidirectional", None)
    assert counts(result) == {
        "expanded": 2,
        "generated": 7,  # the start and its 3 successors, the goal and its 2
        "peak_frontier": 4,
        "peak_stored": 6,
        "deepest": 2,
    }
    assert [(str(event.board), event.node, event.parent) for event in expanded] == [
        ("1.0.3-4.2.5", 0, None),
        ("1.2.3-4.5.0", 1, None),
    ]
    assert [(new.node, new.fate) for new in expanded[1].successors] == [
        (5, Fate.KEPT),
        (2, Fate.MET),
    ]
    assert result.moves == "UL"


def test_far_fewer_nodes_than_from_one_end():
    puzzle = parse_puzzle(FARTHEST[0])
    assert 10 * solve(puzzle, "bidirectional").expanded < solve(puzzle, "bfs").expanded
