"""Searches where numba is not installed: the plain form, with the results of the compiled one."""

import json
from dataclasses import replace

import pytest

from slidewise import Limits, algorithms, heuristics, parse_puzzle, scramble, search
from slidewise.puzzle import steps
from slidewise.solver.known import moves_at_least
from tests.boards import FOUR_NEAR, HARDEST, LENGTHS
from tests.cli.commands import python
from tests.each import some
from tests.solver.runs import SWEEP

HIDDEN = """
import json
import sys
sys.modules["numba"] = None
"""

PUZZLES = ["1.5.2-4.3.0", "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8", "1.2.3.4.0-6.7.8.9.5", FOUR_NEAR]
EXPANSIONS = 1_000 if SWEEP else 200

SEARCHES = f"""
from slidewise import Limits, parse_puzzle, solve
for code, *names in json.loads(sys.stdin.read()):
    result = solve(parse_puzzle(code), *names, Limits(expansions={EXPANSIONS}))
    print(json.dumps(result.as_json() | {{"seconds": 0}}))
"""


def hidden(program, text=""):
    """Return the output of a program for which numba is not installed."""
    done = python("-c", HIDDEN + program, input=text)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def fitting(puzzle, entry):
    """Return the heuristics that a search of a puzzle can have, or an expression."""
    if not entry.uses_heuristic:
        return ["manhattan"]
    own = ["=max(manhattan, misplaced)"] if puzzle.has_table else []
    return [key for key, one in heuristics().items() if one.fits(*puzzle.start.size)] + own


def test_each_search_has_the_result_of_the_compiled_one():
    chosen = [
        (code, entry.key, heuristic)
        for code in PUZZLES
        for entry in algorithms().values()
        if entry.kernel
        for heuristic in fitting(parse_puzzle(code), entry)
    ]
    done = hidden(SEARCHES, json.dumps(chosen))
    for (code, *names), line in zip(chosen, done.stdout.splitlines(), strict=True):
        limits = Limits(expansions=EXPANSIONS)
        *_, last = search(parse_puzzle(code), *names, limits, plain_first=False)
        expected = replace(last.result, seconds=0).as_json()
        assert json.loads(line) == json.loads(json.dumps(expected)), (code, *names)
    assert done.stderr.count("numba is not installed") == 1


BEST = """
from slidewise import Limits, parse_puzzle, solve
for code in json.loads(sys.stdin.read()):
    print(json.dumps(solve(parse_puzzle(code), limits=Limits(expansions=3_000)).as_json()))
"""


def test_best_has_a_path_and_a_bound_at_its_limits():
    codes = [
        "14.13.15.7-11.12.9.5-6.0.2.1-4.8.10.3_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15",
        str(scramble(5, 5, "1")),
    ]
    for code, line in zip(codes, hidden(BEST, json.dumps(codes)).stdout.splitlines(), strict=True):
        found, puzzle = json.loads(line), parse_puzzle(code)
        *_, last = steps(puzzle.start, found["moves"])
        assert last.board == puzzle.goal
        assert (found["status"], found["verdict"]) == ("solved", "bounded")
        assert moves_at_least(puzzle) <= found["lower_bound"] < found["length"]
        assert "stopped after 3,000 expansions" in found["reason"]


def test_best_proves_near_and_small_boards():
    codes = [FOUR_NEAR, HARDEST]
    for code, line in zip(codes, hidden(BEST, json.dumps(codes)).stdout.splitlines(), strict=True):
        found = json.loads(line)
        assert (found["verdict"], found["length"]) == ("optimal", LENGTHS[code])


COMPARISON = """
from slidewise import compare, parse_puzzle
found = compare(parse_puzzle("1.5.2-4.3.0"), "bfs,astar,best")
print(json.dumps([found.plain, found.form]))
"""


def test_comparison_names_its_searches_as_plain():
    plain, form = json.loads(hidden(COMPARISON).stdout)
    assert plain == ["bfs", "astar:manhattan", "best"]
    assert form.startswith("All searches run in plain Python")


COMMAND = """
from slidewise.cli import main
sys.exit(main(json.loads(sys.stdin.read())) != 2)
"""


def test_command_that_needs_the_compiler_fails_with_advice():
    for words in ["slides", "1.2.3.4-5.6.7.8-9.10.11.0-13.14.15.12"], ["warm"]:
        assert "run `pip install numba`" in hidden(COMMAND, json.dumps(words)).stderr


CORE = ["algorithms/test_deepening", "results/test_result"]
MORE = ["conventions/test_convention", "test_functions"]


@pytest.mark.parametrize("names", some([CORE, MORE], 0))
def test_tests_of_the_core_pass(names):
    files = [f"tests/solver/{name}.py" for name in names]
    hidden(f"import pytest\nsys.exit(pytest.main(['-q', '-n0', *{files}]))")


def test_server_has_nothing_to_compile():
    hidden("""
from slidewise.solver import compiling, warming
assert compiling.load_cached() == []
for part in warming.PARTS:
    assert part == warming.TABLES or list(warming.prepare(part)) == []
""")
