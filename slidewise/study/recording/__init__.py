"""Recordings of searches, built from their events, with random access to every expansion.

A recording stores each node's state changes with the expansion of each change. The state of the
search therefore follows from the number of the expansion, forwards and back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.solver.convention import SLIDEWISE, find_convention
from slidewise.solver.events import Expanded, Finished, Iteration
from slidewise.solver.task import FrontierKind
from slidewise.study.recording.recorder import (
    BestFirstRecorder,
    ConventionRecorder,
    DeepeningRecorder,
    RecursionRecorder,
    TwoEndsRecorder,
)
from slidewise.study.recording.recording import Expansion, Node, Recording, State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slidewise.puzzle import Puzzle
    from slidewise.solver.events import Event
    from slidewise.solver.task import Algorithm
    from slidewise.study.recording.recorder import Recorder

__all__ = ["Expansion", "Node", "Recording", "State", "is_recorded", "record"]

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


def _recorder(
    puzzle: Puzzle, algorithm: Algorithm, weight: float | None, convention: str
) -> Recorder:
    rules = find_convention(convention, algorithm.key)
    if not rules.is_own:
        return ConventionRecorder(puzzle, algorithm, weight, rules)
    assert algorithm.frontier is not None
    return _RECORDERS[algorithm.frontier.kind](puzzle, algorithm, weight)
