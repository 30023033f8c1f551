"""The ghost of a challenge: the challenger's moves, which a link can carry.

`ghost` in a link is the moves, two bits each, in base64 for addresses; `took` the seconds that the
challenger's device counted; `times`, where they are known, when each move was made. The moves are
replayed here: those that do not solve the puzzle are no ghost. With times the page moves the ghost
by the player's clock (`static/js/play/ghost.js`). Without them it goes as many moves as the player
has made.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import request

from slidewise import IllegalMoveError, PuzzleError
from slidewise.puzzle.board import quoted
from slidewise.puzzle.moves import play, tiles_moved
from slidewise.text import plural
from webapp.board.cells import cells
from webapp.board.words import clock

if TYPE_CHECKING:
    from slidewise import Board, Game, Puzzle
    from webapp.board.cells import Cell


MAX_CHARACTERS = 2_000
"""The longest text: 600 moves of a second each, in an address that servers and proxies take."""

MAX_DIFFERENCE_SECONDS = 1.0
"""How far the sum may be from the time of the game: the server credits a little less or more than
the page has counted, as clicks travel."""

_TIMES = re.compile(r"[0-9a-z]{0,6}(\.[0-9a-z]{0,6})*")


def read_times(text: str, moves: int, seconds: float) -> list[int] | None:
    """Return the milliseconds of each of `moves` that take `seconds` in all, None where `text` has
    no such times.

    >>> read_times(".rs.5k", 3, 1.2), read_times(".rs", 3, 1.0), read_times("..", 3, 9.0)
    ([0, 1000, 200], None, None)
    """
    if len(text) > MAX_CHARACTERS or not _TIMES.fullmatch(text):
        return None
    times = [int(one, 36) if one else 0 for one in text.split(".")]
    fits = len(times) == moves and abs(sum(times) / 1000 - seconds) <= MAX_DIFFERENCE_SECONDS
    return times if fits else None


MAX_GHOST_MOVES = 600
"""The longest game that a link carries: 200 characters, and a click still replays it in no time."""

_CODES = "UDLR"
_PACKED = re.compile(r"[A-Za-z0-9_-]{1,202}")
_SECONDS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class Ghost:
    """The challenger's `moves`, in `seconds` if those are told, at the player's move `number`;
    `times` are the milliseconds of each move since the one before, None where they are not known.
    `wrong` says why there is none to play beside."""

    puzzle: Puzzle
    moves: str = ""
    seconds: float | None = None
    times: str | None = None
    number: int = 0
    wrong: str = ""

    @property
    def board(self) -> Board:
        """Return the board of the ghost."""
        return play(self.puzzle.start, self.moves[: self.number])

    @property
    def cells(self) -> list[Cell]:
        """Return the cells of that board, to be drawn."""
        return cells(self.board, self.puzzle.goal)

    @property
    def time(self) -> str:
        """Return the time as the challenger's device told it, "" without one."""
        return "" if self.seconds is None else clock(self.seconds)

    def compare_with_ghost(self, game: Game) -> str:
        """Say where a solved game and the ghost's parted, "" where the game is too long to tell."""
        if self.wrong or game.forgotten or game.move_count > MAX_GHOST_MOVES:
            return ""
        mine = game.last_moves(MAX_GHOST_MOVES)[1]
        if mine == self.moves:
            return f"You made the very same moves as the ghost.{self._times(game)}"
        pairs = zip(mine, self.moves, strict=False)
        same = next((n for n, (one, other) in enumerate(pairs) if one != other), None)
        if same is None:  # a ghost that went on past the goal, and came back to it
            return ""
        start = self.puzzle.start
        yours, theirs = (tiles_moved(start, moves[: same + 1])[-1] for moves in (mine, self.moves))
        alike = "move" if same == 1 else plural(same, "move")
        first = f"Your first {alike} and the ghost’s were the same. " if same else ""
        return (
            f"{first}You parted at move {same + 1}: you moved tile {yours}, the ghost tile "
            f"{theirs}. From there you took {plural(len(mine) - same, 'move')}, the ghost "
            f"{len(self.moves) - same:,}.{self._times(game)}"
        )

    def _times(self, game: Game) -> str:
        return (
            f" Your time was {clock(game.seconds)}, the ghost’s {self.time}." if self.time else ""
        )


def ghost_of(puzzle: Puzzle, number: int) -> Ghost | None:
    """Return the ghost that the link, or the page that sends a click, carries, after `number`
    moves; None without one."""
    text, took = request.values.get("ghost", "").strip(), request.values.get("took", "")
    if not text:
        return None
    moves = unpack(text)
    if moves is None:
        return Ghost(puzzle, wrong="The challenger's moves in this link cannot be read.")
    try:
        if play(puzzle.start, moves) != puzzle.goal:
            return Ghost(puzzle, wrong="The moves in this link do not end at the goal.")
    except IllegalMoveError as error:
        return Ghost(puzzle, wrong=f"The moves in this link do not solve the puzzle: {error}.")
    seconds = float(took) if _SECONDS.fullmatch(took) else None
    return Ghost(puzzle, moves, seconds, _times_of(moves, seconds), min(number, len(moves)))


def _times_of(moves: str, seconds: float | None) -> str | None:
    """Return the times of these moves that the request carries, None where they do not fit."""
    text = request.values.get("times", "")
    known = text and seconds is not None and read_times(text, len(moves), seconds)
    return text if known else None


def ghost_link_params(game: Game) -> dict[str, str]:
    """Return the fields of a link that carry a solved game as a ghost; none where help was used,
    or where it is too long or not all remembered."""
    if not game.solved or game.helped or game.forgotten:
        return {}
    if not 0 < game.move_count <= MAX_GHOST_MOVES:
        return {}
    moves = game.last_moves(MAX_GHOST_MOVES)[1]
    fields = {"ghost": pack(moves), "took": f"{game.seconds:.2f}"}
    times = _times_of(moves, game.seconds)
    return fields | ({"times": times} if times else {})


def ghost_params() -> dict[str, str]:
    """Return the fields of a ghost as they came, for the next link."""
    names = "ghost", "took", "times"
    return {name: text for name in names if (text := request.values.get(name, ""))}


def pack(moves: str) -> str:
    """Return moves as a link carries them.

    >>> pack("ULDR"), unpack(pack("ULDR"))
    ('ASc', 'ULDR')
    """
    number = 1  # so that the first moves are not lost where they are zeros
    for move in moves:
        number = number << 2 | _CODES.index(move)
    data = number.to_bytes(-(-number.bit_length() // 8), "big")
    return urlsafe_b64encode(data).decode("ascii").rstrip("=")


def unpack(text: str) -> str | None:
    """Return the moves that `pack` was given, None where that is none."""
    if not _PACKED.fullmatch(text) or len(text) % 4 == 1:
        return None
    number = int.from_bytes(urlsafe_b64decode(text + "=" * (-len(text) % 4)), "big")
    count, odd = divmod(number.bit_length() - 1, 2)
    if odd or not 0 < count <= MAX_GHOST_MOVES:
        return None
    return "".join(_CODES[number >> 2 * place & 3] for place in reversed(range(count)))


def moves_to_beat() -> int | None:
    """Return the number of moves that the link, or the page that sends a click, challenges to
    beat; None without a challenge."""
    text = request.values.get("beat", "").strip()
    if not text:
        return None
    if not re.fullmatch("[1-9][0-9]{0,3}", text):
        raise PuzzleError(
            "a challenge names the moves to beat, from 1 to 9,999 such as beat=38, "
            f"found {quoted(text, 20)}"
        )
    return int(text)


def outcome(moves: int, game: Game) -> str:
    """Say whether a solved game has beaten `moves`."""
    made = game.move_count
    if game.helped:
        return f"The challenge, {plural(moves, 'move')}, still stands: help was used."
    if made < moves:
        return f"Challenge beaten: {plural(made, 'move')}, {moves - made:,} fewer than {moves:,}."
    if made == moves:
        return f"Challenge equalled: {plural(moves, 'move')}, neither more nor fewer."
    over = made - moves
    return f"Challenge not beaten: {plural(made, 'move')}, {over:,} more than {moves:,}."
