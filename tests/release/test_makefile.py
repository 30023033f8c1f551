"""The Makefile: the requirement files that each target installs, and when it reinstalls. A program
that records its arguments replaces uv."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUNNING = "requirements.txt requirements-build.txt"
TESTING = "requirements-dev.txt"
EDITABLE = "--editable"

UV = """\
#!/bin/sh
echo "$*" >>log
test "$1" = venv || exit 0
cp shown shown-before
mkdir -p .venv/bin
for name in python slidewise; do
    printf '#!/bin/sh\\necho "%s $*" >>log\\n' $name >.venv/bin/$name
    chmod +x .venv/bin/$name
done
"""


@pytest.fixture
def make(tmp_path):
    """Return a function that runs make, and returns the installations and commands."""
    if not shutil.which("make"):
        pytest.skip("there is no make here")
    for name in "Makefile", "pyproject.toml", *RUNNING.split(), TESTING:
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "programs").mkdir()
    uv = tmp_path / "programs" / "uv"
    uv.write_text(UV)
    uv.chmod(0o755)
    log = tmp_path / "log"

    def run(*targets):
        log.write_text("")
        path = f"{uv.parent}:{os.environ['PATH']}"
        with (tmp_path / "shown").open("w") as shown:
            subprocess.run(
                ["make", *targets],
                cwd=tmp_path,
                env={**os.environ, "PATH": path, "MAKEFLAGS": "", "MAKELEVEL": "0", "ARGS": ""},
                check=True,
                stdout=shown,
                stderr=subprocess.PIPE,
            )
        return [_short(line) for line in log.read_text().splitlines()]

    return run


def _short(line):
    """Return the files of an installation, else the command."""
    words = line.split()
    if "--editable" in words:
        return EDITABLE
    if words[:2] == ["pip", "install"]:
        assert "--require-hashes" in words
        return " ".join(word for word in words if word.endswith(".txt"))
    return line


def test_run_installs_its_requirements_and_tests_add_theirs(make):
    assert make("run") == ["venv --quiet .venv", RUNNING, EDITABLE, "slidewise serve"]
    assert make("setup") == [TESTING]
    assert make("setup") == []
    assert make("run") == ["slidewise serve"]


@pytest.mark.parametrize("python", [[], ["PYTHON=programs/python3"]])
def test_run_first_announces_that_it_makes_an_environment(make, tmp_path, python):
    """With uv, and with the venv of a Python."""
    stub = tmp_path / "programs" / "python3"
    stub.write_text('#!/bin/sh\ntest "$1" = -c || exec uv venv\n')
    stub.chmod(0o755)
    make("run", *python)
    assert "Making an environment" in (tmp_path / "shown-before").read_text()
    make("run")
    assert (tmp_path / "shown").read_text() == ""


def test_setup_alone_installs_both(make):
    assert make("setup") == ["venv --quiet .venv", RUNNING, EDITABLE, TESTING]


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ("requirements.txt", [RUNNING, EDITABLE, TESTING]),
        ("requirements-build.txt", [RUNNING, EDITABLE, TESTING]),
        ("pyproject.toml", [RUNNING, EDITABLE, TESTING]),
        ("requirements-dev.txt", [TESTING]),
    ],
)
def test_a_changed_requirement_file_is_installed(make, tmp_path, changed, again):
    make("setup")
    stamp = (tmp_path / ".venv/.ready-to-test").stat().st_mtime
    os.utime(tmp_path / changed, (stamp + 5, stamp + 5))
    for name in {"requirements-dev.txt", "requirements.txt"} - {changed}:
        os.utime(tmp_path / name, (stamp - 5, stamp - 5))
    assert make("setup") == again


def test_a_moved_project_is_installed_again(make, tmp_path):
    make("setup")
    (tmp_path / ".venv/.ready").write_text("/elsewhere")
    assert make("run")[:2] == ["venv --quiet .venv", RUNNING]
