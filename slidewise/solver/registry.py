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
from typing import cast

from slidewise.puzzle.board import MAX_SIDE
from slidewise.solver.task import (
    Algorithm,
    Build,
    Frontier,
    Heuristic,
    Plain,
    PrepareFor,
    Run,
    any_size,
    no_preparation,
)

_algorithms: dict[str, Algorithm] = {}
_heuristics: dict[str, Heuristic] = {}


def algorithm(
    *,
    key: str,
    title: str,
    idea: str,
    complete: bool,
    optimal: bool,
    time: str,
    space: str,
    uses_heuristic: bool,
    source: str,
    kernel: str | None,
    suits: int,
    plain: Plain | None = None,
    options: Iterable[str] = (),
    prepare: PrepareFor = no_preparation,
    optimal_to: int = 0,
    proviso: str = "",
    frontier: Frontier | None = None,
    local: bool = False,
) -> Callable[[Run], Run]:
    """Register the decorated generator as an algorithm with the facts of `Algorithm`."""

    def register(run: Run) -> Run:
        _algorithms[key] = Algorithm(
            key,
            title,
            idea,
            complete,
            optimal,
            time,
            space,
            uses_heuristic,
            source,
            kernel,
            suits,
            run,
            plain,
            frozenset(options),
            prepare,
            MAX_SIDE**2 if optimal else optimal_to,
            proviso,
            frontier,
            local=local,
        )
        return run

    return register


def heuristic(
    *,
    key: str,
    title: str,
    idea: str,
    admissible: bool,
    consistent: bool,
    source: str,
    fits: Callable[[int, int], bool] = any_size,
    prepare: PrepareFor = no_preparation,
    loads_tables: bool = False,
) -> Callable[[Build], Build]:
    """Register the decorated function, which maps a goal to tables, with an LRU cache."""

    def register(build: Build) -> Build:
        cached = cast("Build", functools.lru_cache(maxsize=32)(build))
        _heuristics[key] = Heuristic(
            *(key, title, idea, admissible, consistent, source, cached, fits, prepare),
            loads_tables=loads_tables,
        )
        return cached

    return register


@functools.cache
def algorithms() -> Mapping[str, Algorithm]:
    """Return all algorithms by key, file by file.

    >>> algorithms()["astar"].title
    'A*'
    """
    _import_all("algorithms")
    # A test or a caller may have imported a module early, so the order is restored by file.
    entries = sorted(_algorithms.items(), key=lambda item: item[1].run.__module__)
    _algorithms.clear()  # in place: later imports add to the same dictionary
    _algorithms.update(entries)
    # Imported by name, because `functions` imports modules that import the registry.
    found = importlib.import_module(f"{__package__}.functions").installed_algorithms(_algorithms)
    _algorithms.update({entry.key: entry for entry in list(found)})
    return MappingProxyType(_algorithms)


@functools.cache
def heuristics() -> Mapping[str, Heuristic]:
    """Return all heuristics by key, file by file.

    >>> heuristics()["manhattan"].admissible
    True
    """
    _import_all("heuristics")
    entries = sorted(_heuristics.items(), key=lambda item: item[1].build.__module__)
    _heuristics.clear()
    _heuristics.update(entries)
    found = importlib.import_module(f"{__package__}.functions").installed_heuristics(_heuristics)
    _heuristics.update({entry.key: entry for entry in list(found)})
    return MappingProxyType(_heuristics)


def _import_all(folder: str) -> None:
    """Import each module of the sibling package `folder`, which registers its entries."""
    package = importlib.import_module(f"{__package__}.{folder}")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
