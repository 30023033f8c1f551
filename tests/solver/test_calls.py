"""The calls from `solve` to the loop of each algorithm."""

import sys
from pathlib import Path

import pytest

from slidewise import algorithms, parse_puzzle, solve
from slidewise.solver import run

COMPILED = [entry for entry in algorithms().values() if entry.kernel]
MAX_CALLS = 5
SOLVER = str(Path(run.__file__).parent)


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
