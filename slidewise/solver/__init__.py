"""How to solve a sliding puzzle: algorithms, heuristics and the events that they tell.

Importing this package loads neither numpy nor numba; the first search does.
"""

from slidewise.solver import events
from slidewise.solver.compare import Comparison, compare
from slidewise.solver.events import Event
from slidewise.solver.limits import InvalidLimitsError, Limits
from slidewise.solver.registry import (
    Algorithm,
    Heuristic,
    UnknownNameError,
    algorithms,
    find_algorithm,
    find_heuristic,
    heuristics,
)
from slidewise.solver.result import Result, Status
from slidewise.solver.run import search, solve
from slidewise.solver.tables.exact import ExactTable, exact_table
from slidewise.solver.verdict import Proof, Verdict
from slidewise.solver.weights import InvalidWeightError
from slidewise.study.draw import draw

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
