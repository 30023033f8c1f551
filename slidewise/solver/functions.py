"""Python functions, of a caller or an installed package, as heuristics and algorithms.

A heuristic is `f(puzzle) -> number`: it estimates the moves from `puzzle.start` to `puzzle.goal`.
Only the plain loops call it, so a search with it is slow. An algorithm is `g(puzzle)`, which
returns or yields moves. No claim of a function is trusted. Its estimates are compared with the
exact distances up to 10 cells, and its moves are replayed.

An installed package adds functions as entry points of the groups `slidewise.heuristics` and
`slidewise.algorithms`. Their names extend the registry. A function is imported before its first
search.
"""

from __future__ import annotations

import functools
import logging
import math
import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import TYPE_CHECKING, Any

from slidewise.puzzle import Board, Puzzle, PuzzleError, read_moves
from slidewise.puzzle.board import quoted
from slidewise.puzzle.reading import MAX_MOVES
from slidewise.solver.estimate import Estimate
from slidewise.solver.events import Event, Finished, Preparing, Progress
from slidewise.solver.loop import End, LowerBound, Pace
from slidewise.solver.result import (
    NO_SEARCH,
    Proof,
    Result,
    Status,
    Verdict,
    bound_verdict,
    path_verdict,
)
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.task import Algorithm, Heuristic, Task
from slidewise.text import message, plural

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

HeuristicFunction = Callable[[Puzzle], float]
AlgorithmFunction = Callable[[Puzzle], Iterable[str | int] | None]

PREFIX = "python:"
"""Prefix of the keys of a caller's own functions in results."""

ROUNDING_TOLERANCE = 1e-6
"""Excess over a whole number that is a floating-point error: an estimate of 3 moves, added up in
steps of 0.1, can be 3.0000000000000004."""

log = logging.getLogger(__name__)


class FunctionError(PuzzleError):
    """A Python function failed, or returned no estimate or no solution."""


class FunctionEstimate(Estimate):
    """The estimates of a Python function for a goal.

    With `records`, on boards with a table of all distances, `values` has each board's highest
    estimate, as a function may answer differently each time.
    """

    def __init__(
        self, name: str, function: HeuristicFunction, goal: Board, *, records: bool
    ) -> None:
        super().__init__(len(goal.cells), ())
        self.is_sum = False
        self.goal = goal
        self.values: dict[Board, int] = {}
        self._name, self._function = name, function
        self._records = records and goal.has_table

    def value(self, board: Board) -> int:
        """Return the estimate of `board`, rounded up to a whole number.

        Distances are whole numbers, so rounding up keeps an estimate admissible. An excess of up
        to `ROUNDING_TOLERANCE` is rounded down. Raises `FunctionError`.
        """
        try:
            value = self._function(Puzzle(board, self.goal))
        except (FunctionError, MemoryError):
            raise
        except Exception as error:
            raise FunctionError(f"{self._name} failed on {board}: {_described(error)}") from error
        # A bool is a number to Python, but a test such as `board == goal` is no estimate.
        if isinstance(value, bool) or not isinstance(value, Real):
            raise FunctionError(
                f"{self._name} must return a number, got {quoted(repr(value))} for {board}"
            )
        if not 0 <= value < math.inf:
            raise FunctionError(
                f"{self._name} must return a finite number from 0 on, got {value} for {board}"
            )
        whole = math.floor(value)
        if value - whole > ROUNDING_TOLERANCE:
            whole += 1
        if self._records:
            self.values[board] = max(whole, self.values.get(board, 0))
        return whole

    def excess(self) -> str:
        """Describe the recorded estimate above its distance that is nearest to the goal, or ""."""
        table = exact_table(self.goal)
        distances = ((table.distance(board) or 0, board) for board in self.values)
        above = [(far, str(board), board) for far, board in distances if self.values[board] > far]
        if not above:
            return ""
        far, _, board = min(above)
        return (
            f"{self._name} says {self.values[board]} for {board}, "
            f"which is {plural(far, 'move')} from the goal"
        )


@dataclass(frozen=True)
class FunctionHeuristic(Heuristic):
    """A Python function as a heuristic. It claims nothing."""

    function: HeuristicFunction = field(default=lambda _: 0, repr=False)

    def for_goal(self, goal: Board) -> FunctionHeuristic:
        """Return the heuristic for a search, which records its estimates."""
        estimate = FunctionEstimate(_titled(self.key), self.function, goal, records=True)
        return replace(self, build=lambda _: estimate)


def function_heuristic(function: HeuristicFunction) -> FunctionHeuristic:
    """Return a caller's function as a heuristic.

    >>> function_heuristic(lambda puzzle: 0).title
    'the Python function <lambda>'
    """
    name = _name(function)
    return _heuristic(
        PREFIX + name, f"the Python function {name}", function, "passed by the caller"
    )


def _heuristic(key: str, title: str, function: HeuristicFunction, source: str) -> FunctionHeuristic:
    return FunctionHeuristic(
        key=key,
        title=title,
        idea=message(
            "A function written in Python. Nothing is known about its estimates, so they prove "
            "nothing unless they are compared with the exact distances."
        ),
        admissible=False,
        consistent=False,
        source=source,
        build=lambda goal: FunctionEstimate(_titled(key), function, goal, records=False),
        loads_tables=True,
        compiled=False,
        function=function,
    )


def _titled(key: str) -> str:
    return f"the heuristic {key.removeprefix(PREFIX)}"


def function_algorithm(function: AlgorithmFunction) -> Algorithm:
    """Return a caller's function as an algorithm.

    >>> function_algorithm(lambda puzzle: "UL").title
    'The Python function <lambda>'
    """
    name = _name(function)
    return _algorithm(
        PREFIX + name, f"The Python function {name}", function, "passed by the caller"
    )


def _algorithm(key: str, title: str, function: AlgorithmFunction, source: str) -> Algorithm:
    return Algorithm(
        key=key,
        title=title,
        idea=message(
            "A function written in Python. Its moves are replayed; nothing else is known about it."
        ),
        complete=False,
        optimal=False,
        time=message("unknown"),
        space=message("unknown"),
        uses_heuristic=False,
        source=source,
        kernel=None,
        suits=100,
        run=functools.partial(_run, f"the algorithm {key.removeprefix(PREFIX)}", function),
        compiled=False,
    )


def _name(function: Callable[..., object]) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


def _described(error: BaseException) -> str:
    return f"{type(error).__name__}: {quoted(str(error), 200)}" if str(error) else repr(error)


# Algorithms


def _run(name: str, function: AlgorithmFunction, task: Task) -> Iterator[Event]:
    """Run a function and replay its moves.

    Limits are checked between the moves that it yields. Expansions are not counted, and are 0.
    """
    pace, bound = Pace(task.limits, task.cancelled), LowerBound(task.puzzle).moves
    end, board, blanks = pace.stop(0), task.puzzle.start, [task.puzzle.start.blank]
    for move in () if end else _moves(name, function, task.puzzle):
        end = pace.stop(0)
        if end is None and task.limits.depth == len(blanks) - 1:
            end = End(
                Status.CUTOFF, f"{name} found no path within {plural(len(blanks) - 1, 'move')}"
            )
        if end:
            break
        if move is None:
            end = End(Status.CUTOFF, f"{name} found no path")
            break
        board = _moved(name, board, move, len(blanks))
        blanks.append(board.blank)
        if pace.report_due():
            depth = len(blanks) - 1
            yield Progress(0, 0, 0, 0, depth, bound, pace.seconds)
    cost = replace(NO_SEARCH, deepest=len(blanks) - 1, seconds=pace.seconds)
    if end:
        yield Finished(task.result(end.status, bound_verdict(end.reason, bound), bound, cost))
        return
    if board != task.puzzle.goal:
        raise FunctionError(
            f"{name} must end at the goal {task.puzzle.goal}, but its "
            f"{plural(len(blanks) - 1, 'move')} lead to {board}"
        )
    verdict = path_verdict(
        len(blanks) - 1, bound, f"{name} is a Python function and proves nothing"
    )
    yield Finished(task.result(Status.SOLVED, verdict, bound, cost, blanks))


def _moves(name: str, function: AlgorithmFunction, puzzle: Puzzle) -> Iterator[object]:
    """Yield the moves of a function, or None if it found no path."""
    try:
        answer = function(puzzle)
        if isinstance(answer, str):
            # A string is read like typed moves, not letter by letter, so `U2` works.
            yield from read_moves(answer, puzzle.start)
            return
        if answer is None:
            yield None
            return
        yield from answer
    except (FunctionError, MemoryError):
        raise
    except Exception as error:
        raise FunctionError(f"{name} failed on {puzzle}: {_described(error)}") from error


def _moved(name: str, board: Board, move: object, number: int) -> Board:
    """Return the board after a direction or a tile of a function's answer."""
    if number > MAX_MOVES:
        raise FunctionError(f"{name} made more than {MAX_MOVES:,} moves")
    try:
        if isinstance(move, str):
            return board.move(move)
        return board.slide(int(move))  # type: ignore[call-overload]  # a number of any library
    except (PuzzleError, TypeError, ValueError) as error:
        reason = error if isinstance(error, PuzzleError) else "expected one of U, D, L, R or a tile"
        raise FunctionError(
            f"{name} cannot make move {number}, {quoted(str(move))}: {reason}"
        ) from error


# Heuristics


def checked(task: Task, result: Result) -> Result:
    """Return the result of a search with a function, after a check of its estimates.

    If all recorded estimates are at most the exact distances, the theorem of the algorithm holds
    for this search. A*, for example, then takes each board of a shortest path with an f of at most
    the path's length.
    """
    heuristic = task.heuristic
    if not isinstance(heuristic, FunctionHeuristic) or result.status is not Status.SOLVED:
        return result
    estimate, length, bound = task.estimate, result.length, result.lower_bound
    assert isinstance(estimate, FunctionEstimate)
    assert length is not None
    assert bound is not None
    if not estimate.values:
        return result
    excess = estimate.excess()
    if excess:
        because = f"{result.verdict.because}: {excess}"
        return replace(result, verdict=path_verdict(length, bound, because))
    if result.verdict.kind is Proof.OPTIMAL or _may_miss(task):
        return result
    because = (
        f"{heuristic.title} was at most the exact distance on all "
        f"{plural(len(estimate.values), 'board')} that it estimated, so the path of "
        f"{task.algorithm.title} is "
    )
    if task.algorithm.optimal or task.weight == 1:
        because += "shortest"
        return replace(result, lower_bound=length, verdict=Verdict(Proof.OPTIMAL, because, because))
    because += f"at most {float(task.weight):g} times as long as the shortest"
    lower = LowerBound(task.puzzle)
    lower.raise_to(max(bound, math.ceil(length / task.weight)))
    verdict = path_verdict(length, lower.moves, because, bounded=True)
    return replace(result, lower_bound=lower.moves, verdict=verdict)


def _may_miss(task: Task) -> bool:
    """Return whether the path can be longer than the theorem states although h is admissible."""
    proves = task.algorithm.optimal or "weight" in task.algorithm.options
    return not proves or bool(task.convention.doubt(admissible=True, consistent=False))


# Installed packages

HEURISTICS, ALGORITHMS = "slidewise.heuristics", "slidewise.algorithms"
"""Groups of entry points."""

_KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def installed_heuristics(known: Container[str]) -> Iterator[Heuristic]:
    """Yield the heuristics of installed packages; `known` are the keys that are taken."""
    for point in _entry_points(HEURISTICS, known):
        function = PluginFunction("heuristic", point)
        heuristic = _heuristic(point.name, point.name, function, _package(point))
        yield replace(heuristic, prepare=function.prepare)


def installed_algorithms(known: Container[str]) -> Iterator[Algorithm]:
    """Yield the algorithms of installed packages; `known` are the keys that are taken."""
    for point in _entry_points(ALGORITHMS, known):
        function = PluginFunction("algorithm", point)
        algorithm = _algorithm(point.name, point.name, function, _package(point))
        yield replace(algorithm, prepare=function.prepare)


@functools.cache
def _all_entry_points() -> Any:  # its class differs by the version of Python
    """Read the entry points of all installed packages, which takes some 10 ms."""
    from importlib import metadata  # imported late, as few need it before the first search

    return metadata.entry_points()


def _entry_points(group: str, known: Container[str]) -> Iterator[EntryPoint]:
    """Yield the entry points of a group, and log each with an invalid or a taken name."""
    names = set[str]()
    for point in sorted(_all_entry_points().select(group=group), key=lambda point: point.name):
        if point.name in known or point.name in names:
            log.warning("%s of %s is left out: its name is taken", point.name, _package(point))
        elif not _KEY.fullmatch(point.name):
            log.warning(
                "%s of %s is left out: a name has lower-case letters, digits and hyphens",
                quoted(point.name),
                _package(point),
            )
        else:
            names.add(point.name)
            yield point


def _package(point: EntryPoint) -> str:
    """Return the name and the version of an entry point's package."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


class PluginFunction:
    """A function of an installed package, imported by the first `prepare` or call."""

    def __init__(self, kind: str, point: EntryPoint) -> None:
        self._what = f"the {kind} {point.name} of {_package(point)}"
        self._point = point

    @functools.cached_property
    def _function(self) -> Callable[[Puzzle], Any] | str:
        """The function, or the error of its import as text."""
        try:
            function = self._point.load()
        except Exception as error:
            message = f"{self._what} cannot be imported: {_described(error)}"
        else:
            if callable(function):
                return function  # type: ignore[no-any-return]  # `load` of an entry point is untyped
            message = f"{self._what} must be a function, got {quoted(repr(function))}"
        log.error("%s", message)
        return message

    def prepare(self, puzzle: Puzzle) -> Iterator[Preparing]:
        """Import the function before the search. If that fails, a call raises the error."""
        _ = self._function
        return iter(())

    def __call__(self, puzzle: Puzzle) -> Any:
        """Call the function. Raises `FunctionError` if it cannot be imported."""
        function = self._function
        # The import failed, and the error waits here until the function is needed.
        if isinstance(function, str):
            raise FunctionError(function)
        return function(puzzle)
