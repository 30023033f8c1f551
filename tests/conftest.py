"""What the tests of the command line share."""

from __future__ import annotations

import io

import pytest

from tests.commands import Run
from webapp.cli import main


@pytest.fixture
def cli(capsys, monkeypatch):
    """Return a function that runs the command in this process."""

    def run(*argv: str, stdin: str = "") -> Run:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = main(argv)
        return Run(code, *capsys.readouterr())

    return run
