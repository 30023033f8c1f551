"""Searches in other styles: boards, answers, goals and names do not matter, mistakes do.

The programs come from one template for each search; each style changes its boards, its result,
its goal or its surroundings.
"""

from itertools import product

import pytest

from slidewise.course.judge import judge
from tests.course.judge.judged import QUICK
from tests.each import some

BOARDS = {
    "tuples": """
START = (1, 2, 3, 4, 5, 6, 7, 0, 8)
def moves_from(s):
    b = s.index(0)
    for d, bad in (-3, (0, 1, 2)), (3, (6, 7, 8)), (-1, (0, 3, 6)), (1, (2, 5, 8)):
        if b not in bad:
            t = list(s); t[b], t[b + d] = t[b + d], t[b]
            yield tuple(t)
def key(s): return s
def flat(s): return s
""",
    "lists": """
START = [1, 2, 3, 4, 5, 6, 7, 0, 8]
def moves_from(s):
    b, found = s.index(0), []
    for d, bad in (-3, (0, 1, 2)), (3, (6, 7, 8)), (-1, (0, 3, 6)), (1, (2, 5, 8)):
        if b not in bad:
            t = s[:]; t[b], t[b + d] = t[b + d], t[b]
            found.append(t)
    return found
def key(s): return tuple(s)
def flat(s): return s
""",
    "rows": """
START = [[1, 2, 3], [4, 5, 6], [7, 0, 8]]
def moves_from(s):
    found = []
    r, c = next((r, c) for r in range(3) for c in range(3) if s[r][c] == 0)
    for a, b in (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1):
        if 0 <= a < 3 and 0 <= b < 3:
            t = [row[:] for row in s]; t[r][c], t[a][b] = t[a][b], 0
            found.append(t)
    return found
def key(s): return tuple(map(tuple, s))
def flat(s): return [x for row in s for x in row]
""",
    "texts": """
START = "1234567_8"
def moves_from(s):
    b, found = s.index("_"), []
    for d, bad in (-3, (0, 1, 2)), (3, (6, 7, 8)), (-1, (0, 3, 6)), (1, (2, 5, 8)):
        if b not in bad:
            t = list(s); t[b], t[b + d] = t[b + d], t[b]
            found.append("".join(t))
    return found
def key(s): return s
def flat(s): return [0 if x == "_" else int(x) for x in s]
""",
    "numbers": """
START = 123456708
def moves_from(s):
    b = flat(s).index(0)
    for d, bad in (-3, (0, 1, 2)), (3, (6, 7, 8)), (-1, (0, 3, 6)), (1, (2, 5, 8)):
        if b not in bad:
            t = flat(s); t[b], t[b + d] = t[b + d], t[b]
            yield int("".join(map(str, t)))
def key(s): return s
def flat(s): return [int(x) for x in f"{s:09}"]
""",
    "row texts": """
START = ("123", "456", "7_8")
def moves_from(s):
    b, found = "".join(s).index("_"), []
    for d, bad in (-3, (0, 1, 2)), (3, (6, 7, 8)), (-1, (0, 3, 6)), (1, (2, 5, 8)):
        if b not in bad:
            t = list("".join(s)); t[b], t[b + d] = t[b + d], t[b]
            found.append(tuple("".join(t[i:i + 3]) for i in (0, 3, 6)))
    return found
def key(s): return s
def flat(s): return [0 if x == "_" else int(x) for x in "".join(s)]
""",
    "joined rows": """
def moves_from(s):  # from "123/456/7_8" to "123/456/78_" or so
    b, found = s.index("_"), []
    for d in -4, 4, -1, 1:
        if 0 <= b + d < len(s) and s[b + d] != "/":
            t = list(s); t[b], t[b + d] = t[b + d], t[b]
            found.append("".join(t))
    return found
def key(s): return s
def flat(s): return [0 if x == "_" else int(x) for x in s if x != "/"]
""",
}
GOALS = {
    "tuples": "(1, 2, 3, 4, 5, 6, 7, 8, 0)",
    "lists": "[1, 2, 3, 4, 5, 6, 7, 8, 0]",
    "rows": "[[1, 2, 3], [4, 5, 6], [7, 8, 0]]",
    "texts": '"12345678_"',
    "numbers": "123456780",
    "row texts": '("123", "456", "78_")',
    "joined rows": '"123/456/78_"',
}
ANSWERS = {
    "boards": "return p",
    "pair": "return p, len(p) - 1",
    "moves": "w = [flat(s).index(0) for s in p]; "
    "return [{-3: 'U', 3: 'D', -1: 'L', 1: 'R'}[b - a] for a, b in zip(w, w[1:])]",
    "tiles": "return [flat(s)[flat(t).index(0)] for s, t in zip(p, p[1:])]",
}
"""Statements that return the path `p`, by the kind of answer."""

SEARCHES = {
    "bfs": """
from collections import deque
def bfs(start, goal):
    waiting, seen = deque([[start]]), {key(start)}
    while waiting:
        p = waiting.popleft()
        if p[-1] == goal:
            ANSWER
        for s in moves_from(p[-1]):
            if key(s) not in seen:
                seen.add(key(s)); waiting.append(p + [s])
    return None
""",
    "dfs": """
def dfs(start, goal, limit):
    p = [start]
    def go():
        if p[-1] == goal: return True
        if len(p) > limit: return False
        for s in moves_from(p[-1]):
            if s not in p:
                p.append(s)
                if go(): return True
                p.pop()
        return False
    if not go(): return None
    ANSWER
""",
    "astar": """
import heapq
def distance(s, goal):
    a, b = flat(s), flat(goal)
    return sum(abs(i // 3 - b.index(t) // 3) + abs(i % 3 - b.index(t) % 3)
               for i, t in enumerate(a) if t)
def astar(start, goal):
    n, done, g = 0, set(), {key(start): 0}
    heap = [(distance(start, goal), 0, [start])]
    while heap:
        _, _, p = heapq.heappop(heap)
        if p[-1] == goal:
            ANSWER
        if key(p[-1]) in done: continue
        done.add(key(p[-1]))
        for s in moves_from(p[-1]):
            if key(s) not in g or len(p) < g[key(s)]:
                n += 1; g[key(s)] = len(p)
                heapq.heappush(heap, (len(p) + distance(s, goal), n, p + [s]))
    return None
""",
    "iddfs": """
def iddfs(start, goal, depth):
    def go(p, left):
        if p[-1] == goal: return p
        if left == 0: return None
        for s in moves_from(p[-1]):
            if s not in p:
                found = go(p + [s], left - 1)
                if found: return found
        return None
    for d in range(depth + 1):
        p = go([start], d)
        if p:
            ANSWER
    return None
""",
}


def program(search, board, answer="boards", goal="parameter", form="function"):
    """Return a program of a style."""
    code = SEARCHES[search].replace("ANSWER", ANSWERS[answer])
    before, body = code.split(f"def {search}(start, goal", 1)
    more, body = body.split(")", 1)[0], body.split(":\n", 1)[1]
    names = "start" + (", goal" if goal == "parameter" else "") + more
    head = f"GOAL = {GOALS[board]}\n" if goal == "global" else ""
    if goal != "parameter":
        body = f"    goal = {'GOAL' if goal == 'global' else GOALS[board]}\n{body}"
    if form == "class":
        inner = "".join(
            f"    {line}" for line in f"def search(self, {names}):\n{body}".splitlines(True)
        )
        return f"{BOARDS[board]}{head}{before}class {search.upper()}:\n{inner}"
    return f"{BOARDS[board]}{head}{before}def {search}({names}):\n{body}"


EACH = [
    *product(SEARCHES, BOARDS, ANSWERS, ("parameter", "fixed", "global"), ("function", "class"))
]
SOME = [
    ("bfs", "lists", "boards", "fixed", "function"),
    ("bfs", "rows", "moves", "parameter", "class"),
    ("bfs", "texts", "boards", "global", "function"),
    ("bfs", "tuples", "tiles", "fixed", "class"),
    ("dfs", "tuples", "moves", "parameter", "function"),
    ("dfs", "rows", "pair", "global", "class"),
    ("dfs", "texts", "boards", "fixed", "function"),
    ("astar", "rows", "boards", "global", "function"),
    ("astar", "lists", "pair", "parameter", "class"),
    ("astar", "texts", "moves", "fixed", "function"),
    ("iddfs", "lists", "tiles", "global", "function"),
    ("iddfs", "rows", "boards", "parameter", "class"),
    ("bfs", "numbers", "boards", "parameter", "function"),
    ("iddfs", "row texts", "moves", "global", "function"),
    ("astar", "joined rows", "boards", "parameter", "class"),
]


def expect_all_points(style, seed):
    report = judge(style[0], program(*style), seed=seed, rules=QUICK)
    assert [str(one.note) for one in report.checks if not one.passed] == [], (style, seed)
    assert report.points == 10
    order = "bound" if style[0] == "astar" else "algorithm"
    assert {"path", order} <= {one.key for one in report.checks if one.judged}


@pytest.mark.parametrize(("number", "style"), some(enumerate(SOME), 3, 5, 9, 10, 12, 13, 14))
def test_right_search_of_a_style_has_all_points(number, style):
    expect_all_points(style, 1 + number % 2)


@pytest.mark.soak
@pytest.mark.parametrize(("search", "board"), list(product(SEARCHES, BOARDS)))
def test_right_search_of_each_style_has_all_points(search, board):
    for styles, seeds in (EACH, range(1, 3)), (SOME, range(3, 21)):
        for style in styles:
            if style[:2] == (search, board):
                for seed in seeds:
                    expect_all_points(style, seed)


WRONG = {
    "stack-for-queue": ("bfs", "popleft()", "pop()"),
    "path-reversed": ("bfs", "return p", "return p[::-1]"),
    "path-without-last": ("bfs", "return p", "return p[:-1]"),
    "goal-alone": ("bfs", "return p", "return p[-1:]"),
    "boards-left-out": ("bfs", "return p", "return p[:-1:2] + p[-1:]"),
    "moves-reversed": ("bfs", "in zip(w, w[1:])]", "in zip(w, w[1:])][::-1]"),
    "sides-swapped": ("bfs", "-1: 'L', 1: 'R'", "1: 'L', -1: 'R'"),
    "start-is-goal": ("bfs", "p[-1] == goal", "len(p) > 1 and p[-1] == goal"),
    "first-row": ("bfs", "p[-1] == goal", "flat(p[-1])[:3] == flat(goal)[:3]"),
    "ends-at-once": ("bfs", "    return None", "        return None"),
    "state-kept": ("bfs", "{key(start)}", "SEEN; seen.add(key(start))"),
    "one-more": ("dfs", "len(p) > limit", "len(p) > limit + 1"),
    "one-less": ("dfs", "len(p) > limit", "len(p) >= limit"),
    "circles": ("dfs", "if s not in p", "if True"),
    "h-as-f": ("astar", "(len(p) + distance", "(distance"),
    "double-h": ("astar", "+ distance(s, goal)", "+ 5 * distance(s, goal)"),
    "moves-subtracted": ("astar", "(len(p) + distance", "(-len(p) + distance"),
    "highest-first": ("astar", "(len(p) + distance", "(-len(p) - distance"),
    "result-lost": ("iddfs", "found = go(", "found = None; go("),
    "limit-steps": ("iddfs", "range(depth + 1)", "range(0, 40, 5)"),
    "depth-missing": ("iddfs", "range(depth + 1)", "range(depth)"),
}
"""By the mistake: a search, its right code and the wrong one."""

IN_MOVES = ("moves-reversed", "sides-swapped")
"""Mistakes of searches that return moves."""


def wrong_program(mistake, board, goal="parameter", form="function"):
    """Return a program of a style with a mistake."""
    search, right, wrong = WRONG[mistake]
    code = program(search, board, "moves" if mistake in IN_MOVES else "boards", goal, form)
    assert right in code
    return "SEEN = set()\n" + code.replace(right, wrong)


def judged(mistake, *style):
    """Judge a program of a style with a mistake, which has to be caught."""
    report = judge(WRONG[mistake][0], wrong_program(mistake, *style), rules=QUICK)
    assert report.points < 10
    return report


SHOWN = (
    "stack-for-queue moves-reversed first-row state-kept one-more h-as-f result-lost limit-steps"
)
"""Mistakes that `make test` judges."""


@pytest.mark.parametrize(
    ("number", "mistake"), some(enumerate(WRONG), *map([*WRONG].index, SHOWN.split()))
)
def test_mistake_is_named_in_a_style(number, mistake):
    report = judged(mistake, [*BOARDS][number % 4])
    assert report.mistake.key in (mistake, SAME.get(mistake))


SAME = {
    "moves-reversed": "path-reversed",
    "highest-first": "in-circles",
    "depth-missing": "one-less",
}
"""Other true names of a mistake."""


@pytest.mark.soak
@pytest.mark.parametrize("mistake", WRONG)
def test_mistake_is_named_truly_in_each_style(mistake):
    for style in product(BOARDS, ("parameter", "fixed", "global"), ("function", "class")):
        report = judged(mistake, *style)
        named = report.mistake and report.mistake.key
        assert named in (None, mistake, SAME.get(mistake)), style
