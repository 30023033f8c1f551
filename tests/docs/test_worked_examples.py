"""The examples in `docs/` work as documented, each as one new file."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.commands import python
from tests.solver import oracle

ROOT = Path(__file__).parents[2]
GOAL = (1, 2, 3, 4, 5, 0)

# As if the file lay in the registry's folder.
FIND = """
import importlib, sys
importlib.import_module(sys.argv[1]).__path__.append(sys.argv[2])
"""

COMMANDS = """
import contextlib, io, json
from slidewise.cli import main
for words in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        assert main(words) == 0
    print(json.dumps(out.getvalue()))
"""

ALL_BOARDS = """
import json
from slidewise.puzzle import Board, Puzzle, parse_board
from slidewise import find_heuristic, solve
goal = parse_board("1.2.3-4.5.0")
for cells in json.load(sys.stdin):
    board = Board(2, 3, tuple(cells))
    result = solve(Puzzle(board, goal), *sys.argv[3:])
    verdict = result.verdict.kind.value
    print(json.dumps([result.length, verdict, find_heuristic(sys.argv[4]).value(board, goal)]))
"""


STUDIED = """
from slidewise.course.searching.prediction import predict
from slidewise.course.worksheet import worksheet
(exercise,) = worksheet(3, 3, "anna", ("astar-nearest:manhattan",)).searches
print(exercise.order)
print(predict(3, 3, "astar-nearest", "manhattan", "anna", 1).why)
"""


class Example:
    """A page's example: its file, alone in a folder."""

    def __init__(self, page: str, folder: Path) -> None:
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        (path,) = re.findall(r"Save it as\s+`(slidewise/[a-z_/]+\.py)`", text)
        (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        (folder / Path(path).name).write_text(code, encoding="utf-8")
        _, _, shown = text.partition("Save it as")
        self.commands = re.findall(r"^    slidewise (.+)$", shown, re.MULTILINE)
        self._package, self._folder = str(Path(path).parent).replace("/", "."), str(folder)

    def run(self, code: str, *words: str, stdin: str = "") -> str:
        """Run `code` in a process that finds the file; return its output."""
        words = FIND + code, self._package, self._folder, *words
        done = python("-W", "error", "-c", *words, cwd=ROOT, input=stdin)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    def command(self, *lines: str) -> list[str]:
        """Run the commands in sequence in one process; return their outputs."""
        words = json.dumps([line.split() for line in lines])
        return [json.loads(out) for out in self.run(COMMANDS, stdin=words).splitlines()]


@pytest.fixture
def algorithm(tmp_path):
    return Example("adding-an-algorithm.md", tmp_path)


@pytest.fixture
def heuristic(tmp_path):
    return Example("adding-a-heuristic.md", tmp_path)


def check_solved(example, key, *words):
    """Assert that it is listed, that the page's commands work, and that solutions are shortest."""
    solve, compare = example.commands
    listed, usage, solved, compared = example.command(
        "algorithms", "solve --help", f"{solve} --json", compare
    )
    assert re.search(rf"\| {key} +\|", listed)
    assert key in usage
    result = json.loads(solved)
    assert key in (result["algorithm"], result["heuristic"])
    assert (result["length"], result["verdict"]) == (26, "optimal")
    assert key in compared

    distances = oracle.distances(GOAL, 2, 3)
    out = example.run(ALL_BOARDS, *words, stdin=json.dumps(list(distances)))
    found = dict(zip(distances, map(json.loads, out.splitlines()), strict=True))
    for cells, (length, verdict, h) in found.items():
        assert (length, verdict) == (distances[cells], "optimal")
        assert h <= distances[cells]
        assert all(h <= 1 + found[near][2] for near in oracle.successors(cells, 2, 3))


def test_algorithm_solves_as_documented(algorithm):
    check_solved(algorithm, "astar-nearest", "astar-nearest", "manhattan")


def test_algorithm_expands_no_more_boards_than_a_star(algorithm):
    command = "compare 8.6.7-2.5.4-3.0.1 --algorithms astar,astar-nearest --json"
    (out,) = algorithm.command(command)
    results = json.loads(out)["results"]
    assert [result["length"] for result in results] == [31, 31]
    assert results[1]["expanded"] < results[0]["expanded"]


def test_algorithm_is_recorded_predicted_and_on_worksheets(algorithm):
    order, why = algorithm.run(STUDIED).splitlines()
    assert order.startswith("A priority queue: the lowest f comes first")
    assert why.startswith("It has the lowest f and, with it, the lowest h")


def test_heuristic_solves_as_documented(heuristic):
    check_solved(heuristic, "out-of-line", "astar", "out-of-line")


def test_heuristic_is_between_the_two_named_by_its_page(heuristic):
    (out,) = heuristic.command(f"{heuristic.commands[1]} --json")
    results = json.loads(out)["results"]
    misplaced, own, manhattan = (result["expanded"] for result in results)
    assert misplaced > own > manhattan
