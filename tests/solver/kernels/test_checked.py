"""Compiled code in the cache: damage is detected, and cache errors are not fatal."""

import os

import pytest

from tests.cli.commands import python
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
"""Start of a process that loads the same kernel repeatedly, each time as a new one."""


@pytest.fixture
def run(tmp_path):
    """Return the output of a process that loads a small kernel with a separate cache."""
    (tmp_path / "kernel.py").write_text(KERNEL)
    cache = tmp_path / "cache"
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)]),
    }

    def start(code):
        program = f"{PREPARE}\ncache = pathlib.Path({str(cache)!r})\n{code}"
        done = python("-c", program, env=environment)
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
"""Damage: a flipped bit, a truncated file, zeroed bytes."""


def test_damaged_code_is_compiled_again_and_logged_once(run):
    events = run(DAMAGE)
    (code,), (index,) = run.cache.rglob("*.nbc"), run.cache.rglob("*.nbi")
    anew = [
        [f"Compiled code was damaged and is compiled again: {file}", COMPILED]
        for file in (code, code, index)
    ]
    assert events == [COMPILED, LOADED, *anew[0], *anew[1], *anew[2], LOADED]


def test_full_disk_costs_only_the_time_to_compile(run):
    warning, *result = run("resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\nload()")
    assert result == [COMPILED]
    assert warning.startswith("Compiled code cannot be stored in ")
    assert list(run.cache.rglob("*.nb?*")) == []


def test_cache_deleted_at_run_time_is_created_again(run):
    delete = "from slidewise.solver.kernels import jit\nshutil.rmtree(cache, True)\nload()\n"
    assert run(f"{delete}load()\nshutil.rmtree(cache)\nload()") == [COMPILED, LOADED, COMPILED]
