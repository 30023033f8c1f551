"""Node store of bidirectional search: arrays for its kernel.

Importing this module loads numpy and the compiled functions, so import it lazily.
"""

import numpy as np

from slidewise.solver.engines.node_store import NodeStore, pack
from slidewise.solver.kernels import bidirectional as kernel
from slidewise.solver.kernels import store
from slidewise.solver.loop import Outcome
from slidewise.solver.task import Task, slots

START, GOAL = range(2)
"""The ends, and their first nodes."""

_OUTCOMES = {
    kernel.MEETING: Outcome.GOAL,
    kernel.BUDGET_USED: Outcome.RUNNING,
    kernel.NODES_FULL: Outcome.FULL,
    kernel.HASH_FULL: Outcome.RUNNING,
    kernel.LAYER_DONE: Outcome.RUNNING,
    kernel.NO_NODES_LEFT: Outcome.EMPTY,
}


class CompiledTwoEnds(NodeStore):
    """Nodes reached from the start and from the goal.

    The arrays are described in `kernels/bidirectional.py`.
    """

    def __init__(self, task: Task) -> None:
        super().__init__(task, 1, 0)
        self._same = task.puzzle.start == task.puzzle.goal
        self._layers = np.array([[START, START + 1, 0], [GOAL, GOAL + 1, 0]], dtype=np.int64)
        self._turn = np.full(4, store.EMPTY, dtype=np.int64)
        self._nodes["next"][START] = START
        self._too_small = task.limits.stored_nodes < 2
        if not self._same and not self._too_small:
            self._add_goal()

    @property
    def proved(self) -> int:
        """Lower bound in moves until the ends meet: the sum of both depths plus 1."""
        return 0 if self._same else int(self._layers[:, kernel.DEPTH].sum()) + 1

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` nodes of the current layer; return the outcome."""
        if self._same or self._too_small:
            return Outcome.GOAL if self._same else Outcome.FULL
        arrays = kernel.TwoEndsArrays(self._store, self._layers, self._turn, self._neighbours)
        code = kernel.search_slice(arrays, budget)
        if code == kernel.HASH_FULL:
            self._new_hash(min(4 * len(self._slots), slots(len(self._nodes))))
        return _OUTCOMES[code]

    def path(self) -> list[int]:
        if self._same:
            return [self._puzzle.start.blank]
        met = (int(self._turn[place]) for place in (kernel.MET_FROM, kernel.MET_AT))
        # `next` holds the end of a node here, and START is below GOAL.
        from_start, from_goal = sorted(met, key=lambda node: int(self._nodes["next"][node]))
        return self._to_end(from_start)[::-1] + self._to_end(from_goal)

    def _to_end(self, node: int) -> list[int]:
        """Return the blank's cells from `node` back to its end."""
        blanks = []
        while node != store.EMPTY:
            blanks.append(int(self._nodes["blank"][node]))
            node = int(self._nodes["parent"][node])
        return blanks

    def _add_goal(self) -> None:
        goal, none = self._puzzle.goal, store.EMPTY
        self._states[GOAL] = pack(goal)
        self._nodes[GOAL] = none, GOAL, 0, 0, goal.blank, store.OPEN
        counted = [store.STORED, store.LIVE, store.PEAK_LIVE, store.GENERATED]
        self._counts[counted] = 2
