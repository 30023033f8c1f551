"""The parents of expansions: recorded by the judge, and carried along by independent searches."""

import json
from collections import deque

import pytest

from slidewise.course.judge import exercises
from slidewise.course.judge.session import FORGED, read_reply
from slidewise.course.programs import boards
from slidewise.course.programs.boards import is_move
from slidewise.course.programs.calls import TRACED, Case
from slidewise.course.programs.child import LoadProgram, Run, Runner, answers, as_line
from slidewise.course.programs.hooks import FRONTIER, Parents
from slidewise.course.programs.running import Program

START = (8, 1, 3, 4, 0, 2, 7, 6, 5)
GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)
NEAR = (1, 2, 3, 0, 4, 6, 7, 5, 8)
ARGS = {"h": "manhattan", "limit": 12, "depth": 12}
SEARCHES = ("bfs", "dfs", "iddfs", "ucs", "greedy", "astar", "idastar", "rbfs")
MOST = 6_000

MOVES = """
def moves(board):
    blank = board.index(0)
    for step in -3, 3, -1, 1:
        cell = blank + step
        if 0 <= cell < 9 and (abs(step) == 3 or cell // 3 == blank // 3):
            after = list(board)
            after[blank], after[cell] = after[cell], 0
            yield tuple(after)
"""

INLINE = """
from collections import deque
def bfs(start, goal):
    queue, seen = deque([(start, [])]), {start}
    while queue:
        board, path = queue.popleft()
        if board == goal:
            return [*path, board]
        blank = board.index(0)
        for step in -3, 3, -1, 1:
            cell = blank + step
            if 0 <= cell < 9 and (abs(step) == 3 or cell // 3 == blank // 3):
                cells = list(board)
                cells[blank], cells[cell] = cells[cell], 0
                after = tuple(cells)
                if after not in seen:
                    seen.add(after)
                    queue.append((after, [*path, board]))
"""
"""Breadth-first search whose expansions only its queue shows."""

IN_PLACE = """
def iddfs(start, goal, depth):
    for limit in range(depth + 1):
        found = search(list(start), goal, limit, None)
        if found:
            return found
def search(board, goal, limit, before):
    if board == list(goal):
        return [tuple(board)]
    blank = board.index(0)
    for step in -3, 3, -1, 1:
        cell = blank + step
        inside = 0 <= cell < 9 and (abs(step) == 3 or cell // 3 == blank // 3)
        if limit and inside and cell != before:
            here = tuple(board)
            board[blank], board[cell] = board[cell], 0
            found = search(board, goal, limit - 1, blank)
            board[cell], board[blank] = board[blank], 0
            if found:
                return [here, *found]
"""
"""Iterative deepening whose expansions only its calls of itself show. It moves one list."""


def case_of(key, start):
    names = {name: value for name, value in ARGS.items() if name in exercises()[key].parameters}
    return Case((), {"start": start, "goal": GOAL, **names})


def run(key, source, start=START, limit=MOST):
    return Program(exercises()[key].target, source).run(case_of(key, start), limit)


class Tagged(tuple):
    """A board with the index of the expansion that generated it, `maker`."""


def tagged_parents(key, source, start=START):
    """Run a program whose boards carry the indexes of their parents, and return these."""
    parents = []

    def neighbors(board):
        parents.append(getattr(board, "maker", -1))
        found = list(map(Tagged, boards.neighbors(tuple(board))))
        for one in found:
            one.maker = len(parents) - 1
        return found

    names = {**boards.GIVEN, "neighbors": neighbors}
    exec(source, names)
    given = {"start": start, "goal": GOAL, **ARGS}
    given["h"] = lambda board, goal: boards.manhattan(tuple(board), goal)
    names[key](*(given[name] for name in exercises()[key].parameters))
    return parents[:TRACED]


def bfs_parents(start):
    """Return the parents in a breadth-first search of nodes with explicit parents."""
    parents, queue, seen = [], deque([(start, -1)]), {start}
    while queue[0][0] != GOAL:
        board, parent = queue.popleft()
        parents.append(parent)
        for after in boards.neighbors(board):
            if after not in seen:
                seen.add(after)
                queue.append((after, len(parents) - 1))
    return parents[:TRACED]


def rebuilding(source):
    """Return a program that builds each board again before it expands it."""
    for board in "board", "boards[-1]":
        source = source.replace(f"neighbors({board})", f"neighbors(tuple(list({board})))")
    return source


@pytest.mark.parametrize("start", [NEAR, START])
def test_parents_of_bfs_are_those_of_its_nodes(start):
    solution = exercises()["bfs"].solution
    outcome = run("bfs", solution, start)
    assert outcome.parents == bfs_parents(start)
    assert len(outcome.parents) == min(outcome.expansions, TRACED)
    assert run("bfs", INLINE, start).parents == bfs_parents(start)
    assert run("bfs", INLINE, start).witness == FRONTIER


@pytest.mark.parametrize("key", SEARCHES)
def test_parents_are_those_of_tagged_boards(key):
    solution = exercises()[key].solution
    expected = tagged_parents(key, solution)
    assert run(key, solution, limit=20_000).parents == expected
    own = MOVES + solution.replace("neighbors(", "moves(").replace("moves = ", "costs = ")
    own = own.replace("moves[", "costs[").replace("in moves or", "in costs or")
    outcome = run(key, own, limit=20_000)
    assert (outcome.witness, outcome.parents) == ("moves()", expected)


@pytest.mark.parametrize("key", ["iddfs", "idastar"])
def test_each_iteration_begins_with_a_root(key):
    solution = exercises()[key].solution
    for source in solution, rebuilding(solution):
        outcome = run(key, source)
        starts = [i for i, board in enumerate(outcome.boards(9)[:TRACED]) if board == START]
        assert [i for i, one in enumerate(outcome.parents) if one < 0] == starts
        assert len(starts) > 2


def test_recursion_on_one_list_has_the_calls_as_parents():
    outcome = run("iddfs", IN_PLACE, NEAR)
    found = outcome.boards(9)
    assert outcome.witness == "search(...)"
    assert [found[i] for i, one in enumerate(outcome.parents) if one < 0] == [NEAR] * 3
    above = []
    for i, parent in enumerate(outcome.parents):
        above = above[: above.index(parent) + 1] if parent >= 0 else []
        assert parent < 0 or is_move(found[parent], found[i])
        above.append(i)


@pytest.mark.parametrize("key", SEARCHES)
def test_rebuilt_board_belongs_to_its_latest_generation(key):
    outcome = run(key, rebuilding(exercises()[key].solution))
    found = outcome.boards(9)[:TRACED]
    latest = {}
    for i, (board, parent) in enumerate(zip(found, outcome.parents, strict=True)):
        assert parent == (-1 if board == START else latest[board])
        latest |= dict.fromkeys(boards.neighbors(board), i)
    assert run("bfs", rebuilding(exercises()["bfs"].solution), NEAR).parents == bfs_parents(NEAR)


@pytest.mark.parametrize(("key", "source"), [("bfs", ""), ("bfs", INLINE), ("iddfs", IN_PLACE)])
def test_recording_parents_changes_no_count_and_no_limit(key, source, monkeypatch):
    source = source or exercises()[key].solution

    def counts(limit):
        outcome = vars(run(key, source, limit=limit))
        return {name: outcome[name] for name in outcome.keys() - {"parents", "milliseconds"}}

    recorded = [counts(limit) for limit in (50, MOST)]
    monkeypatch.setattr(Parents, "add", lambda *_: None)
    assert [counts(limit) for limit in (50, MOST)] == recorded
    assert recorded[0]["expansions"] == 50


def test_recorder_holds_objects_of_traced_expansions_only():
    program = Program(exercises()["bfs"].target, exercises()["bfs"].solution)
    assert program.run(case_of("bfs", START), MOST).expansions > 2 * TRACED
    assert len(program.instruments.parents._held) <= 5 * TRACED


@pytest.mark.parametrize("forged", [[-2], [0], [-1] * 99, ["x"], None])
def test_forged_parents_of_a_process_are_refused(forged):
    exercise, runner = exercises()["bfs"], Runner()
    load = LoadProgram(exercise.target, exercise.solution)
    request = Run((case_of("bfs", NEAR),), (MOST,))
    assert read_reply(load, list(answers(runner, as_line(load)))).ended == ""
    lines = list(answers(runner, as_line(request)))
    (outcome,) = read_reply(request, lines).outcomes
    assert outcome.parents == bfs_parents(NEAR)
    line = json.dumps(json.loads(lines[0]) | {"parents": forged})
    assert read_reply(request, [line]).ended == FORGED
