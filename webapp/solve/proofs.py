"""Proofs that a server's owner allows: one at a time, each in a process of its own.

All that is known of them is in a folder, so every web process on the machine can tell of a proof,
and one that was stopped goes on. The process that proves holds a lock on a file there.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.heuristics.pdb import has_tables
from webapp.solve import proof_process
from webapp.solve.proof_process import CERTIFICATE_NAME, STOP_NAME, read_status, write_status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise import Puzzle

LOCK_NAME = "lock"

LOCK_TRIES, LOCK_WAIT_SECONDS = 20, 0.05
"""How often a proof tries to begin: who only looks holds the lock for less than one wait."""

MOST_PROOFS = 200
"""Proofs that are kept: some hundred kilobytes each. The one that was touched longest ago goes."""

RUNNING = ("begun", "preparing", "proving")
"""What the status says while a process is at work, or was when it was lost."""


class AnotherProofError(Exception):
    """A proof is under way: of the puzzle `code`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Proofs:
    """The proofs in a folder; where none is named there are none. At most `hours` at a time."""

    def __init__(self, folder: str, hours: int) -> None:
        self._folder = Path(folder) if folder else None
        self._hours = hours

    @property
    def hours(self) -> int:
        """Return how many hours a proof may take before it has to be continued."""
        return self._hours

    def allows(self, puzzle: Puzzle) -> bool:
        """Return whether a proof for this puzzle may be begun here."""
        cells = puzzle.rows * puzzle.cols
        return (
            self._folder is not None
            and cells > TABLE_CELLS
            and has_tables(puzzle.rows, puzzle.cols)
            and puzzle.solvable
            and puzzle.start != puzzle.goal
        )

    def start(self, puzzle: Puzzle) -> None:
        """Begin a proof, or go on with it, beside the server.

        Raises `AnotherProofError`, and `OSError` where the folder cannot be written.
        """
        code, folder = str(puzzle), self._of(puzzle)
        folder.mkdir(parents=True, exist_ok=True)
        with self._lock(code, LOCK_TRIES) as lock:
            self._drop_oldest(folder)
            (folder / STOP_NAME).unlink(missing_ok=True)
            known = read_status(folder) or {}
            write_status(folder, {**known, "state": "begun"})
            arguments = str(folder), code, str(self._hours), str(lock.fileno())
            process = subprocess.Popen(
                [sys.executable, "-m", proof_process.__name__, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[lock.fileno()],  # it lets go of the lock at its end
                start_new_session=True,
            )
        threading.Thread(target=process.wait, daemon=True).start()

    def stop(self, puzzle: Puzzle) -> None:
        """Have the proof of a puzzle end soon, with a checkpoint."""
        folder = self._of(puzzle)
        if folder.is_dir():
            (folder / STOP_NAME).touch()

    def status(self, puzzle: Puzzle) -> dict[str, Any] | None:
        """Return what is known of the proof of a puzzle, None where there is none.

        `state` is one of `RUNNING`, or "ended", "failed" or "lost".
        """
        known = read_status(self._of(puzzle))
        if known and known["state"] in RUNNING and self.under_way() != str(puzzle):
            known = read_status(self._of(puzzle)) or known  # it may have ended meanwhile
            if known["state"] in RUNNING:
                known["state"] = "lost"
        return known

    def certificate(self, puzzle: Puzzle) -> Path:
        """Return the file of the certificate, which is there once a proof has ended."""
        return self._of(puzzle) / CERTIFICATE_NAME

    def under_way(self) -> str | None:
        """Return the code of the puzzle that is being proved, None if there is none."""
        try:
            with self._lock(None, 1):
                return None
        except AnotherProofError as other:
            return other.code
        except OSError:  # a folder that cannot be written: `start` tells that
            return None

    @contextlib.contextmanager
    def _lock(self, code: str | None, tries: int) -> Iterator[IO[str]]:
        """Hold the lock, which the file says for whom."""
        self._root.mkdir(parents=True, exist_ok=True)
        with (self._root / LOCK_NAME).open("a+") as file:
            while not _is_locked(file):
                tries -= 1
                if not tries:
                    file.seek(0)
                    raise AnotherProofError(file.read())
                time.sleep(LOCK_WAIT_SECONDS)
            if code is not None:
                file.truncate(0)
                file.write(code)
                file.flush()
            yield file

    def _of(self, puzzle: Puzzle) -> Path:
        return self._root / hashlib.sha256(str(puzzle).encode()).hexdigest()[:32]

    @property
    def _root(self) -> Path:
        if self._folder is None:
            raise FileNotFoundError("this server keeps no proofs")
        return self._folder

    def _drop_oldest(self, but: Path) -> None:
        folders = [path for path in self._root.iterdir() if path.is_dir() and path != but]
        folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for folder in folders[MOST_PROOFS - 1 :]:
            shutil.rmtree(folder, ignore_errors=True)


def _is_locked(file: IO[str]) -> bool:
    """Lock a file if nobody else does; return whether that was so."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
