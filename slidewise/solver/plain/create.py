"""Creation of the plain search of a task."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from slidewise.puzzle.board import neighbour_cells
from slidewise.solver.plain.best_first import BestFirst
from slidewise.solver.plain.moves import plain_estimate
from slidewise.solver.plain.one_path import Deepening, Recursion
from slidewise.solver.plain.rules import reopening, rules_of
from slidewise.solver.plain.search import PlainSearch, Watcher
from slidewise.solver.plain.two_ends import TwoEnds
from slidewise.solver.task import FrontierKind, Rank, Task

NODE_BYTES = 400
"""Bytes per node, with its board and its entries in lists and maps."""


def room_within_memory(task: Task) -> int:
    """Return the nodes that fit into the memory of a compiled search with the task's limits."""
    return max(4, task.limits.memory(len(task.puzzle.goal.cells)) // NODE_BYTES)


class PlainRanking(NamedTuple):
    """Ranking of the frontier, and whether a shorter path reopens a board.

    `sound`: the lowest f on the frontier is a lower bound on undiscovered paths.
    """

    rank: Rank
    reopen: bool = True
    sound: bool = True


def plain_search(
    task: Task,
    watcher: Watcher | None = None,
    *,
    ranking: PlainRanking | None = None,
    room: int | None = None,
) -> PlainSearch:
    """Return the search of a task before its first expansion.

    `ranking` is for best-first search, by default the algorithm's. `room` is the maximum number of
    stored nodes, by default the task's.
    """
    frontier, puzzle, goal = task.algorithm.frontier, task.puzzle, task.puzzle.goal
    assert frontier
    ways = neighbour_cells(puzzle.rows, puzzle.cols, task.convention.order)
    depth = inf if task.limits.depth is None else task.limits.depth
    room = room or task.limits.stored_nodes
    if frontier.kind is FrontierKind.TWO_ENDS:
        return TwoEnds(puzzle, ways, room=room, watcher=watcher)
    estimate = plain_estimate(task.estimate, goal)
    if frontier.kind is FrontierKind.PATH:
        uses_h = task.heuristic is not None
        return Deepening(
            puzzle, ways, estimate, uses_h=uses_h, depth=depth, room=room, watcher=watcher
        )
    if frontier.kind is FrontierKind.RECURSION:
        return Recursion(puzzle, ways, estimate, depth=depth, room=room, watcher=watcher)
    rank, reopen, sound = ranking or default_ranking(task)
    rules = rules_of(reopening(task).convention, task.algorithm.key, reopen=reopen)
    return BestFirst(
        puzzle, ways, estimate, rank,
        rules=rules, sound=sound, depth=depth, room=room, watcher=watcher,
    )  # fmt: skip


def default_ranking(task: Task) -> PlainRanking:
    """Return the ranking that an algorithm declares.

    Breadth-first and uniform-cost search take the first path to a board, which is the shortest. So
    does depth-first search, unless the goal may be within its depth limit by a shorter path only.
    """
    first_path = task.algorithm.key in ("bfs", "ucs")
    first_path |= task.algorithm.key == "dfs" and task.limits.depth is None
    return PlainRanking(task.rank, reopen=not first_path)
