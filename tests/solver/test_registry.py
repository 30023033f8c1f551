"""The registry: its entries and their facts."""

import importlib
import inspect
import pkgutil
import re

import pytest

from slidewise import (
    Status,
    algorithms,
    find_algorithm,
    find_heuristic,
    heuristics,
    parse_puzzle,
    solve,
)
from tests.cli.commands import python
from tests.each import each

LOCAL = ("hill-climbing", "first-choice", "random-restart", "annealing")


def test_algorithms_are_the_expected_set():
    first = ["best", "bfs", "dfs", "ucs", "greedy", "astar", "wastar"]
    assert [key for key in algorithms() if key in first] == first
    assert set(algorithms()) == {*first, "bidirectional", "iddfs", "idastar", "rbfs", *LOCAL}
    assert all(find_algorithm(key).key == key for key in algorithms())


def test_heuristics_are_the_expected_set():
    assert list(heuristics()) == [
        *("euclidean", "exact", "linear-conflict", "manhattan", "misplaced", "nilsson"),
        *("pdb", "walking-distance", "zero"),
    ]  # fmt: skip
    assert all(find_heuristic(key).key == key for key in heuristics())


def test_registry_is_read_only():
    with pytest.raises(TypeError):
        algorithms()["mine"] = find_algorithm("bfs")


@each("entry", [*algorithms().values(), *heuristics().values()])
def test_every_entry_is_described(entry):
    assert re.fullmatch("[a-z][a-z-]*", entry.key)
    assert entry.title[0].isupper()
    assert entry.idea.endswith(".")
    assert re.search(r"[A-Z]\. .*\b(1[89]|20)\d\d\b", entry.source), "author and year"


@pytest.mark.parametrize("algorithm", algorithms().values())
def test_facts_of_the_algorithms_hold(algorithm):
    puzzle = parse_puzzle("3.7.4-5.2.1-6.0.8")
    result = solve(puzzle, algorithm.key)
    assert algorithm.complete != algorithm.local
    assert (result.status is Status.SOLVED) == (result.length is not None)
    assert (result.status is Status.STUCK) == (algorithm.key in ("hill-climbing", "first-choice"))
    assert (result.heuristic is not None) == algorithm.uses_heuristic
    assert (algorithm.optimal_to >= 9) == (result.length == 23)
    assert algorithm.options <= {"depth", "weight", "seed", "cooling"}


@pytest.mark.parametrize("folder", ["algorithms", "heuristics"])
def test_every_file_registers_something(folder):
    package = importlib.import_module(f"slidewise.solver.{folder}")
    known = algorithms() if folder == "algorithms" else heuristics()
    homes = {
        inspect.unwrap(entry.run if folder == "algorithms" else entry.build).__module__
        for entry in known.values()
    }
    files = {module.name for module in pkgutil.iter_modules(package.__path__)}
    assert homes == {f"slidewise.solver.{folder}.{name}" for name in files}


def test_registry_loads_no_compiler():
    """The web process lists algorithms and must not load the compiler for that."""
    code = (
        "import sys, slidewise as s; s.algorithms(); s.heuristics();"
        "from slidewise import parse_puzzle;"
        "s.solve(parse_puzzle('2.1.3-4.5.0')); s.solve(parse_puzzle('1.2.3-4.5.0'));"
        "s.find_heuristic('manhattan').value(*[parse_puzzle('1.2.3-4.5.0').goal] * 2);"
        "s.find_heuristic('=max(manhattan, 2 * misplaced)');"
        "print({'numpy', 'numba', 'llvmlite', 'flask'} & set(sys.modules))"
    )
    done = python("-c", code)
    assert done.stdout.strip() == "set()"
