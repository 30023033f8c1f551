"""Searches of any name, scripts and typed boards: they are found, and judged."""

import pytest

from slidewise.course.judge import find_exercise
from slidewise.course.judge.cases import Draw
from slidewise.course.judge.checks import fault
from slidewise.course.judge.driving import drive
from slidewise.course.judge.evidence import named_searches, searching
from slidewise.course.judge.find import KnownForm
from slidewise.course.judge.fitting import as_any_search, find_searches
from slidewise.course.judge.session import judging
from slidewise.course.judge.tried import Tried, Unjudged
from slidewise.course.programs.boards import Cells
from slidewise.course.programs.calls import SCRIPT, CallResult, Case, Way
from slidewise.course.programs.running import Program
from tests.course.judge.judged import QUICK, answering
from tests.course.judge.test_styles import BOARDS, SEARCHES, program, wrong_program
from tests.each import some


def found_in(code, file=""):
    return drive(find_searches(code, (), file), answering())


def judged(key, code, function="", **conditions):
    exercise, known = find_exercise(key), KnownForm(function)
    session = judging(exercise, code, definitions=True, known=known, rules=QUICK, **conditions)
    return drive(session, answering())


def graded(code, file=""):
    """Return the report of the only search of a file, as `slidewise grade` has it."""
    (one,) = found_in(code, file)
    report = judged(one.exercise, code, one.function, explicit=False)
    return report if one.sure else as_any_search(report)


def renamed(code, search):
    return code.replace(f"def {search}(", "def find_it(")


@pytest.mark.parametrize(("number", "search"), [*enumerate(SEARCHES)], ids=SEARCHES)
def test_right_search_of_any_name_is_known_by_its_order(number, search):
    report = graded(renamed(program(search, [*BOARDS][number]), search))
    assert report.exercise.key == search
    assert (report.passed, report.points, report.way.function) == (True, 10, "find_it")


FAULTS = {
    "path-reversed": "bfs",
    "path-without-last": "bfs",
    "moves-reversed": "bfs",
    "first-row": "bfs",
    "ends-at-once": "bfs",
    "state-kept": "bfs",
    "one-more": "dfs",
    "result-lost": "iddfs",
}
"""Searches by mistakes that are no other search."""


@pytest.mark.parametrize(("number", "mistake"), some(enumerate(FAULTS), 0, 5, 6))
def test_wrong_search_of_any_name_loses_points(number, mistake):
    code = renamed(wrong_program(mistake, [*BOARDS][number % 4]), FAULTS[mistake])
    report = graded(code)
    assert report.failing
    assert report.points < 10


def test_words_say_which_search_it_is():
    code = renamed(program("bfs", "tuples"), "bfs").replace("popleft()", "pop()")
    assert "algorithm" in graded(code, "busca_largura.py").failing
    assert graded(code).exercise.key == "dfs"


def test_nearest_words_count():
    code = "# A* and BFS\n\n\ndef one(s):\n    '''Depth-first.'''\n\n\ndef other(s): pass\n"
    assert named_searches(code, "one") == {"dfs"}
    assert named_searches(code, "other") == {"astar", "bfs"}


def test_search_of_no_known_order_is_judged_as_any():
    code = renamed(program("astar", "tuples"), "astar").replace("+ distance(", "+ 3 * distance(")
    report = graded(code)
    assert report.passed
    assert {one.key for one in report.checks if one.judged} == {"path", "none"}
    wrong = graded(code.replace("return p\n", "return p[::-1]\n"))
    assert (wrong.failing, wrong.mistake.key) == ({"path"}, "path-reversed")


@pytest.mark.parametrize(("result", "better"), [("path", "solve_it"), ("len(path) > 1", "find_it")])
def test_better_one_of_two_searches_is_found(result, better):
    """One calls the other."""
    solve_it = f"def solve_it(start, goal):\n    path = find_it(start, goal)\n    return {result}\n"
    code = f"{renamed(program('bfs', 'tuples'), 'bfs')}\n{solve_it}"
    assert [one.function for one in found_in(code)] == [better]


HELPERS = """
import random
def walk(board, steps=30):
    while steps:
        board = random.choice(list(moves_from(board)))
        steps -= 1
    return board
def show(board):
    i = 0
    while i < 9: print(board[i:i + 3]); i += 3
"""


def test_helpers_are_no_searches():
    assert found_in(BOARDS["tuples"] + HELPERS) == []
    assert set(searching(HELPERS)) == {"show"}


def test_error_of_an_unknown_function_lists_the_others():
    report = judged("bfs", program("bfs", "lists"), "bsf")
    assert "the functions are moves_from, key, flat, bfs" in report.error.message


LOST = {
    "import no_such_module as moves": ("ModuleNotFoundError", 1, False),
    "moves = [][3]": ("IndexError", 1, True),
    "from no_such_module import A\nclass moves(A): pass": ("ModuleNotFoundError", 1, False),
}


@pytest.mark.parametrize("line", LOST)
def test_name_that_a_statement_lost_has_its_error(line):
    report = judged("bfs", f"{line}\ndef bfs(start, goal):\n    return moves(start)\n")
    assert (report.error.type, report.error.line, report.was_read) == LOST[line]


def test_annotation_of_an_undefined_name_is_no_error():
    code = f"import no_such_module as np\n{program('bfs', 'lists')}"
    assert "bfs(start, goal):" in code
    annotated = code.replace("bfs(start, goal):", "bfs(start: np.array, goal) -> Path:")
    assert judged("bfs", annotated).passed


def test_variable_of_the_goal_is_shown_with_the_call():
    report = judged("dfs", wrong_program("one-more", "rows", "global")).as_json()
    assert report["understood"]["goal_name"] == "GOAL"
    assert report["case"]["call"].startswith("GOAL = [[1, 2, 3],\n")


BODY = """
from collections import deque
waiting, before = deque([start]), {start: None}
while waiting:
    s = waiting.popleft()
    if s == goal: break
    for t in moves_from(s):
        if t not in before: before[t] = s; waiting.append(t)
found = []
while s: found.append(s); s = before[s]
for s in found[::-1]: print(s[:3], s[3:6], s[6:])
"""
GOAL = "goal = (1, 2, 3, 4, 5, 6, 7, 8, 0)\n"
READING = {
    "variables": f"start = (1, 2, 3, 4, 5, 0, 7, 8, 6)\n{GOAL}",
    "rows": f"start = ()\n{GOAL}for i in 1, 2, 3:\n"
    "    start += tuple(map(int, input(f'row {i}: ').split()))\n",
    "a line, and the goal": "start = tuple(map(int, input('Start: ').split(',')))\n"
    "goal = tuple(map(int, input('Goal: ').split(',')))\n",
    "cells after the size": f"n = int(input())\n{GOAL}"
    "start = tuple(int(input()) for _ in range(n * n))\n",
    "digits after a menu": f"kind = input('Choose 1 or 2: ')\n{GOAL}"
    "start = tuple(map(int, input('Board: ')))\n",
    "standard input": f"import sys\n{GOAL}start = tuple(map(int, sys.stdin.read().split()))\n",
    "its lines": "from sys import stdin\n"
    "start, goal = (tuple(map(int, stdin.readline().split())) for _ in range(2))\n",
}


def as_function(code):
    return "def main():\n" + "".join(f"    {line}" for line in code.splitlines(True)) + "main()\n"


SCRIPTS = [(whole, reading) for whole in (str, as_function) for reading in READING]


@pytest.mark.parametrize(("whole", "reading"), some(SCRIPTS, 1, 2, 4, 5, len(READING)))
def test_script_is_judged_by_its_output(whole, reading):
    report = graded(BOARDS["tuples"] + whole(READING[reading] + BODY))
    assert (report.exercise.key, report.passed, report.points) == ("bfs", True, 10)
    assert report.way.function == (SCRIPT if whole is str else "main")


def test_wrong_script_loses_points():
    body = BODY.replace("popleft()", "pop()")
    code = f"# BFS\n{BOARDS['tuples']}{READING['variables']}{body}"
    assert "algorithm" in graded(code).failing


def test_typed_questions_without_an_end_end():
    code = f"{BOARDS['tuples']}while True: input('Choose: ')\n"
    assert found_in(code) == []


def plain(search, *changes):
    """Return a search of the templates without its limit."""
    code = program(search, "tuples")
    changes = ((", limit)", ")"), (", depth)", ")"), ("if len(p) > limit: return False", "pass"),
               ("range(depth + 1)", "range(99)"), *changes)  # fmt: skip
    for old, new in changes:
        code = code.replace(old, new)
    return code


def test_depth_first_search_without_a_limit_has_its_own_checks():
    marked = ("if s not in p:", "if s not in seen:\n                seen.add(s)")
    code = plain("dfs", ("p = [start]", "p, seen = [start], {start}"), marked)
    report = judged("dfs", code)
    assert report.passed
    assert [one.key for one in report.checks] == ["path", "once", "simple", "none", "algorithm"]
    wrong = judged("dfs", code.replace("    return p", "    return p[::-1]")).as_json()
    assert wrong["mistake"]["key"] == "path-reversed"
    assert wrong["case"]["expected"] is None


def test_deepening_without_a_depth_has_its_own_checks():
    report = judged("iddfs", plain("iddfs"))
    assert (report.passed, report.judged) == (True, 10)
    late = judged("iddfs", plain("iddfs", ("range(99)", "range(14, 99)")))
    assert "shortest" in late.failing


def line(board: Cells, moves: str) -> list[Cells]:
    """Return the boards of the blank's moves."""
    found, offsets = [board], {"l": -1, "r": 1, "u": -3, "d": 3}
    for move in moves:
        cells = list(found[-1])
        blank = cells.index(0)
        other = blank + offsets[move]
        cells[blank], cells[other] = cells[other], 0
        found.append(tuple(cells))
    return found


@pytest.mark.parametrize("judged", [True, False])
def test_board_again_is_a_fault_if_the_search_goes_nowhere(judged):
    start = (1, 2, 3, 4, 5, 6, 7, 8, 0)
    boards = line(start, "uulldr")
    again = boards[:6:2] if judged else boards
    data = b"".join(map(bytes, [*boards, *again]))
    outcome = CallResult([], expansions=len(boards) + len(again), expanded=data, witness="f()")
    case = Case(("once",), {"start": start, "goal": start})
    one = Tried(case, outcome, CallResult(), Draw(limit=False), own=False)
    if judged:
        assert "expands boards again" in fault("dfs", "once", one)
    else:
        with pytest.raises(Unjudged):
            fault("dfs", "once", one)


@pytest.mark.parametrize("use", ["s in boards", "min(boards, key=len)", "boards.index(s)"])
def test_long_list_costs_time(use):
    def ticks(length):
        code = f"def bfs(s, goal):\n    boards = [s] * {length}\n    for _ in range(9): {use}\n"
        way = Way("bfs", (("s", "start"), ("goal", "goal")))
        board = (0, 1, 2, 3)
        args = {"start": board, "goal": board}
        return Program(find_exercise("bfs").target, code).run(Case((), args), way=way).ticks

    assert ticks(4_000) > ticks(40) + 9 * 900


def test_data_class_with_postponed_annotations_is_loaded():
    code = "from __future__ import annotations\nfrom dataclasses import dataclass\n"
    code += "@dataclass\nclass Step:\n    board: tuple\n    last: Step | None\n"
    found = Program(find_exercise("bfs").target, code, definitions=True).describe()
    assert [one.name for one in found.classes] == ["Step"]


ESTIMATE = """
GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)

def heuristic(state):
    '''{words}'''
    cells = [tile for tile in state if tile]
    return sum(abs(state.index(t) % 3 - (t - 1) % 3) for t in cells)
"""


@pytest.mark.parametrize(
    ("words", "mistake"),
    [("Sum of Manhattan distances.", "columns-only"), ("How far it is.", None)],
)
def test_estimate_is_judged_by_the_one_that_its_words_name(words, mistake):
    report = judged("manhattan", ESTIMATE.format(words=words), explicit=False)
    assert (report.mistake and report.mistake.key) == mistake
    assert bool(report.judged) == bool(mistake)


def test_global_variable_without_a_value_gets_the_board():
    code = (
        "import sys\ngoal = [1, 2, 3, 4, 5, 6, 7, 8, 0]\ncells = list(map(int, input().split()))\n"
        "def is_solvable():\n    tiles = [tile for tile in cells if tile]\n"
        "    odd = sum(a > b for i, a in enumerate(tiles) for b in tiles[i:]) % 2\n"
        "    return not odd\n"
    )
    report = judged("is_solvable", code, explicit=False)
    assert report.passed
    assert dict(report.way.sets)["cells"] == "start"
    wrong = judged("is_solvable", code.replace("if tile]", "]"), explicit=False)
    assert wrong.mistake.key == "blank-counted"


PRINTING = f"""{BOARDS["tuples"]}
from collections import deque
def bfs(start):
    waiting = deque([[start]])
    seen = {{start}}
    while waiting:
        path = waiting.popleft()
        if path[-1] == (1, 2, 3, 4, 5, 6, 7, 8, 0):
            for board in path: print(board)
            return
        for after in moves_from(path[-1]):
            if after not in seen: seen.add(after); waiting.append(path + [after])
"""


def test_printed_path_is_a_fault_where_the_result_is_used():
    call = "bfs((1, 2, 3, 4, 5, 6, 7, 0, 8))\n"
    assert judged("bfs", f"{PRINTING}{call}", explicit=False).points == 10
    used = judged("bfs", f"{PRINTING}path = {call}", explicit=False)
    assert (used.failed, used.mistake.key) == ("path", "printed-only")


def test_path_as_an_argument_may_begin_with_the_start():
    code = f"""{BOARDS["tuples"]}
def limited(state, goal, limit, path):
    if state == goal: return path
    if limit == 0: return None
    for after in moves_from(state):
        if after not in path:
            found = limited(after, goal, limit - 1, path + [after])
            if found: return found
"""
    report = judged("dfs", code, "limited", explicit=False)
    assert (report.points, report.judged) == (10, 10)
    assert ("path", "trail") in report.way.roles


def test_script_that_counts_moves_and_exits_is_right():
    body = BODY.replace("s == goal: break", "s == goal: print(far[s]); sys.exit()")
    body = body.replace("before[t] = s;", "before[t] = s; far[t] = far[s] + 1;")
    code = f"import sys\n{BOARDS['tuples']}{READING['its lines']}far = {{start: 0}}{body}"
    report = graded(code)
    assert (report.exercise.key, report.failing) == ("bfs", set())
    assert {"shortest", "once"} <= {one.key for one in report.checks if one.judged}


NO_SEARCHES = """
def spread(s):
    seen, waiting = {s}, [s]
    while waiting:
        for t in moves_from(waiting.pop(0)):
            if t not in seen: seen.add(t); waiting.append(t)
    return len(seen)
def way_back(node):
    found = []
    while node: found.append(node); node = None
    return found
"""


def test_visits_and_ways_back_are_no_searches():
    code = renamed(program("bfs", "tuples", goal="global"), "bfs") + NO_SEARCHES
    assert [one.function for one in found_in(code)] == ["find_it"]
    assert found_in(f"{BOARDS['tuples']}{NO_SEARCHES[NO_SEARCHES.index('def way_back') :]}") == []


def test_blank_of_another_number_is_not_judged():
    code = program("bfs", "tuples", goal="fixed").replace("s.index(0)", "s.index(8)")
    code = code.replace("(1, 2, 3, 4, 5, 6, 7, 8, 0)", "(0, 1, 2, 3, 4, 5, 6, 7, 8)")
    assert judged("bfs", code, explicit=False).judged == 0


@pytest.mark.parametrize("says", ["rows; x is the column, y the row", "the row and the column"])
def test_place_may_have_its_column_first(says):
    code = f"START = [[1, 2, 3], [4, 0, 5], [7, 8, 6]]\ndef find_zero(rows):\n    '''{says}'''\n"
    code += "    for y, row in enumerate(rows):\n        if 0 in row: return row.index(0), y\n"
    assert bool(judged("find_zero", code, explicit=False).points) == ("x is" in says)


def test_frontier_is_not_empty_where_parity_is_tested():
    body = program("bfs", "tuples", goal="fixed").replace("while waiting", "while True")
    assert judged("bfs", body, explicit=False).failing == {"none"}
    parity = (
        "def solvable(s): return not sum(a > b > 0 for i, a in enumerate(s) for b in s[i:]) % 2\n"
    )
    checked = body.replace("    goal =", "    if not solvable(start): return None\n    goal =")
    assert judged("bfs", f"{parity}{checked}", explicit=False).failing == set()


NODES = """
class State:
    def __init__(self, cells, goal): self.cells = cells; self.goal = goal
    def done(self): return self.cells == self.goal
def dfs(state, depth):
    if state.done(): return [state.cells]
    if depth == 0: return None
    for cells in moves_from(state.cells):
        rest = dfs(State(cells, state.goal), depth - 1)
        if rest: return [state.cells, *rest]
"""


def test_node_with_a_goal_of_its_own_gets_the_goal():
    report = judged("dfs", f"{BOARDS['tuples']}{NODES}", explicit=False)
    assert not report.failing & {"path", "found", "within"}


GRAPH = """
def ucs(graph, start, goal):
    paths = [[start]]
    while paths:
        path = paths.pop(0)
        if path[-1] == goal: return path
        for other, cost in graph[path[-1]]: paths.append(path + [other])
def succ(board): succ = list(moves_from(board)); return succ
"""


def test_search_of_a_graph_is_not_judged():
    assert judged("ucs", f"{BOARDS['tuples']}{GRAPH}", explicit=False).judged == 0
    assert "succ" not in searching(GRAPH)


def test_width_may_come_from_the_command_line():
    code = "import sys\nwidth = int(len(sys.argv[1]) ** 0.5)\n"
    code += "def find_zero(board): return divmod(board.index(0), width)\n"
    assert "IndexError" not in str(judged("find_zero", code, explicit=False).error)
