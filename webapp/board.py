"""Drawn boards: cells for templates, HTML of a playable board; times and goals in words.

Every click draws all tiles of a board. Joining cached strings takes a tenth of a template's time.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup, escape

from slidewise import Board, Puzzle

from .http.language import Language, current, noop, translated
from .http.language import gettext as _


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a drawn board: its tile (0: the blank), place and style.

    `goal_row` and `goal_col` are the tile's home. `layer` numbers nested L shapes from 0, the
    outermost. An L shape is a row and a column, the farthest from the blank's home. If the blank's
    home is the last cell, they are the first row and column.
    """

    tile: int
    row: int
    col: int
    goal_row: int
    goal_col: int
    layer: int
    home: bool
    moved: bool
    hint: bool
    lit: bool
    label: str


def cells(
    board: Board,
    goal: Board,
    moved: int | None = None,
    hint: int | None = None,
    lit: Collection[int] = (),
) -> list[Cell]:
    """Cells of `board` in reading order.

    `moved` is the tile moved last, `hint` the tile to move next. The tiles `lit` stand out.
    """
    places, ways = homes(goal), _ways(board.rows, board.cols, board.blank)
    return [
        Cell(
            tile,
            *divmod(cell, board.cols),
            *places[tile],
            home=goal.cells[cell] == tile,
            moved=tile == moved,
            hint=tile == hint,
            lit=tile in lit,
            label=_label(current(), tile, *divmod(cell, board.cols), ways[cell], tile == hint),
        )
        for cell, tile in enumerate(board.cells)
    ]


@lru_cache(maxsize=64)
def homes(goal: Board) -> dict[int, tuple[int, int, int]]:
    """Home row, column and layer of each tile.

    >>> from slidewise import standard_goal
    >>> homes = homes(standard_goal(3, 3))
    >>> homes[3], homes[5], homes[0]
    ((0, 2, 0), (1, 1, 1), (2, 2, 2))
    """
    places = [divmod(cell, goal.cols) for cell in range(len(goal.cells))]
    blank_row, blank_col = places[goal.blank]
    rows, cols = _from_afar(goal.rows, blank_row), _from_afar(goal.cols, blank_col)
    return {
        tile: (row, col, min(rows.index(row), cols.index(col)))
        for tile, (row, col) in zip(goal.cells, places, strict=True)
    }


def _from_afar(count: int, blank: int) -> list[int]:
    """The lines 0..count-1, the farthest from the blank's line first."""
    return sorted(range(count), key=lambda line: -abs(line - blank))


MAX_TILES = 4_096
"""Maximum cached tiles and labels, an entry per place and language: some megabytes."""


_WAYS = {
    "U": noop("can move up"),
    "D": noop("can move down"),
    "L": noop("can move left"),
    "R": noop("can move right"),
}


@lru_cache(maxsize=MAX_TILES)
def _label(language: Language, tile: int, row: int, col: int, way: str, is_hint: bool) -> str:
    """Screen reader label of a tile in the current `language`: number, place, direction."""
    place = _("%(tile)s, row %(row)s, column %(column)s", tile=tile, row=row + 1, column=col + 1)
    parts = place, way and _(_WAYS[way]), _("hint") if is_hint else ""
    return ", ".join(filter(None, parts))


def tiles(puzzle: Puzzle, board: Board, moved: int | None, hint: int | None) -> Markup:
    """HTML of the tiles and the blank of `board` in reading order.

    `moved` is the tile moved last, `hint` the tile to move next.
    """
    cols, blank, places = board.cols, board.blank, homes(puzzle.goal)
    goal_cells = puzzle.goal.cells
    is_settled = moved is not None and board == puzzle.goal
    language = current()
    ways = ("",) * len(board.cells) if is_settled else _ways(board.rows, cols, blank)
    marked = {moved: " moved"} | {hint: " moved hint" if hint == moved else " hint"}
    drawn = [
        _tile(
            language,
            tile,
            *divmod(cell, cols),
            places[tile],
            ways[cell],
            (" home" if goal_cells[cell] == tile else "") + marked.get(tile, ""),
        )
        for cell, tile in enumerate(board.cells)
    ]
    drawn[blank] = _blank(blank, cols, solved=board == puzzle.goal)
    return Markup("".join(drawn))  # numbers and words of this module


@lru_cache(maxsize=MAX_TILES)
def _tile(
    language: Language,
    tile: int,
    row: int,
    col: int,
    home: tuple[int, int, int],
    way: str,
    marks: str,
) -> str:
    """A tile as a button with a screen reader label."""
    goal_row, goal_col, layer = home
    label = _label(language, tile, row, col, way, marks.endswith("hint"))
    move = f' data-way="{way}"' if way else ""
    return (
        f'    <button id="t{tile}" name="tile" value="{tile}"{move}\n'
        f'      class="tile r{row} c{col} gr{goal_row} gc{goal_col} l{layer}{marks}"\n'
        f'      aria-label="{escape(label)}">'
        f"<b>{tile}</b></button>\n"
    )


def _blank(cell: int, cols: int, *, solved: bool) -> str:
    """The blank; on a solved board it shows a picture's last piece."""
    row, col = divmod(cell, cols)
    piece = (
        f'    <span class="piece r{row} c{col} gr{row} gc{col}"\n'
        '      aria-hidden="true"><b></b></span>\n'
    )
    label = escape(_("blank, row %(row)s, column %(column)s", row=row + 1, column=col + 1))
    return f'{piece if solved else ""}    <span id="t0" class="visually-hidden">{label}</span>\n'


@lru_cache(maxsize=1024)
def _ways(rows: int, cols: int, blank: int) -> tuple[str, ...]:
    """The direction in which each cell's tile can move, "" if it cannot."""
    blank_row, blank_col = divmod(blank, cols)

    def way(row: int, col: int) -> str:
        if row == blank_row and col != blank_col:
            return "L" if col > blank_col else "R"
        if col == blank_col and row != blank_row:
            return "U" if row > blank_row else "D"
        return ""

    return tuple(way(row, col) for row in range(rows) for col in range(cols))


def clock(seconds: float) -> str:
    """A time for display, to hundredths.

    Smaller parts are cut off, as on a stopwatch.

    >>> clock(61), clock(3600), clock(0.019)
    ('1:01.00', '1:00:00.00', '0:00.01')
    """
    whole, hundredths = divmod(round(seconds * 1000) // 10, 100)
    minutes, whole = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02}:{whole:02}" if hours else f"{minutes}:{whole:02}"
    return f"{text}.{hundredths:02}"


def goal_words(puzzle: Puzzle) -> str:
    """The goal in a few words, "" for the usual goal: in order, with the blank last."""
    name = puzzle.goal_name
    if name == "blank last":
        return ""
    return _("custom goal") if name == "custom" else _("goal: %(name)s", name=translated(name))


def other_goal_words(goal: Board, other: Puzzle) -> str:
    """The goal of `other` in a few words, by its difference from `goal`.

    >>> from slidewise import parse_board, parse_puzzle
    >>> other_goal_words(parse_board("1.3-2.0"), parse_puzzle("0.1-2.3_2.3-1.0"))
    'this goal with 1 and 2 swapped'
    """
    if other.goal_name != "custom":
        return translated(other.goal_name)
    pairs = zip(goal.cells, other.goal.cells, strict=True)
    one, two = (a for a, b in pairs if a != b)
    return _("this goal with %(one)s and %(two)s swapped", one=one, two=two)
