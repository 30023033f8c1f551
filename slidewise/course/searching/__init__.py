"""Recordings of searches, built from their events, with random access to every expansion.

A recording stores each node's state changes with the expansion of each change. The state of the
search therefore follows from the number of the expansion, forwards and back.
"""

from collections.abc import Iterable
from math import inf
from typing import Any

from slidewise.course.searching.recorder import (
    LONGEST_PATH,
    BestFirstRecorder,
    DeepeningRecorder,
    Recorder,
    RecursionRecorder,
    TwoEndsRecorder,
)
from slidewise.course.searching.recording import Expansion, Node, Recording, State
from slidewise.puzzle import Puzzle
from slidewise.solver.convention import SLIDEWISE, find_convention
from slidewise.solver.events import Event, Finished, Iteration
from slidewise.solver.loop import Outcome
from slidewise.solver.plain.search import PlainSearch
from slidewise.solver.plain.work import REACH, plain_search
from slidewise.solver.result import Result, Status
from slidewise.solver.run import SearchSpec, find_algorithm, run_task
from slidewise.solver.task import (
    DEFAULT_WEIGHT,
    Algorithm,
    FrontierKind,
    Limits,
    Task,
    UnknownNameError,
)

__all__ = [
    "LAST_EXPANSIONS",
    "RECORDED_EXPANSIONS",
    "Expansion",
    "Node",
    "Recording",
    "State",
    "is_recorded",
    "max_expansions",
    "record",
    "record_search",
]

RECORDED_EXPANSIONS = 2_000
"""Maximum recorded expansions: a larger tree is unreadable and slow to draw."""

LAST_EXPANSIONS = 100
"""Expansions recorded at the end of a longer search, up to `REACH` expansions: enough to see its
last phase, and few enough to step through."""

RANKED_EXPANSIONS, PATH_EXPANSIONS, BOOK_EXPANSIONS = 2_000_000, 20_000_000, 30_000
"""Expansion limits of recorded searches with a frontier, with a single path, and in the plain loop.
Each takes about a second; a limit in seconds would depend on the machine's load."""

_RECORDERS: dict[FrontierKind, type[Recorder[Any]]] = {
    FrontierKind.RANKED: BestFirstRecorder,
    FrontierKind.TWO_ENDS: TwoEndsRecorder,
    FrontierKind.PATH: DeepeningRecorder,
    FrontierKind.RECURSION: RecursionRecorder,
}


def is_recorded(algorithm: Algorithm) -> bool:
    """Return whether the algorithm's expansions can be recorded.

    >>> from slidewise import algorithms
    >>> [key for key, entry in algorithms().items() if not is_recorded(entry)]
    ['best', 'hill-climbing', 'first-choice', 'random-restart', 'annealing']
    """
    return algorithm.frontier is not None


def record(
    task: Task,
    events: Iterable[Event],
    expansions: int = RECORDED_EXPANSIONS,
    last: int = LAST_EXPANSIONS,
) -> Recording:
    """Return the recording of a search with these events: its first and last expansions.

    The search runs again in its plain form. `is_recorded` must hold for its algorithm.

    >>> from slidewise import SearchSpec, parse_puzzle
    >>> search = SearchSpec(parse_puzzle("1.0.3-4.2.5"), "astar")
    >>> recording = record(search.task(), search.events())
    >>> [step.why for step in recording.steps][:2]
    ['The start is the only node.', 'It has the lowest f = g + h: 1 + 1 = 2.']
    """
    iterations = []
    for event in events:
        if isinstance(event, Iteration):
            iterations.append(event)
        elif isinstance(event, Finished):
            result = event.result
    assert task.algorithm.frontier
    search = plain_search(task)
    # The result is from the first, usually compiled run; the plain search repeats it.
    search.watcher = recorder = _RECORDERS[task.algorithm.frontier.kind](task, search)
    if task.puzzle.start != task.puzzle.goal:  # otherwise nothing is searched
        _run(recorder, result, expansions, last)
    for iteration in iterations[len(recorder.recording.iterations) :]:
        recorder.begin(search, iteration)
    recorder.finish(result)
    return recorder.recording


def _run(recorder: Recorder[Any], result: Result, expansions: int, last: int) -> None:
    """Run a search with this result again, as far as it is recorded."""
    search = recorder.search
    if result.expanded > expansions + last:
        search.watched = expansions
        _advance(search, expansions)
        # The plain search would take too long to the last expansions, or their paths are too long.
        if not last or result.expanded > REACH or result.deepest > LONGEST_PATH:
            return
        _advance(search, result.expanded - last)
        recorder.resume()
        search.watched = inf
    outcome = _advance(search, result.expanded)
    # Taking the goal is not an expansion, so the search needs a last step.
    while result.status is Status.SOLVED and outcome is Outcome.RUNNING:
        outcome = search.advance()


def _advance(search: PlainSearch, expanded: int) -> Outcome:
    """Continue a search until it has expanded this number of nodes, or ends."""
    outcome = Outcome.RUNNING
    while outcome is Outcome.RUNNING and search.expanded < expanded:
        outcome = search.advance(expanded - search.expanded)
    return outcome


def max_expansions(algorithm: str, convention: str = SLIDEWISE.key) -> int:
    """Return the expansion limit of a recorded search.

    >>> max_expansions("astar"), max_expansions("idastar")
    (2000000, 20000000)
    """
    if not find_convention(convention, algorithm).is_own:
        return BOOK_EXPANSIONS
    frontier = find_algorithm(algorithm).frontier
    stores_path = frontier and frontier.kind in (FrontierKind.PATH, FrontierKind.RECURSION)
    return PATH_EXPANSIONS if stores_path else RANKED_EXPANSIONS


def record_search(
    puzzle: Puzzle,
    algorithm: str,
    heuristic: str | None = "manhattan",
    limits: Limits | None = None,
    *,
    weight: float = DEFAULT_WEIGHT,
    convention: str = SLIDEWISE.key,
    expansions: int = RECORDED_EXPANSIONS,
    last: int = LAST_EXPANSIONS,
) -> Recording:
    """Run a search and return the recording of its first and last expansions.

    `expansions` and `last` are their numbers; the other arguments are as for `search`. By default
    the limit is `max_expansions` instead of a time, so each run has the same recording. Raises
    `UnknownNameError` also for an algorithm whose expansions cannot be recorded.

    >>> from slidewise import parse_puzzle
    >>> record_search(parse_puzzle("1.0.3-4.2.5"), "bfs").expansions
    5
    """
    chosen = find_algorithm(algorithm)
    if not is_recorded(chosen):
        raise UnknownNameError(f"the expansions of {algorithm} cannot be recorded")
    if limits is None:
        limits = Limits(seconds=None, expansions=max_expansions(algorithm, convention))
    spec = SearchSpec(puzzle, algorithm, heuristic, limits, weight, convention=convention)
    task = spec.task()
    return record(task, run_task(task), expansions, last)
