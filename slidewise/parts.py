"""Optional parts of Slidewise; each lists all its additions in a single place.

A part is the `PART` of a module `webapp/*/part.py`, or an entry point of an installed package in
the group `slidewise.parts`. It names its modules as strings, imported on use, so that commands work
without Flask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name

GROUP = "slidewise.parts"
"""Group of the entry points of installed parts."""

PLACES = {
    "ways": "ways to play, below a puzzle's buttons and the form for a new game",
    "finish": "beside the buttons of a finished game",
    "stuck": "the sentence beside the button Solve",
    "solve": "the options of Solve",
    "verdict": "after the verdict of a search",
    "replay": "below the verdict of a replay",
    "review": "below the summary of a review with detours",
    "levels": "below the levels",
    "editor": "below the field for a typed board",
    "share": "the end of the sharing sheet",
    "offline": "the sentence of the offline page",
    "privacy": "the list of what browsers store",
}
"""Places of the game's pages that include links of parts, by name, with a description."""


@dataclass(frozen=True)
class Entry:
    """Entry of the navigation, current on all pages of the modules or packages `pages`.

    `label` is a message, `endpoint` a Flask endpoint, and `icon` the content of an SVG of 24 x 24.
    """

    label: str
    endpoint: str
    icon: str = ""
    pages: Sequence[str] = ()


@dataclass(frozen=True)
class Subcommand:
    """Subcommand of `slidewise`, in a module with `add_to(commands)`.

    The help lists it before the subcommand `before`, or at the end.
    """

    module: str
    before: str = ""


@dataclass(frozen=True)
class Part:
    """Additions to Slidewise.

    `needs` are parts that its pages link to. `pages` are modules or packages with blueprints;
    `entry` is the endpoint of the navigation entry that is current on them. `links` are templates
    by the name of their place in `PLACES`. `services`, `embeds` and `stored` name a value in a
    module, such as `tower.pages:EMBEDS`. `translations` is a folder with a subfolder of .po files
    for each language. `files` are prefixes of the names of static files that the offline game does
    not need, except the files `offline`. `robots` are prefixes of paths with a page for each
    puzzle, which search engines must not crawl, each with the pattern that stays disallowed with
    SLIDEWISE_INDEX.
    """

    name: str
    needs: Sequence[str] = ()
    pages: Sequence[str] = ()
    entry: str = ""
    navigation: Sequence[Entry] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    commands: Sequence[Subcommand] = ()
    services: str = ""
    embeds: str = ""
    stored: str = ""
    translations: str | Path = ""
    files: Sequence[str] = ()
    offline: Sequence[str] = ()
    robots: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if unknown := self.links.keys() - PLACES.keys():
            raise ValueError(
                f"the part {self.name} has links for {', '.join(sorted(unknown))}; the places are "
                f"{', '.join(PLACES)}"
            )


class PartError(Exception):
    """Unknown part, or a part that cannot be loaded."""


def find_parts(
    chosen: Iterable[str] | None = None, on_error: Callable[[PartError], None] | None = None
) -> list[Part]:
    """Return the `chosen` parts of the web app and of installed packages, by default all.

    Raises `PartError`. With `on_error` a part that cannot be loaded is skipped, and its error
    passed to `on_error`.
    """
    points = sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name)
    targets = [(name, f"{web_package()}.{name}.part:PART") for name in _own_names()]
    targets += [(point.name, point.value) for point in points]
    # A dict drops the repeated names of parts and keeps the order.
    there = list(dict(targets))
    names = there if chosen is None else list(chosen)
    if unknown := [name for name in names if name not in there]:
        raise PartError(f"there is no part {', '.join(unknown)}; there are {', '.join(there)}")
    found: dict[str, Part] = {}
    for name, target in targets:
        if name in names:
            try:
                if name in found:
                    raise PartError(f"there are two parts {name}: uninstall the part of {target}")
                found[name] = _load(name, target, names)
            except PartError as error:
                if on_error is None:
                    raise
                on_error(error)
    return list(found.values())


def web_package() -> str:
    """Return the name of the web app's package, `slidewise.web` or in a checkout `webapp`; "" if it
    is missing."""
    library = Path(__file__).parent
    if (library / "web").is_dir():
        return "slidewise.web"
    spec = find_spec("webapp")
    # Only the checkout's own package counts; an unrelated `webapp` may be installed.
    if spec and spec.origin and Path(spec.origin).parents[1] == library.parent:
        return "webapp"
    return ""


def _own_names() -> list[str]:
    if not (package := web_package()):
        return []
    (folder,) = import_module(package).__path__
    return sorted(file.parent.name for file in Path(folder).glob("*/part.py"))


def _load(name: str, target: str, names: Sequence[str]) -> Part:
    try:
        part = resolve_name(target)
    except Exception as error:  # third-party code may raise anything
        raise PartError(f"the part {name} cannot be loaded from {target}: {error!r}") from error
    if not isinstance(part, Part):
        raise PartError(f"the part {name} is not a slidewise.parts.Part: {target} is {part!r}")
    if missing := [need for need in part.needs if need not in names]:
        raise PartError(f"the part {name} needs {', '.join(missing)}: add that too")
    return part
