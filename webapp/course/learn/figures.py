"""Figures of the lessons: the tree of a recorded search as SVG, and what its steps show.

A page has all nodes of the tree, and the data of all steps. Without JavaScript the server shows one
step; the script shows the others in place.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from slidewise.course.programs.boards import shape_of
from slidewise.course.stepping import OTHER, SearchRun

from ...http.language import gettext as _
from ...http.language import plural

PITCH, PADDING, RING = 22, 3, 8
"""From a tile to the next, from a board's edge to its tiles, and room for the ring and badge."""

BETWEEN_DEPTHS, BETWEEN_BOARDS, LABEL = 34, 22, 18
"""`LABEL` is room for the value of a board, which a figure that `is_tall` does not show."""

GAP = 64
"""Between the boards of a grid."""

LEAST, MOST = (634, 424), (880, 589)
"""Size of the part of the tree in view: its scale is between 1 and 0.72."""

GRID = (420, 281)
"""Size of the part of a grid in view: its boards are few, so that phones show all."""

HEAD = 24
"""Room for the names of the columns or rows."""


class Box(NamedTuple):
    """Part of the drawing."""

    left: float
    top: float
    right: float
    bottom: float

    def __or__(self, other: "Box") -> "Box":
        return Box(*map(min, self[:2], other[:2]), *map(max, self[2:], other[2:]))


@dataclass(frozen=True)
class Figure:
    """The tree of a run; depths go down in a figure that `is_tall`, otherwise to the right.

    With `shows_g` their names are values of g.
    """

    run: SearchRun
    is_tall: bool
    shows_g: bool

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height of a board."""
        rows, cols = shape_of(len(self.run.goal))
        return cols * PITCH + 2 * PADDING, rows * PITCH + 2 * PADDING

    @property
    def is_grid(self) -> bool:
        """Whether the boards have no tree: each has the place of its cell."""
        return len(self.run.nodes) > 1 and self.run.nodes[1].parent is None

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """Nodes below each node."""
        found: dict[int, list[int]] = {node: [] for node in range(len(self.run.nodes))}
        for node, one in enumerate(self.run.nodes):
            if one.parent is not None:
                found[one.parent].append(node)
        return found

    @cached_property
    def places(self) -> list[tuple[float, float]]:
        """Centre of each node."""
        width, height = self.size
        if self.is_grid:
            _rows, cols = shape_of(len(self.run.goal))
            numbers = range(len(self.run.nodes))
            return [
                (one % cols * (width + GAP), one // cols * (height + LABEL + GAP))
                for one in numbers
            ]
        across = (width if self.is_tall else height + LABEL) + BETWEEN_BOARDS
        along = (height if self.is_tall else width) + BETWEEN_DEPTHS
        offsets = _spread(self.children)
        found: list[tuple[float, float]] = [
            (offsets[node] * across, one.depth * along) for node, one in enumerate(self.run.nodes)
        ]
        return found if self.is_tall else [(y, x) for x, y in found]

    def edge(self, node: int) -> str:
        """Path of the edge from the parent of a node."""
        parent = self.run.nodes[node].parent
        assert parent is not None
        (x1, y1), (x2, y2) = self.places[parent], self.places[node]
        width, height = self.size
        if self.is_tall:
            y1, y2 = y1 + height / 2, y2 - height / 2
            middle = (y1 + y2) / 2
            return f"M{x1:g} {y1:g}C{x1:g} {middle:g} {x2:g} {middle:g} {x2:g} {y2:g}"
        x1, x2 = x1 + width / 2, x2 - width / 2
        middle = (x1 + x2) / 2
        return f"M{x1:g} {y1:g}C{middle:g} {y1:g} {middle:g} {y2:g} {x2:g} {y2:g}"

    def tiles(self, node: int) -> Iterator[tuple[int | str, int, int, bool]]:
        """Tiles of a board: number if it matters, left and top, and whether each is at home."""
        _rows, cols = shape_of(len(self.run.goal))
        for cell, tile in enumerate(self.run.nodes[node].board):
            if tile:
                x, y = cell % cols * PITCH + PADDING, cell // cols * PITCH + PADDING
                yield "" if tile == OTHER else tile, x, y, self.run.goal[cell] == tile

    def homes(self, node: int) -> Iterator[tuple[int, int]]:
        """Left and top of the goal cells to draw, of single tiles that are not home."""
        _rows, cols = shape_of(len(self.run.goal))
        board = self.run.nodes[node].board
        tiles = [tile for tile in board if tile]
        home = self.run.goal.index(tiles[0]) if len(tiles) == 1 else 0
        if len(tiles) == 1 and not board[home]:
            yield home % cols * PITCH + PADDING, home // cols * PITCH + PADDING

    def words(self, node: int) -> str:
        """Rows of a board in words."""
        _rows, cols = shape_of(len(self.run.goal))
        names = {0: _("blank"), OTHER: _("other")}
        tiles = [names.get(tile, str(tile)) for tile in self.run.nodes[node].board]
        rows = [tiles[first : first + cols] for first in range(0, len(tiles), cols)]
        return "; ".join(map(" ".join, rows))

    def levels(self) -> list[tuple[str, float]]:
        """Name and place of each column, or row."""
        if self.is_grid:
            return []
        places = {one.depth: self.places[node] for node, one in enumerate(self.run.nodes)}
        axis = 1 if self.is_tall else 0
        return [(self._level(depth), place[axis]) for depth, place in sorted(places.items())]

    def _level(self, depth: int) -> str:
        if self.shows_g:
            return f"g = {depth}"
        return plural(depth, "move") if depth else _("start")

    def _box(self, node: int) -> Box:
        (x, y), (width, height) = self.places[node], self.size
        side = 74 if self.is_tall else RING
        return Box(
            x - width / 2 - RING - 8,
            y - height / 2 - RING - (6 if self.is_tall else HEAD),
            x + width / 2 + side,
            y + height / 2 + RING + LABEL,
        )

    @cached_property
    def views(self) -> list[tuple[int, int, int, int]]:
        """Part of the tree in view at each step: all boards so far, or those near the current."""
        boxes = []
        for step in self.run.steps:
            shown = [self._box(node) for node in step.states] or [self._box(0)]
            whole = shown[0]
            for one in shown[1:]:
                whole |= one
            boxes.append(whole)
        grown = accumulate(boxes, lambda one, other: one | other)
        return [self._view(box, step.node) for box, step in zip(grown, self.run.steps, strict=True)]

    def _view(self, box: Box, node: int | None) -> tuple[int, int, int, int]:
        x, y = self.places[node or 0]
        least = GRID if self.is_grid else LEAST
        left, width = _window(box.left, box.right, x, least[0], MOST[0])
        top, height = _window(box.top, box.bottom, y, least[1], MOST[1])
        return round(left), round(top), round(width), round(height)


def _window(low: float, high: float, here: float, least: int, most: int) -> tuple[float, float]:
    """Return the begin and the length of a range in view, around `here` if not all fits."""
    size = max(least, min(most, high - low))
    if high - low <= size:
        return (low + high - size) / 2, size
    return max(low, min(high - size, here - size / 2)), size


def _spread(children: dict[int, list[int]]) -> dict[int, float]:
    """Return the place of each node across the tree, so that siblings are at least 1 apart.

    Each subtree is as near to the one before as their outlines allow (Reingold and Tilford, 1981).
    """
    shifts: dict[int, float] = {}

    def lay(node: int) -> list[tuple[float, float]]:
        """Return the outline of a subtree: the first and the last place at each depth."""
        outline: list[tuple[float, float]] = []
        for child in children[node]:
            below = lay(child)
            pairs = zip(outline, below, strict=False)
            shift = max((1 + last - first for (_, last), (first, _) in pairs), default=0.0)
            moved = [(first + shift, last + shift) for first, last in below]
            outline = [
                (one[0], other[1])
                for one, other in zip(
                    [*outline, *moved[len(outline) :]],
                    [*moved, *outline[len(moved) :]],
                    strict=True,
                )
            ]
            shifts[child] = shift
        middle = shifts[children[node][-1]] / 2 if children[node] else 0.0
        for child in children[node]:
            shifts[child] -= middle
        return [(0.0, 0.0), *((first - middle, last - middle) for first, last in outline)]

    lay(0)
    found = {0: 0.0}
    todo = [0]
    while todo:
        node = todo.pop()
        for child in children[node]:
            found[child] = found[node] + shifts[child]
            todo.append(child)
    return found
