"""Compiles and runs `plain.c`, a plain C program of IDA* to compare `best` with."""

import shutil
import subprocess
from pathlib import Path

from slidewise import Puzzle
from slidewise.solver.tables.patterns import files
from slidewise.solver.tables.patterns.partition import find_partition

SOURCE = Path(__file__).with_name("plain.c")
OPTIONS = ("-O3", "-march=native")


def compiled(directory: str) -> Path | None:
    """Compile the program to `directory`. Return None without a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    program = Path(directory) / "plain"
    subprocess.run([compiler, *OPTIONS, "-o", program, SOURCE], check=True)
    return program


def run(program: Path, boards: list[tuple[Puzzle, int]], name: str) -> tuple[float, int]:
    """Return the program's CPU seconds and expansions for all boards, with the tables of `name`."""
    partition = find_partition(4, 4, 0, name)
    groups = [",".join(map(str, group)) for group in partition.groups]
    done = subprocess.run(
        [program, files.path(partition), str(files.HEADER_BYTES), *groups],
        input="\n".join(" ".join(map(str, puzzle.start.cells)) for puzzle, _ in boards),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    *lines, seconds = done.stdout.split("\n")[:-1]
    found = [tuple(map(int, line.split())) for line in lines]
    if [length for length, _ in found] != [length for _, length in boards]:
        raise AssertionError("the C program finds other lengths")
    return float(seconds), sum(expanded for _, expanded in found)
