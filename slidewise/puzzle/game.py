"""A person's play of a puzzle. A `Game` never changes: each move returns a new `Game`."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from slidewise.puzzle.board import Board, IllegalMoveError
from slidewise.puzzle.moves import Step, inverse, parse_moves, play, steps
from slidewise.puzzle.puzzle import Puzzle
from slidewise.text import message, noop

MIN_RECENT = 300
"""Characters of recent slides stored unpacked, from which the page's script computes undo."""

MAX_RECENT = 500
"""Unpacked characters that trigger packing, which takes 1 ms once in some hundred clicks."""

NOTHING_TO_UNDO = noop("there is no move to undo")
NOTHING_TO_REDO = noop("there is no move to redo")
AT_THE_START = noop("this is already the start of the puzzle")

_SLIDE = re.compile(r"[UDLR][0-9]*")
_DIGITS = "0123456789"


@dataclass(frozen=True, slots=True, eq=False)
class Slides:
    """Slides of a tile or a line of tiles, in the notation of moves.

    `UL3` is a tile up, then a line of three to the left.

    `recent` holds the last slides as text, `packed` the older slides as compressed text. `moves` is
    the number of all tiles moved. Adding or removing a slide returns new slides.

    >>> slides = Slides().add("U").add("L3")
    >>> slides.text, slides.moves, slides.last, slides.without_last().text
    ('UL3', 4, 'L3', 'U')
    """

    recent: str = ""
    packed: str = ""
    moves: int = 0

    @classmethod
    def of(cls, text: str) -> Slides:
        """Parse `text` as slides; raises `InvalidMovesError` for any other text."""
        return _packed(text, len(parse_moves(text)), MAX_RECENT)

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return bool(self.recent)

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same slides, however much of each is packed."""
        return isinstance(other, Slides) and self.text == other.text

    def __hash__(self) -> int:
        """Return a hash that does not depend on the packing."""
        # Unpacking costs more than the rare collision of two histories of equal length.
        return hash(self.moves)

    @property
    def text(self) -> str:
        """Return all slides as text."""
        return _unpack(self.packed) + self.recent

    @property
    def last(self) -> str:
        """Return the last slide, "" if there is none."""
        letters = self.recent.rstrip(_DIGITS)
        return self.recent[max(0, len(letters) - 1) :]

    def add(self, slide: str) -> Slides:
        """Return the slides with `slide` appended."""
        moves = self.moves + _moves_in(slide)
        recent = self.recent + slide
        if len(recent) <= MAX_RECENT:
            return Slides(recent, self.packed, moves)
        return _packed(_unpack(self.packed) + recent, moves, MIN_RECENT)

    def without_last(self) -> Slides:
        """Return the slides without the last."""
        last = self.last
        recent, moves = self.recent.removesuffix(last), self.moves - _moves_in(last)
        # Unpack up to MAX_RECENT, so that a series of undos does not unpack at each click.
        if len(recent) >= MIN_RECENT or not self.packed:
            return Slides(recent, self.packed, moves)
        return _packed(_unpack(self.packed) + recent, moves, MAX_RECENT)

    def without_oldest(self, count: int) -> Slides:
        """Return the slides without the first `count`."""
        return Slides.of("".join(_SLIDE.findall(self.text)[count:]))


NO_SLIDES = Slides()


def one_by_one(text: str) -> list[str]:
    """Split `text` into single slides.

    >>> one_by_one("UL3U")
    ['U', 'L3', 'U']
    """
    return _SLIDE.findall(text)


def _moves_in(slide: str) -> int:
    return int(slide[1:] or 1) if slide else 0


def _packed(text: str, moves: int, most: int) -> Slides:
    """Return the slides in `text`, with about `most` characters at the end unpacked."""
    cut = max(0, len(text) - most)
    while text[cut : cut + 1].isdigit():
        cut -= 1  # slides are never split between the two parts
    older = zlib.compress(text[:cut].encode("ascii"), 9) if cut else b""
    # Base64 without padding is shorter in the session cookie; `_unpack` restores it.
    return Slides(text[cut:], urlsafe_b64encode(older).decode("ascii").rstrip("="), moves)


def _unpack(packed: str) -> str:
    if not packed:
        return ""
    return zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4))).decode("ascii")


TRAVEL_MILLISECONDS = 1_000
"""Tolerance, once a game, for a click whose round trip is longer than a later click's."""


class BeforeRestart(NamedTuple):
    """State before a restart: the tiles moved and the clock.

    Its slides are the first to redo.
    """

    moves: int
    played: int
    finished: int | None


@dataclass(frozen=True, slots=True)
class Game:
    """A puzzle in play: the current board and its history.

    `past` and `future` are the undo and redo stacks, with a slide for each click. `forgotten`
    counts older moves dropped from the history. `helped` is True after any use of the solver.
    `played` is the time of play in milliseconds, counted up to `counted`. `counted` and `finished`
    are milliseconds since 1970. They are None before the first move and before the goal is reached.
    Time credited in advance moves `counted` ahead, to prevent a second credit. `restarted_from` is
    the state before a restart, until the next move.

    >>> from slidewise.puzzle.notation import parse_puzzle
    >>> game = Game.new(parse_puzzle("1.2.3-4.5.6-0.7.8")).slide(8, now=0)
    >>> game.made, game.move_count, game.solved
    ('L2', 2, True)
    """

    puzzle: Puzzle
    board: Board
    past: Slides = NO_SLIDES
    future: Slides = NO_SLIDES
    forgotten: int = 0
    played: int = 0
    counted: int | None = None
    finished: int | None = None
    helped: bool = False
    restarted_from: BeforeRestart | None = None

    @classmethod
    def new(cls, puzzle: Puzzle) -> Game:
        """Return a new game, without moves."""
        return cls(puzzle, puzzle.start)

    @property
    def made(self) -> str:
        """Return the slides of the past in move notation, for example `UL3`."""
        return self.past.text

    @property
    def undone(self) -> str:
        """Return the redo stack, with the next slide at the end."""
        return self.future.text

    @property
    def solved(self) -> bool:
        """Return whether the board is the goal."""
        return self.board == self.puzzle.goal

    @property
    def started(self) -> bool:
        """Return whether a new game would lose anything."""
        return bool(self.past or self.future or self.forgotten)

    @property
    def move_count(self) -> int:
        """Return the number of tiles moved (single-tile metric), without undone moves."""
        return self.forgotten + self.past.moves

    @property
    def multi_tile_count(self) -> int | None:
        """Return the number of moves in the multi-tile metric, None if some are forgotten.

        Tiles that slide together in a line count as a single move. So do consecutive moves in the
        same direction, as the blank continues in its row or column (B. Norskog and M. Davidson, The
        Fifteen Puzzle can be solved in 43 moves, 2010).

        >>> from slidewise.puzzle.notation import parse_puzzle
        >>> game = Game.new(parse_puzzle("1.2.3-4.5.6-0.7.8"))
        >>> game = game.slide(7, now=0).slide(8, now=1).slide(6, now=2)
        >>> game.made, game.move_count, game.multi_tile_count
        ('LLD', 3, 2)
        """
        return None if self.forgotten else sum(1 for _ in groupby(parse_moves(self.made)))

    @property
    def last_step(self) -> Step | None:
        """Return the last move, or None."""
        before = self.previous_board
        if before is None:
            return None
        return list(steps(before, parse_moves(self.past.last)))[-1]

    @property
    def previous_board(self) -> Board | None:
        """Return the board before the last slide, or None."""
        return _back(self.board, self.past.last) if self.past else None

    def last_moves(self, most: int) -> tuple[Board, str]:
        """Return the board before the last remembered moves, up to `most`, and these moves.

        >>> from slidewise.puzzle.notation import parse_puzzle
        >>> game = Game.new(parse_puzzle("1.2.3-4.5.6-0.7.8")).slide(8, now=0)
        >>> board, moves = game.last_moves(1)
        >>> str(board), moves
        ('1.2.3-4.5.6-7.0.8', 'L')
        """
        moves = parse_moves(self.made)[-most:]
        return play(self.board, inverse(moves)), moves

    @property
    def seconds(self) -> float:
        """Return the counted seconds of play."""
        return self.played / 1000

    @property
    def running(self) -> bool:
        """Return whether the clock runs: from the first move until the goal is reached."""
        return self.counted is not None and self.finished is None

    def tick(self, now: int, played: int | None = None) -> Game:
        """Return the game with its clock counted up to `now`, in milliseconds since 1970.

        `played` is the total time of play that the player's device reports, without pauses. It is
        accepted up to the elapsed time plus, once a game, `TRAVEL_MILLISECONDS`.

        >>> from slidewise.puzzle.notation import parse_puzzle
        >>> game = Game.new(parse_puzzle("1.2.3-4.5.6-0.7.8")).slide(7, now=0)
        >>> game.tick(5_000, played=3_000).seconds, game.tick(5_000, played=9_000).seconds
        (3.0, 6.0)
        """
        if self.counted is None:
            return self
        passed = now - self.counted
        if self.finished is not None:
            # After the finish no time passes, apart from the tolerance below.
            passed = min(0, passed)
        if played is not None:
            passed = min(passed + TRAVEL_MILLISECONDS, played - self.played)
        # A credit beyond `now` moves `counted` ahead, so the tolerance is given once.
        credit = max(0, passed)
        return replace(self, played=self.played + credit, counted=max(now, self.counted + credit))

    def slide(self, tile: int, now: int) -> Game:
        """Return the game after a click on `tile`, which slides the line from the blank to it.

        Raises `IllegalMoveError` unless `tile` is in the blank's row or column.
        """
        return self.slide_line(self.board.line(tile), now)

    def slide_line(self, line: str, now: int) -> Game:
        """Return the game after a slide of `line`, which is moves in a single direction."""
        count = str(len(line)) if len(line) > 1 else ""
        return self._at(
            play(self.board, line), self.past.add(f"{line[0]}{count}"), NO_SLIDES, now, now
        )

    def undo(self, now: int) -> Game:
        """Undo the last slide or restart.

        Raises `IllegalMoveError` if there is nothing to undo.
        """
        slide = self.past.last
        if not slide and self.restarted_from:
            return self._before_restart(self.restarted_from, now)
        if not slide:
            raise IllegalMoveError(message(NOTHING_TO_UNDO))
        return self._at(
            _back(self.board, slide), self.past.without_last(), self.future.add(slide), now
        )

    def redo(self, now: int) -> Game:
        """Redo the last undone slide; raises `IllegalMoveError` if there is none.

        Redoing the first slide after a restart resumes the clock of the game before it.
        """
        slide = self.future.last
        if not slide:
            raise IllegalMoveError(message(NOTHING_TO_REDO))
        board = play(self.board, parse_moves(slide))
        past, future = self.past.add(slide), self.future.without_last()
        return self._resumed(now)._at(board, past, future, now)

    def restart(self) -> Game:
        """Return the game at its start, with the clock at 0. Redo repeats its moves. Undo restores
        it unless its first moves are forgotten.

        `helped` stays set. Raises `IllegalMoveError` if nothing was moved.

        >>> from slidewise.puzzle.notation import parse_puzzle
        >>> game = Game.new(parse_puzzle("1.2.3-4.5.6-0.7.8")).slide(8, now=0)
        >>> again = game.restart()
        >>> again.move_count, again.undone, again.undo(now=5) == game
        (0, 'L2', True)
        """
        if not self.past and not self.forgotten:
            raise IllegalMoveError(message(AT_THE_START))
        new = replace(Game.new(self.puzzle), helped=self.helped)
        if self.forgotten:
            return new
        # The redo stack ends with the next slide, so the moves go on it in reverse.
        again = one_by_one(self.made)[::-1]
        return replace(
            new,
            future=Slides.of(self.undone + "".join(again)),
            restarted_from=BeforeRestart(self.past.moves, self.played, self.finished),
        )

    def _resumed(self, now: int) -> Game:
        """Return the game with the clock from before the restart, once its old moves are redone."""
        before = self.restarted_from
        return replace(self, played=before.played, counted=now) if before else self

    def _before_restart(self, before: BeforeRestart, now: int) -> Game:
        """Return the game before the restart, with its clock resumed at `now`."""
        slides, made = one_by_one(self.undone), Slides()
        # Moves that were undone before the restart stay on the redo stack.
        while slides and made.moves < before.moves:
            made = made.add(slides.pop())
        return replace(
            self,
            board=play(self.board, parse_moves(made.text)),
            past=made,
            future=Slides.of("".join(slides)),
            played=before.played,
            counted=now if before.finished is None else before.finished,
            finished=before.finished,
            restarted_from=None,
        )

    def with_help(self) -> Game:
        """Return the game with `helped` set."""
        return replace(self, helped=True)

    def play_on(self, start: Board, moves: str, now: int) -> Game:
        """Return the game after `moves` of a solution computed for the board `start`.

        Undoes or redoes slides to reach `start` if the game has moved on.

        Raises `IllegalMoveError` if `start` is not in the game or a move is illegal.
        """
        game = self.at(start, now).with_help()
        if not moves:
            return game
        made = Slides.of(game.made + moves)
        return game._at(play(game.board, moves), made, NO_SLIDES, now, now)

    def at(self, board: Board, now: int) -> Game:
        """Return the game undone to `board`, or redone to it if it is not in the past."""
        # `past` replays backwards, so its moves are inverted; `future` replays as written.
        for slides, turn in (self.past, inverse), (self.future, str):
            left, gone, here = one_by_one(slides.text), [], self.board
            while here != board and left:
                gone.append(left.pop())
                here = play(here, turn(parse_moves(gone[-1])))
            if here != board:
                continue
            if not gone:
                return self
            rest, more = Slides.of("".join(left)), "".join(gone)
            if slides is self.past:
                return self._at(here, rest, Slides.of(self.undone + more), now)
            return self._resumed(now)._at(here, Slides.of(self.made + more), rest, now)
        raise IllegalMoveError(
            message(
                "the solution does not start from a board of this game; open its board as a new "
                "puzzle"
            )
        )

    def forget(self, slides: int) -> Game:
        """Clear the redo stack, or if it is empty drop the oldest `slides` slides of the history.

        Dropped moves still count but cannot be undone.
        """
        if self.future:
            return replace(self, future=NO_SLIDES, restarted_from=None)
        past = self.past.without_oldest(slides)
        return replace(self, past=past, forgotten=self.move_count - past.moves)

    def _at(
        self, board: Board, past: Slides, future: Slides, now: int, begun: int | None = None
    ) -> Game:
        """Return the game at another board. The clock runs from `begun`, stops at the goal, and
        resumes if the player leaves the goal."""
        ticked = self.tick(now)
        return Game(
            self.puzzle,
            board,
            past,
            future,
            self.forgotten,
            ticked.played,
            # The first move starts the clock.
            begun if ticked.counted is None else ticked.counted,
            now if board == self.puzzle.goal else None,
            self.helped,
        )


def _back(board: Board, slide: str) -> Board:
    return play(board, inverse(parse_moves(slide)))
