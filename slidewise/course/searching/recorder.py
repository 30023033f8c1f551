"""Recorders for each kind of frontier, which watch a plain search while it runs."""

from abc import abstractmethod
from collections import Counter
from math import inf
from typing import ClassVar, Generic, TypeVar, cast

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
from slidewise.puzzle import Board
from slidewise.puzzle import steps as steps_of
from slidewise.solver.convention import Against, GoalTest, Ties
from slidewise.solver.events import Expanded, Fate, Iteration, Successor
from slidewise.solver.plain.best_first import BestFirst
from slidewise.solver.plain.one_path import Deepening, OnePath, OnePathNode, Recursion
from slidewise.solver.plain.search import PlainSearch, Watcher
from slidewise.solver.plain.two_ends import TwoEnds
from slidewise.solver.result import Result, Status
from slidewise.solver.task import Task
from slidewise.text import message, noop, plural

LONGEST_PATH = 2_000
"""Maximum recorded moves of a path beyond the recorded expansions. Depth-first search finds paths
of tens of thousands of moves, as large as a recording."""

REACHED = "reached"
IN_MEMORY = "kept in memory"


Search = TypeVar("Search", bound=PlainSearch)


class Recorder(Watcher, Generic[Search]):
    """Builds a recording while a search runs.

    A subclass for a kind of frontier defines three steps: removing a node (`_take`), storing a kept
    successor (`_keep`), and finding the node of an event (`_node_of`). `usual_order` is for
    algorithms without an order description of their own.
    """

    usual_order: ClassVar[str]
    memory_label: ClassVar[str]

    def __init__(self, task: Task) -> None:
        assert task.algorithm.frontier
        self.frontier = task.algorithm.frontier
        self.rank = task.algorithm.rank(task.weight)
        order = self.frontier.order or self.usual_order
        self.recording = Recording(
            task.puzzle, task.algorithm, self._formula(), order, self.memory_label
        )
        self.nodes = self.recording.nodes
        self.steps = self.recording.steps
        self._is_late = False
        self._node_of_number: dict[int, int] = {}
        self._children: dict[tuple[int, int], int] = {}

    def begin(self, search: PlainSearch, iteration: Iteration) -> None:
        """Record the start of an iteration."""
        first = len(self.steps) + 1 if self.recording.iterations else 0
        root = self._root_of_iteration(first)
        self.recording.iterations.append(
            RecordedIteration(iteration.kind, iteration.limit, first, root)
        )

    def expand(self, search: PlainSearch, expansion: Expanded) -> None:
        """Record an expansion."""
        event, running = expansion, cast("Search", search)
        if self._is_late:
            self._attach_path(running, event)
        at = len(self.steps) + 1
        index = self._node_of(event)
        node = self.nodes[index]
        if node.parent is None and event.parent is None:
            node.h, node.ranks = event.h, [(node.changes[0][0], event.f)]
        why = self._take(running, index, at)
        node.set_state(at, State.EXPANDED)
        node.set_f(at, event.f)
        made = [self._make(index, at, successor) for successor in event.successors]
        self._successors_made(running, made)
        self.steps.append(
            Expansion(
                *(index, why, tuple(made), *self._sizes(running), search.generated),
                self._limit(running),
            )
        )

    def leave_out(self) -> None:
        """Prepare for the last expansions, after others that are not recorded."""
        self._is_late = True
        self._node_of_number.clear()
        self._children.clear()
        self._forget()

    def finish(self, search: Search, result: Result) -> None:
        """Record the result, and the path beyond the recorded expansions."""
        self.recording.result = result
        if result.status is not Status.SOLVED or not self.steps:
            return
        if self.recording.gap:
            self._complete_path(result)
        if self.recording.gap or self.recording.complete:
            goal, self.recording.solution = self._path(result)
            why = self._end(search, goal, len(self.steps) + 1)
            sizes = self._sizes_at_end(search)
            self.steps.append(Expansion(goal, why, (), *sizes, result.generated))
        elif len(result.tiles) <= LONGEST_PATH:
            self._end_beyond(result)

    @abstractmethod
    def _take(self, search: Search, index: int, at: int) -> str:
        """Take a node from the frontier; return the reason that it came next."""

    @abstractmethod
    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        """Record a kept successor; return the index of its node."""

    @abstractmethod
    def _forget(self) -> None:
        """Drop the frontier of before the gap."""

    def _sizes(self, search: Search) -> tuple[int | None, int | None]:
        """Return the numbers of frontier nodes and of nodes in memory, None if unknown."""
        return search.frontier, search.stored

    def _sizes_at_end(self, search: Search) -> tuple[int | None, int | None]:
        """Return the counts at the goal's removal."""
        frontier, in_memory = self._sizes(search)
        return frontier and frontier - 1, in_memory

    def _formula(self) -> str:
        """Return the formula of f."""
        return self.rank.formula if self.rank else ""

    def _limit(self, search: Search) -> int | None:
        """Return the limit for the last node taken."""
        return None

    def _node_of(self, event: Expanded) -> int:
        """Return the index of the expanded node."""
        return self._node_of_number[event.node]

    def _root_of_iteration(self, first: int) -> int | None:
        """Return the root index of an iteration, None if it has no root of its own."""
        return None

    def _successors_made(self, search: Search, made: list[RecordedSuccessor]) -> None:
        """Record that all successors of a node are generated."""

    def _end(self, search: Search, goal: int, at: int) -> str:
        """Take the goal; return its explanation."""
        self._take(search, goal, at)
        self.nodes[goal].set_state(at, State.GOAL)
        moves = plural(self.nodes[goal].g, "move")
        return message("It is the goal, reached in %(moves)s: the search ends.", moves=moves)

    def _attach_path(self, search: Search, event: Expanded) -> None:
        """Add the unrecorded ancestors of a node of the last expansions."""
        if self.recording.gap is None:
            after = len(self.steps)
            roots = self._late_roots(after + 1)
            self.recording.gap = Gap(after, event.order - 1 - after, roots)
        index, is_new = -1, False
        for one in [*search.ancestors(event)][::-1]:
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


class BestFirstRecorder(Recorder[BestFirst]):
    """One frontier: the lowest f first; with equal f, the oldest node first."""

    usual_order = message(
        "A priority queue: the lowest f comes first; with equal f, the one made first."
    )
    memory_label = REACHED

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._node_of_number[0] = self._add_root(0, task.puzzle.start)
        self._reached: dict[Board, int] = {task.puzzle.start: 0}
        self._waiting_with_f: Counter[int] = Counter()

    def cut_off(self, search: PlainSearch, node: int) -> None:
        """Record that a node was taken, but not expanded."""
        if node in self._node_of_number:
            self._pass_over(self._node_of_number[node], len(self.steps) + 1, State.LEFT)

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        index = self._add(at, parent, successor, State.WAITING)
        if successor.fate is Fate.SHORTER and successor.board in self._reached:
            older = self._reached[successor.board]
            self._pass_over(older, at, State.REPLACED)
            self.nodes[older].set_state(at, State.REPLACED)
        self._reached[successor.board] = index
        assert successor.node is not None
        self._node_of_number[successor.node] = index
        self._waiting_with_f[successor.f] += 1
        return index

    def _pass_over(self, index: int, at: int, state: State) -> None:
        """Record that a frontier node will never be expanded."""
        node = self.nodes[index]
        if node.state is State.WAITING:
            node.set_state(at, state)
            self._waiting_with_f[node.f] -= 1

    def _take(self, search: BestFirst, index: int, at: int) -> str:
        if at == 1:
            return START
        node = self.nodes[index]
        tied = self._waiting_with_f[node.f]
        self._waiting_with_f[node.f] -= 1
        return self._why(node, tied)

    def _forget(self) -> None:
        self._reached.clear()

    def _sizes(self, search: BestFirst) -> tuple[int | None, int | None]:
        return search.frontier, len(search.reached)

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
        usual = noop("It has the lowest f on the frontier: %(f)s")
        if self.rank:
            usual = noop("It has the lowest f = %(formula)s: %(sum)s")
        reason = message(frontier.reason or usual, **filled_in)
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


MADE_FIRST = "the one made first"
"""Order descriptions that a convention with other ties replaces."""


class ConventionRecorder(BestFirstRecorder):
    """One frontier in the order of the events, without a second queue."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._convention = convention = task.convention
        self._is_stack = task.algorithm.key == "dfs"
        self._ties = convention.siblings if self._is_stack else convention.ties
        self._waiting_with_board: dict[Board, list[int]] = {task.puzzle.start: [0]}
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
        self._waiting_with_f[successor.f] += 1
        return index

    def _forget(self) -> None:
        super()._forget()
        self._waiting_with_board.clear()

    def _sizes(self, search: BestFirst) -> tuple[int | None, int | None]:
        if self._is_late:
            return search.frontier, None
        return sum(self._waiting_with_f.values()), len(self._reached)

    def _sizes_at_end(self, search: BestFirst) -> tuple[int | None, int | None]:
        return (None, None) if self._is_late else self._sizes(search)

    def _leave_behind(self, older: int, at: int) -> None:
        """Record a shorter path to a node's board; the node may still be expanded."""
        node = self.nodes[older]
        if node.state is not State.WAITING:
            node.set_state(at, State.REPLACED)
        elif self._convention.duplicates.passes_over:
            self._pass_over(older, at, State.REPLACED)

    def _take(self, search: BestFirst, index: int, at: int) -> str:
        why = super()._take(search, index, at)
        if at > 1:
            self._pass_over_alike(index, at)
        return why

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

    def _end(self, search: BestFirst, goal: int, at: int) -> str:
        if self._convention.goal_test is GoalTest.TAKEN:
            return super()._end(search, goal, at)
        self.nodes[goal].set_state(at, State.GOAL)
        moves = plural(self.nodes[goal].g, "move")
        return f"It is the goal, found as soon as it was generated, {moves} from the start."


Path = TypeVar("Path", bound=OnePath)


class _OnePathRecorder(Recorder[Path]):
    """A path, and at each level its frontier nodes in the order of generation.

    `_levels[0]` is the root, and `_levels[g]` are the successors of the node at g - 1 on the path.
    """

    memory_label = IN_MEMORY

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._path_taken: list[int] = []
        self._levels: list[list[int]] = []

    def _new_root(self, at: int) -> int:
        root = self._add_root(at, self.recording.puzzle.start)
        self._path_taken, self._levels = [], [[root]]
        return root

    def _node_of(self, event: Expanded) -> int:
        return self._levels[0][0] if event.parent is None else super()._node_of(event)

    def _successors_made(self, search: Path, made: list[RecordedSuccessor]) -> None:
        self._levels.append([one.node for one in made if one.fate.is_kept])

    def _note_number(self, index: int, successor: Successor) -> int:
        assert successor.node is not None
        self._node_of_number[successor.node] = index
        return index

    def _forget(self) -> None:
        self._path_taken, self._levels = [], []

    def _attach_path(self, search: Path, event: Expanded) -> None:
        begins = self.recording.gap is None
        super()._attach_path(search, event)
        if begins:  # the nodes above the next one
            self._path_taken = [self._node_of_number[node.number] for node in search.nodes[:-1]]

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


class DeepeningRecorder(_OnePathRecorder[Deepening]):
    """Depth-first search, a tree for each limit."""

    usual_order = message(
        "A stack: nodes waiting along the path, the deepest first; with equal depth, the one "
        "made first."
    )

    def begin(self, search: PlainSearch, iteration: Iteration) -> None:
        super().begin(search, iteration)
        self.recording.limit_name = iteration.kind

    def _root_of_iteration(self, first: int) -> int:
        return self._new_root(first)

    def _limit(self, search: Deepening) -> int:
        return int(search.limit)

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        return self._note_number(self._add(at, parent, successor, State.WAITING), successor)

    def _take(self, search: Deepening, index: int, at: int) -> str:
        node = self.nodes[index]
        for level in self._levels[node.g + 1 :]:
            self._leave(level, at)
        del self._levels[node.g + 1 :], self._path_taken[node.g :]
        siblings = self._levels[node.g]
        taken = siblings.index(index)
        self._leave(siblings[:taken], at)
        del siblings[:taken]
        self._path_taken.append(index)
        return self._why(search, node)

    def _why(self, search: Deepening, node: Node) -> str:
        limit, gap = limit_words(self.recording.limit_name, int(search.limit)), self.recording.gap
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


class RecursionRecorder(_OnePathRecorder[Recursion]):
    """Recursive best-first search: one tree, whose nodes are generated again with stored f
    values."""

    usual_order = message(
        "Nodes waiting along the path, the lowest stored f first; with equal f, the deepest, and "
        "there the one made first."
    )

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.recording.limit_name = "f-limit"
        self._expanded: list[OnePathNode] = []  # the path of the last expansion
        self._new_root(0)

    def _formula(self) -> str:
        formula = super()._formula()
        return message("%(formula)s, or what was backed up", formula=formula) if formula else ""

    def _limit(self, search: Recursion) -> int | None:
        """Return the lowest stored f of the other nodes."""
        other = search.bounds[-1]
        return None if other == inf else int(other)

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

    def _take(self, search: Recursion, index: int, at: int) -> str:
        node = self.nodes[index]
        while len(self._path_taken) > node.g:
            self._go_back(at)
        self._path_taken.append(index)
        self._expanded = search.nodes[:]
        return self._why(node, self._limit(search))

    def _go_back(self, at: int) -> None:
        """Leave the end of the path, which stores the lowest f of its forgotten successors."""
        back, f = self.nodes[self._path_taken.pop()], self._expanded.pop().f
        if f < inf:
            back.set_f(at, int(f))
        self._leave(self._levels.pop(), at)
        back.set_state(at, State.WAITING)

    def _why(self, node: Node, other: int | None) -> str:
        if node.parent is None:
            return START
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


class TwoEndsRecorder(Recorder[TwoEnds]):
    """Two frontiers, expanded a layer at a time."""

    usual_order = message(
        "Two queues, from the start and from the goal: the oldest comes first in each."
    )
    memory_label = REACHED

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        ends = task.puzzle.start, task.puzzle.goal
        self._ends = [self._add_root(0, board) for board in ends]  # the side of each node
        self._node_of_number = dict(enumerate(self._ends))
        self._layer: tuple[int, int] | None = None

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        assert successor.node is not None
        if successor.fate is Fate.MET:
            index = self._add(at, parent, successor, State.MET)
            self.nodes[index].other = self._node_of_number.get(successor.node)
        else:
            index = self._add(at, parent, successor, State.WAITING)
            self._node_of_number[successor.node] = index
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

    def _take(self, search: TwoEnds, index: int, at: int) -> str:
        why = self._why(search, index)
        self._layer = self._ends[index], self.nodes[index].g
        return why

    def _why(self, search: TwoEnds, index: int) -> str:
        """Explain why the node comes next; a layer is the nodes of one side with equal g."""
        end, depth = layer = self._ends[index], self.nodes[index].g
        layer_words = f"{plural(depth, 'move')} from the {_END_NAMES[end]}"
        if layer == self._layer:
            return f"It is the next of the layer {layer_words}, which is expanded to its end."
        if self._layer is None and self._is_late:
            return f"It is in the layer {layer_words}. The expansion before it is not recorded."
        size, other = search.sizes[end], search.sizes[1 - end]
        if size == other:
            return (
                f"A new layer, {layer_words}: both outermost layers hold {size}, "
                "so it is the start's turn."
            )
        return (
            f"A new layer, {layer_words}: it is the smaller of the two outermost ones, "
            f"{size} against {other}."
        )

    def _sizes_at_end(self, search: TwoEnds) -> tuple[int | None, int | None]:
        return self._sizes(search)

    def _end(self, search: TwoEnds, goal: int, at: int) -> str:
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
