"""The kinds of cached answers: another process reads each as it was stored."""

import sys
from datetime import date

import pytest

from slidewise import SearchSpec, fewest_slides, parse_puzzle
from slidewise.analysis.daily import daily_puzzles
from slidewise.analysis.distance import DistanceAhead
from slidewise.analysis.review import review
from slidewise.analysis.shortest_solutions import counted
from slidewise.course.sample import Measurement, draw_boards
from slidewise.course.searching.explanation import check
from slidewise.solver.compare import parse_runs
from slidewise.solver.task import Limits
from tests.boards import TWO_MOVES
from tests.web.streams import PATIENCE
from webapp.course.lab.check import REPORTS, SUBMITTED, WorkToCheck, report_of
from webapp.course.lab.heuristics import CHECKS
from webapp.course.lab.many_boards import TAKEN, BoardSample, Plan
from webapp.course.lab.recorded import SearchToRecord
from webapp.course.lab.running import RESULTS, STOPPED
from webapp.course.lab.selection import Selection
from webapp.course.lab.watch import RECORDINGS
from webapp.play.daily import DAYS
from webapp.play.review import REVIEWS
from webapp.share import pictures
from webapp.share.files import PICTURES
from webapp.solve.replay import PATHS
from webapp.workers import json_values
from webapp.workers.distances import BOUNDS, KNOWN
from webapp.workers.redis import shared as redis_module
from webapp.workers.redis.shared import RedisShared, connect
from webapp.workers.shared import CacheKind
from webapp.workers.solution_counts import COUNTS, SLIDES

SMALL = parse_puzzle("1.0.3-4.2.5").goal
PUZZLE = parse_puzzle(TWO_MOVES)
SPEC = SearchSpec(PUZZLE, "astar", limits=Limits(seconds=30), trace=20)
RESULT = list(SPEC.events())[-1].result
TO_RECORD = SearchToRecord.of(SPEC, "algorithm=astar")
WORK = WorkToCheck(TWO_MOVES, "astar", "manhattan", "slidewise", "U L")
TODAY = date(2026, 11, 22), date(2026, 11, 23)


def sample():
    """Return one board, solved by two searches."""
    plan = Plan(PUZZLE.goal, 1, None, "1", Selection(tuple(parse_runs("astar,bfs")), seconds=5.0))
    measured = [Measurement.of(RESULT, 2)]
    return BoardSample(
        plan, drawn=draw_boards(plan.goal, "1", [0], 1), done=1, measures=[measured] * 2
    )


ANSWERS = {
    REVIEWS: lambda: ((PUZZLE, "UL"), review(PUZZLE, "UL", 5)),
    CHECKS: lambda: (("manhattan", SMALL), check("manhattan", SMALL)),
    PICTURES: lambda: (
        (json_values.qualified_name(pictures.board_png), (PUZZLE.start, PUZZLE.goal)),
        pictures.board_png(PUZZLE.start, PUZZLE.goal),
    ),
    DAYS: lambda: (TODAY, daily_puzzles(*TODAY)),
    KNOWN: lambda: (PUZZLE, DistanceAhead(2, 2, 5)),
    BOUNDS: lambda: (PUZZLE, 2),
    PATHS: lambda: (SPEC, "UL"),
    RESULTS: lambda: (SPEC, RESULT),
    STOPPED: lambda: ("an id", True),
    COUNTS: lambda: ((PUZZLE, None), counted(PUZZLE, Limits(), None)),
    SLIDES: lambda: (PUZZLE, fewest_slides(PUZZLE)),
    TAKEN: lambda: (sample().plan, sample()),
    REPORTS: lambda: (WORK, report_of(WORK)),
    SUBMITTED: lambda: ("a ticket", {"given": "U L", "algorithm": "astar"}),
    RECORDINGS: lambda: (TO_RECORD, list(TO_RECORD.events())[-2]),
}
"""A key of each kind with its answer."""


def comparable(answer):
    """Return a comparable form of an answer."""
    return (answer.as_csv(), answer.as_json()) if isinstance(answer, BoardSample) else answer


@pytest.mark.parametrize("kind", ANSWERS, ids=lambda kind: kind.name)
def test_cached_answer_is_read_by_another_process(kind, redis_url, monkeypatch):
    monkeypatch.setattr(redis_module, "ANSWER_SECONDS", PATIENCE)
    here, there = (RedisShared(connect(redis_url)) for _ in range(2))
    key, answer = ANSWERS[kind]()
    here.put(kind, key, answer)
    again = there.get(kind, key)
    assert comparable(again) == comparable(answer)


def test_every_kind_is_tested_and_has_its_own_name():
    modules = [module for name, module in sys.modules.items() if name.startswith("webapp")]
    kinds = {
        one for module in modules for one in vars(module).values() if isinstance(one, CacheKind)
    }
    assert {kind for kind in kinds if kind.seconds} == set(ANSWERS)
    assert len({kind.name for kind in kinds}) == len(kinds)
