"""Speed of the searches, beside other packages: `python -m benchmarks.searches`.

It prints two tables in Markdown. The first compares with other packages on the same
boards, and with breadth-first search over NumPy arrays as a student writes it
(`benchmarks/student.py`). The packages of `benchmarks/requirements.txt` are installed in
`benchmarks/.venv` the first time. The second table has the times of harder searches. A run
takes some minutes, mostly in the other packages.

The boards are 50 of 3x3, drawn from a fixed seed, and the two that need 31 moves. For searches that
take others seconds a board, they are every sixth of the 50 and those two. The 4x4 boards are those
of R. E. Korf, 1985, with odd numbers. Times are CPU time, Slidewise's the median of some runs after
a first one. Others run once. Compare the ratios, which are those of the sums over the boards, as
times depend on the machine.
"""

import json
import multiprocessing
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np

from benchmarks import student
from slidewise import Limits, Puzzle, parse_puzzle, scramble, solve

HERE = Path(__file__).parent
PEERS = HERE / ".venv"

HARDEST = [parse_puzzle(code) for code in ("8.6.7-2.5.4-3.0.1", "6.4.7-8.5.0-3.2.1")]
DRAWN = [scramble(3, 3, f"benchmark {number}") for number in range(50)]
ALL = DRAWN + HARDEST
SOME = DRAWN[::6] + HARDEST

RUNS = 9

LOAD_KERNEL = """
import time
import numba, numpy
from slidewise.solver import compiling
started = time.process_time()
compiling.load("best_first")
print(time.process_time() - started)
"""


class Found(NamedTuple):
    """The length of a path, and the CPU seconds of its search."""

    length: int
    seconds: float


def main() -> None:
    """Print the machine and both tables."""
    install_peers()
    print(machine())
    print(f"Compiling one kernel: {load_seconds()}\n")
    print_comparisons()
    print()
    print_hard_searches()


def print_comparisons() -> None:
    """Print the table of the searches that other packages have too."""
    print("| search | boards | Slidewise | compared with | | times as fast |")
    print("|---|---|--:|---|--:|--:|")
    ours, theirs = ours_on(SOME, "bfs"), student_on(SOME)
    _compare("breadth-first", SOME, ours, "NumPy, as a student writes it", theirs)
    theirs = peer_on(SOME, "slidingpuzzle bfs")
    _compare("breadth-first", SOME, ours, "slidingpuzzle", theirs)
    ours = ours_on(ALL, "astar")
    for name in "slidingpuzzle", "simpleai":
        theirs = peer_on(ALL, f"{name} a*")
        _compare("A*, Manhattan", ALL, ours, name, theirs)
        _compare("A*, Manhattan", HARDEST, ours[-2:], name, theirs[-2:])
    ours, theirs = ours_on(ALL, "idastar"), peer_on(ALL, "slidingpuzzle ida*")
    longer = sum(their.length > our.length for our, their in zip(ours, theirs, strict=True))
    name = f"slidingpuzzle, longer than the shortest on {longer}"
    _compare("IDA*, Manhattan", ALL, ours, name, theirs)


def print_hard_searches() -> None:
    """Print the table of the searches that other packages do not finish."""
    print("| search | boards | CPU time |")
    print("|---|---|---|")
    total = sum(found.seconds for found in ours_on(ALL, "rbfs"))
    print(f"| recursive best-first, Manhattan | all {len(ALL)} | {total:.2f} s together |")
    each = " and ".join(f"{found.seconds:.1f} s" for found in ours_on(HARDEST, "iddfs", runs=1))
    print(f"| iterative deepening | the 2 of 31 moves | {each} |")
    korf = sorted(korf_boards(), key=lambda board: board[1])
    seconds, peak = in_a_child(korf[:10], "astar")
    print(
        "| A*, linear conflict | the 10 easiest of 50 of Korf's 4x4 boards "
        f"| {seconds:.1f} s together, {peak / 1e9:.2f} GB of memory at most |"
    )
    seconds, _ = in_a_child(korf, "idastar")
    print(f"| IDA*, linear conflict | all {len(korf)} of them | {seconds:.0f} s together |")


def _compare(
    search: str, boards: Sequence[Puzzle], ours: list[Found], name: str, theirs: list[Found]
) -> None:
    our, their = (sum(found.seconds for found in all_) for all_ in (ours, theirs))
    names = {len(ALL): f"all {len(ALL)}", len(HARDEST): "the 2 of 31 moves"}
    which = names.get(len(boards), f"{len(boards)} of them")
    our_each, their_each = (_each(seconds, len(boards)) for seconds in (our, their))
    cells = search, which, our_each, name, their_each, f"{their / our:,.0f}"
    print(f"| {' | '.join(cells)} |", flush=True)


def _each(seconds: float, boards: int) -> str:
    """Return the time a board."""
    milliseconds = 1000 * seconds / boards
    return f"{milliseconds:.2f} ms" if milliseconds < 100 else f"{milliseconds:,.0f} ms"


def ours_on(
    puzzles: Sequence[Puzzle], algorithm: str, heuristic: str = "manhattan", runs: int = RUNS
) -> list[Found]:
    """Return the results of Slidewise, after a run that compiles."""
    solve(puzzles[0], algorithm, heuristic, Limits(expansions=1))
    found = []
    for puzzle in puzzles:
        seconds = []
        for _ in range(runs):
            started = time.process_time()
            length = solve(puzzle, algorithm, heuristic).length
            seconds.append(time.process_time() - started)
        assert length is not None
        found.append(Found(length, statistics.median(seconds)))
    return found


def student_on(puzzles: Sequence[Puzzle]) -> list[Found]:
    """Return the results of a student's breadth-first search."""
    found = []
    for puzzle in puzzles:
        start, goal = (np.array(board.grid) for board in (puzzle.start, puzzle.goal))
        started = time.process_time()
        length = len(student.breadth_first(start, goal))
        found.append(Found(length, time.process_time() - started))
    return found


def peer_on(puzzles: Sequence[Puzzle], method: str) -> list[Found]:
    """Return the results of a method of `benchmarks/peers.py`."""
    request = {"method": method, "boards": [puzzle.start.grid for puzzle in puzzles]}
    command = [PEERS / "bin" / "python", HERE / "peers.py"]
    done = subprocess.run(
        command, input=json.dumps(request), stdout=subprocess.PIPE, text=True, check=True
    )
    return [Found(*json.loads(line)) for line in done.stdout.splitlines()]


def install_peers() -> None:
    """Install the other packages, if they are missing or outdated."""
    requirements, done = HERE / "requirements.txt", PEERS / "requirements.txt"
    if done.exists() and done.read_text() == requirements.read_text():
        return
    print(f"Installing into {PEERS}", file=sys.stderr)
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "--quiet", "--clear", PEERS], check=True)
    install = [*uv, "pip", "install", "--quiet", "--no-deps", "--python", str(PEERS)]
    subprocess.run([*install, "--requirement", str(requirements)], check=True)
    done.write_text(requirements.read_text())


def korf_boards() -> list[tuple[Puzzle, int]]:
    """Return 50 boards of 4x4, each with the length of its shortest solution."""
    lines = (HERE.parent / "tests" / "data" / "korf15.txt").read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return [(parse_puzzle(code), int(length)) for _, code, length in rows[::2]]


def in_a_child(boards: list[tuple[Puzzle, int]], algorithm: str) -> tuple[float, int]:
    """Return the CPU seconds and the peak of bytes of a new process that solves all boards."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_solve_all, (boards, algorithm))


def _solve_all(boards: list[tuple[Puzzle, int]], algorithm: str) -> tuple[float, int]:
    solve(boards[0][0], algorithm, "linear-conflict", Limits(expansions=1))
    started = time.process_time()
    for puzzle, length in boards:
        assert solve(puzzle, algorithm, "linear-conflict").length == length
    seconds = time.process_time() - started
    unit = 1 if sys.platform == "darwin" else 1024
    return seconds, unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def load_seconds() -> str:
    """Return the times to compile the kernel, and to load it from the cache.

    A process before the first compiles numba's modules to bytecode.
    """
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as warm:
        _load_kernel(warm)
        cold = _load_kernel(cache)
        warm_seconds = statistics.median(_load_kernel(cache) for _ in range(5))
    return f"{cold:.1f} s the first time, {warm_seconds:.2f} s from the cache."


def _load_kernel(cache: str) -> float:
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", LOAD_KERNEL]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


def machine() -> str:
    """Return a description of the machine."""
    cpu = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                cpu = line.split(":", 1)[1].strip()
                break
    return (
        f"{cpu}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"numba {numba.__version__}, NumPy {np.__version__}."
    )


if __name__ == "__main__":
    main()
