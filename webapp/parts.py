"""Parts in the web app: registers their pages, links, services and files."""

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
"""Extension of the app with its parts, the game first."""


@dataclass(frozen=True)
class StoredPages:
    """Pages that the browser stores for offline use when a visitor first opens any of them.

    `paths` is a JavaScript regular expression. `files` are names of static files. `assets` are
    functions that return file contents, by URL below `prefix`; these stay cached when the site is
    updated.
    """

    paths: str
    files: Sequence[str]
    prefix: str
    assets: Mapping[str, Callable[[], bytes]]


def chosen_parts(config: Mapping[str, Any]) -> list[Part]:
    """Return the parts chosen by SLIDEWISE_PARTS; raises `SystemExit` with the error."""
    text = config["PARTS"].strip()
    try:
        return find_parts(None if text == "*" else text.replace(",", " ").split())
    except PartError as error:
        raise SystemExit(f"SLIDEWISE_PARTS: {error}") from error


def init_parts(app: Flask, parts: Sequence[Part]) -> None:
    """Register the blueprints of all parts, and their links and navigation for templates.

    The first part is the game. The last entry of its navigation comes after all other parts.
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
    """Return the embeds of all parts by endpoint."""
    found: dict[str, Any] = {}
    for part in current_parts():
        if part.embeds:
            found |= resolve_name(part.embeds)
    return found


def stored_pages() -> Iterator[StoredPages]:
    """Yield the `StoredPages` of all parts."""
    for part in current_parts():
        if part.stored:
            yield resolve_name(part.stored)()


def services_of_parts(
    parts: Sequence[Part], config: Mapping[str, Any], solvers: Solvers, shared: Shared
) -> list[object]:
    """Create the services of all parts."""
    found: list[object] = []
    for part in parts:
        if part.services:
            found += resolve_name(part.services)(config, solvers, shared)
    return found


def current_parts() -> Sequence[Part]:
    """Return the parts of the current app, with the game as the first."""
    parts: Sequence[Part] = current_app.extensions[PARTS]
    return parts


def _blueprints_in(names: Sequence[str]) -> list[Blueprint]:
    """Return the blueprints in modules and packages, each once even if modules share it."""
    modules = [import_module(name) for name in names]
    for package in [module for module in modules if hasattr(module, "__path__")]:
        modules += [
            import_module(f"{package.__name__}.{found.name}")
            for found in iter_modules(package.__path__)
        ]
    values = (value for module in modules for value in vars(module).values())
    return list(dict.fromkeys(value for value in values if isinstance(value, Blueprint)))
