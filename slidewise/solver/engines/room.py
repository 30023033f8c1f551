"""The memory for the nodes of a search, which a short search hands on to the next one.

Importing this module loads numpy.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slidewise.solver.kernels.store import NODE
from slidewise.solver.limits import slots

if TYPE_CHECKING:
    from slidewise.solver.kernels.arrays import Int32s, Uint8s, Uint64s
    from slidewise.solver.kernels.store import Nodes


class Room(NamedTuple):
    """Arrays for the nodes of a search and their hash, of which it fills the first parts."""

    states: Uint64s
    nodes: Nodes
    slots: Int32s
    tags: Uint8s

    @classmethod
    def new(cls, nodes: int, words: int) -> Room:
        """Return room for so many nodes of so many words.

        The arrays have their full size from the beginning, which takes no memory yet: the system
        gives it page by page as they are filled.
        """
        return cls(
            np.empty((nodes, words), dtype=np.uint64),
            np.empty(nodes, dtype=NODE),
            np.empty(slots(nodes), dtype=np.int32),
            np.empty(slots(nodes), dtype=np.uint8),
        )


class SpareRoom:
    """The room that the last search has left, if any. It is safe to use from many threads.

    To get memory from the system takes longer than a short search.
    """

    def __init__(self) -> None:
        self._rooms: deque[Room] = deque(maxlen=1)  # whose methods are atomic

    @property
    def room(self) -> Room | None:
        """Return the room without taking it."""
        return self._rooms[0] if self._rooms else None

    def take(self, nodes: int, words: int) -> Room:
        """Return room for so many nodes of so many words: what is there if it fits, else new."""
        try:
            room = self._rooms.pop()
        except IndexError:
            return Room.new(nodes, words)
        if room.states.shape == (nodes, words):
            return room
        del room  # its memory may be needed
        return Room.new(nodes, words)

    def leave(self, room: Room) -> None:
        """Leave `room` to the next search, in place of what was left before."""
        self._rooms.append(room)


SPARE = SpareRoom()
"""That of this process."""
