"""The judge and a program that is somewhere else: requests to it, and its results, not trusted.

`judging` is a generator: it yields requests and is sent a `ProgramReply` for each. The program may
be in this process (`judge`), in a process of its own (`confined`), or in another worker of a page.
Only the results of its calls count, and they are judged here. The expansions are on trust.
"""

import base64
import binascii
import json
import logging
from collections.abc import Generator, Iterator, MutableMapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from slidewise.course.judge.answers import is_legal_path, read_answer
from slidewise.course.judge.cases import SQUARE, Draw, board_at, cases_of, parity, walk
from slidewise.course.judge.checks import Tried
from slidewise.course.judge.exercise import Exercise
from slidewise.course.judge.find import (
    KnownForm,
    candidates,
    claim,
    goals_of,
    is_certain,
    is_own,
    is_weak,
    named_goals,
    own_way,
    ways_of,
)
from slidewise.course.judge.judging import Fault, assess, first_faults
from slidewise.course.judge.reference import (
    all_pass,
    limit_of,
    limits_of,
    passes,
    results_of,
    shows_no_fault,
    tried_of,
)
from slidewise.course.judge.report import Judgement, Rules, failed_report, unjudged_report
from slidewise.course.programs.boards import Cells, Form, Shape, boards_in, goal_of, neighbors
from slidewise.course.programs.calls import (
    CallResult,
    Case,
    Failure,
    Literal,
    Loaded,
    Signature,
    Way,
)
from slidewise.course.programs.child import LoadProgram, Run
from slidewise.course.programs.running import LATER_TICKS, MAX_EXPANSIONS, sample
from slidewise.text import message

Result = TypeVar("Result")
Requests = Generator[LoadProgram | Run, "ProgramReply", Result]
Session = Requests[Judgement]

log = logging.getLogger(__name__)

FORGED: Final = "the program wrote into the results"
UNREADABLE: Final = message("its results cannot be judged")
MALFORMED: Final = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError),
)
"""Exceptions of the judge at results, which may be anything."""

PROBE_EXPANSIONS: Final = 300
PROBE_TICKS: Final = 50_000
PROBE_MOVES: Final = (2,)
"""Moves from the goal of the board that tries a search."""

SMALL_PROBES: Final = (2, 3, 5, 6)
"""The same for boards of 2x3, on which more ways work by chance."""

PROBE_BOARDS: Final = 9
"""Boards that try a function with a value."""

PROBE_WAYS: Final = 12
"""Ways that are tried in one request, after the first."""

PROBES_TICKS: Final = 2_000_000
"""Ticks of all probes of one function."""

SHAPES: tuple[Shape, ...] = (SQUARE, (2, 3))
WORKS: Final = 5.0
"""Score of a way that gives right results; others have less."""

SMALL_WORKS: Final = 4.9
"""The same on boards of 2x3 alone."""

CLOSE: Final = 1.0
LEAST: Final = 1.2
SILENT: Final = 0.5
STUCK: Final = 0.3
"""Scores of a way that is judged, if it is not the task's own: a search that expands the start, and
on boards of the form that the program itself has one that finds nothing, or has no end.
"""

SOMETIMES: Final = 3.0
"""Score of a function of a value below which a fault has to be a known mistake."""

OTHER_REASONS: Final = (
    *("MemoryError", "RecursionError", "SystemExit", "NameError", "ModuleNotFoundError"),
)
"""Exceptions that no form of boards prevents."""

UNPROBED: Final = ("every", "unchanged", "admissible", "additive")
BATCH: Final = 6
BATCH_EXPANSIONS: Final = 150_000
"""Calls of a request, and the sum of their limits, whose expansions have room in the results."""

MOST_STOPPED: Final = 4
"""Calls without an end after which no more are made."""

MOST_FUNCTIONS: Final = 6
MAX_TICKS: Final = 20_000_000
"""Ticks of all calls of a function; the checks of the calls after them are not judged."""


class ForgedResultsError(Exception):
    """A program wrote into the results of its calls."""


class ProgramReply(NamedTuple):
    """Results of a request. `ended` is why some are missing, "" if all are there."""

    loaded: Loaded = Loaded()
    outcomes: tuple[CallResult, ...] = ()
    ended: str = ""


NOTHING_KNOWN: Final = KnownForm()


class FittingWay(NamedTuple):
    """The way to call a program that suits it best, its score, and its goal if it has one only.

    `sound` is true if no call raised an error or was stopped, `certain` for a value if names and
    boards of the program leave no doubt besides.
    """

    way: Way
    score: float
    sound: bool = False
    shape: Shape = SQUARE
    goal: Cells = ()
    certain: bool = False


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

    With `definitions` only the definitions of a file are run, not its calls. `known` has its
    function and form, as far as a person gives them; the rest is found. `files` are helper modules
    by their paths. With `explicit` a function of the task's own name and arguments has to do the
    whole task: boards of all sizes, and a path from the start.
    """
    load = LoadProgram(exercise.target, code, definitions, files)
    reply = yield load
    loaded = reply.loaded
    if loaded.failure or reply.ended:
        failure = loaded.failure or Failure("Stopped", reply.ended, None)
        return failed_report(exercise, failure, seed, rules)
    try:
        fit = yield from _fit(exercise, loaded, known, explicit=explicit)
        if isinstance(fit, Failure):
            return failed_report(exercise, fit, seed, rules)
        if known.goal and len(known.goal) == fit.shape[0] * fit.shape[1]:
            fit = fit._replace(goal=known.goal)
        own_name = fit.way.function == exercise.key and not fit.way.owner
        if explicit and own_name and fit.score <= CLOSE:
            fit = FittingWay(own_way(exercise, exercise.key), 0.0)  # for its own error
        if not _is_judged(exercise, loaded, fit, explicit=explicit):
            return unjudged_report(exercise, fit.way, seed, rules)
        draw = yield from _draw(exercise, fit, seed, explicit=explicit)
        yield load
        own = explicit and is_own(fit.way, exercise)
        report = yield from judge_way(exercise, fit.way, draw, rules, hints_seen, own=own)
    except ForgedResultsError:
        return failed_report(exercise, Failure("Stopped", FORGED, None), seed, rules)
    except MALFORMED:
        log.warning("the results of %s cannot be judged", exercise.key, exc_info=True)
        return failed_report(exercise, Failure("Stopped", UNREADABLE, None), seed, rules)
    certain = explicit or is_certain(fit.way, loaded, exercise, fit.goal)
    sure = fit.certain or (certain and is_own(fit.way, exercise)) or fit.score >= SOMETIMES
    if sure or exercise.is_search or report.mistake:
        return report
    return unjudged_report(exercise, fit.way, seed, rules)


def _is_judged(exercise: Exercise, loaded: Loaded, fit: FittingWay, *, explicit: bool) -> bool:
    """Return whether a way is sure enough for a fault to be the program's own."""
    if is_own(fit.way, exercise):
        return True
    if is_weak(fit.way.name, exercise) and not explicit:
        return fit.score >= SMALL_WORKS
    if not exercise.is_search:
        return fit.score > CLOSE or fit.certain
    of_file = fit.way.form in {one.form for one in loaded.boards}
    least = STUCK if is_certain(fit.way, loaded, exercise, fit.goal) else SILENT
    return fit.score >= LEAST or (of_file and fit.score >= least)


def judge_way(
    exercise: Exercise, way: Way, draw: Draw, rules: Rules, hints_seen: int, *, own: bool
) -> Requests[Judgement]:
    """Run the cases and judge them."""
    cases, limits = cases_of(exercise, draw), limits_of(exercise, draw)
    ordinary = [case for case in cases if not case.every]
    outcomes: tuple[CallResult, ...] = ()
    ended, ticks = "", 0
    while len(outcomes) < len(ordinary) and not ended:
        batch = slice(len(outcomes), len(outcomes) + BATCH)
        stopped = sum(one.stopped for one in outcomes)
        if ticks > MAX_TICKS or stopped >= MOST_STOPPED:
            ended = message("stopped after %(steps)s steps", steps=ticks)
            break
        later = LATER_TICKS if stopped else 0
        most = tuple(limits[: len(ordinary)][batch])
        while len(most) > 1 and sum(most) > BATCH_EXPANSIONS:
            most = most[:-1]
        run = Run(tuple(ordinary[batch][: len(most)]), most, (way,), ticks=later)
        _, found, ended = yield run
        outcomes += found
        ticks += sum(one.ticks for one in found)
    if ended == FORGED:
        raise ForgedResultsError
    tried = tried_of(exercise, outcomes, draw, own=own)
    others = cases[len(ordinary) :] if rules.every and not ended else []
    if others and all_pass(exercise, tried):
        _, found, ended = yield Run(tuple(others), (MAX_EXPANSIONS,) * len(others), (way,))
        if ended == FORGED:
            raise ForgedResultsError
        outcomes += tuple(_every(exercise, one, draw.standard) for one in found)
        tried = tried_of(exercise, outcomes, draw, own=own)
    faults = first_faults(exercise, tried, ended)
    faults = yield from _replayed(exercise, way, faults)
    return assess(exercise, tried, draw, rules, hints_seen, ended, way, faults)


def _replayed(
    exercise: Exercise, way: Way, faults: dict[str, Fault | None]
) -> Requests[dict[str, Fault | None]]:
    """Run the calls that show faults again, each in a program that was just loaded.

    A fault that is not there then comes from state between its calls.
    """
    shown = [(key, one) for key, one in faults.items() if one and one.judged and one.tried]
    calls = [(key, one.tried) for key, one in shown if one.tried and not one.tried.case.every]
    if not calls:
        return faults
    cases = tuple(tried.case for _, tried in calls)
    limits = tuple(limit_of(tried.reference) for _, tried in calls)
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
    """Replace the results for the sample by the first wrong one with its board, or None."""
    if outcome.error or outcome.stopped:
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
        if results[at + 1 : end] != b"".join(map(bytes, right)):
            found = [tuple(results[one : one + 9]) for one in range(at + 1, end, 9)]
            if sorted(found) != sorted(right):
                return [list(board), [list(one) for one in found]]
        at = end
    return None


def _fit(
    exercise: Exercise, loaded: Loaded, known: KnownForm, *, explicit: bool
) -> Requests[FittingWay | Failure]:
    """Return the way that suits a program best, or why there is none."""
    found = candidates(loaded, exercise)
    if known.function:
        found = [one for one in loaded.functions if _name(one) == known.function]
    unnamed = not found
    if unnamed:
        found = [one for one in loaded.functions if claim(one.name) is None]
    missing = message("there is no function %(signature)s", signature=exercise.signature)
    if not found:
        return Failure("NameError", missing, None)
    best: FittingWay | None = None
    for signature in found[:MOST_FUNCTIONS]:
        fit = yield from _best_way(exercise, loaded, signature, known, explicit=explicit)
        if isinstance(fit, Failure):
            return fit
        if best is None or _rank(fit, exercise) > _rank(best, exercise):
            best = fit
        if best.score == WORKS:
            break
    assert best
    if unnamed and best.score < SMALL_WORKS:
        return Failure("NameError", missing, None)
    return best


def _name(signature: Signature) -> str:
    return f"{signature.owner}.{signature.name}" if signature.owner else signature.name


def _best_way(
    exercise: Exercise, loaded: Loaded, signature: Signature, known: KnownForm, *, explicit: bool
) -> Requests[FittingWay | Failure]:
    """Try the ways to call a function, the task's own first, until one works.

    A file of boards of other forms, whose exercise is not `explicit`, has those first.
    """
    own = own_way(exercise, signature.name)
    takes = len(signature.required) == len(exercise.parameters) or not signature.required
    is_usual = takes and not signature.owner and signature.name in (exercise.key, *exercise.names)
    best = FittingWay(own, -1.0)
    ticks = 0
    small = {len(one.board) for one in loaded.boards} & {6, 9} == {6}
    shapes = SHAPES[::-1] if small else SHAPES
    for shape in shapes:
        if best.sound and (is_own(best.way, exercise) or exercise.key == "neighbors"):
            break
        ways = ways_of(loaded, exercise, signature, known)
        forms = {one.form for one in loaded.boards}
        own_first = explicit or not forms or own.form in forms
        if is_usual and own_first and known.kind in ("", own.form.kind):
            ways = [own, *(way for way in ways if way != own)]
        for at in (0, *range(1, len(ways), PROBE_WAYS)) if ways else ():
            batch = ways[at : at + PROBE_WAYS if at else 1]
            probes = list(_probes(exercise, loaded, batch, shape, known.goal))
            calls = tuple(case for case, _ in probes)
            limits = (PROBE_EXPANSIONS,) * len(probes)
            reply: ProgramReply = yield Run(calls, limits, tuple(batch), ticks=PROBE_TICKS)
            if reply.ended:
                return Failure("Stopped", reply.ended, None)
            scored = [
                fit._replace(certain=fit.sound and is_certain(fit.way, loaded, exercise, fit.goal))
                for fit in _scored(exercise, batch, probes, reply.outcomes, shape)
                if shape == shapes[0] or fit.score >= SMALL_WORKS or (fit.sound and not best.sound)
            ]
            best = max([best, *scored], key=partial(_rank, exercise=exercise))
            ticks += sum(one.ticks for one in reply.outcomes)
            if not at and _is_hopeless(reply.outcomes, is_usual=is_usual):
                return FittingWay(batch[0], 0.0)
            if best.score == WORKS or ticks > PROBES_TICKS:
                return best
    return best


def _is_hopeless(outcomes: Sequence[CallResult], *, is_usual: bool) -> bool:
    """Return whether the first call failed for a reason that no form of boards prevents."""
    error = outcomes[0].error if outcomes else None
    return bool(error and error.type in (OTHER_REASONS if is_usual else OTHER_REASONS[:1]))


def _rank(fit: FittingWay, exercise: Exercise) -> tuple[bool, bool, bool, float]:
    """Return the rank of a way: one that works, then the task's own without an error."""
    own = fit.sound and is_own(fit.way, exercise)
    return fit.score >= SMALL_WORKS, own, fit.certain, fit.score


def _probes(
    exercise: Exercise, loaded: Loaded, ways: Sequence[Way], shape: Shape, goal: Cells
) -> Iterator[tuple[Case, CallResult]]:
    """Yield calls that try ways, with the reference's results."""
    cells = shape[0] * shape[1]
    goals = [goal] if len(goal) == cells else goals_of(loaded, cells)
    named = named_goals(loaded, cells)
    for number, way in enumerate(ways):
        own = is_own(way, exercise)
        takes = own or "goal" in way.taken or "goal" not in exercise.parameters
        for one in (
            [goal_of(shape)] if own else goals[: 3 if way.sets else 2] if takes else named or goals
        ):
            cases = [case._replace(way=number) for case in _probe_cases(exercise, one)]
            yield from zip(cases, results_of(exercise, cases, shape), strict=True)


def _probe_cases(exercise: Exercise, goal: Cells) -> Iterator[Case]:
    """Yield calls of an exercise for a goal, alike in each run."""
    random = Random(5)
    checks = tuple(one.key for one in exercise.checks if one.key not in UNPROBED)
    if exercise.is_search:
        checks = ("path",)
    if exercise.is_search:
        for moves in PROBE_MOVES if len(goal) != 6 else SMALL_PROBES:
            args = {"start": board_at(goal, moves, random), "goal": goal}
            more = {"h": "manhattan", "limit": moves + 2, "depth": moves + 2}
            names = {name: more[name] for name in exercise.parameters if name in more}
            yield Case(checks, args | names)
        return
    shape = (2, 3) if len(goal) == 6 else SQUARE
    if "board" not in exercise.parameters:
        yield from cases_of(exercise, Draw(1, shape, sizes=False))[:3]
        return
    for moves in range(PROBE_BOARDS):
        board = walk(goal, 3 * moves, random)
        if exercise.key == "is_solvable" and moves % 2:
            board = _swapped(board)
        args = {"board": board, "goal": goal}
        yield Case(checks, {name: args[name] for name in exercise.parameters})


def _swapped(board: Cells) -> Cells:
    """Return the board with its tiles 1 and 2 exchanged."""
    return tuple({1: 2, 2: 1}.get(cell, cell) for cell in board)


def _scored(
    exercise: Exercise,
    ways: Sequence[Way],
    probes: Sequence[tuple[Case, CallResult]],
    outcomes: Sequence[CallResult],
    shape: Shape,
) -> Iterator[FittingWay]:
    """Yield each way with each goal, and how well it did."""
    found: dict[tuple[int, Cells], list[float]] = {}
    for (case, right), outcome in zip(probes, outcomes, strict=True):
        way = ways[case.way]
        takes = "goal" in way.taken or any(not name for name, _ in way.roles)
        fixed = "goal" in exercise.parameters and not takes
        goal = case.args.get("goal", ()) if fixed else ()
        tried = Tried(case, outcome, right, Draw(1, shape), own=False)
        found.setdefault((case.way, goal), []).append(_suits(exercise, tried, way))
    for (number, goal), scores in found.items():
        score = min(scores) if exercise.is_search else sum(scores) / len(scores)
        if score == WORKS and exercise.is_search and shape != SQUARE:
            score = SMALL_WORKS
        yield FittingWay(ways[number], score, min(scores) >= CLOSE, shape, goal)


def _suits(exercise: Exercise, tried: Tried, way: Way) -> float:
    """Return `WORKS` for a right result, less for any other."""
    outcome = tried.outcome
    if not exercise.is_search:
        if outcome.error or outcome.stopped or outcome.value is None:
            return 0.0
        if passes(exercise, tried):
            return WORKS
        return CLOSE if _is_plausible(tried) else SILENT
    answer = read_answer(outcome.value, tried.start, tried.goal, outcome.printed)
    boards = answer.boards
    if boards and boards[0] == tried.start and boards[-1] == tried.goal and is_legal_path(boards):
        return WORKS
    if boards and boards[0] == tried.start:
        return 2.0
    first = outcome.expanded[: len(tried.start)]
    began = bool(outcome.expanded) and tuple(first) == tried.start
    if outcome.error:
        return CLOSE if began else 0.0
    if outcome.stopped:
        return 1.5 if began else STUCK
    if began:
        return 2.0
    if outcome.printed:
        return 0.4
    return 0.8 if answer.found else SILENT


def _is_plausible(tried: Tried) -> bool:
    """Return whether a value is of the kind that the reference returns."""
    value, right = tried.outcome.value, tried.reference.value
    if isinstance(right, list):
        return (
            isinstance(value, list)
            and bool(value)
            and all(boards_in(value)) == all(boards_in(right))
        )
    return isinstance(value, (int, float)) and isinstance(value, bool) == isinstance(right, bool)


def _draw(exercise: Exercise, fit: FittingWay, seed: int, *, explicit: bool) -> Requests[Draw]:
    """Return the conditions of the boards for a way: the goals, sizes and arguments that it has."""
    way, own = fit.way, is_own(fit.way, exercise)
    searches = exercise.is_search
    if own and explicit and not searches:
        return Draw(seed, fit.shape, fit.shape == SQUARE)
    taken = {role for _, role in (*way.roles, *way.made, *way.sets)}
    goals = "goal" in taken and not fit.goal and (own or not searches)
    h = "h" in taken or "h" not in exercise.parameters
    limit = bool({"limit", "depth"} & taken) or not {"limit", "depth"} & {*exercise.parameters}
    sizes = False
    if fit.shape == SQUARE and not fit.goal and "string" not in way.form.kind:
        sizes = yield from _takes_sizes(exercise, way, searches=searches)
    return Draw(seed, fit.shape, sizes, fit.goal, goals, h, limit)


def _takes_sizes(exercise: Exercise, way: Way, *, searches: bool) -> Requests[bool]:
    """Return whether a function gives right results for boards of other sizes."""
    shapes: tuple[Shape, ...] = ((2, 2),) if searches else ((2, 2), (4, 4))
    if exercise.key in ("is_solvable", "misplaced", "manhattan", "linear_conflict"):
        shapes = ((4, 4),)
    cases = [one for shape in shapes for one in _probe_cases(exercise, goal_of(shape))]
    right = results_of(exercise, cases, (4, 4))
    run = Run(tuple(cases), (PROBE_EXPANSIONS,) * len(cases), (way,), ticks=PROBE_TICKS)
    reply = yield run
    if reply.ended or len(reply.outcomes) < len(cases):
        return False
    tried = [Tried(*one, own=False) for one in zip(cases, reply.outcomes, right, strict=True)]
    return all(_suits(exercise, one, way) == WORKS for one in tried)


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
    return Loaded(
        tuple(map(_signature, value["functions"])),
        tuple(map(_signature, value["classes"])),
        tuple(
            Literal(tuple(map(int, board)), Form(str(kind), blank), str(name))
            for board, (kind, blank), name in value["boards"]
            if blank is None or isinstance(blank, (int, str))
        ),
        tuple(map(str, value["missing"])),
        bool(value["numpy"]),
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
    )
