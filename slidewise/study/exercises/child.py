"""The process of one program: it runs the calls and writes their results, which another judges.

It reads two pickled values from standard input, the program and later the calls, and writes one
line of JSON for each result. A program's own output goes nowhere.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import sys
from contextlib import suppress
from dataclasses import asdict
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from slidewise.study.exercises.boards import Shape, goal_of, neighbors, walk
from slidewise.study.exercises.cases import SQUARE, Draw, cases_of
from slidewise.study.exercises.data import find_exercise
from slidewise.study.exercises.forms import FLAT, FORMS
from slidewise.study.exercises.running import Failure, LoadError, Program, boards_in, run_cases

if TYPE_CHECKING:
    from slidewise.study.exercises.data import Exercise
    from slidewise.study.exercises.running import CallResult

MAX_RECURSION: Final = 5_000
PROBED: Final = 3
"""Calls that try a form of boards."""

PROBE_EXPANSIONS: Final = 300
SHAPES: tuple[Shape, ...] = (SQUARE, (2, 3))
OPEN_FILES: Final = 64
WRITTEN_BYTES: Final = 1_000_000


def main() -> None:
    """Serve one program."""
    source, results = _streams()
    task = pickle.load(source)
    _limit(task["seconds"], task["megabytes"])
    exercise = find_exercise(task["exercise"])
    try:
        program, shape, sizes = fit(exercise, task["code"], task["function"])
    except LoadError as error:
        _write(results, {"failure": asdict(error.failure)})
        return
    except MemoryError:
        _write(results, {"failure": asdict(Failure("MemoryError", "out of memory", None))})
        return
    _write(results, {"shape": shape, "sizes": sizes, "flat": program.form == FLAT})
    while True:
        try:
            cases, limits = pickle.load(source)
        except EOFError:
            return
        for outcome in run_cases(program, cases, limits):
            _write(results, as_plain(outcome))
        _write(results, {"done": True})


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Move both streams away from the program's reach by `print` and `input`."""
    source = os.fdopen(os.dup(0), "rb")
    results = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in 0, 1, 2:
        os.dup2(nowhere, stream)
    return source, results


def _write(results: BinaryIO, value: Any) -> None:
    results.write(json.dumps(value).encode() + b"\n")
    results.flush()


def _limit(seconds: int, megabytes: int) -> None:
    set_limit = sys.setrecursionlimit
    set_limit(MAX_RECURSION)
    sys.setrecursionlimit = lambda depth: set_limit(min(depth, MAX_RECURSION))
    try:
        import resource
    except ImportError:  # not on Windows, where the time limit of the judge is left
        return
    for kind, limit in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, megabytes * 2**20),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_FSIZE, WRITTEN_BYTES),
    ):
        with suppress(ValueError, OSError):  # macOS does not limit the memory
            resource.setrlimit(kind, (limit, limit))


def as_plain(outcome: CallResult) -> dict[str, Any]:
    """Return a result for JSON."""
    return {**vars(outcome), "error": outcome.error and asdict(outcome.error),
            "expanded": base64.b64encode(outcome.expanded).decode()}  # fmt: skip


def fit(exercise: Exercise, code: str, function: str) -> tuple[Program, Shape, bool]:
    """Return the program in the form of boards that suits it best, their shape, and sizes.

    `sizes` is true if the program takes boards of other sizes too. A program that takes several
    forms gets the first of `FORMS`. Raises `LoadError`.
    """
    best, found = -1, None
    for shape in SHAPES:
        for form in FORMS:
            if form.name == "array" and "numpy" not in sys.modules:
                continue
            program = Program(exercise, code, form=form, definitions=True, function=function)
            score = _score(program, shape)
            if score > best:
                best, found = score, (program, shape)
            if score == BEST:
                return program, shape, _takes_sizes(program)
    assert found
    return *found, found[0].form == FLAT and found[0].own is None


WRONG_BOARDS, BEST = 1, 2
OTHER_REASONS = ("MemoryError", "RecursionError", "SystemExit", "NameError", "ModuleNotFoundError")
"""Exceptions that no form of boards prevents."""


def _takes_sizes(program: Program) -> bool:
    if program.form != FLAT:
        return False
    own = program.function if program.exercise.key == "neighbors" else program.own
    if own is None or program.names.get("neighbors") is own:
        return True
    return _gives_neighbors(program, own, (2, 2)) == BEST


def _score(program: Program, shape: Shape) -> int:
    """Return `BEST` for a form that works, less for wrong boards, 0 for errors."""
    if program.exercise.key == "neighbors":
        return _gives_neighbors(program, program.function, shape)
    cases = islice(cases_of(program.exercise, Draw(1, shape, sizes=False)), PROBED)
    for case in cases:
        error = program.run(case, PROBE_EXPANSIONS).error
        if error:
            return BEST if error.type in OTHER_REASONS else 0
    return BEST if program.own is None else _gives_neighbors(program, program.own, shape)


def _gives_neighbors(program: Program, function: Any, shape: Shape) -> int:
    """Return `BEST` if a function gives the neighbors of some boards, less for other boards."""
    random = Random(1)
    score = BEST
    for board in (walk(goal_of(shape), moves, random) for moves in range(12)):
        try:
            value = function(*program.fill(function, {"board": program.form.encode(board)}))
            found = boards_in(list(value))
        except Exception:
            return 0
        if not all(found):
            return 0
        if sorted(found) != sorted(neighbors(board)):
            score = WRONG_BOARDS
    return score


if __name__ == "__main__":
    main()
