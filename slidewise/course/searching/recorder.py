"""Recorders for each kind of frontier, which watch a plain search while it runs."""

from abc import abstractmethod
from collections import Counter
from math import inf
from typing import ClassVar, Generic, TypeVar

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
    order_words,
    ties_of,
)
from slidewise.puzzle import Board
from slidewise.puzzle import steps as steps_of
from slidewise.solver.convention import Against
from slidewise.solver.events import Expanded, Fate, Iteration, Successor
from slidewise.solver.plain.best_first import BestFirst
from slidewise.solver.plain.one_path import Deepening, OnePath, OnePathNode, Recursion
from slidewise.solver.plain.search import PlainSearch, Watcher
from slidewise.solver.plain.two_ends import START, TwoEnds
from slidewise.solver.result import Result, Status
from slidewise.solver.task import Task
from slidewise.text import message, noop, plural

LONGEST_PATH = 2_000
"""Maximum moves of a path recorded beyond the recorded expansions. Depth-first search finds paths
of tens of thousands of moves, as large as a recording."""

REACHED = noop("reached")
IN_MEMORY = noop("kept in memory")

_STATES = {Fate.KEPT: State.WAITING, Fate.SHORTER: State.WAITING, Fate.MET: State.MET}

Search = TypeVar("Search", bound=PlainSearch)


class Recorder(Watcher, Generic[Search]):
    """Builds a recording while `search` runs.

    A subclass for a kind of frontier defines three steps: take a node (`_take`), record a stored
    successor (`_keep`), and continue after a gap (`_catch_up`).
    """

    memory_label: ClassVar[str]

    def __init__(self, task: Task, search: Search) -> None:
        assert task.algorithm.frontier
        self.search = search
        self.frontier = task.algorithm.frontier
        self.rank = task.algorithm.rank(task.weight)
        formula, order = self.rank.formula if self.rank else "", order_words(task)
        self.recording = Recording(task.puzzle, task.algorithm, formula, order, self.memory_label)
        self.nodes = self.recording.nodes
        self.steps = self.recording.steps
        self._indices: dict[int, int] = {}  # by the node's number in the search
        self._children: dict[tuple[int, int], int] = {}  # by the parent's index and the blank

    def expand(self, search: PlainSearch, expansion: Expanded) -> None:
        """Record an expansion."""
        at = self._at
        index, why = self._take(expansion.node)
        self.nodes[index].set_state(at, State.EXPANDED)
        self.nodes[index].set_f(at, expansion.f)
        made = tuple(self._make(index, successor) for successor in expansion.successors)
        self.steps.append(
            Expansion(index, why, made, *self._sizes(), search.generated, self._limit())
        )

    def resume(self) -> None:
        """Continue after expansions that were not recorded, with the search's present state."""
        self._catch_up()
        after, first = len(self.steps), self.recording.root_at(self._at)
        tree = range(first, len(self.nodes))
        roots = tuple(index for index in tree if self.nodes[index].parent is None)
        self.recording.gap = Gap(after, self.search.expanded - after, roots)

    def finish(self, result: Result) -> None:
        """Record the result, and the path beyond the recorded expansions."""
        self.recording.result = result
        if result.status is not Status.SOLVED or not self.steps:
            return
        if self.recording.gap or self.recording.complete:
            goal, why = self._end()
            self.steps.append(Expansion(goal, why, (), *self._sizes(), result.generated))
        elif len(result.tiles) <= LONGEST_PATH:
            self._end_beyond(result)

    @abstractmethod
    def _take(self, number: int) -> tuple[int, str]:
        """Take a node from the frontier; return its index and the reason that it came next."""

    @abstractmethod
    def _keep(self, index: int, successor: Successor) -> None:
        """Record a stored successor, whose node has the index `index`."""

    def _catch_up(self) -> None:
        """Update the recorded nodes after a gap, unless each expansion does."""

    @abstractmethod
    def _end(self) -> tuple[int, str]:
        """Record the solution; return the index of the last node taken, and an explanation."""

    @property
    def _at(self) -> int:
        """Number of the current step."""
        return len(self.steps) + 1

    def _sizes(self) -> tuple[int, int]:
        """Return the numbers of frontier nodes and of nodes in memory."""
        return self.search.frontier, self.search.stored

    def _limit(self) -> int | None:
        """Return the limit for the last node taken."""
        return None

    def _end_at_goal(self, goal: int) -> tuple[int, str]:
        """Record the path to a goal that was taken."""
        self.nodes[goal].set_state(self._at, State.GOAL)
        self.recording.solution = self._up(goal)[::-1]
        moves = plural(self.nodes[goal].g, "move")
        return goal, message("It is the goal, reached in %(moves)s: the search ends.", moves=moves)

    def _end_beyond(self, result: Result) -> None:
        """Record the end of a search whose last expansions were not recorded."""
        at, path = self._at, [self.recording.root_at(self._at)]
        for step in steps_of(self.recording.puzzle.start, result.moves):
            # The path may leave the recorded tree; its other nodes are added with unknown h and f.
            child = self._children.get((path[-1], step.board.blank))
            if child is None:
                changes, ranks = [(at, State.EXPANDED)], [(at, UNKNOWN)]
                node = Node(path[-1], step.board, len(path), UNKNOWN, None, changes, ranks)
                child = self._add(node)
            path.append(child)
        for index in path[:-1]:
            self.nodes[index].set_state(at, State.EXPANDED)
        self.nodes[path[-1]].set_state(at, State.GOAL)
        self.recording.solution = path
        why = message(
            "The search ends after %(expanded)s expansions with a path of %(moves)s; those after "
            "the first %(shown)s are left out.",
            expanded=result.expanded,
            moves=plural(len(path) - 1, "move"),
            shown=at - 1,
        )
        self.steps.append(Expansion(path[-1], why, (), None, None, result.generated))

    def _make(self, parent: int, successor: Successor) -> RecordedSuccessor:
        at, one, state = self._at, successor, _STATES.get(successor.fate, State.DROPPED)
        changes, ranks = [(at, state)], [(at, one.f)]
        index = self._add(Node(parent, one.board, one.g, one.h, one.fate, changes, ranks))
        if one.fate.is_kept:
            self._keep(index, one)
        return RecordedSuccessor(index, one.f, one.fate)

    def _add(self, node: Node) -> int:
        """Add a node, without a fate if its generation was not recorded; return its index."""
        index = len(self.nodes)
        self.nodes.append(node)
        if node.parent is not None:
            self._children[node.parent, node.board.blank] = index
        return index

    def _add_root(self, at: int, board: Board) -> int:
        """Add the root of a tree to the frontier; its h and f are set at its removal."""
        return self._add(Node(None, board, 0, 0, None, [(at, State.WAITING)], [(at, 0)]))

    def _set_root(self, index: int, h: int, f: int) -> None:
        node = self.nodes[index]
        node.h, node.ranks = h, [(node.changes[0][0], f)]

    def _board(self, cells: bytes) -> Board:
        return Board(*self.search.size, tuple(cells))

    def _up(self, index: int | None) -> list[int]:
        """Return the nodes from `index` up to its root."""
        path: list[int] = []
        while index is not None:
            path.append(index)
            index = self.nodes[index].parent
        return path


Stored = TypeVar("Stored", BestFirst, TwoEnds)


class _StoredRecorder(Recorder[Stored]):
    """Recorder of a search that stores all its nodes, each with its parent."""

    memory_label = REACHED

    def _find(self, number: int) -> int:
        """Return the index of a node, added with its ancestors if generated in the gap."""
        search, missing = self.search, []
        while number not in self._indices:
            missing.append(number)
            number = search.parent[number]
        index, gap = self._indices[number], self.recording.gap
        for number in reversed(missing):
            assert gap
            state = State.WAITING if number == missing[0] else State.EXPANDED
            at, (h, f) = gap.after + 1, self._estimates(number)
            board, g = self._board(search.cells[number]), search.g[number]
            index = self._add(Node(index, board, g, h, None, [(at, state)], [(at, f)]))
            self._indices[number] = index
        return index

    def _estimates(self, number: int) -> tuple[int, int]:
        """Return h and f of a node."""
        return 0, self.search.g[number]


START_ALONE = message("The start is the only node.")


class BestFirstRecorder(_StoredRecorder[BestFirst]):
    """A single frontier: the lowest f first; with equal f, the oldest node, unless a convention
    has another rule.

    `_waiting` are the numbers of the nodes that may still be expanded, and `_tied` counts them by
    f. `_reached` maps each board to its last node. `_alike` maps each board to its waiting nodes,
    of which the first expansion makes the others useless under some conventions.
    """

    def __init__(self, task: Task, search: BestFirst) -> None:
        super().__init__(task, search)
        self._indices[0] = self._add_root(0, task.puzzle.start)
        self._waiting, self._tied = {0}, Counter([search.f(0)])
        self._reached = {search.start: 0}
        self._alike: dict[bytes, list[int]] = {}
        self._tie_words = ties_of(task).tie_words
        if not task.convention.is_own:
            self.recording.order = message(
                "%(order)s Duplicates: %(rule)s.",
                order=self.recording.order,
                rule=task.convention.duplicates.words,
            )
            self.recording.convention = str(task.convention)

    def cut_off(self, search: PlainSearch, node: int) -> None:
        """Record that a node was taken, but not expanded."""
        self._remove(node, State.LEFT)

    def _take(self, number: int) -> tuple[int, str]:
        index, search = self._find(number), self.search
        if self._at == 1:
            self._set_root(index, search.h[number], search.f(number))
        node = self.nodes[index]
        why = START_ALONE if self._at == 1 else self._why(node, self._tied[node.f])
        self._waiting.discard(number)
        self._tied[node.f] -= 1
        rules, board = search.rules, search.cells[number]
        if rules.against is Against.EXPANDED and rules.passes_over:
            for other in self._alike.get(board, []):
                # Other nodes of the board stay in the real queue, but the search will skip them.
                if search.is_passed_over(other):
                    self._remove(other, State.LEFT)
        return index, why

    def _keep(self, index: int, successor: Successor) -> None:
        number = successor.node
        assert number is not None
        rules, board = self.search.rules, self.search.cells[number]
        # Only conventions that detect duplicates at generation drop the older node.
        if successor.fate is Fate.SHORTER and rules.against is Against.MADE:
            self._replace(self._reached[board])
        self._indices[number], self._reached[board] = index, number
        self._waiting.add(number)
        self._tied[successor.f] += 1
        self._alike.setdefault(board, []).append(number)

    def _replace(self, older: int) -> None:
        """Record a shorter path to a node's board; the node may still be expanded."""
        # Expanded already: the board was reopened by the shorter path.
        if older not in self._waiting and older in self._indices:
            self.nodes[self._indices[older]].set_state(self._at, State.REPLACED)
        elif self.search.rules.passes_over:
            self._remove(older, State.REPLACED)

    def _remove(self, number: int, state: State) -> None:
        """Record that a frontier node will never be expanded."""
        if number in self._waiting:
            self._waiting.remove(number)
            self._tied[self.search.f(number)] -= 1
            if number in self._indices:
                self.nodes[self._indices[number]].set_state(self._at, state)

    def _catch_up(self) -> None:
        search, alike = self.search, dict[bytes, list[int]]()
        # The sets are rebuilt from the search's own queue, because the gap's changes are unknown.
        waiting = [one for one in search.waiting() if not search.is_passed_over(one)]
        for number in waiting:
            alike.setdefault(search.cells[number], []).append(number)
        self._waiting, self._alike = set(waiting), alike
        self._tied = Counter(map(search.f, waiting))
        self._reached = {board: number for number, board in enumerate(search.cells)}
        replaces, passes_over = search.rules.against is Against.MADE, search.rules.passes_over
        for number, index in self._indices.items():
            node, is_last = self.nodes[index], self._reached[search.cells[number]] == number
            if replaces and not is_last and (passes_over or number not in self._waiting):
                node.set_state(self._at, State.REPLACED)
            elif node.state is State.WAITING and number not in self._waiting:
                expanded = number in search.closed
                node.set_state(self._at, State.EXPANDED if expanded else State.LEFT)

    def _estimates(self, number: int) -> tuple[int, int]:
        return self.search.h[number], self.search.f(number)

    def _sizes(self) -> tuple[int, int]:
        return len(self._waiting), len(self._reached)

    def _end(self) -> tuple[int, str]:
        number = self.search.next
        if not self.search.rules.tests_made:
            return self._end_at_goal(self._take(number)[0])
        goal, _ = self._end_at_goal(self._find(number))
        moves = plural(self.nodes[goal].g, "move")
        return goal, message(
            "It is the goal, found as soon as it was generated, %(moves)s from the start.",
            moves=moves,
        )

    def _why(self, node: Node, tied: int) -> str:
        """Explain why `node` came next of `tied` nodes with the lowest f."""
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
        if not frontier.ties or tied < 2:
            return message("%(reason)s.", reason=reason)
        return message(
            "%(reason)s; of the %(tied)s nodes %(ties)s, %(first)s.",
            reason=reason,
            tied=tied,
            ties=message(frontier.ties, **filled_in),
            first=self._tie_words,
        )


Path = TypeVar("Path", bound=OnePath)


class _OnePathRecorder(Recorder[Path]):
    """Recorder of a search that stores only a path and the nodes that wait along it."""

    memory_label = IN_MEMORY

    def __init__(self, task: Task, search: Path) -> None:
        super().__init__(task, search)
        self._root = 0
        self._live: set[int] = set()  # indices of the nodes in memory

    def begin(self, search: PlainSearch, iteration: Iteration) -> None:
        first = self._at if self.recording.iterations else 0
        self.recording.iterations.append(
            RecordedIteration(iteration.kind, iteration.limit, first, self._begin_tree(first))
        )

    def _begin_tree(self, at: int) -> int | None:
        """Add the root of an iteration; return its index, or None if the tree continues."""
        self._root, self._live = self._add_root(at, self.recording.puzzle.start), set()
        return self._root

    def _take(self, number: int) -> tuple[int, str]:
        # The search stores so little that its whole memory is compared at each expansion.
        path: list[int] = []
        facts: dict[int, tuple[State, float]] = {}
        for one in self.search.nodes:
            path.append(self._find(path[-1] if path else None, one))
            facts[path[-1]] = State.EXPANDED, one.f
        facts[path[-1]] = State.WAITING, one.f
        for g, one in self.search.waiting():
            facts[self._find(path[g - 1], one)] = State.WAITING, one.f
        self._follow(facts)
        return path[-1], self._why(self.nodes[path[-1]])

    def _follow(self, facts: dict[int, tuple[State, float]]) -> None:
        """Record the states and f of the nodes in memory; the search has forgotten all others."""
        for index in self._live - facts.keys():
            self.nodes[index].set_state(self._at, State.LEFT)
        for index, (state, f) in facts.items():
            self._set(index, state, f)
        self._live = set(facts)

    def _set(self, index: int, state: State, f: float) -> None:
        self.nodes[index].set_state(self._at, state)
        if f < inf:
            self.nodes[index].set_f(self._at, int(f))

    def _find(self, parent: int | None, one: OnePathNode) -> int:
        """Return the index of a node, added if generated in the gap."""
        if one.number not in self._indices:
            if parent is None:
                index = self._root
                self._set_root(index, one.h, int(one.f))
            elif not (index := self._children.get((parent, one.blank), 0)):
                board, g = self._board(one.cells), self.nodes[parent].g + 1
                changes, ranks = [(self._at, State.WAITING)], [(self._at, int(one.f))]
                index = self._add(Node(parent, board, g, one.h, None, changes, ranks))
            self._indices[one.number] = index
        return self._indices[one.number]

    def _keep(self, index: int, successor: Successor) -> None:
        assert successor.node is not None
        self._indices[successor.node] = index
        self._live.add(index)

    def _sizes(self) -> tuple[int, int]:
        return self.search.stored - len(self.search.nodes), self.search.stored

    def _end(self) -> tuple[int, str]:
        return self._end_at_goal(self._take(self.search.nodes[-1].number)[0])

    @abstractmethod
    def _why(self, node: Node) -> str:
        """Explain why a node comes next."""


class DeepeningRecorder(_OnePathRecorder[Deepening]):
    """Recorder of depth-first searches with increasing limits, with a tree for each limit."""

    def begin(self, search: PlainSearch, iteration: Iteration) -> None:
        super().begin(search, iteration)
        self.recording.limit_name = iteration.kind

    def _limit(self) -> int:
        return int(self.search.limit)

    def _why(self, node: Node) -> str:
        limit = limit_words(self.recording.limit_name, self._limit())
        if node.parent is None:
            if len(self.recording.iterations) > 1:
                return message(
                    "The search begins again from the start, with the %(limit)s.", limit=limit
                )
            return message("It begins from the start, with the %(limit)s.", limit=limit)
        value = f"g = {node.g}"
        if self.rank and self.rank.h_weight:
            value = f"f = {self.rank.worked_out(node.g, node.h)}"
        if self.search.last == self.search.nodes[-2].number:
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
    """Recorder of recursive best-first search: a single tree, whose nodes are generated again with
    stored f values."""

    def __init__(self, task: Task, search: Recursion) -> None:
        super().__init__(task, search)
        formula = self.recording.formula
        if formula:
            formula = message("%(formula)s, or what was backed up", formula=formula)
        self.recording.formula, self.recording.limit_name = formula, "f-limit"
        self._path: list[OnePathNode] = []  # of the last expansion
        super()._begin_tree(0)

    def _begin_tree(self, at: int) -> None:
        return None

    def _limit(self) -> int | None:
        """Return the lowest stored f of the other nodes."""
        other = self.search.bounds[-1]
        return None if other == inf else int(other)

    def _make(self, parent: int, successor: Successor) -> RecordedSuccessor:
        one, index = successor, self._children.get((parent, successor.board.blank))
        # Otherwise the node was generated before and forgotten; it keeps its place in the tree.
        if index is None:
            return super()._make(parent, one)
        if one.fate.is_kept:
            self._set(index, State.WAITING, one.f)
            self._keep(index, one)
        else:
            self.nodes[index].set_f(self._at, one.f)
        return RecordedSuccessor(index, one.f, one.fate)

    def _follow(self, facts: dict[int, tuple[State, float]]) -> None:
        """Record also the backed-up f of each node that the search has left."""
        for one in self._path:
            if (index := self._indices[one.number]) not in facts:
                self._set(index, State.WAITING, one.f)
        super()._follow(facts)
        self._path = self.search.nodes[:]

    def _why(self, node: Node) -> str:
        other = self._limit()
        if node.parent is None:
            return START_ALONE
        words = message("It has the lowest stored f: %(f)s", f=node.f)
        if other == node.f:
            words = message(
                "Of the nodes with the lowest stored f, %(f)s, it is the deepest and there the "
                "node generated first",
                f=node.f,
            )
        # The stored f is higher than the node's own f only if it was backed up from below.
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


_LAYERS = (noop("%(moves)s from the start"), noop("%(moves)s from the goal"))
"""Names of a layer of each end, by the indices of their roots: the first two nodes."""


class TwoEndsRecorder(_StoredRecorder[TwoEnds]):
    """Recorder of bidirectional search: two frontiers, expanded layer by layer."""

    def __init__(self, task: Task, search: TwoEnds) -> None:
        super().__init__(task, search)
        for number, board in enumerate((task.puzzle.start, task.puzzle.goal)):
            self._indices[number] = self._add_root(0, board)
        self._met = 0

    def _take(self, number: int) -> tuple[int, str]:
        index = self._find(number)
        return index, self._why(self.nodes[index].g)

    def _keep(self, index: int, successor: Successor) -> None:
        assert successor.node is not None
        if successor.fate is Fate.MET:
            self.nodes[index].other, self._met = self._find(successor.node), index
        else:
            self._indices[successor.node] = index

    def _catch_up(self) -> None:
        waiting = set(self.search.waiting())
        for number, index in self._indices.items():
            if self.nodes[index].state is State.WAITING and number not in waiting:
                self.nodes[index].set_state(self._at, State.EXPANDED)

    def _why(self, depth: int) -> str:
        """Explain why a node comes next; a layer is the nodes of a side with equal g."""
        end = self.search.end
        layer = message(_LAYERS[end], moves=plural(depth, "move"))
        if self.search.place:
            return message(
                "It is the next of the layer %(layer)s, which is expanded to its end.", layer=layer
            )
        size, other = self.search.sizes[end], self.search.sizes[1 - end]
        if size == other:
            return message(
                "A new layer, %(layer)s: both outermost layers hold %(size)s, so it is the "
                "start's turn.",
                layer=layer,
                size=size,
            )
        return message(
            "A new layer, %(layer)s: it is the smaller of the two outermost layers, %(size)s "
            "against %(other)s.",
            layer=layer,
            size=size,
            other=other,
        )

    def _end(self) -> tuple[int, str]:
        """Join the paths of both trees at the meeting nodes."""
        here, there = self._up(self._met), self._up(self.nodes[self._met].other)
        # The meeting board has a node on each side, of which the path contains only `_met`.
        path = [*here[::-1], *there[1:]] if self.search.end == START else [*there[:0:-1], *here]
        self.recording.solution = path
        from_start, length = path.index(self._met), len(path) - 1
        return self._met, message(
            "The ends have met: %(start)s moves from the start and %(goal)s from the goal make a "
            "path of %(length)s.",
            start=from_start,
            goal=length - from_start,
            length=length,
        )
