"""Solving for many visitors at once, in processes of their own, so that clicks stay quick.

`SolverPool` is the whole interface: start a job, read its events after an id, cancel it; and call
a short function.
"""

from webapp.http.busy import Busy, TooManySearches
from webapp.workers.pool import Failed, SolverPool, Waiting

__all__ = ["Busy", "Failed", "SolverPool", "TooManySearches", "Waiting"]
