"""Judges a program that runs in a process of its own, with limits of time and memory."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from slidewise.study.exercises.data import Exercise
from slidewise.study.exercises.judging import Judgement, Rules
from slidewise.study.exercises.session import ProgramReply, drive, judging, read_reply
from slidewise.study.programs.child import LoadProgram, Run, as_line

MAX_ANSWER: Final = 200_000_000
"""Bytes that a process may write."""

DONE: Final = b'{"done": true}'
READ_BYTES: Final = 1 << 20
PACKAGE_FOLDER = Path(__file__).parents[3]


@dataclass(frozen=True)
class ProcessLimits:
    """Limits of one program's process: seconds by the clock and of CPU time, and its memory."""

    seconds: int = 20
    megabytes: int = 1024


class _EndedError(Exception):
    """A process has ended or was ended."""


def judge_confined(
    exercise: Exercise,
    code: str,
    function: str,
    *,
    seed: int = 1,
    rules: Rules,
    limits: ProcessLimits,
) -> Judgement:
    """Run a function of a program in a process of its own and judge its results here.

    The program cannot change the judgement, but it can read files and use the network. The
    expansions are what its process reports.
    """
    with tempfile.TemporaryDirectory() as folder, _Process(folder, limits) as process:
        session = judging(exercise, code, function=function, seed=seed, rules=rules)
        return drive(session, process.answer)


class _Process:
    """The process of a program, ended with all that it began when this is left."""

    def __init__(self, folder: str, limits: ProcessLimits) -> None:
        self._limits = limits
        self._deadline = time.monotonic() + limits.seconds
        self._data = b""
        self._lines: list[bytes] = []
        self._size = 0
        module = "slidewise.study.programs.child"
        bounds = str(limits.seconds), str(limits.megabytes)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-B", "-m", module, *bounds],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=_environment(folder),
            start_new_session=True,
        )
        self._parts: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        assert self._process.stdout
        read = self._process.stdout, self._parts
        threading.Thread(target=_read_parts, args=read, daemon=True).start()

    def __enter__(self) -> _Process:
        return self

    def __exit__(self, *_: object) -> None:
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        with suppress(OSError):
            if self._process.stdin:
                self._process.stdin.close()
        self._process.wait()

    def answer(self, request: LoadProgram | Run) -> ProgramReply:
        """Send a request and return its results, as many as come."""
        lines: list[bytes] = []
        try:
            self._send(as_line(request))
            while (line := self._read()) != DONE:
                lines.append(line)
        except _EndedError as error:
            return read_reply(request, lines, str(error))
        return read_reply(request, lines)

    def _send(self, line: str) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise _EndedError(self._why()) from None

    def _read(self) -> bytes:
        while not self._lines:
            self._fill()
        return self._lines.pop(0)

    def _fill(self) -> None:
        remaining = max(0.0, self._deadline - time.monotonic())
        try:
            part = self._parts.get(timeout=remaining)
        except queue.Empty:
            raise _EndedError(f"stopped after {self._limits.seconds} seconds") from None
        self._size += len(part)
        if not part:
            raise _EndedError(self._why())
        if self._size > MAX_ANSWER:
            raise _EndedError("stopped: it returns too much")
        *lines, self._data = (self._data + part).split(b"\n")
        self._lines += lines

    def _why(self) -> str:
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "the program closed its results"
        if -code in {getattr(signal, name, None) for name in ("SIGKILL", "SIGXCPU")}:
            return f"stopped after {self._limits.seconds} seconds of CPU time"
        if code < 0:
            return f"the process was ended by signal {-code}, as by too deep recursion"
        return f"the program ended its process (exit code {code})"


def _read_parts(stream: IO[bytes], parts: queue.SimpleQueue[bytes]) -> None:
    """Read the results of a process in a thread, at most `MAX_ANSWER` and a part; the last part is
    empty. Windows waits for no pipe with a timeout."""
    size = 0
    with stream, suppress(OSError):
        while size <= MAX_ANSWER and (part := os.read(stream.fileno(), READ_BYTES)):
            size += len(part)
            parts.put(part)
    parts.put(b"")


def _environment(folder: str) -> dict[str, str]:
    """Return the environment of a process: none of the caller's secrets."""
    needed = {"SYSTEMROOT"} & set(os.environ)  # by Python on Windows
    return {name: os.environ[name] for name in needed} | {
        "PATH": os.defpath,
        "HOME": folder,
        "PYTHONPATH": str(PACKAGE_FOLDER),
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "LANG": "C.UTF-8",
    }
