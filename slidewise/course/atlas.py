"""The entries of the atlas: right and mistaken searches, and the summaries of their answers.

A mistake is in the estimate or in the loop. Estimates are functions of boards and a goal. Mistakes
in the loop are a rule of `Convention` that loses the shortest path, or a flaw outside all
conventions.

`atlas_run` computes the summaries, which are in a data file.
"""

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from importlib import resources
from typing import Any

from slidewise.course.check.mistakes import known_mistakes
from slidewise.solver.convention import (
    ALGORITHMS,
    SLIDEWISE,
    Convention,
    Duplicates,
    GoalTest,
    conventions,
)
from slidewise.text import message

Boards = Any
"""Boards as a NumPy array, one in each column: row c holds the tiles in cell c."""

Estimator = Callable[[Boards, Sequence[int], int], Any]
"""A function of boards, a goal's cells and the number of columns that returns the estimates."""

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


def manhattan(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the sums of the row and column distances of the tiles."""
    return _sums(boards, goal, lambda cell, home: _steps(cell, home, cols))


def with_blank(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the Manhattan distances with those of the blank."""
    return _sums(boards, goal, lambda cell, home: _steps(cell, home, cols), first=0)


def misplaced_with_blank(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the number of cells that differ from the goal's, blank included."""
    return _sums(boards, goal, lambda cell, home: 1 * (cell != home), first=0)


def index_distance(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the sums of the differences of the cells' numbers."""
    return _sums(boards, goal, lambda cell, home: abs(cell - home))


def squared(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the sums of the squared straight-line distances."""

    def square(cell: int, home: Any) -> Any:
        return (cell // cols - home // cols) ** 2 + (cell % cols - home % cols) ** 2

    return _sums(boards, goal, square)


def for_blank_first_goal(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the Manhattan distances to the goal that has its blank first."""
    return manhattan(boards, range(len(goal)), cols)


def inversions(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the number of tile pairs in another order than in the goal."""
    places = _homes(goal)[boards]
    return sum(
        (places[early] > places[late]) & (boards[early] > 0) & (boards[late] > 0)
        for early in range(len(goal))
        for late in range(early + 1, len(goal))
    )


def without_last(boards: Boards, goal: Sequence[int], cols: int) -> Any:
    """Return the Manhattan distances of all tiles but the last."""
    last = len(goal) - 1
    return _sums(boards, goal, lambda cell, home: _steps(cell, home, cols), last=last)


def _steps(cell: int, home: Any, cols: int) -> Any:
    return abs(cell // cols - home // cols) + abs(cell % cols - home % cols)


def _homes(goal: Sequence[int]) -> Any:
    """Return the home of each tile as an array."""
    import numpy as np

    return np.argsort(np.array(goal))


def _sums(
    boards: Boards,
    goal: Sequence[int],
    distance: Callable[[int, Any], Any],
    first: int = 1,
    last: int | None = None,
) -> Any:
    """Return for each board the sum of `distance(cell, home)` of the tiles `first` up to `last`."""
    homes, last = _homes(goal), last or len(goal)
    return sum(
        distance(cell, homes[tiles]) * ((tiles >= first) & (tiles < last))
        for cell, tiles in enumerate(boards)
    )


BEST_FIRST = ("astar", "greedy")
DEEPENING = ("iddfs", "idastar")


class NextLimit(StrEnum):
    """Rule for the next limit of iterative deepening."""

    LOWEST_CUT = "the lowest f that was cut off"
    HIGHEST_CUT = "the highest f that was cut off"
    BY_FIVE = "five more"


@dataclass(frozen=True)
class KnownMistake:
    """A common mistake of programs: its effect and its remedy.

    `adds_estimates` and `keeps_old_f` are mistakes of the loop outside all conventions.
    `visits_once` and `next_limit` concern iterative deepening. `algorithms` can have the mistake.
    """

    key: str
    title: str
    what: str
    mend: str
    estimate: Estimator = manhattan
    convention: Convention = SLIDEWISE
    adds_estimates: bool = False
    keeps_old_f: bool = False
    visits_once: bool = False
    next_limit: NextLimit = NextLimit.LOWEST_CUT
    algorithms: tuple[str, ...] = BEST_FIRST

    @property
    def is_of_estimate(self) -> bool:
        """Return whether the mistake is in the estimate, not in the loop."""
        return self.estimate is not manhattan


RIGHT = KnownMistake("", "", "", "")
"""No mistake."""


def _checked(key: str, **change: Any) -> KnownMistake:
    """Return a mistake that checks of programs also detect, in the same words."""
    one = next(one for one in known_mistakes() if one.key == key)
    title, what, mend = (
        message(text.replace("%", "%%")) for text in (one.title, one.what, one.mend)
    )
    return KnownMistake(key, title, what, mend, **change)


MISTAKES = (
    KnownMistake(
        "goal-when-made",
        message("You accept the goal as soon as it is generated"),
        message(
            "The search stops as soon as a successor is the goal, while a board with a lower f is "
            "still waiting."
        ),
        message(
            "Test for the goal when a node is taken from the frontier, not when it is generated."
        ),
        convention=Convention("goal-when-made", "", goal_test=GoalTest.MADE),
    ),
    KnownMistake(
        "never-again",
        message("A waiting board keeps its first path"),
        message(
            "Each successor that was generated before is dropped, even when the new path is "
            "shorter."
        ),
        message(
            "Compare the new g with the one that is stored, and keep the board if it is lower."
        ),
        convention=Convention("never-again", "", duplicates=Duplicates.MADE),
    ),
    KnownMistake(
        "keeps-old-f",
        message("You store the shorter path, but not its f"),
        message("A waiting board gets its shorter path, but stays in the queue at its old f."),
        message("Put the board into the queue again with its new f, and skip the old entry."),
        keeps_old_f=True,
    ),
    _checked("g-adds-h", adds_estimates=True),
    _checked("manhattan-with-blank", estimate=with_blank),
    _checked("misplaced-with-blank", estimate=misplaced_with_blank),
    _checked("index-distance", estimate=index_distance),
    _checked("squared", estimate=squared),
    _checked("manhattan-blank-first-goal", estimate=for_blank_first_goal),
    _checked("inversions", estimate=inversions),
    _checked("manhattan-without-last", estimate=without_last),
    KnownMistake(
        "visits-once",
        message("A board visited under a limit is not visited again"),
        message(
            "A list of the boards visited under a limit shuts out shorter paths to them, from "
            "which the goal may be within the limit."
        ),
        message(
            "Compare with the boards on the current path only; or keep the depth with each board, "
            "and visit it again at a smaller one."
        ),
        visits_once=True,
        algorithms=DEEPENING,
    ),
    KnownMistake(
        "limit-by-five",
        message("Your limit goes up by 5"),
        message(
            "The limit is raised by 5 to have fewer passes, and goes past the shortest length."
        ),
        message(
            "Raise the limit to the lowest f that was cut off: no path has a length between the "
            "two."
        ),
        next_limit=NextLimit.BY_FIVE,
        algorithms=DEEPENING,
    ),
    KnownMistake(
        "highest-cut-off",
        message("Your limit goes up to the highest f cut off"),
        message("The next limit is the highest f that was cut off, not the lowest."),
        message("Begin each pass with infinity, and keep the minimum of what is cut off."),
        next_limit=NextLimit.HIGHEST_CUT,
        algorithms=("idastar",),
    ),
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
    name = _BY_RULE.get(diagnosis, diagnosis)
    known = any(one.key == name and algorithm in one.algorithms for one in MISTAKES)
    named = name in conventions() and algorithm in conventions()[name].written_for
    return f"{algorithm}/{name}" if known or named else ""


_BY_RULE = {
    "slidewise,goal=made": "goal-when-made",
    "slidewise,duplicates=made": "never-again",
}
"""Conventions with one changed rule that are mistakes in the atlas."""


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
