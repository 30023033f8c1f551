"""The cache of compiled kernels: its directory, and processes that use it at the same time."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import pytest

from slidewise.solver import cache_dirs, compiling
from slidewise.solver.kernels import cache

ROOT = Path(compiling.__file__).parents[2]

KERNEL = """
from slidewise.solver.kernels.jit import entry_point, helper

@helper
def square(number):
    return number * number

@entry_point("int64(int64)")
def sum_of_squares(count):
    total = 0
    for number in range(count):
        total += square(number)
    return total

print(sum_of_squares(6), "compiled:", sum(sum_of_squares.stats.cache_misses.values()))
"""
"""A module that compiles in a second; a search takes ten."""


def start(code, **environment):
    """Start a Python process that runs `code`, without a numba cache by default."""
    clean = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        env={**clean, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def output(process):
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """Restore the environment."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    monkeypatch.delenv("NUMBA_CACHE_DIR")


def test_processes_that_compile_at_once_share_the_cache(tmp_path):
    (tmp_path / "kernel.py").write_text(KERNEL)
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    together = [start("import kernel", **environment) for _ in range(2)]
    assert [output(process).split()[0] for process in together] == ["55", "55"]
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb?")}
    assert {path.suffix for path in files} == {".nbi", ".nbc"}
    assert output(start("import kernel", **environment)) == "55 compiled: 0\n"
    assert files == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb?")}


def test_unwritable_directories_cache_nothing(tmp_path):
    code = (
        "import tempfile\n"
        "def refuse(*args, **kwargs): raise PermissionError('read-only')\n"
        "tempfile.TemporaryFile = refuse\n"
        "from slidewise.solver.kernels import jit\n"
        "twice = jit.entry_point('int64(int64)')(lambda number: 2 * number)\n"
        "print(jit.CACHE, twice(21))\n"
    )
    assert output(start(code, XDG_CACHE_HOME=str(tmp_path))) == "False 42\n"


@pytest.fixture
def home(monkeypatch, tmp_path):
    """Make a directory the user's cache directory and return that of the kernels."""
    monkeypatch.setattr(cache_dirs, "user_cache_dir", lambda *args, **kwargs: str(tmp_path))
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    return tmp_path / "kernels"


def test_each_state_of_the_sources_has_its_cache_directory(home, monkeypatch):
    assert cache.find()
    first = Path(os.environ["NUMBA_CACHE_DIR"])
    assert (first.parent, first.name) == (home, cache.fingerprint())
    assert first.is_dir()
    assert str(first) == numba.config.CACHE_DIR
    monkeypatch.setattr(cache, "fingerprint", lambda: "0123456789abcdef")
    assert cache.find(), "what another process of ours has set is no choice of the user's"
    assert Path(os.environ["NUMBA_CACHE_DIR"]) == home / "0123456789abcdef"


def test_fingerprint_changes_with_any_file(tmp_path, monkeypatch):
    for file in Path(cache.__file__).parent.glob("*.py"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    same = cache.fingerprint()
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "cache.py"))
    assert cache.fingerprint() == same
    with (tmp_path / "estimate.py").open("a") as file:
        file.write("# one more line")
    changed = cache.fingerprint()
    assert changed != same
    (tmp_path / "estimate.py").rename(tmp_path / "other.py")
    assert cache.fingerprint() not in (same, changed)


def test_only_long_unused_directories_are_removed(home):
    for name in ("0" * 16, "1" * 16, "notes", "0" * 15 + "x"):
        (home / name / "deeper").mkdir(parents=True)
        if name != "1" * 16:
            os.utime(home / name, (1, 1))
    cache.remove_unused(home)
    assert {path.name for path in home.iterdir()} == {"1" * 16, "notes", "0" * 15 + "x"}


def test_several_processes_can_remove_at_once(home):
    for number in range(50):
        (home / f"{number:016x}" / "deeper").mkdir(parents=True)
        os.utime(home / f"{number:016x}", (1, 1))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(cache.remove_unused, [home] * 4))
    assert list(home.iterdir()) == []


def test_configured_cache_directory_is_used(home, monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "mine"))
    assert cache.find()
    assert os.environ["NUMBA_CACHE_DIR"] == str(tmp_path / "mine")
    assert not home.exists()


def test_temporary_cache_directory_is_used_and_removed(home):
    home.write_text("a file where a directory should be")
    with cache.kernel_cache():
        place = cache.directory()
        assert cache.find()
        (place / "kernel").mkdir()
    assert place.name.startswith(cache_dirs.PREFIX)
    assert not place.exists()


def test_read_only_cache_with_the_code_is_used(home, monkeypatch):
    monkeypatch.setattr(cache_dirs, "is_writable", lambda place: False)
    assert not cache.find()
    code = home / cache.fingerprint() / "kernels" / "of_a_search.nbc"
    code.parent.mkdir(parents=True)
    code.write_bytes(b"")
    assert cache.find()
