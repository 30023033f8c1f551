"""A recording: the nodes of a search, with their state at each expansion, and its pseudocode."""

from dataclasses import asdict, dataclass, field, replace
from enum import IntEnum
from typing import Any, NamedTuple, TypeVar

from slidewise.puzzle import Board, Puzzle
from slidewise.solver.convention import (
    DIRECTION_NAMES,
    SLIDEWISE,
    Against,
    Convention,
    Duplicates,
    GoalTest,
    Queue,
    find_convention,
)
from slidewise.solver.events import DEPTH_LIMIT, F_LIMIT, FATES, LOWEST_F, Fate
from slidewise.solver.result import Result, Status
from slidewise.solver.run import find_heuristic
from slidewise.solver.task import Algorithm, Frontier, FrontierKind, Task
from slidewise.text import message, noop, plural, sentence

UNKNOWN = -1
"""The h and f of a path node whose generation was not recorded."""


class State(IntEnum):
    """State of a node at an expansion.

    REPLACED: a shorter path to its board was found. LEFT: taken but not expanded, or forgotten by a
    search that stores only a path. MET: the two sides met there.
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

    `changes` are pairs (expansion, state from this expansion). `ranks` are pairs (expansion, f from
    this expansion); only recursive best-first search changes f. `fate` is None at a root, and for a
    node generated in the gap. `other` is the index of the other side's node with the same board, if
    the sides met there.
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
        """Record that the node is in `state` from expansion `at`."""
        if self.state is not state:
            self.changes.append((at, state))

    def set_f(self, at: int, f: int) -> None:
        """Record that the f of the node is `f` from expansion `at`."""
        if self.f != f:
            self.ranks.append((at, f))


@dataclass(frozen=True, slots=True)
class RecordedSuccessor:
    """A successor at its generation: the index of its node, its f, its fate."""

    node: int
    f: int
    fate: Fate


@dataclass(frozen=True, slots=True)
class Expansion:
    """An expansion, or the end of the search: its node, reason and successors.

    Three numbers count nodes after the expansion: `frontier` the frontier nodes, `in_memory` the
    boards reached, or the path and its frontier, and `generated` all nodes generated so far. The
    first two are None if unknown after omitted expansions. `limit` is the current depth limit or
    f-limit, or None.
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

    The root is None if the search continues in the current tree.
    """

    kind: str
    limit: int
    first: int
    root: int | None

    @property
    def words(self) -> str:
        """Describe the iteration.

        >>> RecordedIteration("depth limit", 5, 1, 0).words
        'Iteration with the depth limit 5'
        """
        if self.kind == LOWEST_F:
            return message("The lowest f at the start rose to %(limit)s", limit=self.limit)
        return message("Iteration with the %(limit)s", limit=limit_words(self.kind, self.limit))


_LIMITS = {DEPTH_LIMIT: noop("depth limit %(limit)s"), F_LIMIT: noop("f-limit %(limit)s")}


def limit_words(kind: str, limit: int) -> str:
    """Name a limit.

    >>> limit_words("depth limit", 5)
    'depth limit 5'
    """
    return message(_LIMITS[kind], limit=limit) if kind in _LIMITS else f"{kind} {limit:,}"


USUAL_ORDERS = {
    FrontierKind.RANKED: noop(
        "A priority queue: the lowest f comes first; with equal f, %(first)s."
    ),
    FrontierKind.PATH: noop(
        "A stack: nodes waiting along the path, the deepest first; with equal depth, the node "
        "generated first."
    ),
    FrontierKind.RECURSION: noop(
        "Nodes waiting along the path, the lowest stored f first; with equal f, the deepest, and "
        "there the node generated first."
    ),
    FrontierKind.TWO_ENDS: noop(
        "Two queues, from the start and from the goal: the oldest comes first in each."
    ),
}
"""Orders of algorithms without their own description."""


def order_words(task: Task) -> str:
    """Return the rule for the first node of the frontier, as a sentence."""
    frontier = task.algorithm.frontier
    assert frontier
    return message(frontier.order or USUAL_ORDERS[frontier.kind], first=ties_of(task).first)


def ties_of(task: Task) -> Convention:
    """Return the convention with the rule for ties of the frontier."""
    if task.algorithm.key == "dfs":  # in a stack only siblings tie
        return replace(task.convention, ties=task.convention.siblings, queue=Queue.COUNTER)
    return task.convention


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap in the middle of a search: `left_out` omitted expansions.

    `after` is the number of steps recorded before the gap. From step `after` + 1 the tree has the
    `roots` with these indices. Of the nodes generated in the gap, it contains only the nodes on the
    paths to the last expansions, so a ranked frontier is incomplete.
    """

    after: int
    left_out: int
    roots: tuple[int, ...]

    @property
    def words(self) -> str:
        """Describe the gap.

        >>> Gap(2000, 12345, (0,)).words
        '12,345 expansions not recorded'
        """
        return message("%(expansions)s not recorded", expansions=plural(self.left_out, "expansion"))


@dataclass
class Recording:
    """A recorded search. Expansions are numbered from 1: `steps[0]` is the first.

    `formula` is the formula of f, `order` the queue order, and `memory_label` the meaning of
    `Expansion.in_memory`. `limit_name` is the name of its limit, empty without limits. `solution`
    are the indices of the nodes on the path found. With a solution, the last of the `steps` is the
    end, at the goal or the meeting point. Unless it is `complete`, some expansions were omitted, in
    the `gap` before the last expansions or at the end.
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
        """Return the kind of the frontier."""
        assert self.algorithm.frontier is not None
        return self.algorithm.frontier.kind

    @property
    def title(self) -> str:
        """Return the titles of the algorithm and its heuristic, and the weight."""
        result, title = self.result, self.algorithm.title
        if result and result.heuristic:
            heuristic = find_heuristic(result.heuristic).title
            title = message("%(title)s, %(heuristic)s", title=title, heuristic=heuristic)
        if not self.rules.is_own:
            title = message("%(title)s (%(rules)s)", title=title, rules=self.rules.title)
        if result and result.weight:
            title = message("%(title)s, w = %(weight)s", title=title, weight=f"{result.weight:g}")
        return title

    @property
    def expansions(self) -> int:
        """Return the number of recorded expansions."""
        return len(self.steps) - bool(self.solution)

    @property
    def complete(self) -> bool:
        """Return whether all expansions of the search were recorded."""
        result = self.result
        if result is None:
            return False
        # Some conventions count the goal as expanded; the recording has it as the end.
        goal_counts = result.length is not None and self.rules.counts_goal
        return self.expansions == result.expanded - goal_counts

    @property
    def late(self) -> int:
        """Return the number of expansions recorded after the gap."""
        return self.expansions - self.gap.after if self.gap else 0

    def is_late(self, at: int) -> bool:
        """Return whether step `at` comes after the gap."""
        return self.gap is not None and at > self.gap.after

    def number(self, at: int) -> int:
        """Return the search's own number of the expansion at step `at`."""
        return at + self.gap.left_out if self.gap and self.is_late(at) else at

    @property
    def rules(self) -> Convention:
        """Return the convention of the search."""
        return find_convention(self.convention, self.algorithm.key)

    @property
    def successor_order(self) -> list[str]:
        """Return the directions of the blank in the order of successors, in words."""
        return [DIRECTION_NAMES[way] for way in self.rules.order]

    def state_at(self, node: int, at: int) -> State:
        """Return the state of a node after expansion `at`."""
        return _value_at(self.nodes[node].changes, at, State.UNMADE)

    def f_at(self, node: int, at: int) -> int:
        """Return the f of a node at expansion `at`, or its first f before that."""
        ranks = self.nodes[node].ranks
        return _value_at(ranks, at, ranks[0][1])

    def iteration_at(self, at: int) -> RecordedIteration | None:
        """Return the iteration at expansion `at`, None if there are no iterations."""
        # An iteration without a root continues the tree of an earlier iteration.
        begun = [one for one in self.iterations if one.first <= at and one.root is not None]
        return begun[-1] if begun else None

    def root_at(self, at: int) -> int:
        """Return the root index of the current tree at expansion `at`."""
        iteration = self.iteration_at(at)
        return (iteration and iteration.root) or 0

    def waiting_at(self, at: int) -> list[int]:
        """Return the indices of the frontier nodes of the current tree after expansion `at`.

        Only recorded nodes are included, so the list is incomplete after the gap.
        """
        return [
            node
            for node in range(self.root_at(at), len(self.nodes))
            if self.state_at(node, at) is State.WAITING
        ]

    def as_json(self) -> dict[str, Any]:
        """Return the viewer's data in columns, after the search has finished.

        A node's board is stored as its blank: the rest follows from its parent's board.
        """
        result = self.result
        assert result is not None
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
            "title": self.title,
            "status": result.status.value,
            "length": result.length,
            "expanded": result.expanded,
            "words": _outcome(result),
            "heuristic": result.heuristic,
            "algorithm": self.algorithm.title,
            "code": [list(line) for line in pseudocode(self.algorithm, self.convention)],
        }

    def _node_columns(self) -> dict[str, list[Any]]:
        return {
            "parents": [-1 if node.parent is None else node.parent for node in self.nodes],
            # A blank instead of a board keeps the data small: the rest is the parent's board.
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
    """Return the last value of `pairs` at or before expansion `at`, `before` if none."""
    return next((value for since, value in reversed(pairs) if since <= at), before)


def _outcome(result: Result) -> str:
    """Return the outcome of the search in a sentence."""
    reason = result.verdict.reason
    if result.status is Status.SOLVED:
        moves = plural(result.length or 0, "move")
        return message(
            "%(moves)s, %(proof)s: %(why)s.", moves=moves, proof=result.proof, why=reason
        )
    if result.status is Status.UNSOLVABLE:
        return message("This goal cannot be reached: %(why)s.", why=reason)
    if result.status is Status.INVALID:
        return sentence(reason)
    return message("No solution was found: %(why)s.", why=reason)


def _step_json(step: Expansion) -> dict[str, Any]:
    return {
        "node": step.node,
        "why": step.why,
        "made": [[one.node, one.f, FATES.index(one.fate)] for one in step.successors],
        "sizes": [step.frontier, step.in_memory, step.generated],
    }


def _flat(pairs: list[tuple[int, Any]]) -> list[int]:
    return [int(number) for pair in pairs for number in pair]


class CodeLine(NamedTuple):
    """A line: its indentation, its words with `**` around keywords, and its phase.

    Phases: `start`, `limit` (a new limit), `back` (up the path), `take`, `goal` (the test), `each`
    (successor), `meet` (the other end), `keep` (the test), `rank` (f) and `put`. It is empty for a
    line without its own phase.
    """

    indent: int
    words: str
    part: str = ""


def pseudocode(algorithm: Algorithm, convention: str = SLIDEWISE.key) -> list[CodeLine]:
    """Return the pseudocode of a recordable search under a convention.

    >>> from slidewise import find_algorithm
    >>> for line in pseudocode(find_algorithm("bfs")):
    ...     print("  " * line.indent + line.words)
    put the start in the queue
    **while** the queue is not empty
      n ← **take** the oldest
      **if** n is the goal, **return** its path
      **for each** successor s of n
        **if** s was not reached before
          put s in the queue
    """
    assert algorithm.frontier is not None
    rules = find_convention(convention, algorithm.key)
    if not rules.is_own:
        return _under(rules, _ranked(algorithm, algorithm.frontier))
    return _LINES[algorithm.frontier.kind](algorithm, algorithm.frontier)


def _ranked(algorithm: Algorithm, frontier: Frontier) -> list[CodeLine]:
    value = "g(s) + w · h(s)" if "weight" in algorithm.options else "g(s) + h(s)"
    if frontier.rank and not frontier.rank.g_weight:
        value = "h(s)"
    rank = [CodeLine(3, f"f(s) ← {value}", "rank")] if algorithm.uses_heuristic else []
    return [
        CodeLine(0, f"put the start in the {frontier.name}", "start"),
        CodeLine(0, f"**while** the {frontier.name} is not empty"),
        CodeLine(1, f"n ← **take** {frontier.takes}", "take"),
        *_tests(1),
        CodeLine(2, f"**if** s {frontier.keeps}", "keep"),
        *rank,
        CodeLine(3, f"put s in the {frontier.name}", "put"),
    ]


def _under(rules: Convention, lines: list[CodeLine]) -> list[CodeLine]:
    """Return the lines with the duplicate detection and the goal test of a convention."""
    keep = CodeLine(2, f"**if** s {_KEEPS[rules.duplicates.against]}", "keep")
    if rules.duplicates in _LOWER:
        keep = keep._replace(words=f"{keep.words}{_LOWER[rules.duplicates]}")
    lines = [keep if line.part == "keep" else line for line in lines]
    if rules.goal_test is GoalTest.MADE:
        # The goal test moves from the taken node to each successor.
        lines = [line for line in lines if line.part != "goal"]
        at = lines.index(keep) + 1
        lines.insert(at, CodeLine(3, "**if** s is the goal, **return** its path"))
    return lines


_KEEPS = {
    Against.MADE: "was not made before",
    Against.EXPANDED: "was not expanded before",
    Against.PATH: "is not on the path to n",
    Against.PARENT: "is not straight back",
    Against.NOTHING: "was made, whatever came before",
}

_LOWER = {
    Duplicates.SHORTER: ", or its g is lower",
    Duplicates.SHORTER_STALE: ", or its g is lower",
    Duplicates.DECREASE_KEY: ", or waits with more g",
    Duplicates.EXPANDED_REOPENED: ", or its g is lower",
}


def _tests(indent: int) -> list[CodeLine]:
    return [
        CodeLine(indent, "**if** n is the goal, **return** its path", "goal"),
        CodeLine(indent, "**for each** successor s of n", "each"),
    ]


def _two_ends(_algorithm: Algorithm, _frontier: Frontier) -> list[CodeLine]:
    return [
        CodeLine(0, "put the start in queue 1, the goal in queue 2", "start"),
        CodeLine(0, "**while** neither queue is empty"),
        CodeLine(1, "**for each** n of the smaller outermost layer", "take"),
        CodeLine(2, "**for each** successor s of n", "each"),
        CodeLine(3, "**if** the other end reached s", "meet"),
        CodeLine(4, "**return** the two halves as a path"),
        CodeLine(3, "**if** this end did not reach s before", "keep"),
        CodeLine(4, "put s in the queue of n", "put"),
    ]


def _path(algorithm: Algorithm, _frontier: Frontier) -> list[CodeLine]:
    limits = "h(start), then the lowest f above" if algorithm.uses_heuristic else "0, 1, 2, …"
    value = "f(s)" if algorithm.uses_heuristic else "g(s)"
    return [
        CodeLine(0, f"**for** limit = {limits}", "limit"),
        CodeLine(1, "put the start on the stack", "start"),
        CodeLine(1, "**while** the stack is not empty"),
        CodeLine(2, "n ← **take** the deepest", "take"),
        *_tests(2),
        CodeLine(3, f"**if** {value} ≤ limit and not back", "keep"),
        CodeLine(4, "put s on the stack", "put"),
    ]


def _recursion(_algorithm: Algorithm, _frontier: Frontier) -> list[CodeLine]:
    return [
        CodeLine(0, "let the start wait", "start"),
        CodeLine(0, "**repeat**"),
        CodeLine(1, "n ← the lowest stored f that waits", "take"),
        CodeLine(1, "**go back** to where n waits, storing each lowest f", "back"),
        *_tests(1),
        CodeLine(2, "**if** s is not straight back", "keep"),
        CodeLine(3, "f(s) ← g(s) + h(s), or more if stored", "rank"),
        CodeLine(3, "let s wait along the path", "put"),
    ]


_LINES = {
    FrontierKind.RANKED: _ranked,
    FrontierKind.TWO_ENDS: _two_ends,
    FrontierKind.PATH: _path,
    FrontierKind.RECURSION: _recursion,
}
