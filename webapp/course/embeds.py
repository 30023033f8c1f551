"""Searches and races in frames of other sites."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, current_app, request, url_for

from ..http.language import gettext as _
from ..http.language import noop
from ..http.requests import current_code, current_puzzle
from ..share.embed import EmbedKind, embed_page, embeds_blueprint
from ..solve.replay import step_number
from ..workers.budgets import charge_cpu_time
from ..workers.shared import service
from .lab.race import race_table
from .lab.running import Races
from .lab.selection import read_selection
from .lab.watch import chosen_options

blueprint = embeds_blueprint("course_embeds", __name__)

ROW_PIXELS = 48


def _height_of_race(fields: Mapping[str, Any]) -> int:
    runs = str(fields.get("run", "")).count(",") + 1 if fields.get("run") else 5
    return 220 + ROW_PIXELS * runs


EMBEDS = {
    "watch.page": EmbedKind(
        "course_embeds.search",
        noop("Search of a sliding puzzle, %(size)s"),
        420,
        ("algorithm", "heuristic", "depth", "weight", "convention", "order"),
    ),
    "lab.page": EmbedKind(
        "course_embeds.race",
        noop("Race of search algorithms, %(size)s"),
        _height_of_race,
        ("run", "seconds", "weight"),
        640,
    ),
}
"""Embeds by the endpoints of their pages."""


@blueprint.get("/watch/<code>")
def search() -> Response:
    """A recorded search to scrub."""
    puzzle, chosen = current_puzzle(), chosen_options()
    link = url_for("watch.page", code=current_code(), **chosen)
    return embed_page(
        *("share/embed.html", puzzle, link, _("Watch on Slidewise")),
        watch=url_for("watch.trace", code=current_code(), **chosen),
        step=step_number(),
    )


@blueprint.get("/race/<code>")
@charge_cpu_time()
def race() -> Response:
    """The bars of a race, as its searches ended."""
    puzzle = current_puzzle()
    selection = read_selection(puzzle, request.args)
    table = race_table(puzzle, selection)
    wait = current_app.config["SOLVE_WAIT"]
    table.finish(service(Races).results(selection.specs(puzzle), wait))
    link = url_for("lab.page", code=current_code(), **selection.link)
    return embed_page("course/embed_race.html", puzzle, link, _("Race on Slidewise"), table=table)
