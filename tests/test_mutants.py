"""Mutation testing, on a small project of its own."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import mutants, system_programs

MODULE = '''"""A module."""

from __future__ import annotations

LIMIT = 3


class Capped(Exception):
    def __init__(self, n: int | None) -> None:
        super().__init__(f"{n} is too large")


def cap(n: int | None) -> int:
    if n > LIMIT:
        return LIMIT
    return n


def refuse(n):
    raise Capped(n)


def count(n):
    while n > 0:
        n -= 1
    return n


def never():
    return 7 + 2


def shared():
    return [1]
'''

TESTS = """
import os
import pathlib

import pytest

from slidewise.thing import Capped, cap, count, refuse, shared


@pytest.fixture(scope="module")
def made():
    return shared()


def test_that_needs_what_is_shared(made):
    assert made


def test_that_looks_at_it(made):
    assert made == [1]


def test_cap():
    assert [cap(n) for n in (2, 3, 5)] == [2, 3, 3]


def test_refuse():
    with pytest.raises(Capped, match="^5 is too large$"):
        refuse(5)


def test_count():
    pathlib.Path(os.environ["RUNS"]).joinpath(str(os.getpid())).touch()
    assert count(1) == 0


def test_that_fails():
    assert cap(1) == 2
"""


PROJECT = """
[tool.pytest.ini_options]
pythonpath = ["."]
addopts = ["--disable-plugin-autoload"]
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return a package with tests and the program; other folders hold their output."""
    folder = tmp_path / "project"
    for path, text in {
        "slidewise/__init__.py": "",
        "slidewise/thing.py": MODULE,
        "tests/test_thing.py": TESTS,
        "tests/mutants.py": Path(mutants.__file__).read_text(),
        "pyproject.toml": PROJECT,
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (tmp_path / "runs").mkdir()
    monkeypatch.setenv("RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.chdir(folder)
    return folder


def start(*arguments: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "tests.mutants", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_changes_that_no_test_notices_are_listed(project):
    before = files(project)
    process = start("slidewise/thing.py", "--grace", "3")
    output, _ = process.communicate()
    assert process.returncode == 1, output
    assert "6 tests, 5 of which pass without a change" in output
    survived = {line for line in output.splitlines() if "->" in line}
    assert survived == {
        "slidewise/thing.py:14:8: n > LIMIT  ->  n >= LIMIT  in  if n > LIMIT:  (survived)",
        *(
            f"slidewise/thing.py:30:{change}  in  return 7 + 2  (unreached)"
            for change in ("12: 7 + 2  ->  7 - 2", "12: 7  ->  8", "16: 2  ->  3")
        ),
    }, output
    assert "slidewise/thing.py: 12 mutants: " in output
    assert "'timeout': " in output, "`n += 1` never ends"
    assert files(project) == before


def test_an_interrupted_run_leaves_nothing(project, tmp_path):
    before = files(project)
    process = start("slidewise/thing.py", "--grace", "600", "--jobs", "1")
    for line in process.stdout:
        if ":14:" in line:  # `n += 1` is among the next
            break
    runs = tmp_path / "runs"
    first = set(runs.iterdir())
    while process.poll() is None and not (new := set(runs.iterdir()) - first):
        pass
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert process.returncode not in (0, 1)
    for path in new:
        with pytest.raises(ProcessLookupError):
            os.kill(int(path.name), 0)
    assert files(project) == before


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("a < b", ["a <= b"]),
        ("a is not None and b", ["a is not None or b", "a is None and b"]),
        ("x if y else -1", ["x if not y else -1", "x if y else 1", "x if y else -2"]),
        ("f(a=True)", ["pass", "f(a=False)"]),
        ("x.y += 2", ["x.y -= 2", "x.y += 3"]),
        ("x.y = z", ["pass"]),
        ("raise E", ["pass"]),
        ("while a:\n    break", ["while not a:\n    break", "while a:\n    continue"]),
        (
            "def f(a: int | None = 1) -> 2:\n    'text'",
            ["def f(a: int | None = 2) -> 2:\n    'text'"],
        ),
        ("if TYPE_CHECKING:\n    import x", []),
    ],
)
def test_changes_of_a_statement(source, changed):
    tree = mutants.ast.parse(source)
    normal = [mutants.ast.unparse(mutants.ast.parse(each)) for each in changed]
    assert sorted(mutants.ast.unparse(tree) for _ in mutants.changes(tree, tree)) == sorted(normal)
    assert mutants.ast.unparse(tree) == mutants.ast.unparse(mutants.ast.parse(source))


def test_only_lines_that_differ_from_the_base_are_changed(project):
    if not shutil.which("git"):
        pytest.skip(f"{system_programs.NOT_RUN} git")

    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=x", "-c", "user.email=x@localhost")
        subprocess.run(("git", *identity, *arguments), check=True, capture_output=True)

    git("init", "--initial-branch=main")
    git("add", "--all")
    git("commit", "--message=before")
    git("checkout", "-b", "branch")
    thing, new = project / "slidewise/thing.py", project / "slidewise/new.py"
    thing.write_text(MODULE.replace("LIMIT = 3", "\n\nLIMIT = 4"))
    git("commit", "--all", "--message=after")
    thing.write_text(thing.read_text().replace("n -= 1", "n -= 2"))
    new.write_text("A = 1\n")
    (project / "tests/test_new.py").write_text("B = 1\n")
    lines = mutants.changed_lines("main")
    assert lines == {"slidewise/thing.py": {5, 6, 7, 27}, "slidewise/new.py": {1, 2}}
    found = mutants.mutants_of("slidewise/thing.py", lines["slidewise/thing.py"])
    assert [each.text.split(": ")[0] for each in found] == [
        "slidewise/thing.py:7:9",
        "slidewise/thing.py:27:9",
        "slidewise/thing.py:27:14",
    ]
