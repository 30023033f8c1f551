"""API endpoints for algorithms and heuristics: their lists, and a check of a heuristic."""

from __future__ import annotations

from typing import Annotated, TypedDict, cast

from slidewise import algorithms, heuristics
from slidewise.json_schema import Count, Keywords
from slidewise.solver.convention import ALGORITHMS
from slidewise.solver.task import ALGORITHM_FACTS, HEURISTIC_FACTS, facts_of

from .operations import EmptyQuery, operation
from .schemas import blueprint


class AlgorithmFactsJSON(TypedDict):
    key: Annotated[str, Keywords(enum=lambda site: site.algorithms)]
    title: str
    idea: str
    complete: bool
    optimal: Annotated[
        bool, "Whether the path is shortest (with a heuristic, if that is admissible)."
    ]
    optimal_to: Annotated[Count | None, "The maximum number of cells for that, if there is one."]
    time: str
    space: str
    uses_heuristic: bool
    source: str
    options: Annotated[list[str], "Which of `depth`, `weight`, `seed` and `cooling` it takes."]
    conventions: Annotated[bool, "Whether it runs under other conventions than Slidewise's."]


class AlgorithmsJSON(TypedDict):
    algorithms: list[AlgorithmFactsJSON]


class HeuristicFactsJSON(TypedDict):
    key: Annotated[str, Keywords(enum=lambda site: site.heuristics)]
    title: str
    idea: str
    admissible: bool
    consistent: bool
    source: str


class HeuristicsJSON(TypedDict):
    heuristics: list[HeuristicFactsJSON]


@blueprint.get("/v1/algorithms")
@operation(
    "listAlgorithms",
    "The algorithms",
    "What each guarantees and costs, and which options it takes.",
    "The algorithms.",
    place=10,
)
def list_algorithms(query: EmptyQuery) -> AlgorithmsJSON:
    """List the algorithms with their facts."""
    listed = [
        {
            **facts_of(entry, ALGORITHM_FACTS),
            "options": sorted(entry.options),
            "conventions": entry.key in ALGORITHMS,
        }
        for entry in algorithms().values()
    ]
    return {"algorithms": cast("list[AlgorithmFactsJSON]", listed)}


@blueprint.get("/v1/heuristics")
@operation(
    "listHeuristics",
    "The heuristics",
    "What holds for each on all boards.",
    "The heuristics.",
    place=20,
)
def list_heuristics(query: EmptyQuery) -> HeuristicsJSON:
    """List the heuristics with their facts."""
    listed = [facts_of(entry, HEURISTIC_FACTS) for entry in heuristics().values()]
    return {"heuristics": cast("list[HeuristicFactsJSON]", listed)}
