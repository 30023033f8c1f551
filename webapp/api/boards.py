"""API endpoints for boards: facts, hint, shortest solutions, random puzzle, sizes, notations."""

import secrets
import threading
import time
from concurrent.futures import Future
from typing import Annotated, Required, TypedDict, cast

from flask import current_app, url_for

from slidewise import (
    STANDARD_GOALS,
    FunctionError,
    InvalidBoardError,
    Puzzle,
    PuzzleError,
    heuristics,
    parse_board,
    parse_size,
    standard_goal,
)
from slidewise.analysis.distance import SizeFactsJSON, estimate, size_facts
from slidewise.analysis.shortest_solutions import COUNTED_CELLS, ShortestSolutionsJSON
from slidewise.json_schema import Count, Keywords
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.puzzle.moves import play
from slidewise.puzzle.scramble import MAX_SEED
from slidewise.puzzle.writing import written
from slidewise.solver.fewest_slides import SLID_CELLS, FewestSlidesJSON, can_be_slid
from slidewise.solver.known import from_table, moves_at_least

from ..http.requests import current_puzzle
from ..http.visitor import current_visitor
from ..play import new
from ..play.new import DIFFICULTIES
from ..workers import Busy
from ..workers.budgets import charge_cpu_time
from ..workers.distances import DEADLINE_SECONDS, Distances
from ..workers.shared import service, solvers
from ..workers.solution_counts import SolutionCounts
from ..workers.solvers import CallQueue
from .operations import EXPENSIVE, EmptyQuery, operation
from .schemas import (
    BoardCode,
    BoardText,
    Cells,
    Link,
    Moves,
    Rows,
    Size,
    as_text,
    blueprint,
    refuse,
    refuse_board,
)

TableSize = Annotated[
    Size, Keywords(examples=["3x3"]), "Rows x columns, as in `3x3`, up to 10 cells."
]


class RandomQuery(TypedDict, total=False):
    size: Annotated[Size, "Rows x columns; `3x3` by default.", Keywords(examples=["3x3"])]
    moves: Annotated[
        Moves,
        "The length of the shortest solution, or a range of lengths, for up to 16 cells.",
        Keywords(examples=["20"]),
    ]
    difficulty: Annotated[
        str,
        Keywords(enum=list(DIFFICULTIES)),
        "A level of difficulty, if no `moves` are given; ignored for sizes without levels.",
    ]
    seed: Annotated[
        str,
        Keywords(maxLength=MAX_SEED, examples=["7"]),
        "The same seed gives the same puzzle; without one a new seed is chosen and returned.",
    ]
    goal: Annotated[
        str,
        Keywords(enum=list(STANDARD_GOALS)),
        "Where the blank is in the goal, or the spiral; `last` by default.",
    ]


class ShortestQuery(TypedDict, total=False):
    moves: Annotated[
        str,
        Keywords(
            pattern="^[UDLR]{0,200}$",
            title="directions of the tiles, each U, D, L or R, at most 200",
        ),
        "A shortest solution whose steps are returned, as the directions of the tiles; by default "
        "one that is found.",
    ]


class FactsQuery(TypedDict, total=False):
    goal: Annotated[BoardText, "The goal, if it is not 1, 2, 3 ... with the blank last."]


class ConvertRequest(TypedDict, total=False):
    board: Required[
        Annotated[
            BoardCode | Cells | Rows,
            "The board, in any notation that the site reads, or as a list.",
        ]
    ]
    size: Annotated[Size, "Rows x columns of a flat list that does not make a square."]


class HintJSON(TypedDict):
    puzzle: str
    tile: Annotated[Count | None, "The tile to move next; null at the goal."]
    move: Annotated[str | None, "Its direction: `U`, `D`, `L` or `R`; null at the goal."]
    length: Annotated[Count, "The length of the solution that begins with it."]
    lower_bound: Annotated[Count, "Every solution has at least this many moves."]
    shortest: Annotated[bool, "Whether that solution is known to be shortest."]


class LinksJSON(TypedDict):
    self: Link
    play: Link
    picture: Link


AboutLinks = Annotated[LinksJSON, "Addresses on this site."]


class DrawnPuzzleJSON(TypedDict):
    puzzle: str
    seed: str
    links: AboutLinks


class ParityJSON(TypedDict):
    transpositions: Count
    grid_distance: Count
    inversions: Count
    row_distance: Count
    explanation: str


class PuzzleJSON(TypedDict):
    puzzle: Annotated[str, "The code."]
    rows: Count
    cols: Count
    start: str
    goal: str
    goal_name: Annotated[str, "Such as blank last, or custom."]
    solvable: bool
    parity: Annotated[ParityJSON, "The numbers that decide whether the goal can be reached."]
    distance: Annotated[
        Count | None, "The length of a shortest solution; null if it is not known at once."
    ]
    lower_bound: Annotated[
        Count | None, "Every solution has at least this many moves; null if there is none."
    ]
    estimates: Annotated[
        dict[str, Count | None],
        "What each heuristic for this size says; null if its tables are not ready yet, so ask "
        "again.",
    ]
    links: AboutLinks


class WrittenBoardJSON(TypedDict):
    key: str
    title: str
    used: str
    text: str


class ConversionJSON(TypedDict):
    board: Annotated[str, "The code."]
    rows: Count
    cols: Count
    notations: Annotated[
        list[WrittenBoardJSON],
        "The board in each notation that can write it, and who uses the notation.",
    ]


LOADING_QUESTIONS = 32
"""Maximum of estimates that wait for tables; further estimates are null."""

EXACT = "exact"
"""The heuristic that equals the distance. `facts` has the distance already, without numpy."""

_loading = threading.BoundedSemaphore(LOADING_QUESTIONS)


def facts(puzzle: Puzzle) -> PuzzleJSON:
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


def links(puzzle: Puzzle) -> LinksJSON:
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
    # submit all before waiting, as the tables load in parallel
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
    answer.add_done_callback(lambda _: _loading.release())  # also after the request stopped waiting
    return answer


def _answered(answer: Future[int] | None, deadline: float) -> int | None:
    try:
        return answer.result(max(0.0, deadline - time.monotonic())) if answer else None
    except (TimeoutError, Busy, FunctionError):
        return None


@blueprint.get("/v1/puzzles/<code>")
@charge_cpu_time()
@operation(
    "getPuzzle",
    "What is known about a puzzle",
    "Size, goal, whether the goal can be reached and why, what each heuristic estimates, and up "
    "to 10 cells how many moves it takes. A code that is not in its usual spelling is redirected.",
    "The puzzle.",
    errors=("422", "503"),
    place=40,
)
def puzzle() -> PuzzleJSON:
    """API endpoint: facts of a puzzle that need no search."""
    return facts(current_puzzle())


@blueprint.get("/v1/puzzles/<code>/hint")
@operation(
    "getHint",
    "The next move",
    "Which tile to move next: along a shortest solution up to 16 cells, if one is found in time, "
    "otherwise along the best solution known. There is always a hint if the goal can be reached.",
    "The hint.",
    errors=("422", "503"),
    place=50,
)
def hint(query: EmptyQuery) -> HintJSON:
    """API endpoint: the tile to move next."""
    puzzle = current_puzzle()
    if not puzzle.solvable:
        refuse(
            "code", f"no move helps because the goal cannot be reached: {puzzle.parity.explain()}"
        )
    wait = current_app.config["FACTS_WAIT"]
    ahead = service(Distances).hint(puzzle, wait, current_visitor().name)
    tile = ahead.tile
    assert ahead.length is not None  # a solvable puzzle has a hint along a solution
    return {
        "puzzle": str(puzzle),
        "tile": tile,
        "move": puzzle.start.direction_of(tile) if tile is not None else None,
        "length": ahead.length,
        "lower_bound": ahead.at_least,
        "shortest": ahead.exact,
    }


@blueprint.get("/v1/puzzles/<code>/shortest")
@charge_cpu_time()
@operation(
    "countShortestSolutions",
    "How many shortest solutions there are",
    "Counts the shortest solutions in single moves. For each step of one of them it lists the "
    "tiles with which a shortest solution can continue, and so which moves are forced. Always up "
    "to 10 cells; up to 16 cells if it takes a few seconds.",
    "The number of shortest solutions.",
    errors=EXPENSIVE,
    place=60,
)
def shortest(query: ShortestQuery) -> ShortestSolutionsJSON:
    """Count the shortest solutions."""
    puzzle, moves = current_puzzle(), query.get("moves")
    if puzzle.rows * puzzle.cols > COUNTED_CELLS:
        refuse(
            "code", f"shortest solutions are counted on boards of up to {COUNTED_CELLS} cells only"
        )
    try:
        play(puzzle.start, moves or "")
    except PuzzleError as error:
        refuse("moves", str(error))
    answer = service(SolutionCounts).shortest(puzzle, moves, current_visitor().name)
    if not answer:
        refuse("moves", "these moves are not a shortest solution: leave them out for one that is")
    return cast("ShortestSolutionsJSON", answer)


@blueprint.get("/v1/puzzles/<code>/slides")
@charge_cpu_time()
@operation(
    "findFewestSlides",
    "The fewest slides",
    "Finds a solution in the fewest slides of whole lines of tiles. Always up to 10 cells; up to "
    "16 the best that is found in a few seconds, with a lower bound.",
    "The solution.",
    errors=EXPENSIVE,
    place=70,
)
def slides(query: EmptyQuery) -> FewestSlidesJSON:
    """Solve in the fewest slides."""
    puzzle = current_puzzle()
    if not can_be_slid(puzzle.rows, puzzle.cols):
        refuse("code", f"the fewest slides are found on boards of up to {SLID_CELLS} cells only")
    return service(SolutionCounts).slides(puzzle, current_visitor().name).as_json()


@blueprint.get("/v1/random")
@operation(
    "drawPuzzle",
    "A random puzzle",
    "Drawn from all boards that can be solved, or from the boards whose shortest solution has the "
    "requested length.",
    "The puzzle, and the seed that gives it again.",
    errors=EXPENSIVE,
    place=80,
)
def random(query: RandomQuery) -> DrawnPuzzleJSON:
    """Draw a puzzle."""
    fields = cast("dict[str, str]", query)
    seed = fields.get("seed") or secrets.token_hex(8)
    puzzle = new.drawn({"size": "3x3", **fields, "seed": seed})
    return {"puzzle": str(puzzle), "seed": seed, "links": links(puzzle)}


@blueprint.get("/v1/facts/<size>")
@charge_cpu_time()
@operation(
    "getSize",
    "All boards of a size",
    "How many boards can reach a goal, how many moves they need, and the hardest.",
    "The boards by their distance.",
    errors=EXPENSIVE,
    place=90,
)
def size(size: TableSize, query: FactsQuery) -> SizeFactsJSON:
    """Count all boards of a size by their distance to the goal."""
    rows, cols = parse_size(size)
    try:
        goal = parse_board(query["goal"], (rows, cols)) if "goal" in query else None
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
    return solvers().call(size_facts, goal, timeout=wait)


@blueprint.post("/v1/convert")
@operation(
    "convertBoard",
    "A board in all notations",
    "Reads a board as programs, courses and other sites write it, and writes it in all of those "
    "ways. Text that can mean several boards is refused, with all its meanings.",
    "The board.",
    errors=EXPENSIVE,
    examples=[{"board": "3\n1 2 3\n4 0 6\n7 5 8"}, {"board": [1, 0, 3, 4, 2, 5], "size": "2x3"}],
    place=110,
)
def convert(body: ConvertRequest) -> ConversionJSON:
    """Write a board in all notations."""
    size = parse_size(body["size"]) if "size" in body else None
    try:
        board = parse_board(as_text(body["board"]), size)
    except InvalidBoardError as error:
        refuse_board("board", error)
    return {
        "board": str(board),
        "rows": board.rows,
        "cols": board.cols,
        "notations": [
            {"key": one.key, "title": one.title, "used": one.used, "text": text}
            for one, text in written(board)
        ],
    }
