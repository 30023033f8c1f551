"""Slidewise: play, share and understand the sliding-tile puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """Return the Flask application; `config` overrides the settings of `webapp.config`.

    Flask is imported here, and not above, so that the puzzle and the solver run without it.
    """
    from .app import build_app

    return build_app(config)
