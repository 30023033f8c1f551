"""What a search tells while it runs: one stream of events for every reader.

The counts have one definition, whatever the algorithm:

expanded
    Nodes taken from the frontier whose successors were computed. The goal is looked for when
    a node is taken, and the goal itself is not expanded: a start that is the goal gives 0
    expanded and 1 generated. A search from both ends looks for the meeting when a node is made,
    and the node that made it counts. An algorithm that begins again counts on, and a state that it
    comes to again is expanded again.
generated
    Nodes created: the start, once, and each successor computed, even one dropped at once because
    its state was reached before. The move back to where a node came from makes a successor too.
    In a search from both ends the goal is created like the start.
frontier, peak_frontier
    Nodes generated, kept and not yet taken, now and at the most. A node that waits in the
    frontier when a shorter path to its state is found does not count any longer. In a search
    that keeps one path only, these are the successors that wait along the path.
stored, peak_stored
    Nodes kept in memory, now and at the most, those that a shorter path made useless included.
    In a search that keeps one path only, these are the path and what waits along it.
deepest
    The greatest g (number of moves from the start) of a node expanded, or of the goal when it
    was reached. In a search from both ends g counts from the end that the node was reached from;
    where they have met, it is the goal's, the length of the path.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

from slidewise.puzzle import Board
from slidewise.solver.result import Result


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

    @property
    def words(self) -> str:
        """Return it in words, with a percentage where the parts are hundredths.

        >>> Preparing("compiling the search", 1, 2).words
        'compiling the search, 1 of 2 done'
        >>> Preparing("building tables", 37, 100).words
        'building tables, 37 %'
        """
        if self.total == 1:
            return self.what
        of = "%" if self.total == 100 else f"of {self.total} done"
        return f"{self.what}, {self.done} {of}"


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
class Proving(Progress):
    """How far a proof is: `length` is that of the best path known, `limit` the f-limit under way.

    `per_second` are the nodes expanded in a second of this run. `left_in_iteration` and `left` are
    estimates of the nodes still to expand: in this iteration, and in all up to `length`.
    """

    length: int
    limit: int
    per_second: int
    left_in_iteration: int
    left: int

    @property
    def seconds_left(self) -> tuple[float, float] | None:
        """Return the seconds that the two estimates are at this speed, None where it is 0.

        >>> Proving(0, 0, 0, 0, 0, 80, 0.0, 90, 84, 1000, 2000, 60000).seconds_left
        (2.0, 60.0)
        """
        if not self.per_second:
            return None
        return self.left_in_iteration / self.per_second, self.left / self.per_second


@dataclass(frozen=True, slots=True)
class Iteration(_Event):
    """An iterative algorithm begins again, `kind` is `depth limit` or `f-limit`; or, which begins
    nothing, recursive best-first search finds the `lowest f` of all that waits, as it is backed up
    to the start, to be `limit`."""

    kind: str
    limit: int

    @property
    def words(self) -> str:
        """Return what happens.

        >>> Iteration("depth limit", 5).words, Iteration("lowest f", 6).words
        ('iteration with the depth limit 5', 'lowest f at the start: 6')
        """
        if self.kind == LOWEST_F:
            return f"lowest f at the start: {self.limit:,}"
        return f"iteration with the {self.kind} {self.limit:,}"


DEPTH_LIMIT, F_LIMIT = "depth limit", "f-limit"
"""The kinds of iterations."""

LOWEST_F = "lowest f"
"""The kind of what recursive best-first search tells, which has no iterations."""


class Fate(StrEnum):
    """What became of a successor when it was made: kept, or dropped and why.

    Kept are those that are `kept` (its state was not reached before, or the algorithm does not
    remember), `shorter` (its state was reached before by a longer path, which it replaces) and
    `met` (its state was reached from the other end: the two halves make a path).
    """

    KEPT = "kept"
    SHORTER = "shorter"
    REACHED = "reached"
    WENT_BACK = "went back"
    OVER_DEPTH = "over the depth limit"
    OVER_F = "over the f-limit"
    MET = "met"
    NOT_AGAIN = "not again"
    ON_PATH = "on the path"

    @property
    def is_kept(self) -> bool:
        """Return whether the search goes on from the successor, or ends with it.

        >>> [fate.value for fate in Fate if fate.is_kept]
        ['kept', 'shorter', 'met']
        """
        return self in (Fate.KEPT, Fate.SHORTER, Fate.MET)

    @property
    def reason(self) -> str:
        """Return what happened in words.

        >>> Fate.REACHED.reason
        'dropped: the board was reached before by a path that is no longer'
        """
        return _REASONS[self]


FATES = tuple(Fate)
"""The fates in the order of the codes in a trace (`kernels/trace.py`)."""


_REASONS = {
    Fate.KEPT: "kept",
    Fate.SHORTER: "kept: a shorter path to a board that was reached before",
    Fate.REACHED: "dropped: the board was reached before by a path that is no longer",
    Fate.WENT_BACK: "dropped: it undoes the last move",
    Fate.OVER_DEPTH: "dropped: deeper than the depth limit",
    Fate.OVER_F: "dropped: its f is above the f-limit",
    Fate.MET: "kept: the board was reached from the other end",
    Fate.NOT_AGAIN: "dropped: the board was reached before, although by a longer path",
    Fate.ON_PATH: "dropped: the board is on the path that leads to it",
}


@dataclass(frozen=True, slots=True)
class Successor:
    """A successor as it was when it was made; `node` is its number, None if it was dropped."""

    board: Board
    node: int | None
    g: int
    h: int
    f: int
    fate: Fate

    def as_json(self) -> dict[str, object]:
        """Return the successor as what JSON can hold, the fate with its reason."""
        values = {field.name: _plain(getattr(self, field.name)) for field in fields(self)}
        return {**values, "reason": self.fate.reason}


@dataclass(frozen=True, slots=True)
class Expanded(_Event):
    """A node was expanded, the `order`th from 1 on; told only if a trace is asked for.

    Nodes are numbered from 0, the start, in the order in which they were kept; an algorithm
    that begins again (each depth limit or f-limit) goes on with the numbers, the start getting
    a new one. `parent` is None at the start, and at the goal in a search from both ends. `f` is
    what the frontier is ranked by, or what the f-limit is held against. `successors` stand in
    the order blank up, down, left, right; there are fewer than four at the border.
    """

    order: int
    node: int
    parent: int | None
    board: Board
    g: int
    h: int
    f: int
    successors: tuple[Successor, ...]


@dataclass(frozen=True, slots=True)
class TailExpanded(Expanded):
    """One of the last expansions, told after others were left out.

    `path` leads to the node, itself the last, from the nearest node above it that was told of
    before (as a successor or in another path), else from the root of its tree: so each has a place
    although its making was not told. `frontier`, `stored` and `generated` are the counts after the
    expansion, None where they are not known.
    """

    path: tuple[Successor, ...]
    frontier: int | None
    stored: int | None
    generated: int


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
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, (Board, StrEnum)):
        return str(value)
    return value.as_json() if isinstance(value, (Result, Successor)) else value
