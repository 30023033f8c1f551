"""All arrangements of a few tiles, as arrays with an axis for each tile.

Importing this module loads numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def arrangements(cells: int, size: int) -> NDArray[np.bool_]:
    """Return where `size` tiles are in different ones of `cells` cells: (cells,) * size.

    Read in order, what is true are the arrangements in their lexicographic order.

    >>> arrangements(2, 2).nonzero()
    (array([0, 1]), array([1, 0]))
    """
    cell = np.arange(cells)
    differ = cell[:, None] != cell
    valid = np.ones((), dtype=bool)
    for slot in range(size):
        valid = np.repeat(valid[..., None], cells, axis=-1)
        for before in range(slot):
            shape = [1] * (slot + 1)
            shape[before] = shape[slot] = cells
            valid &= differ.reshape(shape)
    return valid
