"""Runs of the reference programs: as without instruments, in the order of other searches."""

import pytest

from slidewise import parse_puzzle
from slidewise.course.judge.exercise import find_exercise
from slidewise.course.programs.boards import GIVEN, manhattan, neighbors
from slidewise.course.searching import record_search
from slidewise.course.stepping import run_heuristic, run_pattern_table, run_search
from webapp.course.learn.lessons import LESSONS

GOAL = (1, 2, 3, 4, 5, 0)
SEARCHES = [key for key in LESSONS if key not in ("manhattan", "pdb")]


def run_of(key):
    lesson = LESSONS[key]
    start = parse_puzzle(lesson.board).start.cells
    return run_search(key, start, GOAL, lesson.limit), start, lesson


@pytest.mark.parametrize("key", SEARCHES)
def test_run_expands_as_the_program_without_instruments(key):
    run, start, lesson = run_of(key)
    expanded = []

    def watched(board):
        expanded.append(board)
        return neighbors(board)

    exercise = find_exercise(key)
    names = {**GIVEN, "neighbors": watched}
    exec(exercise.solution, names)
    more = {"h": manhattan, "limit": lesson.limit, "depth": lesson.limit}
    found = names[key](start, GOAL, *(more[name] for name in exercise.parameters[2:]))
    assert run.expanded == expanded
    assert run.found == found


@pytest.mark.parametrize("key", SEARCHES)
def test_figure_expands_the_boards_of_the_program(key):
    run, _start, _lesson = run_of(key)
    boards = [run.nodes[step.node].board for step in run.steps[1:]]
    looked = zip(boards, run.steps[1:], strict=True)
    assert [board for board, step in looked if step.beside] == run.expanded
    assert boards[-1] == GOAL
    for step in run.steps[1:]:
        assert step.states[step.node] in ("now", "cut")


def test_breadth_first_run_is_the_recording_of_the_viewer():
    run, _start, lesson = run_of("bfs")
    recording = record_search(parse_puzzle(lesson.board), "bfs")
    taken = [recording.nodes[step.node].board.cells for step in recording.steps]
    assert [run.nodes[step.node].board for step in run.steps[1:]] == taken


@pytest.mark.parametrize("key", ["ucs", "greedy", "astar", "rbfs"])
def test_ranked_run_takes_the_lowest_rank_that_waits(key):
    run, _start, _lesson = run_of(key)
    for before, step in zip(run.steps[1:], run.steps[2:], strict=False):
        waiting = [node for node, state in before.states.items() if state == "wait"]
        assert step.node in waiting
        assert before.ranks[step.node] == min(before.ranks[node] for node in waiting)


def test_ranks_are_costs_estimates_and_sums():
    for key, value in {
        "ucs": lambda one: one.g,
        "greedy": lambda one: one.h,
        "astar": lambda one: one.g + one.h,
    }.items():
        run, _start, _lesson = run_of(key)
        for node, rank in run.steps[-1].ranks.items():
            assert rank == value(run.nodes[node])
            assert run.nodes[node].h in (None, manhattan(run.nodes[node].board, GOAL))


def test_rounds_of_iterative_deepening_have_rising_limits():
    run, _start, _lesson = run_of("iddfs")
    limits = [step.limit for step in run.steps[1:]]
    assert limits == sorted(limits)
    assert [limits.count(limit) for limit in range(5)] == [1, 3, 6, 11, 14]


def test_each_moment_is_a_line_with_the_values_of_its_call():
    run, _start, _lesson = run_of("iddfs")
    lines = [line.text for line in run.lines]
    last = [moment.line for moment in run.steps[-1].moments]
    assert lines[last[-1]] == "return boards"
    values = run.steps[-1].moments[-1].values
    assert {lines[line]: value for line, value in values.items()} == {
        "for limit in range(depth + 1):": "limit 4",
        "if boards[-1] == goal:": "yes",
    }


@pytest.mark.parametrize("key", SEARCHES)
def test_blank_line_is_a_line_that_runs(key):
    run, _start, _lesson = run_of(key)
    assert run.lines[run.blank].text == find_exercise(key).blank
    assert any(one.line == run.blank for step in run.steps for one in step.moments)


def test_run_of_a_heuristic_adds_up_rows_and_columns():
    board = parse_puzzle(LESSONS["manhattan"].board).start.cells
    run = run_heuristic("manhattan", board, GOAL, ())
    ranks = run.steps[-1].ranks
    assert sum(ranks.values()) == manhattan(board, GOAL)
    assert {node: one.g + one.h for node, one in enumerate(run.nodes)} == ranks


def test_pattern_run_takes_each_board_at_the_cost_in_the_table():
    names = {**GIVEN}
    exercise = find_exercise("pattern_table")
    exec(exercise.for_shape(exercise.solution, (2, 3)), names)
    table = names["pattern_table"]((1,), GOAL)
    run = run_pattern_table((1,), GOAL)
    *steps, last = run.steps[1:]
    taken = [run.nodes[step.node] for step in steps]
    assert len({node.board for node in taken}) == len(taken) == len(run.nodes) == 30
    lowest = {}
    for node in taken:
        lowest.setdefault((node.board.index(1),), node.g)
    assert lowest == table
    assert last.node is None
    assert not last.waiting
