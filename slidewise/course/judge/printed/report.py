"""Report of a check: as a value, as text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, TypedDict

from slidewise.course.judge.printed.diagnosis import Diagnosis, Divergence, sentences
from slidewise.course.judge.printed.submission import Submission
from slidewise.json_schema import Keywords, json_values
from slidewise.puzzle import Puzzle
from slidewise.solver.convention import Convention
from slidewise.solver.result import Result
from slidewise.text import message, plural, text_table


class Property(NamedTuple):
    """A property of a submission, for example `path`; `right` is None if unknown."""

    key: Annotated[str, Keywords(enum=["path", "length", "rules", "counts"])]
    right: bool | None
    words: str


HIGHEST_SCORE = 100
"""The score of a submission without faults."""


@dataclass(frozen=True)
class CheckedCount:
    """A row of the table: the submitted value `yours` and the expected value, None if unknown.

    With `derived`, `yours` was computed from the submitted expansions.
    """

    count: str
    title: str
    yours: int | None
    expected: int | None
    difference: int | None = field(init=False, default=None)
    derived: bool = False

    def __post_init__(self) -> None:
        if self.yours is not None and self.expected is not None:
            object.__setattr__(self, "difference", self.yours - self.expected)

    @property
    def words(self) -> str:
        """Return the difference as displayed.

        >>> CheckedCount("expanded", "Expanded", 53, 56).words
        '−3'
        """
        if self.difference is None:
            return ""
        sign = "+" if self.difference > 0 else "\u2212"
        return f"{sign}{abs(self.difference):,}" if self.difference else "same"


class CheckReportJSON(TypedDict):
    """A report as JSON values."""

    right: Annotated[bool, "Whether nothing given is wrong, whatever its order or convention."]
    wrong: Annotated[bool, "Whether something given is wrong."]
    exact: Annotated[bool, "Whether it is exactly as expected."]
    score: Annotated[int, "Properties that are not wrong, of 100."]
    properties: tuple[Property, ...]
    title: str
    puzzle: str
    algorithm: str
    heuristic: str | None
    weight: float | None
    convention: str
    given: Annotated[str, "What was read, in words."]
    so_far: str
    agreed: Annotated[int, "The first expansions that are right."]
    divergence: Divergence | None
    explanation: Diagnosis | None
    unexplained: str
    counts: tuple[CheckedCount, ...]
    notes: list[str]
    expansions: int
    complete: bool


@dataclass(frozen=True)
class Report:
    """Result of a check.

    `divergence` is the first difference or None, with the reason for the expected side.
    `explanation` explains the whole submission, or its longest part. `agreed` is the number of
    right expansions before the first difference. `notes` are further observations. `expansions` is
    the effort spent on explanations. `complete` is True if all explanations were tried.
    `properties` are right or wrong whatever the order and convention.
    """

    puzzle: Puzzle
    algorithm: str
    heuristic: str | None
    convention: Convention
    given: Submission
    result: Result
    divergence: Divergence | None
    explanation: Diagnosis | None
    agreed: int
    counts: tuple[CheckedCount, ...]
    notes: tuple[str, ...]
    expansions: int
    complete: bool
    properties: tuple[Property, ...] = ()

    @property
    def right(self) -> bool:
        """Return whether nothing is wrong, and at least one property is right."""
        verdicts = [one.right for one in self.properties]
        return True in verdicts and False not in verdicts

    @property
    def wrong(self) -> bool:
        """Return whether any property is wrong."""
        return any(one.right is False for one in self.properties)

    @property
    def exact(self) -> bool:
        """Return whether the submission matches the convention exactly."""
        return self.divergence is None

    @property
    def score(self) -> int:
        """Return the points, with an equal share for each property that is not wrong."""
        fulfilled = sum(one.right is not False for one in self.properties)
        return round(HIGHEST_SCORE * fulfilled / max(1, len(self.properties)))

    @property
    def title(self) -> str:
        """Return the verdict in a few words."""
        if self.wrong:
            return self.divergence.title if self.divergence else message("Something is wrong")
        if not self.right:
            return message("Nothing wrong was found, but this alone cannot be checked")
        if not self.puzzle.solvable:
            return message("Right: there is no path, as parity proves")
        if self.exact and self.given.rows:
            return message("Everything is right")
        if self.given.rows:
            return message("Right, in another way")
        if self.explanation and self.explanation.kind == "count":
            return message("Right, counted in another way")
        right = {one.key for one in self.properties if one.right}
        if {"path", "counts"} <= right:
            return message("Your path and counts are right")
        if "path" in right:
            return message("Your path is right")
        if "counts" in right:
            return message("Your counts are right")
        return message("Your length is right")

    @property
    def so_far(self) -> str:
        """Return a sentence on the part before the first difference."""
        given = self.given
        parts = []
        if self.exact and not self.wrong:
            parts.append(message("You gave %(parts)s; nothing differs.", parts=given.words))
        elif not self.wrong:
            parts.append(message("You gave %(parts)s; no rule is broken.", parts=given.words))
        elif self.agreed > 1:
            parts.append(message("Expansions 1 to %(number)s are right.", number=self.agreed))
        elif self.agreed:
            parts.append(message("Expansion 1 is right."))
        if not self.wrong and not given.rows and not given.counts and given.moves is not None:
            parts.append(
                message(
                    "Only the path was checked, not the search that found it: for that, give the "
                    "boards in the order in which they are expanded."
                )
            )
        if self.wrong and given.rows and given.moves == self.result.moves:
            parts.append(message("Your path is right: only the order of the search differs."))
        return sentences(*parts)

    def __str__(self) -> str:
        """Return the report as text."""
        return self.as_text()

    def as_text(self) -> str:
        """Return the report as lines of text."""
        lines = [f"{self.title}."]
        if self.so_far:
            lines.append(self.so_far)
        words = {True: "right", False: "wrong", None: "unknown"}
        verdicts = ", ".join(f"{one.key} {words[one.right]}" for one in self.properties)
        lines.append(f"Score {self.score} of {HIGHEST_SCORE}: {verdicts}.")
        if self.divergence and not self.wrong:
            lines.append(f"Against the convention of {self.convention.title}:")
            lines.append(f"{self.divergence.title}.")
        if self.divergence:
            where = f" (line {self.divergence.line:,})" if self.divergence.line else ""
            lines += [f"Yours{where}: {self.divergence.yours}"]
            lines += [f"Expected: {self.divergence.expected}"]
            if self.divergence.reason:
                lines += [self.divergence.reason + ".", *self.divergence.why]
        if self.explanation:
            lines += [f"{self.explanation.title}. {self.explanation.text}"]
            if self.explanation.mend:
                fix = "" if self.explanation.right else "To fix it: "
                lines.append(f"{fix}{self.explanation.mend}")
        elif self.expansions:
            lines.append(self.unexplained)
        lines += self.notes
        if self.counts:
            rows = [
                (line.title, _shown(line.yours), _shown(line.expected), line.words)
                for line in self.counts
            ]
            first = "Right so far" if self.wrong else "Counts"
            head = [first, "Yours", "Expected", "Difference"]
            lines += ["", text_table(head, rows, frozenset({1, 2, 3}))]
        return "\n".join(lines)

    @property
    def unexplained(self) -> str:
        """Return the note for a submission without an explanation."""
        tried = plural(self.expansions, "expansion")
        note = message(
            "No explanation was found within %(tried)s, but not everything was tried.", tried=tried
        )
        if self.complete:
            note = message(
                "No other convention and no known mistake explains it (%(tried)s tried).",
                tried=tried,
            )
        if self.heuristic and self.given.rows and not any(row.values for row in self.given.rows):
            more = message(
                "Give g and h with each board too: then the first wrong number is shown."
            )
            return sentences(note, more)
        return note

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON values, as `CheckReportJSON` declares them."""
        values = {
            "puzzle": str(self.puzzle),
            "weight": self.result.weight,
            "convention": str(self.convention),
            "given": self.given.words,
            "unexplained": "" if self.explanation or not self.expansions else self.unexplained,
        }
        # All other fields have the name of an attribute.
        names = CheckReportJSON.__annotations__
        others = {name: getattr(self, name) for name in names.keys() - values}
        return {name: json_values({**values, **others}[name]) for name in names}


def _shown(value: int | None) -> str:
    return "" if value is None else f"{value:,}"
