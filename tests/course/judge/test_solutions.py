"""Each exercise: right programs get all points; each wrong one loses points and is named."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from slidewise.course.judge import Rules, exercises, judge
from tests.each import some

ROOT = Path(__file__).parents[3]
QUICK = Rules(every=False)
RIGHT = [
    pytest.param(one, program, id=f"{one.key}-{number}")
    for one in exercises().values()
    for number, program in enumerate(one.programs)
]
WRONG = [
    (one.key, mistake.key, number)
    for one in exercises().values()
    for mistake in one.mistakes
    for number in range(len(mistake.programs))
]


@pytest.mark.parametrize(("exercise", "program"), RIGHT)
def test_right_program_has_all_points(exercise, program):
    report = judge(exercise, program, rules=QUICK)
    assert [(check.key, check.note) for check in report.checks if not check.passed] == []
    assert report.points == 10
    assert (report.mistake, report.hint) == (None, None)


@pytest.mark.parametrize(("key", "named", "number"), some(WRONG, *range(0, len(WRONG), 2)))
def test_wrong_program_loses_points_and_is_named(key, named, number):
    exercise = exercises()[key]
    (mistake,) = (one for one in exercise.mistakes if one.key == named)
    report = judge(exercise, mistake.programs[number], rules=QUICK)
    assert report.points < 10
    assert report.mistake == mistake
    assert report.hint in exercise.hints
    assert json.loads(json.dumps(report.as_json()))["case"]["yours"]


@pytest.mark.parametrize("exercise", exercises().values(), ids=lambda one: one.key)
def test_starter_runs_and_has_no_full_points(exercise):
    assert judge(exercise, exercise.starter, rules=QUICK).points < 10


def test_points_of_each_exercise_are_ten():
    assert {one.key: one.points for one in exercises().values()} == dict.fromkeys(exercises(), 10)


def test_judge_imports_the_standard_library_alone():
    code = (
        "import sys; from slidewise.course.judge import judge; judge('bfs', 'x'); "
        "print({'numpy', 'numba', 'flask', 'subprocess'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("set()\n", "")


STYLES = tomllib.loads(Path(__file__).with_name("styles.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "program",
    STYLES["program"],
    ids=lambda one: f"{one['exercise']}-{one['mistake'] or 'right'}",
)
def test_program_in_another_style_is_judged_alike(program):
    report = judge(program["exercise"], program["code"], rules=QUICK)
    assert (report.mistake.key if report.mistake else "") == program["mistake"]
    assert report.passed == (not program["mistake"])
