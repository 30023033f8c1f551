"""The judge: a program's outcomes against the properties of right programs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import permutations, zip_longest
from typing import Annotated, Any, Final, NamedTuple, TypedDict, cast

from slidewise.course.judge.answers import FoundPath
from slidewise.course.judge.cases import Draw, cases_of, distances
from slidewise.course.judge.checks import (
    EASY,
    Tried,
    Unjudged,
    board_text,
    count_moves,
    fault,
    path_cost,
    return_paths,
    text_of,
    without_reference,
)
from slidewise.course.judge.exercise import Exercise, WrongProgram, common_mistakes, find_exercise
from slidewise.course.judge.order import A_STAR, BREADTH_FIRST, DEPTH_FIRST, order_of
from slidewise.course.judge.symptoms import common_mistake
from slidewise.course.programs.boards import Cells, Shape, boards_in
from slidewise.course.programs.calls import CallResult, Case, Failure, Way
from slidewise.course.programs.running import CASE_EXPANSIONS, MAX_EXPANSIONS, Program
from slidewise.json_schema import Amount, Count
from slidewise.text import Message, message

TRACE_LENGTH: Final = 500
"""Expanded boards that a report shows at most."""

ALIKE: Final = 0.8
"""Agreement with a wrong program from which its mistake is named."""

FAILING_CALLS: Final = 5
"""Calls that fail a check, in which a known mistake has to fail too."""

EXPANSIONS_OVER_REFERENCE: Final = 20
ORDERS: Final = ("udlr", "rldu", "rdlu", "lrud", "urdl")
"""Orders of the blank's moves under which a wrong program is compared; the first is the given."""

EASY_EXPANSIONS: Final = 1_500
"""The same for a board on which the reference ends at once."""

STRICT_MOVES: Final = 6
LINE_LENGTH: Final = 36
"""Characters of the arguments of a call on one line."""

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
    "list of strings": message("list of texts"),
    "lists of strings": message("rows of texts"),
    "dictionary": message("dictionary of places"),
}
"""Kinds of boards in words."""


@dataclass(frozen=True)
class Rules:
    """Rules of a teacher.

    With `strict` the order of the expansions counts too, under any order of the four moves and of
    equal boards. Without `hints` a report has no hint, without `reference` no expected result.
    Without `every` the calls with 27,914 boards are left out, and their points given. Without
    `unseen` a check that could not be judged counts as failed.
    """

    strict: bool = False
    hints: bool = True
    reference: bool = True
    every: bool = True
    unseen: bool = True


class CheckJson(TypedDict):
    """One property of a right program."""

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
    expected: Annotated[str | None, "Null if the rules hide it."]


class FiguresJson(TypedDict):
    """Sums over all calls."""

    calls: Count
    expansions: Count
    generated: Annotated[int, "Successors of the expanded boards, and the starts."]
    reference_expansions: Count
    milliseconds: Amount


class TraceJson(TypedDict):
    """The expansions of one search."""

    board: str
    goal: str
    heuristic: str | None
    expanded: Annotated[list[str], "Boards in the order of expansion, at most 500."]
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
    moves: Annotated[str, 'Function or collection that shows the expansions, "" for none.']


class LineJson(TypedDict):
    """A line of the program to try."""

    number: Annotated[int, "Line of the program, from 1."]
    old: str
    new: str


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


class LineChange(NamedTuple):
    """A line of a program, from 1, and the line to try in its place."""

    number: int
    old: str
    new: str

    def applied(self, code: str) -> str:
        """Return the program with the new line."""
        lines = code.splitlines(keepends=True)
        lines[self.number - 1] = lines[self.number - 1].replace(self.old, self.new)
        return "".join(lines)

    def as_json(self) -> LineJson:
        """Return the change as data for JSON."""
        return cast("LineJson", self._asdict())


@dataclass(frozen=True)
class Judged:
    """A check and how the program fails it, "" if it passes; or why it is not `judged`."""

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
    """A judgement of one program. `shown` is the smallest case that fails the first check."""

    exercise: Exercise
    seed: int
    rules: Rules
    checks: tuple[Judged, ...]
    tried: tuple[Tried, ...] = ()
    error: Failure | None = None
    mistake: WrongProgram | None = None
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
        """The points earned, in proportion to those judged, rounded down.

        A search whose result was not judged has the points that it earned alone.
        """
        seen = {check.key for check in self.checks if check.judged}
        if self.judged and (seen & RESULT_CHECKS or not self.exercise.is_search):
            return self.exercise.points * self.earned // self.judged
        return self.earned

    @property
    def passed(self) -> bool:
        """Whether no check fails, and any is judged."""
        return self.judged > 0 and not self.failing

    @property
    def understood(self) -> UnderstoodJson | None:
        """The program as it was understood, None if no function was found."""
        way = self.way
        if not way:
            return None
        shown = ", ".join(name or role for name, role in way.roles)
        made = f"({', '.join(name for name, _ in way.made)})." if way.owner else ""
        witness = next((one.outcome.witness for one in self.tried if one.outcome.witness), "")
        return {
            "function": way.name,
            "call": f"{way.owner}{made}{way.function}({shown})",
            "board": way.node or KINDS[way.form.kind],
            "blank": repr(way.form.blank),
            "goal": board_text(self.goal) if self.goal else None,
            "moves": witness,
        }

    @property
    def hint(self) -> str | None:
        """The next hint, or None after the last or without hints."""
        hints = self.exercise.hints
        if self.passed or not self.rules.hints or self.hints_seen >= len(hints):
            return None
        return hints[self.hints_seen]

    def as_json(self) -> ReportJson:
        """Return the report as data for JSON."""
        mistake = self.mistake
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
            "mistake": {
                "key": mistake.key,
                "title": mistake.title,
                "text": mistake.text,
                "mend": mistake.mend,
            }
            if mistake
            else None,
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
        if case.every and outcome.value:
            args["board"] = tuple(outcome.value[0])
        board, goal = args.get("board", args.get("start")), args.get("goal")
        names = ["limit", "depth", "tiles", *(["h"] if self.shown.draw.h else [])]
        more = {name: args[name] for name in names if name in args}
        value = outcome.value[1] if case.every and outcome.value else outcome.value
        if board and goal and "start" in args:
            value = self.shown.answer.boards or value
        yours = text_of(outcome.changed or value)
        if outcome.stopped or outcome.error:
            yours = self._shown_note(_fault_of(self.exercise, self.failed, self.shown))
        expected: str | None = text_of(reference.value)
        if case.every and board:
            expected = text_of(_expected(self.exercise, Case((), args)).value)
        if self.failed == "unchanged" and board:
            expected = board_text(board)
        return {
            "check": self.failed,
            "board": board_text(board) if board else None,
            "goal": board_text(goal) if goal else None,
            "arguments": ", ".join(f"{name} = {value}" for name, value in more.items()),
            "call": typed_call(self.way, args) if self.way and board else "",
            "yours": yours,
            "expected": expected if self.rules.reference else None,
        }

    def trace(self, length: int = TRACE_LENGTH) -> TraceJson | None:
        """Return at most `length` expansions of a search, if the program made one.

        It is the search that fails a check, or else the longest of at most `TRACE_LENGTH`.
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
        return {
            "board": board_text(start),
            "goal": board_text(goal),
            "heuristic": tried.case.args.get("h"),
            "expanded": [board_text(board) for board in boards],
            "expansions": tried.outcome.expansions,
            "generated": tried.outcome.generated,
            "path": [board_text(board) for board in path] if path else None,
            "differs": _first_difference(tried) if self.shown and self.rules.reference else None,
        }


def typed_call(way: Way, args: dict[str, Any]) -> str:
    """Return a call as a program has it: each board in its form, in rows on lines of their own."""
    head = f"{way.owner}().{way.function}(" if way.owner else f"{way.function}("
    board = args.get("start") or args["board"]
    boards = {"start": board, "board": board, "goal": args.get("goal", board)}
    others = {**args, "none": None, "visited": [], "zero": 0, "limit": args.get("depth")} | args
    typed = [
        _typed_board(way, boards[role], len(head))
        if role in boards
        else str(others[role])
        if role == "h"
        else repr(others.get(role))
        for _, role in way.roles
    ]
    is_long = any("\n" in one for one in typed) or sum(map(len, typed)) > LINE_LENGTH
    between = ",\n" + " " * len(head) if is_long else ", "
    return f"{head}{between.join(typed)})"


def _typed_board(way: Way, board: Cells, column: int) -> str:
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


def _expected(exercise: Exercise, case: Case) -> CallResult:
    return Program(exercise.target, exercise.solution, hooks=False).run(case, MAX_EXPANSIONS)


@lru_cache(maxsize=64)
def references(exercise: str, draw: Draw) -> tuple[CallResult, ...]:
    """Return the results of the reference for the cases of a draw."""
    one = find_exercise(exercise)
    cases = cases_of(one, draw)
    return tuple(
        CallResult() if case.every else result
        for case, result in zip(cases, results_of(one, cases, draw.shape), strict=True)
    )


def results_of(exercise: Exercise, cases: Sequence[Case], shape: Shape) -> list[CallResult]:
    """Return the results of the reference."""
    program = Program(exercise.target, exercise.for_shape(exercise.solution, shape), hooks=False)
    results = []
    for case in cases:
        if "depth" in exercise.parameters and "depth" not in case.args:
            moves = distances(case.args["goal"])[case.args["start"]]
            case = case._replace(args={**case.args, "depth": moves})
        skipped = case.every or ("limit" in exercise.parameters and "limit" not in case.args)
        results.append(CallResult() if skipped else program.run(case, MAX_EXPANSIONS))
    return results


def limits_of(exercise: Exercise, draw: Draw) -> list[int]:
    """Return the expansions that a program may make in each case."""
    found = references(exercise.key, draw)
    return list(map(limit_of, found)) if draw.limit else [CASE_EXPANSIONS] * len(found)


def limit_of(reference: CallResult) -> int:
    """Return the expansions that a program may make where the reference has made some."""
    enough = EXPANSIONS_OVER_REFERENCE * reference.expansions
    if reference.expansions <= EASY:
        return EASY_EXPANSIONS
    return min(MAX_EXPANSIONS, max(CASE_EXPANSIONS, enough))


def tried_of(
    exercise: Exercise, outcomes: Sequence[CallResult], draw: Draw, *, own: bool
) -> list[Tried]:
    """Return the first cases with their outcomes."""
    pairs = zip(cases_of(exercise, draw), outcomes, references(exercise.key, draw), strict=False)
    conflict = exercise.key == "linear_conflict"
    found = [Tried(*one, draw, own, conflict) for one in pairs]
    if not exercise.is_search:
        return found
    numbers, paths = count_moves(found), return_paths(found)
    if not numbers and not paths:
        return found  # whose answers are read
    return [replace(one, counts_moves=numbers, returns_paths=paths) for one in found]


def all_pass(exercise: Exercise, tried: Sequence[Tried]) -> bool:
    """Return whether calls pass all their checks."""
    return all(passes(exercise, one) for one in tried)


def passes(exercise: Exercise, tried: Tried) -> bool:
    """Return whether a call passes all its checks."""
    return not any(_fault_of(exercise, key, tried) for key in tried.case.checks)


def shows_no_fault(exercise: Exercise, check: str, tried: Tried) -> bool:
    """Return whether a call ends by itself and does not fail a check."""
    return not tried.outcome.stopped and not _fault_of(exercise, check, tried)


def _fault_of(exercise: Exercise, check: str, tried: Tried) -> str:
    """Return how a call fails a check, "" if it passes or is not judged."""
    try:
        return fault(exercise.key, check, tried)
    except Unjudged:
        return ""


def failed_report(
    exercise: Exercise, error: Failure, seed: int = 1, rules: Rules | None = None
) -> Judgement:
    """Return the report of a program that could not be run; the clock judges nothing."""
    words = error.message if error.type == "Stopped" else f"{error.type}: {error.message}"
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


def shows_algorithm(report: Judgement) -> bool:
    """Return whether the expansions of a search show the algorithm of the exercise."""
    key = "bound" if report.exercise.key == "astar" else "algorithm"
    check = next((one for one in report.checks if one.key == key), None)
    orders = {
        order_of(one.start, one.goal, one.outcome.boards(len(one.start)))
        for one in report.tried
        if "start" in one.case.args
    }
    usual = {"bfs": BREADTH_FIRST, "astar": A_STAR, "dfs": DEPTH_FIRST}[report.exercise.key]
    return bool(check and check.judged and check.passed) and usual in orders


class Fault(NamedTuple):
    """How a check fails, with the call, if one shows it; or why it is not judged.

    `kept` is true if the call is right in a program that was just loaded.
    """

    words: str
    tried: Tried | None = None
    judged: bool = True
    kept: bool = False


def first_faults(
    exercise: Exercise, tried: Sequence[Tried], ended: str = ""
) -> dict[str, Fault | None]:
    """Return for each check its first fault, or why it is not judged; None if it passes.

    `ended` is the reason for missing calls, "" if all are there.
    """
    return {check.key: _first_fault(exercise, check.key, tried, ended) for check in exercise.checks}


def _first_fault(
    exercise: Exercise, check: str, tried: Sequence[Tried], ended: str
) -> Fault | None:
    reason, judged = "", False
    for one in tried:
        if check not in one.case.checks:
            continue
        try:
            found = fault(exercise.key, check, one)
        except Unjudged as error:
            reason = reason or error.reason
            continue
        judged = judged or "start" not in one.case.args or one.start != one.goal
        if found:
            return Fault(found, one)
    if ended:
        return Fault(ended, judged=False)
    if judged:
        return None
    return Fault(reason or message("not tried: its form has no such board"), judged=False)


def assess(
    exercise: Exercise,
    tried: Sequence[Tried],
    draw: Draw,
    rules: Rules | None = None,
    hints_seen: int = 0,
    ended: str = "",
    way: Way | None = None,
    faults: dict[str, Fault | None] | None = None,
) -> Judgement:
    """Judge the outcomes of the first cases.

    `ended` is the reason for missing outcomes, such as "stopped after 20 seconds"; "" if all are
    there, or only the calls with a sample of boards are missing.
    """
    rules = rules or Rules()
    faults = dict(faults or first_faults(exercise, tried, ended))
    failing = any(one and one.judged for one in faults.values())
    every = faults.get("every")
    if every and not every.judged:
        if failing:
            faults["every"] = Fault(message("not tried: mend the others first"))
        elif not ended and not rules.every:
            faults["every"] = None
    checks = tuple(
        Judged(
            one.key,
            one.text,
            one.points,
            found.words if (found := faults[one.key]) else "",
            judged=not found or found.judged or not rules.unseen,
        )
        for one in exercise.checks
    )
    failed = [(key, one) for key, one in faults.items() if one and one.judged]
    first, shown = failed[0] if failed else ("", None)
    error = next((one.outcome.error for one in tried if one.outcome.error), None)
    report = Judgement(
        exercise,
        draw.seed,
        rules,
        checks,
        tuple(tried),
        error if failed else None,
        None,
        shown.tried if shown else None,
        first,
        hints_seen,
        way,
        draw.goal,
    )
    if first:
        named = name_mistake(exercise, tried, draw, first, kept=failed[0][1].kept)
        report = replace(report, mistake=named)
    if rules.strict and report.passed and "neighbors" in exercise.uses:
        report = _strict(report)
    return report


def name_mistake(
    exercise: Exercise, tried: Sequence[Tried], draw: Draw, check: str, *, kept: bool
) -> WrongProgram | None:
    """Return the known mistake of a program that fails a check, or None.

    It is the mistake whose program behaves most like this one and fails in the same way, or the one
    that the results show. `kept` is true if the failing call is right in a program just loaded.
    """
    best, found = ALIKE, None
    ordinary = [_Compared.of(one) for one in tried if not one.case.every]
    calls = [one for one in tried if check in one.case.checks and not one.case.every]
    failing = [] if kept else [one for one in calls if _fault_of(exercise, check, one)]
    limits = limits_of(exercise, draw)
    given = "neighbors" in exercise.uses
    for order in own_orders(tried) or ORDERS if given else ORDERS[:1]:
        for mistake in exercise.mistakes:
            for wrong in mistake.programs:
                program = exercise.for_shape(wrong, draw.shape)
                score = _alike(exercise, program, ordinary, limits, order, best)
                if score > best + 1e-9 and _fails_alike(exercise, program, order, check, failing):
                    best, found = score, mistake
        if found:
            return found
    if kept:
        return common_mistakes()["state-kept"]
    key = common_mistake(exercise, tried, failing) if exercise.is_search else ""
    return common_mistakes().get(key)


def own_orders(tried: Sequence[Tried]) -> list[str]:
    """Return the orders of the four moves in which a program lists successors, [] if none fits."""
    seen = {order for one in tried for order in one.outcome.orders if len(order) > 1}
    fitting = [
        "".join(one)
        for one in permutations("udlr")
        if all(list(order) == sorted(order, key=one.index) for order in seen)
    ]
    return fitting[:1] if seen else []


def _fails_alike(
    exercise: Exercise, wrong: str, order: str, check: str, failing: Sequence[Tried]
) -> bool:
    """Return whether a wrong program fails most of the first failing calls in the same way."""
    program = Program(exercise.target, wrong, hooks=False)
    if order != ORDERS[0]:
        program.names["neighbors"] = _ordered(program, order)
    compared = failing[:FAILING_CALLS]
    alike = 0
    for one in compared:
        ran = program.run(one.case, limit_of(one.reference))
        mine, theirs = (
            _fault_of(exercise, check, replace(one, outcome=it)) for it in (one.outcome, ran)
        )
        same = _template(mine) == _template(theirs) if exercise.is_search else mine == theirs
        alike += same
    return 2 * alike >= len(compared)


def _template(words: str) -> str:
    return words.template if isinstance(words, Message) else words


def _alike(
    exercise: Exercise,
    wrong: str,
    tried: Sequence["_Compared"],
    limits: Sequence[int],
    order: str,
    best: float,
) -> float:
    """Return how much a program behaves like a wrong one, where either is not like a right one.

    0 if it behaves at least as much like the reference, or if the result cannot be above `best`.
    """
    program = Program(exercise.target, wrong, hooks=False)
    if order != ORDERS[0]:
        program.names["neighbors"] = _ordered(program, order)
    number = total = right = 0.0
    for left, one, limit in zip(range(len(tried), 0, -1), tried, limits, strict=False):
        if total + left <= best * (number + left):
            return 0.0
        yours = one.outcome
        enough = yours.expansions if yours.stopped else max(3 * yours.expansions, 500)
        ran = program.run(one.case, min(limit, enough))
        theirs = _Behavior.of(Tried(one.case, ran, ran))
        if min(one.as_right, _agreement(theirs, one.right)) == 1:
            continue
        number += 1
        right += one.as_right
        total += _agreement(yours, theirs)
        if number >= 3 and total < 0.3 * number:
            return 0.0
    return total / number if total > right else 0.0


class _Behavior(NamedTuple):
    """An outcome as far as two of the same call are compared.

    `path` is a search's answer and its cost, None for other functions, whose `value` counts.
    """

    path: FoundPath | None
    cost: int
    value: Any
    changed: Any
    stopped: bool
    error: str
    expansions: int
    repeats: bool

    @classmethod
    def of(cls, tried: Tried) -> "_Behavior":
        """Read an outcome, once, as its answer can be long."""
        outcome, path, repeats = tried.outcome, None, False
        if "start" in tried.case.args:
            path = tried.answer
            if tried.counts_moves and path.number is not None:
                path = path._replace(length=int(path.number))
            boards = outcome.boards(len(tried.start))
            repeats = len(set(boards)) < len(boards)
        return cls(
            path,
            path_cost(path.boards or []) if path else 0,
            None if path else _unordered(outcome.value, alone="board" in tried.case.args),
            outcome.changed,
            outcome.stopped,
            outcome.error.type if outcome.error else "",
            outcome.expansions,
            repeats,
        )


class _Compared(NamedTuple):
    """A call by its outcome and the reference's, and from 0 to 1 how alike they are."""

    case: Case
    outcome: _Behavior
    right: _Behavior
    as_right: float

    @classmethod
    def of(cls, tried: Tried) -> "_Compared":
        outcome = _Behavior.of(tried)
        right = _Behavior.of(replace(tried, outcome=tried.reference))
        return cls(tried.case, outcome, right, _agreement(outcome, right))


def _agreement(one: _Behavior, other: _Behavior) -> float:
    """Return from 0 to 1 how alike two outcomes are."""
    mine, theirs = one.path, other.path
    if not mine or not theirs:
        return float(one == other._replace(expansions=one.expansions))
    if bool(one.error) != bool(other.error) or one.stopped != other.stopped:
        return 0.0
    share = 1.0
    if not one.stopped and not one.error:
        if mine.found != theirs.found:
            return 0.0
        if None not in (mine.length, theirs.length) and mine.length != theirs.length:
            share = 0.4
        elif mine.boards and theirs.boards:
            if mine.boards[0] != theirs.boards[0]:
                share = 0.4
            elif one.cost != other.cost:
                share = 0.9
    if one.repeats != other.repeats:
        share *= 0.7
    few, many = sorted((one.expansions + 2, other.expansions + 2))
    return share * (0.5 + 0.5 * few / many)


def _unordered(value: Any, *, alone: bool) -> Any:
    """Return successors of a board `alone`, or a dictionary's pairs, in one order."""
    if isinstance(value, dict) and "pairs" in value:
        return sorted(map(repr, value["pairs"]))
    if alone and isinstance(value, list) and (boards := boards_in(value)) and all(boards):
        return sorted(boards)
    return value


def _strict(report: Judgement) -> Judgement:
    """Add a check of the order of the expansions, for 0 points of the others' sum."""
    exercise = report.exercise
    for tried in report.tried:
        if (tried.best.length or 0) > STRICT_MOVES or "none" in tried.case.checks:
            continue
        if tried.outcome.expanded not in _orders(exercise, tried.case):
            words = message("expands in an order that no convention gives")
            order = Judged("order", ORDER, 0, words)
            return replace(report, checks=(*report.checks, order), shown=tried, failed="order")
    return replace(report, checks=(*report.checks, Judged("order", ORDER, 0)))


ORDER: Final = message("Expands in the order of the algorithm")


def _orders(exercise: Exercise, case: Case) -> Iterator[bytes]:
    """Yield the expansions of right programs for each order of the four moves."""
    for source in exercise.programs:
        for order in map("".join, permutations("udlr")):
            program = Program(exercise.target, source, hooks=False)
            program.names["neighbors"] = _ordered(program, order)
            yield program.run(case).expanded


def _direction(step: int) -> str:
    """Return the blank's direction, of at least two columns."""
    if abs(step) == 1:
        return "l" if step < 0 else "r"
    return "u" if step < 0 else "d"


def _ordered(program: Program, order: str) -> Callable[[Any], list[Any]]:
    """Return the given function with the blank's moves in another order."""

    def ordered(board: Any) -> list[Any]:
        blank = board.index(0)
        found = program.instruments.neighbors(board)
        return sorted(found, key=lambda after: order.index(_direction(after.index(0) - blank)))

    return ordered
