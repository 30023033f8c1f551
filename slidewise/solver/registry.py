"""The algorithms and heuristics there are, and what is known of each.

Each is one decorated function in a file under `algorithms/` or `heuristics/`; a new file is
found by itself. Pages, command line and tests take their lists from here.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, TypeVar

from slidewise.puzzle import PuzzleError
from slidewise.puzzle.board import MAX_SIDE
from slidewise.puzzle.errors import quoted

if TYPE_CHECKING:
    from fractions import Fraction

    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.estimate import Estimate
    from slidewise.solver.events import Event, Preparing
    from slidewise.solver.frontier import Frontier, Rank
    from slidewise.solver.task import Task

Run = Callable[["Task"], Iterator["Event"]]
Build = Callable[["Board"], "Estimate"]
PrepareFor = Callable[["Puzzle"], Iterator["Preparing"]]


def any_size(rows: int, cols: int) -> bool:
    """Return True: there is no size that it does not fit."""
    return True


def nothing(puzzle: Puzzle) -> Iterator[Preparing]:
    """Yield nothing: there is nothing to prepare."""
    return iter(())


class UnknownNameError(PuzzleError):
    """An algorithm or a heuristic that is not in the registry."""


class UnfitHeuristicError(PuzzleError):
    """A heuristic that has no tables for boards of this size."""


@dataclass(frozen=True)
class Algorithm:
    """An algorithm and its facts.

    `complete`: it finds a path if there is one and the limits allow; `proviso`: what that rests
    on, where not every search of the kind is. `optimal`: the path is
    shortest, where it uses a heuristic if that is admissible; `optimal_to`: it is on boards of up
    to so many cells. `time` and `space` count nodes, in terms of the branching factor b, the
    length d of a shortest path and the weight w. `kernel` names the compiled module it needs,
    where that is always the same. `options` are those it
    takes of `depth` (a depth limit, in `Limits`) and `weight`. `suits` is the most cells of a
    board drawn at random that it solves in about a minute and 400 MB. `run` is the generator;
    `prepare` makes ready for a puzzle what it needs beside its kernel. `frontier` describes what
    waits in the search, by which its expansions can be recorded; None where it has no such thing.
    """

    key: str
    title: str
    idea: str
    complete: bool
    optimal: bool
    time: str
    space: str
    uses_heuristic: bool
    source: str
    kernel: str | None
    suits: int
    run: Run = field(repr=False)
    options: frozenset[str] = frozenset()
    prepare: PrepareFor = field(default=nothing, repr=False)
    optimal_to: int = 0
    proviso: str = ""
    frontier: Frontier | None = None

    def rank(self, weight: Fraction) -> Rank | None:
        """Return how f is made, with the weight if it takes one; None if there is no one way."""
        rank = self.frontier.rank if self.frontier else None
        return rank.weighted(weight) if rank and "weight" in self.options else rank


@dataclass(frozen=True)
class Heuristic:
    """A heuristic and its facts.

    `admissible`: never above the true distance. `consistent`: one move changes it by at most
    1. `build` makes its tables for a goal; `prepare` does the part of that which takes long, and
    tells how far it is. `fits` says for how many rows and columns there are tables, `unfit` in
    words that there are none. `facts` finds out whether it is admissible and consistent for a
    goal, where neither can be said once for all.
    """

    key: str
    title: str
    idea: str
    admissible: bool
    consistent: bool
    source: str
    build: Build = field(repr=False)
    fits: Callable[[int, int], bool] = field(default=any_size, repr=False)
    prepare: PrepareFor = field(default=nothing, repr=False)
    unfit: str = "has no tables"
    facts: Callable[[Board], tuple[bool, bool]] | None = field(default=None, repr=False)

    def value(self, board: Board, goal: Board) -> int:
        """Return the estimate of the moves from `board` to `goal`, boards of one size."""
        return self.build(goal).value(board)

    def for_goal(self, goal: Board) -> Heuristic:
        """Return the heuristic with its facts as they are for `goal`."""
        if self.facts is None:
            return self
        admissible, consistent = self.facts(goal)
        return replace(self, admissible=admissible, consistent=consistent, facts=None)


# Imported at once, as importing a package sets a name in its parent: `slidewise.solver` gives the
# names of these two to the functions below, and a later import would take them back.
_ALGORITHM_FILES = importlib.import_module("slidewise.solver.algorithms")
_HEURISTIC_FILES = importlib.import_module("slidewise.solver.heuristics")

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
    options: Iterable[str] = (),
    prepare: PrepareFor = nothing,
    optimal_to: int = 0,
    proviso: str = "",
    frontier: Frontier | None = None,
) -> Callable[[Run], Run]:
    """Register the decorated generator as an algorithm; the facts are those of `Algorithm`."""

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
            frozenset(options),
            prepare,
            MAX_SIDE**2 if optimal else optimal_to,
            proviso,
            frontier,
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
    prepare: PrepareFor = nothing,
) -> Callable[[Build], Build]:
    """Register the decorated function, from a goal to its tables, as a heuristic."""

    def register(build: Build) -> Build:
        cached = functools.lru_cache(maxsize=32)(build)
        _heuristics[key] = Heuristic(
            key, title, idea, admissible, consistent, source, cached, fits, prepare
        )
        return build

    return register


@functools.cache
def algorithms() -> Mapping[str, Algorithm]:
    """Return all algorithms by their keys, file by file.

    >>> algorithms()["astar"].title
    'A*'
    """
    _import_all(_ALGORITHM_FILES)
    entries = sorted(_algorithms.items(), key=lambda item: item[1].run.__module__)
    _algorithms.clear()  # in place, as files that are imported later add theirs
    _algorithms.update(entries)
    return MappingProxyType(_algorithms)


@functools.cache
def heuristics() -> Mapping[str, Heuristic]:
    """Return all heuristics by their keys, file by file.

    >>> heuristics()["manhattan"].admissible
    True
    """
    _import_all(_HEURISTIC_FILES)
    entries = sorted(_heuristics.items(), key=lambda item: item[1].build.__module__)
    _heuristics.clear()
    _heuristics.update(entries)
    return MappingProxyType(_heuristics)


def find_algorithm(key: str) -> Algorithm:
    """Return the algorithm `key`, or raise `UnknownNameError` with the ones there are."""
    return _find("algorithm", key, algorithms())


def find_heuristic(key: str) -> Heuristic:
    """Return the heuristic `key`, or raise `UnknownNameError` with the ones there are.

    After `=` it is an expression, a heuristic of one's own; `ExpressionError` says what cannot be
    read in that.

    >>> find_heuristic("=max(manhattan, 2 * misplaced)").admissible
    False
    """
    if str(key).startswith("="):
        from slidewise.solver.own.heuristic import own_heuristic  # which needs what is here

        return own_heuristic(key)
    return _find("heuristic", key, heuristics())


def find_fitting_heuristic(key: str, rows: int, cols: int) -> Heuristic:
    """Return the heuristic `key` if it is for boards of rows x cols.

    Raises `UnknownNameError` and `UnfitHeuristicError`, with the ones there are.
    """
    found = find_heuristic(key)
    if not found.fits(rows, cols):
        fitting = (one.key for one in heuristics().values() if one.fits(rows, cols))
        raise UnfitHeuristicError(
            f"the heuristic {found.key} {found.unfit} for {rows}x{cols}; "
            f"there are {', '.join(fitting)}"
        )
    return found


_Entry = TypeVar("_Entry")


def _find(kind: str, key: str, known: Mapping[str, _Entry]) -> _Entry:
    if key not in known:
        raise UnknownNameError(
            f"there is no {kind} {quoted(str(key))}; the {kind}s are {', '.join(known)}"
        )
    return known[key]


def _import_all(package: ModuleType) -> None:
    """Import each module of `package`, so that its decorators run."""
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
