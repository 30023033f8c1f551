"""The operations of the interface for programs, as its OpenAPI document has them."""

from __future__ import annotations

from typing import Any

from webapp.api.board_schemas import FACTS_QUERY, RANDOM_QUERY, SHORTEST_QUERY
from webapp.api.requests import EXAMPLE, MAX_CODE, PUZZLE_FORMAT, SIZE, Schema
from webapp.api.schemas import EVENTS, TEXT, event_kind, ref, whole

EXPENSIVE_ERRORS = ("422", "429", "500", "503")
"""The errors of what takes processor time."""

_CODE = {
    "name": "code",
    "in": "path",
    "required": True,
    "description": "The puzzle code: rows joined by `-`, cells by dots, 0 for the blank, and "
    "after `_` the goal if it is not 1, 2, 3 ... with the blank last.",
    "schema": {"type": "string", "maxLength": MAX_CODE, "format": PUZZLE_FORMAT},
    "example": EXAMPLE,
}
_SIZE = {
    "name": "size",
    "in": "path",
    "required": True,
    "description": "Rows x columns, as in `3x3`, up to 10 cells.",
    "schema": SIZE,
    "example": "3x3",
}
_MOVED = {
    "308": {
        "description": "The puzzle has another spelling.",
        "headers": {"Location": {"schema": {"type": "string", "format": "uri-reference"}}},
    }
}


def operations() -> Schema:
    """Return all operations by their paths and methods."""
    return {
        "/": {
            "get": _get(
                "index",
                "All operations",
                "All operations with their addresses. A browser is redirected to the page.",
                "Index",
                "The index.",
                errors=("406", "500"),
                more={"302": {"description": "A browser is redirected to the page."}},
            )
        },
        "/algorithms": {
            "get": _get(
                "listAlgorithms",
                "The algorithms",
                "What each guarantees and costs, and which options it takes.",
                "Algorithms",
                "The algorithms.",
            )
        },
        "/heuristics": {
            "get": _get(
                "listHeuristics",
                "The heuristics",
                "What holds for each on all boards.",
                "Heuristics",
                "The heuristics.",
            )
        },
        "/heuristics/check": {
            "post": _post(
                "checkHeuristic",
                "Check a heuristic on all boards",
                "Whether a heuristic, which may be your own, is admissible and consistent for a "
                "goal. It is compared with the true distance of every board, up to 10 cells. If "
                "it is not, the answer gives the nearest board that shows it and the worst.",
                "HeuristicRequest",
                _answer("What was found.", ref("HeuristicCheck")),
            )
        },
        "/puzzles/{code}": {
            "get": _get(
                "getPuzzle",
                "What is known about a puzzle",
                "Size, goal, whether the goal can be reached and why, what each heuristic "
                "estimates, and up to 10 cells how many moves it takes. A code that is not in its "
                "usual spelling is redirected.",
                "Puzzle",
                "The puzzle.",
                [_CODE],
                errors=("404", "406", "422", "500", "503"),
                more=_MOVED,
            )
        },
        "/puzzles/{code}/hint": {
            "get": _get(
                "getHint",
                "The next move",
                "Which tile to move next: along a shortest solution up to 16 cells, if one is "
                "found in time, otherwise along the best solution known. There is always a hint "
                "if the goal can be reached.",
                "Hint",
                "The hint.",
                [_CODE],
                errors=("400", "404", "406", "422", "500", "503"),
                more=_MOVED,
            )
        },
        "/puzzles/{code}/shortest": {
            "get": _get(
                "countShortestSolutions",
                "How many shortest solutions there are",
                "Counts them in single moves, and tells for each step of one of them which tiles "
                "a shortest solution can begin with there, so which moves are forced. Always "
                "up to 10 cells; up to 16 cells where it takes a few seconds.",
                "ShortestSolutions",
                "The number of shortest solutions.",
                [_CODE, *_query(SHORTEST_QUERY)],
                errors=("400", "404", "406", *EXPENSIVE_ERRORS),
                more=_MOVED,
            )
        },
        "/puzzles/{code}/slides": {
            "get": _get(
                "findFewestSlides",
                "The fewest slides",
                "Finds a solution in the fewest slides of whole lines of tiles. Always up to 10 "
                "cells; up to 16 the best that is found in a few seconds, with a lower bound.",
                "FewestSlides",
                "The solution.",
                [_CODE],
                errors=("400", "404", "406", *EXPENSIVE_ERRORS),
                more=_MOVED,
            )
        },
        "/random": {
            "get": _get(
                "drawPuzzle",
                "A random puzzle",
                "Drawn from all boards that can be solved, or from those whose shortest solution "
                "has the length you ask for.",
                "DrawnPuzzle",
                "The puzzle, and the seed that gives it again.",
                _query(RANDOM_QUERY),
                errors=("400", "406", *EXPENSIVE_ERRORS),
            )
        },
        "/facts/{size}": {
            "get": _get(
                "getSize",
                "All boards of a size",
                "How many boards can reach a goal, how many moves they need, and the hardest.",
                "SizeFacts",
                "The boards by their distance.",
                [_SIZE, *_query(FACTS_QUERY)],
                errors=("400", "404", "406", *EXPENSIVE_ERRORS),
            )
        },
        "/check": {
            "post": _post(
                "check",
                "Check your own search",
                "Compares what a program found (a path, counts or the boards that it expanded) "
                "with the search that it is meant to be. A convention or a known mistake that "
                "explains a difference is looked for within the number of expansions given. Text "
                "that cannot be read is refused with its line.",
                "CheckRequest",
                _answer("What is right, and what differs first.", ref("CheckReport")),
            )
        },
        "/convert": {
            "post": _post(
                "convertBoard",
                "A board in all notations",
                "Reads a board as programs, courses and other sites write it, and writes it in "
                "all of those ways. Text that can mean several boards is refused, with all its "
                "meanings.",
                "ConvertRequest",
                _answer("The board.", ref("Conversion")),
            )
        },
        "/solve": {"post": _solve()},
        "/compare": {"post": _compare()},
        "/many": {
            "post": _post(
                "runOnMany",
                "The same searches on many boards",
                "Draws boards from a seed and runs searches on each of them, for as long as an "
                "answer in JSON may take. The answer has medians, quartiles and every single "
                "run.",
                "ManyRequest",
                _answer("What was measured.", ref("ManyBoards")),
            )
        },
    }


def _solve() -> Schema:
    return _search(
        "solve",
        "Solve a puzzle",
        "Runs one search. The result has the moves, as the directions in which the tiles move and "
        "as their numbers, the verdict (is it proved shortest?) with its reason, and the counts. "
        "A puzzle without a solution is a result too.",
        "SolveRequest",
        _answer("The result.", ref("Result")),
    )


def _compare() -> Schema:
    return _search(
        "compare",
        "Compare searches on one puzzle",
        "Runs the searches one after the other. The remaining time is shared evenly between those "
        "still to come. In an event stream each event also has the number of its search, counted "
        "from 1, and its name.",
        "CompareRequest",
        _answer("The results, in the order of the searches.", ref("Comparison")),
    )


def _search(name: str, summary: str, description: str, request: str, answer: Schema) -> Schema:
    # Each event of the stream, as OpenAPI 3.2 has it too; the data is JSON, so Event is inside.
    data = {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": ref("Event"),
    }
    stream = whole(
        {
            "event": {"type": "string", "enum": [event_kind(kind) for kind in EVENTS]},
            "id": TEXT,
            "data": data,
        }
    )
    answer["content"]["text/event-stream"] = {"schema": stream}
    return _post(name, summary, description, request, answer)


def _get(
    name: str,
    summary: str,
    description: str,
    schema: str,
    told: str,
    parameters: list[Schema] | None = None,
    *,
    errors: tuple[str, ...] = ("400", "406", "500"),
    more: Schema | None = None,
) -> Schema:
    found: dict[str, Any] = {
        "operationId": name,
        "summary": summary,
        "description": description,
        "responses": {"200": _answer(told, ref(schema)), **(more or {}), **_errors(*errors)},
    }
    return found | {"parameters": parameters} if parameters else found


def _post(name: str, summary: str, description: str, request: str, answer: Schema) -> Schema:
    return {
        "operationId": name,
        "summary": summary,
        "description": description,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": ref(request)}},
        },
        "responses": {
            "200": answer,
            **_errors("400", "403", "406", "413", "415", *EXPENSIVE_ERRORS),
        },
    }


def _query(fields: Schema) -> list[Schema]:
    """Return the parameters after the `?`, from the schema that they are checked against."""
    return [
        {
            "name": name,
            "in": "query",
            "description": field["description"],
            "schema": {key: value for key, value in field.items() if key != "examples"},
            **({"example": field["examples"][0]} if "examples" in field else {}),
        }
        for name, field in fields["properties"].items()
    ]


def _errors(*statuses: str) -> Schema:
    return {status: {"$ref": f"#/components/responses/Problem{status}"} for status in statuses}


def _answer(description: str, schema: Schema) -> Schema:
    return {
        "description": description,
        "headers": with_headers(),
        "content": {"application/json": {"schema": schema}},
    }


def with_headers(*more: str) -> Schema:
    """Return the headers of an answer: those that all have, and `more`."""
    for_scripts = ("Access-Control-Allow-Origin", "Access-Control-Expose-Headers")
    names = ("Cache-Control", "X-Request-ID", *for_scripts, *more)
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
