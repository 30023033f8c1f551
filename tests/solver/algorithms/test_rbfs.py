"""What is special about recursive best-first search: f that is backed up, and little memory."""

from slidewise import parse_puzzle, solve
from slidewise.solver.engines import one_path
from tests.boards import FARTHEST
from tests.solver.runs import on_3x3, sample, timeless, whole


def test_rows_are_added_as_the_path_gets_longer(monkeypatch):
    puzzle = parse_puzzle(FARTHEST[0])
    expected = whole(puzzle, "rbfs", "manhattan", trace=1_000)
    monkeypatch.setattr(one_path, "FIRST_PATH_ROWS", 1)
    *told, result = whole(puzzle, "rbfs", "manhattan", trace=1_000)
    assert told == [*expected[:2]]
    assert timeless(result) == timeless(expected[2])


def test_memory_stays_in_proportion_to_the_depth(to_standard):
    for cells, distance in sample(to_standard, 2):
        result = solve(on_3x3(cells), "rbfs", "manhattan")
        assert result.peak_stored <= 4 + 3 * distance
