"""Judges a program that runs in a process of its own, with limits of time and memory."""

from __future__ import annotations

import base64
import binascii
import json
import os
import pickle
import select
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from slidewise.study.exercises.cases import SQUARE, Draw, cases_of
from slidewise.study.exercises.judging import assess, failed_report, limits_of
from slidewise.study.exercises.running import CallResult, Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slidewise.study.exercises.cases import Case
    from slidewise.study.exercises.data import Exercise
    from slidewise.study.exercises.judging import Judgement, Rules

MAX_ANSWER: Final = 200_000_000
"""Bytes that a process may write."""

READ_BYTES: Final = 1 << 20
PACKAGE_FOLDER = Path(__file__).parents[3]


@dataclass(frozen=True)
class ProcessLimits:
    """Limits of one program's process: seconds by the clock and of CPU time, and its memory."""

    seconds: int = 20
    megabytes: int = 1024


class EndedError(Exception):
    """A process has ended, was ended, or wrote something else than results."""


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

    The program cannot change the judgement, but it can read files and use the network.
    """
    with tempfile.TemporaryDirectory() as folder, _Process(folder, limits) as process:
        draw, ended = Draw(seed), ""
        outcomes: list[CallResult] = []
        try:
            process.send({"exercise": exercise.key, "code": code, "function": function,
                          "seconds": limits.seconds, "megabytes": limits.megabytes})  # fmt: skip
            first = process.read()
            if "failure" in first:
                return failed_report(exercise, _failure(first["failure"]), seed, rules)
            draw = _draw(seed, first)
            cases, allowed = cases_of(exercise, draw), limits_of(exercise, draw)
            number = next((i for i, case in enumerate(cases) if case.every), len(cases))
            _run(process, cases[:number], allowed, outcomes)
            report = assess(exercise, outcomes, draw, rules)
            if number == len(cases) or not rules.every or _fails(report):
                return report
            _run(process, cases[number:], allowed[number:], outcomes)
        except EndedError as error:
            ended = str(error)
            if draw == Draw(seed) and not outcomes:
                return failed_report(exercise, Failure("Stopped", ended, None), seed, rules)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
            ended = "the program wrote into the results"
            return failed_report(exercise, Failure("Stopped", ended, None), seed, rules)
        return assess(exercise, outcomes, draw, rules, ended=ended)


def _fails(report: Judgement) -> bool:
    return not all(check.passed for check in report.checks if check.key != "every")


def _run(
    process: _Process, cases: Sequence[Case], limits: Sequence[int], outcomes: list[CallResult]
) -> None:
    process.send((list(cases), list(limits[: len(cases)])))
    for _ in cases:
        outcomes.append(_outcome(process.read()))
    process.read()


def _draw(seed: int, first: dict[str, Any]) -> Draw:
    shape = SQUARE if first["shape"] == list(SQUARE) else (2, 3)
    return Draw(seed, shape, bool(first["sizes"]))


def _failure(value: dict[str, Any]) -> Failure:
    line = value["line"]
    return Failure(str(value["type"]), str(value["message"]), line if line is None else int(line))


def _outcome(value: dict[str, Any]) -> CallResult:
    """Read a result, of which the types of all fields but the value are known then."""
    try:
        expanded = base64.b64decode(value["expanded"], validate=True)
    except binascii.Error:
        raise EndedError("the program wrote into the results") from None
    return CallResult(
        value["value"],
        _failure(value["error"]) if value["error"] else None,
        bool(value["stopped"]),
        int(value["expansions"]),
        expanded,
        float(value["milliseconds"]),
        value["changed"],
        int(value["generated"]),
    )


class _Process:
    """The process of a program, ended with all that it began when this is left."""

    def __init__(self, folder: str, limits: ProcessLimits) -> None:
        self._limits = limits
        self._deadline = time.monotonic() + limits.seconds
        self._data = b""
        self._lines: list[bytes] = []
        self._size = 0
        module = "slidewise.study.exercises.child"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-B", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=_environment(folder),
            start_new_session=True,
        )

    def __enter__(self) -> _Process:
        return self

    def __exit__(self, *_: object) -> None:
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        for stream in self._process.stdin, self._process.stdout:
            with suppress(OSError):
                if stream:
                    stream.close()
        self._process.wait()

    def send(self, value: object) -> None:
        """Send a value to the process."""
        assert self._process.stdin
        try:
            pickle.dump(value, self._process.stdin)
            self._process.stdin.flush()
        except OSError:
            raise EndedError(self._why()) from None

    def read(self) -> dict[str, Any]:
        """Return the next result. Raises `EndedError`."""
        while not self._lines:
            self._fill()
        try:
            value = json.loads(self._lines.pop(0))
        except (ValueError, RecursionError):
            raise EndedError("the program wrote into the results") from None
        if not isinstance(value, dict):
            raise EndedError("the program wrote into the results")
        return value

    def _fill(self) -> None:
        assert self._process.stdout
        remaining = self._deadline - time.monotonic()
        if remaining <= 0 or not select.select([self._process.stdout], [], [], remaining)[0]:
            raise EndedError(f"stopped after {self._limits.seconds} seconds")
        part = os.read(self._process.stdout.fileno(), READ_BYTES)
        self._size += len(part)
        if not part:
            raise EndedError(self._why())
        if self._size > MAX_ANSWER:
            raise EndedError("stopped: it returns too much")
        *lines, self._data = (self._data + part).split(b"\n")
        self._lines += lines

    def _why(self) -> str:
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "the program closed its results"
        if code in (-signal.SIGKILL, -getattr(signal, "SIGXCPU", 0)):
            return f"stopped after {self._limits.seconds} seconds of CPU time"
        if code < 0:
            return f"the process was ended by signal {-code}, as by too deep recursion"
        return f"the program ended its process (exit code {code})"


def _environment(folder: str) -> dict[str, str]:
    """Return the environment of a process: none of the caller's secrets."""
    return {
        "PATH": os.defpath,
        "HOME": folder,
        "PYTHONPATH": str(PACKAGE_FOLDER),
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "LANG": "C.UTF-8",
    }
