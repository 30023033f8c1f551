"""The judge of programs and the check of printed work agree on a program's own expansions."""

import pytest

from slidewise import Puzzle, parse_board
from slidewise.course.judge import exercises
from slidewise.course.judge.printed import check
from slidewise.course.judge.printed.diagnosis import SURE_EXPANSIONS
from tests.course.judge.judged import judged
from tests.each import some

SEARCHES = ("bfs", "greedy", "astar", "idastar", "rbfs", "iddfs")
RIGHT = [(key, i) for key in SEARCHES for i in range(len(exercises()[key].programs))]
WRONG = [(key, i) for key in SEARCHES for i in range(len(exercises()[key].mistakes))]
ALIKE = {"not-sorted": "h-is-zero", "g-as-f": "h-is-zero"}
"""Mistakes with the expansions of another, under any order of equal boards."""


def both(key, program):
    """Return the reports of the judge and of the check, None without expansions."""
    report = judged(key, program)
    trace = report.trace()
    if not trace:
        return report, None
    puzzle = Puzzle(parse_board(trace["board"]), parse_board(trace["goal"]))
    heuristic = "manhattan" if "h" in exercises()[key].parameters else None
    return report, check(puzzle, key, heuristic, given="\n".join(trace["expanded"]))


@pytest.mark.parametrize(("key", "number"), some(RIGHT, 0, 4, 7))
def test_right_program_has_right_expansions(key, number):
    report, checked = both(key, exercises()[key].programs[number])
    assert report.passed
    assert checked.right
    assert not checked.wrong


@pytest.mark.soak
@pytest.mark.parametrize(("key", "number"), WRONG)
def test_both_name_the_same_mistake(key, number):
    wrong = exercises()[key].mistakes[number]
    report, checked = both(key, wrong.programs[0])
    assert report.mistake.key == wrong.key
    found = checked and checked.explanation
    if found and found.kind == "mistake" and len(checked.given.rows) >= SURE_EXPANSIONS:
        assert found.key in (wrong.key, ALIKE.get(wrong.key))


def test_mistakes_of_three_kinds_of_search_are_named_by_both():
    named = {"bfs": "stack-for-queue", "astar": "h-as-f", "rbfs": "f-not-stored"}
    for key, mistake in named.items():
        (wrong,) = (one for one in exercises()[key].mistakes if one.key == mistake)
        report, checked = both(key, wrong.programs[0])
        assert report.mistake.key == checked.explanation.key == mistake
