"""Screen reader announcements of a game: after a click, on load, with a hint."""

from slidewise import Board, Game, Puzzle
from slidewise.analysis.by_hand import next_idea
from slidewise.analysis.distance import DistanceAhead
from slidewise.puzzle.moves import tiles_moved

from ..http.language import gettext as _
from ..http.language import listed, ngettext, noop, noops, translated
from .sentences import counted_text, game_text

LAST_SLIDES = {
    "U": noops("Last move: tile %(tiles)s up.", "Last move: tiles %(tiles)s up."),
    "D": noops("Last move: tile %(tiles)s down.", "Last move: tiles %(tiles)s down."),
    "L": noops("Last move: tile %(tiles)s left.", "Last move: tiles %(tiles)s left."),
    "R": noops("Last move: tile %(tiles)s right.", "Last move: tiles %(tiles)s right."),
}
"""Announcements on load of a single tile and of several, by their direction."""


def after_slide(before: Game, after: Game) -> str:
    """Announce a click: the tiles moved, their direction and the effect."""
    names, count, way = _slide(before.board, after.board)
    slid = counted_text(f"slide-{way}", count, tiles=names)
    effect = counted_text("solved-in", after.move_count) if after.solved else so_far(after)
    return f"{slid} {effect}"


def so_far(game: Game) -> str:
    """Report the moves of an unsolved game."""
    return counted_text("so-far", game.move_count)


def status_on_load(game: Game) -> str:
    """Status of a resumed game, announced when the page loads.

    Without JavaScript it also follows each click.
    """
    if game.previous_board is None:
        if game.restarted_from and not game.past:
            return _("Restarted. Undo brings your game back.")
        return _("Your game goes on where you left it.")
    names, count, way = _slide(game.previous_board, game.board)
    one, many = LAST_SLIDES[way]
    last = ngettext(one, many, count, tiles=names)
    return f"{last} {so_far(game)}"


def _slide(before: Board, after: Board) -> tuple[str, int, str]:
    """The tiles that moved as a list in words, their number and direction."""
    line = before.line(before.cells[after.blank])
    return listed(tiles_moved(before, line)), len(line), line[0]


def tile_moves(tile: int, direction: str) -> str:
    """A move in words, in a list of moves.

    >>> tile_moves(5, "U")
    '5 up'
    """
    if direction in "UD":
        return _("%(tile)s up", tile=tile) if direction == "U" else _("%(tile)s down", tile=tile)
    return _("%(tile)s left", tile=tile) if direction == "L" else _("%(tile)s right", tile=tile)


IDEA_SIZES = ((3, 3), (4, 4))
"""Sizes of boards for which a hint adds the next step of the method by hand."""


def for_hint(puzzle: Puzzle, ahead: DistanceAhead) -> str:
    """A hint in words: the first tile of the best known path, its direction, and the idea by hand.

    >>> from slidewise import parse_puzzle
    >>> from slidewise.analysis.distance import DistanceAhead
    >>> for_hint(parse_puzzle("1.2.3-4.0.6-7.5.8"), DistanceAhead(at_least=2, length=2, tile=5))
    'Hint: move tile 5 up. By hand: slide the last three tiles round until they are in order.'
    """
    assert ahead.tile is not None
    way = puzzle.start.line(ahead.tile)[0]
    if ahead.exact:
        hint = game_text(f"hint-{way}", tile=ahead.tile)
    else:
        known = (
            _("it leads to a solution, though not a short one")
            if ahead.by_hand
            else _("the best move known")
        )
        hint = _(KNOWN_HINTS[way], tile=ahead.tile, known=known)
    return f"{hint}{_idea(puzzle)}"


KNOWN_HINTS = {
    "U": noop("Hint: move tile %(tile)s up (%(known)s)."),
    "D": noop("Hint: move tile %(tile)s down (%(known)s)."),
    "L": noop("Hint: move tile %(tile)s left (%(known)s)."),
    "R": noop("Hint: move tile %(tile)s right (%(known)s)."),
}
"""Hints that are not proved best, by the direction."""


def _idea(puzzle: Puzzle) -> str:
    """The next step by hand as a sentence, empty if the method does not apply."""
    if puzzle.start.size not in IDEA_SIZES or puzzle.goal_name != "blank last":
        return ""
    idea = next_idea(puzzle.start)
    return " " + _("By hand: %(idea)s", idea=lowered(translated(idea.text))) if idea else ""


def lowered(sentence: str) -> str:
    """A sentence in lower case, to continue another."""
    return sentence[:1].lower() + sentence[1:]
