"""The keys that sign the games in the cookies: those that were given, or one kept in a folder."""

from __future__ import annotations

import logging
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

log = logging.getLogger(__name__)

MIN_CHARACTERS = 32
"""The shortest secret key: 128 bits in hexadecimal digits, which cannot be found by trying."""

HOW = (
    f"and needs {MIN_CHARACTERS}. Make one: "
    'python3 -c "import secrets; print(secrets.token_hex(32))". Name the old one in '
    "SLIDEWISE_SECRET_KEY_FALLBACKS, so that games go on."
)


def given(config: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the keys that the settings give, and what is wrong with them.

    The first signs, and all are read: one takes the place of another by standing before it.
    """
    key, file = config["SECRET_KEY"], config["SECRET_KEY_FILE"]
    if key and file:
        return [], ["SLIDEWISE_SECRET_KEY and SLIDEWISE_SECRET_KEY_FILE are both set; set one"]
    if key:
        return [key], _too_short(key, "SLIDEWISE_SECRET_KEY")
    if not file:
        return [], []
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or "it is not text"
        return [], [f"SLIDEWISE_SECRET_KEY_FILE: {file} cannot be read: {why}"]
    keys = [line.strip() for line in lines if line.strip()] or [""]
    return keys, _too_short(keys[0], f"the first line of SLIDEWISE_SECRET_KEY_FILE, {file},")


def _too_short(key: str, what: str) -> list[str]:
    """Return that a key could be found by trying, if it could."""
    return [f"{what} has {len(key)} characters {HOW}"] if len(key) < MIN_CHARACTERS else []


def kept(folder: Path, *, asked_for: bool) -> str:
    """Return the key kept in a folder, made at the first start.

    Games are signed with it: another key would end every game in progress. Where it cannot be kept
    in a folder that was `asked_for`, that ends the start.
    """
    path = folder / "secret_key"
    try:
        key = _read_or_make(path)
        if wrong := _too_short(key, f"the key in {path}"):
            raise SystemExit(wrong[0])
        return key
    except OSError as error:
        if asked_for:
            raise SystemExit(
                f"SLIDEWISE_STATE: a key cannot be kept in {path}: {error.strerror}. Name a folder "
                "that this user can write to, or set SLIDEWISE_SECRET_KEY_FILE."
            ) from error
        log.warning(
            "Cannot keep a key in %s (%s): games will not outlive this process. "
            "Set SLIDEWISE_STATE or SLIDEWISE_SECRET_KEY to change that.",
            path,
            error.strerror,
        )
        return secrets.token_hex(32)


def _read_or_make(path: Path) -> str:
    """Return the key in a file, which is made where there is none."""
    if path.exists():  # in a folder, perhaps, that can only be read
        return path.read_text(encoding="ascii")
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
