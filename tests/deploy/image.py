"""The steps of `deploy/Dockerfile`, run without Docker.

Each stage is an overlay over this machine's file system. Its commands run as root. A separate
folder takes the written files, as a layer does.
"""

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
"""This machine's Python, which replaces that of the base image."""

DEFAULT_PATH = f"{PYTHON.parent}:/usr/sbin:/usr/bin:/sbin:/bin"
"""The PATH of an image, with this machine's Python."""

MOUNTS = """\
set -e
mount -t overlay overlay -o lowerdir=/,upperdir="$1/upper",workdir="$1/work" "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
mount -t tmpfs tmpfs "$1/root/tmp"
"""
READ_ONLY = 'mount -o remount,bind,ro "$1/root"\n'
ENTER_LAYER = 'cd "$1/root" && shift && exec chroot . "$@"'


@dataclass
class Stage:
    """A stage of a Dockerfile: its instructions after FROM, and the state that they have set so
    far.
    """

    instructions: list[tuple[str, str]] = field(default_factory=list)

    def all(self, name: str) -> list[str]:
        """Return the arguments of each instruction `name`."""
        return [rest for found, rest in self.instructions if found == name]

    def variables(self) -> dict[str, str]:
        """Return the variables set by ENV. $PATH is not expanded."""
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
    stages = [Stage()]  # instructions before the first one apply to all stages
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        name, _, rest = line.partition(" ")
        if name == "FROM":
            stages.append(Stage())
        elif name:
            stages[-1].instructions.append((name, rest.strip()))
    return stages[1:]


def build_context() -> set[str]:
    """Return the files in the project's folder that Docker receives, by `.dockerignore`."""
    rules = (PROJECT / ".dockerignore").read_text().splitlines()
    chosen = set()
    for path in PROJECT.iterdir():
        for rule in rules:
            if fnmatch.fnmatch(path.name, rule.removeprefix("!")):
                (chosen.add if rule.startswith("!") else chosen.discard)(path.name)
    return chosen


class Layer:
    """The files written by the commands of a stage, over this machine's file system."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in "upper", "work", "root":
            (folder / name).mkdir(parents=True)
        python = PYTHON.with_name("python")
        self.run(["sh", "-c", f"chmod o+x /root; test -e {python} || ln -s {PYTHON} {python}"])

    def path(self, inside: str) -> Path:
        """Return the real path of a path that commands see."""
        return self._folder / "upper" / inside.lstrip("/")

    def run(self, command: list[str], **options: object) -> None:
        """Run a command as root and assert its success."""
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
        """Start a command. A `user` has a read-only file system, apart from /tmp."""
        script = MOUNTS + (READ_ONLY if user else "") + ENTER_LAYER
        uid, _, gid = user.partition(":")
        lowered = ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups"] if user else []
        isolated = ["unshare", "--mount", "--propagation=private", "sh", "-c", script, "sh"]
        variables = variables or {}
        path = variables.get("PATH", "$PATH").replace("$PATH", DEFAULT_PATH)
        return subprocess.Popen(
            [*isolated, str(self._folder), *lowered, "env", "--chdir", workdir, *command],
            env={**_package_variables(), "HOME": "/root", **variables, "PATH": path},
            **options,
        )


def copy(source: str, layer: Layer, target: str) -> None:
    """Follow a COPY of a file or folder of the project."""
    if (PROJECT / source).is_dir():
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PROJECT / source, layer.path(target), ignore=ignored)
    else:
        layer.path(target).mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / source, layer.path(target))


def whole_seconds(folder: Path) -> None:
    """Round all file times to seconds, as in an image."""
    for path in folder.rglob("*"):
        seconds = int(path.lstat().st_mtime)
        os.utime(path, (seconds, seconds), follow_symlinks=False)


def _package_variables() -> dict[str, str]:
    """Return this machine's variables for package sources."""
    names = re.compile(r"(PIP|UV|SSL|HTTPS?|NO)_\w+|https?_proxy|no_proxy|LANG")
    return {name: value for name, value in os.environ.items() if names.fullmatch(name)}
