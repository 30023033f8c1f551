"""Security: content policy, CORS, and no posts from other sites."""

from base64 import b64encode
from hashlib import sha256

from flask import Flask, Response, abort, current_app, request

from .errors import OTHER_SITE
from .language import gettext as _
from .requests import API_PREFIX, from_htmx

ANY = "*"
"""Value of a setting: the pages of all sites."""

HEARD = "Retry-After, X-Request-ID, Allow"
"""Headers readable by scripts of other sites."""

REMEMBERED_SECONDS = 24 * 3600
"""TTL of a preflight response."""


def init_cross_origin(app: Flask) -> None:
    """Mark the responses that scripts of other sites may read."""
    app.after_request(_allow)


def may_post() -> bool:
    """Return whether other sites' scripts may send this request: to the API, if `CORS` allows."""
    return _for_programs() and bool(_allowed_origin())


def let_all_sites_read(response: Response) -> Response:
    """Let scripts of all sites read this response, if they request it without cookies."""
    response.headers["Access-Control-Allow-Origin"] = ANY
    response.headers["Access-Control-Expose-Headers"] = HEARD
    return response


def _for_programs() -> bool:
    return request.path == API_PREFIX or request.path.startswith(f"{API_PREFIX}/")


def _allowed_origin() -> str:
    """Return the origin to which a `POST` is allowed: `*` for all, "" if this origin is refused."""
    allowed = current_app.config["CORS"].replace(",", " ").split()
    if ANY in allowed:
        return ANY
    origin = request.headers.get("Origin", "")
    return origin if origin in allowed else ""


def _allow(response: Response) -> Response:
    if not _for_programs():
        return response
    asked = request.method
    if asked == "OPTIONS":
        asked = request.headers.get("Access-Control-Request-Method", "")
    origin = ANY if asked in ("GET", "HEAD") else _allowed_origin()
    if asked not in ("GET", "HEAD") and current_app.config["CORS"]:
        response.vary.add("Origin")
    if not origin:
        return response
    response.headers["Access-Control-Allow-Origin"] = origin
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Methods"] = "GET, POST"
        response.headers["Access-Control-Allow-Headers"] = "Content-Type, Accept"
        response.headers["Access-Control-Max-Age"] = str(REMEMBERED_SECONDS)
    else:
        response.headers["Access-Control-Expose-Headers"] = HEARD
    return response


_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' blob:",  # blob: a player's own picture, which never leaves the browser
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

META_POLICY = _POLICY.removesuffix("; frame-ancestors 'none'")
"""Policy in a page: without the directive that browsers only accept in a header."""

_FRAMED_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'{style}; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'{ancestors}"
)
"""Policy of the pages below /embed/, with the hash of a page's own style sheet."""

_UNUSED = ("camera", "geolocation", "microphone", "payment", "usb")
"""Browser permissions that no page needs."""

_PICTURE = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""Headers of pictures, which other sites may show, such as a board on the pages of a course."""

_DOCUMENT = {
    "Content-Security-Policy": _POLICY,
    "Permissions-Policy": ", ".join(f"{name}=()" for name in _UNUSED),
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
"""Headers of documents. Scripts and styles go without, as the policy of their page applies and a
page loads twenty; so do answers to htmx, whose header no navigation sends."""

HTTPS_SECONDS = 180 * 24 * 3600
"""Seconds for which a browser that came by https only uses https: half a year."""

_NO_DOCUMENTS = {"text/css", "text/javascript"}


def allow_frames(response: Response, style: str = "") -> Response:
    """Let pages of the sites in `SLIDEWISE_EMBED` show this document in a frame.

    `style` is the content of its style element.
    """
    listed = current_app.config["EMBED"].replace(",", " ").split()
    ancestors = "'none'" if listed == ["none"] else " ".join(listed)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = _FRAMED_POLICY.format(
        style=f" 'sha256-{digest}'" if style else "",
        # `*` excludes pages from file:// in WebKit
        ancestors="" if "*" in listed else f"; frame-ancestors {ancestors}",
    )
    response.headers.update(_DOCUMENT)
    response.headers["Content-Security-Policy"] = policy
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    del response.headers["X-Frame-Options"]
    return response


def init_security(app: Flask) -> None:
    """Check each request and mark each response."""
    app.before_request(refuse_other_sites)
    app.after_request(_add_headers)


def refuse_other_sites() -> None:
    """Answer 403 to a post that a page of another site made the browser send.

    Browsers name the origin of a request in `Sec-Fetch-Site`, old browsers in `Origin`. A client
    without either is no browser, and has no cookies that another site could misuse.
    """
    if request.method in {"GET", "HEAD", "OPTIONS"} or may_post():
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        allowed = site in {"same-origin", "none"}
    else:
        allowed = origin is None or origin in (f"http://{request.host}", f"https://{request.host}")
    if not allowed:
        abort(403, _(OTHER_SITE))


def _add_headers(response: Response) -> Response:
    response.headers.add("X-Content-Type-Options", "nosniff")
    mimetype = str(response.mimetype)
    if mimetype not in _NO_DOCUMENTS and not from_htmx():
        if "Cross-Origin-Resource-Policy" not in response.headers:  # otherwise it is set for frames
            response.headers.extend(_PICTURE if mimetype.startswith("image/") else _DOCUMENT)
        if request.is_secure and current_app.config["SECURE_COOKIES"]:
            response.headers["Strict-Transport-Security"] = f"max-age={HTTPS_SECONDS}"
    if mimetype == "text/html":
        if request.method != "POST":  # caches do not store answers to posts
            response.vary.add("HX-Request")
        response.headers.setdefault("Cache-Control", "no-store")
    return response
