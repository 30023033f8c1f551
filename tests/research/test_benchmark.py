"""Benchmark sets and scores, compared with the plain breadth-first search of the tests."""

import json
import random
from datetime import date

import pytest

from slidewise import Puzzle, PuzzleError, parse_puzzle, solve, standard_goal
from slidewise.analysis.distance import Range
from slidewise.research.benchmark import (
    STRATA,
    UnreadableAnswersError,
    day_seed,
    distance_of,
    draw_at,
    make_set,
    read_lines,
    score,
    score_answer,
    summarize,
)
from tests.each import each
from tests.solver import oracle

SMALL = standard_goal(2, 3)


@pytest.fixture(scope="module")
def distances():
    return oracle.distances(SMALL.cells, 2, 3)


def answers(*lines):
    return read_lines("\n".join(map(json.dumps, lines)))


def test_set_has_its_distances_and_repeats(distances):
    strata = [(SMALL, [4, 7, 18]), (standard_goal(3, 4), [9, 20])]
    found = list(make_set("a seed", strata, 3))
    assert found == list(make_set("a seed", strata, 3))
    assert [one.number for one in found] == list(range(1, 16))
    for one in found[:9]:
        assert distances[one.puzzle.start.cells] == one.distance
    for one in found[9:]:
        assert solve(one.puzzle, "astar", "linear-conflict").length == one.distance
    others = {str(one.puzzle) for one in make_set("another", strata, 3)}
    assert not others & {str(one.puzzle) for one in found[12:]}
    line = json.loads(found[0].line())
    assert set(line) == {"set", "number", "puzzle"}


FIRST = "0.5.3.4-2.1.7.8-9.6.10.11-13.14.15.12"
LAST = "12.13.7.9-10.6.2.0-1.11.14.3-5.15.8.4"


def test_set_of_a_day_never_changes():
    drawn = list(make_set(day_seed(date(2026, 11, 26)), [(standard_goal(4, 4), [10, 50])], 1))
    assert [str(one.puzzle) for one in drawn] == [FIRST, LAST]
    assert [distance_of(one.puzzle) for one in drawn] == [10, 50]


def test_puzzles_of_a_set_are_different(distances):
    all_at = sum(distance == 2 for distance in distances.values())
    found = {one.puzzle for one in make_set("x", [(SMALL, [2])], all_at)}
    assert len(found) == all_at
    with pytest.raises(PuzzleError, match=f"only {all_at} different puzzles of 2x3 with 2 moves"):
        list(make_set("x", [(SMALL, [2])], all_at + 1))


def test_default_strata_exist():
    for size, moves in STRATA.items():
        for distance in (moves[0], moves[-1]):
            assert draw_at(standard_goal(*size), "x", Range(distance, distance))[1] == distance


@each(
    ("size", "moves"),
    [((3, 3), Range(40, 40)), ((4, 4), Range(0, 0)), ((4, 4), Range(9, 5)), ((5, 5), Range(9, 9))],
)
def test_impossible_distance_is_refused(size, moves):
    with pytest.raises(PuzzleError):
        draw_at(standard_goal(*size), "x", moves)


def test_regret_is_that_of_each_move(distances):
    draws = random.Random(5)
    for cells in draws.sample(sorted(distances), 30):
        board = start = type(SMALL)(2, 3, cells)
        moves, regret = "", 0
        for _ in range(draws.randrange(12)):
            move = draws.choice(board.legal_directions)
            after = board.move(move)
            regret += 1 + distances[after.cells] - distances[board.cells]
            board, moves = after, moves + move
        found = score_answer(Puzzle(start, SMALL), moves)
        assert (found.moves, found.regret) == (len(moves), regret)
        assert found.solved == (board == SMALL)
        assert found.is_shortest == (found.solved and len(moves) == distances[cells])


def test_moves_after_the_first_wrong_one_do_not_count():
    puzzle = parse_puzzle("1.2.3-4.0.6-7.5.8")
    found = score_answer(puzzle, "UUL")
    assert (found.moves, found.regret, found.solved) == (1, 0, False)
    assert found.problem.startswith("move 2: no tile can move up")
    assert score_answer(puzzle, [5, 1, 8]).moves == 1


@each("moves", ["UL", "U L", "5 8", [5, 8], ["U", "L"], "u1l1"])
def test_all_forms_of_moves_are_read(moves):
    assert score_answer(parse_puzzle("1.2.3-4.0.6-7.5.8"), moves).is_shortest


@each("moves", [None, "", [], "up and left", 7, [[5]], [True], {"U": 1}, ["UL"], [10**400]])
def test_missing_and_unreadable_moves_are_not_solved(moves):
    found = score_answer(parse_puzzle("1.2.3-4.0.6-7.5.8"), moves)
    assert (found.moves, found.solved, found.regret) == (0, False, 0)
    assert found.problem


def test_directions_of_the_blank_are_read():
    line = {"puzzle": "1.2.3-4.0.6-7.5.8", "moves": "DR", "mover": "blank"}
    assert score(answers(line))[0].is_shortest


def test_summary_counts_by_size_and_distance():
    of_set = [parse_puzzle(code) for code in ("1.2.3-4.0.6-7.5.8", "1.2-0.3", "1.0.3-4.2.5")]
    scores = score(
        answers(
            {"puzzle": "1.2-0.3", "moves": "L"},
            {"puzzle": "1.2.3-4.0.6-7.5.8", "moves": "UDUL"},
        ),
        of_set,
    )
    rows = summarize(scores)
    assert [tuple(row) for row in rows] == [
        ("2x2", 1, 1, 1, 1, 1, 0.0),
        ("2x3", 2, 1, 0, 0, 0, None),
        ("3x3", 2, 1, 1, 1, 0, 0.5),
        ("all", None, 3, 2, 2, 1, 0.4),
    ]


def test_large_board_is_replayed_without_regret():
    found = score_answer(Puzzle(standard_goal(5, 5).move("D"), standard_goal(5, 5)), "U")
    assert (found.solved, found.distance, found.regret) == (True, None, None)
    assert summarize([found])[-1].regret_a_move is None


@each(
    "text",
    [
        "not json",
        "[]",
        "7",
        '{"moves": "U"}',
        '{"puzzle": 7}',
        '{"puzzle": "1.2-0.0"}',
        "[" * 100_000,
        '{"puzzle": "1.2-0.3"}\n{"puzzle": "1.2-0.3"}',
        '{"puzzle": "1.2-3.0_0.1-2.3"}',
    ],
)
def test_unreadable_lines_are_named(text):
    with pytest.raises(UnreadableAnswersError, match=r"line [12]: "):
        score(read_lines(text), [parse_puzzle("1.2-0.3")])
