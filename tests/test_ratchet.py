"""Limits on measures of the code; lower a number once the code allows it."""

import ast
import functools
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PHRASES = {
    "what": r"\bwhat (?:is|was|are|has|it|they|a |the )",
    "where": r"\bwhere (?:it|there|that|the|a|nothing|none|this|one|they|what)\b",
    "told": r"\b(?:told|tells?|said|says|asked|asks)\b",
    "kept": r"\bkept\b",
    "such": r"\bso (?:many|much|few)\b|\bsuch an?\b",
    "who": r"\b(?:who|whoever) (?:asks|takes|reads|began|gives|has|is|came|waits)\b",
    "anew": r"\banew\b|\b(?:is|are) none\b",
}
IN_PACKAGES = PHRASES | {
    "that of": r"\b(?:that|those) of\b",
    "one": r"\bones?\b",
    "else": r", else\b",
    "beside": r"\bbeside\b",
}
MAX = {
    "slidewise": {
        "imports": 7.5,
        "what": 0.1,
        "where": 0.1,
        "told": 0.1,
        "kept": 0.2,
        "such": 0.0,
        "who": 0.0,
        "anew": 0.5,
        "that of": 0.1,
        "one": 0.6,
        "else": 0.1,
        "beside": 0.1,
        "short": 5,
    },
    "webapp": {
        "imports": 10.8,
        "what": 0.1,
        "where": 0.1,
        "told": 0.0,
        "kept": 0.0,
        "such": 0.1,
        "who": 0.0,
        "anew": 0.2,
        "that of": 0.1,
        "one": 1.4,
        "else": 0.1,
        "beside": 0.1,
        "short": 3,
    },
}
"""Import lines in 100 lines of code, phrases in 1,000 words of comments and docstrings, and short
modules. A module under 60 lines is short, unless `stands_alone`."""
DOCUMENTS = {
    "what": 0.6,
    "where": 0.9,
    "told": 1.0,
    "kept": 0.1,
    "such": 0.0,
    "who": 0.0,
    "anew": 0.0,
}
"""Phrases in 1,000 words of the README, `docs/` and the other pages, except the traced ones."""
PLAIN = "tests", "benchmarks", "static/js", "static/css", "templates"
"""Other folders, whose comments and docstrings have none of the phrases."""
COMMENT = {
    ".js": r"(?:^|\s)//\s(.*)",
    ".css": r"/\*([\s\S]*?)\*/",
    ".html": r"\{#([\s\S]*?)#\}",
}
ODD_NAME = re.compile(
    r"\w{61}|\w*_(?:told|tells?|said|says|asks?|asked|kept|anew|what|who|whoever|none|such|nobody"
    r"|somebody|otherwise)(?:_|$)"
)
"""A name of more than 60 characters, or with one of these words."""
ASSIGNMENT = ast.Assign | ast.AnnAssign | ast.AugAssign
TWICE: set[str] = set()
"""Class names that exist twice."""


def sources(folder: str, suffix: str = ".py") -> dict[Path, str]:
    files = (ROOT / folder).rglob(f"*{suffix}")
    return {file: file.read_text(encoding="utf-8") for file in files}


def test_imports_phrases_and_short_modules_only_fall():
    found = {package: measure(sources(package)) for package in MAX}
    high = {(p, k): v for p in MAX for k, v in found[p].items() if v > MAX[p][k]}
    assert high == {}


@dataclass
class Findings:
    """The lines of imports of a file, its prose, its constants' stray docstrings, and its tests."""

    imports: int = 0
    prose: str = ""
    orphans: list[int] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)


@functools.cache
def findings(text: str) -> Findings:
    """Return the findings of Python code, which is parsed once for all tests."""
    found, written = Findings(), re.findall(r"#\s(.*)", text)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.imports += (node.end_lineno or 0) - node.lineno + 1
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            written.append(re.sub(r"^ *(?:>>>|\.\.\.).*$", "", str(node.value.value), flags=re.M))
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            found.tests.append(node.name)
        if isinstance(node, ast.Module | ast.ClassDef | ast.If):
            found.orphans += [
                string.lineno
                for before, string in pairwise(node.body)
                if isinstance(string, ast.Expr) and isinstance(string.value, ast.Constant)
                if not isinstance(before, ASSIGNMENT) or string.lineno != before.end_lineno + 1
                if string.value.value is not ...
            ]
    found.prose = " ".join(written)
    return found


def prose(text: str) -> str:
    """Comments and docstrings of Python code, without examples."""
    return findings(text).prose


def measure(files: dict[Path, str]) -> dict[str, float]:
    lines = 0
    for text in files.values():
        lines += sum(bool(s) and not s.startswith("#") for s in map(str.strip, text.splitlines()))
    imports = sum(findings(text).imports for text in files.values())
    rates = phrases(" ".join(map(prose, files.values())), IN_PACKAGES)
    short = [f for f, t in files.items() if t.count("\n") < 60 and not stands_alone(f, t)]
    return {"imports": round(100 * imports / lines, 1), **rates, "short": len(short)}


def stands_alone(file: Path, text: str) -> bool:
    """Return whether a module may be short: a package, an algorithm, a page, names alone ..."""
    declared = re.search(
        r"^(?:@algorithm|@heuristic|blueprint = Blueprint|PART = Part)\(", text, re.MULTILINE
    )
    names_alone = re.search(r"^(?:def|class|\w+ =) ?", text, re.MULTILINE) is None
    return file.name == "__init__.py" or declared is not None or names_alone


def phrases(text: str, patterns: dict[str, str] = PHRASES) -> dict[str, float]:
    words = " ".join(text.split())
    number = len(words.split())
    return {
        k: round(1000 * len(re.findall(p, words, re.I)) / number, 1) for k, p in patterns.items()
    }


def test_phrases_in_documents_only_fall():
    files = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    written = [file for file in files if not file.name.startswith("life-of-")]
    found = phrases(" ".join(file.read_text(encoding="utf-8") for file in written))
    assert {key: value for key, value in found.items() if value > DOCUMENTS[key]} == {}


@pytest.mark.parametrize("folder", PLAIN)
def test_comments_in_other_folders_have_no_phrases(folder):
    found = list(map(prose, sources(folder).values()))
    for suffix, comment in COMMENT.items():
        found += re.findall(comment, "\n".join(sources(folder, suffix).values()))
    assert {key: value for key, value in phrases(" ".join(found)).items() if value} == {}


def test_each_message_listener_handles_unreadable_messages():
    """In Firefox a page without `wasm-unsafe-eval` receives no compiled WebAssembly."""
    unhandled = set()
    for file, text in sources("static/js", ".js").items():
        starts, listens = "new Worker(" in text, re.search(r"\bonmessage =|\"message\"", text)
        handles_errors = re.search(r"\bonerror =|\"error\"", text)
        if (listens and '"messageerror"' not in text) or (starts and not handles_errors):
            unhandled.add(str(file.relative_to(ROOT / "static/js")))
    assert unhandled == {"worker.js"}  # the service worker's, whose pages wait for no answer


def test_each_docstring_of_a_constant_follows_it():
    orphans = [
        f"{file}:{line}"
        for package in (*MAX, "tests", "benchmarks")
        for file, text in sources(package).items()
        for line in findings(text).orphans
    ]
    assert orphans == []


def test_names_of_tests_are_short_and_plain():
    names = [name for text in sources("tests").values() for name in findings(text).tests]
    assert list(filter(ODD_NAME.match, names)) == []


def test_class_names_stand_once():
    text = "\n".join(text for package in MAX for text in sources(package).values())
    names = Counter(re.findall(r"^ *class ([A-Za-z]\w*)", text, re.MULTILINE))
    assert {name for name, number in names.items() if number > 1} <= TWICE
