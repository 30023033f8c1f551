"""A lesson: a link to a game that hides what would give its answer away.

`/play/<code>?lesson=solver,hint` is such a link. It is no lock: without `lesson` in the
address the page is whole again.
"""

from __future__ import annotations

from flask import request

from slidewise import PuzzleError
from slidewise.puzzle.board import quoted

HIDDEN = {
    "solver": "the solver, and Give up",
    "hint": "hints",
    "to-go": "how many moves are to go",
}
"""What a link can hide, and its words."""


def hidden() -> frozenset[str]:
    """Return what the link, or the page that sends a click, hides; raises `PuzzleError`."""
    names = [name.strip() for name in request.values.get("lesson", "").split(",")]
    found = frozenset(filter(None, names))
    if unknown := sorted(found - HIDDEN.keys()):
        raise PuzzleError(
            f"a lesson hides {', '.join(HIDDEN)}; found {quoted(unknown[0], 20)}: "
            "write lesson=solver,hint"
        )
    return found


def as_text(names: frozenset[str]) -> str | None:
    """Return what is hidden as a link writes it, None for nothing.

    >>> as_text(frozenset({"hint", "solver"}))
    'solver,hint'
    """
    return ",".join(name for name in HIDDEN if name in names) or None
