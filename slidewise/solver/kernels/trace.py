"""How the kernels write down their expansions: the codes of what became of each successor.

A kernel that traces has an int32 array of a row for each expansion to write down, so that no
rows means that it is off. Its first columns are the kernel's own; its last four say for the
blank going up, down, left, right what became of that successor: one of the codes below, or
NO_MOVE where the board ends.
"""

from __future__ import annotations

# In the order of `slidewise.solver.events.Fate`, which says what they mean.
KEPT, SHORTER, REACHED, WENT_BACK, OVER_DEPTH, OVER_F, MET = range(7)

NO_MOVE = -1
