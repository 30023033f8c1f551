"""How fast the searches are: `python -m benchmarks.search`.

Medians on two well-known 8-puzzle boards, beside a breadth-first search over NumPy arrays as a
student writes it, and the time that compiling takes.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from webapp.puzzle import parse_puzzle
from webapp.search import solve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from webapp.puzzle import Puzzle

    Cells = NDArray[np.int64]

BOARDS = {
    26: "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8",
    31: "8.6.7-2.5.4-3.0.1",
}
"""Puzzle codes by the length of their shortest solution."""

RUNS = 15

LOAD_KERNEL = """
import time
import numba, numpy
from webapp.search import kernels
started = time.perf_counter()
kernels.load("best_first")
print(time.perf_counter() - started)
"""


def student_search(start: Cells, goal: Cells) -> int:
    """Return the length of a shortest path, by plain breadth-first search over arrays."""
    queue = deque([(start, 0)])
    visited = {start.tobytes()}
    while queue:
        board, depth = queue.popleft()
        if np.array_equal(board, goal):
            return depth
        for successor in student_successors(board):
            key = successor.tobytes()
            if key not in visited:
                visited.add(key)
                queue.append((successor, depth + 1))
    raise ValueError("the goal cannot be reached")


def student_successors(board: Cells) -> Iterator[Cells]:
    """Yield the boards one move away."""
    row, col = (int(place[0]) for place in np.where(board == 0))
    for new_row, new_col in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
        if 0 <= new_row < board.shape[0] and 0 <= new_col < board.shape[1]:
            successor = board.copy()
            successor[row, col], successor[new_row, new_col] = board[new_row, new_col], 0
            yield successor


def main() -> None:
    """Print all figures."""
    print(f"Compiling: {load_seconds()}")
    for length, code in BOARDS.items():
        print(f"\n{code}, {length} moves")
        puzzle = parse_puzzle(code)
        student = student_seconds(puzzle, length)
        print(f"  {'NumPy arrays, as a student writes it':40}{student * 1000:10.1f} ms")
        for algorithm, heuristic in (("bfs", None), ("astar", "manhattan")):
            seconds = median_seconds(puzzle, algorithm, heuristic, length)
            name = f"{algorithm} {heuristic or ''}"
            print(f"  {name:40}{seconds * 1000:10.1f} ms  {student / seconds:7.0f} times as fast")


def student_seconds(puzzle: Puzzle, length: int) -> float:
    """Return the seconds that the student's search takes, once."""
    start, goal = (np.array(board.grid) for board in (puzzle.start, puzzle.goal))
    started = time.perf_counter()
    assert student_search(start, goal) == length
    return time.perf_counter() - started


def median_seconds(puzzle: Puzzle, algorithm: str, heuristic: str | None, length: int) -> float:
    """Return the median of the seconds of some runs; one before them compiles."""
    solve(puzzle, algorithm, heuristic)
    seconds = []
    for _ in range(RUNS):
        started = time.perf_counter()
        assert solve(puzzle, algorithm, heuristic).length == length
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


def load_seconds() -> str:
    """Return how long the kernel takes to compile, and then to load from the cache.

    Python's own compiling of numba's modules to bytecode is done by a process before the first.
    """
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as warm:
        _load_kernel(warm)
        cold = _load_kernel(cache)
        warm_seconds = statistics.median(_load_kernel(cache) for _ in range(5))
    return f"{cold:.2f} s the first time, {warm_seconds:.2f} s from the cache"


def _load_kernel(cache: str) -> float:
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", LOAD_KERNEL]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


if __name__ == "__main__":
    main()
