"""Parsing and validation of form input: single fields, a puzzle, a search."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar

from flask import current_app, request

from slidewise import (
    Heuristic,
    InvalidBoardError,
    InvalidConventionError,
    InvalidWeightError,
    Limits,
    Puzzle,
    PuzzleError,
    SearchSpec,
    algorithms,
    conventions,
    find_algorithm,
    find_convention,
    find_fitting_heuristic,
    find_heuristic,
    heuristics,
    parse_puzzle,
    parse_size,
)
from slidewise.puzzle.board import quoted
from slidewise.puzzle.scramble import MAX_SEED, check_seed
from slidewise.solver.convention import ALGORITHMS, ORDERS, SLIDEWISE
from slidewise.solver.run import forecast
from slidewise.solver.task import (
    DEFAULT_COOLING,
    DEFAULT_SEED,
    DEFAULT_WEIGHT,
    HIGHEST_COOLING,
    HIGHEST_WEIGHT,
    LOWEST_COOLING,
    exact_weight,
    is_own,
    nodes_within,
)
from slidewise.text import message

from .workers.shared import solvers


def read_puzzle(fields: Mapping[str, str]) -> Puzzle:
    """Parse the puzzle typed as `start`, `goal` and `size`; raises `InvalidBoardError`."""
    size = parse_size(fields["size"]) if fields["size"].strip() else None
    return parse_puzzle(fields["start"], fields["goal"], size)


def wrong_field(fields: dict[str, str]) -> str:
    """Name of the first invalid field of a typed puzzle."""
    try:
        parse_size(fields["size"] if fields["size"].strip() else "3x3")
    except InvalidBoardError:
        return "size"
    try:
        read_puzzle({**fields, "goal": ""})
    except InvalidBoardError:
        return "start"
    return "goal"


N = TypeVar("N", int, float)
Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")

LARGEST_NUMBER = 999_999_999
"""Largest number accepted, far above any meaningful number."""

QUOTED_CHARACTERS = 20
"""Characters of a wrong field repeated in its error message."""

_NUMBER = re.compile(r"([0-9]{1,9})(\.[0-9]{1,6}|,[0-9]{1,2})?")


class FieldError(PuzzleError):
    """Unreadable field; `field` is its name."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


def read_number(
    typed: Mapping[str, str],
    name: str,
    kind: type[N],
    least: float = 0,
    most: float = LARGEST_NUMBER,
    expected: str = "",
) -> N | None:
    """Parse the number in the field `name`, None if it is empty or missing.

    A decimal comma with one or two digits is accepted, as some keypads lack a point. Raises
    `FieldError` with the `expected` range, by default from `least` to `most`.

    >>> read_number({"weight": "1,5"}, "weight", float)
    1.5
    >>> read_number({"step": "-1"}, "step", int)
    Traceback (most recent call last):
    webapp.forms.FieldError: step must be a number of 0 or more, found '-1'
    """
    text = typed.get(name, "").strip()
    if not text:
        return None
    match = _NUMBER.fullmatch(text)
    if match and not (kind is int and match[2]):
        number = kind(text.replace(",", "."))
        if least <= number <= most:
            return number
    fault = message(
        "%(expected)s, found %(found)s",
        expected=expected or _expected(name, least, most),
        found=text if match else quoted(text, QUOTED_CHARACTERS),
    )
    raise FieldError(name, fault)


def linked_number(name: str) -> int:
    """Parse a number of the link, 0 if missing; a number with too many digits counts as large."""
    return read_number({name: request.args.get(name, "")[:9]}, name, int) or 0


def query_number(name: str, most: int = LARGEST_NUMBER) -> int:
    """Return a number of the query up to `most`, 0 if invalid."""
    with suppress(FieldError):
        return min(read_number(request.args, name, int) or 0, most)
    return 0


def _expected(name: str, least: float, most: float) -> str:
    if most == LARGEST_NUMBER:
        return message("%(field)s must be a number of %(least)s or more", field=name, least=least)
    return message(
        "%(field)s must be a number from %(least)s to %(most)s", field=name, least=least, most=most
    )


SHORT_TEXT = 200
"""Characters parsed in the web process, about 10 ms: `U9D9` makes 18 moves of four."""

MAX_MOVES = 10_000
"""Longest list of moves that a page shows and a game accepts at once."""

MAX_MOVES_TEXT = 20_000
"""Longest text of moves that a page accepts, in characters."""


def read_long(
    function: Callable[Concatenate[str, Parameters], Value],
    text: str,
    *args: Parameters.args,
    **options: Parameters.kwargs,
) -> Value:
    """Result of `function(text, ...)`, called in a helper if the text is long.

    Raises the function's exceptions, and `Busy`.
    """
    if len(text) <= SHORT_TEXT:
        return function(text, *args, **options)
    call = partial(function, text, *args, **options)
    return solvers().call(call, timeout=current_app.config["SOLVE_WAIT"])


DEFAULT_ALGORITHM, DEFAULT_HEURISTIC = "best", "manhattan"

SHOWN_CHARACTERS = 40
"""Characters of invalid input shown in a field again."""

SHORTEST_SECONDS = 0.000_001
"""Shortest positive time limit with six decimals."""

_DEPTH = message("the depth limit must be a whole number from 1 to %(most)s", most=LARGEST_NUMBER)
_WEIGHT = message(
    "the weight must be from 1 to %(most)s and have at most two decimals", most=HIGHEST_WEIGHT
)


_COOLING = message(
    "the cooling must be from %(least)s to %(most)s", least=LOWEST_COOLING, most=HIGHEST_COOLING
)
OPTIONS = ("depth", "weight", "seed", "cooling")
"""Options of single algorithms, as fields."""


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
        "takers": {
            option: [entry.title for entry in algorithms().values() if option in entry.options]
            for option in OPTIONS
        },
        "algorithm": chosen.get("algorithm", DEFAULT_ALGORITHM),
        "heuristic": chosen.get("heuristic", DEFAULT_HEURISTIC),
        "options": {
            "seconds": chosen.get("seconds", "")[:SHOWN_CHARACTERS],
            "depth": chosen.get("depth", "")[:SHOWN_CHARACTERS],
            "weight": chosen.get("weight", f"{DEFAULT_WEIGHT:g}")[:SHOWN_CHARACTERS],
            "seed": chosen.get("seed", DEFAULT_SEED)[:MAX_SEED],
            "cooling": chosen.get("cooling", f"{DEFAULT_COOLING:g}")[:SHOWN_CHARACTERS],
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
        seed=seed(chosen) if "seed" in algorithm.options else DEFAULT_SEED,
        cooling=cooling(chosen) if "cooling" in algorithm.options else DEFAULT_COOLING,
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
        raise FieldError(field, error.args[0]) from None


def spec(
    puzzle: Puzzle,
    algorithm: str = DEFAULT_ALGORITHM,
    heuristic: str | None = None,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    weight: float = DEFAULT_WEIGHT,
    convention: str = SLIDEWISE.key,
    seed: str = DEFAULT_SEED,
    cooling: float = DEFAULT_COOLING,
) -> SearchSpec:
    """The chosen search, within the limits of this site.

    Without `seconds` it does not use all of its time to improve a path. Options that the algorithm
    does not take are left out. Raises the errors of `find_algorithm` and `find_fitting_heuristic`.
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
        stops_early=seconds is None,
    )
    weighs = weight if "weight" in entry.options else DEFAULT_WEIGHT
    return SearchSpec(
        *(puzzle, entry.key, estimate, limits, weighs),
        convention=convention,
        seed=seed if "seed" in entry.options else DEFAULT_SEED,
        cooling=cooling if "cooling" in entry.options else DEFAULT_COOLING,
    )


def weight(chosen: Mapping[str, str]) -> float:
    """Parse the weight, by default the usual weight; raises `FieldError`."""
    number = read_number(chosen, "weight", float, expected=_WEIGHT)
    if number is None:
        return DEFAULT_WEIGHT
    try:
        exact_weight(number)  # refuse here, not in a worker
    except InvalidWeightError as error:
        raise FieldError("weight", error.args[0]) from None
    return number


def seed(chosen: Mapping[str, str]) -> str:
    """Parse the seed, by default the usual seed; raises `FieldError`."""
    text = chosen.get("seed", "").strip() or DEFAULT_SEED
    try:
        check_seed(text)  # refuse here, not in a worker
    except PuzzleError as error:
        raise FieldError("seed", error.args[0]) from None
    return text


def cooling(chosen: Mapping[str, str]) -> float:
    """Parse the cooling, by default the usual cooling; raises `FieldError`."""
    bounds = LOWEST_COOLING, HIGHEST_COOLING
    return read_number(chosen, "cooling", float, *bounds, expected=_COOLING) or DEFAULT_COOLING


def read_seconds(chosen: Mapping[str, str], most: float, *, clips: bool = False) -> float | None:
    """Parse the time limit in seconds, None if it is empty; raises `FieldError`.

    Values above `most` are an error, or clipped to `most` with `clips`. So a link of a race works
    on servers with lower limits.
    """
    expected = message("seconds must be above 0 and at most %(most)s", most=f"{most:g}")
    highest = LARGEST_NUMBER if clips else most
    limit = read_number(chosen, "seconds", float, SHORTEST_SECONDS, highest, expected)
    return limit if limit is None else min(limit, most)
