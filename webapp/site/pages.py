"""What the site tells of itself: to visitors what is stored, to robots where not to go."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from flask import Blueprint, Response, abort, current_app, render_template, request, url_for

from webapp.http import visitor
from webapp.http.errors import contact_url
from webapp.http.responses import DAY_SECONDS, cacheable
from webapp.play import last_game

blueprint = Blueprint("site", __name__)

SETTINGS = (
    *("theme", "tiles", "face", "picture", "speed", "notation", "written", "arrows"),
    *("single-keys", "tile-stops", "moves-to-go", "sounds", "speed-mode", "hover"),
    *("inspection", "offline"),
)
"""The settings that browsers keep, as `static/js/theme.js` has them."""

NOT_FOR_ROBOTS = (
    *("/play/", "/replay/", "/lab/", "/board/", "/qr/", "/api/", "/daily/", "/prove/"),
    "/*?",  # whatever has a query (RFC 9309)
)
"""How addresses begin of which there are as many as puzzles, days or seeds."""

LINK_PREVIEWS = (
    *("Twitterbot", "facebookexternalhit", "LinkedInBot", "Slackbot-LinkExpanding"),
    *("Discordbot", "TelegramBot", "WhatsApp"),
)
"""Programs that fetch a page, and the picture that it names, where somebody has sent its link."""

CONTACT_DAYS = 180
"""How long `security.txt` holds: less than a year, so that an old copy is noticed (RFC 9116)."""


@blueprint.get("/privacy")
def privacy() -> str:
    """Tell what is stored, and where."""
    config = current_app.config
    cookies = {
        "game": config["SESSION_COOKIE_NAME"],
        "last": last_game.COOKIE,
        "visitor": visitor.COOKIE,
    }
    return render_template(
        "site/privacy.html",
        cookies=cookies,
        days=config["PERMANENT_SESSION_LIFETIME"] // DAY_SECONDS,
        settings=SETTINGS,
    )


@blueprint.get("/transfer")
def transfer() -> str:
    """Show how records, streak and settings go to another browser: by a file that it writes."""
    return render_template("site/transfer.html")


@blueprint.get("/robots.txt")
def robots() -> Response:
    """Tell robots that pages are theirs to read, but not those of each puzzle."""
    lines = [f"User-agent: {name}" for name in LINK_PREVIEWS]
    lines += ["Disallow:", "", "User-agent: *"]
    lines += [f"Disallow: {request.script_root}{path}" for path in NOT_FOR_ROBOTS]
    return cacheable(Response("\n".join(lines) + "\n", mimetype="text/plain"))


@blueprint.get("/.well-known/security.txt")
def security_txt() -> Response:
    """Name the address for reports of vulnerabilities (RFC 9116), where the site has one."""
    contact = current_app.config["CONTACT"]
    if not contact or contact.startswith("http://"):  # it has to be https, or an address for mail
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
