"""`slidewise grade` on files of any form: helper modules, folders, and options for a form."""

import json

import pytest

MOVES = """
def get_children(s):
    b, found = s.index(0), []
    for d, bad in (-3, (0, 1, 2)), (3, (6, 7, 8)), (-1, (0, 3, 6)), (1, (2, 5, 8)):
        if b not in bad:
            t = list(s)
            t[b], t[b + d] = t[b + d], t[b]
            found.append(tuple(t))
    return found
"""
SEARCH = """
from collections import deque
def NAME(start, goal):
    waiting, before = deque([start]), {start: None}
    while waiting:
        s = waiting.TAKE()
        if s == goal:
            path = []
            while s: path.append(s); s = before[s]
            return path[::-1]
        for t in get_children(s):
            if t not in before: before[t] = s; waiting.append(t)
"""


def search(name="bfs", take="popleft"):
    return SEARCH.replace("NAME", name).replace("TAKE", take)


@pytest.fixture
def graded(tmp_path, cli):
    """Return a function that writes files, grades one path and returns its reports."""

    def grade_path(files, *options, path=""):
        for name, text in files.items():
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        run = cli("grade", str(tmp_path / path), "--json", *options)
        return [json.loads(line) for line in run.out.splitlines()]

    return grade_path


def points(report):
    return {one["exercise"]: one["points"] for one in report["functions"]}


def test_module_beside_a_file_is_imported(graded):
    files = {"bfs.py": f"from utils import get_children\n{search()}", "utils.py": MOVES}
    (report,) = graded(files, path="bfs.py")
    assert points(report) == {"bfs": 10}


def test_subfolder_is_a_submission_with_its_modules(graded):
    files = {
        "anna/bfs.py": f"from utils import get_children\n{search()}",
        "anna/utils.py": MOVES,
        "ben.py": MOVES + search(),
    }
    found = {one["file"]: points(one) for one in graded(files)}
    assert found == {"anna/bfs.py": {"bfs": 10}, "ben.py": {"neighbors": 10, "bfs": 10}}


def test_function_is_named_by_an_option(graded):
    files = {"a.py": MOVES + search("one") + search("bfs", "pop")}
    (report,) = graded(files, "--exercise", "bfs", "--function", "one", path="a.py")
    assert [(one["function"], one["points"]) for one in report["functions"]] == [("one", 10)]


def test_form_and_goal_are_named_by_options(graded):
    text = "def manhattan(s):\n    return sum(abs(i // 3 - v // 3) + abs(i % 3 - v % 3) \\\n"
    text += "        for i, v in enumerate(s) if v)\n"
    options = ["--exercise", "manhattan", "--board", "list", "--goal", "0 1 2/3 4 5/6 7 8"]
    (report,) = graded({"a.py": text}, *options, path="a.py")
    (one,) = report["functions"]
    assert one["points"] == 10
    assert one["understood"]["board"] == "list"
    assert one["understood"]["goal"] == "0 1 2/3 4 5/6 7 8"


def test_unseen_checks_count_as_failed_by_a_rule(graded):
    # It looks for each tile, so it shows no answer on a board of equal tiles.
    code = search().replace("goal):", "goal):\n    [start.index(t) for t in goal]")
    files = {"a.py": MOVES + code}
    (scaled,), (zero,) = graded(files, path="a.py"), graded(files, "--unseen", "zero", path="a.py")
    assert points(scaled)["bfs"] == 10
    (bfs,) = [one for one in zero["functions"] if one["exercise"] == "bfs"]
    unseen = [one["points"] for one in bfs["checks"] if not one["passed"]]
    assert bfs["points"] == 10 - sum(unseen) < 10


def test_use_of_the_library_is_no_program_of_its_own(graded):
    text = "from slidewise import manhattan, solve\ndef find(board): return solve(board)\n"
    (report,) = graded({"a.py": text}, path="a.py")
    assert "uses Slidewise itself" in report["error"]


def test_file_without_a_search_names_its_functions(graded):
    (report,) = graded({"a.py": "def area(x):\n    return x * x\n"}, path="a.py")
    assert "it has area" in report["error"]
    assert "--function NAME" in report["error"]


def test_unknown_function_is_an_error_of_the_file(tmp_path, cli):
    file = tmp_path / "a.py"
    file.write_text(f"{MOVES}{search()}")
    run = cli("grade", str(file), "--exercise", "bfs", "--function", "bsf")
    assert run.code == 2
    assert "there is no function bsf; the functions are get_children, bfs" in run.out


def test_estimate_that_was_judged_is_not_listed_as_unjudged(tmp_path, cli):
    file = tmp_path / "a.py"
    file.write_text(
        "def heuristic(board, goal=(1, 2, 3, 4, 5, 6, 7, 8, 0)):\n"
        '    "Manhattan distance."\n'
        "    d = 0\n"
        "    for i, t in enumerate(board):\n"
        "        j = goal.index(t)\n"
        "        d += (abs(i // 3 - j // 3) + abs(i % 3 - j % 3)) * (t != 0)\n"
        "    return d\n"
    )
    out = cli("grade", str(file)).out
    assert "heuristic: Manhattan" in out
    assert "not judged as" not in out


def test_line_to_try_is_printed_with_its_place(tmp_path, cli):
    file = tmp_path / "bfs.py"
    file.write_text(MOVES + search(take="pop"))
    assert "    Try in line 15: s = waiting.popleft()\n" in cli("grade", str(file)).out
    assert "Try in" not in cli("grade", str(file), "--no-hints").out


def test_board_of_numpy_numbers_in_a_tuple_is_read(graded):
    goal = "import numpy as np\nGOAL = tuple(np.array([1, 2, 3, 4, 5, 6, 7, 8, 0]))\n"
    (report,) = graded({"a.py": f"{goal}{MOVES}{search()}"})
    assert points(report) == {"neighbors": 10, "bfs": 10}


@pytest.mark.parametrize(
    ("exercise", "code"),
    [
        ("neighbors", MOVES.replace("get_children", "wohin")),
        ("find_zero", "def wo(b): return divmod(b.index(0), 3)"),
        ("misplaced", "def f(a, b): return sum(x != y and x != 0 for x, y in zip(a, b))"),
    ],
    ids=["boards", "place", "number"],
)
def test_function_of_a_board_is_known_by_its_values(graded, exercise, code):
    (report,) = graded({"a.py": code})
    assert points(report) == {exercise: 10}


def test_program_for_16_cells_is_judged_with_them(graded):
    text = "GOAL = (*range(1, 16), 0)\ndef manhattan(board):\n    return sum(\n"
    text += "        abs(i // 4 - (t - 1) // 4) + abs(i % 4 - (t - 1) % 4)\n"
    text += "        for i, t in enumerate(board) if t)\n"
    moves = """
def get_children(s):
    b, found = s.index(0), []
    for c in b - 4, b + 4, b - 1, b + 1:
        if 0 <= c < 16 and (b % 4 == c % 4 or b // 4 == c // 4):
            t = list(s)
            t[b], t[c] = t[c], t[b]
            found.append(tuple(t))
    return found
"""
    one_goal = search("solve").replace("(start, goal)", "(start)").replace("goal", "GOAL")
    files = {"a.py": text, "b.py": text.replace(" if t", "")}
    files |= {"c.py": f"GOAL = (*range(1, 16), 0)\n# breadth-first\n{moves}{one_goal}"}
    right, wrong, found = graded(files)
    assert points(right) == {"manhattan": 10}
    assert points(wrong)["manhattan"] < 10
    assert "13 14 15" in wrong["functions"][0]["case"]["board"]
    assert points(found) == {"neighbors": 10, "bfs": 10}


def test_function_pointed_at_is_judged_though_it_crashes(graded):
    text = f"GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)\n{MOVES}{search('one')}"
    files = {"a.py": text.replace("    while waiting:", "    waiting[5]\n    while waiting:", 1)}
    options = ["--exercise", "bfs", "--function", "one"]
    (report,) = graded(files, *options, path="a.py")
    (one,) = report["functions"]
    assert (one["function"], one["passed"]) == ("one", False)
    assert "IndexError in line" in one["checks"][0]["note"]


def test_function_that_takes_no_board_is_not_judged(graded):
    files = {"a.py": f"{MOVES}def size(word): return word.upper()\n"}
    (report,) = graded(files, "--function", "size", path="a.py")
    assert report["error"] == "say which exercise size is for, with --exercise"
    (report,) = graded(files, "--function", "size", "--exercise", "bfs", path="a.py")
    assert "give the form of its boards with --board" in report["error"]


def test_deepening_speaks_for_itself_not_for_its_part(graded):
    text = f"""{MOVES}
def dls(path, goal, limit):
    if path[-1] == goal: return path
    if limit == 0: return None
    for s in get_children(path[-1]):
        if s not in path:
            found = dls(path + [s], goal, limit - 1)
            if found: return found
def iddfs(start, goal):
    limit = 1
    while limit < 40:
        found = dls([start], goal, limit)
        if found: return found
        limit *= 2
"""
    (report,) = graded({"a.py": text}, path="a.py")
    (one,) = [one for one in report["functions"] if one["exercise"] != "neighbors"]
    assert one["function"] == "iddfs"
    assert (one["exercise"], one["mistake"]["key"]) == ("iddfs", "limit-steps")
