"""Replay of a solution from a link: moves are replayed and the verdict rechecked."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from werkzeug import Response as AnyResponse

from slidewise import (
    Board,
    FewestSlides,
    FunctionError,
    InvalidMovesError,
    Puzzle,
    PuzzleError,
    Result,
    SearchSpec,
    Status,
    Step,
    find_heuristic,
    format_moves,
    parse_moves,
    read_moves,
    steps,
    understand_moves,
)
from slidewise.analysis.distance import estimate_all
from slidewise.analysis.shortest_solutions import COUNTED_CELLS
from slidewise.puzzle.moves import WrongMove, find_wrong_move, opposite, play, tiles_moved
from slidewise.puzzle.reading import MAX_TEXT
from slidewise.solver.convention import SLIDEWISE
from slidewise.solver.fewest_slides import can_be_slid
from slidewise.solver.known import moves_at_least
from slidewise.solver.task import is_own
from slidewise.text import message

from .. import forms
from ..board import cells
from ..forms import MAX_MOVES, linked_number, read_long
from ..http import language
from ..http.language import gettext as _
from ..http.language import ngettext, translated
from ..http.requests import current_puzzle, from_htmx
from ..http.visitor import current_visitor
from ..workers import Busy, jobs
from ..workers.budgets import charge_cpu_time
from ..workers.distances import Distances
from ..workers.shared import CacheKind, service, shared, solvers
from ..workers.solution_counts import SolutionCounts
from ..workers.solvers import CallQueue

SHOWN_STEPS = 2_000
"""Maximum steps on a page; a depth-first solution can have tens of thousands."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A heuristic's estimates along a solution, in order; `top` is the greatest number drawn."""

    title: str
    estimates: list[int]
    top: int

    @property
    def length(self) -> int:
        return len(self.estimates) - 1


def profile(puzzle: Puzzle, boards: Iterable[Board], heuristic: str | None) -> Profile | None:
    """Estimates of `heuristic` along `boards`, starting at the start of `puzzle`.

    None without a heuristic, for the zero heuristic and for expressions. Also None if the solution
    is too long to draw or another process does not load the tables in time.
    """
    boards = list(islice(boards, SHOWN_STEPS + 1))
    if heuristic is None or is_own(heuristic) or len(boards) > SHOWN_STEPS:
        return None
    chosen = find_heuristic(heuristic)
    boards = [puzzle.start, *boards]
    if not chosen.loads_tables:
        estimates = [chosen.value(board, puzzle.goal) for board in boards]
    else:
        wait = current_app.config["FACTS_WAIT"]
        queue = CallQueue.CLICK if puzzle.has_table else CallQueue.BUILD
        try:
            estimates = solvers().calls.call(
                queue, estimate_all, boards, puzzle.goal, heuristic, timeout=wait
            )
        except (Busy, FunctionError):
            return None
    # the moves left are drawn on the same scale
    top = max(len(estimates) - 1, *estimates)
    return Profile(chosen.title, estimates, top) if any(estimates) else None


PATHS = CacheKind[SearchSpec, str]("paths", 1_000_000, 600)
"""Solutions found by searches and fetched in parts, up to 100 KB each."""

LONGEST_PATH = 100_000
"""Longest solution cached; longer solutions are searched for again."""


@dataclass(frozen=True, slots=True)
class SolutionPart:
    """Up to `SHOWN_STEPS` steps of a solution, after the `first` steps, which lead to `board`."""

    first: int
    board: Board
    steps: list[Step]

    @property
    def last(self) -> int:
        return self.first + len(self.steps)


def piece_with(puzzle: Puzzle, moves: str, number: int) -> SolutionPart:
    """The part of a solution that contains the step `number`, counted from 0."""
    # step n follows move n - 1
    first = max(0, min(number, len(moves)) - 1) // SHOWN_STEPS * SHOWN_STEPS
    board = play(puzzle.start, moves[:first])
    made = steps(board, moves[first : first + SHOWN_STEPS], before=first)
    return SolutionPart(first, board, list(made))


MAX_MOVES_IN_LINK = 1_500
"""Maximum moves in a link. The link of a longer solution names the algorithm, as searches are
repeatable."""
_WITHOUT_DIRECTIONS = frozenset("0123456789 \t\r\n,;.()[]-–")
"""Characters of a list of tiles."""

LINK_FIELDS = ("moves", "algorithm", "heuristic", *forms.OPTIONS, "convention", "order")
"""Link fields that name a solution."""


def replay_url(result: Result, options: dict[str, str]) -> str:
    """Link to the replay of a solution; `options` belong to its search."""
    return url_for("replay.page", code=str(result.puzzle), **result_fields(result, options))


def result_fields(result: Result, options: dict[str, str]) -> dict[str, Any]:
    if len(result.moves) <= MAX_MOVES_IN_LINK:
        return {"moves": format_moves(result.moves)}
    names = {"algorithm": result.algorithm, "heuristic": result.heuristic, **options}
    if result.convention != SLIDEWISE.key:
        names["convention"] = result.convention
    return {name: key for name, key in names.items() if key}


def names_moves() -> bool:
    """Whether the link names a solution."""
    return bool(request.args.get("algorithm") or request.args.get("moves", "").strip())


def linked_moves(puzzle: Puzzle) -> str:
    """Moves of the link's solution: `moves`, or the result of its `algorithm`.

    That search takes its usual time.
    """
    if request.args.get("algorithm"):
        return _moves_of_search(puzzle)
    blank = request.args.get("named") == "blank"
    typed = request.args.get("moves", "")
    moves = read_long(read_moves, typed, puzzle.start, blank_directions=blank, goal=puzzle.goal)
    if len(moves) > MAX_MOVES:
        raise InvalidMovesError(
            message(
                "a replay can have up to %(most)s moves, not %(count)s",
                most=MAX_MOVES,
                count=len(moves),
            )
        )
    return moves


def read_as(puzzle: Puzzle) -> str | None:
    """Convention in which the link's moves were read: `tile` or `blank`.

    None if the moves are plain tile directions, have no directions, or the link names the
    convention itself.
    """
    typed = request.args["moves"]
    if set(typed) <= _WITHOUT_DIRECTIONS or request.args.get("named") == "blank":
        return None
    with suppress(PuzzleError):
        read_long(parse_moves, typed)
        return None
    with suppress(PuzzleError):  # a URL has no ambiguous directions
        return read_long(understand_moves, typed, puzzle.start, goal=puzzle.goal).mover
    return None


def link_fields() -> dict[str, str]:
    return {name: value for name, value in request.args.items() if name in LINK_FIELDS}


def step_number() -> int:
    """Step number of the link."""
    return linked_number("step")


def _moves_of_search(puzzle: Puzzle) -> str:
    """Moves found by the link's search, which is repeatable."""
    spec = forms.read_spec(puzzle, request.args)
    known = shared().get(PATHS, spec)
    if known is not None:
        return known
    result = jobs.wait(spec, current_app.config["SOLVE_WAIT"])
    if result is None or result.status is not Status.SOLVED:
        why = result.verdict.reason if result else message("the solver stopped unexpectedly")
        raise PuzzleError(message("this search found no solution to replay: %(why)s", why=why))
    if len(result.moves) <= LONGEST_PATH:
        shared().put(PATHS, spec, result.moves)
    return result.moves


@dataclass(frozen=True, slots=True)
class MovesInRow:
    """A move of a shortest solution with its alternative tiles, or a run of forced moves."""

    first: int
    tiles: tuple[int, ...]
    instead: tuple[int, ...] = ()

    @property
    def last(self) -> int:
        return self.first + len(self.tiles) - 1


@dataclass(frozen=True, slots=True)
class SolutionCount:
    """Count of shortest solutions: `found` is the library's result.

    `rows` describe this solution. `slides` is its number of slides, `fewest` the minimum. There are
    no rows if this solution is not shortest or the count failed.
    """

    found: dict[str, Any]
    rows: tuple[MovesInRow, ...]
    slides: int
    fewest: FewestSlides | None

    @property
    def forced(self) -> int:
        return sum(len(row.tiles) for row in self.rows if not row.instead)


def can_be_counted(puzzle: Puzzle) -> bool:
    """Whether the shortest solutions of a puzzle can be counted."""
    return puzzle.rows * puzzle.cols <= COUNTED_CELLS


def counted(puzzle: Puzzle, moves: str) -> SolutionCount:
    """Count shortest solutions and forced moves for `moves`; raises `Busy`."""
    solutions, visitor = service(SolutionCounts), current_visitor().name
    counts = solutions.shortest(puzzle, moves, visitor)
    rows = tuple(_rows(puzzle, moves, counts))
    # not a shortest solution: count without its moves
    counts = counts or solutions.shortest(puzzle, None, visitor)
    slidable = can_be_slid(puzzle.rows, puzzle.cols)
    fewest = solutions.slides(puzzle, visitor) if slidable else None
    return SolutionCount(counts, rows, sum(1 for _ in groupby(moves)), fewest)


def _rows(puzzle: Puzzle, moves: str, found: dict[str, Any]) -> Iterator[MovesInRow]:
    steps = found.get("steps") or ()
    made = zip(steps, tiles_moved(puzzle.start, moves), strict=False)
    for forced, group in groupby(enumerate(made, 1), lambda one: one[1][0]["forced"]):
        numbered = list(group)
        if forced:
            yield MovesInRow(numbered[0][0], tuple(tile for _, (_, tile) in numbered))
            continue
        for number, (step, tile) in numbered:
            instead = tuple(other for other in map(int, step["solutions"]) if other != tile)
            yield MovesInRow(number, (tile,), instead)


blueprint = Blueprint("replay", __name__)

BROWSER_CACHE_SECONDS = 600
"""Browser cache TTL in seconds of a part: dragging the slider returns to it."""

SHOWN_AROUND = 60
"""Characters shown on each side of a wrong move."""


@dataclass(frozen=True, slots=True)
class ReplayVerdict:
    """Verdict on a solution from a link.

    `verdict` has the values of a result's verdict, or `unfinished` if the moves do not end at the
    goal. `is_open` means that it could still be the shortest.
    """

    verdict: str
    text: str
    is_open: bool = False


@blueprint.get("/replay/<code>")
@charge_cpu_time()
def page() -> AnyResponse | str:
    """Show step `step` of the solution `moves`, or of the solution that `algorithm` finds."""
    puzzle = current_puzzle()
    if not names_moves():
        return _form()
    try:
        moves = linked_moves(puzzle)
        play(puzzle.start, moves)
    except PuzzleError as error:
        if request.args.get("algorithm"):
            raise
        return Response(_form(error), 400)
    if not request.args.get("algorithm") and request.args["moves"] != format_moves(moves):
        fields: dict[str, Any] = {"read": read_as(puzzle), "step": request.args.get("step")}
        written = format_moves(moves)
        return redirect(url_for("replay.page", code=str(puzzle), moves=written, **fields))
    return render_template("solve/replay.html", **context(puzzle, moves, step_number()))


@blueprint.get("/replay/<code>/steps")
@charge_cpu_time()
def steps_of_piece() -> Response:
    """Part of the solution with step `step`, for the player."""
    puzzle = current_puzzle()
    moves = linked_moves(puzzle)
    piece = piece_with(puzzle, moves, step_number())
    html = render_template("board/_steps.html", piece=piece, length=len(moves), in_pieces=True)
    response = Response(html)
    response.headers["Cache-Control"] = f"private, max-age={BROWSER_CACHE_SECONDS}"
    return response


@blueprint.get("/replay/<code>/count")
@charge_cpu_time()
def count() -> str:
    """Count the shortest solutions, and the forced moves of this solution."""
    puzzle = current_puzzle()
    if not can_be_counted(puzzle):
        raise PuzzleError(
            message(
                "shortest solutions can be counted on boards of up to %(cells)s cells, such as 4x4",
                cells=COUNTED_CELLS,
            )
        )
    moves = linked_moves(puzzle)
    if play(puzzle.start, moves) != puzzle.goal:
        raise PuzzleError(message("these moves do not end at the goal: there is nothing to count"))
    result = {"counted": counted(puzzle, moves)}
    if from_htmx():
        return render_template("solve/_counted.html", length=len(moves), **result)
    return render_template("solve/replay.html", **context(puzzle, moves, 0), **result)


def _form(error: PuzzleError | None = None) -> str:
    """The form for a list of moves, with the input and its error if it is invalid."""
    puzzle, typed = current_puzzle(), request.args.get("moves", "")
    blank = request.args.get("named") == "blank"
    wrong = error and read_long(find_wrong_move, typed, puzzle.start, blank_directions=blank)
    return render_template(
        "solve/replay_form.html",
        puzzle=puzzle,
        code=str(puzzle),
        typed=typed,
        max_text=MAX_TEXT,
        blank=blank,
        error=error,
        wrong=wrong,
        cells=cells(wrong.board, puzzle.goal) if wrong else None,
        around=_around(typed, wrong) if wrong else None,
    )


def _around(typed: str, wrong: WrongMove) -> tuple[str, str, str]:
    """The wrong move as typed, with its surroundings."""
    first, last = max(0, wrong.start - SHOWN_AROUND), wrong.end + SHOWN_AROUND
    before = ("… " if first else "") + typed[first : wrong.start]
    after = typed[wrong.end : last] + (" …" if last < len(typed) else "")
    return before, typed[wrong.start : wrong.end][:SHOWN_AROUND], after


def context(puzzle: Puzzle, moves: str, number: int) -> dict[str, Any]:
    """Template context of a solution at step `number`."""
    number = min(number, len(moves))
    piece = piece_with(puzzle, moves, number)
    current = piece.steps[number - piece.first - 1] if number else None
    board = current.board if current else puzzle.start
    written = format_moves(moves)
    return {
        "puzzle": puzzle,
        "here": puzzle.starting_at(board),
        "length": len(moves),
        "piece": piece,
        "notation": {
            "tile_directions": written,
            "blank_directions": format_moves(opposite(moves)),
            "tiles": " ".join(map(str, tiles_moved(puzzle.start, moves))),
        },
        "current": current,
        "number": number,
        "cells": cells(board, puzzle.goal, current.tile if current else None),
        "check": _check(puzzle, moves),
        "countable": can_be_counted(puzzle),
        "profile": profile(
            puzzle, (step.board for step in steps(puzzle.start, moves)), "manhattan"
        ),
        "fields": link_fields(),
        # fields of the sharing sheet: the position, and the solution at this step
        "share": {
            "board": board,
            **({"moves": written} if len(moves) <= MAX_MOVES_IN_LINK else link_fields()),
            "step": number,
        },
    }


def _check(puzzle: Puzzle, moves: str) -> ReplayVerdict:
    """Check a solution's length, as far as possible at once."""
    if play(puzzle.start, moves) != puzzle.goal:
        return ReplayVerdict("unfinished", _("These moves do not end at the goal."))
    length, least = len(moves), moves_at_least(puzzle)
    if length == least:
        text = ngettext(
            "Proved shortest: no solution can have fewer than %(num)s move.",
            "Proved shortest: no solution can have fewer than %(num)s moves.",
            least,
        )
        return ReplayVerdict("optimal", text)
    known = service(Distances).proved(puzzle, current_app.config["SOLVE_WAIT"])
    source = translated(known.source)
    if known.exact and known.at_least == length:
        return ReplayVerdict("optimal", _("Proved shortest: %(source)s.", source=source))
    if known.exact:
        above = ngettext(
            "%(num)s move above the shortest: %(source)s.",
            "%(num)s moves above the shortest: %(source)s.",
            length - known.at_least,
            source=source,
        )
        return ReplayVerdict("unproved", above)
    text = _(
        "Not proved shortest: the shortest solution has %(least)s to %(most)s moves.",
        least=language.number(known.at_least),
        most=language.number(length),
    )
    return ReplayVerdict("unproved", text, is_open=True)
