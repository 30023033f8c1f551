"""The settings, each of which an environment variable `SLIDEWISE_<NAME>` can set."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webapp.workers.memory import LEAST_SPARE_MEGABYTES, SPARE_MEGABYTES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

DEFAULTS: dict[str, Any] = {
    # Solving: at most SOLVERS at a time (0: as many as there are cores), each within its limits.
    "SOLVERS": 0,
    "SOLVE_SECONDS": 60,
    "SOLVE_MEGABYTES": 400,
    "WORKER_MEGABYTES": 0,  # memory of one process of the solvers; 0: what it needs and some more
    "SOLVE_WAIT": 10,  # seconds that a visitor without JavaScript waits for an answer
    "MAX_STREAMS": 64,
    "STREAMS_PER_VISITOR": 2,
    "VISITOR_SECONDS": 240,  # processor time for what is dear, which fills again in eight minutes
    # Behind a proxy: how many proxies to believe, and which host names are ours (with commas).
    "PROXIES": 0,
    "HOSTS": "",
    "SECRET_KEY_FALLBACKS": "",  # older keys (with commas): what they have signed stays readable
    "SECURE_COOKIES": False,
    # For whoever runs it: what is told of requests, and whom visitors tell of errors.
    "LOG": "off",  # a line for each request: off, text or json
    "LOG_ADDRESSES": False,  # in it also where the request came from
    "CONTACT": "",  # an address for mail or of a page
}

_WAITS = {
    # Seconds that a request waits for another process, before it goes on without the answer.
    "CLICK_WAIT": 0.05,  # a look-up, which takes a hundredth of that as a rule
    "NUMBER_WAIT": 2.5,  # the moves left, which the page fetches: it says then what is known
    "HINT_WAIT": 0.5,  # an exact hint; past it there is one at once that is not
    "FACTS_WAIT": 2.0,  # what the API tells of a puzzle
    "QUEUE_WAIT": 1.0,  # past its time, for a search that stood in the queue or had to compile
}

_CONTACT = re.compile(r"[^\s@/:?&<>\"]+@[^\s@/:?&<>\"]+|https?://[^\s/<>\"]+(/[^\s<>\"]*)?")

MIN_KEY_CHARACTERS = 32
"""The shortest secret key: 128 bits in hexadecimal digits, which cannot be found by trying."""

_FLASK = {
    "SESSION_COOKIE_NAME": "slidewise_game",
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SAMESITE": "Lax",
    "SESSION_REFRESH_EACH_REQUEST": False,
    "PERMANENT_SESSION_LIFETIME": 90 * 24 * 3600,
    "MAX_CONTENT_LENGTH": 128 * 1024,
    "MAX_FORM_MEMORY_SIZE": 128 * 1024,
    "MAX_FORM_PARTS": 20,
}


def configure(app: Flask, overrides: dict[str, Any]) -> None:
    """Set the app's configuration: defaults, then the environment, then `overrides`."""
    app.config.update(_FLASK | _WAITS | settings())
    app.config.update(overrides)
    app.config["SOLVERS"] = app.config["SOLVERS"] or os.cpu_count() or 1
    app.config["WORKER_MEGABYTES"] = _worker_megabytes(app.config)
    app.config["SESSION_COOKIE_SECURE"] = app.config["SECURE_COOKIES"]
    if app.config["HOSTS"]:
        app.config["TRUSTED_HOSTS"] = _listed(app.config["HOSTS"])
    _check_log(app.config["LOG"])
    _check_contact(app.config["CONTACT"])
    app.config["SECRET_KEY_FALLBACKS"] = _listed(app.config["SECRET_KEY_FALLBACKS"])
    if not app.config.get("SECRET_KEY"):
        app.config["SECRET_KEY"] = os.environ.get("SLIDEWISE_SECRET_KEY") or _kept_key(app)
    _check_key(app.config["SECRET_KEY"])


def settings() -> dict[str, Any]:
    """Return the settings: those of the environment, else the defaults."""
    given = {name: os.environ.get(f"SLIDEWISE_{name}") for name in DEFAULTS}
    return {
        name: default if (text := given[name]) is None else _like(default, name, text)
        for name, default in DEFAULTS.items()
    }


def _worker_megabytes(config: Mapping[str, Any]) -> int:
    """Return the memory of each worker process; ends the start where a search does not fit."""
    given: int = config["WORKER_MEGABYTES"]
    nodes: int = config["SOLVE_MEGABYTES"]
    if given and given < nodes + LEAST_SPARE_MEGABYTES:
        raise SystemExit(
            f"SLIDEWISE_WORKER_MEGABYTES is {given} and needs {nodes + LEAST_SPARE_MEGABYTES}: "
            f"SLIDEWISE_SOLVE_MEGABYTES, and {LEAST_SPARE_MEGABYTES} for what a search takes beside"
        )
    return given or nodes + SPARE_MEGABYTES


def _like(default: object, name: str, text: str) -> object:
    """Read `text` as the type that the default has."""
    if isinstance(default, bool):
        return text.lower() in {"1", "true", "yes", "on"}
    if isinstance(default, int):
        if not (text.isascii() and text.isdigit()):
            raise SystemExit(f"SLIDEWISE_{name} must be a whole number, got {text!r}")
        return int(text)
    return text


def _listed(text: str) -> list[str]:
    """Return the parts of a setting between its commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def _check_log(how: str) -> None:
    if how not in {"off", "text", "json"}:
        raise SystemExit(f"SLIDEWISE_LOG must be off, text or json, got {how!r}")


def _check_contact(contact: str) -> None:
    if contact and not _CONTACT.fullmatch(contact):
        raise SystemExit(
            "SLIDEWISE_CONTACT must be an address for mail, such as games@example.org, or of a "
            f"page, such as https://example.org/contact, got {contact[:80]!r}"
        )


def _check_key(key: str) -> None:
    """End the start where a key could be found by trying."""
    if len(key) < MIN_KEY_CHARACTERS:
        raise SystemExit(
            f"SLIDEWISE_SECRET_KEY has {len(key)} characters and needs {MIN_KEY_CHARACTERS}. "
            'Make one: python3 -c "import secrets; print(secrets.token_hex(32))". Name the old '
            "one in SLIDEWISE_SECRET_KEY_FALLBACKS, so that games go on."
        )


def _kept_key(app: Flask) -> str:
    """Return the key kept in the instance folder, made at the first start.

    Games are signed with it: another key would end every game in progress.
    """
    path = Path(app.instance_path) / "secret_key"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # written under a name of its own and linked, so that two first starts agree on one key
        fresh = path.with_name(f".secret_key.{secrets.token_hex(8)}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_hex(32), encoding="ascii")
        try:
            path.hardlink_to(fresh)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
        return path.read_text(encoding="ascii")
    except OSError as error:
        app.logger.warning(
            "Cannot keep a key in %s (%s): games will not outlive this process. "
            "Set SLIDEWISE_SECRET_KEY to change that.",
            path,
            error.strerror,
        )
        return secrets.token_hex(32)
