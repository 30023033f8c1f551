"""Sentences of a game, and the screen reader announcements that are made of them.

Those that the server and the page both say stand first, in `SENTENCES` and `COUNTED` alone. The
page reads them, translated, from `templates/play/_sentences.html` (`gameText` in
`static/js/language.js`).
"""

from functools import lru_cache

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from slidewise import Board, Game, Puzzle
from slidewise.analysis.by_hand import next_idea
from slidewise.analysis.distance import DistanceAhead
from slidewise.puzzle.board import NO_TILE, NOT_IN_LINE
from slidewise.puzzle.game import AT_THE_START, NOTHING_TO_REDO, NOTHING_TO_UNDO
from slidewise.puzzle.moves import tiles_moved

from ..http.language import Language, current, listed, ngettext, noop, noops, number, translated
from ..http.language import gettext as _

NO_NUMBER = noop("type the number of a tile, for example 5")

SENTENCES = {
    "no-number": NO_NUMBER,
    "no-tile": NO_TILE,
    "not-in-line": NOT_IN_LINE,
    "nothing-to-undo": NOTHING_TO_UNDO,
    "nothing-to-redo": NOTHING_TO_REDO,
    "at-the-start": AT_THE_START,
    "is-solved": noop("it is already solved"),
    "is-unsolvable": noop("no move helps: this goal cannot be reached"),
    "undo": noop("Undone."),
    "redo": noop("Redone."),
    "restart": noop("Restarted."),
    "alone": noop("A new try, without help."),
    "assisted": "",
    "play-on": noop("Your game continues from this step."),
    "hint-U": noop("Hint: move tile %(tile)s up."),
    "hint-D": noop("Hint: move tile %(tile)s down."),
    "hint-L": noop("Hint: move tile %(tile)s left."),
    "hint-R": noop("Hint: move tile %(tile)s right."),
    "at-least": noop("at least %(moves)s"),
    "shortest": noop("This is the shortest solution."),
    "perfect": noop("A perfect solve: %(moves)s is the minimum."),
    "stands": noop("The challenge, %(moves)s, still stands: you had help."),
    "equalled": noop("Challenge equalled: %(moves)s, neither more nor fewer."),
    "beaten": noop("Challenge beaten: %(moves)s, %(difference)s fewer than %(beat)s."),
    "not-beaten": noop("Challenge not beaten: %(moves)s, %(difference)s more than %(beat)s."),
}
"""Templates by key."""

COUNTED = {
    "detours": noops(
        "One detour cost you %(moves)s moves.", "%(num)s detours cost you %(moves)s moves."
    ),
    "slide-U": noops("Tile %(tiles)s up.", "Tiles %(tiles)s up."),
    "slide-D": noops("Tile %(tiles)s down.", "Tiles %(tiles)s down."),
    "slide-L": noops("Tile %(tiles)s left.", "Tiles %(tiles)s left."),
    "slide-R": noops("Tile %(tiles)s right.", "Tiles %(tiles)s right."),
    "so-far": noops("%(num)s move so far.", "%(num)s moves so far."),
    "solved-in": noops("Solved in %(num)s move.", "Solved in %(num)s moves."),
    "left": noops("%(num)s move left.", "%(num)s moves left."),
    "left-at-least": noops("At least %(num)s move left.", "At least %(num)s moves left."),
    "left-as-before": noops("%(num)s move left, as before.", "%(num)s moves left, as before."),
    "left-down": noops(
        "%(num)s move left, down from %(was)s.", "%(num)s moves left, down from %(was)s."
    ),
    "left-up": noops("%(num)s move left, up from %(was)s.", "%(num)s moves left, up from %(was)s."),
}
"""Templates for one and for several, by key."""


def game_text(key: str, **values: object) -> str:
    """Return a sentence in the language of the request.

    >>> game_text("hint-U", tile=5)
    'Hint: move tile 5 up.'
    """
    return _(SENTENCES[key], **values) if SENTENCES[key] else ""


def counted_text(key: str, count: int, **values: object) -> str:
    """Return a sentence that depends on a number.

    >>> counted_text("left-down", 4, was=5)
    '4 moves left, down from 5.'
    """
    one, many = COUNTED[key]
    return ngettext(one, many, count, **values)


def detours(extra: int) -> str:
    """Explain the `extra` moves of a game beyond a shortest solution.

    Each move away from the goal needs another move back.

    >>> detours(2), detours(24)
    ('One detour cost you 2 moves.', '12 detours cost you 24 moves.')
    """
    return counted_text("detours", extra // 2, moves=number(extra))


def for_page() -> Markup:
    """Return the templates by key as JSON in the language of the request, with plural forms."""
    return _for_page(current())


@lru_cache
def _for_page(language: Language) -> Markup:
    translate = language.translations.gettext
    single = {key: text and translate(text) for key, text in SENTENCES.items()}
    counted = {key: language.plural_forms(*texts) for key, texts in COUNTED.items()}
    return htmlsafe_json_dumps({**single, **counted}, ensure_ascii=False, separators=(",", ":"))


# Announcements: after a click, on load, with a hint

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
        return _("Your game continues where you left off.")
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
