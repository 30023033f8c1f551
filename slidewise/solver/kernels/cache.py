"""The cache of compiled code: a directory for each state of the kernels' sources.

numba compiles a function anew when its own file has changed, but not when another file has from
which it calls a function. So each state of the kernels' sources has a directory of its own.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import logging
import os
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
from numba import config
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    NullCache,
    UserProvidedCacheLocator,
)

from slidewise.solver import cache_dirs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


try:
    import fcntl
except ImportError:  # Windows, where each process compiles for itself
    fcntl = None  # type: ignore[assignment]

VARIABLE = "NUMBA_CACHE_DIR"

KEPT_SECONDS = 7 * 24 * 3600
"""After so long without use a directory, such as an earlier version's, is removed."""


def find() -> bool:
    """Return whether compiled code can be cached, and tell numba where.

    If the directory cannot be written, as under a service account without a home, and holds no
    compiled code either, as that of an image does, each process compiles for itself.
    """
    place = directory()
    if not (cache_dirs.is_writable(place) or _filled(place)):
        return False
    if place.parent == _package_cache_dir():
        with contextlib.suppress(OSError):
            os.utime(place)
        remove_unused(_package_cache_dir())
        os.environ[VARIABLE] = str(place)
        if "numba" in sys.modules:  # it has read the variable already
            sys.modules["numba"].config.CACHE_DIR = str(place)
    return True


@contextlib.contextmanager
def kernel_cache() -> Iterator[None]:
    """Have a directory for compiled code that can be written, a temporary one if need be."""
    with cache_dirs.writable_dir(VARIABLE, directory()):
        find()
        yield


def directory() -> Path:
    """Return where compiled code is to be kept: where the user's NUMBA_CACHE_DIR says, else in
    the user's cache directory."""
    told = os.environ.get(VARIABLE)
    if (
        told and Path(told).parent != _package_cache_dir()
    ):  # not told by the process that started this one
        return Path(told)
    return _package_cache_dir() / fingerprint()


def has_compiled_code() -> bool:
    """Return whether there is compiled code in the cache; loads no compiler to find out."""
    return find() and _filled(directory())


def _package_cache_dir() -> Path:
    return cache_dirs.user_dir("kernels")


def _filled(place: Path) -> bool:
    return any(place.glob("*/*.nbc"))


@contextlib.contextmanager
def compile_lock(name: str, cached: bool) -> Iterator[None]:
    """Wait until no other process compiles the kernel `name`, if it is `cached` where it does."""
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

    Each is renamed first, so that of several processes only one removes it, and none finds it
    half removed.
    """
    for kept in directory.glob("[0-9a-f]" * 16):
        with contextlib.suppress(OSError):
            if time.time() - kept.stat().st_mtime > KEPT_SECONDS:
                kept.rename(directory / f"removed-{kept.name}-{os.getpid()}")
    for removed in directory.glob("removed-*"):
        shutil.rmtree(removed, ignore_errors=True)


DIGEST_BYTES = hashlib.sha256().digest_size

SOURCES = fingerprint()

log = logging.getLogger(__name__)


class NotCachedError(ImportError):
    """A function that would have to be compiled, where that is not wanted now."""


_may_compile = True


@contextlib.contextmanager
def only_cached() -> Iterator[None]:
    """Have what is not in the cache refused with `NotCachedError` instead of compiled."""
    global _may_compile
    _may_compile = False
    try:
        yield
    finally:
        _may_compile = True


def cache_of(function: Callable[..., Any]) -> ChecksummedCache | NoCache:
    """Return the cache of a function, one that keeps nothing where there is no place for it."""
    try:
        return ChecksummedCache(function)
    except (RuntimeError, OSError):
        return NoCache()


class NoCache(NullCache):  # type: ignore[misc]  # numba has no types
    """Keeps nothing."""

    def load_overload(self, sig: Any, target_context: Any) -> None:
        """Return nothing, or refuse."""
        if not _may_compile:
            raise NotCachedError("there is no cache of compiled code")


class CacheDir(UserProvidedCacheLocator):  # type: ignore[misc]
    """A folder in the directory that numba was told of, also where it can only be read, as in an
    image: one for these sources, wherever they are installed."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = str(Path(config.CACHE_DIR) / f"slidewise-{SOURCES}-{numba.__version__}")

    def get_source_stamp(self) -> tuple[str, str]:
        """Return what changes with the sources: with all kernels, as one is compiled into another,
        and with no time of a file, which an image rounds."""
        return SOURCES, hashlib.sha256(Path(self._py_file).read_bytes()).hexdigest()

    def ensure_cache_path(self) -> None:
        """Raise `OSError` where there is no such directory and none can be made."""
        if not Path(self.get_cache_path()).is_dir():
            super().ensure_cache_path()


class CompiledCode(CompileResultCacheImpl):  # type: ignore[misc]
    """Compiled code as numba keeps it, in that directory and no other."""

    _locator_classes = (CacheDir,)


class ChecksummedCache(FunctionCache):  # type: ignore[misc]
    """The cache of one function."""

    _impl_class = CompiledCode

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = ChecksummedFile(
            self.cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled code for a signature, None if there is none that is sound."""
        kernel_cache = None
        try:
            kernel_cache = super().load_overload(sig, target_context)
        except OSError as error:
            log.warning("Compiled code cannot be read from %s: %s", self.cache_path, error)
        if kernel_cache is None and not _may_compile:
            raise NotCachedError(f"{self._name} is not compiled yet")
        return kernel_cache

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code for the next process, if it can be kept."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_not_cached(self.cache_path, error.strerror)


@functools.cache
def _warn_not_cached(path: str, why: str | None) -> None:
    """Log, once in a process, that compiled code cannot be kept."""
    log.warning("Compiled code cannot be kept in %s: %s", path, why)


class ChecksummedFile(IndexDataCacheFile):  # type: ignore[misc]
    """The files of one function: an index, and the code for each signature."""

    def _load_index(self) -> Any:
        return super()._load_index() if _is_intact(self._index_path) else {}

    def _load_data(self, name: str) -> Any:
        if not _is_intact(self._data_path(name)):
            raise FileNotFoundError(self._data_path(name))  # which numba takes for "not cached"
        return super()._load_data(name)

    @contextlib.contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        content = io.BytesIO()
        yield content
        # Numba passes over what follows the pickle in a file.
        Path(self._cache_path).mkdir(parents=True, exist_ok=True)
        with super()._open_for_write(filepath) as file:
            file.write(content.getvalue() + hashlib.sha256(content.getvalue()).digest())


def _is_intact(path: str) -> bool:
    """Return whether there is a file and it is as it was written; remove one that is not."""
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        return False
    if hashlib.sha256(content[:-DIGEST_BYTES]).digest() == content[-DIGEST_BYTES:]:
        return True
    log.warning("Compiled code was damaged and is made anew: %s", path)
    with contextlib.suppress(OSError):
        Path(path).unlink()
    return False
