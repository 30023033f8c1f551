"""Summaries of a variant's answers for all boards, and their data file."""

from __future__ import annotations

import functools
import json
from dataclasses import asdict, dataclass, replace
from importlib import resources
from typing import TYPE_CHECKING, Any

from slidewise.solver.convention import ALGORITHMS, SLIDEWISE, Convention, conventions
from slidewise.study.atlas.mistakes import MISTAKES, RIGHT
from slidewise.text import message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from slidewise.study.atlas.mistakes import KnownMistake
    from slidewise.study.atlas.run import AllBoards, Answers

ON_ALL = ("astar", "greedy")
"""Algorithms that are run on all boards, because classic mistakes occur in them."""

SEARCHED = (*ON_ALL, "ucs", "bfs", "dfs", "wastar", "iddfs", "idastar", "rbfs", "bidirectional")
"""Algorithms of the atlas, in display order."""

COMPUTING = message("about three and a half hours")
"""Duration for all variants on one core, measured on 2026-11-23 from 6 to 200 boards of each."""

DRAWN = 2_000
"""Number of boards drawn for the other algorithms."""

SEED = 1

LEFT_OUT = {"dfs/aima4"}
"""Omitted: comparing each successor with a path of 100,000 moves takes hours for one board."""


@dataclass(frozen=True)
class Variant:
    """One entry of the atlas: an algorithm under a convention, or with a mistake."""

    algorithm: str
    convention: Convention
    mistake: KnownMistake = RIGHT

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
    def is_on_all(self) -> bool:
        """Return whether it is run on all boards rather than a sample."""
        return self.algorithm in ON_ALL

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
        return self.algorithm, replace(self.convention, **changes), self.mistake.key

    @property
    def title(self) -> str:
        """Return its title."""
        return self.mistake.title or self.convention.title


@dataclass(frozen=True)
class AtlasSummary:
    """Answers of a variant for `boards` boards, all of them or a sample drawn from a seed.

    `longer` of them have a longer path than the shortest, by at most `worst` moves. `unsolved`
    ended without a path. `expanded` is the mean of the nodes expanded. `example` is the board
    nearest to the goal without a shortest path, the first in lexicographic order. It comes with its
    `shortest` and the length `found`; "" if there is no example.
    """

    key: str
    boards: int
    longer: int
    unsolved: int
    worst: int
    expanded: float
    example: str = ""
    shortest: int = 0
    found: int = 0

    @property
    def is_whole(self) -> bool:
        """Return whether all boards were solved, not only a sample."""
        return self.boards > DRAWN


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
        found += [Variant(key, one.convention, one) for one in MISTAKES if key in one.algorithms]
    return {one.key: one for one in found if one.key not in LEFT_OUT}


def summarise(
    everything: AllBoards, variant: Variant, progress: Callable[[int, int], None]
) -> AtlasSummary:
    """Return the summary of a variant; `progress` is called with boards done and boards in all."""
    boards = everything.boards if variant.is_on_all else everything.drawn(DRAWN, SEED)
    answers = everything.solve(
        variant.algorithm,
        variant.convention,
        variant.mistake,
        boards,
        progress=lambda done: progress(done, len(boards)),
    )
    return _summary(everything, variant.key, answers)


def _summary(everything: AllBoards, key: str, answers: Answers) -> AtlasSummary:
    excess = answers.lengths - answers.distances
    solved = answers.lengths >= 0
    longer = solved & (excess > 0)
    numbers: dict[str, Any] = {
        "boards": len(answers.boards),
        "longer": int(longer.sum()),
        "unsolved": int((~solved).sum()),
        "worst": int(excess[solved].max(initial=0)),
        "expanded": round(float(answers.expanded.mean()), 1),
    }
    if longer.any():
        distances = answers.distances.copy()
        distances[~longer] = distances.max() + 1
        at = int(distances.argmin())
        numbers["example"] = str(everything.board(int(answers.boards[at])))
        numbers["shortest"], numbers["found"] = int(distances[at]), int(answers.lengths[at])
    return AtlasSummary(key, **numbers)


@functools.cache
def atlas() -> Mapping[str, AtlasSummary]:
    """Return the summaries shipped with the package, by key.

    `slidewise atlas --compute` computes them again.
    """
    text = resources.files("slidewise.study").joinpath("data", "atlas.json").read_text("utf-8")
    return {one["key"]: AtlasSummary(**one) for one in json.loads(text)}


def as_text(summaries: Mapping[str, AtlasSummary]) -> str:
    """Return the data of `atlas`, in the order of the entries."""
    rows = [json.dumps(asdict(summaries[key])) for key in variants() if key in summaries]
    return "[\n" + ",\n".join(rows) + "\n]\n"
