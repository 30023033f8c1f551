"""Sentences of a game that the server and the page both say.

This is their only place. The page reads them, translated, from `templates/play/_sentences.html`
(`gameText` in `static/js/language.js`).
"""

from functools import lru_cache

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from slidewise.puzzle import board, game

from ..http.language import Language, current, ngettext, noop, noops, number
from ..http.language import gettext as _

SENTENCES = {
    "no-tile": board.NO_TILE,
    "not-in-line": board.NOT_IN_LINE,
    "nothing-to-undo": game.NOTHING_TO_UNDO,
    "nothing-to-redo": game.NOTHING_TO_REDO,
    "at-the-start": game.AT_THE_START,
    "is-solved": noop("it is already solved"),
    "is-unsolvable": noop("no move helps: this goal cannot be reached"),
    "undo": noop("Undone."),
    "redo": noop("Redone."),
    "restart": noop("Restarted."),
    "alone": noop("A new try, without help."),
    "assisted": "",
    "play-on": noop("Your game goes on from this step."),
    "hint-U": noop("Hint: move tile %(tile)s up."),
    "hint-D": noop("Hint: move tile %(tile)s down."),
    "hint-L": noop("Hint: move tile %(tile)s left."),
    "hint-R": noop("Hint: move tile %(tile)s right."),
    "at-least": noop("at least %(moves)s"),
    "shortest": noop("This is the shortest solution."),
    "perfect": noop("A perfect solve: %(moves)s is the minimum."),
    "stands": noop("The challenge, %(moves)s, still stands: help was used."),
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
