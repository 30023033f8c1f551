"""Screen reader announcements of a game: after a click, on load, with a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.puzzle.board import direction_word
from slidewise.puzzle.moves import tiles_moved
from slidewise.study.by_hand import next_idea
from slidewise.text import plural

if TYPE_CHECKING:
    from slidewise import Board, Game, Puzzle
    from slidewise.study.distance_ahead import DistanceAhead


def after_slide(before: Game, after: Game) -> str:
    """Announce a click: the tiles moved, their direction and the effect."""
    moves = plural(after.move_count, "move")
    text = f"{_slide_words(before.board, after.board)}."
    text = f"{text[:1].upper()}{text[1:]}"
    return f"{text} Solved in {moves}." if after.solved else f"{text} {moves} so far."


def status_on_load(game: Game) -> str:
    """Status of a resumed game, announced when the page loads.

    Without JavaScript it also follows each click.
    """
    if game.previous_board is None:
        if game.restarted_from and not game.past:
            return "Restarted. Undo brings your game back."
        return "Your game goes on where you left it."
    last = _slide_words(game.previous_board, game.board)
    return f"Last move: {last}. {plural(game.move_count, 'move')} so far."


def _slide_words(before: Board, after: Board) -> str:
    line = before.line(before.cells[after.blank])
    tiles = tiles_moved(before, line)
    names = " and ".join(filter(None, (", ".join(map(str, tiles[:-1])), str(tiles[-1]))))
    return f"tile{'s' * (len(tiles) > 1)} {names} {direction_word(line[0])}"


IDEA_SIZES = ((3, 3), (4, 4))
"""Sizes of boards for which a hint adds the next step of the method by hand."""


def for_hint(puzzle: Puzzle, ahead: DistanceAhead) -> str:
    """A hint in words: the first tile of the best known path, its direction, and the idea by hand.

    >>> from slidewise import parse_puzzle
    >>> from slidewise.study.distance_ahead import DistanceAhead
    >>> for_hint(parse_puzzle("1.2.3-4.0.6-7.5.8"), DistanceAhead(at_least=2, length=2, tile=5))
    'Hint: move tile 5 up. By hand: slide the last three tiles round until they are in order.'
    """
    assert ahead.tile is not None
    way = direction_word(puzzle.start.line(ahead.tile))
    known = "" if ahead.exact else " (the best move known)"
    if ahead.by_hand and not ahead.exact:
        known = " (it leads to a solution, though not a short one)"
    return f"Hint: move tile {ahead.tile} {way}{known}.{_idea(puzzle)}"


def _idea(puzzle: Puzzle) -> str:
    """The next step by hand as a sentence, empty if the method does not apply."""
    if puzzle.start.size not in IDEA_SIZES or puzzle.goal_name != "blank last":
        return ""
    idea = next_idea(puzzle.start)
    return f" By hand: {idea.text[0].lower()}{idea.text[1:]}" if idea else ""


_NUMBERS = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"]


def detours(extra: int) -> str:
    """Explain the `extra` moves of a game beyond a shortest solution.

    Each move away from the goal needs another move back.

    >>> detours(2), detours(24)
    ('One detour cost you 2 moves.', '12 detours cost you 24 moves.')
    """
    count = extra // 2
    number = _NUMBERS[count - 1] if count <= len(_NUMBERS) else f"{count:,}"
    return f"{number} detour{'s' if count > 1 else ''} cost you {extra:,} moves."
