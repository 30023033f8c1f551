"""Judging in this process, without the slow search for a line to try."""

from collections.abc import Callable
from functools import cache

from slidewise.course.judge import Judgement, Rules, judge
from slidewise.course.programs.calls import ProgramReply
from slidewise.course.programs.child import LoadProgram, Run, Runner

UNHINTED = Rules(hints=False)
QUICK = Rules(hints=False, every=False)
"""Without the sample of boards too."""


@cache
def judged(exercise: str, code: str) -> Judgement:
    """Judge a program once for all tests."""
    return judge(exercise, code, rules=UNHINTED)


def answering() -> Callable[[LoadProgram | Run], ProgramReply]:
    """Return a function that answers requests about one program."""
    runner = Runner()

    def answer(request: LoadProgram | Run) -> ProgramReply:
        results = list(runner.answer(request))
        if isinstance(request, LoadProgram):
            return ProgramReply(results[0])
        return ProgramReply(outcomes=tuple(results))

    return answer
