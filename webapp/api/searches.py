"""API endpoints that solve a puzzle or compare searches, as JSON or an event stream.

They neither read nor write the session.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from itertools import count
from typing import Annotated, Any, Required, TypedDict, cast

from flask import Response
from werkzeug.datastructures import MultiDict

from slidewise import (
    Board,
    ExpressionError,
    InvalidConventionError,
    Puzzle,
    PuzzleError,
    Result,
    SearchSpec,
    UnfitHeuristicError,
    find_algorithm,
    find_heuristic,
    parse_board,
    parse_size,
    standard_goal,
)
from slidewise.json_schema import Amount, Count, Keywords
from slidewise.puzzle import steps
from slidewise.solver.compare import Choice, default_choices, read_choices
from slidewise.solver.convention import ALGORITHMS, find_convention
from slidewise.solver.events import Finished
from slidewise.solver.result import ResultJSON
from slidewise.solver.task import DEFAULT_WEIGHT, is_own
from slidewise.study.check import find_rules
from slidewise.study.check.report import CheckReportJSON
from slidewise.study.sample import Measurement, Quartiles, SampleSummary

from .. import forms
from ..http import responses
from ..lab.check import checked
from ..lab.many_boards import MAX_BOARDS, SEED_CHARACTERS, Samples, read_plan
from ..lab.many_boards import MAX_RUNS as MAX_RUNS_ON_MANY
from ..workers import Busy, Failed, Waiting
from ..workers.budgets import charge_cpu_time
from ..workers.jobs import SequentialSearches
from ..workers.shared import service
from ..workers.solvers import Displaced, JobEvent, displaced_error
from .operations import EXPENSIVE, operation
from .schemas import (
    EXAMPLE,
    EXAMPLE_OWN,
    JSON,
    MAX_CONVENTION,
    MAX_PATH_BOARDS,
    MAX_RUNS,
    STREAM,
    BoardText,
    Cells,
    CompareRequest,
    ComparisonJSON,
    Moves,
    PuzzleFields,
    Rows,
    Run,
    RunJSON,
    Size,
    SolveRequest,
    WeightOfAll,
    WeightOfOne,
    as_text,
    blueprint,
    event_kind,
    read_puzzle,
    refuse,
    refuse_board,
    this_site,
)


def read_run(run: str | RunJSON, field: str) -> dict[str, Any]:
    """Parse a run: a string such as `astar:manhattan`, or an object. `field` is its path."""
    if isinstance(run, dict):
        check_own(run.get("heuristic", ""), f"{field}.heuristic")
        return dict(run)
    algorithm, _, heuristic = run.partition(":")
    check_own(heuristic, field)
    if heuristic:
        check_uses_heuristic(algorithm, field)
    (choice,) = read_choices([run])
    return fields_of(choice)


def fields_of(choice: Choice) -> dict[str, Any]:
    """Return a choice of algorithm and heuristic as fields of a run."""
    fields = {"algorithm": choice.algorithm}
    return fields if choice.heuristic is None else fields | {"heuristic": choice.heuristic}


def with_shared(run: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """Add the shared fields of a comparison that the run's algorithm accepts."""
    algorithm = run["algorithm"]
    shared: dict[str, Any] = {"limits": body.get("limits", {})}
    if "weight" in body and "weight" in find_algorithm(algorithm).options:
        shared["weight"] = body["weight"]
    if "convention" in body and algorithm in ALGORITHMS:
        shared["convention"] = body["convention"]
    return shared | dict(run)


def check_own(heuristic: str, field: str) -> None:
    """Refuse an expression that cannot be parsed, with its field."""
    if is_own(heuristic):
        try:
            find_heuristic(heuristic)
        except ExpressionError as error:
            refuse(field, f"in {field}: {error}")


def check_taken(algorithm: str, fields: Mapping[str, Any], of: str = "") -> None:
    """Refuse options that an algorithm does not accept, in the body or in the run at `of`."""
    inside = f"{of}." if of else ""
    for name in ("depth", "weight"):
        if name in fields and name not in find_algorithm(algorithm).options:
            refuse(f"{inside}{name}", f"the algorithm {algorithm} takes no {name}: leave it out")
    if "heuristic" in fields:
        check_uses_heuristic(algorithm, f"{inside}heuristic")
    if "convention" in fields:
        try:
            find_convention(fields["convention"], algorithm)
        except InvalidConventionError as error:
            refuse(f"{inside}convention", str(error))


def check_uses_heuristic(algorithm: str, field: str) -> None:
    """Refuse a heuristic in `field` for an algorithm that takes none."""
    if not find_algorithm(algorithm).uses_heuristic:
        refuse(field, f"the algorithm {algorithm} takes no heuristic: leave it out")


def result_as_json(result: Result, *, boards: bool) -> ResultJSON:
    """Return a result as JSON, with the boards of its path if `boards`."""
    values = result.as_json()
    if boards:
        values["boards"] = _boards(result)
    return values


def _boards(result: Result) -> list[str] | None:
    """Return the boards from start to goal; None if there is no path or it is too long."""
    if result.length is None or result.length > MAX_PATH_BOARDS:
        return None
    start = result.puzzle.start
    return [str(start), *(str(step.board) for step in steps(start, result.moves))]


FOR_HEURISTIC = "astar"
"""Default algorithm if only a heuristic is given, as on the command line."""


@blueprint.post("/v1/solve")
@operation(
    "solve",
    "Solve a puzzle",
    "Runs one search. The result has the moves, as the directions in which the tiles move and as "
    "their numbers, the verdict (is it proved shortest?) with its reason, and the counts. A puzzle "
    "without a solution is a result too.",
    "The result.",
    errors=EXPENSIVE,
    media=(JSON, STREAM),
    examples=[
        {"puzzle": EXAMPLE, "algorithm": "astar", "heuristic": "manhattan"},
        {"puzzle": EXAMPLE, "algorithm": "astar", "heuristic": EXAMPLE_OWN},
        {"puzzle": [[1, 2, 3], [4, 0, 6], [7, 5, 8]], "algorithm": "bfs", "boards": True},
        {"puzzle": EXAMPLE, "algorithm": "astar", "convention": "columbia"},
    ],
    place=120,
)
def solve(body: SolveRequest, media: str) -> ResultJSON | Response:
    """Run one search."""
    if body.get("trace") and media == JSON:
        refuse("trace", f"trace returns events: ask for {STREAM} in the header Accept")
    check_own(body.get("heuristic", ""), "heuristic")
    spec = _spec(read_puzzle(body), body)
    boards = bool(body.get("boards"))
    if media == STREAM:
        return _stream(SequentialSearches([spec], this_site().seconds), [{}], boards)
    return result_as_json(_results([spec])[0], boards=boards)


@blueprint.post("/v1/compare")
@operation(
    "compare",
    "Compare searches on one puzzle",
    "Runs the searches one after the other. The remaining time is shared evenly between those "
    "still to come. In an event stream each event also has the number of its search, counted "
    "from 1, and its name.",
    "The results, in the order of the searches.",
    errors=EXPENSIVE,
    media=(JSON, STREAM),
    examples=[
        {"puzzle": EXAMPLE, "runs": ["bfs", "astar:misplaced", "astar:manhattan"]},
        {"puzzle": EXAMPLE, "runs": ["astar:manhattan", f"astar:{EXAMPLE_OWN}"]},
        {
            "puzzle": EXAMPLE,
            "runs": [
                {"algorithm": "wastar", "weight": 1.5},
                {"algorithm": "wastar", "weight": 5},
                {"algorithm": "dfs", "depth": 30},
            ],
        },
    ],
    place=130,
)
def compare(body: CompareRequest, media: str) -> ComparisonJSON | Response:
    """Run several searches, one after the other."""
    runs = [read_run(run, f"runs[{n}]") for n, run in enumerate(body.get("runs", ()))]
    board = read_puzzle(body)
    runs = runs or [fields_of(choice) for choice in default_choices(board)]
    specs = [
        _spec(board, with_shared(run, body), f"runs[{number}]") for number, run in enumerate(runs)
    ]
    boards = bool(body.get("boards"))
    if media == STREAM:
        names = [{"run": n, "name": _name(spec)} for n, spec in enumerate(specs, start=1)]
        return _stream(SequentialSearches(specs, this_site().seconds), names, boards)
    results = [result_as_json(result, boards=boards) for result in _results(specs)]
    return {"puzzle": str(board), "results": results}


def _name(spec: SearchSpec) -> str:
    uses = find_algorithm(spec.algorithm).uses_heuristic
    return str(Choice(spec.algorithm, spec.heuristic if uses else None))


def _spec(board: Puzzle, body: Mapping[str, Any], of: str = "") -> SearchSpec:
    """Build the search of a body, or of the run at `of`, within the limits of this site."""
    usual = FOR_HEURISTIC if "heuristic" in body else forms.DEFAULT_ALGORITHM
    algorithm = body.get("algorithm", usual)
    check_taken(algorithm, body, of)
    asked = body.get("limits", {})
    try:
        spec = forms.spec(
            board,
            algorithm,
            body.get("heuristic"),
            seconds=asked.get("seconds"),
            depth=int(body["depth"]) if "depth" in body else None,
            weight=round(body.get("weight", DEFAULT_WEIGHT), 2),
        )
    except UnfitHeuristicError as error:
        refuse(of or "heuristic", str(error))
    limits = spec.limits
    if "expansions" in asked:
        limits = replace(limits, expansions=int(asked["expansions"]), stops_early=False)
    if "stored_nodes" in asked:
        stored = min(int(asked["stored_nodes"]), limits.stored_nodes)
        limits = replace(limits, stored_nodes=stored)
    convention = body.get("convention", spec.convention)
    return replace(spec, limits=limits, trace=int(body.get("trace", 0)), convention=convention)


def _results(specs: list[SearchSpec]) -> list[Result]:
    wait = this_site().wait
    return SequentialSearches(specs, wait).results(wait)


def _stream(searches: SequentialSearches, names: list[dict[str, Any]], boards: bool) -> Response:
    """Stream the events; `names` are extra fields for the events of each search."""
    return responses.response(_messages(searches, names, boards), searches.close)


def _messages(
    searches: SequentialSearches, names: list[dict[str, Any]], boards: bool
) -> Iterator[str]:
    ids = count(1)
    number, last = 0, None
    try:
        for number, event in searches.events():
            if event is None:
                yield responses.HEARTBEAT
            elif isinstance(event, Displaced):
                raise displaced_error()
            else:
                last = event
                yield _message(event, next(ids), names[number], boards=boards)
    except Busy as busy:
        last = Failed(str(busy))
        yield _message(last, next(ids), names[number])
    if not isinstance(last, (Finished, Failed)):
        yield _message(Failed("The search was stopped. Try again."), next(ids), names[number])


def _message(event: JobEvent, event_id: int, name: dict[str, Any], *, boards: bool = False) -> str:
    kind = event_kind(event)
    if isinstance(event, (Waiting, Displaced, Failed)):
        fields: dict[str, Any] = {"event": kind, **asdict(event)}
    else:
        fields = event.as_json()
    if isinstance(event, Finished):
        fields["result"] = result_as_json(event.result, boards=boards)
    return responses.message(json.dumps({**fields, **name}), event_id, kind)


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
    found = checked(str(board), algorithm, heuristic, convention, body["given"], weight)
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
    sample = service(Samples).get(plan)
    choices = map(str, plan.selection.choices)
    summaries = (SampleSummary.of(measures) for measures in sample.measures)
    found = {
        **sample.as_json(),
        "done": sample.done,
        "complete": sample.is_complete,
        "summaries": [
            {"name": name, **{key: _plain(value) for key, value in asdict(one).items()}}
            for name, one in zip(choices, summaries, strict=False)
        ],
    }
    return cast("ManyBoardsJSON", found)


def _goal(body: ManyRequest) -> Board:
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


def _plain(value: Quartiles | int | None) -> object:
    """Return quartiles as a dict, other values unchanged."""
    return value._asdict() if isinstance(value, Quartiles) else value
