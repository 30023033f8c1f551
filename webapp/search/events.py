"""What a search tells while it runs: one stream of events for every reader.

The counts have one definition, whatever the algorithm:

expanded
    Nodes taken from the frontier whose successors were computed. The goal is looked for when
    a node is taken, and the goal itself is not expanded: a start that is the goal gives 0
    expanded and 1 generated.
generated
    Nodes created: the start, and each successor computed, even one dropped at once because its
    state was reached before. The move back to where a node came from makes a successor too.
frontier, peak_frontier
    Nodes generated, kept and not yet taken, now and at the most. A node that waits in the
    frontier when a shorter path to its state is found does not count any longer.
stored, peak_stored
    Nodes kept in memory, now and at the most, those that a shorter path made useless included.
deepest
    The greatest g (number of moves from the start) of a node expanded, or of the goal when it
    was reached.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from webapp.puzzle import Board
from webapp.search.result import Result


@dataclass(frozen=True, slots=True)
class _Event:
    def as_json(self) -> dict[str, object]:
        """Return the event as what JSON can hold, its kind under `event`.

        >>> Iteration("depth limit", 5).as_json()
        {'event': 'iteration', 'kind': 'depth limit', 'limit': 5}
        """
        values = {field.name: _plain(getattr(self, field.name)) for field in fields(self)}
        return {"event": type(self).__name__.lower(), **values}


@dataclass(frozen=True, slots=True)
class Preparing(_Event):
    """Something is compiled or built before the search: `done` of `total` parts are ready."""

    what: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Started(_Event):
    """The search begins. `puzzle` is the code, `heuristic` None where none is used."""

    puzzle: str
    algorithm: str
    heuristic: str | None


@dataclass(frozen=True, slots=True)
class Progress(_Event):
    """How far the search is, about ten times a second. `lower_bound` is in moves."""

    expanded: int
    generated: int
    frontier: int
    stored: int
    deepest: int
    lower_bound: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Iteration(_Event):
    """An iterative algorithm begins again; `kind` is `depth limit` or `f-limit`."""

    kind: str
    limit: int


@dataclass(frozen=True, slots=True)
class Expanded(_Event):
    """A node was expanded, the `order`th from 1 on; told only if a trace is asked for.

    Nodes are numbered from 0, the start, in the order in which they were stored; `parent` is
    None at the start. `f` is what the frontier is ranked by.
    """

    order: int
    node: int
    parent: int | None
    board: Board
    g: int
    h: int
    f: int


@dataclass(frozen=True, slots=True)
class Improved(_Event):
    """An anytime search found a shorter path, or proved a greater lower bound.

    `length` is None as long as there is no path.
    """

    length: int | None
    lower_bound: int


@dataclass(frozen=True, slots=True)
class Finished(_Event):
    """The last event of every search."""

    result: Result


Event = Preparing | Started | Progress | Iteration | Expanded | Improved | Finished


def _plain(value: object) -> object:
    if isinstance(value, Board):
        return str(value)
    return value.as_json() if isinstance(value, Result) else value
