"""Answers of searches as programs return them: boards, moves, parents, a number or a yes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from slidewise.study.programs.boards import Cells, neighbors, shape_of
from slidewise.study.programs.forms import board_of
from slidewise.text import message

_STEPS = {"u": 0, "d": 1, "l": 2, "r": 3}
_LONGEST = 10_000


class FoundPath(NamedTuple):
    """A search's answer. `boards` and `length` are None if the program does not return them."""

    found: bool
    boards: list[Cells] | None = None
    length: int | None = None
    note: str = ""


def board_text(board: Cells) -> str:
    """Return the board in the usual notation.

    >>> board_text((1, 2, 3, 4, 5, 6, 7, 8, 0))
    '1 2 3/4 5 6/7 8 0'
    """
    _, cols = shape_of(len(board))
    rows = (board[i : i + cols] for i in range(0, len(board), cols))
    return "/".join(" ".join(map(str, row)) for row in rows)


def is_legal_path(boards: list[Cells]) -> bool:
    """Return whether each board is one move from the board before it."""
    return all(after in neighbors(board) for board, after in pairwise(boards))


NONE = FoundPath(False, None, None, message("returns None"))


def read_answer(value: Any, start: Cells, goal: Cells) -> FoundPath:
    """Read a result: no path, a path, or a path that is not returned."""
    if value == [] and start == goal:
        return FoundPath(True, [start], 0)
    if value is None or value is False or value == []:
        return NONE
    if value is True:
        return FoundPath(True, note=message("returns True, no path"))
    if isinstance(value, list):
        return _read_list(value, start, goal)
    if isinstance(value, int):
        return FoundPath(True, None, value, message("returns a number, no path"))
    return FoundPath(True, [], None, message("returns %(type)s, no path", type=_kind(value)))


def _read_list(value: list[Any], start: Cells, goal: Cells) -> FoundPath:
    boards = [board_of(one) for one in value]
    if all(boards):
        found = [board for board in boards if board]
        return FoundPath(True, found, len(found) - 1)
    if all(isinstance(one, str) for one in value):
        moved = _moved(value, start, goal)
        return FoundPath(True, moved, len(value))
    if isinstance(value[0], dict) and "pairs" in value[0]:
        if len(value) > 1 and value[1] is None:
            return NONE
        found = _traced(value[0]["pairs"], goal)
        return FoundPath(True, found, len(found) - 1) if found else NONE
    if value[0] is None:
        return NONE
    if board_of(value[0]) == goal and len(value) == 2 and isinstance(value[1], int):
        return FoundPath(True, None, value[1], message("returns the goal and a number, no path"))
    if isinstance(value[0], list) and not board_of(value[0]):
        return _read_list(value[0], start, goal)
    return FoundPath(True, [], None, message("returns a list of something else than boards"))


def _moved(moves: list[str], start: Cells, goal: Cells) -> list[Cells]:
    """Return the boards of moves, which are the blank's or, if that is no path, the tile's."""
    blanks = [_STEPS.get(move[:1].lower(), 9) for move in moves]
    tiles = [{0: 1, 1: 0, 2: 3, 3: 2}.get(step, 9) for step in blanks]
    for steps in blanks, tiles:
        boards = _followed(steps, start)
        if boards[-1] == goal and len(boards) == len(moves) + 1:
            return boards
    return _followed(blanks, start)


def _followed(steps: list[int], start: Cells) -> list[Cells]:
    _, cols = shape_of(len(start))
    boards = [start]
    for step in steps[:_LONGEST]:
        cell = boards[-1].index(0) + {0: -cols, 1: cols, 2: -1, 3: 1}.get(step, 0)
        ways = [after for after in neighbors(boards[-1]) if after.index(0) == cell]
        if not ways:
            break
        boards.append(ways[0])
    return boards


def _traced(pairs: list[Any], goal: Cells) -> list[Cells]:
    """Return the boards from the start to the goal, by a table of parents."""
    before: dict[Cells | None, Cells | None] = {}
    for one, parent in pairs:
        inner = parent[0] if isinstance(parent, list) and not board_of(parent) else parent
        before[board_of(one)] = board_of(inner) if inner is not None else None
    board: Cells | None = goal
    found: list[Cells] = []
    while board is not None and board in before and len(found) < _LONGEST:
        found.append(board)
        board = before[board]
    return found[::-1]


def is_path(answer: FoundPath, start: Cells, goal: Cells) -> bool:
    """Return whether the boards of an answer lead from the start to the goal, move by move."""
    boards = answer.boards
    if not boards or boards[0] != start or boards[-1] != goal:
        return False
    return is_legal_path(boards)


def _kind(value: Any) -> str:
    if not isinstance(value, dict):
        return message("a text")
    return str(value["type"]) if "type" in value else message("a dictionary")
