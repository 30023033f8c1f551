"""Parsing of move lists: short ones at once, long ones in a helper, to keep clicks fast."""

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
"""Characters parsed in the web process, about 10 ms: `U9D9` makes 18 moves of four."""

MAX_MOVES = 10_000
"""Longest list of moves that a page shows and a game accepts at once."""

MAX_MOVES_TEXT = 20_000
"""Longest text of moves that a page accepts, in characters."""


def read_long(
    function: Callable[Concatenate[str, Parameters], Value],
    text: str,
    *args: Parameters.args,
    **options: Parameters.kwargs,
) -> Value:
    """Result of `function(text, ...)`, called in a helper if the text is long.

    Raises the function's exceptions, and `Busy`.
    """
    if len(text) <= SHORT_TEXT:
        return function(text, *args, **options)
    call = partial(function, text, *args, **options)
    return solvers().call(call, timeout=current_app.config["SOLVE_WAIT"])
