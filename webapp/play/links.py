"""Links to a game that carry more than its board: a level, a challenge with its ghost, a lesson.

The ghost replays the challenger's moves. `ghost` in a link holds them, two bits each, in URL-safe
base64. `took` is the challenger's time in seconds. `times`, if known, holds the time of each move.
The moves are replayed here and rejected if they do not solve the puzzle. With times the page moves
the ghost by the player's clock (`static/js/share/ghost.js`). Without times the ghost makes a move
for each move of the player.

A lesson hides hints to its answer, for example `/play/<code>?lesson=solver,hint`. Not access
control: removing `lesson` shows everything.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import NamedTuple

from flask import url_for

from slidewise import Board, Game, IllegalMoveError, Puzzle, PuzzleError
from slidewise.puzzle.board import quoted
from slidewise.puzzle.moves import play, tiles_moved
from slidewise.text import message

from ..board import Cell, cells, clock
from ..http.language import gettext as _
from ..http.language import ngettext, noop, number, plural, translated
from ..http.requests import field
from .levels import LEVELS, level_url
from .sentences import game_text
from .session import room_game

MAX_CHARACTERS = 2_000
"""Longest text: 600 moves of a second each, in a URL that servers and proxies accept."""

MAX_DIFFERENCE_SECONDS = 1.0
"""Tolerance between the sum of the times and the game's time: clicks travel, so the server's count
differs a little from the page's."""

_TIMES = re.compile(r"[0-9a-z]{0,6}(\.[0-9a-z]{0,6})*")

HIDDEN = {
    "solver": noop("the solver, and Give up"),
    "hint": noop("hints"),
    "to-go": noop("how many moves are left"),
}
"""Hideable parts and their labels."""


def read_times(text: str, moves: int, seconds: float) -> list[int] | None:
    """Decode the milliseconds of each of `moves`, which take `seconds` together.

    None if `text` does not hold valid times.

    >>> read_times(".rs.5k", 3, 1.2), read_times(".rs", 3, 1.0), read_times("..", 3, 9.0)
    ([0, 1000, 200], None, None)
    """
    if len(text) > MAX_CHARACTERS or not _TIMES.fullmatch(text):
        return None
    times = [int(one, 36) if one else 0 for one in text.split(".")]
    fits = len(times) == moves and abs(sum(times) / 1000 - seconds) <= MAX_DIFFERENCE_SECONDS
    return times if fits else None


MAX_GHOST_MOVES = 600
"""Longest game in a link: 200 characters, replayed with each click."""

_CODES = "UDLR"
_PACKED = re.compile(r"[A-Za-z0-9_-]{1,202}")
_SECONDS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class Ghost:
    """The challenger's `moves` in `seconds`, at the player's move `number`.

    `times` are the milliseconds between moves. Both are None if unknown. `wrong` explains an
    invalid ghost.
    """

    puzzle: Puzzle
    moves: str = ""
    seconds: float | None = None
    times: str | None = None
    number: int = 0
    wrong: str = ""

    @property
    def board(self) -> Board:
        """Current board of the ghost."""
        return play(self.puzzle.start, self.moves[: self.number])

    @property
    def cells(self) -> list[Cell]:
        return cells(self.board, self.puzzle.goal)

    @property
    def time(self) -> str:
        """The challenger's time as reported by the link, or ""."""
        return "" if self.seconds is None else clock(self.seconds)

    def compare_with_ghost(self, game: Game) -> str:
        """Describe the first difference between a solved game and the ghost, "" if too long."""
        if self.wrong or game.forgotten or game.move_count > MAX_GHOST_MOVES:
            return ""
        mine = game.last_moves(MAX_GHOST_MOVES)[1]
        if mine == self.moves:
            return _("You made the very same moves as the ghost.") + self._times(game)
        pairs = zip(mine, self.moves, strict=False)
        same = next((n for n, (one, other) in enumerate(pairs) if one != other), None)
        if same is None:  # the ghost passed the goal and returned to it
            return ""
        start = self.puzzle.start
        yours, theirs = (tiles_moved(start, moves[: same + 1])[-1] for moves in (mine, self.moves))
        parted = _(
            "You parted at move %(number)s: you moved tile %(yours)s, the ghost tile %(theirs)s.",
            number=same + 1,
            yours=yours,
            theirs=theirs,
        )
        rest = ngettext(
            "From there you took %(num)s move, the ghost %(ghost)s.",
            "From there you took %(num)s moves, the ghost %(ghost)s.",
            len(mine) - same,
            ghost=number(len(self.moves) - same),
        )
        return f"{_same_moves(same)}{parted} {rest}{self._times(game)}"

    def _times(self, game: Game) -> str:
        if not self.time:
            return ""
        mine = clock(game.seconds)
        return " " + _("Your time was %(time)s, the ghost’s %(ghost)s.", time=mine, ghost=self.time)


def _same_moves(count: int) -> str:
    """Report that a game and its ghost began with the same moves, "" if they did not."""
    if not count:
        return ""
    text = ngettext(
        "Your first move and the ghost’s were the same.",
        "Your first %(num)s moves and the ghost’s were the same.",
        count,
    )
    return f"{text} "


def ghost_of(puzzle: Puzzle, number: int) -> Ghost | None:
    """The ghost in the request, after `number` moves; None without a ghost."""
    text, took = field("ghost").strip(), field("took")
    if not text:
        return None
    moves = unpack(text)
    if moves is None:
        return Ghost(puzzle, wrong=_("The challenger's moves in this link cannot be read."))
    try:
        if play(puzzle.start, moves) != puzzle.goal:
            return Ghost(puzzle, wrong=_("The moves in this link do not end at the goal."))
    except IllegalMoveError as error:
        text = _("The moves in this link do not solve the puzzle: %(why)s.", why=translated(error))
        return Ghost(puzzle, wrong=text)
    seconds = float(took) if _SECONDS.fullmatch(took) else None
    return Ghost(puzzle, moves, seconds, _times_of(moves, seconds), min(number, len(moves)))


def _times_of(moves: str, seconds: float | None) -> str | None:
    """Move times in the request, None if they do not fit the moves."""
    text = field("times")
    known = text and seconds is not None and read_times(text, len(moves), seconds)
    return text if known else None


def ghost_link_params(game: Game) -> dict[str, str]:
    """Link fields that carry a solved game as a ghost.

    Empty for games with help, too many moves or forgotten moves.
    """
    if not game.solved or game.helped or game.forgotten:
        return {}
    if not 0 < game.move_count <= MAX_GHOST_MOVES:
        return {}
    moves = game.last_moves(MAX_GHOST_MOVES)[1]
    fields = {"ghost": pack(moves), "took": f"{game.seconds:.2f}"}
    times = _times_of(moves, game.seconds)
    return fields | ({"times": times} if times else {})


def ghost_params() -> dict[str, str]:
    """The ghost's fields, unchanged, for the next link."""
    names = "ghost", "took", "times"
    return {name: text for name in names if (text := field(name))}


def pack(moves: str) -> str:
    """Encode moves for a link.

    >>> pack("ULDR"), unpack(pack("ULDR"))
    ('ASc', 'ULDR')
    """
    number = 1  # leading zeros would lose the first moves
    for move in moves:
        number = number << 2 | _CODES.index(move)
    data = number.to_bytes(-(-number.bit_length() // 8), "big")
    return urlsafe_b64encode(data).decode("ascii").rstrip("=")


def unpack(text: str) -> str | None:
    """Decode the text of `pack`, None if invalid."""
    if not _PACKED.fullmatch(text) or len(text) % 4 == 1:
        return None
    number = int.from_bytes(urlsafe_b64decode(text + "=" * (-len(text) % 4)), "big")
    count, odd = divmod(number.bit_length() - 1, 2)
    if odd or not 0 < count <= MAX_GHOST_MOVES:
        return None
    return "".join(_CODES[number >> 2 * place & 3] for place in reversed(range(count)))


def moves_to_beat() -> int | None:
    """The move count to beat in the request; None without a challenge."""
    text = field("beat").strip()
    if not text:
        return None
    if not re.fullmatch("[1-9][0-9]{0,3}", text):
        raise PuzzleError(
            message(
                "a challenge names the moves to beat, from 1 to 9,999, such as beat=38; "
                "found %(text)s",
                text=quoted(text, 20),
            )
        )
    return int(text)


def outcome(moves: int, game: Game) -> str:
    """Report whether a solved game beat `moves`."""
    made, beat = game.move_count, plural(moves, "move")
    if game.helped:
        return game_text("stands", moves=beat)
    if made == moves:
        return game_text("equalled", moves=beat)
    values = {
        "moves": plural(made, "move"),
        "difference": number(abs(moves - made)),
        "beat": number(moves),
    }
    return game_text("beaten" if made < moves else "not-beaten", **values)


def hidden() -> frozenset[str]:
    """Parts hidden by the link or by the page that sends a click; raises `PuzzleError`.

    A room hides all of them.
    """
    if room_game():
        return frozenset(HIDDEN)
    names = [name.strip() for name in field("lesson").split(",")]
    parts = frozenset(filter(None, names))
    if unknown := sorted(parts - HIDDEN.keys()):
        raise PuzzleError(
            message(
                "a lesson hides %(parts)s; found %(text)s: write lesson=solver,hint",
                parts=", ".join(HIDDEN),
                text=quoted(unknown[0], 20),
            )
        )
    return parts


def lesson_text(names: frozenset[str]) -> str | None:
    """Hidden parts as a link writes them, None if empty.

    >>> lesson_text(frozenset({"hint", "solver"}))
    'solver,hint'
    """
    return ",".join(name for name in HIDDEN if name in names) or None


class CurrentLevel(NamedTuple):
    """The level that a game's page shows; `next_url` leads to the next level, or to the list."""

    number: int
    next_url: str

    @property
    def is_last(self) -> bool:
        """Whether no level follows."""
        return self.number == len(LEVELS)


def current_level(code: str) -> CurrentLevel | None:
    """The level that the link names, or None if it has another board."""
    text = field("level")
    number = int(text) if re.fullmatch(r"[1-9][0-9]?", text) else 0
    if not 1 <= number <= len(LEVELS) or LEVELS[number - 1].code != code:
        return None
    following = number < len(LEVELS)
    return CurrentLevel(number, level_url(number + 1) if following else url_for("levels.page"))
