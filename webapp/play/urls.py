"""The addresses of a game. A click's answer holds ten of them: they are made once for a puzzle."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from flask import request, url_for

from webapp.http.cache import cached

if TYPE_CHECKING:
    from collections.abc import Mapping

URLS_BYTES = 1_000_000
"""The URLs that are cached: those of a puzzle take two to eight kilobytes."""

_ENDPOINTS = {
    **{name: f"game.{name}" for name in ("slide", "undo", "redo", "restart", "hint", "assisted")},
    "play_on": "game.play_on",
    "review": "review.page",
    "solve": "solve.solve",
    "stop": "solve.stop",
    "to_go": "to_go.to_go",
}


def game_urls(code: str) -> Mapping[str, str]:
    """Return the addresses that the page of a game posts to, or fetches from, by their names."""
    return _urls(request.script_root, code)


@cached(URLS_BYTES)
def _urls(script_root: str, code: str) -> Mapping[str, str]:
    made = {name: url_for(endpoint, code=code) for name, endpoint in _ENDPOINTS.items()}
    made["editor"] = url_for("pages.custom")
    return MappingProxyType(made)
