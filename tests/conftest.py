"""How many tests run at once, and what the tests of several folders share."""

from __future__ import annotations

import collections
import gc
import io
import os

import pytest
from hypothesis import settings

from slidewise import algorithms
from slidewise.cli import main
from slidewise.solver import compiling
from slidewise.solver.tables.patterns import files
from slidewise.text import plural
from tests import programs
from tests.cli.commands import Run
from tests.solver import oracle
from tests.solver.runs import SWEEP

# A run that fails fails again, and how fast the machine is today says nothing about the code.
EXAMPLES = 500 if SWEEP else 30
settings.register_profile("slidewise", derandomize=True, deadline=None, max_examples=EXAMPLES)
settings.load_profile("slidewise")

SOAK = bool(os.environ.get("SLIDEWISE_SOAK"))
"""Whether tests that are marked `soak` run."""

WAITING = ("test_class.py", "test_contributing.py", "browser", "web")
"""The files of few long tests, and the folders whose tests wait for other processes, the longest
first."""


@pytest.fixture(scope="session", autouse=True)
def tables(tmp_path_factory):
    """Have pattern databases kept for the tests alone, by all processes of a run in one place."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # whose folder is in that of the run
        folder = folder.parent
    os.environ[files.VARIABLE] = str(folder / "tables")


@pytest.fixture(scope="session")
def compiled():
    """Compile the kernels, for the folders whose tests must not see a search begin with that."""
    for kernel in {entry.kernel for entry in algorithms().values() if entry.kernel}:
        compiling.load(kernel)


@pytest.fixture(scope="session")
def to_standard():
    """Return the distance of all 181,440 boards of 3x3 that can reach the standard goal."""
    return oracle.distances(oracle.STANDARD, 3, 3)


@pytest.fixture(scope="session")
def to_blank_first():
    """Return the same for the goal with the blank first, which the other half can reach."""
    return oracle.distances(oracle.BLANK_FIRST, 3, 3)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Two more than there are cores, as tests wait for browsers, servers and workers."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Look for doctests in the packages alone: each process of a run looks through all files."""
    found = yield
    return [collector for collector in found if type(collector) is pytest.Module]


def pytest_collection_modifyitems(items):
    """Leave out what takes long, but in `make soak`; put the others in order.

    They begin with what waits for browsers and servers; what only calculates fills up the end. Of
    the former the files of most tests come first, so that no core is left with a long one.
    """
    tests = collections.Counter(item.path for item in items)

    def place(item):
        folders = [n for n, name in enumerate(WAITING) if name in item.path.parts]
        return (folders[0], -tests[item.path]) if folders else (len(WAITING), 0)

    if not SOAK:
        for item in items:
            if item.get_closest_marker("soak"):
                item.add_marker(pytest.mark.skip(reason="takes long: make soak"))
    items.sort(key=place)  # else they stay in their order


def pytest_terminal_summary(terminalreporter):
    """Tell which tests did not run for want of a program, which the count of skipped ones hides."""
    skipped = terminalreporter.stats.get("skipped", ())
    reasons = [report.longrepr[2] for report in skipped if programs.NOT_RUN in report.longrepr[2]]
    for reason, count in collections.Counter(reasons).items():
        said = reason.removeprefix("Skipped: ")
        terminalreporter.write_line(f"{plural(count, 'test')} {said}", yellow=True)


def pytest_collection():
    """Collect no garbage while tests are collected, of which there is next to none."""
    gc.disable()


def pytest_collection_finish():
    """Let the garbage collector pass over thousands of tests and modules from now on."""
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
