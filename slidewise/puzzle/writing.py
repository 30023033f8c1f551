"""Writing a board in the notations of people, programs and courses. `parse_board` reads them all.

Notations that a course defines for squares only are written for squares only.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from slidewise.puzzle.board import (
    Board,
    IllegalMoveError,
    InvalidMovesError,
    PuzzleError,
    quoted,
    sources,
)
from slidewise.puzzle.puzzle import Puzzle
from slidewise.puzzle.reading import MAX_MOVES, MAX_TEXT
from slidewise.puzzle.slidysim import scramble_of
from slidewise.text import message

_LETTERED_CELLS = 25
"""Maximum cells of a board with letters as tiles: A to X."""

_HEXADECIMAL_CELLS = 16


@dataclass(frozen=True, slots=True)
class Notation:
    """A notation: its key, title, users and writer."""

    key: str
    title: str
    used: str
    write: Callable[[Board], str]
    fits: Callable[[Board], bool] = lambda _: True


def write_board(board: Board, notation: str) -> str:
    """Return `board` in a notation of `NOTATIONS`.

    >>> from slidewise.puzzle.board import Board
    >>> write_board(Board(2, 2, (1, 2, 3, 0)), "java")
    'int[][] tiles = {{1, 2}, {3, 0}};'

    Raises `PuzzleError` for an unknown notation, or if the notation cannot write the board.
    """
    found = NOTATIONS.get(notation)
    if not found:
        raise PuzzleError(f"no notation {notation!r}: choose from {', '.join(NOTATIONS)}")
    if not found.fits(board):
        can = [key for key, one in NOTATIONS.items() if one.fits(board)]
        raise PuzzleError(
            f"{notation} has no boards of {board.rows}x{board.cols}: choose from {', '.join(can)}"
        )
    return found.write(board)


def written(board: Board) -> list[tuple[Notation, str]]:
    """Return every notation that can write the board, each with its text."""
    return [(one, one.write(board)) for one in NOTATIONS.values() if one.fits(board)]


def aligned(board: Board) -> str:
    """Return the rows in aligned columns.

    >>> from slidewise.puzzle.board import Board
    >>> print(aligned(Board(2, 2, (1, 2, 3, 0))))
    1 2
    3 0
    """
    width = len(str(len(board.cells) - 1))
    return "\n".join(" ".join(f"{tile:{width}}" for tile in row) for row in board.grid)


def princeton(board: Board) -> str:
    """Return the file of Princeton's and Coursera's 8puzzle: the size, then the rows."""
    # The padding of `toString` in the assignment's specification.
    rows = ("".join(f"{tile:2d} " for tile in row) for row in board.grid)
    return "\n".join([str(board.rows), *rows])


def forty_two(board: Board, comment: str = "written by Slidewise") -> str:
    """Return the file of the school 42's n-puzzle: a comment, the size, then the rows."""
    return f"# {comment}\n{board.rows}\n{aligned(board)}"


def _nested(board: Board, opening: str, closing: str) -> str:
    rows = (f"{opening}{', '.join(map(str, row))}{closing}" for row in board.grid)
    return f"{opening}{', '.join(rows)}{closing}"


def _python(board: Board) -> str:
    return _nested(board, "[", "]")


def _java(board: Board) -> str:
    return f"int[][] tiles = {_nested(board, '{', '}')};"


def _c(board: Board) -> str:
    return f"int tiles[{board.rows}][{board.cols}] = {_nested(board, '{', '}')};"


def _matlab(board: Board) -> str:
    return f"A = [{'; '.join(' '.join(map(str, row)) for row in board.grid)}];"


def _tatham(board: Board) -> str:
    return f"{board.cols}x{board.rows}:{','.join(map(str, board.cells))}"


def _flat(board: Board, between_cells: str, between_rows: str) -> str:
    """Return the cells in a single row, or in rows if the board is not square.

    A reader could take a flat list for a square.
    """
    if _is_square(board):
        return between_cells.join(map(str, board.cells))
    return between_rows.join(between_cells.join(map(str, row)) for row in board.grid)


def _line(board: Board) -> str:
    return _flat(board, " ", "/")


def _csv(board: Board) -> str:
    return _flat(board, ",", "\n")


def _digits(board: Board) -> str:
    return "/".join("".join(f"{tile:X}" for tile in row) for row in board.grid)


def _letters(board: Board) -> str:
    return "/".join(
        "".join(chr(ord("A") + tile - 1) if tile else "_" for tile in row) for row in board.grid
    )


def unicode_box(board: Board) -> str:
    """Return the board drawn with the box characters of Unicode.

    >>> from slidewise.puzzle.board import Board
    >>> print(unicode_box(Board(2, 2, (1, 2, 3, 0))))
    ┌───┬───┐
    │ 1 │ 2 │
    ├───┼───┤
    │ 3 │   │
    └───┴───┘
    """
    width = len(str(len(board.cells) - 1))
    stroke = "─" * (width + 2)
    top, between, bottom = (
        f"{left}{middle.join([stroke] * board.cols)}{right}"
        for left, middle, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    rows = ("│" + "│".join(f" {tile or '':>{width}} " for tile in row) + "│" for row in board.grid)
    return f"{top}\n" + f"\n{between}\n".join(rows) + f"\n{bottom}"


def _is_square(board: Board) -> bool:
    return board.rows == board.cols


NOTATIONS = {
    notation.key: notation
    for notation in (
        Notation("code", message("Code"), message("links of this site"), str),
        Notation("rows", message("Rows"), message("most programs"), aligned),
        Notation("line", message("One line"), message("as in Korf’s list"), _line),
        Notation("csv", message("Commas"), message("ColumbiaX, CSV"), _csv),
        Notation("python", message("Lists"), message("Python, JavaScript, JSON"), _python),
        Notation("numpy", "NumPy", "Python", lambda board: f"np.array({_python(board)})"),
        Notation("java", "Java", message("arrays"), _java),
        Notation("c", "C", message("arrays"), _c),
        Notation("matlab", "MATLAB", message("Octave and Julia too"), _matlab),
        Notation(
            "princeton",
            message("8puzzle file"),
            message("Princeton and Coursera"),
            princeton,
            _is_square,
        ),
        Notation("42", message("n-puzzle file"), message("the school 42"), forty_two, _is_square),
        Notation("slidysim", message("Scramble"), "slidysim", scramble_of),
        Notation("tatham", message("Game ID"), message("Simon Tatham’s Fifteen"), _tatham),
        Notation(
            "digits",
            message("Digits"),
            message("hexadecimal, up to 16 cells"),
            _digits,
            lambda board: len(board.cells) <= _HEXADECIMAL_CELLS,
        ),
        Notation(
            "letters",
            message("Letters"),
            message("A is tile 1, _ the blank"),
            _letters,
            lambda board: len(board.cells) <= _LETTERED_CELLS,
        ),
        Notation(
            "box", message("Box"), message("as the command prints it"), lambda board: board.boxed()
        ),
        Notation("unicode", message("Unicode box"), message("to paste into a text"), unicode_box),
    )
}
"""The notations, by key."""


DOMAIN = """\
(define (domain sliding-tiles)
  (:requirements :strips :typing)
  (:types tile cell)
  (:predicates
    (at ?t - tile ?c - cell)
    (empty ?c - cell)
    (beside ?a ?b - cell))
  (:action move
    :parameters (?t - tile ?from ?to - cell)
    :precondition (and (at ?t ?from) (empty ?to) (beside ?from ?to))
    :effect (and (at ?t ?to) (empty ?from) (not (at ?t ?from)) (not (empty ?to)))))
"""
"""The domain for all sizes and goals."""

_COMMENT = re.compile(r";.*")
_GROUP = re.compile(r"(?:(?<![\w-])([A-Za-z][\w-]{0,40})\s{0,3})?\(([^()]*)\)")
# The time or number that planners write before a step: "0.000:" or "step 3:".
_BEFORE_STEP = re.compile(r"\s{0,20}(?:step\s{0,3})?[0-9.]{1,20}\s{0,3}:", re.IGNORECASE)
_COST = re.compile(r"\[[^\[\]]*\]")  # the duration or cost after a step
_TILE = re.compile(r"(?:t|tile|piece|n|block|num|number)?[-_]?([0-9]{1,3})", re.IGNORECASE)
_CELL = re.compile(
    r"(?:p|pos|position|c|cell|l|loc|location|s|square|place|slot)[-_]?([0-9]{1,3})"
    r"(?:[-_x]([0-9]{1,3}))?",
    re.IGNORECASE,
)


Namings = tuple[tuple[int, int], ...]
_NAMINGS: Namings = ((1, 1), (0, 1), (1, -1), (0, -1))
"""Conventions for the cells of plans: the first number, and the order of cells in a step, 1 if the
tile's cell comes first, -1 if the blank's does."""


def problem(puzzle: Puzzle, name: str = "puzzle") -> str:
    """Return the problem of a puzzle, for `DOMAIN`.

    >>> from slidewise import parse_puzzle
    >>> print(problem(parse_puzzle("1.2-0.3")).splitlines()[4])
        t1 t2 t3 - tile
    """
    start, goal = puzzle.start, puzzle.goal
    cells = range(1, len(start.cells) + 1)
    objects = (
        f"{' '.join(f't{tile}' for tile in cells[:-1])} - tile",
        f"{' '.join(f'p{cell}' for cell in cells)} - cell",
    )
    beside = [
        f"(beside p{cell + 1} p{blank + 1})"
        for blank, ways in enumerate(sources(puzzle.rows, puzzle.cols))
        for cell in ways.values()
    ]
    return "\n".join(
        [
            f"; {puzzle}",
            f"(define (problem {name})",
            "  (:domain sliding-tiles)",
            "  (:objects",
            *(f"    {line}" for line in objects),
            "  )",
            "  (:init",
            *(f"    {fact}" for fact in _facts(start)),
            *(f"    {' '.join(beside[at : at + 4])}" for at in range(0, len(beside), 4)),
            "  )",
            "  (:goal (and",
            *(f"    {fact}" for fact in _facts(goal)),
            "  )))",
            "",
        ]
    )


def _facts(board: Board) -> Iterator[str]:
    for cell, tile in enumerate(board.cells, 1):
        yield f"(at t{tile} p{cell})" if tile else f"(empty p{cell})"


def plan(board: Board, moves: str) -> str:
    """Return `moves` from `board` on as a plan of `DOMAIN`, with its cost at the end.

    >>> from slidewise.puzzle.board import Board
    >>> print(plan(Board(2, 2, (1, 2, 0, 3)), "L"), end="")
    (move t3 p4 p3)
    ; cost = 1 (unit cost)

    Raises `IllegalMoveError`.
    """
    lines = []
    for direction in moves:
        after = board.move(direction)
        tile = board.cells[after.blank]
        lines.append(f"(move t{tile} p{after.blank + 1} p{board.blank + 1})")
        board = after
    return "\n".join([*lines, f"; cost = {len(moves)} (unit cost)", ""])


class _Step(NamedTuple):
    """A step of a plan: its text, its tile if named, and its cells."""

    text: str
    tile: int | None
    cells: list[tuple[int, ...]]


def is_plan(text: str) -> bool:
    """Return whether `text` looks like a plan: bracketed steps that name tiles or cells.

    >>> is_plan("0: (move t3 p4 p3)"), is_plan("['Up']")
    (True, False)
    """
    first = _GROUP.search(_COMMENT.sub("", text[:MAX_TEXT]))
    words = first[2].replace(",", " ").split() if first else []
    return any(re.fullmatch(r"[A-Za-z]+[-_]?[0-9]+(?:[-_x][0-9]+)?", word) for word in words)


def read_plan(text: str, board: Board) -> str:
    """Parse a plan from `board`, and return the tiles' directions as letters.

    Each step names a tile (`t5`, `tile5`, `n5`), or the cells that it leaves and enters (`p2`,
    `pos2`, `cell-1-2`). Cells are numbered row by row from 1 or 0, or by row and column. If a step
    names both, the cells are checked.

    >>> from slidewise.puzzle.board import Board
    >>> read_plan("0: (slide tile3 pos4 pos3) [1]", Board(2, 2, (1, 2, 0, 3)))
    'L'

    Raises `InvalidMovesError` for an unreadable step and `IllegalMoveError` for an illegal step.
    Both name the first faulty step.
    """
    moves: list[str] = []
    namings = _NAMINGS
    for number, step in enumerate(_steps(text), 1):
        if number > MAX_MOVES:
            raise InvalidMovesError(
                message("expected at most %(most)s steps, found more", most=MAX_MOVES)
            )
        tile = step.tile
        if tile is None:
            # Plans that name only cells still determine the tile.
            tile = _tile_between(step, board, namings)
            if tile is None:
                blank = str(board.blank + 1)
                why = message(
                    "the blank is in p%(cell)s on %(board)s", cell=blank, board=str(board)
                )
                raise IllegalMoveError(_at_step(number, step.text, why))
        direction = board.direction_of(tile) if tile else None
        if direction is None:
            why = message(
                "tile %(tile)s is not beside the blank on %(board)s",
                tile=str(tile),
                board=str(board),
            )
            raise IllegalMoveError(_at_step(number, step.text, why))
        after = board.move(direction)
        # A plan has the same convention throughout, so each step narrows the choice.
        namings = _namings_that_fit(step, namings, (after.blank, board.blank), board)
        if not namings:
            why = message(
                "tile %(tile)s goes from p%(cell)s to p%(to)s on %(board)s, not there",
                tile=str(tile),
                cell=str(after.blank + 1),
                to=str(board.blank + 1),
                board=str(board),
            )
            raise IllegalMoveError(_at_step(number, step.text, why))
        moves.append(direction)
        board = after
    return "".join(moves)


def _at_step(number: int, step: str, why: str) -> str:
    return message(
        "step %(number)s, %(step)s: %(why)s", number=str(number), step=quoted(step), why=why
    )


def _steps(text: str) -> Iterator[_Step]:
    """Yield the steps of a plan; raises `InvalidMovesError` for an unreadable step."""
    if len(text) > MAX_TEXT:
        raise InvalidMovesError(
            message(
                "a plan has at most %(most)s characters, got %(count)s",
                most=MAX_TEXT,
                count=len(text),
            )
        )
    lines = [_without_time(_COST.sub("", _COMMENT.sub("", line))) for line in text.splitlines()]
    # Planners write a step in parentheses; without any, each line is a step.
    if "(" in text:
        groups = _GROUP.finditer("\n".join(lines))
        texts = [(group[0].strip(), f"{group[1] or ''} {group[2]}") for group in groups]
    else:
        texts = [(line.strip(), line) for line in lines if line.strip()]
    if not texts:
        raise InvalidMovesError(
            message(
                "expected a plan with steps such as (move t5 p2 p3), a tile and the cells it goes "
                "between, found %(found)s",
                found=quoted(text),
            )
        )
    for number, (shown, step) in enumerate(texts, 1):
        yield _step(number, shown, step.replace(",", " ").split())


def _without_time(line: str) -> str:
    before = _BEFORE_STEP.match(line)
    return line[before.end() :] if before else line


def _step(number: int, shown: str, words: list[str]) -> _Step:
    cells = [_CELL.fullmatch(word) for word in words[1:]]
    tiles = [_TILE.fullmatch(word) for word in words[1:]]
    # A name such as `p3` fits the pattern of cells, so it is no tile.
    found = [tile for tile, cell in zip(tiles, cells, strict=True) if tile and not cell]
    named = [tuple(int(part) for part in cell.groups() if part) for cell in cells if cell]
    if not words or (len(found) != 1 and len(named) < 2):
        raise InvalidMovesError(
            _at_step(
                number,
                shown,
                message("expected a tile and the cells it goes between, such as (move t5 p2 p3)"),
            )
        )
    return _Step(shown, int(found[0][1]) if len(found) == 1 else None, named)


def _cell(place: tuple[int, ...], base: int, board: Board) -> int:
    """Return the cell of a number, or of a row and a column, counted from `base`."""
    if len(place) == 1:
        return place[0] - base
    return (place[0] - base) * board.cols + place[1] - base


def _tile_between(step: _Step, board: Board, namings: Namings) -> int | None:
    """Return the tile of a step that names only cells, None if none of them is the blank's."""
    for base, _ in namings:
        cells = [_cell(place, base, board) for place in step.cells]
        others = [cell for cell in cells if cell != board.blank]
        if board.blank in cells and len(others) == 1 and 0 <= others[0] < len(board.cells):
            tile = board.cells[others[0]]
            if board.direction_of(tile):
                return tile
    return None


def _namings_that_fit(
    step: _Step, namings: Namings, moved: tuple[int, int], board: Board
) -> Namings:
    """Return the cell conventions that fit the tile's move in a step."""
    if len(step.cells) != 2:
        return namings
    return tuple(
        (base, way)
        for base, way in namings
        if tuple(_cell(place, base, board) for place in step.cells) == moved[::way]
    )
