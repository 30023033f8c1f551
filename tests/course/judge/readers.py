"""The readers of the catalogue of mistakes, and the keys that they name."""

import re
from pathlib import Path

from slidewise.course.judge import exercises
from slidewise.course.judge.printed.mistakes import table
from slidewise.course.judge.repair import GENERAL

ROOT = Path(__file__).parents[3]
JUDGE = ROOT / "slidewise/course/judge"


def of_programs() -> set[str]:
    """Return the keys that the judge of programs names: of the exercises, and of the symptoms."""
    in_exercises = {mistake.key for one in exercises().values() for mistake in one.mistakes}
    return in_exercises | of_symptoms() | GENERAL


def of_symptoms() -> set[str]:
    """Return the keys of the mistakes that results alone show."""
    source = (JUDGE / "symptoms.py").read_text(encoding="utf-8")
    rules = re.findall(r'^    \*?\(*"([\w-]+)"[:,] ', source, re.MULTILINE)
    returned = re.findall(r'return "([\w-]+)"', source)
    return {*rules, *returned, "state-kept", "goal-not-seen"}


def of_printed_work() -> set[str]:
    """Return the keys that "Check my work" names."""
    rows = table()
    return {*rows["mistake"], *(one["key"] for one in (*rows["counting"], *rows["path"]))}


def of_lessons() -> set[str]:
    """Return the keys that lessons name."""
    pages = (ROOT / "templates/course/learn").rglob("*.html")
    calls = r'call mistake\("[\w-]+", "([^"]*)"'
    return {key for page in pages for key in re.findall(calls, page.read_text(encoding="utf-8"))}


READERS = {
    "programs": of_programs,
    "printed work": of_printed_work,
    "lessons": of_lessons,
}
