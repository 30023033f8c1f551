"""The settings, each of which an environment variable `SLIDEWISE_<NAME>` can set."""

import logging
import os
import re
import secrets
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask

from slidewise.solver.cache_dirs import write_whole

from .workers.memory import LEAST_SPARE_MEGABYTES, SPARE_MEGABYTES

log = logging.getLogger(__name__)

MIN_CHARACTERS = 32
"""Shortest secret key in characters: 128 bits in hexadecimal digits, safe from brute force."""

MIN_DIFFERENT = 8
"""Fewest different characters of a key; random hexadecimal digits have 13 to 16."""

HOW = 'Make one: python3 -c "import secrets; print(secrets.token_hex(32))".'


def configured_keys(config: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the secret keys in the settings, and the errors.

    The first key signs and all verify, so a new key goes before the old keys.
    """
    key, file = config["SECRET_KEY"], config["SECRET_KEY_FILE"]
    listed = _listed(config["SECRET_KEY_FALLBACKS"])
    found = [(f"SLIDEWISE_SECRET_KEY_FALLBACKS: key {n}", old) for n, old in enumerate(listed, 1)]
    if key and file:
        return [], ["SLIDEWISE_SECRET_KEY and SLIDEWISE_SECRET_KEY_FILE are both set; set one"]
    if key:
        return [key], _faults([("SLIDEWISE_SECRET_KEY", key), *found])
    if not file:
        return [], _faults(found)
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or "it is not text"
        return [], [f"SLIDEWISE_SECRET_KEY_FILE: {file} cannot be read: {why}"]
    keys = {n: line.strip() for n, line in enumerate(lines, 1) if line.strip()} or {1: ""}
    named = [(f"SLIDEWISE_SECRET_KEY_FILE: {file}, line {n}", key) for n, key in keys.items()]
    return [*keys.values()], _faults(named + found)


def _faults(keys: Sequence[tuple[str, str]]) -> list[str]:
    """Return an error for each named key that could be guessed."""
    return [f"{name} {fault}. {HOW}" for name, key in keys if (fault := _fault(key))]


def _fault(key: str) -> str | None:
    """Return the reason why a key could be guessed, None for a good key.

    >>> _fault("short"), _fault("0" * 32), _fault("b7e3a90c" * 4)
    ('has 5 characters and needs 32', 'has 1 different characters and needs 8', None)
    """
    if not key.isprintable():
        return "has characters that cannot be printed, such as the zeros that a power cut leaves"
    if len(key) < MIN_CHARACTERS:
        return f"has {len(key)} characters and needs {MIN_CHARACTERS}"
    if len(set(key)) < MIN_DIFFERENT:
        return f"has {len(set(key))} different characters and needs {MIN_DIFFERENT}"
    return None


def stored_key(folder: Path, *, asked_for: bool) -> str | None:
    """Return the secret key in a folder, created at the first start; None if it cannot be stored.

    Games are signed with it, so a new key would end every game in progress. An error in a folder
    that was `asked_for` ends the start.
    """
    path = folder / "secret_key"
    try:
        key = _read_or_make(path)
    except OSError as error:
        if asked_for:
            raise SystemExit(
                f"SLIDEWISE_STATE: a key cannot be stored in {path}: {error.strerror}. Name a "
                "folder that this user can write to, or set SLIDEWISE_SECRET_KEY_FILE."
            ) from error
        log.warning(
            "Cannot store a key in %s (%s): games will not outlive this process. "
            "Set SLIDEWISE_STATE or SLIDEWISE_SECRET_KEY to change that.",
            path,
            error.strerror,
        )
        return None
    if fault := _fault(key.strip()):  # of a hand-written key; its line end signs too
        raise SystemExit(
            f"the key in {path} {fault}. Restore the file from a backup; or remove it: the next "
            "start makes a new key, and games in progress start over."
        )
    return key


def _read_or_make(path: Path) -> str:
    """Return the key in a file, created if missing."""
    if not path.exists():  # an existing key may lie in a read-only folder
        path.parent.mkdir(parents=True, exist_ok=True)
        key = secrets.token_hex(32).encode()
        write_whole(path, key, mode=0o600, replace=False)  # two first starts agree on a key
    return path.read_text(encoding="ascii", errors="replace")


DEFAULTS: dict[str, Any] = {
    # Solving: at most SOLVERS at a time (0: the number of cores), each within its limits.
    "SOLVERS": 0,
    "SOLVE_SECONDS": 60,
    "SOLVE_MEGABYTES": 400,
    "WORKER_MEGABYTES": 0,  # memory of a solver process; 0: SOLVE_MEGABYTES and 1200
    "SOLVE_WAIT": 10,  # seconds that a visitor without JavaScript waits for an answer
    "MAX_STREAMS": 64,
    "STREAMS_PER_VISITOR": 2,
    "PROOFS": "",  # folder for proofs that visitors start; empty: they can start none
    "EXERCISES": "",  # folder of folders with teachers' exercises
    "PROOF_HOURS": 24,  # time limit of a proof until it has to be continued
    "VISITOR_SECONDS": 240,  # CPU time for expensive requests; refills in eight minutes
    "REDIS": "",  # shared with workers and other web processes, as redis://127.0.0.1:6379/0
    # Behind a proxy: how many proxies to believe, and which host names are ours (with commas).
    "PROXIES": 0,
    "HOSTS": "",
    "EMBED": "*",  # sites that may show the pages below /embed/ in frames (with commas); or none
    "CORS": "",  # sites whose scripts may send a POST to the API (with commas); * for all
    "SECURE_COOKIES": False,
    "DRAIN_SECONDS": 0,  # time for open requests when a service manager stops the server
    # Operations: request log, metrics, contact.
    "LOG": "off",  # a line for each request: off, text or json
    "LOG_ADDRESSES": False,  # with the addresses of clients
    "METRICS": False,  # counts, at /metrics
    "INDEX": False,  # search engines may index games and races
    "CONTACT": "",  # an address for mail or of a page
    # Keys that sign games; a file has a key per line. Without any, a key is stored in STATE.
    "SECRET_KEY": "",
    "SECRET_KEY_FILE": "",
    "SECRET_KEY_FALLBACKS": "",  # older keys (with commas): their signatures stay valid
    "STATE": "",
    "PARTS": "*",  # parts besides the game (with commas); * for all, empty for the game alone
}

RANGES = {
    "SOLVERS": (0, 1000),
    "SOLVE_SECONDS": (1, 24 * 3600),
    "SOLVE_MEGABYTES": (1, 1_000_000),
    "WORKER_MEGABYTES": (0, 1_000_000),
    "SOLVE_WAIT": (0, 3600),
    "MAX_STREAMS": (1, 10_000),
    "STREAMS_PER_VISITOR": (1, 10_000),
    "PROOF_HOURS": (1, 10_000),
    "VISITOR_SECONDS": (1, 1_000_000),
    "PROXIES": (0, 10),
    "DRAIN_SECONDS": (0, 3600),
}
"""Smallest and largest value of each number."""

TEXTS = {
    "HOSTS": (
        r"[\w.:\[\]\s,-]+",
        "host names separated by commas, without https:// and without a path",
    ),
    "CORS": (
        r"[\s,]*((\*|https?://[\w.:\[\]-]+)[\s,]*)+",
        "origins such as https://course.example.org, separated by commas and without a path, or *",
    ),
    "EMBED": (
        r"none|[\s,]*((\*|https?://(\*\.)?[\w.:\[\]-]+)[\s,]*)+",
        "origins such as https://course.example.org, separated by commas and without a path, * "
        "for all, or none",
    ),
    "REDIS": (
        r"(rediss?|unix)://\S+",
        "an address such as redis://localhost:6379/0, rediss://... or unix:///run/redis.sock",
    ),
    "LOG": ("off|text|json", "off, text or json"),
    "CONTACT": (
        r"[^\s@/:?&<>\"]+@[^\s@/:?&<>\"]+|https?://[^\s/<>\"]+(/[^\s<>\"]*)?",
        "an address for mail, such as games@example.org, or of a page, such as "
        "https://example.org/contact",
    ),
}
"""Patterns of restricted texts, with their descriptions."""

PREFIX = "SLIDEWISE_"

ELSEWHERE = {"TABLES", "CHROMIUM", "SOAK", "SWEEP"}
"""Variables of the library and the tests, not settings of the app."""

SWITCH = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(
    ("0", "false", "no", "off"), False
)

_PASSWORD = re.compile(r"(?<=:)[^:/@]*(?=@)")
"""The password in a URL."""

_KUBERNETES = re.compile(r"(^|_)SERVICE_(HOST|PORT)|(^|_)PORT_\d+_|(^|_)PORT=\w+://")
"""Variables that Kubernetes sets in each container for a service named `slidewise`."""

NEEDS_REDIS = 'SLIDEWISE_REDIS needs RQ and redis: pip install "slidewise[redis]"'
"""Error if the packages for Redis are not installed."""

_WAITS = {
    # Seconds that a request waits for another process, before it goes on without the answer.
    "CLICK_WAIT": 0.05,  # a look-up, which takes a hundredth of that as a rule
    "NUMBER_WAIT": 2.5,  # the moves left; past it the page shows the known bound
    "HINT_WAIT": 0.5,  # an exact hint; past it a hint that may not be exact
    "RECORD_WAIT": 2.0,  # a recording; past it the page shows that it waits, and polls
    "FACTS_WAIT": 2.0,  # facts of a puzzle in the API
    "QUEUE_WAIT": 1.0,  # beyond its time limit, for a search that had to queue or compile
}

_FLASK = {
    "SESSION_COOKIE_NAME": "slidewise_game",
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SAMESITE": "Lax",
    "SESSION_REFRESH_EACH_REQUEST": False,
    "PERMANENT_SESSION_LIFETIME": 90 * 24 * 3600,
    "MAX_CONTENT_LENGTH": 128 * 1024,
    "MAX_FORM_MEMORY_SIZE": 128 * 1024,
    "MAX_FORM_PARTS": 20,
    "DAYS_AHEAD": 14,  # future days whose puzzles a browser may store for offline use
}


def configure(app: Flask, overrides: dict[str, Any]) -> None:
    """Set the app's configuration: defaults, then the environment, then `overrides`.

    Raises `SystemExit` with all errors.
    """
    found, wrong = read(os.environ)
    config = app.config
    config.update(_FLASK | _WAITS | found)
    config.update(overrides)
    named, wrong_keys = configured_keys(config)
    refuse(wrong + wrong_keys + _too_little_memory(config))
    config["SOLVERS"] = config["SOLVERS"] or os.cpu_count() or 1
    config["WORKER_MEGABYTES"] = (
        config["WORKER_MEGABYTES"] or config["SOLVE_MEGABYTES"] + SPARE_MEGABYTES
    )
    config["SESSION_COOKIE_SECURE"] = config["SECURE_COOKIES"]
    if config["HOSTS"]:
        config["TRUSTED_HOSTS"] = _listed(config["HOSTS"])
    config["STATE_FOLDER"] = folder = Path(config["STATE"] or app.instance_path)
    stored = None if named else stored_key(folder, asked_for=bool(config["STATE"]))
    config["KEY_IS_STORED"] = bool(named or stored)
    config["SECRET_KEY"], *older = named or [stored or secrets.token_hex(32)]
    config["SECRET_KEY_FALLBACKS"] = [*older, *_listed(config["SECRET_KEY_FALLBACKS"])]


def settings() -> dict[str, Any]:
    """Return the settings; raises `SystemExit` with all errors."""
    found, wrong = read(os.environ)
    refuse(wrong)
    return found


def read(environment: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Return the settings and the errors. An empty variable counts as not set, except PARTS."""
    found, wrong = dict(DEFAULTS), []
    for variable in sorted(environment):
        name, text = variable.removeprefix(PREFIX), environment[variable]
        if name == variable or name in ELSEWHERE or _KUBERNETES.search(f"{name}={text}"):
            continue
        if name not in DEFAULTS:
            (nearest,) = get_close_matches(name, [*DEFAULTS, *ELSEWHERE], 1, cutoff=0)
            wrong.append(
                f"{variable} is not a setting; the nearest is {PREFIX}{nearest}, so correct or "
                "remove it"
            )
        elif text or name == "PARTS":
            try:
                found[name] = _value(name, text)
            except ValueError as error:
                shown = _PASSWORD.sub("...", text[:80])
                wrong.append(f"{variable} must be {error}, got {shown!r}")
    return found, wrong


class WorkerSettings(NamedTuple):
    """Settings of `slidewise worker`; `megabytes` limit each process."""

    redis: str
    searches: int
    megabytes: int


def worker_settings() -> WorkerSettings:
    """Return the settings of a worker; raises `SystemExit` with all errors."""
    found, wrong = read(os.environ)
    if not found["REDIS"]:
        wrong.append("SLIDEWISE_REDIS is not set: set it for workers and web processes")
    refuse(wrong + _too_little_memory(found))
    return WorkerSettings(
        found["REDIS"],
        found["SOLVERS"] or os.cpu_count() or 1,
        found["WORKER_MEGABYTES"] or found["SOLVE_MEGABYTES"] + SPARE_MEGABYTES,
    )


def refuse(wrong: Sequence[str]) -> None:
    """Raise `SystemExit` with all errors, if any."""
    if len(wrong) > 1:
        raise SystemExit("\n  ".join([f"{len(wrong)} settings are wrong:", *wrong]))
    if wrong:
        raise SystemExit(wrong[0])


def _value(name: str, text: str) -> object:
    """Parse `text` as the type of the default; raises `ValueError` with a description."""
    default = DEFAULTS[name]
    if isinstance(default, bool):
        if (switch := SWITCH.get(text.strip().lower())) is None:
            raise ValueError("yes or no")
        return switch
    if isinstance(default, int):
        least, most = RANGES[name]
        digits = text.strip()
        if not (digits.isascii() and digits.isdigit() and least <= int(digits[:20]) <= most):
            raise ValueError(f"a whole number from {least:,} to {most:,}")
        return int(digits)
    if name in TEXTS:
        pattern, what = TEXTS[name]
        if not re.fullmatch(pattern, text):
            raise ValueError(what)
    return text


def _too_little_memory(config: Mapping[str, Any]) -> list[str]:
    """Return an error if a worker has too little memory for a search."""
    given, nodes = config["WORKER_MEGABYTES"], config["SOLVE_MEGABYTES"]
    if not given or given >= nodes + LEAST_SPARE_MEGABYTES:
        return []
    return [
        f"SLIDEWISE_WORKER_MEGABYTES is {given} and must be {nodes + LEAST_SPARE_MEGABYTES} or "
        f"more: SLIDEWISE_SOLVE_MEGABYTES and {LEAST_SPARE_MEGABYTES} for the rest of a search"
    ]


def _listed(text: str) -> list[str]:
    """Return the parts of a setting between its commas."""
    return [part.strip() for part in text.split(",") if part.strip()]
