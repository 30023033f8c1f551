"""Exercises of the operator's folder, `SLIDEWISE_EXERCISES`."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import slidewise
from slidewise.course.judge.own_exercise import BadExerciseError, read_text

if TYPE_CHECKING:
    from slidewise.course.judge import Exercise

log = logging.getLogger(__name__)

MAX_FOLDERS = 50
TRY_SECONDS = 60
"""Timeout for a folder, of which the solution may take a third."""

LIBRARY = Path(slidewise.__file__).parents[1]
ERROR = "slidewise: error: "


class OwnExercises:
    """The exercises of the operator's folder: `ready`, or `bad` with the reason.

    From the first visit on, a thread tries each with `slidewise grade`, in another process. So an
    author's code never runs in a request, and a bad folder keeps no site from starting.
    """

    def __init__(self, folder: str) -> None:
        self.ready: dict[str, Exercise] = {}
        self.bad: dict[str, str] = {}
        self._waiting = self._found(Path(folder)) if folder else []
        self._thread: Thread | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether some folders are not yet tried."""
        return bool(self._waiting)

    def start(self) -> None:
        """Try the folders that wait. Called by requests, because the server forks before them."""
        if self._waiting and not (self._thread and self._thread.is_alive()):
            self._thread = Thread(target=self._try_all, daemon=True)
            self._thread.start()

    def join(self) -> None:
        """Wait until all folders are tried."""
        if self._thread:
            self._thread.join()

    def _found(self, folder: Path) -> list[Path]:
        try:
            found = sorted(one for one in folder.iterdir() if one.is_dir() and one.name[0] != ".")
        except OSError as error:
            self._refuse(folder, f"SLIDEWISE_EXERCISES: cannot read {folder}: {error.strerror}")
            return []
        for one in found[MAX_FOLDERS:]:
            self._refuse(one, f"{one.name}: only {MAX_FOLDERS} folders are read")
        return found[:MAX_FOLDERS]

    def _refuse(self, folder: Path, why: str) -> None:
        self.bad[folder.name] = why
        log.warning("An exercise is left out: %s", why)

    def _try_all(self) -> None:
        while self._waiting:
            folder = self._waiting[0]
            try:
                self.ready[folder.name] = read_text(_packed(folder), folder.name)
            except BadExerciseError as error:
                self._refuse(folder, str(error))
            del self._waiting[0]


def _packed(folder: Path) -> str:
    """Return the packed exercise of a folder. Raises `BadExerciseError`."""
    command = [sys.executable, "-P", "-m", "slidewise", "grade", "--pack", "-", "--exercise"]
    try:
        done = subprocess.run(
            [*command, str(folder.resolve())],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TRY_SECONDS,
            env=os.environ | {"PYTHONPATH": str(LIBRARY), "PYTHONUTF8": "1"},
            check=False,
        )
    except subprocess.TimeoutExpired:
        why = f"{folder.name}: was not tried within {TRY_SECONDS} seconds"
        raise BadExerciseError(why) from None
    if done.returncode:
        _, found, why = done.stderr.rpartition(ERROR)
        raise BadExerciseError(why.strip()[:500] if found else f"{folder.name}: cannot be tried")
    return done.stdout
