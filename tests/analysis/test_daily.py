"""The daily puzzles: the same forever, on every machine, and of the promised difficulty."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import exact_table
from slidewise.analysis.daily import DAILY, FIRST_DAY, daily_puzzle, daily_puzzles

# These must never change: a link to a day is a link to its puzzles.
GOLDEN = {
    "2026-01-01": ("5.2.1-0.3.8-7.4.6", "15.9.2.14-0.3.1.5-11.10.13.6-4.12.8.7"),
    "2026-02-28": ("2.7.0-5.8.1-3.6.4", "1.5.6.8-3.4.14.10-15.0.2.12-9.7.13.11"),
    "2026-11-21": ("0.8.6-1.5.4-2.7.3", "7.6.14.3-0.11.8.2-15.10.12.5-1.13.9.4"),
    "2026-11-22": ("6.5.3-0.8.7-4.1.2", "1.10.3.7-0.2.14.13-9.4.5.6-12.15.8.11"),
    "2026-11-29": (
        "5.4.6-8.0.3-1.2.7",
        "13.15.10.4-8.1.0.2-9.3.5.11-12.6.14.7",
        "0.11.9.20.17-10.4.18.24.19-8.5.7.16.6-15.2.14.22.3-13.1.23.21.12",
    ),
    "2028-02-29": ("0.3.6-7.2.4-8.1.5", "9.11.8.15-5.1.14.4-3.0.12.13-7.2.10.6"),
    "2030-12-31": ("2.0.6-4.7.5-1.3.8", "1.4.13.8-7.10.9.0-2.5.6.11-3.12.15.14"),
}
LAST_DAY = date(2030, 12, 31)
SIZES = [(3, 3), (4, 4)], [(3, 3), (4, 4), (5, 5)]
SUNDAYS = {date(2026, 11, 29) + timedelta(7 * n) for n in range(214)}
"""Days with a third puzzle, up to `LAST_DAY`."""


@pytest.fixture(scope="module")
def five_years():
    return daily_puzzles(FIRST_DAY, LAST_DAY)


@pytest.mark.parametrize("day", GOLDEN)
def test_puzzles_of_a_day_never_change(day):
    puzzles = daily_puzzles(date.fromisoformat(day), date.fromisoformat(day))
    assert [tuple(map(str, drawn)) for drawn in puzzles.values()] == [GOLDEN[day]]


def test_days_of_five_years_have_unique_solvable_puzzles(five_years):
    assert list(five_years) == [FIRST_DAY + timedelta(n) for n in range(1826)]
    for day, puzzles in five_years.items():
        assert [puzzle.start.size for puzzle in puzzles] == SIZES[day in SUNDAYS]
        for puzzle in puzzles:
            assert puzzle.solvable
            assert puzzle.goal_name == "blank last"
            assert puzzle.start != puzzle.goal
    for week in zip(*(list(five_years.values())[n:] for n in range(7)), strict=False):
        assert len({puzzle for puzzles in week for puzzle in puzzles}) == sum(map(len, week))
    assert len({large for _, large, *_ in five_years.values()}) == 1826


def test_3x3_puzzles_have_the_promised_difficulty(five_years):
    wanted = DAILY[3, 3]
    assert wanted is not None
    table = exact_table(five_years[FIRST_DAY][0].goal)
    lengths = {table.distance(small.start) for small, *_ in five_years.values()}
    assert lengths == set(range(wanted.least, wanted.most + 1))


@given(st.dates(FIRST_DAY, LAST_DAY), st.sampled_from(list(DAILY)))
def test_single_day_has_the_same_puzzle_as_in_a_range(day, size):
    puzzle = daily_puzzle(day, *size)
    assert puzzle == daily_puzzle(day, *size)
    assert puzzle.solvable
    assert puzzle.start.size == size
    row = daily_puzzles(day - timedelta(1), day)
    assert (puzzle in row[day]) == (size in SIZES[day in SUNDAYS])
    assert puzzle not in row[day - timedelta(1)]
