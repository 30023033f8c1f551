"""Parsing of single fields of a form or a link; long lists of moves in a helper."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from flask import current_app

from slidewise import PuzzleError
from slidewise.puzzle.board import quoted
from webapp.workers.services import solvers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

N = TypeVar("N", int, float)
Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")

LARGEST_NUMBER = 999_999_999
"""Largest number accepted, far above any meaningful one."""

QUOTED_CHARACTERS = 20
"""Characters of a wrong field repeated in its error message."""

_NUMBER = re.compile(r"([0-9]{1,9})(\.[0-9]{1,6}|,[0-9]{1,2})?")


class FieldError(PuzzleError):
    """Unreadable field; `field` is its name."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def read_number(
    typed: Mapping[str, str],
    name: str,
    kind: type[N],
    least: float = 0,
    most: float = LARGEST_NUMBER,
    expected: str = "",
) -> N | None:
    """Parse the number in the field `name`, None if it is empty or missing.

    A decimal comma with one or two digits is accepted, as some keypads lack a point. Raises
    `FieldError` with the `expected` range, by default from `least` to `most`.

    >>> read_number({"weight": "1,5"}, "weight", float)
    1.5
    >>> read_number({"step": "-1"}, "step", int)
    Traceback (most recent call last):
    webapp.forms.fields.FieldError: step must be a number from 0 on, found '-1'
    """
    text = typed.get(name, "").strip()
    if not text:
        return None
    match = _NUMBER.fullmatch(text)
    if match and not (kind is int and match[2]):
        number = kind(text.replace(",", "."))
        if least <= number <= most:
            return number
    wanted = expected or f"{name} must be a number {_range(least, most)}"
    raise FieldError(name, f"{wanted}, found {text if match else quoted(text, QUOTED_CHARACTERS)}")


def _range(least: float, most: float) -> str:
    return f"from {least:,} on" if most == LARGEST_NUMBER else f"from {least:,} to {most:,}"


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
