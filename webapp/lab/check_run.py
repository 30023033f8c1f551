"""A check of somebody's own search, as a helper does it: without Flask, from text to JSON."""

from __future__ import annotations

from typing import Any

from slidewise import Limits, PuzzleError, UnreadableError, check, parse_puzzle

CHECK_EXPANSIONS = 60_000
"""Expansions to spend on looking for what explains a difference: some two seconds."""

REFERENCE_LIMITS = Limits(expansions=400_000, stored_nodes=1_000_000)
"""Of the search that is compared with: all boards of 3x3, some 50 MB."""

CHECK_SECONDS = 60.0
"""Seconds until a check is given up: the first of all may have to compile."""


def report_of(
    code: str, algorithm: str, heuristic: str | None, convention: str, given: str, weight: float
) -> dict[str, Any]:
    """Return the report as JSON, or an `error`, with the `line` that cannot be read."""
    try:
        report = check(
            parse_puzzle(code),
            algorithm,
            heuristic,
            convention,
            given,
            weight=weight,
            expansions=CHECK_EXPANSIONS,
            limits=REFERENCE_LIMITS,
        )
    except UnreadableError as error:
        return {"error": error.why, "line": error.line}
    except PuzzleError as error:
        return {"error": str(error), "line": None}
    return report.as_json()
