"""The units of systemd, run without it: a `systemctl` for commands of the documentation.

It reads a unit's start command, readiness type and stop timeout.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from tests.web.streams import PATIENCE

UNITS = Path(__file__).parents[2] / "deploy" / "systemd"

PROGRAM = "/opt/slidewise/current/bin/slidewise"

COMMAND = """\
#!{python}
import socket, sys
with socket.socket(socket.AF_UNIX) as units:
    units.connect({address!r})
    units.sendall(" ".join(sys.argv[1:]).encode())
    units.shutdown(socket.SHUT_WR)
    sys.exit(int(units.recv(10)))
"""
"""The program `systemctl`, which forwards its arguments to this process."""


class Units:
    """Runs units as processes with `settings`; `programs` is the folder of a `systemctl`."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self._folder, self._settings = folder, settings
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(folder / "systemctl.socket"))
        self._socket.listen()
        self.programs = folder / "programs"
        self.programs.mkdir()
        command = self.programs / "systemctl"
        command.write_text(
            COMMAND.format(python=sys.executable, address=str(folder / "systemctl.socket"))
        )
        command.chmod(0o755)

    def __enter__(self) -> Units:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *raised: object) -> None:
        for unit in list(self._processes):
            self.stop(unit)
        self._socket.close()

    @property
    def running(self) -> set[str]:
        """Return the units that run."""
        return {unit for unit, one in self._processes.items() if one.poll() is None}

    def start(self, unit: str) -> None:
        """Start a unit. With `Type=notify`, return once it reports that it is ready."""
        if unit in self.running:
            return
        name, _, instance = unit.partition("@")
        text = (UNITS / f"{name}@.service").read_text()
        command, *words = shlex.split(_value(text, "ExecStart").replace("%i", instance))
        assert command == PROGRAM
        environment = {**os.environ, **self._settings}
        with contextlib.ExitStack() as stack:
            if _value(text, "Type") == "notify":
                notified = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
                name = f"{os.getpid()} {unit}"
                notified.bind(f"\0{name}")  # abstract address, outside the file system
                environment["NOTIFY_SOCKET"] = f"@{name}"
                notified.settimeout(PATIENCE)
            log = stack.enter_context((self._folder / f"{unit}.log").open("ab"))
            self._processes[unit] = subprocess.Popen(
                [sys.executable, "-m", "webapp", *words],
                cwd=UNITS.parents[1],
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            if _value(text, "Type") == "notify":
                assert notified.recv(100) == b"READY=1"

    def stop(self, unit: str) -> None:
        """Stop a unit by `KillMode=mixed`."""
        process = self._processes.pop(unit)
        text = (UNITS / f"{unit.partition('@')[0]}@.service").read_text()
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(int(_value(text, "TimeoutStopSec")))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def log(self) -> str:
        """Return the output of all units."""
        return "".join(path.read_text() for path in self._folder.glob("*@*.log"))

    def _serve(self) -> None:
        """Handle calls of `systemctl` until the socket is closed."""
        with contextlib.suppress(OSError):
            while True:
                caller, _ = self._socket.accept()
                with caller:
                    words = caller.makefile().read().split()
                    caller.sendall(str(self._call(words)).encode())

    def _call(self, words: list[str]) -> int:
        """Run the command of a call and return its exit code."""
        command, *units = (word for word in words if not word.startswith("--"))
        for unit in units:
            if command == "is-active":
                return 0 if unit in self.running else 3
            if command in ("restart", "disable"):
                self.stop(unit)
            if command in ("restart", "enable"):
                self.start(unit)
        return 0 if command in ("restart", "disable", "enable") else 1


def _value(text: str, name: str) -> str:
    found = re.search(rf"^{name}=(.*)$", text, re.MULTILINE)
    assert found, name
    return found[1]
