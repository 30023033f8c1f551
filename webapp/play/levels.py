"""Levels: sixty boards from three moves to a hard 4x4, and the game's link to the next."""

from typing import NamedTuple

from flask import Blueprint, render_template, url_for

from slidewise.text import message

from ..http.routes import offline, static_page

blueprint = Blueprint("levels", __name__, url_prefix="/levels")


class Level(NamedTuple):
    """A board by its code, and the moves of its shortest solution."""

    code: str
    moves: int


class LevelGroup(NamedTuple):
    """Levels of a size, in the order of their moves."""

    title: str
    size: tuple[int, int]
    levels: tuple[Level, ...]


GROUPS = (
    LevelGroup(
        message("First steps"),
        (3, 3),
        (
            Level("1.0.3-4.2.5-7.8.6", 3),
            Level("1.0.2-4.5.3-7.8.6", 3),
            Level("1.3.0-4.2.5-7.8.6", 4),
            Level("0.1.3-4.2.6-7.5.8", 4),
            Level("2.0.3-1.5.6-4.7.8", 5),
            Level("1.2.3-4.6.8-7.0.5", 5),
            Level("1.2.3-5.6.8-4.7.0", 6),
            Level("2.5.3-1.0.6-4.7.8", 6),
            Level("4.0.3-2.1.5-7.8.6", 7),
            Level("2.4.3-0.1.6-7.5.8", 7),
            Level("1.2.0-5.7.3-4.8.6", 8),
            Level("1.3.5-4.2.6-0.7.8", 8),
        ),
    ),
    LevelGroup(
        message("Five tiles"),
        (2, 3),
        (
            Level("1.3.5-0.4.2", 6),
            Level("5.2.0-1.4.3", 7),
            Level("4.3.5-2.1.0", 8),
            Level("2.5.0-1.3.4", 9),
            Level("4.5.1-0.2.3", 10),
            Level("3.0.4-1.2.5", 12),
            Level("2.5.3-0.4.1", 14),
            Level("1.0.3-5.4.2", 16),
        ),
    ),
    LevelGroup(
        message("Eight tiles"),
        (3, 3),
        (
            Level("1.0.2-4.5.8-7.6.3", 9),
            Level("4.1.0-7.5.3-8.2.6", 10),
            Level("4.3.5-2.1.6-7.0.8", 11),
            Level("5.8.2-1.7.3-0.4.6", 12),
            Level("4.3.5-0.7.1-8.2.6", 13),
            Level("1.5.8-4.3.2-7.6.0", 14),
            Level("5.0.2-1.3.6-7.8.4", 15),
            Level("2.1.5-4.8.3-7.6.0", 16),
            Level("3.5.6-1.2.0-8.4.7", 17),
            Level("2.8.3-1.0.6-5.7.4", 18),
            Level("1.2.8-7.3.5-4.0.6", 19),
            Level("0.7.4-8.3.1-2.5.6", 20),
            Level("4.7.5-8.6.1-0.2.3", 22),
            Level("5.6.3-7.2.1-4.8.0", 24),
        ),
    ),
    LevelGroup(
        message("Eleven tiles"),
        (3, 4),
        (
            Level("1.6.3.4-5.7.0.2-9.10.11.8", 10),
            Level("1.0.4.2-5.6.7.3-9.10.11.8", 12),
            Level("2.4.7.0-1.6.3.8-5.9.10.11", 14),
            Level("2.6.7.3-5.1.0.4-9.10.11.8", 16),
            Level("5.6.1.2-10.9.3.4-7.0.11.8", 18),
            Level("1.6.8.7-5.4.0.3-9.10.2.11", 20),
            Level("6.1.4.8-5.7.11.10-9.0.2.3", 22),
            Level("1.9.2.0-10.11.4.7-5.8.3.6", 24),
        ),
    ),
    LevelGroup(
        message("Fifteen tiles"),
        (4, 4),
        (
            Level("2.3.0.4-1.5.6.8-9.10.7.12-13.14.11.15", 8),
            Level("2.7.0.3-1.5.6.4-9.10.11.8-13.14.15.12", 10),
            Level("2.6.3.4-1.7.8.0-5.10.15.11-9.13.14.12", 12),
            Level("1.2.8.3-5.0.6.4-9.11.7.14-13.10.15.12", 14),
            Level("1.2.0.12-5.6.8.4-9.10.3.15-13.14.7.11", 16),
            Level("2.5.4.8-9.3.1.7-0.6.10.11-13.14.15.12", 18),
            Level("1.2.3.4-9.5.12.6-13.10.7.11-14.15.8.0", 20),
            Level("5.7.1.3-13.9.2.4-14.11.0.8-10.6.15.12", 22),
            Level("2.5.7.3-1.13.6.0-14.10.8.4-9.15.12.11", 24),
            Level("5.1.4.8-3.6.2.15-13.9.7.11-10.0.12.14", 26),
            Level("13.1.0.7-14.6.4.3-9.2.11.8-10.5.15.12", 28),
            Level("1.7.11.4-3.0.2.8-5.6.12.13-9.10.14.15", 30),
            Level("6.0.4.8-7.12.1.3-2.5.11.15-9.10.13.14", 33),
            Level("5.1.7.3-10.13.2.8-6.12.0.4-9.15.11.14", 36),
            Level("6.4.8.3-2.0.5.12-7.13.9.11-10.1.15.14", 40),
            Level("1.0.11.3-4.14.7.2-6.5.15.12-8.9.13.10", 45),
            Level("2.8.5.13-15.7.4.0-6.3.14.1-9.11.10.12", 50),
            Level("11.1.14.15-12.10.6.3-9.4.8.2-7.5.13.0", 56),
        ),
    ),
)
"""Groups in their order; their levels are numbered together, from 1."""

LEVELS = tuple(level for group in GROUPS for level in group.levels)


@blueprint.get("")
@offline
@static_page
def page() -> str:
    """Show all levels by group."""
    return render_template("collections/levels.html", groups=GROUPS, level_url=level_url)


def level_url(number: int) -> str:
    return url_for("game.page", code=LEVELS[number - 1].code, level=number)
