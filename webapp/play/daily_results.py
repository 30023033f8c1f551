"""Results of the daily puzzles: how many moves their players needed.

A game counts if it solves a puzzle on its day without help, once per visitor. The server has
replayed its moves. `daily_store` has the counts.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, NamedTuple

from flask import current_app

from ..http import visitor
from .daily_store import MAX_MOVES

if TYPE_CHECKING:
    from datetime import date

    from slidewise import Game, Puzzle

    from .daily_store import Counts, Store

MIN_PLAYERS = 20
"""Fewest players whose counts are shown: with fewer, one could guess whose they are."""

MAX_BARS = 12
"""Maximum of bars in a chart: they fit on a phone, with their labels."""


class DailyResults:
    """The results of the days in a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def count(self, game: Game, day: date) -> None:
        """Count a game that was just solved on `day`, unless the player had help or no cookie."""
        if not game.helped and game.move_count <= MAX_MOVES and visitor.is_known():
            size, one = size_key(game.puzzle), visitor.current_visitor()
            player, address = _hashed(f"{day} {size} {one.name}"), _hashed(f"{day} {one.address}")
            self.store.count(day, size, game.move_count, player, address)

    def chart(self, puzzle: Puzzle, day: date, own: int | None = None) -> DayChart | None:
        """Return the chart of a puzzle, None before `MIN_PLAYERS`; `own` are a player's moves."""
        counts = self.store.counts(day, size_key(puzzle))
        return chart(counts, own) if sum(counts.values()) >= MIN_PLAYERS else None


def _hashed(text: str) -> str:
    """Hash with the site's key, so that names and addresses cannot be found by brute force."""
    key = current_app.config["SECRET_KEY"].encode()
    return hmac.digest(key, text.encode(), "sha256")[:16].hex()


def size_key(puzzle: Puzzle) -> str:
    """Return the size as in `3x3`."""
    return f"{puzzle.rows}x{puzzle.cols}"


class DayBar(NamedTuple):
    """Players that needed `least` to `most` moves; `height` is 0 to 1 of the highest bar."""

    least: int
    most: int
    players: int
    height: float
    is_own: bool

    @property
    def label(self) -> str:
        """Return the range of moves, as in 24 or 24–27."""
        return str(self.least) if self.least == self.most else f"{self.least}–{self.most}"


class DayChart(NamedTuple):
    """How many players needed how many moves.

    `beaten` is the percentage of the other players who needed more moves than `own`.
    """

    bars: list[DayBar]
    players: int
    own: int | None
    beaten: int | None


def chart(counts: Counts, own: int | None) -> DayChart:
    """Return bars of equal width; the last has the longest tenth, and its end is open.

    >>> counts = {24: 15, 25: 4, 90: 1}
    >>> [(bar.least, bar.most, bar.players) for bar in chart(counts, 24).bars]
    [(24, 24, 15), (25, 90, 5)]
    >>> chart(counts, 24).beaten, chart(counts, 25).beaten
    (26, 5)
    """
    players = sum(counts.values())
    first, last = min(counts), _percentile(counts, 0.9)
    # rounded up, so that the bars cover all moves
    width = -(-(last - first + 1) // MAX_BARS)
    starts = list(range(first, last + 1, width))
    ends = [start + width - 1 for start in starts[:-1]] + [max(counts)]
    inside = [
        sum(count for moves, count in counts.items() if least <= moves <= most)
        for least, most in zip(starts, ends, strict=True)
    ]
    bars = [
        DayBar(least, most, count, count / max(inside), own is not None and least <= own <= most)
        for least, most, count in zip(starts, ends, inside, strict=True)
    ]
    return DayChart(bars, players, own, None if own is None else _beaten(counts, own))


def _percentile(counts: Counts, part: float) -> int:
    """Return the number of moves that a `part` of the players needed at most."""
    rest = part * sum(counts.values())
    for moves in sorted(counts):
        rest -= counts[moves]
        if rest <= 0:
            break
    return moves


def _beaten(counts: Counts, own: int) -> int | None:
    """Return the percentage of the others who needed more moves, rounded down."""
    more = sum(count for moves, count in counts.items() if moves > own)
    others = sum(counts.values()) - (own in counts)
    return 100 * more // others if others else None
