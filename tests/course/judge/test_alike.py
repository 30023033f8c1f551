"""Programs that are the same without names, comments, types and layout."""

import pytest

from slidewise.course.judge import exercises
from slidewise.course.judge.alike import ComparedProgram, groups_of_alike

BFS = exercises()["bfs"].solution
GIVEN = exercises()["neighbors"].solution
CHANGES = {
    "names": ("came_from", "parents"),
    "name of the function": ("bfs", "search"),
    "comment": ("    queue =", "    # the frontier\n    queue ="),
    "layout": ("    ", "\t"),
    "docstring": ('"""Return the boards of', '"""A search: the boards of'),
    "types": ("def bfs(start, goal)", "def bfs(start: tuple, goal: tuple) -> list"),
    "another function's place": ("def bfs", "import os\n\n\ndef bfs"),
    "module's other name": ("import deque", "import deque as Queue"),
}  # fmt: skip


def are_alike(one: str, other: str, *keys: str) -> bool:
    return groups_of_alike([ComparedProgram(one, keys), ComparedProgram(other, keys)]) == [[0, 1]]


@pytest.mark.parametrize(("old", "new"), CHANGES.values(), ids=CHANGES)
def test_changes_of_form_leave_programs_alike(old, new):
    other = BFS.replace(old, new)
    if " as Queue" in new:
        other = other.replace("= deque(", "= Queue(")
    assert other != BFS
    assert are_alike(BFS, other)


@pytest.mark.parametrize("mistake", exercises()["bfs"].mistakes, ids=lambda one: one.key)
def test_programs_that_differ_are_not_alike(mistake):
    assert not are_alike(BFS, mistake.programs[0])


def test_given_code_is_left_out():
    assert are_alike(BFS, GIVEN + BFS, "bfs")
    assert not are_alike(exercises()["bfs"].starter, exercises()["bfs"].starter, "bfs")
    assert are_alike(GIVEN, GIVEN, "neighbors")


@pytest.mark.parametrize(
    "code",
    [
        exercises()["find_zero"].solution,
        "x = 1",
        "",
        "def f(:",
        "def f():\n    return " + "(" * 5000 + ")" * 5000,
        "def f():\n    return " + "-" * 20000 + "1",
    ],
    ids=["short", "no function", "empty", "unreadable", "nested", "deep"],
)
def test_other_files_are_not_compared(code):
    assert groups_of_alike([ComparedProgram(code), ComparedProgram(code)]) == []


def test_order_of_the_functions_does_not_matter():
    assert are_alike(BFS + GIVEN, GIVEN + BFS)
