"""Recordings of searches, built from their events, with random access to every expansion.

A recording stores each node's state changes with the expansion of each change. The state of the
search therefore follows from the number of the expansion, forwards and back.
"""

from collections.abc import Iterable

from slidewise.course.searching.recorder import (
    BestFirstRecorder,
    ConventionRecorder,
    DeepeningRecorder,
    Recorder,
    RecursionRecorder,
    TwoEndsRecorder,
)
from slidewise.course.searching.recording import Expansion, Node, Recording, State
from slidewise.puzzle import Puzzle
from slidewise.solver.convention import SLIDEWISE, find_convention
from slidewise.solver.events import Event, Expanded, Finished, Iteration
from slidewise.solver.run import find_algorithm, search
from slidewise.solver.task import DEFAULT_WEIGHT, Algorithm, FrontierKind, Limits, UnknownNameError

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
"""Expansions recorded at the end of a longer search: enough to see its last phase, and few enough
to step through. The search then runs twice, which doubles its time.
"""

RANKED_EXPANSIONS, PATH_EXPANSIONS, BOOK_EXPANSIONS = 2_000_000, 20_000_000, 30_000
"""Expansion limits of recorded searches: with a frontier, with a single path, and of the plain
loop. Each takes about a second. Counting instead of timing makes the end independent of the
machine's load.
"""

_RECORDERS: dict[FrontierKind, type[Recorder]] = {
    FrontierKind.RANKED: BestFirstRecorder,
    FrontierKind.TWO_ENDS: TwoEndsRecorder,
    FrontierKind.PATH: DeepeningRecorder,
    FrontierKind.RECURSION: RecursionRecorder,
}


def is_recorded(algorithm: Algorithm) -> bool:
    """Return whether the algorithm's expansions can be recorded.

    >>> from slidewise import algorithms
    >>> [key for key, entry in algorithms().items() if not is_recorded(entry)]
    ['best']
    """
    return algorithm.frontier is not None


def record(
    puzzle: Puzzle,
    algorithm: Algorithm,
    events: Iterable[Event],
    weight: float | None = None,
    convention: str = SLIDEWISE.key,
) -> Recording:
    """Return the recording of a search from the traced events of `search`.

    `is_recorded` must hold for the algorithm; `weight` is that of weighted A*, and
    `convention` that of the search.

    >>> from slidewise import parse_puzzle
    >>> from slidewise import find_algorithm, search
    >>> puzzle = parse_puzzle("1.0.3-4.2.5")
    >>> events = search(puzzle, "astar", trace=100)
    >>> recording = record(puzzle, find_algorithm("astar"), events)
    >>> [step.why for step in recording.steps][:2]
    ['The start is the only node.', 'It has the lowest f = g + h: 1 + 1 = 2.']
    """
    recorder = _recorder(puzzle, algorithm, weight, convention)
    for event in events:
        if isinstance(event, Iteration):
            recorder.begin(event)
        elif isinstance(event, Expanded):
            recorder.expand(event)
        elif isinstance(event, Finished):
            recorder.finish(event.result)
    return recorder.recording


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
    *,
    weight: float = DEFAULT_WEIGHT,
    convention: str = SLIDEWISE.key,
    expansions: int = RECORDED_EXPANSIONS,
) -> Recording:
    """Run a search and return the recording of its first `expansions` and its last ones.

    The other arguments are those of `search`. The search ends after `max_expansions` and not by the
    clock, so each run has the same recording. Raises `UnknownNameError` also for an algorithm
    whose expansions cannot be recorded.

    >>> from slidewise import parse_puzzle
    >>> record_search(parse_puzzle("1.0.3-4.2.5"), "bfs").expansions
    5
    """
    chosen = find_algorithm(algorithm)
    if not is_recorded(chosen):
        raise UnknownNameError(f"the expansions of {algorithm} cannot be recorded")
    limits = Limits(seconds=None, expansions=max_expansions(algorithm, convention))
    events = search(
        *(puzzle, algorithm, heuristic, limits),
        weight=weight,
        trace=expansions,
        trace_last=LAST_EXPANSIONS,
        convention=convention,
    )
    return record(puzzle, chosen, events, weight, convention)


def _recorder(
    puzzle: Puzzle, algorithm: Algorithm, weight: float | None, convention: str
) -> Recorder:
    rules = find_convention(convention, algorithm.key)
    if not rules.is_own:
        return ConventionRecorder(puzzle, algorithm, weight, rules)
    assert algorithm.frontier is not None
    return _RECORDERS[algorithm.frontier.kind](puzzle, algorithm, weight)
