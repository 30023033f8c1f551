"""Helpers for tests of searches: start a run, take it apart and check its claims."""

import os
import random
from dataclasses import replace

from slidewise import Board, Proof, Puzzle, Status, find_algorithm, parse_puzzle, search
from slidewise.solver.events import Expanded, Fate, Finished, Iteration
from slidewise.solver.run import DEFAULT_LIMITS
from slidewise.solver.task import Task
from tests import boards
from tests.solver import oracle

SWEEP = bool(os.environ.get("SLIDEWISE_SWEEP"))
"""Whether to test all boards, in some minutes, or a sample."""

STRONG = "manhattan", "linear-conflict"
WEAK = "misplaced", "zero"

BEST_FIRST = [
    ("bfs", None),
    ("ucs", None),
    ("dfs", None),
    ("greedy", "manhattan"),
    ("greedy", "misplaced"),
    ("astar", "manhattan"),
    ("astar", "linear-conflict"),
    ("astar", "zero"),
    ("wastar", "manhattan"),
]
ONE_PATH = [
    ("iddfs", None),
    ("idastar", "manhattan"),
    ("idastar", "misplaced"),
    ("rbfs", "manhattan"),
    ("rbfs", "misplaced"),
    ("rbfs", "zero"),
]
"""Searches that store only the nodes of one path."""

ALL = [*BEST_FIRST, *ONE_PATH, ("bidirectional", None)]
"""Every algorithm but `best`, with heuristics that change its code path."""

SMALL_GOALS = [
    "1.2-3.0", "0.1-2.3", "3.1-0.2", "1.2.3-4.5.0", "5.3.1-4.0.2", "0.1-2.3-4.5", "5.3-0.4-2.1"
]  # fmt: skip

HARD = parse_puzzle(boards.FOUR_SIXTY_SIX)
FARTHEST = 66
"""The length of `HARD`, which is too hard for the algorithms in `ALL`."""


# Boards


def on_3x3(cells):
    """Return the puzzle from these cells to the standard goal."""
    return Puzzle.standard(Board(3, 3, cells))


def all_puzzles(text):
    """Return all puzzles to the goal `text`, each with its length, the goal first."""
    goal = parse_puzzle(text).start
    found = oracle.distances(goal.cells, goal.rows, goal.cols).items()
    return [(Puzzle(Board(*goal.size, cells), goal), distance) for cells, distance in found]


def sample(distances, each):
    """Return up to `each` boards of each distance, the same in every run."""
    by_distance = {}
    for cells, distance in distances.items():
        by_distance.setdefault(distance, []).append(cells)
    draw = random.Random(1)
    return [
        (cells, distance)
        for distance, found in by_distance.items()
        for cells in draw.sample(found, min(each, len(found)))
    ]


def drawn(rows, cols):
    """Return a solvable puzzle of that size, the same in every run."""
    cells = random.Random(3).sample(range(rows * cols), rows * cols)
    puzzle = Puzzle.standard(Board(rows, cols, tuple(cells)))
    return puzzle if puzzle.solvable else puzzle.solvable_alternatives().swapped


def scrambled_puzzle(rows, cols, moves):
    """Return a puzzle at most `moves` moves from a goal with shuffled tiles."""
    draw = random.Random(rows * cols * moves)
    goal = Board(rows, cols, tuple(draw.sample(range(rows * cols), rows * cols)))
    start = goal
    for _ in range(moves):
        start = start.move(draw.choice(start.legal_directions))
    return Puzzle(start, goal)


# Runs


def run(puzzle, algorithm, heuristic, limits=DEFAULT_LIMITS):
    """Run an algorithm without the parity check before it."""
    *_, last = find_algorithm(algorithm).run(
        Task(puzzle, find_algorithm(algorithm), heuristic, limits)
    )
    assert isinstance(last, Finished)
    return last.result


def whole(puzzle, algorithm, heuristic, limits=DEFAULT_LIMITS, trace=10**9, **options):
    """Return the expansions, the iterations (limit, expanded before) and the result of a run."""
    expanded, iterations = [], []
    for event in search(puzzle, algorithm, heuristic, limits, trace=trace, **options):
        if isinstance(event, Expanded):
            expanded.append(event)
        elif isinstance(event, Iteration):
            iterations.append((event.limit, len(expanded)))
        elif isinstance(event, Finished):
            return expanded, iterations, event.result
    raise AssertionError("every search ends with Finished")


def timeless(result):
    """Return the result without its seconds."""
    return replace(result, seconds=0)


def counts(result):
    names = "expanded", "generated", "peak_frontier", "peak_stored", "deepest"
    return {name: getattr(result, name) for name in names}


# Checks


def check_path(result):
    """Assert that the result's path is legal and leads to the goal."""
    start, goal = result.puzzle.start, result.puzzle.goal
    assert result.status is Status.SOLVED
    replayed = oracle.replay(start.cells, start.rows, start.cols, result.moves)
    assert replayed == (result.tiles, goal.cells)
    assert result.length == len(result.moves)


def check_optimal(result, distance):
    check_path(result)
    assert result.length == distance
    assert result.lower_bound == distance
    assert result.verdict.kind is Proof.OPTIMAL


def check_honest(result, distance):
    """Assert that the result claims only facts."""
    check_path(result)
    assert result.lower_bound <= distance <= result.length
    assert (result.verdict.kind is Proof.OPTIMAL) == (result.lower_bound == result.length)
    if result.verdict.kind is Proof.UNPROVED:
        between = f"between {result.lower_bound:,} and {result.length:,} moves"
        assert between in result.verdict.reason


def check_stopped(result, distance, words, status=Status.CUTOFF):
    """Assert that a stopped search claims a true bound and nothing else."""
    assert result.status is status
    assert (result.moves, result.tiles, result.length) == ("", (), None)
    assert result.verdict.kind is Proof.UNPROVED
    assert 0 < result.lower_bound <= distance
    assert (distance - result.lower_bound) % 2 == 0
    plural = "s" * (result.lower_bound != 1)
    bound = f"the shortest has at least {result.lower_bound} move{plural}"
    assert result.verdict.reason == f"{words}; {bound}"


def check_successors(event, came_from, limit=None):
    """Assert that the successors of an expansion are right, with all numbers but f and h."""
    blank, cols = event.board.blank, event.board.cols
    places = [successor.board.blank - blank for successor in event.successors]
    assert places == [step for step in (-cols, cols, -1, 1) if step in places]
    assert len(places) == len(event.board.movable)
    for successor in event.successors:
        assert successor.g == event.g + 1
        assert successor.board == event.board.slide(event.board.cells[successor.board.blank])
        assert (successor.fate is Fate.WENT_BACK) == (successor.board == came_from)
        assert (successor.node is not None) == successor.fate.is_kept
        if successor.board != came_from and limit is not None:
            assert (successor.fate is Fate.OVER_F) == (successor.f > limit)
