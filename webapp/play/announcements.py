"""Screen reader announcements of a game: after a click, on load, with a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.puzzle.board import direction_word
from slidewise.puzzle.moves import tiles_moved
from slidewise.text import plural

if TYPE_CHECKING:
    from slidewise import Board, Game
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


def for_hint(board: Board, ahead: DistanceAhead) -> str:
    """A hint in words: the first tile of the best known path, and its direction.

    >>> from slidewise import parse_board
    >>> from slidewise.study.distance_ahead import DistanceAhead
    >>> for_hint(parse_board("1.2-0.3"), DistanceAhead(at_least=1, length=1, tile=3))
    'Hint: move tile 3 left.'
    """
    assert ahead.tile is not None
    way = direction_word(board.line(ahead.tile))
    known = "" if ahead.exact else " (the best move known)"
    if ahead.by_hand and not ahead.exact:
        known = " (it leads to a solution, though not a short one)"
    return f"Hint: move tile {ahead.tile} {way}{known}."


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
