"""Moves as words, arrows, counts before the letters, and tiles with their directions.

What such a text says of the tile can be said of the blank as well. Each meaning is tried on the
board: one that can be made is taken, and it is told which; of several the one that was named, or
that reaches the goal, and otherwise the text is asked about.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle.board import Board, direction_word, sources
from slidewise.puzzle.errors import (
    AmbiguousMovesError,
    IllegalMoveError,
    InvalidMovesError,
    quoted,
)
from slidewise.puzzle.pddl import is_plan, read_plan
from slidewise.puzzle.reading.lengths import MAX_MOVES, MAX_TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

_LETTERS = {
    letter: direction
    for direction, names in {
        "U": ("u", "up", "north", "↑", "⬆", "▲", "￪"),
        "D": ("d", "down", "south", "↓", "⬇", "▼", "￬"),
        "L": ("l", "left", "west", "←", "⬅", "◀", "￩"),
        "R": ("r", "right", "east", "→", "➡", "▶", "￫"),
    }.items()
    for letter in names
}
_OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L"}
_LABEL = re.compile(r"\s*(?:the\s+)?([A-Za-z_]+)(?:[ '’][\w ]{0,30})?\s*[:=]\s*")
_SAID_OF = {
    **dict.fromkeys(("tile", "tiles", "piece", "pieces"), "tile"),
    **dict.fromkeys(("blank", "empty", "gap", "space", "hole", "path_to_goal"), "blank"),
}
_NAMES = {"path", "moves", "solution", "actions", "plan", "steps"}
_TOKEN = re.compile(
    r"(?P<number>[0-9]{0,6})(?:(?<=[0-9]) ?)"
    r"?(?:(?:move|slide|action|direction|dir|go)[ ._-]?)?"
    r"(?:(?P<word>up|down|left|right|north|south|west|east|[↑⬆▲￪↓⬇▼￬←⬅◀￩→➡▶￫])\ufe0f?"
    r"|(?<![ ])(?P<letter>[udlr])|(?P<alone>[udlr]))(?P<after>[0-9]{0,6})(?![0-9A-Za-z])|"
    r"(?P<tile>[0-9]{1,6})(?![0-9A-Za-z])",
    re.IGNORECASE,
)


_RUNS = re.compile(r"[\s,]*+(?:[UDLR][0-9]*+[\s,]*+)*+", re.IGNORECASE)
_LETTER = re.compile(
    r"(?P<tile>(?!))?(?P<number>(?!))?(?P<word>[udlr])(?P<letter>)(?P<alone>)(?P<after>[0-9]{0,6})",
    re.IGNORECASE,
)
"""Letters run together, with the groups of `_TOKEN`."""


_CHARACTERS = frozenset(
    "".join(_LETTERS) + "movegoslideactiondirection0123456789 \t\r\n\f\v_,;-–>|.()[]{}'\"`\ufe0f"
)
"""What a list of moves has in it: another character is found at once, before words are."""


class Token(NamedTuple):
    """One word of a list: where it stands, its direction if it has one, the number before it, and
    how often it is repeated by a number after it."""

    start: int
    end: int
    direction: str | None
    number: int | None
    times: int


class MovesReading(NamedTuple):
    """What a list of moves was read as: the tiles' directions, one letter a move; what its words
    are said of; and a sentence that tells why, "" where nothing else was possible."""

    moves: str
    said_of: str
    told: str


class _Meaning(NamedTuple):
    """One meaning of a list: whose directions the words are, and whether numbers are tiles'."""

    said_of: str
    numbers_are_tiles: bool

    def __str__(self) -> str:
        words = f"the {self.said_of}’s directions"
        return f"tiles and {words}" if self.numbers_are_tiles else words


class Trial(NamedTuple):
    """A meaning tried on the board: the moves made, the board after them, and the first token that
    cannot be made, and why."""

    meaning: _Meaning
    moves: str
    board: Board
    wrong: Token | None
    why: str


def understand_moves(
    text: str, board: Board, *, said_of: str | None = None, goal: Board | None = None
) -> MovesReading:
    """Return what `text`, a list of moves or a plan in PDDL, means on `board`, and tell which of
    its meanings was taken.

    `said_of` is `tile` or `blank`, where it is known whose directions these are; a label in the
    text, such as `blank: Up, Left`, says it too. With a `goal` a meaning that reaches it is
    preferred.

    >>> from slidewise.puzzle.board import Board
    >>> reading = understand_moves("['Right', 'Up']", Board(2, 2, (1, 2, 0, 3)))
    >>> reading.moves, reading.said_of
    ('LD', 'blank')

    Raises `InvalidMovesError` where it cannot be read, `AmbiguousMovesError` where it has several
    meanings, and `IllegalMoveError` where none can be made.
    """
    if is_plan(text):
        return MovesReading(read_plan(text, board), "tile", "")
    tokens, label = tokens_of(text)
    said_of = said_of or label
    trials = [_tried(tokens, meaning, board) for meaning in _meanings(tokens, said_of)]
    legal = {trial.moves: trial for trial in reversed(trials) if not trial.wrong}
    if not legal:
        raise IllegalMoveError(_nothing_legal(trials))
    if len(legal) == 1:
        trial = next(iter(legal.values()))
        return MovesReading(trial.moves, trial.meaning.said_of, _told(trial, trials))
    reaching = [trial for trial in legal.values() if trial.board == goal]
    if len(reaching) == 1:
        what = f"Read as {reaching[0].meaning}: only then do they reach the goal."
        return MovesReading(reaching[0].moves, reaching[0].meaning.said_of, what)
    ways = " or ".join(str(trial.meaning) for trial in reversed(legal.values()))
    raise AmbiguousMovesError(
        f"these moves can be read as {ways}, and each reading is legal: write tile: or blank: "
        "before them, or "
        f"letters such as U2RDL3 for the way the tile moves: {quoted(text.strip())}"
    )


def first_wrong(text: str, board: Board, said_of: str | None) -> Trial | None:
    """Return the trial that came furthest, without a wrong token where one can be made; None where
    the text cannot be read."""
    try:
        tokens, label = tokens_of(text)
    except InvalidMovesError:
        return None
    trials = [_tried(tokens, one, board) for one in _meanings(tokens, said_of or label)]
    return max(trials, key=lambda trial: (not trial.wrong, len(trial.moves), *trial.meaning[1:]))


def tokens_of(text: str) -> tuple[list[Token], str | None]:
    """Return the words of a list of moves, and whose directions a label says that they are.

    Raises `InvalidMovesError`.
    """
    if len(text) > MAX_TEXT:
        raise InvalidMovesError(
            f"expected at most {MAX_TEXT:,} characters of moves, found {len(text):,}: "
            f"{quoted(text)}"
        )
    label = _LABEL.match(text)
    name = label[1].lower() if label else ""
    if name not in _SAID_OF and name not in _NAMES:
        label = None
    end = label.end() if label else 0
    strange = set(text[end:].lower()) - _CHARACTERS
    if strange:
        _check_between(text, text.lower().index(min(strange), end), len(text))
    tokens: list[Token] = []
    made = 0
    pattern = _LETTER if _RUNS.fullmatch(text, end) else _TOKEN
    for match in pattern.finditer(text, end):
        _check_between(text, end, match.start())
        end = match.end()
        tokens.append(_token(match))
        made += tokens[-1].times
        if made > MAX_MOVES:
            raise InvalidMovesError(
                f"expected at most {MAX_MOVES:,} moves, found more: {quoted(text)}"
            )
    _check_between(text, end, len(text))
    return tokens, _SAID_OF.get(name) if label else None


_BETWEEN = re.compile(r"[\s,;\-–>|.()\[\]{}'\"`\ufe0f]*")


def _check_between(text: str, start: int, end: int) -> None:
    if not _BETWEEN.fullmatch(text, start, end):
        raise InvalidMovesError(
            "expected moves such as U2RDL3, Up, Left, 2U or 6R-7D, or the numbers of the tiles, "
            f"found {quoted(text[start:end].strip(), 20)}: {quoted(text)}"
        )


def _token(match: re.Match[str]) -> Token:
    if match["tile"]:
        return Token(*match.span(), None, int(match["tile"]), 1)
    if match["number"] and match["after"]:
        raise InvalidMovesError(f"expected one number beside a move, found {quoted(match[0])}")
    word = match["word"] or match["letter"] or match["alone"]
    number = int(match["number"]) if match["number"] else None
    return Token(*match.span(), _LETTERS[word.lower()], number, int(match["after"] or 1))


def _meanings(tokens: Sequence[Token], said_of: str | None) -> list[_Meaning]:
    """Return what the tokens can mean: numbers of tiles alone, and words with or without them."""
    numbers = all(token.number is not None and token.times == 1 for token in tokens)
    if any(token.direction is None for token in tokens):
        return [_Meaning("tile", True)]
    sides = [said_of] if said_of else ["tile", "blank"]
    return [
        _Meaning(side, of_tiles)
        for of_tiles in ([False, True] if numbers and tokens else [False])
        for side in sides
    ]


class Walk:
    """A board on which moves are made one after the other, fast."""

    def __init__(self, board: Board) -> None:
        self._size = board.size
        self._cells, self._blank = list(board.cells), board.blank
        self._ways = sources(*board.size)

    @property
    def board(self) -> Board:
        return Board(*self._size, tuple(self._cells))

    def direction_of(self, tile: int | None) -> str | None:
        ways = self._ways[self._blank].items()
        return next((way for way, cell in ways if self._cells[cell] == tile), None)

    def can(self, direction: str | None) -> bool:
        return direction in self._ways[self._blank]

    def move(self, direction: str) -> None:
        cell = self._ways[self._blank][direction]
        self._cells[self._blank], self._cells[cell], self._blank = self._cells[cell], 0, cell


def _tried(tokens: Sequence[Token], meaning: _Meaning, board: Board) -> Trial:
    made: list[str] = []
    walk = Walk(board)
    for token in tokens:
        number = 1 if token.number is None else token.number
        times = 1 if meaning.numbers_are_tiles else token.times * number
        if len(made) + times > MAX_MOVES:
            return Trial(meaning, "".join(made), board, token, f"more than {MAX_MOVES:,} moves")
        for _ in range(times):
            direction, why = _direction(token, meaning, walk)
            if direction is None:
                why = f"move {len(made) + 1}: {why}"
                return Trial(meaning, "".join(made), walk.board, token, why)
            made.append(direction)
            walk.move(direction)
    return Trial(meaning, "".join(made), walk.board, None, "")


def _direction(token: Token, meaning: _Meaning, walk: Walk) -> tuple[str | None, str]:
    """Return the direction of the tile that a token moves, or None and why it cannot."""
    letter = token.direction
    if letter and meaning.said_of == "blank":
        letter = _OPPOSITE[letter]
    if meaning.numbers_are_tiles:
        direction = walk.direction_of(token.number)
        if direction is None:
            return None, f"tile {token.number} is not beside the blank on {walk.board}"
        if letter not in (None, direction):
            return None, f"tile {token.number} moves {direction_word(direction)} on {walk.board}"
        return direction, ""
    if walk.can(letter):
        return letter, ""
    said = direction_word(token.direction or "U")
    who = "the blank cannot" if meaning.said_of == "blank" else "no tile can"
    return None, f"{who} move {said} on {walk.board}"


def _told(taken: Trial, trials: Sequence[Trial]) -> str:
    """Return why a meaning was taken, where there were others."""
    wrong = [trial for trial in trials if trial.wrong]
    if not wrong:
        return ""
    other = max(wrong, key=lambda trial: len(trial.moves))
    return f"Read as {taken.meaning}: as {other.meaning}, {other.why}."


def _nothing_legal(trials: Sequence[Trial]) -> str:
    if len(trials) == 1:
        return f"not legal: {trials[0].why}"
    best = sorted(trials, key=lambda trial: -len(trial.moves))[:2]
    return "not legal: " + "; ".join(f"as {trial.meaning}, {trial.why}" for trial in best)
