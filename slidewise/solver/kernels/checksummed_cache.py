"""Cache of compiled code in files with a checksum, so that damaged code is never run."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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
from slidewise.solver.kernels import cache

DIGEST_BYTES = hashlib.sha256().digest_size

SOURCES = cache.fingerprint()

log = logging.getLogger(__name__)


class NotCachedError(ImportError):
    """A function would have to be compiled, within `only_cached`."""


_may_compile = True


@contextlib.contextmanager
def only_cached() -> Iterator[None]:
    """Raise `NotCachedError` for uncached functions instead of compiling them."""
    global _may_compile
    _may_compile = False
    try:
        yield
    finally:
        _may_compile = True


def cache_of(function: Callable[..., Any]) -> ChecksummedCache | NoCache:
    """Return the cache of a function, or a `NoCache` if no directory can be written."""
    try:
        return ChecksummedCache(function)
    except (RuntimeError, OSError):
        return NoCache()


class NoCache(NullCache):  # type: ignore[misc]  # numba has no types
    """A cache that stores nothing."""

    def load_overload(self, sig: Any, target_context: Any) -> None:
        """Return None, or raise `NotCachedError` within `only_cached`."""
        if not _may_compile:
            raise NotCachedError("there is no cache of compiled code")


class CacheDir(UserProvidedCacheLocator):  # type: ignore[misc]  # the same
    """A folder for these sources in numba's cache directory.

    The directory may be read-only, as in an image. The folder does not depend on the place of
    installation.
    """

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = str(Path(config.CACHE_DIR) / f"slidewise-{SOURCES}-{numba.__version__}")

    def get_source_stamp(self) -> tuple[str, str]:
        """Return a stamp of all kernels' sources, as kernels are compiled into each other.

        It uses no modification times, which an image rounds.
        """
        return SOURCES, hashlib.sha256(Path(self._py_file).read_bytes()).hexdigest()

    def ensure_cache_path(self) -> None:
        """Raise `OSError` if the directory is missing and cannot be created."""
        if not Path(self.get_cache_path()).is_dir():
            super().ensure_cache_path()


class CompiledCode(CompileResultCacheImpl):  # type: ignore[misc]  # the same
    """Compiled code in numba's format, in `CacheDir` only."""

    _locator_classes = (CacheDir,)


class ChecksummedCache(FunctionCache):  # type: ignore[misc]  # the same
    """The cache of a function."""

    _impl_class = CompiledCode

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = ChecksummedFile(
            self.cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled code for a signature, None if it is missing or damaged."""
        kernel_cache = None
        try:
            kernel_cache = super().load_overload(sig, target_context)
        except OSError as error:
            log.warning("Compiled code cannot be read from %s: %s", self.cache_path, error)
        if kernel_cache is None and not _may_compile:
            raise NotCachedError(f"{self._name} is not compiled yet")
        return kernel_cache

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store compiled code for the next process, if possible."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_not_cached(self.cache_path, error.strerror)


@functools.cache
def _warn_not_cached(path: str, why: str | None) -> None:
    """Log, once per process, that compiled code cannot be stored."""
    log.warning("Compiled code cannot be stored in %s: %s", path, why)


class ChecksummedFile(IndexDataCacheFile):  # type: ignore[misc]  # the same
    """The files of a function: an index, and the code for each signature."""

    def _load_index(self) -> Any:
        return super()._load_index() if _is_intact(self._index_path) else {}

    def _load_data(self, name: str) -> Any:
        if not _is_intact(self._data_path(name)):
            raise FileNotFoundError(self._data_path(name))  # numba's sign of "not cached"
        return super()._load_data(name)

    @contextlib.contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        content = io.BytesIO()
        yield content
        # numba ignores all bytes after the pickle in a file.
        Path(self._cache_path).mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256(content.getvalue()).digest()
        cache_dirs.write_whole(Path(filepath), content.getvalue() + digest)


def _is_intact(path: str) -> bool:
    """Return whether a file exists undamaged; remove a damaged file."""
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        return False
    if hashlib.sha256(content[:-DIGEST_BYTES]).digest() == content[-DIGEST_BYTES:]:
        return True
    log.warning("Compiled code was damaged and is compiled again: %s", path)
    with contextlib.suppress(OSError):
        Path(path).unlink()
    return False
