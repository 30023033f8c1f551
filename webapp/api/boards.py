"""API endpoints for boards: facts, hint, shortest solutions, random puzzle, sizes, notations."""

from __future__ import annotations

import secrets
import threading
import time
from typing import TYPE_CHECKING, Any

from flask import current_app, url_for

from slidewise import (
    STANDARD_GOALS,
    InvalidBoardError,
    PuzzleError,
    heuristics,
    parse_board,
    parse_size,
    standard_goal,
)
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.puzzle.moves import play
from slidewise.puzzle.scramble import MAX_SEED
from slidewise.puzzle.writing import written
from slidewise.solver.fewest_slides import SLID_CELLS, can_be_slid
from slidewise.solver.known import from_table, moves_at_least
from slidewise.study.board_facts import size_facts
from slidewise.study.distance_ahead import estimate
from slidewise.study.shortest_solutions import COUNTED_CELLS
from webapp.api.answers import (
    JSON,
    accepted,
    as_text,
    blueprint,
    json_response,
    read_body,
    read_query,
    refuse,
    refuse_board,
)
from webapp.api.catalogue import EMPTY_QUERY
from webapp.api.schema import check
from webapp.api.schemas import (
    BOARD_FORMAT,
    BOOLEAN,
    COUNT,
    COUNT_OR_NULL,
    LINKS,
    MAX_CODE,
    MAX_TEXT,
    MOVES,
    NUMBER,
    SIZE,
    TEXT,
    TEXT_OR_NULL,
    board_of,
    list_of,
    object_of,
    whole,
)
from webapp.http.requests import current_puzzle
from webapp.http.visitor import current_visitor
from webapp.play import new
from webapp.play.new import DIFFICULTIES
from webapp.workers import Busy
from webapp.workers.board_questions import BoardQuestions
from webapp.workers.budgets import charge_cpu_time
from webapp.workers.distances import DEADLINE_SECONDS, Distances
from webapp.workers.services import service, solvers
from webapp.workers.solvers import CallQueue

if TYPE_CHECKING:
    from concurrent.futures import Future

    from flask import Response

    from slidewise import Puzzle


RANDOM_QUERY = object_of(
    {
        "size": SIZE | {"description": "Rows x columns; `3x3` by default.", "examples": ["3x3"]},
        "moves": MOVES
        | {
            "description": "The length of the shortest solution, or a range of lengths, for up "
            "to 16 cells.",
            "examples": ["20"],
        },
        "difficulty": {
            "type": "string",
            "enum": list(DIFFICULTIES),
            "description": "A level of difficulty, if no `moves` are given; ignored for sizes "
            "without levels.",
        },
        "seed": {
            "type": "string",
            "maxLength": MAX_SEED,
            "description": "The same seed gives the same puzzle; without one a new seed is chosen "
            "and returned.",
            "examples": ["7"],
        },
        "goal": {
            "type": "string",
            "enum": list(STANDARD_GOALS),
            "description": "Where the blank is in the goal, or the spiral; `last` by default.",
        },
    }
)
"""Query of `GET /api/v1/random`."""

SHORTEST_QUERY = object_of(
    {
        "moves": {
            "type": "string",
            "pattern": "^[UDLR]{0,200}$",
            "title": "directions of the tiles, each U, D, L or R, at most 200",
            "description": "A shortest solution whose steps are returned, as the directions of "
            "the tiles; by default one that is found.",
        }
    }
)
"""Query of `GET /api/v1/puzzles/{code}/shortest`."""

FACTS_QUERY = object_of(
    {
        "goal": {
            "type": "string",
            "maxLength": MAX_TEXT,
            "format": BOARD_FORMAT,
            "description": "The goal, if it is not 1, 2, 3 ... with the blank last.",
        }
    }
)
"""Query of `GET /api/v1/facts/{size}`."""

CONVERT_REQUEST = object_of(
    {
        "board": board_of(
            BOARD_FORMAT,
            MAX_CODE,
            "The board, in any notation that the site reads, or as a list.",
        ),
        "size": SIZE
        | {"description": "Rows x columns of a flat list that does not make a square."},
    },
    required=["board"],
    examples=[{"board": "3\n1 2 3\n4 0 6\n7 5 8"}, {"board": [1, 0, 3, 4, 2, 5], "size": "2x3"}],
)
"""Body of `POST /api/v1/convert`."""

HINT = whole(
    {
        "puzzle": TEXT,
        "tile": {**COUNT_OR_NULL, "description": "The tile to move next; null at the goal."},
        "move": {
            **TEXT_OR_NULL,
            "description": "Its direction: `U`, `D`, `L` or `R`; null at the goal.",
        },
        "length": {**COUNT, "description": "The length of the solution that begins with it."},
        "lower_bound": {**COUNT, "description": "Every solution has at least this many moves."},
        "shortest": {**BOOLEAN, "description": "Whether that solution is known to be shortest."},
    }
)

SHORTEST = whole(
    {
        "puzzle": TEXT,
        "length": {
            **COUNT_OR_NULL,
            "description": "Moves of each; null if there is none, or it was not found in time.",
        },
        "lower_bound": {
            **COUNT_OR_NULL,
            "description": "Each has at least this many moves; null if there is none.",
        },
        "count": {
            **COUNT_OR_NULL,
            "description": "How many there are; null if they could not be counted in time.",
        },
        "boards": {
            **COUNT_OR_NULL,
            "description": "How many boards are on them, with the start and the goal; null if "
            "that is not known.",
        },
        "reason": {**TEXT, "description": "How they were counted, or why they were not."},
        "moves": {
            **TEXT_OR_NULL,
            "description": "One of them, as the directions of the tiles; null if they were not "
            "counted.",
        },
        "steps": {
            "type": ["array", "null"],
            "items": whole(
                {
                    "board": {**TEXT, "description": "The board before the step."},
                    "solutions": {
                        "type": "object",
                        "additionalProperties": COUNT,
                        "description": "For each tile that a shortest solution can begin with "
                        "here, how many do.",
                    },
                    "forced": {
                        **BOOLEAN,
                        "description": "Whether only one tile begins a shortest solution.",
                    },
                }
            ),
            "description": "The steps of `moves`.",
        },
    }
)

FEWEST_SLIDES = whole(
    {
        "puzzle": TEXT,
        "slides": {
            **COUNT_OR_NULL,
            "description": "Slides of the solution; a slide moves all tiles from the blank up to "
            "a tile of its row or column, and counts 1. Null if there is no solution.",
        },
        "lower_bound": {
            **COUNT_OR_NULL,
            "description": "Every solution has at least this many slides; null if there is none.",
        },
        "proved": {**BOOLEAN, "description": "Whether no solution has fewer slides."},
        "tiles": {
            "type": ["array", "null"],
            "items": COUNT,
            "description": "The last tile of each slide, the farthest from the blank.",
        },
        "moves": {**TEXT_OR_NULL, "description": "The same as moves of single tiles."},
        "reason": {**TEXT, "description": "Why it is proved, or what stopped the search."},
        "expanded": {**COUNT, "description": "Boards that the search expanded."},
        "seconds": NUMBER,
    }
)

DRAWN_PUZZLE = whole({"puzzle": TEXT, "seed": TEXT, "links": LINKS})

SIZE_FACTS = whole(
    {
        "rows": COUNT,
        "cols": COUNT,
        "goal": TEXT,
        "boards": {**COUNT, "description": "How many boards can reach the goal."},
        "diameter": {**COUNT, "description": "Moves that the hardest of them need."},
        "mean": {**NUMBER, "description": "Moves that they need on average."},
        "counts": list_of(COUNT, description="Boards at 0, 1, 2 ... moves."),
        "hardest": list_of(TEXT, description="The hardest boards, 20 of them at most."),
    }
)

CONVERSION = whole(
    {
        "board": {**TEXT, "description": "The code."},
        "rows": COUNT,
        "cols": COUNT,
        "notations": list_of(
            whole({"key": TEXT, "title": TEXT, "used": TEXT, "text": TEXT}),
            description="The board in each notation that can write it, and who uses the notation.",
        ),
    }
)


LOADING_QUESTIONS = 8
"""Estimates that may wait for tables at once; further ones are null."""

EXACT = "exact"
"""The heuristic that equals the distance. `facts` has the distance already, without numpy."""

_loading = threading.BoundedSemaphore(LOADING_QUESTIONS)


def facts(puzzle: Puzzle) -> dict[str, Any]:
    """Return the facts of a puzzle as JSON."""
    small, wait = puzzle.has_table, current_app.config["FACTS_WAIT"]
    distances = service(Distances)
    ahead = distances.wait_for(puzzle, wait, "") if small else None
    known = from_table(ahead.at_least) if ahead else distances.known(puzzle)
    distance = known.at_least if known and known.exact else None
    at_least = known.at_least if known else moves_at_least(puzzle)
    parity = puzzle.parity
    return {
        "puzzle": str(puzzle),
        "rows": puzzle.rows,
        "cols": puzzle.cols,
        "start": str(puzzle.start),
        "goal": str(puzzle.goal),
        "goal_name": puzzle.goal_name,
        "solvable": puzzle.solvable,
        "parity": {
            "transpositions": parity.transpositions,
            "grid_distance": parity.grid_distance,
            "inversions": parity.inversions,
            "row_distance": parity.row_distance,
            "explanation": parity.explain(),
        },
        "distance": distance,
        "lower_bound": at_least if puzzle.solvable else None,
        "estimates": _estimates(puzzle) | ({EXACT: distance} if small else {}),
        "links": links(puzzle),
    }


def links(puzzle: Puzzle) -> dict[str, str]:
    """Return the URLs of a puzzle on this site."""
    code = str(puzzle)
    return {
        "self": url_for("api.puzzle", code=code),
        "play": url_for("game.page", code=code),
        "picture": url_for("sharing.drawing", code=code),
    }


def _estimates(puzzle: Puzzle) -> dict[str, int | None]:
    """Return the estimates for the start, without the exact distance.

    Heuristics with tables are evaluated only if the puzzle is solvable and the tables are ready.
    """
    known = heuristics().items()
    keys = [key for key, entry in known if entry.fits(*puzzle.start.size) and key != EXACT]
    tabled = [key for key in keys if heuristics()[key].loads_tables]
    answers = {key: _ask(puzzle, key) for key in tabled} if puzzle.solvable else {}
    deadline = time.monotonic() + current_app.config["FACTS_WAIT"]
    return {
        key: _answered(answers.get(key), deadline) if key in tabled else estimate(puzzle, key)
        for key in keys
    }


def _ask(puzzle: Puzzle, heuristic: str) -> Future[int] | None:
    """Submit an estimate that needs tables to a helper process; None if too many are pending."""
    if not _loading.acquire(blocking=False):
        return None
    try:
        queue = CallQueue.CLICK if puzzle.has_table else CallQueue.BUILD
        answer = solvers().calls.submit(
            queue, estimate, puzzle, heuristic, timeout=DEADLINE_SECONDS
        )
    except Busy:
        _loading.release()
        return None
    answer.add_done_callback(lambda _: _loading.release())
    return answer


def _answered(answer: Future[int] | None, deadline: float) -> int | None:
    try:
        return answer.result(max(0.0, deadline - time.monotonic())) if answer else None
    except (TimeoutError, Busy):
        return None


@blueprint.get("/v1/puzzles/<code>")
def puzzle() -> Response:
    """API endpoint: facts of a puzzle that need no search."""
    accepted(JSON)
    return json_response(facts(current_puzzle()))


@blueprint.get("/v1/puzzles/<code>/hint")
def hint() -> Response:
    """API endpoint: the tile to move next."""
    accepted(JSON)
    read_query(EMPTY_QUERY)
    puzzle = current_puzzle()
    if not puzzle.solvable:
        refuse(
            "code", f"no move helps because the goal cannot be reached: {puzzle.parity.explain()}"
        )
    wait = current_app.config["FACTS_WAIT"]
    ahead = service(Distances).hint(puzzle, wait, current_visitor().name)
    tile = ahead.tile
    return json_response(
        {
            "puzzle": str(puzzle),
            "tile": tile,
            "move": puzzle.start.direction_of(tile) if tile is not None else None,
            "length": ahead.length,
            "lower_bound": ahead.at_least,
            "shortest": ahead.exact,
        }
    )


@blueprint.get("/v1/puzzles/<code>/shortest")
@charge_cpu_time()
def shortest() -> Response:
    """Count the shortest solutions."""
    accepted(JSON)
    asked = read_query(SHORTEST_QUERY)
    puzzle, moves = current_puzzle(), asked.get("moves")
    if puzzle.rows * puzzle.cols > COUNTED_CELLS:
        refuse(
            "code", f"shortest solutions are counted on boards of up to {COUNTED_CELLS} cells only"
        )
    try:
        play(puzzle.start, moves or "")
    except PuzzleError as error:
        refuse("moves", str(error))
    answer = service(BoardQuestions).shortest(puzzle, moves, current_visitor().name)
    if not answer:
        refuse("moves", "these moves are not a shortest solution: leave them out for one that is")
    return json_response(answer)


@blueprint.get("/v1/puzzles/<code>/slides")
@charge_cpu_time()
def slides() -> Response:
    """Solve in the fewest slides."""
    accepted(JSON)
    read_query(EMPTY_QUERY)
    puzzle = current_puzzle()
    if not can_be_slid(puzzle.rows, puzzle.cols):
        refuse("code", f"the fewest slides are found on boards of up to {SLID_CELLS} cells only")
    return json_response(service(BoardQuestions).slides(puzzle, current_visitor().name).as_json())


@blueprint.get("/v1/random")
def random() -> Response:
    """Draw a puzzle."""
    accepted(JSON)
    asked = read_query(RANDOM_QUERY)
    seed = asked.get("seed") or secrets.token_hex(8)
    puzzle = new.drawn({"size": "3x3", **asked, "seed": seed})
    return json_response({"puzzle": str(puzzle), "seed": seed, "links": links(puzzle)})


@blueprint.get("/v1/facts/<size>")
@charge_cpu_time()
def size(size: str) -> Response:
    """Count all boards of a size by their distance to the goal."""
    accepted(JSON)
    asked = read_query(FACTS_QUERY)
    check(size, SIZE, "size")
    rows, cols = parse_size(size)
    try:
        goal = parse_board(asked["goal"], (rows, cols)) if "goal" in asked else None
    except PuzzleError as error:
        refuse_board("goal", error)
    goal = goal or standard_goal(rows, cols)
    if not goal.has_table:
        refuse(
            "size",
            f"all boards can be counted up to {TABLE_CELLS} cells, and {rows}x{cols} has more: "
            "ask for 3x3 or 2x5",
        )
    wait = current_app.config["SOLVE_WAIT"]
    return json_response(solvers().call(size_facts, goal, timeout=wait))


@blueprint.post("/v1/convert")
def convert() -> Response:
    """Write a board in all notations."""
    accepted(JSON)
    body = read_body(CONVERT_REQUEST)
    size = parse_size(body["size"]) if "size" in body else None
    try:
        board = parse_board(as_text(body["board"]), size)
    except InvalidBoardError as error:
        refuse_board("board", error)
    notations = [
        {"key": one.key, "title": one.title, "used": one.used, "text": text}
        for one, text in written(board)
    ]
    return json_response(
        {"board": str(board), "rows": board.rows, "cols": board.cols, "notations": notations}
    )
