"""Judges a program that runs in a confined process."""

from __future__ import annotations

import io
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, cast

from slidewise.course.judge.confinement import Confinement, ProcessLimits
from slidewise.course.judge.driving import Answer, judge_by
from slidewise.course.judge.exercise import Exercise
from slidewise.course.judge.find import KnownForm
from slidewise.course.judge.fitting import Result
from slidewise.course.judge.report import Judgement, Rules
from slidewise.course.judge.session import NOTHING_KNOWN, read_reply
from slidewise.course.programs.calls import ProgramReply
from slidewise.course.programs.child import LoadProgram, Run, as_line

MAX_RESULT_BYTES: Final = 4_000_000
"""Maximum bytes of the results of a request; the exercises' own programs write 1,000,000."""

READ_BYTES: Final = 1 << 16
DONE: Final = b'{"done": true}\n'
COMMAND = (sys.executable, "-P", "-B", "-m", "slidewise.course.programs.child")
LOOK_SECONDS: Final = 0.25
"""Seconds between two checks of the size of a process's files."""


class _EndedError(Exception):
    """A process has ended or was ended."""


def judge_confined(
    exercise: Exercise,
    code: str,
    known: KnownForm = NOTHING_KNOWN,
    *,
    files: tuple[tuple[str, str], ...] = (),
    explicit: bool = True,
    seed: int = 1,
    rules: Rules,
    limits: ProcessLimits,
    confinement: Confinement | None = None,
) -> Judgement:
    """Run a function of a program in a confined process and judge its results here.

    The program cannot change the judgement, but it can read files, and the expansions are its own
    report. A program that is killed from outside runs once more, without others in parallel.
    """

    def judge(answer: Answer) -> Judgement:
        return judge_by(
            answer,
            exercise,
            code,
            files,
            definitions=True,
            known=known,
            explicit=explicit,
            seed=seed,
            rules=rules,
        )

    return run_confined(judge, limits, confinement)


def run_confined(
    work: Callable[[Answer], Result], limits: ProcessLimits, confinement: Confinement | None = None
) -> Result:
    """Do work with a program in a confined process; repeat it alone if the process is killed."""
    if confinement is None:
        with Confinement() as own:
            return run_confined(work, limits, own)

    # A kill from outside may be due to the memory of parallel processes.
    def run(*, alone: bool) -> tuple[Result, bool]:
        with confinement.turn(alone=alone), _Program(confinement, limits) as program:
            return work(program.answer), program.killed

    result, killed = run(alone=False)
    return run(alone=True)[0] if killed else result


class _Program:
    """A program in a confined process, which answers requests until its time is over."""

    def __init__(self, confinement: Confinement, limits: ProcessLimits) -> None:
        self._confinement, self._limits = confinement, limits
        self._deadline = 0.0
        self._seconds_left = float(limits.seconds)
        self._next_look = 0.0
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._size = 0
        self._ended: _EndedError | None = None
        self.killed = False
        self._process = confinement.start(COMMAND, limits)
        threading.Thread(target=self._read_lines, daemon=True).start()

    def __enter__(self) -> _Program:
        return self

    def __exit__(self, *_: object) -> None:
        self._confinement.end(self._process)

    def answer(self, request: LoadProgram | Run) -> ProgramReply:
        """Send a request and return its results, possibly only the first of them.

        The time between answers is the judge's own, and does not count.
        """
        lines: list[bytes] = []
        self._deadline = time.monotonic() + self._seconds_left
        self._size = 0
        self._next_look = 0.0
        send = as_line(request).encode() + b"\n"
        threading.Thread(target=self._send, args=(send,), daemon=True).start()
        try:
            while (line := self._next_line()) != DONE:
                lines.append(line)
        except _EndedError as error:
            # Later requests fail at once with the same reason.
            self._ended = error
            return read_reply(request, lines, str(error))
        finally:
            self._seconds_left = self._deadline - time.monotonic()
        return read_reply(request, lines)

    def _send(self, line: bytes) -> None:
        """Write in a thread, because a program that does not read blocks its writer."""
        assert self._process.popen.stdin
        with suppress(OSError, ValueError):
            while line:
                line = line[self._process.popen.stdin.write(line) :]

    def _read_lines(self) -> None:
        """Read the results in a thread, because reads from pipes on Windows have no timeout.

        A last line without a line break is "" at the end, or "x" above `MAX_RESULT_BYTES`.
        """
        assert self._process.popen.stdout
        line = b"\n"
        stream = io.BufferedReader(cast("io.RawIOBase", self._process.popen.stdout), READ_BYTES)
        with stream, suppress(OSError):
            while line.endswith(b"\n") and self._size <= MAX_RESULT_BYTES:
                line = stream.readline(MAX_RESULT_BYTES + 1)
                self._size += len(line)
                self._lines.put(line)
        self._lines.put(b"x" if self._size > MAX_RESULT_BYTES else b"")

    def _next_line(self) -> bytes:
        while True:
            now = time.monotonic()
            self._check(now)
            with suppress(queue.Empty):
                # Short waits, so that the checks also run while the program is silent.
                line = self._lines.get(timeout=min(LOOK_SECONDS, self._deadline - now))
                break
        if line.endswith(b"\n"):
            return line
        raise _EndedError("stopped: it returns too much" if line else self._why())

    def _check(self, now: float) -> None:
        if self._ended:
            raise self._ended
        if now >= self._deadline:
            raise _EndedError(f"stopped after {self._limits.seconds} seconds")
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            if self._process.written_too_much():
                raise _EndedError("stopped: its files are too large")

    def _why(self) -> str:
        try:
            code = self._process.popen.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "the program closed its results"
        if -code == getattr(signal, "SIGXCPU", None):
            return f"stopped after {self._limits.seconds} seconds of CPU time"
        if -code == getattr(signal, "SIGKILL", None):
            self.killed = True
            return "the process was killed from outside"
        if code < 0:
            return f"the process was ended by signal {-code}, as by too deep recursion"
        return f"the program ended its process (exit code {code})"
