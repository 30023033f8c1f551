"""What a search ends with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from slidewise.puzzle import steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle import Puzzle, Step
    from slidewise.solver.verdict import Verdict


class Status(StrEnum):
    """How a search ended.

    `solved`: with a path. `unsolvable`: parity forbids one, so nothing was searched.
    `exhausted`: all that can be reached was searched, and the goal is not there. `cutoff`: a
    limit was met before a path was found. `cancelled`: it was told to stop.
    """

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    EXHAUSTED = "exhausted"
    CUTOFF = "cutoff"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a search cost: its counts, as `slidewise.solver.events` defines them, and seconds."""

    expanded: int
    generated: int
    peak_frontier: int
    peak_stored: int
    deepest: int
    seconds: float

    def together_with(self, other: Cost) -> Cost:
        """Return the cost of this search and of another one in the same seconds."""
        return Cost(
            expanded=self.expanded + other.expanded,
            generated=self.generated + other.generated,
            peak_frontier=max(self.peak_frontier, other.peak_frontier),
            peak_stored=max(self.peak_stored, other.peak_stored),
            deepest=max(self.deepest, other.deepest),
            seconds=self.seconds,
        )


NO_SEARCH = Cost(0, generated=1, peak_frontier=1, peak_stored=1, deepest=0, seconds=0.0)
"""The cost of looking at the start alone."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found out, and what it cost.

    `algorithm` and `heuristic` are keys of the registry, the latter None where the algorithm
    uses none, as is `weight` where it takes none. `moves` is a string of the tiles' directions
    `U`, `D`, `L`, `R` and `tiles` their numbers; both are empty, and `length` is None, without a
    path. `lower_bound` is the number of moves that every solution is proved to need, None if
    there is no solution. `seconds` is the time of the search, compiling not included. The counts
    are defined in `slidewise.solver.events`.
    """

    status: Status
    puzzle: Puzzle
    algorithm: str
    heuristic: str | None
    weight: float | None
    moves: str
    tiles: tuple[int, ...]
    length: int | None
    verdict: Verdict
    lower_bound: int | None
    expanded: int
    generated: int
    peak_frontier: int
    peak_stored: int
    deepest: int
    seconds: float

    def __str__(self) -> str:
        """Return the method, what it found, why that holds, and the cost: four lines."""
        from slidewise.text import as_text  # here, as it needs this module

        return as_text(self)

    def _repr_html_(self) -> str:
        """Show the result as a small table in a notebook."""
        from slidewise.text import as_html

        return as_html(self)

    def steps(self) -> Iterator[Step]:
        """Yield the path step by step, each with the board after it."""
        return steps(self.puzzle.start, self.moves)

    def as_json(self) -> dict[str, object]:
        """Return the result as what JSON can hold; the puzzle is its code."""
        return {
            "puzzle": str(self.puzzle),
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "weight": self.weight,
            "status": self.status.value,
            "length": self.length,
            "moves": self.moves,
            "tiles": list(self.tiles),
            "verdict": self.verdict.kind.value,
            "lower_bound": self.lower_bound,
            "reason": self.verdict.reason,
            "expanded": self.expanded,
            "generated": self.generated,
            "peak_frontier": self.peak_frontier,
            "peak_stored": self.peak_stored,
            "deepest": self.deepest,
            "seconds": self.seconds,
        }
