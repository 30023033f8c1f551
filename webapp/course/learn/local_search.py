"""Local search in one lesson, beside the path: a climb that gets stuck, and four searches."""

from functools import cache
from typing import NamedTuple

from flask import render_template

from slidewise import algorithms, parse_puzzle
from slidewise.course.judge import find_exercise
from slidewise.course.judge.cases import distances
from slidewise.course.programs.boards import Cells, manhattan, neighbors
from slidewise.course.programs.calls import Case
from slidewise.course.programs.running import Program
from slidewise.puzzle import Board

from ...http.routes import static_page
from .topics import blueprint

CLIMB = "5.0.4-1.3.2"
"""Start of the climb in the figure."""

CLIMBING, ANNEALING = "hill_climbing", "annealing"
CONDITION = "h(best, goal) >= h(board, goal)"
"""The exercise's own part of its loop, which the lesson leaves blank."""

SAMPLE = {"size": "3x3", "boards": "60", "moves": "", "seconds": "2", "seed": "1"}
"""Settings of Many boards: random boards, as in AIMA's exercise."""


class ClimbStep(NamedTuple):
    """A board of the figure: its code, its distance in moves, its h, the top of its bar of 100."""

    code: str
    moves: int
    h: int
    top: int


@cache
def climb() -> tuple[list[ClimbStep], list[ClimbStep]]:
    """Return the boards of the exercise's reference solution, and the last board's neighbours."""
    puzzle = parse_puzzle(CLIMB)
    start, goal = puzzle.start.cells, puzzle.goal.cells
    exercise = find_exercise(CLIMBING)
    program = Program(exercise.target, exercise.solution, hooks=False)
    boards = program.run(Case((), {"start": start, "goal": goal, "h": "manhattan"})).value
    highest = manhattan(start, goal)

    def step(cells: Cells) -> ClimbStep:
        h = manhattan(cells, goal)
        code = str(Board(puzzle.rows, puzzle.cols, cells))
        return ClimbStep(code, distances(goal)[cells], h, 100 - 100 * h // highest)

    path = [step(tuple(board)) for board in boards]
    return path, [step(board) for board in neighbors(tuple(boards[-1]))]


def _loop() -> str:
    """Return the reference solution without its condition and its docstring."""
    text = find_exercise(CLIMBING).solution.replace(CONDITION, "…")
    return "\n".join(line for line in text.splitlines() if '"""' not in line)


@blueprint.get("/local-search")
@static_page
def local_search() -> str:
    """Show the lesson."""
    path, around = climb()
    searches = [one for one in algorithms().values() if one.local]
    return render_template(
        "course/learn/local_search.html",
        path=path,
        around=around,
        shortest=path[0].moves,
        left=path[-1].moves,
        loop=_loop(),
        condition=CONDITION,
        exercises=[find_exercise(key) for key in (CLIMBING, ANNEALING)],
        sample=SAMPLE | {"run": ",".join(f"{one.key}:manhattan" for one in searches)},
    )
