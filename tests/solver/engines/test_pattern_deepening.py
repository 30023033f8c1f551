"""Threads that share an iteration of IDA*."""

from concurrent.futures import ThreadPoolExecutor

from slidewise import Limits, parse_puzzle
from slidewise.solver.engines import pattern_deepening
from slidewise.solver.engines.pattern_deepening import PatternDeepening
from slidewise.solver.run import find_algorithm, find_heuristic
from slidewise.solver.task import Task

KORF_17 = "15.14.0.4-11.1.6.13-7.5.8.9-3.2.10.12_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"
BUDGET = 1_000


class LateThreads(ThreadPoolExecutor):
    """Threads that start only when the calling thread waits for their results."""

    def submit(self, call, *arguments):
        return LateCall(call, arguments)


class LateCall:
    """A future of `LateThreads`."""

    def __init__(self, call, arguments):
        self._call, self._arguments = call, arguments

    def result(self):
        return self._call(*self._arguments)


def test_late_threads_leave_their_share_to_the_others(monkeypatch):
    monkeypatch.setattr(pattern_deepening, "ThreadPoolExecutor", LateThreads)
    monkeypatch.setattr(pattern_deepening, "LONG_ITERATION_EXPANSIONS", 10_000)
    monkeypatch.setattr(pattern_deepening, "EXPANSIONS_A_BRANCH", 500)
    best, pdb = find_algorithm("best"), find_heuristic("pdb")
    work = PatternDeepening(Task(parse_puzzle(KORF_17), best, pdb, Limits(cores=3)))
    while work.last < pattern_deepening.LONG_ITERATION_EXPANSIONS:
        work.advance(10_000_000)
    limit, by_late = work.limit, []
    work_of_one = work._work

    def counted(portion):
        before = work.expanded
        code = work_of_one(portion)
        by_late.append(work.expanded - before)
        return code

    monkeypatch.setattr(work, "_work", counted)
    while work.limit == limit and len(by_late) < 30:  # before the split of the iteration
        work.advance(BUDGET)
    assert work.limit == limit
    assert by_late == [BUDGET, 0, 0] * 10
