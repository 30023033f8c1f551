"""A proof in a process of its own, which tells in a folder how far it is.

`python -m webapp.solve.proof_process FOLDER CODE HOURS LOCK`. It goes on from the checkpoint in
the folder. It stops, with a checkpoint, when the file `STOP_NAME` is made there, on SIGTERM, or
when the server has ended. `LOCK` is the number of the open file that is locked as long as no other
proof may begin.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from slidewise import Limits, PuzzleError, parse_puzzle, prove
from slidewise import Status as SearchStatus
from slidewise.solver.events import Finished, Improved, Preparing, Proving

if TYPE_CHECKING:
    from slidewise import Result
    from slidewise.solver.events import Event

STATUS_NAME, STOP_NAME, CERTIFICATE_NAME = "status.json", "stop", "certificate.json"
"""The files in the folder of a proof, beside its checkpoint."""

TELL_SECONDS = 1.0
"""From one status to the next: a page looks every two seconds."""

LOWEST_PRIORITY = 19


def main() -> None:
    """Prove the puzzle; how it ends is in the status."""
    folder, code, hours, lock = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]), sys.argv[4]
    os.nice(LOWEST_PRIORITY)
    server = os.getppid()
    status = Status(folder)

    terminated = threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: terminated.set())

    def is_to_stop() -> bool:
        stopped = terminated.is_set() or (folder / STOP_NAME).exists()
        return stopped or os.getppid() != server

    try:
        limits = Limits(seconds=3600 * hours)
        for event in prove(parse_puzzle(code), limits, state=folder, cancelled=is_to_stop):
            status.take(event)
        status.end()  # now that the folder can be had by the next proof
    except (PuzzleError, OSError, MemoryError) as error:
        status.write(state="failed", message=str(error) or "there is not enough memory")
    os.close(int(lock))  # and not when this process has ended, which can take a second


class Status:
    """What the file says: `state`, and what is known of the proof."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._facts: dict[str, Any] = {}
        self._written = -TELL_SECONDS
        self._result: Result | None = None

    def take(self, event: Event) -> None:
        """Tell of an event, if it is time."""
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
        """Write what is known, and `facts`."""
        self._facts |= facts
        write_status(self._folder, self._facts)
        self._written = monotonic()

    def end(self) -> None:
        """Write the certificate and how it has ended."""
        result = self._result
        assert result is not None  # every search ends with `Finished`
        if result.status is SearchStatus.INVALID:
            self._facts.clear()
            self.write(state="failed", message=result.verdict.reason)
            return
        # here, as the web process, which starts this one, is to load no numpy
        from slidewise.solver.certificate import write_certificate

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
    """Write the status of a folder with its digest. Readers always find a whole file."""
    part = folder / f"{STATUS_NAME}.part"
    with contextlib.suppress(OSError):  # a full disk: the proof goes on
        part.write_text(json.dumps({**facts, "digest": _digest(facts)}))
        part.replace(folder / STATUS_NAME)


def read_status(folder: Path) -> dict[str, Any] | None:
    """Return the status of a folder, None if there is none or it is not as it was written."""
    try:
        facts: dict[str, Any] = json.loads((folder / STATUS_NAME).read_text())
        digest = facts.pop("digest")
    except (OSError, ValueError, TypeError, AttributeError, KeyError):
        return None
    return facts if digest == _digest(facts) else None


def _digest(facts: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


if __name__ == "__main__":
    main()
