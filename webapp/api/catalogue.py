"""API endpoints for algorithms and heuristics: their lists, and a check of a heuristic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Required, TypedDict, cast

from flask import current_app

from slidewise import (
    Board,
    ExpressionError,
    PuzzleError,
    UnfitHeuristicError,
    algorithms,
    find_fitting_heuristic,
    heuristics,
    parse_board,
    parse_size,
    standard_goal,
)
from slidewise.json_schema import Amount, Count, Keywords
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.convention import ALGORITHMS
from slidewise.solver.task import ALGORITHM_FACTS, HEURISTIC_FACTS, facts_of

from ..lab.heuristics import Checks
from ..workers.budgets import charge_cpu_time
from ..workers.shared import service
from .operations import EXPENSIVE, EmptyQuery, operation
from .schemas import (
    ABOUT_HEURISTIC,
    EXAMPLE_OWN,
    BoardText,
    Cells,
    Heuristic,
    Rows,
    Size,
    as_text,
    blueprint,
    refuse,
    refuse_board,
)

if TYPE_CHECKING:
    from slidewise.solver.own.heuristic_check import Excess, HeuristicCheck, Jump


class AlgorithmFactsJSON(TypedDict):
    key: Annotated[str, Keywords(enum=lambda site: site.algorithms)]
    title: str
    idea: str
    complete: bool
    optimal: Annotated[
        bool, "Whether the path is shortest (with a heuristic, if that is admissible)."
    ]
    optimal_to: Annotated[Count | None, "If only on boards of up to so many cells, that number."]
    time: str
    space: str
    uses_heuristic: bool
    source: str
    options: Annotated[list[str], "Which of `depth` and `weight` it takes."]
    conventions: Annotated[bool, "Whether it runs under other conventions than Slidewise's."]


class AlgorithmsJSON(TypedDict):
    algorithms: list[AlgorithmFactsJSON]


class HeuristicFactsJSON(TypedDict):
    key: Annotated[str, Keywords(enum=lambda site: site.heuristics)]
    title: str
    idea: str
    admissible: bool
    consistent: bool
    source: str


class HeuristicsJSON(TypedDict):
    heuristics: list[HeuristicFactsJSON]


class ExcessJSON(TypedDict):
    board: str
    h: Count
    distance: Count


class JumpJSON(TypedDict):
    board: str
    h: Count
    after: str
    h_after: Count


class CountOfBoardsJSON(TypedDict):
    h: Count
    boards: Count


class HeuristicCheckJSON(TypedDict):
    heuristic: str
    goal: str
    boards: Annotated[Count, "How many boards can reach the goal; all of them are checked."]
    admissible: bool
    above: Annotated[Count, "How many boards have h above their distance."]
    first_above: Annotated[ExcessJSON | None, "The one nearest to the goal."]
    worst_above: Annotated[ExcessJSON | None, "The one whose h is too high by the most."]
    consistent: Annotated[bool, "A move changes h by at most 1, and h of the goal is 0."]
    at_goal: Annotated[Count, "h of the goal."]
    jumps: Annotated[Count, "How many moves change h by more than 1."]
    first_jump: Annotated[JumpJSON | None, "The one nearest to the goal."]
    worst_jump: Annotated[JumpJSON | None, "The one with the greatest change."]
    mean_h: Amount
    mean_distance: Amount
    counts: Annotated[
        list[list[CountOfBoardsJSON]], "For each distance from 0 up, how many boards have each h."
    ]


class HeuristicRequest(TypedDict, total=False):
    heuristic: Required[Annotated[Heuristic, f"The heuristic to check. {ABOUT_HEURISTIC}"]]
    goal: Annotated[BoardText | Cells | Rows, "The goal, as text or as a list."]
    size: Annotated[
        Size,
        "Rows x columns, if no `goal` is given: the goal is then 1, 2, 3 ... with the blank last. "
        f"`3x3` by default, up to {TABLE_CELLS} cells.",
    ]


@blueprint.get("/v1/algorithms")
@operation(
    "listAlgorithms",
    "The algorithms",
    "What each guarantees and costs, and which options it takes.",
    "The algorithms.",
    place=10,
)
def list_algorithms(query: EmptyQuery) -> AlgorithmsJSON:
    """List the algorithms with their facts."""
    listed = [
        {
            **facts_of(entry, ALGORITHM_FACTS),
            "options": sorted(entry.options),
            "conventions": entry.key in ALGORITHMS,
        }
        for entry in algorithms().values()
    ]
    return {"algorithms": cast("list[AlgorithmFactsJSON]", listed)}


@blueprint.get("/v1/heuristics")
@operation(
    "listHeuristics",
    "The heuristics",
    "What holds for each on all boards.",
    "The heuristics.",
    place=20,
)
def list_heuristics(query: EmptyQuery) -> HeuristicsJSON:
    """List the heuristics with their facts."""
    listed = [facts_of(entry, HEURISTIC_FACTS) for entry in heuristics().values()]
    return {"heuristics": cast("list[HeuristicFactsJSON]", listed)}


@blueprint.post("/v1/heuristics/check")
@charge_cpu_time()
@operation(
    "checkHeuristic",
    "Check a heuristic on all boards",
    "Whether a heuristic, which may be your own, is admissible and consistent for a goal. It is "
    "compared with the true distance of every board, up to 10 cells. If it is not, the answer "
    "gives the nearest board that shows it and the worst.",
    "What was found.",
    errors=EXPENSIVE,
    examples=[{"heuristic": EXAMPLE_OWN}, {"heuristic": "misplaced", "size": "2x3"}],
    place=30,
)
def check_heuristic(body: HeuristicRequest) -> HeuristicCheckJSON:
    """Check a heuristic on all boards that can reach a goal."""
    goal = _goal(body)
    try:
        key = find_fitting_heuristic(body["heuristic"], *goal.size).key
    except ExpressionError as error:
        refuse("heuristic", f"in heuristic: {error}")
    except UnfitHeuristicError as error:
        refuse("heuristic", str(error))
    with service(Checks).waiting():
        checked = service(Checks).within(key, goal, current_app.config["SOLVE_WAIT"])
    return _as_json(key, goal, checked)


def _goal(body: HeuristicRequest) -> Board:
    size = parse_size(body["size"]) if "size" in body else None
    if "goal" not in body:
        goal, field = standard_goal(*(size or (3, 3))), "size"
    else:
        field = "goal"
        try:
            goal = parse_board(as_text(body["goal"]), size)
        except PuzzleError as error:
            refuse_board(field, error)
    if not goal.has_table:
        refuse(
            field,
            f"all boards can be checked up to {TABLE_CELLS} cells, and {goal.rows}x{goal.cols} "
            "has more: ask for 3x3 or 2x5",
        )
    return goal


def _as_json(heuristic: str, goal: Board, checked: HeuristicCheck) -> HeuristicCheckJSON:
    """Return a check as JSON; `counts` has the number of boards by distance and h."""

    def excess(found: Excess | None) -> ExcessJSON | None:
        return found and {"board": str(found.board), "h": found.h, "distance": found.distance}

    def jump(found: Jump | None) -> JumpJSON | None:
        return found and {
            "board": str(found.board),
            "h": found.h,
            "after": str(found.after),
            "h_after": found.h_after,
        }

    return {
        "heuristic": heuristic,
        "goal": str(goal),
        "boards": checked.boards,
        "admissible": checked.admissible,
        "above": checked.above,
        "first_above": excess(checked.first),
        "worst_above": excess(checked.worst),
        "consistent": checked.consistent,
        "at_goal": checked.at_goal,
        "jumps": checked.jumps,
        "first_jump": jump(checked.first_jump),
        "worst_jump": jump(checked.worst_jump),
        "mean_h": checked.mean_h,
        "mean_distance": checked.mean_distance,
        "counts": [[{"h": h, "boards": n} for h, n in counts] for counts in checked.counts],
    }
