"""A common mistake, whose results the page of mistakes quotes. Nothing here is in the package."""

from tests.solver.oracle import manhattan, successors


def ida_star(start, goal, rows, cols, *, step):
    """IDA* whose limit rises by `step` each time, and not to the lowest f above it.

    Return (iterations, expanded).
    """
    limit, iterations, expanded = manhattan(start, goal, cols), 0, 0

    def found(cells, parent, g):
        nonlocal expanded
        if cells == goal:
            return True
        expanded += 1
        return any(
            g + 1 + manhattan(new, goal, cols) <= limit and found(new, cells, g + 1)
            for new in successors(cells, rows, cols)
            if new != parent
        )

    while True:
        iterations += 1
        if found(start, None, 0):
            return iterations, expanded
        limit += step
