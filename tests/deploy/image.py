"""The steps of `deploy/Dockerfile`, followed without Docker.

Each stage is an overlay over this machine's file system, in which its commands run as root: what
they write stays in a folder of its own, as it does in a layer.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.deploy.site import DEPLOY

PROJECT = DEPLOY.parent

PYTHON = Path(sys._base_executable).resolve()  # type: ignore[attr-defined]  # private
"""The Python that stands for that of the base image."""

USUAL = f"{PYTHON.parent}:/usr/sbin:/usr/bin:/sbin:/bin"
"""The PATH of an image, whose Python is that of this machine."""

MOUNTS = """\
set -e
mount -t overlay overlay -o lowerdir=/,upperdir="$1/upper",workdir="$1/work" "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
mount -t tmpfs tmpfs "$1/root/tmp"
"""
READ_ONLY = 'mount -o remount,bind,ro "$1/root"\n'
ENTER = 'cd "$1/root" && shift && exec chroot . "$@"'


@dataclass
class Stage:
    """A stage of a Dockerfile: its instructions after FROM, and what those have set so far."""

    instructions: list[tuple[str, str]] = field(default_factory=list)

    def all(self, name: str) -> list[str]:
        """Return what stands after each instruction of a name."""
        return [rest for found, rest in self.instructions if found == name]

    def variables(self) -> dict[str, str]:
        """Return what ENV sets, with $PATH left as it stands."""
        words = (word for rest in self.all("ENV") for word in shlex.split(rest))
        return dict(word.split("=", 1) for word in words)

    def command(self, name: str) -> list[str]:
        """Return the list of words after an instruction such as CMD."""
        (rest,) = self.all(name)
        words: list[str] = json.loads(rest[rest.index("[") :])
        return words


def read() -> list[Stage]:
    """Return the stages of the Dockerfile."""
    text = (DEPLOY / "Dockerfile").read_text()
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    stages = [Stage()]  # before the first one stands what holds for all
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        name, _, rest = line.partition(" ")
        if name == "FROM":
            stages.append(Stage())
        elif name:
            stages[-1].instructions.append((name, rest.strip()))
    return stages[1:]


def sent() -> set[str]:
    """Return what stands in the project's folder and is sent to Docker, by `.dockerignore`."""
    rules = (PROJECT / ".dockerignore").read_text().splitlines()
    chosen = set()
    for path in PROJECT.iterdir():
        for rule in rules:
            if fnmatch.fnmatch(path.name, rule.removeprefix("!")):
                (chosen.add if rule.startswith("!") else chosen.discard)(path.name)
    return chosen


class Layer:
    """What the commands of a stage have written, over the file system of this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in "upper", "work", "root":
            (folder / name).mkdir(parents=True)
        python = PYTHON.with_name("python")
        self.run(["sh", "-c", f"chmod o+x /root; test -e {python} || ln -s {PYTHON} {python}"])

    def path(self, inside: str) -> Path:
        """Return where something is that commands see at a path."""
        return self._folder / "upper" / inside.lstrip("/")

    def run(self, command: list[str], **options: object) -> None:
        """Run a command as root, which must not fail."""
        with self.start(command, **options) as process:
            assert process.wait() == 0, command

    def start(
        self,
        command: list[str],
        *,
        variables: dict[str, str] | None = None,
        workdir: str = "/",
        user: str = "",
        **options: object,
    ) -> subprocess.Popen[bytes]:
        """Start a command; as a `user` it has a file system that can only be read, but /tmp."""
        script = MOUNTS + (READ_ONLY if user else "") + ENTER
        uid, _, gid = user.partition(":")
        lowered = ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups"] if user else []
        isolated = ["unshare", "--mount", "--propagation=private", "sh", "-c", script, "sh"]
        variables = variables or {}
        path = variables.get("PATH", "$PATH").replace("$PATH", USUAL)
        return subprocess.Popen(
            [*isolated, str(self._folder), *lowered, "env", "--chdir", workdir, *command],
            env={**_of_packages(), "HOME": "/root", **variables, "PATH": path},
            **options,
        )


def copy(source: str, layer: Layer, target: str) -> None:
    """Follow a COPY of something of the project."""
    if (PROJECT / source).is_dir():
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PROJECT / source, layer.path(target), ignore=ignored)
    else:
        layer.path(target).mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / source, layer.path(target))


def whole_seconds(folder: Path) -> None:
    """Give all files the times that they have in an image."""
    for path in folder.rglob("*"):
        seconds = int(path.lstat().st_mtime)
        os.utime(path, (seconds, seconds), follow_symlinks=False)


def _of_packages() -> dict[str, str]:
    """Return the variables that say where this machine has its packages from."""
    names = re.compile(r"(PIP|UV|SSL|HTTPS?|NO)_\w+|https?_proxy|no_proxy|LANG")
    return {name: value for name, value in os.environ.items() if names.fullmatch(name)}
