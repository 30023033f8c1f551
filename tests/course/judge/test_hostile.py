"""Programs that attack the judge get no unearned points."""

import base64
import json
from collections import Counter
from functools import cache

import pytest

from slidewise.course.judge import exercises, judge, tried
from slidewise.course.judge.confined import judge_confined
from slidewise.course.judge.confinement import ProcessLimits
from slidewise.course.judge.driving import drive
from slidewise.course.judge.session import FORGED, judging, read_reply
from slidewise.course.programs.child import LoadProgram, Runner, answers, as_line
from slidewise.course.programs.running import MAX_EXPANSIONS
from tests.course.judge.hostile import ATTACKS, WRONG, hostile_program
from tests.course.judge.judged import QUICK, UNHINTED

LIMITS = ProcessLimits(seconds=60)
EXERCISE_OF_ATTACK = dict(zip(ATTACKS, [*WRONG] * len(ATTACKS), strict=False))
"""An exercise for each attack. Attacks by a given function use those that have it."""

GIVEN = ("neighbors", "is_solvable", "manhattan")
PAIRS = [
    (key, attack)
    for attack in ATTACKS
    for key in (GIVEN if "given function" in attack else [EXERCISE_OF_ATTACK[attack]])
]


@cache
def fair_points(key):
    return judge(key, WRONG[key], rules=QUICK).points


@pytest.mark.parametrize(("key", "attack"), PAIRS)
def test_attack_on_the_judge_gets_no_points(key, attack):
    exercise = exercises()[key]
    program = hostile_program(key, ATTACKS[attack])
    report = judge_confined(exercise, program, rules=QUICK, limits=LIMITS)
    assert report.points <= fair_points(key) < exercise.points
    assert not report.passed


def forged(change):
    """Judge a wrong search whose results are changed on their way to the judge."""
    return changed("bfs", WRONG["bfs"], change, QUICK)


def changed(key, code, change, rules, *, every=False):
    """Judge with changed results, or with `every` only those of the sample."""
    runner = Runner()

    def answer(request):
        lines = list(answers(runner, as_line(request)))
        if not isinstance(request, LoadProgram) and (not every or request.cases[0].every):
            lines = change(lines)
        return read_reply(request, lines)

    return drive(judging(exercises()[key], code, rules=rules), answer)


def set_field(name, value):
    return lambda lines: [json.dumps({**json.loads(line), name: value}) for line in lines]


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: [],
        lambda lines: lines[1:],
        lambda lines: [*lines, lines[0]],
        lambda lines: [json.dumps({"points": 10, "passed": True})] * len(lines),
        lambda lines: ["[" * 100_000] * len(lines),
        lambda lines: ["null"] * len(lines),
        set_field("value", {"pairs": 3}),
        set_field("value", {"pairs": [[[1, 2, 3, 4, 5, 6, 7, 8, 0], [[]]]]}),
        set_field("value", [[[[]]]]),
        set_field("value", 5),
        set_field("expansions", 7),
        set_field("expanded", "AAAA"),
        set_field("expanded", "no base64"),
        set_field("milliseconds", None),
        set_field("error", {"type": 1}),
    ],
)
def test_forged_results_earn_no_points(change):
    report = forged(change)
    assert report.points == 0
    assert report.as_json()["passed"] is False


@pytest.mark.parametrize(
    "value",
    [
        {"pairs": 5},
        {"pairs": [5]},
        {"pairs": [[1]]},
        {"pairs": [[{"pairs": None}, 2]]},
        {"type": 3},
        {"boards": []},
        {"type": "Node", "fields": {"board": {"pairs": {}}}},
        {"results": 7, "rest": None},
    ],
)
@pytest.mark.parametrize("field", ["value", "changed"])
def test_result_that_is_no_plain_data_is_forged(field, value):
    report = forged(set_field(field, value))
    assert report.error.message == FORGED
    assert report.as_json()["points"] == 0


def test_stopped_sample_has_no_forged_board():
    report = forged_sample(lambda lines: set_field("stopped", True)(set_field("value", 5)(lines)))
    assert report.as_json()["case"]["check"] == "every"


def forged_sample(change):
    solution = exercises()["is_solvable"].solution
    return changed("is_solvable", solution, change, UNHINTED, every=True)


def test_expansions_above_the_limit_are_forged():
    cells = base64.b64encode(bytes(9 * (MAX_EXPANSIONS + 1))).decode()
    more = {"expansions": MAX_EXPANSIONS + 1, "expanded": cells}
    report = forged(lambda lines: [json.dumps({**json.loads(lines[0]), **more}), *lines[1:]])
    assert report.error.message == FORGED


def test_forged_answers_for_all_boards_are_judged():
    def change(lines):
        value = json.loads(lines[0])
        value["value"]["results"] = "AAAA"
        return [json.dumps(value)]

    report = forged_sample(change)
    assert [check.key for check in report.checks if not check.passed] == ["every"]


def test_long_answers_are_read_once_a_call(monkeypatch):
    read, read_answer = Counter(), tried.read_answer

    def counted(value, start, goal, printed=""):
        read[len(value) if isinstance(value, list) else 0] += 1
        return read_answer(value, start, goal, printed)

    monkeypatch.setattr(tried, "read_answer", counted)
    report = judge("bfs", "def bfs(start, goal): return [0] * 5_000", rules=QUICK)
    assert report.points == 0
    assert len(report.tried) <= read[5_000] < 2 * len(report.tried)


def test_results_above_the_expansion_limit_are_cut():
    endless = "def bfs(start, goal):\n    while True: neighbors(start)\n"
    report = judge("bfs", endless, rules=QUICK)
    assert "stopped after" in report.checks[0].note
