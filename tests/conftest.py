"""How many tests run at once, and what the tests of the command line share."""

from __future__ import annotations

import io
import os

import pytest

from tests.commands import Run
from webapp.cli import main
from webapp.search.patterns import store


@pytest.fixture(scope="session", autouse=True)
def tables(tmp_path_factory):
    """Have pattern databases kept for the tests alone."""
    os.environ[store.VARIABLE] = str(tmp_path_factory.mktemp("tables"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """One more than there are cores, as tests wait now and then for a browser or a server."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture
def cli(capsys, monkeypatch):
    """Return a function that runs the command in this process."""

    def run(*argv: str, stdin: str = "") -> Run:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = main(argv)
        return Run(code, *capsys.readouterr())

    return run
