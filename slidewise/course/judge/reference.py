"""Results of the reference program, and checks of other programs' results."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from slidewise.course.judge.cases import Draw, cases_of, distances
from slidewise.course.judge.checks import count_moves, fault, return_paths
from slidewise.course.judge.exercise import Exercise, find_exercise
from slidewise.course.judge.tried import EASY, Cut, Tried, Unjudged
from slidewise.course.programs.boards import Shape, shape_of
from slidewise.course.programs.calls import CallResult, Case
from slidewise.course.programs.running import CASE_EXPANSIONS, MAX_EXPANSIONS, Program

EXPANSIONS_OVER_REFERENCE: Final = 20
"""Maximum expansions of a call, as a multiple of the reference's."""

EASY_EXPANSIONS: Final = 1_500
"""Maximum expansions of a call with a board on which the reference ends at once."""


def expected_of(exercise: Exercise, case: Case) -> CallResult:
    return Program(exercise.target, exercise.solution, hooks=False).run(case, MAX_EXPANSIONS)


@lru_cache(maxsize=64)
def references(exercise: str, draw: Draw) -> tuple[CallResult, ...]:
    """Return the results of the reference for the cases of a draw."""
    one = find_exercise(exercise)
    cases = cases_of(one, draw)
    return tuple(
        CallResult() if case.every else result
        for case, result in zip(cases, results_of(one, cases), strict=True)
    )


def results_of(exercise: Exercise, cases: Sequence[Case]) -> list[CallResult]:
    """Return the results of the reference, empty for calls that it does not make."""
    results = []
    programs: dict[Shape, Program] = {}
    for case in cases:
        shape = shape_of(len(case.board or case.args.get("goal", ())))
        if shape not in programs:
            solution = exercise.for_shape(exercise.solution, shape)
            programs[shape] = Program(exercise.target, solution, hooks=False)
        program = programs[shape]
        if "depth" in exercise.parameters and "depth" not in case.args:
            # A deepening search that takes no depth is compared at the length of the shortest path.
            moves = distances(case.args["goal"])[case.args["start"]]
            case = case._replace(args={**case.args, "depth": moves})
        # Without a limit the reference, a depth-first search, could take too long.
        skipped = case.every or ("limit" in exercise.parameters and "limit" not in case.args)
        results.append(CallResult() if skipped else program.run(case, MAX_EXPANSIONS))
    return results


def limits_of(exercise: Exercise, draw: Draw) -> list[int]:
    """Return the maximum expansions of a program in each case."""
    return [limit_of(one, draw) for one in _references(exercise, draw)]


def _references(exercise: Exercise, draw: Draw) -> Sequence[CallResult]:
    if exercise.given:
        return [one.result or CallResult() for one in exercise.given]
    return references(exercise.key, draw)


def limit_of(reference: CallResult, draw: Draw) -> int:
    """Return the maximum expansions of a program, from the reference's expansions."""
    if not draw.limit:
        return CASE_EXPANSIONS
    enough = EXPANSIONS_OVER_REFERENCE * reference.expansions
    if reference.expansions <= EASY:
        return EASY_EXPANSIONS
    return min(MAX_EXPANSIONS, max(CASE_EXPANSIONS, enough))


def tried_of(
    exercise: Exercise, outcomes: Sequence[CallResult], draw: Draw, *, own: bool
) -> list[Tried]:
    """Return the first cases with their outcomes."""
    pairs = zip(cases_of(exercise, draw), outcomes, _references(exercise, draw), strict=False)
    conflict = exercise.key == "linear_conflict"
    found = [Tried(*one, draw, own, conflict) for one in pairs]
    if exercise.given:
        hints = [one.hint for one in exercise.given]
        found = [replace(one, hint=hint) for one, hint in zip(found, hints, strict=False)]
    if not exercise.is_search:
        return found
    numbers, paths = count_moves(found), return_paths(found)
    if not numbers and not paths:
        return found  # with the answers already read
    return [replace(one, counts_moves=numbers, returns_paths=paths) for one in found]


def all_pass(exercise: Exercise, tried: Sequence[Tried]) -> bool:
    """Return whether calls pass all their checks."""
    return all(passes(exercise, one) for one in tried)


def passes(exercise: Exercise, tried: Tried) -> bool:
    """Return whether a call passes all its checks."""
    return not any(fault_of(exercise, key, tried) for key in tried.case.checks)


def shows_no_fault(exercise: Exercise, check: str, tried: Tried) -> bool:
    """Return whether a call ends by itself and does not fail a check."""
    return not tried.outcome.stopped and not fault_of(exercise, check, tried)


def fault_of(exercise: Exercise, check: str, tried: Tried) -> str:
    """Return how a call fails a check, "" if it passes or is not judged."""
    try:
        return fault(exercise.key, check, tried)
    except Cut as error:
        return error.reason
    except Unjudged:
        return ""
