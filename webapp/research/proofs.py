"""Optimality proofs that the operator allows: one at a time, each in its own process.

Their state is in a folder, so every web process on the machine can report it, and a stopped proof
can continue. The proving process holds a lock on a file there.
"""

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import IO, Any

from flask import Blueprint, Response, abort, redirect, render_template, send_file, url_for
from werkzeug import Response as AnyResponse

from slidewise import Limits, Puzzle, PuzzleError, Result, Status, parse_puzzle, prove
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.research.prove import write_certificate
from slidewise.solver.cache_dirs import write_whole
from slidewise.solver.events import Event, Finished, Improved, Preparing, Proving
from slidewise.solver.heuristics.pdb import has_tables

from ..board import cells
from ..http.language import gettext as _
from ..http.language import noop
from ..http.requests import current_code, current_puzzle, from_htmx
from ..http.routes import cheap
from ..workers import Solvers, json_values
from ..workers.distances import Distances
from ..workers.shared import Shared, service

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # not on Windows

STATUS_NAME, STOP_NAME, CERTIFICATE_NAME = "status.json", "stop", "certificate.json"
"""Files in a proof's folder, in addition to its checkpoint."""

TELL_SECONDS = 1.0
"""Seconds between status updates; a page polls every two seconds."""

LOWEST_PRIORITY = 19


def main() -> None:
    """Prove the puzzle; the status holds the outcome."""
    folder, code, hours, lock = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]), sys.argv[4]
    os.nice(LOWEST_PRIORITY)
    server = os.getppid()
    status = ProofStatus(folder)

    terminated = threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: terminated.set())

    def is_to_stop() -> bool:
        stopped = terminated.is_set() or (folder / STOP_NAME).exists()
        return stopped or os.getppid() != server

    try:
        limits = Limits(seconds=3600 * hours)
        for event in prove(parse_puzzle(code), limits, state=folder, cancelled=is_to_stop):
            status.take(event)
        status.end()  # after `prove` has unlocked the folder for the next proof
    except (PuzzleError, OSError, MemoryError) as error:
        status.write(state="failed", message=str(error) or "there is not enough memory")
    os.close(int(lock))  # at once, as the end of this process can take a second


class ProofStatus:
    """Status of a proof as its file holds it: `state` and the facts known."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._facts: dict[str, Any] = {}
        self._written = -TELL_SECONDS
        self._result: Result | None = None

    def take(self, event: Event) -> None:
        """Report an event, if the interval is over."""
        if isinstance(event, Preparing):
            self._facts |= {"state": "preparing", "preparing": event.words}
        elif isinstance(event, Improved):
            self._facts |= {"length": event.length, "lower_bound": event.lower_bound}
        elif isinstance(event, Proving):
            self._facts |= {"state": "proving", "proving": asdict(event)}
            self._facts["seconds_left"] = event.seconds_left
        elif isinstance(event, Finished):
            self._result = event.result
            return
        if monotonic() - self._written >= TELL_SECONDS:
            self.write()

    def write(self, **facts: Any) -> None:
        """Write the status with `facts`."""
        self._facts |= facts
        write_status(self._folder, self._facts)
        self._written = monotonic()

    def end(self) -> None:
        """Write the certificate and the outcome."""
        result = self._result
        assert result is not None  # every search ends with `Finished`
        if result.status is Status.INVALID:
            self._facts.clear()
            self.write(state="failed", message=result.verdict.reason)
            return
        if result.length is not None:
            with contextlib.suppress(OSError):
                write_certificate(self._folder / CERTIFICATE_NAME, result)
        self.write(
            state="ended",
            length=result.length,
            lower_bound=result.lower_bound,
            moves=result.moves,
            proved=result.length is not None and result.length == result.lower_bound,
            reason=result.verdict.reason,
            expanded=result.expanded,
            seconds=result.seconds,
        )


def write_status(folder: Path, facts: dict[str, Any]) -> None:
    """Write a folder's status with its digest, atomically for readers."""
    with contextlib.suppress(OSError):  # a full disk does not end the proof
        text = json_values.dumps(facts)  # with messages that the page translates
        status = json.dumps({"facts": text, "digest": _digest(text)})
        write_whole(folder / STATUS_NAME, status.encode())


def read_status(folder: Path) -> dict[str, Any] | None:
    """Status of a folder, None if missing or damaged."""
    try:
        stored = json.loads((folder / STATUS_NAME).read_text())
        text, digest = stored["facts"], stored["digest"]
        if digest != _digest(text):
            return None
        facts: dict[str, Any] = json_values.loads(text)
    except (OSError, ValueError, TypeError, AttributeError, KeyError):
        return None
    return facts


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    main()


LOCK_NAME = "lock"

LOCK_TRIES, LOCK_WAIT_SECONDS = 20, 0.05
"""Attempts to lock for a proof, and the pause; a reader holds the lock for less than a pause."""

MOST_PROOFS = 200
"""Maximum proofs stored, some hundred kilobytes each. The least recently used is deleted."""

RUNNING = ("begun", "preparing", "proving")
"""States of a running proof, or of a proof whose process was lost."""


class AnotherProofError(Exception):
    """Another proof is running: of the puzzle `code`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Proofs:
    """Proofs in a folder, at most `hours` per run; disabled without a folder."""

    def __init__(self, folder: str, hours: int) -> None:
        if folder and fcntl is None:
            raise SystemExit(
                "SLIDEWISE_PROOFS needs file locks, which this system does not have: unset it, or "
                "use `slidewise prove`"
            )
        self._folder = Path(folder) if folder else None
        self.hours = hours  # the time limit of a run, after which a proof can be continued

    def allows(self, puzzle: Puzzle) -> bool:
        """Whether a proof of this puzzle may start here."""
        cells = puzzle.rows * puzzle.cols
        return (
            self._folder is not None
            and cells > TABLE_CELLS
            and has_tables(puzzle.rows, puzzle.cols)
            and puzzle.solvable
            and puzzle.start != puzzle.goal
        )

    def start(self, puzzle: Puzzle) -> None:
        """Start or continue a proof in its own process.

        Raises `AnotherProofError`, and `OSError` if the folder cannot be written.
        """
        code, folder = str(puzzle), self._of(puzzle)
        folder.mkdir(parents=True, exist_ok=True)
        with self._lock(code, LOCK_TRIES) as lock:
            self._drop_oldest(folder)
            (folder / STOP_NAME).unlink(missing_ok=True)
            known = read_status(folder) or {}
            write_status(folder, {**known, "state": "begun"})
            arguments = str(folder), code, str(self.hours), str(lock.fileno())
            process = subprocess.Popen(
                [sys.executable, "-m", __name__, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[lock.fileno()],  # so that the lock lasts as long as the process
                start_new_session=True,
            )
        # reaps the process at its end
        threading.Thread(target=process.wait, daemon=True).start()

    def stop(self, puzzle: Puzzle) -> None:
        """Request the end of a puzzle's proof, with a checkpoint."""
        folder = self._of(puzzle)
        if folder.is_dir():
            (folder / STOP_NAME).touch()

    def status(self, puzzle: Puzzle) -> dict[str, Any] | None:
        """Status of a puzzle's proof, None without any.

        `state` is one of `RUNNING`, or "ended", "failed" or "lost".
        """
        known = read_status(self._of(puzzle))
        if known and known["state"] in RUNNING and self.under_way() != str(puzzle):
            known = read_status(self._of(puzzle)) or known  # the proof may have ended meanwhile
            if known["state"] in RUNNING:
                known["state"] = "lost"
        return known

    def certificate(self, puzzle: Puzzle) -> Path:
        """Path of the certificate, which exists once a proof has ended."""
        return self._of(puzzle) / CERTIFICATE_NAME

    def under_way(self) -> str | None:
        """Code of the puzzle being proved, None without a proof."""
        try:
            with self._lock(None, 1):
                return None
        except AnotherProofError as other:
            return other.code
        except OSError:  # the folder is not writable, which `start` reports
            return None

    @contextlib.contextmanager
    def _lock(self, code: str | None, tries: int) -> Iterator[IO[str]]:
        """Hold the lock; the file names its owner. Without `code`, readers share it."""
        how = fcntl.LOCK_SH if code is None else fcntl.LOCK_EX
        self._root.mkdir(parents=True, exist_ok=True)
        with (self._root / LOCK_NAME).open("a+") as file:
            while not _is_locked(file, how):
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


def _is_locked(file: IO[str], how: int) -> bool:
    """Try to lock a file; return whether that succeeded."""
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


blueprint = Blueprint("proof", __name__, url_prefix="/prove/<code>")

NOT_HERE = noop(
    "This server proves no solutions on request. On your own computer you can: "
    "slidewise prove %(code)s"
)


def create_services(config: Mapping[str, Any], _pool: Solvers, _shared: Shared) -> tuple[Proofs]:
    """Create the services of an app."""
    return (Proofs(config["PROOFS"], config["PROOF_HOURS"]),)


@blueprint.app_template_global()
def can_be_proved(puzzle: Puzzle) -> bool:
    """Whether this server offers a proof that a shortest solution is shortest."""
    return service(Proofs).allows(puzzle)


@blueprint.before_request
def _only_where_allowed() -> None:
    if not service(Proofs).allows(current_puzzle()):
        abort(404, _(NOT_HERE, code=current_code()))


@blueprint.get("")
def page() -> Response:
    """Show the proof's progress and the actions that are possible."""
    return _page()


@blueprint.post("")
def start() -> AnyResponse:
    """Start or continue the proof."""
    try:
        service(Proofs).start(current_puzzle())
    except AnotherProofError:
        return _page(409)
    except OSError as error:
        abort(503, _("The proof could not be started: %(why)s.", why=error.strerror or error))
    return _back()


@blueprint.post("/stop")
@cheap
def stop() -> AnyResponse:
    """Stop the proof; it can continue later."""
    service(Proofs).stop(current_puzzle())
    return _back()


@blueprint.get("/certificate")
def certificate() -> AnyResponse:
    """Send the certificate, for `python -m slidewise.verify`."""
    path = service(Proofs).certificate(current_puzzle())
    if not path.exists():
        abort(404, _("There is no certificate yet: it is written when the proof has ended."))
    return send_file(path.absolute(), as_attachment=True, download_name="certificate.json")


def _back() -> AnyResponse:
    if from_htmx():
        return _page()
    return redirect(url_for("proof.page", code=current_code()), code=303)


def _page(code: int = 200) -> Response:
    proofs, puzzle = service(Proofs), current_puzzle()
    proof, other = proofs.status(puzzle), proofs.under_way()
    if proof and proof.get("moves"):  # so that other pages use the proved bound
        service(Distances).remember_proof(puzzle, proof["moves"], proof["lower_bound"])
    running = proof is not None and proof["state"] in RUNNING
    html = render_template(
        "research/_proving.html" if from_htmx() else "research/prove.html",
        puzzle=puzzle,
        cells=cells(puzzle.start, puzzle.goal),
        code=current_code(),
        proof=proof,
        running=running,
        other=None if other == current_code() else other,
        hours=proofs.hours,
    )
    return Response(html, code)
