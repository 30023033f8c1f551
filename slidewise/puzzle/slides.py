"""The slides of a game, in order. Older ones are packed, so that one more costs the same always."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from slidewise.puzzle.moves import parse_moves

MIN_RECENT = 300
"""The characters of the last slides that are not packed, where there are as many: a page shows
them to its script, which works out what undoing leads to."""

MAX_RECENT = 500
"""The characters above which older slides are packed: packing them all again takes a millisecond,
and so it is done once in some hundred clicks."""

_SLIDE = re.compile(r"[UDLR][0-9]*")
_DIGITS = "0123456789"


@dataclass(frozen=True, slots=True, eq=False)
class Slides:
    """Slides, each one or more tiles in one direction, in the notation of moves: `UL3` is one
    tile up, then a line of three to the left.

    `recent` are the last of them as text, `packed` those before as compressed text, and `moves`
    is the number of all tiles moved. Adding a slide or taking the last away gives new slides.

    >>> slides = Slides().add("U").add("L3")
    >>> slides.text, slides.moves, slides.last, slides.without_last().text
    ('UL3', 4, 'L3', 'U')
    """

    recent: str = ""
    packed: str = ""
    moves: int = 0

    @classmethod
    def of(cls, text: str) -> Slides:
        """Return the slides in `text`; raises `InvalidMovesError` where something else is."""
        return _packed(text, len(parse_moves(text)), MAX_RECENT)

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return bool(self.recent)

    def __eq__(self, other: object) -> bool:
        """Return whether `other` are the same slides, however much of them is packed."""
        return isinstance(other, Slides) and self.text == other.text

    def __hash__(self) -> int:
        """Return a hash of what is equal in equal slides."""
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
        """Return the slides with one more at the end."""
        moves = self.moves + _moves_in(slide)
        recent = self.recent + slide
        if len(recent) <= MAX_RECENT:
            return Slides(recent, self.packed, moves)
        return _packed(_unpack(self.packed) + recent, moves, MIN_RECENT)

    def without_last(self) -> Slides:
        """Return the slides but for the last."""
        last = self.last
        recent, moves = self.recent.removesuffix(last), self.moves - _moves_in(last)
        if len(recent) >= MIN_RECENT or not self.packed:
            return Slides(recent, self.packed, moves)
        return _packed(_unpack(self.packed) + recent, moves, MAX_RECENT)

    def without_oldest(self, count: int) -> Slides:
        """Return the slides but for the first `count`."""
        return Slides.of("".join(_SLIDE.findall(self.text)[count:]))


NO_SLIDES = Slides()


def one_by_one(text: str) -> list[str]:
    """Return the slides in `text`, each by itself.

    >>> one_by_one("UL3U")
    ['U', 'L3', 'U']
    """
    return _SLIDE.findall(text)


def _moves_in(slide: str) -> int:
    return int(slide[1:] or 1) if slide else 0


def _packed(text: str, moves: int, most: int) -> Slides:
    """Return the slides in `text`, up to `most` characters of the last as they are."""
    cut = max(0, len(text) - most)
    while text[cut : cut + 1].isdigit():
        cut -= 1  # a slide is packed as a whole, or not at all
    older = zlib.compress(text[:cut].encode("ascii"), 9) if cut else b""
    return Slides(text[cut:], urlsafe_b64encode(older).decode("ascii").rstrip("="), moves)


def _unpack(packed: str) -> str:
    if not packed:
        return ""
    return zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4))).decode("ascii")
