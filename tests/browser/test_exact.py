"""The exact engine of the browser: its answers are those of the library."""

import hashlib
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page

from slidewise import Board, Puzzle, exact_table, scramble, standard_goal
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.tables.exact import packed_distances
from tests.browser.steps import START

MODULES = """const load = (name) => import(
  document.querySelector("script[src*='app.js']").src.replace("app.js", name));"""

ANSWERS = f"""async ([goal, boards]) => {{ {MODULES}
  const {{ parse }} = await load("board.js");
  const {{ open }} = await load("exact/exact.js");
  const engine = open({{ goal: parse(goal) }});
  const found = [];
  for (const board of boards.map(parse)) {{
    const {{ moves, exact, path }} = await engine.ask(board);
    const now = engine.distanceNow(board);
    const words = (number) => (number === Infinity ? "never" : number);
    found.push([words(moves), exact, path, words(now.moves), now.exact]);
  }}
  return found;
}}"""

DIGEST = f"""async ([rows, cols, blank]) => {{ {MODULES}
  const {{ distances }} = await load("exact/table.js");
  const digest = await crypto.subtle.digest("SHA-256", distances(rows, cols, blank));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}}"""

SIZES = [
    (rows, cols) for rows, cols in product(range(2, 6), repeat=2) if rows * cols <= TABLE_CELLS
]

Answers = Callable[[Board, list[Board]], list[Any]]


@pytest.fixture
def page_of_game(page: Page) -> Page:
    page.goto(f"/play/{START}")
    return page


@pytest.fixture
def answers(page_of_game: Page) -> Answers:
    """Return a function that asks the engine about boards."""

    def ask(goal: Board, boards: list[Board]) -> list[Any]:
        found: list[Any] = page_of_game.evaluate(ANSWERS, [str(goal), list(map(str, boards))])
        return found

    return ask


def goal_with(rows: int, cols: int, blank: int) -> Board:
    """Return the goal with its tiles in order and the blank in this cell."""
    cells = list(range(1, rows * cols))
    cells.insert(blank, 0)
    return Board(rows, cols, tuple(cells))


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_table_equals_the_librarys_for_each_blank(page_of_game: Page, rows: int, cols: int) -> None:
    blanks = range(rows * cols) if rows * cols < TABLE_CELLS else (0, 2, 9)
    for blank in blanks:
        expected = hashlib.sha256(packed_distances(goal_with(rows, cols, blank))).hexdigest()
        assert page_of_game.evaluate(DIGEST, [rows, cols, blank]) == expected, blank


@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_small_boards_have_the_librarys_shortest_paths(
    answers: Answers, rows: int, cols: int, count: int
) -> None:
    for goal in standard_goal(rows, cols), scramble(rows, cols, "any goal").start:
        boards = [scramble(rows, cols, f"start {number}").start for number in range(count // 2)]
        for board, answer in zip(boards, answers(goal, boards), strict=True):
            moves = exact_table(goal).distance(board)
            assert answer == [moves, True, first_path(board, goal), moves, True], board


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5)])
def test_small_unsolvable_boards_have_no_distance(answers: Answers, rows: int, cols: int) -> None:
    goal = scramble(rows, cols, "any goal").start
    boards = [with_swapped(scramble(rows, cols, f"{number}").start) for number in range(20)]
    assert not any(Puzzle(board, goal).solvable for board in boards)
    assert answers(goal, boards) == [["never", True, None, "never", True]] * 20


def first_path(board: Board, goal: Board) -> list[int]:
    """Return the tiles of the first shortest path, as the library has it."""
    table, tiles = exact_table(goal), []
    while board != goal:
        tiles.append(table.next_tiles(board)[0])
        board = board.slide(tiles[-1])
    return tiles


def with_swapped(board: Board) -> Board:
    """Return the board with tiles 1 and 2 swapped, which cannot reach what the board can."""
    swapped = {1: 2, 2: 1}
    return Board(*board.size, tuple(swapped.get(tile, tile) for tile in board.cells))
