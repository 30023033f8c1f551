"""The algorithm `best`: exact up to 10 cells, proved shortest up to 16."""

from itertools import pairwise

import pytest

from slidewise import Board, Limits, Proof, Puzzle, Status, parse_puzzle, scramble, search, solve
from slidewise.solver import compiling
from slidewise.solver.events import Improved, Iteration
from tests.boards import FOUR_FARTHEST, korf, walked
from tests.solver.plain_searches import plain_search
from tests.solver.runs import SWEEP, check_optimal

KORF = sorted(korf(15), key=lambda board: board[1])[: None if SWEEP else 5]
"""The easiest of Korf's boards, or all of them."""

HARD = parse_puzzle(FOUR_FARTHEST)
SEVERAL_ITERATIONS = Limits(expansions=300_000)
"""Expansions for several iterations on `HARD`, but not for its end."""


def goal_with_blank(rows, cols, blank):
    tiles = list(range(1, rows * cols))
    return Board(rows, cols, (*tiles[:blank], 0, *tiles[blank:]))


def shortest(puzzle):
    """Return the length of a shortest path, by plain breadth-first search from both ends."""
    return plain_search(puzzle, "bidirectional", None).length


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 3), (5, 2)])
def test_boards_up_to_10_cells_are_looked_up(size):
    for seed in range(5):
        result = solve(scramble(*size, str(seed)))
        check_optimal(result, solve(result.puzzle, "astar").length)
        assert result.expanded == 0


@pytest.mark.parametrize(("code", "length"), KORF)
def test_lengths_of_15_puzzles_are_the_known_ones(code, length):
    check_optimal(solve(parse_puzzle(code)), length)


@pytest.mark.parametrize(
    ("rows", "cols", "blank"),
    [(4, 4, 0), (4, 4, 7), (4, 4, 10), (4, 4, 15), (3, 4, 5), (4, 3, 11), (2, 7, 3), (3, 5, 7),
     (2, 8, 9)][:: 1 if SWEEP else 4],
)  # fmt: skip
def test_goal_may_have_the_blank_anywhere(rows, cols, blank):
    goal = goal_with_blank(rows, cols, blank)
    for seed in range(2):
        puzzle = Puzzle(walked(goal, 20, seed), goal)
        check_optimal(solve(puzzle), shortest(puzzle))


def test_symmetric_board_is_solved_optimally():
    """The search follows only one of its first two moves."""
    goal = goal_with_blank(4, 4, 0)
    board = goal
    for tile in (1, 5, 4, 1, 5, 4):  # a rotation, which the reflection reverses
        board = board.slide(tile)
    puzzle = Puzzle(board, goal)
    check_optimal(solve(puzzle), shortest(puzzle))


@pytest.mark.parametrize("beams_from", [1e9, 3_000])
def test_more_cores_find_the_same_result(beams_from, monkeypatch):
    """With and without beams, which do not start by the clock."""
    monkeypatch.setattr(
        "slidewise.solver.engines.pattern_deepening.LONG_ITERATION_EXPANSIONS", 2_000
    )
    monkeypatch.setattr("slidewise.solver.engines.bracket.BEAMS_FROM_EXPANSIONS", beams_from)
    for code, length in KORF[:5:4]:
        one, *others = (
            solve(parse_puzzle(code), limits=Limits(cores=cores)) for cores in (1, 2, 3)
        )
        check_optimal(one, length)
        for many in others:
            assert (one.moves, one.expanded, one.generated, one.peak_stored) == (
                many.moves,
                many.expanded,
                many.generated,
                many.peak_stored,
            )


def test_beams_find_a_shorter_path_within_the_expansions(monkeypatch):
    compiling.load("beam")
    monkeypatch.setattr("slidewise.solver.engines.bracket.BEAMS_SHARE", 1)
    found = []
    for beams_from in 1e9, 1_000:  # without beams, and with them nearly from the start
        monkeypatch.setattr("slidewise.solver.engines.bracket.BEAMS_FROM_EXPANSIONS", beams_from)
        found.append(solve(HARD, limits=Limits(expansions=2_000_000)))
    without, beside = found
    assert beside.lower_bound <= 70 <= beside.length < without.length
    assert beside.expanded == without.expanded == 2_000_000


def test_proved_path_of_the_beams_ends_the_search(monkeypatch):
    """The beams find the path. IDA* has searched all iterations below its length."""
    monkeypatch.setattr("slidewise.solver.engines.bracket.BEAMS_FROM_EXPANSIONS", 1_000)
    monkeypatch.setattr("slidewise.solver.engines.bracket.BEAMS_SHARE", 20)
    code, length = sorted(korf(15), key=lambda board: board[1])[54]
    result = solve(parse_puzzle(code))
    check_optimal(result, length)
    assert "which another search found" in result.verdict.reason


def test_stopped_search_gives_a_path_and_bounds():
    *events, last = search(HARD, limits=SEVERAL_ITERATIONS)
    limits = [event.limit for event in events if isinstance(event, Iteration)]
    assert limits == sorted(set(limits))
    assert len({limit % 2 for limit in limits}) == 1
    for before, after in pairwise(event for event in events if isinstance(event, Improved)):
        assert after.length <= before.length
        assert after.lower_bound >= before.lower_bound
    result = last.result
    assert result.status is Status.SOLVED
    assert result.verdict.kind is Proof.BOUNDED
    assert 46 <= result.lower_bound <= 70 <= result.length
    assert f"at most {result.length - result.lower_bound} moves above" in result.verdict.reason
    assert result.puzzle.start != result.puzzle.goal
    assert list(result.steps())[-1].board == result.puzzle.goal


def test_beams_respect_the_expansion_limit(monkeypatch):
    compiling.load("beam")
    monkeypatch.setattr("slidewise.solver.engines.bracket.BEAMS_FROM_EXPANSIONS", 100)
    for expansions in range(1_000, 1_100, 10):
        for cores in 1, 2:
            limits = Limits(expansions=expansions, cores=cores)
            assert solve(HARD, limits=limits).expanded == expansions


def test_cancelled_search_gives_a_path():
    result = solve(HARD, cancelled=lambda: True)
    assert result.status is Status.SOLVED
    assert result.verdict.reason.startswith("stopped on request")
