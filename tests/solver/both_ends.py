"""A plain breadth-first search from both ends, to compare with the compiled one."""

import math
from dataclasses import dataclass, field

from tests.solver.oracle import successors


@dataclass
class Sides:
    """The outcome of a search from both ends. `order` holds (number, parent, cells, g)."""

    generated: int = 2
    peak_frontier: int = 2
    deepest: int = 0
    length: int | None = None
    proved: list = field(default_factory=list)
    """The least length of a path, before each expansion."""
    numbers: dict = field(default_factory=dict)
    order: list = field(default_factory=list)

    @property
    def trace(self):
        return [(*node, 0, node[-1]) for node in self.order]

    @property
    def expanded(self):
        return len(self.order)

    @property
    def peak_stored(self):
        return len(self.numbers)


def both_ends(start, goal, rows, cols, most=math.inf):
    """Run breadth-first search from both ends with sets and lists."""
    sides = Sides(numbers={start: 0, goal: 1})
    depths = {start: 0}, {goal: 0}
    parents = {start: None, goal: None}
    layers = [start], [goal]
    while True:
        end = 1 if len(layers[1]) < len(layers[0]) else 0
        made = []
        for place, cells in enumerate(layers[end]):
            if len(sides.order) == most:
                return sides
            g, parent = depths[end][cells], parents[cells]
            sides.order.append((sides.numbers[cells], sides.numbers.get(parent), cells, g))
            sides.proved.append(1 + sum(depths[side][layers[side][0]] for side in (0, 1)))
            sides.deepest = max(sides.deepest, g)
            for new in successors(cells, rows, cols):
                sides.generated += 1
                if new in depths[1 - end]:
                    sides.length = sides.deepest = g + 1 + depths[1 - end][new]
                    break
                if new not in depths[end]:
                    depths[end][new], parents[new] = g + 1, cells
                    sides.numbers[new] = len(sides.numbers)
                    made.append(new)
            waiting = len(layers[end]) - place - 1 + len(made) + len(layers[1 - end])
            sides.peak_frontier = max(sides.peak_frontier, waiting)
            if sides.length is not None:
                return sides
        layers[end][:] = made
