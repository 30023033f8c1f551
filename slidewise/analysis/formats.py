"""Results in the output formats of courses, for their checkers and for comparison.

The counts are defined in `slidewise.solver.events`, or by the course if the search ran under its
convention. A search does not know some figures of the formats, for example the memory of the
process. They are omitted unless given.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from slidewise.puzzle import PuzzleError, standard_goal, write_replay, write_scramble
from slidewise.puzzle.board import direction_word
from slidewise.puzzle.moves import opposite
from slidewise.puzzle.writing import aligned, plan, princeton
from slidewise.solver.result import Result, Status


@dataclass(frozen=True, slots=True)
class ResultFormat:
    """An output format: its key, its owner, and the function that yields its lines."""

    key: str
    title: str
    lines: Callable[[Result, float | None], Iterator[str]]


def write_result(result: Result, form: str, megabytes: float | None = None) -> str:
    """Format a result in a format of `FORMATS`; `megabytes` is the peak memory.

    >>> from slidewise import parse_puzzle, solve
    >>> print(write_result(solve(parse_puzzle("1.2-0.3")), "pddl"))
    (move t3 p4 p3)
    ; cost = 1 (unit cost)

    Raises `PuzzleError` for an unknown format.
    """
    if form not in FORMATS:
        raise PuzzleError(f"no format {form!r}: choose from {', '.join(FORMATS)}")
    return "\n".join(FORMATS[form].lines(result, megabytes))


def _columbia(result: Result, megabytes: float | None) -> Iterator[str]:
    """Yield the lines of ColumbiaX's `output.txt`: the blank's directions in words."""
    solved = result.length is not None
    # Printed as a Python list, as in ColumbiaX's file.
    words = [direction_word(letter).title() for letter in opposite(result.moves)]
    yield f"path_to_goal: {words if solved else None}"
    yield f"cost_of_path: {result.length}"
    yield f"nodes_expanded: {result.expanded}"
    yield f"search_depth: {result.length}"
    yield f"max_search_depth: {result.deepest}"
    yield f"running_time: {result.seconds:.8f}"
    if megabytes is not None:
        yield f"max_ram_usage: {megabytes:.8f}"


def _princeton(result: Result, _megabytes: float | None) -> Iterator[str]:
    """Yield the output of `main` in Princeton's and Coursera's `Solver`."""
    if result.status is Status.UNSOLVABLE:
        yield "Unsolvable puzzle"
        return
    if result.length is None:
        yield f"No solution found: {result.outcome}"
        return
    yield f"Minimum number of moves = {result.length}"
    for board in (result.puzzle.start, *(step.board for step in result.steps())):
        yield princeton(board)
        yield ""


def _forty_two(result: Result, _megabytes: float | None) -> Iterator[str]:
    """Yield the output of 42's subject: both complexities, the moves, and each state."""
    if result.status is Status.UNSOLVABLE:
        yield "This puzzle is unsolvable."
        return
    yield f"Complexity in time: {result.expanded}"
    yield f"Complexity in size: {result.peak_stored}"
    if result.length is None:
        yield f"No solution found: {result.outcome}"
        return
    yield f"Number of moves: {result.length}"
    for board in (result.puzzle.start, *(step.board for step in result.steps())):
        yield ""
        yield aligned(board)


def _pddl(result: Result, _megabytes: float | None) -> Iterator[str]:
    """Yield the plan as planners print it."""
    if result.length is None:
        yield f"; no plan found: {result.outcome}"
    else:
        yield plan(result.puzzle.start, result.moves).rstrip("\n")


def _slidysim(result: Result, _megabytes: float | None) -> Iterator[str]:
    """Yield the address of the replay at slidysim, which supports only the standard goal."""
    puzzle = result.puzzle
    if result.length is None:
        yield f"No solution found: {result.outcome}"
    elif puzzle.goal == standard_goal(*puzzle.goal.size):
        yield write_replay(puzzle.start, result.moves)
    else:
        raise PuzzleError("a replay of slidysim has the goal 1, 2, 3 ... with the blank last")


def _cstimer(result: Result, _megabytes: float | None) -> Iterator[str]:
    """Yield the scramble that leads from the goal to the start, as csTimer writes it."""
    if result.length is None:
        yield f"No solution found: {result.outcome}"
    else:
        yield write_scramble(result.moves)


FORMATS = {
    form.key: form
    for form in (
        ResultFormat("columbia", "output.txt of ColumbiaX", _columbia),
        ResultFormat("princeton", "Princeton’s and Coursera’s 8puzzle", _princeton),
        ResultFormat("42", "the n-puzzle of the school 42", _forty_two),
        ResultFormat("pddl", "a plan for the PDDL domain", _pddl),
        ResultFormat("slidysim", "the address of a replay at slidysim", _slidysim),
        ResultFormat("cstimer", "a scramble as csTimer writes it", _cstimer),
    )
}
"""The formats, by key."""
