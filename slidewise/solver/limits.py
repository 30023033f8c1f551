"""How much a search may use: time, expansions, memory, depth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from slidewise.puzzle import PuzzleError

NO_DEPTH = 2**31
"""What the kernels take for a search without a depth limit: no path is that long."""

DEFAULT_STORED_NODES = 16_000_000
"""Enough for all boards of up to 10 cells, and for A* with the Manhattan distance on most 4x4
boards of up to 48 moves. Takes 0.55 GB on 4x4 and 2.1 GB on 10x10, if it is all used: what a
machine with 4 GB has left."""

MAX_STORED_NODES = 500_000_000
"""What the 32-bit numbers of the nodes and of the slots of their hash allow."""

NODE_BYTES = 16
"""Of each node, beside its board."""

SLOT_BYTES = 5
"""Of each slot of the hash table."""


class InvalidLimitsError(PuzzleError):
    """A limit that is no positive number."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may use; None is no limit.

    `seconds` of wall-clock time, compiling not included, met to about 0.05 s; `expansions`, met
    exactly; `stored_nodes` kept in memory, met before they are allocated; `depth`, the most
    moves that a path may have. `cores` is how many threads an algorithm may share a search
    between, where it can.

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
        """The depth limit as the kernels take it, whose numbers have 64 bits.

        >>> Limits(depth=2**80).max_depth == Limits().max_depth == NO_DEPTH
        True
        """
        return NO_DEPTH if self.depth is None else min(self.depth, NO_DEPTH)

    def memory(self, cells: int) -> int:
        """Return the most bytes that the stored nodes of a board of `cells` cells can take.

        >>> Limits().memory(16)
        551772160
        """
        return store_bytes(self.stored_nodes, cells)


def store_bytes(nodes: int, cells: int) -> int:
    """Return the bytes of a store with room for `nodes` nodes of `cells` cells each.

    A node takes 8 bytes for each word of its board, 16 for its links and costs, and 7 to 13 for
    its slots in the hash: 31 to 37 bytes up to 4x4, 55 to 61 on 5x5, 127 to 133 on 10x10.
    """
    return nodes * (8 * words(cells) + NODE_BYTES) + SLOT_BYTES * slots(nodes)


def nodes_within(size: int, cells: int) -> int:
    """Return how many nodes of `cells` cells can be stored in `size` bytes, at least 1.

    >>> store_bytes(nodes_within(100_000_000, 16), 16) <= 100_000_000
    True
    """
    most = 8 * words(cells) + NODE_BYTES + SLOT_BYTES * 3  # there are at most 3 slots a node
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
