"""The run of the atlas: each search on boards drawn from a seed, and the summary of its answers."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import NamedTuple

from slidewise.course.atlas import AtlasSummary, variants
from slidewise.course.judge.printed.reference import ReferenceSearch
from slidewise.course.sample import DrawnPuzzle, draw_boards
from slidewise.puzzle import Puzzle, standard_goal
from slidewise.solver.loop import Outcome
from slidewise.solver.solve_many import Processes
from slidewise.solver.task import never

GOAL = standard_goal(3, 3)

SEED = "1"

SLICE = 20_000
"""Expansions between two checks of `cancelled`: a fraction of a second."""

UNSEEN = 0.05
"""Probability of drawing no board of a class that is the share `unseen` of all boards."""


class AtlasAnswer(NamedTuple):
    """The answer of a search: the length `found`, None without a path, and the nodes expanded."""

    shortest: int
    board: str
    found: int | None
    expanded: int


@dataclass(frozen=True)
class AtlasJob:
    """The search of an entry for a board."""

    key: str
    drawn: DrawnPuzzle

    def result(self, cancelled: Callable[[], bool]) -> AtlasAnswer:
        """Return the answer."""
        variant, (puzzle, shortest) = variants()[self.key], self.drawn
        assert shortest is not None
        reference = replace(_reference(variant.algorithm), puzzle=puzzle)
        change = variant.change
        search = reference.search(reference.task(variant.convention, change), change)
        outcome = Outcome.RUNNING
        while outcome is Outcome.RUNNING and not cancelled():
            if not (left := variant.most_expansions - search.expanded):
                break
            outcome = search.advance(min(SLICE, left))
        length = len(search.path()) - 1 if outcome is Outcome.GOAL else None
        search.close()
        return AtlasAnswer(shortest, str(puzzle), length, search.expanded)


@cache
def _reference(algorithm: str) -> ReferenceSearch:
    """Return a search whose cached estimates are shared by all boards of the process."""
    return ReferenceSearch(Puzzle(GOAL, GOAL), algorithm, "manhattan")


def drawn_boards(count: int) -> list[DrawnPuzzle]:
    """Return the first boards of the atlas, with their exact distances."""
    return draw_boards(GOAL, SEED, range(count), count)


def summarise(
    keys: Sequence[str], cores: int, progress: Callable[[str, int, int], None]
) -> Iterator[AtlasSummary]:
    """Yield the summary of each entry, in order.

    `progress` is called with an entry, its boards done and its boards in all.
    """
    first: dict[object, str] = {}
    for key in keys:
        # Variants with equal rules have equal answers, so only the first of them is run.
        first.setdefault(variants()[key].rules, key)
    counts = {key: variants()[key].boards for key in first.values()}
    drawn = drawn_boards(max(counts.values()))
    jobs = (AtlasJob(key, board) for key, count in counts.items() for board in drawn[:count])
    answers = (
        Processes[AtlasAnswer](cores, never).run(jobs)
        if cores > 1
        else (job.result(never) for job in jobs)
    )
    found: dict[str, AtlasSummary] = {}
    for key in keys:
        same = first[variants()[key].rules]
        if same not in found:
            of_key = []
            for answer in islice(answers, counts[key]):
                of_key.append(answer)
                progress(key, len(of_key), counts[key])
            found[same] = _summary(key, of_key)
        yield replace(found[same], key=key)


def _summary(key: str, answers: Sequence[AtlasAnswer]) -> AtlasSummary:
    boards, expanded = len(answers), [one.expanded for one in answers]
    excess = [one.found - one.shortest for one in answers if one.found is not None]
    longer = len(excess) - excess.count(0)
    given_up = boards - len(excess)
    found = AtlasSummary(
        key,
        boards,
        longer=longer,
        longer_error=_error(longer, boards),
        given_up=given_up,
        given_up_error=_error(given_up, boards),
        # Solves (1 - unseen) ** boards == UNSEEN.
        unseen=round(100 * (1 - UNSEEN ** (1 / boards)), 2),
        worst=max(excess, default=0),
        expanded=round(statistics.fmean(expanded), 1),
        expanded_error=round(statistics.stdev(expanded) / math.sqrt(boards), 1),
    )
    if not longer:
        return found
    nearest = min(one for one in answers if one.found not in (None, one.shortest))
    assert nearest.found
    return replace(found, example=nearest.board, shortest=nearest.shortest, found=nearest.found)


def _error(count: int, boards: int) -> float | None:
    """Return the standard error of a share in percentage points."""
    share = count / boards
    return round(100 * math.sqrt(share * (1 - share) / boards), 2) if 0 < count < boards else None
