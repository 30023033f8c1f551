"""A search that is handed in under the name of another loses points; a right one loses none."""

import tomllib
from itertools import product
from pathlib import Path

import pytest

from slidewise.course.judge import exercises
from slidewise.course.judge.cases import Draw, cases_of
from slidewise.course.judge.judging import first_faults
from slidewise.course.judge.reference import limits_of, tried_of
from slidewise.course.programs.running import Program, run_cases
from tests.each import some

FILE = Path(__file__).with_name("searches.toml")
SEARCHES = {one["name"]: one["code"] for one in tomllib.loads(FILE.read_text("utf-8"))["search"]}
ORDER = {
    "bfs": "algorithm",
    "dfs": "algorithm",
    "iddfs": "algorithm",
    "ucs": "algorithm",
    "greedy": "lowest",
    "astar": "bound",
    "idastar": "algorithm",
    "rbfs": "algorithm",
}
"""The check of each exercise that another search fails."""

OWN_ESTIMATE = """
def own_h(board, goal):
    rows, cols = {4: (2, 2), 6: (2, 3), 9: (3, 3)}[len(board)]
    places = [(divmod(i, cols), divmod(goal.index(t), cols)) for i, t in enumerate(board) if t]
    return sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in places)
"""
LIMITS = {"dfs": "limit", "iddfs": "depth"}


def program(search, key):
    """Return a search under the name of an exercise."""
    parameters = exercises()[key].parameters
    limit = LIMITS.get(key)
    names = {
        "NAME": key,
        "ARGS": ", ".join(parameters),
        "LIMIT": limit or "40",
        "STOP": "45",
        "H(": "h(" if "h" in parameters else "own_h(",
    }
    code = SEARCHES[search]
    for old, new in names.items():
        code = code.replace(old, new)
    longest = f"{limit}" if limit else "99"
    within = "lambda p: p if len(p) - 1 <= {} else None"
    return f"{OWN_ESTIMATE}{code}".replace("DONE(", f"({within.format(longest)})(")


def faults_of(search, key):
    """Return the faults of a search that is handed in for an exercise, by check."""
    exercise, draw = exercises()[key], Draw()
    cases, limits = cases_of(exercise, draw), limits_of(exercise, draw)
    outcomes = list(run_cases(Program(exercise.target, program(search, key)), cases, limits))
    return first_faults(exercise, tried_of(exercise, outcomes, draw, own=True))


RIGHT = [
    (search, key)
    for search, key in product(SEARCHES, ORDER)
    if search.partition(" ")[0].strip(",") == key
]
RIGHT += [("ucs with equal costs", "bfs")]
RIGHT.remove(("ucs with equal costs", "ucs"))
RIGHT.remove(("dfs with a stack", "dfs"))  # it has no limit
NEITHER = [("dfs with a stack", "dfs")]
OTHER = [one for one in product(SEARCHES, ORDER) if one not in RIGHT + NEITHER]
CLOSED = "astar with a sorted list"
"""A search that is wrong only with an inconsistent estimate, as it reopens no board."""
FURTHER = {"astar": ["once"], "idastar": ["rounds", "within"], "rbfs": ["bound"]}
"""Further checks that show another search: its order alone is right."""

SOME = [
    *product(["astar", "bidirectional", "iddfs"], ["bfs"]),
    *product(["astar, the newest of equal f", "idastar with a stack", "rbfs"], ["dfs"]),
    *product(["bfs", "idastar"], ["iddfs"]),
    *product(["astar", "ucs"], ["greedy"]),
    *product(["bfs", "bidirectional", "idastar"], ["astar"]),
    *product(["astar", "rbfs"], ["idastar"]),
    *product(["astar", "idastar"], ["rbfs"]),
    ("astar", "ucs"),
]


@pytest.mark.parametrize(("search", "key"), some(OTHER, *map(OTHER.index, SOME)))
def test_other_search_under_a_name_fails_its_order(search, key):
    found = faults_of(search, key)
    keys = [ORDER[key], *FURTHER.get(key, [])]
    assert any(found[one] and found[one].judged for one in keys), found


@pytest.mark.parametrize(("search", "key"), some(RIGHT, *range(0, len(RIGHT), 2)))
def test_right_search_of_a_style_fails_nothing(search, key):
    found = {check for check, fault in faults_of(search, key).items() if fault}
    assert found == ({"inconsistent"} if search == CLOSED else set())
