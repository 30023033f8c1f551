"""Parts in the web app: their pages, links, services and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules, resolve_name
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Flask, current_app

from slidewise.parts import PLACES, Part, PartError, find_parts

from .http.language import add_translations

if TYPE_CHECKING:
    from .workers import Solvers
    from .workers.shared import Shared

PARTS = "slidewise.parts"
"""Extension of the app: its parts."""


@dataclass(frozen=True)
class StoredPages:
    """Pages that are stored for offline use once a visitor has opened one, with their files.

    `paths` is a regular expression of JavaScript. `files` are names of static files. `assets` are
    functions that return contents, by URL below `prefix`; they outlast an update of the site.
    """

    paths: str
    files: Sequence[str]
    prefix: str
    assets: Mapping[str, Callable[[], bytes]]


def chosen_parts(config: Mapping[str, Any]) -> list[Part]:
    """Return the parts that the settings choose; raises `SystemExit`."""
    text = config["PARTS"].strip()
    try:
        return find_parts(None if text == "*" else text.replace(",", " ").split())
    except PartError as error:
        raise SystemExit(f"SLIDEWISE_PARTS: {error}") from error


def init_parts(app: Flask, parts: Sequence[Part]) -> None:
    """Register the pages of parts, and give their links and entries to templates.

    The first part is the game, whose last entry of the navigation stays the last.
    """
    app.extensions[PARTS] = parts
    current: dict[str, str] = {}
    for part in parts:
        entries = [(entry.endpoint, entry.pages) for entry in part.navigation]
        for endpoint, modules in [(part.entry, part.pages), *entries]:
            for blueprint in _blueprints_in(modules):
                if blueprint.name not in current:
                    app.register_blueprint(blueprint)
                current[blueprint.name] = endpoint
        if part.translations:
            add_translations(Path(part.translations))
    links = {
        place: [part.links[place] for part in parts if place in part.links] for place in PLACES
    }
    game, *others = parts
    navigation = [*game.navigation[:-1], *(one for part in others for one in part.navigation)]
    app.jinja_env.globals.update(
        navigation=[*navigation, *game.navigation[-1:]],
        entry_of=current.get,
        links_at=links.__getitem__,
    )


def embeds() -> dict[str, Any]:
    """Return the embeds of all parts by the endpoints of their pages."""
    found: dict[str, Any] = {}
    for part in current_parts():
        if part.embeds:
            found |= resolve_name(part.embeds)
    return found


def stored_pages() -> Iterator[StoredPages]:
    """Yield the pages that are stored once a visitor has opened one."""
    for part in current_parts():
        if part.stored:
            yield resolve_name(part.stored)()


def services_of_parts(
    parts: Sequence[Part], config: Mapping[str, Any], solvers: Solvers, shared: Shared
) -> list[object]:
    """Return the services of parts, which get the settings, the solvers and the shared cache."""
    found: list[object] = []
    for part in parts:
        if part.services:
            found += resolve_name(part.services)(config, solvers, shared)
    return found


def current_parts() -> Sequence[Part]:
    """Return the parts of the current app, the game first."""
    parts: Sequence[Part] = current_app.extensions[PARTS]
    return parts


def _blueprints_in(names: Sequence[str]) -> list[Blueprint]:
    """Return the blueprints of modules, and of those in packages; some share one or have two."""
    modules = [import_module(name) for name in names]
    for package in [module for module in modules if hasattr(module, "__path__")]:
        modules += [
            import_module(f"{package.__name__}.{found.name}")
            for found in iter_modules(package.__path__)
        ]
    values = (value for module in modules for value in vars(module).values())
    return list(dict.fromkeys(value for value in values if isinstance(value, Blueprint)))
