"""The plain program for each algorithm, on one puzzle."""

import math

from tests.solver import both_ends, linear_space, oracle


def plain_search(puzzle, algorithm, heuristic, most=math.inf, depth=None):
    """Return the outcome of a plain program, up to `most` expansions."""
    estimate = oracle.ESTIMATES[heuristic or "zero"]
    board = puzzle.start.cells, puzzle.goal.cells, puzzle.rows, puzzle.cols
    if algorithm in ("iddfs", "idastar"):
        return linear_space.deepening(*board, estimate, uses_h=algorithm == "idastar", most=most)
    if algorithm == "rbfs":
        return linear_space.rbfs(*board, estimate, most)
    if algorithm == "bidirectional":
        return both_ends.both_ends(*board, most)
    return oracle.best_first(*board, algorithm, heuristic or "zero", most, depth)
