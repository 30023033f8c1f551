"""The judge and a program that is somewhere else: requests to it, and its results, not trusted.

`judging` is a generator: it yields requests and is sent a `ProgramReply` for each. The program may
be in this process (`judge`), in a process of its own (`confined`), or in another worker of a page.
Only the results of its calls count, and they are judged here. The expansions are on trust.
"""

import base64
import binascii
import json
from collections.abc import Callable, Generator, MutableMapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from slidewise.course.exercises.checks import Tried
from slidewise.course.exercises.data import (
    SQUARE,
    Draw,
    Exercise,
    cases_of,
    find_exercise,
    parity,
    walk,
)
from slidewise.course.exercises.judging import (
    Judgement,
    Rules,
    all_pass,
    assess,
    failed_report,
    limits_of,
    passes,
    references,
)
from slidewise.course.programs.boards import FLAT, FORMS, Shape, goal_of, neighbors
from slidewise.course.programs.child import Loaded, LoadProgram, Run, Runner
from slidewise.course.programs.running import (
    MAX_EXPANSIONS,
    CallResult,
    Case,
    Failure,
    boards_in,
    sample,
)

Session = Generator[LoadProgram | Run, "ProgramReply", Judgement]

FORGED: Final = "the program wrote into the results"
PROBED: Final = 3
"""Calls of a search that try a form of boards."""

PROBED_VALUES: Final = 40
"""Calls of a function with a value that try a form of boards, at least, if there are as many."""

PROBED_BOARDS: Final = 12
PROBE_EXPANSIONS: Final = 300
SHAPES: tuple[Shape, ...] = (SQUARE, (2, 3))
FAILED, WRONG_BOARDS, BEST = 0, 1, 2
"""How well a form of boards suits a program."""

OTHER_REASONS = ("MemoryError", "RecursionError", "SystemExit", "NameError", "ModuleNotFoundError")
"""Exceptions that no form of boards prevents."""


class ProgramReply(NamedTuple):
    """Results of a request. `ended` is why some are missing, "" if all are there."""

    loaded: Loaded = Loaded()
    outcomes: tuple[CallResult, ...] = ()
    ended: str = ""


def judging(
    exercise: Exercise,
    code: str | MutableMapping[str, Any],
    *,
    function: str | None = None,
    seed: int = 1,
    rules: Rules,
    hints_seen: int = 0,
) -> Session:
    """Yield the requests to a program, and return the report.

    `function` is its name in a file of any kind, whose boards may have another form. Without it,
    the program takes the boards of the task.
    """
    if function:
        draw, reply = yield from _fit(exercise, code, function, seed)
    else:
        draw, reply = Draw(seed), (yield LoadProgram(exercise.target, code))
    if reply.loaded.failure or reply.ended:
        failure = reply.loaded.failure or Failure("Stopped", reply.ended, None)
        return failed_report(exercise, failure, seed, rules)
    cases, limits = cases_of(exercise, draw), limits_of(exercise, draw)
    ordinary = [case for case in cases if not case.every]
    _, outcomes, ended = yield _run(ordinary, limits)
    try:
        others = cases[len(ordinary) :] if rules.every and not ended else []
        if others and all_pass(exercise, draw, outcomes):
            _, found, ended = yield _run(others, [MAX_EXPANSIONS])
            outcomes += tuple(_every(exercise, one) for one in found)
        if ended == FORGED:
            raise ValueError(ended)
        return assess(exercise, outcomes, draw, rules, hints_seen, ended)
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        return failed_report(exercise, Failure("Stopped", FORGED, None), seed, rules)


def _run(cases: Sequence[Case], limits: Sequence[int]) -> Run:
    return Run(tuple(cases), tuple(limits[: len(cases)]))


def _every(exercise: Exercise, outcome: CallResult) -> CallResult:
    """Replace the results for the sample by the first wrong one with its board, or None."""
    if outcome.error or outcome.stopped:
        return outcome
    results = base64.b64decode(outcome.value["results"])
    if exercise.key == "is_solvable":
        outcome.value = _wrong_answer(results)
    else:
        outcome.value = _wrong_neighbors(results, outcome.value["rest"])
    return outcome


def _wrong_answer(results: bytes) -> list[Any] | None:
    right = parity(goal_of(SQUARE))
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
        if results[at + 1 : end] != b"".join(map(bytes, right)):
            found = [tuple(results[one : one + 9]) for one in range(at + 1, end, 9)]
            if sorted(found) != sorted(right):
                return [list(board), [list(one) for one in found]]
        at = end
    return None


def _fit(
    exercise: Exercise, code: str | MutableMapping[str, Any], function: str, seed: int
) -> Generator[LoadProgram | Run, ProgramReply, tuple[Draw, ProgramReply]]:
    """Load a program in the form of boards that suits it best; return its boards and the reply.

    A program that takes several forms gets the first of `FORMS`.
    """
    best, found, shape, reply = -1, LoadProgram(exercise.target, code), SQUARE, ProgramReply()
    for tried in SHAPES:
        for form in FORMS:
            if form.name == "array" and not reply.loaded.numpy:
                continue
            load = LoadProgram(exercise.target, code, form, definitions=True, function=function)
            reply = yield load
            if reply.loaded.failure or reply.ended:
                return Draw(seed), reply
            score = yield from _score(exercise, tried, own=reply.loaded.own)
            if isinstance(score, str):
                return Draw(seed), ProgramReply(ended=score)
            if score > best:
                best, found, shape = score, load, tried
            if score == BEST:
                sizes = form == FLAT and tried == SQUARE
                sizes = sizes and (yield from _takes_sizes(exercise, reply.loaded))
                return Draw(seed, tried, sizes), reply
    reply = yield found
    sizes = found.form == FLAT and shape == SQUARE and not reply.loaded.own
    return Draw(seed, shape, sizes), reply


def _takes_sizes(
    exercise: Exercise, loaded: Loaded
) -> Generator[LoadProgram | Run, ProgramReply, bool]:
    own = exercise.key != "neighbors"
    if own and not loaded.own:
        return True
    return (yield from _gives_neighbors((2, 2), own=own)) == BEST


def _score(
    exercise: Exercise, shape: Shape, *, own: bool
) -> Generator[LoadProgram | Run, ProgramReply, int | str]:
    """Return `BEST` for a form that works, less for wrong results, or why the program ended."""
    if exercise.key == "neighbors":
        return (yield from _gives_neighbors(shape, own=False))
    probed = _probed(exercise, Draw(1, shape, sizes=False))
    reply = yield _run([case for case, _ in probed], [PROBE_EXPANSIONS] * len(probed))
    error = next((one.error for one in reply.outcomes if one.error), None)
    if reply.ended:
        return reply.ended
    if error:
        return BEST if error.type in OTHER_REASONS else FAILED
    if own:
        return (yield from _gives_neighbors(shape, own=True))
    tried = zip(probed, reply.outcomes, strict=True)
    right = all(
        passes(exercise, Tried(case, outcome, reference))
        for (case, reference), outcome in tried
        if "board" in case.args
    )
    return BEST if right else WRONG_BOARDS


def _probed(exercise: Exercise, draw: Draw) -> list[tuple[Case, CallResult]]:
    """Return cases that try a form of boards, with the results of the reference.

    Functions with a value get the standard goal alone, as some know no other.
    """
    standard = goal_of(draw.shape)
    pairs = list(zip(cases_of(exercise, draw), references(exercise.key, draw), strict=True))
    if "board" not in pairs[0][0].args:
        return pairs[:PROBED]
    usual = [one for one in pairs if one[0].args.get("goal", standard) == standard]
    ordinary = [one for one in usual if not one[0].every]
    return ordinary[:: max(1, len(ordinary) // PROBED_VALUES)]


def _gives_neighbors(
    shape: Shape, *, own: bool
) -> Generator[LoadProgram | Run, ProgramReply, int | str]:
    """Return `BEST` if a function gives the neighbors of some boards, less for other boards."""
    random = Random(1)
    boards = [walk(goal_of(shape), moves, random) for moves in range(PROBED_BOARDS)]
    cases = [Case((), {"board": board}, own=own) for board in boards]
    reply = yield _run(cases, [PROBE_EXPANSIONS] * len(cases))
    if reply.ended:
        return reply.ended
    score = BEST
    for board, outcome in zip(boards, reply.outcomes, strict=True):
        value = outcome.value
        value = value.get("pairs") if isinstance(value, dict) else value
        if outcome.error or outcome.stopped or not isinstance(value, list):
            return FAILED
        found = boards_in(value)
        if not all(found):
            return FAILED
        if sorted(found) != sorted(neighbors(board)):
            score = WRONG_BOARDS
    return score


def drive(session: Session, answer: Callable[[LoadProgram | Run], ProgramReply]) -> Judgement:
    """Answer the requests of a session until it returns its report."""
    try:
        request = next(session)
        while True:
            request = session.send(answer(request))
    except StopIteration as end:
        report: Judgement = end.value
        return report


def judge(
    exercise: str | Exercise,
    code: str | MutableMapping[str, Any],
    *,
    seed: int = 1,
    rules: Rules | None = None,
    hints_seen: int = 0,
) -> Judgement:
    """Run a program on the boards of a seed and return the report.

    `code` is the source, or the namespace of a notebook (`globals()`). `hints_seen` are the hints
    that were shown before. A program that cannot be run, or has no such function, has a report with
    an `error` and no points. It runs in this process, so it can change the judge, and without a
    time limit: an endless loop that expands nothing does not return.

    >>> report = judge("find_zero", "def find_zero(board): return divmod(board.index(0), 3)")
    >>> report.points, report.mistake.title
    (6, 'The width is always 3')
    """
    exercise = find_exercise(exercise) if isinstance(exercise, str) else exercise
    runner = Runner()

    def answer(request: LoadProgram | Run) -> ProgramReply:
        results = list(runner.answer(request))
        if isinstance(request, LoadProgram):
            (loaded,) = results
            assert isinstance(loaded, Loaded)
            return ProgramReply(loaded)
        return ProgramReply(outcomes=tuple(one for one in results if isinstance(one, CallResult)))

    session = judging(exercise, code, seed=seed, rules=rules or Rules(), hints_seen=hints_seen)
    try:
        return drive(session, answer)
    finally:
        if runner.program:
            runner.program.restore()


def read_reply(
    request: LoadProgram | Run, lines: Sequence[str | bytes], ended: str = ""
) -> ProgramReply:
    """Read the results of a request, of which the types of all fields but the value are known then.

    `ended` is why some are missing. Anything else than results ends the program as forged.
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
    """Return whether the expansions of a search are as many as it says, and within its limit."""
    if outcome.expansions > limit:
        return False
    return "start" not in case.args or (
        outcome.expansions * len(case.args["start"]) == len(outcome.expanded)
    )


def _read_loaded(value: dict[str, Any]) -> Loaded:
    failure = value["failure"]
    return Loaded(bool(value["own"]), bool(value["numpy"]), _failure(failure) if failure else None)


def _failure(value: dict[str, Any]) -> Failure:
    line = value["line"]
    return Failure(str(value["type"]), str(value["message"]), line if line is None else int(line))


def _read_outcome(value: dict[str, Any]) -> CallResult:
    try:
        expanded = base64.b64decode(value["expanded"], validate=True)
    except binascii.Error as error:
        raise ValueError(FORGED) from error
    return CallResult(
        value["value"],
        _failure(value["error"]) if value["error"] else None,
        bool(value["stopped"]),
        int(value["expansions"]),
        expanded,
        float(value["milliseconds"]),
        value["changed"],
        int(value["generated"]),
    )
