"""Runs of a command, in this process and as a program on a terminal."""

import os
import pty
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

PROGRAM = [sys.executable, "-m", "webapp"]

RESULT_FIELDS = [
    "puzzle", "algorithm", "heuristic", "weight", "status", "length", "moves", "tiles",
    "verdict", "lower_bound", "reason", "expanded", "generated", "peak_frontier", "peak_stored",
    "deepest", "seconds",
    "convention", "seed", "cooling",
]  # fmt: skip
"""JSON fields of a result, in order. Scripts rely on them."""


def python(*argv: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python in another process; return its exit code and its output as text."""
    command = [sys.executable, *argv]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@dataclass(frozen=True)
class Run:
    """The exit code and output of a command."""

    code: int
    out: str
    err: str


def on_terminal(*argv: str, results: bool = False) -> tuple[str, str, int]:
    """Run the program on a terminal with its stderr, and with its stdout if `results`.

    Return the terminal's text, the rest of stdout and the exit code.
    """
    ours, theirs = pty.openpty()
    stdout = theirs if results else subprocess.PIPE
    with subprocess.Popen([*PROGRAM, *argv], stdout=stdout, stderr=theirs, text=True) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # Linux reports a closed other side this way
            pass
        out = "" if results else process.stdout.read()
    os.close(ours)
    return shown.decode(), out, process.returncode
