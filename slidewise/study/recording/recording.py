"""What a recording holds: the nodes of a search, and what each of them was at each expansion."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, TypeVar

from slidewise.solver.convention import SLIDEWISE, find_convention
from slidewise.solver.events import FATES, LOWEST_F, Fate
from slidewise.text import plural

if TYPE_CHECKING:
    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.convention import Convention
    from slidewise.solver.result import Result
    from slidewise.solver.task import Algorithm, FrontierKind


UNKNOWN = -1
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


DIRECTION_NAMES = {"u": "up", "d": "down", "l": "left", "r": "right"}
"""The blank's directions in words."""


@dataclass(frozen=True, slots=True)
class RecordedSuccessor:
    """A successor when it was made: the index of its node, its f at that time, its fate."""

    node: int
    f: int
    fate: Fate


@dataclass(frozen=True, slots=True)
class Expansion:
    """One expansion, or the end of the search: which node, why it came next, its successors.

    `frontier`, `in_memory` and `generated` count nodes after the expansion: those that wait,
    those held in memory (the boards reached, or the path and what waits along it), and all that
    were made so far; the first two are None where they are not known, after others left out.
    `limit` is the depth limit or f-limit that held, None without one.
    """

    node: int
    why: str
    successors: tuple[RecordedSuccessor, ...]
    frontier: int | None
    in_memory: int | None
    generated: int
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class RecordedIteration:
    """An iteration: its limit, the number of its first expansion, and the index of its root.

    The root is None where the search goes on in the tree that it has.
    """

    kind: str
    limit: int
    first: int
    root: int | None

    @property
    def words(self) -> str:
        """Return what began.

        >>> RecordedIteration("depth limit", 5, 1, 0).words
        'Iteration with the depth limit 5'
        """
        if self.kind == LOWEST_F:
            return f"The lowest f at the start rose to {self.limit:,}"
        return f"Iteration with the {self.kind} {self.limit:,}"


@dataclass(frozen=True, slots=True)
class Gap:
    """Expansions in the midst of a search that were left out: `left_out` of them.

    `after` is the number of steps recorded before them. The last expansions, from step `after` + 1
    on, have a tree of their own with the indices of its `roots`, in which there are only the nodes
    made in them and those on the paths to them; the frontier there is not known whole.
    """

    after: int
    left_out: int
    roots: tuple[int, ...]

    @property
    def words(self) -> str:
        """Return what was left out.

        >>> Gap(2000, 12345, (0,)).words
        '12,345 expansions not recorded'
        """
        return f"{plural(self.left_out, 'expansion')} not recorded"


@dataclass
class Recording:
    """A search as it went. Expansions are numbered from 1: `steps[0]` is the first.

    `formula` says what f is, `order` which node comes first, `memory_label` what
    `Expansion.in_memory` counts; `limit_name` is what its limit is called, empty without limits.
    `solution` are the indices of the nodes on the path found; then the last of the `steps` is the
    end, where the goal is taken or the ends meet. If it is not `complete`, others were left out:
    in the `gap` before the last expansions, or else up to the end.
    """

    puzzle: Puzzle
    algorithm: Algorithm
    formula: str
    order: str
    memory_label: str
    limit_name: str = ""
    nodes: list[Node] = field(default_factory=list)
    steps: list[Expansion] = field(default_factory=list)
    iterations: list[RecordedIteration] = field(default_factory=list)
    solution: list[int] = field(default_factory=list)
    result: Result | None = None
    convention: str = SLIDEWISE.key
    gap: Gap | None = None

    @property
    def kind(self) -> FrontierKind:
        """Return how the frontier is held."""
        assert self.algorithm.frontier is not None
        return self.algorithm.frontier.kind

    @property
    def expansions(self) -> int:
        """Return how many expansions were recorded."""
        return len(self.steps) - bool(self.solution)

    @property
    def complete(self) -> bool:
        """Return whether all expansions of the search were recorded."""
        result = self.result
        if result is None:
            return False
        goal_counts = result.length is not None and self.rules.counts_goal
        return self.expansions == result.expanded - goal_counts

    @property
    def late(self) -> int:
        """Return how many expansions were recorded after the gap."""
        return self.expansions - self.gap.after if self.gap else 0

    def is_late(self, at: int) -> bool:
        """Return whether step `at` comes after the gap."""
        return self.gap is not None and at > self.gap.after

    def number(self, at: int) -> int:
        """Return the number that the search gave to the expansion which is step `at`."""
        return at + self.gap.left_out if self.gap and self.is_late(at) else at

    @property
    def rules(self) -> Convention:
        """Return the convention of the search."""
        return find_convention(self.convention, self.algorithm.key)

    @property
    def successor_order(self) -> str:
        """Return the order of successors in words."""
        return ", ".join(DIRECTION_NAMES[way] for way in self.rules.order)

    def state_at(self, node: int, at: int) -> State:
        """Return what the node of that index is after expansion `at`."""
        return _value_at(self.nodes[node].changes, at, State.UNMADE)

    def f_at(self, node: int, at: int) -> int:
        """Return the f that the node of that index has at expansion `at`; its first, before it."""
        ranks = self.nodes[node].ranks
        return _value_at(ranks, at, ranks[0][1])

    def iteration_at(self, at: int) -> RecordedIteration | None:
        """Return the iteration whose tree is searched at expansion `at`, None if there are none."""
        begun = [one for one in self.iterations if one.first <= at and one.root is not None]
        return begun[-1] if begun else None

    def root_at(self, at: int) -> int:
        """Return the index of the root of the tree that is searched at expansion `at`."""
        iteration = self.iteration_at(at)
        if self.gap and self.is_late(at) and not (iteration and iteration.first > self.gap.after):
            return self.gap.roots[0]
        return (iteration and iteration.root) or 0

    def waiting_at(self, at: int) -> list[int]:
        """Return the indices of the nodes that wait after expansion `at`, in the tree of then.

        Those that are recorded, which after the gap are not all of them.
        """
        return [
            node
            for node in range(self.root_at(at), len(self.nodes))
            if self.state_at(node, at) is State.WAITING
        ]

    def as_json(self) -> dict[str, Any]:
        """Return what a viewer needs, in columns; a board is its parent's with another blank."""
        return {
            "start": str(self.puzzle.start),
            "goal": str(self.puzzle.goal),
            "informed": self.algorithm.uses_heuristic,
            "formula": self.formula,
            "order": self.order,
            "sorting": self.kind.value,
            "kept": self.memory_label,
            "complete": self.complete,
            "expansions": self.expansions,
            "gap": None if self.gap is None else asdict(self.gap) | {"words": self.gap.words},
            **self._node_columns(),
            "steps": [_step_json(step) for step in self.steps],
            "iterations": [[one.kind, one.limit, one.first, one.root] for one in self.iterations],
            "solution": self.solution,
            "reasons": [[fate.value, fate.reason] for fate in FATES],
        }

    def _node_columns(self) -> dict[str, list[Any]]:
        return {
            "parents": [-1 if node.parent is None else node.parent for node in self.nodes],
            "blanks": [node.board.blank for node in self.nodes],
            "g": [node.g for node in self.nodes],
            "h": [node.h for node in self.nodes],
            "fates": [-1 if node.fate is None else FATES.index(node.fate) for node in self.nodes],
            "changes": [_flat(node.changes) for node in self.nodes],
            "ranks": [_flat(node.ranks) for node in self.nodes],
            "others": [-1 if node.other is None else node.other for node in self.nodes],
        }


_Value = TypeVar("_Value")


def _value_at(pairs: list[tuple[int, _Value]], at: int, before: _Value) -> _Value:
    """Return the last value of `pairs` that held at expansion `at`, `before` if none did."""
    return next((value for since, value in reversed(pairs) if since <= at), before)


def _step_json(step: Expansion) -> dict[str, Any]:
    return {
        "node": step.node,
        "why": step.why,
        "made": [[one.node, one.f, FATES.index(one.fate)] for one in step.successors],
        "sizes": [step.frontier, step.in_memory, step.generated],
    }


def _flat(pairs: list[tuple[int, Any]]) -> list[int]:
    return [int(number) for pair in pairs for number in pair]
