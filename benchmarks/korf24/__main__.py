"""Proofs of the fifty 24-puzzles of Korf and Felner: `python -m benchmarks.korf24`.

It proves each board that results.csv does not list as proved, the easiest first, and writes its
certificate. Ctrl-C, SIGTERM, `--hours` or a crash stop it. The same command goes on, within a
board from its checkpoint. With `--check` it checks the certificates with `slidewise.verify`
instead, and writes checks.csv. README.md describes the files.
"""

import argparse
import csv
import hashlib
import io
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from slidewise import Limits, parse_puzzle, verify
from slidewise.cli.terminal import interrupts, termination
from slidewise.research.prove import prove, write_certificate
from slidewise.solver.cache_dirs import write_whole
from slidewise.solver.events import Finished, Preparing
from slidewise.solver.result import Proof, Result

HERE = Path(__file__).parent

GOAL = "0.1.2.3.4-5.6.7.8.9-10.11.12.13.14-15.16.17.18.19-20.21.22.23.24"

MAX_SHIPPED_BYTES = 80_000
"""Size of the largest certificate that is part of the project."""

SAMPLE = 100
"""Subtrees of a certificate to check by default. A file with more than 4 % false ones then passes
with a probability below 2 %."""

SAVE_SECONDS = 10.0
"""Interval of saving the CPU time of a board."""

Row = dict[str, str]


class ProofFiles:
    """The results, the checks and the certificates in a folder, and the state of unfinished work.

    Certificates above `MAX_SHIPPED_BYTES` are in the state.
    """

    def __init__(self, path: Path, state: Path) -> None:
        self.results, self.checks, self.state = path / "results.csv", path / "checks.csv", state
        self._small, self._large = path / "certificates", state / "certificates"

    def certificate(self, board: str) -> Path:
        """Return the file of a certificate, which may be missing."""
        small = self._small / f"{board}.json"
        return small if small.exists() else self._large / small.name

    def add_certificate(self, board: str, result: Result) -> bytes:
        """Write the certificate of a board, and return its bytes."""
        self._large.mkdir(parents=True, exist_ok=True)
        written = self._large / f"{board}.json"
        write_certificate(written, result)
        data = written.read_bytes()
        if len(data) <= MAX_SHIPPED_BYTES:
            self._small.mkdir(exist_ok=True)
            written.replace(self._small / written.name)
        return data


def read(file: Path) -> list[Row]:
    """Return the rows of a CSV file, none if it is missing."""
    if not file.exists():
        return []
    with file.open(newline="", encoding="ascii") as lines:
        return list(csv.DictReader(lines))


def write(file: Path, rows: Iterable[Row]) -> None:
    """Write rows as CSV. A crash leaves the old file or the new one."""
    rows, text = list(rows), io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_whole(file, text.getvalue().encode("ascii"))


def prove_boards(files: ProofFiles, hours: float | None, cores: int) -> None:
    """Prove the boards that are not proved yet."""
    end = None if hours is None else time.monotonic() + 3600 * hours
    rows = read(files.results)
    with interrupts() as stopped, termination():
        for number, row in enumerate(rows):
            seconds = None if end is None else max(0.0, end - time.monotonic())
            if row["moves"]:
                continue
            if stopped.is_set() or seconds == 0:
                break
            limits = Limits(seconds=seconds, cores=cores)
            proved = prove_board(row, files, limits, stopped.is_set)
            if proved is None:
                print(f"#{row['board']} is not proved yet: the same command goes on", flush=True)
                break
            rows[number] = proved
            write(files.results, rows)
            shutil.rmtree(files.state / row["board"])
            print(
                f"#{row['board']}: {proved['moves']} moves proved, {int(proved['expanded']):,} "
                f"boards expanded, {proved['cpu_seconds']} s of CPU time",
                flush=True,
            )
    print(f"{sum(bool(row['moves']) for row in rows)} of {len(rows)} boards are proved")


def prove_board(
    row: Row, files: ProofFiles, limits: Limits, cancelled: Callable[[], bool]
) -> Row | None:
    """Prove a board, and write its certificate. Return its row, or None if it was stopped."""
    state = files.state / row["board"]
    state.mkdir(parents=True, exist_ok=True)
    puzzle = parse_puzzle(f"{row['start']}_{GOAL}")
    timer = CpuTime(state / "cpu_seconds")
    for event in prove(puzzle, limits, state=state, cancelled=cancelled):
        if not isinstance(event, Preparing):
            timer.tick()
        if isinstance(event, Finished):
            result = event.result
    timer.save()
    if result.verdict.kind is not Proof.OPTIMAL:
        return None
    if str(result.length) != row["published_moves"]:
        sys.exit(f"#{row['board']}: {result.length} moves proved, unlike the published optimum")
    data = files.add_certificate(row["board"], result)
    return row | {
        "moves": str(result.length),
        "expanded": str(result.expanded),
        "cpu_seconds": f"{timer.seconds:.1f}",
        "proved_on": today(),
        "subtrees": str(len(result.subtrees.counts) if result.subtrees else 0),
        "certificate_bytes": str(len(data)),
        "certificate_sha256": hashlib.sha256(data).hexdigest(),
        "solution": result.moves,
    }


class CpuTime:
    """CPU time of a board's search in all runs, saved in a file. Loading tables is left out."""

    def __init__(self, file: Path) -> None:
        self._file, self._saved = file, time.monotonic()
        self._before = float(file.read_text()) if file.exists() else 0.0
        self._started: float | None = None

    @property
    def seconds(self) -> float:
        """Return the seconds of this run and of those before."""
        now = time.process_time()
        return self._before + now - (now if self._started is None else self._started)

    def tick(self) -> None:
        """Start at the first call, and save every `SAVE_SECONDS`."""
        if self._started is None:
            self._started = time.process_time()
        if time.monotonic() - self._saved >= SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        """Write the seconds."""
        self._saved = time.monotonic()
        write_whole(self._file, f"{self.seconds:.1f}\n".encode())


def check_boards(files: ProofFiles, cores: int, sample: int) -> bool:
    """Check a sample of each certificate, unless one as large is checked already.

    Return whether no certificate is refuted.
    """
    checks, tables = {row["board"]: row for row in read(files.checks)}, files.state / "checker"
    for row in read(files.results):
        file, digest = files.certificate(row["board"]), row["certificate_sha256"]
        if not file.exists():
            continue
        size, known = min(sample, int(row["subtrees"])), checks.get(row["board"], {})
        if known.get("certificate_sha256") == digest and int(known["sampled_subtrees"]) >= size:
            continue
        if hashlib.sha256(file.read_bytes()).hexdigest() != digest:
            sys.exit(f"{file} is not the certificate of results.csv: prove #{row['board']} again")
        if not tables.exists():  # build them outside the CPU time of the first board
            verify.verify(file, verify.Options(1, state=tables), report)
        started = time.process_time()
        answer = verify.verify(file, verify.Options(sample, cores, state=tables), report)
        checks[row["board"]] = {
            "board": row["board"],
            "certificate_sha256": digest,
            "result": answer.as_json()["result"],
            "sampled_subtrees": str(size),
            "cpu_seconds": f"{time.process_time() - started:.1f}",
            "checked_on": today(),
            "answer": answer.error or answer.findings[-1].text,
        }
        write(files.checks, checks.values())
        print("#{board}: {result}: {answer}".format(**checks[row["board"]]), flush=True)
    return all(row["result"] in ("checked", "on trust") for row in checks.values())


def report(text: str) -> None:
    """Print an estimate of the checker."""
    print(text, file=sys.stderr, flush=True)


def today() -> str:
    """Return the date in UTC."""
    return datetime.now(UTC).date().isoformat()


def main(arguments: list[str] | None = None) -> None:
    """Prove the boards, or check their certificates."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.korf24", description="Prove Korf and Felner's fifty 24-puzzles."
    )
    parser.add_argument("--check", action="store_true", help="check the certificates instead")
    parser.add_argument(
        "--sample",
        type=int,
        default=SAMPLE,
        help="subtrees of each certificate to check, drawn at random (default: %(default)s)",
    )
    parser.add_argument("--cores", type=int, default=1, help="number of cores (default: 1)")
    parser.add_argument("--hours", type=float, help="stop proving after this many hours")
    parser.add_argument(
        "--state",
        type=Path,
        default=HERE / "state",
        help="folder of the checkpoints, of large certificates and of the checker's tables",
    )
    parser.add_argument(
        "--results", type=Path, default=HERE, help="folder of results.csv (default: this one)"
    )
    args = parser.parse_args(arguments)
    files = ProofFiles(args.results, args.state)
    if not args.check:
        prove_boards(files, args.hours, args.cores)
    elif not check_boards(files, args.cores, args.sample):
        sys.exit("a certificate is refuted: see checks.csv")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
