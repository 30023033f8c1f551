"""The command where its input or output is closed, full, or leads to a program that is gone."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from slidewise.cli import main
from tests.boards import SMALL
from tests.cli.commands import PROGRAM

COMMANDS = [
    ["solve", SMALL],
    ["solve", SMALL, "--json"],
    ["solve", SMALL, "--events"],
    ["solve", "--file", "-"],
    ["compare", SMALL, "--algorithms", "astar"],
    ["play", SMALL],
    ["new", "--seed", "1"],
    ["facts", "2x2"],
    ["algorithms"],
    ["tables", "list"],
    ["--help"],
    ["solve", "--help"],
    ["--version"],
]


def full():
    return Path("/dev/full").open("w")


def closed():
    """What Python has for a stream that is closed when it begins."""


def reader_gone():
    ours, theirs = os.pipe()
    os.close(ours)
    return os.fdopen(theirs, "w")


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Return a function that runs the command with other standard streams.

    It returns the exit code and the messages. What the process would still write at its end is
    written here: an output that complained then would be told on standard error.
    """

    def run(*argv, **streams):
        with monkeypatch.context() as patch, (tmp_path / "err").open("w+") as errors:
            patch.setattr("sys.stderr", errors)
            for name in "stdin", "stdout", "stderr":
                if name in streams:
                    patch.setattr(f"sys.{name}", streams[name])
            code = main(argv)
            if "stdout" in streams:
                sys.stdout.flush()
                sys.stdout.close()
            errors.seek(0)
            return code, errors.read()

    with (tmp_path / "in").open("w+") as lines:
        lines.write(f"{SMALL}\n")
        lines.seek(0)
        monkeypatch.setattr("sys.stdin", lines)
        yield run


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    ("output", "why"),
    [(full, "No space left on device"), (closed, "it is closed")],
    ids=["full", "closed"],
)
def test_output_that_cannot_be_written_is_told(run, argv, output, why):
    code, told = run(*argv, stdout=output())
    assert code == 2
    assert told == (f"slidewise: error: cannot write the output: {why}; send it somewhere else\n")


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_a_reader_that_has_gone_is_no_error(run, argv):
    assert run(*argv, stdout=reader_gone()) == (141, "")


@pytest.mark.parametrize("errors", [full, closed, reader_gone])
def test_messages_that_cannot_be_written_are_dropped(run, errors, capsys):
    for argv, code in (["new"], 0), (["new", "--size", "x"], 2):
        stream = errors()
        assert run(*argv, stderr=stream)[0] == code
        if stream:
            with suppress(OSError):
                stream.close()
    assert capsys.readouterr().out.count(".") == 6


@pytest.mark.parametrize(
    "argv", [["solve", "-"], ["solve", "--file", "-"], ["play"], ["solve", SMALL, "--goal", "-"]]
)
def test_input_that_is_closed_is_told(run, argv, capsys):
    code, told = run(*argv, stdin=None)
    assert code == 2
    assert told.startswith("slidewise: error: cannot read ")
    assert told.endswith(": it is closed\n")


def test_input_that_cannot_be_read_is_told(run):
    with Path("/proc/self/mem").open() as memory:
        for argv in ["solve", "-"], ["solve", "--file", "-"], ["play"]:
            code, told = run(*argv, stdin=memory)
            assert (code, told.count("\n")) == (2, 1)
            assert "Input/output error" in told
    assert "cannot read /proc/self/mem: " in run("solve", "--file", "/proc/self/mem")[1]


def test_letters_that_the_terminal_does_not_know_are_written_as_codes(run, tmp_path):
    (tmp_path / "in").write_text("\N{SNOWMAN}\n", encoding="utf-8")
    with (tmp_path / "out").open("w", encoding="ascii") as output:
        assert run("play", SMALL, stdout=output) == (1, "")
    assert "found '\\u2603'" in (tmp_path / "out").read_text()


def test_a_process_with_closed_streams_ends_as_it_should():
    for closing, told in ("<&-", "it is closed\n"), (">&-", "send it somewhere else\n"):
        argv = ["sh", "-c", f'"$@" {closing}', "-", *PROGRAM, "play"]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr.endswith(told)


INTERRUPT = """
import os, runpy, signal, sys
imported, module = sys.argv[1:3]
del sys.argv[1:3]
class Interrupt:
    def find_spec(self, name, path, target=None):
        if name == imported:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module(module, run_name="__main__")
"""


@pytest.mark.parametrize(
    ("imported", "argv"),
    [
        ("slidewise.solver.registry", ["webapp", "new"]),
        ("numpy", ["webapp", "facts", "2x2"]),
        ("rich.console", ["webapp", "algorithms"]),
        ("slidewise.cli", ["slidewise", "new"]),
        ("slidewise.solver.registry", ["slidewise", "new"]),
    ],
)
def test_ctrl_c_while_importing_ends_without_a_traceback(imported, argv):
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPT, imported, *argv],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "")
