"""Speed of `best` on 15-puzzles and 24-puzzles: `python -m benchmarks.fifteen`.

The hundred boards are of R. E. Korf (1985), in tests/data/korf15.txt. The 24-puzzles are of
R. E. Korf and A. Felner (2002), in tests/data/korf24.txt. Each length is compared with the known
one. A plain C program (`plain.c`) solves the hundred with the same tables. It runs in turns with
`best`, so that the ratio of the two holds on a busy machine. Times of searches and commands are CPU
time of one core unless stated, medians of RUNS. Shared searches are timed by the clock too.

Tables go to a directory of their own. `--large` builds the pattern database 7-8 too, which takes
some 30 s and 2 GB, and proves the board of 70 moves with it.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks import plain
from slidewise import Limits, Puzzle, find_heuristic, parse_puzzle, scramble, solve
from slidewise.solver import compiling
from slidewise.solver.tables.patterns import files

DATA = Path(__file__).parents[1] / "tests" / "data"
MOVES_80 = "0.11.9.13-12.15.10.14-3.7.6.2-4.8.5.1"
MOVES_70 = "0.15.8.3-12.11.7.4-14.10.6.5-9.13.2.1"
EIGHT = "7.2.4-5.0.6-8.3.1"
SIZES = ((3, 4), (2, 6), (2, 7), (3, 5), (2, 8))
"""The sizes of 11 to 16 cells beside 4x4."""

RUNS = 5


def main() -> None:
    """Build the tables, and print all figures."""
    parser = argparse.ArgumentParser(description="Time the solving of 15- and 24-puzzles.")
    parser.add_argument("--large", action="store_true", help="with 7-8 too")
    args, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as directory:
        os.environ[files.VARIABLE] = directory
        compiling.load("patterns_build")
        boards = read("korf15.txt")
        print(f"6-6-3 built and loaded: {build_seconds('6-6-3', boards[0][0]):.2f} s")
        fifteen(boards, "6-6-3", directory)
        print(f"Python beside the kernel: {milliseconds_outside_kernel(boards):.2f} ms a board")
        commands(boards[11][0])
        hard(MOVES_80, 80)
        if args.large:
            print(f"\n7-8 built and loaded: {build_seconds('7-8', boards[0][0]):.1f} s")
            build: Any = find_heuristic("pdb").build
            build.cache_clear()  # so that later searches use it
            fifteen(boards, "7-8", directory)
            hard(MOVES_80, 80)
            hard(MOVES_70, 70)
        print()
        for size in SIZES:
            random_boards(*size)
        print()
        for seconds in (1, 10):
            twenty_four(seconds)


def read(name: str) -> list[tuple[Puzzle, int]]:
    """Return the puzzles of a file, and the known lengths of their shortest solutions."""
    lines = (line.split() for line in (DATA / name).read_text().splitlines() if line[0] != "#")
    return [(parse_puzzle(code), int(length)) for _, code, length in lines]


def build_seconds(name: str, puzzle: Puzzle) -> float:
    """Return the CPU seconds of building a pattern database."""
    from slidewise.solver.tables.patterns.database import load

    return timed(load, puzzle.goal, name)


def timed(run: Callable[..., object], *args: object) -> float:
    """Return the CPU seconds of `run`."""
    started = time.process_time()
    run(*args)
    return time.process_time() - started


def fifteen(boards: list[tuple[Puzzle, int]], tables: str, directory: str) -> None:
    """Solve the hundred boards, a few times over, in turns with the C program."""
    totals, each, plain_totals, ratios = [], [], [], []
    program = plain.compiled(directory)
    for puzzle, _ in boards:
        solve(puzzle)  # loads the tables, and the kernels
    for _ in range(RUNS):
        seconds = [timed(check, *board) for board in boards]
        totals.append(sum(seconds))
        each += seconds
        if program:
            of_program, expanded = plain.run(program, boards, tables)
            plain_totals.append(of_program)
            ratios.append(sum(seconds) / of_program)
    total, median = statistics.median(totals), 1000 * statistics.median(each)
    print(
        f"{len(boards)} boards of Korf with {tables}, all proved shortest: {total:.2f} s, "
        f"median {median:.1f} ms, at most {1000 * max(each):.0f} ms a board, "
        f"{sum(solve(puzzle).expanded for puzzle, _ in boards):,} expanded"
    )
    if program:
        print(
            f"a plain C program: {statistics.median(plain_totals):.2f} s, {expanded:,} expanded; "
            f"`best` takes {statistics.median(ratios):.2f} times as long"
        )
    else:
        print("no C compiler (`cc`): not compared with a plain C program")


def milliseconds_outside_kernel(boards: list[tuple[Puzzle, int]]) -> float:
    """Return the milliseconds of a board outside the compiled search."""
    from slidewise.solver.kernels import pattern_search as kernel

    compiled, in_kernel = kernel.search_slice, 0.0

    def search_slice(*args: Any) -> int:
        nonlocal in_kernel
        started = time.thread_time()
        code = compiled(*args)
        in_kernel += time.thread_time() - started
        return code

    with mock.patch.object(kernel, "search_slice", search_slice):
        started = time.thread_time()
        for puzzle, _ in boards:
            solve(puzzle)
        total = time.thread_time() - started
    return 1000 * (total - in_kernel) / len(boards)


def check(puzzle: Puzzle, length: int) -> None:
    """Solve a puzzle and check its length and its proof."""
    result = solve(puzzle)
    if (result.length, result.lower_bound) != (length, length):
        raise AssertionError(f"{puzzle} takes {length}, not {result}")


def commands(easy: Puzzle) -> None:
    """Time `slidewise solve` in fresh processes."""
    for name, arguments in (
        ("an 8-puzzle", [EIGHT]),
        (f"a 15-puzzle of {solve(easy).length} moves", [str(easy)]),
        ("the hundred boards", ["--file", str(DATA / "korf15.txt"), "--json"]),
    ):
        seconds = statistics.median(command(*arguments) for _ in range(RUNS))
        print(f"`slidewise solve` of {name}, a fresh process: {seconds:.2f} s")


def command(*arguments: str) -> float:
    """Return the CPU seconds of one `slidewise solve`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    argv = [str(Path(sys.executable).with_name("slidewise")), "solve", *arguments]
    subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def random_boards(rows: int, cols: int) -> None:
    """Solve a hundred random boards of a size."""
    puzzles = [scramble(rows, cols, str(seed)) for seed in range(100)]
    solve(puzzles[0], limits=Limits(expansions=1))  # builds its tables
    seconds = [timed(check_proved, puzzle) for puzzle in puzzles]
    print(
        f"100 random boards of {rows}x{cols}, all proved shortest: {sum(seconds):.1f} s, median "
        f"{1000 * statistics.median(seconds):.1f} ms, at most {max(seconds):.2f} s a board"
    )


def check_proved(puzzle: Puzzle) -> None:
    """Solve a puzzle and check that its length is proved."""
    result = solve(puzzle, limits=Limits(seconds=600))
    if result.length != result.lower_bound:
        raise AssertionError(f"{puzzle} is not proved: {result}")


def hard(code: str, length: int) -> None:
    """Prove a hard board shortest on one core and on two."""
    clocks = []
    for cores in 1, 2:
        started, process = time.perf_counter(), time.process_time()
        result = solve(parse_puzzle(code), limits=Limits(seconds=600, cores=cores))
        clock = time.perf_counter() - started
        clocks.append(clock)
        process = time.process_time() - process
        known = f"between {result.lower_bound} and {result.length}"
        if result.length == result.lower_bound == length:
            known = "proved"
        print(
            f"the board of {length} moves, {cores} core{'s' * (cores > 1)}: {known} in "
            f"{clock:.1f} s by the clock, {process:.1f} s of processor time, "
            f"{result.expanded:,} expanded"
        )
    print(f"two cores are {clocks[0] / clocks[1]:.2f} times as fast as one")


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
