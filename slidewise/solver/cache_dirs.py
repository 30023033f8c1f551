"""Folders for what can be made anew, such as compiled code; one that is read-only is used too."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_cache_dir

if TYPE_CHECKING:
    from collections.abc import Iterator


PREFIX = "slidewise-"
"""How the names of temporary folders begin."""

PART_SUFFIX = ".part"
"""The end of the name of a file while it is written."""

NO_HOME = Path(os.devnull) / "slidewise"
"""The folder of a user without a home: one that nobody can make, not even root."""


def user_dir(name: str) -> Path:
    """Return the folder of that name among the user's caches."""
    try:
        place = Path(user_cache_dir("slidewise", appauthor=False))
    except RuntimeError:  # no home, in newer versions of platformdirs
        place = NO_HOME
    return (place if place.is_absolute() else NO_HOME) / name


def is_writable(directory: Path) -> bool:
    """Return whether files can be made in `directory`, which is made if need be."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError:
        return False
    return True


def write_whole(file: Path, data: bytes) -> None:
    """Write a file under another name and rename it, so that it is there whole or not at all.

    What is no regular file, such as a pipe or /dev/stdout, is written as it is. Raises `OSError`.
    """
    if file.exists() and not file.is_file():
        file.write_bytes(data)
        return
    part = file.with_name(file.name + PART_SUFFIX)
    try:
        with part.open("wb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
        part.replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


@contextlib.contextmanager
def writable_dir(variable: str, directory: Path) -> Iterator[None]:
    """Have files kept in `directory`, if that can be written.

    Else the environment's `variable` names a temporary folder, removed at the end, with links to
    the files that are there: what came with an image is used, and what is made beside it is there
    for all processes.
    """
    if is_writable(directory):
        yield
        return
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # else each process has what it makes for itself
            place = stack.enter_context(
                tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
            )
            _link_files(directory.resolve(), Path(place))
            os.environ[variable] = place
        yield


def _link_files(directory: Path, place: Path) -> None:
    """Make links in `place` to the files below `directory`, but for locks."""
    for file in directory.rglob("*"):
        if file.is_file() and file.suffix != ".lock":
            link = place / file.relative_to(directory)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file)
