"""What a known mistake is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slidewise.study.check.change import Change

UNINFORMED = ("bfs", "dfs", "ucs")
INFORMED = ("greedy", "astar", "wastar")
ESTIMATING = (*INFORMED, "idastar", "rbfs")
ALL = UNINFORMED + INFORMED
EVERY = (*ALL, "iddfs", "idastar", "rbfs", "bidirectional")


@dataclass(frozen=True)
class Mistake:
    """A mistake: its name, what it does, how it is mended, and in which searches it is made.

    `heuristic` is the one that it is a mistake in, "" for any. One that breaks no rule has no
    `mend`.
    """

    key: str
    title: str
    what: str
    mend: str
    algorithms: tuple[str, ...]
    change: Change
    heuristic: str = ""

    @property
    def is_right(self) -> bool:
        """Return whether it is another choice, which breaks no rule of the algorithm."""
        return not self.mend

    def fits(self, algorithm: str, heuristic: str | None) -> bool:
        """Return whether the mistake can be made in such a search."""
        return algorithm in self.algorithms and self.heuristic in ("", heuristic)


NEVER_ABOVE = "An estimate that can be above the true distance can make A* miss the shortest path."
"""What is said of estimates that are not admissible."""
