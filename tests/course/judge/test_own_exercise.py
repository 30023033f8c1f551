"""Exercises of a teacher: folders and packed files, their errors, and programs judged by them."""

import json
from pathlib import Path
from textwrap import indent

import pytest

from slidewise.course.judge import Rules, judge
from slidewise.course.judge.own_exercise import (
    MAX_BYTES,
    BadExerciseError,
    as_text,
    packed,
    read_folder,
    read_text,
)
from tests.course.judge.judged import UNHINTED, answering
from tests.each import each

EXAMPLE = Path(__file__).parents[3] / "examples" / "exercises" / "rows-out"
SOLUTION = (EXAMPLE / "solution.py").read_text()
BLANK_COUNTED = SOLUTION.replace("if tile]", "]")
TABLE = """\
title = "Title"
task = "Task."
signature = "{signature}"
[[check]]
text = "Text"
points = 5
{rest}
"""
SEARCH = """\
from collections import deque
def search(start, goal):
    came_from, waiting = {start: None}, deque([start])
    while waiting:
        board = waiting.popleft()
        if board == goal:
            return path(came_from, goal)
        for after in neighbors(board):
            if after not in came_from:
                came_from[after] = board
                waiting.append(after)
"""
OF_SEARCH = """\
title = "Search"
task = "Search."
signature = "search(start, goal)"
uses = ["neighbors", "path"]
[[check]]
key = "{key}"
text = "Text"
points = 5
boards = {{ rows = 3, cols = 3, moves = [6, 7, 8, 9, 9, 9] }}
"""


@pytest.fixture
def made(tmp_path):
    """Return a function that packs the folder of a table and a solution."""

    def make(table, solution, starter="x = 1\n"):
        folder = tmp_path / "own"
        folder.mkdir(exist_ok=True)
        (folder / "exercise.toml").write_text(table)
        (folder / "solution.py").write_text(solution)
        (folder / "starter.py").write_text(starter)
        return packed(read_folder(folder), answering())

    return make


@pytest.fixture
def refused(made):
    """Return a function that expects the error of an exercise to have words."""

    def expect(words, table, solution="def f(n): return n", **starter):
        with pytest.raises(BadExerciseError) as raised:
            made(table, solution, **starter)
        assert words in str(raised.value)
        assert len(str(raised.value)) < 400

    return expect


@pytest.fixture(scope="module")
def example():
    return packed(read_folder(EXAMPLE), answering())


def test_page_for_teachers_has_the_table_of_the_example():
    table = indent((EXAMPLE / "exercise.toml").read_text(), "    ")
    assert table in (EXAMPLE.parents[2] / "docs" / "teaching.md").read_text()


def test_right_program_has_all_points(example):
    report = judge(example, SOLUTION, rules=UNHINTED)
    assert (report.points, report.passed) == (10, True)


def test_wrong_program_shows_the_call_and_its_hint(example):
    report = judge(example, BLANK_COUNTED)
    assert (report.points, report.hint) == (2, "Is the blank counted?")
    case = report.as_json()["case"]
    assert case["call"] == "rows_out((1, 0, 3, 2), (1, 2, 3, 0))"
    assert (case["yours"], case["expected"]) == ("2", "1")
    assert report.line.new.endswith("if tile]")


def test_rules_hide_hint_and_expected_result(example):
    report = judge(example, BLANK_COUNTED, rules=Rules(hints=False, reference=False)).as_json()
    assert report["hint"] is None
    assert report["case"]["expected"] is None
    assert report["checks"][0]["note"] == "returns 2"


def test_strict_rule_leaves_a_right_search_its_points(made):
    exercise = made(OF_SEARCH.format(key="shortest"), SEARCH)
    assert judge(exercise, SEARCH, rules=Rules(strict=True)).passed


def test_missing_function_is_an_error(example):
    report = judge(example, "def other(board): return 0", rules=UNHINTED)
    assert report.points == 0
    assert report.error.message == "there is no function rows_out(board, goal)"


def test_file_has_the_results_and_not_the_solution(example):
    text = as_text(example)
    assert "board.index(tile) // width != " not in text
    again = read_text(text)
    assert as_text(again) == text
    reports = [judge(one, BLANK_COUNTED, rules=UNHINTED).as_json() for one in (again, example)]
    assert reports[0]["checks"] == reports[1]["checks"]


def test_boards_are_the_same_in_each_run(example):
    assert as_text(packed(read_folder(EXAMPLE), answering())) == as_text(example)


@each(
    ("key", "change", "note"),
    [
        ("shortest", ("popleft", "pop"), "the shortest"),
        ("once", ("if board == goal:", "neighbors(board)\n        if board == goal:"), "again"),
        ("path", ("return path(came_from, goal)", "return [start, goal]"), "one move apart"),
    ],
)
def test_built_in_check_of_a_search_is_found_by_its_key(made, key, change, note):
    exercise = made(OF_SEARCH.format(key=key), SEARCH)
    report = judge(exercise, SEARCH.replace(*change), rules=UNHINTED)
    assert not report.passed
    assert note in report.checks[0].note


@each(
    ("signature", "solution", "case", "wrong"),
    [
        ("f(size, visited)", "return [size, visited]", "\"f(2, 'a')\", expected = \"(2, 'a')\"", 0),
        ("f(n)", "return {n, (n, 1)}", '"f(1)", expected = "{(1, 1), 1}"', {1}),
        ("f(n)", "return {n: 'x'}", '"f(1)", expected = "{1: \'x\'}"', {1: "y"}),
        ("f(n)", "return n > 1", '"f(2)", expected = true', False),
        ("f(n)", "return n / 3", '"f(1)"', 0.33),
        ("f(n)", "return None", '"f(1)"', 0),
        ("f(limit)", "return limit", '"f(-1)", expected = -1', 1),
        ("f(n)", r"return '\ud800'", '"f(1)"', "x"),
        ("f(text)", "return text * 2", "\"f('%s')\"", "%s"),
    ],
)
def test_values_of_any_plain_type_are_compared(made, signature, solution, case, wrong):
    table = TABLE.format(signature=signature, rest=f"cases = [{{ call = {case} }}]")
    exercise = read_text(as_text(made(table, f"def {signature}: {solution}")))
    assert judge(exercise, f"def {signature}: {solution}", rules=UNHINTED).passed
    report = judge(exercise, f"def {signature}: return {wrong!r}", rules=UNHINTED)
    assert not report.passed
    assert report.as_json()["case"]["call"].startswith("f(")
    yours, _, right = report.checks[0].note.removeprefix("returns ").partition(" instead of ")
    assert yours != right


def test_call_of_a_check_with_boards_takes_further_values(made):
    drawn = "boards = { rows = 2, cols = 3, moves = [4] }\ncall = "
    table = TABLE.format(signature="f(board, n, m)", rest=f'{drawn}"f(board, 7, moves)"')
    exercise = made(table, "def f(board, n, m): return (len(board), n, m)")
    assert exercise.given[0].result.value == [6, 7, 4]


def test_estimate_is_given_as_h(made):
    table = TABLE.format(
        signature="f(start, goal, h)", rest="boards = { rows = 3, cols = 3, moves = [9] }"
    )
    exercise = made(table, "def f(start, goal, h): return h(start)")
    assert exercise.given[0].result.value in range(1, 10)


BAD = [
    ("title = 3", "own/exercise.toml, title: needs a text of 1 to 100 characters; found 3"),
    ("titel = 'x'", "needs no other keys than title, task, signature, uses, hints, check; found"),
    ("x = [", "own/exercise.toml: cannot be read as TOML"),
    ("x = " + "[" * 5000, "own/exercise.toml: cannot be read as TOML"),
    ("signature = 'f'", "signature: needs a function with its parameters, such as f(board, goal)"),
    ("signature = 'f()'", "needs a function with its parameters"),
    ("signature = 'f(n, n)'", "needs a function with its parameters"),
    ("signature = 'f(start)'", "needs goal next to start; found 'f(start)'"),
    ("signature = 'f(h, goal)'", "needs goal and start next to h"),
    ("signature = '" + "(" * 90 + "'", "signature: needs a Python expression"),
    ("uses = ['eval']", "uses: needs some of neighbors, path, cost, manhattan, is_goal"),
    ("uses = 'neighbors'", "uses: needs a list of 0 to 5 texts; found 'neighbors'"),
    ("hints = [3]", "hints: needs a list of 0 to 20 texts; found [3]"),
    ("check = []", "check: needs a list of 1 to 20 tables; found []"),
    ("check = [{}]", "check 1, points: needs a whole number from 1 to 100; found nothing"),
    ("[[check]]\npoints = 1e9", "check 1, points: needs a whole number from 1 to 100; found 10"),
    ("[[check]]\npoints = true", "check 1, points: needs a whole number"),
    ("[[check]]\npoints = 1\ntext = 'x'", "check 1: needs cases or boards"),
    ("[[check]]\nkey = 'shortst'", "key: needs no key, to compare results with the solution's"),
    ("[[check]]\nkey = 3", "check 1, key: needs a text"),
]
CASES = [
    ("call = 3", "check 1, case 1, call: needs a text"),
    ("call = 'g(1)'", "case 1, call: needs a call of f(n) with all arguments in order"),
    ("call = 'f(1, 2)'", "needs a call of f(n) with all arguments in order; found 'f(1, 2)'"),
    ("call = 'f(n=1)'", "needs a call of f(n) with all arguments"),
    ("call = 'f(g())'", "needs values, such as 3 or (1, 2, 3, 0); found 'f(g())'"),
    ("call = 'f(" + "-" * 3000 + "1)'", "call: needs "),
    ("call = 'f(1)', expected = 'object()'", "expected: needs values"),
    ("call = 'f(1)', expected = '1j'", "case 1: needs a result of numbers, texts, lists and"),
    ("call = 'f(1)', expected = 2020-01-01", "case 1: needs a result of numbers"),
    ("call = 'f(1)', hint = ''", "hint: needs a text"),
]


@each(("table", "words"), BAD)
def test_bad_table_names_place_and_remedy(refused, table, words):
    usual = {"title": "'x'", "task": "'x'", "signature": "'f(n)'"}
    first = [f"{key} = {value}" for key, value in usual.items() if not table.startswith(key)]
    refused(words, "\n".join([*first, table]))


@each(("case", "words"), CASES)
def test_bad_case_names_place_and_remedy(refused, case, words):
    refused(words, TABLE.format(signature="f(n)", rest=f"cases = [{{ {case} }}]"))


@each(
    ("call", "words"),
    [
        ("f(3, (1, 2, 3, 0))", "needs boards of 2 x 2, 2 x 3, 3 x 3, 4 x 4 such as (1, 2, 3, 0)"),
        ("f([1, 2, 3, 0], (1, 2, 3, 0))", "a tuple row by row"),
        ("f((1, 2, 3, 3), (1, 2, 3, 0))", "needs boards of"),
        ("f((1, 2, 3, 4, 5, 6, 7, 8, 0), (1, 2, 3, 0))", "needs boards of the same size"),
    ],
)
def test_argument_for_a_board_must_be_a_board(refused, call, words):
    table = TABLE.format(signature="f(board, goal)", rest=f'cases = [{{ call = "{call}" }}]')
    refused(words, table, "def f(board, goal): return 1")


@each(
    ("boards", "words"),
    [
        ("rows = 5, cols = 5, moves = [1]", "boards, rows: needs a whole number from 2 to 4"),
        ("rows = 3, cols = 4, moves = [1]", "boards: needs a size of 2 x 2, 2 x 3, 3 x 3, 4 x 4"),
        ("rows = 3, cols = 3", "moves: needs a list of 1 to 200 whole numbers; found []"),
        ("rows = 3, cols = 3, moves = [1000000000]", "moves: needs numbers from 0 to 200"),
        ("rows = 3, cols = 3, moves = ['x']", "moves: needs a list of 1 to 200 whole numbers"),
    ],
)
def test_bad_boards_name_place_and_remedy(refused, boards, words):
    table = TABLE.format(signature="f(board)", rest=f"boards = {{ {boards} }}")
    refused(words, table, "def f(board): return 1")


@each(
    ("solution", "starter", "words"),
    [
        ("def f(n): return n", "x = 1", "solution.py: has 0 of 5 points; correct it or the check"),
        ("def f(n): return 1 / 0", "x = 1", "solution.py: ZeroDivisionError: division by zero"),
        ("def g(n): return 3", "x = 1", "solution.py: has no function f(n)"),
        ("def f(n:", "x = 1", "solution.py: "),
        ("def f(n):\n  while 1: pass", "x = 1", "solution.py: does not end, for f(2)"),
        ("def f(n): return object()", "x = 1", "solution.py: returns an object"),
        ("def f(n): return float('inf')", "x = 1", "solution.py: returns an object"),
        ("def f(n): return 3", "def f(n): return 3", "starter.py: has all points"),
    ],
)
def test_solution_has_all_points_and_starter_has_not(refused, solution, starter, words):
    table = TABLE.format(signature="f(n)", rest="cases = [{ call = 'f(2)', expected = 3 }]")
    refused(words, table, solution, starter=starter)


def test_check_that_the_solution_does_not_show_is_an_error(refused):
    hidden = SEARCH.replace("neighbors(board)", "[goal]")
    refused("solution.py: has 0 of 5 points", OF_SEARCH.format(key="once"), hidden)


def test_missing_and_huge_files_are_errors(tmp_path):
    with pytest.raises(BadExerciseError, match=r"exercise\.toml: cannot be read: No such file"):
        read_folder(tmp_path)
    (tmp_path / "exercise.toml").write_text("#" * (MAX_BYTES + 1))
    with pytest.raises(BadExerciseError, match=r"exercise\.toml: has more than 500 kB"):
        read_folder(tmp_path)
    (tmp_path / "exercise.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadExerciseError, match="it is not UTF-8"):
        read_folder(tmp_path)


def test_name_of_a_built_in_exercise_is_refused(tmp_path):
    folder = tmp_path / "bfs"
    folder.mkdir()
    for path in EXAMPLE.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    with pytest.raises(BadExerciseError, match="that no built-in exercise has; found 'bfs'"):
        read_folder(folder)


@each(
    ("change", "words"),
    [
        (lambda table: table.update(format="x"), "this is no exercise"),
        (lambda table: table["check"][0]["cases"][0].pop("result"), "its results are missing"),
        (lambda table: table["check"][0]["cases"][0].update(result={"type": "x"}), "a result of"),
        (lambda table: table["check"][0]["cases"][0].update(expansions=10**9), "expansions: needs"),
        (lambda table: table["check"][0].update(cases=[{"call": "f"}] * 201), "a list of 0 to 200"),
        (lambda table: table["check"].append(table["check"][0]), "check 4, key: needs one of"),
        (lambda table: table.update(name="../../x"), "needs a name of up to 40 letters"),
        (lambda table: table.update(check=[None]), "check: needs a list of 1 to 20 tables"),
        (lambda table: table.update(more=1), "needs no other keys"),
    ],
)
def test_changed_file_is_refused(example, change, words):
    table = json.loads(as_text(example))
    change(table)
    with pytest.raises(BadExerciseError) as raised:
        read_text(json.dumps(table))
    assert words in str(raised.value)


@each("text", ["", "[", "null", "[]", "[" * 100_000, "1" * 5_000, "x" * (MAX_BYTES + 1)])
def test_text_that_is_no_exercise_is_refused(text):
    with pytest.raises(BadExerciseError, match="make it with slidewise grade --exercise FOLDER"):
        read_text(text)


def test_file_that_would_be_too_large_is_refused(made):
    table = TABLE.format(
        signature="f(board)", rest=f"boards = {{ rows = 2, cols = 2, moves = {[1] * 100} }}"
    )
    exercise = made(table, "def f(board): return list(range(3000))")
    with pytest.raises(BadExerciseError, match="use fewer boards or shorter results"):
        as_text(exercise)
