"""Compiled code in the cache: what is damaged is noticed, and a cache that fails is no failure."""

import os
import subprocess
import sys

import pytest

from tests.solver.kernels.test_cache import KERNEL, ROOT

PREPARE = """
import logging, pathlib, resource, shutil, sys
logging.basicConfig(format="%(message)s", stream=sys.stdout)

def load():
    sys.modules.pop("kernel", None)
    import kernel

def files(suffix):
    return sorted(cache.rglob(f"*{suffix}"))
"""
"""What a process begins with that loads the same kernel again and again, as if it were new."""


@pytest.fixture
def run(tmp_path):
    """Return what a process says that loads a kernel of a second, with a cache of its own."""
    (tmp_path / "kernel.py").write_text(KERNEL)
    cache = tmp_path / "cache"
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)]),
    }

    def start(code):
        done = subprocess.run(
            [sys.executable, "-c", f"{PREPARE}\ncache = pathlib.Path({str(cache)!r})\n{code}"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    start.cache = cache
    return start


COMPILED, LOADED = "55 compiled: 1", "55 compiled: 0"

DAMAGE = """
def turned(code):
    place = len(code) // 2
    return code[:place] + bytes([code[place] ^ 4]) + code[place + 1 :]

load()
load()
for suffix, damage in (
    (".nbc", turned),
    (".nbc", lambda code: code[: len(code) // 2]),
    (".nbi", lambda code: bytes(len(code))),
):
    (file,) = files(suffix)
    file.write_bytes(damage(file.read_bytes()))
    load()
load()
"""
"""One bit is turned, the file is cut off, its bytes are zeroed."""


def test_damaged_code_is_compiled_again_and_logged_once(run):
    said = run(DAMAGE)
    (code,), (index,) = run.cache.rglob("*.nbc"), run.cache.rglob("*.nbi")
    anew = [
        [f"Compiled code was damaged and is made anew: {file}", COMPILED]
        for file in (code, code, index)
    ]
    assert said == [COMPILED, LOADED, *anew[0], *anew[1], *anew[2], LOADED]


def test_a_full_disk_costs_only_the_time_to_compile(run):
    warning, *result = run("resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\nload()")
    assert result == [COMPILED]
    assert warning.startswith("Compiled code cannot be kept in ")
    assert list(run.cache.rglob("*.nb?*")) == []


def test_cache_deleted_at_run_time_is_created_again(run):
    delete = "from slidewise.solver.kernels import jit\nshutil.rmtree(cache, True)\nload()\n"
    assert run(f"{delete}load()\nshutil.rmtree(cache)\nload()") == [COMPILED, LOADED, COMPILED]
