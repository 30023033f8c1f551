"""Slidewise: sliding-tile puzzles, and searches that solve them.

>>> import slidewise
>>> puzzle = slidewise.parse_puzzle("7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8")
>>> print(slidewise.solve(puzzle).outcome)
optimal

This is the whole public interface. Submodules may change. Importing it loads neither numpy nor
numba, which the first search does.
"""

from slidewise.puzzle import (
    GOAL_NAMES,
    STANDARD_GOALS,
    Alternatives,
    AmbiguousBoardError,
    AmbiguousMovesError,
    Board,
    Game,
    IllegalMoveError,
    InvalidBoardError,
    InvalidMovesError,
    MovesReading,
    Parity,
    Puzzle,
    PuzzleError,
    SizeNeededError,
    Step,
    blank_first_goal,
    format_moves,
    parity,
    parse_board,
    parse_moves,
    parse_puzzle,
    parse_size,
    read_moves,
    read_plan,
    scramble,
    spiral_goal,
    standard_goal,
    steps,
    understand_moves,
    write_board,
)
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
from slidewise.solver.own.parse import ExpressionError
from slidewise.solver.prove import prove
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
from slidewise.study.check import Report, UnreadableWorkError, check
from slidewise.study.draw import draw
from slidewise.study.formats import write_result
from slidewise.study.shortest_solutions import (
    FirstMoves,
    NotShortestError,
    ShortestSolutions,
    shortest_solutions,
)
from slidewise.version import __version__

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
    "scramble",
    "search",
    "shortest_solutions",
    "solve",
    "spiral_goal",
    "standard_goal",
    "steps",
    "understand_moves",
    "write_board",
    "write_result",
]
