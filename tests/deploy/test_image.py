"""The image's Dockerfile, read without Docker. hadolint checks the rest if it is installed."""

import re
import shutil
import subprocess

import pytest

from tests.deploy.site import DEPLOY
from tests.system_programs import NOT_RUN

TEXT = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
BUILD, FINAL = TEXT.split("\nFROM ")[1:]
COPIED = {word for line in re.findall(r"^COPY (.*) \S+$", BUILD, re.M) for word in line.split()}


def variables(stage):
    """Return the variables set by ENV."""
    lines = re.findall(r"^ENV (.*)$", stage, re.MULTILINE)
    return dict(word.split("=", 1) for line in lines for word in line.split())


def test_image_context_holds_the_copied_files_alone():
    rules = (DEPLOY.parent / ".dockerignore").read_text().splitlines()
    assert [rule for rule in rules if rule[0] not in "#!"] == ["*", "**/__pycache__"]
    assert {rule[1:] for rule in rules if rule[0] == "!"} == COPIED
    assert [source for source in COPIED if not (DEPLOY.parent / source).exists()] == []


def test_image_runs_as_another_user_with_the_build_variables():
    (user,) = re.findall(r"^USER (\d+):\d+$", FINAL, re.MULTILINE)
    assert int(user) > 0
    for name in "XDG_CACHE_HOME", "NUMBA_CPU_NAME":
        assert variables(FINAL)[name] == variables(BUILD)[name]
    cache = variables(FINAL)["XDG_CACHE_HOME"]
    assert f"COPY --from=build {cache}/slidewise {cache}/slidewise\n" in FINAL
    assert "\nRUN slidewise warm\n" in BUILD.partition("NUMBA_CPU_NAME")[2]


def test_each_stage_begins_with_the_one_base_image():
    assert set(re.findall(r"^FROM (\S+)", TEXT, re.MULTILINE)) == {"${BASE}"}


def test_hadolint_accepts_the_dockerfile():
    if not shutil.which("hadolint"):
        pytest.skip(f"{NOT_RUN} hadolint: github.com/hadolint/hadolint")
    command = ["hadolint", "--failure-threshold", "error", DEPLOY / "Dockerfile"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
