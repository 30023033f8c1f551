"""The command with its input or output closed, full, or connected to a process that has ended."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from slidewise.cli import main
from tests.boards import SMALL
from tests.cli.commands import PROGRAM, python

COMMANDS = [
    ["solve", SMALL],
    ["solve", SMALL, "--json"],
    ["solve", "--file", "-"],
    ["compare", SMALL, "--algorithms", "astar"],
    ["play", SMALL],
    ["algorithms"],
    ["tables", "list"],
    ["--help"],
]


def full():
    return Path("/dev/full").open("w")


def closed():
    """Return None, as Python sets a stream that is closed at startup."""


def closed_pipe():
    ours, theirs = os.pipe()
    os.close(ours)
    return os.fdopen(theirs, "w")


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Return a function that runs the command with other standard streams.

    It returns the exit code and the messages. It flushes stdout as at exit, so late errors reach
    stderr.
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
def test_unwritable_output_is_reported(run, argv, output, why):
    code, messages = run(*argv, stdout=output())
    assert code == 2
    assert messages == (
        f"slidewise: error: cannot write the output: {why}; send it somewhere else\n"
    )


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_closed_pipe_is_not_an_error(run, argv):
    assert run(*argv, stdout=closed_pipe()) == (141, "")


@pytest.mark.parametrize("errors", [full, closed, closed_pipe])
def test_unwritable_messages_are_dropped(run, errors, capsys):
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
def test_closed_input_is_reported(run, argv, capsys):
    code, messages = run(*argv, stdin=None)
    assert code == 2
    assert messages.startswith("slidewise: error: cannot read ")
    assert messages.endswith(": it is closed\n")


def test_unreadable_input_is_reported(run):
    with Path("/proc/self/mem").open() as memory:
        for argv in ["solve", "-"], ["solve", "--file", "-"], ["play"]:
            code, messages = run(*argv, stdin=memory)
            assert (code, messages.count("\n")) == (2, 1)
            assert "Input/output error" in messages
    assert "cannot read /proc/self/mem: " in run("solve", "--file", "/proc/self/mem")[1]


def test_unencodable_characters_are_escaped(run, tmp_path):
    (tmp_path / "in").write_text("\N{SNOWMAN}\n", encoding="utf-8")
    with (tmp_path / "out").open("w", encoding="ascii") as output:
        assert run("play", SMALL, stdout=output) == (1, "")
    assert "found '\\u2603'" in (tmp_path / "out").read_text()


def test_closed_streams_of_a_process_are_handled():
    for closing, messages in ("<&-", "it is closed\n"), (">&-", "send it somewhere else\n"):
        argv = ["sh", "-c", f'"$@" {closing}', "-", *PROGRAM, "play"]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr.endswith(messages)


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
        ("rich.console", ["webapp", "algorithms"]),
        ("slidewise.cli", ["slidewise", "new"]),
    ],
)
def test_ctrl_c_while_importing_ends_without_a_traceback(imported, argv):
    done = python("-c", INTERRUPT, imported, *argv)
    assert (done.returncode, done.stderr) == (130, "")
