"""Warnings of long searches appear exactly before long searches."""

import pytest

from slidewise import Limits, Status, algorithms, scramble, solve
from slidewise.solver.run import forecast
from slidewise.solver.task import nodes_within


@pytest.mark.parametrize("key", [key for key in algorithms() if key != "best"])
def test_warning_is_on_10x10_and_not_on_3x3(key):
    assert forecast(scramble(3, 3, "1"), key) is None
    text = forecast(scramble(10, 10, "1"), key)
    assert text
    assert text.startswith(f"{algorithms()[key].title} on 10x10 will probably not finish")


def test_advice_is_an_optimal_search_for_the_size():
    text = forecast(scramble(4, 4, "1"), "bfs")
    assert text == "Breadth-first search on 4x4 will probably not finish: try Best for this board."
    assert algorithms()["best"].suits >= 16
    assert forecast(scramble(4, 4, "1"), "idastar") is None


def test_best_gives_a_path_on_every_size():
    assert forecast(scramble(10, 10, "1"), "best") is None


@pytest.mark.parametrize("key", algorithms())
def test_search_without_warning_finishes(key):
    """Every search on 3x3 is forecast to finish, and does within the memory of the web app."""
    limits = Limits(stored_nodes=nodes_within(400 * 2**20, 9))
    is_stuck = key in ("hill-climbing", "first-choice")
    status = Status.STUCK if is_stuck else Status.SOLVED
    assert solve(scramble(3, 3, "2"), key, limits=limits).status is status


def test_search_with_warning_meets_its_limits():
    limits = Limits(stored_nodes=nodes_within(400 * 2**20 // 8, 16))
    assert solve(scramble(4, 4, "1"), "bfs", limits=limits).status is Status.CUTOFF
