"""`slidewise warm`: compile and unpack everything in advance."""

import os

from slidewise.solver import compiling, warming
from slidewise.solver.tables.patterns import files
from tests.cli.commands import Run


def test_warm_cache_is_left_unchanged(cli):
    done = cli("warm")
    assert (done.code, done.err) == (0, "")
    *parts, ready, where = done.out.splitlines()
    assert parts == [warming.words(part) for part in warming.PARTS]
    assert ready.startswith("ready after ")
    assert where.endswith(f"tables are in {files.directory()}")
    assert any(files.directory().glob(f"*{files.SUFFIX}"))


def test_unwritable_cache_is_an_error(cli, tmp_path, monkeypatch):
    (tmp_path / "cache").write_text("a file where a directory should be")
    monkeypatch.setitem(os.environ, "NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    assert cli("warm") == Run(
        2,
        "",
        f"slidewise: error: compiled code cannot be stored in {tmp_path / 'cache'}; set "
        "NUMBA_CACHE_DIR to a directory you can write to\n",
    )


def test_each_kernel_is_warmed_once():
    assert sorted(warming.PARTS) == sorted([*compiling.KERNELS, warming.TABLES])
