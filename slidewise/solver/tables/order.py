"""Lexicographic order of arrangements, the order of the tables."""

from collections.abc import Sequence
from typing import Any

UNREACHABLE = 255
"""The entry of a board that cannot reach the goal."""


def rank_of_arrangement(slots: Sequence[Any], count: int) -> Any:
    """Return the lexicographic rank of an arrangement of some of 0..count-1.

    Accepts integer arrays wide enough for the ranks. Entry i of the result is then the rank of the
    entries i.

    >>> rank_of_arrangement([2, 1, 0], 3), rank_of_arrangement([3, 0], 4)
    (5, 9)
    """
    rank: Any = 0
    for place, slot in enumerate(slots):
        lower = sum(before < slot for before in slots[:place])
        rank = rank * (count - place) + slot - lower
    return rank
