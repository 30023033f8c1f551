"""How fast `best` is on 15-puzzles and 24-puzzles: `python -m benchmarks.fifteen`.

The 50 boards are of R. E. Korf (1985), in tests/data/korf15.txt; the 24-puzzles of R. E. Korf and
A. Felner (2002), in tests/data/korf24.txt. Each length is held against the known one. Times of
searches are the processor's, of one core unless said otherwise, medians of RUNS; whole commands
and shared searches are timed by the clock, so that a busy machine makes them longer.

Tables go to a directory of their own. `--large` builds the pattern database 7-8 too, which takes
some 30 s and 2 GB, and proves the board of 70 moves with it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from slidewise import Limits, Puzzle, find_heuristic, parse_puzzle, solve
from slidewise.solver import compiling
from slidewise.solver.tables.patterns import files

DATA = Path(__file__).parents[1] / "tests" / "data"
MOVES_80 = "0.11.9.13-12.15.10.14-3.7.6.2-4.8.5.1"
MOVES_70 = "0.15.8.3-12.11.7.4-14.10.6.5-9.13.2.1"
RUNS = 3


def main() -> None:
    """Build the tables anew, and print all figures."""
    parser = argparse.ArgumentParser(description="Time the solving of 15- and 24-puzzles.")
    parser.add_argument("--large", action="store_true", help="with 7-8 too")
    args, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as directory:
        os.environ[files.VARIABLE] = directory
        compiling.load("deepening")
        compiling.load("patterns_build")
        boards = read("korf15.txt")
        print(f"6-6-3 built and loaded: {built('6-6-3', boards[0][0]):.2f} s")
        fifteen(boards)
        print(f"`slidewise solve --file` of them, a fresh process: {command():.2f} s by the clock")
        hard(MOVES_80, 80)
        if args.large:
            print(f"\n7-8 built and loaded: {built('7-8', boards[0][0]):.1f} s")
            find_heuristic("pdb").build.cache_clear()  # so that it is taken from here on
            fifteen(boards)
            hard(MOVES_80, 80)
            hard(MOVES_70, 70)
        print()
        for seconds in (1, 10):
            twenty_four(seconds)


def read(name: str) -> list[tuple[Puzzle, int]]:
    """Return the puzzles of a file, and the known lengths of their shortest solutions."""
    lines = (line.split() for line in (DATA / name).read_text().splitlines() if line[0] != "#")
    return [(parse_puzzle(code), int(length)) for _, code, length in lines]


def built(name: str, puzzle: Puzzle) -> float:
    """Return the seconds of processor time that building a pattern database takes."""
    from slidewise.solver.tables.patterns.database import load

    return timed(load, puzzle.goal, name)


def timed(run: Callable[..., object], *args: object) -> float:
    """Return the seconds of processor time that `run` takes."""
    started = time.process_time()
    run(*args)
    return time.process_time() - started


def fifteen(boards: list[tuple[Puzzle, int]]) -> None:
    """Solve the 50 boards, a few times over."""
    totals, each = [], []
    for _ in range(RUNS + 1):
        seconds = [timed(check, *board) for board in boards]
        totals.append(sum(seconds))
        each += seconds
    total, median = statistics.median(totals[1:]), 1000 * statistics.median(each)
    print(
        f"{len(boards)} boards of Korf, all proved shortest: {total:.2f} s, "
        f"median {median:.1f} ms, at most {1000 * max(each):.0f} ms a board"
    )


def check(puzzle: Puzzle, length: int) -> None:
    """Solve a puzzle and see that the length is right and proved."""
    result = solve(puzzle)
    if (result.length, result.lower_bound) != (length, length):
        raise AssertionError(f"{puzzle} takes {length}, not {result}")


def command() -> float:
    """Return the median of the seconds that a fresh process takes for the 50 boards."""
    argv = [sys.executable, "-m", "webapp", "solve", "--file", str(DATA / "korf15.txt"), "--json"]
    seconds = []
    for _ in range(RUNS):
        started = time.perf_counter()
        subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


def hard(code: str, length: int) -> None:
    """Prove a hard board shortest on one core and on two."""
    for cores in 1, 2:
        started, process = time.perf_counter(), time.process_time()
        result = solve(parse_puzzle(code), limits=Limits(seconds=600, cores=cores))
        clock = time.perf_counter() - started
        process = time.process_time() - process
        known = f"between {result.lower_bound} and {result.length}"
        if result.length == result.lower_bound == length:
            known = "proved"
        print(
            f"the board of {length} moves, {cores} core{'s' * (cores > 1)}: {known} in "
            f"{clock:.1f} s by the clock, {process:.1f} s of processor time, "
            f"{result.expanded:,} expanded"
        )


def twenty_four(seconds: float) -> None:
    """Solve the 24-puzzles within some seconds each."""
    boards = read("korf24.txt")
    solve(boards[0][0], limits=Limits(seconds=0.1))  # builds its tables
    lengths = []
    for puzzle, shortest in boards:
        result = solve(puzzle, limits=Limits(seconds=seconds))
        if result.length is None or not result.lower_bound or result.lower_bound > shortest:
            raise AssertionError(f"{puzzle} takes {shortest}, not {result}")
        lengths.append(result.length)
    best = statistics.mean(shortest for _, shortest in boards)
    print(
        f"{len(boards)} 24-puzzles, {seconds:g} s each: {statistics.mean(lengths):.1f} moves on "
        f"average, the shortest solutions have {best:.1f}"
    )


if __name__ == "__main__":
    main()
