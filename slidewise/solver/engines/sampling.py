"""What an iteration of IDA* with pattern databases will cost, foretold from a sample of its nodes.

Nodes at the same level that look alike, with the same estimates and the blank in the same cell,
are taken to have as many nodes below them: one of them is drawn, stands for all, and is expanded.
So a probe expands some thousands of nodes, however many the iteration has, and the mean of its
numbers is right.

Source: P. C. Chen, Heuristic sampling: a method for predicting the performance of tree searching
programs, 1992.

Importing this module loads numpy and the compiled functions: do it where a search runs.
"""

from __future__ import annotations

import random
import statistics
from typing import TYPE_CHECKING

from slidewise.solver.kernels import pattern_search as kernel

if TYPE_CHECKING:
    from slidewise.solver.engines.pattern_deepening import PatternDeepening, Root

LONG_ITERATION_NODES = 3_000_000
"""What an iteration must have had, some tenths of a second, for the next one to be foretold."""

NODES_A_DRAW = 2_000
"""The iteration before has so many nodes for each that is expanded in probes: as that is done from
Python it takes some hundred times as long, so the sample costs some hundredths of the iteration."""

MOST_DRAWS = 60_000
"""The nodes expanded in probes, in some two seconds."""


class Sample:
    """Probes of the iteration that `work` has just begun; the search itself is not changed.

    What is drawn depends on the f-limit only.
    """

    def __init__(self, work: PatternDeepening) -> None:
        self._work = work
        self._random = random.Random(work.limit)
        is_long = work.last >= LONG_ITERATION_NODES
        self._left = min(work.last // NODES_A_DRAW, MOST_DRAWS) if is_long else 0
        self._found: list[float] = []

    @property
    def is_over(self) -> bool:
        """Return whether all is expanded that a sample may."""
        return self._left <= 0

    @property
    def nodes(self) -> float | None:
        """Return about how many nodes the iteration has, None before the first probe."""
        return statistics.fmean(self._found) if self._found else None

    def advance(self) -> None:
        """Make a probe, in some tenths of a second."""
        found = 0.0
        level = [(1.0, self._work.root)]
        while level:
            self._left -= len(level)
            found += sum(weight for weight, _ in level)
            drawn: dict[tuple[int, ...], tuple[float, Root]] = {}
            for weight, parent in level:
                for node in self._work.successors(parent):
                    kind = tuple(node.row[_KIND].tolist())
                    before, other = drawn.get(kind, (0.0, node))
                    total = before + weight
                    stays = self._random.random() * total >= weight
                    drawn[kind] = total, other if stays else node
            level = list(drawn.values())
        self._found.append(found)


_KIND = [kernel.BLANK, kernel.FIRST, kernel.SECOND]
