"""Shipped tables equal built ones, and damaged ones are not used."""

import lzma
import random

import numpy as np
import pytest

from slidewise.solver.tables.patterns import database, files
from slidewise.solver.tables.patterns.partition import find_partition
from tests.solver.patterns import tables_of

SMALL = find_partition(3, 4, 0)


def test_shipped_tables_equal_built_ones():
    assert np.array_equal(database.unpack(SMALL), tables_of(SMALL))
    assert database.unpack(find_partition(4, 4, 0)) is not None
    assert database.unpack(find_partition(2, 4, 0)) is None


@pytest.mark.parametrize(
    "damage",
    [lambda file: file[:-9], bytes.upper, lambda file: b"", lambda file: lzma.compress(b"x")],
)
def test_damaged_tables_are_not_used(damage, tmp_path, monkeypatch):
    torn = tmp_path / "torn"
    torn.write_bytes(damage(database.path(SMALL).read_bytes()))
    monkeypatch.setattr(database, "path", lambda partition: torn)
    assert database.unpack(SMALL) is None


def test_damaged_tables_of_the_package_are_reported(tmp_path, monkeypatch, caplog):
    small = find_partition(2, 4, 0)
    torn = tmp_path / "torn"
    torn.write_bytes(b"torn")
    monkeypatch.setenv(files.VARIABLE, str(tmp_path))
    monkeypatch.setattr(database, "_loaded", {})
    monkeypatch.setattr(database, "path", lambda partition: torn)
    assert [*database.prepare(2, 4)]
    assert caplog.messages == [f"Tables of the package are damaged and are built: {torn}"]
    assert small in database._loaded


def test_damage_never_changes_the_values_of_a_shipped_file(tmp_path, monkeypatch):
    """A damaged file is refused, or the damage is harmless, as bytes after its end are."""
    good = database.path(SMALL).read_bytes()
    expected = database.unpack(SMALL)
    file = tmp_path / "damaged"
    monkeypatch.setattr(database, "path", lambda partition: file)
    draw, unused = random.Random(25), 0
    for _ in range(20):
        start, size = draw.randrange(len(good)), draw.randrange(1, 100)
        for damaged in (
            good[:start] + bytes([good[start] ^ 1 << draw.randrange(8)]) + good[start + 1 :],
            good[:start] + bytes(size) + good[start + size :],
            good[:start],
            good + bytes(size),
        ):
            file.write_bytes(damaged)
            found = database.unpack(SMALL)
            unused += found is None
            assert found is None or np.array_equal(found, expected)
    assert unused >= 55
