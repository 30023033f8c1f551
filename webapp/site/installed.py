"""What makes an app of the site: the manifest to install it, and a service worker, so that the game
can be played without a network."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Blueprint, Response, current_app, render_template, request, url_for

import slidewise
from slidewise.study.draw import LEVELS
from webapp.http.static import content_version
from webapp.play.boards_ahead import SIZES

if TYPE_CHECKING:
    from slidewise.study.draw import Range

blueprint = Blueprint("installed", __name__)

PAPER = "#f5f3ee"
"""The colour of the page, which the app starts on (`--paper` in base.css)."""

ICONS = (("192", "any"), ("512", "any"), ("maskable-192", "maskable"), ("maskable-512", "maskable"))
"""The pictures of `static/icons` for home screens; of a maskable one only the middle is sure to be
seen."""

LIBRARY = str(Path(slidewise.__file__).parent)
"""Where the rules of the game and the levels of difficulty come from."""

WORKER_POLICY = "default-src 'none'; connect-src 'self'"
"""What the worker may do: fetch from this site, and nothing else."""

NOT_OF_THE_GAME = (
    *("js/worker.js", "js/lab/", "js/learn/", "css/lab.css", "css/learn.css", "vendor/d3"),
)
"""How the names of files begin that a game without a network does not need."""


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


@blueprint.get("/worker.js")
def worker() -> Response:
    """Answer with the service worker, for all pages below this path."""
    static = Path(current_app.static_folder or "")
    build = {"version": _version(), "files": _files(static), "levels": _levels()}
    source = (static / "js" / "worker.js").read_text(encoding="utf-8")
    text = f"const BUILD = {json.dumps(build)};\n{source}"
    response = Response(text, mimetype="text/javascript")
    response.headers["Content-Security-Policy"] = WORKER_POLICY
    return _checked_again(response)


@blueprint.get("/no-network")
def no_network() -> str:
    """Say what can be done without a network: the worker shows it in place of other pages."""
    return render_template("site/no_network.html", sizes=SIZES)


@blueprint.after_app_request
def tell_version(response: Response) -> Response:
    """Let the worker know of a page whether it is of the same version as the worker itself: while
    a site is brought up to date, one of them may be older."""
    if response.mimetype == "text/html" and "Slidewise-Answer" not in response.headers:
        response.headers["Slidewise-Build"] = _version()
    return response


def _version() -> str:
    app = current_app
    return _build(LIBRARY, app.root_path, str(app.template_folder), str(app.static_folder))


@lru_cache(maxsize=4)
def _build(*folders: str) -> str:
    """Return a name for all that pages are made of, so that an older one is not taken for them."""
    return content_version(*map(Path, folders))


def _files(static: Path) -> list[str]:
    names = (path.relative_to(static).as_posix() for path in static.rglob("*") if path.is_file())
    wanted = sorted(name for name in names if _is_of_the_game(name))
    return [url_for("versioned", filename=name) for name in wanted]


def _is_of_the_game(name: str) -> bool:
    return not name.endswith((".md", "LICENSE")) and not name.startswith(NOT_OF_THE_GAME)


def _levels() -> dict[str, dict[str, Range]]:
    return {f"{rows}x{cols}": levels for (rows, cols), levels in LEVELS.items()}


def _checked_again(response: Response) -> Response:
    """Return the response, marked as one that caches ask for again: a newer version has another."""
    response.cache_control.no_cache = True
    return response
