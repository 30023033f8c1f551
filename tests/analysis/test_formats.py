"""Results in the output formats of courses."""

import ast

import pytest

from slidewise import (
    Limits,
    PuzzleError,
    parse_board,
    parse_puzzle,
    read_plan,
    solve,
    understand_moves,
    write_result,
)
from slidewise.analysis.formats import FORMATS
from tests.each import each

BLANK_FIRST = "1.2.5-3.4.0-6.7.8_0.1.2-3.4.5-6.7.8"
UNSOLVABLE = parse_puzzle("2.1.3-4.5.6-7.8.0")
FOUR_MOVES = parse_puzzle("0 1 3\n4 2 5\n7 8 6")


def test_columbia_format():
    result = solve(parse_puzzle(BLANK_FIRST), "bfs")
    lines = dict(line.split(": ") for line in write_result(result, "columbia", 4.2).splitlines())
    assert list(lines) == [
        "path_to_goal",
        *("cost_of_path", "nodes_expanded", "search_depth", "max_search_depth", "running_time"),
        "max_ram_usage",
    ]
    assert ast.literal_eval(lines["path_to_goal"]) == ["Up", "Left", "Left"]
    assert (lines["cost_of_path"], lines["nodes_expanded"], lines["search_depth"]) == (
        "3",
        "10",
        "3",
    )
    assert lines["max_search_depth"] == str(result.deepest)
    assert lines["max_ram_usage"] == "4.20000000"
    assert float(lines["running_time"]) == pytest.approx(result.seconds, abs=1e-8)


def test_path_of_columbia_is_read_back():
    puzzle = parse_puzzle(BLANK_FIRST)
    result = solve(puzzle, "bfs")
    text = write_result(result, "columbia")
    assert "max_ram_usage" not in text, "nobody has measured it"
    assert understand_moves(text.splitlines()[0], puzzle.start).moves == result.moves


def test_princeton_format():
    text = write_result(solve(FOUR_MOVES, "astar", "manhattan"), "princeton")
    assert text.startswith("Minimum number of moves = 4\n3\n 0  1  3 \n 4  2  5 \n 7  8  6 \n\n3\n")
    boards = [parse_board(part) for part in text.partition("\n")[2].split("\n\n") if part]
    assert boards[0] == FOUR_MOVES.start
    assert boards[-1] == FOUR_MOVES.goal
    assert len(boards) == 5
    assert write_result(solve(UNSOLVABLE), "princeton") == "Unsolvable puzzle"


def test_format_of_42():
    result = solve(parse_puzzle("1 2 3/8 4 0/7 6 5", "1 2 3/8 0 4/7 6 5"), "astar", "manhattan")
    assert write_result(result, "42").splitlines() == [
        f"Complexity in time: {result.expanded}",
        f"Complexity in size: {result.peak_stored}",
        "Number of moves: 1",
        *("", "1 2 3", "8 4 0", "7 6 5"),
        *("", "1 2 3", "8 0 4", "7 6 5"),
    ]
    assert write_result(solve(UNSOLVABLE), "42") == "This puzzle is unsolvable."


def test_pddl_format():
    result = solve(FOUR_MOVES)
    assert read_plan(write_result(result, "pddl"), FOUR_MOVES.start) == result.moves
    assert write_result(solve(UNSOLVABLE), "pddl") == "; no plan found: unsolvable"


@each("form", FORMATS)
def test_early_end_is_reported(form):
    result = solve(FOUR_MOVES, "bfs", limits=Limits(expansions=1))
    text = write_result(result, form)
    assert "path_to_goal: None" in text or "cutoff, at least 4 moves" in text


def test_unknown_format_is_refused():
    with pytest.raises(PuzzleError, match="no format 'latex': choose from columbia, princeton, 42"):
        write_result(solve(FOUR_MOVES), "latex")
