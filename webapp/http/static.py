"""Text goes compressed over the wire, and immutable files are cached by browsers.

Their URLs contain the version of their content. Pages name the version of the whole build.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from posixpath import normpath

from flask import Flask, Response, current_app, request, send_file, url_for
from flask_compress import Compress

import slidewise
from slidewise.component import COMPONENT_FILE, component

from .responses import after_page, compress_answer
from .routes import cheap
from .texts import script_texts

_YEAR = 365 * 24 * 3600

_UNUSED = ("Accept-Ranges", "Content-Disposition", "ETag", "Last-Modified")
"""Headers left out if the URL changes with the content, as browsers never revalidate: they would be
a third of a small module."""

_COMPRESSED = ["text/html", "text/css", "text/javascript", "application/json", "image/svg+xml"]
"""Without `text/event-stream`, as a compressor would delay its messages. No page has a secret next
to a visitor's input (the session is in a cookie), so sizes leak nothing."""


_STATIC_IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\.[^"]+)";', re.MULTILINE)

PACKAGE = Path(__file__).parents[1]
"""Source of the texts of scripts."""

LIBRARY = str(Path(slidewise.__file__).parent)
"""Source of the puzzle's rules and difficulty levels."""


def init_compression(app: Flask) -> None:
    """Compress responses, and give `static_url` to its templates.

    Call it before setting other handlers of responses: the last handler set sees a response first.
    """
    app.config.update(
        COMPRESS_MIMETYPES=_COMPRESSED,
        COMPRESS_ALGORITHM=["br", "zstd", "gzip"],
        COMPRESS_STREAMS=False,
        COMPRESS_BR_LEVEL=5,
    )
    Compress(app)
    version = content_version(Path(app.static_folder or ""), generated=generated_files().values())
    app.add_url_rule(
        f"/static/{version}/<path:filename>", "versioned", _send_static, methods=["GET"]
    )
    app.view_functions["static"] = _send_static
    app.after_request(compress_answer)
    after_page(app, tell_version)
    app.jinja_env.globals["static_url"] = lambda name: url_for("versioned", filename=name)
    app.jinja_env.globals["imports_of"] = lambda name: imports_of(str(app.static_folder), name)


@lru_cache(maxsize=1)
def generated_files() -> Mapping[str, bytes]:
    """Return the static files that are generated from others, by name.

    They are not in a checkout. A wheel has them too, for servers that send its folder `static`.
    """
    files = {COMPONENT_FILE: component(), **script_texts(PACKAGE)}
    return {name: text.encode() for name, text in files.items()}


@cheap
def _send_static(filename: str) -> Response:
    """Send a file; browsers cache it if its version is in the URL."""
    content = generated_files().get(filename)
    if content is None:
        response = current_app.send_static_file(filename)
    else:
        digest = hashlib.sha256(content).hexdigest()
        name = Path(filename).name
        response = send_file(BytesIO(content), download_name=name, etag=digest[:16])
    if response.is_streamed:
        response.direct_passthrough = False
        response.make_sequence()  # otherwise the compressor would never close the stream
    if request.endpoint == "versioned" and response.status_code == 200:
        response.cache_control.no_cache = None
        response.cache_control.immutable = True
        response.cache_control.max_age = _YEAR
        response.headers["Content-Type"] = response.mimetype  # in UTF-8, like the page
        for name in _UNUSED:
            response.headers.pop(name, None)
    return response


def content_version(*folders: Path, generated: Iterable[bytes] = ()) -> str:
    """Return a version of all files together: in the path it also covers a module's imports."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                name = path.relative_to(folder).as_posix()
                digest.update(name.encode() + b"\0" + path.read_bytes())
    for content in generated:
        digest.update(content)
    return f"v-{digest.hexdigest()[:12]}"


def tell_version(response: Response) -> Response:
    """Mark a page with the build, so that the worker can compare it with its own.

    During an update the page or the worker may be older.
    """
    response.headers["Slidewise-Build"] = build_version()
    return response


@lru_cache(maxsize=8)
def imports_of(folder: str, name: str) -> tuple[str, ...]:
    """Files that a module imports, directly or not, except on demand."""
    found = [name]
    for module in found:
        source = (Path(folder) / module).read_text(encoding="utf-8")
        paths = (normpath(f"{module}/../{path}") for path in _STATIC_IMPORT.findall(source))
        found += [path for path in dict.fromkeys(paths) if path not in found]
    return tuple(found[1:])


def build_version() -> str:
    """Version of all files that make the pages."""
    app = current_app
    return _build(LIBRARY, app.root_path, str(app.template_folder), str(app.static_folder))


@lru_cache(maxsize=4)
def _build(*folders: str) -> str:
    """Build id of all files of the pages, so that browsers do not reuse old files."""
    return content_version(*map(Path, folders))
