"""Cost of the first Solve on a machine without compiled code and tables.

`python -m benchmarks.first_minute` runs the command on a 3x3 and on a 4x4 of R. E. Korf's hundred
(1985), and each search of 3x3 that begins in its plain form on a board of 26 moves. Each runs with
empty cache directories, and once more with those of the first run. It prints the CPU seconds of all
processes of the command together, the seconds of the clock, and the ratio of both runs.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter

KORF = "14.1.9.6-4.8.12.5-7.2.3.0-10.11.13.15_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"
"""Number 12 of Korf's hundred."""

HARD = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
"""A board of 26 moves, as long as the farthest that textbooks print."""

RUNS = {
    "best, 3x3": ["8.6.7-2.5.4-3.0.1"],
    "best, 4x4": [KORF],
    **{
        f"{key}, 3x3": [HARD, "--algorithm", key]
        for key in ("astar", "idastar", "rbfs", "bidirectional", "bfs")
    },
}
"""Words of the command, by the title of the run."""

REPEATS = 3
"""Runs of which the fastest counts, as other work on the machine only adds time."""


def seconds(words: Sequence[str], cache: str) -> tuple[float, float]:
    """Return the CPU time and the elapsed time of one run of the command."""
    before, started = getrusage(RUSAGE_CHILDREN), perf_counter()
    environment = {**os.environ, "XDG_CACHE_HOME": cache, "NUMBA_CACHE_DIR": ""}
    environment.pop("SLIDEWISE_TABLES", None)
    subprocess.run(
        [sys.executable, "-m", "slidewise", "solve", *words],
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = getrusage(RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, perf_counter() - started


def main() -> None:
    """Measure and print."""
    for title, words in RUNS.items():
        first, second = [], []
        for _ in range(REPEATS):
            with tempfile.TemporaryDirectory() as cache:
                first.append(seconds(words, cache))
                second.append(seconds(words, cache))
        (cpu, clock), (cpu_warm, clock_warm) = min(first), min(second)
        print(
            f"{title:21} first {cpu:5.2f} s of CPU, {clock:5.2f} s; "
            f"second {cpu_warm:5.2f} s of CPU, {clock_warm:5.2f} s; {cpu / cpu_warm:5.2f} times"
        )


if __name__ == "__main__":
    main()
