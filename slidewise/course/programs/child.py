"""The process of a student's program: loads it and runs the calls that the judge requests.

A request is a line of text, and each result is a line of JSON, which the judge does not trust. Run
as a module, this reads requests from standard input and writes results to standard output. A
program's own output is discarded. In a page, a worker with Pyodide imports this from the archive of
`webapp/course/write/pages.py`, and calls `prepare` and `answer`.
"""

import base64
import json
import os
import pickle
import shutil
import sys
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import asdict
from importlib.abc import MetaPathFinder
from typing import Any, BinaryIO, Final, NamedTuple

from slidewise.course.programs import boards, running
from slidewise.course.programs.boards import Form
from slidewise.course.programs.calls import CallResult, Case, Failure, Loaded, Way
from slidewise.course.programs.running import LoadError, Program, ProgramTarget, run_cases

MAX_RECURSION: Final = 5_000
MAX_WORKER_RECURSION: Final = 3_000
"""Highest recursion limit in a page: WebAssembly's own stack ends the interpreter above it."""

JAVASCRIPT: Final = ("js", "pyodide_js")
"""Modules that give access to the worker's JavaScript."""

SOLUTIONS: Final = {
    "neighbors": ("neighbors", "_beside"),
    "manhattan": ("manhattan", "inconsistent", "_homes"),
    "misplaced": ("misplaced",),
    "path": ("path",),
}
"""Functions of this package that solve an exercise, by its key."""


class LoadProgram(NamedTuple):
    """Request: load a program, with the helper modules `files` by their paths."""

    target: ProgramTarget
    code: str | MutableMapping[str, Any]
    definitions: bool = False
    files: tuple[tuple[str, str], ...] = ()


class Run(NamedTuple):
    """Request: call the program once for each case, with a limit of expansions.

    With `fresh` the program is loaded again before each call. `ticks` is the limit of loop passes
    and calls in each case, 0 for the default.
    """

    cases: tuple[Case, ...]
    limits: tuple[int, ...]
    ways: tuple[Way, ...] = ()
    fresh: bool = False
    ticks: int = 0


class Runner:
    """Answers the requests about a program."""

    def __init__(self) -> None:
        self.program: Program | None = None
        self._loaded: LoadProgram | None = None

    def answer(self, request: LoadProgram | Run) -> Iterator[Loaded | CallResult]:
        """Yield the results of a request."""
        if isinstance(request, Run):
            assert self.program
            yield from run_cases(self.program, *request)
            return
        target, code, definitions, files = request
        try:
            # Loading the same program again reuses its compiled script.
            if self.program and self._loaded == request and isinstance(code, str):
                self.program.load()
            else:
                if self.program:
                    self.program.restore()
                self._loaded = request
                self.program = Program(target, code, definitions=definitions, files=dict(files))
        except LoadError as error:
            yield Loaded(failure=error.failure)
        except MemoryError:
            yield Loaded(failure=Failure("MemoryError", "out of memory", None))
        else:
            yield self.program.describe()


def as_line(request: LoadProgram | Run) -> str:
    """Return a request as text without line breaks, which is unpickled without imports."""
    values: tuple[object, ...]
    if isinstance(request, LoadProgram):
        target, *more = request
        values = (tuple(target), *more)
    else:
        ways = [
            (*way[:2], tuple(way.form), *way[3:-1], [one and tuple(one) for one in way.set_forms])
            for way in request.ways
        ]
        values = ([tuple(case) for case in request.cases], request.limits, ways, *request[3:])
    # Pickle, because JSON would turn tuples into lists. The judge never unpickles a result.
    return base64.b64encode(pickle.dumps((type(request).__name__, values))).decode()


def _read_request(line: str) -> LoadProgram | Run:
    kind, values = pickle.loads(base64.b64decode(line))
    if kind == "Run":
        cases, limits, ways, *more = values
        made = [
            Way(name, roles, Form(*form), *rest)._replace(
                set_forms=tuple(one and Form(*one) for one in forms)
            )
            for name, roles, form, *rest, forms in ways
        ]
        return Run(tuple(Case(*one) for one in cases), limits, tuple(made), *more)
    target, *more = values
    return LoadProgram(ProgramTarget(*target), *more)


def answers(runner: Runner, line: str) -> Iterator[str]:
    """Yield the results of a request as lines of JSON."""
    request = _read_request(line)
    if isinstance(request, LoadProgram):
        forget(request.target.key)
    for result in runner.answer(request):
        yield json.dumps(_as_plain(result))


def _as_plain(result: Loaded | CallResult) -> dict[str, Any]:
    if isinstance(result, Loaded):
        return {**result._asdict(), "failure": result.failure and asdict(result.failure)}
    return {**vars(result), "error": result.error and asdict(result.error),
            "expanded": base64.b64encode(result.expanded).decode()}  # fmt: skip


def forget(key: str) -> None:
    """Delete the functions that solve an exercise, so that its program cannot find them."""
    for name in SOLUTIONS.get(key, ()):
        for names in vars(boards), vars(running), boards.GIVEN, boards.ESTIMATES:
            names.pop(name, None)


class NoLibrary(MetaPathFinder):
    """Import finder that refuses the library, which contains the solutions."""

    def find_spec(self, name: str, *_: object) -> None:
        """Raise `ModuleNotFoundError` for the library's modules."""
        if name.partition(".")[0] == "slidewise":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def hide_library() -> None:
    """Prevent imports of the library by programs."""
    sys.meta_path.insert(0, NoLibrary())
    for name in [one for one in sys.modules if one.partition(".")[0] == "slidewise"]:
        del sys.modules[name]


def prepare(folder: str) -> None:
    """Cap the recursion limit, and remove JavaScript and the library, in a page's worker."""
    _cap_recursion(MAX_WORKER_RECURSION)
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "JsFinder"]
    for name in list(sys.modules):
        if name.partition(".")[0] in JAVASCRIPT:
            del sys.modules[name]
    hide_library()
    shutil.rmtree(folder)


def answer(request: str, write: Callable[[str], object]) -> str:
    """Run a request of the judge in a page's worker; write each result as a line of JSON."""
    for line in answers(_RUNNER, request):
        write(line)
    return ""


_RUNNER = Runner()


def _cap_recursion(most: int) -> None:
    # A program's own higher limit would overflow the C stack and end the process without an error.
    set_limit = sys.setrecursionlimit
    sys.setrecursionlimit = lambda depth: set_limit(min(depth, most))


def main() -> None:
    """Serve the requests about a program."""
    source, results = _streams()
    sys.setrecursionlimit(MAX_RECURSION)
    _cap_recursion(MAX_RECURSION)
    hide_library()
    runner = Runner()
    for request in source:
        for line in answers(runner, request.decode()):
            _write(results, line)
        _write(results, '{"done": true}')


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Return private copies of both streams; `print` and `input` get the null device."""
    source = os.fdopen(os.dup(0), "rb")
    results = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in 0, 1, 2:
        os.dup2(nowhere, stream)
    return source, results


def _write(results: BinaryIO, line: str) -> None:
    results.write(line.encode() + b"\n")
    results.flush()


if __name__ == "__main__":
    main()
