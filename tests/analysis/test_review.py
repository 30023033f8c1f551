"""The review of moves, against the oracle's true distances."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slidewise import (
    Board,
    IllegalMoveError,
    Puzzle,
    PuzzleError,
    parse_puzzle,
    scramble,
    solve,
    standard_goal,
)
from slidewise.analysis import review as review_module
from slidewise.analysis.review import DistanceBounds, review
from slidewise.puzzle.moves import inverse, play
from tests.boards import FARTHEST
from tests.puzzle.strategies import walk
from tests.solver import oracle

GOALS = {
    (3, 3): [oracle.STANDARD, oracle.BLANK_FIRST],
    (2, 4): [(1, 2, 3, 4, 5, 6, 7, 0), (5, 3, 0, 1, 7, 2, 6, 4)],
}
TURNS = st.lists(st.integers(0, 3), max_size=80)
FOUR = "5.1.2.4-9.6.3.8-13.10.7.11-0.14.15.12"
HARD = (  # 80 moves
    "15.14.8.12-10.11.9.13-2.6.5.1-3.7.4.0_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"
)
FIVE = scramble(5, 5, "a review")


@pytest.fixture(scope="module")
def tables():
    """Return the true distances to each of the goals."""
    return {
        goal: oracle.distances(goal, rows, cols)
        for (rows, cols), goals in GOALS.items()
        for goal in goals
    }


@st.composite
def walks(draw):
    """Draw a goal, a board that can reach it, and moves from there."""
    rows, cols = draw(st.sampled_from(sorted(GOALS)))
    goal = Board(rows, cols, draw(st.sampled_from(GOALS[rows, cols])))
    start = play(goal, walk(goal, draw(TURNS)))
    return Puzzle(start, goal), walk(start, draw(TURNS))


def boards_along(puzzle, moves):
    boards = [puzzle.start]
    for move in moves:
        boards.append(boards[-1].move(move))
    return boards


def check(seen, truth):
    """Assert that all statements on boards and moves are true. `truth` returns distances."""
    boards = boards_along(seen.puzzle, seen.made)
    assert len(seen.distances) == len(boards)
    for board, bounds in zip(boards, seen.distances, strict=True):
        assert bounds.at_least <= truth(board) <= bounds.at_most
        assert bounds.at_least % 2 == bounds.at_most % 2 == truth(board) % 2
        assert bool(bounds.tiles) == (board != seen.puzzle.goal)
        if bounds.exact:
            for tile in bounds.tiles:
                assert truth(board.slide(tile)) == truth(board) - 1
    for number, (move, (before, after)) in enumerate(
        zip(seen.moves, pairwise(boards), strict=True), start=1
    ):
        assert (move.step.number, move.step.board, move.before) == (number, after, before)
        assert abs(move.now.at_most - move.was.at_most) == 1
        assert move.step.tile not in move.better
        if move.proved:
            assert move.wasted == (truth(after) > truth(before))
            assert bool(move.better) == (move.wasted and before != seen.puzzle.goal)
    wasted = sum(move.wasted for move in seen.moves)
    assert seen.wasted == wasted
    first, last = seen.distances[0].at_most, seen.distances[-1].at_most
    assert len(seen.made) == first - last + 2 * wasted, "a wasted move costs two"


@settings(max_examples=80)
@given(walk=walks())
def test_small_boards_are_exact(tables, walk):
    puzzle, moves = walk
    truth = tables[puzzle.goal.cells]
    seen = review(puzzle, moves, seconds=60)
    assert seen.exact
    check(seen, lambda board: truth[board.cells])
    for bounds, board in zip(seen.distances, boards_along(puzzle, moves), strict=True):
        nearer = {
            tile for tile in board.movable if truth[board.slide(tile).cells] < truth[board.cells]
        }
        assert set(bounds.tiles) == nearer, "all of the best moves are told"


@pytest.mark.parametrize("searched", [16, 0])
@pytest.mark.parametrize("seconds", [0, 10])
@settings(max_examples=30)
@given(walk=walks())
def test_review_by_searches_is_true(tables, searched, seconds, walk):
    """Small boards are reviewed like larger ones, because their distances are known."""
    puzzle, moves = walk
    truth = tables[puzzle.goal.cells]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Puzzle, "has_table", False)
        patched.setattr(review_module, "SEARCH_CELLS", searched)
        patched.setattr(review_module, "find_heuristic", lambda key: Manhattan)
        seen = review(puzzle, moves, seconds)
    check(seen, lambda board: truth[board.cells])
    assert seen.exact or not (seconds and searched)


@pytest.mark.parametrize("searched", [16, 0])
def test_proved_bound_is_not_lowered(monkeypatch, searched):
    """There and back: only the board at both ends is searched, then compared with others."""
    puzzle = parse_puzzle(FARTHEST[0])
    there = puzzle.start.legal_directions[0]
    monkeypatch.setattr(Puzzle, "has_table", False)
    monkeypatch.setattr(review_module, "SEARCH_CELLS", searched)
    monkeypatch.setattr(review_module, "SHORTEST_SEARCH_SECONDS", 60)
    monkeypatch.setattr(review_module, "find_heuristic", lambda key: Manhattan)
    first, _, last = review(puzzle, there + inverse(there), seconds=0).distances
    assert (first.at_least, first.at_most) == (last.at_least, last.at_most) == (31, 31)


class Manhattan:
    @staticmethod
    def value(board, goal):
        return oracle.manhattan(board.cells, goal.cells, goal.cols)


@settings(max_examples=25)
@given(
    turns=st.lists(st.integers(0, 3), min_size=1, max_size=45), onward=TURNS.map(lambda t: t[:9])
)
def test_4x4_is_exact(turns, onward):
    """Also for moves that lead away from the goal and do not end there."""
    goal = standard_goal(4, 4)
    to_start = walk(goal, turns)
    start = play(goal, to_start)
    puzzle = Puzzle(start, goal)
    moves = inverse(to_start) + walk(goal, onward)
    seen = review(puzzle, moves, seconds=60)
    assert seen.exact
    check(seen, lambda board: shortest(puzzle, board))


def shortest(puzzle, board):
    return solve(puzzle.starting_at(board), "idastar", "linear-conflict").length


@pytest.mark.parametrize("code", [FOUR, "1.2.3.4-5.0.7.8-9.6.10.11_1.2.3.4-5.6.7.8-9.10.11.0"])
def test_shortest_solution_wastes_0_and_a_detour_2(code):
    puzzle = parse_puzzle(code)
    way = solve(puzzle, "idastar", "linear-conflict").moves
    seen = review(puzzle, way, seconds=60)
    assert [distance.at_most for distance in seen.distances] == list(range(len(way), -1, -1))
    assert (seen.exact, seen.wasted) == (True, 0)
    detour = next(move for move in puzzle.start.legal_directions if move != way[0])
    there_and_back = detour + inverse(detour)
    seen = review(puzzle, there_and_back + way, seconds=60)
    assert seen.exact
    lengths = [distance.at_most for distance in seen.distances[:3]]
    assert lengths in ([len(way), len(way) + 1, len(way)], [len(way), len(way) - 1, len(way)])
    assert seen.wasted == 1


def test_distance_unknown_in_time_is_between_bounds():
    puzzle = parse_puzzle(HARD)
    turns = walk(puzzle.start, [0, 1, 2, 3, 1, 2, 0, 0])
    seen = review(puzzle, turns, seconds=0.2)
    first = seen.distances[0]
    assert first.at_least <= 80 <= first.at_most
    assert not first.exact
    assert not seen.exact
    assert not seen.moves[0].proved


def test_review_above_16_cells_has_the_best_known_bounds():
    way = solve(FIVE, "greedy", "manhattan").moves
    seen = review(FIVE, way, seconds=0.3)
    assert not seen.exact
    assert seen.distances[-1] == DistanceBounds(0, 0)
    assert seen.distances[0].at_most <= len(way), "the moves made are a way themselves"
    assert all(distance.at_least <= distance.at_most for distance in seen.distances)
    assert len(way) == seen.distances[0].at_most + 2 * seen.wasted
    for move in seen.moves:
        assert abs(move.now.at_most - move.was.at_most) == 1
        assert set(move.better) <= set(move.before.movable) - {move.step.tile}
        assert move.wasted == bool(move.better)


def test_review_without_moves_has_one_board():
    puzzle = parse_puzzle("1.2.3-4.0.6-7.5.8")
    seen = review(puzzle, "", seconds=60)
    assert (seen.moves, seen.wasted) == ((), 0)
    assert [distance.at_most for distance in seen.distances] == [2]


def test_move_from_the_goal_has_no_better_one():
    puzzle = Puzzle.standard(standard_goal(3, 3))
    seen = review(puzzle, "DU", seconds=60)
    assert [(move.wasted, move.better) for move in seen.moves] == [(True, ()), (False, ())]


def test_misuse_is_refused():
    with pytest.raises(PuzzleError, match="cannot reach"):
        review(parse_puzzle("2.1.3-4.5.6-7.8.0"), "D", seconds=60)
    with pytest.raises(IllegalMoveError, match="move 1 of 1"):
        review(parse_puzzle("1.2.3-4.0.6-7.5.8").starting_at(standard_goal(3, 3)), "U", seconds=60)
