"""The processes of the solvers, read from /proc, so that no package is needed."""

import contextlib
import os
from pathlib import Path

import pytest

from webapp.workers.helpers import PROCESS_NAME

NEEDS_PROC = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="there is no /proc to read processes from"
)


def living():
    """Return all living processes as {pid: pid of the parent}, without zombies."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:
            continue  # the process has just ended
        state, parent = text.rpartition(")")[2].split()[:2]
        if state != "Z":
            found[int(path.parent.name)] = int(parent)
    return found


def solvers(root=None):
    """Return the pids of the workers that search for the process `root` or its descendants."""
    return {pid for pid in _workers(root) if has_search_name(pid)}


def helpers(root=None):
    """Return the pids of the helpers that answer calls for the same processes."""
    return {pid for pid in _workers(root) if not has_search_name(pid)}


def _workers(root):
    parents = living()
    root = root or os.getpid()
    return {
        pid
        for pid, parent in parents.items()
        if _is_forkserver_or_worker(pid)
        and _is_forkserver_or_worker(parent)
        and root in _ancestors(pid, parents)
    }


def has_search_name(pid):
    """Return whether a process has the name of a search's."""
    try:
        return Path(f"/proc/{pid}/comm").read_text() == f"{PROCESS_NAME}\n"
    except OSError:
        return False


def send(signal_number, pids):
    """Send a signal to those of the processes that have not ended meanwhile."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal_number)


def below(root):
    """Return the pids of all descendants of `root`."""
    parents = living()
    return {pid for pid in parents if root in _ancestors(pid, parents)}


def _ancestors(pid, parents):
    """Yield the ancestors of a process."""
    while (pid := parents.get(pid, 0)) > 1:
        yield pid


def _is_forkserver_or_worker(pid):
    """Return whether this is the forkserver or a worker."""
    try:
        return b"multiprocessing.forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
