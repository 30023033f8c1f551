"""The facts of algorithms and heuristics as they are listed, by the command and over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slidewise.solver.task import Algorithm, Heuristic

ALGORITHM_FACTS = (
    "key", "title", "idea", "complete", "optimal", "optimal_to", "time", "space",
    "uses_heuristic", "source",
)  # fmt: skip
HEURISTIC_FACTS = ("key", "title", "idea", "admissible", "consistent", "source")


def told_of(entry: Algorithm | Heuristic, names: Iterable[str]) -> dict[str, object]:
    """Return the facts of these names.

    >>> from slidewise import find_heuristic
    >>> told_of(find_heuristic("zero"), ("key", "admissible"))
    {'key': 'zero', 'admissible': True}
    """
    return {name: getattr(entry, name) for name in names}
