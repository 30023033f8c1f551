"""The first move of a typed list that is wrong: where it stands, what it is, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidewise.puzzle.board import direction_word
from slidewise.puzzle.errors import quoted
from slidewise.puzzle.moves import opposite
from slidewise.puzzle.pddl import is_plan
from slidewise.puzzle.reading.lengths import MAX_MOVES, MAX_TEXT
from slidewise.puzzle.reading.moves_text import Trial, Walk, first_wrong

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle.board import Board

_NUMBER = re.compile(r"[^\s,]+")
_RUN = re.compile(r"([UDLR])([0-9]*)|[^\s,UDLR]+", re.IGNORECASE)
_PLAIN = re.compile(r"[\s,]*+(?:(?:[UDLR][0-9]*+[\s,]*+)*+|[0-9\s,]*+)", re.IGNORECASE)
"""Letters, or numbers: lists that have one meaning."""

_NO_DIRECTION = (
    "write U, D, L or R, with a number after it to repeat it, or the numbers of the tiles alone"
)
MAX_SHOWN_DIGITS = 8
"""Of a number that is no tile's."""


@dataclass(frozen=True, slots=True)
class WrongMove:
    """What is wrong with the list: move `number`, which stands from `start` to `end` in the text,
    cannot be read, or cannot be made on `board`; `why` says it in a sentence."""

    number: int
    start: int
    end: int
    board: Board
    why: str


def find_wrong_move(text: str, board: Board, *, blank_directions: bool = False) -> WrongMove | None:
    """Return the first move in `text` that `read_moves` or `steps` would refuse, None if none is.

    >>> from slidewise.puzzle.board import Board
    >>> wrong = find_wrong_move("L, R2", Board(2, 2, (1, 2, 0, 3)))
    >>> wrong.number, "L, R2"[wrong.start : wrong.end]
    (3, 'R2')
    >>> wrong.why
    'move 3 (R) is not legal: no tile can move right on 1.2-0.3'
    """
    text = text[:MAX_TEXT]
    if is_plan(text):
        return None  # its errors quote the step
    if not _PLAIN.fullmatch(text):
        said_of = "blank" if blank_directions else None
        trial = first_wrong(text, board, said_of)
        if trial:
            return _wrong_of(trial)
    of_numbers = re.match(r"[\s,]*[0-9]", text)
    found = _numbers(text, board) if of_numbers else _runs(text, board, blank_directions)
    return next(found, None)


def _wrong_of(trial: Trial) -> WrongMove | None:
    token, number = trial.wrong, len(trial.moves) + 1
    return token and WrongMove(number, token.start, token.end, trial.board, trial.why)


def _numbers(text: str, board: Board) -> Iterator[WrongMove]:
    walk = Walk(board)
    for number, typed in enumerate(_NUMBER.finditer(text), start=1):
        digits = typed[0]
        tile = int(digits) if re.fullmatch("[0-9]{1,3}", digits) else -1
        direction = walk.direction_of(tile)
        if direction is None:
            if re.fullmatch("[0-9]+", digits):
                why = f"tile {digits[:MAX_SHOWN_DIGITS]} is not beside the blank on {walk.board}"
                why = f"move {number} is not legal: {why}"
            else:
                why = f"move {number} is {quoted(digits, 20)}, which is not a tile number"
            yield WrongMove(number, *typed.span(), walk.board, why)
            return
        walk.move(direction)


def _runs(text: str, board: Board, blank_directions: bool) -> Iterator[WrongMove]:
    made, walk = 0, Walk(board)
    for typed in _RUN.finditer(text):
        if not typed[1]:
            what = f"move {made + 1} is {quoted(typed[0], 20)}, which is not a direction"
            yield WrongMove(made + 1, *typed.span(), walk.board, f"{what}: {_NO_DIRECTION}")
            return
        letter = typed[1].upper()
        direction = opposite(letter) if blank_directions else letter
        for _ in range(min(int(typed[2][:9] or 1), MAX_MOVES)):
            made += 1
            if made > MAX_MOVES:
                return
            if not walk.can(direction):
                who = "the blank cannot" if blank_directions else "no tile can"
                why = f"{who} move {direction_word(letter)} on {walk.board}"
                why = f"move {made} ({letter}) is not legal: {why}"
                yield WrongMove(made, *typed.span(), walk.board, why)
                return
            walk.move(direction)
