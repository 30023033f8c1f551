"""What the templates show: boards, figures and results, worked out before they are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from slidewise import find_heuristic
from slidewise.puzzle.board import direction_word
from slidewise.puzzle.moves import tiles_moved
from slidewise.solver.own.tree import is_own
from slidewise.text import plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slidewise.puzzle import Board, Game, Puzzle
    from slidewise.study.distance_ahead import DistanceAhead

MOST_STEPS = 2_000
"""The most steps of a solution that a page shows; a depth-first one can have tens of thousands."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a drawn board: its tile (0: the blank), place and looks.

    `goal_row` and `goal_col` say where the tile belongs, and `layer` in which of the nested L
    shapes, counted from 0, the outermost: one row and one column, those farthest from the
    blank's place. Where the blank belongs in the last cell they are the first row and column.
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
    label: str


def cells(
    board: Board, goal: Board, moved: int | None = None, hint: int | None = None
) -> list[Cell]:
    """Return the cells of `board` in reading order, `moved` being the tile moved last and `hint`
    the one to move next."""
    homes = _homes(goal)
    return [
        Cell(
            tile,
            *divmod(cell, board.cols),
            *homes[tile],
            home=goal.cells[cell] == tile,
            moved=tile == moved,
            hint=tile == hint,
            label=_label(board, tile, cell) + (", hint" if tile == hint else ""),
        )
        for cell, tile in enumerate(board.cells)
    ]


@lru_cache(maxsize=64)
def _homes(goal: Board) -> dict[int, tuple[int, int, int]]:
    """Return the row, the column and the layer in which each tile belongs.

    >>> from slidewise import standard_goal
    >>> homes = _homes(standard_goal(3, 3))
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
    """Return the lines 0..count-1, those farthest from the blank's first."""
    return sorted(range(count), key=lambda line: -abs(line - blank))


def _label(board: Board, tile: int, cell: int) -> str:
    """Return what a screen reader says of a tile: number, place, and where it can move."""
    row, col = divmod(cell, board.cols)
    place = f"{tile}, row {row + 1}, column {col + 1}"
    blank_row, blank_col = divmod(board.blank, board.cols)
    if tile and (row == blank_row or col == blank_col):
        return f"{place}, can move {direction_word(board.line(tile)[0])}"
    return place


@dataclass(frozen=True, slots=True)
class Profile:
    """A heuristic's estimates along a solution, from its start to its end; `top` is the greatest
    number that is drawn."""

    title: str
    estimates: list[int]
    top: int

    @property
    def length(self) -> int:
        """Return the number of moves."""
        return len(self.estimates) - 1


def profile(puzzle: Puzzle, boards: Iterable[Board], heuristic: str | None) -> Profile | None:
    """Return the estimates of `heuristic` along `boards`, which follow on the start of `puzzle`;
    None where there is no heuristic, or one that estimates nothing, or too much to draw; or an
    expression, whose table is not for the web process."""
    boards = list(islice(boards, MOST_STEPS + 1))
    if heuristic is None or is_own(heuristic) or len(boards) > MOST_STEPS:
        return None
    chosen = find_heuristic(heuristic)
    estimates = [chosen.value(board, puzzle.goal) for board in (puzzle.start, *boards)]
    top = max(len(estimates) - 1, *estimates)
    return Profile(chosen.title, estimates, top) if any(estimates) else None


def clock(seconds: int) -> str:
    """Return a time as people read it.

    >>> clock(61), clock(3600)
    ('1:01', '1:00:00')
    """
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def said_after_slide(before: Game, after: Game) -> str:
    """Return what is announced after a click: the tiles, where they went, what that means."""
    moves = plural(after.move_count, "move")
    text = f"{_slide_words(before.board, after.board)}."
    text = f"{text[:1].upper()}{text[1:]}"
    return f"{text} Solved in {moves}." if after.solved else f"{text} {moves}."


def said_on_return(game: Game) -> str:
    """Return what the page of a game that was begun says: how far it has come.

    Without JavaScript that is also what is said after a click.
    """
    if game.before_last is None:
        return "Your game goes on where you left it."
    last = _slide_words(game.before_last, game.board)
    return f"Last move: {last}. {plural(game.move_count, 'move')} so far."


def _slide_words(before: Board, after: Board) -> str:
    line = before.line(before.cells[after.blank])
    tiles = tiles_moved(before, line)
    names = " and ".join(map(str, tiles))
    return f"tile{'s' * (len(tiles) > 1)} {names} {direction_word(line[0])}"


def said_for_hint(board: Board, ahead: DistanceAhead) -> str:
    """Return a hint in words: the tile that the best way known moves first, and where it goes.

    >>> from slidewise import parse_board
    >>> from slidewise.study.distance_ahead import DistanceAhead
    >>> said_for_hint(parse_board("1.2-0.3"), DistanceAhead(at_least=1, length=1, tile=3))
    'Hint: move tile 3 left.'
    """
    assert ahead.tile is not None
    way = direction_word(board.line(ahead.tile))
    known = "" if ahead.exact else " (the best move known)"
    return f"Hint: move tile {ahead.tile} {way}{known}."


def goal_words(puzzle: Puzzle) -> str:
    """Return the goal in a few words."""
    return f"goal: {puzzle.goal_name}" if puzzle.goal_name != "custom" else "goal of its own"


def other_goal_words(goal: Board, other: Puzzle) -> str:
    """Return the goal of `other` in a few words, by what is another than in `goal`.

    >>> from slidewise import parse_board, parse_puzzle
    >>> other_goal_words(parse_board("1.3-2.0"), parse_puzzle("0.1-2.3_2.3-1.0"))
    'this one with 1 and 2 swapped'
    """
    if other.goal_name != "custom":
        return other.goal_name
    pairs = zip(goal.cells, other.goal.cells, strict=True)
    return f"this one with {' and '.join(str(a) for a, b in pairs if a != b)} swapped"
