"""Finds the best way to call a function for an exercise, by trying ways on a few boards."""

import re
from collections.abc import Generator, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from enum import IntEnum, auto
from functools import partial
from random import Random
from typing import Final, NamedTuple, TypeVar

from slidewise.course.judge.answers import is_path, read_answer
from slidewise.course.judge.cases import LARGE, SQUARE, Draw, board_at, cases_of, walk
from slidewise.course.judge.evidence import (
    binds,
    is_of_16_cells,
    may_be_of_16_cells,
    named_searches,
    named_values,
    search_of_parts,
    searching,
    shown_search,
)
from slidewise.course.judge.exercise import Exercise, find_exercise
from slidewise.course.judge.find import (
    ROLES,
    VALUES,
    KnownForm,
    candidates,
    claim,
    goals_of,
    is_certain,
    is_own,
    named_goals,
    only_goal,
    own_way,
    ways_of,
)
from slidewise.course.judge.local import COLD
from slidewise.course.judge.reference import passes, results_of
from slidewise.course.judge.report import Judgement
from slidewise.course.judge.symptoms import PATH_RULES
from slidewise.course.judge.tried import Tried
from slidewise.course.programs.boards import Cells, Shape, boards_in, goal_of, shape_of
from slidewise.course.programs.calls import (
    SCRIPT,
    CallResult,
    Case,
    Failure,
    Loaded,
    ProgramReply,
    Signature,
    Way,
)
from slidewise.course.programs.child import LoadProgram, Run
from slidewise.text import message

Result = TypeVar("Result")
Requests = Generator[LoadProgram | Run, ProgramReply, Result]

PROBE_EXPANSIONS: Final = 300
PROBE_TICKS: Final = 50_000
PROBE_MOVES: Final = (2,)
"""Moves from the goal of the board in the probe of a search."""

SMALL_PROBES: Final = (2, 3, 5, 6)
"""Moves from the goal for probes with 2x3: four boards, because more ways work by chance."""

PROBE_BOARDS: Final = 9
"""Boards in the probe of a function that returns a value."""

PROBE_WAYS: Final = 12
"""Ways that are tried in a request, after the first request."""

PROBES_TICKS: Final = 2_000_000
"""Maximum ticks of all probes of a function."""

ENDED: Final = "Stopped"
"""Type of a failure that is no exception: the program or its process has ended."""

ORDER_MOVES: Final = (7, 8, 9, 10, 11)
ORDER_EXPANSIONS: Final = 400
ORDER_TICKS: Final = 200_000
"""Moves, expansions and ticks of the calls that show the order of a search."""

ANY_SEARCH: Final = frozenset({"path", "none"})
"""Checks that apply to any search."""

COMMON: Final = (*PATH_RULES, "in-circles", "result-lost", "state-kept")
"""Mistakes that are possible in any search."""

UNCLEAR: Final = message(
    "it is not clear which search it is: name the function bfs, dfs, astar or so, or say it in a "
    "comment above"
)
MOST_SEARCHES: Final = 12
MOST_NAMED: Final = 12
"""Maximum functions that are tried as a search, and functions in an error message."""

MOST_VALUES: Final = 4
"""Maximum functions without a usual name that are tried as each exercise about values."""

ESTIMATING: Final = ("manhattan", "misplaced", "linear_conflict")
ESTIMATE: Final = ROLES[1][1]
"""Exercises about estimates, and names of estimates."""

SHAPES: tuple[Shape, ...] = (SQUARE, (2, 3))
OTHER_FORM: Final = re.compile(
    "indices must be|has no attribute|not subscriptable|not iterable|unpack|unhashable|"
    "unsupported operand"
)
"""Messages of exceptions that boards in the wrong form cause in a program."""

UNKNOWN_NAME: Final = re.compile(r"name '(\w+)' is not defined")
MISSING_NAMES: Final = ("NameError", "ModuleNotFoundError")
OTHER_REASONS: Final = ("MemoryError", "RecursionError", "SystemExit", *MISSING_NAMES)
"""Exceptions that do not depend on the form of boards."""

OWN_FAULTS: Final = ("IndexError", "UnboundLocalError", "ZeroDivisionError", "RecursionError")
"""Exceptions of wrong programs for boards in the right form."""

UNPROBED: Final = ("every", "unchanged", "admissible", "additive")
MOST_FUNCTIONS: Final = 6
OFTEN: Final = 0.5
"""Minimum share of right values; below it, a fault must be a known mistake."""

CLEAR: Final = 0.8
"""Minimum share of right yes-or-no answers that confirms the form."""

SELDOM: Final = 0.2
"""Minimum share of right values that confirms the form, whatever the other values are."""


class Suits(IntEnum):
    """How well a way suits a function, by the worst of its calls."""

    FAILS = auto()
    """An error before a board is expanded."""
    ENDLESS = auto()
    """Stopped by a limit before a board is expanded."""
    PRINTS = auto()
    """Prints something other than a path and expands no board."""
    SILENT = auto()
    """A search finds nothing and expands no board; a value is of another type."""
    ANSWERS = auto()
    """A search returns something other than a path and expands no board."""
    STARTS = auto()
    """Returns the start alone and expands no board, as a function that follows parents."""
    PLAUSIBLE = auto()
    """An error after the start was expanded; a value is wrong, but of the right type."""
    GOES_ON = auto()
    """Stopped by a limit after the start was expanded."""
    EXPANDS = auto()
    """The start is expanded, or is the first board of the path."""
    SOMETIMES = auto()
    """Some values are right."""
    WORKS_SMALL = auto()
    """All results are right, but only boards of 2x3 were tried."""
    WORKS = auto()
    """All results are right."""


class FittingWay(NamedTuple):
    """The best way to call a program, and its goal if it has a single goal.

    `right` is the share of right results. `sound` is true if each call gives a result of the right
    type, or fails like a wrong program with boards in the program's own form. `certain` is true if
    the names and boards of the program also leave no doubt.
    """

    way: Way
    suits: Suits = Suits.FAILS
    right: float = 0.0
    sound: bool = False
    shape: Shape = SQUARE
    goal: Cells = ()
    certain: bool = False

    @property
    def works(self) -> bool:
        """Whether all results are right."""
        return self.suits >= Suits.WORKS_SMALL


class FoundFunction(NamedTuple):
    """A function without a usual name, and its exercise.

    `sure` is false for a search if neither texts nor its order show which search it is.
    """

    function: str
    exercise: str
    sure: bool


def find_searches(
    code: str, files: tuple[tuple[str, str], ...] = (), file: str = ""
) -> Requests[list[FoundFunction]]:
    """Yield requests to a program, and return its searches without a usual name.

    `file` is the name of its file, which may name the search.
    """
    exercise = find_exercise("bfs")  # with the parameters that all searches have
    load = LoadProgram(exercise.target, code, True, files)
    loaded = (yield load).loaded
    searches = searching(code)
    shapes = _shapes(code, loaded)
    claimed = (claim(one.name) or claim(one.owner) for one in loaded.functions)
    open_ones = [one for one, key in zip(loaded.functions, claimed, strict=True) if not key]
    fits: dict[str, FittingWay] = {}
    found_ones = [one for one in open_ones if one.full_name in searches][:MOST_SEARCHES]
    found_ones.sort(key=lambda one: (not one.required, one.name == SCRIPT))
    for signature in found_ones:
        if fits and not signature.required and not signature.owner:
            break
        found = yield from best_way(
            exercise, loaded, signature, KnownForm(), explicit=False, shapes=shapes
        )
        if isinstance(found, FittingWay) and (found.works or is_search(found, searches)):
            fits[signature.full_name] = found
    outer = {name: one for name, one in fits.items() if not _is_part(name, fits, searches)}
    # Beside a search that works, others may only visit all boards.
    outer = {name: one for name, one in outer.items() if one.works} or outer
    results = []
    for name, one in outer.items():
        yield load
        tried = yield from _order_calls(exercise, one)
        shown = shown_search(tried, informed=_is_informed(loaded))
        words = named_searches(code, name, file if len(outer) == 1 else "")
        words = words or search_of_parts(code, name)
        if len(words) == 1:
            shown = next(iter(words))
        elif words and shown not in words:
            shown = ""
        results.append(FoundFunction(name, shown or exercise.key, bool(shown)))
    return results


def find_values(
    code: str, files: tuple[tuple[str, str], ...] = ()
) -> Requests[list[FoundFunction]]:
    """Yield requests to a program, and return its functions of a board that return values.

    They have no usual name: their results, or else the texts about them, show the exercise.
    """
    found: dict[str, str] = {}
    for key in VALUES:
        exercise = find_exercise(key)
        loaded = (yield LoadProgram(exercise.target, code, True, files)).loaded
        takes_board = (one for one in loaded.functions if one.required or one.owner)
        open_ones = [one for one in takes_board if not claim(one.name)]
        shapes = _shapes(code, loaded)
        for signature in open_ones[:MOST_VALUES]:
            if signature.full_name in found:
                continue
            fit = yield from best_way(
                exercise, loaded, signature, KnownForm(), explicit=False, shapes=shapes
            )
            if isinstance(fit, FittingWay) and fit.works:
                found[signature.full_name] = key
    found = found or named_values(code)
    return [FoundFunction(name, key, sure=True) for name, key in found.items()]


def as_any_search(report: Judgement) -> Judgement:
    """Return the report of an unknown search: only the checks for any search are judged."""
    checks = tuple(
        one if one.key in ANY_SEARCH else replace(one, note=UNCLEAR, judged=False)
        for one in report.checks
    )
    is_common = report.mistake and report.mistake.key in COMMON
    named = report.mistake if is_common else None
    stopped = report.shown and report.shown.outcome.stopped
    if stopped and report.failed in ANY_SEARCH and not named:  # some searches need long
        checks = tuple(one if one.passed else replace(one, judged=False) for one in checks)
    elif report.failed in ANY_SEARCH:
        return replace(report, checks=checks, mistake=named)
    report = replace(report, checks=checks, mistake=None, shown=None, failed="")
    return replace(report, error=None, line=None)


def is_search(found: FittingWay, searches: Mapping[str, Set[str]]) -> bool:
    """Return whether a function that may search expands the start."""
    return found.way.name in searches and found.suits >= Suits.PLAUSIBLE


def _is_part(name: str, fits: Mapping[str, FittingWay], searches: Mapping[str, Set[str]]) -> bool:
    """Return whether another search is the better function to judge.

    It calls this search and suits as well, or is called by it and suits better.
    """
    mine = fits[name].suits
    outer = (fits[one].suits for one in fits if name in searches[one] and one not in searches[name])
    parts = (fits[one].suits for one in fits if one in searches[name] and name not in searches[one])
    return any(one >= mine for one in outer) or any(one > mine for one in parts)


def _is_informed(loaded: Loaded) -> bool:
    """Return whether a program has an estimate, by the names of its functions and classes."""
    names = [one.name for one in (*loaded.functions, *loaded.classes)]
    return any(claim(name) in ESTIMATING or ESTIMATE.search(name) for name in names)


def _order_calls(exercise: Exercise, found: FittingWay) -> Requests[list[Tried]]:
    """Call a search on boards far enough from the goal to show its order."""
    # The seed is fixed, so that a file always gets the same judgement.
    random = Random(7)
    goal = found.goal or goal_of(found.shape)
    boards = [board_at(goal, moves, random) for moves in ORDER_MOVES]
    cases = tuple(Case(("path",), {"start": board, "goal": goal}) for board in boards)
    limits = (ORDER_EXPANSIONS,) * len(cases)
    reply = yield Run(cases, limits, (found.way,), ticks=ORDER_TICKS)
    pairs = zip(cases, reply.outcomes, strict=False)
    return [Tried(case, outcome, outcome, own=False) for case, outcome in pairs]


def fit(
    exercise: Exercise, code: str, loaded: Loaded, known: KnownForm, *, explicit: bool
) -> Requests[FittingWay | Failure]:
    """Return the best way to call a program, or why there is none."""
    found = candidates(loaded, exercise)
    if known.function:
        found = [one for one in loaded.functions if one.full_name == known.function]
        if not found:
            return Failure("NameError", _no_function(loaded, known.function), None)
    unnamed = not found
    if unnamed:
        found = [one for one in loaded.functions if claim(one.name) is None]
    missing = message("there is no function %(signature)s", signature=exercise.signature)
    if not found:
        return Failure("NameError", missing, None)
    # Functions without a usual name count only if they work, or clearly search.
    searches = searching(code) if unnamed and exercise.is_search else {}
    shapes = _shapes(code, loaded)
    best: FittingWay | None = None
    failure: Failure | None = None
    for signature in found[:MOST_FUNCTIONS]:
        fit = yield from best_way(
            exercise, loaded, signature, known, explicit=explicit, shapes=shapes
        )
        if isinstance(fit, Failure) and fit.type == ENDED:
            return fit
        if isinstance(fit, Failure):
            named = UNKNOWN_NAME.search(fit.message)
            # A name that is defined elsewhere may be missing because only definitions are run.
            if named and binds(code, named[1]):
                fit = FittingWay(own_way(exercise, signature.name))
            else:
                failure = failure or fit
                continue
        if unnamed and not fit.works and not is_search(fit, searches):
            continue
        if best is None or _rank(fit, exercise) > _rank(best, exercise):
            best = fit
        if best.suits == Suits.WORKS:
            break
    return best or failure or Failure("NameError", missing, None)


def _no_function(loaded: Loaded, name: str) -> str:
    """Return the error message for a missing function, with the functions of the program."""
    names = [one.full_name for one in loaded.functions]
    if not names:
        return message("there is no function %(name)s, and no other", name=name)
    return message(
        "there is no function %(name)s; the functions are %(names)s",
        name=name,
        names=", ".join(names[:MOST_NAMED]),
    )


def _shapes(code: str, loaded: Loaded) -> Sequence[Shape]:
    """Return the shapes of boards to try: of a program's own boards, or the usual shapes."""
    if is_of_16_cells(code, loaded.boards):
        return (LARGE,)
    sizes = {len(one.board) for one in loaded.boards}
    own = [one for one in SHAPES if one[0] * one[1] in sizes]
    return own or ((*SHAPES, LARGE) if may_be_of_16_cells(code) else SHAPES)


def best_way(
    exercise: Exercise,
    loaded: Loaded,
    signature: Signature,
    known: KnownForm,
    *,
    explicit: bool,
    shapes: Sequence[Shape],
) -> Requests[FittingWay | Failure]:
    """Try the ways to call a function, the task's own first, until a way works.

    If the file has boards in other forms and the exercise is not `explicit`, these forms are first.
    """
    own = own_way(exercise, signature.name)
    takes = len(signature.required) == len(exercise.parameters) or not signature.required
    is_usual = takes and not signature.owner and signature.name in (exercise.key, *exercise.names)
    best: FittingWay | None = None
    errors: list[Failure | None] = []
    ticks = 0
    if explicit and is_usual and shapes == (LARGE,):
        shapes = SHAPES
    for shape in shapes:
        if best and best.sound and (is_own(best.way, exercise) or exercise.key == "neighbors"):
            break
        ways = ways_of(loaded, exercise, signature, known)
        forms = {one.form for one in loaded.boards}
        own_first = explicit or not forms or own.form in forms
        if is_usual and own_first and known.kind in ("", own.form.kind):
            ways = [own, *(way for way in ways if way != own)]
        # The first way alone, because it works for most programs; then in batches.
        for at in (0, *range(1, len(ways), PROBE_WAYS)) if ways else ():
            batch = ways[at : at + PROBE_WAYS if at else 1]
            probes = list(_probes(exercise, loaded, batch, shape, known.goal))
            calls = tuple(case for case, _ in probes)
            limits = (PROBE_EXPANSIONS,) * len(probes)
            reply: ProgramReply = yield Run(calls, limits, tuple(batch), ticks=PROBE_TICKS)
            if reply.ended:
                return Failure(ENDED, reply.ended, None)
            scored = [
                fit._replace(certain=fit.sound and is_certain(fit.way, loaded, exercise, fit.goal))
                for fit in _scored(exercise, loaded, batch, probes, reply.outcomes, shape)
                # The second size only replaces the first with a better result.
                if shape == shapes[0] or fit.works or (fit.sound and not (best and best.sound))
            ]
            if scored:
                tried = [best, *scored] if best else scored
                best = max(tried, key=partial(_rank, exercise=exercise))
            ticks += sum(one.ticks for one in reply.outcomes)
            if not at and _is_hopeless(reply.outcomes, is_usual=is_usual):
                return FittingWay(batch[0])
            errors += [one.error for one in reply.outcomes]
            if (best and best.suits == Suits.WORKS) or ticks > PROBES_TICKS:
                return best or FittingWay(own)
    return _missing_name(errors) or best or FittingWay(own)


def _is_hopeless(outcomes: Sequence[CallResult], *, is_usual: bool) -> bool:
    """Return whether the first call failed for a reason that does not depend on the form."""
    error = outcomes[0].error if outcomes else None
    return bool(error and error.type in (OTHER_REASONS if is_usual else OTHER_REASONS[:1]))


def _missing_name(errors: Sequence[Failure | None]) -> Failure | None:
    """Return the error of each call in a fitting form, if it is a name that is not defined."""
    found = {one for one in errors if not (one and OTHER_FORM.search(one.message))}
    first = found.pop() if found else None
    return first if first and first.type in MISSING_NAMES and not found else None


def _rank(fit: FittingWay, exercise: Exercise) -> tuple[bool, bool, bool, Suits, float]:
    """Return the rank of a way: a way that works is best, then the task's own without an error."""
    own = fit.sound and is_own(fit.way, exercise)
    return fit.works, own, fit.certain, fit.suits, fit.right


def _probes(
    exercise: Exercise, loaded: Loaded, ways: Sequence[Way], shape: Shape, goal: Cells
) -> Iterator[tuple[Case, CallResult]]:
    """Yield the calls that try ways, with the reference's results."""
    cells = shape[0] * shape[1]
    goals = [goal] if len(goal) == cells else goals_of(loaded, exercise, cells)
    for number, way in enumerate(ways):
        named = named_goals(loaded, cells, way.function, way.owner)
        own = is_own(way, exercise)
        takes = own or "goal" in way.taken or "goal" not in exercise.parameters
        for one in (
            # A fixed goal is only visible in the results, so the named goals, or all, are tried.
            [goal_of(shape)] if own else goals[: 3 if way.sets else 2] if takes else named or goals
        ):
            cases = [case._replace(way=number) for case in _probe_cases(exercise, one)]
            yield from zip(cases, results_of(exercise, cases), strict=True)


def _probe_cases(exercise: Exercise, goal: Cells) -> Iterator[Case]:
    """Yield calls of an exercise for a goal, the same in each run."""
    random = Random(5)
    checks = tuple(one.key for one in exercise.checks if one.key not in UNPROBED)
    if exercise.is_search:
        checks = ("path",)
    if exercise.is_search:
        for moves in PROBE_MOVES if len(goal) != 6 else SMALL_PROBES:
            args = {"start": board_at(goal, moves, random), "goal": goal}
            more = {"h": "manhattan", "limit": moves + 2, "depth": moves + 2}
            more |= {"temperatures": ((COLD, 200),), "random": 5}
            names = {name: more[name] for name in exercise.parameters if name in more}
            yield Case(checks, args | names)
        return
    shape = shape_of(len(goal))
    if "board" not in exercise.parameters:
        yield from cases_of(exercise, Draw(1, shape, sizes=False))[:3]
        return
    for moves in range(PROBE_BOARDS):
        board = walk(goal, 3 * moves, random)
        # Every other board is unsolvable, so that a constant answer is not right.
        if exercise.key == "is_solvable" and moves % 2:
            board = _swapped(board)
        args = {"board": board, "goal": goal}
        yield Case(checks, {name: args[name] for name in exercise.parameters})


def _swapped(board: Cells) -> Cells:
    """Return the board with its tiles 1 and 2 exchanged."""
    return tuple({1: 2, 2: 1}.get(cell, cell) for cell in board)


def _scored(
    exercise: Exercise,
    loaded: Loaded,
    ways: Sequence[Way],
    probes: Sequence[tuple[Case, CallResult]],
    outcomes: Sequence[CallResult],
    shape: Shape,
) -> Iterator[FittingWay]:
    """Yield the result of each way with each goal."""
    found: dict[tuple[int, Cells], list[Suits]] = {}
    unsound: set[tuple[int, Cells]] = set()
    own_forms = {one.form for one in loaded.boards if len(one.board) == shape[0] * shape[1]}
    for (case, right), outcome in zip(probes, outcomes, strict=True):
        way = ways[case.way]
        takes = "goal" in way.taken or any(not name for name, _ in way.roles)
        fixed = "goal" in exercise.parameters and not takes
        goal = case.args.get("goal", ()) if fixed else ()
        tried = Tried(case, outcome, right, Draw(1, shape), own=False)
        suits = _suits(exercise, tried)
        found.setdefault((case.way, goal), []).append(suits)
        if suits < Suits.STARTS and not (way.form in own_forms and _is_fault(exercise, tried)):
            unsound.add((case.way, goal))
    for (number, goal), calls in found.items():
        if max(calls) > Suits.STARTS:
            calls = [Suits.EXPANDS if one is Suits.STARTS else one for one in calls]
        suits, share = min(calls), calls.count(Suits.WORKS) / len(calls)
        if exercise.is_search and max(calls) >= Suits.EXPANDS and ways[number].form in own_forms:
            # It works for some boards in its own form, so the failing calls are its own faults.
            suits = max(suits, Suits.PLAUSIBLE)
        if suits == Suits.WORKS and exercise.is_search and shape == (2, 3):
            suits = Suits.WORKS_SMALL
        elif not exercise.is_search and 0 < share < 1:
            shown = share > SELDOM or suits == Suits.PLAUSIBLE
            suits = Suits.SOMETIMES if shown else Suits.FAILS
            if exercise.key == "is_solvable" and share < CLEAR:
                share = OFTEN  # by chance half of the answers are right in any form
        elif exercise.key == "is_solvable" and suits == Suits.PLAUSIBLE:
            suits, share = Suits.SOMETIMES, 1  # always the opposite answer: the form is right
        sound = (number, goal) not in unsound
        yield FittingWay(ways[number], suits, share, sound, shape, goal)


def _is_fault(exercise: Exercise, tried: Tried) -> bool:
    """Return whether a call fails like a wrong program with a board in the right form."""
    error = tried.outcome.error
    if error:
        return error.type in OWN_FAULTS or "NoneType" in error.message
    has_number = isinstance(tried.reference.value, (int, float))
    return tried.outcome.value is None and (has_number or exercise.key == "find_zero")


def _suits(exercise: Exercise, tried: Tried) -> Suits:
    """Return how well a way suits, by a single call."""
    outcome = tried.outcome
    if not exercise.is_search:
        if outcome.error or outcome.stopped or outcome.value is None:
            return Suits.FAILS
        if passes(exercise, tried):
            return Suits.WORKS
        return Suits.PLAUSIBLE if _is_plausible(tried) else Suits.SILENT
    answer = read_answer(outcome.value, tried.start, tried.goal, outcome.printed)
    if is_path(answer.boards, tried.start, tried.goal):
        return Suits.WORKS
    began = bool(outcome.expanded) and tuple(outcome.expanded[: len(tried.start)]) == tried.start
    if answer.boards and answer.boards[0] == tried.start:
        return Suits.EXPANDS if began or len(answer.boards) > 1 else Suits.STARTS
    if outcome.error:
        return Suits.PLAUSIBLE if began else Suits.FAILS
    if outcome.stopped:
        return Suits.GOES_ON if began else Suits.ENDLESS
    if began:
        return Suits.EXPANDS
    if outcome.printed:
        return Suits.PRINTS
    return Suits.ANSWERS if answer.found else Suits.SILENT


def _is_plausible(tried: Tried) -> bool:
    """Return whether a value has the type of the reference's result."""
    value, right = tried.outcome.value, tried.reference.value
    if isinstance(right, list):
        return (
            isinstance(value, list)
            and bool(value)
            and all(boards_in(value)) == all(boards_in(right))
        )
    if isinstance(right, bool):
        return isinstance(value, int) and value in (0, 1)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def draw_of(
    exercise: Exercise, loaded: Loaded, fit: FittingWay, seed: int, *, explicit: bool
) -> Requests[Draw]:
    """Return the conditions of the boards for a way: its goals, sizes and arguments."""
    way, own = fit.way, is_own(fit.way, exercise)
    searches = exercise.is_search
    if own and explicit and not searches:
        return Draw(seed, fit.shape, fit.shape == SQUARE)
    taken = {role for _, role in (*way.roles, *way.made, *way.sets)}
    goals = "goal" in taken and not fit.goal and (own or not searches)
    if "goal" in way.taken and not (fit.goal or goals):
        goals = yield from _ignores_goal(exercise, way, fit.shape)
    h = "h" in taken or "h" not in exercise.parameters
    limit = bool({"limit", "depth"} & taken) or not {"limit", "depth"} & {*exercise.parameters}
    sizes = False
    usual = fit.goal in ((), goal_of(fit.shape))
    if fit.shape == SQUARE and usual and "string" not in way.form.kind:
        sizes = not searches and any(role == "size" for _, role in way.roles)
        sizes = sizes or (yield from _takes_sizes(exercise, way, searches=searches))
    goal = fit.goal
    if searches and not own and not goal:  # its estimate may be right only for this goal
        goal = only_goal(loaded, fit.shape[0] * fit.shape[1])
        goal = () if goal == goal_of(fit.shape) else goal
    return Draw(seed, fit.shape, sizes, goal, goals, h, limit)


def _ignores_goal(exercise: Exercise, way: Way, shape: Shape) -> Requests[bool]:
    """Return whether a search goes to the usual goal, whatever goal it is given."""
    usual = goal_of(shape)
    other = board_at(usual, 2, Random(5))
    cases = [case for case in _probe_cases(exercise, other) if case.args["start"] != usual]
    limits = (PROBE_EXPANSIONS,) * len(cases)
    reply = yield Run(tuple(cases), limits, (way,), ticks=PROBE_TICKS)
    ends = [
        is_path(read_answer(one.value, start, usual, one.printed).boards, start, usual)
        for one, start in zip(reply.outcomes, (case.args["start"] for case in cases), strict=False)
    ]
    return bool(ends) and all(ends)


def _takes_sizes(exercise: Exercise, way: Way, *, searches: bool) -> Requests[bool]:
    """Return whether a function gives right results for boards of other sizes."""
    shapes: tuple[Shape, ...] = ((2, 2),) if searches else ((2, 2), (4, 4))
    if exercise.key in ("is_solvable", "misplaced", "manhattan", "linear_conflict"):
        shapes = ((4, 4),)
    cases = [one for shape in shapes for one in _probe_cases(exercise, goal_of(shape))]
    right = results_of(exercise, cases)
    run = Run(tuple(cases), (PROBE_EXPANSIONS,) * len(cases), (way,), ticks=PROBE_TICKS)
    reply = yield run
    if reply.ended or len(reply.outcomes) < len(cases):
        return False
    tried = [Tried(*one, own=False) for one in zip(cases, reply.outcomes, right, strict=True)]
    return all(_suits(exercise, one) == Suits.WORKS for one in tried)
