"""The report on a program: its checks, the mistake, and the smallest board that shows it."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Annotated, Any, Final, NamedTuple, TypedDict, cast

from slidewise.course.judge.cases import has_answer
from slidewise.course.judge.catalogue import Mistake, catalogue
from slidewise.course.judge.checks import is_of_expansions, without_reference
from slidewise.course.judge.exercise import Exercise
from slidewise.course.judge.local import typed_chance
from slidewise.course.judge.reference import expected_of, fault_of
from slidewise.course.judge.sources import error_text
from slidewise.course.judge.tried import Tried, text_of
from slidewise.course.programs.boards import Cells, board_text
from slidewise.course.programs.calls import Case, Failure, Roles, Way
from slidewise.json_schema import Amount, Count
from slidewise.text import message

TRACE_LENGTH: Final = 500
"""Maximum expanded boards in a report."""

LINE_LENGTH: Final = 36
"""Maximum characters of the arguments of a call on a single line."""

RESULT_CHECKS: Final = {"path", "shortest", "cheapest"}
KINDS: Final = {
    "tuple": message("tuple"),
    "list": message("list"),
    "list of lists": message("rows as lists"),
    "tuple of tuples": message("rows as tuples"),
    "list of tuples": message("list of tuples"),
    "array": message("array in rows"),
    "flat array": message("flat array"),
    "string": message("text"),
    "tuple of texts": message("tuple of texts"),
    "list of texts": message("list of texts"),
    "number": message("number"),
    "list of strings": message("list of texts"),
    "lists of strings": message("rows of texts"),
    "dictionary": message("dictionary of places"),
    "dictionary of tiles": message("dictionary of tiles"),
}
"""Kinds of boards in words."""


@dataclass(frozen=True)
class Rules:
    """Rules of a teacher.

    With `strict` the order of the expansions counts too, under any order of the four moves and of
    equal boards. Without `hints` a report has no hint, without `reference` no expected result.
    Without `every` the calls with 27,914 boards are omitted, and their points are given. Without
    `unseen` a check that could not be judged counts as failed.
    """

    strict: bool = False
    hints: bool = True
    reference: bool = True
    every: bool = True
    unseen: bool = True


class CheckJson(TypedDict):
    """A property of correct programs."""

    key: str
    text: Annotated[str, "The property in words."]
    points: Count
    passed: Annotated[bool, "No run shows a fault; true as well for a check that is not judged."]
    note: Annotated[str, 'How the smallest board fails it, or why it is not judged, else "".']
    judged: Annotated[bool, "False if no run could show the property."]


class ErrorJson(TypedDict):
    """An exception of the program."""

    type: str
    message: str
    line: Annotated[int | None, "Line of the program, from 1."]


class MistakeJson(TypedDict):
    """A known mistake."""

    key: str
    title: str
    text: str
    mend: str


class CaseJson(TypedDict):
    """The smallest board that shows the first failed check."""

    check: Annotated[str, "Key of the check."]
    board: Annotated[str | None, "In the usual notation, such as `1 2 3/4 5 6/7 8 0`."]
    goal: str | None
    arguments: Annotated[str, "Further arguments, such as `limit = 3`."]
    call: Annotated[str, 'The call in the form of the program, `solve([[1, 2], [3, 0]])`, or "".']
    yours: str
    expected: Annotated[str | None, "Null if the rules hide it, or many are right."]


class FiguresJson(TypedDict):
    """Sums over all calls."""

    calls: Count
    expansions: Count
    generated: Annotated[int, "Successors of the expanded boards, and the starts."]
    reference_expansions: Count
    milliseconds: Amount


class TraceJson(TypedDict):
    """The expansions of a search."""

    board: str
    goal: str
    heuristic: str | None
    expanded: Annotated[list[str], "Boards in the order of expansion, at most 500."]
    parents: Annotated[
        list[int],
        "For each of them the index of the expansion that generated its board, -1 for a root.",
    ]
    expansions: Annotated[int, "Of the whole search."]
    generated: Annotated[int, "Successors of all expanded boards, and the start."]
    path: Annotated[list[str] | None, "The boards of the program's path."]
    differs: Annotated[
        int | None,
        "First expansion, from 1, that the reference makes otherwise; null if it passes.",
    ]


class UnderstoodJson(TypedDict):
    """A program as the judge understood it."""

    function: Annotated[str, "With its class: `Solver.solve`."]
    call: Annotated[str, "How it is called: `solve(board)`."]
    board: Annotated[str, "Form of its boards, `rows as lists`, or their class."]
    blank: Annotated[str, "Its blank, as Python shows it: `0`."]
    goal: Annotated[str | None, "Its only goal, null if it takes any."]
    goal_name: Annotated[str, 'Variable that gets the goal before each call, "" for none.']
    moves: Annotated[str, 'Function or collection that shows the expansions, "" for none.']


class LineJson(TypedDict):
    """A line of the program to try."""

    number: Annotated[int, "Line of the program, from 1."]
    old: str
    new: str
    mistake: Annotated[MistakeJson | None, "The mistake that it mends, if the report has none."]


class ReportJson(TypedDict):
    """A judgement."""

    exercise: str
    title: str
    seed: int
    points: Annotated[int, "Points earned, in proportion to those judged."]
    points_possible: Count
    passed: Annotated[bool, "No check fails, and a path or value was judged."]
    earned: Annotated[int, "Points of the checks that are judged and passed."]
    judged: Annotated[int, "Points of the checks that are judged."]
    understood: UnderstoodJson | None
    checks: list[CheckJson]
    error: ErrorJson | None
    mistake: MistakeJson | None
    case: CaseJson | None
    line: Annotated[LineJson | None, "A change with which all checks pass."]
    figures: FiguresJson
    trace: TraceJson | None
    hint: Annotated[str | None, "The next hint."]


def mistake_json(mistake: Mistake) -> MistakeJson:
    """Return a mistake as data for JSON."""
    names = "key", "title", "text", "mend"
    return cast("MistakeJson", {name: getattr(mistake, name) for name in names})


class LineChange(NamedTuple):
    """A line of a program, from 1, the line to try instead, and the mistake in it or ""."""

    number: int
    old: str
    new: str
    mistake: str = ""

    def applied(self, code: str) -> str:
        """Return the program with the new line."""
        lines = code.splitlines(keepends=True)
        lines[self.number - 1] = lines[self.number - 1].replace(self.old, self.new)
        return "".join(lines)

    def as_json(self) -> LineJson:
        """Return the change as data for JSON."""
        mistake = mistake_json(catalogue()[self.mistake]) if self.mistake else None
        return {"number": self.number, "old": self.old, "new": self.new, "mistake": mistake}


@dataclass(frozen=True)
class Judged:
    """A check, with a note how the program fails it or why it is not `judged`, otherwise ""."""

    key: str
    text: str
    points: int
    note: str = ""
    judged: bool = True

    @property
    def passed(self) -> bool:
        """Whether no run shows a fault."""
        return not self.note or not self.judged


@dataclass(frozen=True)
class Judgement:
    """A judgement of a program. `shown` is the smallest case that fails the first failed check."""

    exercise: Exercise
    seed: int
    rules: Rules
    checks: tuple[Judged, ...]
    tried: tuple[Tried, ...] = ()
    error: Failure | None = None
    mistake: Mistake | None = None
    shown: Tried | None = None
    failed: str = ""
    hints_seen: int = 0
    way: Way | None = None
    goal: Cells = ()
    line: LineChange | None = None

    @property
    def failing(self) -> set[str]:
        """The keys of the checks that are judged and fail."""
        return {check.key for check in self.checks if not check.passed}

    @property
    def earned(self) -> int:
        """The points of the checks that are judged and passed."""
        return sum(check.points for check in self.checks if check.judged and check.passed)

    @property
    def judged(self) -> int:
        """The points of the checks that are judged."""
        return sum(check.points for check in self.checks if check.judged)

    @property
    def points(self) -> int:
        """The points earned, scaled from the judged points to all points, rounded down.

        A search whose result was not judged gets only the points earned, unscaled.
        """
        seen = {check.key for check in self.checks if check.judged}
        if self.judged and (seen & RESULT_CHECKS or not self.exercise.is_search):
            return self.exercise.points * self.earned // self.judged
        return self.earned

    @property
    def passed(self) -> bool:
        """Whether no check fails, and at least one is judged."""
        return self.judged > 0 and not self.failing

    @property
    def was_read(self) -> bool:
        """Whether the file has the function, with its modules, in a form that the judge knows."""
        if self.error:
            missing = "ImportError", "ModuleNotFoundError"
            is_there = self.error.type != "NameError" or self.error.line is not None
            return is_there and self.error.type not in missing
        return self.judged > 0

    @property
    def understood(self) -> UnderstoodJson | None:
        """The form of the program, None if no form was searched for or no function was found."""
        way = self.way
        if not way or self.exercise.given:
            return None
        shown = ", ".join(name or role for name, role in way.roles)
        made = f"({', '.join(name for name, _ in way.made)})." if way.owner else ""
        witness = next((one.outcome.witness for one in self.tried if one.outcome.witness), "")
        return {
            "function": way.name,
            "call": f"{way.owner}{made}{way.function}({shown})",
            "board": way.node or KINDS[way.form.kind],
            "blank": repr(way.form.blank),
            "goal": board_text(self.goal) if self.goal and "goal" not in way.taken else None,
            "goal_name": next((name for name, role in way.sets if role == "goal"), ""),
            "moves": witness,
        }

    @property
    def hint(self) -> str | None:
        """The next hint for the failed check, or None after the last or without hints."""
        hints = self.exercise.hints
        if self.passed or not self.rules.hints:
            return None
        if self.shown and self.shown.hint:
            return self.shown.hint
        failed = next((check for check in self.exercise.checks if check.key == self.failed), None)
        fitting: Iterable[int] = range(len(hints))
        # Where nothing holds yet, all hints fit.
        if failed and failed.hints and (self.error or self.earned):
            fitting = failed.hints
        return next((hints[i] for i in fitting if i >= self.hints_seen), None)

    def as_json(self) -> ReportJson:
        """Return the report as data for JSON."""
        return {
            "exercise": self.exercise.key,
            "title": self.exercise.title,
            "seed": self.seed,
            "points": self.points,
            "points_possible": sum(check.points for check in self.checks),
            "passed": self.passed,
            "earned": self.earned,
            "judged": self.judged,
            "understood": self.understood,
            "checks": [
                {
                    "key": check.key,
                    "text": check.text,
                    "points": check.points,
                    "passed": check.passed,
                    "note": self._shown_note(check.note),
                    "judged": check.judged,
                }
                for check in self.checks
            ],
            "error": cast("ErrorJson", asdict(self.error)) if self.error else None,
            "mistake": mistake_json(self.mistake) if self.mistake else None,
            "case": self._case(),
            "line": self.line.as_json() if self.line else None,
            "figures": {
                "calls": len(self.tried),
                "expansions": sum(one.outcome.expansions for one in self.tried),
                "generated": sum(one.outcome.generated for one in self.tried),
                "reference_expansions": sum(one.reference.expansions for one in self.tried),
                "milliseconds": round(sum(one.outcome.milliseconds for one in self.tried), 1),
            },
            "trace": self.trace(),
            "hint": self.hint,
        }

    def _shown_note(self, note: str) -> str:
        """Return a note without the expected result if the rules hide it."""
        return note if self.rules.reference else without_reference(note)

    def _case(self) -> CaseJson | None:
        if not self.shown:
            return None
        case, outcome, reference = self.shown.case, self.shown.outcome, self.shown.reference
        args = {**case.args}
        # The outcome of a sample is replaced by its first wrong board and result.
        if case.every and outcome.value:
            args["board"] = tuple(outcome.value[0])
        board, goal = args.get("board", args.get("start")), args.get("goal")
        names = ["limit", "depth", "tiles", *(["h"] if self.shown.draw.h else [])]
        more = {name: args[name] for name in names if name in args} | typed_chance(args)
        value = outcome.value[1] if case.every and outcome.value else outcome.value
        # A search is shown by its path, whatever the form of the result.
        if board and goal and "start" in args:
            answer = self.shown.answer
            # The reader has added a missing start.
            value = (answer.boards or [])[bool(answer.note) :] or value
        yours = text_of(outcome.changed or value)
        if outcome.stopped or outcome.error:
            yours = self._shown_note(fault_of(self.exercise, self.failed, self.shown))
        expected: str | None = text_of(reference.value)
        if case.every and board:
            expected = text_of(expected_of(self.exercise, Case((), args)).value)
        if self.failed == "unchanged" and board:
            expected = board_text(board)
        if "start" in args and reference.value is None and has_answer(case):
            expected = None  # any path is right
        if "random" in args:
            expected = None
        failed = next(check for check in self.checks if check.key == self.failed)
        # The results are alike, so the difference is in the expansions or in the form.
        if yours == expected or is_of_expansions(self.exercise.key, self.failed):
            yours, expected = self._shown_note(failed.note), failed.text
        return {
            "check": self.failed,
            "board": board_text(board) if board else None,
            "goal": board_text(goal) if goal else None,
            "arguments": ", ".join(f"{name} = {value}" for name, value in more.items()),
            "call": typed_call(self.way, args)
            if self.way and (board or self.exercise.given)
            else "",
            "yours": yours,
            "expected": expected if self.rules.reference else None,
        }

    @property
    def _has_reference(self) -> bool:
        """Whether the reference's expansions can be compared: a teacher's file has none."""
        return bool(self.shown) and self.rules.reference and not self.exercise.given

    def trace(self, length: int = TRACE_LENGTH) -> TraceJson | None:
        """Return at most `length` expansions of a search, None for other functions.

        It is the search that fails a check, otherwise the longest search within `TRACE_LENGTH`.
        """
        tried = self.shown or max(
            (one for one in self.tried if 0 < one.outcome.expansions <= TRACE_LENGTH),
            key=lambda one: one.outcome.expansions,
            default=None,
        )
        if not tried or not tried.outcome.expansions or "start" not in tried.case.args:
            return None
        start, goal = tried.case.args["start"], tried.case.args["goal"]
        boards = tried.outcome.boards(len(start))[:length]
        path = tried.answer.boards
        differs = self._has_reference and "random" not in tried.case.args
        return {
            "board": board_text(start),
            "goal": board_text(goal),
            "heuristic": tried.case.args.get("h"),
            "expanded": [board_text(board) for board in boards],
            "parents": tried.outcome.parents[:length],
            "expansions": tried.outcome.expansions,
            "generated": tried.outcome.generated,
            "path": [board_text(board) for board in path] if path else None,
            "differs": _first_difference(tried) if differs else None,
        }


def typed_call(way: Way, args: dict[str, Any]) -> str:
    """Return a call as Python text, with boards in the program's form and rows on separate lines.

    The assignments of its variables come first.
    """
    board = args.get("start") or args.get("board", ())
    boards = {"start": board, "board": board, "goal": args.get("goal", board)}
    # Values of the roles that are not arguments of the case.
    others = {"none": None, "visited": [], "zero": 0, "limit": args.get("depth"), **args}
    typed = {"h": args.get("h"), **typed_chance(args)}

    def typed_argument(role: str, column: int) -> str:
        if role == "target":
            return _typed_board(way._replace(node=""), boards["goal"], column)
        if role in boards:
            return _typed_board(way, boards[role], column)
        if role == "trail":
            return f"[{_typed_board(way, board, column + 1)}]"
        return str(typed[role]) if role in typed else repr(others.get(role))

    def called(before: str, roles: Roles) -> str:
        head = f"{before}("
        typed = [typed_argument(role, len(head)) for _, role in roles]
        is_long = any("\n" in one for one in typed) or sum(map(len, typed)) > LINE_LENGTH
        between = ",\n" + " " * len(head) if is_long else ", "
        return f"{head}{between.join(typed)})"

    sets = []
    for name, role, form in way.variables:
        one = way if form == way.form else way._replace(form=form, node="")
        sets.append(f"{name} = {_typed_board(one, boards[role], len(name) + 3)}")
    if not way.owner:
        return "\n".join([*sets, called(way.function, way.roles)])
    made = called(way.owner, way.made)
    # A long constructor call gets a line and a variable of its own.
    if "\n" in made:
        name = f"my_{way.owner.lower()}"
        sets.append(called(f"{name} = {way.owner}", way.made))
        made = name
    return "\n".join([*sets, called(f"{made}.{way.function}", way.roles)])


def _typed_board(way: Way, board: Cells, column: int) -> str:
    # The judge has no NumPy, and an array prints as rows.
    form = way.form._replace(kind="list of lists") if "array" in way.form.kind else way.form
    value = form.encode(board)
    indent = ",\n" + " " * (column + len(way.node) + 2 * bool(way.node))
    text = repr(value)
    if isinstance(value, (list, tuple)) and isinstance(value[0], (list, tuple)):
        inner = indent + " "
        text = f"{text[0]}{inner.join(map(repr, value))}{text[-1]}"
    return f"{way.node}({text})" if way.node else text


def _first_difference(tried: Tried) -> int | None:
    cells = len(tried.case.args["start"])
    pairs = zip_longest(tried.outcome.boards(cells), tried.reference.boards(cells))
    return next((i for i, (mine, other) in enumerate(pairs, 1) if mine != other), None)


def failed_report(
    exercise: Exercise, error: Failure, seed: int = 1, rules: Rules | None = None
) -> Judgement:
    """Return the report of a program that could not be run; a timeout counts as not judged."""
    words = error.message if error.type == "Stopped" else error_text(error)
    judged = not (error.type == "Stopped" and words.startswith("stopped after"))
    checks = tuple(
        Judged(one.key, one.text, one.points, words, judged=judged) for one in exercise.checks
    )
    return Judgement(exercise, seed, rules or Rules(), checks, error=error)


def unjudged_report(exercise: Exercise, way: Way, seed: int, rules: Rules) -> Judgement:
    """Return the report of a function whose form was not understood."""
    words = message("%(name)s: no way to call it was found that gives a result", name=way.name)
    checks = tuple(
        Judged(one.key, one.text, one.points, words, judged=False) for one in exercise.checks
    )
    return Judgement(exercise, seed, rules, checks, way=way)
