"""Boards for programs: a hint, a random puzzle, all boards of a size, and notations."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from flask import current_app

from slidewise import InvalidBoardError, PuzzleError, parse_board, parse_size, standard_goal
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.puzzle.moves import play
from slidewise.puzzle.writing import written
from slidewise.solver.fewest_slides import SLID_CELLS, can_be_slid
from slidewise.study.board_facts import size_facts
from slidewise.study.shortest_solutions import COUNTED_CELLS
from webapp.api.answers import (
    JSON,
    accepted,
    as_text,
    json_response,
    read_body,
    read_query,
    refuse,
    refuse_board,
)
from webapp.api.blueprint import blueprint
from webapp.api.board_schemas import CONVERT_REQUEST, FACTS_QUERY, RANDOM_QUERY, SHORTEST_QUERY
from webapp.api.catalogue import EMPTY_QUERY
from webapp.api.facts import links
from webapp.api.requests import SIZE
from webapp.api.schema import check
from webapp.http.requests import current_puzzle
from webapp.http.visitor import current_visitor
from webapp.play import new
from webapp.workers.board_questions import BoardQuestions
from webapp.workers.budgets import charge_cpu_time
from webapp.workers.distances import Distances
from webapp.workers.services import service, solvers

if TYPE_CHECKING:
    from flask import Response


@blueprint.get("/v1/puzzles/<code>/hint")
def hint() -> Response:
    """Tell which tile to move next."""
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
