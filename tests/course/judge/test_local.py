"""Local searches: right programs pass with every seed, and the odds of the random checks."""

from math import comb, cos, exp, pi

import pytest

from slidewise.course.judge import exercises, judge, local
from slidewise.course.judge.cases import Draw, cases_of
from slidewise.course.judge.driving import judge_by
from slidewise.course.programs.boards import goal_of, manhattan, neighbors
from tests.course.judge.judged import UNHINTED, answering
from tests.each import some

GOAL = goal_of((3, 3))
START = (8, 1, 3, 4, 0, 2, 7, 6, 5)
RIGHT = [
    (key, number, seed)
    for key in ("hill_climbing", "annealing")
    for number in range(len(exercises()[key].programs))
    for seed in range(20)
]
MOST_H = 24
"""Above the largest Manhattan distance of 9 cells."""


@pytest.mark.parametrize(("key", "number", "seed"), some(RIGHT, *range(0, len(RIGHT), 27)))
def test_right_program_passes_with_each_seed(key, number, seed):
    report = judge(key, exercises()[key].programs[number], seed=seed)
    assert [(one.key, one.note) for one in report.checks if one.note] == []


def successes(numbers, trials, chance):
    """Return the probability of these numbers of successes in independent trials."""
    return sum(comb(trials, n) * chance**n * (1 - chance) ** (trials - n) for n in numbers)


def odds(case):
    """Return the probability with which a right program fails a case, without its counts."""
    *_, (temperature, steps) = case.args["temperatures"]
    if temperature == local.COLD:
        # Each step goes to a lower board, if there is one, with a probability of 1/4 at least.
        return successes(range(MOST_H), steps, 1 / 4) + steps * exp(-1 / temperature)
    if temperature == local.WARM:
        return 0
    if len(case.args["goal"]) == 4:
        return 12 * cos(pi / 12) ** steps  # a walk on a ring of 12 boards
    refused = round((1 - local.MIN_ACCEPTED) * steps)
    if len(case.args["temperatures"]) > 1:
        assert (steps - refused - MOST_H) / 2 > local.MIN_RISES
    return successes(range(refused + 1, steps + 1), steps, 1 - exp(-1 / temperature))


def test_right_program_fails_by_chance_below_1e_9():
    found = list(map(odds, cases_of(exercises()["annealing"], Draw())))
    assert sum(one > 0 for one in found) > 8
    # Four directions of two hot walks, and two kinds of moves of the warm walk, are counted.
    assert sum(found) + 10 * local.CHANCE < 1e-9


def walk(*boards, h="misplaced", **more):
    return local.BoardPath(list(boards), {"start": boards[0], "goal": GOAL, "h": h, **more})


def test_each_property_of_a_climb_is_seen():
    checks = local.CHECKS["hill_climbing"]
    up, down, left, right = neighbors(START)
    assert [manhattan(one, GOAL) for one in (START, up, down, left, right)] == [10, 11, 9, 11, 9]
    assert checks["lower"](walk(START, down, h="manhattan")) == ""
    assert checks["lower"](walk(START, up, h="manhattan")) == "goes from h = 10 to h = 11"
    assert "where a neighbor has 9" in checks["steepest"](walk(START, left, h="manhattan"))
    assert "where a neighbor has 9" in checks["stuck"](walk(START, h="manhattan"))
    assert "twice in a row" in local.path(walk(START, START))
    assert "not one move apart" in local.path(walk(START, GOAL))


@pytest.mark.parametrize(("counted", "steps"), [("hot", 400), ("chance", 1500)])
def test_moves_to_and_fro_are_no_random_walk(counted, steps):
    temperature = local.HOT if counted == "hot" else local.WARM
    boards = [START, neighbors(START)[0]] * (steps // 2)
    found = walk(*boards, h="manhattan", temperatures=((temperature, steps),))
    assert local.CHECKS["annealing"][counted](found)


def judged(key, code, **conditions):
    """Judge a file as `slidewise grade` does if it names no exercise."""
    return judge_by(answering(), exercises()[key], code, rules=UNHINTED, **conditions)


@pytest.mark.parametrize(
    "parameters", ["problem", "state, target, estimate", "start, goal, h, limit"]
)
def test_other_form_of_a_local_search_is_not_judged(parameters):
    first = parameters.partition(",")[0]
    code = f"def hill_climbing({parameters}):\n    return {first}, 7\n"
    report = judged("hill_climbing", code, definitions=True, explicit=False)
    assert (report.judged, report.failing) == (0, set())


def test_form_of_the_task_is_judged_in_any_file():
    code = exercises()["hill_climbing"].solution
    report = judged("hill_climbing", code, definitions=True, explicit=False)
    assert report.points == 10
    wrong = exercises()["hill_climbing"].mistakes[0].programs[0]
    assert judged("hill_climbing", wrong, definitions=True, explicit=False).failing == {"steepest"}


def test_call_of_annealing_is_shown_as_python():
    code = exercises()["annealing"].solution.replace("rise <= 0 or", "rise < 9 or")
    case = judged("annealing", code).as_json()["case"]
    assert case["arguments"] == "h = manhattan, temperatures = [0.01] * 300, random = Random(792)"
    assert case["call"].endswith("manhattan,\n          [0.01] * 300,\n          Random(792))")
    assert case["expected"] is None
