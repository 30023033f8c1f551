"""Atlas of mistakes: the results of correct and wrong searches under each convention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, render_template

from slidewise import algorithms, parse_puzzle
from slidewise.study.atlas.entries import COMPUTING, DRAWN, ON_ALL, atlas, variants

from ..board import cells
from ..http.language import gettext as _

if TYPE_CHECKING:
    from slidewise.study.atlas.entries import AtlasSummary, Variant

blueprint = Blueprint("mistakes", __name__, url_prefix="/learn/mistakes")


@blueprint.get("")
def page() -> str:
    """Show the results of each search on all boards, in a table per algorithm."""
    tables: dict[str, list[tuple[Variant, AtlasSummary]]] = {}
    for key, variant in variants().items():
        if key in atlas():
            tables.setdefault(variant.algorithm, []).append((variant, atlas()[key]))
    return render_template(
        "learn/mistakes.html",
        tables=tables,
        algorithms=algorithms(),
        on_all=ON_ALL,
        drawn=DRAWN,
        computing=COMPUTING,
    )


@blueprint.get("/<algorithm>/<name>")
def entry(algorithm: str, name: str) -> str:
    """Show one search: its difference, the consequences, and a board to try."""
    key = f"{algorithm}/{name}"
    if key not in variants() or key not in atlas():
        abort(404, _("There is no search %(key)s in the atlas.", key=repr(key[:60])))
    summary = atlas()[key]
    return render_template(
        "learn/mistake.html",
        variant=variants()[key],
        summary=summary,
        algorithm=algorithms()[algorithm],
        puzzle_of=parse_puzzle,
        cells_of=cells,
    )
