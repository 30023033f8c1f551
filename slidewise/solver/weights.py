"""The weight of weighted A*, as an exact fraction."""

from __future__ import annotations

import math
from fractions import Fraction

from slidewise.puzzle import PuzzleError

DEFAULT_WEIGHT = 1.5
HIGHEST_WEIGHT = 100


class InvalidWeightError(PuzzleError):
    """A weight that is not from 1 to 100, or has more than two decimals."""


def exact_weight(weight: float) -> Fraction:
    """Return `weight` as a fraction, so that ranks are whole numbers and a run repeats exactly.

    >>> exact_weight(1.5)
    Fraction(3, 2)

    Raises `InvalidWeightError`.
    """
    if 1 <= weight <= HIGHEST_WEIGHT:
        exact = Fraction(round(weight * 100), 100)
        if math.isclose(exact, weight, rel_tol=1e-12):
            return exact
    raise InvalidWeightError(
        f"the weight must be from 1 to {HIGHEST_WEIGHT} and have at most two decimals, got {weight}"
    )


EXACT_DEFAULT = exact_weight(DEFAULT_WEIGHT)
