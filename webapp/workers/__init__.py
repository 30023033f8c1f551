"""Solving for many visitors at once, in other processes, so that clicks stay quick.

`Solvers` is the whole interface: start a job, read its events after an id, cancel it; and call
a short function.
"""

from webapp.http.responses import Busy, TooManySearches
from webapp.workers.local import LocalSolvers
from webapp.workers.solvers import Failed, Solvers, Waiting

__all__ = ["Busy", "Failed", "LocalSolvers", "Solvers", "TooManySearches", "Waiting"]
