"""The processes of the solvers, read from /proc, which needs no package."""

import os
from pathlib import Path

import pytest

from webapp.workers.helpers import NICENESS

NEEDS_PROC = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="there is no /proc to read processes from"
)


def living():
    """Return {pid: pid of the parent} of all processes that live, zombies left out."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:
            continue  # it has just ended
        state, parent = text.rpartition(")")[2].split()[:2]
        if state != "Z":
            found[int(path.parent.name)] = int(parent)
    return found


def solvers(root=None):
    """Return the pids of the workers that search for the process `root`, or for one below it."""
    return {pid for pid in _workers(root) if _steps_back(pid)}


def helpers(root=None):
    """Return the pids of the helpers that answer calls, of the same processes."""
    return {pid for pid in _workers(root) if not _steps_back(pid)}


def _workers(root):
    parents = living()
    root = root or os.getpid()
    return {
        pid
        for pid, parent in parents.items()
        if _forked(pid) and _forked(parent) and root in _line(pid, parents)
    }


def _steps_back(pid):
    """Return whether a worker lets the web process go first as far as a visitor's search does: a
    helper for look-ups, which are waited for, does not, and one that looks ahead does more."""
    try:
        behind = os.getpriority(os.PRIO_PROCESS, pid) - os.getpriority(os.PRIO_PROCESS, 0)
        return behind == NICENESS
    except ProcessLookupError:
        return False


def below(root):
    """Return the pids of all processes that descend from `root`."""
    parents = living()
    return {pid for pid in parents if root in _line(pid, parents)}


def _line(pid, parents):
    """Yield the ancestors of a process."""
    while (pid := parents.get(pid, 0)) > 1:
        yield pid


def _forked(pid):
    """Return whether this is the process that workers are forked from, or one of them."""
    try:
        return b"multiprocessing.forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
