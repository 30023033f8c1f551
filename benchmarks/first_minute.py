"""Cost of the first Solve on a machine without compiled code and tables.

`python -m benchmarks.first_minute` runs the command on a 3x3 and on a 4x4 of R. E. Korf's hundred
(1985), each with empty cache directories, and once more with those of the first run. It prints the
CPU seconds of all processes of the command together, and the seconds of the clock.
"""

import os
import subprocess
import sys
import tempfile
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter

BOARDS = {
    "3x3": "8.6.7-2.5.4-3.0.1",
    "4x4": "14.1.9.6-4.8.12.5-7.2.3.0-10.11.13.15_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15",
}
"""One of the two farthest boards of 3x3, and number 12 of Korf's hundred."""


def seconds(board: str, cache: str) -> tuple[float, float]:
    """Return the CPU time and the elapsed time of one run of the command."""
    before, started = getrusage(RUSAGE_CHILDREN), perf_counter()
    environment = {**os.environ, "XDG_CACHE_HOME": cache, "NUMBA_CACHE_DIR": ""}
    environment.pop("SLIDEWISE_TABLES", None)
    subprocess.run(
        [sys.executable, "-m", "slidewise", "solve", board],
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = getrusage(RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, perf_counter() - started


def main() -> None:
    """Measure and print."""
    for size, board in BOARDS.items():
        with tempfile.TemporaryDirectory() as cache:
            for which in "first", "second":
                processor, clock = seconds(board, cache)
                print(f"{size}, {which} solve: {processor:5.2f} s of processor, {clock:5.2f} s")


if __name__ == "__main__":
    main()
