"""Web app support: the manifest, and a service worker for playing offline."""

import json
from pathlib import Path

from flask import Blueprint, Response, current_app, render_template, request, url_for

from slidewise.analysis.daily import FIRST_DAY
from slidewise.analysis.distance import LEVELS

from ..http.language import current
from ..http.language import gettext as _
from ..http.routes import cheap, language_in_address, marked, static_page
from ..http.static import build_version, generated_files
from ..parts import current_parts, stored_pages
from ..play.gallery import GALLERY
from ..play.new import SIZES

blueprint = Blueprint("installed", __name__)

PAPER = "#f5f3ee"
"""Background colour of pages and of the app's start (`--paper` in base.css)."""

ICONS = (("192", "any"), ("512", "any"), ("maskable-192", "maskable"), ("maskable-512", "maskable"))
"""Home screen icons in `static/icons`; launchers crop a maskable icon to its middle."""

WORKER_POLICY = "default-src 'none'; connect-src 'self'"
"""Content Security Policy of the worker: it may only fetch from this site."""

JS_WORKER = "js/worker.js"

TEXTS = "js/texts/"
"""Folder of the scripts' messages, a file per language."""


@blueprint.get("/manifest.webmanifest")
@cheap
@language_in_address
def manifest() -> Response:
    """Web app manifest, in the language `lang`: name, start page and appearance."""
    root = f"{request.script_root}/"
    about = {
        "id": root,
        "name": "Slidewise",
        "description": _("Play, share and understand the sliding-tile puzzle."),
        "lang": current().code,
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
@cheap
@language_in_address
def worker() -> Response:
    """Service worker for all pages below this path; it stores the pages in the language `lang`."""
    static = Path(current_app.static_folder or "")
    build = {
        "version": build_version(),
        "language": current().code,
        "files": _files(static),
        "levels": {f"{rows}x{cols}": levels for (rows, cols), levels in LEVELS.items()},
        "pages": _pages(),
        "gallery": _special_boards(),
        "firstDay": FIRST_DAY.isoformat(),
        "later": [
            {
                "paths": pages.paths,
                "files": [url_for("versioned", filename=name) for name in pages.files],
                "prefix": pages.prefix,
                "assets": [*pages.assets],
            }
            for pages in stored_pages()
        ],
    }
    source = (static / "js" / "worker.js").read_text(encoding="utf-8")
    text = f"const BUILD = {json.dumps(build)};\n{source}"
    response = Response(text, mimetype="text/javascript")
    response.headers["Content-Security-Policy"] = WORKER_POLICY
    return _checked_again(response)


@blueprint.get("/no-network")
@cheap
@static_page
def no_network() -> str:
    """Offline page, shown by the worker in place of other pages."""
    return render_template("site/no_network.html", sizes=SIZES)


def _files(static: Path) -> list[str]:
    names = {path.relative_to(static).as_posix() for path in static.rglob("*") if path.is_file()}
    parts = current_parts()
    left_out = (JS_WORKER, *(start for part in parts for start in part.files))
    offline = {name for part in parts for name in part.offline}
    wanted = sorted(
        name
        for name in names.union(generated_files())
        if name in offline or (_is_of_the_game(name) and not name.startswith(left_out))
    )
    return [url_for("versioned", filename=name) for name in wanted]


def _is_of_the_game(name: str) -> bool:
    if name.startswith(TEXTS):
        return name == f"{TEXTS}{current().code}.js"
    return not (name.endswith((".md", "LICENSE")) or name.startswith("js/component/"))


def _pages() -> list[str]:
    """Paths of pages that are stored in addition to games and days."""
    pages = [
        url_for(endpoint, **values)
        for endpoint, marks in marked(current_app)
        if marks.offline
        for values in marks.offline()
    ]
    return [page.removeprefix(f"{request.script_root}/") for page in pages]


def _special_boards() -> list[str]:
    """Boards of the gallery that need their own pages.

    For other boards the worker takes the page of any board of the same size.
    """
    return [
        str(story.puzzle)
        for stories in GALLERY.values()
        for story in stories
        if "_" in story.code or story.puzzle.start.size not in SIZES or story.length is None
    ]


def _checked_again(response: Response) -> Response:
    """Mark the response for revalidation in caches, as a newer version differs."""
    response.cache_control.no_cache = True
    return response
