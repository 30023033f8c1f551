"""What a browser needs to install the site as an app: its manifest."""

from __future__ import annotations

import json

from flask import Blueprint, Response, request, url_for

blueprint = Blueprint("installed", __name__)

PAPER = "#f5f3ee"
"""The colour of the page, which the app starts on (`--paper` in base.css)."""

ICONS = (("192", "any"), ("512", "any"), ("maskable-192", "maskable"), ("maskable-512", "maskable"))
"""The pictures of `static/icons` for home screens; of a maskable one only the middle is sure to be
seen."""


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """Say what the app is called, where it starts and how it looks."""
    root = f"{request.script_root}/"
    about = {
        "id": root,
        "name": "Slidewise",
        "description": "Play, share and understand the sliding-tile puzzle.",
        "lang": "en",
        "start_url": root,
        "scope": root,
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "categories": ["games", "education"],
        "icons": [
            {
                "src": url_for("versioned", filename=f"icons/{name}.png"),
                "sizes": "x".join([name.rpartition("-")[2]] * 2),
                "type": "image/png",
                "purpose": purpose,
            }
            for name, purpose in ICONS
        ],
    }
    return _checked_again(Response(json.dumps(about), mimetype="application/manifest+json"))


def _checked_again(response: Response) -> Response:
    """Return the response, marked as one that caches ask for again: a newer version has another."""
    response.cache_control.no_cache = True
    return response
