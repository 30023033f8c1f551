"""Fields of a search: the Solve card's choices, and the chosen search."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from flask import current_app

from slidewise import (
    InvalidConventionError,
    InvalidWeightError,
    Limits,
    PuzzleError,
    SearchSpec,
    algorithms,
    conventions,
    find_algorithm,
    find_convention,
    find_fitting_heuristic,
    find_heuristic,
    heuristics,
)
from slidewise.solver.convention import ALGORITHMS, ORDERS, SLIDEWISE
from slidewise.solver.registry import is_own
from slidewise.solver.run import forecast
from slidewise.solver.task import DEFAULT_WEIGHT, HIGHEST_WEIGHT, exact_weight, nodes_within
from webapp.forms.fields import LARGEST_NUMBER, FieldError, read_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from slidewise import Heuristic, Puzzle

DEFAULT_ALGORITHM, DEFAULT_HEURISTIC = "best", "manhattan"

SHOWN_CHARACTERS = 40
"""Characters of invalid input shown in a field again."""

SHORTEST_SECONDS = 0.000_001
"""Shortest positive time limit with six decimals."""

_DEPTH = f"the depth limit must be a whole number from 1 to {LARGEST_NUMBER:,}"
_WEIGHT = f"the weight must be from 1 to {HIGHEST_WEIGHT} and have at most two decimals"


def solver_choices(
    puzzle: Puzzle, chosen: Mapping[str, str], wrong: FieldError | None = None
) -> dict[str, Any]:
    """Choices of the Solve card for `puzzle`, the current choice, and its errors."""
    return {
        "algorithms": algorithms().values(),
        "heuristics": [
            *(entry for entry in heuristics().values() if entry.fits(puzzle.rows, puzzle.cols)),
            *_own(puzzle, chosen),
        ],
        "algorithm": chosen.get("algorithm", DEFAULT_ALGORITHM),
        "heuristic": chosen.get("heuristic", DEFAULT_HEURISTIC),
        "options": {
            "seconds": chosen.get("seconds", "")[:SHOWN_CHARACTERS],
            "depth": chosen.get("depth", "")[:SHOWN_CHARACTERS],
            "weight": chosen.get("weight", f"{DEFAULT_WEIGHT:g}")[:SHOWN_CHARACTERS],
        },
        "conventions": conventions(),
        "convention": chosen.get("convention", SLIDEWISE.key)[:SHOWN_CHARACTERS],
        "order": chosen.get("order", "")[:SHOWN_CHARACTERS],
        "under_conventions": ALGORITHMS,
        "wrong": wrong,
        "most_seconds": current_app.config["SOLVE_SECONDS"],
        "forecast": forecast,
    }


def _own(puzzle: Puzzle, chosen: Mapping[str, str]) -> Iterator[Heuristic]:
    """Yield the link's own heuristic, if it fits the board."""
    key = chosen.get("heuristic", "")
    if is_own(key):
        with suppress(PuzzleError):
            yield find_fitting_heuristic(key, puzzle.rows, puzzle.cols)


def read_spec(puzzle: Puzzle, chosen: Mapping[str, str]) -> SearchSpec:
    """Parse the search in the fields of a form or a link; see `spec`."""
    algorithm = find_algorithm(chosen.get("algorithm", DEFAULT_ALGORITHM))
    takes_depth = "depth" in algorithm.options
    depth = read_number(chosen, "depth", int, least=1, expected=_DEPTH) if takes_depth else None
    return spec(
        puzzle,
        algorithm.key,
        chosen.get("heuristic"),
        seconds=read_seconds(chosen, current_app.config["SOLVE_SECONDS"]),
        depth=depth,
        weight=weight(chosen) if "weight" in algorithm.options else DEFAULT_WEIGHT,
        convention=read_convention(algorithm.key, chosen),
    )


def read_convention(algorithm: str, chosen: Mapping[str, str]) -> str:
    """Parse the convention of an algorithm, with the order of successors.

    Ignored for algorithms that only have Slidewise's convention, since forms send all fields.
    Raises `FieldError`.
    """
    name, order = (chosen.get(field, "").strip() for field in ("convention", "order"))
    if algorithm not in ALGORITHMS or not (name or order):
        return SLIDEWISE.key
    text = name or SLIDEWISE.key
    try:
        return str(find_convention(f"{text},order={order}" if order else text, algorithm))
    except InvalidConventionError as error:
        field = "order" if order and order not in ORDERS else "convention"
        raise FieldError(field, str(error)) from None


def spec(
    puzzle: Puzzle,
    algorithm: str = DEFAULT_ALGORITHM,
    heuristic: str | None = None,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    weight: float = DEFAULT_WEIGHT,
    convention: str = SLIDEWISE.key,
) -> SearchSpec:
    """The chosen search, within the limits of this site.

    Options that the algorithm does not take are left out. Raises the errors of `find_algorithm` and
    `find_fitting_heuristic`.
    """
    entry = find_algorithm(algorithm)
    estimate = find_heuristic(DEFAULT_HEURISTIC if heuristic is None else heuristic).key
    if entry.uses_heuristic:
        find_fitting_heuristic(estimate, puzzle.rows, puzzle.cols)
    most = current_app.config["SOLVE_SECONDS"]
    room = current_app.config["SOLVE_MEGABYTES"] * 2**20
    limits = Limits(
        seconds=most if seconds is None else seconds,
        stored_nodes=nodes_within(room, puzzle.rows * puzzle.cols),
        depth=depth if "depth" in entry.options else None,
    )
    weighs = weight if "weight" in entry.options else DEFAULT_WEIGHT
    return SearchSpec(puzzle, entry.key, estimate, limits, weighs, convention=convention)


def weight(chosen: Mapping[str, str]) -> float:
    """Parse the weight, by default the usual one; raises `FieldError`."""
    number = read_number(chosen, "weight", float, expected=_WEIGHT)
    if number is None:
        return DEFAULT_WEIGHT
    try:
        exact_weight(number)  # refused here, and not in a worker
    except InvalidWeightError as error:
        raise FieldError("weight", str(error)) from None
    return number


def read_seconds(chosen: Mapping[str, str], most: float, *, clips: bool = False) -> float | None:
    """Parse the time limit in seconds, None if it is empty; raises `FieldError`.

    Values above `most` are an error, or clipped to `most` with `clips`. So a link of a race works
    on servers with lower limits.
    """
    expected = f"seconds must be above 0 and at most {most:g}"
    highest = LARGEST_NUMBER if clips else most
    limit = read_number(chosen, "seconds", float, SHORTEST_SECONDS, highest, expected)
    return limit if limit is None else min(limit, most)
