"""Limits of a search: time, expansions, memory, depth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from slidewise.puzzle import PuzzleError

NO_DEPTH = 2**31
"""Depth limit in kernels for an unlimited search: no path is that long."""

DEFAULT_STORED_NODES = 16_000_000
"""Stored nodes by default: enough for all boards of up to 10 cells.

A* with the Manhattan distance solves most 4x4 boards of up to 48 moves within it. Full, it takes
0.55 GB on 4x4 and 2.1 GB on 10x10, as much as a machine with 4 GB has free."""

MAX_STORED_NODES = 500_000_000
"""Maximum for 32-bit indices of nodes and hash slots."""

NODE_BYTES = 16
"""Bytes of each node besides its board."""

SLOT_BYTES = 5
"""Bytes of each slot of the hash table."""


class InvalidLimitsError(PuzzleError):
    """A limit is not a positive number."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a search; None means unlimited.

    `seconds` is wall-clock time without compilation, accurate to about 0.05 s. `expansions` is
    exact. `stored_nodes` is checked before memory is allocated. `depth` is the maximum length of
    a path. `cores` is the maximum number of threads, for algorithms that use several.

    >>> Limits(seconds=10).stored_nodes
    16000000

    Raises `InvalidLimitsError`.
    """

    seconds: float | None = None
    expansions: int | None = None
    stored_nodes: int = DEFAULT_STORED_NODES
    depth: int | None = None
    cores: int = 1

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise InvalidLimitsError(
                f"seconds must be above 0, got {self.seconds}; leave it out for no limit"
            )
        for name in ("expansions", "depth"):
            value = getattr(self, name)
            if value is not None and not _is_count(value):
                raise InvalidLimitsError(
                    f"{name} must be a whole number of 1 or more, got {value}; "
                    "leave it out for no limit"
                )
        if not _is_count(self.cores):
            raise InvalidLimitsError(f"cores must be a whole number of 1 or more, got {self.cores}")
        if not _is_count(self.stored_nodes) or self.stored_nodes > MAX_STORED_NODES:
            raise InvalidLimitsError(
                f"stored_nodes must be a whole number from 1 to {MAX_STORED_NODES:,}, "
                f"got {self.stored_nodes}; leave it out for {DEFAULT_STORED_NODES:,}"
            )

    @property
    def max_depth(self) -> int:
        """The depth limit as a 64-bit number for the kernels.

        >>> Limits(depth=2**80).max_depth == Limits().max_depth == NO_DEPTH
        True
        """
        return NO_DEPTH if self.depth is None else min(self.depth, NO_DEPTH)

    def memory(self, cells: int) -> int:
        """Return the maximum bytes of the stored nodes for a board of `cells` cells.

        >>> Limits().memory(16)
        551772160
        """
        return store_bytes(self.stored_nodes, cells)


def store_bytes(nodes: int, cells: int) -> int:
    """Return the bytes of a store for `nodes` nodes of `cells` cells each.

    A node takes 8 bytes for each word of its board and 16 for its links and costs. Its slots in the
    hash take 7 to 13. The sum is 31 to 37 bytes up to 4x4, 55 to 61 on 5x5, 127 to 133 on 10x10.
    """
    return nodes * (8 * words(cells) + NODE_BYTES) + SLOT_BYTES * slots(nodes)


def nodes_within(size: int, cells: int) -> int:
    """Return the number of nodes of `cells` cells that fit in `size` bytes, at least 1.

    >>> store_bytes(nodes_within(100_000_000, 16), 16) <= 100_000_000
    True
    """
    most = 8 * words(cells) + NODE_BYTES + SLOT_BYTES * 3  # at most 3 slots a node
    return min(max(1, size // most), MAX_STORED_NODES)


def words(cells: int) -> int:
    """Return the 64-bit words of a packed board: 4 bits a cell up to 16 cells, 8 bits above.

    >>> words(16), words(25), words(100)
    (1, 4, 13)
    """
    return 1 if cells <= 16 else -(-cells // 8)


def slots(nodes: int) -> int:
    """Return the slots of the hash for `nodes` nodes: a power of two, at most 3/4 of it full.

    >>> slots(100)
    256
    """
    return int(1 << (-(-4 * nodes // 3) - 1).bit_length())


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


DEFAULT_WEIGHT = 1.5
HIGHEST_WEIGHT = 100


class InvalidWeightError(PuzzleError):
    """A weight is not from 1 to 100, or has more than two decimals."""


def exact_weight(weight: float) -> Fraction:
    """Return `weight` as a fraction, for integer ranks and reproducible runs.

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
