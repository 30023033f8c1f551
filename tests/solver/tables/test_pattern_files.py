"""Files of the tables: they are complete or not used."""

import os
import random
import sys
import zlib
from itertools import zip_longest
from pathlib import Path
from subprocess import run

import numpy as np
import pytest

from slidewise import InvalidBoardError, standard_goal
from slidewise.solver import cache_dirs, compiling
from slidewise.solver.events import Preparing
from slidewise.solver.tables.patterns import database, files
from slidewise.solver.tables.patterns.database import load, prepare, ready
from slidewise.solver.tables.patterns.partition import UnknownPartitionError, find_partition
from tests.solver.patterns import tables_of

PARTITION = find_partition(2, 4, 0)
GOAL = standard_goal(2, 4)


@pytest.fixture(scope="module")
def tables():
    return tables_of(PARTITION)


@pytest.fixture(autouse=True)
def directory(tmp_path, monkeypatch):
    """Start with nothing built or stored."""
    monkeypatch.setattr(database, "_loaded", {})
    monkeypatch.setattr(database, "_unusable", set())
    monkeypatch.setenv(files.VARIABLE, str(tmp_path / "tables"))
    compiling.load("patterns_build")
    return tmp_path / "tables"


def memory_layout(tables):
    """Return the tables with their layout in memory."""
    return ready(PARTITION, tables).values.tolist()


def forget():
    """Forget loaded tables, so the files are read again."""
    database._loaded.clear()


def test_built_table_is_stored_and_loaded(directory, tables):
    what = "building the pattern database 4-3"
    events = list(prepare(2, 4))
    assert events[0] == Preparing(what, 0, 100)
    assert events[-1] == Preparing(what, 100, 100)
    assert list(prepare(2, 4)) == []
    forget()
    assert list(prepare(2, 4)) == []
    values = load(GOAL).arrays.values
    assert type(values) is np.ndarray
    assert values.tolist() == memory_layout(tables)
    assert [file.name for file in directory.iterdir()] == ["2x4-blank0-4-3.tables"]


def flip(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:100],
        lambda data: data[: files.HEADER_BYTES],
        lambda data: data[:-1],
        lambda data: data + b"\0",
        lambda data: flip(data, -1 % len(data)),
        lambda data: flip(data, files.HEADER_BYTES),
        lambda data: flip(data, 0),
        lambda data: flip(data, len(files.MAGIC)),
        lambda data: data[: files.HEADER_BYTES] + bytes(len(data) - files.HEADER_BYTES),
        lambda data: data.replace(b'"version": 3', b'"version": 0'),
        lambda data: data.replace(b'"blank": 0', b'"blank": 1'),
        lambda data: data.replace(b"{", b"[", 1),
        lambda data: b"\xff" * len(data),
        lambda data: (files.MAGIC + b"[1]").ljust(len(data)),
    ],
)
def test_damaged_old_or_foreign_file_is_rebuilt(spoil, tables, caplog):
    load(GOAL)
    file = files.path(PARTITION)
    good = file.read_bytes()
    file.write_bytes(spoil(good))
    assert files.read(PARTITION) is None
    forget()
    assert caplog.text == ""
    assert load(GOAL).arrays.values.tolist() == memory_layout(tables)
    assert file.read_bytes() == good
    assert caplog.messages == [
        f"Tables are not used, as they are damaged, of another version or too large: {file}"
    ]


def test_rebuilt_tables_are_reported_on_stderr():
    """The command runs in a process of its own, whose log nobody has set up."""
    command = [sys.executable, "-m", "slidewise", "solve", "1.2.3.4-5.6.7.8-9.10.0.11", "--json"]
    first = run(command, capture_output=True, text=True, check=True)
    (file,) = files.directory().glob("*.tables")
    file.write_bytes(b"torn")
    second = run(command, capture_output=True, text=True, check=True)
    assert first.stderr == ""
    assert second.stderr.splitlines() == [
        f"Tables are not used, as they are damaged, of another version or too large: {file}"
    ]
    assert file.stat().st_size > len(b"torn")


def test_unreadable_larger_tables_are_not_used():
    """The files are damaged, or larger than the address space of the process."""
    goal = standard_goal(4, 4)
    larger = find_partition(4, 4, 0, "7-8")
    load(goal)
    forget()
    files.path(larger).write_bytes(b"torn")
    assert load(goal).partition == "6-6-3"
    assert load(goal).partition == "6-6-3"


@pytest.fixture
def large(tables, monkeypatch):
    """Treat all tables as large, store those of `PARTITION`, and return their file."""
    monkeypatch.setattr(files, "CHECKED_EACH_TIME_BYTES", 0)
    monkeypatch.setattr(files, "BLOCK_BYTES", 1000)
    assert files.write(PARTITION, tables.data)
    return files.path(PARTITION)


@pytest.fixture
def full_reads(monkeypatch):
    """Return a list that gets an entry whenever all bytes of a file are read."""
    made, compute = [], files._checksum_of
    monkeypatch.setattr(files, "_checksum_of", lambda file: made.append(file) or compute(file))
    return made


def test_every_byte_of_large_tables_counts(large):
    good = large.read_bytes()
    draw = random.Random(25)
    places = [files.HEADER_BYTES, len(good) - 1]
    places += [draw.randrange(files.HEADER_BYTES, len(good)) for _ in range(200)]
    for place in places:
        large.write_bytes(flip(good, place))
        assert files.read(PARTITION) is None, place
    large.write_bytes(good)
    assert files.read(PARTITION)


def test_large_tables_are_read_whole_once_for_each_change(large, full_reads, tables):
    def read():
        """Return whether the tables are good, and the number of full reads."""
        full_reads.clear()
        found = files.read(PARTITION)
        return bool(found), len(full_reads)

    assert [read(), read(), read()] == [(True, 1), (True, 0), (True, 0)]
    os.utime(large, (1, 1))
    assert [read(), read()] == [(True, 1), (True, 0)]
    assert files.write(PARTITION, tables.data)  # another file of the same name
    assert [read(), read()] == [(True, 1), (True, 0)]
    before = large.stat()
    large.write_bytes(flip(large.read_bytes(), 5000))
    os.utime(large, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert large.stat().st_size == before.st_size
    assert [read(), read()] == [(False, 1), (False, 0)]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"file": [0, 0, 0, 0], "checksum": 0}'])
def test_stale_stored_checksum_is_recomputed(text, large, full_reads):
    beside = large.with_name(f"{large.name}{files.CHECKED_SUFFIX}")
    beside.write_text(text)
    for times in 1, 0:
        full_reads.clear()
        assert files.read(PARTITION)
        assert len(full_reads) == times
    files.clear()
    assert not beside.exists()


def test_large_tables_in_a_read_only_folder_are_read_fully(large, full_reads, monkeypatch):
    def refuse(file, data):
        raise OSError("read-only file system")

    monkeypatch.setattr(cache_dirs, "write_whole", refuse)
    full_reads.clear()
    assert files.read(PARTITION)
    assert files.read(PARTITION)
    assert len(full_reads) == 2


def test_small_tables_are_checked_each_time(full_reads, tables):
    assert files.write(PARTITION, tables.data)
    full_reads.clear()
    assert files.read(PARTITION)
    assert files.read(PARTITION)
    assert len(full_reads) == 2


def test_database_has_the_checksum_of_its_tables(directory, tables):
    expected = zlib.crc32(tables)
    assert load(GOAL).checksum == expected  # built
    forget()
    assert load(GOAL).checksum == expected  # read
    forget()
    files.clear()
    directory.rmdir()
    directory.write_text("a file")
    assert load(GOAL).checksum == expected  # in memory


def test_tables_stay_in_memory_if_nothing_can_be_written(directory, tables):
    directory.write_text("a file")
    assert [event.done for event in prepare(2, 4)][-1] == 100
    assert load(GOAL).arrays.values.tolist() == memory_layout(tables)
    assert list(prepare(2, 4)) == []
    assert directory.read_text() == "a file"
    assert files.stored() == []


@pytest.mark.parametrize("groups", [0, 1])
def test_disk_full_after_some_groups_is_handled(groups, directory, tables, monkeypatch):
    write, left = files.NewFile.write, groups

    def refuse(self, table):
        nonlocal left
        left -= 1
        self._failed |= left < 0
        return write(self, table)

    monkeypatch.setattr(files.NewFile, "write", refuse)
    assert load(GOAL).arrays.values.tolist() == memory_layout(tables)
    assert files.stored() == []
    assert list(directory.glob("*")) == []


def test_file_mode_follows_the_umask(directory, tables):
    assert files.write(PARTITION, tables.data)
    (directory / "usual").write_text("")
    assert files.path(PARTITION).stat().st_mode == (directory / "usual").stat().st_mode


def test_cancelled_build_leaves_no_file(directory):
    events = prepare(2, 4)
    assert next(events).done == 0
    events.close()
    assert not directory.exists()
    assert database._loaded == {}


def test_two_builds_at_once_succeed(directory, tables):
    first, second = prepare(2, 4), prepare(2, 4)
    for _ in zip_longest(first, second):
        pass
    assert [file.name for file in directory.iterdir()] == ["2x4-blank0-4-3.tables"]
    forget()
    assert list(prepare(2, 4)) == []
    assert load(GOAL).arrays.values.tolist() == memory_layout(tables)


def test_mapped_table_outlives_its_file(tables):
    values = load(GOAL).arrays.values
    files.clear()
    assert values.tolist() == memory_layout(tables)


def test_old_temporary_files_of_killed_processes_are_removed(directory, tables):
    directory.mkdir()
    for name in "old.part", "new.part", "old.txt":
        (directory / name).write_text("")
        if name != "new.part":
            os.utime(directory / name, (1, 1))
    assert files.write(PARTITION, tables.data)
    names = {file.name for file in directory.iterdir()}
    assert names == {"new.part", "old.txt", "2x4-blank0-4-3.tables"}


def test_stored_tables_are_listed_and_cleared(directory, tables):
    assert files.stored() == files.clear() == []
    assert files.write(PARTITION, tables.data)
    (directory / "foreign.tables").write_text("nonsense")
    (directory / "notes").write_text("")
    good, foreign = files.stored()
    assert (good.name, good.rows, good.cols, good.blank) == ("4-3", 2, 4, 0)
    assert good.bytes == files.HEADER_BYTES + PARTITION.bytes
    assert (foreign.name, foreign.bytes) == (None, 8)
    assert files.clear() == [good, foreign]
    assert [file.name for file in directory.iterdir()] == ["notes"]


def test_default_directory_is_the_users(monkeypatch):
    monkeypatch.delenv(files.VARIABLE)
    monkeypatch.setattr(cache_dirs, "user_cache_dir", lambda *args, **kwargs: "/cache")
    assert files.directory() == Path("/cache/tables")


def test_unknown_partitions_are_refused():
    with pytest.raises(UnknownPartitionError, match="up to 16 cells and for 5x5, not for 4x5"):
        load(standard_goal(4, 5))
    with pytest.raises(UnknownPartitionError, match=r"no pattern database '9-9'.*4-3"):
        load(GOAL, "9-9")
    with pytest.raises(InvalidBoardError, match="a goal of 3x3, got 2x4"):
        list(prepare(3, 3, GOAL))
