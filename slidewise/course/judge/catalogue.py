"""The known mistakes with their texts, from `catalogue.toml`, and wrong programs."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from slidewise.text import Message, message


@dataclass(frozen=True)
class Mistake:
    """A known mistake: its title, a sentence that is true of every program with it, and its remedy.

    >>> catalogue()["stack-for-queue"].title
    'The search takes the newest board first'
    """

    key: str
    title: Message
    text: Message
    mend: Message


@dataclass(frozen=True)
class WrongProgram(Mistake):
    """A known mistake in an exercise, with programs that make it."""

    programs: tuple[str, ...]


@cache
def catalogue() -> dict[str, Mistake]:
    """Return all known mistakes by their keys."""
    import tomllib  # imported here, as `import slidewise` needs no catalogue

    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return {
        key: Mistake(key, **{name: as_message(text) for name, text in words.items()})
        for key, words in tomllib.loads(text).items()
    }


def as_message(text: str) -> Message:
    """Return a text without placeholders as a message."""
    return message(text.replace("%", "%%"))


def wrong_program(row: dict[str, Any], solution: str) -> WrongProgram:
    """Return the mistake of a row of `exercise.toml`, with its programs."""
    program = row["code"].lstrip("\n") if "code" in row else changed(solution, row["change"])
    others = [
        other.lstrip("\n") if isinstance(other, str) else changed(solution, other)
        for other in row.get("others", [])
    ]
    return WrongProgram(**vars(catalogue()[row["key"]]), programs=(program, *others))


def changed(program: str, changes: list[list[str]]) -> str:
    """Return a program with each old text replaced by a new text.

    Raises `ValueError` if it does not contain an old text.
    """
    for old, new in changes:
        if old not in program:
            raise ValueError(f"the program has no {old!r}")
        program = program.replace(old, new)
    return program
