"""A search as it went, made from its events, so that a viewer can go to any of its expansions.

`record` says of each node what became of it at which expansion: what a search looks like at an
expansion then follows from the number of that expansion alone, forwards and back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.solver.events import Expanded, Finished, Iteration
from slidewise.study.recording.best_first import BestFirst
from slidewise.study.recording.linear import Deepening, Recursive
from slidewise.study.recording.recording import Node, Recorder, Recording, State, Step
from slidewise.study.recording.two_ends import TwoEnds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slidewise.puzzle import Puzzle
    from slidewise.solver.events import Event
    from slidewise.solver.registry import Algorithm

__all__ = ["Node", "Recording", "State", "Step", "is_recorded", "record"]

_RECORDERS: dict[str | None, type[Recorder]] = {
    "best_first": BestFirst,
    "bidirectional": TwoEnds,
    "deepening": Deepening,
    "rbfs": Recursive,
}
"""Who records the algorithms of each kernel."""


def is_recorded(algorithm: Algorithm) -> bool:
    """Return whether the algorithm tells its expansions, so that they can be recorded.

    >>> from slidewise.solver import algorithms
    >>> [key for key, entry in algorithms().items() if not is_recorded(entry)]
    ['best']
    """
    return algorithm.kernel in _RECORDERS


def record(
    puzzle: Puzzle, algorithm: Algorithm, events: Iterable[Event], weight: float | None = None
) -> Recording:
    """Return the recording of a search, from the events that `search` tells with a trace.

    The algorithm is one that `is_recorded`; `weight` is that of weighted A*.

    >>> from slidewise.puzzle import parse_puzzle
    >>> from slidewise.solver import find_algorithm, search
    >>> puzzle = parse_puzzle("1.0.3-4.2.5")
    >>> events = search(puzzle, "astar", trace=100)
    >>> recording = record(puzzle, find_algorithm("astar"), events)
    >>> [step.why for step in recording.steps][:2]
    ['The start is the only node there is.', 'It has the lowest f = g + h: 1 + 1 = 2.']
    """
    recorder = _RECORDERS[algorithm.kernel](puzzle, algorithm, weight)
    for event in events:
        if isinstance(event, Iteration):
            recorder.begin(event)
        elif isinstance(event, Expanded):
            recorder.expand(event)
        elif isinstance(event, Finished):
            recorder.finish(event.result)
    return recorder.recording
