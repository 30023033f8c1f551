"""Answers the requests of a session until it has judged a program."""

from collections.abc import Callable, MutableMapping
from dataclasses import replace
from typing import Any

from slidewise.course.judge.catalogue import catalogue
from slidewise.course.judge.exercise import Exercise, find_exercise
from slidewise.course.judge.fitting import Requests, Result
from slidewise.course.judge.repair import find_line
from slidewise.course.judge.report import Judgement, Rules
from slidewise.course.judge.session import judging
from slidewise.course.programs.calls import CallResult, Loaded, ProgramReply
from slidewise.course.programs.child import LoadProgram, Run, Runner

Answer = Callable[[LoadProgram | Run], ProgramReply]


def drive(session: Requests[Result], answer: Answer) -> Result:
    """Answer the requests of a session until it returns its result."""
    try:
        # A generator starts with `next`; every further request is the answer to `send`.
        request = next(session)
        while True:
            request = session.send(answer(request))
    except StopIteration as end:
        result: Result = end.value
        return result


def judge_by(
    answer: Answer,
    exercise: Exercise,
    code: str | MutableMapping[str, Any],
    files: tuple[tuple[str, str], ...] = (),
    **conditions: Any,
) -> Judgement:
    """Judge a program through `answer`, and search for a line to try if it has a source.

    `conditions` are the further arguments of `judging`.
    """
    report = drive(judging(exercise, code, files=files, **conditions), answer)
    if report.passed or not isinstance(code, str):
        return report
    line = drive(find_line(report.exercise, code, report, files), answer)
    named = catalogue()[line.mistake] if line and line.mistake else report.mistake
    return replace(report, line=line, mistake=named)


def judge(
    exercise: str | Exercise,
    code: str | MutableMapping[str, Any],
    *,
    seed: int = 1,
    rules: Rules | None = None,
    hints_seen: int = 0,
) -> Judgement:
    """Run a program on the boards of a seed and return the report.

    `code` is the source, or the namespace of a notebook (`globals()`). `hints_seen` is the number
    of hints shown before. A program that cannot be run, or lacks the function, has a report with an
    `error` and no points. The program runs in this process, so it can change the judge. It has no
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

    rules = rules or Rules()
    try:
        return judge_by(answer, exercise, code, seed=seed, rules=rules, hints_seen=hints_seen)
    finally:
        if runner.program:
            runner.program.restore()
