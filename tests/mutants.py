"""Mutation testing: change one operator, number or statement at a time and run the tests.

`make mutants` changes the lines that differ from the main branch, `make mutants ARGS="MODULE ..."`
all lines of modules. A change that all tests pass is a survivor. A line that no test of the folder
reaches in this process is reported too. No file is written: mutants are compiled in processes of
their own. Kernels are excluded, because the compiler's cache would not notice their changes.
"""

import argparse
import ast
import collections
import contextlib
import gc
import json
import math
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from itertools import accumulate, pairwise
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from coverage import Coverage

MIRRORS = {"slidewise": "tests", "webapp": "tests/web"}
"""The folder of the tests of each package."""

KERNELS = "slidewise/solver/kernels/"

OPTIONS = ("-s", "-q", "--no-header", "--import-mode=importlib", "-p", "no:cacheprovider")

PAIRS = "Lt LtE, Gt GtE, Eq NotEq, Is IsNot, In NotIn, And Or, Add Sub, Break Continue, Div Mult"
SWAPS = {
    getattr(ast, old): getattr(ast, new)
    for pair in ("FloorDiv Mult, Mod Mult, BitAnd BitOr, LShift RShift, " + PAIRS).split(", ")
    for old, new in (pair.split(), pair.split()[::-1])
}

CPU_GRACE = 5
"""CPU seconds of a test in addition to three times its usual time."""

ALL = "all tests"
"""The coverage context of fixtures that tests share."""

SURVIVED = {"survived", "unreached"}

NOT_CHANGED = ("annotation", "returns", "decorator_list")


@dataclass(frozen=True)
class Mutant:
    """The nth change of a module, with the lines of its statement. `text` is the description."""

    path: str
    number: int
    statement: range
    in_function: bool
    text: str


def variants(node: ast.AST, field: str):
    """Yield the replacements of a node, one change each."""
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.Name(id="TYPE_CHECKING"):
            pass
        case ast.Name() | ast.Call() | ast.Attribute() if field == "test":
            yield ast.UnaryOp(ast.Not(), node)
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()) | ast.Raise():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case _ if type(node) in SWAPS:
            yield SWAPS[type(node)]()


def changes(node: ast.AST, statement: ast.AST, in_function: bool = False):
    """Yield each applied change of a tree: statement, whether in a function, node, texts."""
    for field, value in ast.iter_fields(node):
        if field in NOT_CHANGED:
            continue
        inside = in_function or (isinstance(node, ast.FunctionDef) and field == "body")
        target, places = (
            (value, range(len(value))) if isinstance(value, list) else (vars(node), [field])
        )
        for place in places:
            if not isinstance(child := target[place], ast.AST):
                continue
            owner = child if isinstance(child, ast.stmt) else statement
            shown = child if hasattr(child, "lineno") else node
            for other in variants(child, field):
                before = ast.unparse(shown)
                target[place] = ast.copy_location(other, shown)
                yield owner, inside, shown, before, ast.unparse(node if shown is node else other)
                target[place] = child
            yield from changes(child, owner, inside)


def mutants_of(path: str, lines: set[int] | None = None) -> list[Mutant]:
    """Return the changes of a module on `lines`, by default on all lines."""
    source, found = Path(path).read_text(), []
    tree = ast.parse(source)
    for number, (owner, inside, node, *change) in enumerate(changes(tree, tree)):
        if lines is None or not lines.isdisjoint(range(node.lineno, node.end_lineno + 1)):
            end = owner.body[0].lineno if hasattr(owner, "body") else owner.end_lineno + 1
            before, after = (text.partition("\n")[0] for text in change)
            line = source.splitlines()[node.lineno - 1].strip()
            text = f"{path}:{node.lineno}:{node.col_offset + 1}: {before}  ->  {after}  in  {line}"
            reach = range(owner.lineno, max(end, owner.lineno + 1))
            found.append(Mutant(str(Path(path).resolve()), number, reach, inside, text))
    return found


def sample(mutants: list[Mutant], size: int | None, seed: str) -> list[Mutant]:
    """Return a sample of `size` mutants, by default all; equal seeds give equal samples."""
    if size is None or size >= len(mutants):
        return mutants
    return random.Random(seed).sample(mutants, size)


def compile_mutant(path: str, number: int) -> CodeType:
    """Compile a module with its nth change."""
    tree = ast.parse(Path(path).read_text())
    for _ in zip(range(number + 1), changes(tree, tree), strict=False):
        pass
    return compile(ast.fix_missing_locations(tree), path, "exec")


def swap(functions: list[FunctionType], code: CodeType) -> bool:
    """Replace the code of an imported module's functions by a mutant's, if their closures allow."""
    codes, waiting = {}, [code]
    for each in waiting:
        codes[each.co_qualname, each.co_firstlineno] = each
        waiting += [inner for inner in each.co_consts if isinstance(inner, CodeType)]
    for function in functions:
        old = function.__code__
        if old.co_filename == code.co_filename:
            new = codes[old.co_qualname, old.co_firstlineno]
            if new.co_freevars != old.co_freevars:
                return False
            function.__code__ = new
    return True


def run_fresh(path: str, number: str, *tests: str) -> int:
    """Run tests in a process that imports the mutated module for the first time."""
    code, original = compile_mutant(path, int(number)), SourceFileLoader.get_code
    SourceFileLoader.get_code = lambda loader, name: (
        code if Path(loader.path).resolve() == Path(path) else original(loader, name)
    )
    return pytest.main([*OPTIONS, "-x", *tests])


def limit_cpu(seconds: float) -> None:
    """End this process after `seconds` more CPU seconds, regardless of the load."""
    limit = math.ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def kill_group(process: int) -> None:
    """End a process and all its descendants, if still running."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(process, 0)


class Mutation:
    """A pytest plugin that runs the tests for each mutant in a process group of its own."""

    def __init__(self, mutants: list[Mutant], options: argparse.Namespace) -> None:
        self.mutants, self.options = mutants, options
        self.outcomes: dict[Mutant, str] = {}
        self._coverage: Coverage | None = None
        self._running: dict[int, tuple[Mutant, float]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef) -> Iterator[None]:
        """Attribute the lines of a shared fixture to all tests, not to the first that uses it."""
        if self._coverage and fixturedef.scope != "function":
            self._coverage.switch_context(ALL)
        result = yield
        if self._coverage:
            self._coverage.switch_context(self._name)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed |= report.failed
        self._duration += report.duration

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._items = {item.nodeid: item for item in session.items}
        gc.unfreeze()
        self._functions = [each for each in gc.get_objects() if isinstance(each, FunctionType)]
        try:
            self._measure()
            waiting = self.mutants[::-1]
            while waiting or self._running:
                while waiting and len(self._running) < self.options.jobs:
                    self._start(waiting.pop())
                self._reap()
                time.sleep(0.01)
        finally:
            for process in self._running:
                kill_group(process)
        return True

    def _fork(self, work: Callable[[], bool]) -> int:
        process = os.fork()
        if process == 0:
            passed = False
            try:
                os.setsid()
                for stream in (1, 2):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
                passed = work()
            finally:
                os._exit(not passed)
        return process

    def _passes(self, name: str, following: str | None) -> bool:
        self._failed, self._duration = False, 0.0
        item, after = self._items[name], self._items.get(following)
        item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
        return not self._failed

    def _measure(self) -> None:
        """Measure the time of each passing test and the lines that it reaches."""
        paths = sorted({mutant.path for mutant in self.mutants})
        self._coverage = coverage = Coverage(data_file=None, config_file=False, include=paths)

        def work() -> bool:
            coverage.start()
            durations = {}
            for name, following in pairwise([*self._items, None]):
                self._name = name
                coverage.switch_context(name)
                if self._passes(name, following):
                    durations[name] = self._duration
            coverage.stop()
            reached = {path: coverage.get_data().contexts_by_lineno(path) for path in paths}
            return bool(Path(results.name).write_text(json.dumps((durations, reached))))

        with tempfile.NamedTemporaryFile() as results:
            process = self._fork(work)
            self._running[process] = (self.mutants[0], 0)  # so that an interrupt ends it
            os.waitpid(process, 0)
            del self._running[process]
            self._coverage = None
            self._durations, self._reached = json.load(results)
        print(f"{len(self._items)} tests, {len(self._durations)} of which pass without a change")

    def _tests(self, mutant: Mutant) -> list[str]:
        """Return the tests that reach a mutant, fastest first, up to the time limit."""
        lines = self._reached[mutant.path]
        reached = map(str, mutant.statement) if mutant.in_function else lines
        names = {name for line in reached for name in lines.get(line, ())}
        everything = ALL in names or not lines  # a module of constants alone has no lines
        names = self._durations.keys() if everything else names & self._durations.keys()
        ordered = sorted(names, key=self._durations.__getitem__)
        spent = accumulate(self._durations[name] for name in ordered)
        return [
            name
            for name, seconds in zip(ordered, spent, strict=True)
            if seconds < self.options.seconds
        ]

    def _start(self, mutant: Mutant) -> None:
        def passes(name: str, following: str | None) -> bool:
            limit_cpu(CPU_GRACE + 3 * self._durations[name])
            return self._passes(name, following)

        def work() -> bool:
            code = compile_mutant(mutant.path, mutant.number)
            if mutant.in_function and swap(self._functions, code):
                return all(passes(*pair) for pair in pairwise([*tests, None]))
            limit_cpu(limit)
            fresh = [sys.executable, "-m", "tests.mutants", "--fresh", mutant.path]
            return os.execv(sys.executable, [*fresh, str(mutant.number), *tests])

        if tests := self._tests(mutant):
            limit = self.options.grace + 10 * sum(map(self._durations.get, tests))
            self._running[self._fork(work)] = (mutant, time.monotonic() + limit)
        else:
            self._report(mutant, "unreached")

    def _reap(self) -> None:
        for process, (mutant, deadline) in list(self._running.items()):
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended or time.monotonic() > deadline:
                del self._running[process]
                kill_group(process)
                late = not ended or status == signal.SIGXCPU
                outcome = "timeout" if late else "survived" if status == 0 else "killed"
                self._report(mutant, outcome)

    def _report(self, mutant: Mutant, outcome: str) -> None:
        self.outcomes[mutant] = outcome
        if outcome in SURVIVED:
            print(f"{mutant.text}  ({outcome})", flush=True)


def changed_lines(base: str) -> dict[str, set[int]]:
    """Return the package lines that differ from the branch point of `base`."""

    def git(*arguments: str) -> list[str]:
        command = ("git", *arguments)
        return subprocess.check_output(command, text=True).splitlines()

    lines: dict[str, set[int]] = {}
    since = git("merge-base", base, "HEAD")[0]
    for line in git("diff", "--unified=0", "--no-ext-diff", since, "--", *MIRRORS):
        if line.startswith("+++ "):
            changed = lines.setdefault(line[6:], set())
        elif hunk := re.match(r"@@ \S+ \+(\d+)(?:,(\d+))? @@", line):
            changed.update(range(int(hunk[1]), int(hunk[1]) + int(hunk[2] or 1)))
    for path in git("ls-files", "--others", "--exclude-standard", "--", *MIRRORS):
        lines[path] = set(range(1, Path(path).read_bytes().count(b"\n") + 2))
    return {path: changed for path, changed in lines.items() if path.endswith(".py") and changed}


def mirror(path: str) -> str:
    """Return the folder of the tests of a module."""
    package, *folders = Path(path).parts[:-1]
    while not (folder := Path(MIRRORS[package], *folders)).is_dir():
        folders.pop()
    return str(folder)


def main(argv: list[str]) -> int:
    if argv[:1] == ["--fresh"]:
        return run_fresh(*argv[1:])
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__.split("\n\n")[0])
    parser.add_argument("modules", nargs="*", help="change all lines of these files or folders")
    parser.add_argument("--base", default="main", help="changed lines since this (%(default)s)")
    parser.add_argument("--sample", type=int, help="changes of each module, at random (all)")
    parser.add_argument("--seed", default="0", help="another sample (%(default)s)")
    parser.add_argument("--tests", nargs="+", help="other tests than those of the mirrored folder")
    parser.add_argument("--seconds", type=float, default=30, help="of tests a mutant (%(default)s)")
    parser.add_argument("--grace", type=float, default=60, help="more until it is stopped")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args(argv)
    files = [
        each for name in options.modules for each in sorted(Path(name).rglob("*.py")) or [name]
    ]
    lines = dict.fromkeys(map(str, files)) if files else changed_lines(options.base)
    paths = sorted(path for path in lines if not path.startswith(KERNELS))
    for path in paths:
        if not Path(path).is_file() or path.partition("/")[0] not in MIRRORS:
            parser.error(f"{path} is no module of {' or '.join(MIRRORS)}")
    mutants = [
        each
        for path in paths
        for each in sample(mutants_of(path, lines[path]), options.sample, options.seed)
    ]
    mutation = Mutation(mutants, options)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    tests = options.tests or sorted({mirror(path) for path in paths})
    code = pytest.main([*OPTIONS, *tests, *paths], plugins=[mutation]) if mutants else 0
    outcomes = mutation.outcomes
    for path in paths:
        here = [each for each in outcomes if each.text.startswith(f"{path}:")]
        print(f"{path}: {len(here)} mutants: {dict(collections.Counter(map(outcomes.get, here)))}")
    return code or int(not SURVIVED.isdisjoint(outcomes.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
