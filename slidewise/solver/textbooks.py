"""The conventions that have a name: those of textbooks, courses and notebooks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from slidewise.solver.rules import (
    SLIDEWISE,
    Convention,
    Counted,
    Duplicates,
    GoalTest,
    Queue,
    Ties,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class NamedConvention:
    """A convention by the name of who has it, with what is otherwise in some algorithms.

    `source` says where it can be read, `written_for` in which algorithms.
    """

    usual: Convention
    source: str
    own: Mapping[str, Convention] = field(default_factory=dict)
    written_for: tuple[str, ...] = ("bfs", "dfs", "ucs", "greedy", "astar")

    def of(self, algorithm: str) -> Convention:
        """Return the convention for the algorithm of that key."""
        return self.own.get(algorithm, self.usual)


def _named(source: str, usual: Convention, **own: dict[str, Any]) -> NamedConvention:
    """Return a convention, and by the keys of algorithms what is otherwise there."""
    return NamedConvention(
        usual, source, {key: replace(usual, **facts) for key, facts in own.items()}
    )


_AIMA = "S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach"

_MADE_AT_ONCE = {"goal_test": GoalTest.MADE, "duplicates": Duplicates.MADE}

_ALL = (
    _named("docs/conventions.md", SLIDEWISE, dfs={"duplicates": Duplicates.MADE}),
    _named(
        f"{_AIMA}, 3rd edition, 2010, figures 3.7, 3.11 and 3.14",
        Convention("aima3", "AIMA, 3rd edition", duplicates=Duplicates.DECREASE_KEY),
        bfs=_MADE_AT_ONCE,
        dfs={"siblings": Ties.LAST_IN, "duplicates": Duplicates.MADE},
    ),
    _named(
        f"{_AIMA}, 4th edition, 2020, figures 3.7, 3.9 and 3.12",
        Convention("aima4", "AIMA, 4th edition", duplicates=Duplicates.SHORTER_STALE),
        bfs=_MADE_AT_ONCE,
        dfs={"siblings": Ties.LAST_IN, "duplicates": Duplicates.PATH},
    ),
    _named(
        "aima-python, search.py: the program beside the book",
        Convention(
            "aima-python",
            "aima-python",
            duplicates=Duplicates.DECREASE_KEY,
            queue=Queue.BOARDS,
            ties=Ties.AS_QUEUED,
        ),
        bfs=_MADE_AT_ONCE,
        dfs={"siblings": Ties.LAST_IN, "duplicates": Duplicates.MADE},
        greedy={"duplicates": Duplicates.MADE},
    ),
    _named(
        "ColumbiaX, CSMM.101x, project 1",
        Convention("columbia", "ColumbiaX", duplicates=Duplicates.MADE, deepest=Counted.MADE),
    ),
    _named(
        "Princeton, COS 226, and Coursera, Algorithms: 8 Puzzle",
        Convention(
            "princeton",
            "Princeton and Coursera",
            duplicates=Duplicates.PARENT,
            queue=Queue.BINARY_HEAP,
            ties=Ties.AS_QUEUED,
            counts=Counted.TAKEN,
        ),
    ),
    _named("42, n-puzzle", Convention("42", "42", counts=Counted.TAKEN)),
    _named(
        "a notebook: breadth-first search with NumPy arrays",
        Convention("notebook-bfs", "Notebook: breadth-first", duplicates=Duplicates.MADE),
    ),
    _named(
        "a program to play, which gives up by breadth-first search without a list of boards seen",
        Convention("notebook-play", "Notebook: play or give up", duplicates=Duplicates.NOTHING),
    ),
    _named(
        "a notebook: A* on 2x3 with queue.PriorityQueue, whose entries are f and the board",
        Convention(
            "notebook-2x3",
            "Notebook: A* on 2x3",
            duplicates=Duplicates.SHORTER_STALE,
            queue=Queue.BOARDS,
            ties=Ties.AS_QUEUED,
        ),
    ),
    _named(
        "a notebook: recursive depth-first search to a limit, with a list of boards expanded",
        Convention(
            "notebook-iddfs",
            "Notebook: iterative deepening",
            order="ulrd",
            duplicates=Duplicates.EXPANDED_STALE,
            queue=Queue.LIST,
        ),
    ),
    _named(
        "a notebook: recursive best-first search, which sorts the successors in a list",
        Convention(
            "notebook-rbfs",
            "Notebook: recursive best-first",
            order="rdlu",
            duplicates=Duplicates.NOTHING,
            queue=Queue.LIST,
        ),
    ),
)

_WRITTEN_FOR = {
    "notebook-bfs": ("bfs",),
    "notebook-play": ("bfs",),
    "notebook-iddfs": (),
    "notebook-rbfs": (),
}
"""The algorithms of programs that have one search only; of the last two, none of those that run
under any convention."""

NAMED: Mapping[str, NamedConvention] = {
    key: replace(one, written_for=_WRITTEN_FOR.get(key, one.written_for))
    for key, one in ((one.usual.key, one) for one in _ALL)
}
"""The conventions that have a name, by their keys."""
