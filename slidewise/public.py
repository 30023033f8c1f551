"""The names of the library, which `slidewise` loads at the first use of any.

Names of the course and of research load on their own first use.
"""

from typing import TYPE_CHECKING

from slidewise.analysis.draw import draw
from slidewise.analysis.formats import write_result
from slidewise.analysis.shortest_solutions import (
    FirstMoves,
    NotShortestError,
    ShortestSolutions,
    shortest_solutions,
)
from slidewise.puzzle import *  # noqa: F403  # all its names, as `__all__` lists them
from slidewise.solver import events
from slidewise.solver.compare import Comparison, compare
from slidewise.solver.convention import (
    Convention,
    InvalidConventionError,
    conventions,
    find_convention,
)
from slidewise.solver.events import Event
from slidewise.solver.fewest_slides import FewestSlides, fewest_slides
from slidewise.solver.functions import FunctionError
from slidewise.solver.own.parse import ExpressionError
from slidewise.solver.registry import algorithms, heuristics
from slidewise.solver.result import Proof, Result, Status, Verdict
from slidewise.solver.run import (
    InvalidTraceError,
    SearchSpec,
    find_algorithm,
    find_fitting_heuristic,
    find_heuristic,
    search,
    solve,
)
from slidewise.solver.solve_many import solve_many
from slidewise.solver.tables.exact import ExactTable, SlideTable, TooManyCellsError, exact_table
from slidewise.solver.task import (
    Algorithm,
    Heuristic,
    InvalidLimitsError,
    InvalidWeightError,
    Limits,
    UnfitHeuristicError,
    UnknownNameError,
)
from slidewise.version import __version__

if TYPE_CHECKING:
    from slidewise.course.judge.printed import Report, UnreadableWorkError, check
    from slidewise.research.prove import prove

LATE = {
    "prove": "slidewise.research.prove",
    **dict.fromkeys(("Report", "UnreadableWorkError", "check"), "slidewise.course.judge.printed"),
}
"""Modules of the names that load on first use."""

__all__ = [
    "GOAL_NAMES",
    "STANDARD_GOALS",
    "Algorithm",
    "Alternatives",
    "AmbiguousBoardError",
    "AmbiguousMovesError",
    "Board",
    "Comparison",
    "Convention",
    "Event",
    "ExactTable",
    "ExpressionError",
    "FewestSlides",
    "FirstMoves",
    "FunctionError",
    "Game",
    "Heuristic",
    "IllegalMoveError",
    "InvalidBoardError",
    "InvalidConventionError",
    "InvalidLimitsError",
    "InvalidMovesError",
    "InvalidTraceError",
    "InvalidWeightError",
    "Limits",
    "MovesReading",
    "NotShortestError",
    "Parity",
    "Proof",
    "Puzzle",
    "PuzzleError",
    "Report",
    "Result",
    "SearchSpec",
    "ShortestSolutions",
    "SizeNeededError",
    "SlideTable",
    "SlidysimReplay",
    "Status",
    "Step",
    "TooManyCellsError",
    "UnfitHeuristicError",
    "UnknownNameError",
    "UnreadableWorkError",
    "Verdict",
    "__version__",
    "algorithms",
    "blank_first_goal",
    "check",
    "compare",
    "conventions",
    "draw",
    "events",
    "exact_table",
    "fewest_slides",
    "find_algorithm",
    "find_convention",
    "find_fitting_heuristic",
    "find_heuristic",
    "format_moves",
    "heuristics",
    "parity",
    "parse_board",
    "parse_moves",
    "parse_puzzle",
    "parse_size",
    "prove",
    "read_moves",
    "read_plan",
    "read_replays",
    "read_scramble",
    "scramble",
    "search",
    "shortest_solutions",
    "solve",
    "solve_many",
    "spiral_goal",
    "standard_goal",
    "steps",
    "understand_moves",
    "write_board",
    "write_replay",
    "write_result",
    "write_scramble",
]
