"""API operations of the course: check a search, check a heuristic, searches on many boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Required, TypedDict, cast

from flask import Blueprint, current_app
from werkzeug.datastructures import MultiDict

from slidewise import (
    Board,
    ExpressionError,
    Puzzle,
    PuzzleError,
    UnfitHeuristicError,
    find_fitting_heuristic,
    parse_board,
    parse_size,
    standard_goal,
)
from slidewise.course.judge.printed import find_rules
from slidewise.course.judge.printed.report import CheckReportJSON
from slidewise.course.sample import Measurement, Quartiles, SampleSummary
from slidewise.json_schema import Amount, Count, Keywords, json_values
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.task import DEFAULT_WEIGHT

from ..api.operations import EXPENSIVE, operation
from ..api.schemas import (
    ABOUT_HEURISTIC,
    EXAMPLE_OWN,
    MAX_CONVENTION,
    MAX_RUNS,
    BoardText,
    Cells,
    Heuristic,
    Moves,
    PuzzleFields,
    Rows,
    Run,
    Size,
    WeightOfAll,
    WeightOfOne,
    as_text,
    read_puzzle,
    refuse,
    refuse_board,
)
from ..api.searches import check_taken, check_uses_heuristic, read_run
from ..http.requests import API
from ..workers.budgets import charge_cpu_time
from ..workers.shared import service
from .lab.check import WorkToCheck, checked
from .lab.heuristics import Checks
from .lab.many_boards import MAX_BOARDS, SEED_CHARACTERS, read_plan, sample_of
from .lab.many_boards import MAX_RUNS as MAX_RUNS_ON_MANY

if TYPE_CHECKING:
    from slidewise.solver.own.heuristic_check import Excess, HeuristicCheck, Jump

blueprint = Blueprint("course_api", __name__, url_prefix=API)


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
    goal = _goal_with_table(body)
    try:
        key = find_fitting_heuristic(body["heuristic"], *goal.size).key
    except ExpressionError as error:
        refuse("heuristic", f"in heuristic: {error}")
    except UnfitHeuristicError as error:
        refuse("heuristic", str(error))
    with service(Checks).waiting():
        checked = service(Checks).within(key, goal, current_app.config["SOLVE_WAIT"])
    return _check_as_json(key, goal, checked)


def _goal_with_table(body: HeuristicRequest) -> Board:
    goal = _goal(body)
    if not goal.has_table:
        refuse(
            "goal" if "goal" in body else "size",
            f"all boards can be checked up to {TABLE_CELLS} cells, and {goal.rows}x{goal.cols} "
            "has more: ask for 3x3 or 2x5",
        )
    return goal


def _check_as_json(heuristic: str, goal: Board, checked: HeuristicCheck) -> HeuristicCheckJSON:
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


CHECKED_EXAMPLE = "4.1.3-7.2.5-0.8.6"


class CheckRequest(PuzzleFields, total=False):
    algorithm: Required[
        Annotated[
            str,
            Keywords(enum=lambda site: [one for one in site.algorithms if one != "best"]),
            "The search that your program runs.",
        ]
    ]
    heuristic: Annotated[
        str,
        Keywords(enum=lambda site: site.heuristics),
        "For the algorithms that use one; `manhattan` by default.",
    ]
    weight: WeightOfOne
    convention: Annotated[
        str,
        Keywords(maxLength=MAX_CONVENTION),
        "Whose rules the program follows, such as `columbia,order=rlud`; `slidewise` by default.",
    ]
    given: Required[
        Annotated[
            str,
            Keywords(maxLength=lambda site: site.size),
            "What the program found, as text: the boards in the order in which they are expanded, "
            "one per line; a path; counts such as `nodes_expanded: 56`; CSV with a header; or "
            "JSON.",
        ]
    ]


@blueprint.post("/v1/check")
@charge_cpu_time()
@operation(
    "check",
    "Check your own search",
    "Compares what a program found (a path, counts or the boards that it expanded) with the "
    "search that it is meant to be. A convention or a known mistake that explains a difference is "
    "looked for within the number of expansions given. Text that cannot be read is refused with "
    "its line.",
    "What is right, and what differs first.",
    errors=EXPENSIVE,
    examples=[
        {"puzzle": CHECKED_EXAMPLE, "algorithm": "bfs", "given": "nodes_expanded: 57"},
        {"puzzle": [[4, 1, 3], [7, 2, 5], [0, 8, 6]], "algorithm": "bfs", "given": "RULU2L"},
        {
            "puzzle": CHECKED_EXAMPLE,
            "algorithm": "bfs",
            "given": "4.1.3-7.2.5-0.8.6\n4.1.3-7.2.5-8.0.6",
        },
    ],
    place=100,
)
def check_work(body: CheckRequest) -> CheckReportJSON:
    """Check the output of a student's search."""
    board, algorithm = read_puzzle(body), body["algorithm"]
    convention, heuristic = body.get("convention", "slidewise"), body.get("heuristic")
    try:
        find_rules(convention, algorithm)
    except PuzzleError as error:
        refuse("convention", str(error))
    if heuristic is not None:
        check_uses_heuristic(algorithm, "heuristic")
    check_taken(algorithm, body)
    weight = round(body.get("weight", DEFAULT_WEIGHT), 2)
    work = WorkToCheck(str(board), algorithm, heuristic, convention, body["given"], weight)
    found = checked(work)
    if "error" in found:
        line = f"line {found['line']:,}: " if found["line"] else ""
        refuse("given", f"{line}{found['error']}")
    return cast("CheckReportJSON", found)


class SummaryJSON(TypedDict):
    name: str
    boards: Count
    solved: Count
    shortest: Count
    expanded: Quartiles | None
    generated: Quartiles | None
    peak_stored: Quartiles | None
    seconds: Quartiles | None


class ManyBoardsJSON(TypedDict):
    goal: str
    boards: Count
    moves: Annotated[str | None, "How many were asked for."]
    seed: str
    seconds: Annotated[Amount, "Seconds for each search on each board."]
    done: Annotated[Count, "Boards on which all searches have run."]
    complete: Annotated[
        bool,
        "Whether that is all of them. If not, the time for the answer was up: ask for fewer "
        "boards, searches or seconds.",
    ]
    summaries: Annotated[
        list[SummaryJSON],
        "For each search the numbers of boards done, solved and solved with a shortest path, and "
        "quartiles of the cost.",
    ]
    measures: Annotated[list[Measurement], "Each search on each board."]


class ManyRequest(TypedDict, total=False):
    size: Annotated[Size, "Rows x columns; `3x3` by default."]
    goal: Annotated[BoardText | Cells | Rows, "The goal, instead of a size."]
    boards: Annotated[
        int,
        Keywords(minimum=1, maximum=MAX_BOARDS),
        "How many boards to draw; by default 30 up to 10 cells, otherwise 15.",
    ]
    moves: Annotated[
        Moves, "The length of their shortest solutions, or a range, for up to 16 cells."
    ]
    seed: Annotated[
        str,
        Keywords(maxLength=SEED_CHARACTERS),
        "The same seed gives the same boards; `1` by default.",
    ]
    runs: Annotated[
        list[Run],
        Keywords(minItems=1, maxItems=min(MAX_RUNS, MAX_RUNS_ON_MANY)),
        "The searches, as in a comparison; by default some that are usual for the size.",
    ]
    weight: WeightOfAll
    seconds: Annotated[
        float,
        Keywords(minimum=0.01, maximum=lambda site: site.seconds),
        "Seconds for each search on each board; 1 by default.",
    ]


@blueprint.post("/v1/many")
@charge_cpu_time()
@operation(
    "runOnMany",
    "The same searches on many boards",
    "Draws boards from a seed and runs searches on each of them, for as long as an answer in JSON "
    "may take. The answer has medians, quartiles and every single run.",
    "What was measured.",
    errors=EXPENSIVE,
    examples=[{"boards": 5, "moves": "10-20", "runs": ["bfs", "astar:manhattan"]}],
    place=140,
)
def many(body: ManyRequest) -> ManyBoardsJSON:
    """Run searches on many boards within the time limit of a JSON response."""
    for number, run in enumerate(body.get("runs", ())):
        read_run(run, f"runs[{number}]")  # refused here, with its field
    goal = _goal(body)
    plan = read_plan(Puzzle(goal, goal), _typed(body))
    sample = sample_of(plan)
    choices = map(str, plan.selection.choices)
    summaries = (SampleSummary.of(measures) for measures in sample.measures)
    found = {
        **sample.as_json(),
        "done": sample.done,
        "complete": sample.is_complete,
        "summaries": [
            {"name": name, **json_values(one)}
            for name, one in zip(choices, summaries, strict=False)
        ],
    }
    return cast("ManyBoardsJSON", found)


def _goal(body: ManyRequest | HeuristicRequest) -> Board:
    size = parse_size(body["size"]) if "size" in body else None
    if "goal" not in body:
        return standard_goal(*(size or (3, 3)))
    try:
        return parse_board(as_text(body["goal"]), size)
    except PuzzleError as error:
        refuse_board("goal", error)


def _typed(body: ManyRequest) -> MultiDict[str, str]:
    """Return the body as fields of the lab's form."""
    typed: MultiDict[str, str] = MultiDict()
    for name in ("boards", "moves", "seed", "seconds", "weight"):
        if name in body:
            typed[name] = f"{body[name]:.2f}" if name == "weight" else str(body[name])
    if "runs" in body:
        typed["run"] = ",".join(body["runs"])
    return typed
