"""Search events, and the counts in them.

The counts are defined once for all algorithms:

expanded
    Nodes taken from the frontier whose successors were computed. The goal test happens when a
    node is taken, and the goal itself is not expanded. A start that is the goal gives 0 expanded
    and 1 generated. A bidirectional search tests for the meeting when a node is generated, and
    counts the node's parent. Counts continue over iterations, so a state can be expanded
    several times.
generated
    Nodes created: the start, once, and each successor computed. Duplicates of a reached state
    count too, as does the move back to the parent. In a bidirectional search the goal is created
    like the start.
frontier, peak_frontier
    Nodes on the frontier, now and at most. A node no longer counts once a shorter path to its
    state is found. In a search that stores a single path, these are the siblings along the path.
stored, peak_stored
    Nodes in memory, now and at most, including nodes made obsolete by a shorter path. In a
    search that stores a single path, these are the path and the siblings along it.
deepest
    The greatest g (number of moves from the start) of an expanded node, or of the goal once
    reached. In a bidirectional search g counts from the end that reached the node. After the
    meeting it is the goal's, the length of the path.
"""

from dataclasses import dataclass, fields
from enum import StrEnum

from slidewise.puzzle import Board
from slidewise.solver.result import Result
from slidewise.text import message, noop, plural


@dataclass(frozen=True, slots=True)
class _Event:
    def as_json(self) -> dict[str, object]:
        """Return the event as JSON values, its kind under `event`.

        >>> Iteration("depth limit", 5).as_json()
        {'event': 'iteration', 'kind': 'depth limit', 'limit': 5}
        """
        # Not `asdict`, which would take boards and results apart.
        values = {field.name: _json_value(getattr(self, field.name)) for field in fields(self)}
        return {"event": type(self).__name__.lower(), **values}


@dataclass(frozen=True, slots=True)
class Preparing(_Event):
    """Compilation or table building before the search: `done` of `total` parts are ready."""

    what: str
    done: int
    total: int

    @property
    def words(self) -> str:
        """Describe the progress, as a percentage if the parts are hundredths.

        >>> Preparing("compiling the search", 1, 2).words
        'compiling the search, 1 of 2 done'
        >>> Preparing("building tables", 37, 100).words
        'building tables, 37 %'
        """
        if self.total == 1:
            return self.what
        if self.total == 100:
            return message("%(step)s, %(percent)s %%", step=self.what, percent=self.done)
        return message(
            "%(step)s, %(done)s of %(total)s done",
            step=self.what,
            done=self.done,
            total=self.total,
        )


@dataclass(frozen=True, slots=True)
class Started(_Event):
    """The search begins. `puzzle` is the code, `heuristic` None if the algorithm uses none."""

    puzzle: str
    algorithm: str
    heuristic: str | None


@dataclass(frozen=True, slots=True)
class Progress(_Event):
    """Counts of a running search, about ten times a second. `lower_bound` is in moves."""

    expanded: int
    generated: int
    frontier: int
    stored: int
    deepest: int
    lower_bound: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Proving(Progress):
    """Progress of a proof: `length` of the best known path, `limit` the current f-limit.

    `per_second` is the number of nodes expanded per second in this run. `left_in_iteration` and
    `left` estimate the nodes still to expand: in this iteration, and in all up to `length`.
    """

    length: int
    limit: int
    per_second: int
    left_in_iteration: int
    left: int

    @property
    def seconds_left(self) -> tuple[float, float] | None:
        """Return the remaining seconds of the iteration and the proof, None at speed 0.

        >>> Proving(0, 0, 0, 0, 0, 80, 0.0, 90, 84, 1000, 2000, 60000).seconds_left
        (2.0, 60.0)
        """
        if not self.per_second:
            return None
        return self.left_in_iteration / self.per_second, self.left / self.per_second


@dataclass(frozen=True, slots=True)
class Iteration(_Event):
    """An iterative algorithm starts its next iteration.

    `kind` is `depth limit` or `f-limit`. Recursive best-first search has no iterations. It
    reports with the kind `lowest f` that the lowest f backed up to the start is now `limit`.
    """

    kind: str
    limit: int

    @property
    def words(self) -> str:
        """Describe the iteration.

        >>> Iteration("depth limit", 5).words, Iteration("lowest f", 6).words
        ('iteration with the depth limit 5', 'lowest f at the start: 6')
        """
        return message(_ITERATIONS[self.kind], limit=self.limit)


DEPTH_LIMIT, F_LIMIT = "depth limit", "f-limit"
"""The kinds of iterations."""

LOWEST_F = "lowest f"
"""The kind reported by recursive best-first search, which has no iterations."""

_ITERATIONS = {
    DEPTH_LIMIT: noop("iteration with the depth limit %(limit)s"),
    F_LIMIT: noop("iteration with the f-limit %(limit)s"),
    LOWEST_F: noop("lowest f at the start: %(limit)s"),
}


class Fate(StrEnum):
    """Fate of a generated successor: added to the search, or dropped for a reason.

    Three fates add it. `kept`: its state is new, or the algorithm does not detect duplicates.
    `shorter`: it replaces a longer path to its state. `met`: its state was reached from the other
    end, so the two halves make a path.
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
        """Return whether the search continues from the successor, or ends with it.

        >>> [fate.value for fate in Fate if fate.is_kept]
        ['kept', 'shorter', 'met']
        """
        return self in (Fate.KEPT, Fate.SHORTER, Fate.MET)

    @property
    def reason(self) -> str:
        """Describe the fate.

        >>> Fate.REACHED.reason
        'dropped: the board was reached before by a path that is no longer'
        """
        return _REASONS[self]


FATES = tuple(Fate)
"""The fates in the order of their codes in the JSON of a recording."""


_REASONS = {
    Fate.KEPT: message("kept"),
    Fate.SHORTER: message("kept: a shorter path to a board that was reached before"),
    Fate.REACHED: message("dropped: the board was reached before by a path that is no longer"),
    Fate.WENT_BACK: message("dropped: it undoes the last move"),
    Fate.OVER_DEPTH: message("dropped: deeper than the depth limit"),
    Fate.OVER_F: message("dropped: its f is above the f-limit"),
    Fate.MET: message("kept: the board was reached from the other end"),
    Fate.NOT_AGAIN: message("dropped: the board was reached before, although by a longer path"),
    Fate.ON_PATH: message("dropped: the board is on the path that leads to it"),
}


@dataclass(frozen=True, slots=True)
class Successor:
    """A successor when generated. `node` is its number, None if dropped."""

    board: Board
    node: int | None
    g: int
    h: int
    f: int
    fate: Fate

    def as_json(self) -> dict[str, object]:
        """Return the successor as JSON values, the fate with its reason."""
        values = {field.name: _json_value(getattr(self, field.name)) for field in fields(self)}
        return {**values, "reason": self.fate.reason}


@dataclass(frozen=True, slots=True)
class Expanded(_Event):
    """Expansion number `order`, from 1 on. Only traced searches report these.

    Nodes are numbered from 0, the start, in the order in which they were added. Numbers continue
    over the iterations of a search, each with a new number for the start. `parent` is None at
    the start, and at the goal in a bidirectional search. `f` ranks the frontier, or is compared
    with the f-limit. `successors` are in the order blank up, down, left, right, fewer than four
    at the border.
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
class Improved(_Event):
    """An anytime search found a shorter path, or proved a greater lower bound.

    `length` is None until there is a path. `moves` are the moves of the path, "" if they are not
    sent.
    """

    length: int | None
    lower_bound: int
    moves: str = ""


@dataclass(frozen=True, slots=True)
class Machine(_Event):
    """A machine joined a proof on a cluster, was `lost`, or is `refused` for a reason.

    `machines` and `cores` count the machines that search and their cores. `again`: the machine's
    last work is done again.
    """

    address: str
    change: str
    machines: int
    cores: int
    again: bool = False
    reason: str = ""

    @property
    def words(self) -> str:
        """Describe the change.

        >>> Machine("tcp://10.0.0.2:4001", "lost", 1, 16, again=True).words
        'tcp://10.0.0.2:4001 lost, its last work is done again; 1 machine with 16 cores'
        """
        text = f"{self.address} {self.change}"
        if self.reason:
            text += f": {self.reason}"
        if self.again:
            text += ", its last work is done again"
        return f"{text}; {plural(self.machines, 'machine')} with {plural(self.cores, 'core')}"


@dataclass(frozen=True, slots=True)
class Finished(_Event):
    """The last event of every search."""

    result: Result


Event = Preparing | Started | Progress | Iteration | Expanded | Improved | Machine | Finished


def _json_value(value: object) -> object:
    if isinstance(value, tuple):
        return [_json_value(part) for part in value]
    if isinstance(value, (Board, StrEnum)):
        return str(value)
    return value.as_json() if isinstance(value, (Result, Successor)) else value
