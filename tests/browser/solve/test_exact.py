"""The browser's exact engine gives the same answers as the library."""

import hashlib
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from slidewise import (
    Board,
    Proof,
    Puzzle,
    exact_table,
    parse_board,
    parse_puzzle,
    scramble,
    solve,
    standard_goal,
)
from slidewise.analysis.distance import hard_puzzle
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.engines.bracket import BEAMS_FROM_EXPANSIONS
from slidewise.solver.tables.exact import packed_distances
from slidewise.solver.tables.patterns import database
from tests.browser.steps import MODULES, START
from tests.each import each, some

ANSWERS = f"""async ([goal, boards]) => {{ {MODULES}
  const {{ parse }} = await load("board.js");
  const {{ open }} = await load("exact/exact.js");
  const engine = open({{ goal: parse(goal) }});
  await engine.prepare(); // its time is not that of a question, which has a limit
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

PATTERNS = f"""async ([rows, cols, goal]) => {{ {MODULES}
  const {{ patterns }} = await load("exact/patterns.js");
  const digest = async () => {{
    const {{ values }} = await patterns(rows, cols, goal);
    const sum = await crypto.subtle.digest("SHA-256", values);
    return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }};
  await caches.delete("tables");
  const built = await digest();
  while ((await (await caches.open("tables")).keys()).length === 0)
    await new Promise((resolve) => {{ setTimeout(resolve, 20); }});
  return [built, await digest()];
}}"""

STOPPED = f"""async ([goal, hard, easy]) => {{ {MODULES}
  const {{ parse }} = await load("board.js");
  const {{ open }} = await load("exact/exact.js");
  const engine = open({{ goal: parse(goal) }});
  await engine.prepare(); // its time is not that of a question, which has a limit
  const bounds = [];
  const solve = new AbortController();
  const solved = engine.solve(parse(hard), () => {{}}, solve.signal);
  const first = await new Promise((resolve) => {{
    const asked = engine.ask(parse(hard), (bound) => {{
      bounds.push(bound);
      if (bounds.length === 3) resolve([asked, engine.ask(parse(easy))]);
    }});
  }});
  const [stopped, answer] = await Promise.all(first);
  const now = engine.distanceNow(parse(hard));
  solve.abort();
  return {{ bounds, stopped, answer, now, solved: await solved }};
}}"""

ALONG = f"""async ([goal, start]) => {{ {MODULES}
  const {{ format, line, parse, slide }} = await load("board.js");
  const {{ open }} = await load("exact/exact.js");
  const engine = open({{ goal: parse(goal) }});
  const {{ path }} = await engine.ask(parse(start));
  const found = [];
  let board = parse(start);
  const look = (from) => {{
    for (const other of new Set(board.cells)) {{
      const beside = line(board, other)?.tiles.length === 1 && slide(board, other);
      if (beside) found.push([format(beside), from.distanceNow(beside)]);
    }}
  }};
  for (const tile of path) {{
    look(engine);
    board = slide(board, tile);
  }}
  look(engine);
  look(open({{ goal: board }})); // which knows the goal alone
  return found;
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
    """Return a function that queries the engine about boards."""

    def query(goal: Board, boards: list[Board]) -> list[Any]:
        found: list[Any] = page_of_game.evaluate(ANSWERS, [str(goal), list(map(str, boards))])
        return found

    return query


def goal_with(rows: int, cols: int, blank: int) -> Board:
    """Return the goal with its tiles in order and the blank in cell `blank`."""
    cells = list(range(1, rows * cols))
    cells.insert(blank, 0)
    return Board(rows, cols, tuple(cells))


@each(("rows", "cols"), SIZES)
def test_table_equals_the_librarys_for_each_blank(page_of_game: Page, rows: int, cols: int) -> None:
    cells = rows * cols
    blanks = {rows} if cells == TABLE_CELLS else {0, rows, cells - 2, cells - 1}
    for blank in blanks:
        expected = hashlib.sha256(packed_distances(goal_with(rows, cols, blank))).hexdigest()
        assert page_of_game.evaluate(DIGEST, [rows, cols, blank]) == expected, blank


@pytest.mark.parametrize("count", [20, pytest.param(1000, marks=pytest.mark.soak)])
@each(("rows", "cols"), SIZES)
def test_small_boards_have_the_librarys_shortest_paths(
    answers: Answers, rows: int, cols: int, count: int
) -> None:
    goals = [scramble(rows, cols, "any goal").start, standard_goal(rows, cols)]
    for goal in goals if rows * cols < TABLE_CELLS else goals[:1]:  # its table takes a second
        boards = [scramble(rows, cols, f"start {number}").start for number in range(count // 2)]
        for board, answer in zip(boards, answers(goal, boards), strict=True):
            moves = exact_table(goal).distance(board)
            assert answer == [moves, True, first_path(board, goal), moves, True], board


@each(("rows", "cols"), [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4)])
def test_small_unsolvable_boards_have_no_distance(answers: Answers, rows: int, cols: int) -> None:
    goal = scramble(rows, cols, "any goal").start
    boards = [with_swapped(scramble(rows, cols, f"{number}").start) for number in range(20)]
    assert not any(Puzzle(board, goal).solvable for board in boards)
    assert answers(goal, boards) == [["never", True, None, "never", True]] * 20


def first_path(board: Board, goal: Board) -> list[int]:
    """Return the tiles of the library's first shortest path."""
    table, tiles = exact_table(goal), []
    while board != goal:
        tiles.append(table.next_tiles(board)[0])
        board = board.slide(tiles[-1])
    return tiles


def with_swapped(board: Board) -> Board:
    """Return the board with tiles 1 and 2 swapped, which changes its solvability."""
    swapped = {1: 2, 2: 1}
    return Board(*board.size, tuple(swapped.get(tile, tile) for tile in board.cells))


KORF = Path(__file__).parents[2] / "data" / "korf15.txt"
NEAR = "1.2.3.4-5.6.7.8-9.10.0.11-13.14.15.12"

LARGE = [(3, 4), (6, 2), (4, 4), (2, 7), (4, 3), (2, 6), (7, 2), (3, 5), (5, 3)]
SIZES_BEFORE_SOAK = 3
"""The first sizes, which always run; the others run in `make soak`."""

SHIPPED = [(3, 4), (4, 4)]
"""Sizes whose tables the library ships, so none are built. 4x4 takes long, in `make soak`."""


def large_goals(rows: int, cols: int) -> list[Board]:
    """Return goals with each kind of blank cell, one of them with shuffled tiles."""
    return [standard_goal(rows, cols), goal_with(rows, cols, 1), scramble(rows, cols, "goal").start]


@pytest.mark.parametrize(("rows", "cols"), some(SHIPPED, 0))
def test_built_and_stored_pattern_tables_equal_the_librarys(
    page_of_game: Page, rows: int, cols: int
) -> None:
    goal = standard_goal(rows, cols)
    expected = hashlib.sha256(database.load(goal).arrays.values.data).hexdigest()
    assert page_of_game.evaluate(PATTERNS, [rows, cols, list(goal.cells)]) == [expected, expected]


@pytest.mark.parametrize(
    ("sizes", "count"),
    [
        (LARGE[:SIZES_BEFORE_SOAK], 2),
        *(pytest.param([size], 200, marks=pytest.mark.soak) for size in LARGE),
    ],
)
def test_large_boards_have_the_librarys_shortest_paths(
    answers: Answers, sizes: list[tuple[int, int]], count: int
) -> None:
    for rows, cols in sizes:
        goals = large_goals(rows, cols)
        for goal in goals if count > 2 or (rows, cols) == (3, 4) else goals[:1]:
            starts = [scramble(rows, cols, f"start {number}").start for number in range(count)]
            boards = [board for board in starts if Puzzle(board, goal).solvable]
            for board, answer in zip(boards, answers(goal, boards), strict=True):
                expected = solve(Puzzle(board, goal))
                moves = expected.length
                assert expected.verdict.kind is Proof.OPTIMAL
                assert answer[:2] + answer[3:] == [moves, True, moves, True], board
                if expected.expanded < BEAMS_FROM_EXPANSIONS:  # the path is from IDA* itself
                    assert answer[2] == list(expected.tiles), board


@pytest.mark.soak
def test_korfs_boards_have_the_published_lengths(answers: Answers) -> None:
    lines = [line.split() for line in KORF.read_text(encoding="utf-8").splitlines()[1:]]
    lengths = {parse_puzzle(code): int(length) for _, code, length in lines}
    puzzles = sorted(lengths, key=lengths.__getitem__)
    assert len(puzzles) == 100
    found = answers(puzzles[0].goal, [puzzle.start for puzzle in puzzles])
    for puzzle, (moves, exact, path, *_) in zip(puzzles, found, strict=True):
        assert (moves, exact, len(path)) == (lengths[puzzle], True, lengths[puzzle]), puzzle
        board = puzzle.start
        for tile in path:
            board = board.slide(tile)
        assert board == puzzle.goal


def test_new_query_ends_the_last_and_uses_its_bound(page_of_game: Page) -> None:
    hard = hard_puzzle(standard_goal(4, 4), 80, 0)
    found = page_of_game.evaluate(STOPPED, [str(hard.goal), str(hard.start), NEAR])
    bounds = found["bounds"]
    assert bounds == sorted(set(bounds))
    assert {bound % 2 for bound in bounds} == {0}
    assert found["answer"] == {"moves": 2, "exact": True, "path": [11, 12]}
    for answer in found["stopped"], found["solved"], found["now"]:
        assert not answer["exact"]
        assert bounds[-1] <= answer["moves"] <= 80


def test_boards_beside_a_known_path_have_true_bounds_at_once(page_of_game: Page) -> None:
    puzzle = scramble(3, 4, "along")
    found = page_of_game.evaluate(ALONG, [str(puzzle.goal), str(puzzle.start)])
    on_path = 0
    for text, known in found:
        moves = solve(puzzle.starting_at(parse_board(text))).length
        assert moves is not None
        assert known["moves"] == moves if known["exact"] else known["moves"] in (moves, moves - 2)
        on_path += known["exact"]
    assert on_path >= solve(puzzle).length  # at least, for each board of the path
