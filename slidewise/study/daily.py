"""The daily puzzles: one of each size a day, the same for everybody, by the date alone."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from slidewise.study.draw import Range, draw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle import Puzzle

FIRST_DAY = date(2026, 1, 1)
"""The first day with daily puzzles."""

DAILY: dict[tuple[int, int], Range | None] = {(3, 3): Range(20, 28), (4, 4): None}
"""Sizes, and their numbers of moves: on 3x3 neither trivial nor among the hardest, on 4x4 any, 53
on average."""


def daily_puzzle(day: date, rows: int, cols: int) -> Puzzle:
    """Return the puzzle of a day, of one of the sizes in `DAILY`; its goal is the standard one.

    It is `draw` with a seed such as `daily 2026-11-21 3x3`, and so never changes.

    >>> str(daily_puzzle(date(2026, 11, 21), 4, 4))
    '7.6.14.3-0.11.8.2-15.10.12.5-1.13.9.4'
    """
    return draw(rows, cols, f"daily {day.isoformat()} {rows}x{cols}", DAILY[rows, cols])


def daily_puzzles(first: date, last: date) -> dict[date, tuple[Puzzle, ...]]:
    """Return the puzzles of each day from `first` to `last`, in the order of `DAILY`."""
    return {day: tuple(daily_puzzle(day, *size) for size in DAILY) for day in _days(first, last)}


def _days(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + timedelta(number)
