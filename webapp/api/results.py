"""Results as programs are told them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.puzzle import steps

if TYPE_CHECKING:
    from slidewise import Result

MAX_BOARDS_TOLD = 2_000
"""Moves of the longest path whose boards are told: depth-first search finds some of a million."""


def result_as_json(result: Result, *, boards: bool) -> dict[str, object]:
    """Return a result, with the boards of its path if they are asked for."""
    told = result.as_json()
    if boards:
        told["boards"] = _boards(result)
    return told


def _boards(result: Result) -> list[str] | None:
    """Return the boards from the start to the goal, None without a path or of one too long."""
    if result.length is None or result.length > MAX_BOARDS_TOLD:
        return None
    start = result.puzzle.start
    return [str(start), *(str(step.board) for step in steps(start, result.moves))]
