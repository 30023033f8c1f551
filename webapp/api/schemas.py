"""JSON schemas of API requests, responses and events: the parts that several operations share."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Annotated, NamedTuple, NoReturn, Required, TypedDict, get_args

from flask import Blueprint, abort, current_app

from slidewise import (
    AmbiguousBoardError,
    Event,
    Puzzle,
    PuzzleError,
    algorithms,
    heuristics,
    parse_puzzle,
    parse_size,
)
from slidewise.json_schema import Keywords, Ref, Schema
from slidewise.puzzle.board import MAX_SIDE, MIN_SIDE, TABLE_CELLS
from slidewise.puzzle.scramble import MAX_SEED
from slidewise.solver.convention import ALGORITHMS, conventions
from slidewise.solver.events import Machine
from slidewise.solver.own.parse import TYPED_CHARACTERS
from slidewise.solver.result import ResultJSON
from slidewise.solver.task import (
    DEFAULT_COOLING,
    DEFAULT_SEED,
    DEFAULT_WEIGHT,
    HIGHEST_COOLING,
    HIGHEST_WEIGHT,
    LOWEST_COOLING,
    MAX_STORED_NODES,
)
from slidewise.text import sentence

from ..http.errors import problem
from ..http.requests import API
from ..workers import Failed, Waiting

JSON, STREAM = "application/json", "text/event-stream"


def this_site() -> Site:
    """Return the limits of this site."""
    config = current_app.config
    return Site(config["SOLVE_SECONDS"], config["SOLVE_WAIT"], config["MAX_CONTENT_LENGTH"])


def refuse(field: str, message: str, **more: object) -> NoReturn:
    """Abort with 422: the field fits its schema but gives no puzzle or search."""
    abort(problem(422, sentence(message), field=field, **more))


def refuse_board(field: str, error: PuzzleError) -> NoReturn:
    """Abort with 422 for an invalid board, with all readings if it is ambiguous."""
    more = {}
    if isinstance(error, AmbiguousBoardError):
        more["readings"] = [{"means": means, "puzzle": code} for means, code in error.readings]
    refuse(field, str(error), **more)


def as_text(board: str | list[int] | list[list[int]]) -> str:
    """Return a board or a puzzle as text, a list as JSON."""
    return board if isinstance(board, str) else json.dumps(board)


def read_puzzle(body: PuzzleFields) -> Puzzle:
    """Parse the fields `puzzle`, `goal` and `size` of a body."""
    size = parse_size(body["size"]) if "size" in body else None
    start, field = as_text(body["puzzle"]), "puzzle"
    try:
        alone = parse_puzzle(start, None, size)
        field = "goal"
        return parse_puzzle(start, as_text(body["goal"]), size) if "goal" in body else alone
    except PuzzleError as error:
        refuse_board(field, error)


blueprint = Blueprint("api", __name__, url_prefix=API)


MAX_RUNS = 16
"""Maximum number of searches in a comparison."""

MAX_TRACED = 2_000
"""Maximum number of expansions in a trace, as on the page that shows them."""

MAX_TEXT, MAX_CODE = 4_000, 8_001
"""Maximum lengths of a board and of a puzzle code, in characters."""

MAX_COUNT = 999_999_999

MAX_PATH_BOARDS = 2_000
"""Moves of the longest path whose boards are returned: depth-first search finds a million moves."""

MAX_CELLS, MAX_CONVENTION = MAX_SIDE * MAX_SIDE, 200

PUZZLE_FORMAT, BOARD_FORMAT = "sliding-puzzle", "sliding-board"
CELLS_FORMAT, ROWS_FORMAT, CONVENTION_FORMAT = "sliding-cells", "sliding-rows", "sliding-convention"
OWN_FORMAT, OWN_RUN_FORMAT = "sliding-heuristic", "sliding-search"
"""Formats of strings that a parser validates because no pattern can."""

EXAMPLE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
EXAMPLE_OWN = "=max(manhattan, 2 * misplaced)"


Size = Annotated[
    str,
    Keywords(
        title="rows x columns, each from 2 to 10, as in 2x3", pattern="^([2-9]|10)x([2-9]|10)$"
    ),
]
Moves = Annotated[
    str,
    Keywords(
        title="a number of moves such as 20, or a range such as 10-20",
        pattern=r"^[0-9]{1,3}(-[0-9]{1,3})?$",
    ),
]
BoardText = Annotated[str, Keywords(maxLength=MAX_TEXT, format=BOARD_FORMAT)]
BoardCode = Annotated[str, Keywords(maxLength=MAX_CODE, format=BOARD_FORMAT)]
PuzzleCode = Annotated[str, Keywords(maxLength=MAX_CODE, format=PUZZLE_FORMAT)]
Cell = Annotated[int, Keywords(minimum=-1, maximum=99)]
Cells = Annotated[list[Cell], Keywords(minItems=4, maxItems=MAX_CELLS, format=CELLS_FORMAT)]
Row = Annotated[list[Cell], Keywords(minItems=MIN_SIDE, maxItems=MAX_SIDE)]
Rows = Annotated[list[Row], Keywords(minItems=MIN_SIDE, maxItems=MAX_SIDE, format=ROWS_FORMAT)]
Boards = Annotated[
    bool,
    "Also return the boards of the path, from the start to the goal, in `boards` of a result; "
    f"null if there is no path, or one of more than {MAX_PATH_BOARDS:,} moves.",
]

_BY_CONVENTION = ", ".join(f"`{key}`" for key in ALGORITHMS)

_OWN_PATTERN = rf"=[\s\S]{{1,{TYPED_CHARACTERS}}}"
_OWN: Schema = {
    "title": f"an expression of up to {TYPED_CHARACTERS} characters after =",
    "pattern": f"^{_OWN_PATTERN}$",
    "format": OWN_FORMAT,
}
_ABOUT_OWN = (
    f"On boards of up to {TABLE_CELLS} cells it may be one of your own, an expression after `=`,"
)
ABOUT_HEURISTIC = (
    f"{_ABOUT_OWN} such as `{EXAMPLE_OWN}`; where that cannot be read, the error says at which "
    "character after the `=`."
)
Heuristic = Annotated[str, Keywords(anyOf=lambda site: [{"enum": site.heuristics}, _OWN])]
"""A heuristic: a key or an expression."""


def run_ways(_: object) -> list[Schema]:
    """Return the ways of writing a search as a string, such as `astar:manhattan`."""
    names = "|".join(algorithms()), "|".join(heuristics())
    usual = {
        "title": f"an algorithm ({', '.join(algorithms())}), and where it uses one a colon and a "
        f"heuristic ({', '.join(heuristics())})",
        "pattern": f"^({names[0]})(:({names[1]}))?$",
    }
    own = {
        "title": "an algorithm, a colon and an expression as for heuristic",
        "pattern": f"^({names[0]}):{_OWN_PATTERN}$",
        "format": OWN_RUN_FORMAT,
    }
    return [usual, own]


Run = Annotated[str, Keywords(anyOf=run_ways)]
"""A search as a string, such as `astar:manhattan`."""


def _taking(option: str) -> str:
    return ", ".join(f"`{key}`" for key, entry in algorithms().items() if option in entry.options)


def _weight(takers: str) -> Keywords:
    return Keywords(
        minimum=1,
        maximum=HIGHEST_WEIGHT,
        description=f"The weight of the estimate, {takers}; rounded to two decimals, "
        f"{DEFAULT_WEIGHT:g} by default.",
    )


Seed = Annotated[
    str,
    Keywords(maxLength=MAX_SEED),
    f"The seed of the random numbers, {DEFAULT_SEED} by default; for {_taking('seed')}.",
]
Cooling = Annotated[
    float,
    Keywords(minimum=LOWEST_COOLING, maximum=HIGHEST_COOLING),
    f"The factor of the temperature in each step, {DEFAULT_COOLING} by default; for "
    f"{_taking('cooling')}.",
]
WeightOfOne = Annotated[float, _weight(f"for {_taking('weight')} only")]
WeightOfAll = Annotated[float, _weight(f"of those that take one: {_taking('weight')}")]


def _convention(takers: str) -> Keywords:
    return Keywords(
        maxLength=MAX_CONVENTION,
        format=CONVENTION_FORMAT,
        description="The textbook or course whose rules the search follows, such as `columbia`, "
        f"or with changes `aima,order=rlud,ties=last-in`; {takers}. One of "
        f"{', '.join(f'`{key}`' for key in conventions())}. `slidewise` by default.",
    )


class Site(NamedTuple):
    """Limits of the site: seconds of a search, seconds of a JSON response, bytes of a request."""

    seconds: float
    wait: float
    size: int

    @property
    def algorithms(self) -> list[str]:
        return list(algorithms())

    @property
    def heuristics(self) -> list[str]:
        return list(heuristics())


class PuzzleFields(TypedDict, total=False):
    """The fields of a puzzle: start, goal and size."""

    puzzle: Required[
        Annotated[
            PuzzleCode | Cells | Rows,
            "A puzzle code, or a start board in any notation that the site reads, such as `1 2 3 4 "
            "5 6 7 8 0`; or a list of its cells, with 0 for the blank, or of its rows.",
        ]
    ]
    goal: Annotated[
        BoardText | Cells | Rows,
        "The goal, unless the code contains it; by default 1, 2, 3 ... with the blank last. Text "
        "or a list, like the puzzle.",
    ]
    size: Annotated[
        Size,
        "Rows x columns, as in `2x3`, if the cells are listed one after the other and do not make "
        "a square.",
    ]


class LimitsJSON(TypedDict, total=False):
    seconds: Annotated[
        float,
        Keywords(minimum=0.01, maximum=lambda site: site.seconds),
        "Seconds for each search.",
    ]
    expansions: Annotated[
        int, Keywords(minimum=1, maximum=MAX_COUNT), "Nodes expanded by each search."
    ]
    stored_nodes: Annotated[
        int,
        Keywords(minimum=1, maximum=MAX_STORED_NODES),
        "Nodes stored in memory, limited by what the site has room for.",
    ]


SearchLimits = Annotated[LimitsJSON, "What each search may use, within what the site allows."]
SearchHeuristic = Annotated[
    Heuristic,
    "The estimate, for the algorithms that use one; others refuse it. `manhattan` by default. "
    f"{ABOUT_HEURISTIC}",
]
Depth = Annotated[
    int,
    Keywords(minimum=1, maximum=MAX_COUNT),
    f"Look no deeper than this many moves; for {_taking('depth')}.",
]
SearchConvention = Annotated[str, _convention(f"for {_BY_CONVENTION}")]


class SolveRequest(PuzzleFields, total=False):
    algorithm: Annotated[
        str,
        Keywords(enum=lambda site: site.algorithms),
        "How to search. The default is `best`, or `astar` if a heuristic is given.",
    ]
    heuristic: SearchHeuristic
    depth: Depth
    weight: WeightOfOne
    seed: Seed
    cooling: Cooling
    convention: SearchConvention
    limits: SearchLimits
    boards: Boards
    trace: Annotated[
        int,
        Keywords(minimum=0, maximum=MAX_TRACED),
        "Return this many of the first expansions, each as an event, in an event stream.",
    ]


class RunJSON(TypedDict, total=False):
    algorithm: Required[
        Annotated[str, Keywords(enum=lambda site: site.algorithms), "How to search. It is needed."]
    ]
    heuristic: SearchHeuristic
    depth: Depth
    weight: WeightOfOne
    seed: Seed
    cooling: Cooling
    convention: SearchConvention


class CompareRequest(PuzzleFields, total=False):
    runs: Annotated[
        list[Run | RunJSON],
        Keywords(minItems=1, maxItems=MAX_RUNS),
        "The searches in their order: an algorithm, and where it uses one a heuristic after a "
        f"colon. {_ABOUT_OWN} such as `astar:{EXAMPLE_OWN}`. Or an object with `algorithm`, and "
        "`heuristic`, `depth`, `weight`, `seed`, `cooling` and `convention` as `/solve` takes them."
        " By default all that make sense for this size are compared.",
    ]
    weight: WeightOfAll
    convention: Annotated[str, _convention(f"of those that have others: {_BY_CONVENTION}")]
    limits: SearchLimits
    boards: Boards


Link = Annotated[str, Keywords(format="uri-reference")]
"""A URL on this site, relative or absolute."""


class ComparisonJSON(TypedDict):
    puzzle: str
    plain: Annotated[list[str], "Names of the searches that ran in plain Python, not compiled."]
    results: list[Annotated[ResultJSON, Ref("Result")]]


class ReadingJSON(TypedDict):
    means: str
    puzzle: str


class ProblemJSON(TypedDict, total=False):
    type: Required[
        Annotated[
            Link,
            "What kind of problem it is: an address on this site that describes it, or "
            "`about:blank` if the status says enough.",
        ]
    ]
    title: Required[str]
    status: Required[int]
    detail: Required[Annotated[str, "What was wrong, and what to do."]]
    field: Annotated[str, "Where in the body it was wrong."]
    request_id: Required[Annotated[str, "The id of the request in the log."]]
    version: Required[Annotated[str, "The version of Slidewise."]]
    contact: Annotated[str, "Whom to contact, by mail or on a page."]
    readings: Annotated[
        list[ReadingJSON],
        "If a text can mean several boards: each meaning, and how to write it so that it can mean "
        "nothing else.",
    ]


EVENTS: tuple[type, ...] = (
    Waiting,
    *(kind for kind in get_args(Event) if kind is not Machine),  # only in proofs on a cluster
    Failed,
)
"""All kinds of events in a stream."""


def event_kind(event: object) -> str:
    """Return the kind of an event, as in a stream and in the event's JSON."""
    return (event if isinstance(event, type) else type(event)).__name__.lower()


def event_schema(event: type) -> Schema:
    """Return the schema of a kind of event, with its docstring as description."""
    about = " ".join((event.__doc__ or "").split()).replace("None", "null")
    known = {"result": ref("Result")} if event_kind(event) == "finished" else {}
    names = [field.name for field in fields(event)]
    return {
        "type": "object",
        "title": event.__name__,
        "description": about,
        "required": ["event", *names],
        "properties": {
            "event": {"const": event_kind(event)},
            **{name: known.get(name, {}) for name in names},
        },
    }


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
