"""Test selection and order, and fixtures shared by several folders."""

import collections
import gc
import io
import os
import socket

import pytest
from hypothesis import settings

from slidewise import algorithms
from slidewise.cli import main
from slidewise.solver import compiling
from slidewise.solver.tables.patterns import files
from slidewise.text import plural
from tests import system_programs
from tests.cli.commands import Run
from tests.solver import oracle
from tests.solver.runs import SWEEP

# Failures repeat (derandomize), and do not depend on the machine's speed (no deadline).
EXAMPLES = 500 if SWEEP else 30
settings.register_profile("slidewise", derandomize=True, deadline=None, max_examples=EXAMPLES)
settings.load_profile("slidewise")

SOAK = bool(os.environ.get("SLIDEWISE_SOAK"))
"""Whether tests marked `soak` run."""

CRASHED = "crashed"
"""In the message of Playwright if Chromium itself has crashed a page or the browser."""

WAITING = ("test_class.py", "test_contributing.py", "browser", "web")
"""Slow files of few tests, and folders of tests that wait for processes, slowest first."""

SLOW = (
    *("/deploy/", "/redis/", "/release/", "/serve/", "/cli/test_grade"),
    *("/test_cluster.py", "/test_contributing.py", "/test_manual.py", "/test_program.py"),
    *("/test_proving.py", "/test_searches.py", "/test_without_numba.py"),
    *("/judge/test_confinement.py", "/judge/test_finding.py", "/judge/test_fitting.py"),
    *("/judge/test_hostile.py", "/judge/test_judge.py", "/judge/test_repair.py"),
    *("/judge/test_solutions.py", "/judge/test_styles.py"),
)
"""Folders and files of tests that run servers, commands or many programs."""


@pytest.fixture(scope="session", autouse=True)
def tables(tmp_path_factory):
    """Store pattern databases for the tests alone, in one place for all processes of a run."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # a worker's folder is inside the folder of the run
        folder = folder.parent
    os.environ[files.VARIABLE] = str(folder / "tables")


@pytest.fixture(scope="session")
def compiled():
    """Compile the kernels, for folders whose tests must not include compilation in a search."""
    if compiling.is_available():
        for kernel in {entry.kernel for entry in algorithms().values() if entry.kernel}:
            compiling.load(kernel)


@pytest.fixture(scope="session")
def to_standard():
    """Return the distances of all 181,440 boards of 3x3 that can reach the standard goal."""
    return oracle.distances(oracle.STANDARD, 3, 3)


@pytest.fixture(scope="session")
def to_blank_first():
    """Return the distances of the other half, to the goal with the blank first."""
    return oracle.distances(oracle.BLANK_FIRST, 3, 3)


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    """Let pytest-rerunfailures send at once: Nagle's algorithm held each short test for 40 ms."""
    if connection := getattr(getattr(config, "failures_db", None), "sock", None):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Two more than there are cores: tests wait for browsers, servers and workers."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Collect doctests from the packages only: each process of a run would read all files."""
    found = yield
    return [collector for collector in found if type(collector) is pytest.Module]


def pytest_collection_modifyitems(items):
    """Mark slow tests, skip soak tests unless in `make soak`, and order the others.

    Tests that wait for browsers and servers come first; those that only calculate fill the end.
    Files of many tests precede files of few, so that no core ends with a long one.
    """
    tests = collections.Counter(item.path for item in items)

    def place(item):
        folders = [n for n, name in enumerate(WAITING) if name in item.path.parts]
        return (folders[0], -tests[item.path]) if folders else (len(WAITING), 0)

    for item in items:
        if any(place in item.nodeid.partition("::")[0] for place in SLOW):
            item.add_marker("slow")
        if not SOAK and item.get_closest_marker("soak"):
            item.add_marker(pytest.mark.skip(reason="takes long: make soak"))
    items.sort(key=place)  # stable for all others


def pytest_terminal_summary(terminalreporter):
    """List the tests skipped for a missing program, and count the pages that Chromium crashed."""
    failed = [
        report for kind in ("rerun", "failed") for report in terminalreporter.getreports(kind)
    ]
    if crashed := sum(CRASHED in report.longreprtext for report in failed):
        terminalreporter.write_line(f"{plural(crashed, 'page')} crashed by Chromium", yellow=True)
    skipped = terminalreporter.stats.get("skipped", ())
    reasons = [
        report.longrepr[2] for report in skipped if system_programs.NOT_RUN in report.longrepr[2]
    ]
    for reason, count in collections.Counter(reasons).items():
        cause = reason.removeprefix("Skipped: ")
        terminalreporter.write_line(f"{plural(count, 'test')} {cause}", yellow=True)


def pytest_collection():
    """Disable garbage collection during test collection, which makes almost no garbage."""
    gc.disable()


def pytest_collection_finish():
    """Exclude the thousands of collected tests and modules from garbage collection."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def cli(capsys, monkeypatch):
    """Return a function that runs the command in this process."""

    def run(*argv: str, stdin: str = "") -> Run:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = main(argv)
        return Run(code, *capsys.readouterr())

    return run
