"""The entries of the atlas: right and mistaken searches, and the summaries of their answers.

A mistake is either in the catalogue of the judge, or a rule of a `Convention` that can lose the
shortest path. `atlas_run` computes the summaries, which are in a data file.
"""

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from importlib import resources
from typing import Any

from slidewise.course.judge.catalogue import catalogue
from slidewise.course.judge.printed.mistakes import PLAIN, Change, WrongSearch, wrong_searches
from slidewise.solver.convention import (
    ALGORITHMS,
    SLIDEWISE,
    Convention,
    conventions,
    find_convention,
)
from slidewise.text import message

SEARCHED = (
    *("astar", "greedy", "ucs", "bfs", "dfs", "wastar"),
    *("iddfs", "idastar", "rbfs", "bidirectional"),
)
"""Algorithms of the atlas, in display order."""

BOARDS = 2_000
"""Boards drawn for an algorithm."""

FEWER_BOARDS = {"ucs": 200, "bfs": 200, "dfs": 200, "iddfs": 100}
"""Boards drawn for the algorithms that take a second or more for each board."""

COMPUTING = message("about two hours")
"""Duration for all entries on two cores, measured on 2026-11-28 from 10 to 2,000 boards of each."""

MOST_EXPANSIONS = 300_000
"""Maximum expansions of a search, above the number of boards; iterative deepening is unlimited."""

BEST_FIRST = ("astar", "greedy")
DEEPENING = ("iddfs", "idastar")

RULES = {
    "goal-when-made": "slidewise,goal=made",
    "never-again": "slidewise,duplicates=made",
}
"""Conventions with a single changed rule that are mistakes in the atlas."""

NAMES = {
    **{rule: name for name, rule in RULES.items()},
    "goal-early": "goal-when-made",
    "closed-early": "never-again",
    "stale-entry": "keeps-old-f",
    "manhattan-other-goal": "manhattan-blank-first-goal",
    "one-visited-set": "visits-once",
    "limit-highest": "highest-cut-off",
}
"""Atlas names of diagnoses, if different from the key of the diagnosis."""


def _in_atlas(key: str, algorithms: tuple[str, ...] = BEST_FIRST, /, **own: Any) -> WrongSearch:
    """Return a mistake of the catalogue for `algorithms`, with `own` fields in the atlas."""
    searches = (one for one in wrong_searches() if one.key == key)
    # A mistake that only the judge's exercises name has no search of its own.
    one = next(searches, None) or WrongSearch(**vars(catalogue()[key]))
    return replace(one, **{"key": NAMES.get(key, key), "algorithms": algorithms, **own})


MISTAKES = (
    _in_atlas("goal-early"),
    _in_atlas("closed-early"),
    _in_atlas("stale-entry"),
    _in_atlas("g-adds-h"),
    _in_atlas("manhattan-with-blank"),
    _in_atlas("misplaced-with-blank"),
    _in_atlas("index-distance"),
    _in_atlas("squared"),
    _in_atlas("manhattan-other-goal"),
    _in_atlas("inversions"),
    _in_atlas("manhattan-without-last"),
    _in_atlas("one-visited-set", DEEPENING),
    _in_atlas(
        "limit-steps",
        DEEPENING,
        key="limit-by-five",
        change=Change(switches={"limit": "plus-five"}),
    ),
    _in_atlas("limit-highest", ("idastar",)),
)
"""All mistakes: in the loop of A* and greedy best-first search, in estimates, in limits."""


def entry_for(algorithm: str, diagnosis: str) -> str:
    """Return the atlas key of a diagnosis, "" if the atlas has no entry for it.

    `diagnosis` is the key of a mistake or of a convention.

    >>> entry_for("astar", "squared"), entry_for("astar", "slidewise,duplicates=made")
    ('astar/squared', 'astar/never-again')
    >>> entry_for("bfs", "squared")
    ''
    """
    key = f"{algorithm}/{NAMES.get(diagnosis, diagnosis)}"
    return key if key in variants() else ""


@dataclass(frozen=True)
class Variant:
    """An entry of the atlas: an algorithm under a convention, or with a mistake."""

    algorithm: str
    convention: Convention
    mistake: WrongSearch | None = None

    @property
    def name(self) -> str:
        """Return the key of the mistake, otherwise of the convention."""
        return self.mistake.key if self.mistake else self.convention.key

    @property
    def key(self) -> str:
        """Return its key in the atlas, for example `astar/columbia`."""
        return f"{self.algorithm}/{self.name}"

    @property
    def has_convention(self) -> bool:
        """Return whether textbooks differ in the rules of its algorithm."""
        return self.algorithm in ALGORITHMS

    @property
    def boards(self) -> int:
        """Return the number of boards that it is run on."""
        return FEWER_BOARDS.get(self.algorithm, BOARDS)

    @property
    def most_expansions(self) -> float:
        """Return the maximum expansions of its search."""
        return math.inf if self.algorithm in DEEPENING else MOST_EXPANSIONS

    @property
    def rules(self) -> tuple[str, Convention, str]:
        """Return everything that determines its answers; equal rules give equal answers."""
        # Names and counts do not change the path, nor do rules that the algorithm does not use.
        plain = Convention("", "")
        changes: dict[str, Any] = {"key": "", "title": ""}
        changes |= {"counts": plain.counts, "deepest": plain.deepest}
        if self.algorithm != "dfs":
            changes["siblings"] = plain.siblings
        if self.algorithm in ("bfs", "dfs"):
            changes |= {"queue": plain.queue, "ties": plain.ties}
        change = self.name if self.change != PLAIN else ""
        return self.algorithm, replace(self.convention, **changes), change

    @property
    def change(self) -> Change:
        """Return the change of its search to the plain search."""
        return self.mistake.change if self.mistake else PLAIN

    @property
    def title(self) -> str:
        """Return its title."""
        return self.mistake.title if self.mistake else self.convention.title


@dataclass(frozen=True)
class AtlasSummary:
    """Answers of a variant for `boards` boards drawn from a seed.

    `longer` of them have a longer path than the shortest, by at most `worst` moves. `given_up` have
    no path within the maximum of expansions. `expanded` is the mean of the nodes expanded. Errors
    are standard errors; for the shares of `longer` and `given_up` they are in percentage points,
    None if the share is 0 or 100 %. `unseen` is the upper bound of a share of 0 %, with 95 %
    certainty.

    `example` is the board nearest to the goal without a shortest path, the first in lexicographic
    order, with its `shortest` and the length `found`. It is "" if there is no example.
    """

    key: str
    boards: int
    longer: int
    longer_error: float | None
    given_up: int
    given_up_error: float | None
    unseen: float
    worst: int
    expanded: float
    expanded_error: float
    example: str = ""
    shortest: int = 0
    found: int = 0


@functools.cache
def variants() -> Mapping[str, Variant]:
    """Return all entries of the atlas by their keys.

    >>> variants()["astar/manhattan-with-blank"].title
    'Manhattan distance counts the blank'
    """
    found = []
    for key in SEARCHED:
        # Textbooks do not define rules for every algorithm.
        named = [one.of(key) for one in conventions().values() if key in one.written_for]
        found += [Variant(key, one) for one in named or [SLIDEWISE]]
        found += [
            Variant(key, find_convention(RULES.get(one.key, "slidewise"), key), one)
            for one in MISTAKES
            if key in one.algorithms
        ]
    return {one.key: one for one in found}


@functools.cache
def atlas() -> Mapping[str, AtlasSummary]:
    """Return the summaries shipped with the package, by key.

    `slidewise atlas --compute` computes them again.
    """
    text = resources.files("slidewise.course").joinpath("data", "atlas.json").read_text("utf-8")
    return {one["key"]: AtlasSummary(**one) for one in json.loads(text)}


def as_text(summaries: Mapping[str, AtlasSummary]) -> str:
    """Return the data of `atlas`, in the order of the entries."""
    rows = [json.dumps(asdict(summaries[key])) for key in variants() if key in summaries]
    return "[\n" + ",\n".join(rows) + "\n]\n"
