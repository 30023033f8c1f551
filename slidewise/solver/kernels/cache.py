"""Cache of compiled code: a directory for each version of the kernels' sources.

numba recompiles a function if its own file has changed, but not if a called function's file has. So
each version of the kernels' sources has its own directory.

The web process imports this module, so it loads no compiler: `checksummed_cache` does.
"""

import contextlib
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from slidewise.solver import cache_dirs

try:
    import fcntl
except ImportError:  # Windows, where each process compiles for itself
    fcntl = None  # type: ignore[assignment]  # not on Windows

VARIABLE = "NUMBA_CACHE_DIR"

KEPT_SECONDS = 7 * 24 * 3600
"""Age without use after which a directory, for example of an earlier version, is removed."""


def find() -> bool:
    """Configure numba's cache directory; return whether code can be cached.

    The directory is unusable if it is neither writable nor filled. A service account may have no
    home, while an image ships compiled code. Without a cache each process compiles for itself.
    """
    place = directory()
    if not (cache_dirs.is_writable(place) or _filled(place)):
        return False
    if place.parent == _package_cache_dir():
        with contextlib.suppress(OSError):
            # The time of the last use, by which `remove_unused` judges.
            os.utime(place)
        remove_unused(_package_cache_dir())
        os.environ[VARIABLE] = str(place)
        if "numba" in sys.modules:  # it reads the variable only on import
            sys.modules["numba"].config.CACHE_DIR = str(place)
    return True


@contextlib.contextmanager
def kernel_cache() -> Iterator[None]:
    """Provide a writable directory for compiled code, a temporary directory if needed."""
    with cache_dirs.writable_dir(VARIABLE, directory()):
        find()
        yield


def directory() -> Path:
    """Return the user's NUMBA_CACHE_DIR, or a folder in the user's cache directory."""
    configured = os.environ.get(VARIABLE)
    # The parent process may have set the variable to its own folder, for other sources.
    if configured and Path(configured).parent != _package_cache_dir():
        return Path(configured)
    return _package_cache_dir() / fingerprint()


def has_compiled_code() -> bool:
    """Whether the cache holds compiled code. Loads no compiler."""
    return find() and _filled(directory())


def _package_cache_dir() -> Path:
    return cache_dirs.user_dir("kernels")


def _filled(place: Path) -> bool:
    return any(place.glob("*/*.nbc"))


@contextlib.contextmanager
def compile_lock(name: str, cached: bool) -> Iterator[None]:
    """Lock the compilation of the kernel `name` between processes, if it is `cached`."""
    if fcntl is None or not cached:
        yield
        return
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            file = stack.enter_context((Path(os.environ[VARIABLE]) / f"{name}.lock").open("w"))
            fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed, or the process ends
        yield


def fingerprint() -> str:
    """Return 16 hexadecimal digits that stand for the sources of all kernels."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(f"{file.name}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def remove_unused(directory: Path) -> None:
    """Remove the directories of compiled code in `directory` that were not used for long.

    Each is renamed first, so that only a single process removes it, and no process finds it half
    removed.
    """
    for kept in directory.glob("[0-9a-f]" * 16):
        with contextlib.suppress(OSError):
            if time.time() - kept.stat().st_mtime > KEPT_SECONDS:
                kept.rename(directory / f"removed-{kept.name}-{os.getpid()}")
    for removed in directory.glob("removed-*"):
        shutil.rmtree(removed, ignore_errors=True)
