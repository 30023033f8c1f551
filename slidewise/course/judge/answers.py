"""Reads the results of searches: boards, moves, nodes, parents, a number, or a printed path.

The values are plain data from a program's process (`programs.boards.plain`).
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, permutations
from typing import Any, Final, NamedTuple

from slidewise.course.programs.boards import Cells, board_of, neighbors, shape_of
from slidewise.puzzle.moves import LETTERS, OPPOSITES
from slidewise.text import message

MAX_PATH: Final = 200_000
"""Maximum boards of a path."""

DEEPEST: Final = 3
MOST_PARTS: Final = 8
"""Maximum parts of a result that are read, such as a path and counts."""

COMPASS: Final = dict(zip("nsweo^v<>", "UDLRLUDLR", strict=True))
_STEPS: Final = ([-1, 0], [1, 0], [0, -1], [0, 1])
"""Steps of the blank, as row and column or as column and row."""

_WORD: Final = re.compile(r"[^\W\d_]+|[↑↓←→]")
_PRINTED_WORDS: Final = re.compile(
    r"(?:[^\W\d_]+|[↑↓←→])(?:[ ,;'\"\->\[\]()]{1,6}(?:[^\W\d_]+|[↑↓←→])){0,400}"
)
_NUMBER: Final = re.compile(
    r"-1|[0-9]+|\bNone\b|(?<![^\W_])_(?![^\W_])|\bx\b|' '|\" \"|(?<!\S)[.·*#-](?!\S)"
)
_REFUSAL: Final = re.compile(r"(?i)\b(?:no|not|un\w+|kein\w*|fail\w*|n[aã]o|sin|sem|impos\w+)\b")


class FoundPath(NamedTuple):
    """A search's answer.

    `boards` and `length` are None if the program does not return a path; `note` has the reason.
    `unread` is true for a result without a path; `number` is its number, if any.
    """

    found: bool
    boards: list[Cells] | None = None
    length: int | None = None
    note: str = ""
    unread: bool = False
    printed: bool = False
    number: float | None = None


NONE = FoundPath(False, None, None, message("returns None"))


def path_of(boards: Sequence[Cells], note: str = "", *, printed: bool = False) -> FoundPath:
    """Return the answer for the boards of a path."""
    return FoundPath(True, list(boards), len(boards) - 1, note, printed=printed)


def read_answer(value: Any, start: Cells, goal: Cells, printed: str = "") -> FoundPath:
    """Read a result: no path, a path, or a path that is printed instead of returned."""
    answer = _read(value, start, goal, 0)
    if not printed.strip() or _leads(answer, start, goal):
        return answer
    found = printed_path(printed, start, goal)
    if found:
        return path_of(found, printed=True)
    if printed.strip().isdecimal() and value in (None, {"type": "nothing"}):
        return _read(int(printed), start, goal, 0)
    if value is None:
        return FoundPath(False, None, None, message("prints something else than a path"), True)
    return answer


def _leads(answer: FoundPath, start: Cells, goal: Cells) -> bool:
    boards = answer.boards or [()]
    return boards[0] == start and boards[-1] == goal


def _rank(answer: FoundPath, start: Cells, goal: Cells) -> tuple[bool, bool, bool, bool]:
    boards = answer.boards
    return _leads(answer, start, goal), bool(boards), not answer.unread, answer.found


def _read(value: Any, start: Cells, goal: Cells, depth: int) -> FoundPath:
    if value in ([], (), "") and start == goal:
        return path_of([start])
    if value is None or value is False or value in ([], (), ""):
        return NONE
    if value is True:
        return FoundPath(True, note=message("returns True, no path"), unread=True)
    # Negative numbers are a usual sign of failure.
    if isinstance(value, (int, float)) and value < 0:
        return FoundPath(False, note=message("returns a number, no path"))
    if isinstance(value, (int, float)):
        words = message("returns a number, no path")
        return FoundPath(True, note=words, unread=True, number=value)
    if isinstance(value, str):
        return _read_text(value, start, goal)
    if isinstance(value, dict):
        return _read_dictionary(value, start, goal, depth)
    # A list can be read in several ways; a path from start to goal is the best reading.
    return max(_readings(value, start, goal, depth), key=lambda one: _rank(one, start, goal))


def _read_text(text: str, start: Cells, goal: Cells) -> FoundPath:
    words = _WORD.findall(text)
    for moves in words, list(text):
        found = moved(moves, start, goal)
        # Any text contains letters of directions, so other moves must lead to the goal.
        if found and (found[-1] == goal or set(text) <= set("UDLR")):
            return path_of(found)
    if _REFUSAL.search(text):
        return FoundPath(False, note=message("returns a text"))
    return FoundPath(True, [], None, message("returns a text, no path"), unread=True)


def _read_dictionary(value: dict[str, Any], start: Cells, goal: Cells, depth: int) -> FoundPath:
    if "pairs" in value:
        pairs = value["pairs"]
        found = traced(pairs, goal)
        if found:
            return path_of(found)
        parts = [part for one in pairs[:MOST_PARTS] for part in one[1:]]
        found_parts = [_read(one, start, goal, depth + 1) for one in parts if depth < DEEPEST]
        return max(found_parts, key=lambda one: _rank(one, start, goal), default=NONE)
    if value.get("boards"):
        return _read_boards([board_of(one) or () for one in value["boards"]], start, goal)
    fields = value.get("fields", {})
    found_parts = [
        _read(one, start, goal, depth + 1)
        for one in fields.values()
        if depth < DEEPEST and isinstance(one, (list, str, dict)) and one
    ]
    other = FoundPath(
        True, [], None, message("returns %(type)s, no path", type=_kind(value)), unread=True
    )
    return max([other, *found_parts], key=lambda one: _rank(one, start, goal))


def _kind(value: dict[str, Any]) -> str:
    return str(value["type"]) if "type" in value else message("a dictionary")


def _readings(value: list[Any], start: Cells, goal: Cells, depth: int) -> Iterator[FoundPath]:
    """Yield the readings of a list: as boards, as moves, by its parts."""
    words = message("returns a list of something else than boards")
    yield FoundPath(value[0] is not None and value[0] is not False, [], None, words, unread=True)
    if value[0] is None or value[0] is False:
        yield NONE
    whole = board_of(value)
    boards = [] if whole else [_board_in(one) for one in value[:MAX_PATH]]
    if boards and all(boards):
        yield _read_boards([board for board in boards if board], start, goal)
    if not whole:
        yield from _read_moves(value, start, goal)
    if len(value) == 2 and _board_in(value[0]) == goal and type(value[1]) in (int, float):
        words = message("returns the goal and a number, no path")
        yield FoundPath(True, note=words, unread=True)
    if depth < DEEPEST and len(value) <= MOST_PARTS:
        for one in value:
            if isinstance(one, (list, dict, str)) and one:
                yield _read(one, start, goal, depth + 1)


def _read_boards(boards: list[Cells], start: Cells, goal: Cells) -> FoundPath:
    """Read a path, which may lack its start."""
    if boards[0] != start and boards[-1] == goal and boards[0] in neighbors(start):
        note = message("the path is without its start")
        return path_of([start, *boards], note)
    return path_of(boards)


def _board_in(value: Any) -> Cells | None:
    """Return a board, or the board of an object or of a pair of action and board."""
    found = board_of(value)
    if found:
        return found
    if isinstance(value, dict):
        return board_of(value.get("board"))
    if isinstance(value, list) and 1 < len(value) <= MOST_PARTS:
        boards = [one for part in value if (one := _board_in(part))]
        return boards[0] if len(boards) == 1 else None
    return None


def _read_moves(value: list[Any], start: Cells, goal: Cells) -> Iterator[FoundPath]:
    """Yield the readings of a list as moves: words, letters, tiles, cells, pairs with a move."""
    if all(isinstance(one, (str, int)) and not isinstance(one, bool) for one in value):
        columns = [value] if (rest := _without_mark(value)) == value else [value, rest]
    elif all(one in _STEPS for one in value):
        columns = [[letters[_STEPS.index(one)] for one in value] for letters in ("UDLR", "LRUD")]
    elif all(isinstance(one, list) and len(one) == 2 for one in value):
        # The move can be first or second in its pair, and the start has None as its move.
        columns = [[one[i] for one in value if one[i] is not None] for i in (0, 1)]
    else:
        return
    for number, cells in enumerate(_places(value, shape_of(len(start))[1])):
        boards = _blank_moved(cells, start)
        # The rows of places come first as a rule; other readings must lead to the goal.
        if boards and (boards[-1] == goal or (not number and isinstance(value[0], list))):
            yield path_of(boards)
    for moves in columns:
        found = moved(moves, start, goal) if moves else None
        words = all(isinstance(one, str) for one in moves)
        if found and (words or (found[-1] == goal and len(found) == len(moves) + 1)):
            yield path_of(found)


def _without_mark(value: list[Any]) -> list[Any]:
    """Return moves without a first word that is not a direction, such as "start"."""
    first = value[0]
    if not isinstance(first, str) or letter_of(first):
        return value
    return [one for one in value if one != first] or value


def _places(value: list[Any], cols: int) -> Iterator[list[int]]:
    """Yield the readings of a list as cells of the blank: numbers, pairs of row and column."""
    if all(type(one) is int for one in value):
        yield value
    elif all(isinstance(one, list) and [*map(type, one)] == [int, int] for one in value):
        yield from (
            [row * cols + col for row, col in value],
            [row * cols + col for col, row in value],
        )


def _blank_moved(cells: list[int], start: Cells) -> list[Cells] | None:
    """Return the boards for the blank's cells, which may begin with the start's; or None."""
    boards = [start]
    for cell in cells[start.index(0) == cells[0] :]:
        after = next((one for one in neighbors(boards[-1]) if one.index(0) == cell), None)
        if after is None:
            return None
        boards.append(after)
    return boards


def moved(moves: Sequence[Any], start: Cells, goal: Cells) -> list[Cells] | None:
    """Return the boards after each move, of the blank or otherwise of the tiles; or None.

    A move is a direction in words of several languages, a letter, an arrow, or a tile's number.
    """
    if all(isinstance(one, str) for one in moves):
        letters = [letter_of(one) for one in moves]
        if not all(letters):
            return _in_own_words(moves, start, goal)
        ways: list[list[Any]] = [letters, [OPPOSITES[one] for one in letters if one]]
        if "O" in moves:  # west in Spanish, French and Portuguese, but east in German
            east = [
                "R" if one == "O" else letter for one, letter in zip(moves, letters, strict=True)
            ]
            ways += [east, [OPPOSITES[one] for one in east if one]]
    elif all(isinstance(one, int) and 0 < one < len(start) for one in moves):
        ways = [list(moves)]
    else:
        return None
    best: list[Cells] = []
    for way in ways:
        boards = _followed(way, start)
        if boards[-1] == goal and len(boards) == len(moves) + 1:
            return boards
        # If neither convention reaches the goal, the longest legal path is reported.
        best = max(best, boards, key=len)
    return best


def _in_own_words(moves: Sequence[str], start: Cells, goal: Cells) -> list[Cells] | None:
    """Return the boards of a path in other words, if they can be directions that lead to the goal.

    >>> _in_own_words(["sube", "va"], (1, 2, 0, 3), (1, 0, 3, 2))
    [(1, 2, 0, 3), (1, 2, 3, 0), (1, 0, 3, 2)]
    """
    words = list(dict.fromkeys(moves))
    if len(words) > len(OPPOSITES) or not all(len(one) > 1 and one.isalpha() for one in words):
        return None
    for letters in permutations(OPPOSITES, len(words)):
        meaning = dict(zip(words, letters, strict=True))
        boards = _followed([meaning[one] for one in moves], start)
        if boards[-1] == goal and len(boards) == len(moves) + 1:
            return boards
    return None


def letter_of(word: str) -> str | None:
    """Return the letter of a direction, `U`, `D`, `L` or `R`, None for other words.

    >>> letter_of("Up"), letter_of("move left"), letter_of("arriba"), letter_of("x")
    ('U', 'L', 'U', None)
    """
    last = word.strip().lower().rpartition(" ")[2].rpartition("_")[2]
    return LETTERS.get(last) or COMPASS.get(last)


def _followed(steps: Sequence[Any], start: Cells) -> list[Cells]:
    _, cols = shape_of(len(start))
    offsets = {"U": -cols, "D": cols, "L": -1, "R": 1}
    boards = [start]
    for step in steps[:MAX_PATH]:
        board = boards[-1]
        blank = board.index(0)
        cell = board.index(step) if isinstance(step, int) else blank + offsets[step]
        after = next((one for one in neighbors(board) if one.index(0) == cell), None)
        if after is None:
            break
        boards.append(after)
    return boards


def traced(pairs: list[Any], goal: Cells) -> list[Cells]:
    """Return the boards from the start to the goal, by a table of parents as pairs."""
    before: dict[Cells | None, Cells | None] = {}
    for one, parent in pairs:
        before[_board_in(one)] = _board_in(parent) if parent is not None else None
    before.pop(None, None)
    board: Cells | None = goal
    found: list[Cells] = []
    while board is not None and board in before and len(found) < MAX_PATH:
        found.append(board)
        board = before[board]
        # In some programs the start is its own parent.
        if board in found[-2:]:
            break
    return found[::-1]


def printed_path(text: str, start: Cells, goal: Cells) -> list[Cells] | None:
    """Return the last path from the start to the goal in a text, of boards or of moves."""
    boards = [board for board, _ in groupby(printed_boards(text, len(start)))]
    # Some programs print the path from the goal back.
    for found in boards, boards[::-1]:
        path = _last_path(found, start, goal)
        if path:
            return path
    for match in reversed(list(_PRINTED_WORDS.finditer(text))):
        path = moved(_WORD.findall(match[0]), start, goal)
        if path and len(path) > 1 and path[-1] == goal:
            return path
    letters = [one for one in _WORD.findall(text) if len(one) > 1 and set(one) <= set("UDLR")]
    if len(letters) == 1:
        return moved(letters[0], start, goal)
    words = [one for one in _WORD.findall(text) if len(one) > 1 and letter_of(one)]
    path = moved(words, start, goal) if words else None
    return path if path and path[-1] == goal and len(path) == len(words) + 1 else None


def printed_boards(text: str, cells: int) -> Iterator[Cells]:
    """Yield the boards in a text, as numbers with or without spaces."""
    words: list[Any] = []
    lengths = (cells, shape_of(cells)[1]) if cells < 10 else (cells,)
    for word in _NUMBER.findall(text):
        # A word may be a whole board, such as 123456780, or a row of it.
        words += list(word) if len(word) in lengths and word.isdigit() else [word]
    at = 0
    while at + cells <= len(words):
        board = board_of([_cell(word) for word in words[at : at + cells]])
        if board:
            yield board
        at += cells if board else 1


def _cell(word: str) -> int:
    return int(word) if word.isdigit() else 0


def _last_path(boards: list[Cells], start: Cells, goal: Cells) -> list[Cells] | None:
    """Return the boards before the last goal, back to the start, or to a neighbour of it."""
    if goal not in boards:
        return None
    end = len(boards) - boards[::-1].index(goal)
    first = end - 1
    while first > 0 and boards[first] != start and boards[first - 1] in neighbors(boards[first]):
        first -= 1
    if boards[first] == start:
        return boards[first:end]
    return [start, *boards[first:end]] if boards[first] in neighbors(start) else None


def is_path(boards: Sequence[Cells] | None, start: Cells, goal: Cells) -> bool:
    """Return whether boards lead from the start to the goal, move by move."""
    if not boards or boards[0] != start or boards[-1] != goal:
        return False
    return is_legal_path(boards)


def is_legal_path(boards: Sequence[Cells]) -> bool:
    """Return whether each board is a single move from the previous board."""
    return all(after in neighbors(board) for board, after in pairwise(boards))
