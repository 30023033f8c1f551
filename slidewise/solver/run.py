"""Entry points: `search` yields the events of a search, `solve` returns its result.

`find_algorithm` and `find_heuristic` look up the keys that these take.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from slidewise.puzzle import Puzzle, PuzzleError
from slidewise.puzzle.board import quoted
from slidewise.puzzle.scramble import check_seed
from slidewise.solver import compiling
from slidewise.solver.convention import find_convention
from slidewise.solver.events import (
    DEPTH_LIMIT,
    F_LIMIT,
    LOWEST_F,
    Event,
    Finished,
    Improved,
    Iteration,
    Progress,
    Started,
)
from slidewise.solver.functions import (
    AlgorithmFunction,
    HeuristicFunction,
    checked,
    function_algorithm,
    function_heuristic,
)
from slidewise.solver.known import add_known_to_events, with_true_claim
from slidewise.solver.loop import LowerBound
from slidewise.solver.own.heuristic import own_heuristic
from slidewise.solver.plain.work import begins_compiled
from slidewise.solver.registry import Entry, algorithms, heuristics
from slidewise.solver.result import (
    NO_SEARCH,
    ContradictionError,
    Cost,
    Proof,
    Result,
    Status,
    Verdict,
    bound_verdict,
    bounds_contradiction,
    validated,
    withdrawn,
)
from slidewise.solver.task import (
    DEFAULT_COOLING,
    DEFAULT_SEED,
    DEFAULT_WEIGHT,
    Algorithm,
    FrontierKind,
    Heuristic,
    Limits,
    Task,
    UnfitHeuristicError,
    UnknownNameError,
    check_cooling,
    exact_weight,
    is_own,
    never,
)
from slidewise.text import message

DEFAULT_LIMITS = Limits()


class InvalidTraceError(PuzzleError):
    """`trace` is negative."""


FOR_FUNCTION = "astar"
"""Algorithm for a Python function as the heuristic, if not named."""


def search(
    puzzle: Puzzle,
    algorithm: str | AlgorithmFunction = "best",
    heuristic: str | HeuristicFunction | None = "manhattan",
    limits: Limits = DEFAULT_LIMITS,
    *,
    weight: float = DEFAULT_WEIGHT,
    seed: str = DEFAULT_SEED,
    cooling: float = DEFAULT_COOLING,
    trace: int = 0,
    convention: str = "slidewise",
    plain_first: bool = True,
    cancelled: Callable[[], bool] = never,
) -> Iterator[Event]:
    """Yield the events of a search as they happen, and last `Finished` with the result.

    `algorithm` and `heuristic` are keys of the registry, or Python functions of a puzzle. The
    algorithm returns or yields moves, as letters or tiles. The heuristic estimates the moves left,
    and with it `best` stands for A*. A heuristic is ignored if the algorithm uses none. `weight` (1
    to 100, at most two decimals), `seed` (at most 64 characters) and `cooling` (0.5 to 0.999999)
    are ignored if they are not among the algorithm's `options`. The first `trace` expansions become
    `Expanded` events, except in local search.

    `convention` names the rules of a textbook or course, parsed by `find_convention`. Only bfs,
    dfs, ucs, greedy and astar support others than Slidewise's. With `plain_first` a search begins
    in plain Python, and only a longer search compiles its kernel. Both forms have the same result.
    The thread that reads the events calls `cancelled` many times a second. The search ends when it
    returns True.

    >>> from slidewise import parse_puzzle
    >>> for event in search(parse_puzzle("1.0.3-4.2.5"), "astar", trace=3):
    ...     print(type(event).__name__)
    Started
    Expanded
    Expanded
    Finished

    Raises `UnknownNameError` for a key that is not in the registry, `UnfitHeuristicError`,
    `InvalidWeightError`, `InvalidTraceError` and `InvalidConventionError`. The events raise
    `FunctionError` if a function fails.
    """
    spec = SearchSpec(
        puzzle,
        algorithm,  # type: ignore[arg-type]  # only specs for other processes need keys
        heuristic,  # type: ignore[arg-type]  # the same
        limits,
        weight=weight,
        trace=trace,
        convention=convention,
        plain_first=plain_first,
        seed=seed,
        cooling=cooling,
    )
    return run_task(spec.task(cancelled))


def solve(
    puzzle: Puzzle,
    algorithm: str | AlgorithmFunction = "best",
    heuristic: str | HeuristicFunction | None = "manhattan",
    limits: Limits = DEFAULT_LIMITS,
    *,
    weight: float = DEFAULT_WEIGHT,
    seed: str = DEFAULT_SEED,
    cooling: float = DEFAULT_COOLING,
    convention: str = "slidewise",
    cancelled: Callable[[], bool] = never,
) -> Result:
    """Run `search` with the same arguments and return its result.

    The verdict has only the algorithm's own proof: see `slidewise.solver.known`.

    >>> from slidewise import parse_puzzle
    >>> result = solve(parse_puzzle("7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"))
    >>> result.length, result.verdict.kind.value
    (26, 'optimal')
    >>> def out_of_row(puzzle):
    ...     homes = dict(zip(puzzle.goal.cells, range(len(puzzle.goal.cells))))
    ...     cells = enumerate(puzzle.start.cells)
    ...     return sum(tile > 0 and homes[tile] // 3 != cell // 3 for cell, tile in cells)
    >>> print(solve(parse_puzzle("1.2.3-0.4.6-7.5.8"), "astar", out_of_row).verdict.kind)
    optimal

    Raises the same errors as `search`, and `FunctionError`.
    """
    # Not by `result_of`: from here to the first expansion there are five calls.
    for event in search(
        puzzle,
        algorithm,
        heuristic,
        limits,
        weight=weight,
        seed=seed,
        cooling=cooling,
        convention=convention,
        cancelled=cancelled,
    ):
        if isinstance(event, Finished):
            return event.result
    raise AssertionError("every search ends with `Finished`")


def ignored(event: Event) -> None:
    """Ignore an event."""


def result_of(events: Iterable[Event], watch: Callable[[Event], object] = ignored) -> Result:
    """Run a search to its end and return the result; `watch` receives all events."""
    for event in events:
        watch(event)
        if isinstance(event, Finished):
            return event.result
    raise AssertionError("every search ends with `Finished`")


def run_task(task: Task) -> Iterator[Event]:
    """Yield the events of a task, from its preparation to its result.

    Every search of every algorithm runs through this function, which validates its claims. After
    a false claim, the search ends with a result that claims nothing.
    """
    settled = _result_without_search(task)
    if settled is None:
        settled = yield from _prepare(task)
        task = task if settled else task.with_facts()
    heuristic = task.heuristic.key if task.heuristic else None
    yield Started(str(task.puzzle), task.algorithm.key, heuristic)
    last: Progress | None = None
    ended: Result | None = None
    try:
        for event in _events_without_search(task, settled) if settled else task.algorithm.run(task):
            if isinstance(event, Finished):
                yield Finished(_checked(task, event.result))
                return
            if isinstance(event, Improved):
                _check_bounds(task.puzzle, event)
            last = event if isinstance(event, Progress) else last
            yield event
    except compiling.CompilingError as error:
        ended = _cut_off(task, last, str(error))
    except ContradictionError as error:
        verdict = Verdict(Proof.UNPROVED, "")
        ended = withdrawn(task.result(Status.INVALID, verdict, None, NO_SEARCH), str(error))
    except MemoryError:
        pass  # reported below, after the search has released its memory
    yield Finished(ended or _cut_off(task, last, message("not enough memory to continue")))


def _checked(task: Task, result: Result) -> Result:
    """Return the result after all checks of its claims.

    A heuristic that loads tables or code may claim too much, so its estimates are checked and its
    result is compared with the table of all boards.
    """
    if task.heuristic and task.heuristic.loads_tables:
        result = with_true_claim(checked(task, result))
    return validated(result)


def _check_bounds(puzzle: Puzzle, event: Improved) -> None:
    """Raise `ContradictionError` if the length of a path is below its lower bound."""
    why = bounds_contradiction(puzzle, event.length, event.lower_bound, optimal=False)
    if why:
        raise ContradictionError(why)


def _events_without_search(task: Task, result: Result) -> Iterator[Event]:
    """Yield the events of a puzzle that needs no search, for example if the start is the goal."""
    frontier, heuristic = task.algorithm.frontier, task.heuristic
    if result.status is Status.SOLVED and frontier and frontier.kind in _ITERATIONS:
        h = heuristic.goal_value(task.puzzle.goal) if heuristic else 0
        yield Iteration(_ITERATIONS[frontier.kind] if heuristic else DEPTH_LIMIT, h)
    yield Finished(result)


_ITERATIONS = {FrontierKind.PATH: F_LIMIT, FrontierKind.RECURSION: LOWEST_F}
"""Kinds of iterations of algorithms that store a path, with a heuristic."""


def _prepare(task: Task) -> Generator[Event, None, Result | None]:
    """Prepare the search. Return a result if it ended during the preparation."""
    try:
        last = None
        for event in _preparations(task):
            # Preparations may report the same progress several times.
            if event != last:
                yield event
            last = event
            if task.cancelled():
                return _unsearched_result(
                    task,
                    Status.CANCELLED,
                    message(
                        "%(stopped)s, before the search began",
                        stopped=message("stopped on request"),
                    ),
                )
    except compiling.CompilingError as error:
        return _unsearched_result(task, Status.CUTOFF, str(error))
    return None


def _unsearched_result(task: Task, status: Status, reason: str) -> Result:
    """Return the result of a search that has not started."""
    bound = LowerBound(task.puzzle).moves
    return task.result(status, bound_verdict(reason, bound), bound, NO_SEARCH)


def _preparations(task: Task) -> Iterator[Event]:
    if task.algorithm.kernel and begins_compiled(task):
        yield from compiling.prepare(task.algorithm.kernel)
    yield from task.algorithm.prepare(task.puzzle)
    if task.heuristic:
        yield from task.heuristic.prepare(task.puzzle)
        task.heuristic.build(task.puzzle.goal)  # cached for the search


def _cut_off(task: Task, last: Progress | None, reason: str) -> Result:
    """Return the result of a search that cannot go on, with the counts of its last report."""
    bound, cost = LowerBound(task.puzzle).moves, NO_SEARCH
    if last:
        bound = last.lower_bound
        cost = Cost(
            last.expanded, last.generated, last.frontier, last.stored, last.deepest, last.seconds
        )
    return task.result(Status.CUTOFF, bound_verdict(reason, bound), bound, cost)


def _result_without_search(task: Task) -> Result | None:
    """Return the result of a puzzle that needs no search, without loading kernels."""
    puzzle = task.puzzle
    if not puzzle.solvable:
        verdict = Verdict(Proof.UNPROVED, puzzle.parity.explain())
        return task.result(Status.UNSOLVABLE, verdict, None, NO_SEARCH)
    if puzzle.start == puzzle.goal:
        verdict = Verdict(Proof.OPTIMAL, message("the start is the goal"))
        cost = replace(NO_SEARCH, expanded=int(task.convention.counts_goal))
        return task.result(Status.SOLVED, verdict, 0, cost, [puzzle.start.blank])
    return None


def _find_estimate(
    algorithm: Algorithm, key: str | HeuristicFunction | None, puzzle: Puzzle
) -> Heuristic | None:
    """Return the heuristic `key`, or None if `algorithm` uses none."""
    if key is None and algorithm.uses_heuristic:
        raise UnknownNameError(
            f"{algorithm.key} needs a heuristic; the heuristics are {', '.join(heuristics())}"
        )
    if key is None:
        return None
    if not algorithm.uses_heuristic:
        find_heuristic(key)  # still reject an unknown name
        return None
    return find_fitting_heuristic(key, puzzle.rows, puzzle.cols)


@dataclass(frozen=True, slots=True)
class SearchSpec:
    """Arguments of a `search`: comparable, hashable and picklable.

    `algorithm` and `heuristic` are keys of the registry. `events` validates the arguments.
    """

    puzzle: Puzzle
    algorithm: str = "best"
    heuristic: str | None = "manhattan"
    limits: Limits = DEFAULT_LIMITS
    weight: float = DEFAULT_WEIGHT
    trace: int = 0
    convention: str = "slidewise"
    plain_first: bool = True
    seed: str = DEFAULT_SEED
    cooling: float = DEFAULT_COOLING

    def task(self, cancelled: Callable[[], bool] = never) -> Task:
        """Return the task of the search. Raises the same errors as `search`."""
        # `best` uses no heuristic, so a function as the heuristic needs another algorithm.
        is_for_function = callable(self.heuristic) and self.algorithm == "best"
        algorithm = find_algorithm(FOR_FUNCTION if is_for_function else self.algorithm)
        heuristic = _find_estimate(algorithm, self.heuristic, self.puzzle)
        if self.trace < 0:
            raise InvalidTraceError(f"trace must be 0 (off) or more expansions, got {self.trace}")
        if "seed" in algorithm.options:
            check_seed(self.seed)
        return Task(
            self.puzzle,
            algorithm,
            heuristic,
            self.limits,
            exact_weight(self.weight),
            self.trace,
            cancelled,
            find_convention(self.convention, algorithm.key),
            plain_first=self.plain_first,
            seed=self.seed,
            cooling=check_cooling(self.cooling),
        )

    def events(self, cancelled: Callable[[], bool] = never) -> Iterator[Event]:
        """Return the events of `search`, with known bounds of the puzzle added.

        Raises the same errors as `search`.

        >>> from slidewise import parse_puzzle
        >>> *_, last = SearchSpec(parse_puzzle("1.0.3-4.2.5"), "bfs").events()
        >>> last.result.length
        2
        """
        return add_known_to_events(run_task(self.task(cancelled)), self.puzzle)

    def result(self, cancelled: Callable[[], bool] = never) -> Result:
        """Run the search and return its result."""
        return result_of(self.events(cancelled))


def forecast(puzzle: Puzzle, algorithm: str) -> str | None:
    """Return a warning if a search is likely to meet its limits, otherwise None.

    The criterion is the algorithm's `suits`, the most cells of a random board that it solves in
    about a minute and 400 MB. A board near its goal may still be solvable.

    >>> from slidewise import scramble
    >>> print(forecast(scramble(4, 4, "1"), "bfs"))
    Breadth-first search on 4x4 will probably not finish: try Best for this board.

    Raises `UnknownNameError` for an unknown algorithm.
    """
    chosen = find_algorithm(algorithm)
    cells = puzzle.rows * puzzle.cols
    if cells <= chosen.suits:
        return None
    better = [other for other in algorithms().values() if other.suits >= cells]
    # Algorithms that prove a shortest path on this size first, then the most capable.
    better.sort(key=lambda other: (other.optimal_to < cells, -other.suits))
    size = f"{puzzle.rows}x{puzzle.cols}"
    if better:
        return message(
            "%(title)s on %(size)s will probably not finish: try %(better)s.",
            title=chosen.title,
            size=size,
            better=better[0].title,
        )
    return message(
        "%(title)s on %(size)s will probably not finish; the others may not either.",
        title=chosen.title,
        size=size,
    )


def find_algorithm(key: str | AlgorithmFunction) -> Algorithm:
    """Return the algorithm `key`, or the algorithm of a Python function.

    Raises `UnknownNameError`, which lists the keys.
    """
    if callable(key):
        return function_algorithm(key)
    return _find("algorithm", key, algorithms())


def find_heuristic(key: str | HeuristicFunction) -> Heuristic:
    """Return the heuristic `key`, of a Python function, or of an expression after `=`.

    Raises `UnknownNameError`, which lists the keys, and `ExpressionError`.

    >>> find_heuristic("=max(manhattan, 2 * misplaced)").admissible
    False
    """
    if callable(key):
        return function_heuristic(key)
    if is_own(str(key)):
        return own_heuristic(key)
    return _find("heuristic", key, heuristics())


def find_fitting_heuristic(key: str | HeuristicFunction, rows: int, cols: int) -> Heuristic:
    """Return the heuristic `key` if it supports boards of rows x cols.

    Raises `UnknownNameError` and `UnfitHeuristicError`, which list the alternatives.
    """
    heuristic = find_heuristic(key)
    if not heuristic.fits(rows, cols):
        fitting = (other.key for other in heuristics().values() if other.fits(rows, cols))
        raise UnfitHeuristicError(
            message(
                "the heuristic %(heuristic)s %(unfit)s for %(size)s; choose from %(names)s",
                heuristic=heuristic.key,
                unfit=heuristic.unfit,
                size=f"{rows}x{cols}",
                names=", ".join(fitting),
            )
        )
    return heuristic


def _find(kind: str, key: str, known: Mapping[str, Entry]) -> Entry:
    if key in known:
        return known[key]
    names = {"name": quoted(str(key)), "names": ", ".join(known)}
    raise UnknownNameError(
        message("there is no algorithm %(name)s; the algorithms are %(names)s", **names)
        if kind == "algorithm"
        else message("there is no heuristic %(name)s; the heuristics are %(names)s", **names)
    )
