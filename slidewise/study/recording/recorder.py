"""What the recorders of all kinds of frontier have in common: events in, a recording out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from slidewise.puzzle import steps as steps_of
from slidewise.solver.events import LateExpanded
from slidewise.solver.limits import exact_weight
from slidewise.solver.result import Status
from slidewise.study.recording.node import UNTOLD, Node, State
from slidewise.study.recording.recording import (
    Expansion,
    Gap,
    RecordedIteration,
    RecordedSuccessor,
    Recording,
)
from slidewise.text import plural

if TYPE_CHECKING:
    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.events import Expanded, Iteration, Successor
    from slidewise.solver.result import Result
    from slidewise.solver.task import Algorithm, Frontier

LONGEST_PATH = 2_000
"""Most moves of a path that is recorded beyond the expansions: a longer one would be a recording of
its own, as depth-first search finds them with tens of thousands."""

REACHED = "reached"
IN_MEMORY = "kept in memory"


class Recorder(ABC):
    """Makes a recording from the events of a search.

    A recorder for a kind of frontier says how a node is taken from it (`_take`), what becomes of
    a successor that is kept (`_keep`), and which node an event means (`_node_of`). `usual_order`
    is for algorithms that have no words of their own for it.
    """

    usual_order: ClassVar[str]
    memory_label: ClassVar[str]

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        assert algorithm.frontier is not None
        self.frontier: Frontier = algorithm.frontier
        self.rank = algorithm.rank(exact_weight(weight or 1))
        order = self.frontier.order or self.usual_order
        self.recording = Recording(puzzle, algorithm, self._formula(), order, self.memory_label)
        self.nodes = self.recording.nodes
        self.steps = self.recording.steps
        self._generated = 0
        self._node_of_number: dict[int, int] = {}
        self._children: dict[tuple[int, int], int] = {}

    def begin(self, event: Iteration) -> None:
        """Note that an iteration begins."""
        first = len(self.steps) + 1 if self.recording.iterations else 0
        root = self._root_of_iteration(first)
        self.recording.iterations.append(RecordedIteration(event.kind, event.limit, first, root))

    def expand(self, event: Expanded) -> None:
        """Note an expansion."""
        if isinstance(event, LateExpanded):
            self._lead_to(event)
        at = len(self.steps) + 1
        index = self._node_of(event)
        node = self.nodes[index]
        if node.parent is None and event.parent is None:
            node.h, node.ranks = event.h, [(node.changes[0][0], event.f)]
        why = self._take(index, at)
        limit = self._limit()
        node.set_state(at, State.EXPANDED)
        node.set_f(at, event.f)
        made = [self._make(index, at, successor) for successor in event.successors]
        self._successors_made(made)
        sizes: tuple[int | None, int | None] = self._sizes()
        if isinstance(event, LateExpanded):
            sizes, self._generated = self._late_sizes(event), event.generated
        self.steps.append(Expansion(index, why, tuple(made), *sizes, self._generated, limit))

    def finish(self, result: Result) -> None:
        """Note the result and the path, which goes on where the expansions recorded end."""
        self.recording.result = result
        if result.status is not Status.SOLVED or not self.steps:
            return
        late = self.recording.gap is not None
        if late:
            self._complete_path(result)
        if late or self.recording.complete:
            goal, self.recording.solution = self._path(result)
            why = self._end(goal, len(self.steps) + 1)
            sizes = self._late_sizes_at_end() if late else self._sizes()
            self.steps.append(Expansion(goal, why, (), *sizes, self._generated))
        elif len(result.tiles) <= LONGEST_PATH:
            self._end_beyond(result)

    @abstractmethod
    def _take(self, index: int, at: int) -> str:
        """Take a node from the frontier; return why it came next."""

    @abstractmethod
    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        """Note a successor that is kept; return the index of its node."""

    @abstractmethod
    def _sizes(self) -> tuple[int, int]:
        """Return how many nodes wait, and how many are held in memory."""

    @abstractmethod
    def _forget(self) -> None:
        """Forget what waited before the gap, as what became of it is not told."""

    def _late_sizes(self, event: LateExpanded) -> tuple[int | None, int | None]:
        """Return how many nodes wait, and how many are held in memory if that is known."""
        return event.frontier, event.stored

    def _late_sizes_at_end(self) -> tuple[int | None, int | None]:
        """Return the same where the goal is taken, None where it is not known."""
        return None, None

    def _formula(self) -> str:
        """Return what f is."""
        return self.rank.formula if self.rank else ""

    def _limit(self) -> int | None:
        """Return the limit that holds for the node taken last."""
        return None

    def _node_of(self, event: Expanded) -> int:
        """Return the index of the node that is expanded."""
        return self._node_of_number[event.node]

    def _root_of_iteration(self, first: int) -> int | None:
        """Return the index of the root of an iteration, None if it has none of its own."""
        return None

    def _successors_made(self, made: list[RecordedSuccessor]) -> None:
        """Note that all successors of a node are made."""
        self._generated += len(made)

    def _end(self, goal: int, at: int) -> str:
        """Take the goal; return what that means."""
        self._take(goal, at)
        self.nodes[goal].set_state(at, State.GOAL)
        return f"It is the goal, reached in {plural(self.nodes[goal].g, 'move')}: the search ends."

    def _lead_to(self, event: LateExpanded) -> None:
        """Add the nodes on the way to a node of the last expansions that were not told of."""
        if self.recording.gap is None:
            self._begin_late(event)
        index, is_new = -1, False
        for one in event.path:
            assert one.node is not None
            known = self._node_of_number.get(one.node)
            is_new = known is None
            if known is None and index < 0:
                known = self._late_root(one)
            elif known is None:
                known = self._add_late(index, one.board, one.h, one.f)
            index = self._node_of_number[one.node] = known
        if is_new:
            self._still_waits(index)

    def _begin_late(self, event: LateExpanded) -> None:
        after = len(self.steps)
        self._node_of_number.clear()
        self._children.clear()
        self._forget()
        roots = self._late_roots(after + 1)
        self.recording.gap = Gap(after, event.order - 1 - after, roots)

    def _late_roots(self, at: int) -> tuple[int, ...]:
        """Return the roots of the tree of the last expansions: of an iteration begun in the gap,
        or else new."""
        begun = self.recording.iterations[-1:]
        if begun and begun[0].root is not None and begun[0].first == at:
            return (begun[0].root,)
        return (self._add_root(at, self.recording.puzzle.start),)

    def _late_root(self, one: Successor) -> int:
        """Return the index of the root that is told of, which is noted as expanded in the gap."""
        index = self._root_with(one.board)
        node = self.nodes[index]
        made = node.changes[0][0]
        node.h, node.ranks, node.changes = one.h, [(made, one.f)], [(made, State.EXPANDED)]
        return index

    def _root_with(self, board: Board) -> int:
        """Return the index of the root under way that has the board."""
        return self.recording.root_at(len(self.steps) + 1)

    def _add_late(self, parent: int, board: Board, h: int, f: int) -> int:
        """Add a node of a path that was made in the gap, and expanded there."""
        assert self.recording.gap is not None
        at, g = self.recording.gap.after + 1, self.nodes[parent].g + 1
        self.nodes.append(Node(parent, board, g, h, None, [(at, State.EXPANDED)], [(at, f)]))
        index = self._children[parent, board.blank] = len(self.nodes) - 1
        return index

    def _still_waits(self, index: int) -> None:
        """Note that a node made in the gap was not expanded there."""
        node = self.nodes[index]
        node.changes = [(node.changes[0][0], State.WAITING)]

    def _lead_down(self, index: int, boards: list[Board]) -> int:
        """Return the node at the end of a path below a node; what is not known of it is added."""
        for board in boards:
            known = self._children.get((index, board.blank))
            if known is None:
                known = self._add_late(index, board, UNTOLD, UNTOLD)
                if board is boards[-1]:
                    self._still_waits(known)
            index = known
        return index

    def _complete_path(self, result: Result) -> None:
        """Add the nodes of the path that were made in the gap."""
        root = self.recording.root_at(len(self.steps) + 1)
        boards = [step.board for step in steps_of(self.recording.puzzle.start, result.moves)]
        self._lead_down(root, boards)

    def _end_beyond(self, result: Result) -> None:
        """Note the end of a search whose last expansions were not recorded."""
        at, shown = len(self.steps) + 1, len(self.steps)
        path = [self.recording.root_at(at)]
        for step in steps_of(self.recording.puzzle.start, result.moves):
            child = self._children.get((path[-1], step.board.blank))
            path.append(self._add_beyond(at, path[-1], step.board) if child is None else child)
        for index in path[:-1]:
            self.nodes[index].set_state(at, State.EXPANDED)
        self.nodes[path[-1]].set_state(at, State.GOAL)
        self.recording.solution = path
        why = (
            f"The search ends after {result.expanded:,} expansions with a path of "
            f"{plural(len(path) - 1, 'move')}; those after the first {shown:,} are left out."
        )
        self.steps.append(Expansion(path[-1], why, (), None, None, result.generated))

    def _add_beyond(self, at: int, parent: int, board: Board) -> int:
        """Add a node of the path whose making was not recorded; return its index."""
        g = self.nodes[parent].g + 1
        changes = [(at, State.EXPANDED)]
        self.nodes.append(Node(parent, board, g, UNTOLD, None, changes, [(at, UNTOLD)]))
        return len(self.nodes) - 1

    def _make(self, parent: int, at: int, successor: Successor) -> RecordedSuccessor:
        if successor.fate.is_kept:
            index = self._keep(at, parent, successor)
        else:
            index = self._add(at, parent, successor, State.DROPPED)
        return RecordedSuccessor(index, successor.f, successor.fate)

    def _add(self, at: int, parent: int, successor: Successor, state: State) -> int:
        """Add a node for a successor; return its index."""
        index = len(self.nodes)
        one = successor
        changes, ranks = [(at, state)], [(at, one.f)]
        self.nodes.append(Node(parent, one.board, one.g, one.h, one.fate, changes, ranks))
        self._children[parent, one.board.blank] = index
        return index

    def _add_root(self, at: int, board: Board) -> int:
        """Add the root of a tree, which waits; its h and f become known when it is taken."""
        self._generated += 1
        self.nodes.append(Node(None, board, 0, 0, None, [(at, State.WAITING)], [(at, 0)]))
        return len(self.nodes) - 1

    def _path(self, result: Result) -> tuple[int, list[int]]:
        """Return the last node taken, and the path of the result, as indices."""
        index = self.recording.root_at(len(self.steps) + 1)
        path = [index]
        for step in steps_of(self.recording.puzzle.start, result.moves):
            index = self._children[index, step.board.blank]
            path.append(index)
        return index, path
