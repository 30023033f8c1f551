"""The manual: each example runs, and the built site has no broken links."""

import io
import json
import re
import shlex
import shutil
import sys
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from textwrap import dedent

import pytest

from slidewise import parse_puzzle, solve
from slidewise.cli import main as command
from slidewise.course.judge import find_exercise
from tests.cli.commands import python
from tests.each import each

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FOLLOWED = {"adding-a-heuristic.md", "adding-an-algorithm.md", "deploying.md"}
"""Documents whose commands run in other tests: test_contributing.py, deploy/test_deploying.py."""

TOO_LONG = {
    "slidewise atlas",
    "slidewise prove 3.17.9.8.24",
    "slidewise prove --cluster",
    "slidewise prove BOARD --goal",
    "slidewise solve --file boards.txt --cluster",
    "slidewise serve",
    "slidewise static",
}
"""Commands of minutes, of which shorter ones run, commands that need a server, and `static`, which
web/static_folder.py runs."""

GAME = "1 2 3 4 5 6 7 0 8\n8\n"
"""Input of a player for `slidewise play`: a board and its one move."""

STARTS = ("slidewise ", "python -m slidewise", "curl ")


class Page(HTMLParser):
    """Collects the ids of a page, its links, and the URLs of its resources."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read one tag."""
        found = {name: value or "" for name, value in attrs}
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag in {"script", "img", "iframe"} and "src" in found:
            self.loaded.append(found["src"])
        elif tag == "link" and found.get("rel") != "canonical":
            self.loaded.append(found.get("href", ""))


def commands() -> list[str]:
    """Return each command shown in the documents, once, on one line."""
    found: dict[str, None] = {}
    for document in DOCUMENTS:
        if document.name not in FOLLOWED:
            text = re.sub(r" \\\n\s*", " ", document.read_text(encoding="utf-8"))
            lines = re.findall(r"^(?: {4}|\$ )(\S.*)$", text, re.MULTILINE)
            found |= dict.fromkeys(line for line in lines if line.startswith(STARTS))
    return [line for line in found if not line.startswith(tuple(TOO_LONG))]


SHOWN = commands()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with the files named in the examples."""
    moves = solve(parse_puzzle("4.1.3-7.2.5-0.8.6"), "bfs").moves
    work = f"path_to_goal: {moves}"
    program = find_exercise("bfs").solution
    for name, text in {
        "mine.txt": work,
        "out.txt": work,
        "submissions/anna.txt": work,
        "boards.txt": "7.2.4-5.0.6-8.3.1\n",
        "puzzle04.txt": "3\n 0  1  3\n 4  2  5\n 7  8  6\n",
        "bfs.py": program,
        "submission.py": program,
        "programs/anna.py": program,
        "grades.csv": "Identifier,Full name,Grade\nParticipant 1,Anna Bauer,\n",
        "homework.ipynb": json.dumps(
            {
                "cells": [
                    {"cell_type": "code", "source": find_exercise("astar").solution, "metadata": {}}
                ],
                "metadata": {},
                "nbformat": 4,
                "nbformat_minor": 5,
            }
        ),
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    own = shutil.copytree(ROOT / "examples" / "exercises" / "rows-out", tmp_path / "rows-out")
    (tmp_path / "own").mkdir()
    shutil.copy(own / "solution.py", tmp_path / "own")
    with zipfile.ZipFile(tmp_path / "submissions.zip", "w") as archive:
        archive.writestr("Anna Bauer_1_assignsubmission_file_/bfs.py", program)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@each("line", [line for line in SHOWN if line.startswith("slidewise ")])
def test_commands_of_the_documents_run(folder, monkeypatch, capsys, line):
    words, _, target = line.removeprefix("slidewise ").partition(" > ")
    words, _, source = words.partition(" < ")
    argv = shlex.split(re.sub("/autograder/[a-z]+/", "", words), comments=True)
    if argv[0] == "grade" and "submissions/" in argv:
        argv[argv.index("submissions/")] = "own/" if "rows-out" in argv else "programs/"
    if argv[0] == "compare" and "--seconds" not in argv:
        argv += ["--seconds", "0.2"]
    text = Path(source).read_text(encoding="utf-8") if source else GAME
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    capsys.readouterr()
    missed = 1 if argv[0] == "compare" else 0  # a search may reach its limit
    assert 0 <= command(argv) <= missed
    if target:
        lines = capsys.readouterr().out
        Path(target).write_text(lines, encoding="utf-8")
        if target == "puzzles.jsonl":
            answers = [{**json.loads(line), "moves": None} for line in lines.splitlines()]
            Path("answers.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")


def block(name: str, beginning: str) -> str:
    """Return the code of a document from `beginning` to the next blank line at its margin."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    at = text.index(beginning)
    margin = at - text.rindex("\n", 0, at) - 1
    end = re.compile(rf"\n(?:```|(?! {{{margin}}}|\n))" if margin else r"\n```").search(text, at)
    assert end
    return dedent(" " * margin + text[at : end.start()])


def test_check_in_a_program_runs(folder, capsys):
    exec(block("check.md", "import slidewise"), {})
    assert "True" in capsys.readouterr().out


def test_judge_in_a_notebook_runs(capsys):
    names = {}
    exec(find_exercise("bfs").solution, names)
    exec(block("teaching.md", "from slidewise.course.judge import judge\n"), names)
    assert names["report"].points == 10


def test_site_builds_without_broken_links():
    done = python("docs/build.py", cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    site = ROOT / "build" / "site"
    pages = {file.name: Page(file.read_text(encoding="utf-8")) for file in site.glob("*.html")}
    documents = {file.stem for file in DOCUMENTS if file.name != "README.md"}
    assert documents <= {Path(link).stem for link in pages["index.html"].links}
    for name, page in pages.items():
        assert [url for url in page.loaded if url.startswith(("http", "//"))] == [], name
        for link in page.links:
            if link.startswith(("http", "mailto:")) or name == "404.html":
                continue
            file, _, anchor = link.partition("#")
            assert (site / (file or name)).is_file(), f"{name}: {link}"
            assert not anchor or anchor in pages[file or name].ids, f"{name}: {link}"
    assert "certificate" in (site / "search.json").read_text(encoding="utf-8")
