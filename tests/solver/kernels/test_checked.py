"""Compiled code in the cache: what is damaged is noticed, and a cache that fails is no failure."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.solver.kernels.test_cache import KERNEL, ROOT

AGAIN = """
import logging, resource, shutil, sys
logging.basicConfig(format="%(message)s")
"""


@pytest.fixture
def run(tmp_path):
    """Return what a process says that loads a kernel of a second with one cache; and its log."""
    (tmp_path / "kernel.py").write_text(KERNEL)
    cache = tmp_path / "cache"
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)]),
    }

    def start(before=""):
        done = subprocess.run(
            [sys.executable, "-c", f"{AGAIN}\n{before}\nimport kernel"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr

    start.cache = cache
    return start


def truncated(content):
    return content[: len(content) // 2]


def zeroed(content):
    return bytes(len(content))


def flipped(content):
    place = len(content) // 2
    return content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :]


def test_code_that_was_damaged_is_made_anew_and_said_once(run):
    assert run() == ("55 compiled: 1\n", "")
    assert run() == ("55 compiled: 0\n", "")
    for suffix, damage in ((".nbc", flipped), (".nbc", truncated), (".nbi", zeroed)):
        (file,) = run.cache.rglob(f"*{suffix}")
        file.write_bytes(damage(file.read_bytes()))
        out, said = run()
        assert out == "55 compiled: 1\n", damage
        assert said == f"Compiled code was damaged and is made anew: {file}\n"
    assert run() == ("55 compiled: 0\n", "")


def test_a_full_disk_costs_only_the_time_to_compile(run):
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))"
    out, said = run(limit)
    assert out == "55 compiled: 1\n"
    assert said.startswith("Compiled code cannot be kept in ")
    assert said.count("\n") == 1
    assert list(run.cache.rglob("*.nb?*")) == []


def test_a_cache_that_is_deleted_while_a_process_runs_is_made_anew(run):
    delete = f"from slidewise.solver.kernels import jit\nshutil.rmtree({str(run.cache)!r}, True)"
    assert run(delete) == ("55 compiled: 1\n", "")
    assert run() == ("55 compiled: 0\n", "")
    shutil.rmtree(run.cache)
    assert run() == ("55 compiled: 1\n", "")
