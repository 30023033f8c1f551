"""Daily puzzles: the same for everybody, drawn from the date."""

from collections.abc import Iterator
from datetime import date, timedelta

from slidewise.analysis.distance import Range
from slidewise.analysis.draw import draw
from slidewise.puzzle import Puzzle

FIRST_DAY = date(2026, 1, 1)
"""The first day with daily puzzles."""

DAILY: dict[tuple[int, int], Range | None] = {(3, 3): Range(20, 28), (4, 4): None, (5, 5): None}
"""Sizes of daily puzzles, and their moves: on 3x3 neither trivial nor among the hardest, on larger
boards any number (53 on average on 4x4)."""

SUNDAY = 7
"""The number of a Sunday in ISO 8601."""

SUNDAY_SIZE = (5, 5)
"""The size of the third puzzle, which only Sundays have."""

FIRST_SUNDAY = date(2026, 11, 29)
"""The first Sunday with a third puzzle. Earlier days keep their two."""


def sizes_of(day: date) -> list[tuple[int, int]]:
    """Return the sizes of the puzzles of a day, the smallest first.

    >>> sizes_of(date(2026, 11, 28)), sizes_of(date(2026, 11, 29))
    ([(3, 3), (4, 4)], [(3, 3), (4, 4), (5, 5)])
    """
    is_large = day >= FIRST_SUNDAY and day.isoweekday() == SUNDAY
    return [size for size in DAILY if is_large or size != SUNDAY_SIZE]


def daily_puzzle(day: date, rows: int, cols: int) -> Puzzle:
    """Return the puzzle of a day, to the standard goal; the size must be in `DAILY`.

    It is `draw` with a seed such as `daily 2026-11-21 3x3`, and so never changes.

    >>> str(daily_puzzle(date(2026, 11, 21), 4, 4))
    '7.6.14.3-0.11.8.2-15.10.12.5-1.13.9.4'
    """
    return draw(rows, cols, f"daily {day.isoformat()} {rows}x{cols}", DAILY[rows, cols])


def daily_puzzles(first: date, last: date) -> dict[date, tuple[Puzzle, ...]]:
    """Return the puzzles of each day from `first` to `last`, the smallest first."""
    return {
        day: tuple(daily_puzzle(day, *size) for size in sizes_of(day)) for day in _days(first, last)
    }


def _days(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + timedelta(number)
