"""The judge of a program that runs elsewhere: sends requests and checks the untrusted results.

`judging` is a generator: it yields requests and is sent a `ProgramReply` for each. The program may
run in this process (`judge`), in a separate process (`confined`), or in another worker of a page.
Only the results of its calls count, and they are judged here. Expansions cannot be verified.
"""

import base64
import binascii
import json
import logging
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import replace
from functools import partial
from math import isfinite
from operator import attrgetter
from typing import Any, Final, NamedTuple

from slidewise.course.judge.cases import Draw, cases_of, parity
from slidewise.course.judge.evidence import (
    PARITY,
    WORDS,
    callers,
    column_first,
    computes_width,
    goal_in_comments,
    has_other_blank,
    measures_rows,
    names_estimate,
    uses_result,
)
from slidewise.course.judge.exercise import Exercise
from slidewise.course.judge.find import (
    KnownForm,
    claim,
    guesses,
    is_certain,
    is_own,
    is_weak,
    own_way,
    with_trail,
)
from slidewise.course.judge.fitting import (
    OFTEN,
    OTHER_FORM,
    FittingWay,
    Requests,
    Suits,
    draw_of,
    fit,
)
from slidewise.course.judge.judging import Fault, assess, first_faults
from slidewise.course.judge.reference import all_pass, limit_of, limits_of, shows_no_fault, tried_of
from slidewise.course.judge.report import Judgement, Rules, failed_report, unjudged_report
from slidewise.course.programs.boards import Cells, Form, neighbors
from slidewise.course.programs.calls import (
    TRACED,
    CallResult,
    Case,
    Failure,
    Literal,
    Loaded,
    ProgramReply,
    Signature,
    Way,
)
from slidewise.course.programs.child import LoadProgram, Run
from slidewise.course.programs.running import LATER_TICKS, MAX_EXPANSIONS, sample
from slidewise.text import message

Session = Requests[Judgement]

log = logging.getLogger(__name__)

FORGED: Final = "the program wrote into the results"
UNREADABLE: Final = message("its results cannot be judged")
MALFORMED: Final = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError),
)
"""Exceptions that malformed results can cause in the judge."""

BATCH: Final = 6
BATCH_EXPANSIONS: Final = 150_000
"""Maximum calls of a request, and of their expansions, so that the results stay within
`MAX_RESULT_BYTES`."""

MOST_STOPPED: Final = 4
"""Maximum calls that reach a limit; no more calls follow."""

MAX_TICKS: Final = 20_000_000
"""Maximum ticks of all calls of a function; no more calls follow, and their checks are not judged.
"""


MAX_CALLERS: Final = 2
"""Maximum callers of a failing search that are judged instead."""


class ForgedResultsError(Exception):
    """A program wrote into the results of its calls."""


NOTHING_KNOWN: Final = KnownForm()


def judging(
    exercise: Exercise,
    code: str | MutableMapping[str, Any],
    *,
    definitions: bool = False,
    known: KnownForm = NOTHING_KNOWN,
    files: tuple[tuple[str, str], ...] = (),
    explicit: bool = True,
    seed: int = 1,
    rules: Rules,
    hints_seen: int = 0,
) -> Session:
    """Yield the requests to a program, and return the report.

    With `definitions` only the definitions of a file are run, not its calls. `known` has the
    function and form that the user names; the rest is searched. `files` are helper modules by their
    paths. With `explicit` a function with the task's own name and arguments must do the whole task:
    boards of all sizes, and a path from the start.
    """
    load = LoadProgram(exercise.target, code, definitions, files)
    reply = yield load
    loaded = reply.loaded
    if loaded.failure or reply.ended:
        failure = loaded.failure or Failure("Stopped", reply.ended, None)
        return failed_report(exercise, failure, seed, rules)
    try:
        if exercise.given:
            report = yield from _by_given_calls(
                exercise, loaded, known.function, seed, rules, hints_seen
            )
            return report
        text = code if isinstance(code, str) else ""
        found = yield from _fitted(exercise, text, loaded, known, explicit=explicit)
        if isinstance(found, Failure):
            return failed_report(exercise, found, seed, rules)
        way, file = found.way, _File(exercise, text, loaded, known, explicit)
        if not file.is_understood(found):
            return unjudged_report(exercise, way, seed, rules)
        draw = yield from _draw_for(exercise, text, loaded, found, seed, explicit=explicit)
        task = exercise.for_draw(h=draw.h, limit=draw.limit)
        yield load
        own = (explicit or exercise.local) and is_own(way, exercise)
        report = yield from judge_way(task, way, draw, rules, hints_seen, own=own)
        # A recursive search may expect the start in its list of visited boards.
        if report.failing and (other := with_trail(way)):
            again = yield from judge_way(task, other, draw, rules, hints_seen, own=own)
            report = max(report, again, key=attrgetter("points"))
        if report.failing and exercise.is_search and not (explicit or known.function):
            judge = partial(
                judging,
                exercise,
                code,
                definitions=definitions,
                files=files,
                explicit=False,
                seed=seed,
                rules=rules,
                hints_seen=hints_seen,
            )
            names = [one for one in callers(text, way.name) if claim(one) in (None, exercise.key)]
            forms = [known._replace(function=one) for one in names]
            caller = yield from _by_caller(judge, forms, report, guessed=guesses(way, exercise))
            if caller:
                return caller
        if report.failing and file.is_withheld(found, report):
            return unjudged_report(exercise, way, seed, rules)
        return report
    except ForgedResultsError:
        return failed_report(exercise, Failure("Stopped", FORGED, None), seed, rules)
    except MALFORMED:
        log.warning("the results of %s cannot be judged", exercise.key, exc_info=True)
        return failed_report(exercise, Failure("Stopped", UNREADABLE, None), seed, rules)


class _File(NamedTuple):
    """A file as it is judged for an exercise, with what the user names."""

    exercise: Exercise
    code: str
    loaded: Loaded
    known: KnownForm
    explicit: bool

    @property
    def is_pointed_at(self) -> bool:
        """Whether the user names both the exercise and the function."""
        return self.explicit and bool(self.known.function)

    def is_understood(self, found: FittingWay) -> bool:
        """Return whether a way is sure enough for faults to count as the program's own."""
        exercise, way = self.exercise, found.way
        if exercise.local:
            named = [
                list(one.required) for one in self.loaded.functions if one.full_name == way.name
            ]
            in_form = self.explicit or named == [exercise.parameters]
            return is_own(way, exercise) and in_form
        is_named = self.explicit or bool(self.known.function)
        weak = is_weak(way.name, exercise) and not (
            is_named or names_estimate(self.code, way.name, exercise.key)
        )
        return self.is_pointed_at or _is_judged(exercise, self.loaded, found, weak=weak)

    def is_withheld(self, found: FittingWay, report: Judgement) -> bool:
        """Return whether the faults of a report may come from a wrong guess of the form."""
        exercise, way, explicit = self.exercise, found.way, self.explicit
        # A part of another search is judged with that search.
        named = {claim(one) for one in callers(self.code, way.name)} & {*WORDS}
        if exercise.is_search and not explicit and named - {exercise.key}:
            return True
        sure = found.certain or is_own(way, exercise)
        # A function of another kind may have a usual name, such as `path` or `expand`.
        usual_name = exercise.key == "path" or way.function != exercise.key
        named_alike = usual_name and not (explicit or exercise.is_search)
        other_form = _is_of_other_form(report) and (named_alike or not sure)
        unsure = guesses(way, exercise) or has_other_blank(self.code)
        guessed = other_form or (unsure and not explicit)
        if guessed and (self.is_pointed_at or not explicit):
            return True
        certain = explicit or is_certain(way, self.loaded, exercise, found.goal)
        shown = found.certain or (certain and is_own(way, exercise)) or found.right >= OFTEN
        return not (shown or exercise.is_search or report.mistake)


def _draw_for(
    exercise: Exercise, code: str, loaded: Loaded, found: FittingWay, seed: int, *, explicit: bool
) -> Requests[Draw]:
    """Return the conditions of the boards, including those visible only in the source."""
    way = found.way
    draw = yield from draw_of(exercise, loaded, found, seed, explicit=explicit)
    draw = draw._replace(
        result_used=uses_result(code, way.function), parity=bool(PARITY.search(code))
    )
    if exercise.key == "find_zero" and not (explicit or found.works):
        draw = draw._replace(turned=column_first(code, way.name))
    if not draw.is_usual or "string" in way.form.kind:
        return draw
    takes_goal = "goal" in way.taken or "goal" not in exercise.parameters
    sizes = draw.sizes or (not exercise.is_search and computes_width(code, way.name))
    oblong = takes_goal and measures_rows(code, way.name)
    return draw._replace(sizes=sizes, oblong=oblong)


def _by_given_calls(
    exercise: Exercise, loaded: Loaded, function: str, seed: int, rules: Rules, hints_seen: int
) -> Session:
    """Judge a teacher's exercise, whose function is called in the form of the task only."""
    name = function or exercise.function
    if name not in {one.full_name for one in loaded.functions}:
        missing = message("there is no function %(signature)s", signature=exercise.signature)
        return failed_report(exercise, Failure("NameError", missing, None), seed, rules)
    way = own_way(exercise, name)
    report = yield from judge_way(exercise, way, Draw(seed), rules, hints_seen, own=True)
    return report


def _fitted(
    exercise: Exercise, code: str, loaded: Loaded, known: KnownForm, *, explicit: bool
) -> Requests[FittingWay | Failure]:
    """Return the way to call a program, with the goal that the user names."""
    found = yield from fit(exercise, code, loaded, known, explicit=explicit)
    if isinstance(found, Failure):
        return found
    if exercise.key == "is_solvable" and not (known.goal or loaded.boards):
        # Either answer is right for some goal, which may stand in a comment only.
        goal = () if "goal" in found.way.taken else goal_in_comments(code)
        if goal:
            known = known._replace(goal=goal)
            return (yield from _fitted(exercise, code, loaded, known, explicit=explicit))
    if known.goal and len(known.goal) == found.shape[0] * found.shape[1]:
        found = found._replace(goal=known.goal)
    own_name = found.way.function == exercise.key and not found.way.owner
    if explicit and own_name and found.suits <= Suits.PLAUSIBLE:
        return FittingWay(own_way(exercise, exercise.key))  # so that the report has its error
    return found


def _by_caller(
    judge: Callable[..., Session], forms: list[KnownForm], report: Judgement, *, guessed: bool
) -> Requests[Judgement | None]:
    """Judge the callers of a failing search; return the report of a caller that does the task."""
    for known in forms[:MAX_CALLERS]:
        again = yield from judge(known=known)
        enough = again.passed and 2 * again.judged >= report.judged
        if enough or (again.judged and guessed):
            return again
    return None


def _is_of_other_form(report: Judgement) -> bool:
    """Return whether each call ends with an error that is typical of boards in the wrong form."""
    errors = [one.outcome.error for one in report.tried]
    return bool(errors) and all(one and OTHER_FORM.search(one.message) for one in errors)


def _is_judged(exercise: Exercise, loaded: Loaded, found: FittingWay, *, weak: bool) -> bool:
    """Return whether a way is sure enough for faults to count as the program's own.

    Less is enough for a search in the form of the program's own boards.
    """
    of_file = found.way.form in {one.form for one in loaded.boards}
    exact = found.way.function == exercise.key
    if is_own(found.way, exercise) or found.works:
        return True
    if weak or not (exercise.is_search or of_file or exact or found.right):
        return False
    # A text can be indexed like a row, so some values of an unknown text are right by chance.
    by_chance = found.way.form.kind == "string" and not of_file and not exercise.is_search
    if by_chance and (not exact or "goal" in exercise.parameters):
        return False
    if found.certain:
        return True
    if not exercise.is_search:
        return found.suits > Suits.PLAUSIBLE
    certain = is_certain(found.way, loaded, exercise, found.goal)
    least = Suits.ENDLESS if certain else Suits.SILENT
    return found.suits >= (least if of_file else Suits.GOES_ON)


def judge_way(
    exercise: Exercise, way: Way, draw: Draw, rules: Rules, hints_seen: int, *, own: bool
) -> Requests[Judgement]:
    """Run the cases in batches and judge the outcomes."""
    cases, limits = cases_of(exercise, draw), limits_of(exercise, draw)
    ordinary = [case for case in cases if not case.every]
    outcomes: tuple[CallResult, ...] = ()
    ended, too_long, ticks = "", False, 0
    while len(outcomes) < len(ordinary) and not ended:
        batch = slice(len(outcomes), len(outcomes) + BATCH)
        stopped = sum(one.stopped for one in outcomes)
        too_long = ticks > MAX_TICKS or stopped >= MOST_STOPPED
        if too_long:
            ended = message("stopped after %(steps)s steps", steps=ticks)
            break
        # After an endless call, more of them are likely, so they get less time.
        later = LATER_TICKS if stopped else 0
        most = tuple(limits[: len(ordinary)][batch])
        # Fewer calls in a request if their expansions could exceed the size of the results.
        while len(most) > 1 and sum(most) > BATCH_EXPANSIONS:
            most = most[:-1]
        run = Run(tuple(ordinary[batch][: len(most)]), most, (way,), ticks=later)
        _, found, ended = yield run
        outcomes += tuple(map(_turned, found)) if draw.turned else found
        ticks += sum(one.ticks for one in found)
    if ended == FORGED:
        raise ForgedResultsError
    tried = tried_of(exercise, outcomes, draw, own=own)
    others = cases[len(ordinary) :] if rules.every and not ended else []
    # The calls with the whole sample are slow, so they only confirm an otherwise correct program.
    if others and all_pass(exercise, tried):
        _, found, ended = yield Run(tuple(others), (MAX_EXPANSIONS,) * len(others), (way,))
        if ended == FORGED:
            raise ForgedResultsError
        outcomes += tuple(_every(exercise, one, draw.standard) for one in found)
        tried = tried_of(exercise, outcomes, draw, own=own)
    faults = first_faults(exercise, tried, ended)
    if too_long:  # the calls before it show what holds
        holds = [key for key, one in first_faults(exercise, tried).items() if not one]
        faults |= dict.fromkeys(holds)
    faults = yield from _replayed(exercise, way, faults)
    return assess(exercise, tried, draw, rules, hints_seen, ended, way, faults)


def _turned(outcome: CallResult) -> CallResult:
    """Return the result of a function that says the column first."""
    value = outcome.value
    return replace(outcome, value=value[::-1]) if isinstance(value, list) else outcome


def _replayed(
    exercise: Exercise, way: Way, faults: dict[str, Fault | None]
) -> Requests[dict[str, Fault | None]]:
    """Run the calls that show faults again, each in a freshly loaded program.

    A fault that disappears comes from state between calls.
    """
    shown = [(key, one) for key, one in faults.items() if one and one.judged and one.tried]
    calls = [(key, one.tried) for key, one in shown if one.tried and not one.tried.case.every]
    if not calls:
        return faults
    cases = tuple(tried.case for _, tried in calls)
    limits = tuple(limit_of(tried.reference, tried.draw) for _, tried in calls)
    _, found, ended = yield Run(cases, limits, (way,), fresh=True)
    if ended:
        return faults
    changed = dict(faults)
    for (key, before), outcome in zip(calls, found, strict=True):
        again = replace(before, outcome=outcome)
        if shows_no_fault(exercise, key, again):
            changed[key] = Fault(KEPT, before, kept=True)
    return changed


KEPT: Final = message("right on a first call, wrong on a later one: state is kept between calls")


def _every(exercise: Exercise, outcome: CallResult, goal: Cells) -> CallResult:
    """Replace the results for the sample by the first wrong result with its board, or None."""
    if outcome.error or outcome.stopped:
        outcome.value = None
        return outcome
    results = base64.b64decode(outcome.value["results"])
    if exercise.key == "is_solvable":
        outcome.value = _wrong_answer(results, goal)
    else:
        outcome.value = _wrong_neighbors(results, outcome.value["rest"])
    return outcome


def _wrong_answer(results: bytes, goal: Cells) -> list[Any] | None:
    right = parity(goal)
    for i, board in enumerate(sample()):
        if bool(results[i]) != (parity(board) == right):
            return [list(board), bool(results[i])]
    return None


def _wrong_neighbors(results: bytes, rest: object) -> list[Any] | None:
    at = 0
    for board in sample():
        if at == len(results):
            return [list(board), rest]
        end = at + 1 + 9 * results[at]
        right = neighbors(board)
        # Equal bytes are the fast path; the order of neighbours is free.
        if results[at + 1 : end] != b"".join(map(bytes, right)):
            found = [tuple(results[one : one + 9]) for one in range(at + 1, end, 9)]
            if sorted(found) != sorted(right):
                return [list(board), [list(one) for one in found]]
        at = end
    return None


def read_reply(
    request: LoadProgram | Run, lines: Sequence[str | bytes], ended: str = ""
) -> ProgramReply:
    """Read the results of a request, and convert all fields except the value to their types.

    `ended` is the reason for missing results. Any other line ends the program as forged.
    """
    try:
        values = [json.loads(line) for line in lines]
        if isinstance(request, LoadProgram):
            loaded = _read_loaded(values[0]) if values else Loaded()
            return ProgramReply(loaded, (), ended if ended or values else FORGED)
        outcomes = tuple(map(_read_outcome, values))
        calls = zip(outcomes, request.cases, request.limits, strict=False)
        if len(outcomes) > len(request.cases) or not all(_is_whole(*one) for one in calls):
            return ProgramReply(ended=FORGED)
        missing = len(outcomes) < len(request.cases)
        return ProgramReply(outcomes=outcomes, ended=(ended or FORGED) if missing else "")
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return ProgramReply(ended=FORGED)


def _is_whole(outcome: CallResult, case: Case, limit: int) -> bool:
    """Return whether the numbers of expansions and parents agree, and are within the limit."""
    parents = outcome.parents
    if outcome.expansions > limit or not all(-1 <= one < i for i, one in enumerate(parents)):
        return False
    return "start" not in case.args or (
        outcome.expansions * len(case.args["start"]) == len(outcome.expanded)
        and len(parents) == min(outcome.expansions, TRACED)
    )


def _read_loaded(value: dict[str, Any]) -> Loaded:
    failure = value["failure"]
    return Loaded(
        tuple(map(_signature, value["functions"])),
        tuple(map(_signature, value["classes"])),
        tuple(
            Literal(
                tuple(map(int, board)), Form(str(kind), blank, str(text)), str(name), str(scope)
            )
            for board, (kind, blank, text), name, scope in value["boards"]
            if blank is None or isinstance(blank, (int, str))
        ),
        bool(value["numpy"]),
        bool(value["typed"]),
        _failure(failure) if failure else None,
    )


def _signature(value: list[Any]) -> Signature:
    name, required, optional, reads, owner, static = value
    return Signature(
        str(name), _words(required), _words(optional), _words(reads), str(owner), bool(static)
    )


def _words(value: list[Any]) -> tuple[str, ...]:
    return tuple(map(str, value))


def _failure(value: dict[str, Any]) -> Failure:
    line = value["line"]
    return Failure(str(value["type"]), str(value["message"]), line if line is None else int(line))


def _read_outcome(value: dict[str, Any]) -> CallResult:
    try:
        expanded = base64.b64decode(value["expanded"], validate=True)
    except binascii.Error as error:
        raise ValueError(FORGED) from error
    if not (_is_plain(value["value"]) and _is_plain(value["changed"])):
        raise ValueError(FORGED)
    if not isfinite(value["milliseconds"]):
        raise ValueError(FORGED)
    return CallResult(
        value["value"],
        _failure(value["error"]) if value["error"] else None,
        bool(value["stopped"]),
        int(value["expansions"]),
        expanded,
        float(value["milliseconds"]),
        value["changed"],
        int(value["generated"]),
        str(value["witness"]),
        [str(one) for one in value["orders"]],
        int(value["ticks"]),
        str(value["printed"]),
        [int(one) for one in value["parents"]],
        [int(one) for one in value["jump"]],
    )


PARTS: Final = {"type": str, "board": list, "boards": list, "fields": dict}
"""Types of the parts of an object in plain data."""


def _is_plain(value: object) -> bool:
    """Return whether JSON has the form of the results of `plain`, or of a sample's results."""
    if isinstance(value, list):
        return all(map(_is_plain, value))
    if not isinstance(value, dict):
        return True
    if value.keys() == {"pairs"}:
        pairs = value["pairs"]
        return isinstance(pairs, list) and all(
            isinstance(one, list) and len(one) == 2 and _is_plain(one) for one in pairs
        )
    if value.keys() == {"results", "rest"}:
        return isinstance(value["results"], str) and _is_plain(value["rest"])
    parts = [part for name, part in value.items() if name != "fields"]
    return (
        all(isinstance(part, PARTS.get(name, ())) for name, part in value.items())
        and "type" in value
        and _is_plain([*parts, *value.get("fields", {}).values()])
    )
