"""The plain searches, with switches for the mistakes and habits of programs."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from math import inf
from typing import Any

from slidewise.course.judge.printed.mistakes import Change, FreeTies, SortedTooEarly
from slidewise.course.judge.printed.submission import WorkRow
from slidewise.puzzle import Puzzle
from slidewise.solver.convention import Convention
from slidewise.solver.events import Fate
from slidewise.solver.loop import Outcome
from slidewise.solver.plain.best_first import BestFirst, written_rules
from slidewise.solver.plain.one_path import Deepening, OnePathNode, Recursion
from slidewise.solver.plain.search import (
    SWAP,
    Moves,
    PlainEstimate,
    PlainSearch,
    Ways,
    WholeEstimate,
)
from slidewise.solver.plain.search import Move as BlankMove
from slidewise.solver.plain.two_ends import GOAL, START, TwoEnds
from slidewise.solver.task import Rank

Switches = Mapping[str, str]


class ParentsEstimate(WholeEstimate):
    """An estimate that gives each successor the h of its parent."""

    def moves(self, ways: Ways) -> Moves:
        """Return the moves along `ways`, with the h of the parent."""

        def h_after(h: float, before: bytes, after: bytes) -> int:
            return self.value(before)

        return [[BlankMove(cell, (), h_after) for cell in cells] for cells in ways]


def neighbours(cells: bytes, ways: Ways, switches: Switches | None = None) -> list[bytes]:
    """Return the neighbour boards. With the switch `copies` as `none` they share a single list."""
    blank = cells.index(0)
    if not switches or "copies" not in switches:
        return [cells.translate(SWAP[cells[cell]]) for cell in ways[blank]]
    # Each swap is made on the result of the swap before, as in a program that does not copy.
    shared, found = bytearray(cells), []
    for cell in ways[blank]:
        shared[blank], shared[cell] = shared[cell], shared[blank]
        found.append(bytes(shared))
    return found


def wanted_board(search: PlainSearch, rows: Sequence[WorkRow]) -> bytes | None:
    """Return the board of the next row that a search follows, or the goal after the last row."""
    if not rows:
        return None
    return rows[search.expanded].cells if search.expanded < len(rows) else search.goal


def left_out_of(path: list[bytes], switches: Switches) -> Collection[bytes]:
    """Return the successors that are dropped after a path, by default only its last parent.

    With the switch `back` as `path` they are all boards of the path, with `none` no boards.
    """
    rule: dict[str, list[bytes]] = {"path": path, "none": []}
    return rule.get(switches.get("back", ""), path[-2:-1])


class MistakenBestFirst(BestFirst):
    """A best-first search.

    Switches: with `entry` as `stale` the queue entry of a node with a shorter path is not updated.
    With `member` as `pairs` duplicates are detected by f and board. `copies` is described at
    `neighbours`.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        ways: Ways,
        estimate: PlainEstimate,
        rank: Rank,
        convention: Convention,
        algorithm: str,
        change: Change,
    ) -> None:
        rules = written_rules(convention, algorithm)
        self._change, self._ways = change, ways
        self._pairs: set[tuple[bytes, float]] = set()
        self._done: set[bytes] = set()
        self._copies = "copies" in change.switches
        self._made = iter(list[bytes]())
        if change.queue:
            rules = replace(rules, queue=change.queue)
        elif change.follows:
            # Breadth-first search has no f, so its layers are the ties.
            def key(search: BestFirst, node: int) -> Any:
                f = search.g[node] if algorithm == "bfs" else search.f(node)
                return f, search.cells[node]

            ties = FreeTies(lambda: wanted_board(self, change.follows))
            rules = replace(rules, queue=lambda: ties, key=key)
        super().__init__(puzzle, ways, estimate, rank, rules=rules)
        if change.forgets_start:
            self.reached.clear()

    def _push(self, node: int) -> None:
        self._pairs.add((self.cells[node], self.f(node)))
        super()._push(node)

    def _note_expansion(self, node: int) -> None:
        super()._note_expansion(node)
        self._done.add(self.cells[node])
        if isinstance(self.queue, SortedTooEarly):
            self.queue.sort()
        if self._copies:
            self._made = iter(neighbours(self.cells[node], self._ways, self._change.switches))

    def _compare(self, node: int, new: bytes) -> tuple[bytes, int, Fate]:
        g = self._change.g(self, node) if self._change.g else self.g[node] + 1
        if self._copies:
            new = next(self._made)
        return new, g, self._fate(node, new, g)

    def _fate(self, node: int, new: bytes, g: int) -> Fate:
        if "member" in self._change.switches:
            f = self.rank.g_weight * g + self.rank.h_weight * self._estimate.value(new)
            return Fate.REACHED if new in self._done or (new, f) in self._pairs else Fate.KEPT
        known = self.reached.get(new)
        if self._change.forgets_start and new == self.start and known is None:
            return Fate.KEPT
        fate = super()._fate(node, new, g)
        is_stale = fate is Fate.SHORTER and "entry" in self._change.switches
        if is_stale and known is not None and known not in self.closed:
            # The node gets the shorter path, but its queue entry keeps the old f.
            self.g[known], self.parent[known] = g, node
            return Fate.REACHED
        return fate


class MistakenDeepening(Deepening):
    """Depth-first search within a rising limit that tests boards when they are taken.

    Switches:

    - `limit` is the rule for the next limit: `plus-one`, `plus-two`, `plus-five`, or the `highest`
      or `last` f above the present limit.
    - `keeps` selects the f values (`below` the limit).
    - `visited` forbids to expand a board twice in an iteration (`yes`) or in all iterations
      (`kept`), or any expanded successor (`made`), or a board unless its new path is `shorter`.
    - With `late` a board at the depth limit is not compared with the goal.
    - With `first` as `one` the first limit is 1.
    - With `lists` as `all` boards that the limit cuts off are listed like expanded boards.
    - `back` and `copies` are described at `left_out_of` and `neighbours`.
    """

    def __init__(
        self, puzzle: Puzzle, ways: Ways, estimate: PlainEstimate, *, uses_h: bool, change: Change
    ) -> None:
        super().__init__(puzzle, ways, estimate, uses_h=uses_h)
        self._ways, self._switches, self._rows = ways, change.switches, change.follows
        self._visited: set[bytes] = set()
        self._path: list[bytes] = []

    def path(self) -> list[bytes]:
        """Return the boards on the path."""
        return self._path

    def _expansions(self) -> Generator[Outcome]:
        limit: float = 1 if "first" in self._switches else self.limit
        # A set that is never cleared can hide the goal, so the loop may not end.
        is_cleared = self._switches.get("visited") not in ("kept", "made")
        while True:
            if is_cleared:
                self._visited.clear()
            self._cut: list[float] = []
            yield from self._within(limit)
            if is_cleared and not self._cut:
                return
            limit = self._next(limit)

    def _next(self, limit: float) -> float:
        """Return the next limit."""
        lowest, highest, last = self._cut or [limit + 1] * 3
        rule = self._switches.get("limit") if self._cut else None
        return {
            "plus-one": limit + 1, "plus-two": limit + 2, "plus-five": limit + 5,
            "highest": highest, "last": last,
        }.get(rule or "", lowest)  # fmt: skip

    def _within(self, limit: float) -> Generator[Outcome]:
        switches, rule, path = self._switches, self._switches.get("visited"), self._path
        lists_all, late = "lists" in switches, "late" in switches and not self._uses_h
        is_below = switches.get("keeps") == "below"
        waiting, lowest = [(self.start, 0)], dict[bytes, int]()
        path.clear()
        while waiting:
            cells, g = self._take(waiting)
            h = self._estimate.value(cells)
            f = g + h
            if g and (f >= limit if is_below else f > limit):
                if lists_all:
                    yield from self._list(cells, g, h)
                self._cut_off(max(f, limit + 1) if is_below else f, limit)
                continue
            if rule in ("yes", "kept"):
                if cells in self._visited and (g or rule == "yes"):
                    continue
                self._visited.add(cells)
            # The stack may be shallower than the last path, whose rest is cut off here.
            path[g:] = [cells]
            if cells == self.goal and not (late and g == limit):
                self.deepest = max(self.deepest, g)
                yield Outcome.GOAL
            # Without an estimate the limit is a depth: the node is tested, but not expanded.
            if not self._uses_h and g >= limit:
                if lists_all:
                    yield from self._list(cells, g, h)
                self._cut_off(g + 1, limit)
                continue
            if rule == "shorter" and lowest.get(cells, g + 1) <= g:
                continue
            lowest[cells] = g
            yield from self._list(cells, g, h)
            left_out = left_out_of(path, switches)
            if rule == "made":
                self._visited.add(cells)
                left_out = self._visited
            made = neighbours(cells, self._ways, switches)
            # Reversed, so that the stack returns the successors in their order.
            waiting += [(new, g + 1) for new in reversed(made) if new not in left_out]

    def _take(self, waiting: list[tuple[bytes, int]]) -> tuple[bytes, int]:
        """Remove and return the last node, or the wanted node if it waits at the same depth."""
        wanted, depth = wanted_board(self, self._rows), waiting[-1][1]
        for at in range(len(waiting) - 1, -1, -1) if wanted else ():
            if waiting[at][1] != depth:
                break
            if waiting[at][0] == wanted:
                return waiting.pop(at)
        return waiting.pop()

    def _list(self, cells: bytes, g: int, h: float) -> Generator[Outcome]:
        """Count and report an expansion."""
        if self.expanded >= self._target:
            yield Outcome.RUNNING
        self.expanded += 1
        self.generated += len(self._ways[cells.index(0)])
        self.deepest = max(self.deepest, g)
        if self.visit:
            self.visit(cells, g, h, g + h)

    def _cut_off(self, f: float, limit: float) -> None:
        """Store the lowest, the highest and the last f above the limit."""
        if f > limit:
            lowest, highest = (self._cut or [f, f])[:2]
            self._cut = [min(lowest, f), max(highest, f), f]


class MistakenRecursion(Recursion):
    """Recursive best-first search.

    Switches: with `stored` successors start from g + h alone (`own`) or always from their parent's
    stored f (`parents`). `bound` is the path's (`inherited`) or the second-best f (`second`).
    `goes-on` continues only `below` the bound. `ties` are `sorted` in place. `returned` as `lost`
    drops the backed-up f. `root` as `h` sets the first bound. `back` and `copies` are described at
    `left_out_of` and `neighbours`.
    """

    def __init__(
        self, puzzle: Puzzle, ways: Ways, estimate: PlainEstimate, *, change: Change
    ) -> None:
        super().__init__(puzzle, ways, estimate)
        self._ways, self._switches, self._rows = ways, change.switches, change.follows
        if "root" in self._switches:
            self.first_bound = self.limit

    def _successors(self, node: OnePathNode, g: int, least: float) -> list[OnePathNode]:
        left_out, found = left_out_of(self.path(), self._switches), list[OnePathNode]()
        for cells in neighbours(node.cells, self._ways, self._switches):
            if cells not in left_out:
                h = self._estimate.value(cells)
                f, number = max(least, g + 1 + h), self.made + len(found)
                found.append(OnePathNode(cells, cells.index(0), node.blank, h, f, number))
        return found

    def _least(self, node: OnePathNode, g: int) -> float:
        rule = self._switches.get("stored")
        return {"own": 0, "parents": node.f}.get(rule or "", super()._least(node, g))

    def _best_two(self, successors: list[OnePathNode]) -> tuple[OnePathNode | None, float, float]:
        if "ties" in self._switches:
            successors.sort(key=lambda one: one.f)
        best, lowest, second = super()._best_two(successors)
        wanted = wanted_board(self, self._rows)
        given = (one for one in successors if one.f == lowest < inf and one.cells == wanted)
        return next(given, best), lowest, second

    def _goes_on(self, f: float, bound: float) -> bool:
        return f < bound if "goes-on" in self._switches else f <= bound

    def _bound(self, bound: float, second: float) -> float:
        bounds = {"inherited": bound, "second": second}
        return bounds.get(self._switches.get("bound", ""), min(bound, second))

    def _back_up(self, node: OnePathNode, f: float) -> None:
        if "returned" not in self._switches:
            node.f = f


class MistakenTwoEnds(TwoEnds):
    """Bidirectional search.

    Switches: with `turn` the sides alternate by `layers` or by `nodes`, the `smaller` frontier is
    next, or only the `start` side expands. With `meeting` as `taken`, the test is at expansion,
    with `layer` after a whole layer. With `stack` the newest node is first. `copies` is described
    at `neighbours`.
    """

    def __init__(self, puzzle: Puzzle, ways: Ways, *, change: Change) -> None:
        super().__init__(puzzle, ways)
        self._switches, self._rows = change.switches, change.follows
        self._meeting = change.switches.get("meeting")
        # The sides alternate, so the first turn is the start's.
        self.end = GOAL
        if self.start == self.goal:
            self._met, self.generated = (START, GOAL), 1

    def path(self) -> list[bytes]:
        """Return the boards from the start to the goal, with the meeting board only once."""
        boards = super().path()
        return boards[:1] + [after for before, after in pairwise(boards) if before != after]

    def _expansions(self) -> Generator[Outcome]:
        while all(self._layers):
            for _ in range(0 if self._met else self._turn()):
                node = self._take()
                other = self.ends[1 - self.end]
                if self._meeting == "taken" and self.cells[node] in other:
                    self._met = node, other[self.cells[node]]
                    break
                if self.expanded >= self._target:
                    yield Outcome.RUNNING
                self._expand(node)
                if self._met and self._meeting != "layer":
                    break
            if self._met:
                self.deepest = max(self.deepest, len(self.path()) - 1)
                yield Outcome.GOAL

    def _turn(self) -> int:
        rule, before = self._switches.get("turn"), self.end
        size = super()._turn()
        if rule in ("layers", "nodes", "start"):
            self.end = START if rule == "start" else 1 - before
            size = self.sizes[self.end]
        return size if rule in (None, "layers") else 1

    def _take(self) -> int:
        """Remove and return the next node of the side."""
        layer, wanted = self._layers[self.end], wanted_board(self, self._rows)
        is_stack = "stack" in self._switches
        if wanted is None:
            return layer.pop() if is_stack else layer.popleft()
        nodes = reversed(layer) if is_stack else iter(layer)
        node = next(nodes)
        equal = takewhile(lambda one: self.g[one] == self.g[node], nodes)
        node = next((one for one in equal if self.cells[one] == wanted), node)
        layer.remove(node)
        return node

    def _expand(self, node: int) -> None:
        here, there = self.ends[self.end], self.ends[1 - self.end]
        board, g = self.cells[node], self.g[node]
        self.expanded += 1
        self.deepest = max(self.deepest, g)
        if self.visit:
            self.visit(board, g, 0, g)
        for new in neighbours(board, self._ways, self._switches):
            self.generated += 1
            if new in here:
                continue
            if new in there and self._meeting != "taken" and not self._met:
                self._met = node, there[new]
            if self._met and self._meeting != "layer":
                return
            here[new] = len(self.cells)
            self._layers[self.end].append(len(self.cells))
            self.cells.append(new)
            self.parent.append(node)
            self.g.append(g + 1)
