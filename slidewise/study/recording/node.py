"""A node of a recorded search, and what it is from which expansion on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slidewise.puzzle import Board
    from slidewise.solver.events import Fate

UNTOLD = -1
"""The h and f of a node of the path whose making was not recorded."""


class State(IntEnum):
    """What a node is at some expansion.

    `replaced`: a shorter path to its board was found. `left`: taken without being expanded, or
    forgotten by a search that keeps one path only. `met`: the two ends met there.
    """

    UNMADE = 0
    WAITING = 1
    EXPANDED = 2
    DROPPED = 3
    REPLACED = 4
    LEFT = 5
    MET = 6
    GOAL = 7


@dataclass(slots=True)
class Node:
    """A node of the tree. `parent` is the index of its parent, None at a root.

    `changes` are pairs of an expansion and the state from then on, `ranks` of an expansion and
    the f from then on, which changes in recursive best-first search only. `fate` is None at a
    root, and where the node was made in the gap; `other` is the index of the other end's node with
    the same board, where the ends met.
    """

    parent: int | None
    board: Board
    g: int
    h: int
    fate: Fate | None
    changes: list[tuple[int, State]]
    ranks: list[tuple[int, int]]
    other: int | None = None

    @property
    def state(self) -> State:
        """Return the last state."""
        return self.changes[-1][1]

    @property
    def f(self) -> int:
        """Return the last f."""
        return self.ranks[-1][1]

    def set_state(self, at: int, state: State) -> None:
        """Note that the node is in `state` from expansion `at` on."""
        if self.state is not state:
            self.changes.append((at, state))

    def set_f(self, at: int, f: int) -> None:
        """Note that the f of the node is `f` from expansion `at` on."""
        if self.f != f:
            self.ranks.append((at, f))
