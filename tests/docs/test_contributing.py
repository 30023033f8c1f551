"""CONTRIBUTING.md and the guides of docs/, followed literally in a copy of the project."""

import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.cli.commands import python
from tests.each import each, some

ROOT = Path(__file__).parents[2]
NOT_COPIED = shutil.ignore_patterns(
    *(".git", ".venv", ".*_cache", "__pycache__", "build", "dist", "instance")
)
GUIDES = ["CONTRIBUTING.md", "docs/adding-an-algorithm.md", "docs/adding-a-heuristic.md"]
EXAMPLES = [
    ("CONTRIBUTING.md", "## The first change in ten minutes"),
    ("CONTRIBUTING.md", "### A known mistake"),
    *((guide, "## The tests that fail") for guide in GUIDES[1:]),
]

SAVE = re.compile(r"[Ss]ave [\w ]+ as\s+`([\w/]+\.\w+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
REPLACE = re.compile(r"in\s+`([\w/.]+)`,\s+replace\s+`([^`]+)`\s+by\s+`([^`]+)`")
ADD = re.compile(
    r"add this row to\s+`([\w/.]+)` below the line that begins with\s+"
    r"(`[^`\n]+`|`` .+? ``):\n\n +(\|.*)"
)
INSERT = re.compile(
    r"[Aa]dd these lines to\s+`([\w/.]+)` below the line that begins with\s+`([^`]+)`:\n\n"
    r"```\w+\n(.*?)```",
    re.DOTALL,
)
RUN = re.compile(r"^    \.venv/bin/python -m pytest (.*)$", re.MULTILINE)
NAMED = re.compile(r"^- `(test_\w+)`", re.MULTILINE)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def section(name: str, heading: str) -> str:
    """Return a section of a document, up to the next heading of the same or a higher level."""
    level = heading.index(" ")
    _, found, text = read(name).partition(f"\n{heading}\n")
    assert found, heading
    return re.split(rf"^#{{2,{level}}} ", text, maxsplit=1, flags=re.MULTILINE)[0]


@pytest.fixture
def project(tmp_path):
    """Return a copy of the project, without its virtual environment."""
    shutil.copytree(ROOT, tmp_path, ignore=NOT_COPIED, dirs_exist_ok=True)
    if sys.pycache_prefix:  # compiled files are valid there, as files have their dates
        compiled, copied = (sys.pycache_prefix + str(folder) for folder in (ROOT, tmp_path))
        for name in ("slidewise", "webapp", "tests"):
            shutil.copytree(f"{compiled}/{name}", f"{copied}/{name}")
    yield tmp_path
    if sys.pycache_prefix:
        shutil.rmtree(copied)


def save_files(project: Path, text: str) -> int:
    """Save the files shown in a text; return their number."""
    files = SAVE.findall(text)
    for name, content in files:
        assert not (project / name).exists(), name
        (project / name).write_text(content, encoding="utf-8")
    return len(files)


def edit(project: Path, text: str) -> int:
    """Make the edits named in a text; return their number."""
    edits = REPLACE.findall(text)
    rows = [(name, line.strip("` "), row) for name, line, row in ADD.findall(text)]
    rows += [(name, line, code.rstrip("\n")) for name, line, code in INSERT.findall(text)]
    for name, old, new in edits:
        change(project / name, re.escape(old), new)
    for name, line, row in rows:
        change(project / name, rf"^{re.escape(line)}.*$", rf"\g<0>\n{row}")
    return len(edits) + len(rows)


def change(file: Path, old: str, new: str) -> None:
    new = new if new.startswith("\\g") else new.replace("\\", r"\\")
    text, number = re.subn(old, new, file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert number == 1, (file, old, number)
    file.write_text(text, encoding="utf-8")


def failures(project: Path, tests: Iterable[str], *options: str) -> dict[str, str]:
    """Run tests in the copy; return the failed tests and their files."""
    arguments = "-q", "-p", "no:cacheprovider", *options, *dict.fromkeys(tests)
    done = python("-m", "pytest", *arguments, cwd=project)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = re.findall(r"^FAILED (\S+?)::(\w+)", done.stdout, re.MULTILINE)
    assert bool(found) == done.returncode, done.stdout
    return {name: file for file, name in found}


def test_click_files_are_those_of_the_trace():
    traced = re.findall(r" in `((?:slidewise|webapp)/[^`]+)`", read("docs/life-of-a-click.md"))
    listed = re.findall(
        r"`((?:slidewise|webapp)/\S+?\.py)`", section(GUIDES[0], "## The life of a click")
    )
    assert sorted(listed) == sorted(set(traced))


@each("guide", GUIDES)
def test_files_and_tests_named_in_guides_exist(guide):
    text = read(guide)
    files = re.findall(r"`((?:slidewise|webapp|templates|static|tests)/[\w/]+\.\w+)`", text)
    new = [name for name, _ in SAVE.findall(text)]
    assert [name for name in files if name not in new and not (ROOT / name).exists()] == []
    tests = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("*.py"))
    assert [name for name in re.findall(r"`(test_\w+)`", text) if f"def {name}(" not in tests] == []


@pytest.mark.parametrize("whole", some([False, True], 0))
def test_examples_fail_named_tests_until_edited(project, whole):
    """All examples share one copy; each names tests that the others pass.

    Only the examples' tests and the ratchet run, unless `whole`: then no other test may fail.
    """
    examples = [section(*place) for place in EXAMPLES]
    assert [save_files(project, text) for text in map(read, GUIDES[1:])] == [1, 1]
    parts = [re.split(r"tests? (?:fails?,|know)", text, maxsplit=1) for text in examples]
    assert [edit(project, change) for change, _ in parts] == [1, 2, 0, 0]
    files = " ".join(files for text in examples for files in RUN.findall(text)).split()
    names = [name for text in examples for name in NAMED.findall(text)]
    assert len(names) == len(set(names))
    own = " or ".join(["only_fall", "triple", *names])
    options = () if whole else ("-k", own)
    failed = failures(project, files, *options)
    assert failed.keys() == set(names)
    assert [edit(project, mends) for _, mends in parts] == [1, 2, 2, 2]
    assert failures(project, [f"{file}::{name}" for name, file in failed.items()]) == {}
