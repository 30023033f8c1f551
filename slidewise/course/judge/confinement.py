"""Confinement of processes that run other people's programs.

Each process has resource limits. Further, as far as the system allows:

1. Linux with user namespaces: it sees no other process and no network, all files are read-only, and
   its folder is a small file system in memory. When it ends, all its children end.
2. Linux as root, such as in a container: it runs under a separate user id.
3. Other systems: there is no separation, so the processes run in sequence. Their children are
   ended, on Linux also children that have left the process group.

The judge runs this file as a program, the launcher, which confines itself and then becomes the
command. The launcher imports only the standard library.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

LAUNCHER = Path(__file__)
PACKAGE_FOLDER = Path(__file__).parents[3]
PROC, TERMINALS = Path("/proc"), Path("/dev/pts")
HIDDEN: Final = "size=4096,nr_inodes=1,mode=555"
"""Mount options of the empty file system that covers a hidden folder."""

OPEN_FILES: Final = 64
FILE_BYTES: Final = 1_000_000
"""Maximum size of a file that a process writes."""

FOLDER_BYTES: Final = 8_000_000
"""Maximum bytes of all files in the folder of a process."""

FOLDER_FILES: Final = 500
PROCESSES: Final = 32
"""Maximum processes and threads of a program at a time."""

FIRST_UID: Final = 0x70000000
"""First user id of the processes, above the range that systemd gives to containers."""

INNER_ID: Final = 1000
"""User id within a namespace. It is not 0, which would regain capabilities."""

PROBE_SECONDS: Final = 60
END_ROUNDS, ROUND_SECONDS = 300, 0.01
"""Maximum rounds of killing leftover processes, and the pause between rounds."""

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP = 1, 4, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER = 0x20000, 0x8000000, 0x10000000
CLONE_NEWPID, CLONE_NEWNET = 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_REC, MS_PRIVATE = 2, 4, 0x4000, 0x40000
SYS_MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY = 442, -100, 0x8000, 1
CAPABILITIES: Final = 64


class ProcessLimits(NamedTuple):
    """Limits of a process: seconds, of both wall-clock and CPU time, and memory."""

    seconds: int = 20
    megabytes: int = 1024


class Isolation(NamedTuple):
    """Separation of a process from others: by namespaces, by a separate user id, or none."""

    namespaces: bool = False
    own_uid: bool = False

    @property
    def allows_others(self) -> bool:
        """Whether processes may run in parallel, because they cannot reach each other."""
        return self.namespaces or self.own_uid


@cache
def available_isolation() -> Isolation:
    """Return the best isolation that works here, tested with a process that ends at once."""
    uids = (True, False) if _is_root() else (False,)
    tried = [Isolation(spaces, uid) for spaces in (True, False) for uid in uids]
    return next((one for one in tried if one.allows_others and _works(one)), Isolation())


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _works(isolation: Isolation) -> bool:
    if not PROC.is_dir() or not hasattr(os, "fork"):
        return False
    command = [sys.executable, "-P", "-B", "-c", "import slidewise.course.programs.child"]
    with Confinement(isolation) as confinement:
        process = confinement.start(command, ProcessLimits(PROBE_SECONDS))
        with suppress(subprocess.TimeoutExpired):
            process.popen.communicate(timeout=PROBE_SECONDS)
        return process.popen.returncode == 0


@contextmanager
def closed_to_programs() -> Iterator[None]:
    """Hide this process's memory and /proc files from others of the same user, on Linux."""
    _prctl(PR_SET_DUMPABLE, 0)
    try:
        yield
    finally:
        _prctl(PR_SET_DUMPABLE, 1)


class Confinement:
    """Starts confined processes. When it closes, it ends them and deletes their folders.

    Up to `jobs` of its `turn`s run at a time, a single turn if processes are not isolated.
    """

    def __init__(self, isolation: Isolation | None = None, jobs: int = 1) -> None:
        self.isolation = available_isolation() if isolation is None else isolation
        self.jobs = jobs if self.isolation.allows_others else 1
        self._turns = threading.Semaphore(self.jobs)
        self._queue = threading.Lock()
        self._running: set[ConfinedProcess] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        Path(self._folder.name).chmod(0o711)  # other user ids can enter, but not list it

    def __enter__(self) -> Confinement:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._closed = True
            running = list(self._running)
        for process in running:
            process.end()
        self._folder.cleanup()

    @contextmanager
    def turn(self, *, alone: bool = False) -> Iterator[None]:
        """Wait for a turn; `alone` waits for exclusive use, with no other turn running."""
        number = self.jobs if alone else 1
        # The lock prevents deadlock between two waiters that each hold some of the semaphore.
        with self._queue:
            for _ in range(number):
                self._turns.acquire()
        try:
            yield
        finally:
            self._turns.release(number)

    def start(self, command: Sequence[str], limits: ProcessLimits) -> ConfinedProcess:
        """Start a command, with pipes to its standard input and output.

        Raises `RuntimeError` if the confinement is closed.
        """
        with self._lock:
            if self._closed:
                raise RuntimeError("the confinement is closed")
            folder = tempfile.mkdtemp(dir=self._folder.name)
            process = ConfinedProcess(command, folder, limits, self.isolation)
            self._running.add(process)
        return process

    def end(self, process: ConfinedProcess) -> None:
        """End a process and all its children."""
        process.end()
        with self._lock:
            self._running.discard(process)


class ConfinedProcess:
    """A command that runs confined, in its own folder."""

    def __init__(
        self, command: Sequence[str], folder: str, limits: ProcessLimits, isolation: Isolation
    ) -> None:
        self._folder = Path(folder)
        self._isolation = isolation
        self._ending = threading.Lock()
        self._ended = False
        self._before: set[int] = set()
        # Orphaned children become children of this process, where `_left` finds them.
        if not isolation.allows_others:
            _prctl(PR_SET_CHILD_SUBREAPER, 1)
            self._before = {one.pid for one in _processes() if one.parent == os.getpid()}
        plan = json.dumps([*isolation, *limits, folder])
        launcher = [sys.executable, "-I", "-S", str(LAUNCHER), plan] if hasattr(os, "fork") else []
        self.popen = subprocess.Popen(
            [*launcher, *command],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=_environment(folder),
            start_new_session=True,
        )

    def end(self) -> None:
        """End the process and all its children."""
        with self._ending:
            if not self._ended:
                self._end()
            self._ended = True

    def _end(self) -> None:
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, signal.SIGKILL)
        else:
            self.popen.kill()
        self.popen.wait()
        if self.popen.stdin:
            self.popen.stdin.close()
        if not self._isolation.namespaces:  # otherwise the kernel ends all of them
            self._end_left()
        if not self._isolation.allows_others:
            _prctl(PR_SET_CHILD_SUBREAPER, 0)

    def _end_left(self) -> None:
        for _ in range(END_ROUNDS):
            left = self._left()
            if not left:
                return
            for process in left:
                with suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGKILL)
                if process.parent == os.getpid():
                    with suppress(ChildProcessError):
                        os.waitpid(process.pid, os.WNOHANG)
            time.sleep(ROUND_SECONDS)

    def _left(self) -> list[_Process]:
        """Return the children that the ended process left behind."""
        every = list(_processes())
        if self._isolation.own_uid:
            uid = FIRST_UID + self.popen.pid
            return [one for one in every if one.uid == uid and one.state != "Z"]
        found = [one for one in every if one.parent == os.getpid() and one.pid not in self._before]
        for parent in found:
            found += [one for one in every if one.parent == parent.pid]
        return found

    def written_too_much(self) -> bool:
        """Return whether the files of its folder exceed the limits.

        In a namespace its file system has this size, so no check is needed.
        """
        if self._isolation.namespaces:
            return False
        size = number = 0
        with suppress(OSError):
            for file in self._folder.rglob("*"):
                size, number = size + file.lstat().st_size, number + 1
        return size > FOLDER_BYTES or number > FOLDER_FILES


class _Process(NamedTuple):
    """A process of this machine, from `/proc`."""

    pid: int
    parent: int
    uid: int
    state: str


def _processes() -> Iterator[_Process]:
    for folder in PROC.glob("[0-9]*"):
        with suppress(OSError, KeyError):
            lines = (folder / "status").read_text(errors="replace").splitlines()
            fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
            uid = int(fields["Uid"].split()[0])
            yield _Process(int(folder.name), int(fields["PPid"]), uid, fields["State"][0])


def _environment(folder: str) -> dict[str, str]:
    """Return the environment of a process, without the caller's variables, such as secrets."""
    needed = {"SYSTEMROOT"} & set(os.environ)  # for Python on Windows
    return {name: os.environ[name] for name in needed} | {
        "PATH": os.defpath,
        "HOME": folder,
        "PYTHONPATH": str(PACKAGE_FOLDER),
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "LANG": "C.UTF-8",
    }


# ---------------------------------------------------------------------------------------------
# The launcher, and calls of the C library


def _main(plan: str, *command: str) -> NoReturn:
    """Confine this process and become the command."""
    namespaces, own_uid, seconds, megabytes, folder = json.loads(plan)
    if own_uid:
        _change_uid(FIRST_UID + os.getpid(), folder)
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if namespaces:
        _enter_namespaces(folder)
    _limit(seconds, megabytes, PROCESSES if namespaces or own_uid else _threads() + PROCESSES)
    for capability in range(CAPABILITIES):
        _prctl(PR_CAPBSET_DROP, capability)
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    os.execv(command[0], command)


def _change_uid(uid: int, folder: str) -> None:
    os.chown(folder, uid, uid)
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
    _prctl(PR_SET_DUMPABLE, 1)  # otherwise root owns its files in /proc


def _enter_namespaces(folder: str) -> None:
    """Return in a process within new namespaces, as the grandchild of this process.

    Its parent is the first process of the PID namespace. It waits for the program, because the
    kernel ends all other processes when the first process ends.
    """
    uid, gid = os.geteuid(), os.getegid()
    flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC
    _check(_c().unshare(flags))
    for name, text in (
        ("self/setgroups", "deny"),
        ("self/uid_map", f"{INNER_ID} {uid} 1"),
        ("self/gid_map", f"{INNER_ID} {gid} 1"),
    ):
        (PROC / name).write_text(text)
    with suppress(OSError):  # /proc can be read-only in a container
        (PROC / "sys/user/max_user_namespaces").write_text("0")
    results, result = os.pipe()
    first = os.fork()
    if first:
        os.close(result)
        # An empty read means that the first process has died, so its own status counts.
        _end_as(int(os.read(results, 16) or os.waitpid(first, 0)[1]))
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    _prctl(PR_SET_DUMPABLE, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # without handlers its children cannot signal it
    _mount(folder)
    program = os.fork()
    if not program:
        return
    status = -1
    while status < 0:
        pid, found = os.wait()
        status = found if pid == program else status
    os.write(result, str(status).encode())
    os._exit(0)


def _mount(folder: str) -> None:
    """Make all files read-only, except a file system in memory over the folder.

    Hide processes and terminals, whose devices stay writable on read-only file systems.
    """
    mount = _c().mount
    # Private first, or the mounts would propagate to the host.
    _check(mount(None, b"/", None, MS_REC | MS_PRIVATE, None))
    read_only = (ctypes.c_uint64 * 4)(MOUNT_ATTR_RDONLY)
    path, size = ctypes.c_char_p(b"/"), ctypes.c_size_t(ctypes.sizeof(read_only))
    _check(_c().syscall(SYS_MOUNT_SETATTR, AT_FDCWD, path, AT_RECURSIVE, read_only, size))
    own = f"size={FOLDER_BYTES},nr_inodes={FOLDER_FILES},mode=700"
    hidden = [str(one) for one in (PROC, TERMINALS) if one.is_dir()]
    for place, options in (folder, own), *((one, HIDDEN) for one in hidden):
        words = place.encode(), b"tmpfs", MS_NOSUID | MS_NODEV, options.encode()
        _check(mount(b"tmpfs", *words))
    os.chdir(folder)


def _end_as(status: int) -> NoReturn:
    """End this process with the same exit code or signal as in a wait status."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        signal.signal(-code, signal.SIG_DFL) if -code != signal.SIGKILL else None
        os.kill(os.getpid(), -code)
    os._exit(code)


def _threads() -> int:
    """Return the number of threads of this user, 0 if the system does not list them."""
    found = 0
    for process in _processes():
        if process.uid == os.getuid():
            with suppress(OSError):
                found += len(list((PROC / str(process.pid) / "task").iterdir()))
    return found


def _limit(seconds: int, megabytes: int, processes: int) -> None:
    import resource

    for kind, limit, hard in (
        (resource.RLIMIT_CPU, seconds, seconds + 1),  # the soft limit sends SIGXCPU, not SIGKILL
        (resource.RLIMIT_AS, megabytes * 2**20, megabytes * 2**20),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES),
        (resource.RLIMIT_FSIZE, FILE_BYTES, FILE_BYTES),
        (resource.RLIMIT_NPROC, processes, processes),
    ):
        with suppress(ValueError, OSError):  # macOS does not limit the memory
            resource.setrlimit(kind, (limit, hard))


@cache
def _c() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def _check(result: int) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _prctl(option: int, value: int) -> None:
    """Call Linux's `prctl` for this process; do nothing on other systems."""
    prctl: Callable[..., int] | None = getattr(_c(), "prctl", None) if os.name == "posix" else None
    if prctl:
        prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0)))


if __name__ == "__main__":
    _main(*sys.argv[1:])
