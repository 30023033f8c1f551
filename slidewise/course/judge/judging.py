"""The judge: compares a program's outcomes with the properties of correct programs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Final, NamedTuple

from slidewise.course.judge.cases import SQUARE, Draw
from slidewise.course.judge.checks import fault, has_equal_tiles
from slidewise.course.judge.exercise import Exercise
from slidewise.course.judge.naming import name_mistake, ordered
from slidewise.course.judge.report import Judged, Judgement, Rules
from slidewise.course.judge.tried import OWN_ESTIMATE, Cut, Tried, Unjudged
from slidewise.course.programs.calls import Case, Way
from slidewise.course.programs.running import Program
from slidewise.text import message

STRICT_MOVES: Final = 6


class Fault(NamedTuple):
    """How a check fails, with the call that shows it if any, or why it is not judged.

    `kept` is true if the call is right in a freshly loaded program.
    """

    words: str
    tried: Tried | None = None
    judged: bool = True
    kept: bool = False


def first_faults(
    exercise: Exercise, tried: Sequence[Tried], ended: str = ""
) -> dict[str, Fault | None]:
    """Return for each check its first fault, or why it is not judged; None if it passes.

    `ended` is the reason for missing calls, "" if all calls were made.
    """
    return {check.key: _first_fault(exercise, check.key, tried, ended) for check in exercise.checks}


def _first_fault(
    exercise: Exercise, check: str, tried: Sequence[Tried], ended: str
) -> Fault | None:
    reasons: list[str] = []
    cut: Fault | None = None
    passes = 0
    for one in tried:
        if check not in one.case.checks:
            continue
        try:
            found = fault(exercise.key, check, one)
        except Cut as error:
            cut = cut or Fault(error.reason, one)
            continue
        except Unjudged as error:
            reasons.append(error.reason)
            continue
        if found:
            return Fault(found, one)
        # A start that is the goal proves nothing about the search.
        passes += "start" not in one.case.args or one.start != one.goal
    if cut:
        return None if passes else cut
    if ended:
        return Fault(ended, judged=False)
    if passes > reasons.count(OWN_ESTIMATE):
        return None
    reason = OWN_ESTIMATE if OWN_ESTIMATE in reasons else next(iter(reasons), "")
    return Fault(
        reason
        or message("not tried: it needs other sizes or goals, for which no right result was seen"),
        judged=False,
    )


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

    `ended` is the reason for missing outcomes, such as "stopped after 20 seconds". It is "" if
    none, or only the calls with a sample of boards, are missing.
    """
    rules = rules or Rules()
    faults = dict(faults or first_faults(exercise, tried, ended))
    failing = any(one and one.judged for one in faults.values())
    every = faults.get("every")
    # The calls with the sample are made only if all other calls pass.
    if every and not every.judged:
        if failing and draw.shape == SQUARE:
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
    errors = (one.outcome.error for one in tried if not has_equal_tiles(one))
    error = next(filter(None, errors), None)
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
    in_order = "neighbors" in exercise.uses and not (exercise.local or exercise.given)
    if rules.strict and report.passed and draw.limit and in_order:
        report = _strict(report)
    return report


def _strict(report: Judgement) -> Judgement:
    """Add a check of the order of the expansions, which fails the report but has no points."""
    exercise = report.exercise
    for tried in report.tried:
        # Short searches only: all 24 orders of the moves are run for each correct program.
        if (tried.best.length or 0) > STRICT_MOVES or "none" in tried.case.checks:
            continue
        if tried.outcome.expanded not in _orders(exercise, tried.case):
            words = message("expands in an order that no convention gives")
            order = Judged("order", ORDER, 0, words)
            return replace(report, checks=(*report.checks, order), shown=tried, failed="order")
    return replace(report, checks=(*report.checks, Judged("order", ORDER, 0)))


ORDER: Final = message("Expands in the order of the algorithm")


def _orders(exercise: Exercise, case: Case) -> Iterator[bytes]:
    """Yield the expansions of correct programs for each order of the four moves."""
    for source in exercise.programs:
        for order in map("".join, permutations("udlr")):
            program = Program(exercise.target, source, hooks=False)
            program.names["neighbors"] = ordered(program, order)
            yield program.run(case).expanded
