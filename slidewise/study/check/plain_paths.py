"""IDA*, iterative deepening and recursive best-first search as plain loops."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slidewise.study.check.plain_search import PlainNode, PlainSearch

if TYPE_CHECKING:
    from collections.abc import Iterator


class _OnePath(PlainSearch):
    """A search that keeps one path."""

    def onward(self, path: list[bytes]) -> list[bytes]:
        """Return the successors of the last board that are looked at.

        The switch `back`: those on the `path` are left out, the `parent` only, or `none`.
        """
        left_out = {"path": path, "none": []}.get(self.switches.get("back", ""), path[-2:-1])
        return [cells for cells in self.successors(path[-1]) if cells not in left_out]


class PlainDeepening(_OnePath):
    """Depth-first search within a limit that rises, on f or, without a heuristic, on g.

    Switches: `limit` is how the next limit comes about (`plus-one`, `plus-two`, the `highest` or
    `last` f above this one); `keeps` says of which f (`below` the limit); `visited`: no board twice
    in an iteration (`yes`), or in all of them (`kept`), or no successor that was ever expanded
    (`made`); `late`: a board at the depth limit is not compared with the goal; `first`: the first
    limit is `one`.
    """

    @property
    def endless(self) -> bool:  # type: ignore[override]
        """Return whether limits rise for ever, as visited boards hide the goal."""
        return self.switches.get("visited") in ("kept", "made")

    def expansions(self) -> Iterator[PlainNode]:
        """Yield the nodes in the order in which they are expanded."""
        limit: float = 1 if self.switches.get("first") == "one" else self.h(self.start)
        self._visited: set[bytes] = set()
        while True:
            cut: list[float] = []
            if not self.endless:
                self._visited.clear()
            yield from self._within(limit, cut)
            if self.path or not (cut or self.endless):
                return
            limit = self._next(limit, cut) if cut else limit + 1

    def _next(self, limit: float, cut: list[float]) -> float:
        """Return the next limit; `cut` has the lowest, the highest and the last f above this."""
        way = self.switches.get("limit", "lowest")
        fixed = {"plus-one": limit + 1, "plus-two": limit + 2}
        found = {"lowest": cut[0], "highest": cut[1], "last": cut[2]}
        return {**fixed, **found}[way]

    def _within(self, limit: float, cut: list[float]) -> Iterator[PlainNode]:
        waiting, path = [(self.start, 0)], list[bytes]()
        visited, rule = self._visited, self.switches.get("visited")
        by_depth = self._task.heuristic is None
        late = by_depth and "late" in self.switches
        while waiting:
            self._follow(waiting)
            cells, g = waiting.pop()
            f = g + self.h(cells)
            if g and self._is_over(f, limit):
                _note(cut, max(f, limit + 1) if self._is_below else f, limit)
                continue
            if rule in ("yes", "kept"):
                if cells in visited and (g or rule == "yes"):
                    continue
                visited.add(cells)
            path[g:] = [cells]
            if cells == self.goal_cells and not (late and g == limit):
                self.path = path
                return
            if by_depth and g >= limit:
                _note(cut, g + 1, limit)
                continue
            yield PlainNode(cells, g, self.h(cells), f)
            made = self.onward(path)
            if rule == "made":
                visited.add(cells)
                made = [new for new in self.successors(cells) if new not in visited]
            waiting.extend((new, g + 1) for new in reversed(made))

    def _follow(self, waiting: list[tuple[bytes, int]]) -> None:
        """Put the sibling that was given next at the end of the stack."""
        for at in range(len(waiting) - 1, -1, -1):
            if waiting[at][1] != waiting[-1][1]:
                return
            if self.is_given_next(waiting[at][0]):
                waiting.append(waiting.pop(at))
                return

    @property
    def _is_below(self) -> bool:
        return self.switches.get("keeps") == "below"

    def _is_over(self, f: float, limit: float) -> bool:
        return f >= limit if self._is_below else f > limit


def _note(cut: list[float], f: float, limit: float) -> None:
    """Keep the lowest, the highest and the last f above the limit."""
    if f > limit:
        cut[:] = [min(cut[0], f), max(cut[1], f), f] if cut else [f, f, f]


@dataclass(slots=True)
class _Level:
    """A node of the path: its stored f, the bound on those below it, and its successors as
    [stored f, cells], of which `chosen` is the one on the path."""

    node: PlainNode
    bound: float
    successors: list[_Waiting] = field(default_factory=list)
    chosen: _Waiting | None = None


@dataclass(slots=True)
class _Waiting:
    """A successor: its board, and its stored f."""

    cells: bytes
    f: float


class PlainRecursion(_OnePath):
    """Recursive best-first search.

    Switches: `stored`: successors start from g + h alone (`own`) or always from their parent's
    stored f (`parents`); `bound` is that of the path alone (`inherited`) or the second best alone
    (`second`); `goes-on`: only `below` the bound; `ties`: `sorted` in place; `returned`: the f that
    comes back is `lost`; `root`: the first bound is `h`.
    """

    @property
    def endless(self) -> bool:  # type: ignore[override]
        """Return whether it goes down to the same successor for ever."""
        return self.switches.get("returned") == "lost"

    def expansions(self) -> Iterator[PlainNode]:
        """Yield the nodes in the order in which they are expanded."""
        h = self.h(self.start)
        bound = h if self.switches.get("root") == "h" else math.inf
        levels = [_Level(PlainNode(self.start, 0, h, h), bound)]
        taken = True
        while levels:
            level = levels[-1]
            if taken:
                if level.node.cells == self.goal_cells:
                    self.path = [one.node.cells for one in levels]
                    return
                yield level.node
                self._make(level, [one.node.cells for one in levels])
            best, second = self._best_two(level)
            taken = best is not None and self._goes_on(best.f, level.bound)
            if taken and best is not None:
                level.chosen = best
                g = level.node.g + 1
                node = PlainNode(best.cells, g, self.h(best.cells), best.f)
                levels.append(_Level(node, self._bound(level.bound, second)))
            else:
                levels.pop()
                if levels and levels[-1].chosen is not None and not self.endless:
                    levels[-1].chosen.f = best.f if best is not None else math.inf

    def _make(self, level: _Level, path: list[bytes]) -> None:
        _, g, h, stored = level.node
        rule = self.switches.get("stored", "")
        least = stored if stored > g + h or rule == "parents" else 0
        for cells in self.onward(path):
            f = g + 1 + self.h(cells)
            level.successors.append(_Waiting(cells, f if rule == "own" else max(f, least)))

    def _best_two(self, level: _Level) -> tuple[_Waiting | None, float]:
        """Return the successor with the lowest stored f, and the next lowest f."""
        ranked = sorted(level.successors, key=lambda one: one.f)
        if self.switches.get("ties") == "sorted":
            level.successors = ranked
        best = ranked[0] if ranked and ranked[0].f < math.inf else None
        for other in ranked:
            if best is not None and other.f == best.f and self.is_given_next(other.cells):
                best = other
        return best, ranked[1].f if len(ranked) > 1 else math.inf

    def _goes_on(self, f: float, bound: float) -> bool:
        return f < bound if self.switches.get("goes-on") == "below" else f <= bound

    def _bound(self, inherited: float, second: float) -> float:
        bounds = {"inherited": inherited, "second": second}
        return bounds.get(self.switches.get("bound", ""), min(inherited, second))
