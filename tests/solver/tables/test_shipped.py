"""The tables that come with the package are those that are built, and torn ones are not used."""

from __future__ import annotations

import lzma

import numpy as np
import pytest

from slidewise.solver.tables.patterns import shipped
from slidewise.solver.tables.patterns.partition import find_partition
from tests.solver.patterns import tables_of

SMALL = find_partition(3, 4, 0)


def test_they_are_those_that_are_built():
    assert np.array_equal(shipped.unpack(SMALL), tables_of(SMALL))
    assert shipped.unpack(find_partition(4, 4, 0)) is not None
    assert shipped.unpack(find_partition(2, 4, 0)) is None


@pytest.mark.parametrize(
    "damage",
    [lambda file: file[:-9], bytes.upper, lambda file: b"", lambda file: lzma.compress(b"x")],
)
def test_torn_ones_are_not_used(damage, tmp_path, monkeypatch):
    torn = tmp_path / "torn"
    torn.write_bytes(damage(shipped.path(SMALL).read_bytes()))
    monkeypatch.setattr(shipped, "path", lambda partition: torn)
    assert shipped.unpack(SMALL) is None
