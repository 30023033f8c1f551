"""Links and files of a class: an exercise, a seed and the rules of a teacher.

A file that a student hands in begins with a comment. It is only a default: the teacher's options
for exercise and seed have precedence, and the points come from running the program.

    # Slidewise exercise: bfs
    # Seed: 7
    # Rules: strict, no-hints
    # Name: Anna
"""

import re
from collections.abc import Iterable
from functools import reduce
from typing import Final, NamedTuple

from slidewise.course.judge.exercise import exercises
from slidewise.course.judge.report import Rules
from slidewise.puzzle import PuzzleError
from slidewise.puzzle.board import quoted
from slidewise.text import message

RULES: Final = {
    "strict": message("the order of the expansions counts"),
    "no-hints": message("no hints"),
    "no-reference": message("expected results are hidden"),
}
"""Rules by their names in links, with a description."""

MAX_SEED: Final = 10**9
SEED_CHARACTERS: Final = 40
MAX_FILES: Final = 300
"""Maximum programs of a class, 25 minutes at most at 5 s each."""

MAX_KILOBYTES: Final = 500
"""Largest file of a student in a class, such as a notebook with its output."""

MAX_TOTAL_KILOBYTES: Final = 50_000
"""Maximum of all programs in a zip, unpacked."""

MAX_ZIP_KILOBYTES: Final = 20_000
"""Largest zip that a student hands in, with pictures or a library."""

MAX_IN_ZIP: Final = 50
"""Maximum programs in the zip of a student; a library has more."""

MAX_ENTRIES: Final = 5_000
"""Maximum files in a zip, of which most may be pictures and texts."""

HEADER_CHARACTERS: Final = 2_000
"""Characters at the beginning of a file that are searched for a header."""

SUBMITTED: Final = (
    re.compile(r"^(?:.*/)?([^/]+?)(?:_([0-9]+))?_assignsubmission_[a-z]+(?:_?/|_)(.+)$"),
    re.compile(
        r"^(?:.*/)?(?:([^/]+?)_)??(?:(?:LATE|late)_)?([0-9]+|anon_[A-Za-z0-9]+)_[0-9]+_([^/]+)$"
    ),
)
"""Names of files in the zips of Moodle (`mod/assign/classes/downloader.php`) and of Canvas
(`lib/content_zipper.rb`): groups for student, ID and file, as Python and JavaScript read them."""

_FIELD = re.compile(r"^# (Slidewise exercise|Seed|Rules|Name): *(\S[^\n]*)$", re.MULTILINE)


class BadRulesError(PuzzleError):
    """A link has an unknown rule or a seed that is too long."""


class Header(NamedTuple):
    """The exercise, the seed, the rules and the student that a file names."""

    exercise: str | None = None
    seed: int | None = None
    rules: Rules = Rules()
    student: str = ""


class Submitted(NamedTuple):
    """A file as handed in: the student's name and ID, "" if unknown, and the student's file."""

    student: str
    id: str
    file: str


def read_file_name(path: str) -> Submitted:
    """Return the parts of a file's name in the zip of Moodle or Canvas.

    >>> read_file_name("Anna Berg_123_assignsubmission_file/bfs.py")
    Submitted(student='Anna Berg', id='123', file='bfs.py')
    >>> read_file_name("berganna_LATE_55_901_bfs.py")
    Submitted(student='berganna', id='55', file='bfs.py')
    """
    found = next(filter(None, (pattern.match(path) for pattern in SUBMITTED)), None)
    return Submitted(*found.groups("")) if found else Submitted("", "", path)


def read_rules(names: Iterable[str]) -> Rules:
    """Return the rules of a link. Raises `BadRulesError`.

    >>> read_rules(["strict", "no-hints"])
    Rules(strict=True, hints=False, reference=True, every=True, unseen=True)
    """
    found = {name.strip() for one in names for name in one.split(",")} - {""}
    if unknown := sorted(found - RULES.keys()):
        raise BadRulesError(
            message(
                "the rules are %(rules)s; found %(found)s: write rules=strict,no-hints",
                rules=", ".join(RULES),
                found=quoted(unknown[0], 20),
            )
        )
    return Rules("strict" in found, "no-hints" not in found, "no-reference" not in found)


def rule_names(rules: Rules) -> list[str]:
    """Return the names of the rules that hold.

    >>> rule_names(Rules(strict=True, reference=False))
    ['strict', 'no-reference']
    """
    holding = (rules.strict, not rules.hints, not rules.reference)
    return [name for name, holds in zip(RULES, holding, strict=True) if holds]


def read_seed(text: str) -> int:
    """Return the number of a seed, which may be a name. Raises `BadRulesError`.

    >>> read_seed("7"), read_seed("anna"), read_seed("")
    (7, 2998944, 1)
    """
    text = text.strip()
    if len(text) > SEED_CHARACTERS:
        raise BadRulesError(
            message(
                "a seed has at most %(most)s characters; found %(found)s: use a short name",
                most=SEED_CHARACTERS,
                found=len(text),
            )
        )
    if re.fullmatch("[0-9]{1,9}", text):
        return int(text)
    # A fixed hash, because Python's own hash of text differs between processes.
    return reduce(lambda number, one: (31 * number + ord(one)) % MAX_SEED, text, 0) if text else 1


def header(exercise: str, seed: int, rules: Rules) -> str:
    """Return the comment at the beginning of a file to hand in.

    >>> print(header("bfs", 7, Rules(strict=True)), end="")
    # Slidewise exercise: bfs
    # Seed: 7
    # Rules: strict
    # To judge it: slidewise grade bfs.py
    """
    lines = [f"# Slidewise exercise: {exercise}", f"# Seed: {seed}"]
    if names := rule_names(rules):
        lines.append(f"# Rules: {', '.join(names)}")
    option = "" if exercise in exercises() else f"--exercise {exercise} "
    return "\n".join([*lines, f"# To judge it: slidewise grade {option}{exercise}.py", ""])


def read_header(code: str) -> Header:
    """Return the exercise, the seed, the rules and the student that a file names.

    Exercise and seed are None if they are missing or unknown; unknown rules are omitted.

    >>> read_header("# Slidewise exercise: bfs\\n# Seed: 7\\n# Rules: strict\\n").rules.strict
    True
    """
    fields: dict[str, str] = {}
    for name, value in _FIELD.findall(code[:HEADER_CHARACTERS]):
        fields.setdefault(name, value.rstrip())
    exercise = fields.get("Slidewise exercise")
    seed = fields.get("Seed", "")
    names = re.split(r"[, ]+", fields.get("Rules", ""))
    return Header(
        exercise if exercise in exercises() else None,
        int(seed) if re.fullmatch("[0-9]{1,9}", seed) else None,
        read_rules(name for name in names if name in RULES),
        fields.get("Name", ""),
    )
