"""The times of moves as text, in links: the milliseconds of each since the one before, in base 36
with a point between, nothing for 0. `static/js/play/move_times.js` writes the same.

Only the player's device knows them. The server checks that there is one for each move, and that
they add up to the time of the game.
"""

from __future__ import annotations

import re

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
