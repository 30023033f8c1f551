"""Recorders for each kind of frontier: search events in, a recording out."""

import heapq
from abc import ABC, abstractmethod
from collections import Counter
from typing import ClassVar

from slidewise.course.searching.recording import (
    UNKNOWN,
    Expansion,
    Gap,
    Node,
    RecordedIteration,
    RecordedSuccessor,
    Recording,
    State,
    limit_words,
)
from slidewise.puzzle import Board, Puzzle
from slidewise.puzzle import steps as steps_of
from slidewise.solver.convention import Against, Convention, GoalTest, Ties
from slidewise.solver.events import Expanded, Fate, Iteration, Successor, TailExpanded
from slidewise.solver.result import Result, Status
from slidewise.solver.task import Algorithm, Frontier, Rank, exact_weight
from slidewise.text import message, noop, plural

LONGEST_PATH = 2_000
"""Maximum recorded moves of a path beyond the recorded expansions. Depth-first search finds paths
of tens of thousands of moves, as large as a recording."""

REACHED = "reached"
IN_MEMORY = "kept in memory"


class Recorder(ABC):
    """Builds a recording from the events of a search.

    A subclass for a kind of frontier defines three steps: removing a node (`_take`), storing a kept
    successor (`_keep`), and finding the node of an event (`_node_of`). `usual_order` is for
    algorithms without an order description of their own.
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
        """Record the start of an iteration."""
        first = len(self.steps) + 1 if self.recording.iterations else 0
        root = self._root_of_iteration(first)
        self.recording.iterations.append(RecordedIteration(event.kind, event.limit, first, root))

    def expand(self, event: Expanded) -> None:
        """Record an expansion."""
        if isinstance(event, TailExpanded):
            self._attach_path(event)
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
        if isinstance(event, TailExpanded):
            sizes, self._generated = self._late_sizes(event), event.generated
        self.steps.append(Expansion(index, why, tuple(made), *sizes, self._generated, limit))

    def finish(self, result: Result) -> None:
        """Record the result, and the path beyond the recorded expansions."""
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
        """Take a node from the frontier; return the reason that it came next."""

    @abstractmethod
    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        """Record a kept successor; return the index of its node."""

    @abstractmethod
    def _sizes(self) -> tuple[int, int]:
        """Return the numbers of frontier nodes and of nodes in memory."""

    @abstractmethod
    def _forget(self) -> None:
        """Drop the frontier of before the gap, whose later states are unknown."""

    def _late_sizes(self, event: TailExpanded) -> tuple[int | None, int | None]:
        """Return the numbers of frontier nodes and of nodes in memory, None if unknown."""
        return event.frontier, event.stored

    def _late_sizes_at_end(self) -> tuple[int | None, int | None]:
        """Return the counts at the goal's removal, None if unknown."""
        return None, None

    def _formula(self) -> str:
        """Return the formula of f."""
        return self.rank.formula if self.rank else ""

    def _limit(self) -> int | None:
        """Return the limit for the last node taken."""
        return None

    def _node_of(self, event: Expanded) -> int:
        """Return the index of the expanded node."""
        return self._node_of_number[event.node]

    def _root_of_iteration(self, first: int) -> int | None:
        """Return the root index of an iteration, None if it has no root of its own."""
        return None

    def _successors_made(self, made: list[RecordedSuccessor]) -> None:
        """Record that all successors of a node are generated."""
        self._generated += len(made)

    def _end(self, goal: int, at: int) -> str:
        """Take the goal; return its explanation."""
        self._take(goal, at)
        self.nodes[goal].set_state(at, State.GOAL)
        moves = plural(self.nodes[goal].g, "move")
        return message("It is the goal, reached in %(moves)s: the search ends.", moves=moves)

    def _attach_path(self, event: TailExpanded) -> None:
        """Add the unrecorded ancestors of a node of the last expansions."""
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

    def _begin_late(self, event: TailExpanded) -> None:
        after = len(self.steps)
        self._node_of_number.clear()
        self._children.clear()
        self._forget()
        roots = self._late_roots(after + 1)
        self.recording.gap = Gap(after, event.order - 1 - after, roots)

    def _late_roots(self, at: int) -> tuple[int, ...]:
        """Return the roots of the last expansions' tree: from an iteration started in the gap, or
        else new roots."""
        begun = self.recording.iterations[-1:]
        if begun and begun[0].root is not None and begun[0].first == at:
            return (begun[0].root,)
        return (self._add_root(at, self.recording.puzzle.start),)

    def _late_root(self, one: Successor) -> int:
        """Return the index of the event's root, marked as expanded in the gap."""
        index = self._root_with(one.board)
        node = self.nodes[index]
        made = node.changes[0][0]
        node.h, node.ranks, node.changes = one.h, [(made, one.f)], [(made, State.EXPANDED)]
        return index

    def _root_with(self, board: Board) -> int:
        """Return the index of the active root with the board."""
        return self.recording.root_at(len(self.steps) + 1)

    def _add_late(self, parent: int, board: Board, h: int, f: int) -> int:
        """Add a path node that was generated and expanded in the gap."""
        assert self.recording.gap is not None
        at, g = self.recording.gap.after + 1, self.nodes[parent].g + 1
        self.nodes.append(Node(parent, board, g, h, None, [(at, State.EXPANDED)], [(at, f)]))
        index = self._children[parent, board.blank] = len(self.nodes) - 1
        return index

    def _still_waits(self, index: int) -> None:
        """Record that a node generated in the gap was not expanded there."""
        node = self.nodes[index]
        node.changes = [(node.changes[0][0], State.WAITING)]

    def _lead_down(self, index: int, boards: list[Board]) -> int:
        """Return the node at the end of a path below a node; missing nodes are added."""
        for board in boards:
            known = self._children.get((index, board.blank))
            if known is None:
                known = self._add_late(index, board, UNKNOWN, UNKNOWN)
                if board is boards[-1]:
                    self._still_waits(known)
            index = known
        return index

    def _complete_path(self, result: Result) -> None:
        """Add the path nodes that were generated in the gap."""
        root = self.recording.root_at(len(self.steps) + 1)
        boards = [step.board for step in steps_of(self.recording.puzzle.start, result.moves)]
        self._lead_down(root, boards)

    def _end_beyond(self, result: Result) -> None:
        """Record the end of a search whose last expansions were not recorded."""
        at, shown = len(self.steps) + 1, len(self.steps)
        path = [self.recording.root_at(at)]
        for step in steps_of(self.recording.puzzle.start, result.moves):
            child = self._children.get((path[-1], step.board.blank))
            path.append(
                self._add_rest_of_path(at, path[-1], step.board) if child is None else child
            )
        for index in path[:-1]:
            self.nodes[index].set_state(at, State.EXPANDED)
        self.nodes[path[-1]].set_state(at, State.GOAL)
        self.recording.solution = path
        why = (
            f"The search ends after {result.expanded:,} expansions with a path of "
            f"{plural(len(path) - 1, 'move')}; those after the first {shown:,} are left out."
        )
        self.steps.append(Expansion(path[-1], why, (), None, None, result.generated))

    def _add_rest_of_path(self, at: int, parent: int, board: Board) -> int:
        """Add a path node whose generation was not recorded; return its index."""
        g = self.nodes[parent].g + 1
        changes = [(at, State.EXPANDED)]
        self.nodes.append(Node(parent, board, g, UNKNOWN, None, changes, [(at, UNKNOWN)]))
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
        """Add the root of a tree to the frontier; its h and f are set at its removal."""
        self._generated += 1
        self.nodes.append(Node(None, board, 0, 0, None, [(at, State.WAITING)], [(at, 0)]))
        return len(self.nodes) - 1

    def _path(self, result: Result) -> tuple[int, list[int]]:
        """Return the indices of the last node taken and of the path of the result."""
        index = self.recording.root_at(len(self.steps) + 1)
        path = [index]
        for step in steps_of(self.recording.puzzle.start, result.moves):
            index = self._children[index, step.board.blank]
            path.append(index)
        return index, path


START = "The start is the only node."


class BestFirstRecorder(Recorder):
    """One frontier: the lowest f first; with equal f, the oldest node first."""

    usual_order = message(
        "A priority queue: the lowest f comes first; with equal f, the one made first."
    )
    memory_label = REACHED

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        super().__init__(puzzle, algorithm, weight)
        self._node_of_number[0] = self._add_root(0, puzzle.start)
        self._reached: dict[Board, int] = {puzzle.start: 0}
        self._queue: list[tuple[int, int]] = []
        self._waiting_with_f: Counter[int] = Counter()

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        index = self._add(at, parent, successor, State.WAITING)
        if successor.fate is Fate.SHORTER and successor.board in self._reached:
            older = self.nodes[self._reached[successor.board]]
            if older.state is State.WAITING:
                self._waiting_with_f[older.f] -= 1
            older.set_state(at, State.REPLACED)
        self._reached[successor.board] = index
        assert successor.node is not None
        self._node_of_number[successor.node] = index
        heapq.heappush(self._queue, (successor.f, index))
        self._waiting_with_f[successor.f] += 1
        return index

    def _take(self, index: int, at: int) -> str:
        """Take a node. Earlier queue entries that were not replaced are marked as taken, but not
        expanded, because they are at the depth limit."""
        if at == 1:
            return START
        node = self.nodes[index]
        place = node.f, index if node.fate else 0  # generated in the gap: before the known nodes
        while self._queue and self._queue[0] <= place:
            first = heapq.heappop(self._queue)[1]
            if first != index and self.nodes[first].state is State.WAITING:
                self.nodes[first].set_state(at, State.LEFT)
                self._waiting_with_f[self.nodes[first].f] -= 1
        tied = self._waiting_with_f[node.f]
        self._waiting_with_f[node.f] -= 1
        return self._why(node, tied)

    def _forget(self) -> None:
        self._reached.clear()
        self._queue.clear()

    def _late_sizes(self, event: TailExpanded) -> tuple[int | None, int | None]:
        """Return the sizes; if a longer path can come first, some stored nodes share a board."""
        return event.frontier, event.stored if self.rank == Rank(1, 0) else None

    def _sizes(self) -> tuple[int, int]:
        return sum(self._waiting_with_f.values()), len(self._reached)

    def _why(self, node: Node, tied: int) -> str:
        """Explain why `node` came next of `tied` nodes with the lowest f. The number is unknown
        after the gap."""
        frontier = self.frontier
        filled_in = {
            "g": node.g,
            "h": node.h,
            "f": node.f,
            "depth": plural(node.g, "move"),
            "formula": self.recording.formula,
            "sum": self.rank.worked_out(node.g, node.h) if self.rank else str(node.f),
        }
        reason = message(frontier.reason or self._usual_reason(), **filled_in)
        if not frontier.ties or (tied < 2 and not self.recording.gap):
            return message("%(reason)s.", reason=reason)
        ties, first = message(frontier.ties, **filled_in), self._tie_words()
        if self.recording.gap:
            return f"{reason}; among nodes {ties}, if there were others, {first}."
        return message(
            "%(reason)s; of the %(tied)s nodes %(ties)s, %(first)s.",
            reason=reason,
            tied=tied,
            ties=ties,
            first=first,
        )

    def _tie_words(self) -> str:
        """Return the reason that a node was taken before its ties."""
        return message("it was made first")

    def _usual_reason(self) -> str:
        if self.rank:
            return noop("It has the lowest f = %(formula)s: %(sum)s")
        return noop("It has the lowest f on the frontier: %(f)s")


MADE_FIRST = "the one made first"
"""Order descriptions that a convention with other ties replaces."""


class ConventionRecorder(BestFirstRecorder):
    """One frontier in the order of the events, without a second queue."""

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
        """Describe the queue order and the handling of duplicate boards."""
        rule, order = self._convention.duplicates.words, self.recording.order
        if not self._is_stack:
            order = order.replace(MADE_FIRST, self._convention.first)
        elif self._ties is Ties.LAST_IN:
            order = order.replace(MADE_FIRST, "the one made last")
        return f"{order} {rule[0].upper()}{rule[1:]}."

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        index = self._add(at, parent, successor, State.WAITING)
        rule, alike = self._convention.duplicates, self._waiting_with_board
        older = self._reached.get(successor.board)  # or it was generated in the gap
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

    def _late_sizes(self, event: TailExpanded) -> tuple[int | None, int | None]:
        return event.frontier, None

    def _leave_behind(self, older: int, at: int) -> None:
        """Record a shorter path to a node's board; the node may still be expanded."""
        node = self.nodes[older]
        if node.state is not State.WAITING:
            node.set_state(at, State.REPLACED)
        elif self._convention.duplicates.passes_over:
            self._pass_over(older, at, State.REPLACED)

    def _pass_over(self, index: int, at: int, state: State) -> None:
        """Record that a frontier node will never be expanded."""
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
        """Mark the nodes above it on the stack as left: taken at the depth limit, or skipped."""
        while self._made and self.nodes[self._made[-1]].g > depth:
            self._pass_over(self._made.pop(), at, State.LEFT)

    def _pass_over_alike(self, taken: int, at: int) -> None:
        """Mark the nodes with the same board as left, if each board is expanded only once."""
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


class _OnePathRecorder(Recorder):
    """A path, and at each level its frontier nodes in the order of generation.

    `_levels[0]` is the root, and `_levels[g]` are the successors of the node at g - 1 on the path.
    """

    memory_label = IN_MEMORY

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        super().__init__(puzzle, algorithm, weight)
        self._path_taken: list[int] = []
        self._levels: list[list[int]] = []

    def _new_root(self, at: int) -> int:
        root = self._add_root(at, self.recording.puzzle.start)
        if self.recording.iterations:
            self._generated -= 1  # the start counts once
        self._path_taken, self._levels = [], [[root]]
        return root

    def _node_of(self, event: Expanded) -> int:
        return self._levels[0][0] if event.parent is None else super()._node_of(event)

    def _successors_made(self, made: list[RecordedSuccessor]) -> None:
        super()._successors_made(made)
        self._levels.append([one.node for one in made if one.fate.is_kept])

    def _note_number(self, index: int, successor: Successor) -> int:
        assert successor.node is not None
        self._node_of_number[successor.node] = index
        return index

    def _sizes(self) -> tuple[int, int]:
        in_memory = sum(map(len, self._levels))
        return in_memory - len(self._path_taken), in_memory

    def _forget(self) -> None:
        self._path_taken, self._levels = [], []

    def _attach_path(self, event: TailExpanded) -> None:
        begins = self.recording.gap is None
        super()._attach_path(event)
        if begins:  # the nodes above the next one
            assert event.path[-1].node is not None
            index = self.nodes[self._node_of_number[event.path[-1].node]].parent
            while index is not None:
                self._path_taken.insert(0, index)
                index = self.nodes[index].parent

    def _late_roots(self, at: int) -> tuple[int, ...]:
        roots = super()._late_roots(at)
        self._levels = [[*roots]]
        return roots

    def _add_late(self, parent: int, board: Board, h: int, f: int) -> int:
        index = super()._add_late(parent, board, h, f)
        self._levels += [[] for _ in range(len(self._levels), self.nodes[index].g + 1)]
        self._levels[self.nodes[index].g].append(index)
        return index

    def _leave(self, indices: list[int], at: int) -> None:
        for index in indices:
            self.nodes[index].set_state(at, State.LEFT)


class DeepeningRecorder(_OnePathRecorder):
    """Depth-first search, a tree for each limit."""

    usual_order = message(
        "A stack: nodes waiting along the path, the deepest first; with equal depth, the one "
        "made first."
    )

    def begin(self, event: Iteration) -> None:
        super().begin(event)
        self.recording.limit_name = event.kind

    def _root_of_iteration(self, first: int) -> int:
        return self._new_root(first)

    def _limit(self) -> int:
        return self.recording.iterations[-1].limit

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        return self._note_number(self._add(at, parent, successor, State.WAITING), successor)

    def _take(self, index: int, at: int) -> str:
        node = self.nodes[index]
        for level in self._levels[node.g + 1 :]:
            self._leave(level, at)
        del self._levels[node.g + 1 :], self._path_taken[node.g :]
        siblings = self._levels[node.g]
        taken = siblings.index(index)
        self._leave(siblings[:taken], at)
        del siblings[:taken]
        self._path_taken.append(index)
        return self._why(node)

    def _why(self, node: Node) -> str:
        limit, gap = limit_words(self.recording.limit_name, self._limit()), self.recording.gap
        if node.parent is None:
            again = "The search begins again" if len(self.recording.iterations) > 1 else "It begins"
            return f"{again} from the start, with the {limit}."
        value = f"g = {node.g}"
        if self.rank and self.rank.h_weight:
            value = f"f = {self.rank.worked_out(node.g, node.h)}"
        if gap and gap.after == len(self.steps):
            return (
                f"It is the next one waiting along the path, within the {limit}: {value}. The "
                "expansion before it is not recorded."
            )
        if self.steps and node.parent == self.steps[-1].node:
            return message(
                "It is the first successor of the previous node within the %(limit)s: %(value)s.",
                limit=limit,
                value=value,
            )
        return message(
            "Nothing is left to do below the previous node, so the search goes back to the next "
            "one that is waiting along the path, within the %(limit)s: %(value)s.",
            limit=limit,
            value=value,
        )


class RecursionRecorder(_OnePathRecorder):
    """Recursive best-first search: one tree, whose nodes are generated again with stored f
    values."""

    usual_order = message(
        "Nodes waiting along the path, the lowest stored f first; with equal f, the deepest, and "
        "there the one made first."
    )

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        super().__init__(puzzle, algorithm, weight)
        self.recording.limit_name = "f-limit"
        self._lowest_other: int | None = None
        self._not_whole = 0  # levels from the root with some nodes unknown
        self._new_root(0)

    def _formula(self) -> str:
        formula = super()._formula()
        return message("%(formula)s, or what was backed up", formula=formula) if formula else ""

    def _limit(self) -> int | None:
        return self._lowest_other

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        index = self._children.get((parent, successor.board.blank))
        if index is None:
            index = self._add(at, parent, successor, State.WAITING)
        else:
            self.nodes[index].set_state(at, State.WAITING)
            self.nodes[index].set_f(at, successor.f)
        return self._note_number(index, successor)

    def _make(self, parent: int, at: int, successor: Successor) -> RecordedSuccessor:
        index = self._children.get((parent, successor.board.blank))
        if index is not None and not successor.fate.is_kept:
            self.nodes[index].set_f(at, successor.f)
            return RecordedSuccessor(index, successor.f, successor.fate)
        return super()._make(parent, at, successor)

    def _take(self, index: int, at: int) -> str:
        node = self.nodes[index]
        while len(self._path_taken) > node.g:
            self._go_back(at)
        self._path_taken.append(index)
        if self.recording.gap:
            self._lowest_other = None
            return self._why_late(node)
        self._lowest_other = min(
            (
                self.nodes[one].f
                for level, taken in zip(self._levels, self._path_taken, strict=True)
                for one in level
                if one != taken
            ),
            default=None,
        )
        return self._why(node)

    def _go_back(self, at: int) -> None:
        """Leave the end of the path, which stores the lowest f of its forgotten successors. The f
        is unknown unless all of them are known."""
        index = self._path_taken.pop()
        back = self.nodes[index]
        forgotten = self._levels.pop()
        if len(self._levels) < self._not_whole:
            self._not_whole -= 1
            self._leave([*forgotten, index], at)
            return
        back.set_f(at, min((self.nodes[one].f for one in forgotten), default=back.f))
        self._leave(forgotten, at)
        back.set_state(at, State.WAITING)

    def _attach_path(self, event: TailExpanded) -> None:
        begins = self.recording.gap is None
        super()._attach_path(event)
        if begins:
            self._not_whole = len(self._levels)

    def _why_late(self, node: Node) -> str:
        words = f"It has the lowest stored f: {node.f}"
        if node.f > node.g + node.h:
            words += f", found when the search was here before; its own is {node.g} + {node.h}"
        return f"{words}. Which f the other nodes had is not recorded."

    def _why(self, node: Node) -> str:
        if node.parent is None:
            return START
        other = self._lowest_other
        words = message("It has the lowest stored f: %(f)s", f=node.f)
        if other == node.f:
            words = message(
                "Of those with the lowest stored f, %(f)s, it is the deepest and there the one "
                "made first",
                f=node.f,
            )
        if node.f > node.g + node.h:
            words = message(
                "%(words)s, found when the search was here before; its own is %(g)s + %(h)s",
                words=words,
                g=node.g,
                h=node.h,
            )
        if other is None:
            return message("%(words)s. No other node is waiting.", words=words)
        return message(
            "%(words)s. The best of the others has %(other)s, so the search stays below this node "
            "as long as some f there is %(other)s or less.",
            words=words,
            other=other,
        )


_END_NAMES = ("start", "goal")
"""The ends, by the indices of their roots: the first two nodes of the recording."""


class TwoEndsRecorder(Recorder):
    """Two frontiers, expanded a layer at a time."""

    usual_order = message(
        "Two queues, from the start and from the goal: the oldest comes first in each."
    )
    memory_label = REACHED

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        super().__init__(puzzle, algorithm, weight)
        roots = [self._add_root(0, board) for board in (puzzle.start, puzzle.goal)]
        self._node_of_number = dict(enumerate(roots))
        self._ends = roots  # the side from which each node was reached
        self._waiting = [1, 1]
        self._layer: tuple[int, int] | None = None
        self._reached = 2

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        assert successor.node is not None
        if successor.fate is Fate.MET:
            index = self._add(at, parent, successor, State.MET)
            self.nodes[index].other = self._node_of_number.get(successor.node)
        else:
            index = self._add(at, parent, successor, State.WAITING)
            self._node_of_number[successor.node] = index
            self._waiting[self._ends[parent]] += 1
            self._reached += 1
        return index

    def _add(self, at: int, parent: int, successor: Successor, state: State) -> int:
        self._ends.append(self._ends[parent])
        return super()._add(at, parent, successor, state)

    def _forget(self) -> None:
        self._layer = None

    def _late_roots(self, at: int) -> tuple[int, ...]:
        puzzle = self.recording.puzzle
        self._ends += (0, 1)
        roots = tuple(self._add_root(at, board) for board in (puzzle.start, puzzle.goal))
        for root in roots:  # by then, unless an event corrects it
            self.nodes[root].changes = [(at, State.EXPANDED)]
        return roots

    def _root_with(self, board: Board) -> int:
        gap = self.recording.gap
        assert gap is not None
        return next(root for root in gap.roots if self.nodes[root].board == board)

    def _add_late(self, parent: int, board: Board, h: int, f: int) -> int:
        self._ends.append(self._ends[parent])
        return super()._add_late(parent, board, h, f)

    def _complete_path(self, result: Result) -> None:
        """Add the nodes between the meeting point and the other end that were generated in the
        gap."""
        gap = self.recording.gap
        met = next(index for index, node in enumerate(self.nodes) if node.state is State.MET)
        node = self.nodes[met]
        if node.other is not None or gap is None:
            return
        boards = [step.board for step in steps_of(self.recording.puzzle.start, result.moves)]
        if _END_NAMES[self._ends[met]] == "start":
            down = boards[node.g - 1 : -1][::-1]
        else:
            down = boards[: boards.index(node.board) + 1]
        node.other = self._lead_down(gap.roots[1 - self._ends[met]], down)

    def _take(self, index: int, at: int) -> str:
        why = self._why(index)
        self._layer = self._ends[index], self.nodes[index].g
        self._waiting[self._ends[index]] -= 1
        return why

    def _why(self, index: int) -> str:
        """Explain why the node comes next; a layer is the nodes of one side with equal g."""
        end, depth = layer = self._ends[index], self.nodes[index].g
        layer_words = f"{plural(depth, 'move')} from the {_END_NAMES[end]}"
        if layer == self._layer:
            return f"It is the next of the layer {layer_words}, which is expanded to its end."
        if self.recording.gap:
            return self._why_late(layer_words)
        size, other = self._waiting[end], self._waiting[1 - end]
        if size == other:
            return (
                f"A new layer, {layer_words}: both outermost layers hold {size}, "
                "so it is the start's turn."
            )
        return (
            f"A new layer, {layer_words}: it is the smaller of the two outermost ones, "
            f"{size} against {other}."
        )

    def _why_late(self, layer_words: str) -> str:
        if self._layer is None:
            return f"It is in the layer {layer_words}. The expansion before it is not recorded."
        return (
            f"A new layer, {layer_words}: the smaller of the two outermost ones, or the start's "
            "if they are equal. How many nodes each holds is not recorded."
        )

    def _late_sizes_at_end(self) -> tuple[int | None, int | None]:
        return self.steps[-1].frontier, self.steps[-1].in_memory

    def _sizes(self) -> tuple[int, int]:
        return sum(self._waiting), self._reached

    def _end(self, goal: int, at: int) -> str:
        from_start = self.recording.solution.index(goal)
        length = len(self.recording.solution) - 1
        return (
            f"The ends have met: {from_start} moves from the start and {length - from_start} from "
            f"the goal make a path of {length}."
        )

    def _path(self, result: Result) -> tuple[int, list[int]]:
        """Return the meeting nodes, and the path down one tree and up the other."""
        met = next(index for index, node in enumerate(self.nodes) if node.state is State.MET)
        other = self.nodes[met].other
        assert other is not None
        if _END_NAMES[self._ends[met]] == "start":
            return met, [*self._up(met)[::-1], *self._up(other)[1:]]
        return met, [*self._up(other)[:0:-1], *self._up(met)]

    def _up(self, index: int) -> list[int]:
        """Return the nodes from `index` up to its root."""
        path: list[int] = []
        here: int | None = index
        while here is not None:
            path.append(here)
            here = self.nodes[here].parent
        return path
