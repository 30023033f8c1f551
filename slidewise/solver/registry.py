"""Registry of algorithms and heuristics.

Each is a decorated function in a file under `algorithms/` or `heuristics/`. New files are
discovered automatically. Functions of installed packages come after these (`functions.py`). Pages,
command line and tests read their lists from the registry.
"""

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar, cast

from slidewise.puzzle.board import MAX_SIDE
from slidewise.solver.task import Algorithm, Build, Heuristic, Run

Entry = TypeVar("Entry", Algorithm, Heuristic)

_algorithms: dict[str, Algorithm] = {}
_heuristics: dict[str, Heuristic] = {}


def algorithm(*, options: Iterable[str] = (), **facts: Any) -> Callable[[Run], Run]:
    """Register the decorated generator as an algorithm; the arguments are fields of `Algorithm`."""

    def register(run: Run) -> Run:
        if facts.get("optimal"):
            facts["optimal_to"] = MAX_SIDE**2
        entry = Algorithm(run=run, options=frozenset(options), **facts)
        _algorithms[entry.key] = entry
        return run

    return register


def heuristic(**facts: Any) -> Callable[[Build], Build]:
    """Register the decorated function, which maps a goal to tables, with an LRU cache.

    The arguments are fields of `Heuristic`.
    """

    def register(build: Build) -> Build:
        cached = cast("Build", functools.lru_cache(maxsize=32)(build))
        entry = Heuristic(build=cached, **facts)
        _heuristics[entry.key] = entry
        return cached

    return register


@functools.cache
def algorithms() -> Mapping[str, Algorithm]:
    """Return all algorithms by key, file by file.

    >>> algorithms()["astar"].title
    'A*'
    """
    _add_all(_algorithms, "algorithms", lambda entry: entry.run)
    return MappingProxyType(_algorithms)


@functools.cache
def heuristics() -> Mapping[str, Heuristic]:
    """Return all heuristics by key, file by file.

    >>> heuristics()["manhattan"].admissible
    True
    """
    _add_all(_heuristics, "heuristics", lambda entry: entry.build)
    return MappingProxyType(_heuristics)


def _add_all(
    entries: dict[str, Entry], folder: str, function: Callable[[Entry], Callable[..., object]]
) -> None:
    """Add the entries of the sibling package `folder` and of installed packages."""
    package = importlib.import_module(f"{__package__}.{folder}")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    # A test or a caller may have imported a module early, so the order is restored by file.
    in_order = sorted(entries.items(), key=lambda item: function(item[1]).__module__)
    entries.clear()  # in place: later imports add to the same dictionary
    entries.update(in_order)
    # Imported by name, because `functions` imports modules that import the registry.
    functions = importlib.import_module(f"{__package__}.functions")
    found = list(getattr(functions, f"installed_{folder}")(entries))
    entries.update({entry.key: entry for entry in found})
