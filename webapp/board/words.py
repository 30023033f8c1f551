"""Times and goals in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slidewise import Board, Puzzle


def clock(seconds: float) -> str:
    """A time for display, to hundredths.

    Smaller parts are cut off, as on a stopwatch.

    >>> clock(61), clock(3600), clock(0.019)
    ('1:01.00', '1:00:00.00', '0:00.01')
    """
    whole, hundredths = divmod(round(seconds * 1000) // 10, 100)
    minutes, whole = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02}:{whole:02}" if hours else f"{minutes}:{whole:02}"
    return f"{text}.{hundredths:02}"


def goal_words(puzzle: Puzzle) -> str:
    """The goal in a few words, "" for the usual one: in order, with the blank last."""
    name = puzzle.goal_name
    return {"blank last": "", "custom": "goal of its own"}.get(name, f"goal: {name}")


def other_goal_words(goal: Board, other: Puzzle) -> str:
    """The goal of `other` in a few words, by its difference from `goal`.

    >>> from slidewise import parse_board, parse_puzzle
    >>> other_goal_words(parse_board("1.3-2.0"), parse_puzzle("0.1-2.3_2.3-1.0"))
    'this one with 1 and 2 swapped'
    """
    if other.goal_name != "custom":
        return other.goal_name
    pairs = zip(goal.cells, other.goal.cells, strict=True)
    return f"this one with {' and '.join(str(a) for a, b in pairs if a != b)} swapped"
