"""Breadth-first search from both ends: lengths, counts, order and limits."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from slidewise import Limits, Status, find_algorithm, search, solve
from slidewise.puzzle import Board, Puzzle, parse_puzzle
from slidewise.solver.engines.two_ends import TwoEnds
from slidewise.solver.events import Fate, Progress
from slidewise.solver.pace import Outcome
from slidewise.solver.task import Task
from tests.solver import oracle
from tests.solver.algorithms.test_lengths import ANCHORS, SMALL_GOALS, check_optimal, sample
from tests.solver.runs import check_repeats, check_successors, counts, whole
from tests.solver.test_limits import FARTHEST, HARD, check_stopped
from tests.solver.test_verdict import run

FIRST_KORF = "13.8.14.3-9.1.0.7-15.5.4.10-12.2.6.11_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"
"""Board 55 of R. E. Korf, 1985: 41 moves."""


@dataclass
class Sides:
    """What a plain search from both ends did; `order` holds (number, parent, cells, g)."""

    generated: int = 2
    peak_frontier: int = 2
    deepest: int = 0
    length: int | None = None
    proved: list = field(default_factory=list)
    """Before each expansion, the least moves that a path can have."""
    numbers: dict = field(default_factory=dict)
    order: list = field(default_factory=list)

    @property
    def counts(self):
        return {
            "expanded": len(self.order),
            "generated": self.generated,
            "peak_frontier": self.peak_frontier,
            "peak_stored": len(self.numbers),
            "deepest": self.deepest,
        }


def both_ends(start, goal, rows, cols, most=10**9):
    """Run breadth-first search from both ends with sets and lists."""
    sides = Sides(numbers={start: 0, goal: 1})
    depths = {start: 0}, {goal: 0}
    parents = {start: None, goal: None}
    layers = [start], [goal]
    while True:
        end = 1 if len(layers[1]) < len(layers[0]) else 0
        made = []
        for place, cells in enumerate(layers[end]):
            if len(sides.order) == most:
                return sides
            g, parent = depths[end][cells], parents[cells]
            sides.order.append((sides.numbers[cells], sides.numbers.get(parent), cells, g))
            sides.proved.append(1 + sum(depths[side][layers[side][0]] for side in (0, 1)))
            sides.deepest = max(sides.deepest, g)
            for new in oracle.successors(cells, rows, cols):
                sides.generated += 1
                if new in depths[1 - end]:
                    sides.length = sides.deepest = g + 1 + depths[1 - end][new]
                    return sides
                if new not in depths[end]:
                    depths[end][new], parents[new] = g + 1, cells
                    sides.numbers[new] = len(sides.numbers)
                    made.append(new)
            waiting = len(layers[end]) - place - 1 + len(made) + len(layers[1 - end])
            sides.peak_frontier = max(sides.peak_frontier, waiting)
        layers[end][:] = made


def check_against_oracle(puzzle, most=None):
    start, goal = puzzle.start.cells, puzzle.goal.cells
    sides = both_ends(start, goal, puzzle.rows, puzzle.cols, most or 10**9)
    expanded, iterations, result = whole(puzzle, "bidirectional", None, Limits(expansions=most))
    assert counts(result) == sides.counts
    assert result.length == sides.length
    assert iterations == []
    told = [(event.node, event.parent, event.board.cells, event.g) for event in expanded]
    assert told == sides.order
    assert all((event.h, event.f) == (0, event.g) for event in expanded)
    boards = {event.node: event.board for event in expanded}
    for event in expanded[:-1] if result.length else expanded:
        check_successors(event, boards.get(event.parent))
        assert Fate.MET not in [new.fate for new in event.successors]
    for event in expanded:
        for new in event.successors:
            assert (new.h, new.f) == (0, new.g)
            assert new.node is None or new.node == sides.numbers[new.board.cells]
    if result.length:
        assert expanded[-1].successors[-1].fate is Fate.MET


# Lengths.


def test_boards_of_3x3(to_standard):
    drawn = sample(to_standard, 85)
    assert len(drawn) >= 2_000
    assert sum(distance == 31 for _, distance in drawn) == 2
    for cells, distance in drawn:
        check_optimal(solve(Puzzle.standard(Board(3, 3, cells)), "bidirectional"), distance)


def test_any_two_boards_of_3x3(to_blank_first):
    goal = Board(3, 3, tuple(range(9)))
    for cells, distance in sample(to_blank_first, 8):
        check_optimal(solve(Puzzle(Board(3, 3, cells), goal), "bidirectional"), distance)
        check_optimal(solve(Puzzle(goal, Board(3, 3, cells)), "bidirectional"), distance)


@pytest.mark.parametrize("text", SMALL_GOALS)
def test_all_boards_of_small_sizes(text):
    goal = parse_puzzle(text).start
    for cells, distance in oracle.distances(goal.cells, goal.rows, goal.cols).items():
        puzzle = Puzzle(Board(goal.rows, goal.cols, cells), goal)
        check_optimal(solve(puzzle, "bidirectional"), distance)


@pytest.mark.parametrize(("text", "distance"), ANCHORS)
def test_known_boards(text, distance):
    check_optimal(solve(parse_puzzle(text), "bidirectional"), distance)


@pytest.mark.parametrize("size", [(4, 4), (2, 8), (5, 5), (3, 6), (10, 10), (7, 3)])
def test_larger_boards_a_few_moves_from_any_goal(size):
    rows, cols = size
    draw = random.Random(rows * cols)
    for moves in (1, 2, 5, 8, 14):
        goal = Board(rows, cols, tuple(draw.sample(range(rows * cols), rows * cols)))
        start = goal
        for _ in range(moves):
            start = start.move(draw.choice(start.legal_directions))
        distance = solve(Puzzle(start, goal), "astar").length
        check_optimal(solve(Puzzle(start, goal), "bidirectional"), distance)


def test_millions_of_nodes():
    """So many that the hash grows several times while the search goes on."""
    result = solve(parse_puzzle(FIRST_KORF), "bidirectional")
    check_optimal(result, 41)
    assert result.peak_stored > 5_000_000


# Counts and order.


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


@pytest.mark.parametrize(
    "text", ["1.2-3.0", "2.0-3.1", "1.2.3-4.5.0", "3.0.2-5.1.4", "1.0-2.3-4.5"]
)
def test_small_boards_against_plain_python(text):
    goal = parse_puzzle(text).start
    starts = list(oracle.distances(goal.cells, goal.rows, goal.cols))
    for cells in starts[1 :: 1 if len(starts) < 20 else 9]:
        check_against_oracle(Puzzle(Board(goal.rows, goal.cols, cells), goal))


def test_3x3_boards_against_plain_python(to_standard):
    draw = random.Random(2)
    for cells in draw.sample([c for c, d in to_standard.items() if d], 12):
        check_against_oracle(Puzzle.standard(Board(3, 3, cells)))


@pytest.mark.parametrize("size", [(4, 4), (3, 6), (5, 5)])
def test_the_beginning_on_larger_boards_against_plain_python(size):
    rows, cols = size
    cells = random.Random(3).sample(range(rows * cols), rows * cols)
    puzzle = Puzzle.standard(Board(rows, cols, tuple(cells)))
    if not puzzle.solvable:
        puzzle = puzzle.ways_out().swapped
    check_against_oracle(puzzle, most=3_000)


def test_a_run_repeats_exactly_whatever_its_slices(monkeypatch):
    check_repeats(monkeypatch, parse_puzzle("2.5.0-1.3.6-4.8.7"), "bidirectional", None)
    limits = Limits(depth=9, expansions=500)
    check_repeats(monkeypatch, parse_puzzle("8.6.7-2.5.4-3.0.1"), "bidirectional", None, limits)


def test_far_fewer_nodes_than_from_one_end():
    puzzle = parse_puzzle("8.6.7-2.5.4-3.0.1")
    assert 10 * solve(puzzle, "bidirectional").expanded < solve(puzzle, "bfs").expanded


def test_an_unsolvable_puzzle_searched_all_the_same_is_exhausted():
    puzzle = parse_puzzle("2.1.3-4.5.0")
    result = run(puzzle, "bidirectional", None)
    assert result.status is Status.EXHAUSTED
    assert 360 < result.peak_stored <= 720
    assert (result.length, result.lower_bound) == (None, None)
    assert result.verdict.reason == puzzle.parity.explain()


# Bounds and limits.


def test_the_bound_is_one_more_than_the_depths_completed():
    puzzle = parse_puzzle("6.4.7-8.5.0-3.2.1")
    sides = both_ends(puzzle.start.cells, puzzle.goal.cells, 3, 3)
    for done in (2_000, 3_500, 5_000, 9_000, len(sides.order) - 1):
        result = solve(puzzle, "bidirectional", limits=Limits(expansions=done))
        odd = sides.proved[done] + (sides.proved[done] + 1) % 2  # as all paths are
        assert result.lower_bound == max(odd, 21)  # Manhattan distance, which every search knows
    assert result.lower_bound == 31


@pytest.mark.parametrize("expansions", [1, 2, 57, 300])
def test_expansions_are_met_exactly(expansions, to_standard):
    draw = random.Random(expansions)
    for cells in draw.sample([c for c, d in to_standard.items() if d > 24], 5):
        puzzle = Puzzle.standard(Board(3, 3, cells))
        result = solve(puzzle, "bidirectional", limits=Limits(expansions=expansions))
        assert result.expanded == expansions
        plural = "s" * (expansions != 1)
        check_stopped(result, to_standard[cells], f"stopped after {expansions} expansion{plural}")


def test_just_enough_expansions_are_enough():
    puzzle = parse_puzzle("2.3.0-1.4.6-7.5.8")
    expanded = solve(puzzle, "bidirectional").expanded
    assert solve(puzzle, "bidirectional", limits=Limits(expansions=expanded)).length == 6
    fewer = solve(puzzle, "bidirectional", limits=Limits(expansions=expanded - 1))
    assert fewer.status is Status.CUTOFF


def test_seconds():
    result = solve(HARD, "bidirectional", limits=Limits(seconds=0.2))
    check_stopped(result, FARTHEST, "stopped after 0.2 s")
    assert result.seconds >= 0.2


@pytest.mark.parametrize("stored", [1, 2, 5, 6, 100, 5_000, 20_000])
def test_stored_nodes_are_never_exceeded(stored):
    result = solve(HARD, "bidirectional", limits=Limits(stored_nodes=stored))
    assert stored - 4 < result.peak_stored <= stored
    check_stopped(result, FARTHEST, f"stopped at {stored:,} stored nodes")


@pytest.mark.parametrize("text", ["2.1-0.3", "2.3.4.1-5.6.7.8-9.10.11.12-13.14.15.0", FIRST_KORF])
def test_the_arrays_stay_within_the_memory_told(text):
    puzzle = parse_puzzle(text)
    limits = Limits(stored_nodes=50_000)
    ends = TwoEnds(Task(puzzle, find_algorithm("bidirectional"), None, limits))
    while ends.advance(1_000) is Outcome.RUNNING:
        assert ends.nbytes <= limits.memory(len(puzzle.start.cells))
    assert ends.nbytes <= limits.memory(len(puzzle.start.cells))


@pytest.mark.parametrize("distance", [1, 2, 5, 10, 13])
def test_depth(distance, to_standard):
    draw = random.Random(distance)
    for cells in draw.sample([c for c, d in to_standard.items() if d == distance], 2):
        puzzle = Puzzle.standard(Board(3, 3, cells))
        check_optimal(solve(puzzle, "bidirectional", limits=Limits(depth=distance)), distance)
        if distance > 1:
            fewer = solve(puzzle, "bidirectional", limits=Limits(depth=distance - 1))
            plural = "s" * (distance != 2)
            within = f"no path within {distance - 1} move{plural} leads to the goal"
            check_stopped(fewer, distance, within)
            assert fewer.lower_bound == distance


def test_cancelled():
    before = solve(HARD, "bidirectional", cancelled=lambda: True)
    assert before.status is Status.CANCELLED
    assert (before.expanded, before.generated, before.peak_stored) == (0, 2, 2)
    asked = iter(range(30))
    during = solve(HARD, "bidirectional", cancelled=lambda: next(asked) == 29)
    assert during.status is Status.CANCELLED
    assert during.expanded > 0
    assert during.verdict.reason == (
        f"stopped on request: the shortest has at least {during.lower_bound} moves"
    )


def test_progress():
    events = search(HARD, "bidirectional", limits=Limits(seconds=1, stored_nodes=10**8))
    told = [event for event in events if isinstance(event, Progress)]
    assert told
    for event in told:
        assert 0 < event.frontier <= event.stored <= event.generated
        assert event.expanded + event.frontier == event.stored
