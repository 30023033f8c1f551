"""The example notebooks: each cell runs in order and can be displayed, with known values."""

import ast
import json
from pathlib import Path

import pytest
from IPython.core.formatters import DisplayFormatter

from slidewise import notebook, parse_puzzle

FOLDER = Path(__file__).parents[2] / "examples"
WIDGET = "application/vnd.jupyter.widget-view+json"


class Run:
    """A notebook after its run: the values of its names and of its cells' last expressions."""

    def __init__(self, path):
        self.names, self.shown = {}, []
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                self.cell("".join(cell["source"]))

    def cell(self, source):
        tree = ast.parse(source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, source, "exec"), self.names)
        if last:
            value = eval(compile(ast.Expression(last.value), source, "eval"), self.names)
            self.shown += [] if value is None else [value]

    def __getitem__(self, name):
        return self.names[name]


@pytest.fixture(scope="module")
def run():
    """Return a function that runs a notebook by number, once."""
    runs = {int(path.name[0]): Run(path) for path in FOLDER.glob("*.ipynb")}
    return runs.__getitem__


def test_examples_contain_no_outputs():
    paths = sorted(FOLDER.glob("*.ipynb"))
    assert [path.name[:2] for path in paths] == ["1-", "2-", "3-", "4-", "5-"]
    for path in paths:
        book = json.loads(path.read_text(encoding="utf-8"))
        cells = book["cells"]
        assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
        assert len({cell["id"] for cell in cells}) == len(cells)
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
        assert cells[0]["source"][0].startswith("# ")
        assert path.stat().st_size < 10_000


def test_each_cell_value_can_be_displayed(run):
    widgets = 0
    for number in range(1, 6):
        for value in run(number).shown:
            bundle, _ = DisplayFormatter().format(value)
            assert {"text/html", "image/svg+xml"} & bundle.keys()
            widgets += WIDGET in bundle
    assert widgets >= 15


def test_breadth_first_search_with_the_blank_first(run):
    book = run(1)
    assert (book["result"].length, str(book["result"].verdict.kind)) == (26, "optimal")
    assert notebook.replay(book["near"], book["path"]).total == 8
    assert book["breadth_first_search"](parse_puzzle("2.1-3.0")) is None
    assert str(book["puzzle"].goal) == "0.1.2-3.4.5-6.7.8"


def test_a_typed_board_is_played_with_a_hint_and_given_up(run):
    book = run(2)
    assert str(book["puzzle"]) == "8.1.3-4.0.2-7.6.5"
    assert (len(book["game"].moves), book["rest"].length) == (1, 13)
    assert not book["wrong"].solvable
    assert book["mended"].solvable
    book["game"].moves += book["rest"].moves
    assert book["game"].solved
    book["hint"]()
    assert len(book["game"].moves) == 14
    for board in ["1.2.3-4.5.6-7.0.8", "1.2.3-4.5.6-8.0.7", "8.1.3-4.0.2-7.6.5"]:
        puzzle = parse_puzzle(board)
        assert puzzle.solvable == (book["inversions"](puzzle.start) % 2 == 0)


def test_five_searches_on_two_rows_of_three(run):
    book = run(3)
    assert {result.length for result in book["easy"].values()} == {2}
    lengths = book["lengths"]
    assert (lengths["bfs"], lengths["ucs"], lengths["astar"]) == (14, 14, 14)
    assert lengths["greedy"] > 14
    assert lengths["dfs"] > lengths["greedy"]
    assert (len(book["boards"]), book["table"].diameter) == (360, 21)


def test_iterative_deepening_and_the_boards_with_most_moves(run):
    book = run(4)
    assert len(book["path"]) == 9
    assert book["deepening"](book["puzzle"], 8) is None
    assert book["search"].result.length == 9
    assert book["farthest"] == ["8.6.7-2.5.4-3.0.1", "6.4.7-8.5.0-3.2.1"]
    assert (sum(book["table"].counts), book["table"].diameter) == (181_440, 31)
    assert len(book["rounds"]) == 10


def test_recursive_best_first_search_with_manhattan_distance(run):
    book = run(5)
    assert book["cost"] == len(book["path"]) == 14
    assert notebook.replay(book["harder"], book["path"]).total == 14
    assert book["rbfs"](book["puzzle"].start, book["puzzle"].goal) == ("RRULUL", 6)
    assert {result.length for result in book["race"].results} == {20}
