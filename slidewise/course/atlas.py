"""The entries of the atlas: right and mistaken searches, and the summaries of their answers.

A mistake is one that checks of programs name too, or a rule of a `Convention` that can lose the
shortest path.

`atlas_run` computes the summaries, which are in a data file.
"""

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from importlib import resources
from typing import Any

from slidewise.course.judge.work.mistakes import Change, Mistake, known_mistakes
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
"""Boards drawn for the algorithms that take a second or more for one."""

COMPUTING = message("about two hours")
"""Duration for all entries on two cores, measured on 2026-11-28 from 10 to 2,000 boards of each."""

MOST_EXPANSIONS = 300_000
"""Maximum expansions of a search, above the number of boards; iterative deepening has none."""

BEST_FIRST = ("astar", "greedy")
DEEPENING = ("iddfs", "idastar")


def _checked(diagnosis: str, algorithms: tuple[str, ...] = BEST_FIRST, **own: str) -> Mistake:
    """Return a mistake of program checks for `algorithms`, with `own` texts in the atlas."""
    one = next(one for one in known_mistakes() if one.key == diagnosis)
    texts: dict[str, Any] = {
        name: message(getattr(one, name).replace("%", "%%")) for name in ("title", "what", "mend")
    }
    return replace(one, algorithms=algorithms, **{**texts, **own})


RULES = {
    "goal-when-made": "slidewise,goal=made",
    "never-again": "slidewise,duplicates=made",
}
"""Conventions with one changed rule that are mistakes in the atlas."""

NO_MISTAKE = Mistake("", "", "", "", (), Change())

MISTAKES = (
    Mistake(
        "goal-when-made",
        message("You accept the goal as soon as it is generated"),
        message(
            "The search stops as soon as a successor is the goal, while a board with a lower f is "
            "still waiting."
        ),
        message(
            "Test for the goal when a node is taken from the frontier, not when it is generated."
        ),
        BEST_FIRST,
        Change(),
    ),
    Mistake(
        "never-again",
        message("A waiting board keeps its first path"),
        message(
            "Each successor that was generated before is dropped, even when the new path is "
            "shorter."
        ),
        message(
            "Compare the new g with the one that is stored, and keep the board if it is lower."
        ),
        BEST_FIRST,
        Change(),
    ),
    _checked(
        "stale-entry", key="keeps-old-f", title=message("You store the shorter path, but not its f")
    ),
    _checked("g-adds-h"),
    _checked("manhattan-with-blank"),
    _checked("misplaced-with-blank"),
    _checked("index-distance"),
    _checked("squared"),
    _checked("manhattan-blank-first-goal"),
    _checked("inversions"),
    _checked("manhattan-without-last"),
    _checked(
        "one-visited-set",
        DEEPENING,
        key="visits-once",
        title=message("A board visited under a limit is not visited again"),
    ),
    Mistake(
        "limit-by-five",
        message("Your limit goes up by 5"),
        message(
            "The limit is raised by 5 to have fewer passes, and goes past the shortest length."
        ),
        message(
            "Raise the limit to the lowest f that was cut off: no path has a length between the "
            "two."
        ),
        DEEPENING,
        Change(switches={"limit": "plus-five"}),
    ),
    _checked(
        "limit-highest",
        ("idastar",),
        key="highest-cut-off",
        title=message("Your limit goes up to the highest f cut off"),
    ),
)
"""All mistakes: in the loop of A* and greedy best-first search, in estimates, in limits."""

NAMES = {
    **{rule: name for name, rule in RULES.items()},
    "stale-entry": "keeps-old-f",
    "one-visited-set": "visits-once",
    "limit-highest": "highest-cut-off",
}
"""Names in the atlas of diagnoses with another key."""


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
    """One entry of the atlas: an algorithm under a convention, or with a mistake."""

    algorithm: str
    convention: Convention
    mistake: Mistake = NO_MISTAKE

    @property
    def name(self) -> str:
        """Return the key of the mistake, or else of the convention."""
        return self.mistake.key or self.convention.key

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
        """Return everything that determines its answers: variants with equal rules answer alike."""
        plain = Convention("", "")
        changes: dict[str, Any] = {"key": "", "title": ""}
        changes |= {"counts": plain.counts, "deepest": plain.deepest}
        if self.algorithm != "dfs":
            changes["siblings"] = plain.siblings
        if self.algorithm in ("bfs", "dfs"):
            changes |= {"queue": plain.queue, "ties": plain.ties}
        change = self.mistake.key if self.mistake.change != Change() else ""
        return self.algorithm, replace(self.convention, **changes), change

    @property
    def title(self) -> str:
        """Return its title."""
        return self.mistake.title or self.convention.title


@dataclass(frozen=True)
class AtlasSummary:
    """Answers of a variant for `boards` boards drawn from a seed.

    `longer` of them have a longer path than the shortest, by at most `worst` moves. `given_up` have
    no path within the maximum of expansions. `expanded` is the mean of the nodes expanded. Errors
    are standard errors; of the shares of `longer` and `given_up` in percentage points, None if the
    share is 0 or 100 %. `unseen` is the most that a share of 0 % can be, with 95 % certainty.

    `example` is the board nearest to the goal without a shortest path, the first in lexicographic
    order. It comes with its `shortest` and the length `found`; "" if there is no example.
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
    'Your Manhattan distance counts the blank'
    """
    found = []
    for key in SEARCHED:
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
