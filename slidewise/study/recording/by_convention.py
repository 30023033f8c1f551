"""Recording searches under another convention than Slidewise's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.solver.convention import Against, GoalTest, Ties
from slidewise.solver.events import Fate
from slidewise.study.recording.best_first import START, BestFirstRecorder
from slidewise.study.recording.node import State
from slidewise.text import plural

if TYPE_CHECKING:
    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.convention import Convention
    from slidewise.solver.events import LateExpanded, Successor
    from slidewise.solver.task import Algorithm

MADE_FIRST = "the one made first"
"""The words of an order that a convention with other ties replaces."""


class ConventionRecorder(BestFirstRecorder):
    """One frontier, whose order is that of the events: no queue is held a second time."""

    def __init__(
        self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None, convention: Convention
    ) -> None:
        super().__init__(puzzle, algorithm, weight)
        self._convention = convention
        self._is_stack = algorithm.key == "dfs"
        self._ties = convention.siblings if self._is_stack else convention.ties
        self._made: list[int] = []
        self._waiting_with_board: dict[Board, list[int]] = {puzzle.start: [0]}
        self.recording.convention = str(convention)
        self.recording.order = self._order()

    def _order(self) -> str:
        """Return which node comes first, and what becomes of boards reached before."""
        rule, order = self._convention.duplicates.words, self.recording.order
        if not self._is_stack:
            order = order.replace(MADE_FIRST, self._convention.first)
        elif self._ties is Ties.LAST_IN:
            order = order.replace(MADE_FIRST, "the one made last")
        return f"{order} {rule[0].upper()}{rule[1:]}."

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        index = self._add(at, parent, successor, State.WAITING)
        rule, alike = self._convention.duplicates, self._waiting_with_board
        older = self._reached.get(successor.board)  # or it was made in the gap
        if successor.fate is Fate.SHORTER and rule.against is Against.MADE and older is not None:
            self._leave_behind(older, at)
        self._reached[successor.board] = index
        alike.setdefault(successor.board, []).append(index)
        assert successor.node is not None
        self._node_of_number[successor.node] = index
        self._made.append(index)
        self._waiting_with_f[successor.f] += 1
        return index

    def _forget(self) -> None:
        super()._forget()
        self._made.clear()
        self._waiting_with_board.clear()

    def _late_sizes(self, event: LateExpanded) -> tuple[int | None, int | None]:
        return event.frontier, None

    def _leave_behind(self, older: int, at: int) -> None:
        """Note that a shorter path to a node's board was found; it may be expanded all the same."""
        node = self.nodes[older]
        if node.state is not State.WAITING:
            node.set_state(at, State.REPLACED)
        elif self._convention.duplicates.passes_over:
            self._pass_over(older, at, State.REPLACED)

    def _pass_over(self, index: int, at: int, state: State) -> None:
        """Note that a node that waits will never be expanded."""
        node = self.nodes[index]
        if node.state is State.WAITING:
            node.set_state(at, state)
            self._waiting_with_f[node.f] -= 1

    def _take(self, index: int, at: int) -> str:
        if at == 1:
            return START
        node = self.nodes[index]
        if self._is_stack:
            self._leave_deeper(node.g, at)
        tied = self._waiting_with_f[node.f]
        self._waiting_with_f[node.f] -= 1
        self._pass_over_alike(index, at)
        return self._why(node, tied)

    def _leave_deeper(self, depth: int, at: int) -> None:
        """Leave what is above on the stack: it was taken at the depth limit, or passed over."""
        while self._made and self.nodes[self._made[-1]].g > depth:
            self._pass_over(self._made.pop(), at, State.LEFT)

    def _pass_over_alike(self, taken: int, at: int) -> None:
        """Leave the nodes with the board of the one taken, where that is expanded only once."""
        rule, node = self._convention.duplicates, self.nodes[taken]
        if rule.against is not Against.EXPANDED or not rule.passes_over:
            return
        for index in self._waiting_with_board.get(node.board, []):
            comes_back = rule.reopens and self.nodes[index].g < node.g
            if index != taken and not comes_back:
                self._pass_over(index, at, State.LEFT)

    def _tie_words(self) -> str:
        if self._is_stack:
            return "it was made last" if self._ties is Ties.LAST_IN else "it was made first"
        return self._convention.tie_words

    def _end(self, goal: int, at: int) -> str:
        if self._convention.goal_test is GoalTest.TAKEN:
            return super()._end(goal, at)
        self.nodes[goal].set_state(at, State.GOAL)
        moves = plural(self.nodes[goal].g, "move")
        return f"It is the goal, found as soon as it was generated, {moves} from the start."
