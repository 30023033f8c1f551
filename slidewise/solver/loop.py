"""The search loop: run a slice, yield its events, test for the end.

`run` is the loop over a `SlicedSearch`. Most searches are a `PathSearch`, which ends with the first
path found.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from enum import Enum, auto
from time import perf_counter
from typing import NamedTuple, Protocol

from slidewise.puzzle import Puzzle
from slidewise.puzzle.board import cell_distance
from slidewise.puzzle.puzzle import grid_distance
from slidewise.solver.events import Event, Finished, Iteration, Progress
from slidewise.solver.result import (
    Cost,
    Proof,
    Result,
    Status,
    Verdict,
    bound_verdict,
    path_verdict,
)
from slidewise.solver.task import Limits, Task
from slidewise.text import message, plural

SLICE_SECONDS = 0.02
"""Target time of a slice, and so the precision of time limits."""

REPORT_SECONDS = 0.1
"""Interval of progress reports: often enough to look smooth on the page."""

FIRST_BUDGET, LOWEST_BUDGET, HIGHEST_BUDGET = 4_000, 500, 1_000_000


class Outcome(Enum):
    """Outcome of a slice of a search. RUNNING and LOADING continue.

    LOADING: the slice only loaded a kernel, which is no search time.
    """

    RUNNING = auto()
    LOADING = auto()
    GOAL = auto()
    EMPTY = auto()
    FULL = auto()


class End(NamedTuple):
    """Final status of a search, with the reason in words."""

    status: Status
    reason: str


class Pace:
    """Clock of a search. It starts when the object is created."""

    def __init__(self, limits: Limits, cancelled: Callable[[], bool]) -> None:
        self._limits = limits
        self._cancelled = cancelled
        self._budget = FIRST_BUDGET
        self._started = self._reported = self._slice_started = perf_counter()
        self._slice_from = 0

    @property
    def seconds(self) -> float:
        """Return the seconds since the start, to the microsecond."""
        return round(perf_counter() - self._started, 6)

    def budget(self, expanded: int) -> int:
        """Start a slice after `expanded` expansions; return the slice's number of expansions."""
        self._slice_started, self._slice_from = perf_counter(), expanded
        most = self._limits.expansions
        return self._budget if most is None else min(self._budget, most - expanded)

    def end_slice(self, expanded: int) -> None:
        """Adapt the budget of the next slice to the time of this slice."""
        seconds, expanded = perf_counter() - self._slice_started, expanded - self._slice_from
        if expanded:
            budget = SLICE_SECONDS * expanded / max(seconds, 1e-6)
            # Halved or doubled at most, so that a pause of the machine has a small effect.
            budget = min(2.0 * self._budget, max(0.5 * self._budget, budget))
            self._budget = min(HIGHEST_BUDGET, max(LOWEST_BUDGET, int(budget)))

    def leave_out_slice(self) -> None:
        """Stop the clock for this slice, which did not search."""
        self._started += perf_counter() - self._slice_started

    def report_due(self) -> bool:
        """Return whether a report is due, and if so restart the interval."""
        now = perf_counter()
        due = now - self._reported >= REPORT_SECONDS
        if due:
            self._reported = now
        return due

    def stop(self, expanded: int) -> End | None:
        """Return the end of the search if it was cancelled or met a limit."""
        limits = self._limits
        if self._cancelled():
            return End(Status.CANCELLED, message("stopped on request"))
        if limits.expansions is not None and expanded >= limits.expansions:
            return End(
                Status.CUTOFF,
                message("stopped after %(work)s", work=plural(limits.expansions, "expansion")),
            )
        if limits.seconds is not None and self.seconds >= limits.seconds:
            return End(
                Status.CUTOFF,
                message("stopped after %(seconds)s s", seconds=f"{limits.seconds:g}"),
            )
        return None


class LowerBound:
    """A proved lower bound on the moves of every solution of a puzzle. It never falls.

    Each move takes the blank to a neighbouring cell. So all solutions have lengths of the same
    parity as the blank's grid distance from start to goal. A bound of the other parity is rounded
    up by 1. The initial bound is the Manhattan distance of the start, which has the right parity
    already.

    >>> from slidewise import parse_puzzle
    >>> bound = LowerBound(parse_puzzle("1.0.3-4.2.5"))
    >>> bound.moves
    2
    >>> bound.raise_to(3)
    >>> bound.moves
    4
    """

    def __init__(self, puzzle: Puzzle) -> None:
        start, goal = puzzle.start, puzzle.goal
        self._parity = grid_distance(start, goal) % 2
        homes = {tile: cell for cell, tile in enumerate(goal.cells)}
        tiles = ((cell, homes[tile]) for cell, tile in enumerate(start.cells) if tile)
        self.moves = sum(cell_distance(cell, home, start.cols) for cell, home in tiles)

    def raise_to(self, moves: int) -> None:
        """Raise the bound to at least `moves`, rounded up to the parity."""
        rounded = moves + (moves + self._parity) % 2
        self.moves = max(self.moves, rounded)


def depth_cutoff(depth: int) -> End:
    """Return the end of a search that proved all paths longer than `depth`."""
    within = plural(depth, "move")
    return End(Status.CUTOFF, message("no path within %(moves)s leads to the goal", moves=within))


def cutoff_by_bound(task: Task, bound: int) -> End | None:
    """Return the end of a search if the lower bound exceeds the depth limit."""
    depth = task.limits.depth
    return depth_cutoff(depth) if depth is not None and bound > depth else None


def best_result(
    task: Task, end: End, path: list[int], bound: int, cost: Cost, *, shortest: bool = False
) -> Result:
    """Return the result of the best known path, if within the depth limit.

    `bound` is the lower bound.
    """
    length, depth = len(path) - 1, task.limits.depth
    if depth is None or length <= depth:
        verdict = path_verdict(length, bound, end.reason, shortest=shortest, bounded=True)
        return task.result(Status.SOLVED, verdict, bound, cost, path)
    status, reason = end
    if status is Status.SOLVED:  # the search finished without a limit
        status, reason = cutoff_by_bound(task, bound) or End(
            Status.CUTOFF, _found_none(reason, depth)
        )
    return task.result(status, bound_verdict(reason, bound), bound, cost)


def _found_none(reason: str, depth: int) -> str:
    within = plural(depth, "move")
    if not reason:
        return message("found no path within %(moves)s", moves=within)
    return message("%(reason)s found no path within %(moves)s", reason=reason, moves=within)


class SlicedSearch(Protocol):
    """Interface of a search for the loop."""

    @property
    def expanded(self) -> int:
        """Return the number of nodes expanded so far."""

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` nodes and return the outcome."""

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield the iterations started since the last call."""

    def news(self, outcome: Outcome) -> Iterator[Event]:
        """Yield the new events after a slice with this outcome."""

    def progress(self, seconds: float) -> Progress:
        """Return the current counts."""

    def end(self, outcome: Outcome) -> End | None:
        """Return the end of the search if a slice with this outcome ends it."""

    def result(self, end: End, seconds: float) -> Result:
        """Return the result of the finished search."""

    def close(self) -> None:
        """Release threads and arrays."""


def run(search: SlicedSearch, task: Task) -> Iterator[Event]:
    """Search slice by slice, yield its events up to the result, and close it.

    The clock starts here, after the search has loaded its modules, arrays and tables.
    """
    with closing(search):
        pace = Pace(task.limits, task.cancelled)
        yield from search.news(Outcome.RUNNING)
        end = pace.stop(search.expanded) or search.end(Outcome.RUNNING)
        while end is None:
            yield from search.new_iterations()
            outcome = search.advance(pace.budget(search.expanded))
            if outcome is Outcome.LOADING:
                pace.leave_out_slice()
            else:
                pace.end_slice(search.expanded)
            yield from search.news(outcome)
            if pace.report_due():
                yield search.progress(pace.seconds)
            end = search.end(outcome) or pace.stop(search.expanded)
        yield Finished(search.result(end, pace.seconds))


@dataclass(frozen=True)
class PathClaim:
    """Claim of an algorithm about its path, with the reason in words.

    `shortest`: no path has fewer moves. `bounded`: the number of excess moves is bounded.
    """

    because: str
    shortest: bool = False
    bounded: bool = False


class Counts(NamedTuple):
    """Counts of a search so far, as defined in `slidewise.solver.events`."""

    expanded: int
    generated: int
    frontier: int
    peak_frontier: int
    stored: int
    peak_stored: int
    deepest: int


class Work(Protocol):
    """Nodes of a search for a path, expanded in slices."""

    @property
    def expanded(self) -> int:
        """Number of nodes expanded so far."""

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` nodes and return the outcome."""

    def close(self) -> None:
        """Release the arrays, if they are large."""
        return

    @property
    def proved(self) -> int:
        """Lower bound on every remaining path, valid if h is admissible."""

    @property
    def pruned(self) -> bool:
        """Whether the depth limit prevented any expansion."""

    @property
    def counts(self) -> Counts:
        """Counts so far; after the last slice the counts of the whole search."""

    def path(self) -> list[int]:
        """Return the cells of the blank from the start to the goal, after `Outcome.GOAL`."""

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield the iterations started since the last call."""
        return iter(())

    def new_events(self) -> Iterator[Event]:
        """Yield the other events since the last call: expansions, and the compiler's progress."""
        return iter(())

    def progress(self, lower_bound: int, seconds: float) -> Progress:
        """Return the progress of the search."""
        counts = self.counts
        return Progress(
            expanded=counts.expanded,
            generated=counts.generated,
            frontier=counts.frontier,
            stored=counts.stored,
            deepest=counts.deepest,
            lower_bound=lower_bound,
            seconds=seconds,
        )

    def cost(self, seconds: float) -> Cost:
        """Return the total cost of the search."""
        counts = self.counts
        return Cost(
            expanded=counts.expanded,
            generated=counts.generated,
            peak_frontier=counts.peak_frontier,
            peak_stored=counts.peak_stored,
            deepest=counts.deepest,
            seconds=seconds,
        )


class RankedWork(Work, Protocol):
    """Nodes with a single ranked frontier."""

    def lowest_total(self) -> int | None:
        """Return the lowest g + h on the frontier, or None if it is empty."""


@dataclass
class PathSearch:
    """A search that ends with the first path of `work`, about which it makes `claim`."""

    task: Task
    work: Work
    claim: PathClaim
    bound: LowerBound = field(init=False)

    def __post_init__(self) -> None:
        self.bound = LowerBound(self.task.puzzle)

    @property
    def expanded(self) -> int:
        return self.work.expanded

    def advance(self, budget: int) -> Outcome:
        return self.work.advance(budget)

    def close(self) -> None:
        self.work.close()

    def new_iterations(self) -> Iterator[Iteration]:
        return self.work.new_iterations()

    def news(self, outcome: Outcome) -> Iterator[Event]:
        """Update the lower bound, and return the new events."""
        # An empty frontier has no lowest rank, and `end` draws the conclusion.
        if outcome is not Outcome.EMPTY:
            self.prove(self.work.proved)
        return self.work.new_events()

    def progress(self, seconds: float) -> Progress:
        return self.work.progress(self.bound.moves, seconds)

    def prove(self, moves: int) -> None:
        """Raise the lower bound to `moves`, if h is admissible.

        If the depth limit cut nodes off, the shortest path may lead through a dropped node. Then
        the bound rises at most to 1 above the limit.
        """
        if self.task.trusts_h:
            depth = self.task.limits.depth
            self.bound.raise_to(min(moves, depth + 1) if depth and self.work.pruned else moves)

    def end(self, outcome: Outcome) -> End | None:
        limits = self.task.limits
        if outcome is Outcome.GOAL:
            return End(Status.SOLVED, self.claim.because)
        if outcome is Outcome.FULL:
            return End(
                Status.CUTOFF,
                message("stopped at %(nodes)s stored nodes", nodes=limits.stored_nodes),
            )
        if limits.depth is not None and self._is_proved_deeper(limits.depth, outcome):
            self.bound.raise_to(limits.depth + 1)
            return depth_cutoff(limits.depth)
        if outcome is Outcome.EMPTY:
            return End(Status.EXHAUSTED, self.task.puzzle.parity.explain())
        return None

    def result(self, end: End, seconds: float) -> Result:
        """Return the result, with the path if any and its verdict."""
        cost = self.work.cost(seconds)
        status, reason = end
        if status is Status.EXHAUSTED:
            return self.task.result(status, Verdict(Proof.UNPROVED, reason), None, cost)
        if status is not Status.SOLVED:
            bound = self.bound.moves
            return self.task.result(status, bound_verdict(reason, bound), bound, cost)
        path, claim = self.work.path(), self.claim
        length = len(path) - 1
        if claim.shortest:
            self.bound.raise_to(length)
        bound = self.bound.moves
        verdict = path_verdict(
            length, bound, reason, shortest=claim.shortest, bounded=claim.bounded
        )
        return self.task.result(status, verdict, bound, cost, path)

    def _is_proved_deeper(self, depth: int, outcome: Outcome) -> bool:
        """Return whether no path of up to `depth` moves leads to the goal, by proof."""
        if outcome is Outcome.EMPTY:
            return self.work.pruned
        return self.task.trusts_h and self.work.proved > depth
