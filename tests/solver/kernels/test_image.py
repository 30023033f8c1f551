"""Compiled code and tables of an image, used by another user on a read-only file system."""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from slidewise import parse_puzzle, solve
from slidewise.solver.kernels import patterns
from slidewise.solver.tables.patterns import database, files
from tests.solver.kernels.test_cache import KERNEL, ROOT
from tests.system_programs import find

FOUR = "1.2.3.4-5.6.7.8-9.10.11.12-13.14.0.15"

UNFINISHED = shutil.ignore_patterns("*.part", "*.tmp.*")
"""Files that other processes of the tests are writing, and rename at the end."""

SOLVE = f"""
from slidewise import parse_puzzle, solve
from slidewise.solver.kernels import cache, checksummed_cache
from slidewise.solver.tables.patterns import files
assert not cache.cache_dirs.is_writable(cache.directory()), "it is read-only"
with checksummed_cache.only_cached():
    print(solve(parse_puzzle("{FOUR}")))
"""


@pytest.fixture
def read_only():
    """Return a function that runs Python without a home and with read-only folders.

    It drops root's capability to write to them.
    """
    dropped = ["--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override"]
    setpriv = find("setpriv")
    if os.geteuid() == 0 and setpriv is None:
        pytest.skip("root writes to read-only folders, but by setpriv (of util-linux)")
    made = []

    def run(code, *folders, **environment):
        for folder in folders:
            for path in (folder, *folder.rglob("*")):
                if path.is_dir():
                    path.chmod(0o555)
                    made.append(path)
        command = [sys.executable, "-W", "error", "-c", code]
        done = subprocess.run(
            [str(setpriv), *dropped, *command] if os.geteuid() == 0 else command,
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    yield run
    for path in made:
        path.chmod(0o755)


def test_solve_compiles_and_writes_nothing(tmp_path, read_only, compiled, monkeypatch):
    tables, kernels = tmp_path / "tables", Path(patterns.estimate_boards._cache.cache_path)
    shutil.copytree(kernels, tmp_path / "kernels" / kernels.name, ignore=UNFINISHED)
    monkeypatch.setattr(database, "_loaded", {})  # otherwise the tables may be in no file
    solve(parse_puzzle(FOUR))
    shutil.copytree(files.directory(), tables, ignore=UNFINISHED)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    output = read_only(
        SOLVE,
        tables,
        tmp_path / "kernels",
        NUMBA_CACHE_DIR=str(tmp_path / "kernels"),
        SLIDEWISE_TABLES=str(tables),
    )
    assert "1 move, optimal" in output
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_portable_code_is_found_despite_file_times(tmp_path, read_only):
    (tmp_path / "kernel.py").write_text(KERNEL)
    environment = {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": str(tmp_path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    assert read_only("import kernel", **environment) == "55 compiled: 1\n"
    os.utime(tmp_path / "kernel.py", (1, 1))
    (index,) = tmp_path.rglob("*.nbi")
    with index.open("rb") as file:
        pickle.load(file)
        _, overloads = pickle.load(file)
    ((_, (_, processor, features), _),) = overloads
    assert (processor, features) == ("generic", "")
    assert read_only("import kernel", tmp_path / "cache", **environment) == "55 compiled: 0\n"
