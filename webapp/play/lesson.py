"""A lesson: a link to a game that hides hints to its answer.

Example: `/play/<code>?lesson=solver,hint`. Not access control: removing `lesson` shows everything.
"""

from __future__ import annotations

from slidewise import PuzzleError
from slidewise.puzzle.board import quoted
from slidewise.text import message

from ..http.language import noop
from ..http.requests import field
from .session import room_game

HIDDEN = {
    "solver": noop("the solver, and Give up"),
    "hint": noop("hints"),
    "to-go": noop("how many moves are to go"),
}
"""Hideable parts and their labels."""


def hidden() -> frozenset[str]:
    """Parts hidden by the link or by the page that sends a click; raises `PuzzleError`.

    A room hides all of them.
    """
    if room_game():
        return frozenset(HIDDEN)
    names = [name.strip() for name in field("lesson").split(",")]
    parts = frozenset(filter(None, names))
    if unknown := sorted(parts - HIDDEN.keys()):
        raise PuzzleError(
            message(
                "a lesson hides %(parts)s; found %(text)s: write lesson=solver,hint",
                parts=", ".join(HIDDEN),
                text=quoted(unknown[0], 20),
            )
        )
    return parts


def as_text(names: frozenset[str]) -> str | None:
    """Hidden parts as a link writes them, None if empty.

    >>> as_text(frozenset({"hint", "solver"}))
    'solver,hint'
    """
    return ",".join(name for name in HIDDEN if name in names) or None
