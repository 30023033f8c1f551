"""What keeps a visitor safe: the content policy, and no posts from other sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, request

if TYPE_CHECKING:
    from flask import Flask, Response

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",  # blob: a player's own picture, which never leaves the browser
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Those that a document obeys. Scripts and styles are held to those of their page, and go
without, as a page loads twenty of them."""

_NO_DOCUMENTS = {"text/css", "text/javascript"}


def init_security(app: Flask) -> None:
    """Check each request and mark each response."""
    app.before_request(refuse_other_sites)
    app.after_request(_add_headers)


def refuse_other_sites() -> None:
    """Answer 403 to a post that a page of another site made the browser send.

    Browsers say where a request comes from in `Sec-Fetch-Site`, older ones in `Origin`. With
    neither it is no browser, which has no cookies that another site could misuse.
    """
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        allowed = site in {"same-origin", "none"}
    else:
        allowed = origin in {None, f"http://{request.host}", f"https://{request.host}"}
    if not allowed:
        abort(403, "This came from another site. Open Slidewise itself and try again there.")


def _add_headers(response: Response) -> Response:
    response.headers.add("X-Content-Type-Options", "nosniff")
    if response.mimetype not in _NO_DOCUMENTS:
        response.headers.extend(_HEADERS)
    if response.mimetype == "text/html":
        response.vary.add("HX-Request")
        response.headers.setdefault("Cache-Control", "no-store")
    return response
