"""Running a command: what it did, and as a program on a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from dataclasses import dataclass

PROGRAM = [sys.executable, "-m", "webapp"]

RESULT_FIELDS = [
    "puzzle", "algorithm", "heuristic", "weight", "status", "length", "moves", "tiles",
    "verdict", "lower_bound", "reason", "expanded", "generated", "peak_frontier", "peak_stored",
    "deepest", "seconds",
    "convention",
]  # fmt: skip
"""The fields of a result as JSON, in their order: scripts rely on them."""


@dataclass(frozen=True)
class Run:
    """What a command did."""

    code: int
    out: str
    err: str


def on_terminal(*argv: str, results: bool = False) -> tuple[str, str, int]:
    """Run the program with its errors, and with `results` all, on a terminal.

    Return what that showed, the rest of its output, and the exit code.
    """
    ours, theirs = pty.openpty()
    stdout = theirs if results else subprocess.PIPE
    with subprocess.Popen([*PROGRAM, *argv], stdout=stdout, stderr=theirs, text=True) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # how Linux says that the other side has closed it
            pass
        out = "" if results else process.stdout.read()
    os.close(ours)
    return shown.decode(), out, process.returncode
