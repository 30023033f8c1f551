"""Reading lists of moves: short ones at once, long ones in a helper, so that clicks do not wait."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from flask import current_app

from webapp.workers.services import solvers

if TYPE_CHECKING:
    from collections.abc import Callable

Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")

SHORT_TEXT = 200
"""Characters that are read in the web process, within some 10 ms: `U9D9` makes 18 moves of four."""

MAX_MOVES = 10_000
"""The longest list of moves that a page shows, and that a game takes at once."""

MAX_MOVES_TEXT = 20_000
"""The longest text of moves that a page takes, in characters."""


def read_long(
    function: Callable[Concatenate[str, Parameters], Value],
    text: str,
    *args: Parameters.args,
    **options: Parameters.kwargs,
) -> Value:
    """Return `function(text, ...)`, called in a helper if the text is long.

    Raises what the function raises, and `Busy`.
    """
    if len(text) <= SHORT_TEXT:
        return function(text, *args, **options)
    call = partial(function, text, *args, **options)
    return solvers().call(call, timeout=current_app.config["SOLVE_WAIT"])
