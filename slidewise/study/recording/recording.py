"""What a recording holds, and what the recorders of all algorithms have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from slidewise.puzzle import steps as steps_of
from slidewise.solver.events import Fate
from slidewise.solver.result import Status

if TYPE_CHECKING:
    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.events import Expanded, Iteration, Successor
    from slidewise.solver.registry import Algorithm
    from slidewise.solver.result import Result

FATES = tuple(Fate)


class State(IntEnum):
    """What a node is at some expansion.

    `replaced`: a shorter path to its board was found. `left`: taken without being expanded, or no
    longer kept by a search that keeps one path only. `met`: the two ends met there.
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
    """A node of the tree. `parent` is its place in the list of nodes, None at a root.

    `changes` are pairs of an expansion and the state from then on, `ranks` of an expansion and
    f from then on: f changes in recursive best-first search only. `fate` is None at a root, and
    `other` the other end's node with the same board, where the two ends met.
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

    def become(self, at: int, state: State) -> None:
        """Note that the node is in `state` from expansion `at` on."""
        if self.state is not state:
            self.changes.append((at, state))


@dataclass(frozen=True, slots=True)
class Made:
    """A successor when it was made: its place in the list of nodes, its f then, its fate."""

    node: int
    f: int
    fate: Fate


@dataclass(frozen=True, slots=True)
class Step:
    """One expansion, or the end: which node, why it came next, its successors.

    `frontier`, `kept` and `generated` are the nodes that wait, those that are kept in memory
    (boards reached, or the path and what waits along it) and those made so far, all afterwards.
    """

    node: int
    why: str
    successors: tuple[Made, ...]
    frontier: int
    kept: int
    generated: int


@dataclass(frozen=True, slots=True)
class Begun:
    """An iteration: its limit, the number of its first expansion, and its root.

    The root is None where the search goes on in the tree that it has.
    """

    kind: str
    limit: int
    first: int
    root: int | None


@dataclass
class Recording:
    """A search as it went. Expansions are numbered from 1: `steps[0]` is the first.

    `formula` says what f is, `kept` what is kept, `order` how the frontier stands in `sorting`.
    `solution` are the places of the nodes of the path found, in its order, if all of it was
    recorded; then the last of the `steps` is the end, where the goal is taken or the ends meet.
    """

    puzzle: Puzzle
    algorithm: Algorithm
    formula: str
    order: str
    sorting: str
    kept: str
    nodes: list[Node] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    iterations: list[Begun] = field(default_factory=list)
    solution: list[int] = field(default_factory=list)
    result: Result | None = None

    @property
    def expansions(self) -> int:
        """Return how many expansions were recorded."""
        return len(self.steps) - bool(self.solution)

    @property
    def complete(self) -> bool:
        """Return whether all expansions of the search were recorded."""
        return self.result is not None and self.expansions == self.result.expanded

    def as_json(self) -> dict[str, Any]:
        """Return what a viewer needs, in columns; a board is its parent's with another blank."""
        return {
            "start": str(self.puzzle.start),
            "goal": str(self.puzzle.goal),
            "informed": self.algorithm.uses_heuristic,
            "formula": self.formula,
            "order": self.order,
            "sorting": self.sorting,
            "kept": self.kept,
            "complete": self.complete,
            "expansions": self.expansions,
            "parents": [-1 if node.parent is None else node.parent for node in self.nodes],
            "blanks": [node.board.blank for node in self.nodes],
            "g": [node.g for node in self.nodes],
            "h": [node.h for node in self.nodes],
            "fates": [-1 if node.fate is None else FATES.index(node.fate) for node in self.nodes],
            "changes": [_flat(node.changes) for node in self.nodes],
            "ranks": [_flat(node.ranks) for node in self.nodes],
            "others": [-1 if node.other is None else node.other for node in self.nodes],
            "steps": [
                {
                    "node": step.node,
                    "why": step.why,
                    "made": [[one.node, one.f, FATES.index(one.fate)] for one in step.successors],
                    "sizes": [step.frontier, step.kept, step.generated],
                }
                for step in self.steps
            ],
            "iterations": [[one.kind, one.limit, one.first, one.root] for one in self.iterations],
            "solution": self.solution,
            "reasons": [[fate.value, fate.reason] for fate in FATES],
        }


def _flat(pairs: list[tuple[int, Any]]) -> list[int]:
    return [int(number) for pair in pairs for number in pair]


class Recorder(ABC):
    """Makes a recording from the events of a search."""

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        formula, order, sorting, kept = self._words(algorithm, weight)
        self.recording = Recording(puzzle, algorithm, formula, order, sorting, kept)
        self.nodes = self.recording.nodes
        self.steps = self.recording.steps
        self._generated = 0
        self._children: dict[tuple[int, int], int] = {}

    def begin(self, event: Iteration) -> None:
        """Note that an iteration begins."""
        first = len(self.steps) + 1 if self.recording.iterations else 0
        root = self._root(first, event)
        self.recording.iterations.append(Begun(event.kind, event.limit, first, root))

    def expand(self, event: Expanded) -> None:
        """Note an expansion."""
        at = event.order
        place = self._place_of(event)
        node = self.nodes[place]
        if node.parent is None and event.parent is None:
            node.h, node.ranks = event.h, [(node.changes[0][0], event.f)]
        why = self._take(place, at)
        node.become(at, State.EXPANDED)
        made = [self._make(place, at, successor) for successor in event.successors]
        self._note(made)
        self.steps.append(Step(place, why, tuple(made), *self._sizes(), self._generated))

    def finish(self, result: Result) -> None:
        """Note the result, and the path if all of it was recorded."""
        self.recording.result = result
        if result.status is Status.SOLVED and self.nodes and self.steps and self.recording.complete:
            goal, self.recording.solution = self._path(result)
            why = self._end(goal, len(self.steps) + 1)
            self.steps.append(Step(goal, why, (), *self._sizes(), self._generated))

    @abstractmethod
    def _words(self, algorithm: Algorithm, weight: float | None) -> tuple[str, str, str, str]:
        """Return what f is, what the frontier's order is called, its name, and what is kept."""

    @abstractmethod
    def _place_of(self, event: Expanded) -> int:
        """Return the place of the node that is expanded."""

    @abstractmethod
    def _take(self, place: int, at: int) -> str:
        """Take a node from the frontier; return why it came next."""

    @abstractmethod
    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        """Note a successor that is kept; return its place."""

    @abstractmethod
    def _sizes(self) -> tuple[int, int]:
        """Return the numbers of nodes that wait, and that are kept."""

    def _root(self, first: int, event: Iteration) -> int | None:
        """Return the place of the root of an iteration, None if it has none of its own."""
        return None

    def _note(self, made: list[Made]) -> None:
        """Note that all successors are made."""
        self._generated += len(made)

    def _end(self, goal: int, at: int) -> str:
        """Take the goal; return what that means."""
        self._take(goal, at)
        self.nodes[goal].become(at, State.GOAL)
        return f"It is the goal, reached in {moves(self.nodes[goal].g)}: the search ends."

    def _make(self, parent: int, at: int, successor: Successor) -> Made:
        if successor.fate.is_kept:
            place = self._keep(at, parent, successor)
        else:
            place = self._add(at, parent, successor, State.DROPPED)
        return Made(place, successor.f, successor.fate)

    def _add(self, at: int, parent: int, successor: Successor, state: State) -> int:
        """Add a node for a successor; return its place."""
        place = len(self.nodes)
        one = successor
        changes, ranks = [(at, state)], [(at, one.f)]
        self.nodes.append(Node(parent, one.board, one.g, one.h, one.fate, changes, ranks))
        self._children[parent, one.board.blank] = place
        return place

    def _add_root(self, at: int, board: Board) -> int:
        """Add the root of a tree, which waits; what is estimated there is told when it is taken."""
        self._generated += 1
        self.nodes.append(Node(None, board, 0, 0, None, [(at, State.WAITING)], [(at, 0)]))
        return len(self.nodes) - 1

    def _path(self, result: Result) -> tuple[int, list[int]]:
        """Return the last node taken, and the path of the result as places."""
        place = self._last_root()
        path = [place]
        for step in steps_of(self.recording.puzzle.start, result.moves):
            place = self._children[place, step.board.blank]
            path.append(place)
        return place, path

    def _last_root(self) -> int:
        """Return the place of the start in the tree that was recorded last."""
        roots = [one.root for one in self.recording.iterations if one.root is not None]
        return roots[-1] if roots else 0


def moves(count: int) -> str:
    """Return a number of moves in words."""
    return f"{count:,} move{'s' * (count != 1)}"
