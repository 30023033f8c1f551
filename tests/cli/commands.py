"""Running a command in the process of the tests."""

from __future__ import annotations

from dataclasses import dataclass

RESULT_FIELDS = [
    "puzzle", "algorithm", "heuristic", "weight", "status", "length", "moves", "tiles",
    "verdict", "lower_bound", "reason", "expanded", "generated", "peak_frontier", "peak_stored",
    "deepest", "seconds",
]  # fmt: skip
"""The fields of a result as JSON, in their order: scripts rely on them."""


@dataclass(frozen=True)
class Run:
    """What a command did."""

    code: int
    out: str
    err: str
