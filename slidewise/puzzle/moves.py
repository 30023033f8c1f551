"""Moves as text, and conversion between their naming conventions.

A move is named by the direction in which the *tile* moves: `U`, `D`, `L` or `R`. Many courses name
the direction of the *blank*, the opposite. Some players name the tile's number. Only this module
converts between the three.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from slidewise.puzzle.board import (
    AmbiguousMovesError,
    Board,
    IllegalMoveError,
    InvalidBoardError,
    InvalidMovesError,
    direction_word,
    quoted,
    sources,
)
from slidewise.puzzle.puzzle import Puzzle
from slidewise.puzzle.reading import MAX_MOVES, MAX_TEXT, read_address
from slidewise.puzzle.writing import is_plan, plan, read_plan
from slidewise.text import either, message, noop

DIRECTIONS = {
    name: direction
    for direction, names in {
        "U": "up north oben hoch arriba cima acima haut",
        "D": "down south unten runter abajo baixo abaixo bas",
        "L": "left west links izquierda esquerda gauche",
        "R": "right east rechts derecha direita droite",
    }.items()
    for name in names.split()
}
"""Directions by their names in English, German, Spanish, Portuguese and French."""

LETTERS = DIRECTIONS | {
    letter: direction
    for direction, letters in {"U": "u↑⬆▲￪", "D": "d↓⬇▼￬", "L": "l←⬅◀￩", "R": "r→➡▶￫"}.items()
    for letter in letters
}
"""Directions by their names, letters and arrows."""

OPPOSITES = {"U": "D", "D": "U", "L": "R", "R": "L"}
_LABEL = re.compile(r"\s*(?:the\s+)?([A-Za-z_]+)(?:[ '’][\w ]{0,30})?\s*[:=]\s*")
_SAID_OF = {
    **dict.fromkeys(("tile", "tiles", "piece", "pieces"), "tile"),
    **dict.fromkeys(("blank", "empty", "gap", "space", "hole", "path_to_goal"), "blank"),
}
_NAMES = {"path", "moves", "solution", "actions", "plan", "steps"}
_TOKEN = re.compile(
    r"(?P<number>[0-9]{0,6})(?:(?<=[0-9]) ?)"
    r"?(?:(?:move|slide|action|direction|dir|go)[ ._-]?)?"
    rf"(?:(?P<word>{'|'.join(DIRECTIONS)}|[↑⬆▲￪↓⬇▼￬←⬅◀￩→➡▶￫])\ufe0f?"
    r"|(?<![ ])(?P<letter>[udlr])|(?P<alone>[udlr]))(?P<after>[0-9]{0,6})(?![0-9A-Za-z])|"
    r"(?P<tile>[0-9]{1,6})(?![0-9A-Za-z])",
    re.IGNORECASE,
)


_RUNS = re.compile(r"[\s,]*+(?:[UDLR][0-9]*+[\s,]*+)*+", re.IGNORECASE)
_LETTER = re.compile(
    r"(?P<tile>(?!))?(?P<number>(?!))?(?P<word>[udlr])(?P<letter>)(?P<alone>)(?P<after>[0-9]{0,6})",
    re.IGNORECASE,
)
"""Letters without separators, with the groups of `_TOKEN`, so that `_token` reads both."""


_CHARACTERS = frozenset(
    "".join(LETTERS) + "movegoslideactiondirection0123456789 \t\r\n\f\v_,;-–>|.()[]{}'\"`\ufe0f"
)
"""Characters allowed in a list of moves, checked before words are parsed."""


class Token(NamedTuple):
    """A token of a list of moves: its position, direction, number before and repetitions after."""

    start: int
    end: int
    direction: str | None
    number: int | None
    times: int


class MovesReading(NamedTuple):
    """A parsed list of moves: the tiles' directions, the convention of the words and its reason.

    `moves` has a letter for each move. `reason` is "" if there was no choice.
    """

    moves: str
    mover: str
    reason: str


class _Meaning(NamedTuple):
    """An interpretation of a list: the convention of directions, and whether numbers are tiles."""

    mover: str
    numbers_are_tiles: bool

    @property
    def words(self) -> str:
        """Return the interpretation in words."""
        if self.mover == "tile":
            directions = message("the tile’s directions")
            return (
                message("tiles and the tile’s directions") if self.numbers_are_tiles else directions
            )
        directions = message("the blank’s directions")
        return message("tiles and the blank’s directions") if self.numbers_are_tiles else directions


class Trial(NamedTuple):
    """An interpretation tried on a board.

    The fields are the legal moves, the board after them, and the first illegal token with the
    reason.
    """

    meaning: _Meaning
    moves: str
    board: Board
    wrong: Token | None
    why: str


def understand_moves(
    text: str, board: Board, *, mover: str | None = None, goal: Board | None = None
) -> MovesReading:
    """Parse a list of moves or a PDDL plan on `board`, and report the interpretation chosen.

    `mover` is `tile` or `blank` if the convention is known. A label in the text, for example
    `blank: Up, Left`, also sets it. An interpretation that reaches `goal` is preferred.

    >>> from slidewise.puzzle.board import Board
    >>> reading = understand_moves("['Right', 'Up']", Board(2, 2, (1, 2, 0, 3)))
    >>> reading.moves, reading.mover
    ('LD', 'blank')

    Raises `InvalidMovesError` for unreadable text, `AmbiguousMovesError` for several
    interpretations, and `IllegalMoveError` if none is legal.
    """
    if is_plan(text):
        return MovesReading(read_plan(text, board), "tile", "")
    tokens, label = tokens_of(text)
    # The caller's convention goes before a label in the text.
    mover = mover or label
    trials = [_tried(tokens, meaning, board) for meaning in _meanings(tokens, mover)]
    # Interpretations with the same moves count once; the first in order wins.
    legal = {trial.moves: trial for trial in reversed(trials) if not trial.wrong}
    if not legal:
        raise IllegalMoveError(_nothing_legal(trials))
    if len(legal) == 1:
        trial = next(iter(legal.values()))
        return MovesReading(trial.moves, trial.meaning.mover, _reason(trial, trials))
    reaching = [trial for trial in legal.values() if trial.board == goal]
    if len(reaching) == 1:
        what = message(
            "Read as %(meaning)s: only then do they reach the goal.",
            meaning=reaching[0].meaning.words,
        )
        return MovesReading(reaching[0].moves, reaching[0].meaning.mover, what)
    raise AmbiguousMovesError(
        message(
            "these moves can be read as %(ways)s, and each reading is legal: write tile: or blank: "
            "before them, or letters such as U2RDL3 for the way the tile moves: %(text)s",
            ways=either([trial.meaning.words for trial in reversed(legal.values())]),
            text=quoted(text.strip()),
        )
    )


def first_wrong(text: str, board: Board, mover: str | None) -> Trial | None:
    """Return a legal trial or otherwise the longest, None if the text is unreadable."""
    try:
        tokens, label = tokens_of(text)
    except InvalidMovesError:
        return None
    trials = [_tried(tokens, one, board) for one in _meanings(tokens, mover or label)]
    return max(trials, key=lambda trial: (not trial.wrong, len(trial.moves), *trial.meaning[1:]))


def tokens_of(text: str) -> tuple[list[Token], str | None]:
    """Return the tokens of a list of moves, and the convention that a label gives them.

    Raises `InvalidMovesError`.
    """
    _check_length(text)
    label = _LABEL.match(text)
    name = label[1].lower() if label else ""
    if name not in _SAID_OF and name not in _NAMES:
        label = None
    end = label.end() if label else 0
    # Foreign characters are reported first, because the patterns would skip into a word.
    strange = set(text[end:].lower()) - _CHARACTERS
    if strange:
        _check_between(text, text.lower().index(min(strange), end), len(text))
    tokens: list[Token] = []
    made = 0
    # In a run of letters such as `UDL` a word pattern would find no separators.
    pattern = _LETTER if _RUNS.fullmatch(text, end) else _TOKEN
    for match in pattern.finditer(text, end):
        _check_between(text, end, match.start())
        end = match.end()
        tokens.append(_token(match))
        made += tokens[-1].times
        if made > MAX_MOVES:
            raise _too_many_moves(text)
    _check_between(text, end, len(text))
    return tokens, _SAID_OF.get(name) if label else None


def _check_length(text: str) -> None:
    if len(text) > MAX_TEXT:
        raise InvalidMovesError(
            message(
                "expected at most %(most)s characters of moves, found %(count)s: %(text)s",
                most=MAX_TEXT,
                count=len(text),
                text=quoted(text),
            )
        )


_BETWEEN = re.compile(r"[\s,;\-–>|.()\[\]{}'\"`\ufe0f]*")


def _check_between(text: str, start: int, end: int) -> None:
    if not _BETWEEN.fullmatch(text, start, end):
        raise InvalidMovesError(
            message(
                "expected moves such as U2RDL3, Up, Left, 2U or 6R-7D, or the numbers of the "
                "tiles, found %(found)s: %(text)s",
                found=quoted(text[start:end].strip(), 20),
                text=quoted(text),
            )
        )


def _token(match: re.Match[str]) -> Token:
    if match["tile"]:
        return Token(*match.span(), None, int(match["tile"]), 1)
    if match["number"] and match["after"]:
        raise InvalidMovesError(
            message("expected one number beside a move, found %(found)s", found=quoted(match[0]))
        )
    word = match["word"] or match["letter"] or match["alone"]
    number = int(match["number"]) if match["number"] else None
    return Token(*match.span(), LETTERS[word.lower()], number, int(match["after"] or 1))


def _meanings(tokens: Sequence[Token], mover: str | None) -> list[_Meaning]:
    """Return the possible interpretations: tile numbers alone, and words with or without
    numbers."""
    numbers = all(token.number is not None and token.times == 1 for token in tokens)
    # A bare number can only be a tile, so all numbers are.
    if any(token.direction is None for token in tokens):
        return [_Meaning("tile", True)]
    sides = [mover] if mover else ["tile", "blank"]
    return [
        _Meaning(side, of_tiles)
        for of_tiles in ([False, True] if numbers and tokens else [False])
        for side in sides
    ]


class Walk:
    """A mutable board that makes moves fast."""

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
            why = message("more than %(most)s moves", most=MAX_MOVES)
            return Trial(meaning, "".join(made), board, token, why)
        for _ in range(times):
            direction, reason = _direction(token, meaning, walk)
            if direction is None:
                why = message("move %(number)s: %(why)s", number=str(len(made) + 1), why=reason)
                return Trial(meaning, "".join(made), walk.board, token, why)
            made.append(direction)
            walk.move(direction)
    return Trial(meaning, "".join(made), walk.board, None, "")


def _direction(token: Token, meaning: _Meaning, walk: Walk) -> tuple[str | None, str]:
    """Return the direction of a token's tile, or None and the reason that it cannot move."""
    letter = token.direction
    if letter and meaning.mover == "blank":
        # When the blank goes up, the tile goes down.
        letter = OPPOSITES[letter]
    if meaning.numbers_are_tiles:
        direction = walk.direction_of(token.number)
        if direction is None:
            return None, _not_beside(str(token.number), walk.board)
        if letter not in (None, direction):
            return None, message(_GOES[direction], tile=token.number, board=str(walk.board))
        return direction, ""
    if walk.can(letter):
        return letter, ""
    return None, _cannot(token.direction or "U", walk.board, of_blank=meaning.mover == "blank")


_GOES = {
    "U": noop("tile %(tile)s moves up on %(board)s"),
    "D": noop("tile %(tile)s moves down on %(board)s"),
    "L": noop("tile %(tile)s moves left on %(board)s"),
    "R": noop("tile %(tile)s moves right on %(board)s"),
}
_NO_TILE_MOVES = {
    "U": noop("no tile can move up on %(board)s"),
    "D": noop("no tile can move down on %(board)s"),
    "L": noop("no tile can move left on %(board)s"),
    "R": noop("no tile can move right on %(board)s"),
}
_BLANK_STAYS = {
    "U": noop("the blank cannot move up on %(board)s"),
    "D": noop("the blank cannot move down on %(board)s"),
    "L": noop("the blank cannot move left on %(board)s"),
    "R": noop("the blank cannot move right on %(board)s"),
}


def _not_beside(tile: str, board: Board) -> str:
    return message(
        "tile %(tile)s is not beside the blank on %(board)s", tile=tile, board=str(board)
    )


def _cannot(direction: str, board: Board, *, of_blank: bool = False) -> str:
    """The reason that no tile, or the blank, can move in a direction."""
    return message((_BLANK_STAYS if of_blank else _NO_TILE_MOVES)[direction], board=str(board))


def _reason(taken: Trial, trials: Sequence[Trial]) -> str:
    """Return the reason for an interpretation, "" if there was no choice."""
    wrong = [trial for trial in trials if trial.wrong]
    if not wrong:
        return ""
    other = max(wrong, key=lambda trial: len(trial.moves))
    return message(
        "Read as %(meaning)s: as %(other)s, %(why)s.",
        meaning=taken.meaning.words,
        other=other.meaning.words,
        why=other.why,
    )


def _nothing_legal(trials: Sequence[Trial]) -> str:
    if len(trials) == 1:
        return message("not legal: %(why)s", why=trials[0].why)
    # The interpretations that got furthest are the likeliest; two are enough to read.
    best, next_best = sorted(trials, key=lambda trial: -len(trial.moves))[:2]
    return message(
        "not legal: as %(meaning)s, %(why)s; as %(other)s, %(reason)s",
        meaning=best.meaning.words,
        why=best.why,
        other=next_best.meaning.words,
        reason=next_best.why,
    )


ARROWS = {"U": "↑", "D": "↓", "L": "←", "R": "→"}

_OPPOSITE = str.maketrans("UDLR", "DURL")
_RUN = re.compile(r"([UDLR])([0-9]*)", re.IGNORECASE)
_NUMBERS = re.compile(r"[0-9]+(?:[\s,]+[0-9]+)*")


_STEPS = {
    "U": noop("Step %(number)s: tile %(tile)s moves up; the blank moves down"),
    "D": noop("Step %(number)s: tile %(tile)s moves down; the blank moves up"),
    "L": noop("Step %(number)s: tile %(tile)s moves left; the blank moves right"),
    "R": noop("Step %(number)s: tile %(tile)s moves right; the blank moves left"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a solution: its number from 1, the tile, its direction, the board after it."""

    number: int
    tile: int
    direction: str
    board: Board

    def __str__(self) -> str:
        """Return the step as a sentence.

        >>> from slidewise.puzzle.board import Board
        >>> print(next(steps(Board(2, 2, (1, 2, 0, 3)), "L")))
        Step 1: tile 3 moves left; the blank moves right
        """
        return message(_STEPS[self.direction], number=self.number, tile=self.tile)

    @property
    def arrow(self) -> str:
        """Return the arrow of the tile's direction."""
        return ARROWS[self.direction]


def opposite(moves: str) -> str:
    """Convert tile directions to blank directions, or back.

    >>> opposite("ULDR")
    'DRUL'
    """
    return moves.translate(_OPPOSITE)


def inverse(moves: str) -> str:
    """Return the moves that undo `moves`.

    >>> inverse("UUL")
    'RDD'
    """
    return opposite(moves[::-1])


def parse_moves(text: str) -> str:
    """Expand run lengths in `text`, for example `U2RDL3`, to a letter for each move.

    >>> parse_moves("U2RDL3")
    'UURDLLL'

    Raises `InvalidMovesError` for any other text, and for more than `MAX_MOVES` moves before
    expanding them.
    """
    _check_length(text)
    if not _RUNS.fullmatch(text):
        raise InvalidMovesError(
            message(
                "expected moves such as U2RDL3 (U, D, L, R: the way the tile moves), "
                "found %(found)s",
                found=quoted(text),
            )
        )
    # Check the sum before expanding, because `U999999999` would fill the memory.
    runs = [(letter, _run_length(count)) for letter, count in _RUN.findall(text.upper())]
    if sum(count for _, count in runs) > MAX_MOVES:
        raise _too_many_moves(text)
    return "".join(letter * count for letter, count in runs)


def format_moves(moves: str) -> str:
    """Return `moves` with run lengths, the form in links.

    >>> format_moves("UURDLLL")
    'U2RDL3'
    """
    return re.sub(r"(.)\1+", lambda run: f"{run[1]}{len(run[0])}", moves)


def read_moves(
    text: str, board: Board, *, blank_directions: bool = False, goal: Board | None = None
) -> str:
    """Parse moves from `board`: letters, tiles, words, arrows, `2U`, `6R-7D` or a replay's URL.

    With `blank_directions` the directions are the blank's. Without it, letters such as `U2RDL3` are
    the tiles'. For other forms `understand_moves` detects the convention, with the help of `goal`
    if given.

    >>> from slidewise.puzzle.board import Board
    >>> read_moves("3 2", Board(2, 2, (1, 2, 0, 3)))
    'LD'

    Raises `InvalidMovesError` or `IllegalMoveError`.
    """
    numbers = text.strip()
    if len(numbers) <= MAX_TEXT and _NUMBERS.fullmatch(numbers):
        tiles = re.findall("[0-9]+", numbers)
        if len(tiles) > MAX_MOVES:
            raise _too_many_moves(text)
        return "".join(_directions_of_tiles(tiles, board))
    try:
        moves = parse_moves(text)
    except InvalidMovesError as refusal:
        if len(text) > MAX_TEXT:
            raise
        return _read_otherwise(text, board, blank_directions, goal, refusal)
    return opposite(moves) if blank_directions else moves


def _read_otherwise(
    text: str,
    board: Board,
    blank_directions: bool,
    goal: Board | None,
    refusal: InvalidMovesError,
) -> str:
    """Parse moves in any other form than letters with run lengths."""
    try:
        address = read_address(text)
        if address:
            return parse_moves(address.moves)
    except InvalidBoardError:
        raise refusal from None
    try:
        mover = "blank" if blank_directions else None
        return understand_moves(text, board, mover=mover, goal=goal).moves
    except AmbiguousMovesError:
        raise
    except InvalidMovesError:
        raise refusal from None


def steps(board: Board, moves: str, *, before: int = 0) -> Iterator[Step]:
    """Yield each step of `moves` from `board`; `before` is the number of earlier steps.

    Raises `IllegalMoveError` with the step's number at an illegal move.
    """
    for number, direction in enumerate(moves, start=before + 1):
        cell = board.source(direction)
        if cell is None:
            raise IllegalMoveError(
                message(
                    "move %(number)s of %(all)s (%(letter)s) is not legal: %(why)s",
                    number=str(number),
                    all=str(before + len(moves)),
                    letter=direction,
                    why=_cannot(direction, board),
                )
            )
        tile = board.cells[cell]
        board = board.move(direction)
        yield Step(number, tile, direction, board)


def play(board: Board, moves: str) -> Board:
    """Return the board after `moves`; raises `IllegalMoveError` for an illegal move."""
    cells, blank, ways = list(board.cells), board.blank, sources(board.rows, board.cols)
    try:
        for direction in moves:
            cell = ways[blank][direction]
            cells[blank], cells[cell], blank = cells[cell], 0, cell
    except KeyError:
        return [*steps(board, moves)][-1].board  # `steps` names the fault
    return Board(board.rows, board.cols, tuple(cells))


def tiles_moved(board: Board, moves: str) -> list[int]:
    """Return the number of the tile that each of `moves` moves.

    >>> from slidewise.puzzle.board import Board
    >>> tiles_moved(Board(2, 2, (1, 2, 0, 3)), "LD")
    [3, 2]
    """
    return [step.tile for step in steps(board, moves)]


def _too_many_moves(text: str) -> InvalidMovesError:
    return InvalidMovesError(
        message(
            "expected at most %(most)s moves, found more: %(text)s",
            most=MAX_MOVES,
            text=quoted(text),
        )
    )


def _run_length(digits: str) -> int:
    """Parse `digits`; a longer number than `MAX_MOVES` becomes `MAX_MOVES + 1`."""
    longest = len(str(MAX_MOVES))
    return int(digits[-longest:] or 1) if len(digits.lstrip("0")) <= longest else MAX_MOVES + 1


def _directions_of_tiles(numbers: list[str], board: Board) -> Iterator[str]:
    for position, digits in enumerate(numbers, start=1):
        # No board has tiles of four digits, and int() rejects more than 4,300 digits.
        tile = int(digits) if len(digits) <= 3 else -1
        direction = board.direction_of(tile)
        if direction is None:
            raise IllegalMoveError(
                message(
                    "move %(number)s of %(all)s is not legal: %(why)s",
                    number=str(position),
                    all=str(len(numbers)),
                    why=_not_beside(digits[:8], board),
                )
            )
        yield direction
        board = board.move(direction)


class WrittenMoves(NamedTuple):
    """Moves in a notation: its key, its title, and the text."""

    key: str
    title: str
    text: str


def written_moves(board: Board, moves: str) -> list[WrittenMoves]:
    """Return `moves`, the tiles' directions from `board` on, in each notation.

    >>> from slidewise.puzzle.board import Board
    >>> for one in written_moves(Board(2, 2, (1, 2, 0, 3)), "L")[:3]:
    ...     print(one.key, one.text)
    tile L
    blank R
    words ['Right']

    Raises `IllegalMoveError`.
    """
    tiles = tiles_moved(board, moves)
    words = [direction_word(letter).title() for letter in opposite(moves)]
    pairs = [f"{tile}{letter}" for tile, letter in zip(tiles, moves, strict=True)]
    return [
        WrittenMoves("tile", message("The tiles’ directions"), format_moves(moves)),
        WrittenMoves("blank", message("The blank’s directions"), format_moves(opposite(moves))),
        WrittenMoves("words", message("The blank’s directions in words"), str(words)),
        WrittenMoves("tiles", message("The tiles’ numbers"), " ".join(map(str, tiles))),
        WrittenMoves("pairs", message("Tiles and their directions"), "-".join(pairs)),
        WrittenMoves(
            "arrows",
            message("Arrows, the way the tiles go"),
            "".join(ARROWS[letter] for letter in moves),
        ),
        WrittenMoves("plan", message("A plan in PDDL"), plan(board, moves).rstrip("\n")),
    ]


class ConvertedMoves(NamedTuple):
    """A list of moves as parsed, in each notation, and the board after it."""

    reading: MovesReading
    written: list[WrittenMoves]
    end: Board


def convert_moves(text: str, puzzle: Puzzle, most: int) -> ConvertedMoves:
    """Parse a list of at most `most` moves and write it in each notation.

    Raises `InvalidMovesError`, `AmbiguousMovesError` or `IllegalMoveError`.
    """
    reading = understand_moves(text, puzzle.start, goal=puzzle.goal)
    if len(reading.moves) > most:
        raise InvalidMovesError(
            message(
                "expected at most %(most)s moves, got %(count)s",
                most=most,
                count=len(reading.moves),
            )
        )
    end = play(puzzle.start, reading.moves)
    return ConvertedMoves(reading, written_moves(puzzle.start, reading.moves), end)


_NUMBER = re.compile(r"[^\s,]+")
_RUN_OR_OTHER = re.compile(r"([UDLR])([0-9]*)|[^\s,UDLR]+", re.IGNORECASE)
_PLAIN = re.compile(r"[\s,]*+(?:(?:[UDLR][0-9]*+[\s,]*+)*+|[0-9\s,]*+)", re.IGNORECASE)
"""Lists of letters or numbers only, which are unambiguous."""

MAX_SHOWN_DIGITS = 8
"""Digits of a wrong tile number in its error."""


@dataclass(frozen=True, slots=True)
class WrongMove:
    """The fault in a list: move `number`, at `start` to `end` in the text.

    The move is unreadable, or illegal on `board`. `why` is the reason as a sentence.
    """

    number: int
    start: int
    end: int
    board: Board
    why: str


def find_wrong_move(text: str, board: Board, *, blank_directions: bool = False) -> WrongMove | None:
    """Return the first move in `text` that `read_moves` or `steps` would reject, or None.

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
    # Words and pairs need an interpretation; letters and numbers are read directly below.
    if not _PLAIN.fullmatch(text):
        mover = "blank" if blank_directions else None
        trial = first_wrong(text, board, mover)
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
                why = message(
                    "move %(number)s is not legal: %(why)s",
                    number=str(number),
                    why=_not_beside(digits[:MAX_SHOWN_DIGITS], walk.board),
                )
            else:
                why = message(
                    "move %(number)s is %(found)s, which is not a tile number",
                    number=str(number),
                    found=quoted(digits, 20),
                )
            yield WrongMove(number, *typed.span(), walk.board, why)
            return
        walk.move(direction)


def _runs(text: str, board: Board, blank_directions: bool) -> Iterator[WrongMove]:
    # A `Walk` changes its board in place, so each move of a long list takes O(1).
    made, walk = 0, Walk(board)
    for typed in _RUN_OR_OTHER.finditer(text):
        if not typed[1]:
            why = message(
                "move %(number)s is %(found)s, which is not a direction: write U, D, L or R, with "
                "a number after it to repeat it, or the numbers of the tiles alone",
                number=str(made + 1),
                found=quoted(typed[0], 20),
            )
            yield WrongMove(made + 1, *typed.span(), walk.board, why)
            return
        letter = typed[1].upper()
        direction = opposite(letter) if blank_directions else letter
        for _ in range(min(int(typed[2][:9] or 1), MAX_MOVES)):
            made += 1
            if made > MAX_MOVES:
                return
            if not walk.can(direction):
                why = message(
                    "move %(number)s (%(letter)s) is not legal: %(why)s",
                    number=str(made),
                    letter=letter,
                    why=_cannot(letter, walk.board, of_blank=blank_directions),
                )
                yield WrongMove(made, *typed.span(), walk.board, why)
                return
            walk.move(direction)
