"""The plain form of each algorithm, and the calls from `solve` to its loop."""

import inspect
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from slidewise import Limits, algorithms, find_heuristic, parse_puzzle, solve
from slidewise.solver import textbook
from slidewise.solver.task import EXACT_DEFAULT
from tests.solver.runs import ALL, scrambled_puzzle, whole

COMPILED = [entry for entry in algorithms().values() if entry.kernel]
BOARDS = [
    scrambled_puzzle(*size, moves) for size in [(2, 3), (3, 2), (3, 3)] for moves in (1, 9, 18)
]
MAX_LINES, MAX_CALLS = 40, 5
SOLVER = str(Path(textbook.__file__).parent)


def run_plain(entry, puzzle, heuristic):
    """Run the plain form and return its path and the expanded boards, in order."""
    expanded = []
    estimate = find_heuristic(heuristic or "zero")
    g_weight, h_weight = entry.rank(EXACT_DEFAULT)

    def neighbors(board):
        expanded.append(board)
        return textbook.neighbors(board)

    def h(board):
        return estimate.value(board, puzzle.goal)

    arguments = {
        "start": puzzle.start,
        "goal": puzzle.goal,
        "is_goal": puzzle.goal.__eq__,
        "neighbors": neighbors,
        "h": h,
        "f": lambda g, board: g_weight * g + h_weight * h(board),
        "reopen": entry.uses_heuristic,
    }
    parameters = inspect.signature(entry.plain).parameters
    return entry.plain(**{name: arguments[name] for name in parameters}), expanded


@pytest.mark.parametrize(("key", "heuristic"), ALL)
def test_compiled_search_expands_as_its_plain_form(key, heuristic):
    for puzzle in BOARDS[:6] if key == "dfs" else BOARDS:  # otherwise 100,000 events
        path, expanded = run_plain(algorithms()[key], puzzle, heuristic)
        events, _, result = whole(puzzle, key, heuristic, Limits())
        assert [event.board for event in events] == expanded
        assert result.length == len(path) - 1
        assert (path[0], path[-1]) == (puzzle.start, puzzle.goal)
        assert all(board in textbook.neighbors(before) for before, board in pairwise(path))


@pytest.mark.parametrize("entry", COMPILED, ids=lambda entry: entry.key)
def test_plain_form_has_at_most_40_lines(entry):
    assert len(inspect.getsource(entry.plain).splitlines()) <= MAX_LINES


@pytest.mark.parametrize("key", ["bfs", "dfs", "greedy", "astar", "bidirectional"])
def test_plain_form_has_no_path_without_a_solution(key):
    assert run_plain(algorithms()[key], parse_puzzle("2.1.3-4.5.0"), "manhattan")[0] is None


@pytest.mark.parametrize("entry", COMPILED, ids=lambda entry: entry.key)
def test_five_calls_from_solve_to_the_first_expansion(entry):
    stacks = []

    def profile(frame, event, _):
        if event == "call" and frame.f_code.co_name == "search_slice":
            frame, names = frame.f_back or sys._getframe(1), []
            while frame and frame.f_code.co_name != "solve":
                if frame.f_code.co_filename.startswith(SOLVER):
                    names.append(frame.f_code.co_name)
                frame = frame.f_back
            stacks.append(names)

    puzzle = parse_puzzle("2.3.0-1.4.6-7.5.8")
    solve(puzzle, entry.key)  # compiled and loaded
    sys.setprofile(profile)
    try:
        solve(puzzle, entry.key)
    finally:
        sys.setprofile(None)
    assert all(len(names) + 1 <= MAX_CALLS for names in stacks), stacks[0]
    assert stacks
