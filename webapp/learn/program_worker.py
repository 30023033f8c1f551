"""A student's program, in Pyodide in a worker of its own: it runs what the judge requests.

The worker imports this from the archive of `write.py`. It has the standard library and
`slidewise.study.programs`, in which nothing judges and no solution is. Whatever a program does
here, it can only change the results of its own calls.
"""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from slidewise.study.programs.child import Runner, answers, hide_library

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_RECURSION = 3_000
"""Highest recursion limit: WebAssembly's own stack ends the interpreter above it."""

JAVASCRIPT = ("js", "pyodide_js")
"""Modules that are the worker's JavaScript."""

_runner = Runner()


def prepare(folder: str) -> None:
    """Cap the recursion limit, and remove JavaScript and the library, before a program runs."""
    set_limit = sys.setrecursionlimit
    sys.setrecursionlimit = lambda limit: set_limit(min(limit, MAX_RECURSION))
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "JsFinder"]
    for name in list(sys.modules):
        if name.partition(".")[0] in JAVASCRIPT:
            del sys.modules[name]
    hide_library()
    shutil.rmtree(folder)


def answer(request: str, write: Callable[[str], object]) -> str:
    """Run what the judge requests, and write each result as a line of JSON."""
    for line in answers(_runner, request):
        write(line)
    return ""
