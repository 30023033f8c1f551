"""The row of buttons below a board: each click shows it, so it is drawn once for each state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import current_app, request
from markupsafe import Markup

from webapp.http.cache import cached
from webapp.http.requests import this_code
from webapp.play.urls import game_urls

if TYPE_CHECKING:
    from slidewise import Game

BARS_BYTES = 1_500_000
"""The rows that are cached, of three to ten kilobytes each."""


def bar(game: Game, hidden: frozenset[str]) -> Markup:
    """Return the buttons of `game`, which a lesson can hide."""
    off = [
        name
        for name, useless in (
            ("undo", not game.past and not game.left),
            ("redo", not game.future),
            ("restart", not game.past and not game.forgotten),
            ("solver", game.solved or not game.puzzle.solvable),
        )
        if useless
    ]
    return _bar(request.script_root, this_code(), hidden, frozenset(off))


@cached(BARS_BYTES)
def _bar(script_root: str, code: str, hidden: frozenset[str], off: frozenset[str]) -> Markup:
    template = current_app.jinja_env.get_template("play/_bar.html")
    return Markup(template.render(urls=game_urls(code), hidden=hidden, off=off))
