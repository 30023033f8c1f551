"""Report of a check: as a value, as text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from slidewise.solver.convention import SLIDEWISE
from slidewise.solver.engines.plain_best_first import moved
from slidewise.solver.find import find_algorithm
from slidewise.solver.result import Status
from slidewise.solver.run import solve
from slidewise.study.check.candidates import TracedSearch
from slidewise.study.check.diagnosis import Reason, counting
from slidewise.study.check.divergence import TITLES, DifferenceKind
from slidewise.study.check.mistakes import PLAIN
from slidewise.text import plural, text_table

if TYPE_CHECKING:
    from slidewise.puzzle import Puzzle
    from slidewise.solver.convention import Convention
    from slidewise.solver.result import Result
    from slidewise.study.check.candidates import Fit, ReferenceSearch
    from slidewise.study.check.diagnosis import Diagnosis
    from slidewise.study.check.divergence import Divergence
    from slidewise.study.check.submission import Submission


MAX_BOUNDED = 200_000
"""Maximum boards examined for the smallest possible count of expansions."""


class Property(NamedTuple):
    """A property of a submission, for example `path`; `right` is None if unknown."""

    key: str
    right: bool | None
    words: str


@dataclass
class Judge:
    """Correct properties of a submission, whatever the order and convention of its search.

    `in_rows` and `in_path` are the first differences from the reference, `result` is the reference
    result. `wrong_counts` names the counts that no right program can have.
    """

    spec: ReferenceSearch
    given: Submission
    result: Result
    in_rows: Divergence | None
    in_path: Divergence | None
    wrong_counts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def properties(self, fit: Fit | None, *, orders_tried: bool = True) -> tuple[Property, ...]:
        """Return the properties of a submission; `fit` is the best explanation.

        `orders_tried` is True if every right search in the given order of equal nodes was tried.
        """
        self.notes = []
        if fit is not None and not (fit.whole and fit.candidate.is_right):
            fit = None
        found = [
            self.path(),
            self.length(),
            self._rules(fit, orders_tried=orders_tried),
            self._counts(fit),
        ]
        return tuple(one for one in found if one is not None)

    @cached_property
    def shortest(self) -> int | None:
        """Return the moves of a shortest path, None if unknown."""
        result = self.result
        if result.status is Status.CUTOFF or result.shortest is not None:
            return result.shortest
        spec = self.spec
        key, heuristic = spec.algorithm, spec.heuristic
        if not find_algorithm(key).optimal:
            key, heuristic = "astar", heuristic or "manhattan"
        return solve(spec.puzzle, key, heuristic, spec.limits).shortest

    @property
    def promises_shortest(self) -> bool:
        """Return whether the algorithm always finds a shortest path."""
        task = self.spec.task(SLIDEWISE).with_facts()
        return task.algorithm.optimal and task.trusts_h

    def path(self) -> Property | None:
        """Return whether the path is legal and ends at the goal."""
        if self.given.moves is None:
            return self._answer()
        right = self.in_path is None or self.in_path.kind == DifferenceKind.PATH
        words = "It leads from the start to the goal." if right else "It does not reach the goal."
        return Property("path", right, words)

    def _answer(self) -> Property | None:
        """Return whether an answer without a path is right."""
        solved = self.given.solved
        if solved is None or (solved and self.given.counts.get("length") is not None):
            return None
        if self.result.status is Status.CUTOFF:
            return Property("path", None, "The search was stopped before it found a path.")
        right = solved is (self.result.length is not None)
        return Property("path", right, "There is a path." if right else "The answer is not right.")

    def length(self) -> Property | None:
        """Return whether the path is as short as the algorithm guarantees."""
        moves, length = self.given.moves, self.given.counts.get("length")
        value = length if moves is None else len(moves)
        if value is None:
            return None
        path = self.path()
        if path is not None and not path.right:
            return Property("length", False, "There is no path to the goal.")
        if value == self.result.length:
            return Property("length", True, f"{plural(value, 'move')}, as expected.")
        shortest = self.shortest
        if shortest is None:
            return Property("length", None, "The shortest length is not known.")
        words = f"{plural(value, 'move')}; the shortest path has {shortest:,}."
        if value < shortest or (value - shortest) % 2:
            return Property("length", False, words)
        if self.promises_shortest:
            return Property("length", value == shortest, words)
        if self.spec.algorithm == "wastar":
            return Property("length", value <= self.spec.weight * shortest, words)
        return Property("length", None, f"{words} This search promises no length.")

    def _rules(self, fit: Fit | None, *, orders_tried: bool) -> Property | None:
        if not self.given.rows:
            return None
        if self.in_rows is None:
            return Property("rules", True, "All expansions are as expected.")
        if fit is not None:
            return Property("rules", True, "The expansions break no rule.")
        if not orders_tried:
            return Property("rules", None, "The expansions are too many to try each order.")
        return Property("rules", False, "The expansions break a rule of the algorithm.")

    def _counts(self, fit: Fit | None) -> Property | None:
        names = [name for name in self.given.counts if name != "length" or self._has_path]
        if not names:
            return None
        verdicts = {name: self._count(name, fit) for name in names}
        self.wrong_counts = [name for name, right in verdicts.items() if right is False]
        if self.wrong_counts:
            wrong = ", ".join(TITLES[name].lower() for name in self.wrong_counts)
            return Property("counts", False, f"No right search counts so: {wrong}.")
        if None in verdicts.values():
            unknown = [TITLES[name].lower() for name in names if verdicts[name] is None]
            words = f"Not known to be right or wrong: {', '.join(unknown)}."
            self.notes.append(words)
            return Property("counts", None, words)
        return Property("counts", True, "A right search counts so.")

    @property
    def _has_path(self) -> bool:
        return self.given.moves is not None

    def _count(self, name: str, fit: Fit | None) -> bool | None:
        """Return whether a right program can have a count, None if unknown."""
        value = self.given.counts[name]
        if name == "length":
            return value == len(self.given.moves or "")
        if self.result.status is Status.CUTOFF:
            return None
        expected = {key: getattr(self.result, key) for key in TITLES}
        known = [{key: one for key, one in expected.items() if one is not None}]
        if fit is not None:
            known = [fit.counts, *([] if self.given.rows else known)]
        elif self.in_rows is not None:
            return None  # a search that breaks the rules has no correct count
        for counts in known:
            if value == counts.get(name):
                return True
            how = counting(name, value, counts)
            if how is not None:
                self.notes.append(f"{how.title}. {how.mend}")
                return True
        if self.given.rows:
            return False if name in known[0] else None
        return self._is_possible(name, value)

    def _is_possible(self, name: str, value: int) -> bool | None:
        """Return whether some order of equal nodes gives a count."""
        bounds = self._bounds
        if bounds is None or name == "deepest":
            return None
        least, most, most_made = bounds
        if value < least - 1:
            return False
        highest = most + 1 if name == "expanded" else most_made
        if value > highest:
            return None
        self.notes.append(
            f"{TITLES[name]} can be from {least:,} to {highest:,}, as the order of equal nodes is."
        )
        return True

    @cached_property
    def _bounds(self) -> tuple[int, int, int] | None:
        """Return the bounds of a search with a consistent estimate: least and most expansions, and
        most generated nodes."""
        spec = self.spec
        task = spec.task(SLIDEWISE).with_facts()
        heuristic = task.heuristic
        if spec.algorithm not in ("bfs", "ucs", "astar") or self.shortest is None:
            return None
        if heuristic is not None and not heuristic.consistent:
            return None
        search = TracedSearch(spec, task, PLAIN)
        ways, goal, layer, g = search.ways, search.goal_cells, {bytes(task.puzzle.start.cells)}, 0
        seen, least, made = set(layer), 0, 1
        while layer:
            following: set[bytes] = set()
            for cells in layer:
                least += g + search.h_of(cells) < self.shortest - 1
                if cells != goal:
                    made += len(ways[cells.index(0)])
                    following.update(moved(cells, to) for to in ways[cells.index(0)])
            g += 1
            layer = {cells for cells in following - seen if g + search.h_of(cells) <= self.shortest}
            seen |= layer
            if len(seen) > MAX_BOUNDED:
                return None
        return least, len(seen) - 1, made


def strictly(
    properties: tuple[Property, ...],
    in_rows: Divergence | None,
    in_path: Divergence | None,
    in_counts: Divergence | None,
) -> tuple[Property, ...]:
    """Return the strict properties, with any difference from the reference as wrong."""
    differs = {"rules": in_rows, "path": in_path, "counts": in_counts}
    words = "It is not as under this convention."
    return tuple(
        one._replace(right=False, words=words) if one.right and differs.get(one.key) else one
        for one in properties
    )


def score_of(properties: tuple[Property, ...], highest: int) -> int:
    """Return the points: each property that is not wrong has an equal share.

    >>> score_of((Property("path", True, ""), Property("length", False, "")), 100)
    50
    """
    fulfilled = sum(one.right is not False for one in properties)
    return round(highest * fulfilled / max(1, len(properties)))


HIGHEST_SCORE = 100
"""The score of a submission without faults."""


@dataclass(frozen=True)
class CheckedCount:
    """A row of the table: yours, the expected value and the difference, None if unknown.

    With `derived`, yours was computed from the expansions.
    """

    key: str
    title: str
    yours: int | None
    expected: int | None
    derived: bool = False

    @property
    def difference(self) -> int | None:
        """Return yours minus the expected value."""
        if self.yours is None or self.expected is None:
            return None
        return self.yours - self.expected

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

    def as_json(self) -> dict[str, object]:
        """Return the row as JSON values."""
        return {
            "count": self.key,
            "title": self.title,
            "yours": self.yours,
            "expected": self.expected,
            "difference": self.difference,
            "derived": self.derived,
        }


@dataclass(frozen=True)
class Report:
    """Result of a check.

    `divergence` is the first difference, None if there is none, and `reason` explains the expected
    side. `explanation` explains the whole submission, or the longest part. `agreed` counts the
    first right expansions. `notes` are further observations. `expansions` is the effort spent on
    explanations. `complete` is True if all explanations were tried. `properties` are right or wrong
    in any order and convention.
    """

    puzzle: Puzzle
    algorithm: str
    heuristic: str | None
    convention: Convention
    given: Submission
    result: Result
    divergence: Divergence | None
    reason: Reason | None
    explanation: Diagnosis | None
    agreed: int
    table: tuple[CheckedCount, ...]
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
        """Return the share of properties that are not wrong, of `HIGHEST_SCORE`."""
        return score_of(self.properties, HIGHEST_SCORE)

    @property
    def title(self) -> str:
        """Return the verdict in a few words."""
        if self.wrong:
            return self.divergence.title if self.divergence else "Something is wrong"
        if not self.right:
            return "Nothing wrong was found, but this alone cannot be checked"
        if self.exact and self.given.rows:
            return "Everything is right"
        if self.given.rows:
            return "Right, in another way"
        if self.explanation and self.explanation.kind == "count":
            return "Right, counted in another way"
        parts = [("path", "path"), ("counts", "counts")]
        right = {one.key for one in self.properties if one.right}
        given = [word for key, word in parts if key in right]
        words = " and ".join(given) or "length"
        return f"Your {words} {'are' if words.endswith('s') else 'is'} right"

    @property
    def so_far(self) -> str:
        """Return a sentence on the part before the first difference."""
        if self.exact and not self.wrong:
            return f"You gave {self.given.words}; nothing differs.{self._unchecked}"
        if not self.wrong:
            return f"You gave {self.given.words}; no rule is broken.{self._unchecked}"
        parts = []
        if self.agreed == 1:
            parts.append("Expansion 1 is right.")
        elif self.agreed:
            parts.append(f"Expansions 1 to {self.agreed:,} are right.")
        if (
            self.given.rows
            and self.given.moves is not None
            and self.given.moves == self.result.moves
        ):
            parts.append("Your path is right: only the order of the search differs.")
        return " ".join(parts)

    @property
    def _unchecked(self) -> str:
        """Note that a path alone does not show its search."""
        if self.given.rows or self.given.counts or self.given.moves is None:
            return ""
        return (
            " Only the path was checked, not the search that found it: for that, give the boards "
            "in the order in which they are expanded."
        )

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
        if self.reason:
            lines += [self.reason.title + ".", *self.reason.sentences]
        if self.explanation:
            lines += [f"{self.explanation.title}. {self.explanation.text}"]
            if self.explanation.mend:
                fix = "" if self.explanation.right else "To fix it: "
                lines.append(f"{fix}{self.explanation.mend}")
        elif self.expansions:
            lines.append(self.unexplained)
        lines += self.notes
        if self.table:
            rows = [
                (line.title, _shown(line.yours), _shown(line.expected), line.words)
                for line in self.table
            ]
            first = "What is right so far" if self.wrong else "Counts"
            head = [first, "Yours", "Expected", "Difference"]
            lines += ["", text_table(head, rows, frozenset({1, 2, 3}))]
        return "\n".join(lines)

    @property
    def unexplained(self) -> str:
        """Return the note for a submission without an explanation."""
        tried = plural(self.expansions, "expansion")
        said = f"No explanation was found within {tried}, but not everything was tried."
        if self.complete:
            said = f"No other convention and no known mistake explains it ({tried} tried)."
        if self.heuristic and self.given.rows and not any(row.values for row in self.given.rows):
            said += " Give g and h with each board too: then the first wrong number is shown."
        return said

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        found = self.divergence
        first = found and {
            "kind": found.kind,
            "number": found.number,
            "title": found.title,
            "name": found.name,
            "line": found.line,
            "yours": found.yours,
            "expected": found.expected,
            "reason": self.reason.title if self.reason else "",
            "why": list(self.reason.sentences) if self.reason else [],
            "your_board": found.your_board and str(found.your_board),
            "your_board_from": self.reason.yours_from if self.reason else "",
            "your_board_moved": self.reason and self.reason.yours_moved,
            "expected_board": found.board and str(found.board),
            "expected_board_from": self.reason.expected_from if self.reason else "",
            "expected_board_moved": self.reason and self.reason.expected_moved,
            "boards": [
                {"number": one.number, "board": str(one.board), "mark": one.mark}
                for one in found.strip
            ],
        }
        return {
            "right": self.right,
            "wrong": self.wrong,
            "exact": self.exact,
            "score": self.score,
            "properties": [one._asdict() for one in self.properties],
            "title": self.title,
            "puzzle": str(self.puzzle),
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "weight": self.result.weight,
            "convention": str(self.convention),
            "given": self.given.words,
            "so_far": self.so_far,
            "agreed": self.agreed,
            "divergence": first,
            "explanation": self.explanation.as_json() if self.explanation else None,
            "unexplained": "" if self.explanation or not self.expansions else self.unexplained,
            "counts": [line.as_json() for line in self.table],
            "notes": list(self.notes),
            "expansions": self.expansions,
            "complete": self.complete,
        }


def _shown(value: int | None) -> str:
    return "" if value is None else f"{value:,}"
