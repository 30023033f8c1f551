"""The order that tables are in: the lexicographic one of arrangements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

UNREACHABLE = 255
"""The entry of a board that cannot reach the goal."""


def rank_of_arrangement(slots: Sequence[Any], count: int) -> Any:
    """Return the rank of an arrangement, some of 0..count-1, in the lexicographic order of all.

    Of arrays of whole numbers, wide enough for the ranks, it returns an array: entry i is the rank
    of the arrangement of the entries i.

    >>> rank_of_arrangement([2, 1, 0], 3), rank_of_arrangement([3, 0], 4)
    (5, 9)
    """
    rank: Any = 0
    for place, slot in enumerate(slots):
        lower = sum(before < slot for before in slots[:place])
        rank = rank * (count - place) + slot - lower
    return rank
