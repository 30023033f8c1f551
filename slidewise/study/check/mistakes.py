"""Known mistakes in programs that search, each as a change of the plain loop."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from slidewise.puzzle import blank_first_goal, standard_goal
from slidewise.study.check.change import Change, SortedTooEarly
from slidewise.study.check.estimate_mistakes import ESTIMATES
from slidewise.study.check.mistake import ALL, EVERY, INFORMED, NEVER_ABOVE, Mistake
from slidewise.study.check.other_mistakes import OF_OTHER_SEARCHES
from slidewise.study.check.successor_mistakes import SUCCESSORS

if TYPE_CHECKING:
    from slidewise.solver.engines.plain_best_first import BookNode, BookSearch


def _never_grows(parent: BookNode, search: BookSearch) -> int:
    return parent.g


def _always_one(parent: BookNode, search: BookSearch) -> int:
    return 1


def _adds_h(parent: BookNode, search: BookSearch) -> int:
    return parent.g + parent.h + 1


def _counts_expansions(parent: BookNode, search: BookSearch) -> int:
    return search.expanded


MISTAKES = (
    *OF_OTHER_SEARCHES,
    *ESTIMATES,
    Mistake(
        "parents-estimate",
        "A successor gets the estimate of the board it came from",
        "h is worked out before the tile is moved.",
        "Work out h for the successor's board.",
        INFORMED,
        Change(parents_estimate=True),
    ),
    Mistake(
        "h-as-f",
        "You rank by h alone, which is greedy best-first search",
        "The moves made so far do not count, so paths need not be shortest.",
        "Rank the queue by both: f = g + h, in weighted A* f = g + w * h.",
        ("astar", "wastar"),
        Change(rank=(0, 1)),
    ),
    Mistake(
        "g-as-f",
        "You rank by g alone, which is uniform-cost search",
        "The estimate does not count.",
        "Rank the queue by both: f = g + h, in weighted A* f = g + w * h.",
        ("astar", "wastar"),
        Change(rank=(1, 0)),
    ),
    Mistake(
        "double-h",
        "You count h twice",
        f"f is g + 2h, as in weighted A*. {NEVER_ABOVE}",
        "Rank the queue by f = g + h: look for a second place where h is added.",
        ("astar",),
        Change(rank=(1, 2)),
    ),
    Mistake(
        "greedy-adds-g",
        "You rank by g + h, which is A*",
        "Greedy best-first search ranks by the estimate alone.",
        "Rank the queue by h.",
        ("greedy",),
        Change(rank=(1, 1)),
    ),
    Mistake(
        "highest-first",
        "Your queue gives the highest f first",
        "The node that looks worst is taken first.",
        "Take the lowest f first: reverse the comparison.",
        INFORMED,
        Change(rank=(-1, -1)),
    ),
    Mistake(
        "g-not-updated",
        "g does not grow along the path",
        "A successor has the g of its parent.",
        "Give each successor g = its parent's g + 1.",
        ("astar", "wastar", "ucs"),
        Change(g=_never_grows),
    ),
    Mistake(
        "g-always-one",
        "g is 1 for every successor",
        "Each successor has g = 1, however deep it is.",
        "Give each successor g = its parent's g + 1.",
        ("astar", "wastar", "ucs"),
        Change(g=_always_one),
    ),
    Mistake(
        "g-adds-h",
        "g adds up estimates",
        "A successor's g is its parent's f + 1, so that each h on the way counts again.",
        "Keep g apart from f: g = its parent's g + 1.",
        ("astar",),
        Change(g=_adds_h),
    ),
    Mistake(
        "g-counts-expansions",
        "g counts expansions, not moves",
        "One counter for the whole search stands in for the moves on the node's own path.",
        "Keep g in each node: its parent's g + 1.",
        ("astar", "wastar", "ucs"),
        Change(g=_counts_expansions),
    ),
    *SUCCESSORS,
    Mistake(
        "start-not-reached",
        "The start is not marked as reached",
        "The start is generated again and expanded a second time.",
        "Put the start among the boards reached before the loop begins.",
        ALL,
        Change(forgets_start=True),
    ),
    Mistake(
        "swapped-in-place",
        "You swap tiles in the board itself, without a copy",
        "Each successor begins from the one before it, not from the board that is expanded.",
        "Copy the board before you swap: `new = state[:]` or `list(state)`, once per successor.",
        EVERY,
        Change(switches={"copies": "none"}),
    ),
    Mistake(
        "stale-entry",
        "A shorter path changes g, but its entry in the heap stays where it was",
        "The node waits as long as with its old f, so others come first that look worse.",
        "Push the node again with its new f, and pass over the old entry when it is taken.",
        ("astar", "wastar"),
        Change(switches={"entry": "stale"}),
    ),
    Mistake(
        "pairs-in-heap",
        "You look for a board among pairs of f and board",
        "A board that waits with another f is not found, so it waits again and is expanded again.",
        "Keep a set of the boards that wait, or skip a board that was expanded when it is taken.",
        INFORMED,
        Change(switches={"member": "pairs"}),
    ),
    Mistake(
        "other-goal-first",
        "Your search looks for the goal with the blank first",
        "It does not stop at the goal of this puzzle.",
        "Compare each board with the goal of this puzzle.",
        EVERY,
        Change(goal=blank_first_goal),
    ),
    Mistake(
        "other-goal-last",
        "Your search looks for the goal with the blank last",
        "It does not stop at the goal of this puzzle.",
        "Compare each board with the goal of this puzzle.",
        EVERY,
        Change(goal=standard_goal),
    ),
    Mistake(
        "stack-for-queue",
        "Your frontier is a stack, so this is depth-first search",
        "The newest node is taken first.",
        "Take the oldest: use a queue, such as `popleft` of a deque, instead of `pop`.",
        ("bfs",),
        Change(algorithm="dfs"),
    ),
    Mistake(
        "queue-for-stack",
        "Your frontier is a queue, so this is breadth-first search",
        "The oldest node is taken first.",
        "Take the newest: use `pop` instead of `pop(0)` or `popleft`.",
        ("dfs",),
        Change(algorithm="bfs"),
    ),
    Mistake(
        "not-sorted",
        "Your queue is not a priority queue, so this is breadth-first search",
        "Nodes are taken in the order in which they were generated.",
        "Take the lowest f: use a heap, or sort before each node is taken.",
        INFORMED,
        Change(algorithm="bfs"),
    ),
    Mistake(
        "sorted-too-early",
        "Your list is sorted before the successors are added, so the last one made is taken",
        "The new nodes stay unsorted at the end of the list, and the end is where the next node is "
        "taken. Only where a node has no new successors does the best of the others come next.",
        "Sort after the successors are added, just before the next node is taken; or use a heap.",
        INFORMED,
        Change(queue=partial(SortedTooEarly, from_end=True)),
    ),
    Mistake(
        "sorted-too-early-from-front",
        "Your list is sorted before the successors are added, so they wait one turn too long",
        "The new nodes stay unsorted at the end of the list while the next one is taken from the "
        "front.",
        "Sort after the successors are added, just before the next node is taken; or use a heap.",
        INFORMED,
        Change(queue=partial(SortedTooEarly, from_end=False)),
    ),
    Mistake(
        "a-stack",
        "Your frontier is a stack, so this is depth-first search",
        "The newest node is taken first, whatever its f.",
        "Take the lowest f: use a heap, or sort before each node is taken.",
        INFORMED,
        Change(algorithm="dfs"),
    ),
)
"""The mistakes that are tried, in this order where several explain the same."""


def mistakes(algorithm: str, heuristic: str | None) -> list[Mistake]:
    """Return the mistakes that can be made in such a search."""
    return [one for one in MISTAKES if one.fits(algorithm, heuristic)]
