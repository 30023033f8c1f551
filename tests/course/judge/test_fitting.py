"""The form of a program by its own boards and names: faults count, guesses do not."""

import sys

import pytest

from slidewise.course.judge import exercises
from slidewise.course.judge.report import typed_call
from slidewise.course.programs.boards import Form
from slidewise.course.programs.calls import Way
from tests.course.judge.test_finding import graded, judged
from tests.course.judge.test_styles import BOARDS

ROWS = """
GOAL = [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
def find_blank(board):
    for i in range(3):
        for j in range(3):
            if board[i][j] == 0: return i, j
def manhattan(board):
    total = 0
    for i in range(3):
        for j in range(3):
            t = board[i][j]
            if t != 0: total += abs(i - (t - 1) // 3) + abs(j - (t - 1) % 3)
    return total
"""
FAULTS = {
    "crash": (
        "find_zero",
        "for j in range(3):\n            if",
        "for j in range(4):\n            if",
    ),
    "nothing": ("find_zero", "== 0: return", "== '0': return"),
    "other blank": ("manhattan", "if t != 0", "if t != -1"),
}
"""By what shows it: an exercise, its right code and the wrong one."""


@pytest.mark.parametrize(("key", "right", "wrong"), FAULTS.values(), ids=FAULTS)
def test_fault_on_each_board_of_the_own_form_counts(key, right, wrong):
    assert judged(key, ROWS, explicit=False).points == 10
    assert right in ROWS
    report = judged(key, ROWS.replace(right, wrong), explicit=False)
    assert (report.judged > 0, report.passed) == (True, False)
    assert report.way.form.kind == "list of lists"


PARITY = """
def is_solvable(puzzle):
    flat = [t for row in puzzle for t in row if t]
    return sum(a > b for i, a in enumerate(flat) for b in flat[i + 1:]) % 2 == 0
"""


def test_opposite_answers_are_wrong_for_the_usual_goal():
    assert judged("is_solvable", PARITY, explicit=False).points == 10
    report = judged("is_solvable", PARITY.replace("== 0", "== 1"), explicit=False)
    assert (report.points, report.mistake.key) == (0, "opposite")


def test_opposite_answers_are_right_for_the_goal_of_the_file():
    code = f"GOAL = [[1, 2, 3], [8, 0, 4], [7, 6, 5]]\n{PARITY}"
    assert judged("is_solvable", code.replace("== 0", "== 1"), explicit=False).points == 10


def test_goal_in_a_comment_decides_which_answers_are_right():
    turned = PARITY.replace("== 0", "== 1")
    ring = f"# the goal is 1 2 3/8 0 4/7 6 5\n{turned}"
    assert judged("is_solvable", ring, explicit=False).points == 10
    usual = f"# not solvable: 1 2 3/4 5 6/8 7 0\n# goal: 1 2 3/4 5 6/7 8 0\n{turned}"
    assert judged("is_solvable", usual, explicit=False).points == 0


def test_width_with_another_value_is_given():
    code = """
def solvable(cells, width=4):
    tiles = [t for t in cells if t]
    swaps = sum(a > b for i, a in enumerate(tiles) for b in tiles[i + 1:])
    rows = 0 if width % 2 else width - 1 - cells.index(0) // width
    return (swaps + rows) % 2 == 0
"""
    assert judged("is_solvable", code, explicit=False).judged == 8  # of 9 and of 16 cells
    wrong = judged("is_solvable", code.replace("width - 1 - ", ""), explicit=False)
    assert wrong.failing >= {"4x4"}


SMALL = """
goal = [1, 2, 3, 4, 5, 0]
visited = []
def moves_from(s):
    b, found = s.index(0), []
    for d, bad in (-3, (0, 1, 2)), (3, (3, 4, 5)), (-1, (0, 3)), (1, (2, 5)):
        if b not in bad:
            t = s[:]; t[b], t[b + d] = t[b + d], t[b]
            found.append(t)
    return found
def dfs(state, path):
    visited.append(state)
    if state == goal: return path
    for after in moves_from(state):
        if after not in visited:
            found = dfs(after, path + [after])
            if found: return found
def solve(state):
    visited.clear()
    return dfs(state, [state])
"""


def test_function_that_calls_a_search_speaks_for_it():
    report = judged("dfs", SMALL, explicit=False)
    assert (report.way.function, report.points) == ("solve", 10)
    assert report.tried[0].draw.shape == (2, 3)
    wrong = judged("dfs", SMALL.replace("    visited.clear()\n", ""), explicit=False)
    assert (wrong.way.function, wrong.mistake.key) == ("dfs", "state-kept")
    notes = [str(check.note) for check in wrong.checks if not check.passed]
    assert all("state is kept between calls" in note for note in notes)


def test_estimate_for_the_only_goal_of_a_file_is_right():
    code = f"""{BOARDS["tuples"]}
import heapq
GOAL = (0, 1, 2, 3, 4, 5, 6, 7, 8)
def h(s): return sum(abs(i // 3 - t // 3) + abs(i % 3 - t % 3) for i, t in enumerate(s) if t)
def astar(start, goal):
    heap, done = [(h(start), [start])], set()
    while heap:
        _, path = heapq.heappop(heap)
        if path[-1] == goal: return path
        if path[-1] in done: continue
        done.add(path[-1])
        for s in moves_from(path[-1]):
            heapq.heappush(heap, (len(path) + h(s), path + [s]))
"""
    report = judged("astar", code, explicit=False)
    assert (report.points, report.goal) == (10, (0, 1, 2, 3, 4, 5, 6, 7, 8))


def test_guessed_argument_is_no_fault():
    code = f"""{BOARDS["tuples"]}
def bfs(start, goal, colors):
    queue, seen = [[start]], {{start}}
    while queue:
        path = queue.pop(colors.index("first"))
        if path[-1] == goal: return path
        for s in moves_from(path[-1]):
            if s not in seen: seen.add(s); queue.append(path + [s])
"""
    report = judged("bfs", code, explicit=False)
    assert (report.judged, report.tried, report.error) == (0, (), None)


GREEDY = f"""{BOARDS["tuples"]}
import heapq
GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)
def h(s): return sum(a != b and a != 0 for a, b in zip(s, GOAL))
def greedy(start):
    heap, seen = [(h(start), [start])], {{start}}
    while heap:
        _, path = heapq.heappop(heap)
        if path[-1] == GOAL: return path
        for s in moves_from(path[-1]):
            if s not in seen: seen.add(s); heapq.heappush(heap, (h(s), path + [s]))
"""


def test_greedy_search_is_not_breadth_first():
    report = judged("greedy", GREEDY, explicit=False)
    assert report.points == 10
    assert next(one for one in report.checks if one.key == "lowest").judged
    wrong = judged("greedy", GREEDY.replace("(h(s), path", "(len(path), path"), explicit=False)
    assert wrong.failing == {"lowest"}


def test_printed_letters_are_read_as_moves():
    code = f"""# BFS
{BOARDS["texts"]}
from collections import deque
import sys
start = sys.stdin.readline().strip()
queue, seen = deque([(start, "")]), {{start}}
while queue:
    s, moves = queue.popleft()
    if s == "12345678_":
        print(len(moves), moves)
        break
    for t in moves_from(s):
        letter = {{-3: "U", 3: "D", -1: "L", 1: "R"}}[t.index("_") - s.index("_")]
        if t not in seen: seen.add(t); queue.append((t, moves + letter))
"""
    assert graded(code).points == 10
    assert graded(code.replace("moves + letter", "letter + moves")).failing == {"path", "shortest"}


SLIDER = """
class Slider:
    def __init__(self, start):
        self.board, self.goal = list(start), None
        self.goal = [0, 1, 2, 3, 4, 5]
    def solve(self):
        for depth in range(30):
            self.moves = []
            if self.go(self.board.index(0), depth): return self.moves
    def go(self, z, depth, before=None):
        if self.board == self.goal: return True
        for d, step, bad in ("U", -3, (0, 1, 2)), ("D", 3, (3, 4, 5)), \\
                ("L", -1, (0, 3)), ("R", 1, (2, 5)):
            if depth == 0 or z in bad or z + step == before: continue
            self.swap(z, z + step)
            self.moves.append(d)
            if self.go(z + step, depth - 1, z): return True
            self.moves.pop()
            self.swap(z + step, z)
    def swap(self, one, other):
        self.board[one], self.board[other] = self.board[other], self.board[one]
"""


def test_search_of_a_class_has_the_goal_of_its_attribute():
    assert graded(SLIDER).points == 10
    assert graded(SLIDER.replace("go(", "dls(")).exercise.key == "iddfs"  # by its part
    wrong = SLIDER.replace("            self.swap(z + step, z)\n", "")
    report = graded(wrong)
    assert (report.passed, report.goal) == (False, (0, 1, 2, 3, 4, 5))
    board = [*report.shown.start]
    assert report.as_json()["case"]["call"] == f"Slider({board}).solve()"


def test_call_with_arrays_is_typed_without_numpy(monkeypatch):
    monkeypatch.delitem(sys.modules, "numpy", raising=False)
    way = Way("go", (("path", "trail"),), Form("array"), owner="Game", made=(("b", "start"),))
    assert typed_call(way, {"start": (1, 2, 3, 4, 5, 6, 7, 8, 0)}).splitlines() == [
        *("my_game = Game([[1, 2, 3],", "                [4, 5, 6],"),
        *("                [7, 8, 0]])", "my_game.go([[[1, 2, 3],"),
        *("             [4, 5, 6],", "             [7, 8, 0]]])"),
    ]


def test_round_without_an_expansion_has_no_end():
    code = exercises()["idastar"].solution
    assert "        return None, f\n" in code
    report = judged("idastar", code.replace("return None, f\n", "return None, len(boards) - 1\n"))
    notes = {check.note for check in report.checks if not check.passed}
    assert "stopped: it goes on without an end" in notes


def test_file_of_9_cells_is_not_judged_on_6():
    code = ROWS.replace("for i in range(3)", "for i in range(2)")
    report = judged("manhattan", code, explicit=False)
    assert (report.passed, report.shown.draw.shape) == (False, (3, 3))


UNDEFINED = """
from collections import deque
def breadth_first_search(board):
    queue, seen = deque([[board]]), {board}
    while queue:
        way = queue.popleft()
        if is_home(way[-1]): return way
        for after in successors(way[-1]):
            if after not in seen: seen.add(after); queue.append([*way, after])
"""


def test_undefined_name_in_each_call_is_the_error_of_the_program():
    report = judged("bfs", UNDEFINED, explicit=False)
    assert (report.points, report.judged) == (0, 10)
    assert report.error.message == "name 'is_home' is not defined"
    assert report.error.line == 7


def test_name_of_code_that_does_not_run_is_not_judged():
    code = f"{UNDEFINED}\nif __name__ == '__main__': is_home = print"
    assert judged("bfs", code, explicit=False).judged == 0
