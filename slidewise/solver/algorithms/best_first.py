"""Best-first search, shared by all algorithms that only rank the frontier differently.

The node with the lowest f = a * g + b * h is taken first. g is the number of moves from the
start, h the heuristic's estimate of the moves to the goal.

- Ties are broken first in, first out: with equal f, the node generated first.
- Successors are generated in the order blank up, down, left, right.
- The goal test happens when a node is taken, not when it is generated.
- A successor in a reached state is added only if its path is shorter. The older node is then
  skipped, and an expanded state is expanded again. Depth-first search without a depth limit
  drops these successors too, because any path will do. With a limit it must add them, as the
  goal may be within reach by the shorter path only.
- A node at the depth limit is taken, but not expanded.

This is Slidewise's convention, built into the compiled kernel. The algorithms in
`convention.ALGORITHMS` also run under other conventions, in a plain loop.

Source of the common form: S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach,
4th edition, 2020, section 3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from slidewise.solver import loop
from slidewise.solver.events import Event
from slidewise.solver.loop import End, Outcome, PathClaim, PathSearch, RankedWork
from slidewise.solver.plain.best_first import reopening
from slidewise.solver.plain.work import reopens, work_of
from slidewise.solver.registry import algorithm
from slidewise.solver.result import Result, Status
from slidewise.solver.task import Frontier, FrontierKind, Heuristic, Rank, Task
from slidewise.text import message, noop, plural

if TYPE_CHECKING:
    from slidewise.solver.engines.node_store import NodeStore


@algorithm(
    key="bfs",
    title=message("Breadth-first search"),
    idea=message(
        "Looks at all boards one move away, then at all boards two moves away, and so on."
    ),
    complete=True,
    optimal=True,
    time=message("O(b^(d+1))"),
    space=message("O(b^(d+1))"),
    uses_heuristic=False,
    source=message("E. F. Moore, 1959"),
    kernel="best_first",
    suits=10,
    frontier=Frontier(
        FrontierKind.RANKED,
        Rank(1, 0),
        order=noop("A queue: the oldest comes first."),
        reason=noop("It is the oldest in the queue, %(depth)s from the start"),
        ties="",
        name="queue",
        takes="the oldest",
        keeps="was not reached before",
    ),
)
def bfs(task: Task) -> Iterator[Event]:
    """Rank by the number of moves: f = g."""
    because = message(
        "breadth-first search takes all boards nearer to the start before it takes the goal"
    )
    return best_first(task, PathClaim(because, shortest=True))


@algorithm(
    key="dfs",
    title=message("Depth-first search"),
    idea=message(
        "Goes on from the newest board as long as it finds boards not seen before, and only then "
        "goes back. Its path wanders: on 3x3, tens of thousands of moves are usual."
    ),
    complete=True,
    proviso=message(
        "because the number of boards is finite and reached boards are stored; with a "
        "depth limit, only up to that depth"
    ),
    optimal=False,
    time=message("up to all boards that can be reached; with a depth limit, O(b^l)"),
    space=message("up to all boards that can be reached"),
    uses_heuristic=False,
    source=message("G. Tarry, 1895; R. E. Tarjan, 1972"),
    kernel="best_first",
    suits=10,
    options={"depth"},
    frontier=Frontier(
        FrontierKind.RANKED,
        Rank(-1, 0),
        order=noop("A stack: the deepest comes first; with equal depth, %(first)s."),
        reason=noop("It is the deepest on the frontier, %(depth)s from the start"),
        ties=noop("as deep"),
        takes="the deepest",
        keeps="is new (or less deep, with a limit)",
    ),
)
def dfs(task: Task) -> Iterator[Event]:
    """Rank the deepest first: f = -g."""
    because = message(
        "depth-first search takes the first path that it finds, which is usually far from shortest"
    )
    return best_first(reopening(task), PathClaim(because))


@algorithm(
    key="ucs",
    title=message("Uniform-cost search"),
    idea=message(
        "Takes the board with the cheapest path first. As each move costs 1 here, it expands "
        "the same boards as breadth-first search."
    ),
    complete=True,
    optimal=True,
    time=message("O(b^(d+1))"),
    space=message("O(b^(d+1))"),
    uses_heuristic=False,
    source=message("E. W. Dijkstra, 1959"),
    kernel="best_first",
    suits=10,
    frontier=Frontier(
        FrontierKind.RANKED,
        Rank(1, 0),
        order=noop("A priority queue: the cheapest path comes first; with equal cost, %(first)s."),
        reason=noop("It has the cheapest path on the frontier: g = %(g)s"),
        ties=noop("as cheap"),
        takes="the lowest g",
    ),
)
def ucs(task: Task) -> Iterator[Event]:
    """Rank by the cost of the path: f = g."""
    because = message(
        "uniform-cost search takes all boards with a cheaper path before it takes the goal"
    )
    return best_first(task, PathClaim(because, shortest=True))


@algorithm(
    key="greedy",
    title=message("Greedy best-first search"),
    idea=message(
        "Takes the board that looks nearest to the goal, however many moves it took to get there."
    ),
    complete=True,
    proviso=message("because the number of boards is finite and reached boards are stored"),
    optimal=False,
    time=message("no useful bound; in practice few of the boards that can be reached"),
    space=message("up to all boards that can be reached"),
    uses_heuristic=True,
    source=message("J. E. Doran and D. Michie, 1966"),
    kernel="best_first",
    suits=25,
    frontier=Frontier(
        FrontierKind.RANKED,
        Rank(0, 1),
        order=noop("A priority queue: the lowest h comes first; with equal h, %(first)s."),
        reason=noop("It has the lowest h on the frontier: %(h)s"),
        ties=noop("with that h"),
        takes="the lowest h",
        keeps="was not reached before",
    ),
)
def greedy(task: Task) -> Iterator[Event]:
    """Rank by the estimate alone: f = h."""
    because = message("greedy best-first search does not weigh the moves already made")
    return best_first(task, PathClaim(because))


@algorithm(
    key="astar",
    title=message("A*"),
    idea=message(
        "Takes the board with the lowest sum of the moves made and the estimated moves left."
    ),
    complete=True,
    optimal=True,
    time=message("O(b^(d+1)) at worst; far less with a good heuristic"),
    space=message("O(b^(d+1)) at worst; far less with a good heuristic"),
    uses_heuristic=True,
    source=message("P. E. Hart, N. J. Nilsson and B. Raphael, 1968"),
    kernel="best_first",
    suits=12,
    frontier=Frontier(FrontierKind.RANKED, Rank(1, 1)),
)
def astar(task: Task) -> Iterator[Event]:
    """Rank by the moves so far plus the estimate: f = g + h."""
    heuristic = task.heuristic
    doubt = heuristic and task.convention.doubt(
        admissible=heuristic.admissible, consistent=heuristic.consistent
    )
    if doubt and not task.convention.is_own:
        title = task.convention.title
        because = message(
            "A* under %(convention)s can miss the shortest path: %(doubt)s",
            convention=title,
            doubt=doubt,
        )
        return best_first(task, PathClaim(because))
    return best_first(task, _claim_of_astar(heuristic))


UNPROVED = PathClaim(
    message("A* proves nothing with a heuristic that may be above the true distance")
)
CONSISTENT = PathClaim(
    message(
        "A* with a consistent heuristic takes the goal only when no other board can lead there "
        "in fewer moves"
    ),
    shortest=True,
)
ADMISSIBLE = PathClaim(
    message(
        "A* with an admissible heuristic takes the goal only when no other board can lead "
        "there in fewer moves"
    ),
    shortest=True,
)


def _claim_of_astar(heuristic: Heuristic | None) -> PathClaim:
    if heuristic is not None and not heuristic.admissible:
        return UNPROVED
    return CONSISTENT if heuristic is None or heuristic.consistent else ADMISSIBLE


@algorithm(
    key="wastar",
    title=message("Weighted A*"),
    idea=message(
        "A* with the estimate multiplied by w: it heads for the goal more boldly, and its path "
        "is at most w times as long as the shortest."
    ),
    complete=True,
    optimal=False,
    time=message("O(b^(w d + 1)) at worst; usually less than A*"),
    space=message("O(b^(w d + 1)) at worst; usually less than A*"),
    uses_heuristic=True,
    source=message("I. Pohl, 1970"),
    kernel="best_first",
    suits=16,
    options={"weight"},
    frontier=Frontier(FrontierKind.RANKED, Rank(1, 1)),
)
def wastar(task: Task) -> Iterator[Event]:
    """Rank by f = g + w * h, times the denominator of w so that ranks are whole numbers."""
    weight = task.weight
    name = message("weighted A* with w = %(weight)s", weight=f"{float(weight):g}")
    if task.heuristic is not None and not task.heuristic.admissible:
        claim = PathClaim(
            message(
                "%(name)s proves nothing with a heuristic that may be above the true distance",
                name=name,
            )
        )
    elif weight == 1:
        claim = _claim_of_astar(task.heuristic)
    else:
        claim = PathClaim(
            message(
                "%(name)s finds a path at most %(weight)s times as long as the shortest",
                name=name,
                weight=f"{float(weight):g}",
            ),
            bounded=True,
        )
    return best_first(task, claim)


def best_first(task: Task, claim: PathClaim) -> Iterator[Event]:
    """Search with the frontier ranked as the algorithm declares; make `claim` about the path."""

    def compiled(task: Task) -> NodeStore:
        # deferred: loads numpy and the compiled kernel
        from slidewise.solver.engines.node_store import NodeStore

        return NodeStore(task, *task.rank, reopen=reopens(task))

    # Under another convention A* may miss the shortest path, so its claim decides.
    work = work_of(task, compiled, sound=claim.shortest or not task.is_plain)
    if task.is_plain:
        return loop.run(BookPathSearch(task, work, claim), task)
    return loop.run(RankedSearch(task, work, claim, task.rank), task)


@dataclass
class BookPathSearch(PathSearch):
    """A plain best-first search: with another convention or a Python function."""

    def end(self, outcome: Outcome) -> End | None:
        """Return the end of the search. Under a depth limit it may have dropped paths within it.

        That happens if a board's first path is not its shortest, so it is cut off too early.
        """
        limit, convention = self.task.limits.depth, self.task.convention
        # If shorter paths are used, an empty frontier proves that no path is within the limit.
        safe = self.claim.shortest or convention.keeps_shorter_paths
        if limit is not None and outcome is Outcome.EMPTY and self.work.pruned and not safe:
            reason = message(
                "found no path within %(moves)s, but the rules of %(convention)s may have dropped "
                "one",
                moves=plural(limit, "move"),
                convention=convention.title,
            )
            return End(Status.CUTOFF, reason)
        return super().end(outcome)


@dataclass
class RankedSearch(PathSearch):
    """A best-first search that may raise the lower bound at its end."""

    rank: Rank

    def result(self, end: End, seconds: float) -> Result:
        """Return the result, with the bound raised to the lowest g + h on the frontier.

        If the rank weighs h more than g, that takes a scan of all nodes.
        """
        if end.status is not Status.EXHAUSTED and self.rank.h_weight > self.rank.g_weight:
            # Greedy search ranks by h, so the lowest g + h can be anywhere on the frontier.
            lowest = cast("RankedWork", self.work).lowest_total()
            if lowest is not None:
                self.prove(lowest)
        return super().result(end, seconds)
