"""Reading the fields of a form or a link, one at a time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from slidewise import PuzzleError
from slidewise.puzzle.board import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

N = TypeVar("N", int, float)

LARGEST_NUMBER = 999_999_999
"""The largest number that is read, far above any that means something here."""

QUOTED_CHARACTERS = 20
"""How much of a wrong field its error message repeats."""

_NUMBER = re.compile(r"([0-9]{1,9})(\.[0-9]{1,6}|,[0-9]{1,2})?")


class FieldError(PuzzleError):
    """A field that cannot be read; `field` is its name."""

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
    """Return the number in the field `name`, None if the field is empty or missing.

    A comma before one or two decimals is read too, as some keypads have no point. Raises
    `FieldError`, which says what was `expected`: by default a number from `least` to `most`.

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
        found = kind(text.replace(",", "."))
        if least <= found <= most:
            return found
    wanted = expected or f"{name} must be a number {_range(least, most)}"
    raise FieldError(name, f"{wanted}, found {text if match else quoted(text, QUOTED_CHARACTERS)}")


def _range(least: float, most: float) -> str:
    return f"from {least:,} on" if most == LARGEST_NUMBER else f"from {least:,} to {most:,}"
