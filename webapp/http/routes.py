"""Marks of routes, set at their views: cost, language, and whether a page works offline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from flask import Flask

View = TypeVar("View", bound=Callable[..., Any])
Places = Callable[[], Iterable[Mapping[str, Any]]]
"""Function that returns the arguments of a route, a mapping for each page."""

CHEAP_ENDPOINTS = "slidewise.cheap"
"""Extension of the app: the endpoints of `@cheap` views."""

LANGUAGE_IN_ADDRESS = "slidewise.language_in_address"
"""Extension of the app: the endpoints of `@language_in_address` views."""


@dataclass(frozen=True)
class Marks:
    """Marks of a route, explained at the functions below that set them."""

    cheap: bool = False
    offline: Places | None = None
    static: bool = False
    reads_query: bool = False
    language_in_address: bool = False


def cheap(view: View) -> View:
    """Mark a view that is never refused, so that play goes on.

    It takes the web process at most 15 ms, also for the largest boards
    (`python -m benchmarks.clicks --cheap`).
    """
    return _mark(view, cheap=True)


def offline(view: View) -> View:
    """Mark a page that the service worker stores for playing offline."""
    return offline_at(lambda: [{}])(view)


def offline_at(places: Places) -> Callable[[View], View]:
    """Mark a view, and list the pages that the service worker stores."""
    return lambda view: _mark(view, offline=places)


def static_page(view: View) -> View:
    """Mark a page that works without the server, so that `slidewise static` writes it."""
    return _mark(view, static=True)


def reads_query(view: View) -> View:
    """Mark a static page whose scripts, or the service worker, parse the query."""
    return _mark(view, reads_query=True)


def language_in_address(view: View) -> View:
    """Mark a view whose language is the parameter `lang` of the URL, by default English.

    Its responses are cached by URL.
    """
    return _mark(view, language_in_address=True)


def marked(app: Flask) -> Iterator[tuple[str, Marks]]:
    """Yield each endpoint of the app with its marks."""
    for endpoint, view in app.view_functions.items():
        yield endpoint, _marks_of(view)


def init_routes(app: Flask) -> None:
    """Collect the marks that each request needs, after all routes are registered."""
    app.extensions[CHEAP_ENDPOINTS] = frozenset(name for name, marks in marked(app) if marks.cheap)
    app.extensions[LANGUAGE_IN_ADDRESS] = frozenset(
        name for name, marks in marked(app) if marks.language_in_address
    )


def _marks_of(view: object) -> Marks:
    found: Marks = getattr(view, "marks", Marks())
    return found


def _mark(view: View, **more: Any) -> View:
    view.marks = replace(_marks_of(view), **more)  # type: ignore[attr-defined]
    return view
