"""A result as text: the steps as boards, the moves in three notations, the verdict, the cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.puzzle import format_moves
from slidewise.puzzle.moves import opposite
from slidewise.solver.result import Proof, Status
from slidewise.text import duration, plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle import Puzzle
    from slidewise.solver.result import Result


def print_result(result: Result) -> None:
    """Print the start board, the steps if there are some, and what is known."""
    for line in lines(result):
        print(line)


def lines(result: Result) -> Iterator[str]:
    """Yield what `print_result` prints. Steps are made one by one, as a path may be long."""
    yield f"Puzzle {result.puzzle}"
    yield result.puzzle.start.boxed()
    if result.status is Status.UNSOLVABLE:
        yield from explain_unsolvable(result.puzzle)
        return
    if result.status is Status.INVALID:
        yield f"{result.method}: {result.verdict.reason}."
        return
    for step in result.steps():
        yield f"\n{step}"
        yield step.board.boxed(moved=step.tile)
    yield ""
    yield from _moves(result)
    yield _verdict(result)
    yield from _cost(result)


def explain_unsolvable(puzzle: Puzzle) -> Iterator[str]:
    """Yield why the goal cannot be reached, and two puzzles whose goals can."""
    ways_out = puzzle.ways_out()
    first, second = ways_out.tiles
    yield "This goal cannot be reached:"
    yield puzzle.goal.boxed()
    yield puzzle.parity.explain()
    yield "Two ways out:"
    yield f"  swap tiles {first} and {second} in the start:  {ways_out.swapped}"
    yield f"  take another goal:  {ways_out.other_goal}"


def _moves(result: Result) -> Iterator[str]:
    if result.length is None:
        yield f"{result.method}: no solution was found."
    elif result.length == 0:
        yield "It is already solved."
    else:
        yield f"{result.method}: solved in {plural(result.length, 'move')}."
        yield f"Tile directions:  {format_moves(result.moves)}"
        yield f"Tile numbers:     {' '.join(map(str, result.tiles))}"
        yield f"Blank directions: {format_moves(opposite(result.moves))}"


def _verdict(result: Result) -> str:
    reason = result.verdict.reason
    if result.length is None:
        return f"Known: {reason}."
    proof = result.proof
    if result.verdict.kind is Proof.BOUNDED and result.lower_bound is not None and not result.above:
        above = plural(result.length - result.lower_bound, "move")
        proof = f"proved at most {above} above the shortest"
    return f"Verdict: {proof}: {reason}."


def _cost(result: Result) -> Iterator[str]:
    yield (
        f"Expanded {plural(result.expanded, 'node')}, "
        f"generated {plural(result.generated, 'node')}; "
        f"at most {result.peak_frontier:,} on the frontier and {result.peak_stored:,} stored; "
        f"depth {result.deepest:,}; {duration(result.seconds)}."
    )
