"""The files of built tables: one for each partition, mapped into memory where it is needed.

A file begins with 4,096 bytes that say what is in it; the tables follow, one after the other. It
is written under another name and renamed when it is complete, so that nobody sees half of it, and
of two processes that build the same tables at once the later one replaces the file by an equal
one. A file that says anything else than expected, of an earlier version or cut short, is not
used, and the next build replaces it.

The checksum in the header is that of every byte of the tables. Each process computes it when it
loads tables of up to `CHECKED_EACH_TIME_BYTES`. Of larger ones the checksum is remembered in a file
beside them, until their size, inode or time of change is another one: at 0.4 s a GB it would double
the time until a proof begins.
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
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from slidewise.solver import cache_dirs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.solver.tables.patterns.partition import Partition

log = logging.getLogger(__name__)

VARIABLE = "SLIDEWISE_TABLES"
"""The environment variable with another directory for the files."""

MAGIC = b"slidewise pattern database\n"
VERSION = 3
HEADER_BYTES = 4096
"""The header: room for the facts of any partition, and a page of memory, so tables begin one."""

SUFFIX, PART_SUFFIX = ".tables", cache_dirs.PART_SUFFIX
"""The ends of the names of complete files, and of those being written."""

STALE_SECONDS = 3600
"""The age of an incomplete file at which its writer is taken to be dead: no build takes as long."""

CHECKED_EACH_TIME_BYTES = 64 * 2**20
"""Bytes up to which each process checks the tables that it loads, in 30 ms at most."""

CHECKED_SUFFIX = ".checked"
"""What the name of the file with a remembered checksum has behind that of the tables."""

BLOCK_BYTES = 2**16
"""Bytes that are read at a time: they stay in the processor's cache, and the memory of a process
does not grow by the whole tables. Of zlib's CRC-32, SHA-256 (0.65 s a GB) and BLAKE2b (1.05 s) only
the first needs less than half a second; a sum of products in NumPy would need 0.25 s."""


@dataclass(frozen=True)
class Stored:
    """A file of tables. `name`, `rows`, `cols` and `blank` are None where it does not say.

    `written` is in seconds since 1970.
    """

    path: Path
    bytes: int
    written: float
    name: str | None = None
    rows: int | None = None
    cols: int | None = None
    blank: int | None = None


class Mapped(NamedTuple):
    """A file of tables in memory, and the checksum of the tables, which begin at `HEADER_BYTES`."""

    memory: mmap.mmap
    checksum: int


def directory() -> Path:
    """Return where the files are."""
    told = os.environ.get(VARIABLE)
    return Path(told) if told else cache_dirs.user_dir("tables")


@contextlib.contextmanager
def found() -> Iterator[None]:
    """Have a directory for the files that can be written, a temporary one if need be."""
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
    """Return the file of a partition, or None if there is none or it is no good.

    Processes share the memory; what one writes only that one sees.
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
    """Write the file of a partition; return whether it could be written, and log it if not."""
    with NewFile(partition) as new:
        return new.write(tables) and new.complete() is not None


class NewFile:
    """The file of a partition while it is written, under another name until it is complete.

    The first error of the system is logged, and nothing more is written then.
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
            self._path.unlink()  # unless it is complete, and has another name

    def write(self, tables: memoryview) -> bool:
        """Write tables behind those written; return whether they could be."""
        if not self._failed:
            with self._logging():
                file = self._open()
                file.write(tables)
                file.flush()
        return not self._failed

    def complete(self) -> Mapped | None:
        """Give the file its name once all tables are written, and return it mapped, as `read` does.

        None if that could not be done.
        """
        if not self._failed:
            with self._logging():
                file = self._open()
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                found = _checksum_of(file)
                facts = json.dumps(_describe(self._partition, found)).encode()
                file.seek(0)
                file.write((MAGIC + facts).ljust(HEADER_BYTES))
                file.flush()
                os.fsync(file.fileno())
                file.close()
                self._path.replace(path(self._partition))
                return Mapped(mapped, found)
        return None

    def read_into(self, tables: memoryview) -> int:
        """Copy into `tables` what is in the file; return how many bytes that are."""
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
            log.warning("Tables cannot be kept in %s: %s", directory(), error)
            self._failed = True


def stored() -> list[Stored]:
    """Return the files there are, whether they are good or not."""
    return [_stored(file) for file in sorted(directory().glob(f"*{SUFFIX}"))]


def clear() -> list[Stored]:
    """Remove all files and return them. A process that has mapped one can go on using it."""
    removed = [*stored(), *map(_stored, directory().glob(f"*{PART_SUFFIX}"))]
    for file in removed:
        file.path.unlink(missing_ok=True)
    for beside in directory().glob(f"*{CHECKED_SUFFIX}"):
        beside.unlink(missing_ok=True)
    return removed


def _checksum(file: BinaryIO, tables: Path) -> int:
    """Return the checksum of the tables in an open file: of large ones that which is remembered,
    if the file has not changed since."""
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
    with contextlib.suppress(OSError):  # a folder that can only be read: the next process checks
        text = json.dumps({"file": is_now, "checksum": found})
        cache_dirs.write_whole(beside, text.encode())
    return found


def _checksum_of(file: BinaryIO) -> int:
    """Return the CRC-32 of all bytes behind the header."""
    check = 0
    file.seek(HEADER_BYTES)
    while block := file.read(BLOCK_BYTES):
        check = zlib.crc32(block, check)
    return check


def _describe(partition: Partition, checksum: int) -> dict[str, Any]:
    """Return what the header says of tables with a checksum."""
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
    """Return what a header says, nothing if it is none."""
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
    """Remove files that were never complete, as a process that is killed leaves them."""
    for file in _parts():
        with contextlib.suppress(OSError):
            if time.time() - file.stat().st_mtime > STALE_SECONDS:
                file.unlink()


def _parts() -> Iterator[Path]:
    return directory().glob(f"*{PART_SUFFIX}")
