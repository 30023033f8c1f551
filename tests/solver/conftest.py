"""What many tests share: the compiled search, and distance tables worked out by the oracle."""

from __future__ import annotations

import pytest

from slidewise import algorithms
from slidewise.solver import compiling
from tests.solver import oracle

STANDARD = (1, 2, 3, 4, 5, 6, 7, 8, 0)
BLANK_FIRST = (0, 1, 2, 3, 4, 5, 6, 7, 8)


@pytest.fixture(scope="session", autouse=True)
def compiled():
    """Compile first, so that no test's stream of events begins with that."""
    for kernel in {entry.kernel for entry in algorithms().values() if entry.kernel}:
        compiling.load(kernel)


@pytest.fixture(scope="session")
def to_standard():
    """Return the distance to the standard goal of all 181,440 boards that can reach it."""
    return oracle.distances(STANDARD, 3, 3)


@pytest.fixture(scope="session")
def to_blank_first():
    """Return the same for the goal with the blank first, which the other half can reach."""
    return oracle.distances(BLANK_FIRST, 3, 3)
