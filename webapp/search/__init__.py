"""How to solve a sliding puzzle: algorithms, heuristics and the events that they tell.

Importing this package loads neither numpy nor numba; the first search does.
"""

from webapp.search import events
from webapp.search.comparison import Comparison, compare
from webapp.search.drawing import draw
from webapp.search.events import Event
from webapp.search.exact import ExactTable, exact_table
from webapp.search.limits import InvalidLimitsError, Limits
from webapp.search.registry import (
    Algorithm,
    Heuristic,
    UnknownNameError,
    algorithms,
    find_algorithm,
    find_heuristic,
    heuristics,
)
from webapp.search.result import Result, Status
from webapp.search.run import search, solve
from webapp.search.verdict import Proof, Verdict
from webapp.search.weights import InvalidWeightError

__all__ = [
    "Algorithm",
    "Comparison",
    "Event",
    "ExactTable",
    "Heuristic",
    "InvalidLimitsError",
    "InvalidWeightError",
    "Limits",
    "Proof",
    "Result",
    "Status",
    "UnknownNameError",
    "Verdict",
    "algorithms",
    "compare",
    "draw",
    "events",
    "exact_table",
    "find_algorithm",
    "find_heuristic",
    "heuristics",
    "search",
    "solve",
]
