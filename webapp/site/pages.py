"""Privacy, transfer, robots.txt and security.txt pages, and the probes of load balancers."""

from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug import Response as AnyResponse

from slidewise.solver import compiling

from ..http import visitor
from ..http.errors import contact_url
from ..http.language import COOKIE, LANGUAGES
from ..http.language import gettext as _
from ..http.responses import DAY_SECONDS, cacheable, keep_cookie, uncached
from ..http.routes import cheap, static_page
from ..parts import current_parts
from ..play.daily_results import DailyResults
from ..play.daily_store import MAX_PER_ADDRESS
from ..play.session import LAST_GAME_COOKIE
from ..workers.shared import service, solvers

blueprint = Blueprint("site", __name__)

SETTINGS = (
    *("theme", "tiles", "face", "picture", "speed", "notation", "written", "arrows"),
    *("single-keys", "tile-stops", "moves-to-go", "sounds", "speed-mode", "hover"),
    *("inspection", "offline"),
)
"""Settings stored by browsers, as in `static/js/theme.js`."""

QUERY_PATTERN = "/*?"
"""Pattern of robots.txt for any URL with a query (RFC 9309)."""

LINK_PREVIEWS = (
    *("Twitterbot", "facebookexternalhit", "LinkedInBot", "Slackbot-LinkExpanding"),
    *("Discordbot", "TelegramBot", "WhatsApp"),
)
"""Crawlers that fetch a shared link and its picture for a preview."""

CONTACT_DAYS = 180
"""Validity of `security.txt` in days: less than a year, so that old copies expire (RFC 9116)."""


@blueprint.get("/privacy")
@cheap
def privacy() -> str:
    """List stored data and its places."""
    return _privacy(cleared=False)


@blueprint.post("/privacy")
def clear() -> Response:
    """Let the browser remove this site's cookies, storage and cache.

    Only the browser knows all of its games' cookies, as each has the path of its puzzle. The header
    is from the W3C's Clear Site Data.
    """
    if not _obeys_clearing():
        abort(409, _("Remove this site’s data in the settings of your browser."))
    response = make_response(_privacy(cleared=True))
    response.headers["Clear-Site-Data"] = '"cache", "cookies", "storage"'
    return response


def _obeys_clearing() -> bool:
    """Return whether the browser trusts the connection, without which it ignores the header."""
    host = urlsplit(request.host_url).hostname
    return request.is_secure or host in ("localhost", "127.0.0.1", "::1")


def _privacy(*, cleared: bool) -> str:
    config = current_app.config
    cookies = {
        "game": config["SESSION_COOKIE_NAME"],
        "last": LAST_GAME_COOKIE,
        "visitor": visitor.COOKIE,
        "language": COOKIE,
    }
    return render_template(
        "site/privacy.html",
        cookies=cookies,
        days=config["PERMANENT_SESSION_LIFETIME"] // DAY_SECONDS,
        settings=SETTINGS,
        results_per_address=MAX_PER_ADDRESS,
        can_clear=_obeys_clearing(),
        cleared=cleared,
    )


@blueprint.get("/transfer")
@cheap
@static_page
def transfer() -> str:
    """Show how to transfer records, streak and settings to another browser by file."""
    return render_template("site/transfer.html")


@blueprint.post("/language")
def language() -> AnyResponse:
    """Store the language that a visitor chooses, and return to the visitor's page."""
    code = request.form.get("language", "")
    if code not in LANGUAGES:
        codes = ", ".join(LANGUAGES)
        abort(400, _("Choose one of the languages: %(codes)s.", codes=codes))
    response = redirect(_page_before(), 303)
    keep_cookie(response, COOKIE, code)
    return response


def _page_before() -> str:
    """Return the URL of the page that sent this form, or of the home page."""
    before = urlsplit(request.referrer or "")
    if before.netloc == request.host:
        urls = current_app.url_map.bind(request.host)
        if urls.test(before.path.removeprefix(request.script_root), "GET"):
            return before.geturl()
    return url_for("pages.home")


@blueprint.get("/robots.txt")
@cheap
def robots() -> Response:
    """Allow robots on all pages except single puzzles, unless the operator opens these."""
    opened = current_app.config["INDEX"]
    paths = [pair for part in current_parts() for pair in part.robots.items()]
    lines = [f"User-agent: {name}" for name in LINK_PREVIEWS]
    lines += ["Disallow:", "", "User-agent: *"]
    closed = [*(below if opened else path for path, below in paths), QUERY_PATTERN]
    lines += [f"Disallow: {request.script_root}{path}" for path in closed]
    return cacheable(Response("\n".join(lines) + "\n", mimetype="text/plain"))


@blueprint.get("/.well-known/security.txt")
def security_txt() -> Response:
    """Address for vulnerability reports (RFC 9116), if configured."""
    contact = current_app.config["CONTACT"]
    if not contact or contact.startswith("http://"):  # HTTPS URL or mail address, as required
        abort(404)
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    fields = {
        "Contact": contact_url(contact),
        "Expires": f"{today + timedelta(days=CONTACT_DAYS):%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages": "en",
        "Canonical": url_for("site.security_txt", _external=True),
    }
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return cacheable(Response(text, mimetype="text/plain"))


RETRY_SECONDS = 5
"""`Retry-After` in seconds: about the compile time of a part."""

probes = Blueprint("probes", __name__)


@probes.get("/healthz")
@cheap
def healthz() -> Response:
    """Liveness: always 200."""
    return uncached(Response("ok\n", mimetype="text/plain"))


@probes.get("/readyz")
@cheap
def readyz() -> Response:
    """Readiness: 200 once everything is compiled and loaded, otherwise 503 with the reason.

    A stopping server is 503 too. Visitors are served while it compiles: their searches wait for the
    parts that they need. `degraded` lists faults of a server that still serves.
    """
    missing = solvers().missing
    stops = solvers().closing or solvers().draining
    reason = "the server is about to stop" if stops else None
    if missing and not reason:
        reason = f"still to come: {', '.join(missing)}"
    degraded = service(DailyResults).store.problems()
    if not current_app.config["KEY_IS_STORED"]:
        degraded.append("secret key: it cannot be stored, so games end with this process")
    if not compiling.is_available():
        degraded.append("compiler: numba is not installed, so searches take much longer")
    response = jsonify(ready=not reason, missing=missing, reason=reason, degraded=degraded)
    if reason:
        response.status_code = 503
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return uncached(response)
