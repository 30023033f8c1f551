"""Compiling: where the code is kept, and processes that need it at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from webapp.search import kernels

ROOT = Path(kernels.__file__).parents[3]

SOLVE = """
from webapp.puzzle import parse_puzzle
from webapp.search import search
for text in ("1.0.3-4.2.5", "2.3.0-1.4.6-7.5.8"):
    events = list(search(parse_puzzle(text), "astar"))
    names = [type(event).__name__ for event in events]
    print(*[name for name in names if name != "Progress"], events[-1].result.length)
"""

AT_FIRST = "Preparing Preparing Started Finished 2\nStarted Finished 6\n"


def start(code, **environment):
    """Start a Python process that runs `code`, without a numba cache unless one is given."""
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
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """Leave the environment as it was."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    yield
    os.environ.pop("NUMBA_CACHE_DIR", None)


def test_processes_that_compile_at_once_and_one_that_comes_later(tmp_path):
    cache = str(tmp_path)
    together = [start(SOLVE, NUMBA_CACHE_DIR=cache) for _ in range(2)]
    assert [output(process) for process in together] == [AT_FIRST, AT_FIRST]
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb?")}
    assert kept
    assert output(start(SOLVE, NUMBA_CACHE_DIR=cache)) == AT_FIRST
    assert kept == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb?")}


def test_where_nothing_can_be_written_each_process_compiles_for_itself():
    refuse = (
        "import tempfile\n"
        "def refuse(*args, **kwargs): raise PermissionError('read-only')\n"
        "tempfile.TemporaryFile = refuse\n"
    )
    check = "from webapp.search import kernels\nassert not kernels.CACHE\n"
    assert output(start(refuse + SOLVE + check)) == AT_FIRST


def test_the_cache_is_beside_the_source_where_that_can_be_written(monkeypatch):
    monkeypatch.setattr(kernels, "_writable", lambda directory: True)
    assert kernels._find_cache()
    assert "NUMBA_CACHE_DIR" not in os.environ


def test_else_it_is_in_the_cache_directory_of_the_user(monkeypatch, tmp_path):
    monkeypatch.setattr(kernels, "user_cache_dir", lambda *args, **kwargs: str(tmp_path))
    monkeypatch.setattr(kernels, "_writable", lambda directory: directory.name == "kernels")
    assert kernels._find_cache()
    assert os.environ["NUMBA_CACHE_DIR"] == str(tmp_path / "kernels")


def test_a_cache_directory_that_is_set_already_is_kept(monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/somewhere")
    monkeypatch.setattr(kernels, "_writable", lambda directory: False)
    assert kernels._find_cache()
    assert os.environ["NUMBA_CACHE_DIR"] == "/somewhere"


def test_a_directory_that_is_missing_is_made(tmp_path):
    assert kernels._writable(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []
    (tmp_path / "file").write_text("")
    assert not kernels._writable(tmp_path / "file")


def test_a_kernel_is_ready_once_it_is_loaded():
    module = kernels.load("best_first")
    assert kernels.ready("best_first")
    assert not kernels.ready("nothing_of_that_name")
    assert len(module.search_slice.signatures) == 1, "one compilation serves all boards"


FORKSERVER = """
import multiprocessing, sys
from webapp.puzzle import parse_puzzle
from webapp.search import Limits, search

def work(connection):
    events = list(search(parse_puzzle("8.6.7-2.5.4-3.0.1"), "bfs"))
    connection.send([type(event).__name__ for event in events] + [events[-1].result.length])

if __name__ == "__main__":
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["webapp.search.kernels.best_first"])
    pairs = [context.Pipe(duplex=False) for _ in range(2)]
    workers = [context.Process(target=work, args=(ours,)) for _, ours in pairs]
    for worker in workers:
        worker.start()
    for theirs, _ in pairs:
        seen = theirs.recv()
        assert (seen[0], seen[-2:]) == ("Started", ["Finished", 31]), seen
    for worker in workers:
        worker.join()
    print("done")
"""


def test_workers_forked_from_a_server_with_the_kernel_loaded(tmp_path):
    script = tmp_path / "serve.py"
    script.write_text(FORKSERVER)
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
