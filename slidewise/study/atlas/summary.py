"""What a variant of a search answers for all boards, in a few numbers, and where they are kept."""

from __future__ import annotations

import functools
import json
from dataclasses import asdict, dataclass, replace
from importlib import resources
from typing import TYPE_CHECKING, Any

from slidewise.solver.convention import ALGORITHMS, SLIDEWISE, Convention, conventions
from slidewise.study.atlas.mistakes import MISTAKES, RIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from slidewise.study.atlas.mistakes import KnownMistake
    from slidewise.study.atlas.run import AllBoards, Answers

ON_ALL = ("astar", "greedy")
"""The algorithms that are run on all boards: classic mistakes are made in them."""

SEARCHED = (*ON_ALL, "ucs", "bfs", "dfs", "wastar", "iddfs", "idastar", "rbfs", "bidirectional")
"""The algorithms of the atlas, in their order."""

COMPUTING = "about three and a half hours"
"""How long all variants take on one core, measured on 2026-11-23 from 6 to 200 boards of each."""

DRAWN = 2_000
"""So many boards are drawn for the other algorithms."""

SEED = 1

LEFT_OUT = {"dfs/aima4"}
"""To hold each successor against a path of 100,000 moves takes hours for one board."""


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
        """Return its key in the atlas, such as `astar/columbia`."""
        return f"{self.algorithm}/{self.name}"

    @property
    def has_convention(self) -> bool:
        """Return whether textbooks differ in the rules of its algorithm."""
        return self.algorithm in ALGORITHMS

    @property
    def is_on_all(self) -> bool:
        """Return whether it is run on all boards, not on a sample of them."""
        return self.algorithm in ON_ALL

    @property
    def rules(self) -> tuple[str, Convention, str]:
        """Return all that its answers depend on: variants with equal rules answer alike."""
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
        """Return what it is called."""
        return self.mistake.title or self.convention.title


@dataclass(frozen=True)
class AtlasSummary:
    """What a variant answers for `boards` boards, all there are or as many drawn from a seed.

    `longer` of them have a path that is not shortest, at most `worst` moves longer; `unsolved`
    were given up. `expanded` is the mean of the nodes expanded. `example` is the board nearest to
    the goal whose path is not shortest, the first in lexicographic order, with its `shortest` and
    the length `found`; "" where there is none.
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
        """Return whether all boards were solved, not a sample of them."""
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
    everything: AllBoards, variant: Variant, told: Callable[[int, int], None]
) -> AtlasSummary:
    """Return the numbers of a variant; `told` hears of boards done and boards in all."""
    boards = everything.boards if variant.is_on_all else everything.drawn(DRAWN, SEED)
    answers = everything.solve(
        variant.algorithm,
        variant.convention,
        variant.mistake,
        boards,
        told=lambda done: told(done, len(boards)),
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
    """Return the summaries that come with the package, by their keys.

    `slidewise atlas --compute` works them out anew.
    """
    text = resources.files("slidewise.study").joinpath("data", "atlas.json").read_text("utf-8")
    return {one["key"]: AtlasSummary(**one) for one in json.loads(text)}


def as_text(summaries: Mapping[str, AtlasSummary]) -> str:
    """Return what `atlas` reads, in the order of the entries."""
    rows = [json.dumps(asdict(summaries[key])) for key in variants() if key in summaries]
    return "[\n" + ",\n".join(rows) + "\n]\n"
