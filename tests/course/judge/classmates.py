"""A class with hostile classmates, graded by the command in a process of its own.

No program here can harm anything but its class: it looks for processes in the class' own folder,
starts at most 100 processes, and ends by itself.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from slidewise.course.judge import confinement, exercises
from slidewise.course.judge.confinement import PACKAGE_FOLDER, PROC, Isolation

RIGHT = exercises()["find_zero"].solution
FIRST_CALL = """
def find_zero(board, calls=[]):
    if not calls:
        calls.append(1)
        attack()
    width = int(len(board) ** 0.5)
    return divmod(board.index(0), width)
"""

ATTACKS = {
    "ends its siblings": """
import os, signal, time
def attack():
    mine = os.environ["HOME"]
    for _ in range(20):
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                folder = os.readlink(f"/proc/{pid}/cwd")
                if folder.startswith(CLASS) and folder != mine:
                    os.kill(int(pid), signal.SIGKILL)
            except OSError:
                pass
        time.sleep(0.1)
""",
    "leaves a daemon": """
import os, time
def attack():
    if not os.fork():
        os.setsid()
        if not os.fork():
            os.closerange(0, 64)
            time.sleep(300)
        os._exit(0)
""",
    "writes into the report": """
import os
def attack():
    for pid in os.getppid(), *map(int, filter(str.isdigit, os.listdir("/proc"))):
        for number in 1, 2:
            try:
                parent = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1]
                if MARK in open(f"/proc/{pid}/cmdline").read() or pid == os.getppid():
                    with open(f"/proc/{pid}/fd/{number}", "w") as stream:
                        stream.write("forged\\n")
            except OSError:
                pass
""",
    "starts processes": """
import os, time
def attack():
    try:
        for _ in range(100):
            if not os.fork():
                time.sleep(300)
                os._exit(0)
    except OSError:
        pass
""",
    "returns a line of 80 MB": """
import os
def attack():
    for number in range(3, 64):
        try:
            for _ in range(80):
                os.write(number, b"x" * 1_000_000)
        except OSError:
            pass
""",
    "writes 60 MB of files": """
def attack():
    for number in range(67):
        try:
            open(f"{number}", "wb").write(b"x" * 900_000)
        except OSError:
            pass
""",
    "overwrites a classmate": """
import pathlib
def attack():
    for file in pathlib.Path(CLASS).rglob("right*.py"):
        try:
            file.write_text("def find_zero(board): return None")
        except OSError:
            pass
""",
}
"""Attacks in the first call of a right program."""


class Graded(NamedTuple):
    """The output of a grading, and the points by the names of the files."""

    done: subprocess.CompletedProcess[str]
    points: dict[str, int]
    notes: dict[str, str]


class Classroom:
    """A folder of submissions, and of the folders of their processes."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="class-")
        self.folder = Path(self._folder.name)
        self.folder.chmod(0o711)
        self.files = self.folder / "files"
        self.files.mkdir()
        (self.folder / "tmp").mkdir(mode=0o711)

    def add(self, name: str, attack: str = "") -> None:
        """Add a right program, which begins with `attack()` if it has one."""
        names = f"CLASS, MARK = {str(self.folder)!r}, {self.mark!r}\n"
        (self.files / name).write_text(f"{names}{attack}{FIRST_CALL}" if attack else RIGHT)

    @property
    def go(self) -> str:
        """A file that `allow` makes."""
        return str(self.folder / "go")

    def allow(self) -> None:
        """Let programs go on that wait for `go`."""
        Path(self.go).touch()

    @property
    def mark(self) -> str:
        """A text in the command line of the judge of this class alone."""
        return f"judge-of-{self.folder.name}"

    def start(self, isolation: Isolation, *options: str) -> subprocess.Popen[str]:
        """Start the command with the isolation."""
        python = readable_python() if isolation.own_uid else sys.executable
        code = (
            f"import signal, sys; sys.executable = {python!r}  # {self.mark}\n"
            # a shell disables it for commands in the background
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "from slidewise.course.judge import confinement as c\n"
            f"c.available_isolation = lambda: c.Isolation{tuple(isolation)}\n"
            "from slidewise.cli import main; sys.exit(main())"
        )
        return subprocess.Popen(
            [sys.executable, "-c", code, "grade", str(self.files), "--json", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=PACKAGE_FOLDER,
            env={**os.environ, "TMPDIR": str(self.folder / "tmp")},
        )

    def grade(self, isolation: Isolation, *options: str) -> Graded:
        """Grade all submissions."""
        process = self.start(isolation, *options)
        out, err = process.communicate()
        done = subprocess.CompletedProcess([], process.returncode, out, err)
        reports: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
        notes = {one["file"]: one["functions"][0]["checks"][0]["note"] for one in reports}
        return Graded(done, {one["file"]: one["points"] for one in reports}, notes)

    def processes(self) -> list[int]:
        """Return the processes whose folder is one of the class."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if str((folder / "cwd").readlink()).startswith(str(self.folder)):
                    found.append(int(folder.name))
        return found

    def commands(self) -> list[str]:
        """Return the names of the commands that these processes run."""
        names = []
        for pid in self.processes():
            with suppress(OSError):
                names.append((PROC / str(pid) / "comm").read_text().strip())
        return names

    def close(self) -> None:
        """End the processes that a failed test has left, and delete the folder."""
        for pid in self.processes():
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        self._folder.cleanup()


@cache
def readable_python() -> str:
    """Return a Python that a user without rights can start, "" if there is none."""
    if not hasattr(os, "geteuid") or os.geteuid():
        return ""
    for python in sys.executable, "/usr/bin/python3":
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                [python, "-B", "-c", "import slidewise.course.programs.child"],
                cwd=PACKAGE_FOLDER,
                env={},
                user=65534,
                group=65534,
                extra_groups=[],
                check=True,
                capture_output=True,
            )
            return python
    return ""


LEVELS = {
    "namespaces": Isolation(namespaces=True),
    "namespaces and uid": Isolation(namespaces=True, own_uid=True),
    "uid": Isolation(own_uid=True),
    "none": Isolation(),
}


@pytest.fixture(params=LEVELS.values(), ids=LEVELS)
def isolation(request):
    """Return each isolation that this system allows."""
    if not PROC.is_dir():
        pytest.skip("the tests read processes from /proc")
    if request.param.own_uid and not readable_python():
        pytest.skip("needs root, and a Python that other users can start")
    if request.param.namespaces and not confinement._works(Isolation(namespaces=True)):
        pytest.skip("this system allows no namespaces")
    return request.param


@pytest.fixture
def classroom():
    """Yield an empty class."""
    room = Classroom()
    yield room
    room.close()
