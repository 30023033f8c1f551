"""Search for good partitions: `python -m benchmarks.partitions 4x4 6`.

It builds the table of each connected group, here of up to 6 tiles. It divides the tiles into as few
of these groups as possible in all ways. It prints the partitions with the highest mean h for each
blank cell. The partitions of `slidewise/solver/tables/patterns/partition.py` come from it.
"""

import heapq
import math
import sys
from collections.abc import Iterator

import numpy as np

from slidewise import Board, Puzzle, parse_size
from slidewise.solver import compiling
from slidewise.solver.tables.patterns.partition import Frame, is_spread, symmetries

SAMPLES = 10_000
SHORTLIST = 1000
"""The best partitions in one view, which are compared in all views."""

SHOWN = 3


class Groups:
    """The connected groups on a grid, and their tables' values of random boards."""

    def __init__(self, rows: int, cols: int, largest: int) -> None:
        compiling.load("patterns_build")
        from slidewise.solver.tables.patterns.build import Grid, neighbour_masks

        self.cells = rows * cols
        self.largest = largest
        self.near = [int(mask) for mask in neighbour_masks(rows, cols)]
        self.symmetries = list(symmetries(rows, cols))
        self.grids = {size: Grid.of(rows, cols, size) for size in range(1, largest + 1)}
        self.by_lowest = self._connected()
        self._values: dict[tuple[int, int], np.ndarray] = {}

    def _connected(self) -> list[list[int]]:
        """Return for each cell the connected groups whose lowest cell it is, as masks."""
        last = {1 << cell for cell in range(self.cells)}
        found = set(last)
        for _ in range(1, self.largest):
            last = {
                mask | 1 << cell
                for mask in last
                for cell in range(self.cells)
                if not mask >> cell & 1 and self.near[cell] & mask
            }
            found |= last
        return [
            sorted(mask for mask in found if mask & -mask == 1 << cell)
            for cell in range(self.cells)
        ]

    def clear(self) -> None:
        """Remove the values of all boards."""
        self._values.clear()

    def values(self, mask: int, blank: int, places: np.ndarray) -> np.ndarray:
        """Return the values of the boards `places` in the table of a group."""
        region = self._region(mask, blank)
        if (mask, region) not in self._values:
            self._build(mask, region, places)
        return self._values[mask, region]

    def _build(self, mask: int, region: int, places: np.ndarray) -> None:
        """Build a table, which is that of the group's images under all symmetries too."""
        from slidewise.solver.tables.patterns.build import fill

        group = cells_of(mask)
        grid = self.grids[len(group)]
        size = len(group)
        length = self.cells**size if is_spread(size) else math.perm(self.cells, size)
        table = np.zeros(length, dtype=np.uint8)
        for _ in fill(table, grid, tuple(group), cells_of(region)[0]):
            pass
        for view in self.symmetries:
            back = np.argsort(view)
            cells = back[places[:, [view[home] for home in group]]]
            self._values[image(mask, view), image(region, view)] = look_up(table, cells, self.cells)

    def _region(self, mask: int, blank: int) -> int:
        """Return the cells that the blank reaches around the group at home."""
        region, before = 1 << blank, 0
        while region != before:
            before = region
            for cell in cells_of(region):
                region |= self.near[cell] & ~mask
        return region

    def partitions(self, blank: int) -> Iterator[tuple[int, ...]]:
        """Yield the ways to divide the tiles into as few groups as possible."""
        tiles = (1 << self.cells) - 1 & ~(1 << blank)
        yield from self._divide(tiles, -(-(self.cells - 1) // self.largest))

    def _divide(self, tiles: int, groups: int) -> Iterator[tuple[int, ...]]:
        if tiles == 0:
            yield ()
        if tiles == 0 or tiles.bit_count() > groups * self.largest:
            return
        for mask in self.by_lowest[cells_of(tiles)[0]]:
            if mask & ~tiles == 0:
                for others in self._divide(tiles ^ mask, groups - 1):
                    yield (mask, *others)


def look_up(table: np.ndarray, places: np.ndarray, cells: int) -> np.ndarray:
    """Return the values of tiles in `places` (boards, tiles), on boards of `cells` cells."""
    size = places.shape[1]
    index = np.zeros(len(places), dtype=np.int64)
    for slot in range(size):
        if is_spread(size):
            index = index * cells + places[:, slot]
        else:
            lower = (places[:, :slot] < places[:, slot, None]).sum(axis=1)
            index = index * (cells - slot) + places[:, slot] - lower
    found: np.ndarray = table[index]
    return found


def draw(rows: int, cols: int, blank: int) -> np.ndarray:
    """Return the cell of each tile, named by its home cell, on boards that can be solved."""
    generator = np.random.default_rng(0)
    goal = Board(rows, cols, names(rows * cols, blank))
    boards = []
    for _ in range(SAMPLES):
        cells = generator.permutation(rows * cols)
        if not Puzzle(Board(rows, cols, tuple(map(int, cells))), goal).solvable:
            first, second = np.flatnonzero(cells)[:2]
            cells[[first, second]] = cells[[second, first]]
        boards.append(np.argsort(cells)[list(goal.cells)])
    return np.array(boards)


def names(cells: int, blank: int) -> tuple[int, ...]:
    """Return a goal with the blank in the cell `blank`."""
    tiles = list(range(1, cells))
    return (*tiles[:blank], 0, *tiles[blank:])


def image(mask: int, view: tuple[int, ...]) -> int:
    """Return the image of the cells of `mask` under `view`."""
    return sum(1 << view[cell] for cell in cells_of(mask))


def cells_of(mask: int) -> list[int]:
    """Return the cells of `mask`, ascending."""
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]


def picture(partition: tuple[int, ...], rows: int, cols: int) -> str:
    """Return the partition as `Partition` has it: letters, the largest group first."""
    letters = ["."] * (rows * cols)
    largest_first = sorted(partition, key=lambda mask: (-mask.bit_count(), cells_of(mask)))
    for letter, mask in zip("abcdefghijklmnopqrstuvwxyz", largest_first, strict=False):
        for cell in cells_of(mask):
            letters[cell] = letter
    return " ".join("".join(letters[i : i + cols]) for i in range(0, len(letters), cols))


def best(groups: Groups, frame: Frame) -> list[tuple[float, str]]:
    """Return the best partitions of a frame, with their mean h."""
    places = draw(frame.rows, frame.cols, frame.blank)
    groups.clear()
    means: dict[int, float] = {}

    def mean(mask: int) -> float:
        if mask not in means:
            means[mask] = float(groups.values(mask, frame.blank, places).mean())
        return means[mask]

    def total(partition: tuple[int, ...]) -> np.ndarray:
        values = [groups.values(mask, frame.blank, places) for mask in partition]
        total: np.ndarray = np.sum(values, axis=0, dtype=int)
        return total

    shortlist = heapq.nlargest(
        SHORTLIST, groups.partitions(frame.blank), key=lambda found: sum(map(mean, found))
    )
    rated = []
    for partition in shortlist:
        h = total(partition)
        if len(frame.views) == 2:
            view = tuple(frame.views[0].index(cell) for cell in frame.views[1])
            h = np.maximum(h, total(tuple(image(mask, view) for mask in partition)))
        rated.append((float(h.mean()), picture(partition, frame.rows, frame.cols)))
    return sorted(rated, reverse=True)


def main() -> None:
    """Print the best partitions for each blank cell of a size."""
    rows, cols = parse_size(sys.argv[1])
    groups = Groups(rows, cols, int(sys.argv[2]))
    goals = [Board(rows, cols, names(rows * cols, blank)) for blank in range(rows * cols)]
    for frame in dict.fromkeys(map(Frame.of, goals)):
        if (frame.rows, frame.cols) == (rows, cols) and frame.views[0] == tuple(range(rows * cols)):
            for h, drawn in best(groups, frame)[:SHOWN]:
                print(f'    Partition("{drawn}", {h:.2f}),', flush=True)


if __name__ == "__main__":
    main()
