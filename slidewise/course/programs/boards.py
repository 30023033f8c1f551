"""Boards, as flat tuples row by row, the functions that are given to programs, and their boards.

Programs give boards in other forms: flat or nested, lists, tuples or arrays.
"""

import inspect
import sys
from collections import deque
from collections.abc import Callable, MutableMapping
from functools import lru_cache
from math import isqrt
from typing import Any, Final, NamedTuple

Cells = tuple[int, ...]
Shape = tuple[int, int]

MAX_ITEMS = 200_000
MAX_DEPTH = 8


def shape_of(cells: int) -> Shape:
    """Return the rows and columns of a board by the number of its cells, 2x3 of six."""
    side = isqrt(cells)
    return (side, side) if side * side == cells else (2, cells // 2)


def goal_of(shape: Shape) -> Cells:
    """Return the goal with the blank last."""
    return (*range(1, shape[0] * shape[1]), 0)


@lru_cache(maxsize=64)
def _beside(blank: int, cells: int) -> tuple[int, ...]:
    """Return the cells that the blank can go to: up, down, left, right."""
    rows, cols = shape_of(cells)
    row, col = divmod(blank, cols)
    steps = (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)
    return tuple(r * cols + c for r, c in steps if 0 <= r < rows and 0 <= c < cols)


def neighbors(board: Cells) -> list[Cells]:
    """Return the boards one move away: the blank goes up, down, left, right."""
    blank = board.index(0)
    found = []
    for cell in _beside(blank, len(board)):
        after = list(board)
        after[blank], after[cell] = after[cell], 0
        found.append(tuple(after))
    return found


def move_cost(board: Cells, after: Cells) -> int:
    """Return the number of the tile that moved."""
    return board[after.index(0)]


def manhattan(board: Cells, goal: Cells) -> int:
    """Return the sum of the tiles' distances from their cells of the goal."""
    homes = _homes(goal)
    return sum([homes[tile][cell] for cell, tile in enumerate(board)])


@lru_cache(maxsize=64)
def _homes(goal: Cells) -> list[list[int]]:
    """Return the distance of each tile at each cell; that of the blank is 0."""
    _, cols = shape_of(len(goal))
    places = [divmod(cell, cols) for cell in range(len(goal))]
    table = [[0] * len(goal)]
    for tile in range(1, len(goal)):
        row, col = places[goal.index(tile)]
        table.append([abs(r - row) + abs(c - col) for r, c in places])
    return table


def inconsistent(board: Cells, goal: Cells) -> int:
    """Return the Manhattan distance for some boards and 0 for others: never too high."""
    weights = sum([cell * tile for cell, tile in enumerate(board)])
    return manhattan(board, goal) if weights % 3 else 0


def path(came_from: Any, goal: Any) -> list[Any]:
    """Return the boards from the start to the goal, by the board before each."""
    boards: list[Any] = []
    seen = set()
    while goal is not None:
        if goal in seen:
            raise ValueError("path: came_from goes round in a circle")
        seen.add(goal)
        boards.append(goal)
        goal = came_from[goal]
    return boards[::-1]


GIVEN: Final[dict[str, Callable[..., Any]]] = {
    "path": path,
    "cost": move_cost,
    "manhattan": manhattan,
}
"""Functions that an exercise may give, by name; `running` has the ones that count calls."""

ESTIMATES: Final[dict[str, Callable[[Cells, Cells], int]]] = {
    "manhattan": manhattan,
    "inconsistent": inconsistent,
}


class Form(NamedTuple):
    """How a program holds a board; `blank` is the number of its blank."""

    name: str = "tuple"
    blank: int = 0

    def encode(self, value: Any) -> Any:
        """Return a board, or anything else unchanged, in this form."""
        if self == FLAT or not _is_board(value):
            return value
        cells = [self.blank if cell == 0 else cell for cell in value]
        if self.name == "tuple":
            return tuple(cells)
        if self.name == "list":
            return cells
        _, cols = shape_of(len(cells))
        rows = [cells[i : i + cols] for i in range(0, len(cells), cols)]
        if self.name == "nested tuple":
            return tuple(map(tuple, rows))
        return sys.modules["numpy"].array(rows) if self.name == "array" else rows


FLAT = Form()
"""The form of the tasks: a tuple of numbers, row by row."""

FORMS = (
    FLAT,
    *(Form(name) for name in ("list", "nested list", "nested tuple", "array")),
    *(Form(name, -1) for name in ("list", "tuple", "nested list")),
)


def _is_board(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) > 3 and sorted(value) == list(range(len(value)))


def board_of(value: Any) -> Cells | None:
    """Return a board in any form as a flat tuple, None for anything else.

    >>> board_of([[1, 2], [3, -1]])
    (1, 2, 3, 0)
    """
    if type(value) is tuple and len(value) == 9 and type(value[0]) is int and 0 in value:
        return value  # as most are: no time for more
    value = getattr(value, "state", value)
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        return None
    flat: list[Any] = []
    for one in value:
        flat.extend(one if isinstance(one, (list, tuple)) else (one,))
    try:
        cells = tuple(0 if one in (-1, None) else int(one) for one in flat)
    except (TypeError, ValueError):
        return None
    shape: Shape = shape_of(len(cells))
    if len(cells) < 4 or shape[0] * shape[1] != len(cells):
        return None
    return cells if sorted(cells) == list(range(len(cells))) else None


def plain(value: Any) -> Any:
    """Return a result as plain data: numbers, texts, lists, and a dictionary as its pairs.

    Anything else becomes the name of its type, as a dictionary.
    """
    budget = [MAX_ITEMS]
    return _plain(value, MAX_DEPTH, budget)


def _plain(value: Any, depth: int, budget: list[int]) -> Any:
    budget[0] -= 1
    if value is None or type(value) in (bool, int, float, str):
        return value[:1000] if isinstance(value, str) else value
    if depth == 0 or budget[0] < 0:
        return {"type": "..."}
    if hasattr(value, "tolist"):
        return _plain(value.tolist(), depth - 1, budget)
    if isinstance(value, dict):
        return {
            "pairs": [[_plain(part, depth - 1, budget) for part in one] for one in value.items()]
        }
    if isinstance(value, (list, tuple, set, frozenset, deque)) or inspect.isgenerator(value):
        found = []
        for one in value:
            if budget[0] < 0:
                break
            found.append(_plain(one, depth - 1, budget))
        return found
    state = getattr(value, "state", None)
    return {"type": type(value).__name__} if state is None else _plain(state, depth - 1, budget)


_FIRST = {"start", "board", "state", "src", "source", "initial_state", "puzzle", "start_state"}
_GOAL = {"goal", "target", "goal_state", "end", "dest", "final"}
_VISITED = {"visited", "visited_states", "explored", "closed", "path"}
_GLOBAL_GOALS = ("goal_state", "GOAL_STATE", "goal", "GOAL")
_GLOBAL_BOARDS = ("list1", "board", "state", "puzzle", "start_state")


def arguments(
    function: Callable[..., Any], given: dict[str, Any], names: MutableMapping[str, Any]
) -> list[Any]:
    """Return the arguments for a call, in the order of the function's parameters.

    A function with the usual number of parameters gets them in the order of the task. Others get
    each by its name: a limit is as high as possible, a collection of visited boards is empty. A
    function without parameters finds board and goal in the usual global names.
    """
    required = _required(function)
    takes_limit = required and len(required) == 3 and "h" in given and _is_limit(required[2])
    if required is None or (len(required) == len(given) and not takes_limit):
        return list(given.values())
    board = given.get("board", given.get("start"))
    if not {"goal"} & given.keys() or not any(name in _GOAL for name in required):
        for name in _GLOBAL_GOALS:
            if name in names and "goal" in given:
                names[name] = given["goal"]
    if not required:
        for name in _GLOBAL_BOARDS:
            if name in names or name == "list1":
                names[name] = board
        return []
    return [_argument(name, i, given, board) for i, name in enumerate(required)]


def _argument(name: str, i: int, given: dict[str, Any], board: Any) -> Any:
    if name in given:
        return given[name]
    if name in _GOAL and "goal" in given:
        return given["goal"]
    if name in _VISITED:
        return []
    if _is_limit(name):
        return given.get("limit", given.get("depth", sys.maxsize))
    if i == 0 or name in _FIRST:
        return board if board is not None else next(iter(given.values()))
    values = list(given.values())
    return values[i] if i < len(values) else None


def _is_limit(name: str) -> bool:
    return any(word in name.lower() for word in ("limit", "depth", "bound"))


@lru_cache(maxsize=256)
def _required(function: Callable[..., Any]) -> list[str] | None:
    """Return the names of the parameters without a default, None if they are unknown."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if any(one.kind not in kinds for one in parameters):
        return None
    return [one.name for one in parameters if one.default is one.empty]
