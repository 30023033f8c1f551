"""Cache directories for rebuildable files such as compiled code; they may be read-only."""

import contextlib
import os
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path

from platformdirs import user_cache_dir

PREFIX = "slidewise-"
"""Name prefix of temporary directories."""

PART_SUFFIX = ".part"
"""Suffix of a file that is still being written."""

DEVICES = Path("/dev")
"""Folder whose links are never replaced: /dev/stdout leads to a file if a shell redirects it."""

NO_HOME = Path(os.devnull) / "slidewise"
"""Directory of a user without a home, which not even root can create."""


def user_dir(name: str) -> Path:
    """Return the directory `name` in the user's cache directory."""
    try:
        place = Path(user_cache_dir("slidewise", appauthor=False))
    except RuntimeError:  # no home, in newer versions of platformdirs
        place = NO_HOME
    return (place if place.is_absolute() else NO_HOME) / name


def is_writable(directory: Path) -> bool:
    """Return whether files can be created in `directory`. Creates it if missing."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError:
        return False
    return True


def write_whole(file: Path, data: bytes, *, mode: int = 0o666, replace: bool = True) -> None:
    """Write a file atomically and durably: a crash leaves the old file or the new file.

    The data is synced under a random temporary name before the rename. Without `replace` an
    existing file stays. A pipe or a device such as /dev/stdout is written directly. Raises
    `OSError`.
    """
    is_device = file.is_symlink() and file.is_relative_to(DEVICES)
    if is_device or (file.exists() and not file.is_file()):
        file.write_bytes(data)
        return
    part = file.with_name(f"{file.name}.{secrets.token_hex(4)}{PART_SUFFIX}")
    try:
        with open(part, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
        if replace:
            part.replace(file)
        else:
            with contextlib.suppress(FileExistsError):
                # Unlike a rename, a hard link fails if the file exists.
                file.hardlink_to(part)
            part.unlink()
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
    sync_entries(file.parent)


def sync_entries(folder: Path) -> None:
    """Sync the entries of a folder, so that a rename in it survives a power cut.

    Errors are ignored, as some file systems and Windows cannot do this.
    """
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def writable_dir(variable: str, directory: Path) -> Iterator[None]:
    """Use `directory` as the cache directory, or a temporary directory if it is read-only.

    The environment's `variable` then names the temporary directory, removed at the end. It
    links to the existing files, so a prebuilt cache is used. All processes share new files.
    """
    if is_writable(directory):
        yield
        return
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # each process then builds its own files
            place = stack.enter_context(
                tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
            )
            _link_files(directory.resolve(), Path(place))
            os.environ[variable] = place
        yield


def _link_files(directory: Path, place: Path) -> None:
    """Link the files below `directory` into `place`, except locks."""
    for file in directory.rglob("*"):
        if file.is_file() and file.suffix != ".lock":
            # A lock in a read-only directory cannot be taken, so new locks are created.
            link = place / file.relative_to(directory)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file)
