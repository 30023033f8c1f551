"""The searches of a comparison as programs name them, each with options of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slidewise import ExpressionError, InvalidConventionError, find_algorithm, find_heuristic
from slidewise.solver.compare import Choice, read_choices
from slidewise.solver.convention import ALGORITHMS, find_convention
from slidewise.solver.own.parse import is_own
from webapp.api.answers import refuse

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_run(run: str | dict[str, Any], field: str) -> dict[str, Any]:
    """Return the fields of a run, which is `astar:manhattan` or an object; `field` has it."""
    if isinstance(run, dict):
        check_own(run.get("heuristic", ""), f"{field}.heuristic")
        return run
    algorithm, _, heuristic = run.partition(":")
    check_own(heuristic, field)
    if heuristic:
        _check_uses_heuristic(algorithm, field)
    (choice,) = read_choices([run])
    return fields_of(choice)


def fields_of(choice: Choice) -> dict[str, Any]:
    """Return the fields of a run with nothing but an algorithm and its heuristic."""
    fields = {"algorithm": choice.algorithm}
    return fields if choice.heuristic is None else fields | {"heuristic": choice.heuristic}


def with_shared(run: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a run, with what a comparison says for all runs that take it."""
    algorithm = run["algorithm"]
    shared: dict[str, Any] = {"limits": body.get("limits", {})}
    if "weight" in body and "weight" in find_algorithm(algorithm).options:
        shared["weight"] = body["weight"]
    if "convention" in body and algorithm in ALGORITHMS:
        shared["convention"] = body["convention"]
    return shared | dict(run)


def check_own(heuristic: str, field: str) -> None:
    """Refuse a heuristic of one's own that cannot be read, and say in which field it is."""
    if is_own(heuristic):
        try:
            find_heuristic(heuristic)
        except ExpressionError as error:
            refuse(field, f"in {field}: {error}")


def check_taken(algorithm: str, fields: Mapping[str, Any], of: str = "") -> None:
    """Refuse what an algorithm does not take, in the body or in the run in the field `of`."""
    inside = f"{of}." if of else ""
    for name in ("depth", "weight"):
        if name in fields and name not in find_algorithm(algorithm).options:
            refuse(f"{inside}{name}", f"the algorithm {algorithm} takes no {name}: leave it out")
    if "heuristic" in fields:
        _check_uses_heuristic(algorithm, f"{inside}heuristic")
    if "convention" in fields:
        try:
            find_convention(fields["convention"], algorithm)
        except InvalidConventionError as error:
            refuse(f"{inside}convention", str(error))


def _check_uses_heuristic(algorithm: str, field: str) -> None:
    if not find_algorithm(algorithm).uses_heuristic:
        refuse(field, f"the algorithm {algorithm} takes no heuristic: leave it out")
