"""Addresses of this site: each page about a puzzle has its code in the path, or its fields."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from slidewise.puzzle.errors import InvalidBoardError

_ADDRESS = re.compile(r"\s*(?:https?://|/)[^\s\"'<>]+\s*", re.IGNORECASE)
_BOARD = r"[0-9]+(?:\.[0-9]+)+(?:-[0-9]+(?:\.[0-9]+)+)+"
_CODE = re.compile(rf"/({_BOARD})(?:_({_BOARD}))?(?=[/.]|$)")


MAX_FIELDS = 100
"""The most fields of an address: ours have about ten."""


class AddressFields(NamedTuple):
    """What an address tells of a puzzle, as texts; "" where it tells nothing."""

    start: str
    goal: str
    size: str
    moves: str


def read_address(text: str) -> AddressFields | None:
    """Return what the address `text` holds, None if `text` is none.

    >>> read_address("https://example.org/replay/1.2-0.3?moves=L&step=1")
    AddressFields(start='1.2-0.3', goal='', size='', moves='L')
    >>> read_address("1 2 3 0") is None
    True

    Raises `InvalidBoardError` for an address without a puzzle.
    """
    if not _ADDRESS.fullmatch(text):
        return None
    try:
        parts = urlsplit(text.strip())
        fields = dict(parse_qsl(parts.query, keep_blank_values=True, max_num_fields=MAX_FIELDS))
    except ValueError:
        return None
    moves = fields.get("moves", "")
    code = _CODE.search(parts.path)
    if code:
        return AddressFields(code[1], code[2] or "", "", moves)
    if fields.get("start", "").strip():
        return AddressFields(fields["start"], fields.get("goal", ""), fields.get("size", ""), moves)
    if _is_text_of_rows(text):
        return None
    raise InvalidBoardError(
        "this address holds no puzzle: open it and copy the address of the game, which contains "
        "the board"
    )


def _is_text_of_rows(text: str) -> bool:
    """Return whether `text` is no address but rows between strokes, such as `/1,2/3,0`."""
    return not text.lstrip().lower().startswith("http") and not re.search("[a-z]{3}", text)
