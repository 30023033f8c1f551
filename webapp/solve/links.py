"""Links to solutions: written for a result, and read again."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from flask import current_app, request, url_for

from slidewise import (
    InvalidMovesError,
    PuzzleError,
    Status,
    format_moves,
    parse_moves,
    read_moves,
    understand_moves,
)
from slidewise.solver.convention import SLIDEWISE
from webapp.forms import search
from webapp.forms.fields import read_number
from webapp.forms.moves import MAX_MOVES, read_long
from webapp.solve.pieces import Paths
from webapp.workers import jobs
from webapp.workers.services import service

if TYPE_CHECKING:
    from slidewise import Puzzle, Result


MAX_MOVES_IN_LINK = 1_500
"""A longer solution's link names the algorithm instead: a search repeats exactly."""
_WITHOUT_DIRECTIONS = frozenset("0123456789 \t\r\n,;.()[]-–")
"""The characters of a list of tiles."""

_FIELDS = ("moves", "algorithm", "heuristic", "depth", "weight", "convention", "order")
"""The fields of a link that name a solution."""


def replay_url(result: Result, options: dict[str, str]) -> str:
    """Return the link to the replay of a solution; `options` are those of its search."""
    return url_for("replay.page", code=str(result.puzzle), **result_fields(result, options))


def result_fields(result: Result, options: dict[str, str]) -> dict[str, Any]:
    if len(result.moves) <= MAX_MOVES_IN_LINK:
        return {"moves": format_moves(result.moves)}
    names = {"algorithm": result.algorithm, "heuristic": result.heuristic, **options}
    if result.convention != SLIDEWISE.key:
        names["convention"] = result.convention
    return {name: key for name, key in names.items() if key}


def names_moves() -> bool:
    """Return whether the link names a solution at all."""
    return bool(request.args.get("algorithm") or request.args.get("moves", "").strip())


def asked_moves(puzzle: Puzzle) -> str:
    """Return the moves of the solution that the link names: `moves`, or those that its
    `algorithm` finds, which takes the time of a search."""
    if request.args.get("algorithm"):
        return _moves_of_search(puzzle)
    blank = request.args.get("named") == "blank"
    typed = request.args.get("moves", "")
    moves = read_long(read_moves, typed, puzzle.start, blank_directions=blank, goal=puzzle.goal)
    if len(moves) > MAX_MOVES:
        raise InvalidMovesError(
            f"a replay can have up to {MAX_MOVES:,} moves, but these are {len(moves):,}"
        )
    return moves


def read_as(puzzle: Puzzle) -> str | None:
    """Return whose directions the moves of the link, which can be made, were read as: `tile` or
    `blank`; None where they are letters of the tiles' directions, or no directions, or where the
    link says it itself."""
    typed = request.args["moves"]
    if set(typed) <= _WITHOUT_DIRECTIONS or request.args.get("named") == "blank":
        return None
    with suppress(PuzzleError):
        read_long(parse_moves, typed)
        return None
    with suppress(PuzzleError):  # an address has no directions that need to be told
        return read_long(understand_moves, typed, puzzle.start, goal=puzzle.goal).said_of
    return None


def link_fields() -> dict[str, str]:
    """Return the fields of the link that name the solution."""
    return {name: value for name, value in request.args.items() if name in _FIELDS}


def step_number() -> int:
    """Return the step that the link names; a number that is too long counts as a large one."""
    return read_number({"step": request.args.get("step", "")[:9]}, "step", int) or 0


def _moves_of_search(puzzle: Puzzle) -> str:
    """Return the moves that the search named in the link finds; it finds the same each time."""
    spec = search.read_spec(puzzle, request.args)
    known = service(Paths).get(spec)
    if known is not None:
        return known
    result = jobs.wait(spec, current_app.config["SOLVE_WAIT"])
    if result is None or result.status is not Status.SOLVED:
        why = result.verdict.reason if result else "the solver was lost"
        raise PuzzleError(f"this search found no solution to replay: {why}")
    service(Paths).remember(spec, result.moves)
    return result.moves
