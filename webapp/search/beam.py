"""Beam search: arrays for its kernel, and the path that it found.

Importing this module loads numpy and the compiled functions: do it where a search runs.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from webapp.search.kernels import beam as kernel
from webapp.search.kernels import patterns
from webapp.search.limits import slots
from webapp.search.nodes import neighbours
from webapp.search.pace import Outcome
from webapp.search.registry import find_heuristic

if TYPE_CHECKING:
    from webapp.puzzle import Puzzle
    from webapp.search.kernels.estimate import Int64s
    from webapp.search.patterns.database import PatternDatabase

_OUTCOMES = {
    kernel.GOAL: Outcome.GOAL,
    kernel.BUDGET_USED: Outcome.RUNNING,
    kernel.NODES_FULL: Outcome.FULL,
    kernel.NONE_LEFT: Outcome.EMPTY,
}

SEEN = 8
"""Slots for the keys of boards taken, to each board of a layer, at least."""


class Beam:
    """A search that keeps the `width` best boards of each layer.

    It finds a path of up to `most` moves or none (`Outcome.EMPTY`), which proves nothing.

    Source: B. T. Lowerre, The Harpy speech recognition system, 1976.
    """

    def __init__(
        self, puzzle: Puzzle, database: PatternDatabase | None, width: int, most: int
    ) -> None:
        self._puzzle = puzzle
        self._most = most
        self._patterns = database.arrays if database else patterns.none(len(puzzle.goal.cells))
        self._grid = neighbours(puzzle.rows, puzzle.cols), cells_of(puzzle.rows, puzzle.cols)
        room = width * most
        views = len(self._patterns.cell_maps)
        columns = kernel.BOARD + -(-len(puzzle.goal.cells) // 8) + 1 + views + len(self._patterns.sizes)
        self._layers = np.zeros((2, width, columns), dtype=np.int64)
        self._made = np.empty((4 * width, 1 + views), dtype=np.int64)
        self._ranks = np.empty(4 * width, dtype=np.int32)
        self._order = np.empty(4 * width, dtype=np.int32)
        self._tally = np.zeros(kernel.RANKS, dtype=np.int64)
        self._seen = np.zeros(slots(SEEN * width // 2), dtype=np.int64)
        self._links = np.empty(room, dtype=np.int32)
        self._ends = np.zeros(most + 2, dtype=np.int64)
        self._counts = np.zeros(kernel.COUNTS, dtype=np.int64)
        self._place_goal()
        self._place_start()

    def advance(self, budget: int) -> Outcome:
        code = kernel.search_slice(
            self._layers, self._made, self._ranks, self._order, self._tally, self._seen, self._links,
            self._ends, self._counts, *self._grid, *self._goal, HASHES[:len(self._puzzle.goal.cells),:len(self._puzzle.goal.cells)].copy(), *self._patterns, self._most, budget)
        return _OUTCOMES[code]

    def _place_goal(self):
        goal=self._puzzle.goal; n=len(goal.cells); C=goal.cols
        dist=np.zeros((n,n),np.int32); lines=np.zeros((goal.rows+C,n),np.int64)
        for c,t in enumerate(goal.cells):
            if t:
                lines[c//C,t]=c%C+1; lines[goal.rows+c%C,t]=c//C+1
                for x in range(n): dist[t,x]=abs(x//C-c//C)+abs(x%C-c%C)
        self._goal=dist,lines

    def _place_start(self):
        start=self._puzzle.start
        row=self._layers[0,0]
        key=0
        for cell,t in enumerate(start.cells):
            if t: key^=int(HASHES[t,cell])
            row[kernel.BOARD+(cell>>3)]|=t<<((cell&7)<<3)
        row[kernel.KEY]=key; row[kernel.BLANK]=start.blank
        e=kernel.BOARD+-(-len(start.cells)//8)
        row[e]=find_heuristic('linear-conflict').value(start,self._puzzle.goal)
        V=len(self._patterns.cell_maps)
        state=np.zeros((len(self._patterns.sizes),2),np.int64)
        if V:
            patterns.set_state(np.array(start.cells,dtype=np.uint32),*self._patterns,state)
            row[e+1:e+1+V]=state[:,patterns.VALUE].reshape(V,-1).sum(axis=1)
            row[e+1+V:]=state[:,patterns.CELLS]<<8|state[:,patterns.VALUE]
        self._counts[kernel.SIZE]=1

    def path(self):
        cell=self._puzzle.goal.blank; blanks=[cell]
        layer=int(self._counts[kernel.LAYER]); link=int(self._links[self._counts[kernel.TAKEN]])
        nb=self._grid[0]
        while layer:
            cell=int(nb[cell,(link&3)^1]); blanks.append(cell); layer-=1
            if layer: link=int(self._links[self._ends[layer-1]+(link>>2)])
        return blanks[::-1]

def cells_of(rows,cols):
    return np.array([divmod(c,cols) for c in range(rows*cols)],dtype=np.int64)
rng=np.random.default_rng(1)
HASHES=rng.integers(-2**63,2**63,size=(100,100),dtype=np.int64)
