"""API endpoint: the same searches on many boards."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, TypedDict

from werkzeug.datastructures import MultiDict

from slidewise import Puzzle, PuzzleError, parse_board, parse_size, standard_goal
from slidewise.json_schema import Amount, Count, Keywords
from slidewise.study.sample import Measurement, Quartiles, SampleSummary

from ..lab.many_boards import MAX_BOARDS, SEED_CHARACTERS, Samples, read_plan
from ..lab.many_boards import MAX_RUNS as MAX_RUNS_ON_MANY
from ..workers.budgets import charge_cpu_time
from ..workers.services import service
from .answers import (
    JSON,
    accepted,
    as_text,
    blueprint,
    json_response,
    read_body,
    refuse_board,
)
from .schemas import (
    MAX_RUNS,
    BoardText,
    Cells,
    Moves,
    Rows,
    Run,
    Size,
    WeightOfAll,
)
from .searches import read_run

if TYPE_CHECKING:
    from flask import Response

    from slidewise import Board


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
def many() -> Response:
    """Run searches on many boards within the time limit of a JSON response."""
    accepted(JSON)
    body = read_body(ManyRequest)
    for number, run in enumerate(body.get("runs", ())):
        read_run(run, f"runs[{number}]")  # refused here, with its field
    goal = _goal(body)
    plan = read_plan(Puzzle(goal, goal), _typed(body))
    sample = service(Samples).get(plan)
    choices = map(str, plan.selection.choices)
    summaries = (SampleSummary.of(measures) for measures in sample.measures)
    return json_response(
        {
            **sample.as_json(),
            "done": sample.done,
            "complete": sample.is_complete,
            "summaries": [
                {"name": name, **{key: _plain(value) for key, value in asdict(one).items()}}
                for name, one in zip(choices, summaries, strict=False)
            ],
        }
    )


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
