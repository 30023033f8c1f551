"""Properties of recursive best-first search: backed-up f values and small memory."""

from slidewise import parse_puzzle, solve
from slidewise.solver.engines import one_path
from tests.boards import FARTHEST
from tests.solver.runs import on_3x3, sample, timeless, whole


def test_longer_path_adds_rows(monkeypatch):
    puzzle = parse_puzzle(FARTHEST[0])
    expected = whole(puzzle, "rbfs", "manhattan", trace=1_000)
    monkeypatch.setattr(one_path, "FIRST_PATH_ROWS", 1)
    *expansions, result = whole(puzzle, "rbfs", "manhattan", trace=1_000)
    assert expansions == [*expected[:2]]
    assert timeless(result) == timeless(expected[2])


def test_memory_is_proportional_to_the_depth(to_standard):
    for cells, distance in sample(to_standard, 2):
        result = solve(on_3x3(cells), "rbfs", "manhattan")
        assert result.peak_stored <= 4 + 3 * distance
