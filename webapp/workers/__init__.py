"""Solving for many visitors at once, in other processes, so that clicks stay quick.

`Solvers` is the whole interface: start a job, read its events after an id, cancel it; and call
a short function.
"""

from ..http.responses import Busy, TooManySearches
from .local import LocalSolvers
from .solvers import Failed, Solvers, Waiting

__all__ = ["Busy", "Failed", "LocalSolvers", "Solvers", "TooManySearches", "Waiting"]
