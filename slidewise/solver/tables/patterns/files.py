"""Files of built tables, a file for each partition, memory-mapped on demand.

A file has a header of 4,096 bytes, followed by the tables. It is written under a temporary name and
renamed when complete, so readers never see a partial file. If two processes build the same tables,
the later file replaces an equal file. A file with an unexpected header or length is ignored, and
the next build replaces it.

The checksum in the header covers every byte of the tables. Each process verifies it for tables of
up to `CHECKED_EACH_TIME_BYTES`. For larger tables the checksum is cached in a file next to them,
until their size, inode or change time differs. At 0.4 s per GB it would double the startup time of
a proof.
"""

from __future__ import annotations

import contextlib
import json
import logging
import mmap
import os
import secrets
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from slidewise.solver import cache_dirs

if TYPE_CHECKING:
    from slidewise.solver.tables.patterns.partition import Partition

log = logging.getLogger(__name__)

VARIABLE = "SLIDEWISE_TABLES"
"""Environment variable that overrides the directory of the files."""

MAGIC = b"slidewise pattern database\n"
VERSION = 3
HEADER_BYTES = 4096
"""Size of the header, one memory page, so that the tables start on a page."""

SUFFIX, PART_SUFFIX = ".tables", cache_dirs.PART_SUFFIX
"""Suffixes of complete files and of files being written."""

STALE_SECONDS = 3600
"""Age from which an incomplete file counts as abandoned, longer than any build."""

CHECKED_EACH_TIME_BYTES = 64 * 2**20
"""Maximum size of tables that each process verifies on loading, in 30 ms at most."""

CHECKED_SUFFIX = ".checked"
"""Suffix of the file with a cached checksum."""

BLOCK_BYTES = 2**16
"""Bytes per read, which fit the CPU cache. CRC-32 takes 0.4 s per GB. SHA-256 would take 0.65 s,
BLAKE2b 1.05 s and a sum of products in NumPy 0.25 s."""


@dataclass(frozen=True)
class Stored:
    """Metadata of a file of tables.

    `name`, `rows`, `cols` and `blank` are None if the header is invalid. `written` is in seconds
    since 1970.
    """

    path: Path
    bytes: int
    written: float
    name: str | None = None
    rows: int | None = None
    cols: int | None = None
    blank: int | None = None


class Mapped(NamedTuple):
    """A mapped file of tables and the checksum of the tables, which start at `HEADER_BYTES`."""

    memory: mmap.mmap
    checksum: int


def directory() -> Path:
    """Return the directory of the files."""
    configured = os.environ.get(VARIABLE)
    return Path(configured) if configured else cache_dirs.user_dir("tables")


@contextlib.contextmanager
def found() -> Iterator[None]:
    """Provide a writable directory for the files, a temporary directory if necessary."""
    with cache_dirs.writable_dir(VARIABLE, directory()):
        yield


def path(partition: Partition) -> Path:
    """Return the file of a partition.

    >>> from slidewise.solver.tables.patterns.partition import Partition
    >>> path(Partition(".ab aab", 11.41)).name
    '2x3-blank0-3-2.tables'
    """
    rows, cols = partition.size
    return directory() / f"{rows}x{cols}-blank{partition.blank}-{partition.name}{SUFFIX}"


def read(partition: Partition) -> Mapped | None:
    """Map the file of a partition, or return None if it is missing or invalid.

    Processes share the memory copy-on-write.
    """
    with contextlib.suppress(OSError, ValueError), path(partition).open("rb") as file:
        facts = _facts(file.read(HEADER_BYTES))
        if os.fstat(file.fileno()).st_size != HEADER_BYTES + partition.bytes:
            return None
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        found = _checksum(file, path(partition))
        if facts == _describe(partition, found):
            return Mapped(mapped, found)
    return None


def write(partition: Partition, tables: memoryview) -> bool:
    """Write the file of a partition. Logs a failure and returns False."""
    with NewFile(partition) as new:
        return new.write(tables) and new.complete() is not None


class NewFile:
    """Writer of a partition's file, under a temporary name until it is complete.

    The first OS error is logged and stops the writing.
    """

    def __init__(self, partition: Partition) -> None:
        self._partition = partition
        self._path = directory() / f"{secrets.token_hex(8)}{PART_SUFFIX}"
        self._file: BinaryIO | None = None
        self._failed = False

    def __enter__(self) -> NewFile:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            if self._file:
                self._file.close()
        with contextlib.suppress(OSError):
            self._path.unlink()  # unless complete and renamed

    def write(self, tables: memoryview) -> bool:
        """Append tables; return whether that succeeded."""
        if not self._failed:
            with self._logging():
                file = self._open()
                file.write(tables)
                file.flush()
        return not self._failed

    def complete(self) -> Mapped | None:
        """Rename the complete file and return it mapped, like `read`.

        Returns None on failure.
        """
        if not self._failed:
            with self._logging():
                file = self._open()
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                found = _checksum_of(file)
                facts = json.dumps(_describe(self._partition, found)).encode()
                # The header is written last, so that an incomplete file is never valid.
                file.seek(0)
                file.write((MAGIC + facts).ljust(HEADER_BYTES))
                file.flush()
                os.fsync(file.fileno())
                file.close()
                self._path.replace(path(self._partition))
                cache_dirs.sync_entries(directory())
                return Mapped(mapped, found)
        return None

    def read_into(self, tables: memoryview) -> int:
        """Copy the file's content into `tables`; return its size in bytes."""
        if self._file is None:
            return 0
        with self._path.open("rb") as file:
            file.seek(HEADER_BYTES)
            return file.readinto(tables)

    def _open(self) -> BinaryIO:
        if self._file is None:
            directory().mkdir(parents=True, exist_ok=True)
            _remove_stale()
            self._file = self._path.open("x+b")
            self._file.write(bytes(HEADER_BYTES))
        return self._file

    @contextlib.contextmanager
    def _logging(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            log.warning("Tables cannot be stored in %s: %s", directory(), error)
            self._failed = True


def stored() -> list[Stored]:
    """Return all files, including invalid files."""
    return [_stored(file) for file in sorted(directory().glob(f"*{SUFFIX}"))]


def clear() -> list[Stored]:
    """Remove all files and return them. Existing mappings stay valid."""
    removed = [*stored(), *map(_stored, directory().glob(f"*{PART_SUFFIX}"))]
    for file in removed:
        file.path.unlink(missing_ok=True)
    for beside in directory().glob(f"*{CHECKED_SUFFIX}"):
        beside.unlink(missing_ok=True)
    return removed


def _checksum(file: BinaryIO, tables: Path) -> int:
    """Return the checksum of the tables in an open file, cached for large unchanged files."""
    status = os.fstat(file.fileno())
    if status.st_size - HEADER_BYTES <= CHECKED_EACH_TIME_BYTES:
        return _checksum_of(file)
    beside = tables.with_name(tables.name + CHECKED_SUFFIX)
    is_now = [status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns]
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        remembered = json.loads(beside.read_bytes())
        if remembered["file"] == is_now:
            return int(remembered["checksum"])
    found = _checksum_of(file)
    with contextlib.suppress(OSError):  # read-only folder, so the next process verifies again
        text = json.dumps({"file": is_now, "checksum": found})
        cache_dirs.write_whole(beside, text.encode())
    return found


def _checksum_of(file: BinaryIO) -> int:
    """Return the CRC-32 of all bytes after the header."""
    check = 0
    file.seek(HEADER_BYTES)
    while block := file.read(BLOCK_BYTES):
        check = zlib.crc32(block, check)
    return check


def _describe(partition: Partition, checksum: int) -> dict[str, Any]:
    """Return the header fields of tables with a checksum."""
    rows, cols = partition.size
    return {
        "version": VERSION,
        "name": partition.name,
        "rows": rows,
        "cols": cols,
        "blank": partition.blank,
        "groups": [list(group) for group in partition.groups],
        "bytes": partition.bytes,
        "checksum": checksum,
    }


def _facts(header: bytes) -> dict[str, Any]:
    """Parse a header, or return an empty result if it is invalid."""
    if not header.startswith(MAGIC):
        return {}
    try:
        facts = json.loads(header.removeprefix(MAGIC))
    except ValueError:
        return {}
    return facts if isinstance(facts, dict) else {}


def _stored(file: Path) -> Stored:
    status = file.stat()
    with file.open("rb") as opened:
        facts = _facts(opened.read(HEADER_BYTES))
    names = ("name", "rows", "cols", "blank")
    return Stored(file, status.st_size, status.st_mtime, *(facts.get(name) for name in names))


def _remove_stale() -> None:
    """Remove incomplete files of killed processes."""
    for file in directory().glob(f"*{PART_SUFFIX}"):
        with contextlib.suppress(OSError):
            if time.time() - file.stat().st_mtime > STALE_SECONDS:
                file.unlink()
