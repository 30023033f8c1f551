"""Lines to try: each is judged again here, with the whole program."""

import ast
from dataclasses import replace

import pytest

from slidewise.course.judge import Rules, exercises, judge
from slidewise.course.judge.driving import drive
from slidewise.course.judge.repair import MAX_CHANGES, find_line, line_changes
from slidewise.course.judge.report import LineChange
from slidewise.course.programs.calls import CallResult, ProgramReply
from slidewise.course.programs.child import LoadProgram, Runner
from tests.course.judge.judged import judged
from tests.course.judge.test_styles import wrong_program
from tests.each import each, some

MENDED = {
    "find_zero": ["row-and-column-swapped"],
    "neighbors": ["short-of-last-row"],
    "is_solvable": ["blank-counted", "opposite"],
    "path": ["path-reversed"],
    "bfs": ["stack-for-queue", "path-reversed"],
    "dfs": ["one-less", "one-more"],
    "iddfs": ["depth-missing", "one-more"],
    "misplaced": ["misplaced-with-blank", "counts-at-home"],
    "manhattan": ["chebyshev", "manhattan-without-last"],
    "greedy": ["greedy-adds-g", "highest-first", "parents-estimate"],
    "astar": ["h-as-f", "parents-estimate"],
    "idastar": ["below-the-limit"],
    "pattern_table": ["last-blank"],
}
"""Known mistakes of one line, by exercise."""

QUICK = ("find_zero", "neighbors", "dfs", "manhattan", "astar")
"""Exercises whose first mistake is mended by `make test`, all others by `make soak`."""

EACH_MENDED = [(key, mistake) for key, all_ in MENDED.items() for mistake in all_]
SHOWN = [EACH_MENDED.index((key, MENDED[key][0])) for key in QUICK]


@pytest.mark.parametrize(("key", "mistake"), some(EACH_MENDED, *SHOWN))
def test_program_with_the_line_to_try_is_right(key, mistake):
    (wrong,) = (one for one in exercises()[key].mistakes if one.key == mistake)
    code = wrong.programs[0]
    report = judge(key, code)
    assert report.line
    changed = report.line.applied(code)
    lines = zip(code.splitlines(), changed.splitlines(), strict=True)
    assert [pair for pair in lines if pair[0] != pair[1]] == [(report.line.old, report.line.new)]
    assert judged(key, changed).passed


def test_line_to_try_is_found_in_a_program_of_another_form():
    code = wrong_program("path-reversed", "rows")
    line = judge("bfs", code).line
    assert line
    assert judged("bfs", line.applied(code)).passed


(STACK,) = (one for one in exercises()["bfs"].mistakes if one.key == "stack-for-queue")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (exercises()["bfs"].solution, "right"),
        ("def bfs(start, goal):\n    while True: pass", "endless"),
        ("def bfs(start, goal:", "not Python"),
        ("def bfs(start, goal):\n    return exit()", "ends its process"),
        ("x = 1", "no function"),
    ],
)
def test_hopeless_or_right_program_has_no_line(code, why):
    assert judge("bfs", code).as_json()["line"] is None, why


def test_live_functions_have_no_line_to_try():
    names = {}
    exec("def misplaced(board, goal): return 9", names)
    assert judge("misplaced", names).line is None


@each("value", [{"pairs": 3}, [[[[]]]], 5, None])
def test_forged_results_after_the_report_give_no_line(value):
    exercise, code = exercises()["bfs"], STACK.programs[0]
    report = replace(judged("bfs", code), rules=Rules())
    right = Runner()
    list(right.answer(LoadProgram(exercise.target, exercise.solution)))

    def answer(request):
        if isinstance(request, LoadProgram):
            return ProgramReply()
        if request.ticks:  # the calls that failed
            return ProgramReply(outcomes=tuple(right.answer(request)))
        judged_again.append(request)
        return ProgramReply(outcomes=(CallResult(value),) * len(request.cases))

    judged_again = []
    assert drive(find_line(exercise, code, report), answer) is None
    assert judged_again


@pytest.mark.parametrize("key", exercises())
def test_each_change_is_one_line_that_python_reads(key):
    code = exercises()[key].solution
    changes = list(line_changes(code))
    assert 1 < len(changes) <= MAX_CHANGES
    assert len(set(changes)) == len(changes)
    for change in changes:
        ast.parse(change.applied(code))
        assert code.splitlines()[change.number - 1] == change.old != change.new


def test_changed_line_stands_in_place_of_its_own_number_alone():
    code = "def f(a):\n    a = 1\n    a = 1\n"
    assert LineChange(3, "    a = 1", "    a = 2").applied(code) == (
        "def f(a):\n    a = 1\n    a = 2\n"
    )
