"""Drawings of what a heuristic sees on a board, and how its value adds up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from slidewise.solver.own.parse import MARK, Name, is_own, parse, with_values
from slidewise.study.explanation import Conflict, Explanation, WayHome, conflicts, ways_home

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from slidewise import Puzzle
    from slidewise.solver.tables.patterns.database import GroupValue


@dataclass(frozen=True, slots=True)
class Piece:
    """A tile as it is drawn: where it is, whether that is its home, a `label` below its number, a
    `mark` in its corner, the number of its `group`, and the SVG `path` of the arrow home."""

    tile: int
    row: int
    col: int
    home: bool
    label: str = ""
    mark: str = ""
    group: int | None = None
    path: str = ""


class Band(NamedTuple):
    """The rectangle around tiles in conflict, in hundredths of a cell."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board with what a heuristic sees on it; `said` is the same in words."""

    title: str
    pieces: list[Piece]
    said: str
    labelled: bool = False
    bands: Sequence[Band] = ()
    groups: Sequence[str] = ()


_LETTERS = "ABCDEFGH"


def drawings(key: str, puzzle: Puzzle, explanation: Explanation | None) -> list[Drawing]:
    """Return the board as the heuristic `key` sees it: one drawing, or one for each view."""
    if key in ("manhattan", "linear-conflict"):
        return [_with_ways(puzzle, with_conflicts=key == "linear-conflict")]
    if explanation and explanation.views:
        views = enumerate(explanation.views)
        return [_with_groups(puzzle, view, is_reflected=number > 0) for number, view in views]
    if key == "misplaced":
        return [_with_misplaced(puzzle)]
    return [Drawing("The board", list(_pieces(puzzle)), "")]


def _with_misplaced(puzzle: Puzzle) -> Drawing:
    misplaced = [way.tile for way in ways_home(puzzle.start, puzzle.goal) if way.distance]
    pieces = list(_pieces(puzzle, marks=dict.fromkeys(misplaced, "×")))
    said = f"misplaced: {_listed(misplaced)}" if misplaced else ""
    return Drawing("The board", pieces, said)


def _pieces(
    puzzle: Puzzle,
    labels: dict[int, str] | None = None,
    marks: dict[int, str] | None = None,
    groups: dict[int, int] | None = None,
) -> Iterator[Piece]:
    for cell, tile in enumerate(puzzle.start.cells):
        if tile:
            yield Piece(
                tile,
                *divmod(cell, puzzle.cols),
                home=puzzle.goal.cells[cell] == tile,
                label=(labels or {}).get(tile, ""),
                mark=(marks or {}).get(tile, ""),
                group=groups[tile] if groups else None,
            )


def _with_ways(puzzle: Puzzle, *, with_conflicts: bool) -> Drawing:
    found = ways_home(puzzle.start, puzzle.goal)
    against = conflicts(puzzle.start, puzzle.goal) if with_conflicts else []
    leaving = [tile for conflict in against for tile in conflict.leave]
    marks = {tile: f"+{2 * leaving.count(tile)}" for tile in leaving}
    pieces = [
        replace(piece, path=_path(piece, found[piece.tile - 1]))
        for piece in _pieces(puzzle, {way.tile: arrows(way) for way in found}, marks)
    ]
    said = ", ".join(f"tile {way.tile} {way.distance}" for way in found)
    bands = [_band(puzzle, conflict) for conflict in against]
    return Drawing("The board", pieces, f"moves to go home: {said}", True, bands)


def _path(piece: Piece, way: WayHome) -> str:
    """Return the path of an arrow home, in hundredths of a cell."""
    if not way.distance:
        return ""
    return f"M{100 * piece.col + 50},{100 * piece.row + 50}v{100 * way.down}h{100 * way.right}"


def _band(puzzle: Puzzle, conflict: Conflict) -> Band:
    """Return the band from the first to the last of some tiles in conflict."""
    cells = [puzzle.start.cells.index(tile) for tile in conflict.tiles]
    (row, col), (last_row, last_col) = (divmod(cell, puzzle.cols) for cell in (cells[0], cells[-1]))
    width, height = (100 * count + 88 for count in (last_col - col, last_row - row))
    return Band(100 * col + 6, 100 * row + 6, width, height)


def arrows(way: WayHome) -> str:
    """Return a way home in arrows.

    >>> arrows(WayHome(7, -2, 1)), arrows(WayHome(1, 0, 0))
    ('↑2 →1', '')
    """
    down = f"{'↓' if way.down > 0 else '↑'}{abs(way.down)}" if way.down else ""
    right = f"{'→' if way.right > 0 else '←'}{abs(way.right)}" if way.right else ""
    return f"{down} {right}".strip()


def _with_groups(puzzle: Puzzle, view: Sequence[GroupValue], *, is_reflected: bool) -> Drawing:
    groups = {tile: place for place, group in enumerate(view) for tile in group.tiles}
    marks = {tile: _LETTERS[place] for tile, place in groups.items()}
    told = [
        f"{_LETTERS[place]}: tiles {_listed(group.tiles)} need {group.moves}"
        for place, group in enumerate(view)
    ]
    title = "Its reflection" if is_reflected else "The board as it is"
    pieces = list(_pieces(puzzle, marks=marks, groups=groups))
    return Drawing(title, pieces, "; ".join(told), groups=told)


def _listed(tiles: Sequence[int]) -> str:
    return ", ".join(map(str, tiles))


def as_sum(key: str, puzzle: Puzzle, explanation: Explanation) -> str | None:
    """Return h as a sum that a reader can add up, None where it is no sum."""
    if explanation.h is None:
        return None
    if is_own(key):
        tree = parse(key.removeprefix(MARK))
        return None if isinstance(tree, Name) else str(with_values(tree, explanation.parts))
    if explanation.views:
        totals = [_sum(group.moves for group in view) for view in explanation.views]
        return totals[0] if len(totals) == 1 else f"max({', '.join(totals)})"
    distances = [way.distance for way in ways_home(puzzle.start, puzzle.goal)]
    if key == "misplaced":
        return _sum(int(distance > 0) for distance in distances)
    if key == "manhattan":
        return _sum(distances)
    if key == "linear-conflict":
        against = conflicts(puzzle.start, puzzle.goal)
        return _sum([sum(distances), *(conflict.moves for conflict in against)])
    return None


def _sum(numbers: Iterable[int]) -> str:
    return " + ".join(map(str, numbers))
