"""The names in expressions have their defined values."""

import itertools

import pytest

from slidewise import Board, exact_table, find_heuristic, heuristics, parse_board
from slidewise.solver.own.heuristic import own_heuristic
from slidewise.solver.own.parse import FEATURES, names
from tests.solver import oracle
from tests.solver.own.reference import REFERENCE

GOALS = ["1.2.3-4.5.0", "0.1-2.3-4.5", "4.0-1.5-2.3", "1.2-3.0", "3.0.5-1.4.2"]


@pytest.mark.parametrize("text", GOALS)
def test_each_name_has_its_defined_value(text):
    goal = parse_board(text)
    table = exact_table(goal)
    values = {name: own_heuristic(f"={name}").build(goal) for name in REFERENCE}
    for cells in itertools.islice(oracle.distances(goal.cells, *goal.size), 0, None, 7):
        board = Board(*goal.size, cells)
        for name, reference in REFERENCE.items():
            assert values[name].value(board) == reference(cells, goal.cells, goal.cols), name
        assert own_heuristic("=exact").value(board, goal) == table.distance(board)


def test_names_are_the_expected_set():
    of_registry = {key.replace("-", "_") for key in heuristics()}
    assert set(names()) == {*REFERENCE, "exact", "pdb"} == of_registry | set(FEATURES)


@pytest.mark.parametrize("text", ["7.2.4-5.0.6-8.3.1", "1.2.3.4-5.6.7.0"])
@pytest.mark.parametrize("key", heuristics())
def test_registered_heuristic_equals_its_name(key, text):
    goal = parse_board(text)
    table, own = exact_table(goal), own_heuristic("=" + key.replace("-", "_")).build(goal)
    registered = find_heuristic(key).build(goal)
    for distance in range(0, table.diameter + 1, 3):
        board = table.nth_at(distance, 0)
        assert own.value(board) == registered.value(board)
