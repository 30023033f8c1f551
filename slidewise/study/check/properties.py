"""Properties of a right program: its path, the path's length, the rules, and the counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from slidewise.solver.convention import SLIDEWISE
from slidewise.solver.engines.plain_best_first import moved
from slidewise.solver.find import find_algorithm
from slidewise.solver.result import Status
from slidewise.solver.run import solve
from slidewise.study.check.change import PLAIN
from slidewise.study.check.divergence import TITLES, DifferenceIn
from slidewise.study.check.traced import TracedSearch
from slidewise.study.check.words import counting
from slidewise.text import plural

if TYPE_CHECKING:
    from slidewise.solver.result import Result
    from slidewise.study.check.divergence import Divergence
    from slidewise.study.check.given import Given
    from slidewise.study.check.space import Fit
    from slidewise.study.check.traced import AskedSearch

MAX_BOUNDED = 200_000
"""The most boards that are looked at for the smallest possible count of expansions."""


class Property(NamedTuple):
    """A property of what was given, such as `path`: whether it is right, None if unknown."""

    key: str
    right: bool | None
    words: str


@dataclass
class Judge:
    """What is right in a submission, whatever the order and the convention of its search.

    `in_rows` and `in_path` are the first differences from the reference, `result` is that of the
    reference. `wrong_counts` are the names of the counts that no right program can have.
    """

    asked: AskedSearch
    given: Given
    result: Result
    in_rows: Divergence | None
    in_path: Divergence | None
    wrong_counts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def properties(self, fit: Fit | None, *, orders_tried: bool = True) -> tuple[Property, ...]:
        """Return the properties of what was given; `fit` is the search that explains it best.

        `orders_tried`: each right search was tried that takes equal nodes in the order given.
        """
        self.notes = []
        if fit is not None and not (fit.whole and fit.candidate.is_right):
            fit = None
        found = [
            self.path(),
            self.length(),
            self._rules(fit, orders_tried=orders_tried),
            self._counts(fit),
        ]
        return tuple(one for one in found if one is not None)

    @cached_property
    def shortest(self) -> int | None:
        """Return the moves of a shortest path, None if they are not known."""
        result = self.result
        if result.status is Status.CUTOFF or result.shortest is not None:
            return result.shortest
        asked = self.asked
        key, heuristic = asked.algorithm, asked.heuristic
        if not find_algorithm(key).optimal:
            key, heuristic = "astar", heuristic or "manhattan"
        return solve(asked.puzzle, key, heuristic, asked.limits).shortest

    @property
    def promises_shortest(self) -> bool:
        """Return whether the algorithm always finds a shortest path."""
        task = self.asked.task(SLIDEWISE).with_facts()
        return task.algorithm.optimal and task.trusts_h

    def path(self) -> Property | None:
        """Return whether the path is legal and ends at the goal."""
        if self.given.moves is None:
            return self._answer()
        right = self.in_path is None or self.in_path.kind == DifferenceIn.PATH
        words = "It leads from the start to the goal." if right else "It does not reach the goal."
        return Property("path", right, words)

    def _answer(self) -> Property | None:
        """Return whether an answer without a path is right."""
        solved = self.given.solved
        if solved is None or (solved and self.given.counts.get("length") is not None):
            return None
        if self.result.status is Status.CUTOFF:
            return Property("path", None, "The search was stopped before it found a path.")
        right = solved is (self.result.length is not None)
        return Property("path", right, "There is a path." if right else "The answer is not right.")

    def length(self) -> Property | None:
        """Return whether the path is as short as the algorithm promises."""
        moves, length = self.given.moves, self.given.counts.get("length")
        value = length if moves is None else len(moves)
        if value is None:
            return None
        path = self.path()
        if path is not None and not path.right:
            return Property("length", False, "There is no path to the goal.")
        if value == self.result.length:
            return Property("length", True, f"{plural(value, 'move')}, as expected.")
        shortest = self.shortest
        if shortest is None:
            return Property("length", None, "The shortest length is not known.")
        words = f"{plural(value, 'move')}; the shortest path has {shortest:,}."
        if value < shortest or (value - shortest) % 2:
            return Property("length", False, words)
        if self.promises_shortest:
            return Property("length", value == shortest, words)
        if self.asked.algorithm == "wastar":
            return Property("length", value <= self.asked.weight * shortest, words)
        return Property("length", None, f"{words} This search promises no length.")

    def _rules(self, fit: Fit | None, *, orders_tried: bool) -> Property | None:
        if not self.given.rows:
            return None
        if self.in_rows is None:
            return Property("rules", True, "All expansions are as expected.")
        if fit is not None:
            return Property("rules", True, "The expansions break no rule.")
        if not orders_tried:
            return Property("rules", None, "The expansions are too many to try each order.")
        return Property("rules", False, "The expansions break a rule of the algorithm.")

    def _counts(self, fit: Fit | None) -> Property | None:
        names = [name for name in self.given.counts if name != "length" or self._has_path]
        if not names:
            return None
        verdicts = {name: self._count(name, fit) for name in names}
        self.wrong_counts = [name for name, right in verdicts.items() if right is False]
        if self.wrong_counts:
            wrong = ", ".join(TITLES[name].lower() for name in self.wrong_counts)
            return Property("counts", False, f"No right search counts so: {wrong}.")
        if None in verdicts.values():
            unknown = [TITLES[name].lower() for name in names if verdicts[name] is None]
            words = f"Not known to be right or wrong: {', '.join(unknown)}."
            self.notes.append(words)
            return Property("counts", None, words)
        return Property("counts", True, "A right search counts so.")

    @property
    def _has_path(self) -> bool:
        return self.given.moves is not None

    def _count(self, name: str, fit: Fit | None) -> bool | None:
        """Return whether a right program can have a count, None if that is unknown."""
        value = self.given.counts[name]
        if name == "length":
            return value == len(self.given.moves or "")
        if self.result.status is Status.CUTOFF:
            return None
        expected = {key: getattr(self.result, key) for key in TITLES}
        known = [{key: one for key, one in expected.items() if one is not None}]
        if fit is not None:
            known = [fit.counts, *([] if self.given.rows else known)]
        elif self.in_rows is not None:
            return None  # nothing says what a search that breaks the rules should count
        for counts in known:
            if value == counts.get(name):
                return True
            how = counting(name, value, counts)
            if how is not None:
                self.notes.append(f"{how.title}. {how.mend}")
                return True
        if self.given.rows:
            return False if name in known[0] else None
        return self._is_possible(name, value)

    def _is_possible(self, name: str, value: int) -> bool | None:
        """Return whether a count is one of those that an order of equal nodes can lead to."""
        bounds = self._bounds
        if bounds is None or name == "deepest":
            return None
        least, most, most_made = bounds
        if value < least - 1:
            return False
        highest = most + 1 if name == "expanded" else most_made
        if value > highest:
            return None
        self.notes.append(
            f"{TITLES[name]} can be from {least:,} to {highest:,}, as the order of equal nodes is."
        )
        return True

    @cached_property
    def _bounds(self) -> tuple[int, int, int] | None:
        """Return the least and the most boards that a search with a consistent estimate expands,
        and the most that it generates."""
        asked = self.asked
        task = asked.task(SLIDEWISE).with_facts()
        heuristic = task.heuristic
        if asked.algorithm not in ("bfs", "ucs", "astar") or self.shortest is None:
            return None
        if heuristic is not None and not heuristic.consistent:
            return None
        search = TracedSearch(asked, task, PLAIN)
        ways, goal, layer, g = search.ways, search.goal_cells, {bytes(task.puzzle.start.cells)}, 0
        seen, least, made = set(layer), 0, 1
        while layer:
            following: set[bytes] = set()
            for cells in layer:
                least += g + search.h_of(cells) < self.shortest - 1
                if cells != goal:
                    made += len(ways[cells.index(0)])
                    following.update(moved(cells, to) for to in ways[cells.index(0)])
            g += 1
            layer = {cells for cells in following - seen if g + search.h_of(cells) <= self.shortest}
            seen |= layer
            if len(seen) > MAX_BOUNDED:
                return None
        return least, len(seen) - 1, made


def strictly(
    properties: tuple[Property, ...],
    in_rows: Divergence | None,
    in_path: Divergence | None,
    in_counts: Divergence | None,
) -> tuple[Property, ...]:
    """Return the properties as they are if only one convention is right: whatever differs from
    the reference is wrong."""
    differs = {"rules": in_rows, "path": in_path, "counts": in_counts}
    words = "It is not as under this convention."
    return tuple(
        one._replace(right=False, words=words) if one.right and differs.get(one.key) else one
        for one in properties
    )


def score_of(properties: tuple[Property, ...], highest: int) -> int:
    """Return the points of what was given: each property that is not wrong has an equal share.

    >>> score_of((Property("path", True, ""), Property("length", False, "")), 100)
    50
    """
    fulfilled = sum(one.right is not False for one in properties)
    return round(highest * fulfilled / max(1, len(properties)))
