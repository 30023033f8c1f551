"""Standard input, output and errors: closed, full, or leading to a program that is gone."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO


class OutputError(Exception):
    """Output that cannot be written; the message says why."""


class ReaderGoneError(OutputError):
    """The program that reads the output has gone, so that there is nobody to tell anything."""


@contextmanager
def safe_streams() -> Iterator[None]:
    """Have output that cannot be written raise `OutputError`.

    What cannot be written to standard error is dropped: there is nobody to tell of it.
    """
    _open_closed_streams()
    output = cast("TextIO", _Output(sys.stdout))
    errors = cast("TextIO", _Errors(sys.stderr))
    with redirect_stdout(output), redirect_stderr(errors):
        yield


def drop_output() -> None:
    """Have what is still to be written go nowhere, or Python would complain at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def reason(error: OSError) -> str:
    """Return why a file cannot be read or written."""
    return "it is closed" if error.errno == errno.EBADF else str(error.strerror)


class _Output:
    """A file whose errors are not `OSError`: argparse and rich pass over those or exit."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        if isinstance(file, io.TextIOWrapper):
            file.reconfigure(errors="backslashreplace")  # for terminals that know few letters

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, text: str) -> int:
        """Write as the file does."""
        with _as_our_own():
            return self._file.write(text)

    def flush(self) -> None:
        """Flush as the file does."""
        with _as_our_own():
            self._file.flush()


class _Errors(_Output):
    """A file whose errors are passed over."""

    def write(self, text: str) -> int:
        """Write as the file does, if it can."""
        with suppress(OSError):
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush as the file does, if it can."""
        with suppress(OSError):
            self._file.flush()


@contextmanager
def _as_our_own() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise ReaderGoneError from None
    except OSError as error:
        raise OutputError(
            f"cannot write the output: {reason(error)}; send it somewhere else"
        ) from None


def _open_closed_streams() -> None:
    """Give streams that were closed a file that cannot be read, or written, as it should be.

    Otherwise the next file that is opened would take the place of standard output.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r", closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", closefd=False)
