"""Fields of a puzzle: its start, its goal and their size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise import InvalidBoardError, parse_puzzle, parse_size

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slidewise import Puzzle


def read_puzzle(fields: Mapping[str, str]) -> Puzzle:
    """Parse the puzzle typed as `start`, `goal` and `size`; raises `InvalidBoardError`."""
    size = parse_size(fields["size"]) if fields["size"].strip() else None
    return parse_puzzle(fields["start"], fields["goal"], size)


def wrong_field(fields: dict[str, str]) -> str:
    """Name of the first invalid field of a typed puzzle."""
    try:
        parse_size(fields["size"] if fields["size"].strip() else "3x3")
    except InvalidBoardError:
        return "size"
    try:
        read_puzzle({**fields, "goal": ""})
    except InvalidBoardError:
        return "start"
    return "goal"
