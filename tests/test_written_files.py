"""Files that the project writes: whole after a failed write, sync or rename; zeros are no data."""

import contextlib
import itertools
import json
import os
import stat
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from slidewise import PuzzleError, parse_puzzle, solve, verify
from slidewise.cli.arguments import UsageError
from slidewise.course.cli import check, grading
from slidewise.research import proof
from slidewise.research.prove import write_certificate
from slidewise.solver.cache_dirs import write_whole
from slidewise.solver.kernels.checksummed_cache import ChecksummedFile
from slidewise.solver.tables.patterns import files
from slidewise.solver.tables.patterns.partition import find_partition
from webapp.config import stored_key
from webapp.play.daily_store import SqliteStore
from webapp.research import proofs

resource = pytest.importorskip("resource")

PUZZLE = parse_puzzle("1.2.3-4.0.5-7.8.6")
PARTITION = find_partition(2, 3, 0)
DAY = date(2026, 11, 29)
DISK_BYTES = 0, 1, 20, 200, 3_000, 20_000
"""Sizes from which a file finds the disk full."""

FAULTS = [("RLIMIT_FSIZE", size) for size in DISK_BYTES]
FAULTS += list(itertools.product(["fsync", "replace", "link"], [0, 1, 2, 3]))
"""The call or the size that fails."""


@cache
def result():
    return solve(PUZZLE, "best")


def json_of(folder):
    return json.loads((folder / "file").read_bytes())


def write_checkpoint(folder, number):
    search = proof.Snapshot({}, {"numbers": np.arange(500)})
    proof.write(folder, proof.Checkpoint(str(PUZZLE), "", 0, None, None, number, 0.0, search))


def read_certificate(folder):
    checked = verify.main([str(folder / "file")]) == verify.CHECKED
    return json_of(folder)["expanded"] if checked else None


def code(folder):
    return ChecksummedFile(str(folder), "kernel", "stamp")


def write_grade_report(folder, number):
    submission = grading.GradedFile("a.py", None, [], str(number))
    grading._write_results(str(folder / "file"), submission, grading.Translator("en"))


def checks(folder):
    return verify.Folder(folder, "0" * 64)


def read_progress(folder):
    found = checks(folder)
    found.drawn(100, None)
    return first(found.done)


def read_key(folder):
    try:
        return 2 if len((folder / "secret_key").read_text()) == 64 else None
    except FileNotFoundError:
        return 1


def counts(folder):
    return SqliteStore(folder / "daily.sqlite3", lambda: DAY)


def first(found):
    """Return the first value of a list or array, or None without one."""
    return None if found is None else next(iter(found), None)


WRITERS = {
    "certificate": (
        lambda folder, number: write_certificate(
            folder / "file", replace(result(), expanded=number)
        ),
        read_certificate,
    ),
    "checkpoint": (write_checkpoint, lambda folder: proof.read(folder, PUZZLE).growth),
    "compiled code": (
        lambda folder, number: code(folder).save("key", [number] * 99),
        lambda folder: first(code(folder).load("key")),
    ),
    "daily counts": (
        lambda folder, number: counts(folder).count(DAY, "3x3", 24, str(number), ""),
        lambda folder: counts(folder).counts(DAY, "3x3").get(24),
    ),
    "key": (
        lambda folder, number: number > 1 and stored_key(folder, asked_for=True),
        read_key,
    ),
    "progress of the checker": (
        lambda folder, number: checks(folder).save({number}, now=True),
        read_progress,
    ),
    "report of check": (
        lambda folder, number: check.write_results(str(folder / "file"), number, "output"),
        lambda folder: json_of(folder)["score"],
    ),
    "report of grade": (
        write_grade_report,
        lambda folder: int(json_of(folder)["output"].split()[-1]),
    ),
    "status of a proof": (
        lambda folder, number: proofs.write_status(folder, {"number": number}),
        lambda folder: first((proofs.read_status(folder) or {}).values()),
    ),
    "table of the checker": (
        lambda folder, number: checks(folder).save_table("a", np.full(99, number, np.uint8)),
        lambda folder: first(checks(folder).table("a")),
    ),
    "tables": (
        lambda folder, number: files.write(
            PARTITION, memoryview(bytes([number]) * PARTITION.bytes)
        ),
        lambda folder: (found := files.read(PARTITION)) and found.memory[-1],
    ),
}
"""What writes a number, and what reads it, by the kind of file."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(files.VARIABLE, str(tmp_path))
    result()  # its own tables and code
    for one in tmp_path.iterdir():
        one.unlink()
    return tmp_path


@contextlib.contextmanager
def failing(name, number):
    """Fail the call `number` of a function of `os`, or have files end at so many bytes."""
    if name == "RLIMIT_FSIZE":
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (number, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        return
    work, calls = getattr(os, name), itertools.count()

    def fail(*args, **options):
        if next(calls) == number:
            raise OSError(5, "input/output error")
        return work(*args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, name, fail)
        yield


@pytest.mark.parametrize(("name", "number"), FAULTS, ids=str)
@pytest.mark.parametrize("writer", WRITERS)
def test_failed_write_leaves_the_old_file_or_the_new(folder, writer, name, number):
    write, read = WRITERS[writer]
    write(folder, 1)
    with failing(name, number), contextlib.suppress(OSError, PuzzleError, UsageError, SystemExit):
        write(folder, 2)
    assert read(folder) in (1, 2)
    assert list(folder.glob("*.part")) == []


@pytest.mark.parametrize("writer", sorted(WRITERS.keys() - {"daily counts"}))
def test_file_is_synced_before_its_name_and_its_folder_after(folder, monkeypatch, writer):
    """SQLite does both by itself."""
    events = []
    sync, rename, link = os.fsync, os.replace, os.link

    def note_sync(descriptor):
        found = os.fstat(descriptor)
        events.append("folder" if stat.S_ISDIR(found.st_mode) else (found.st_ino, found.st_size))
        sync(descriptor)

    def note_name(work, source, target, **options):
        found = Path(source).stat()
        assert events[-1] == (found.st_ino, found.st_size)
        assert found.st_size
        events.append("name")
        work(source, target, **options)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", lambda *args, **options: note_name(rename, *args, **options))
    monkeypatch.setattr(os, "link", lambda *args, **options: note_name(link, *args, **options))
    WRITERS[writer][0](folder, 2)
    assert "name" in events
    assert "checker" in writer or events[-1] == "folder"


@pytest.mark.parametrize("writer", sorted(WRITERS.keys() - {"key"}))
def test_file_of_zeros_is_not_read(folder, writer):
    """As a power cut leaves it. The tests of settings have that of a key."""
    write, read = WRITERS[writer]
    write(folder, 1)
    for file in folder.iterdir():
        file.write_bytes(bytes(file.stat().st_size))
    with contextlib.suppress(ValueError, PuzzleError):  # the error of a reader
        assert read(folder) is None


def test_file_in_memory_below_dev_is_replaced_as_a_whole(folder, monkeypatch):
    monkeypatch.setattr("slidewise.solver.cache_dirs.DEVICES", folder)
    write_whole(folder / "file", b"old")
    with failing("fsync", 0), contextlib.suppress(OSError):
        write_whole(folder / "file", b"new")
    assert (folder / "file").read_bytes() == b"old"


def test_device_is_written_without_a_new_name(folder, monkeypatch):
    """A link such as /dev/stdout leads to a file if a shell redirects to one."""
    (folder / "output").touch()
    (folder / "stdout").symlink_to(folder / "output")
    monkeypatch.setattr("slidewise.solver.cache_dirs.DEVICES", folder)
    write_whole(folder / "stdout", b"report")
    assert (folder / "stdout").is_symlink()
    assert (folder / "output").read_bytes() == b"report"
