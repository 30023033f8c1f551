"""Times and goals in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slidewise import Board, Puzzle


def clock(seconds: int) -> str:
    """Return a time as people read it.

    >>> clock(61), clock(3600)
    ('1:01', '1:00:00')
    """
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def goal_words(puzzle: Puzzle) -> str:
    """Return the goal in a few words."""
    return f"goal: {puzzle.goal_name}" if puzzle.goal_name != "custom" else "goal of its own"


def other_goal_words(goal: Board, other: Puzzle) -> str:
    """Return the goal of `other` in a few words, by what is another than in `goal`.

    >>> from slidewise import parse_board, parse_puzzle
    >>> other_goal_words(parse_board("1.3-2.0"), parse_puzzle("0.1-2.3_2.3-1.0"))
    'this one with 1 and 2 swapped'
    """
    if other.goal_name != "custom":
        return other.goal_name
    pairs = zip(goal.cells, other.goal.cells, strict=True)
    return f"this one with {' and '.join(str(a) for a, b in pairs if a != b)} swapped"
