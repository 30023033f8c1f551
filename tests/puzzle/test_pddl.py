import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from slidewise import (
    IllegalMoveError,
    InvalidMovesError,
    Puzzle,
    PuzzleError,
    parse_board,
    parse_puzzle,
    read_plan,
    solve,
    standard_goal,
    steps,
    understand_moves,
)
from slidewise.puzzle.moves import play
from slidewise.puzzle.reading import MAX_TEXT
from slidewise.puzzle.writing import DOMAIN, is_plan, plan, problem
from tests.each import each
from tests.puzzle.strategies import ALL_SIZES, boards_up_to, puzzles, walks
from tests.puzzle.strips import World

START = parse_board("1 2 5/3 4 0/6 7 8")


@pytest.mark.parametrize(
    "code",
    ["1.2.5-3.4.0-6.7.8_0.1.2-3.4.5-6.7.8", "1.0.3-4.2.5", "8.6.7-2.5.4-3.0.1", "3.1-2.0_0.1-3.2"],
)
def test_solution_reaches_the_goal_in_the_domain(code):
    puzzle = parse_puzzle(code)
    result = solve(puzzle, "astar", "manhattan")
    world = World(DOMAIN, problem(puzzle))
    for step in plan(puzzle.start, result.moves).splitlines()[:-1]:
        assert not world.solved
        world.do(step)
    assert world.solved


@given(walks(max_size=20))
def test_any_walk_is_a_plan_and_is_read_back(walked):
    board, moves = walked
    puzzle = Puzzle(board, play(board, moves))
    world = World(DOMAIN, problem(puzzle))
    text = plan(board, moves)
    for step in text.splitlines()[:-1]:
        world.do(step)
    assert world.solved
    assert text.endswith(f"; cost = {len(moves)} (unit cost)\n")
    if moves:
        assert read_plan(text, board) == moves
        assert understand_moves(text, board).moves == moves


@given(puzzles(st.sampled_from([(2, 2), (2, 3), (4, 3)])))
def test_domain_allows_exactly_the_legal_moves(puzzle):
    board = puzzle.start
    blank = board.blank + 1
    for cell, tile in enumerate(board.cells, 1):
        if tile:
            world = World(DOMAIN, problem(puzzle))
            step = f"(move t{tile} p{cell} p{blank})"
            if tile in board.movable:
                world.do(step)
            else:
                with pytest.raises(AssertionError):
                    world.do(step)


@each(
    "text",
    [
        "(move t5 p3 p6)",
        "(MOVE T5 P3 P6)\n; cost = 1 (unit cost)",
        "0: (move t5 p3 p6) [1]",
        "0.00100: (slide tile5 pos2 pos5)  [1.000]",
        "step 0: MOVE T5 P3 P6",
        "move(t5, p3, p6)",
        "slide t5 p3 p6",
        "(move-down t_5 cell-1-3 cell-2-3)",
        "(move-down n5 c0-2 c1-2)",
        "(move-blank p6 p3)",
        "(move 5 p3 p6)",
        "(move t5 r1 c3)",
    ],
)
def test_plans_of_other_domains_are_read(text):
    assert read_plan(text, START) == "D"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("(move t5 p3 p6)\n(move t1 p1 p3)", IllegalMoveError, "step 2, .*tile 1 is not beside"),
        ("(move t5 p3 p6)\n(move t2 p4 p3)", IllegalMoveError, "step 2, .*goes from p2 to p3 on"),
        ("(move t5 p3 p6)\n(move t2 p1 p2)", IllegalMoveError, "step 2, .*goes from p2 to p3 on"),
        ("(move-blank p8 p4)", IllegalMoveError, "step 1, .*the blank is in p6"),
        ("(move t5 p3 p6)\n(jump)", InvalidMovesError, r"step 2, '\(jump\)': expected a tile"),
        ("(move t5 p3 p6)\n(move t5 p3 p6)", IllegalMoveError, "step 2, .*goes from p6 to p3 on"),
        ("(move-blank p6 p10)", IllegalMoveError, "step 1, .*the blank is in p6"),
        ("move(t1, p3, p6)", IllegalMoveError, "tile 1 is not beside"),
        ("(move t99 p3 p6)", IllegalMoveError, "tile 99 is not beside"),
        ("", InvalidMovesError, "expected a plan with steps such as"),
        ("; nothing", InvalidMovesError, "expected a plan with steps such as"),
        ("x" * (MAX_TEXT + 1), InvalidMovesError, "at most 200,000 characters"),
    ],
)
def test_first_wrong_step_is_named(text, error, message):
    with pytest.raises(error, match=message):
        read_plan(text, START)


@pytest.mark.parametrize(("base", "names_tiles"), [(0, True), (1, True), (1, False)])
@pytest.mark.parametrize("turned", [False, True])
@given(walked=walks(max_size=9))
def test_cells_are_numbered_from_0_or_1_in_either_order(walked, base, turned, names_tiles):
    board, moves = walked
    assume(moves)
    lines, before = [], board.blank
    for step in steps(board, moves):
        cells = [step.board.blank + base, before + base][:: -1 if turned else 1]
        tile = f"t{step.tile} " if names_tiles else ""
        lines.append(f"(move {tile}p{cells[0]} p{cells[1]})")
        before = step.board.blank
    assert read_plan("\n".join(lines), board) == moves


@each("size", ALL_SIZES)
def test_neighbours_are_stated_once_in_each_direction(size):
    rows, cols = size
    beside = re.findall(r"\(beside [^)]*\)", problem(Puzzle.standard(standard_goal(rows, cols))))
    assert len(beside) == len(set(beside)) == 2 * (2 * rows * cols - rows - cols)


def test_plan_of_the_greatest_length_is_read():
    plan = "(move t5 p3 p6)"
    assert read_plan(plan.ljust(MAX_TEXT), START) == "D"


@each("text", ["['Up']", "U2RDL3", "(Up, Left)", "blank: Up", "[5, 2, 1]", "", "((", "6R-7D"])
def test_text_without_a_plan_is_refused(text):
    assert not is_plan(text)


def test_long_text_is_refused_in_a_short_message():
    with pytest.raises(PuzzleError) as caught:
        read_plan("(move t8 p9 p6)" * 2_000, START)
    assert len(str(caught.value)) < 400


@given(st.text() | st.text("(move t5 p123\n;[]:)", max_size=40), boards_up_to(9))
def test_any_text_is_a_plan_or_a_puzzle_error(text, board):
    try:
        moves = read_plan(text, board)
    except PuzzleError:
        return
    assert play(board, moves)
