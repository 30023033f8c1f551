"""Beam search alone, against the true distances and for all slices."""

from itertools import pairwise

import pytest

from slidewise import (
    Board,
    Limits,
    Puzzle,
    find_algorithm,
    find_heuristic,
    parse_puzzle,
    scramble,
    standard_goal,
)
from slidewise.solver.engines.beam import Beam, Shortening, board_after
from slidewise.solver.loop import Outcome
from slidewise.solver.task import Task
from tests.each import each

GOAL = standard_goal(3, 3)
LARGEST_LAYER = 24_047
"""The largest number of boards at one distance from the goal (A. Reinefeld, 1993)."""

SAMPLE = [*range(1, 181_440, 12_001), 181_438, 181_439]
"""Boards by their indices in the table of true distances. The last two are the farthest."""


@pytest.fixture(scope="module")
def boards(to_standard):
    """Return all boards with their true distances, the goal first."""
    return list(to_standard.items())


def finish(beam, budget=100_000):
    """Run a beam to its end and return its outcome."""
    outcome = Outcome.RUNNING
    while outcome is Outcome.RUNNING:
        outcome = beam.advance(budget)
    return outcome


def facts(beam):
    """Return all facts that a beam reports."""
    names = "expanded", "generated", "layer", "frontier", "peak_frontier", "stored", "peak_stored"
    return [getattr(beam, name) for name in names]


@each("place", SAMPLE)
def test_beam_as_wide_as_each_layer_finds_a_shortest_path(place, boards):
    cells, distance = boards[place]
    puzzle = Puzzle(Board(3, 3, cells), GOAL)
    beam = Beam(puzzle, None, LARGEST_LAYER, distance)
    assert finish(beam) is Outcome.GOAL
    assert len(beam.path()) - 1 == beam.layer == distance
    assert board_after(puzzle.start, beam.path()) == GOAL
    if distance > 1:
        assert finish(Beam(puzzle, None, LARGEST_LAYER, distance - 1)) is Outcome.EMPTY


@each("width", [1, 3, 10, 100, 1_000])
@each("place", SAMPLE[::4])
def test_path_of_any_width_is_right(place, width, boards):
    """Narrow beams often end without a path."""
    cells, distance = boards[place]
    puzzle, most = Puzzle(Board(3, 3, cells), GOAL), 60
    beam = Beam(puzzle, None, width, most)
    outcome = finish(beam)
    assert beam.expanded <= 1 + width * beam.layer
    assert beam.generated <= 4 * beam.expanded
    assert beam.peak_frontier <= beam.peak_stored <= 1 + width * (beam.layer + 4)
    if outcome is Outcome.GOAL:
        assert board_after(puzzle.start, beam.path()) == GOAL
        assert distance <= len(beam.path()) - 1 <= most
    else:
        assert outcome is Outcome.EMPTY
        assert width < 100


def test_layer_holds_the_best_boards():
    """With one board a layer, the search takes the first successor of the lowest h.

    From h = 3 + 3 the blank goes down, then right.
    """
    puzzle = parse_puzzle("1.2.3-0.5.6-4.8.7")
    manhattan = find_heuristic("linear-conflict")
    beam = Beam(puzzle, None, 1, 60)
    board, came = puzzle.start, None
    for layer in range(1, 6):
        blank = board.blank
        choices = [
            cell
            for cell in (blank - 3, blank + 3, blank - 1, blank + 1)
            if 0 <= cell < 9 and (abs(cell - blank) == 3 or cell // 3 == blank // 3)
        ]
        after = [board.slide(board.cells[cell]) for cell in choices if cell != came]
        came = blank
        board = min(after, key=lambda one: manhattan.value(one, GOAL))
        beam.advance(1)
        assert beam.layer == layer
        assert beam.expanded == layer


@pytest.mark.parametrize("database", [False, True])
def test_slices_change_nothing(database):
    puzzle = scramble(4, 4, "1")
    tables = find_heuristic("pdb").build(puzzle.goal).patterns if database else None
    beams = [Beam(puzzle, tables, 300, 120) for _ in range(3)]
    outcomes = [finish(beam, budget) for beam, budget in zip(beams, (1, 77, 10**6), strict=True)]
    assert outcomes == [Outcome.GOAL] * 3
    assert board_after(puzzle.start, beams[0].path()) == puzzle.goal
    assert len({tuple(beam.path()) for beam in beams}) == 1
    assert facts(beams[0])[:3] == facts(beams[1])[:3] == facts(beams[2])[:3]


@pytest.mark.parametrize("size", [(3, 4), (5, 5), (6, 4)])
def test_subset_of_tiles_is_brought_home(size):
    puzzle = scramble(*size, "2")
    tiles = frozenset(range(1, size[1] + 1))  # the first row
    beam = Beam(puzzle, None, 500, 200, tiles)
    assert finish(beam) is Outcome.GOAL
    reached = board_after(puzzle.start, beam.path())
    assert reached.cells[: size[1]] == puzzle.goal.cells[: size[1]]
    assert reached != puzzle.goal


def test_tiles_far_from_the_blank_come_home():
    """Three tiles in the corner opposite the blank, which moves 16 times to be beside them."""
    goal = standard_goal(10, 10)
    cells = list(goal.cells)
    for cell, other in pairwise((0, 1, 10, 0)):
        cells[cell] = goal.cells[other]
    puzzle = Puzzle(Board(10, 10, tuple(cells)), goal)
    assert finish(Beam(puzzle, None, 300, 400)) is Outcome.EMPTY
    shortening = Shortening(Task(puzzle, find_algorithm("best"), None, Limits()), None)
    while shortening.expanded < 100_000:
        shortening.advance(1_000)
    assert board_after(puzzle.start, shortening.path) == goal
    assert len(shortening.path) - 1 <= 70


def test_search_without_a_path_has_its_nearest_board():
    """The search took that board, and no start is nearer by h."""
    puzzle = scramble(6, 6, "3")
    beam = Beam(puzzle, None, 50, 400)
    for _ in range(40):
        beam.advance(50)
    h = find_heuristic("linear-conflict")
    reached = board_after(puzzle.start, beam.nearest())
    assert h.value(reached, puzzle.goal) < h.value(puzzle.start, puzzle.goal)
    assert 0 < len(beam.nearest()) - 1 <= beam.layer + 1  # the next layer is being filled
