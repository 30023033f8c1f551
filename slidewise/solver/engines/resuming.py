"""IDA* with pattern databases that can be written down between two slices, and gone on with.

What is written down are the counts of all branches and the few arrays of each branch that has
begun and is not done. The boards that the branches begin with are found again, as an iteration
is always split in the same way: so a search that goes on has the counts and the path of one that
was never stopped.

Importing this module loads numpy and the compiled functions: do it where a search runs.
"""

from __future__ import annotations

import zlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slidewise.puzzle import PuzzleError
from slidewise.solver.engines.pattern_deepening import PatternDeepening
from slidewise.solver.kernels import pattern_search as kernel
from slidewise.solver.result import Cost

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPLIT_BUDGET = 1_000_000
"""Expansions of a slice in which an iteration is split again: nobody waits for its end."""

_NUMBERS = ("limit", "last", "expanded", "_level", "_next", "_found")

_OF_BRANCH = ("path", "board")
"""The arrays of a branch that has begun; `counts` has a row of it."""


class Snapshot(NamedTuple):
    """A search between two slices: numbers and lists that JSON can hold, and arrays."""

    facts: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


class OtherSearchError(PuzzleError):
    """A snapshot of a search that this version would not run in the same way."""


class ResumableDeepening(PatternDeepening):
    """Iterative deepening that returns a `Snapshot` of itself, and goes on from one."""

    def snapshot(self) -> Snapshot:
        """Return the search as it is between two slices, or as it was before the splitting that is
        under way."""
        branches = [branch for _, branch in self._paused]
        facts = {
            **{name: getattr(self, name) for name in _NUMBERS},
            **(self._unsplit if self._above else {}),
            "split": not self._above,
            "before": asdict(self.before),
            "path": [int(cell) for cell in self._path],
            "paused": [number for number, _ in self._paused],
            "check": self._check(),
        }
        arrays: dict[str, NDArray[Any]] = {"counts": self._counts}
        for name in _OF_BRANCH:
            parts = [getattr(branch.arrays, name) for branch in branches]
            arrays[name] = np.array(parts) if parts else np.empty(0)
        return Snapshot(facts, arrays)

    def resume(self, snapshot: Snapshot) -> None:
        """Go on from a snapshot of a search for the same puzzle with the same tables.

        Raises `OtherSearchError`.
        """
        facts, arrays = snapshot
        self.before = Cost(**facts["before"])
        self._take(facts, ("limit", "last", "_level"))
        self._begin()
        while self._above and facts["split"]:
            self._split(self._above, SPLIT_BUDGET)
        if facts["check"] != self._check() or arrays["counts"].shape != self._counts.shape:
            raise OtherSearchError("another version of Slidewise searches in another order")
        self._take(facts, _NUMBERS)
        if not facts["split"]:
            return
        self._counts[:] = arrays["counts"]
        self._path = list(facts["path"])
        for place, number in enumerate(facts["paused"]):
            branch = self._branch_of(self._roots[number], 1 + number)
            for name in _OF_BRANCH:
                getattr(branch.arrays, name)[:] = arrays[name][place]
            self._paused.append((number, branch))

    @property
    def share(self) -> float:
        """Return what share of the branches of this iteration is done."""
        begun = 0 if self._above else self._next - len(self._paused)
        return begun / max(1, len(self._roots))

    @property
    def in_iteration(self) -> int:
        """Return the nodes expanded in this iteration."""
        return int(self._counts[:, kernel.EXPANDED].sum())

    def _begin(self) -> None:
        super()._begin()
        self._unsplit = {"expanded": self.expanded, "_level": self._level}

    def _take(self, facts: dict[str, Any], names: tuple[str, ...]) -> None:
        for name in names:
            setattr(self, name, facts[name])

    def _check(self) -> int:
        """Return a number that changes with the order in which the boards are searched."""
        check = zlib.crc32(self._rules.walks.tobytes())
        for root in [] if self._above else self._roots:
            check = zlib.crc32(root.row.tobytes() + root.board.tobytes(), check)
        return check
