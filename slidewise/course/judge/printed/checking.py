"""Checking a program's results against the reference search."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from slidewise.course.judge.catalogue import catalogue
from slidewise.course.judge.printed.candidates import DEFAULT_EXPANSIONS, Explained, Fit
from slidewise.course.judge.printed.diagnosis import (
    COUNT_NAMES,
    NOTHING_MORE,
    TITLES,
    Diagnosis,
    DifferenceKind,
    Divergence,
    compare_counts,
    compare_path,
    compare_rows,
    explain,
    explanation,
    known_mistake,
    lists_made,
    sentences,
)
from slidewise.course.judge.printed.mistakes import (
    MANHATTAN,
    counting,
    find_rules,
    written_as,
    wrong_paths,
)
from slidewise.course.judge.printed.reading import read_given
from slidewise.course.judge.printed.reference import REFERENCE_LIMITS, ReferenceSearch
from slidewise.course.judge.printed.report import CheckedCount, Property, Report
from slidewise.course.judge.printed.submission import Submission, WorkRow, leads_there, moves_along
from slidewise.course.judge.printed.switched import neighbours
from slidewise.puzzle import STANDARD_GOALS, Puzzle
from slidewise.puzzle.board import neighbour_cells
from slidewise.solver.convention import ALGORITHMS, SLIDEWISE, Convention, GoalTest
from slidewise.solver.result import Status
from slidewise.solver.run import find_algorithm, find_fitting_heuristic, solve
from slidewise.solver.task import DEFAULT_WEIGHT, Limits, exact_weight
from slidewise.text import message, plural, with_commas


def check(
    puzzle: Puzzle,
    algorithm: str,
    heuristic: str | None = "manhattan",
    convention: str = "slidewise",
    given: str | Mapping[str, Any] = "",
    *,
    weight: float = DEFAULT_WEIGHT,
    expansions: int = DEFAULT_EXPANSIONS,
    limits: Limits = REFERENCE_LIMITS,
    strict: bool = False,
) -> Report:
    """Check a submission: correct properties, first difference and explanation.

    `given` is text in any form of `read_given`, or a mapping with fields such as `path` and
    `expanded`. `weight` is for weighted A*. The search for conventions and mistakes that explain a
    difference takes about `expansions`, at some 30,000 a second. `limits` apply to the reference
    search. Results in another order that follow the algorithm's rules are right, and so are other
    ways of counting. With `strict`, only exact matches with the convention are right.

    >>> from slidewise import parse_puzzle
    >>> report = check(parse_puzzle("1.0.3-4.2.5"), "bfs", given={"path": "UL", "expanded": 6})
    >>> print(report.title, report.explanation.title, sep="; ")
    Right, counted in another way; The goal is counted as expanded

    Raises `UnreadableError` with the faulty line, and the errors of `search`.
    """
    exact = exact_weight(weight)
    entry = find_algorithm(algorithm)
    key = None
    if entry.uses_heuristic:
        key = find_fitting_heuristic(heuristic or "manhattan", *puzzle.start.size).key
    rules = find_rules(convention, entry.key)
    spec = ReferenceSearch(puzzle, entry.key, key, limits, exact)
    read = read_given(given, puzzle, entry.key)
    submission = _with_start(_without_meaningless(read, entry.key), puzzle)
    return _Check(spec, rules, submission, expansions).report(strict=strict)


def _with_start(given: Submission, puzzle: Puzzle) -> Submission:
    """Add the start as the first expansion of a submission that begins with a neighbour of it."""
    start = bytes(puzzle.start.cells)
    if not given.rows or moves_along([start, given.rows[0].cells], puzzle.start) is None:
        return given
    first = WorkRow(given.rows[0].line, start)
    return replace(given, rows=(first, *given.rows), leaves_out_start=True)


def _without_meaningless(given: Submission, algorithm: str) -> Submission:
    """Return the submission without values that the search does not use.

    These are h without a heuristic, and f unless it is the rank.
    """
    if find_algorithm(algorithm).uses_heuristic:
        return given
    names = ("g", "f") if algorithm == "ucs" else ("g",)
    rows = (
        replace(row, values={key: row.values[key] for key in names if key in row.values})
        for row in given.rows
    )
    return replace(given, rows=tuple(rows))


NO_PATH = message("no path")

SHOWN_CHARACTERS = 200
"""Maximum length of a line that a note repeats."""

MAX_BOUNDED = 200_000
"""Maximum boards examined for the smallest possible count of expansions."""


class _Check:
    """State of a check."""

    def __init__(
        self, spec: ReferenceSearch, rules: Convention, given: Submission, expansions: int
    ) -> None:
        self.spec, self.rules, self.given, self.most = spec, rules, given, expansions
        # For an unsolvable puzzle the reference does not search, so rows cannot be compared.
        rows = given if self._has_path else replace(given, rows=())
        self.in_rows, self.agreed, self.result = compare_rows(spec, rules, rows)
        self.lists_made = False
        is_end = self.in_rows is not None and self.in_rows.kind == DifferenceKind.ENDED
        self.is_excerpt = is_end and given.is_excerpt
        if self.is_excerpt:
            self.in_rows = None
        self.in_path = compare_path(spec, given, self.result)
        self.in_counts = compare_counts(given, self.result) if self._has_path else None
        self.wrong_counts: list[str] = []
        self.ends_early = False
        self.count_notes: list[str] = []

    def report(self, *, strict: bool) -> Report:
        """Return the report."""
        spec, given = self.spec, self.given
        first = self.in_rows or self.in_path or self.in_counts
        finding = self._diagnose_path(self.in_path)
        by = Explained(spec, given, self.agreed)
        counted = self._diagnose_counts() if self.in_counts and not self.in_rows else None
        verdicts = {one.key: one.right for one in self.properties(None)}
        # Another search can explain a path to the goal and its counts, but no other path.
        can_explain = self._has_path and not self.lists_made and verdicts.get("path", True)
        is_open = can_explain and not all(verdicts.values())
        if self.in_rows or (finding is None and (is_open or (self.in_counts and not counted))):
            by.search(self.rules, self.most, is_wrong=False in verdicts.values())
        properties = self.properties(by.fit, orders_tried=by.orders_tried)
        verdicts = {one.key: one.right for one in properties}
        is_unexplained = verdicts.get("rules") is False and not (by.fit and by.fit.whole)
        # Rows in the order of generation are not expansions, so they are left out.
        if is_unexplained and lists_made(spec, self.rules, given.rows):
            self.lists_made, self.in_rows = True, None
            return self.report(strict=strict)
        if strict:
            properties = self._strictly(properties)
        title = counted.title if counted else "."
        notes = self._notes() + [one for one in self.count_notes if not one.startswith(title)]
        notes += [one.words for one in properties if one.key == "counts" and one.right is None]
        if finding is None and by.fit is not None and first is not None:
            finding = self._diagnose_fit(by.fit, first)
        finding = finding or counted
        found = self._first_wrong(properties) or first
        is_known = not written_as(self.rules)
        differs = found is not None and found.kind == DifferenceKind.EXPANSION and is_known
        counts = by.fit.counts if by.fit is not None and given.rows else {}
        return Report(
            spec.puzzle,
            spec.algorithm,
            spec.heuristic,
            self.rules,
            given,
            self.result,
            explain(spec, self.rules, found) if found is not None and differs else found,
            finding,
            len(given.rows) if self.ends_early else self.agreed,
            tuple(self._table(counts, differs=found is not None)),
            tuple(notes),
            by.expansions,
            by.complete,
            properties,
        )

    def properties(self, fit: Fit | None, *, orders_tried: bool = True) -> tuple[Property, ...]:
        """Return the properties of the submission, which hold for any order and convention.

        `fit` is the best explanation. `orders_tried` is True if all correct searches with the given
        order of ties were tried.
        """
        self.count_notes = []
        self.ends_early = self._ends_early(fit)
        if fit is not None and not (fit.whole and fit.candidate.is_right):
            fit = None
        found = (self.path(), self.length(), self._rules(fit, orders_tried), self._counts(fit))
        return tuple(one for one in found if one is not None)

    def _ends_early(self, fit: Fit | None) -> bool:
        """Return whether all rows fit a correct search that has not ended after them."""
        if fit is None or fit.whole or not self.given.rows:
            return False
        return fit.candidate.is_right and fit.agreed == len(self.given.rows)

    def _strictly(self, properties: tuple[Property, ...]) -> tuple[Property, ...]:
        """Return the strict properties, with any difference from the reference as wrong."""
        differs = {
            "rules": self.in_rows,
            "path": self.in_path,
            "length": compare_counts(self.given, self.result, ("length",)),
            "counts": self.in_counts,
        }
        words = "It is not as under this convention."
        return tuple(
            one._replace(right=False, words=words)
            if one.right is not False and differs.get(one.key)
            else one
            for one in properties
        )

    @cached_property
    def shortest(self) -> int | None:
        """Return the moves of a shortest path, None if unknown."""
        result = self.result
        if result.status is Status.CUTOFF or result.shortest is not None:
            return result.shortest
        spec = self.spec
        key, heuristic = spec.algorithm, spec.heuristic
        # A suboptimal search does not prove a length, so A* does.
        if not find_algorithm(key).optimal:
            key, heuristic = "astar", heuristic or "manhattan"
        return solve(spec.puzzle, key, heuristic, spec.limits).shortest

    @property
    def _has_path(self) -> bool:
        """Return whether the goal can be reached, by parity."""
        return self.spec.puzzle.solvable

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
        words = "There is a path." if solved else "There is no path, as parity proves."
        return Property("path", right, words if right else "The answer is not right.")

    def length(self) -> Property | None:
        """Return whether the path is as short as the algorithm guarantees."""
        value = self._length
        if value is None:
            return None
        path = self.path()
        if (path is not None and not path.right) or not self._has_path:
            return Property("length", False, "There is no path to the goal.")
        if value == self.result.length:
            return Property("length", True, f"{plural(value, 'move')}, as expected.")
        shortest = self.shortest
        if shortest is None:
            return Property("length", None, "The shortest length is not known.")
        words = f"{plural(value, 'move')}; the shortest path has {shortest:,}."
        # All paths between two boards have lengths of the same parity.
        if value < shortest or (value - shortest) % 2:
            return Property("length", False, words)
        if self.promises_shortest:
            return Property("length", value == shortest, words)
        if self.spec.algorithm == "wastar":
            return Property("length", value <= self.spec.weight * shortest, words)
        return Property("length", None, f"{words} This search promises no length.")

    def _rules(self, fit: Fit | None, orders_tried: bool) -> Property | None:
        if not self.given.rows:
            return None
        if not self._has_path:
            return Property("rules", None, "Expansions without a goal are not judged.")
        if self.lists_made:
            return Property("rules", None, "The boards come in the order in which they are made.")
        if self.in_rows is None:
            return Property("rules", True, "All expansions are as expected.")
        if fit is not None:
            return Property("rules", True, "The expansions break no rule.")
        if self.ends_early and self.given.is_excerpt:
            return Property("rules", True, "The expansions break no rule as far as they go.")
        if self.ends_early:
            return Property("rules", False, "The expansions break no rule, but end too early.")
        if not orders_tried:
            return Property("rules", None, "The expansions are too many to try each order.")
        return Property("rules", False, "The expansions break a rule of the algorithm.")

    def _counts(self, fit: Fit | None) -> Property | None:
        has_path = self.given.moves is not None
        names = [name for name in self.given.counts if name != "length" or has_path]
        if not names:
            return None
        verdicts = {name: self._count(name, fit) for name in names}
        if self._expands_too_many:
            verdicts |= {name: False for name, right in verdicts.items() if right is None}
        self.wrong_counts = [name for name, right in verdicts.items() if right is False]
        if self.wrong_counts:
            wrong = with_commas([COUNT_NAMES[name] for name in self.wrong_counts])
            return Property("counts", False, f"No right search counts so: {wrong}.")
        if None in verdicts.values():
            unknown = [COUNT_NAMES[name] for name in names if verdicts[name] is None]
            words = message(
                "Not known to be right or wrong: %(counts)s.", counts=with_commas(unknown)
            )
            return Property("counts", None, words)
        return Property("counts", True, "A right search counts so.")

    def _count(self, name: str, fit: Fit | None) -> bool | None:
        """Return whether a correct program can have a count, None if unknown."""
        value = self.given.counts[name]
        if name == "length":
            return value == len(self.given.moves or "")
        if self.result.status is Status.CUTOFF or not self._has_path:
            return None
        known = [(self._expected, self.rules)]
        if fit is not None:
            known = [(fit.counts, fit.candidate.convention), *([] if self.given.rows else known)]
        elif self.in_rows is not None:
            return None  # a search that breaks the rules has no correct count
        for counts, rules in known:
            if value == counts.get(name):
                return True
            how = counting(name, value, counts, counts_goal=rules.counts_goal)
            if how is not None:
                mistake = catalogue()[how.key]
                title = message("%(title)s.", title=mistake.title)
                self.count_notes.append(sentences(title, mistake.text, mistake.mend))
                return True
        if self.given.rows:
            return False if name in known[0][0] else None
        return self._is_possible(name, value)

    @property
    def _expands_too_many(self) -> bool:
        """Return whether more is expanded than the given number of generated boards allows.

        A board is expanded at most once for each of its neighbours and each length of a path to it.
        """
        expanded, generated = (self.given.counts.get(name) for name in ("expanded", "generated"))
        if expanded is None or generated is None or self.given.rows:
            return False
        # Deepening searches expand boards again in each iteration.
        is_one_search = self.spec.algorithm in ALGORITHMS or self.spec.algorithm == "bidirectional"
        return is_one_search and expanded > 4 * (generated + 2) ** 2

    def _is_possible(self, name: str, value: int) -> bool | None:
        """Return whether some order of ties gives a count, None if unknown."""
        bounds = self._bounds
        if name == "deepest":
            return None
        least = self._least_moves - 1 if name in ("expanded", "generated") else 1
        if bounds is not None and name != "peak_frontier":
            least = max(least, bounds[0])
        # Programs count the start or the goal differently, hence the margin of 1.
        if value < least - 1:
            return False
        if bounds is None:
            return None
        _, most, most_made = bounds
        highest = most + 1 if name == "expanded" else most_made
        if value > highest:
            return None
        self.count_notes.append(
            message(
                "%(count)s can be from %(least)s to %(most)s, as the order of equal nodes is.",
                count=TITLES[name],
                least=least,
                most=highest,
            )
        )
        return True

    @property
    def _least_moves(self) -> int:
        """Return a lower bound for the moves to the goal."""
        if self.result.shortest is not None:
            return self.result.shortest
        puzzle = self.spec.puzzle
        moves: int = MANHATTAN(bytes(puzzle.start.cells), bytes(puzzle.goal.cells), puzzle.cols)
        return moves

    @cached_property
    def _bounds(self) -> tuple[int, int, int] | None:
        """Return the bounds of a search with a consistent estimate, None if unknown.

        They are the least and the most expansions, and the most generated nodes, in any order of
        ties. Boards with f below C* - 1 are always expanded, boards with f above C* never.
        """
        spec = self.spec
        task = spec.task(SLIDEWISE).with_facts()
        heuristic = task.heuristic
        if spec.algorithm not in ("bfs", "ucs", "astar") or self.shortest is None:
            return None
        if heuristic is not None and not heuristic.consistent:
            return None
        h, ways = spec.estimate(task).value, neighbour_cells(*spec.puzzle.start.size)
        goal, layer, g = bytes(spec.puzzle.goal.cells), {bytes(spec.puzzle.start.cells)}, 0
        seen, least, made = set(layer), 0, 1
        while layer:
            following: set[bytes] = set()
            for cells in layer:
                # A goal test at generation can end the search among the boards with f = C* - 1.
                least += g + h(cells) < self.shortest - 1
                if cells != goal:
                    made += len(ways[cells.index(0)])
                    following.update(neighbours(cells, ways))
            g += 1
            layer = {cells for cells in following - seen if g + h(cells) <= self.shortest}
            seen |= layer
            if len(seen) > MAX_BOUNDED:
                return None
        return least, len(seen) - 1, made

    def _first_wrong(self, properties: tuple[Property, ...]) -> Divergence | None:
        """Return the difference in the first wrong property, or None."""
        wrong = {one.key for one in properties if one.right is False}
        if "rules" in wrong and self.ends_early:
            number, line = len(self.given.rows), self.given.rows[-1].line
            words = NOTHING_MORE, message("more expansions, up to the goal")
            return Divergence(DifferenceKind.ENDED, number, *words, line=line)
        if "rules" in wrong:
            return self.in_rows
        if "path" in wrong and self.given.moves is None:
            answers = message("a path"), NO_PATH
            return Divergence(
                DifferenceKind.ANSWER, 0, *(answers if self.given.solved else answers[::-1])
            )
        if "path" in wrong:
            return self.in_path
        if "length" in wrong:
            yours = plural(self._length or 0, "move")
            if not self._has_path:
                return Divergence(DifferenceKind.ANSWER, 0, yours, NO_PATH)
            least = message("no other") if self.shortest is None else plural(self.shortest, "move")
            return Divergence(DifferenceKind.LENGTH, 0, yours, least)
        if "counts" in wrong:
            return compare_counts(self.given, self.result, self.wrong_counts)
        return None

    @property
    def _length(self) -> int | None:
        moves = self.given.moves
        return len(moves) if moves is not None else self.given.counts.get("length")

    def _notes(self) -> list[str]:
        """Return notes on the form of the submission."""
        given, notes = self.given, list[str]()
        if given.in_blank_directions:
            notes.append(message("Your moves were read as directions of the blank."))
        if given.rows and given.rows[-1].cells == bytes(self.spec.puzzle.goal.cells):
            notes.append(
                message(
                    "Your list ends with the goal, which is taken from the frontier but not "
                    "expanded."
                )
            )
        if given.leaves_out_start and not self.lists_made:
            notes.append(
                message("Your list leaves out the start, which is taken as its first expansion.")
            )
        if self.lists_made:
            notes.append(
                message(
                    "Your list has the boards in the order in which they are made. Print each "
                    "board when it is taken from the frontier, and the order of expansions can be "
                    "checked."
                )
            )
        if self.is_excerpt:
            notes.append(message("Your trace ends before the goal: only this part was checked."))
        if given.skipped:
            number, text = given.skipped[0]
            text = text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]} ..."
            lines = plural(len(given.skipped), "line")
            notes.append(
                message(
                    "Nothing was understood in %(lines)s; line %(number)s is: %(text)s",
                    lines=lines,
                    number=number,
                    text=text,
                )
            )
        if self.result.status is Status.CUTOFF:
            expansions = plural(self.result.expanded, "expansion")
            notes.append(
                message(
                    "The reference search was stopped after %(expansions)s.", expansions=expansions
                )
            )
        return notes

    def _diagnose_fit(self, fit: Fit, found: Divergence) -> Diagnosis:
        at = found.number if found.kind == DifferenceKind.EXPANSION else 0
        title = find_algorithm(self.spec.algorithm).title
        finding = explanation(fit, self.rules, self.given, at, self._doubt(fit), title)
        return finding if self.spec.algorithm in ALGORITHMS else replace(finding, convention="")

    def _doubt(self, fit: Fit) -> str:
        """Return the reason that the fitting A* can miss the shortest path, or "".

        It is "" if the given convention itself has a reason.
        """
        if self.spec.algorithm != "astar" or fit.candidate.mistake:
            return ""
        heuristic = self.spec.task(self.rules).with_facts().heuristic
        if heuristic is None or not heuristic.admissible:
            return ""
        facts = {"admissible": heuristic.admissible, "consistent": heuristic.consistent}
        if self.rules.doubt(**facts):
            return ""
        return fit.candidate.convention.doubt(**facts)

    def _diagnose_counts(self) -> Diagnosis | None:
        """Return a diagnosis if all differing counts are other ways of counting."""
        known = self._expected
        ways = [
            counting(name, yours, known, counts_goal=self.rules.counts_goal)
            for name, yours in self.given.counts.items()
            if yours != known.get(name)
        ]
        way = ways[0] if ways else None
        if way is None or None in ways:
            return None
        right = way.of != "length"
        more = [message("Your search is right. Only the counting differs.")] if right else []
        finding = known_mistake("count", way.key, *more)
        return replace(finding, convention=str(self.rules), right=right)

    @property
    def _expected(self) -> dict[str, int]:
        found = {name: getattr(self.result, name) for name in TITLES}
        return {name: value for name, value in found.items() if value is not None}

    def _diagnose_path(self, found: Divergence | None) -> Diagnosis | None:
        """Return the repair that makes the path lead to the goal."""
        if found is None or found.kind not in (DifferenceKind.ILLEGAL, DifferenceKind.NOT_SOLVED):
            return None
        goals = [str(goal(*self.spec.puzzle.goal.size)) for goal in STANDARD_GOALS.values()]
        is_other = found.your_board in goals
        is_backwards = self.given.is_backwards  # `path-reversed` is the first of the mistakes
        for one in wrong_paths():
            moves = self.given.moves or ""
            # A path to another usual goal may also be explained by a lacking move, but less likely.
            repaired = () if is_other and one.lacks else one.repaired(moves)
            if any(leads_there(self.spec.puzzle, path) for path in repaired) or is_backwards:
                more = message("With that corrected, your path leads from the start to the goal.")
                return known_mistake("mistake", one.key, more)
        if not is_other:
            return None
        more = message(
            "Your path ends at %(board)s, which is another common goal.",
            board=found.your_board,
        )
        return known_mistake("mistake", "other-goal", more)

    def _table(self, counts: Mapping[str, int], *, differs: bool) -> list[CheckedCount]:
        yours, result = self.given.counts, self.result
        derived = {**counts, **self._derived()}
        if self.given.rows and not differs:
            derived |= {key: getattr(result, key) for key in ("length", "peak_stored")}
        if self.given.moves is not None:
            derived["length"] = len(self.given.moves)
        known = result.status is not Status.CUTOFF and self._has_path
        lines = []
        for key, title in TITLES.items():
            value = yours.get(key, derived.get(key))
            usual = key in ("length", "expanded", "generated", "peak_stored")
            if value is None and not (self.given.rows and usual):
                continue
            if key not in yours and not usual:
                continue
            expected = getattr(result, key) if known else None
            lines.append(CheckedCount(key, title, value, expected, key not in yours))
        return lines

    def _derived(self) -> dict[str, int]:
        """Return the counts implied by the given expansions."""
        rows = [row.cells for row in self.given.rows]
        # The goal is listed, but it is not expanded and generates nothing.
        if rows and rows[-1] == bytes(self.spec.puzzle.goal.cells):
            rows.pop()
        if not rows or self.spec.algorithm not in ALGORITHMS:
            return {}
        found = {"expanded": len(rows)}
        if self.rules.goal_test is GoalTest.TAKEN:
            ways = neighbour_cells(*self.spec.puzzle.start.size)
            found["generated"] = 1 + sum(len(ways[cells.index(0)]) for cells in rows)
        return found
