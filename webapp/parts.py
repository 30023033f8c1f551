"""Parts of the app: each lists its additions once, so that no other module names it.

A part is the `PART` in the module `part` of a package of this folder, or the entry point of an
installed package in the group `slidewise.parts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module, metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Flask

if TYPE_CHECKING:
    from .workers import Solvers
    from .workers.shared import Shared

GROUP = "slidewise.parts"
"""Group of entry points."""

PLACES = {
    "puzzle": "below a puzzle's buttons for a new game and for sharing",
    "share": "the end of the sharing sheet",
}
"""Named places of the game's pages that show templates of parts, with their words."""


@dataclass(frozen=True)
class Part:
    """Pages, links and services that an app can have or not.

    `links` has a template for each of the `PLACES` with a link to the part. `entry` is the entry of
    the navigation that is current on its pages. `services` gets the settings, the solvers and the
    shared cache.
    """

    name: str
    blueprints: tuple[Blueprint, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    entry: str = ""
    services: Callable[[Mapping[str, Any], Solvers, Shared], Sequence[object]] = lambda *_: ()

    def __post_init__(self) -> None:
        if unknown := self.links.keys() - PLACES.keys():
            raise ValueError(
                f"the part {self.name} has links for {', '.join(sorted(unknown))}; the places are "
                f"{', '.join(PLACES)}"
            )


def find_parts() -> list[Part]:
    """Return the parts of this package, then those of installed packages, by name."""
    own = sorted(file.parent.name for file in Path(__file__).parent.glob("*/part.py"))
    points = sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name)
    parts = [import_module(f".{name}.part", __package__).PART for name in own]
    return parts + [point.load() for point in points]


def init_parts(app: Flask, parts: Sequence[Part]) -> None:
    """Register the blueprints of parts, and give their links and entries to templates."""
    for part in parts:
        for blueprint in part.blueprints:
            app.register_blueprint(blueprint)
    links = {
        place: [part.links[place] for part in parts if place in part.links] for place in PLACES
    }
    app.jinja_env.globals["links_at"] = links.__getitem__
    entries = {blueprint.name: part.entry for part in parts for blueprint in part.blueprints}
    app.jinja_env.globals["entry_of"] = entries.get
