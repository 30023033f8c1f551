"""Boards, as flat tuples row by row, the functions given to programs, and the forms of boards.

A program may use another form: flat or in rows, as lists, tuples, arrays or texts, or in objects of
its own classes.
"""

import inspect
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from itertools import chain, zip_longest
from math import isqrt
from operator import ne
from typing import Any, Final, NamedTuple

Cells = tuple[int, ...]
Shape = tuple[int, int]

MAX_ITEMS = 200_000
MAX_DEPTH = 8
MAX_FIELDS = 20
"""Maximum attributes of an object that are read."""

MAX_PARTS = 8
"""Maximum parts of an entry that are searched for a board."""

GOES_ROUND: Final = "path: came_from goes round in a circle"
"""The error of the given `path`, by which the judge names the mistake."""


def shape_of(cells: int) -> Shape:
    """Return the rows and columns of a board with this number of cells; 2 x 3 for six."""
    side = isqrt(cells)
    return (side, side) if side * side == cells else (2, cells // 2)


def goal_of(shape: Shape) -> Cells:
    """Return the goal with the blank last."""
    return (*range(1, shape[0] * shape[1]), 0)


def board_text(board: Cells) -> str:
    """Return the board in the usual notation.

    >>> board_text((1, 2, 3, 4, 5, 6, 7, 8, 0))
    '1 2 3/4 5 6/7 8 0'
    """
    _, cols = shape_of(len(board))
    rows = (board[i : i + cols] for i in range(0, len(board), cols))
    return "/".join(" ".join(map(str, row)) for row in rows)


@lru_cache(maxsize=64)
def _beside(blank: int, cells: int) -> tuple[int, ...]:
    """Return the cells that the blank can go to: up, down, left, right."""
    rows, cols = shape_of(cells)
    row, col = divmod(blank, cols)
    steps = (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)
    return tuple(r * cols + c for r, c in steps if 0 <= r < rows and 0 <= c < cols)


def neighbors(board: Cells) -> list[Cells]:
    """Return the boards a single move away: the blank goes up, down, left, right."""
    blank = board.index(0)
    found = []
    for cell in _beside(blank, len(board)):
        after = list(board)
        after[blank], after[cell] = after[cell], 0
        found.append(tuple(after))
    return found


def is_move(board: Cells, after: Cells) -> bool:
    """Return whether a single move leads from `board` to `after`."""
    if len(board) != len(after):
        return False
    blank, cell = board.index(0), after.index(0)
    # The cheap tests come first: this runs for each pair of boards that a program stores.
    beside = cell in _beside(blank, len(board)) and board[cell] == after[blank]
    return beside and sum(map(ne, board, after)) == 2


def move_cost(board: Cells, after: Cells) -> int:
    """Return the number of the tile that moved."""
    return board[after.index(0)]


def manhattan(board: Cells, goal: Cells) -> int:
    """Return the sum of the tiles' distances from their cells of the goal."""
    homes = _homes(goal)
    return sum([homes[tile][cell] for cell, tile in enumerate(board)])


@lru_cache(maxsize=64)
def _homes(goal: Cells) -> list[list[int]]:
    """Return the distance of each tile at each cell; always 0 for the blank."""
    _, cols = shape_of(len(goal))
    places = [divmod(cell, cols) for cell in range(len(goal))]
    table = [[0] * len(goal)]
    for tile in range(1, len(goal)):
        row, col = places[goal.index(tile)]
        table.append([abs(r - row) + abs(c - col) for r, c in places])
    return table


def misplaced(board: Cells, goal: Cells) -> int:
    """Return the number of tiles that are not in their cells."""
    return sum(tile != other and tile != 0 for tile, other in zip(board, goal, strict=True))


def inconsistent(board: Cells, goal: Cells) -> int:
    """Return the Manhattan distance for some boards and 0 for others: admissible, inconsistent."""
    # An arbitrary but repeatable choice of a third of the boards.
    weights = sum([cell * tile for cell, tile in enumerate(board)])
    return manhattan(board, goal) if weights % 3 else 0


def path(came_from: Any, goal: Any) -> list[Any]:
    """Return the boards from the start to the goal; `came_from` maps each board to the previous.

    Raises `ValueError` for a circle.
    """
    boards: list[Any] = []
    seen = set()
    while goal is not None:
        if goal in seen:
            raise ValueError(GOES_ROUND)
        seen.add(goal)
        boards.append(goal)
        goal = came_from[goal]
    return boards[::-1]


GIVEN: Final[dict[str, Callable[..., Any]]] = {
    "path": path,
    "cost": move_cost,
    "manhattan": manhattan,
}
"""Functions that an exercise may give, by name; `running` has the functions that count calls."""

ESTIMATES: Final[dict[str, Callable[[Cells, Cells], int]]] = {
    "manhattan": manhattan,
    "misplaced": misplaced,
    "inconsistent": inconsistent,
}


class Form(NamedTuple):
    """Form of a program's boards: the kind of value, and its blank.

    `text` is a text with "@" for each cell, "" for a text without separators.
    """

    kind: str = "tuple"
    blank: int | str | None = 0
    text: str = ""

    def encode(self, board: Cells) -> Any:
        """Return a board in this form."""
        if self == FLAT:
            return board
        cells: list[Any] = [cell or self.blank for cell in board]
        if "string" in self.kind or "text" in self.kind:
            cells = list(map(str, cells))
        if self.kind == "string":
            parts = self.text.split("@")
            fits = len(parts) == len(cells) + 1
            return (
                "".join(chain(*zip_longest(parts, cells, fillvalue=""))) if fits else "".join(cells)
            )
        if self.kind == "number":
            return int("".join(map(str, cells)))
        if self.kind == "tuple":
            return tuple(cells)
        if self.kind in ("list", "list of strings"):
            return cells
        if self.kind == "flat array":
            # Not imported here: only programs that have imported NumPy use this form.
            return sys.modules["numpy"].array(cells)
        _, cols = shape_of(len(cells))
        if "dictionary" in self.kind:
            places = {divmod(cell, cols): one for cell, one in enumerate(cells)}
            return places if self.kind == "dictionary" else {one: at for at, one in places.items()}
        rows = [cells[i : i + cols] for i in range(0, len(cells), cols)]
        if "texts" in self.kind:
            texts = ["".join(row) for row in rows]
            return tuple(texts) if self.kind == "tuple of texts" else texts
        if self.kind == "tuple of tuples":
            return tuple(map(tuple, rows))
        if self.kind == "list of tuples":
            return list(map(tuple, rows))
        return sys.modules["numpy"].array(rows) if self.kind == "array" else rows


FLAT = Form()
"""The form of the tasks: a tuple of numbers, row by row."""

FORMS: Final = (
    FLAT,
    *(Form(kind) for kind in ("list", "list of lists", "tuple of tuples", "array", "flat array")),
    Form("string", "0"),
    *(Form(kind, -1) for kind in ("list", "list of lists", "tuple")),
    *(Form("string", blank) for blank in ("_", "x", " ")),
    *(Form(kind, None) for kind in ("list of lists", "list", "tuple")),
    Form("list of tuples"),
    *(Form("dictionary", blank) for blank in (0, None)),
    Form("dictionary of tiles"),
    *(Form(kind, "_") for kind in ("list of strings", "lists of strings")),
    *(Form(kind, "0") for kind in ("list of strings", "lists of strings")),
    *(Form(kind, " ") for kind in ("list of strings", "lists of strings")),
    *(Form(kind, "") for kind in ("list of lists", "tuple of tuples", "list", "tuple")),
)
"""Usual forms of boards, which are tried after the forms of a program's own literals."""


def form_of(value: Any) -> Form | None:
    """Return the form of a board, None for anything else."""
    if board_of(value, deep=False) is None:
        return None
    if isinstance(value, int):
        return Form("number")
    if isinstance(value, str):
        if len(value) in _SIZES[:3]:
            return Form("string", _blank_of(value))
        cell = _CELL if len(_CELL.findall(value)) == 9 else _INTEGER
        return Form("string", _blank_of(cell.findall(value)), cell.sub("@", value))
    if isinstance(value, dict):
        by_place = all(isinstance(one, tuple) for one in value)
        kind = "dictionary" if by_place else "dictionary of tiles"
        return Form(kind, _blank_of(value.values() if by_place else value))
    if hasattr(value, "tolist"):
        flat = value.ravel().tolist()
        return Form("flat array" if value.ndim == 1 else "array", 0 if 0 in flat else -1)
    if isinstance(value[0], str) and len(value[0]) > 1:
        kind = "tuple of texts" if isinstance(value, tuple) else "list of texts"
        return Form(kind, _blank_of("".join(value)))
    rows = isinstance(value[0], (list, tuple))
    cells = [cell for row in value for cell in row] if rows else list(value)
    blank = _blank_of(cells)
    if sum(isinstance(cell, str) for cell in cells) > 1:
        return Form("lists of strings" if rows else "list of strings", blank)
    if not rows:
        return Form("tuple" if isinstance(value, tuple) else "list", blank)
    if isinstance(value, tuple):
        return Form("tuple of tuples", blank)
    return Form("list of lists" if isinstance(value[0], list) else "list of tuples", blank)


def _blank_of(cells: Iterable[Any]) -> Any:
    """Return the blank of a board; a NumPy number becomes a Python number."""
    blank = next(cell for cell in cells if _cell(cell) == 0)
    return blank.item() if hasattr(blank, "item") else blank


def _cell(value: Any) -> int:
    """Return a cell's number, 0 for -1, None or a non-numeric text. Raises `ValueError`."""
    if value is None:
        return 0
    if isinstance(value, str):
        if value.isdigit():
            return int(value)
        if value.isalpha() and value.lower() not in LETTERS:
            raise ValueError("a letter is no cell")
        return 0
    number = int(value)
    return 0 if number == -1 else number


LETTERS: Final = ("x", "b", "e", "none", "blank", "empty", "vazio")
"""Words for the blank."""

ATTRIBUTES: Final = (
    *("state", "board", "cells", "puzzle", "tiles", "config", "current_state", "estado", "tablero"),
    *("tabuleiro", "matrix", "grid", "data", "value", "values", "arr", "mat"),
)
"""Usual attributes for the board of an object, which are searched first."""

PARENTS: Final = (
    *("parent", "prev", "previous", "father", "pai", "padre", "came_from", "parent_node", "pred"),
)
GOALS: Final = ("goal", "goal_state", "goalState", "target", "meta", "objetivo", "ziel")
OTHER_BOARDS: Final = (*GOALS, *PARENTS)
"""Attributes with boards of other objects."""

_SIZES: Final = (4, 6, 9, 16)
_LENGTHS: Final = (2, 3, *_SIZES)
"""Possible lengths of a board: its rows or its cells."""

_ROWS: Final = ({2}, {3}, {4})
"""Possible lengths of the rows of a board as texts."""

LEAST_NUMBER: Final = 12_345_678
MAX_TEXT: Final = 80
"""The least board as a number, with the blank first, and the longest text of a board."""

_FOUND: dict[type, str] = {}
"""Attribute with the board, by type, as found in an earlier object."""


def board_of(value: Any, *, deep: bool = True) -> Cells | None:
    """Return a board in any form as a flat tuple, None for anything else.

    With `deep` an object may have it in an attribute.

    >>> board_of([[1, 2], [3, -1]]), board_of("12345678_"), board_of("up")
    ((1, 2, 3, 0), (1, 2, 3, 4, 5, 6, 7, 8, 0), None)
    """
    kind = type(value)
    if value is None or kind in (float, bool, set, frozenset, type):
        return None
    if kind is int:
        return _of_text(f"{value:09}") if LEAST_NUMBER <= value < 10**9 else None
    if kind is dict:
        return _of_places(value)
    if kind is str:
        return _of_text(value) if len(value) <= MAX_TEXT else None
    flat: Any = []
    if kind is list or kind is tuple:
        if len(value) not in _LENGTHS:
            return None
        first = type(value[0])
        if first is int:  # fast path for the most common form
            flat = value
        elif first is str and {*map(type, value)} == {str} and {*map(len, value)} in _ROWS:
            flat = "".join(value)
        else:
            for one in value:
                if isinstance(one, (list, tuple)) or getattr(one, "ndim", None):
                    flat.extend(one)
                else:
                    flat.append(one)
    elif kind in (bytes, bytearray):
        flat = value
    elif hasattr(value, "tolist"):
        flat = value.ravel().tolist() if hasattr(value, "ravel") else value.tolist()
    else:
        return _attribute(value, 2) if deep and not callable(value) else None
    try:
        return _of_cells(tuple(flat)) if len(flat) in _SIZES else None
    except TypeError:  # a list among the cells
        return None


def _of(cells: Iterable[Any]) -> Cells | None:
    """Return the board of its cells in any form."""
    try:
        found = tuple(map(_cell, cells))
    except (TypeError, ValueError, OverflowError):
        return None
    return found if _is_board(found) else None


@lru_cache(maxsize=65_536)
def _of_cells(flat: tuple[Any, ...]) -> Cells | None:
    return _of(flat)


_INTEGER: Final = re.compile(r"\d+")
_CELL: Final = re.compile(r"[^\s,;:|/()\[\]{}'\"-]")
"""A cell in a text with separators."""


@lru_cache(maxsize=65_536)
def _of_text(text: str) -> Cells | None:
    """Return the board of a text: a character for each cell, or numbers, possibly separated."""
    if len(text) in _SIZES[:3] and (found := _of(text)):
        return found
    cells = _CELL.findall(text)
    cells = cells if len(cells) == 9 else _INTEGER.findall(text)
    return _of(cells) if len(cells) in _SIZES[2:] else None


def _of_places(places: dict[Any, Any]) -> Cells | None:
    """Return the board of a dictionary with the tile at each row and column, or with its place."""
    if len(places) not in _SIZES:
        return None
    with suppress(TypeError):  # values that are no places, or cannot be sorted
        if not all(type(one) is tuple and len(one) == 2 for one in places):
            places = {at: tile for tile, at in places.items()}
        if len(places) in _SIZES and all(type(one) is tuple and len(one) == 2 for one in places):
            return _of([places[place] for place in sorted(places)])
    return None


def _is_board(cells: Cells) -> bool:
    try:
        return len(set(cells)) == len(cells) == max(cells) + 1 and min(cells) == 0
    except TypeError:
        return False


def _attribute(value: Any, depth: int) -> Cells | None:
    """Return the board in an attribute of an object, or of an object in it."""
    with suppress(Exception):
        names = _attributes(value)
        known = _FOUND.get(type(value))
        if known in names and (found := board_of(names[known], deep=False)):
            return found
        # The known attribute first, then usual names, then all others in their order.
        order = sorted(names, key=lambda name: (name != known, name not in ATTRIBUTES))
        for name in order[:MAX_FIELDS]:
            one = names[name]
            # Another object of the same type is a parent node.
            if name in OTHER_BOARDS or type(one) is type(value):
                continue
            found = board_of(one, deep=False)
            if not found and depth > 1 and hasattr(one, "__dict__") and not callable(one):
                found = _attribute(one, depth - 1)
            if found:
                _FOUND[type(value)] = name
                return found
    return None


def _attributes(value: Any) -> dict[str, Any]:
    found = getattr(value, "__dict__", None)
    if isinstance(found, dict) and found:
        return found
    if hasattr(value, "_asdict"):  # a named tuple
        return dict(value._asdict())
    slots = getattr(type(value), "__slots__", ())
    return {name: getattr(value, name) for name in slots if hasattr(value, name)}


def center(value: Any, depth: int = 2) -> Cells | None:
    """Return the board of an entry in a frontier or in a list of successors.

    It is the entry itself, the last board of a path, or the first board of a tuple or list.
    """
    found = board_of(value)
    if found or depth == 0 or type(value) not in (list, tuple) or not value:
        return found
    last = board_of(value[-1])
    # Boards at both ends and between them: a path.
    if last and board_of(value[0]) and board_of(value[len(value) // 2]):
        return last
    for one in value[:MAX_PARTS]:
        if found := board_of(one):
            return found
    for one in value[:MAX_PARTS]:
        if type(one) in (list, tuple) and (found := center(one, depth - 1)):
            return found
    return None


def plain(value: Any) -> Any:
    """Return a result as plain data: numbers, texts, lists, and a dictionary as its `pairs`.

    An object becomes a dictionary of its `type`, its `board`, the `boards` from its first ancestor
    to itself, and its `fields`.
    """
    budget = [MAX_ITEMS]
    return _plain(value, MAX_DEPTH, budget)


def _plain(value: Any, depth: int, budget: list[int]) -> Any:
    budget[0] -= 1
    if value is None or type(value) in (bool, int, float, str):
        return value[:1000] if isinstance(value, str) else value
    # A program's data may be cyclic or huge.
    if depth == 0 or budget[0] < 0:
        return {"type": "..."}
    if hasattr(value, "tolist"):
        return _plain(value.tolist(), depth - 1, budget)
    if isinstance(value, dict):
        board = _of_places(value)
        if board:
            return {"type": "dict", "board": list(board)}
        return {
            "pairs": [[_plain(part, depth - 1, budget) for part in one] for one in value.items()]
        }
    if isinstance(value, (list, tuple, set, frozenset, deque)) or inspect.isgenerator(value):
        found = []
        for one in value:
            if budget[0] < 0:
                break
            found.append(_plain(one, depth - 1, budget))
        # Equal sets can have different orders.
        return sorted(found, key=repr) if isinstance(value, (set, frozenset)) else found
    return _object(value, depth, budget)


def _object(value: Any, depth: int, budget: list[int]) -> dict[str, Any]:
    found: dict[str, Any] = {"type": type(value).__name__}
    board = board_of(value)
    if board:
        budget[0] -= len(board)
        found |= {"board": list(board), "boards": _ancestors(value, budget)}
    elif depth > MAX_DEPTH - 2:
        names = getattr(value, "__dict__", None)
        if isinstance(names, dict):
            parts = list(names.items())[:MAX_FIELDS]
            found["fields"] = {str(name): _plain(one, depth - 1, budget) for name, one in parts}
    return found


def _ancestor(value: Any) -> Any:
    """Return an attribute of the same type as the object, usually its parent node, or None."""
    names = _attributes(value)
    others = [name for name, one in names.items() if type(one) is type(value)]
    others.sort(key=lambda name: name not in PARENTS)
    return names[others[0]] if others and others[0] not in GOALS else None


def _ancestors(value: Any, budget: list[int]) -> list[list[int]]:
    """Return the boards from an object's first ancestor to itself."""
    boards: list[list[int]] = []
    while value is not None and budget[0] > 0 and (board := board_of(value)):
        boards.append(list(board))
        budget[0] -= len(board)
        value = _ancestor(value)
    return boards[::-1]


def boards_in(value: Any) -> list[Cells]:
    """Return the boards of a list of boards, or of pairs with a board; `()` for other entries."""
    found = []
    for one in value:
        cells = _within(one)
        if cells is None and isinstance(one, (tuple, list)):
            cells = next((board for part in one if (board := _within(part))), None)
        found.append(cells or ())
    return found


def _within(value: Any) -> Cells | None:
    """Return a board, or the board of an object as plain data."""
    plain_object = isinstance(value, dict) and "board" in value
    return board_of(value["board"]) if plain_object else board_of(value)
