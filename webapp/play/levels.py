"""Levels: sixty boards from three moves to a hard 4x4, and the game's link to the next one."""

from __future__ import annotations

import re
from typing import NamedTuple

from flask import Blueprint, render_template, url_for

from slidewise.study.levels import GROUPS, LEVELS

from ..http.requests import field

blueprint = Blueprint("levels", __name__, url_prefix="/levels")


@blueprint.get("")
def page() -> str:
    """Show all levels by group."""
    return render_template("play/levels.html", groups=GROUPS, level_url=level_url)


class CurrentLevel(NamedTuple):
    """The level that a game's page shows; `next_url` leads to the next one, or to the list."""

    number: int
    next_url: str

    @property
    def is_last(self) -> bool:
        """Whether no level follows."""
        return self.number == len(LEVELS)


def current_level(code: str) -> CurrentLevel | None:
    """The level that the link names, or None if its board is another one."""
    text = field("level")
    number = int(text) if re.fullmatch(r"[1-9][0-9]?", text) else 0
    if not 1 <= number <= len(LEVELS) or LEVELS[number - 1].code != code:
        return None
    following = number < len(LEVELS)
    return CurrentLevel(number, level_url(number + 1) if following else url_for("levels.page"))


def level_url(number: int) -> str:
    """Address of the game of a level."""
    return url_for("game.page", code=LEVELS[number - 1].code, level=number)
