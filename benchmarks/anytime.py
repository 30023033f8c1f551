"""Lengths of paths on boards above 16 cells: `python -m benchmarks.anytime 6x6 10x10`.

It prints a table in Markdown with a row for each size. The first columns are the mean lengths of
the best path after some seconds, in Manhattan distances of the board. The next column is the time
of the first path below twice that distance, the last the proved lower bound. The boards are drawn
from a seed, `--boards` of each size. Seconds are CPU time of one core, so other programs slow a
search down but do not shorten it.
"""

import argparse
import statistics
import time
from collections.abc import Iterator
from typing import NamedTuple

from slidewise import Limits, Puzzle, find_heuristic, parse_size, scramble, search
from slidewise.solver import loop
from slidewise.solver.events import Finished, Improved, Started

SIZES = "5x5", "4x9", "6x6", "5x8", "6x7", "7x7", "8x8", "9x9", "10x10"
BOARDS = 20
CHECKPOINTS = 0.1, 0.3, 1.0, 3.0, 10.0, 30.0
"""CPU seconds after which a path is compared."""


class Known(NamedTuple):
    """The best length and lower bound from some CPU seconds on."""

    seconds: float
    length: int
    lower_bound: int


def main() -> None:
    """Print a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", default=SIZES, metavar="SIZE")
    parser.add_argument("--boards", type=int, default=BOARDS)
    parser.add_argument("--seconds", type=float, default=10.0)
    args = parser.parse_args()
    vars(loop)["perf_counter"] = time.process_time  # limits count CPU time
    checkpoints = [seconds for seconds in CHECKPOINTS if seconds <= args.seconds]
    heads = ["size", *(f"{seconds:g} s" for seconds in checkpoints), "below 2", "lower bound"]
    print(f"| {' | '.join(heads)} |\n|---|{'--:|' * (len(heads) - 1)}")
    for size in args.sizes:
        puzzles = [scramble(*parse_size(size), f"anytime {seed}") for seed in range(args.boards)]
        list(improvements(puzzles[0], 0.1))  # compiles
        found = [list(improvements(puzzle, args.seconds)) for puzzle in puzzles]
        print(f"| {size} | {' | '.join(row(puzzles, found, checkpoints))} |", flush=True)


def row(puzzles: list[Puzzle], found: list[list[Known]], checkpoints: list[float]) -> Iterator[str]:
    """Yield the figures of one size."""
    distances = [find_heuristic("manhattan").value(each.start, each.goal) for each in puzzles]
    both = list(zip(found, distances, strict=True))
    for seconds in checkpoints:
        ratios = [
            [known.length for known in of_board if known.seconds <= seconds][-1] / distance
            for of_board, distance in both
        ]
        yield f"{statistics.mean(ratios):.3f}"
    below = [
        next((known.seconds for known in of_board if known.length < 2 * distance), float("inf"))
        for of_board, distance in both
    ]
    yield f"{statistics.median(below):.2f} s"
    bounds = [of_board[-1].lower_bound / distance for of_board, distance in both]
    yield f"{statistics.mean(bounds):.3f}"


def improvements(puzzle: Puzzle, seconds: float) -> Iterator[Known]:
    """Search, and yield each improvement, the first path as of second 0."""
    started = time.process_time()
    first = True
    for event in search(puzzle, limits=Limits(seconds=seconds)):
        if isinstance(event, Started):
            started = time.process_time()
        if isinstance(event, Improved) and event.length is not None:
            yield Known(
                0.0 if first else time.process_time() - started, event.length, event.lower_bound
            )
            first = False
        if isinstance(event, Finished) and event.result.length is not None:
            bound = event.result.lower_bound or 0
            yield Known(event.result.seconds, event.result.length, bound)


if __name__ == "__main__":
    main()
