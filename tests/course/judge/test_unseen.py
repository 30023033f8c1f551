"""Properties of programs in forms of students: their order, their own estimates, no answer."""

import pytest

from tests.course.judge.test_finding import judged

TURNS = """
def turned(board, n):
    z = board.index(0)
    for k in (z - 3, z + 3, z - 1, z + 1):
        if 0 <= k < 9 and (abs(k - z) == 3 or k // 3 == z // 3):
            new = list(board)
            new[z], new[k] = new[k], new[z]
            yield tuple(new)
"""
PATH_LIST = """
def dfs(start, goal, limit):
    way = [start]
    def visit(board, left):
        if board == goal: return True
        if left == 0: return False
        z = board.index(0)
        for k in (z - 3, z + 3, z - 1, z + 1):
            if 0 <= k < 9 and (abs(k - z) == 3 or k // 3 == z // 3):
                new = list(board)
                new[z], new[k] = new[k], new[z]
                new = tuple(new)
                if new not in way:
                    way.append(new)
                    if visit(new, left - 1): return True
                    way.pop()
        return False
    return way if visit(start, limit) else None
"""
ROUND_THE_RING = """
MOVES = {"up": -3, "down": 3, "left": -1, "right": 1}
BACK = {"up": "down", "down": "up", "left": "right", "right": "left", "": ""}
def apply(board, move):
    z = board.index(0)
    k = z + MOVES[move]
    if not 0 <= k < 9 or (abs(k - z) == 1 and k // 3 != z // 3): return None
    new = list(board)
    new[z], new[k] = new[k], new[z]
    return new
def iddfs(start, goal):
    for depth in range(40):
        stack = [(start, [""])]
        while stack:
            board, done = stack.pop()
            if board == goal: return done[1:]
            if len(done) <= depth:
                for move in MOVES:
                    new = apply(board, move)
                    if move != BACK[done[-1]] and new: stack.append((new, done + [move]))
"""
BFS = f"""
{TURNS}
def bfs(start, goal):
    queue, parents = [start], {{start: None}}
    while queue:
        board = queue.pop(0)
        if board == goal:
            way = []
            while board: way.append(board); board = parents[board]
            return way[::-1]
        for new in turned(board, 3):
            if new not in parents: parents[new] = board; queue.append(new)
"""
BEST_FIRST = f"""
from heapq import heappop, heappush
{TURNS}
def h(board, goal):
    return sum(a != b and a > 0 for a, b in zip(board, goal))
def NAME(start, goal):
    heap, closed = [(h(start, goal), 0, start, [start])], set()
    while heap:
        f, g, board, way = heappop(heap)
        if board == goal: return way
        if board in closed: continue
        closed.add(board)
        for new in turned(board, 3):
            if new not in closed: heappush(heap, (PRIORITY, g + 1, new, way + [new]))
"""
ASTAR = BEST_FIRST.replace("NAME", "astar").replace("PRIORITY", "g + 1 + h(new, goal)")
GREEDY = BEST_FIRST.replace("NAME", "greedy").replace("PRIORITY", "h(new, goal)")
FRESH = """fresh = new not in parents
            parents[new] = board
            if fresh:"""
"""A change that overwrites parents."""


def checks(report):
    """Return the judged checks that pass, and those that fail."""
    seen = [one for one in report.checks if one.judged]
    return {one.key for one in seen if one.passed}, {one.key for one in seen if not one.passed}


@pytest.mark.parametrize(
    ("key", "code"), [("dfs", PATH_LIST), ("iddfs", ROUND_THE_RING)], ids=["list", "stack"]
)
def test_order_of_a_right_search_along_paths_passes(key, code):
    report = judged(key, code, explicit=False)
    assert report.points == 10
    assert "algorithm" in checks(report)[0]


@pytest.mark.parametrize(
    ("key", "code"), [("bfs", BFS), ("astar", ASTAR), ("greedy", GREEDY)], ids=str
)
def test_each_check_of_a_search_for_3x3_is_judged(key, code):
    report = judged(key, code, explicit=False)
    assert report.points == report.judged == 10


def test_missing_answer_is_judged_for_3x3_too():
    wrong = BFS.replace("while queue:", "while True:")
    report = judged("bfs", wrong, explicit=False)
    assert checks(report)[1] == {"none"}
    assert report.mistake.key == "empty-not-tested"


TABLE = (
    f"{TURNS}\ndef successors(board):\n    return {{n: b for n, b in enumerate(turned(board, 3))}}"
)
WORDS = BFS.replace("way.append(board);", "way.append(board.index(0));").replace(
    "return way[::-1]",
    "steps = [b - a for a, b in zip(way[::-1], way[-2::-1])]\n            "
    "return [{-3: 'oben', 3: 'drunter', -1: 'west', 1: 'ost'}[one] for one in steps]",
)
NODES = f"""
{TURNS}
class Node:
    def __init__(self, cells): self.cells = cells
    def after(self): return [Node(one) for one in turned(self.cells, 3)]
def dfs(node, goal, limit, on_way=()):
    if node.cells == goal: return [node.cells]
    for one in node.after() if limit else ():
        if one.cells not in on_way:
            rest = dfs(one, goal, limit - 1, (*on_way, node.cells))
            if rest: return [node.cells] + rest
"""


@pytest.mark.parametrize(
    ("key", "code"),
    [("neighbors", TABLE), ("bfs", WORDS), ("dfs", NODES)],
    ids=["table of boards", "own words of moves", "node and plain goal"],
)
def test_right_program_in_a_rare_form_is_not_accused(key, code):
    report = judged(key, code, explicit=False)
    assert (report.failing, report.points >= 8) == (set(), True)


def test_number_of_boards_is_not_the_number_of_moves():
    counted = BFS.replace("return way[::-1]", "return len(way)")
    assert checks(judged("bfs", counted, explicit=False))[1] == {"shortest"}
    moves = counted.replace("len(way)", "len(way) - 1")
    assert checks(judged("bfs", moves, explicit=False))[1] == set()


def test_goal_in_another_form_than_the_boards_is_never_met():
    code = """
GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)
def bfs(start):
    queue, seen = [[start]], []
    while queue:
        way = queue.pop(0)
        if way[-1] == GOAL: return way
        for new in map(list, turned(way[-1], 3)):
            if new not in seen: seen.append(new); queue.append(way + [new])
"""
    report = judged("bfs", f"{TURNS}{code}", explicit=False)
    assert report.mistake.key == "goal-not-seen"
    assert "GOAL = (1" in report.as_json()["case"]["call"]


def test_functions_that_need_different_tiles_are_not_accused():
    report = judged(
        "bfs",
        BFS.replace("while queue:", "[start.index(t) for t in goal]\n    while queue:"),
        explicit=False,
    )
    assert checks(report)[1] == set()
    assert [one.key for one in report.checks if not one.judged] == ["none"]


def test_astar_beyond_the_goal_is_wrong_with_any_estimate():
    wrong = ASTAR.replace("g + 1 + h(new, goal)", "h(new, goal) - g")
    assert "bound" in checks(judged("astar", wrong, explicit=False))[1]


@pytest.mark.parametrize(
    ("key", "code", "old", "new", "named"),
    [
        ("astar", ASTAR, "if board in closed: continue", "", "old-entries"),
        ("astar", ASTAR, "g + 1, new, way", "complex(g) + 1, new, way", "entries-not-comparable"),
        ("dfs", PATH_LIST, "way.pop()", "pass", "dead-ends-stay"),
        ("bfs", BFS, "board == goal", "board is goal", "goal-not-seen"),
        ("bfs", BFS, "while queue:", "while queue and len(parents) < 400:", "gives-up"),
        ("bfs", BFS, "    queue,", "    if start.index(8) < 6: return\n    queue,", "refuses"),
        ("bfs", BFS, "if new not in parents:", FRESH, "overwritten"),
        ("bfs", BFS, "k // 3 == z // 3", "(z, k) != (6, 5)", "wraps-at-row-ends"),
        ("bfs", BFS, "return way[::-1]", "return [start]", "start-alone"),
        ("astar", ASTAR, "(g + 1 + h(new, goal)", "(new", "board-first"),
        ("astar", ASTAR, "g + 1 + h(new, goal)", "f + 1 + h(new, goal)", "g-adds-h"),
        ("astar", ASTAR, "g + 1 + h(", "len(closed) + h(", "g-counts-expansions"),
        ("astar", ASTAR, "a != b and a > 0", "a * (a != b)", "not-admissible"),
        ("astar", ASTAR, "g + 1 + h(new, goal)", "-g - h(new, goal)", "highest-first"),
        ("greedy", GREEDY, "closed.add(board)", "closed.add(board); heap = []", "no-alternatives"),
    ],
    ids=str,
)
def test_mistake_of_a_search_in_its_own_form_is_named(key, code, old, new, named):
    assert old in code
    report = judged(key, code.replace(old, new), explicit=False)
    assert report.mistake.key == named


ANY_SIZE = """
def neighbors(board):
    z, n, found = board.index(0), int(len(board) ** 0.5), []
    for k in (z - n, z + n, z - 1, z + 1):
        if 0 <= k < len(board) and (abs(k - z) == n or k // n == z // n):
            new = list(board)
            new[z], new[k] = new[k], new[z]
            found.append(tuple(new))
    return found
"""


@pytest.mark.parametrize("key", ["neighbors", "bfs"])
def test_root_of_six_as_the_width_is_named(key):
    search = BFS.replace(TURNS, ANY_SIZE.replace("neighbors", "nearby"))
    search = search.replace("turned(board, 3)", "nearby(board)")
    search = search.replace("(start, goal)", "(start)").replace("== goal", "== GOAL")
    code = f"GOAL = (1, 2, 3, 4, 5, 0)\n{ANY_SIZE if key == 'neighbors' else search}"
    assert judged(key, code, explicit=False).mistake.key == "square-width"


def test_width_from_the_board_has_to_be_right_for_each_size():
    code = ANY_SIZE
    assert judged("neighbors", code, explicit=False).points == 10
    wrong = code.replace("(z - n, z + n,", "(z - 3, z + 3,").replace("== n or", "== 3 or")
    assert judged("neighbors", wrong, explicit=False).failing
    for_3x3 = wrong.replace("int(len(board) ** 0.5)", "3")
    assert judged("neighbors", for_3x3, explicit=False).points == 10


@pytest.mark.parametrize(
    ("key", "code", "failing"),
    [
        (
            "find_zero",
            "def find_zero(b):\n    m, n = len(b), len(b[0])\n"
            "    k = [x for row in b for x in row].index(0)\n    return k // m, k % m",
            {"other-sizes"},
        ),
    ],
    ids=["2x3"],
)
def test_fault_that_few_boards_show_is_found(key, code, failing):
    assert checks(judged(key, code, explicit=False))[1] >= failing
