"""`slidewise grade`, run in this process. The programs run in separate processes."""

import csv
import gc
import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from slidewise.cli import main
from slidewise.course.cli.grading import COLUMNS, WARNING, GradedFile
from slidewise.course.judge import exercises
from slidewise.course.judge.confinement import Confinement, Isolation
from slidewise.course.judge.sources import UnreadableFileError, parse_source, read_source
from slidewise.course.programs.console import captured, no_input
from slidewise.course.programs.running import Program
from tests.cli.commands import Run

NOTEBOOKS = Path(__file__).parents[4] / "shared" / "notebooks"
BFS = exercises()["bfs"]
SOLUTION = BFS.solution
LATE = next(one for one in BFS.mistakes if one.key == "marked-late")
EXAMPLE = Path(__file__).parents[3] / "examples" / "exercises" / "rows-out"
OF_FOLDER = "--exercise", str(EXAMPLE)
ROWS_OUT = (EXAMPLE / "solution.py").read_text()
ZERO = "def find_zero(board):\n    {}\n"
HOSTILE = {
    "endless loop": ("while True: pass", "it goes on without an end"),
    "endless loop without steps": ("sum(iter(int, 1))", "stopped after 1 seconds"),
    "growing list": ("a = [0]\n    while True: a += a", "MemoryError"),
    "memory bomb": ("return [0] * 10**11", "MemoryError"),
    "exit": ("import os; os._exit(3)", "the program ended its process (exit code 3)"),
    "sys.exit": ("raise SystemExit('bye')", "SystemExit in line 2: bye"),
    "prints": ("while True: print('x' * 1000)", "it goes on without an end"),
    "deep recursion": ("return find_zero(board)", "RecursionError"),
    "recursion limit": (
        "import sys; sys.setrecursionlimit(10**9); return find_zero(board)",
        "RecursionError",
    ),
    "judge replaced": (
        "from slidewise.course.judge import judging\n    judging.assess = None; return 0, 0",
        "ModuleNotFoundError",
    ),
    "results closed": ("import os; os.closerange(3, 64); return 0, 0", "exit code 1"),
    "results written": (
        "import os\n    for fd in range(3, 64):\n        try: os.write(fd, b'[1]\\n')\n"
        "        except OSError: pass\n    return 0, 0",
        "wrote into the results",
    ),
    "signal": ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", "ended by signal 15"),
    "kill": ("import os; os.kill(os.getpid(), 9)", "killed from outside"),
    "stopped": (
        "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
        "stopped after 1 seconds",
    ),
    "odd result": ("return type('T', (), {})()", "returns T instead of 0, 0"),
    "endless generator": ("return (i for i in iter(int, 1))", "returns too much"),
    "many results": ("return [0] * 10**6", "returns too much"),
}


@pytest.fixture
def grade(tmp_path, cli):
    """Return a function that writes files and grades them."""

    def grade_files(files: dict[str, str], *options: str) -> Run:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        names = [str(tmp_path / name) for name in files]
        return cli("grade", *(names if len(files) < 2 else [str(tmp_path)]), *options)

    return grade_files


def test_right_program_is_graded_with_exit_code_0(grade):
    done = grade({"a.py": SOLUTION})
    assert done.code == 0
    assert "a.py: 10 of 10 points" in done.out
    limits, _, page = WARNING.partition("%(isolation)s")
    assert done.err.startswith(limits % {"seconds": 20, "megabytes": 1024})
    assert done.err.endswith(f"{page}\n")


def test_wrong_program_names_mistake_board_and_hint(grade):
    done = grade({"a.py": LATE.programs[0]})
    assert done.code == 1
    for text in LATE.title, LATE.mend, "Board: ", "yours: ", BFS.hints[1]:
        assert text in done.out


@pytest.mark.parametrize("is_slow", [False, True], ids=["others", "until the deadline"])
def test_hostile_program_ends_with_a_report(grade, is_slow):
    chosen = {
        f"{name}.py": (ZERO.format(body), words)
        for name, (body, words) in HOSTILE.items()
        if is_slow == ("stopped after" in words)
    }
    if not is_slow:
        module = f"import os\n{ZERO.format('pass')}\nx = os._exit(5)\n"
        chosen["module.py"] = module, "exit code 5"
    files = {name: code for name, (code, _) in chosen.items()}
    done = grade(files, "--json", "--seconds", "1" if is_slow else "30", "--memory", "256")
    assert done.code == 1
    reports = [json.loads(line) for line in done.out.splitlines()]
    assert len(reports) == len(chosen)
    for one in reports:
        _, words = chosen[one["file"]]
        assert words in json.dumps(one["functions"], ensure_ascii=False), one["file"]


def test_statements_are_not_run(grade, tmp_path):
    text = f"open({str(tmp_path / 'x')!r}, 'w')\nprint(input())\n{SOLUTION}\nbfs(0, 0)\n"
    assert grade({"a.py": text}).code == 0
    assert not (tmp_path / "x").exists()


def test_class_has_a_table_and_its_mistakes(grade):
    done = grade(
        {"anna/a.py": SOLUTION, "ben/b.py": LATE.programs[0], "cleo/c.py": "x = ("}, "--no-hints"
    )
    assert done.code == 2
    table = [line.split() for line in done.out.splitlines()[-6:]]
    assert table[:3] == [["anna/a.py", "10", "10"], ["ben/b.py", "9", "9"], ["cleo/c.py", "-", "-"]]
    assert done.out.splitlines()[-1] == f"   1  bfs: {LATE.title}"


def test_json_has_a_line_for_each_file(grade):
    done = grade({"a.py": LATE.programs[0], "b.py": "x = 1"}, "--json", "--no-hints")
    first, second = map(json.loads, done.out.splitlines())
    assert (first["file"], first["points"], first["points_possible"]) == ("a.py", 9, 10)
    assert first["functions"][0]["mistake"]["key"] == "marked-late"
    assert second["error"].startswith("the file has no function of an exercise; it has no")


def test_csv_has_a_row_for_each_function(grade):
    text = LATE.programs[0] + "\n\ndef misplaced(board, goal):\n    raise ValueError('=1')\n"
    rows = list(csv.DictReader(StringIO(grade({"a.py": text}, "--csv", "--no-hints").out)))
    assert tuple(rows[0]) == COLUMNS
    assert [(row["exercise"], row["points"]) for row in rows] == [("bfs", "9"), ("misplaced", "0")]
    assert rows[0]["mistake"] == LATE.title


def test_gradescope_file_has_a_test_for_each_check(grade, tmp_path):
    path = tmp_path / "results.json"
    assert grade({"a.py": LATE.programs[0]}, "--no-hints", "--gradescope", str(path)).code == 1
    results = json.loads(path.read_text())
    assert [one["score"] for one in results["tests"]] == [3, 3, 0, 1, 2]
    assert sum(one["max_score"] for one in results["tests"]) == 10


def test_invalid_options_exit_with_2(grade):
    assert grade({"a.py": SOLUTION}, "--exercise", "bsf").code == 2
    assert grade({"a.py": SOLUTION}, "--seconds", "0").code == 2
    assert grade({"a.py": SOLUTION, "b.py": SOLUTION}, "--gradescope", "x").code == 2


def test_unreadable_function_has_no_points(grade):
    done = grade({"a.py": "x = 1\n" + ZERO.format("return (")})
    assert done.code == 1
    assert "SyntaxError in line 3: '(' was never closed" in done.out


def test_notebook_error_names_cell_and_line(grade):
    cells = [
        {"cell_type": "markdown", "source": ["# A"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "from math import isqrt"]},
        {"cell_type": "code", "source": "def find_zero(board):\n    return board.find(0)"},
    ]
    done = grade({"a.ipynb": json.dumps({"cells": cells})})
    assert "Error in cell 3, line 2" in done.out


@pytest.mark.parametrize(
    "lines",
    [
        "    if (\n        board[0]\n        != 0\n        or n\n        % 2\n    ): pass",
        "    odd = n \\\n        % 2",
        "    text = '''\n%no\n!no\n'''\n    assert text == chr(10).join(['', '%no', '!no', ''])",
        '    text = "it\'s ("  # ((\n    %no',
        "    %no\n    !no \\\n        -l '\n    n?",
        "    files = !no\n    more = %no\n    assert not (files or more)",
    ],
)
def test_magics_are_read_only_at_the_start_of_a_statement(lines):
    code = f"%no it's\ndef find_zero(board):\n    n = int(len(board) ** 0.5)\n{lines}\n"
    code += "    return divmod(board.index(0), n)\n!no"
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": code}]})
    names = {}
    exec(parse_source(notebook.encode(), ".ipynb").code, names)
    assert names["find_zero"]((1, 2, 3, 0)) == (1, 1)


def test_lines_after_a_continued_magic_keep_their_numbers():
    code = "!ls \\\n -l\ndef find_zero(board):\n    return board.find(0)"
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": code}]})
    source = parse_source(notebook.encode(), ".ipynb")
    assert source.code.splitlines()[3] == "    return board.find(0)"
    assert source.place_of(4) == "cell 1, line 4"


@pytest.mark.parametrize(
    ("name", "text"), [("a.ipynb", "{}"), ("a.ipynb", "x"), ("a.py", "x = ("), ("a.py", "\udcff")]
)
def test_unreadable_file_is_refused(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(UnreadableFileError):
        read_source(path)


def test_neighbors_beside_a_visited_set_and_a_blank_of_minus_1(grade):
    text = """
def get_neighbors(state, visited):
    found = []
    b = state.index(-1)
    for step, bad in (-3, (0, 1, 2)), (3, (6, 7, 8)), (-1, (0, 3, 6)), (1, (2, 5, 8)):
        if b not in bad:
            new = state.copy()
            new[b], new[b + step] = new[b + step], -1
            found.append(("move", new))
    return [one for one in found if one not in visited]
"""
    assert "10 of 10" in grade({"a.py": text}).out


TWO_ROWS = {
    "find_zero": """
def find_zero(board):
    return next((r, c) for r in range(2) for c in range(3) if board[r][c] == 0)
""",
    "find_zero of a flat board": """
def find_zero(board):
    return next(divmod(cell, 3) for cell in range(6) if board[cell] == 0)
""",
    "find_zero without an error on 3x3": """
def find_zero(board):
    for r in range(2):
        for c in range(3):
            if board[r][c] == 0:
                return r, c
""",
    "manhattan": """
import numpy as np
def heuristic(state, goal):
    total = 0
    for tile in range(1, 6):
        (r, s), (c, d) = zip(np.argwhere(state == tile)[0], np.argwhere(goal == tile)[0])
        total += abs(r - s) + abs(c - d)
    return int(total)
""",
}
"""Right programs for boards of 2x3 alone."""


@pytest.mark.parametrize("text", TWO_ROWS.values(), ids=TWO_ROWS)
def test_program_for_2x3_is_judged_on_2x3(grade, text):
    done = grade({"a.py": text})
    assert "10 of 10" in done.out


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("find_zero", "(r, c)", "(c, r)"),
        ("find_zero of a flat board", "divmod(cell, 3)", "divmod(cell, 3)[::-1]"),
    ],
)
def test_expected_value_of_2x3_has_its_width(grade, name, right, wrong):
    text = TWO_ROWS[name].replace(right, wrong)
    (report,) = json.loads(grade({"a.py": text}, "--json").out)["functions"]
    rows = [row.split() for row in report["case"]["board"].split("/")]
    ((row, column),) = [(r, c) for r in range(2) for c in range(3) if rows[r][c] == "0"]
    assert report["case"]["expected"] == f"{row}, {column}"
    assert report["mistake"]["key"] == "row-and-column-swapped"


def test_program_for_one_goal_of_2x3_is_judged_on_2x3(grade):
    text = """
def misplaced(board, goal):
    home = [[1, 2, 3], [4, 5, 0]]
    return sum(board[r][c] != home[r][c] for r in range(2) for c in range(3) if board[r][c])
"""
    (report,) = json.loads(grade({"a.py": text}, "--json").out)["functions"]
    assert report["points"] < 10
    assert len(report["case"]["board"].split("/")) == 2


def test_blank_of_minus_1_is_no_tile(grade):
    text = """
def is_solvable(board, goal):
    def odd(b):
        pairs = ((a, z) for i, a in enumerate(b) for z in b[i:] if -1 not in (a, z))
        return sum(a > z for a, z in pairs) % 2
    return odd(board) == odd(goal)
"""
    (report,) = json.loads(grade({"a.py": text}, "--json").out)["functions"]
    assert report["points"] == 10


@pytest.mark.soak  # exercise.toml has a separate program for each of these mistakes
@pytest.mark.skipif(not NOTEBOOKS.is_dir(), reason="the notebooks are not here")
def test_known_mistakes_of_notebooks_are_named(cli):
    done = cli("grade", *map(str, sorted(NOTEBOOKS.glob("*.txt"))), "--json")
    found = {
        (one["function"], one["mistake"]["key"])
        for line in done.out.splitlines()
        for one in json.loads(line)["functions"]
        if one["mistake"]
    }
    assert found == {
        ("is_solveable", "adjacent"),
        ("heuristic", "manhattan-other-goal"),
        ("astar_search", "old-entries"),
        ("dfs", "one-visited-set"),
        ("iddfs", "visited-between-limits"),
        ("rbfs", "f-not-stored"),
    }


@pytest.fixture
def switching_while_collecting():
    """Let threads switch in the middle of a parse, whenever the collector runs."""
    interval, threshold = sys.getswitchinterval(), gc.get_threshold()

    def callback(*_args: object) -> None:
        for _ in range(3):
            pass

    sys.setswitchinterval(1e-6)
    gc.set_threshold(50)
    gc.callbacks.append(callback)
    yield
    gc.callbacks.remove(callback)
    gc.set_threshold(*threshold)
    sys.setswitchinterval(interval)


def test_files_are_parsed_in_several_threads(switching_while_collecting):
    code = f"x = {'(' * 60}1{' + 1)' * 60}\n" * 3
    with ThreadPoolExecutor(4) as pool:
        sources = list(pool.map(lambda _: parse_source(code.encode(), ".py"), range(100)))
    assert [one.code for one in sources] == [code] * 100


def test_references_are_loaded_in_several_threads(switching_while_collecting):
    with ThreadPoolExecutor(4) as pool:
        made = pool.map(lambda _: Program(BFS.target, SOLUTION, hooks=False), range(200))
        assert all(callable(program.names["bfs"]) for program in made)


class _Output(StringIO):
    """Standard output that signals when it is written to."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def write(self, text: str) -> int:
        self.written.set()
        return super().write(text)


def test_report_is_not_printed_to_captured_output(monkeypatch, tmp_path):
    captured_texts = []
    files = [tmp_path / "a.py", tmp_path / "b.py"]
    for path in files:
        path.write_text(ZERO.format("return 1"))
    output, replaced = _Output(), threading.Event()

    def judge(submission, _args, _confinement):
        if submission.path == files[1]:
            with captured(no_input) as text:
                replaced.set()
                output.written.wait()
                captured_texts.append(text.getvalue())
        replaced.wait()
        return GradedFile(submission.name, None, [], "no function")

    monkeypatch.setattr("slidewise.course.cli.grading._grade", judge)
    # Two threads on every machine; `judge` starts no process.
    apart = partial(Confinement, Isolation(namespaces=True), jobs=2)
    monkeypatch.setattr("slidewise.course.cli.grading.Confinement", lambda **_: apart())
    monkeypatch.setattr("sys.stdout", output)
    assert main(["grade", *map(str, files)]) == 2
    assert captured_texts == [""]


def test_header_of_a_file_gives_exercise_and_seed(grade):
    files = {"a.py": f"# Slidewise exercise: bfs\n# Seed: 7\n{SOLUTION}\n{ZERO.format('return 1')}"}
    (report,) = json.loads(grade(files, "--json").out)["functions"]
    assert (report["exercise"], report["seed"]) == ("bfs", 7)


SORTED = BFS.solution.replace("in neighbors(board)", "in sorted(neighbors(board))")
"""Shortest paths, but successors in an order other than that of the four moves."""


@pytest.mark.parametrize(
    ("rules", "options", "passed"),
    [("", [], True), ("", ["--strict"], False), ("other, strict", [], False)],
)
def test_header_and_option_require_the_strict_order(grade, rules, options, passed):
    code = f"# Slidewise exercise: bfs\n# Rules: {rules}\n{SORTED}"
    (report,) = json.loads(grade({"a.py": code}, "--json", *options).out)["functions"]
    assert report["passed"] is passed


def test_options_override_the_header(grade):
    files = {"a.py": f"# Slidewise exercise: bfs\n# Seed: 7\n{ZERO.format('return 1')}"}
    ran = grade(files, "--json", "--exercise", "find_zero", "--seed", "3")
    (report,) = json.loads(ran.out)["functions"]
    assert (report["exercise"], report["seed"]) == ("find_zero", 3)


def test_exercise_of_a_folder_is_graded(grade):
    done = grade({"a.py": ROWS_OUT, "b.py": ROWS_OUT.replace("if tile]", "]")}, *OF_FOLDER)
    assert done.code == 1
    assert "a.py: 10 of 10 points" in done.out
    assert "b.py: 2 of 10 points" in done.out
    assert "call:     rows_out((1, 0, 3, 2), (1, 2, 3, 0))" in done.out
    assert done.out.splitlines()[-3].split() == ["rows-out", "sum"]
    done = grade({"c.py": "x = 1\n\ndef rows_out(board, goal):\n    return ("}, *OF_FOLDER)
    assert "SyntaxError in line 4: '(' was never closed" in done.out


def test_folder_without_files_is_only_tried(cli):
    done = cli("grade", *OF_FOLDER)
    assert (done.code, done.out) == (
        0,
        "rows-out: the solution has all 10 points, the starter has fewer\n",
    )


def test_packed_file_grades_as_its_folder(grade, cli, tmp_path):
    path = tmp_path / "rows-out.exercise.json"
    assert cli("grade", *OF_FOLDER, "--pack", str(path)).code == 0
    assert cli("grade", *OF_FOLDER, "--pack", "-").out == path.read_text()
    code = {"a.py": ROWS_OUT.replace("if tile]", "]")}
    assert grade(code, "--exercise", str(path)).out == grade(code, *OF_FOLDER).out


def test_bad_folder_exits_with_2(cli, tmp_path):
    done = cli("grade", "--exercise", str(tmp_path))
    assert done.code == 2
    assert "exercise.toml: cannot be read: No such file or directory" in done.err
    assert cli("grade").code == 2
    assert cli("grade", "--pack", "x").code == 2


def test_code_of_an_author_runs_in_another_process(cli, tmp_path):
    folder = tmp_path / "own"
    folder.mkdir()
    for path in EXAMPLE.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "solution.py").write_text("import os\n\ndef rows_out(a, b):\n    os._exit(3)\n")
    done = cli("grade", "--exercise", str(folder))
    assert done.code == 2
    assert "own/solution.py: the program ended its process (exit code 3)" in done.err
