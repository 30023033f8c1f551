"""The checks of heuristics, against the oracle's distances of all boards."""

from collections import Counter

import pytest

from slidewise import (
    Board,
    ExpressionError,
    UnfitHeuristicError,
    UnknownNameError,
    exact_table,
    find_heuristic,
    heuristics,
    parse_board,
    standard_goal,
)
from slidewise.course.searching.explanation import check
from slidewise.solver.own.evaluate import tabulate, value_on
from slidewise.solver.own.parse import parse
from tests.solver import oracle
from tests.solver.oracle import BLANK_FIRST, STANDARD
from tests.solver.runs import SWEEP

RIGHT = ["manhattan", "linear-conflict", "=max(manhattan, misplaced)", "=out_of_row+out_of_column"]
NOT_CONSISTENT = ["=manhattan * (manhattan % 3 > 0)", "=conflict_pairs", "=misplaced // 4 * 4"]
WRONG = [
    "=manhattan_with_blank",
    "=misplaced_with_blank",
    "=manhattan + conflict_pairs",
    "=max(manhattan, 2 * misplaced)",
    "=inversions",
    "=manhattan + 3 * sequence_score",
    "=manhattan_wrong_goal",
    "=7",
]


def neighbours(cells, goal):
    return oracle.successors(cells, goal.rows, goal.cols)


def estimates_of(key, goal, distances):
    build = find_heuristic(key).build(goal)
    return {cells: build.value(Board(goal.rows, goal.cols, cells)) for cells in distances}


def assert_check_matches_counts(key, goal, distances):
    """Compare a check with the counts of this test, board by board and move by move."""
    found = check(key, goal)
    h = estimates_of(key, goal, distances)
    above = {cells: h[cells] - true for cells, true in distances.items() if h[cells] > true}
    assert found.boards == len(distances)
    assert found.above == len(above)
    assert found.admissible == (not above)
    jumps = [
        (cells, after)
        for cells in distances
        for after in neighbours(cells, goal)
        if h[cells] - h[after] > 1
    ]
    assert found.jumps == len(jumps)
    assert found.at_goal == h[goal.cells]
    assert found.consistent == (not jumps and h[goal.cells] == 0)
    if above:
        first, worst = found.first, found.worst
        assert first.distance == min(distances[cells] for cells in above)
        assert worst.h - worst.distance == max(above.values())
        for one in first, worst:
            assert (one.h, one.distance) == (h[one.board.cells], distances[one.board.cells])
            assert one.h > one.distance
    else:
        assert found.first is found.worst is None
    if jumps:
        first, worst = found.first_jump, found.worst_jump
        assert worst.h - worst.h_after == max(h[cells] - h[after] for cells, after in jumps)
        assert min(distances[first.board.cells], distances[first.after.cells]) == min(
            min(distances[cells], distances[after]) for cells, after in jumps
        )
        for one in first, worst:
            assert one.after.cells in neighbours(one.board.cells, goal)
            assert (one.h, one.h_after) == (h[one.board.cells], h[one.after.cells])
            assert one.h > 1 + one.h_after
    else:
        assert found.first_jump is found.worst_jump is None
    joint = Counter((true, h[cells]) for cells, true in distances.items())
    assert joint == {
        (distance, count.h): count.boards
        for distance, of_one in enumerate(found.counts)
        for count in of_one
    }
    assert found.mean_h == pytest.approx(sum(h.values()) / len(h))
    assert found.mean_distance == pytest.approx(sum(distances.values()) / len(h))
    assert found.highest == max(h.values())
    return found


@pytest.mark.parametrize("key", [*heuristics(), *RIGHT, *NOT_CONSISTENT, *WRONG])
def test_check_is_exact_on_all_small_boards(key):
    for text in ("1.2.3-4.5.0", "0.1-2.3-4.5", "3.0.5-1.4.2", "1.2-3.0"):
        goal = parse_board(text)
        assert_check_matches_counts(key, goal, oracle.distances(goal.cells, *goal.size))


def test_check_is_exact_on_all_2x4_boards():
    goal = standard_goal(2, 4)
    distances = oracle.distances(goal.cells, 2, 4)
    for key in ["=conflict_pairs", "=manhattan + conflict_pairs"]:
        assert_check_matches_counts(key, goal, distances)


@pytest.mark.parametrize("key", ["pdb", "=max(manhattan, 2 * misplaced)"][: 1 + SWEEP])
def test_check_is_exact_on_all_3x3_boards(key, to_standard):
    found = assert_check_matches_counts(key, Board(3, 3, STANDARD), to_standard)
    assert found.boards == 181_440
    assert round(found.mean_distance, 2) == 21.97


def test_verdicts_on_3x3():
    goal = Board(3, 3, BLANK_FIRST)
    for key in RIGHT:
        assert check(key, goal).admissible, key
        assert check(key, goal).consistent, key
    for key in NOT_CONSISTENT:
        assert check(key, goal).admissible, key
        assert not check(key, goal).consistent, key
    for key in WRONG:
        assert not check(key, goal).admissible, key
    for entry in heuristics().values():
        found = check(entry.key, goal)
        assert (found.admissible, found.consistent) == (entry.admissible, entry.consistent)


def test_unsolvable_boards_have_no_value():
    goal = parse_board("1.2-3.0")
    values, distances = tabulate(parse("misplaced"), goal), exact_table(goal).values
    assert ((values == 255) == (distances == 255)).all()
    assert (values == 255).sum() == 12
    with pytest.raises(ValueError, match="read-only"):
        values[0] = 1


@pytest.mark.parametrize("key", [*RIGHT, *NOT_CONSISTENT, *WRONG])
def test_single_board_has_the_same_value(key):
    goal = standard_goal(3, 3)
    text = key.removeprefix("=").replace("linear-conflict", "linear_conflict")
    table, values = exact_table(goal), tabulate(parse(text), goal)
    for distance in (0, 1, 9, 20, 31):
        board = table.nth_at(distance, 0)
        h, parts = value_on(parse(text), board, goal)
        assert max(0, min(255, h)) == values[table.number(board)]
        for name, value in parts.items():
            assert value == tabulate(parse(name), goal)[table.number(board)]


def test_board_of_ten_cells_is_checked():
    found = check("=manhattan_with_blank", standard_goal(2, 5))
    assert found.boards == 1_814_400
    assert not found.admissible
    assert found.first[1:] == (2, 1)


@pytest.mark.parametrize(
    ("key", "size", "error"),
    [
        ("taxi", (3, 3), UnknownNameError),
        ("=taxi", (3, 3), ExpressionError),
        ("=manhattan", (3, 4), UnfitHeuristicError),
        ("exact", (3, 4), UnfitHeuristicError),
    ],
)
def test_check_of_unfit_heuristic_is_an_error(key, size, error):
    with pytest.raises(error):
        check(key, standard_goal(*size))
